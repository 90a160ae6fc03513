"""Loads the offline planner's word lists and compares short texts.

Texts are cut as `discovery.text.search_terms` does it; words that mean the same in an argument's name (`body_md`, `text`, 本文)
count as one concept. A language is one file: whoever adds another adds `data/<code>.json` of the same form.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import time
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from discovery.catalog import Frozen
from discovery.text.search_terms import english_for, stem
from discovery.text.search_terms import terms as cut

Key = TypeVar("Key")

DATA = Path(__file__).parent / "data"


class Comparison(Frozen):
    """A question that compares the items of a result: the pattern that tells it, and the order in which items are wanted."""

    pattern: str
    """May have a group `count`: how many items are asked for."""
    order: Literal["highest", "lowest", "count", "latest", "earliest"]


class YesOrNo(Frozen):
    """A question whose yes or no follows from a percentage in the result."""

    pattern: str
    """Tells the question."""
    fields: str
    """Matches the names of the fields that hold the percentage."""
    steps: tuple[tuple[int, str], ...]
    """From which percentage on which phrase is said, the highest first."""


class LanguageData(Frozen):
    """The words of one language; patterns are regular expressions, matched without regard to case."""

    concepts: dict[str, tuple[str, ...]]
    """Words that stand for the same thing, under the concept's English name."""
    schema_time_words: dict[str, tuple[str, ...]]
    """How people say what a schema's enum spells in English."""
    schema_values: dict[str, tuple[str, ...]]
    """The same for other values of enums."""
    argument_endings: dict[str, tuple[str, ...]]
    """Endings of names that tell which argument they are for: 製造部 is a department."""
    function_words: tuple[str, ...]
    """Words that ask or join and are no content: a question may leave them uncarried."""
    light_words: dict[str, tuple[str, ...]]
    """Words that say little beside a tool of one of these concepts (what Tom sent, in messages), and are content elsewhere."""
    attributes: dict[str, tuple[str, ...]]
    """Words for what one asks of somebody, with the names of the fields that tell it."""
    grammar: tuple[str, ...]
    """What stands in kana between words of content without being one; only where a language is not cut by blanks."""
    asking_when: tuple[str, ...]
    """Ask for a time."""
    belonging: str
    """Asks who belongs to something, or whether somebody does, which nothing that people wrote tells."""
    people: str
    """Tells a question for the person of whom something holds; its group `what` is that."""
    actions: tuple[str, ...]
    negations: tuple[str, ...]
    unsupported: tuple[str, ...]
    """Comparisons, conditions and judgements that no tool's argument carries."""
    positions: tuple[str, ...]
    """Words for one of many by its place (the last, the only), which no argument carries either."""
    unread_times: tuple[str, ...]
    """Times that are not understood; a comma stands for each time that is."""
    short_forms: dict[str, str]
    """How chat shortens words, with the word that is meant (msgs: messages)."""
    references: tuple[str, ...]
    """Words for something that the question itself does not name."""
    said: tuple[tuple[str, str], ...]
    """Patterns whose group `verb` tells of speech in words that elsewhere name a thing (did Tom post, 投稿した), each with the
    plain verb in its place."""
    rephrased: tuple[tuple[str, str], ...]
    """Forms of a question (who was it that asked), each with the plainer one that asks the same; `\\g<…>` is a group of it."""
    asked_as: tuple[tuple[str, tuple[str, ...]], ...]
    """What a newcomer asks of a workspace as a whole, each with the questions that answer it together; `{time}` is a group's."""
    reading: str
    """Tells that a document is wanted whole, not named."""
    speaking: str
    """Tells that somebody's own words are asked for."""
    question_endings: tuple[str, ...]
    """How a sentence ends that asks something."""
    replying: str
    """Asks what was replied; its group `what` tells to what, and `who`, where it is named, by whom."""
    anybody: str
    """Words for a person who is not named, as by whom a reply may be."""
    opposite: str
    """How a text says that something is not `{}`, which a word of one piece may say, too (undecided)."""
    verb_ending: str
    """The ending of a polite verb; other words are not cut out of it."""
    planning: str
    """Asks what somebody means to do."""
    which: str
    """Asks which one it was; its group `noun` tells of what."""
    naming: str
    """Tells that a text names one: what a number or a name looks like in it."""
    quantities: str
    """Tells a question for a number or a time, which a line that answers it must hold."""
    topics: str
    """Stands beside what is to be searched for, `{}`, as it is: about X, Xについて."""
    holding: str
    """Stands beside what a text is to hold, `{}`, also where that is a person's name: mentions X, Xの名前."""
    fact: str
    """Tells a question for what something is, which a list of titles does not answer."""
    everything: str
    """Tells that nothing may be left out of the answer."""
    parts_of_day: dict[str, tuple[time, time]]
    """Days of which a part alone is meant, with its hours: what is said of the whole day is no answer for them."""
    numbers: dict[str, int]
    comparisons: tuple[Comparison, ...]
    yes_or_no: tuple[YesOrNo, ...]
    days: dict[str, int]
    """Relative days, as an offset from today."""
    weeks: dict[str, int]
    weekdays: tuple[str, ...]
    """Monday first."""
    months: dict[str, int]
    years: dict[str, int]
    ahead: str
    """Tells a question that looks ahead, in which a month without a year is the next one."""
    examples: tuple[tuple[tuple[str, ...], str], ...]
    """Questions that a newcomer may begin with, each with the concepts of the tool that answers it."""
    openings: tuple[str, ...]
    """Greetings and thanks at the beginning of a message."""
    nothing_to_report: str
    between_words: str
    """Stands between words that are listed."""
    left_out: str
    """Stands in an answer for a message that gives orders to machines."""
    link: str
    """Stands in a text for an address that a message held."""
    phrases: dict[str, str]


