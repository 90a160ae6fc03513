"""Rules about the substance of a text: it is no padding, and leaves out no section's material."""

import re
from collections import Counter
from collections.abc import Iterator

from autonomy.completion.rules.case import Case
from autonomy.completion.rules.text.form import LIST_MARKS, section_bodies
from autonomy.llm.model import Need, Section
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import TITLE_KEYS
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.padding import layout_lines, line_at, padding_of
from autonomy.provenance.text.sentences import FEWEST_TERMS, terms
from autonomy.run_state.completion_rules import NotPadding
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def not_padding(_rule: NotPadding, case: Case) -> str:
    """The text does not repeat itself, and every section contains some of the material."""
    return "; ".join([*_filled_up(case), *_emptied(case), *_silenced(case)])


def _filled_up(case: Case) -> Iterator[str]:
    material = sum(len(unit.text) for unit in case.evidence.units)
    padding = padding_of(_without_repeated_titles(case), None if says_empty(case) else material)
    words = {
        "empty": "the text says nothing",
        "repetition": "the text says the same again and again",
        "compressible": "the text is mostly repetition",
        "oversized": "the text is much longer than what it rests on",
    }
    problems = [words[reason] for reason in padding.reasons if not (reason == "oversized" and material == 0)]
    if problems:
        yield "; ".join(problems)
    layout = layout_lines(case.text)
    bodies = [
        fold(line).strip(LIST_MARKS)
        for body in section_bodies(case.text).values()
        for line in {*body.splitlines()}
        if len(line.strip()) > 15 and line.strip() not in layout
    ]
    yield from _told_again(case)
    yield from _says_none_of_it(case)
    twice = [line for line in set(bodies) if bodies.count(line) > 1 and not _PHRASES["says_there_is_none"].match(line)]
    if len(twice) > 0 and not problems:
        yield f"the same line stands under several headings: {excerpt(twice[0], 60)!r}"


def _titles(case: Case) -> Counter[str]:
    """What the records that were read are called, folded, and how many of one list each."""
    found = Counter[str]()
    for table in case.evidence.sources.tables():
        cells = (cell for row in table for cell in row.cells.items())
        found |= Counter(fold(str(title)) for name, title in cells if name.lower() in TITLE_KEYS)
    return found


LONG_TITLE = 6
"""Characters from which on a title tells which record is meant."""


def _without_repeated_titles(case: Case) -> str:
    """The text without the lines that repeat what several records are called, as often as these are: ten posts of one title."""
    titles = {title: many for title, many in _titles(case).items() if title and many > 1}
    found, told = list[str](), Counter[str]()
    for line in case.text.splitlines(keepends=True) if titles else [case.text]:
        words = fold(line).strip(LIST_MARKS)
        told[words] += 1
        if told[words] == 1 or told[words] > max((many for title, many in titles.items() if title in words), default=1):
            found.append(line)
    return "".join(found)


def _says_none_of_it(case: Case) -> Iterator[str]:
    """A delivered text over much material of its person and day, without one figure, time, id, name, place or quotation of it; a
    relative day or a small count stands in any text. A draft was read, and perhaps written, by the person who let it out."""
    if not case.delivered or says_empty(case) or case.ctx.request.approval.drafts:
        return
    material = {unit.text for unit in case.evidence.units if _may_be_told(unit, case)}
    if len(material) < FEWEST_UNITS:
        return
    found = case.attribution(case.text)
    facts = (one for one in found.facts if not one.fact.relative)
    states = any(not sentence.neutral for sentence in found.sentences)
    told = fold(case.text)
    gives_facts = any(one.sources or one.derived not in ("", "count") for one in facts)
    if states and not gives_facts and not any(len(title) >= LONG_TITLE and title in told for title in _titles(case)):
        yield "the text gives no figure, name or id of what was read"


FEWEST_UNITS = 10
"""Lines that were read; a few of them may well be told in other words."""
MOST_TELLINGS = 3
"""One message told in so many sentences is dwelt on; in more the text is filled up with it."""
ALIKE = 0.6
"""Share of terms that two tellings of one message have in common."""


