"""Checks that the feelings, troubles and refusals that a text tells of stand in what it retells."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from autonomy.completion.rules.case import Case
from autonomy.provenance.concepts import EVENTS, OF_THEIR_OWN, is_heard, is_only_open, told_in, word_of
from autonomy.provenance.sources.conversations import LONGEST_MESSAGE, ids_of
from autonomy.provenance.sources.evidence_units import EvidenceUnit, is_row
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold, normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
SURELY = 0.5
"""Likeness of a sentence to its lines from which on it surely retells them; below it the line is one of several that may be
meant, and all that was read counts."""
LIKE_ENOUGH = 2
"""Concepts that a sentence and a line have in common where the sentence may retell it."""
MOST_LINES = 60
"""Lines of one object; a longer one is a file."""
MOST_MESSAGES = 500
"""The latest of them, which a sentence is compared with by its concepts."""
LONGEST_RUN = 200_000
"""Characters of all that was read; of more it is not said that something stands nowhere."""


def as_heard(case: Case) -> Iterator[tuple[str, str]]:
    """What is told as having happened is not only feared, wished or supposed in what it retells."""
    yield from (one for one in case.made_once(_all_differences) if one[0].startswith(_OPEN))


def told_somewhere(case: Case) -> Iterator[tuple[str, str]]:
    """What a job's text tells of feelings, troubles, reasons, refusals and the like is told in what it retells."""
    yield from (one for one in case.made_once(_all_differences) if not one[0].startswith(_OPEN))


_OPEN = "open:"


def _all_differences(case: Case) -> tuple[tuple[str, str], ...]:
    return tuple(_unheard(case))


def _unheard(case: Case) -> Iterator[tuple[str, str]]:
    if not case.evidence.reads:
        return
    read = _Read(case)
    quiet = [section.empty for section in case.task.sections]
    retold = [(sentence, True) for sentence in case.attribution(case.text).sentences]
    retold += [(sentence, False) for sentence in case.attribution(case.own_words).sentences]  # an answer sums up
    for sentence, has_lines in retold:
        if sentence.neutral or case.tells_of_the_run(sentence.text) or any(sentence.text in empty for empty in quiet):
            continue
        if _PHRASES["stands_nowhere"].search(sentence.text) or case.is_of_a_person(sentence.text):
            continue
        if not (told := told_in(sentence.text)):
            continue  # as of most sentences, for which no line is looked for
        lines = read.lines_of(sentence, told) if has_lines else []
        for kind, name, word, shown in _differences(sentence, told, lines, read):
            said, line = excerpt(sentence.text, 80), excerpt(shown, 120)
            if shown:
                yield f"{kind}:{name}", f"{word!r} in {said!r} is told in nothing that it rests on: {line!r}"
            else:
                yield f"{kind}:{name}", f"{word!r} in {said!r} is told in nothing that it rests on"


def _differences(
    sentence: SentenceSupport, told: frozenset[str], lines: list[str], read: "_Read"
) -> Iterator[tuple[str, str, str, str]]:
    if lines and all(map(is_row, [unit.text for unit in sentence.units] or lines)):
        return
    tells_of_one = sentence.score >= SURELY and lines and not _SEVERAL.search(sentence.text)
    texts = "\n".join([read.asked, *lines]) if tells_of_one else read.everything
    if len(texts) > LONGEST_RUN:
        return
    in_a_job = read.case.declares_needs  # a goal may ask about anything, and for advice
    for name in sorted(told):
        word = word_of(name, sentence.text)
        if in_a_job and not is_heard(name, texts):
            yield "nowhere", name, word, lines[0] if lines else ""
        elif (
            lines
            and name in EVENTS
            and is_only_open(name, _clause_of(sentence.text, word), "\n".join(lines))
            and not read.has_as_state(name)
        ):
            yield "open", name, word, lines[0]
        elif (
            name in OF_THEIR_OWN
            and read.of_the_person
            and not read.names_another(sentence)
            and not is_heard(name, read.of_the_person)
        ):
            yield "own", name, word, ""


def _clause_of(text: str, word: str) -> str:
    return next((clause for clause in _ENDS_CLAUSE.split(text) if word in normalize(clause)), text)


