"""Checks by meaning whose lines, and of which day, a text retells."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.completion.rules.retold.credited_persons import DeedsRead, persons_in
from autonomy.provenance.attribution import Encode
from autonomy.provenance.misstatements.told_days import names_a_day_by_number
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.sentences import sentences_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


class _Nearness(NamedTuple):
    """From which likeness on a sentence retells a line, and by how much that is nearer than all lines that may be meant."""

    near: float
    nearer: float


OF_A_PERSON = _Nearness(0.45, 0.15)
"""Of whom a sentence names. With the one below, of all runs as they are 25 bad ones, of 18 sets, and no good one; chosen without
each set in turn, they find about as many in the sets left out, and two good ones."""
OF_THE_JOB = _Nearness(0.4, 0.2)
"""Of the job's person, where the sentence names nobody."""
OF_A_DAY = _Nearness(0.5, 0.3)
"""Messages of several days are about the same."""
MOST_LINES, MOST_CHARS = 100, 10_000
"""The latest of the messages that were read, and how much of them. A thousand characters take the encoder some 30 ms, once in a
process, so these take 0.3 s at most; 100 lines of 300 characters took 0.85 s."""
SHORTEST, LONGEST = 8, 300
"""Characters that are compared: of fewer the meaning says little."""


class _Statement(NamedTuple):
    """What a sentence tells of somebody."""

    names: frozenset[str]
    """All names of theirs."""
    words: str
    limit: _Nearness
    """How near a line of somebody else has to be."""


def of_whose_lines(case: Case) -> Iterator[tuple[str, str]]:
    """What is told of somebody comes nearest, by meaning, to a line of theirs; of a day of the question, to one of that day."""
    encode = case.encode
    if encode is None or not case.evidence.reads:
        return
    read = case.made_once(DeedsRead)
    lines = latest([unit for unit in read.units if unit.persons and len(unit.text) >= SHORTEST])
    texts = [case.text] if case.declares_needs else [text.text for text in case.free_texts[:1]]
    for sentences in (case.attribution(text).sentences for text in texts if lines):
        for sentence, told in _statements(sentences, read):
            if any(read.is_by_or_about(unit, told.names) for unit in sentence.units):
                continue  # it rests on a line of theirs, and no line has to be compared
            named = read.people_in(sentence.text)
            own = [unit for unit in lines if read.is_by_or_about(unit, told.names)]
            others = [unit for unit in lines if unit not in own and not any(unit.persons & names for names in named)]
            found = _nearest_of_others(sentence, told.limit, own, others, _Likeness(told.words, encode, case))
            yield from (finding for unit, finding in found if not read.answers(sentence, (unit,), told.names))
        if not case.declares_needs:
            yield from _of_another_day(sentences, lines, encode, case)


def latest(lines: Sequence[EvidenceUnit]) -> list[EvidenceUnit]:
    """The latest of some lines that are short enough together to be compared."""
    lengths = accumulate(min(len(unit.text), LONGEST) for unit in reversed(lines))
    many = sum(length <= MOST_CHARS for length in islice(lengths, MOST_LINES))
    return list(lines[len(lines) - many :])


def _statements(sentences: Sequence[SentenceSupport], read: DeedsRead) -> Iterator[tuple[SentenceSupport, _Statement]]:
    before = frozenset[str]()  # of whom the sentence before tells, whom a pronoun means
    for sentence in sentences:
        text, subject = sentence.text, _PHRASES["begins_with_a_subject"].match(sentence.text)
        names = read.names(subject["en"] or subject["ja"]) if subject else frozenset[str]()
        if names & read.authors:
            before = names
        if sentence.neutral:
            continue  # `Kenta did.` says nothing by itself
        if names & read.authors and subject:
            yield sentence, _Statement(names, _until_the_next(text[subject.end() :], read), OF_A_PERSON)
        elif before and (pronoun := _PHRASES["begins_with_a_pronoun"].match(text)):
            yield sentence, _Statement(before, text[pronoun.end() :], OF_A_PERSON)
        else:
            before, people = frozenset(), read.case.evidence.subject_names
            of_a_job = len(people) > 1 and read.case.declares_needs
            if of_a_job and not (_QUOTES_OR_IDS.search(text) or persons_in(text) or read.people_in(text)):
                yield sentence, _Statement(people, text, OF_THE_JOB)


_QUOTES_OR_IDS = re.compile(r"[「『\"“]|#\d")


