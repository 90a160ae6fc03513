"""Proposes the effect of a tool without annotations, from its name, description and schema.

A tool counts as a read only if its name or first sentence says so and nothing contradicts it, because a wrongly assumed read
would run without approval. The words are data (`discovery/data/effect_words.json`); docs/descriptors.md has the measurements.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile
from typing import Literal, NamedTuple

from pydantic import Field

from discovery.catalog import Effect, Frozen, ToolSpec
from discovery.review.computations import computes, only_computes, only_computes_in_japanese
from discovery.review.effect_words import effect_of, found_words, grammar, is_change, patterns, stems, verb_of, words
from discovery.review.verbless_reads import answer_named, foreign_read, is_done_to
from discovery.text.near_names import name_words
from discovery.text.search_terms import STOP_WORDS, visible

SURE, LIKELY, GUESSED = 0.95, 0.8, 0.3
"""Confidence: name and description agree; only one of them tells the effect; neither does, so it counts as a write."""


class EffectProposal(Frozen):
    """The likely effect of a tool."""

    effect: Effect
    confidence: float = Field(ge=0, le=1)
    evidence: tuple[str, ...] = ()
    """The place and the word of each reason, e.g. `name: delete`."""


class _Clue(Frozen):
    effect: Effect
    where: str
    word: str

    @property
    def sentence(self) -> str:
        return f"{self.where}: {self.word}"


def propose(spec: ToolSpec) -> EffectProposal:
    """Propose the effect of this tool. It is a read only if nothing speaks against that."""
    name, lead = (_of_arithmetic(spec, clue) for clue in (_of_name(spec), _of_first_sentence(spec.description)))
    if name and name.word in words().pure_read and lead and _names_what_is_read(spec.description, lead):
        lead = None
    if name and lead and lead.effect is Effect.READ and _names_things(spec, name):
        name = None
    if name and lead is None and _is_object_of_unknown_verb(spec, name):
        name = None
    against = [*_of_schema(spec), *_of_words(spec)]
    if statement := _reading_statement(spec):
        spared = {clue.word for clue in against if clue.where == "name" and "read-only" in statement.word}
        spared |= words().statement_parameters
        name, lead, against = None, statement, [clue for clue in against if clue.word not in spared]
    elif computed := _computation(spec):
        name, lead, against = None, computed, [clue for clue in against if not _is_computed(clue)]
    clues = [clue for clue in (name, lead) if clue] + against
    evidence = tuple(dict.fromkeys(clue.sentence for clue in clues))
    changing = [clue for clue in clues if clue.effect is not Effect.READ]
    if changing:
        is_sure = len({clue.where for clue in changing}) > 1 or not any(clue.effect is Effect.READ for clue in clues)
        takes_away = any(found_words("for_good", spec.description)) or any(found_words("of_others", spec.tool))
        for_good = takes_away and any(clue.word == "archive" for clue in changing)
        effect = Effect.DESTRUCTIVE if for_good else _worst(changing)
        return EffectProposal(effect=effect, confidence=SURE if is_sure else LIKELY, evidence=evidence)
    if name is None and lead is None:
        if answer := answer_named(spec) or foreign_read(spec):
            return EffectProposal(effect=Effect.READ, confidence=LIKELY, evidence=(f"description: {answer}",))
        return EffectProposal(effect=Effect.WRITE, confidence=GUESSED, evidence=("nothing says what it does",))
    return EffectProposal(effect=Effect.READ, confidence=SURE if name and lead else LIKELY, evidence=evidence)


def contradiction(spec: ToolSpec) -> EffectProposal | None:
    """Return a proposal if a tool is declared to read, but is named and described as one that changes something; else None.

    One word is no contradiction, unless it is a verb at the beginning of the name: `item-build` is a noun, `delete_page` is not.
    A schema for sending messages, or for any HTTP method, always is one.
    """
    if spec.effect is not Effect.READ:
        return None
    if plain := list(_of_plain_schema(spec)):
        return EffectProposal(effect=_worst(plain), confidence=LIKELY, evidence=tuple(clue.sentence for clue in plain))
    if _computation(spec):
        return None
    clues = _of_name(spec), _of_first_sentence(spec.description)
    name, lead = map(_plain_change, clues)
    begins = name is not None and name_words(spec.tool)[:1] == [name.word]
    if lead and not begins and _is_a_list_of_things(spec, lead):
        return None
    if any(clue is not None and clue.effect is Effect.READ for clue in clues) or not (lead or begins):
        return None
    opens = re.findall(r"[a-z]+", visible(spec.description).lower())[:1]
    if lead and not begins and lead.word.isascii() and lead.word.split()[0] not in {*opens, *map(verb_of, opens)}:
        return None  # `Analyze releases and changes`: a noun after `and`
    changing = [clue for clue in (name, lead, *_of_schema(spec)) if clue]
    return EffectProposal(effect=_worst(changing), confidence=LIKELY, evidence=tuple(clue.sentence for clue in changing))


def effect_of_name(name: str) -> Effect | None:
    """Return the effect of the first known verb in a name; a verb that may mean reading counts as a read. None without one."""
    first = next((word for word in name_words(name) if effect_of(word)), None)
    if first is None:
        clue = _japanese(name, "name")
        return clue.effect if clue else None
    return Effect.READ if first in words().reading else effect_of(first)


def _plain_change(clue: _Clue | None) -> _Clue | None:
    """Return the clue if it is a known verb of change that cannot mean reading; else None."""
    if clue is None or clue.effect is Effect.READ or clue.word in words().reading:
        return None
    known = is_change(verb_of(clue.word.split()[0])) if clue.word.isascii() else _known_action(clue.word) is not None
    return clue if known else None


def _worst(clues: list[_Clue]) -> Effect:
    """Return the most harmful effect; clues of name and description take precedence over those of the schema."""
    found = {clue.effect for clue in clues if clue.where in ("name", "description")} or {clue.effect for clue in clues}
    return next(effect for effect in (Effect.DESTRUCTIVE, Effect.OUTWARD, Effect.WRITE) if effect in found)


def _of_name(spec: ToolSpec) -> _Clue | None:
    """Return a clue for the first verb of the name; a second one after `and` or `or` counts too."""
    tokens = name_words(spec.tool)
    first = next((word for word in tokens if effect_of(word)), None)
    if first is None:
        return _japanese(spec.tool, "name")
    after = tokens[tokens.index(first) + 1 :]
    if first in words().nouns and after and after[-1] in words().pure_read and not any(map(is_change, after)):
        return _Clue(effect=Effect.READ, where="name", word=after[-1])
    second = [word for link, word in pairwise(after) if link in words().links]
    for word in second:
        if is_change(word):
            return _Clue(effect=effect_of(word) or Effect.WRITE, where="name", word=word)
    if first in words().pure_read:
        return _Clue(effect=Effect.READ, where="name", word=first)
    effect = effect_of(first) or Effect.WRITE
    if effect is Effect.READ and after and is_change(after[-1]) and _agree(first, after[-1]):  # `query_records` ends in a noun
        return _Clue(effect=effect_of(after[-1]) or Effect.WRITE, where="name", word=after[-1])
    return _Clue(effect=effect, where="name", word=first)


def _reading_statement(spec: ToolSpec) -> _Clue | None:
    """Return a clue if the first sentence runs what can only read, or names one thing by another, and the name speaks of no more.

    `Runs a read-only SQL query`, `Executes a PromQL query`, `Resolves a name to an address`.
    """
    first = _SENTENCE.split(visible(spec.description).strip(), maxsplit=1)[0][:400].lower()
    found = next((found for pattern in patterns("reading_statements") if (found := pattern.search(first))), None)
    later = [verb_of(clause.words[0]) for clause in list(_clauses(first))[1:]]
    if (
        found is None
        or is_done_to(first)
        or not words().reading.issuperset(later)
        or any(map(is_change, {*name_words(spec.tool)} - words().running))
    ):
        return None
    return _Clue(effect=Effect.READ, where="description", word=found.group()[:60])


_EXPLAINING = frozenset({":", "("})
"""Punctuation behind which a sentence tells more of what it has said."""


def _computation(spec: ToolSpec) -> _Clue | None:
    """Return a clue if a tool only computes from what it is given."""
    first = _first_sentence(spec.description)
    if _is_japanese(first):
        return _computation_in_japanese(spec, first)
    said = patterns("by_library")[0].sub("", first).lower()
    clauses = list(_clauses(said))
    done = (_change_in(clauses, at) for at in range(1, len(clauses)))
    if is_done_to(first) or any(found and verb_of(found.split()[0]) not in words().computing for found in done):
        return None
    for told in (clauses, _clauses(_ASIDE.sub("", said.replace(" — ", ": ")))):
        before = takewhile(lambda clause: clause.opener not in _EXPLAINING, told)
        if thing := only_computes(spec, [word for clause in before for word in clause.words]):
            return _Clue(effect=Effect.READ, where="description", word=f"computes {thing}")
    return None


def _computation_in_japanese(spec: ToolSpec, first: str) -> _Clue | None:
    """Return a clue if a tool only computes from what it is given, and no sentence says that anything else is done."""
    actions, *others = [_without_repeats(list(_actions(one))) for one in (first, *_SENTENCE.split(spec.description)[1:])]
    effects = [_effect_of_action(action) for one in (actions[:-1], *others) for action in one]
    if not {None, Effect.READ}.issuperset(effects):
        return None
    done = only_computes_in_japanese(spec, first, actions)
    return _Clue(effect=Effect.READ, where="description", word=f"computes {done}") if done else None


def _without_repeats(actions: Sequence[str]) -> list[str]:
    """Leave out what was read once more, with the first letter of its ending: 判定, 正しく判定す."""
    return [one for one in actions if not any(one.endswith(f"{other}す") for other in actions)]


def _is_computed(clue: _Clue) -> bool:
    """Whether an argument or its choice speaks of computing, too: `operations`, `action: add`."""
    return clue.where.startswith("argument") and (
        clue.word in words().computing_parameters or computes(next(iter(name_words(clue.word)), ""))
    )


_BEFORE_THINGS = frozenset({"all", "any", "each", "every", "its", "my", "of", "our", "the", "their", "your"})
_BEFORE_STATES = frozenset({"are", "currently", "is", "still"})
"""Words behind which a word of many meanings is no verb: `list of open tickets`, `tickets that are open`."""


def _names_things(spec: ToolSpec, name: _Clue) -> bool:
    """Whether the name is that of the things which the first sentence reads: `open_tickets`, `Lists the open tickets`.

    The verb of the name stands there where none can, with what follows it in the name. What destroys stays a verb.
    """
    tokens = name_words(spec.tool)
    if name.word not in tokens[:-1] or name.effect is Effect.DESTRUCTIVE:
        return False
    named = tokens[tokens.index(name.word) :]
    first, *said = re.findall(r"[a-z]+", _SENTENCE.split(visible(spec.description).strip(), maxsplit=1)[0][:400].lower()) or [""]
    reads = words().pure_read
    for at, (before, word) in enumerate(pairwise((first, *said))):
        if word == name.word and (before in _BEFORE_STATES or said[at : at + len(named)] == named):
            return before in _BEFORE_STATES | _BEFORE_THINGS or (at == 0 and verb_of(before) in reads)
    return False


_ASIDE = re.compile(r"\([^)]*\)")


def _is_object_of_unknown_verb(spec: ToolSpec, name: _Clue) -> bool:
    """Whether what the name seems to read by is only what an unknown verb acts on: `status_boost`, `Boost a status`."""
    clause = next(_clauses(_ASIDE.sub("", _first_sentence(spec.description)).lower()), None)
    verb, what, *things = [*clause.words, "", ""] if clause else ["", ""]
    return effect_of(verb_of(verb)) is None and what in _ANY and name.word in things


_OF_THINGS = frozenset({"of", "in", "for", "from", "by", "between", "linked", "matching", "found"})
"""Words behind a noun in the plural: `Records linked to a company`."""


def _names_what_is_read(description: str, lead: _Clue) -> bool:
    """Whether a sentence begins with a plural that only looks like a verb; the name must say that it is read."""
    first, behind, *_ = [*re.findall(r"[a-z]+", visible(description).lower())[:2], "", ""]
    return lead.word in words().nouns and first == f"{lead.word}s" and behind in _OF_THINGS


def _is_a_list_of_things(spec: ToolSpec, lead: _Clue) -> bool:
    """Whether the plural with which a sentence begins is what the name ends in, and no verb: `Orders of customers`."""
    first, behind, *_ = [*re.findall(r"[a-z]+", visible(spec.description).lower())[:2], "", ""]
    return first == f"{lead.word}s" and behind in _OF_A_LIST and name_words(spec.tool)[-1:] == [first]


_OF_A_LIST = frozenset({"of", "by", "matching", "linked"})
"""Words behind a noun in the plural that hardly stand behind a verb: not `for`, `in` or `from`, as in `Orders from the menu`."""


def _of_arithmetic(spec: ToolSpec, clue: _Clue | None) -> _Clue | None:
    """Count `convert` as a read if all arguments are numbers, and choices or units, so that nothing could be changed."""
    if clue is None or clue.word not in ("convert", "converts"):
        return clue
    schemas = spec.parameters.items()
    numbers = {name for name, schema in schemas if schema.get("type") in ("number", "integer")}
    units = {name for name, schema in schemas if "enum" in schema or set(name_words(name)) & words().units}
    return (
        clue.model_copy(update={"effect": Effect.READ})
        if numbers and units and spec.parameters.keys() <= numbers | units
        else clue
    )


_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=[。！？])|\n\s*\n|\n\s*(?:args|parameters|returns)\s*:", re.IGNORECASE)


def _first_sentence(description: str) -> str:
    """Return a first sentence, from its verb on if that stands behind a title; a Japanese one whole."""
    first = _SENTENCE.split(visible(description).strip(), maxsplit=1)[0][:400]
    return first if _is_japanese(first) else patterns("before_the_verb")[0].sub("", first)


def _of_first_sentence(description: str) -> _Clue | None:
    """Return a clue for the first sentence: a change in any of its clauses, else its leading verb."""
    first = _first_sentence(description)
    if _is_japanese(first):
        return _of_japanese(first)
    clauses = list(_clauses(first.lower()))
    if not clauses:
        return _japanese(first, "description")
    if found := next((found for at in range(len(clauses)) if (found := _change_in(clauses, at))), ""):
        effect = effect_of(verb_of(found.split()[0]))
        return _Clue(effect=effect if effect and effect is not Effect.READ else Effect.WRITE, where="description", word=found)
    lead, reads = verb_of(clauses[0].words[0]), words().reading_phrases
    if (effect := effect_of(lead)) is None:
        phrase = next(
            (one for stem in stems(clauses[0].words[0]) if (one := " ".join((stem, *clauses[0].words[1:2]))) in reads), None
        )
        if phrase:
            return _Clue(effect=Effect.READ, where="description", word=phrase)
        return _below_a_title(description) or _japanese(first, "description")
    return _Clue(effect=effect, where="description", word=lead)


class _Clause(NamedTuple):
    opener: str
    """The punctuation or word that joins it to the clause before."""
    words: list[str]
    """Its words, beginning with the verb."""


_BREAK = re.compile(r"[,;:()]|\b(?:and|or|then|while|by|after|before|once|having)\b")
_ADVERBS = frozenset({"also", "automatically"})
_LINKS = frozenset({"and", "or", "then"})
_JOINING = _LINKS | {",", ";"}
_IT = frozenset({"it", "them", "those"})
"""Pronouns for what was read. Any verb with such an object is a change; so is one with an object that belongs to it:"""
_ITS = _IT | {"its", "their"}
_OBJECTS = _ITS | {"the", "a", "an", "one"}
_ANY = _OBJECTS | {"all", "any", "each", "every", "our", "whatever", "whoever", "your"}
"""What may follow a verb that nobody knows, so that it is no noun: `waking the cluster`."""
_IS = frozenset({"is", "are", "was", "were"})
_PARTICLES = frozenset({"away", "back", "down", "off", "out", "over", "up"})
_PLACES = frozenset({"in", "on"})
"""Words that are particles at the end: `checks a guest in`."""


def _clauses(sentence: str) -> Iterator[_Clause]:
    """Yield the clauses of a sentence, each from its verb on; in the first one, words of `lead_skip` are skipped."""
    opener, at, skipped = "", 0, words().lead_skip
    for found in (*_BREAK.finditer(sentence), None):
        said = re.findall(r"[a-z]+", sentence[at : found.start() if found else None])
        if said := list(dropwhile(skipped.__contains__, said)):
            yield _Clause(opener, said)
            skipped = _ADVERBS
        if found:
            opener, at = found[0], found.end()


def _change_in(clauses: Sequence[_Clause], at: int) -> str:
    """Return the verb of a clause if it means a change, as it is written; else empty."""
    opener, (word, *behind) = clauses[at]
    verb, what = verb_of(word), (*behind, "")[0]
    if word in words().answers or what in _IS:  # `quotes and news articles`, `title and link are part of it`
        return ""
    known, unknown = is_change(verb) and verb not in words().reading, effect_of(verb) is None
    if word in STOP_WORDS and unknown:  # `when it was created`
        return ""
    if particle := _particle(word, behind, is_lead=at == 0):
        return f"{word} {particle}"
    if at == 0:  # the leading verb is judged by its own effect
        return ""
    if word.endswith("ing"):
        done = known and (what in _ANY or opener in ("while", "having", "after"))
        done |= unknown and (what in _IT or (opener in (",", "after") and what in _ANY and word not in words().including))
    elif not behind and known:
        done = all(len(one.words) == 1 for one in clauses[:at])  # a list of verbs: `fetch, clone, and package`
    elif known:
        done = opener in _JOINING and (what in _OBJECTS or (opener in _LINKS and _agree(clauses[0].words[0], word)))
    else:
        done = unknown and opener in _JOINING and what in (_ITS if word.endswith("s") else _IT)
        done |= unknown and opener in _LINKS and what in _ANY and word.endswith("s") and not word.endswith("ss")
    return word if done else ""


def _particle(word: str, behind: Sequence[str], *, is_lead: bool) -> str:
    """Return the particle that changes a verb's meaning, e.g. `off` in `turns the light off`; empty if there is none."""
    first, last = (behind[0], behind[-1]) if behind else ("", "")
    is_verb = is_lead and not word.endswith(("tion", "sion", "ment", "ity"))
    ends = last in _PARTICLES | _PLACES and not {"that", "which", "who", "whom"}.intersection(behind)
    found = first if first in _PARTICLES or (first in _PLACES and is_verb) else last if ends else ""
    if not found or (found == first and behind[1:2] == ["to"]):
        return ""
    known = any(f"{stem} {found}" in words().reading_phrases for stem in stems(word))
    changes = found in _PLACES or verb_of(word) not in words().reading
    return found if changes and not known else ""


