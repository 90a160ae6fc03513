"""Reads from a goal which actions it asks for, and how many."""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

from discovery.catalog import Frozen
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted
from metrics.text.verb_forms import joining, te_form


class AskedActions(Frozen):
    """Verbs that ask for an action, each with the kinds of receipt that show it, and the words by which things are counted."""

    nouns: Mapping[str, tuple[str, ...]]
    """Japanese nouns that become a verb with する: 投稿, of 投稿してください."""
    verbs: Mapping[str, tuple[str, ...]]
    """Japanese verbs, which ask in their form with て: 送ってください."""
    joined: tuple[str, ...]
    """Those that ask in the form that joins ください, too: お送りください."""
    requests: tuple[str, ...]
    """What may follow the て form in a request."""
    english: Mapping[str, tuple[str, ...]]
    inside: frozenset[str]
    """Verbs that may also mean the text of the answer: they ask for an action only beside a place outside of it."""
    numbers: Mapping[str, int]
    counted: tuple[str, ...]
    """English names of things that are counted one by one."""
    counters: tuple[str, ...]


ASKED = AskedActions.model_validate_json(files("autonomy.completion").joinpath("data/asked_actions.json").read_bytes())
_OUTSIDE = patterns_of("autonomy.completion")["outside_place"]
_OF_OTHERS = patterns_of("autonomy.completion")["tells_what_others_asked_for"]
_SPOKEN_SHORT = patterns_of("autonomy.completion")["put_by_in_speech"]
_WRITE_A_MESSAGE = patterns_of("autonomy.completion")["asks_to_write_a_message"]
_WRITE_THERE = patterns_of("autonomy.completion")["asks_to_write_there"]
_ASK_BY_MESSAGE = patterns_of("autonomy.completion")["asks_somebody_by_message"]
_TO_BE_TOLD = patterns_of("autonomy.completion")["says_what_to_tell"]


def _asked_pattern() -> re.Pattern[str]:
    request = rf"(?:{'|'.join(ASKED.requests)}|$|[。！!\n])"
    done = rf"し(?:て{request}|ます)"
    please = rf"お願い(?:{done}|(?:いたし|致し|申し上げ|申しあげ)ます|$|[。！!\n])"
    verbs = "|".join(rf"{form[:-1]}(?={form[-1]}{request})" for form in map(te_form, ASKED.verbs))
    joined = "|".join(rf"{joining(verb)}(?=ください)" for verb in ASKED.joined)
    return re.compile(
        rf"(?P<ja>(?:{'|'.join(ASKED.nouns)})(?=(?:を)?(?:{done}|{please}))|{verbs}|{joined})"
        r"|(?:^|[.!?\n]\s{0,9}|\bplease\s{1,9}|\band\s{1,9}(?:then\s{1,9})?|,\s{0,9}(?:then\s{1,9})?|\bto\s{1,9})"
        rf"(?P<en>{'|'.join(ASKED.english)})\b",
        re.IGNORECASE,
    )


_ASKED = _asked_pattern()
_VERB_OF = {te_form(verb)[:-1]: verb for verb in ASKED.verbs} | {joining(verb): verb for verb in ASKED.joined}
"""The verb of a form that was found."""
_COUNT_EN = re.compile(rf"\b(\d{{1,3}}|{'|'.join(ASKED.numbers)})\s+(?:\w+\s+)?(?:{'|'.join(ASKED.counted)})\b", re.IGNORECASE)
_COUNT_JA = re.compile(rf"(\d{{1,3}})\s?(?:{'|'.join(ASKED.counters)})")