def _told_again(case: Case) -> Iterator[str]:
    """The same message, told again and again in nearly the same words; a list whose lines differ in what was read is none."""
    text, layout = _without_repeated_titles(case), layout_lines(case.text)
    passages = [
        (terms(sentence.text), frozenset(key for support in sentence.facts if support.supported for key in support.fact.keys))
        for sentence in case.attribution(text).sentences
        if not sentence.neutral and line_at(text, sentence.start) not in layout
    ]
    for at, (one, _) in enumerate(passages):
        retellings = [
            (other, facts) for other, facts in passages[at:] if one and len(one & other) >= ALIKE * min(len(one), len(other))
        ]
        apart = len({facts for _, facts in retellings if facts})
        if len(retellings) - apart >= MOST_TELLINGS and min(len(other) for other, _ in retellings) >= FEWEST_TERMS:
            yield f"the same is told {len(retellings)} times"
            return


def says_empty(case: Case) -> bool:
    """Whether the text says of a section, in the job's own words, that there was nothing."""
    return any(section.empty and section.empty in case.text for section in case.task.sections)


def _emptied(case: Case) -> Iterator[str]:
    """A section that says "nothing" where the job's own cues find material that the text leaves out."""
    bodies = section_bodies(case.text)
    text_terms = terms(case.text)
    sections = [section for section in case.task.sections if section.empty]
    if sections and all(section.empty.strip() in bodies.get(section.title, "") for section in sections):
        material = [text for section in sections for text in section_words(section, case) if len(terms(text)) >= FEWEST_TERMS]
        if material:
            yield f"every section says that there was nothing, and what was read says {excerpt(material[0], 80)!r}"
            return
    for section in case.task.sections:
        if not section.empty or section.empty.strip() not in bodies.get(section.title, ""):
            continue
        left_out = [text for text in _material(section, case) if len(terms(text) & text_terms) < 0.4 * max(1, len(terms(text)))]
        if left_out:
            yield f"{section.title!r} says that there was nothing, and what was read says {excerpt(left_out[0], 80)!r}"


def _silenced(case: Case) -> Iterator[str]:
    """A text that tells nothing but that nothing was written, where the declared reads brought messages of that person and day.

    That nothing was written about something, by somebody, somewhere or at some hour is another matter: messages of all else may
    have been read.
    """
    if not any(_is_of_all_that_was_written(sentence, case) for sentence in _SENTENCE.findall(case.delivered)):
        return
    if any(sentence.units for sentence in case.attribution(case.delivered).sentences if not sentence.neutral):
        return
    needs = [need for need in case.evidence.read_needs() if need.required]
    material = [text for need in needs for text in _own_words(need, case) if len(terms(text)) >= FEWEST_TERMS]
    if material:
        yield f"the text says that nothing was written, and what was read says {excerpt(material[0], 80)!r}"


def _is_of_all_that_was_written(sentence: str, case: Case) -> bool:
    found = _PHRASES["says_nothing_was_written"].search(sentence)
    if found is None:
        return False
    said = sentence[: found.end()] + re.split("[,、]", sentence[found.end() :])[0]
    for name in [*case.evidence.subject_names, *(fact.text for fact in facts_in(said) if fact.kind is FactKind.DATE)]:
        said = said.replace(name, " ")
    return re.search(r"\w", _PHRASES["narrows_nothing"].sub(" ", said)) is None


_SENTENCE = re.compile(r"[^。.!！\n]{1,1000}")


def _material(section: Section, case: Case) -> list[str]:
    own = section_words(section, case)
    return [text for text in own if any(cue in text for cue in section.cues) or (not section.cues and len(text) > 200)]


def section_words(section: Section, case: Case) -> list[str]:
    """What the reads of a section's source brought about the job's person and day."""
    need = next((need for need in case.evidence.read_needs() if need.id == section.source), None)
    return _own_words(need, case) if need else []


def _own_words(need: Need, case: Case) -> list[str]:
    """What the reads of a need brought about the job's person and day."""
    calls = {record.call_id for record in case.evidence.need(need).reads}
    own = [unit for unit in case.evidence.units if unit.call_id in calls and _may_be_told(unit, case)]
    return [unit.text for unit in own if not (unit.path == "$" and _ENVELOPE.match(unit.text))]


def _may_be_told(unit: EvidenceUnit, case: Case) -> bool:
    """Whether a line is not of another person or day than the job's."""
    about, names = case.evidence.about, case.evidence.subject_names
    return bool(
        (not names or unit.persons & names or not unit.persons)
        and (not about.days or not unit.days or unit.days & set(about.days))
    )


_ENVELOPE = re.compile(r"[\w.]{1,40}: ")
"""What stands around a list (its channel, its cursor) is no material."""
