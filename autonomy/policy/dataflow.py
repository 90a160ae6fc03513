"""Tracks taint labels and decides which data may flow into which write.

Every answer adds its labels to the run, an error and an empty one too, and nothing takes one away. Text from a tool is
`untrusted`: it may fill the arguments a job left to the run's own words, and it may not choose where a write goes. Data of a
provider is `private` to it: it may flow into a write only if the job declares that it reads there. A read is a way out too.

A server writes its own schemas: what they give counts for its own calls alone, and an address among its defaults is a value of
the call, also where the call leaves it out.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from html import unescape
from typing import Any
from urllib.parse import unquote

from autonomy.llm.model import Need
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import worst_of
from autonomy.policy.need_binding import fixed_arguments, free_arguments
from autonomy.policy.policy_words import policy_words
from autonomy.policy.sinks import WHO_OR_WHERE, Sink
from autonomy.policy.texts.addresses import addresses_in, addresses_named, is_named, looks_like_address, mentions_in, readable
from autonomy.policy.texts.codes import codes_in, is_card
from autonomy.policy.texts.file_names import LONGEST_PATH, stands_whole
from autonomy.policy.texts.guarded_files import keeps_secrets
from autonomy.policy.write_plan import same_value
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import Effect, JsonObject, ToolSpec
from discovery.review.effect_proposals import LIKELY, SURE, propose
from discovery.schemas.schema_walk import as_object, followed
from discovery.text.redaction import redact

UNTRUSTED = "untrusted"
PRIVATE = "private:"

LOAD = 300
"""Characters of a call that are no search words any more: a whole passage goes to another provider, in one piece or in many."""
SENTENCE = 50
"""Letters and figures that a read repeats of another provider's answer (some 60 characters): a title or a name has fewer."""
LOAD_OF_RUN = 1_500
"""And of all calls of a run to one provider: thirty searches of fifty characters, each counted once."""
FEWEST_NUMBERS, MOST_NUMBERS = 24, 100_000
"""Of numbers, switches and nulls in a call that can stand for a text: fewer say how, where and when."""
LEAST_CARD = 10**13
"""The least number as long as a card's; a time in milliseconds is shorter."""


def labels_of(spec: ToolSpec) -> frozenset[str]:
    """The labels that an answer of this tool adds to the run: untrusted, and private to the provider it was read from.

    The answer to a write only says what the run itself put there. In doubt a tool has read: what it brought is guarded then.
    """
    return frozenset({UNTRUSTED, PRIVATE + spec.provider} if may_only_read(spec, surely=0.0) else {UNTRUSTED})


def may_only_read(spec: ToolSpec, *, surely: float = LIKELY) -> bool:
    """Whether a tool says that it reads, or says nothing of its effect and by name, words and schema only reads; `surely`: the
    least confidence (0 to 1) with which it has to."""
    if spec.declared or spec.effect is not Effect.WRITE:
        return spec.read_only
    proposal = propose(spec)
    return proposal.effect is Effect.READ and proposal.confidence >= surely


def is_foreseen_read(spec: ToolSpec) -> bool:
    """Whether a tool that says nothing of its effect only reads where a plan says so: its name and its words both say that, and
    no call of it showed otherwise."""
    return not spec.declared and not spec.seen_to_change and may_only_read(spec, surely=SURE)


def foreign_data(spec: ToolSpec, labels: frozenset[str], sources: Collection[str]) -> tuple[str, ...]:
    """The providers whose data is in view and would be carried elsewhere by a call of this tool."""
    private = {label.removeprefix(PRIVATE) for label in labels if label.startswith(PRIVATE)}
    return () if spec.provider in sources else tuple(sorted(private - {spec.provider}))


def concern(spec: ToolSpec, arguments: JsonObject, facts: Circumstances, *, serving: Sequence[Need] = ()) -> str:
    """Why this call could be somebody else's wish, or carry something out; one sentence, empty when it could not.

    `serving`: the declared needs the call keeps to. An address in the words of those who may decide is no surprise.
    """
    labels, sources, words = facts.labels, facts.sources, facts.known
    if spec.read_only:
        if foreign_data(spec, labels, ()) and tells_secret(arguments, words):
            return f"{spec.name} would be given a secret that nobody asked for"
        foreign = foreign_data(spec, labels, sources)
        given = f"{words} {' '.join(facts.returned)}"
        part = _carrier(arguments, given, facts.told) if foreign else ""
        if not part and facts.quoted in foreign and not _is_given_texts(spec, words):
            part = "a sentence"
        return f"{part} could carry data of {', '.join(foreign)} out" if part else ""
    private = {label.removeprefix(PRIVATE) for label in labels if label.startswith(PRIVATE)}
    if sources and (undeclared := sorted(private - set(sources))):
        return f"data of {', '.join(undeclared)} is in view, and the job does not declare that it reads there"
    if UNTRUSTED not in labels:
        return _given_by_nobody(spec, arguments, facts)
    loose = min((unbound_arguments(need, spec, arguments) for need in serving), key=len, default=tuple(arguments))
    return f"{', '.join(loose)} chosen while text from tools was in view" if loose else ""