def _until_the_next(text: str, read: DeedsRead) -> str:
    """What is told of whom stands in front, up to the next one of whom something is told."""
    ends = [match.start() for match in _NEXT.finditer(text) if read.names(match["en"] or match["ja"]) & read.authors]
    return text[: min(ends, default=len(text))].strip(" ,、")


_NEXT = _PHRASES["goes_on_with_a_subject"]


class _Likeness:
    """How much lines are like some words."""

    def __init__(self, words: str, encode: Encode, case: Case) -> None:
        self._encode = encode
        self._words = encode([words[:LONGEST]])[0] if len(words) >= SHORTEST else None
        self._case = case

    def best(self, units: Sequence[EvidenceUnit], *, in_its_talk: bool = False) -> tuple[float, EvidenceUnit | None]:
        """The likeness of the nearest line. `in_its_talk`: which may also be one of its sentences, or understood from what it
        answers."""
        texts = [(unit.text[:LONGEST], unit) for unit in units]
        if in_its_talk:
            roots = {message.text: talk[0].text for talk in self._case.conversations for message in talk[1:]}
            texts += [(f"{root} {unit.text}"[:LONGEST], unit) for unit in units if (root := roots.get(unit.text))]
            parts = ((part.text, unit) for unit in units for part in sentences_in(unit.text[:LONGEST]))
            texts += [(part, unit) for part, unit in parts if SHORTEST <= len(part) < len(unit.text)]
        if self._words is None or not texts:
            return 0.0, None
        vectors = self._encode([text for text, _ in texts])
        return max(((float(vector @ self._words), unit) for vector, (_, unit) in zip(vectors, texts, strict=True)), key=_first)


def _first(pair: tuple[float, EvidenceUnit]) -> float:
    return pair[0]


def _nearest_of_others(
    sentence: SentenceSupport,
    limit: _Nearness,
    own: Sequence[EvidenceUnit],
    others: Sequence[EvidenceUnit],
    likeness: _Likeness,
) -> Iterator[tuple[EvidenceUnit, tuple[str, str]]]:
    score, unit = likeness.best(others)
    if unit and score >= limit.near and score - likeness.best(own, in_its_talk=True)[0] >= limit.nearer:
        said, shown = excerpt(sentence.text, 80), excerpt(unit.text, 160)
        yield unit, (sentence.text[:80], f"{said!r} does not agree with what was read: {shown!r} ({min(unit.persons)})")


def _of_another_day(
    sentences: Sequence[SentenceSupport], lines: Sequence[EvidenceUnit], encode: Encode, case: Case
) -> Iterator[tuple[str, str]]:
    """What comes nearest to a line of another day than the one that the question names."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    asked = [fact for fact in case.asked if fact.kind is FactKind.DATE and any(map(is_iso_day, fact.keys))]
    goal = case.goal
    of_one_day = len(asked) == 1 and not names_a_day_by_number(goal) and not _PHRASES["asks_what_followed"].search(goal)
    days = set(asked[0].keys) if of_one_day else set[str]()
    dated = lines if days else ()

    def names_it(text: str) -> bool:
        return any(fact.kind is FactKind.DATE and days & set(fact.keys) for fact in facts_in(text[:LONGEST], day, zone))

    called = _called_records(case, names_it) if days else frozenset[tuple[str, str]]()

    def is_of_it(unit: EvidenceUnit) -> bool:
        at = (unit.call_id, unit.path)  # the minutes of that day, whenever they were written
        return at in called or not unit.days or not days.isdisjoint(unit.days) or names_it(unit.text)

    own = [unit for unit in dated if is_of_it(unit)]
    others = [unit for unit in dated if unit not in own]
    for sentence in sentences if others else ():
        told = [found.fact for found in sentence.facts if found.fact.kind is FactKind.DATE]
        rests_on_it = sentence.neutral or any(unit in own for unit in sentence.units)
        if not rests_on_it and all(days & set(widened_days(fact.keys)) for fact in told):
            likeness = _Likeness(sentence.text, encode, case)
            yield from (finding for _, finding in _nearest_of_others(sentence, OF_A_DAY, own, others, likeness))


def _called_records(case: Case, fits: Callable[[str], bool]) -> frozenset[tuple[str, str]]:
    """The call and path of each record that was read and is called by words that fit."""
    titles = ((record.call_id, title) for record in case.evidence.reads for title in case.evidence.content(record).titles)
    return frozenset((call_id, title.path.rpartition(".")[0]) for call_id, title in titles if fits(str(title.value)))
