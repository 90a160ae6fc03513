"""Checks answers without evidence: nothing was looked up, or nothing read supports them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from autonomy.completion.evidence import is_narrow
from autonomy.completion.rules.case import Case
from autonomy.provenance.anchors import Anchor, anchors_of
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import ResultContent, leaves
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.run_state.run_values import HOST, CallRecord
from metrics.text.phrases import lazy_pattern, patterns_of
from metrics.text.quotations import INSIDE
from metrics.text.written_language import written_language

_PHRASES = patterns_of("autonomy.completion")


def own_knowledge(case: Case) -> Iterator[tuple[str, str]]:
    """What the answer states without any successful read is marked as not collected; no model knows these days by itself."""
    if _looked_anywhere(case):
        return
    goal, marked = case.goal, case.is_own_knowledge
    stated = [
        fact
        for fact in facts_in(case.answer, case.evidence.day)
        if fact.kind in (FactKind.NUMBER, FactKind.URL) and not case.was_said(fact) and not _was_answered(fact, case)
    ]
    if stated and not marked:
        yield (
            "a read",
            f"you say 『{stated[0].text}』 and have looked nothing up: look it up, or say that it is from your own knowledge",
        )
    elif _wants_an_account(goal) and not _tells_nothing(case) and not _was_talked_of(case):
        if lately := _of_these_days(case):
            yield "a read", f"you were asked about {lately}, and have looked nothing up: do so, or say that you cannot"
        elif not marked:
            yield "a read", "you have looked nothing up: do so, or say that your answer is from your own knowledge"


def _was_answered(fact: Fact, case: Case) -> bool:
    """Whether a call that failed says it, or was made with it: why a write was refused is heard, and not known."""
    told = (one for one in case.attribution(case.answer).facts if (one.fact.start, one.fact.end) == (fact.start, fact.end))
    of_failure = bool(case.evidence.sources.failures) and any(one.derived for one in told)
    return of_failure or any(source.call_id for source in case.evidence.sources.of_fact(fact))


def untold_failures(case: Case) -> Iterator[tuple[str, str]]:
    """If the question names something that could not be read, the answer says so."""
    if case.declares_needs or _PHRASES["tells_of_a_failed_read"].search(case.answer):
        return
    reads = (record for record in case.ctx.records if record.effect == "read" and record.provider != HOST)
    if not (failed := [record for record in reads if record.result.kind in ("terminal", "retryable")]):
        return
    goal = fold(case.goal)
    read = {(record.tool, value) for record in case.evidence.reads for value in _subjects(record)}
    rests_on = [fold(unit.text) for one in case.attribution(case.answer).sentences for unit in one.units]
    for record in failed:
        alone = [value for value in _subjects(record) if (record.tool, value) not in read]
        alone = [value for value in alone if not any(value in line for line in rests_on)]  # another read brought it
        named = [value for value in alone if value != goal and stands(goal, value)]
        if named and not any(_was_read_otherwise(value, case) for value in named):
            shown = f"{record.tool} could not read {named[0]!r}: {excerpt(record.reason, 120)}"
            yield named[0], f"{shown}; say that it was not read"
            return


def _was_read_otherwise(value: str, case: Case) -> bool:
    """Whether a word stands in what other calls brought: anywhere, if it is telling, else in a line that the answer rests on."""
    if _is_telling(value):
        return case.looked_up.contains(value)
    return any(value in fold(unit.text) for sentence in case.attribution(case.answer).sentences for unit in sentence.units)


def warned(case: Case) -> Iterator[tuple[str, str]]:
    """A warning beside the material of a free goal's answer is in the answer."""
    if case.declares_needs or not case.free_texts:
        return
    found = case.attribution(case.answer)
    rests_on = {(unit.call_id, unit.path) for sentence in found.sentences for unit in sentence.units}
    rests_on |= {
        (source.call_id, source.path.rpartition(".")[0] or source.path) for fact in found.facts for source in fact.sources
    }
    answer_terms, figures = (
        terms(case.answer),
        {key for fact in found.facts for key in fact.fact.keys if fact.fact.kind in _TELLING},
    )
    for record in case.evidence.reads:
        places = [path for call, path in rests_on if call == record.call_id]
        for line in _warnings(case.evidence.content(record), places) if places else ():
            line_terms = terms(line)
            is_told = len(line_terms & answer_terms) >= WARNED * len(line_terms) or any(
                key in figures for fact in facts_in(line) if fact.kind in _TELLING for key in fact.keys if len(key) > 1
            )
            if len(line_terms) > 1 and not is_told and _is_of_their_script(case.answer, line):
                yield line[:60], f"what was read also says {excerpt(line, 160)!r}: tell it, where it concerns your answer"
                return