def _agree(verb: str, second: str) -> bool:
    """Whether a second word may be a verb beside the first. In `Read a topic and posts` it is a noun, in `and connected
    sources` an adjective; but in `Fetch a mail and deletes it` a verb in spite of its ending, because it destroys."""
    if second.endswith(("ed", "ing")):
        return False
    is_noun = second.endswith("s") and not second.endswith("ss") and not verb.endswith("s")
    return not is_noun or effect_of(verb_of(second)) is Effect.DESTRUCTIVE


def _below_a_title(description: str) -> _Clue | None:
    """Return a clue for a reading verb at the beginning of the second line, if the first is a title without a verb."""
    title, *below = [line for line in visible(description).splitlines() if line.strip()][:2]
    found = re.match(r"\s*([A-Z][a-z]+s)\b", below[0]) if below and not any(map(effect_of, name_words(title))) else None
    verb = verb_of(found[1].lower()) if found else ""
    return _Clue(effect=Effect.READ, where="description", word=verb) if verb in words().pure_read else None


_HARMFUL_FIRST: tuple[Literal["destructive", "outward", "write", "read"], ...] = ("destructive", "outward", "write", "read")


def _is_japanese(sentence: str) -> bool:
    """Whether a sentence is Japanese, and not an English one with a Japanese word in it."""
    return re.search(r"[\u3041-\u309f]", sentence) is not None and 2 * len(re.findall(r"[A-Za-z]", sentence)) < len(sentence)


