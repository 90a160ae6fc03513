"""Divides a question into mentions: a known word, a name, a time, a number, or an unknown word.

Nothing is passed over. Who answers takes the mentions that the answer carries; what nobody took is what the answer leaves out.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from typing import Any

from autonomy.llm.offline.query.query_words import NUMBERED, TEMPLATES, UNITS, WORDS
from autonomy.llm.offline.questions.question_reading import hours_of
from autonomy.llm.offline.time_expressions import TimeSpan, spans_in
from autonomy.llm.offline.vocabulary import NUMBERS
from metrics.text.phrases import patterns_of

OPEN = 8.0
"""What a stretch of unknown letters costs, where a known word costs 1: it is the last resort."""
_LONGEST = max(map(len, WORDS))
_SKIPPED = re.compile(r"[\s、。，,?？!！・:：;()（）']+|\"|\.(?!\d)")  # a quotation mark by itself, as it may begin a quotation
_QUOTED = re.compile('「([^」]+)」|『([^』]+)』|"([^"]+)"|“([^”]+)”')
_EMOJI = re.compile(r":([a-z0-9_+\-]+):")
_CLOCK = patterns_of("autonomy.llm.offline")["clock"]
_LATIN = re.compile(r"#?[A-Za-z0-9][A-Za-z0-9_.+’'\-#]*")
_JAPANESE = re.compile("#?[\u3400-\u9fff々]{1,12}|[\u30a0-\u30ffー]{2,}")


@dataclass
class Mention:
    """A stretch of a question with one of its meanings."""

    text: str
    meaning: str
    value: Any = None
    at: int = 0
    """Which word of the question it belongs to, counted without the words that only join."""
    taken: bool = False


@dataclass(frozen=True)
class FigureBound:
    """A bound: how a figure is to stand to it, what it counts (hours, times, degrees), and the question's words."""

    order: str
    number: float
    unit: str
    words: str


@dataclass
class Mentions:
    """The mentions of a question, in its order."""

    mentions: list[Mention]
    spans: list[TimeSpan] = field(default_factory=list)

    def take(self, *meanings: str) -> list[Mention]:
        """The mentions of these meanings or roles, which are accounted for from now on."""
        found = self.of(*meanings)
        for one in found:
            one.taken = True
        return found

    def of(self, *meanings: str) -> list[Mention]:
        """The same, without accounting for them."""
        return [mention for mention in self.mentions if any(_is(mention, meaning) for meaning in meanings)]

    def values(self, role: str) -> list[str]:
        """The values of a role, taken: `most` of `order.most`."""
        return list(dict.fromkeys(one.meaning.partition(".")[2] for one in self.take(role)))

    @property
    def left(self) -> list[str]:
        """The words of the question that no accepted mention accounts for."""
        return list(dict.fromkeys(mention.text for mention in self.mentions if not mention.taken))


def _is(mention: Mention, meaning: str) -> bool:
    return mention.meaning == meaning or mention.meaning.startswith(f"{meaning}.")


@dataclass(frozen=True)
class _Piece:
    """A stretch of text with its meanings, and what it costs to read it so."""

    end: int
    cost: float
    meanings: tuple[tuple[str, Any], ...]


def read(goal: str, today: date, names: Mapping[str, Sequence[tuple[str, Any]]], *, past: bool) -> Mentions:
    """The question, cut so that as little as possible is left open.

    `names`: what people, channels and the like are called, in small letters, with meaning and value. `past`: the data is of what
    was, so that this week is the one until today."""
    text = unicodedata.normalize("NFKC", goal).strip()
    spans = {span.at: span for span in spans_in(text, today, past=past)}
    best: dict[int, tuple[float, tuple[tuple[int, _Piece], ...]]] = {0: (0.0, ())}
    for at in range(len(text)):
        if at not in best:
            continue
        cost, pieces = best[at]
        for piece in _pieces(text, at, spans, names):
            cheapest = best.get(piece.end)
            if cheapest is None or cost + piece.cost < cheapest[0]:
                best[piece.end] = (cost + piece.cost, (*pieces, (at, piece)))
    mentions: list[Mention] = []
    for at, piece in best[len(text)][1]:
        number = mentions[-1].at + 1 if mentions else 0
        mentions += [
            Mention(text[at : piece.end].strip(), meaning, value, number)
            for meaning, value in piece.meanings
            if meaning != "glue"
        ]
    return Mentions(mentions, sorted(spans.values(), key=lambda span: span.at))


def _pieces(
    text: str, at: int, spans: Mapping[int, TimeSpan], names: Mapping[str, Sequence[tuple[str, Any]]]
) -> Iterator[_Piece]:
    """The ways to read on from here; a time hides what stands in it."""
    if span := spans.get(at):
        yield _Piece(span.end, 0.5, (("time", span),))
        return
    if quoted := _QUOTED.match(text, at):
        yield _Piece(quoted.end(), 0.5, (("quoted", next(filter(None, quoted.groups()))),))
    if skipped := _SKIPPED.match(text, at):
        yield _Piece(skipped.end(), 0.0, ())
        return
    if (clock := _CLOCK.match(text, at)) and (hours := hours_of(clock)):
        yield _Piece(clock.end(), 0.5, (("hours", hours),))
    if emoji := _EMOJI.match(text, at):
        yield _Piece(emoji.end(), 1.0, ((f"emoji.{emoji[1]}", emoji[1]),))
    for pattern, meaning in TEMPLATES if NUMBERED.search(text, at) else ():
        match = pattern.match(text, at)
        if match and _stands_alone(text, at, match.end()) and isfinite(number := _number(match["n"])):
            unit = match.groupdict().get("unit")
            value = (
                FigureBound(meaning.partition(".")[2], number, UNITS[unit.casefold()], match.group().strip())
                if unit
                else int(number)
            )
            yield _Piece(match.end(), 0.5 if unit else 2.0, ((meaning, value),))
    for end in range(at + 1, min(len(text), at + max(_LONGEST, 24)) + 1):
        word = text[at:end].casefold()
        if not (word in names or word in WORDS) or not _stands_alone(text, at, end):
            continue
        if word in names:
            yield _Piece(end, 0.9, tuple(names[word]))
        if word in WORDS:
            glue = WORDS[word] == ("glue",)
            yield _Piece(end, 1.05 if glue else 1.0, tuple((one, None) for one in WORDS[word]))
    yield from _open_pieces(text, at)


def _open_pieces(text: str, at: int) -> Iterator[_Piece]:
    if latin := _LATIN.match(text, at):
        end = latin.end() - len(latin.group()) + len(latin.group().rstrip(".'’-"))
        # a time may end within a word ("next month" in "next months"): what is left of the word is read, or nothing behind it is
        cost = OPEN if _stands_alone(text, at, end) else 2 * OPEN
        yield _Piece(end, cost, (("open", text[at:end]),))
        return
    if run := _JAPANESE.match(text, at):
        for end in range(at + 1, run.end() + 1):
            yield _Piece(end, OPEN + 0.1 * (run.end() - end), (("open", text[at:end]),))
    else:
        yield _Piece(at + 1, 2 * OPEN, (("unread", text[at]),))


def _stands_alone(text: str, at: int, end: int) -> bool:
    """False for a part of a Latin word."""

    def latin(place: int) -> bool:
        return 0 <= place < len(text) and text[place].isascii() and text[place].isalnum()

    return not (latin(at) and latin(at - 1)) and not (latin(end - 1) and latin(end))


def _number(word: str) -> float:
    return float(NUMBERS.get(word.lower()) or word)
