"""Finds the subjects that a goal names."""

import re
from collections.abc import Iterator
from datetime import date, tzinfo
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from autonomy.provenance.text.facts import LATIN_NAME, Fact, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import alternatives, load_words

AnchorKind = Literal["quote", "path", "url", "id", "name", "heading", "place", "date", "time", "number", "negation"]

MOST_ANCHORS = 200
LONGEST_GOAL = 40_000


class Anchor(NamedTuple):
    """One thing the user's words name."""

    kind: AnchorKind
    text: str
    start: int
    end: int
    keys: tuple[str, ...]
    """Normal forms, as in `Fact.keys`."""
    unit: str = ""


@lru_cache(maxsize=64)  # several checks of one answer ask
def anchors_of(goal: str, day: date | None = None, zone: tzinfo | None = None) -> tuple[Anchor, ...]:
    """The anchors of a goal, in order; where two overlap, the longer."""
    goal = goal[:LONGEST_GOAL]
    found = [*_shaped(goal), *(_of_fact(fact) for fact in facts_in(goal, day, zone))]
    chosen: list[Anchor] = []
    for anchor in sorted(found, key=lambda anchor: (anchor.start, -anchor.end)):
        if not chosen or anchor.start >= chosen[-1].end:
            chosen.append(anchor)
    return tuple(chosen[:MOST_ANCHORS])


def _of_fact(fact: Fact) -> Anchor:
    return Anchor(fact.kind.value, fact.text, fact.start, fact.end, fact.keys, fact.unit)


def _shaped(goal: str) -> Iterator[Anchor]:
    """Paths, headings, negations and capitalised names: what is told by form or by the words around it."""
    for match in _pattern().finditer(goal):
        kind = match.lastgroup
        text = match.group()
        if kind == "heading":
            text = match["titled"] or match["told"]
        if kind == "name":
            text = text.removesuffix("'s")  # as where the apostrophe is a curly one, which ends a word
            verb, _, rest = text.partition(" ")
            text = rest if rest and verb in load_words("anchors")["verbs_in_capitals"] else text  # DM Priya
        start = match.start() + match.group().find(text)
        if kind == "name" and text.split()[0] in load_words("anchors")["not_names"]:
            continue
        yield Anchor(kind, text, start, start + len(text), (fold(text).strip(),))  # type: ignore[arg-type]  # the groups are the kinds


@cache
def _pattern() -> re.Pattern[str]:
    words = load_words("anchors")
    endings = alternatives(words["file_endings"])
    negations = alternatives(word for word in words["negations"] if not word.isascii())
    english = alternatives(word for word in words["negations"] if word.isascii())
    segment = r"[\w.~-]{1,80}"
    return re.compile(
        rf"(?P<path>(?<![\w/:.])(?:[~.]{{0,2}}/)?(?:{segment}/){{1,20}}{segment}(?![\w:])|(?<![\w/.-])[\w-]{{1,80}}\.(?:{endings})(?![\w]))"
        rf"|(?P<heading>^#{{1,6}}[ \t]+(?P<titled>[^\n]{{1,80}})$|(?P<told>[^\s、。「」,.]{{1,20}}?)(?:{alternatives(words['headings'])}))"
        rf"|(?P<negation>{negations}|(?i:\b(?:{english})\b))"
        rf"|(?P<name>(?<=[\w,] ){LATIN_NAME}(?: {LATIN_NAME}){{0,4}})",
        re.MULTILINE,
    )
