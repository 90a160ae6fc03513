"""Checks that what a free goal's answer states has a source, and agrees with what was read."""

import re
from collections.abc import Iterator
from datetime import UTC, date, timedelta
from decimal import Decimal

from autonomy.completion.rules.asked.asked_actions import english_counts, japanese_counts
from autonomy.completion.rules.asked.asked_records import is_total_asked
from autonomy.completion.rules.asked.clocks_asked import times_that_follow
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.joined_facts import of_another_read
from autonomy.completion.rules.text.content import RANK, disagreement, instead, matters, traps
from autonomy.llm.machine_orders import order_to_a_machine
from autonomy.provenance.misstatements.contradictions import Contradiction
from autonomy.provenance.reckoning.derivations import is_for_all
from autonomy.provenance.records.field_states import field_states, turned_round
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import FEWEST_TERMS, sentences_in, terms
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of
from metrics.text.quotations import INSIDE, unquoted
from metrics.text.written_language import written_language

_PHRASES = patterns_of("autonomy.completion")
_LOST = _PHRASES["tells_of_a_failed_read"]


def sourced(case: Case) -> Iterator[tuple[str, str]]:
    """Figures, days, times, ids and quotations of the answer and of what was written, and names of a short answer, have
    a source."""
    for text in case.free_texts:
        for sentence, support in text.own_facts():
            if not support.supported and _counts(support.fact, sentence, case):
                shown = instead(support.fact, sentence)
                problem = f"『{support.fact.text}』 has no source"
                yield support.fact.text, problem + (f"; what was read says {shown}" if shown else "")


def in_the_one_text(case: Case) -> Iterator[tuple[str, str]]:
    """What retells one text in short or in another language has no sum of money and no count that stands nowhere in it; how long
    something takes is often reckoned."""
    if not _PHRASES["asks_to_retell"].search(case.goal) or case.declares_needs or len(case.evidence.reads) > MOST_READS_OF_ONE:
        return
    for text in case.free_texts[:1]:
        for sentence, support in text.own_facts():
            fact = support.fact
            tells = fact.kind is FactKind.NUMBER and (fact.unit or len(fact.keys[0]) >= FEWEST_DIGITS)
            if tells and fact.unit not in _LASTING and not support.supported and _counts(fact, sentence, case):
                yield fact.text, f"『{fact.text}』 stands nowhere in the text that you retell"
                return


MOST_READS_OF_ONE = 2
"""One that lists, and one that opens the text."""
FEWEST_DIGITS = 3
_LASTING = frozenset({"秒", "分", "時間", "日", "日間", "週", "週間", "月", "か月", "ヶ月", "年", "年間", "回"})


def added_up(case: Case) -> Iterator[tuple[str, str]]:
    """A total beside its parts, or of as many things as a list has rows, is their sum, unless it has a source of its own."""
    for text in case.free_texts:
        figures = [
            (sentence, support)
            for sentence, support in text.own_facts()
            if support.fact.kind is FactKind.NUMBER and support.fact.unit
        ]
        for sentence, support in figures:
            total = support.fact
            if support.supported or not is_for_all(sentence.text, total.start - sentence.start, total.end - sentence.start):
                continue
            parts = [other.fact for _, other in figures if other.supported and other.fact.unit == total.unit]
            summands = [Decimal(part.keys[0]) for part in parts]
            if len(parts) > 1 and max(summands) < Decimal(total.keys[0]) != (makes := sum(summands)):
                shown = ", ".join(part.text for part in parts[:4])
                yield total.text, f"『{total.text}』 is told as a total, and what stands beside it ({shown}) makes {makes:,f}"
            elif (rows := _sum_of_counted_rows(sentence.text, Decimal(total.keys[0]), case)) is not None:
                yield total.text, f"『{total.text}』 is told as the total of all rows, and they make {rows:,f}"


def _sum_of_counted_rows(sentence: str, total: Decimal, case: Case) -> Decimal | None:
    """What a column makes of a list that has as many rows as a sentence counts, and no such column makes the total it tells."""
    counts = {*japanese_counts(sentence), *english_counts(sentence)}
    tables = [table for table in case.evidence.sources.tables() if len(table) > 1 and len(table) in counts]
    columns = [[row.cells.get(name) for row in table] for table in tables for name in table[0].cells]
    figures = [[Decimal(str(cell)) for cell in column] for column in columns if all(type(one) in (int, float) for one in column)]
    sums = [sum(column, Decimal()) for column in figures if max(column) < total]
    near = [made for made in sums if total / 2 < made < total * 2]  # else it is of another column
    return None if total in near else min(near, key=lambda made: abs(made - total), default=None)