class FieldNames(Frozen):
    """Names of fields and arguments that tools of many vendors share."""

    text: tuple[str, ...]
    author: tuple[str, ...]
    time: tuple[str, ...]
    cursor: tuple[str, ...]
    link: tuple[str, ...]
    room: tuple[str, ...]
    """Where something was said."""
    person: tuple[str, ...]
    page_arguments: tuple[str, ...]
    language_arguments: tuple[str, ...]
    """Arguments for the language of the answer, which is the reader's."""
    tool_verbs: frozenset[str]
    deeds: dict[str, frozenset[str]]
    """Words of a tool's name that say what it does, by the phrase that tells it was done."""
    subjects: frozenset[str]
    """Concepts that only a tool made for them can tell of."""
    noise: frozenset[str]
    """Words of descriptions that say nothing of what a tool is about."""
    mode_words: tuple[str, ...]
    """Concepts that say how something is asked, not about what."""


def _read(name: str) -> str:
    return (DATA / f"{name}.json").read_text(encoding="utf-8")


FIELDS = FieldNames.model_validate_json(_read("fields"))
LANGUAGES: Mapping[str, LanguageData] = {code: LanguageData.model_validate_json(_read(code)) for code in ("ja", "en")}

CONCEPTS: tuple[tuple[str, ...], ...] = tuple(
    (name, *(word for language in LANGUAGES.values() for word in language.concepts.get(name, ()) if word != name))
    for name in dict.fromkeys(name for language in LANGUAGES.values() for name in language.concepts)
)
"""Words that stand for the same thing; the first names it."""


def _merged(kind: str) -> dict[str, tuple[str, ...]]:
    tables = [getattr(language, kind) for language in LANGUAGES.values()]
    return {key: tuple(word for table in tables for word in table.get(key, ())) for table in tables for key in table}


TIME_WORDS = _merged("schema_time_words")
VALUE_WORDS = _merged("schema_values")
ARGUMENT_ENDINGS = _merged("argument_endings")

NUMBERS: Mapping[str, int] = {word: number for one in LANGUAGES.values() for word, number in one.numbers.items()}
"""Numbers as words."""
LIGHT_WORDS: Mapping[str, tuple[str, ...]] = {word: told for one in LANGUAGES.values() for word, told in one.light_words.items()}

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {word: told for one in LANGUAGES.values() for word, told in one.attributes.items()}

_JAPANESE_CONCEPTS = tuple((word, group[0]) for group in CONCEPTS for word in group if not word.isascii())
_ENGLISH_CONCEPTS = {stem(word): group[0] for group in CONCEPTS for word in group if word.isascii()}

english_for("")  # its table is read now, at import, and not on the event loop


_JAPANESE_CONCEPT = re.compile(
    "|".join(re.escape(word) for word, _ in sorted(_JAPANESE_CONCEPTS, key=lambda pair: (-len(pair[0]), pair[0])))
)


def either(kind: str) -> re.Pattern[str]:
    """One pattern for a list of patterns, in every language."""
    return re.compile("|".join(f"(?:{one})" for language in LANGUAGES.values() for one in getattr(language, kind)), re.IGNORECASE)


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """The terms of a text: stems, pairs of Japanese characters, and `#concepts`, which both languages share."""
    plain = [term for term in cut(_JAPANESE_CONCEPT.sub(" ", text)) if term not in FIELDS.noise]
    english = [term for word in english_for(text) for term in cut(word)]
    concepts = {f"#{concept}" for word, concept in _JAPANESE_CONCEPTS if word in text}
    return frozenset(
        {f"#{_ENGLISH_CONCEPTS[term]}" if term in _ENGLISH_CONCEPTS else term for term in plain + english} | concepts
    )


ASIDE = frozenset(f"#{word}" for word in FIELDS.mode_words) | {
    term for word, said in TIME_WORDS.items() for one in (word, *said) for term in terms(one)
}
"""What says how and for when something is asked, not about what."""


def alike(one: str, other: str) -> float:
    """From 0 (nothing in common) to 1 (the same words), for names such as `body_md` and `text`."""
    terms_of_one, terms_of_other = terms(one), terms(other)
    if one == other:
        return 1.0
    return len(terms_of_one & terms_of_other) / len(terms_of_one | terms_of_other) if terms_of_one and terms_of_other else 0.0


def ranked(query: str, texts: Mapping[Key, Sequence[tuple[str, float]]]) -> list[tuple[Key, float]]:
    """Order keys by what their texts share with the query: rare words count more, and each text by its weight.

    Keys that share nothing are left out; equals keep the order they came in.
    """
    query_terms = terms(query)
    terms_of = {key: [(terms(text), weight) for text, weight in parts] for key, parts in texts.items()}
    rarity = {term: _rarity(term, terms_of.values()) for term in query_terms}
    scores = {
        key: sum(rarity[term] * max((weight for words, weight in parts if term in words), default=0.0) for term in query_terms)
        for key, parts in terms_of.items()
    }
    return sorted(((key, score) for key, score in scores.items() if score > 0), key=lambda pair: -pair[1])


def _rarity(term: str, texts: Iterable[list[tuple[frozenset[str], float]]]) -> float:
    everyone = list(texts)
    holders = sum(any(term in text_terms for text_terms, _ in parts) for parts in everyone)
    word = 0.3 if term in ASIDE else 1.0 if term.startswith("#") or term.isascii() else 0.5
    return word * math.log(1.0 + (1 + len(everyone)) / (1 + holders))