def _warnings(content: ResultContent, places: Iterable[str]) -> Iterator[str]:
    """The lines of a result that limit or withdraw what stands beside them at one of these paths, each once."""
    around = {ancestor for path in places for ancestor in _with_ancestors(path)}
    seen = set[str]()
    for leaf in content.leaves:
        beside = isinstance(leaf.value, str) and (leaf.path.rpartition(".")[0] or leaf.path) in around
        if beside and len(text := str(leaf.value)) <= LONGEST_TEXT and text not in seen:
            lines = [line for line in map(str.strip, text.splitlines()) if len(line) <= LONGEST_LINE]
            yield from (line for line in dict.fromkeys(lines) if line not in seen and _PHRASES["warns"].search(line))
            seen.update(lines)


def _with_ancestors(path: str) -> Iterator[str]:
    """A path, and the paths of what it stands in."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def _is_of_their_script(answer: str, line: str) -> bool:
    """Whether both are in Latin letters, or neither: else nobody can see whether one tells the other."""
    return answer.isascii() is line.isascii() or bool(_JAPANESE.search(answer)) is bool(_JAPANESE.search(line))


_JAPANESE = lazy_pattern(r"[\u3040-\u9fff]")
_TELLING = frozenset({FactKind.NUMBER, FactKind.TIME, FactKind.ID})
WARNED = 0.34
"""Share of a warning's words from which on the answer tells it in words of its own."""
LONGEST_TEXT, LONGEST_LINE = 20_000, 300
SHORTEST_TELLING, SHORTEST_TELLING_KANJI = 5, 3
"""A shorter word stands in other results by chance."""


def _is_telling(value: str) -> bool:
    return len(value) >= (SHORTEST_TELLING if value.isascii() else SHORTEST_TELLING_KANJI)


def _subjects(record: CallRecord) -> Iterator[str]:
    """The folded words that a call's arguments name."""
    for leaf in leaves(record.arguments):
        if isinstance(leaf.value, str) and 1 < len(leaf.value) <= LONGEST_SUBJECT:
            yield fold(leaf.value)


LONGEST_SUBJECT = 120
FEWEST_TERMS = 4
"""Words of an answer that tell something and do not stand in the question; of fewer nothing can be said."""
HEARD = 0.2
"""Share of them that has to stand in what was read. No true sentence in the language of its evidence has less, and half of the
invented ones (`tests.bench.paraphrase_bench`)."""


def unheard(case: Case) -> Iterator[tuple[str, str]]:
    """An answer in the language of what was read shares something with it: a word, a name, a figure."""
    evidence, goal = case.evidence, case.goal
    if not evidence.reads or evidence.writes or case.declares_needs or not _wants_an_account(goal):
        return
    sentences = [sentence for sentence in case.attribution(case.answer).sentences if not sentence.neutral]
    if not sentences or _tells_nothing(case) or case.is_own_knowledge or _PHRASES["tells_of_nothing"].search(case.answer):
        return
    if any(sentence.units for sentence in sentences) or any(
        found.supported and not case.was_said(found.fact) for sentence in sentences for found in sentence.facts
    ):
        return
    new_terms = terms(case.answer) - terms(goal)
    if len(new_terms) < FEWEST_TERMS or not _is_of_their_language(case.answer, evidence.units):
        return
    listed = [line.strip(" -*・•\t") for line in case.answer.splitlines()]
    if any(len(line) > 1 and evidence.sources.contains(line) for line in listed):
        return
    fields = {value for line in listed if len(value := line.rpartition(": ")[2]) > 1 and value != line}
    if fields and any(leaf.value in fields for record in evidence.reads for leaf in evidence.content(record).leaves):
        return  # a field under its name: `title: SRE`
    if sum(evidence.sources.contains(term) for term in new_terms) <= HEARD * len(new_terms):
        yield sentences[0].text[:80], f"nothing that was read says anything like {excerpt(sentences[0].text, 80)!r}"


def _is_of_their_language(answer: str, units: Sequence[EvidenceUnit]) -> bool:
    """Whether an answer is written as what was read is, names of channels and ids apart: a translation shares no word with its
    source."""
    foreign = sum(not unit.text.isascii() for unit in units)
    return bool(units) and (foreign <= 0.1 * len(units) if answer.isascii() else foreign >= 0.25 * len(units))


