"""Finds clauses that ascribe to one person what messages show another to have said."""

import re
from collections.abc import Iterator

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms

FEWEST_HELD = 4
"""Telling words of a clause that a message of somebody else holds; fewer are common to a team's messages."""
MOSTLY = 0.5
"""The share of the clause that they are."""
_CLAUSES = re.compile(r"[;；、。]|, |\. | and (?=(?:asked|said|told|wrote|reported|noted|added|closed|opened)\b)")
_MARKS = re.compile(r"[\s*_>#•・\-–—|「『(（@<]*")
_GOES_ON = re.compile(
    r"[*_]{0,2}\s?(?:さん|様|氏|くん|ちゃん)?\s?"
    r"(?:[はがも:：]|(?:also |then |later |first )?[a-z]+(?:ed|s|t|id|ote|old|an|aid)\b|\()"
)
"""What follows whoever is told to do or say something: a particle, a colon, a verb."""
_ONE_NAME = re.compile(r"[A-Z][\w'-]{1,30}")
_FULL_NAME = re.compile(r"[A-Z][\w'-]{1,30} [A-Z][\w'-]{1,30}")
_HONOURED = re.compile(r"[一-龯々ァ-ヶーぁ-ん]{1,12}?(?=さん|様|氏|くん|ちゃん)")


def said_by_others(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """The person that a clause begins with and what a message of somebody else says of it, where none of this person does."""
    speaker: frozenset[str] = frozenset()
    named = ""
    for clause in _CLAUSES.split(sentence.text):
        if found := _speaker(clause, sources):
            named, speaker = found
        elif not clause.isascii():
            speaker = frozenset()  # in Japanese the next clause may have any subject
        if not speaker:
            continue
        wanted = terms(clause) - terms(named)
        own = [unit for unit in sources.units if unit.persons & speaker]
        held = frozenset().union(*(wanted & terms(unit.text) for unit in own))
        for unit in sources.index.holding(wanted, share=MOSTLY) if len(wanted) >= FEWEST_HELD else ():
            only_there = (wanted & terms(unit.text)) - held
            if (
                unit.persons
                and not unit.persons & speaker
                and len(only_there) >= max(FEWEST_HELD, MOSTLY * len(wanted))
                and not _names_one(unit.text, speaker)
                and not _names_one(clause, unit.persons)
            ):
                yield named, unit.text
                return


def _speaker(clause: str, sources: Sources) -> tuple[str, frozenset[str]] | None:
    """Whom a clause begins with, as written and by all ids and names, where that is somebody who wrote something."""
    begin = _MARKS.match(clause)
    rest = clause[begin.end() :] if begin else clause
    for name in (_FULL_NAME, _ONE_NAME) if rest[:1].isascii() else (_HONOURED,):
        words = name.match(rest)
        if words and _GOES_ON.match(rest, words.end()):
            names = sources.named_in_part(words.group())
            if names & sources.persons:
                return words.group(), names
    return None


def _names_one(words: str, names: frozenset[str]) -> bool:
    """Whether words name a person: what others say of somebody may be told of him, and who is named beside him may be meant."""
    text = fold(words)
    return any(
        len(name) > 1 and (name in text or any(len(part) > 1 and part in text for part in name.split(" "))) for name in names
    )