def nothing_traced(case: Case) -> Iterator[tuple[str, str]]:
    """Of several figures, days, times and ids, at least one was read or can be calculated from what was read."""
    for text in case.free_texts:
        news = [(sentence, support) for sentence, support in text.own_facts() if case.is_news(support.fact)]
        if any(support.supported for _, support in news):
            continue
        facts = [support.fact for sentence, support in news if _counts(support.fact, sentence, case)]
        if FEWEST_UNTRACED <= len(facts) <= MOST_UNTRACED:
            shown = ", ".join(f"『{fact.text}』" for fact in facts[:3])
            yield "nothing traced", f"none of {len(facts)} figures, days and ids has a source, among them {shown}"


FEWEST_UNTRACED = 2
"""One alone may be reckoned in an unknown way. No good answer of the told runs has two to eight and no source for any."""
MOST_UNTRACED = 8
"""More may all be reckoned in one way that is not known, such as a table of totals in another unit."""


def of_its_record(case: Case) -> Iterator[tuple[str, str]]:
    """A figure or time stated of one record of a list is not another record's."""
    for text in case.free_texts:
        yield from case.misplaced(text.text)


def exchanged_figures(case: Case) -> Iterator[tuple[str, str]]:
    """A figure is not that of another day, month or place, which was read apart."""
    for text in case.free_texts:
        yield from of_another_read(text.text, case)


def not_reversed(case: Case) -> Iterator[tuple[str, str]]:
    """A sentence does not reverse its own evidence: the order, the number, the cause, or what was denied, left open or only
    planned."""
    yield from (one for one in _contradicted(case) if one[0] not in _OF_SINGLE_WORDS)


def not_denied(case: Case) -> Iterator[tuple[str, str]]:
    """A sentence does not deny what its evidence affirms, and states no outcome or person that the evidence does not."""
    yield from (one for one in _contradicted(case) if one[0] in _OF_SINGLE_WORDS)


def in_the_state_read(case: Case) -> Iterator[tuple[str, str]]:
    """A thing is not told as the opposite of what its field says: 検出 as 検出されず, positive as negative."""
    states = field_states(case.evidence.content(record).data for record in case.evidence.reads) if case.free_texts else []
    for text in case.free_texts if states else ():
        for said, state in turned_round(text.text, states):
            yield said, f"you say {said!r}, and what was read says {excerpt(state.shown, 80)!r}"


def told_as_utc(case: Case) -> Iterator[tuple[str, str]]:
    """A time that was read with the offset of its place is not told as UTC as it stands there."""
    for text in case.free_texts:
        for _, support in text.own_facts():
            told = _SAID_IN_UTC.fullmatch(support.fact.text)
            moments = [local_moment(source.text, UTC) for source in support.sources] if told else []
            clocks = [f"{at:%H:%M}" for at in moments if at]
            if told and clocks and len(clocks) == len(moments) and told[1].zfill(5) not in clocks:
                yield support.fact.text, f"『{support.fact.text}』 is the time of the place; in UTC it is {clocks[0]}"


_SAID_IN_UTC = re.compile(r"(\d{1,2}:\d\d)\s?\(?(?:UTC|GMT)")


def no_orders(case: Case) -> Iterator[tuple[str, str]]:
    """Instructions to machines in what was read are neither passed on nor followed."""
    for text in case.free_texts:
        found = case.attribution(text.text)
        yield from (("an order", order) for order in traps(found, case))
        if not _PHRASES["tells_of_an_order"].search(text.text):
            yield from (("an order", order) for sentence in found.sentences for order in _followed(sentence))


def _followed(sentence: SentenceSupport) -> Iterator[str]:
    """What a sentence says because a text told machines to say it: half of its words are that order's."""
    said = terms(sentence.text)
    for unit in sentence.units if len(said) >= FEWEST_TERMS else ():
        order = order_to_a_machine(unit.text)
        if 2 * len(said & terms(order)) >= len(said):
            yield f"{excerpt(sentence.text, 60)!r} is what a text tells machines to say: {excerpt(order, 80)!r}"
            return


def _contradicted(case: Case) -> Iterator[tuple[str, str]]:
    for text, contradicted in case.contradictions:
        for found in contradicted:
            if found.kind == "negation" and (_OWN_CONDUCT.search(unquoted(found.said)) or _tells_of_a_failure(found, case)):
                continue
            if found.kind not in _OF_WORDS or not _shows_its_evidence(found.said, found.shown, text.text, case):
                yield found.kind, disagreement(found, 160)


_OWN_CONDUCT = _PHRASES["denies_own_conduct"]


def _tells_of_a_failure(found: Contradiction, case: Case) -> bool:
    """Whether a sentence retells why a call failed, rather than the line that is held against it; a deed that did not come about
    is told in the same words as what it was about."""
    said = terms(found.said)
    rests = len(said & terms(found.shown))
    lost = (record for record in case.ctx.records if not record.ok)
    return any(len(said & terms(_told_of(record))) + record.is_write > rests for record in lost)