def _looked_anywhere(case: Case) -> bool:
    """Whether anything was read or written, or there is nothing to look with: no tool, and no server that is only away."""
    ctx = case.ctx
    no_tools = not ctx.offered and not ctx.why_unavailable
    return bool(case.evidence.reads or case.evidence.writes or ctx.beforehand or no_tools)


def _wants_an_account(goal: str) -> bool:
    """Whether a goal asks how something is, and not for words of the model's own making or about a text that it brings along."""
    if _PHRASES["brings_material"].search(goal) or _PHRASES["asks_of_the_agent"].search(goal):
        return False
    return bool(
        _PHRASES["asks_for_an_account"].search(goal)
        or (_PHRASES["asks_to_know"].search(goal) and not _PHRASES["asks_for_wording"].search(goal))
    )


def _tells_nothing(case: Case) -> bool:
    """Whether the answer asks back, or says for the most part that it could not be done, and why, where a call failed."""
    words = [_PHRASES["could_not_look"], *([_PHRASES["tells_of_a_failed_read"]] if case.evidence.sources.failures else ())]
    told = [sentence.text.rstrip() for sentence in sentences_in(case.answer)]
    sentence_texts = [text for text in told if not _PHRASES["advises"].search(text)] or told
    without = [
        text for text in sentence_texts if text.endswith(("?", "？", "か。", "か")) or any(one.search(text) for one in words)
    ]
    return 2 * len(without) >= len(sentence_texts)


def _was_talked_of(case: Case) -> bool:
    """Whether the conversation before names all that the goal names, so that the answer may stand there."""
    before = "\n".join(message.text for message in case.ctx.request.history)
    return bool(before) and all(anchor.text in before for anchor in _named(case) if anchor.kind != "negation")


def _of_these_days(case: Case) -> str:
    """The first day that the goal names by its distance from now, like today or last week."""
    days = (anchor.text for anchor in _named(case) if anchor.kind == "date")
    return next((day for day in days if not any(char.isdecimal() for char in day)), "")


def _named(case: Case) -> tuple[Anchor, ...]:
    return anchors_of(case.goal, case.evidence.day, case.evidence.sources.zone)


def not_by_its_own_name(case: Case) -> Iterator[tuple[str, str]]:
    """What is told as the present one was not found by a search for itself alone, or on an earlier day alone: nothing newer is
    found so."""
    goal = case.goal
    if case.declares_needs or not _PHRASES["asks_for_the_present"].search(goal):
        return
    asked = [[value for value in record.arguments.values() if is_iso_day(str(value))] for record in case.evidence.reads]
    if all(asked) and (last := max(chain.from_iterable(asked), default="")) < case.ctx.began.date().isoformat() and last:
        yield "the present", f"the present is asked for, and nothing was read of what came after {last}"
        return
    sought = {record.call_id: fold(str(list(record.arguments.values()))) for record in case.evidence.reads if is_narrow(record)}
    for sentence in case.attribution(case.answer).sentences:
        for found in (one for one in sentence.facts if one.fact.kind is FactKind.ID and not case.was_said(one.fact)):
            calls = {source.call_id for source in found.sources if source.call_id}
            if calls and all(fold(found.fact.text) in sought.get(call, "") for call in calls):
                yield (
                    found.fact.text,
                    f"『{found.fact.text}』 was found by a search for itself: look for what may have come after it",
                )
                return


def words_sought(case: Case) -> Iterator[tuple[str, str]]:
    """That there is none of something is told with the words that were looked for, where nothing but empty searches was made."""
    reads = case.evidence.reads
    if case.declares_needs or not reads or not all(is_narrow(one) and one.result.kind == "empty" for one in reads):
        return
    words = [str(leaf.value) for one in reads for leaf in leaves(one.arguments) if isinstance(leaf.value, str)]
    quoted = {fold(quotation).strip() for quotation in INSIDE.findall(case.answer)}
    if any(_PHRASES["tells_of_none"].search(one.text) for one in sentences_in(case.answer)) and not any(
        fold(word) in quoted or any(map(str.isdigit, word)) for word in words
    ):
        shown = ", ".join(dict.fromkeys(words))
        yield "the words", f"you say that there is none, and have only searched for {excerpt(shown, 80)!r}: say so"


