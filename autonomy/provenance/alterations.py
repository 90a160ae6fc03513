"""Finds sentences that repeat a line of their evidence with one number or thing replaced."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import FactKind
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.sentences import sentences_in, terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")

_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_PIECE = re.compile(rf"{_FIGURE.pattern}|[a-z][a-z'-]*|[\u3400-\u9fff々]+|[\u30a1-\u30ff]+|[\u3041-\u3096]+|#")
"""A figure, a Latin word, or a run of one kind of Japanese letters."""
_INTRODUCES = _PHRASES["introduces_a_noun"]
"""What stands before the name of a thing, in English."""
_PARTICLE = re.compile(r"[はがをにでとのへも]")
"""What stands behind the name of a thing, in Japanese."""

LONGEST_LINE = 2_000
"""Characters of a line that are read."""
MOST_UNITS = 3
"""Lines that a sentence is held against: those it rests on, or those that have most of its words."""
FEWEST_SHARED = 3
"""Telling words that a sentence has in common with the line that it repeats."""
MOSTLY = 0.6
"""The share of its telling words that it then has from that line."""
LONGER = 1.5
"""How many more telling words the line may have; what says much more is retold, not repeated."""


def exchanged_numbers(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """Small figures that stand between the same words as another one in what was read, and there alone: 3 for 5 営業日前.

    Greater ones need a source of their own; small ones may be counts that nobody wrote down.
    """
    said = _pieces(sentence.text)
    numbers = {_plain(found.fact.text) for found in sentence.facts if found.fact.kind is FactKind.NUMBER}
    places = [at for at in range(1, len(said) - 1) if said[at][0].isdigit() and said[at] in numbers]
    lines = [(unit.text, _pieces_of(unit)) for unit in _alike(sentence, sources)] if places else []
    for at in places:
        for text, told in lines:
            others = [
                there for there in range(1, len(told) - 1) if told[there][0].isdigit() and _same_around(said, at, told, there)
            ]
            again = any(told[there] == said[at] for there in others)
            if others and not again and not _stands_with(said[at], said[at + 1], sources):
                yield said[at], text
                return


def exchanged_labels(sentence: SentenceSupport, sources: Sources, asked: str) -> Iterator[tuple[str, str]]:
    """Figures of a list (醤油 大さじ3、砂糖 大さじ2) that are told of another item of it. `asked`: the question; where it has
    a figure of its own the list may have been scaled, to eight persons from four."""
    told = _items(sentence.text)
    for unit in _alike(sentence, sources) if told and not _FIGURE.search(normalize(asked)) else ():
        known = _items(unit.text[:LONGEST_LINE])
        for said in told:
            own = [item for item in known if item.kind == said.kind and item.names & said.names]
            others = [item for item in known if item not in own and item.kind == said.kind and item.figure == said.figure]
            if own and others and all(item.figure != said.figure for item in own):
                yield said.figure, unit.text
                return


class _Item(NamedTuple):
    """One item of a list with one figure."""

    names: frozenset[str]
    """What may be its name."""
    figure: str
    kind: str
    """What stands behind the figure and what stands before it: `個`, or `大さじ`."""


def _items(text: str) -> list[_Item]:
    """The items of a list that have a name and one figure."""
    return [item for item in map(_single, re.split(r"[、,，;；・\n。]", normalize(text))) if item]


def _single(item: str) -> _Item | None:
    """An item as its name and its figure, where it has one figure and no more."""
    pieces = _pieces(item)
    figures = [at for at, piece in enumerate(pieces) if piece[0].isdigit()]
    if len(figures) != 1 or figures[0] == 0:
        return None
    at = figures[0]
    behind = pieces[at + 1] if at + 1 < len(pieces) else ""
    kind = behind if _COUNTER.fullmatch(behind) else f"{pieces[at - 1]}~"
    told = (piece for piece in pieces[:at] if _tells(piece) or len(piece) > 2)
    names = frozenset(piece for piece in told if not _PHRASES["names_a_time"].fullmatch(piece)) - {kind.rstrip("~")}
    return _Item(names, pieces[at], kind) if names else None


_COUNTER = re.compile(r"[\u3400-\u9fff々]{1,2}|g|kg|ml|l|km|m|cm|%")


def exchanged_things(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """A thing that is told what a line of the evidence tells of another one, where the evidence speaks of both.

    A person who wrote something is no such thing: who did what with whom is asked elsewhere (`contradictions`).
    """
    said = _pieces(sentence.text)
    for unit in _alike(sentence, sources):
        for line in sentences_in(unit.text[:LONGEST_LINE]):
            exchanged = _one_exchanged(said, _pieces(line.text))
            if (
                exchanged
                and exchanged not in sources.persons
                and any(exchanged in _pieces_of(other) for other in sources.index.holding(terms(exchanged), share=0))
            ):
                yield exchanged, line.text
                return


def _one_exchanged(said: Sequence[str], told: Sequence[str]) -> str | None:
    """The name of the thing that stands in the place of another one, where most else that tells something is the same."""
    if not (_things_beyond(said, told) and _things_beyond(told, said)):
        return None  # what is mostly so, and is seen much faster than what was exchanged
    same, exchanged = 0, list[tuple[str, str]]()
    for kind, a, b, c, d in SequenceMatcher(None, said, told, autojunk=False).get_opcodes():
        if kind == "equal":
            same += sum(_tells(piece) for piece in said[a:b])
        elif kind == "replace":
            mine = [at for at in range(a, b) if _is_thing_beyond(said, at, told)]
            its = [at for at in range(c, d) if _is_thing_beyond(told, at, said)]
            if mine and its:
                exchanged.append((said[mine[0]], told[its[0]]))
    telling, its_telling = (sum(_tells(piece) for piece in pieces) for pieces in (said, told))
    if (
        len(exchanged) != 1
        or its_telling > LONGER * telling
        or same < max(FEWEST_SHARED, MOSTLY * telling)
        or _akin(*exchanged[0])
    ):
        return None
    return exchanged[0][0]


def _things_beyond(pieces: Sequence[str], others: Sequence[str]) -> bool:
    """Whether any thing is named that the other pieces do not name."""
    return any(_is_thing_beyond(pieces, at, others) for at in range(len(pieces)))


def _is_thing_beyond(pieces: Sequence[str], at: int, others: Sequence[str]) -> bool:
    return pieces[at] not in others and _names_a_thing(pieces, at) and _tells(pieces[at])


def _akin(one: str, other: str) -> bool:
    """Whether two names may be forms of one: they begin alike, or share a letter that says something."""
    if one.isascii() and other.isascii():
        return one[:4] == other[:4]
    return bool(set(one) & set(other))


def _tells(piece: str) -> bool:
    return piece[0].isdigit() or (bool(terms(piece)) and not ("\u3041" <= piece[0] <= "\u3096"))


def _names_a_thing(pieces: Sequence[str], at: int) -> bool:
    piece = pieces[at]
    if piece[0].isdigit():
        return False
    if piece.isascii():
        return at > 0 and bool(_INTRODUCES.fullmatch(pieces[at - 1]))
    return len(piece) > 1 and at + 1 < len(pieces) and bool(_PARTICLE.match(pieces[at + 1]))


def _alike(sentence: SentenceSupport, sources: Sources) -> Sequence[EvidenceUnit]:
    """The lines that a sentence rests on, and those with most of its words."""
    index = sources.index
    near = [index.units[at] for at in index.shortlist(terms(sentence.text), MOST_UNITS)]
    return list(dict.fromkeys([*sentence.units[:MOST_UNITS], *near]))


def _same_around(said: Sequence[str], at: int, told: Sequence[str], there: int) -> bool:
    """Whether the same words stand before and behind, one more on one side, and one of them tells something."""
    if said[at - 1] != told[there - 1] or said[at + 1] != told[there + 1]:
        return False
    before = at > 1 and there > 1 and said[at - 2] == told[there - 2]
    behind = at + 2 < len(said) and there + 2 < len(told) and said[at + 2] == told[there + 2]
    around = [said[at - 1], said[at + 1], *([said[at - 2]] if before else []), *([said[at + 2]] if behind else [])]
    return (before or behind) and any(_tells(piece) for piece in around) and not any(piece[0].isdigit() for piece in around)


def _stands_with(number: str, behind: str, sources: Sources) -> bool:
    """Whether the evidence has this number before this word anywhere."""
    for unit in sources.index.holding(terms(behind), share=0) if terms(behind) else sources.units[:500]:
        if (number, behind) in pairwise(_pieces_of(unit)):
            return True
    return False


def _pieces_of(unit: EvidenceUnit) -> list[str]:
    return _pieces(unit.text[:LONGEST_LINE])


def _pieces(text: str) -> list[str]:
    return [_plain(piece) if piece[0].isdigit() else piece for piece in _PIECE.findall(normalize(text).lower())]


def _plain(figure: str) -> str:
    found = _FIGURE.match(normalize(figure).strip())
    return found.group().replace(",", "") if found else figure