def _told_of(record: CallRecord) -> str:
    return " ".join((record.tool.replace("_", " "), record.reason, record.result.text, str(record.arguments)))


_OF_SINGLE_WORDS = frozenset({"negation", "outcome", "person"})
"""Contradictions that hang on one word, which a true answer puts otherwise as often as a false one."""
_OF_WORDS = frozenset({"negation", "standing", "reversal", "outcome", "plan"})
"""Contradictions that are told by single words, and not by figures, days or persons."""
SHORTEST_SHOWN = 6


def _shows_its_evidence(claim: str, evidence: str, text: str, case: Case) -> bool:
    """Whether a doubted sentence quotes what was read, so that everybody sees what it rests on: the line that is held against it,
    or, where a word was heard nowhere, one that has the word."""
    sentences = [one for one in sentences_in(text) if claim in one.text]
    for quoted in (words for one in sentences[:1] for words in INSIDE.findall(one.text)):
        inner = fold(quoted)
        if len(inner) >= SHORTEST_SHOWN and (inner in fold(evidence) if evidence else fold(claim) in inner):
            return bool(evidence) or case.evidence.sources.contains(inner)
    return False


def _calls_by_number(fact: Fact, case: Case) -> bool:
    """Whether a bare number is what something that was read is called by, where the goal asks for numbers: 425, of PR #425."""
    is_bare = fact.kind is FactKind.NUMBER and not fact.unit and len(fact.keys[0]) > 1
    asks = is_bare and _PHRASES["asks_for_numbers_of"].search(case.goal)
    return bool(asks) and case.evidence.sources.contains(f"#{fact.keys[0]}")


def _counts(fact: Fact, sentence: SentenceSupport, case: Case) -> bool:
    if case.is_called_tool(fact) or _calls_by_number(fact, case):
        return False
    if fact.kind in (FactKind.PLACE, FactKind.NAME):  # of a long answer a name without a source was true six times in seven
        is_called = fact.kind is FactKind.NAME and case.stands_or_falls and bool(sentence.units)
        return is_called and not case.was_said(fact) and not _transcribed(fact, case)
    if fact.kind is FactKind.URL and any(
        fact.text in str(value) for record in case.evidence.reads for value in record.arguments.values()
    ):
        return False  # the page that was opened and answered
    if fact.kind in (FactKind.TIME, FactKind.DATE) and (_was_written(fact, case) or _follows_from_the_goal(fact, case)):
        return False
    if fact.kind is FactKind.DATE and (_lies_between_days_asked(fact, case) or _bounds_a_known_week(fact, sentence, case)):
        return False
    if fact.kind is FactKind.DATE and not case.evidence.writes and set(widened_days(fact.keys)) & _weeks_asked(case):
        return False
    if fact.kind is FactKind.TIME and _PHRASES["names_now"].search(sentence.text) and f"{case.ctx.began:%H:00}" in fact.keys:
        return False
    if fact.kind is FactKind.QUOTE and (_is_of_what_was_written(fact, case) or _is_wording_asked_for(fact, case)):
        return False  # what was written is quoted, not what was read
    if any(_covers(title, fact, sentence) for title in case.written_titles):
        return False  # so is what the run itself called what it wrote
    if fact.kind is FactKind.NUMBER and _is_a_way_to_speak(fact, sentence, case):
        return False
    if case.counts_rows(fact, sentence.text) or case.counts_own_lines(fact) or is_total_asked(fact, case):
        return False
    return matters(fact, sentence, case) and not case.was_said(fact)


def _is_of_what_was_written(fact: Fact, case: Case) -> bool:
    """Whether a quotation stands in a text that the run wrote, or is what it called one."""
    quoted = _bare(fact.text)
    return any(quoted in _bare(text) for text in (*(sent.text for sent in case.last_sent), *case.written_titles))


def _is_wording_asked_for(fact: Fact, case: Case) -> bool:
    """Whether a quotation is all of a line, where the goal asks for words: each proposal stands in marks of its own."""
    if not _PHRASES["asks_for_wording"].search(unquoted(case.goal)):
        return False
    return any(_bare(_NUMBERED.sub("", line)) == _bare(fact.text) for line in case.answer.splitlines())


_NUMBERED = re.compile(r"^\s*\d{1,2}[.)．）]")


def _covers(title: str, fact: Fact, sentence: SentenceSupport) -> bool:
    """Whether a sentence names this title, and a fact of it stands in there."""
    begin = sentence.text.find(title)
    return begin >= 0 and begin <= fact.start - sentence.start and fact.end - sentence.start <= begin + len(title)