def _is_given_texts(spec: ToolSpec, words: str) -> bool:
    """Whether those who may decide name the read's provider or what it does to a text ("translate it with DeepL"): then it is to
    be told what was read. To be searched for is no such deed."""
    deed = next(iter(re.findall(r"[a-z]+", spec.tool.lower())), "")
    said = words.casefold()
    is_named = len(spec.provider) >= _SHORTEST_PROVIDER and spec.provider.casefold() in said
    in_japanese = any(word in said for word in policy_words("done_to_texts_ja").get(deed, ()))
    return is_named or in_japanese or (deed in policy_words("done_to_texts") and re.search(rf"\b{deed}", said) is not None)


_SHORTEST_PROVIDER = 4
"""Letters: a shorter name may stand in any word."""


def _given_by_nobody(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> str:
    """Who or where in a call, and the addresses in its wording, that come from none who may decide. Nothing was read yet, so that
    only what servers say of their tools can have chosen them. Another agent's calls come without a request."""
    if not facts.words and not facts.closed:
        return ""
    usual = {name for name, value in arguments.items() if is_usual(value, spec.parameters.get(name, {}))}
    values = [value for value in facts.traced if value.sink in (*WHO_OR_WHERE, Sink.LINK) and value.argument not in usual]
    return worst_of(values, "write")[1]


def _carrier(arguments: JsonObject, words: str, told: frozenset[str]) -> str:
    """The part of these arguments that nobody asked for and that could carry data: an address, a code, a passage. `told`: what
    the run told the same provider before."""
    addresses = addresses_named(words)
    if any(not is_named(address, addresses) for address in addresses_in(arguments)):
        return "an address nobody asked for"
    if any(map(hides_signs, strange_texts(arguments, words))):
        return "signs that nobody sees"
    if strange_code(arguments, words):
        return "a code or number nobody asked for"
    strange = list(strange_texts(arguments, words))
    of_run = told.union(strange)
    is_load = sum(map(len, strange)) > LOAD or (told != of_run and sum(map(len, of_run)) > LOAD_OF_RUN)
    return "a passage" if is_load else ""


def pieces_of_sentence(text: str) -> list[str]:
    """Pieces of a text by which a sentence of it is known again; none of a short text, which anybody may search for, and of a
    passage, which is asked about whatever it says."""
    letters = letters_of(text)
    size = SENTENCE if letters.isascii() else SENTENCE // 2  # a sentence in Japanese has half as many characters
    last = len(letters) - size
    if len(text) > LOAD or last < 0:
        return []
    return [letters[at : at + size] for at in dict.fromkeys((*range(0, last, _STEP), last))]


_STEP = 4
"""Letters by which a copied sentence may be longer than a piece and stay unseen."""


def letters_of(text: str) -> str:
    """The letters and figures of a text in lower case, without accents: what a sentence keeps, however it is set, spaced, joined
    or escaped."""
    plain = unquote(unescape(text)) if "%" in text or "&" in text else text
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", readable(plain))
    return _BETWEEN_LETTERS.sub("", plain).casefold()


_BETWEEN_LETTERS = re.compile(r"[\W_]{1,1000}")


def hides_signs(text: str) -> bool:
    """Whether a text holds more signs without room on a screen than emoji and flags need: each can stand for a letter."""
    return not text.isascii() and len(_SPEAKING_UNSEEN.findall(text)) > MOST_UNSEEN


_SPEAKING_UNSEEN = re.compile("[\ufe00-\ufe0f\U000e0000-\U000e0fff]")
MOST_UNSEEN = 12
"""The flag of England has six."""


def strange_texts(arguments: Any, words: str) -> Iterator[str]:
    """The texts and long numbers of a call that the words do not hold."""
    return (text for text in _texts(arguments) if text not in words)


def tells_secret(arguments: JsonObject, words: str) -> bool:
    """Whether a call carries a password, key or token that the words do not hold, in a form by which logs are cleared of it."""
    return any(text not in words and redact(text) != text for text in _texts(arguments))


def secret_file(arguments: JsonObject, words: str) -> str:
    """The path in a call of what programs keep their secrets in, where the words do not name it; empty where there is none."""
    paths = (
        text for text in _texts(arguments) if len(text) <= LONGEST_PATH and not text.endswith(".pub") and keeps_secrets(text)
    )
    return next((path for path in paths if not stands_whole(path, words)), "")


def strange_code(arguments: Any, words: str) -> str:
    """A key, token or long number in these arguments that the words do not hold; empty where there is none."""
    return next(strange_codes(arguments, words), "")


def strange_codes(arguments: Any, words: str) -> Iterator[str]:
    """All of them."""
    return (code for text in _texts(arguments) for code in codes_in(text) if code not in words)


def _texts(arguments: Any) -> Iterator[str]:
    """Every text and long number of a call, and every name in it, which may be somebody's; many short numbers are one text."""
    stack: list[Any] = [arguments]
    numbers = list[Any]()
    while stack:
        value = stack.pop()
        match value:
            case str():
                yield value[:1_000_000]
            case dict():
                stack += [*value.values(), *value]
            case list() | tuple():
                if all(type(one) is int for one in value) and is_card(value):
                    yield "-".join(map(str, value))
                stack += value
            case int() if abs(value) >= LEAST_CARD:
                yield str(value)
            case _ if len(numbers) < MOST_NUMBERS:
                numbers.append(value)
    if len(numbers) >= FEWEST_NUMBERS:
        in_order = numbers[::-1]  # the last of a list comes off the stack first
        yield ", ".join(map(str, in_order))
        if all(isinstance(one, int | float) and ord(" ") <= one <= ord("~") for one in in_order):
            yield "".join(chr(int(one)) for one in in_order)


def unbound_arguments(need: Need, spec: ToolSpec, arguments: JsonObject) -> tuple[str, ...]:
    """The arguments of a call that the job neither fixed nor left to the run's own text; what the schema does
    anyhow is no freedom. A switch of another name is another switch, however it stands."""
    fixed, free = fixed_arguments(need), free_arguments(need)
    return tuple(
        name
        for name, value in arguments.items()
        if name not in free
        and not any(same_value(value, one) for key, one in fixed.items() if key == name or not isinstance(one, bool))
        and not is_usual(value, spec.parameters.get(name, {}))
    )


def is_usual(value: Any, schema: JsonObject) -> bool:
    """Whether it says what the call would do anyhow; another choice of the schema's could be somebody else's wish."""
    given = any(same_value(value, schema[key]) for key in ("default", "const") if key in schema)
    return value is None or (given and not leads_somewhere(value))


def with_usual_addresses(spec: ToolSpec, arguments: JsonObject) -> JsonObject:
    """The arguments of a write with the addresses to which it goes by default: whoever decides has to see them."""
    if spec.read_only:
        return arguments
    filled = _filled(arguments, spec.input_schema, spec.input_schema, MOST_NESTED)
    if not spec.unshown_defaults:
        return filled
    return filled | {name: one for name, one in spec.unshown_defaults.items() if name not in filled and leads_somewhere(one)}


def stands_by_default(spec: ToolSpec, name: str, value: Any) -> bool:
    """Whether an argument is what the server takes for it where a call leaves it out."""
    shown, unshown = spec.parameters.get(name, {}), spec.unshown_defaults
    return any(same_value(value, one[key]) for one, key in ((shown, "default"), (unshown, name)) if key in one)


def _filled(given: JsonObject, part: JsonObject, schema: JsonObject, depth: int) -> JsonObject:
    filled = dict(given)
    for name, raw in as_object(part.get("properties")).items():
        argument = as_object(raw)
        argument = followed(schema, argument) if "$ref" in argument else argument
        if name not in given and leads_somewhere(argument.get("default")):
            filled[name] = argument["default"]
        elif isinstance(given.get(name), dict) and depth:
            filled[name] = _filled(given[name], argument, schema, depth - 1)
    return filled


def leads_somewhere(default: Any) -> bool:
    """Whether a default holds somebody's mailbox or a mention, or is an address as a whole: a link in wording is none."""
    if default is None or isinstance(default, bool | int | float):  # as most are, and most arguments have none
        return False
    texts = [leaf.value for leaf in leaves([default]) if isinstance(leaf.value, str)]
    return any(
        mentions_in(text) or any("@" in address for address in addresses_in(text)) or (_is_one(text) and looks_like_address(text))
        for text in texts
    )


def _is_one(text: str) -> bool:
    return len(text.split()) == 1


MOST_NESTED = 8
"""Objects within each other whose defaults are looked at."""