def by_its_name(case: Case) -> Iterator[tuple[str, str]]:
    """That there is nothing of whom or what the question names is not told from empty searches for other words alone: a name that
    is written otherwise is not found."""
    reads = case.evidence.reads
    if (
        case.declares_needs
        or case.evidence.writes
        or not reads
        or not all(is_narrow(one) and _is_empty(case.evidence.content(one).result) for one in reads)
    ):
        return
    values = [str(leaf.value) for one in reads for leaf in leaves(one.arguments) if isinstance(leaf.value, str)]
    sought, answer = fold(" ".join(values)), fold(case.answer)
    names = [
        anchor.text
        for anchor in anchors_of(case.goal, case.evidence.day, case.evidence.sources.zone)
        if anchor.kind == "name" and anchor.text[:1] != "#" and anchor.text.isascii() is sought.isascii()
    ]
    names = [
        name for name in names if not any(fold(name) in one.tool.lower() for one in reads)
    ]  # in Slack: where it was searched
    others = [word for word in _WORD.findall(sought) if len(word) >= SHORTEST_SOUGHT and word not in fold(case.goal)]
    known = {
        word
        for name in names
        for one in (name, *name.split())
        for word in (fold(one), *case.evidence.sources.identities.names_of(fold(one)))
    }
    if (
        names
        and len(reads) == len(values)  # nothing but words: an id may stand for a name
        and not any(word in sought for word in known)
        and not any(word in answer for word in others)
        and _PHRASES["tells_of_nothing"].search(case.answer)
    ):
        shown = ", ".join(dict.fromkeys(values))
        yield "the name", f"you say that there is none, and have only searched for {excerpt(shown, 80)!r}: search for {names[0]}"


_WORD = re.compile(r"\w+")
SHORTEST_SOUGHT = 4
"""Letters of a word that was looked for, by which an answer may say so."""


def of_nothing(case: Case) -> Iterator[tuple[str, str]]:
    """If every read came back empty, the answer says so."""
    if case.declares_needs or case.evidence.writes or case.ctx.beforehand or case.is_own_knowledge:
        return
    reads, content = case.evidence.reads, case.evidence.content
    if reads and all(_is_empty(content(one).result) for one in reads) and not _PHRASES["tells_of_nothing"].search(case.answer):
        yield "a source", f"{reads[-1].tool} found nothing, and your answer does not say so"


def _is_empty(data: Any) -> bool:
    """Whether a result is made of nothing but empty lists and what stands beside them."""
    if not isinstance(data, dict):
        return data in ([], "")
    lists = [value for value in data.values() if isinstance(value, list)]
    other_values = [value for name, value in data.items() if not isinstance(value, list) and value and "cursor" not in str(name)]
    return bool(lists) and not any(lists) and not any(isinstance(value, str | dict) for value in other_values)


def names_beside(case: Case) -> Iterator[tuple[str, str]]:
    """Every name in a list of names was read, if the others were."""
    sources = case.evidence.sources
    for listed in _LISTED.finditer(case.answer) if case.evidence.reads and not case.is_own_knowledge else ():
        names = [name for name in _BETWEEN.split(listed.group()) if not _PHRASES["names_nobody"].fullmatch(name.strip())]
        strange = [name for name in names if not sources.contains(name)]
        if strange and len(names) - len(strange) > 1:
            yield strange[0], f"『{strange[0]}』 stands in nothing that was read"
            return


_LISTED = _PHRASES["listed_names"]
_BETWEEN = _PHRASES["between_names"]


def cause_from_nowhere(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks why, half of the words of the cause that is told stand in something that was read."""
    if not case.free_texts or not _PHRASES["asks_why"].search(case.goal):
        return
    texts = [unit.text for unit in (*case.evidence.units, *case.evidence.sources.failures)]
    if written_language("\n".join(texts)) != written_language(case.answer):
        return
    known = terms("\n".join((case.goal, *texts)))
    for sentence in sentences_in(case.answer):
        for match in _PHRASES["tells_a_cause"].finditer(sentence.text):
            said = terms(next(filter(None, match.groups())))
            strange = said - known
            if len(strange) >= FEWEST_STRANGE and 2 * len(strange) >= len(said):
                yield match.group()[:80], f"the cause in {excerpt(match.group(), 100)!r} stands in nothing that was read"
                return


FEWEST_STRANGE = 3
"""Words of a cause that were not read; one or two may be others for what was."""