_ENDS_CLAUSE = re.compile(r"[。\n;]|, ")
_SEVERAL = re.compile(r"[;；／]| – ")
"""Parts a sentence that tells of several things; what it rests on is about one of them."""


_STATE = re.compile(r"[A-Za-z_-]{2,24}|[\u3041-\u30ff\u3400-\u9fff]{1,8}")
"""One word, as the state of a record is."""


class _Read:
    """What a run read, by what its lines have to do with each other."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.units = case.evidence.units

    @cached_property
    def asked(self) -> str:
        """What the reads were asked for: a text may say of a word that it was looked for."""
        return normalize(" ".join(str(record.arguments) for record in self.case.evidence.reads))

    @cached_property
    def everything(self) -> str:
        """All that was read, and why calls failed, with the names of fields."""
        records = [*self.case.ctx.records, *self.case.ctx.beforehand]
        found = [str(self.case.evidence.content(record).data) for record in self.case.evidence.reads]
        return normalize("\n".join([self.asked, *found, *(record.reason for record in records if record.reason)]))[
            : LONGEST_RUN + 1
        ]

    def has_as_state(self, name: str) -> bool:
        """Whether a field that was read has the concept as its whole value: `result: failed`."""
        return any(is_heard(name, state) and not is_only_open(name, "", state) for state in self._states)

    @cached_property
    def _states(self) -> frozenset[str]:
        leaves = (leaf for record in self.case.evidence.reads for leaf in self.case.evidence.content(record).leaves)
        return frozenset(normalize(leaf.value) for leaf in leaves if isinstance(leaf.value, str) and _STATE.fullmatch(leaf.value))

    @cached_property
    def of_the_person(self) -> str:
        """What the person wrote whom the job is about."""
        names = self.case.evidence.subject_names
        return normalize("\n".join(unit.text for unit in self.units if unit.persons & names)) if len(names) > 1 else ""

    def names_another(self, sentence: SentenceSupport) -> bool:
        """Whether a sentence names a person other than that one."""
        names = self.case.evidence.subject_names
        keys = {key for one in sentence.facts if one.fact.kind is FactKind.NAME for key in one.fact.keys}
        latin = {fold(word) for word in re.findall(r"[A-Z][a-z]+", sentence.text)}
        people = frozenset().union(*(unit.persons for unit in self.units)) | keys
        return bool(((latin & people) | keys) - names)

    @cached_property
    def _talks(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for talk in self.case.conversations:
            for message in talk:
                found[message.text.split("\n")[0].strip()] += [other.text for other in talk]
        return found

    @cached_property
    def _objects(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for unit in self.units:
            found[unit.call_id, unit.path].append(unit.text)
        return found

    @cached_property
    def _of_ids(self) -> dict[str, list[EvidenceUnit]]:
        found: dict[str, list[EvidenceUnit]] = defaultdict(list)
        for unit in self.units:
            for key in ids_of(facts_in(unit.text[:LONGEST_MESSAGE])):
                found[key].append(unit)
        return found

    @cached_property
    def _concepts(self) -> list[tuple[frozenset[str], EvidenceUnit]]:
        lines = [unit for unit in self.units if unit.persons][-MOST_MESSAGES:]
        return [(told, unit) for unit in lines if (told := told_in(unit.text[:LONGEST_MESSAGE]))]

    def lines_of(self, sentence: SentenceSupport, told: frozenset[str]) -> list[str]:
        """The lines that a sentence, with the concepts told in it, may retell, with what stands in the same talk or post; none if
        nothing is like it."""
        alike = () if sentence.units else (unit for concepts, unit in self._concepts if len(concepts & told) >= LIKE_ENOUGH)
        units = [*sentence.units, *alike]
        if not units:
            return []
        units += [unit for key in ids_of(one.fact for one in sentence.facts) for unit in self._of_ids[key]]
        return [normalize(line) for line in dict.fromkeys(line for unit in units for line in self._around(unit))]

    def _around(self, unit: EvidenceUnit) -> Iterable[str]:
        lines = self._objects.get((unit.call_id, unit.path), [])
        return [unit.text, *self._talks.get(unit.text, ()), *(lines if len(lines) <= MOST_LINES else ())]