def _of_japanese(sentence: str) -> _Clue | None:
    """Return a clue for what a Japanese sentence says is done: a change takes precedence over a read, and an unknown verb is one.

    Where nothing is done, as in a title, its words decide.
    """
    effects = {word: _effect_of_action(word) for word in _actions(sentence)}
    for effect in (Effect.DESTRUCTIVE, Effect.OUTWARD, Effect.WRITE, Effect.READ):
        word = next((word for word, found in effects.items() if found is effect), None)
        if word:
            return _Clue(effect=effect, where="description", word=word)
    return None if effects else _japanese(grammar("about_change").sub("", sentence), "description")


def _actions(sentence: str) -> Iterator[str]:
    """Yield the noun or the stem of each verb that a Japanese sentence says is done: `取得し、完了にします` → 取得, 完了に."""
    text = sentence.strip().removesuffix("。")
    for kind in ("nouns_done", "states", "mixed_nouns_done", "verbs_done"):
        for found in grammar(kind).finditer(text):
            behind = grammar("form").sub("", text[found.start("form") :])
            if kind == "verbs_done" or not (grammar("not_done").match(behind) or grammar("describes").match(behind)):
                yield from found["verb"].split("・")


def _effect_of_action(word: str) -> Effect | None:
    """Return the effect of what is done; a write if nobody knows the word, None if it changes nothing."""
    known = Effect.WRITE if word.endswith("直") or "直し" in word else _known_action(word)  # `まとめ直す`
    return known or (None if _is_one(word, words().ja_done["neutral"]) else Effect.WRITE)


