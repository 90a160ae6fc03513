"""Counts what holds in a result: grounding, coverage, and whether it is about the declared subject."""

from collections.abc import Iterator

from autonomy.completion.rules.case import Judgement
from autonomy.completion.rules.content import FEWEST_OPEN, is_of_the_run, matters
from autonomy.provenance.sentence_vectors import encoder
from metrics.events import QualityPart


def quality_parts(case: Judgement) -> Iterator[QualityPart]:
    """The parts that can be counted; a run that read nothing, and a text that states nothing, have none."""
    if case.evidence.reads:
        yield from (part for part in (_grounding(case), _coverage(case), _subject(case)) if part)


def traced(case: Judgement, remarks: int) -> Iterator[QualityPart]:
    """The sentences without a remark: of a free goal's answer that rests on reads, and of a job's text with remarks."""
    if case.free_texts or remarks:
        sentences = max(1, remarks, sum(not one.neutral for one in case.attribution(case.text).sentences))
        yield QualityPart(name="traced", held=sentences - remarks, of=sentences)


def _grounding(case: Judgement) -> QualityPart | None:
    """Facts and sentences with a source. The few sentences that may be a feeling or a courtesy cost nothing, and where meaning
    cannot be compared, a paraphrase looks like an invention, so facts alone count."""
    found = case.attribution(case.text)
    facts = [fact.supported for one in found.sentences for fact in one.facts if fact.supported or matters(fact.fact, one, case)]
    wanting = [one for one in found.sentences if not one.neutral and not is_of_the_run(one.text, case)] if encoder() else []
    free = min(FEWEST_OPEN - 1, sum(not one.units for one in wanting))
    proven = sum(facts) + sum(bool(one.units) for one in wanting) + free
    total = len(facts) + len(wanting)
    return QualityPart(name="grounding", held=proven, of=total) if total else None


def _coverage(case: Judgement) -> QualityPart | None:
    """Reads of the needs, and what another call could still have read; what was tried and failed is for the text to tell."""
    states = [case.evidence.need(need) for need in case.evidence.read_needs() if need.required]
    read_count = sum(len(state.reads) for state in states)
    total = read_count + sum(len(state.mendable) for state in states)
    return QualityPart(name="coverage", held=read_count, of=total) if total else None


def _subject(case: Judgement) -> QualityPart | None:
    """Sentences whose evidence is about the declared person, day and place."""
    sentences = [one for one in case.attribution(case.text).sentences if one.units and not one.neutral]
    if not sentences or not any(case.evidence.about):
        return None
    return QualityPart(name="subject", held=sum(not one.elsewhere for one in sentences), of=len(sentences))