def _is_a_way_to_speak(fact: Fact, sentence: SentenceSupport, case: Case) -> bool:
    """Whether a number counts nothing that was read: 一つの方法, a rank of a told line (whether it is, others check), how many
    people the question names, a span that ends now, in how many goes to do something."""
    return (
        (fact.unit == "つ" and fact.keys[0] == "1")
        or (fact.unit == RANK and fact.keys[0].isdecimal() and int(fact.keys[0]) <= max(case.rows_told, 1))
        or (fact.unit == "人" and fact.keys[0] == str(_persons_asked_about(case)))
        or bool(_PHRASES["splits_in_parts"].match(sentence.text, fact.start - sentence.start))
        or _counts_own_tries(fact, sentence, case)
    )


def _counts_own_tries(fact: Fact, sentence: SentenceSupport, case: Case) -> bool:
    """Whether a number counts how often the run tried what failed: 2回目は失敗しました."""
    tries = len(case.ctx.records)
    return fact.unit == "回" and fact.keys[0] in map(str, range(1, tries + 1)) and bool(_LOST.search(sentence.text))


def _persons_asked_about(case: Case) -> int:
    """How many people the question names."""
    return len({fact.keys[0] for fact in case.asked if fact.kind is FactKind.NAME and fact.text[:1] != "#"})


def _lies_between_days_asked(fact: Fact, case: Case) -> bool:
    """Whether a day lies in the span of two days that the question names: that nothing is there of it may be told."""
    days = sorted(key for other in case.asked if other.kind is FactKind.DATE for key in other.keys if is_iso_day(key))
    return len(days) > 1 and any(is_iso_day(key) and days[0] <= key <= days[-1] for key in fact.keys)


def _weeks_asked(case: Case) -> set[str]:
    """The weeks that the question names (2027-W10, 来週): which days they have is the calendar's."""
    return {key for fact in case.asked if fact.relative for key in fact.keys if "-W" in key}


def _bounds_a_known_week(fact: Fact, sentence: SentenceSupport, case: Case) -> bool:
    """Whether a day begins or ends a week of the calendar that the sentence tells by both days (Nov 23-29), and that the question
    names or something read is of."""
    told = {key for found in sentence.facts for key in found.fact.keys if found.fact.kind is FactKind.DATE and is_iso_day(key)}
    known = _weeks_asked(case) | {key for unit in case.evidence.units for key in widened_days(unit.days) if "-W" in key}
    return any(
        {first, last} <= told and (first in fact.keys or last in fact.keys) and not known.isdisjoint(widened_days((first, last)))
        for monday in {_monday(day) for day in fact.keys if is_iso_day(day)}
        for first, last in (_days_from(monday, 0, 6), _days_from(monday, 0, 4), _days_from(monday, -1, 5))
    )


def _monday(day: str) -> date:
    at = date.fromisoformat(day)
    return at - timedelta(days=at.weekday())


def _days_from(monday: date, first: int, last: int) -> tuple[str, str]:
    return (monday + timedelta(days=first)).isoformat(), (monday + timedelta(days=last)).isoformat()


def _bare(text: str) -> str:
    return _MARKS.sub("", fold(text))


_MARKS = re.compile(r"[^\w#@]+")


def _was_written(fact: Fact, case: Case) -> bool:
    """Whether a write was for this day or time, which the run had to reckon: the goal names none, or calls it next week."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    asked_facts = [other for other in case.asked if other.kind is fact.kind]
    texts = [str(leaf.value)[:200] for record in case.evidence.writes for leaf in leaves(record.arguments)]
    # an argument that is a day or a time, not a text that speaks of one: that needs a source itself
    read = (other for text in texts for other in facts_in(text, day, zone) if 2 * len(other.text) >= len(text))
    stated = [other for other in read if other.kind is fact.kind]
    as_asked = not asked_facts or any(
        set(widened_days(other.keys)) & set(asked_fact.keys) for other in stated for asked_fact in asked_facts
    )
    return as_asked and any(set(other.keys) & set(fact.keys) for other in stated)


def _follows_from_the_goal(fact: Fact, case: Case) -> bool:
    """Whether a time is one of the goal's on other clocks, or where something ends that begins then."""
    return fact.kind is FactKind.TIME and not case.made_once(times_that_follow).isdisjoint(fact.keys)


_KATAKANA = re.compile(r"[ァ-ヶー・]+")


def _transcribed(fact: Fact, case: Case) -> bool:
    """Whether a name is in kana because the sources are in another script, where it cannot be looked for."""
    units = " ".join(unit.text for unit in case.evidence.units[:100])
    return bool(_KATAKANA.fullmatch(re.sub(r"(?:さん|様|氏)$", "", fact.text))) and written_language(units) == "en"