def _known_action(word: str) -> Effect | None:
    data = words()
    for kind in _HARMFUL_FIRST:
        if _is_one(word, (*data.ja[kind], *data.ja_done[kind])):
            return Effect(kind)
    return None


def _is_one(word: str, known: tuple[str, ...]) -> bool:
    """Whether a verb begins with a known one, or a noun without kana ends with one of two letters or more."""
    if len(word) == 1 or re.search(r"[\u3041-\u309f]", word):
        return word.startswith(known)
    return word.endswith(tuple(one for one in known if len(one) > 1))


def _japanese(text: str, where: str) -> _Clue | None:
    """Return a clue of the words of a Japanese (or Chinese) text; a change takes precedence over a read."""
    first = re.match("|".join(words().ja["read"]), text)
    if first and not re.search(r"[\u3041-\u309f]", text):  # in Chinese the verb comes first
        later = next(patterns("later_chinese")[0].finditer(text, first.end()), None)
        return (
            _Clue(effect=Effect.WRITE, where=where, word=later.group())
            if later
            else _Clue(effect=Effect.READ, where=where, word=first.group())
        )
    for kind in _HARMFUL_FIRST:
        word = next((word for word in words().ja[kind] if word in text), None)
        if word:
            return _Clue(effect=Effect(kind), where=where, word=word)
    return None


