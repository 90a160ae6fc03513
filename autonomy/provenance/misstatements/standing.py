"""Finds sentences that state as fact what their evidence denies, proposes or ties to a condition."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autonomy.provenance.misstatements.reversals import near_units
from autonomy.provenance.sources.evidence_units import is_row
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import facts_in
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")


class Standing(NamedTuple):
    """One way in which a clause does not simply state: how evidence shows it, and how a retelling may keep it."""

    shown: re.Pattern[str]
    kept: re.Pattern[str]
    """Wider on purpose: `not postponed` may be told as `stays`, `nobody came` as 誰も来ず."""
    affirmed: re.Pattern[str] | None = None
    """What only looks like it: 構いません, しなければならない."""

    def holds(self, clause: str) -> bool:
        """Whether a normalised clause of the evidence has it."""
        return bool(self.shown.search(self.affirmed.sub(" ", clause) if self.affirmed else clause))

    def is_kept(self, retelling: str, clauses: Sequence[str]) -> bool:
        """Whether a retelling keeps it; a word that the evidence has as well is what it denies there: 禁止していません."""
        plain = [self.shown.sub(" ", clause) for clause in clauses]
        return self.holds(retelling) or any(
            not all(word in clause for clause in plain) for word in (match.group() for match in self.kept.finditer(retelling))
        )


STANDINGS = (
    Standing(_PHRASES["denied_by_grammar"], _PHRASES["keeps_a_denial"], _PHRASES["affirms_by_denying"]),
    Standing(_PHRASES["left_open"], _PHRASES["keeps_open"]),
)
"""Requests and conditions are not among them: true summaries drop those as often as false ones."""
FEWEST_SHARED = 2
"""Terms and facts that a sentence shares with a clause it retells; one may be a name or a day that many have."""
HALF = 0.5
"""Share of the shorter clause that they are: two sentences of one talk have a word or two in common."""
LONGEST_UNIT = 600
_CLAUSE = _PHRASES["parts_clauses"]
_BRACKET_BEHIND = re.compile(r"(?<=\S)\s*[(（]([^()（）]{1,200})[)）]\s*$")


def dropped_standing(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The clause of the evidence that one of a sentence comes nearest to, where it is denied or left open and that one is not."""
    clauses = [
        (clause, normalize(clause))
        for text in dict.fromkeys(unit.text[:LONGEST_UNIT] for unit in near_units(sentence, sources))  # lines may be alike
        if "。" in text or not is_row(text)  # the words of a row are states, which checks of rows hold
        for clause in _clauses(text)
        if clause.strip() and not _PHRASES["gives_a_reason"].search(clause)  # a summary has what follows from it
    ]
    if not any(standing.holds(clause) for _, clause in clauses for standing in STANDINGS):
        return  # most evidence simply states, and its facts are not cheap to read
    shown = [(_words(clause, sources), plain) for clause, plain in clauses]
    clauses_told = _CLAUSE.split(sentence.text)
    for clause_text, following in zip(clauses_told, [*clauses_told[1:], ""], strict=True):
        # 何時間前までかは、まだ決めていません; what is tied to a condition states nothing without what follows from it
        goes_on = clause_text.endswith("は、") or _PHRASES["under_a_condition"].search(clause_text)
        retelling = clause_text + following if goes_on else clause_text
        clause_words = _words(clause_text, sources)
        parts = frozenset().union(*(terms(word) for word in clause_words if word != word.lower()))  # tw and 40 of TW-40
        nearness = [len((clause_words & words) - parts) for words, _ in shown]
        alike = [one for one, near in zip(shown, nearness, strict=True) if near == max(nearness)]
        most = max(len(clause_words & words) for words, _ in alike)
        retold = most >= max(FEWEST_SHARED, HALF * min(len(clause_words), *(len(words) for words, _ in alike)))
        nearest = [clause for _, clause in alike]
        for standing in STANDINGS if retold else ():
            if all(map(standing.holds, nearest)) and not standing.is_kept(normalize(retelling), nearest):
                yield nearest[0]
                return


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a line. What simply states in brackets behind one that is denied or left open is one of its own: `not needed
    (chance of rain up to 0%)` denies no chance."""
    for part in _CLAUSE.split(text):
        before, *bracket = map(normalize, _BRACKET_BEHIND.split(part)[:2])
        shown = (before, *(f"({one})" for one in bracket))  # (… 案) proposes, as it stands there
        held = [any(standing.holds(one) for standing in STANDINGS) for one in shown]
        if held == [True, False]:
            yield from _BRACKET_BEHIND.split(part)[:2]
        else:
            yield part


def _words(clause: str, sources: Sources) -> frozenset[str]:
    """The terms of a clause and the keys of its facts, which stand in any language."""
    return terms(clause).union(*(fact.keys for fact in facts_in(clause, sources.day, sources.zone)))


def told_as_decided(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The words by which the post that a sentence retells leaves something undecided, where the post tells no decision and the
    sentence does."""
    text = normalize(sentence.text)
    told = _PHRASES["tells_a_decision"].search(text) if sentence.units else None
    if told is None or _PHRASES["leaves_undecided"].search(text) or _PHRASES["decides_nothing"].search(text):
        return
    posts = {(unit.call_id, unit.path) for unit in sentence.units[:2]}
    shown = normalize("\n".join(unit.text[:LONGEST_POST] for unit in sources.units if (unit.call_id, unit.path) in posts))
    undecided = _PHRASES["leaves_undecided"].search(shown)
    if undecided and not _PHRASES["tells_a_decision"].search(_PHRASES["leaves_undecided"].sub(" ", shown)):
        yield shown[undecided.start() :].split("\n")[0][:SHOWN]


SHOWN = 160
LONGEST_POST = 1_500
"""Characters of a line or a post that are read."""
SHORT = 3
"""Sentences of a message, of which a clause in another language may retell any."""


def told_of_every_case(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The sentence of the evidence that sets a condition which the text leaves out and says `always` instead."""
    text = normalize(sentence.text)
    for clause in _ENDS_SENTENCE.split(text) if _PHRASES["in_every_case"].search(text) else ():
        universal = _PHRASES["in_every_case"].search(clause)
        if universal and not _PHRASES["under_a_condition"].search(_PHRASES["in_every_case"].sub(" ", clause)):
            yield from _conditions(clause, sentence, sources)


def _conditions(clause: str, sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    words = terms(clause)
    for unit in near_units(sentence, sources)[:2]:
        shown = normalize(unit.text[:LONGEST_POST])
        parts = [part for part in _ENDS_SENTENCE.split(shown) if part.strip()]
        near = [part for part in parts if len(parts) <= SHORT or len(terms(part) & words) >= FEWEST_SHARED]
        conditions = [part for part in near if _PHRASES["under_a_condition"].search(part)]
        if conditions and not _PHRASES["in_every_case"].search(shown):
            yield conditions[0]
            return


_ENDS_SENTENCE = re.compile(r"[。;；\n]|\. | (?=(?:#{1,6}|[-*]) )")
"""The lines of a post stand in one, each with its mark."""