def asked_kinds(goal: str) -> list[tuple[str, ...]]:
    """The kinds of receipts, any of which would show each action that a goal asks for."""
    kinds = {**ASKED.nouns, **ASKED.verbs, **ASKED.english}
    asked = _TO_BE_TOLD.sub(" ", _OF_OTHERS.sub(" ", _SUPPOSED.sub(" ", unquoted(goal))))
    spoken = _SPOKEN_SHORT.sub(r"\1ておい", asked)
    found = (match["ja"] or match["en"].lower() for match in _ASKED.finditer(spoken) if not _is_only_named(match, spoken))
    words = [_VERB_OF.get(form, form) for form in found]
    by_message = kinds["message"] if _WRITE_A_MESSAGE.search(spoken) else ()
    verb_kinds = [
        (*kinds[word], *(by_message if word == "write" else ()))
        for word in words
        if word not in ASKED.inside or _OUTSIDE.search(goal)
    ]
    there = (kinds["書き込む"] for _ in _WRITE_THERE.findall(spoken))
    return [*verb_kinds, *there, *(kinds["送る"] for _ in _ASK_BY_MESSAGE.findall(spoken))]


def _is_only_named(match: re.Match[str], goal: str) -> bool:
    """Whether a deed only says which things are to be told, and is not asked for: what to post, the customers to email."""
    if not match["en"] or match[0][:2].lower() != "to":
        return False
    before = re.split(r"[.;?!\n]", goal[: match.start()])[-1].lstrip()
    has_no_object = _HAS_TOLD.search(before) and _ENDS_THERE.match(f"{goal}\n", match.end())
    return bool(has_no_object or _ASKS_WHAT_TO_DO.search(before))


_HAS_TOLD = patterns_of("autonomy.completion")["has_something_told"]
_ASKS_WHAT_TO_DO = patterns_of("autonomy.completion")["asks_what_to_do"]
_ENDS_THERE = patterns_of("autonomy.completion")["ends_without_an_object"]


_SUPPOSED = re.compile(
    r"\b(?:if|in case) (?:I|we|you|they|somebody|someone)\b[^,.?!;]{0,200}|\benough (?:[\w-]{1,40} ){0,4}to \w+", re.IGNORECASE
)
"""A clause that only supposes what it names: if I had to cancel, enough stock to send them."""


def counts_asked_for(goal: str) -> list[int]:
    """How many things the actions of a goal are to make or change: no count of what one text is about, or of its lines."""
    text = _CONDITION.sub(" ", unquoted(goal))
    own = _SET_TO.sub(" ", _GATHERS.sub(" ", text))
    return [*japanese_counts(own), *(many for many, at in _counted_in(text) if _is_acted_on(text, at))]


def _is_acted_on(text: str, at: int) -> bool:
    """Whether what an English text counts at a place is the object of an action: of the verb before it (write 3 posts), or of
    one behind it that takes them up (find the 3 posts and close them); a message may hold several."""
    verbs = [match for match in _ASKED.finditer(text) if match["en"]]
    before = next((match for match in reversed(verbs) if match.end() <= at), None)
    if before is not None and not _TURNS_TO_ANOTHER.search(text[before.end() : at]):
        return True
    return any(
        match.start() >= at
        and not _SENDS.issuperset(ASKED.english[match["en"].lower()])
        and _TAKES_THEM_UP.match(text, match.end())
        for match in verbs
    )


_CONDITION = patterns_of("autonomy.completion")["condition_with_a_number"]
_SET_TO = patterns_of("autonomy.completion")["sets_to_a_number"]
_GATHERS = patterns_of("autonomy.completion")["gathers_several"]
_TURNS_TO_ANOTHER = patterns_of("autonomy.completion")["turns_to_another_thing"]
_SENDS = frozenset({"post", "send", "share", "notify"})
_TAKES_THEM_UP = patterns_of("autonomy.completion")["takes_them_up"]


def japanese_counts(text: str) -> Iterator[int]:
    """The numbers of things that a Japanese text counts."""
    return map(int, _COUNT_JA.findall(text))


def english_counts(text: str) -> Iterator[int]:
    """The numbers of things that an English text counts, in figures or words."""
    return (many for many, _ in _counted_in(text))


def _counted_in(text: str) -> Iterator[tuple[int, int]]:
    """Each number of things that an English text counts, and where it stands."""
    for match in _COUNT_EN.finditer(text):
        yield int(match[1]) if match[1].isdecimal() else ASKED.numbers[match[1].lower()], match.start()