def _of_schema(spec: ToolSpec) -> Iterator[_Clue]:
    """Yield clues of arguments that only writing tools have, and of choices that mean a change."""
    data, arguments = words(), {word for name in spec.parameters for word in name_words(name)}
    for argument, schema in spec.parameters.items():
        plain = argument.lower().replace("-", "_")
        is_journey = plain == "destination" and not data.journey_parameters.isdisjoint(arguments)
        saves = name_words(argument)[:1] == ["save"]
        if (plain in data.write_parameters and not is_journey) or plain in data.destructive or saves:
            yield _Clue(effect=Effect.WRITE, where="argument", word=argument)
        if plain in data.choice_parameters:
            choices = schema.get("enum") or re.findall(r"['\"`]([A-Za-z_-]{3,30})['\"`]", str(schema.get("description", "")))
            changing = [str(one) for one in choices if any(is_change(word) for word in name_words(str(one))[:1])]
            if changing:
                yield _Clue(effect=Effect.WRITE, where=f"argument {argument}", word=changing[0])
    if any(word in data.statement_tools for word in name_words(spec.tool)):
        yield _Clue(effect=Effect.WRITE, where="name", word="a language that also writes")


def _of_plain_schema(spec: ToolSpec) -> Iterator[_Clue]:
    """Yield clues of arguments that show a change beyond doubt, whatever the annotations say."""
    data, names = words(), {name.lower(): schema for name, schema in spec.parameters.items()}
    for name in names.keys() & data.choice_parameters:
        choices = names[name].get("enum")
        changes = [one for one in choices if str(one).lower() in data.http_changes] if isinstance(choices, list) else []
        if changes:
            yield _Clue(effect=Effect.OUTWARD, where=f"argument {name}", word=str(changes[0]))
    whom, what = sorted(names.keys() & data.addressee_parameters), sorted(names.keys() & data.wording_parameters)
    if whom and what:
        yield _Clue(effect=Effect.OUTWARD, where="arguments", word=f"{whom[0]}, {what[0]}")


def _of_words(spec: ToolSpec) -> Iterator[_Clue]:
    """The changes that the description mentions beyond its first verb."""
    text = visible(spec.description).lower()
    if any(pattern.search(text) for pattern in patterns("reads_only_in_words")):
        return
    later = [
        word for word in found_words("later_verbs", text) if is_change(verb := verb_of(word)) and verb not in words().reading
    ]
    passive = [word for word in found_words("passives", text) if effect_of(verb_of(word)) in (Effect.DESTRUCTIVE, Effect.OUTWARD)]
    found = (found for pattern in patterns("changes_in_words") for found in pattern.finditer(text))
    changes = [one.group() for one in found if not patterns("denials")[0].search(text, 0, one.start())]
    for phrase in (*later, *passive, *changes)[:1]:
        yield _Clue(effect=Effect.WRITE, where="words", word=" ".join(phrase.split())[:60])
    yield from _of_later_japanese(spec.description)


def _of_later_japanese(description: str) -> Iterator[_Clue]:
    """Yield a clue for each known change that a later sentence says is done; one that names another tool tells of that one."""
    for sentence in _SENTENCE.split(visible(description).strip())[1:]:
        if _is_japanese(sentence) and not re.search(r"[A-Za-z]+[_-][A-Za-z]", sentence):
            for word in _actions(sentence):
                if (effect := _known_action(word)) not in (None, Effect.READ):
                    yield _Clue(effect=effect, where="description", word=word)
