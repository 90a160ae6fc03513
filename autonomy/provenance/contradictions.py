"""Finds sentences that contradict their own evidence: negations, other persons, figures of another row."""

import re
from collections.abc import Iterator, Sequence, Set
from datetime import date
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from autonomy.provenance.concepts import without_double_negation
from autonomy.provenance.records.directions import (
    all_told_of_some,
    in_another_unit_of_time,
    of_another_table_row,
    under_another_heading,
    wrong_directions,
    wrong_shares,
)
from autonomy.provenance.records.outdated import outdated, parted_tables
from autonomy.provenance.records.parts_of_day import of_another_part
from autonomy.provenance.records.shared_tasks import of_another_in_the_line
from autonomy.provenance.reversals import near_units, reversals, unheard_outcomes
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import LONGEST_PERSON, Sources
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.standing import dropped_standing, told_as_decided, told_of_every_case
from autonomy.provenance.support import Attribution, SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.durations import is_weekday
from autonomy.provenance.text.facts import CURRENCIES, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from metrics.text.name_readings import kana_readings
from metrics.text.phrases import patterns_of
from metrics.text.quotations import INSIDE

_PHRASES = patterns_of("autonomy.provenance")

WINDOW = 14
"""Characters behind a word in which its denial stands: 「失敗」ではない, エラーは0件, 必要はありません."""
_NO = _PHRASES["denied_behind"]
_NO_BEFORE = _PHRASES["denied_before"]
_NONE_BEHIND = _PHRASES["none_behind"]
_WORD = re.compile(r"[\u30a1-\u30ff]{2,}ー?|[\u3400-\u9fff々]{2,6}(?:切れ)?|(?<![A-Za-z0-9_])[A-Za-z]{4,}(?![A-Za-z0-9_])")
_STOP = re.compile(r"[、。,;；・･!?！？\n|]|ので|のに|けれど")
_FUTURE = _PHRASES["planned"]
_DONE = _PHRASES["told_as_done"]
RETOLD = 0.6
"""Share of the shorter one's terms from which on two clauses tell the same: below it, they may only be about the same things."""


class Contradiction(NamedTuple):
    """One place where a text says other than its evidence."""

    kind: str
    """`negation`, `standing`, `decided`, `reversal`, `direction`, `outdated`, `outcome`, `day`, `number`, `scope`,
    `person`, `exchanged` or `plan`."""
    said: str
    shown: str

    @property
    def is_of_one_statement(self) -> bool:
        """Whether both tell the same but for the difference: most of the shorter one's terms are the other one's, too."""
        said, shown = terms(self.said), terms(self.shown)
        shorter = min(len(said), len(shown))
        return shorter > 1 and len(said & shown) >= RETOLD * shorter


def contradictions(found: Attribution, sources: Sources, question: str = "") -> Iterator[Contradiction]:
    """The contradictions of an attributed text, sentence by sentence. `question`: the question that it answers."""
    columns = _figures_by_column(found)
    parted = parted_tables(sources, question)
    asked = [fact for fact in facts_in(question, sources.day, sources.zone) if fact.kind is FactKind.DATE]
    asked = [] if names_a_day_by_number(question) else asked
    for sentence in found.sentences:
        if not sentence.neutral or sentence.units:
            yield from _negations(sentence, sources)
            yield from (Contradiction("standing", sentence.text, shown) for shown in dropped_standing(sentence, sources))
            yield from (Contradiction("decided", sentence.text, shown) for shown in told_as_decided(sentence, sources))
            yield from _unscaled(sentence, sources)
            yield from (
                Contradiction("direction", sentence.text, shown) for shown in wrong_directions(sentence, sources.tables())
            )
            yield from (Contradiction("outdated", sentence.text, shown) for shown in outdated(sentence, parted))
            yield from (Contradiction("outcome", word, shown) for word, shown in unheard_outcomes(sentence, sources))
            yield from _moved(sentence, sources, asked)
            yield from (Contradiction("exchanged", sentence.text, shown) for shown in of_another_in_the_line(sentence, sources))
            yield from (Contradiction("scope", sentence.text, shown) for shown in told_of_every_case(sentence, sources))
            yield from (Contradiction("day", sentence.text, shown) for shown in of_another_part(sentence, sources))
            figures = (
                wrong_shares(sentence, columns),
                in_another_unit_of_time(sentence, sources),
                of_another_table_row(sentence, sources),
                under_another_heading(sentence, sources),
                all_told_of_some(sentence, sources),
            )
            yield from (Contradiction("number", told, shown) for found in figures for told, shown in found)
        # an answer to a yes or no question may only repeat its words
        yield from (Contradiction("reversal", sentence.text, shown) for shown in reversals(sentence, sources))
        yield from _persons(sentence, sources)
        yield from _plans(sentence, sources)


def names_a_day_by_number(question: str) -> bool:
    """Whether a question names a day of the month by its number alone, beside which another one is not the only day: the 29th."""
    return _PHRASES["day_by_number"].search(question) is not None


def _figures_by_column(found: Attribution) -> list[list[Fact]]:
    """The first figure of each cell of the rows of a text's tables, by column."""
    columns: dict[int, list[Fact]] = {}
    for sentence in found.sentences:
        cells = [match.span() for match in _CELL.finditer(sentence.text)] if "|" in sentence.text else []
        for at, (begin, end) in enumerate(cells):
            inside = (one.fact for one in sentence.facts if begin <= one.fact.start - sentence.start < end)
            columns.setdefault(at, []).extend([fact for fact in inside if fact.kind is FactKind.NUMBER][:1])
    return [column for column in columns.values() if len(column) > 1]


_CELL = re.compile(r"[^|]+")


def _negations(sentence: SentenceSupport, sources: Sources) -> Iterator[Contradiction]:
    """Words that the sentence affirms and its evidence denies, or the other way round."""
    text = without_double_negation(sentence.text)
    near = {unit.text: without_double_negation(unit.text) for unit in near_units(sentence, sources)}
    own = terms(sentence.text)
    for word in dict.fromkeys(_WORD.findall(text)):
        denied = _denied(text, word) if word.lower() not in load_words("sentences")["connecting"] else None
        if denied is None or _PHRASES["names_a_time"].fullmatch(word):
            continue  # neither affirmed nor denied
        if sources.identities.bearers_of_part(word):
            continue  # `Ines: 0` tells of what she has none, and denies nobody
        held = ((unit.text, without_double_negation(unit.text)) for unit in _with_word(word, own, sources))
        rows = (row for row in chain(near.items(), held) if _speaks_of(word, row[1]))
        if denied:  # that nothing was found under a word denies it
            rows = (row for row in rows if not _PHRASES["nothing_found"].search(row[0]))
        if denied and sentence.neutral and sources.persons:  # that nobody wrote it: what a channel is for nobody wrote either
            written = {unit.text for unit in sources.index.with_any([word.lower()]) if unit.persons or unit.days}
            rows = (row for row in rows if row[0] in written)
        differing = ""
        for told, plain in rows:
            if _denied(plain, word) is not (not denied):
                break
            differing = differing or told
        else:
            if differing:
                yield Contradiction("negation", sentence.text, differing)
                return


def _speaks_of(word: str, text: str) -> bool:
    """Whether a word stands in a text otherwise than as the name of a field with words: `place: Tokyo` tells of Tokyo."""
    fields = len(_fields_called(word).findall(text)) if ": " in text else 0
    return fields < len(_places_of(word).findall(text))


@lru_cache(maxsize=500)
def _fields_called(word: str) -> re.Pattern[str]:
    """Where a word names a field with words."""
    return re.compile(rf"(?<!\w){re.escape(word)}: (?!-?\d|true\b|false\b|null\b|none\b)", re.IGNORECASE)


@lru_cache(maxsize=500)
def _places_of(word: str) -> re.Pattern[str]:
    """Where a word stands: `untolerated` is not tolerated."""
    return re.compile((r"(?<![A-Za-z])" if word.isascii() else "") + re.escape(word))


MOST_WITH_WORD = 3
"""A word that more lines hold says too little of which of them is meant."""


def _with_word(word: str, own: frozenset[str], sources: Sources) -> Iterator[EvidenceUnit]:
    """The few lines that hold a word and something else of the sentence, whose own terms are given."""
    index = sources.index
    holding = index.holding(terms(word)) if len(word) >= 4 else []
    rest = own - terms(word)
    yield from (unit for unit in holding if rest & terms(unit.text)) if len(holding) <= MOST_WITH_WORD else ()


def _denied(text: str, word: str) -> bool | None:
    """Whether a word is denied wherever it stands; None when it is both, or when another word may be what is denied."""
    found: set[bool | None] = set()
    for match in _places_of(word).finditer(text):
        if _SINCE.match(text, match.end()):
            continue  # not seen since Monday: it was seen on Monday
        if word.isascii() and (_NO_SUCH_THING.match(text, match.end()) or _asks_whether(text, match.start())):
            found.add(None)
            continue  # they need no visa: who denies the need says it otherwise; whether anybody knows it is left open
        whole = text[match.end() : match.end() + LONGEST_CLAUSE]
        behind = text[match.end() : match.end() + WINDOW]
        if value := _VALUE.match(behind):  # 期限：なし denies it, 転送届：期限なし denies another word
            behind = behind[value.end() :][:2]
        elif not word.isascii() and (colon := behind.find(":")) > 0:  # 郵便の転送届：期限なし denies the term alone
            behind = behind[:colon]
        stop = _STOP.search(behind)
        behind = behind[: stop.start()] if stop else behind
        if not word.isascii() and _OF_ITS_OWN.match(behind):
            continue  # 会議との重なりはなくなる denies what overlaps
        no = _NONE_BEHIND if word.isascii() else _NO  # in English the denial stands in front of what it denies
        behind = _OF_ANOTHER.sub("", behind)
        before = text[max(0, match.start() - 40) : match.start()]
        here = bool(
            no.search(behind)
            or _FIELD_OF_NONE.match(behind)
            or _NO_BEFORE.search(before[-16:])
            or _PHRASES["denied_as_subject"].search(before)
            or (word.isascii() and (_NIL_BEFORE.search(before) or _NIL_BEHIND.match(whole)))
        )
        far = not here and not word.isascii() and _DENIES_FAR.search(_ENDS_CLAUSE.split(whole)[0])
        found.add(None if far else here)
    return found.pop() if len(found) == 1 else None


def _asks_whether(text: str, at: int) -> bool:
    return _ASKS_WHETHER.search(text, max(0, at - LONGEST_CLAUSE), at) is not None


_NO_SUCH_THING = re.compile(r" no [a-z]")
_ASKS_WHETHER = _PHRASES["asks_whether"]
LONGEST_CLAUSE = 60
_SINCE = re.compile(r"\s(?:again )?since\b")
_ENDS_CLAUSE = re.compile(r"[、。;!?！？\n]")
_OF_ITS_OWN = re.compile(r"(?:と|へ|から)?の[\u30a1-\u30ff\u3400-\u9fff々][^\s、。]{0,8}?[はがも]")
"""What is then told of something that is its own, or is between it and another one."""
_DENIES_FAR = re.compile(r"[^\s少危]ない(?:$|[。とのでよそ])|ません(?!か)|なく(?!な)|ずに")
"""A denial anywhere in the clause, whatever of it that denies."""


_OF_ANOTHER = re.compile(r"(?<=[\u3041-\u3096」』）)])[\u30a1-\u30ff\u3400-\u9fff々]{1,6}(?:なし|無し)")
"""`「掃除」は期限なし` denies a term of its own."""
_VALUE = re.compile(r"[*_\s]{0,3}:[*_\s]{0,3}(?=[^\x00-\x7f])")
_FIELD_OF_NONE = re.compile(r"\w*: (?:0(?:\.0+)?|false|null|none)(?=,|\s|$)", re.IGNORECASE)
"""A field that says of a word that there is none of it: `rain_percent: 0`."""


_NIL_BEFORE = re.compile(
    r"(?<![\d.,:/-])0(?:\.0+)?\s(?:% (?:chance of |probability of )?)?$|(?<![\d.,])0(?:\.0+)?% (?:chance of |probability of )?$"
)
_NIL_BEHIND = re.compile(r"[^\d.;!?。\n]{0,24}(?<![\d.,])0(?:\.0+)?\s?%")
"""Nothing of something: 0 minutes, as `minutes: 0`; a 0 % chance of rain is no rain."""


def _moved(sentence: SentenceSupport, sources: Sources, asked: Sequence[Fact]) -> Iterator[Contradiction]:
    """Another relative day (明日 for 来週), or another part of the day, than its evidence gives. `asked`: the question's days, of
    which a sentence tells that names none."""
    told = [found.fact for found in sentence.facts if found.fact.kind is FactKind.DATE]
    quoted = [(sentence.start + match.start(), sentence.start + match.end()) for match in INSIDE.finditer(sentence.text)]
    sentence_days = [fact for fact in told if fact.relative and not any(begin < fact.start < end for begin, end in quoted)]
    part = _parts_of_day(sentence.text)
    for unit in sentence.units[:1]:
        days = [day for day in unit.days if is_iso_day(day)]  # a month or a week does not tell on which day it was written
        written = date.fromisoformat(min(days)) if days else sources.day
        unit_days = [fact for fact in facts_in(unit.text[:500], written, sources.zone) if fact.kind is FactKind.DATE]
        if (
            len(sentence_days) == len(unit_days) == 1
            and unit_days[0].relative
            and (_is_copied(sentence_days[0], unit_days[0], sentence) or not _overlap(sentence_days[0], unit_days[0]))
            and not _is_heading(sentence.text, sentence_days[0], unit.text)
            and not (_is_weekday(unit_days[0].text) and _PHRASES["holds_every_week"].search(unit.text))
        ):
            yield Contradiction("day", sentence.text, f"{unit.text} ({written})")  # the same words mean another day by now
        elif not (told or sentence.neutral) and len(asked) == len(unit_days) == 1 and written != sources.day:
            away = _days_away(asked[0], sources.day)
            if away is not None and away == _days_away(unit_days[0], written):  # yesterday's tomorrow is today
                yield Contradiction("day", sentence.text, f"{unit.text} ({written})")
        shown = _parts_of_day(unit.text)
        if len(part) == len(shown) == 1 and not part & shown and len(sentence.text) < 2 * len(unit.text):
            yield Contradiction("day", sentence.text, unit.text)


def _is_weekday(text: str) -> bool:
    return "曜" in text or is_weekday(text)


def _is_heading(text: str, day: Fact, read: str) -> bool:
    """Whether a text with a day in it heads lines instead of telling something: it is the day alone, or a heading of what was
    read, which stands above or in front of each day's lines alike (明日やること)."""
    bare = text.strip(" #*:：")
    return bare == day.text or f"# {text.strip(' #')}" in read or read.startswith((f"{bare}:", f"{bare}："))


def _days_away(fact: Fact, written: date | None) -> int | None:
    """How many days a word for a day is from the day on which it was written; None of a date, and of a week."""
    if written is None or not fact.relative or not is_iso_day(fact.keys[0]):
        return None
    return (date.fromisoformat(fact.keys[0]) - written).days


def _overlap(one: Fact, other: Fact) -> bool:
    return bool(set(widened_days(one.keys)) & set(widened_days(other.keys)))


def _is_copied(told: Fact, read: Fact, sentence: SentenceSupport) -> bool:
    """Whether the word for a day is that of a line where it means another day, neither quoted nor beside the line's own day:
    明日の13時です, told on the day itself."""
    beside = any(found.fact.kind is FactKind.DATE and not found.fact.relative for found in sentence.facts)
    return told.text == read.text and not set(told.keys) & set(read.keys) and not beside and not INSIDE.search(sentence.text)


def _unscaled(sentence: SentenceSupport, sources: Sources) -> Iterator[Contradiction]:
    """A sum of money told as it stands in a table that counts in thousands or millions."""
    money = [found for found in sentence.facts if found.fact.unit in CURRENCIES and found.sources]
    for found in money:
        scales = [sources.scales().get(source.call_id) for source in found.sources]
        if all(scales):
            yield Contradiction("number", found.fact.text, str(scales[0]))
            return


def _parts_of_day(text: str) -> frozenset[str]:
    return frozenset(name for name, form in _forms_of_parts() if form.search(text))


@cache
def _forms_of_parts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = load_words("dates")["parts_of_day"]
    return tuple((name, re.compile("|".join(forms), re.IGNORECASE)) for name, forms in words.items())


def _is_by(unit: EvidenceUnit, names: Set[str]) -> bool:
    """Whether a line is by somebody with one of these names, in full or as a part of the whole (幹事 桑名, 佐藤春花), or in other
    letters: りょー is ryo."""
    return bool(unit.persons & names) or any(
        not names.isdisjoint(person.split()) or not names.isdisjoint(kana_readings(person)) or _is_part(names, person)
        for person in unit.persons
    )


def _is_part(names: Set[str], person: str) -> bool:
    """Whether one of the names begins or ends a full name that is written without a blank."""
    if person.isascii() or not SHORTEST_NAME < len(person) <= LONGEST_PERSON:
        return False
    parts = (name for name in names if SHORTEST_NAME <= len(name) < len(person))
    return any(person.startswith(part) or person.endswith(part) for part in parts)


SHORTEST_NAME = 2


def _persons(sentence: SentenceSupport, sources: Sources) -> Iterator[Contradiction]:
    """Persons of whom nothing that was read says what the sentence says, where others are shown to have said or done it."""
    named = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NAME and _is_credited(found.fact, sentence)]
    for fact in named:
        names = set(fact.keys) | sources.identities.names_of_all(fact.keys)
        names |= sources.identities.names_of_all(names)  # りょー is U07RYO, who is ryo
        own = [unit for unit in sources.units if _is_by(unit, names) or any(_names(name, unit) for name in names)]
        clause = _clause(sentence, fact)
        clause_terms = terms(clause) - terms(fact.text)
        rivals = [unit for unit in sentence.units if unit not in own and _speaks_of_another(unit, names)]
        retold_by_another = clause_terms and rivals and not any(unit in own for unit in sentence.units)
        if not retold_by_another and not (clause_terms and own and sentence.units == () and sources.persons):
            continue
        if not any(clause_terms & terms(unit.text) for unit in own) and _by_another(clause_terms, own, sources):
            yield Contradiction("person", sentence.text, (rivals or list(sources.units))[0].text)


_CREDIT = _PHRASES["done_by"]
OF_ANOTHER = 0.3
"""Share of a clause that a line of somebody else has to hold; a word that is common to a team tells of nobody."""


def _is_credited(fact: Fact, sentence: SentenceSupport) -> bool:
    """Whether the sentence says that this person did, said or gave something."""
    if fact.text[:1] == "#":
        return False
    at = max(0, fact.start - sentence.start)
    return bool(_CREDIT.match(sentence.text, at + len(fact.text))) or sentence.text[max(0, at - 3) : at] == "by "


def _by_another(clause_terms: frozenset[str], own: Sequence[EvidenceUnit], sources: Sources) -> bool:
    """Whether what is said of this person is said in evidence that is not theirs."""
    own_ids = {id(unit) for unit in own}
    return any(id(unit) not in own_ids for unit in sources.index.holding(clause_terms, share=OF_ANOTHER))


def _speaks_of_another(unit: EvidenceUnit, names: set[str]) -> bool:
    other = {fact.keys[0] for fact in facts_in(unit.text[:500]) if fact.kind is FactKind.NAME}
    return bool(other - names) or bool(unit.persons and not unit.persons & names)


def _names(name: str, unit: EvidenceUnit) -> bool:
    """Whether a line names somebody; a name of one letter stands in words, so it has to be written as one: @遥."""
    if name not in (text := fold(unit.text)) or len(name) > 1:
        return name in text
    return any(fact.kind is FactKind.NAME and name in fact.keys for fact in facts_in(unit.text[:500]))


def _clause(sentence: SentenceSupport, fact: Fact) -> str:
    """The clause in which a person is named; the next one too where it holds no more than the name."""
    text, at = sentence.text, max(0, fact.start - sentence.start)
    begin = max(text.rfind(mark, 0, at) for mark in ("、", "，", ", ", "。", "（")) + 1
    ends = [place for mark in ("、", ", ", "。") if (place := text.find(mark, at + len(fact.text))) >= 0]
    end = min(ends, default=len(text))
    if end - at <= len(fact.text) + 3 and end < len(text):
        later = [place for mark in ("、", ", ", "。") if (place := text.find(mark, end + 1)) >= 0]
        end = min(later, default=len(text))
    return text[begin:end]


def _plans(sentence: SentenceSupport, sources: Sources) -> Iterator[Contradiction]:
    """What is told as done, and stands in what was read as a plan alone."""
    if not _DONE.search(sentence.text) or _FUTURE.search(sentence.text) or _PHRASES["done_by_telling"].search(sentence.text):
        return
    clauses = _CLAUSE_ENDS.split(sentence.text)
    clause = next((part for part in reversed(clauses) if _DONE.search(part)), clauses[-1])
    clause_terms = terms(clause)
    if len(clause_terms) < 2:
        return
    ids = (found.fact for found in sentence.facts if found.fact.kind is FactKind.ID)
    keys = {fact.keys[0] for fact in ids if fact.text in clause}
    near = sources.index.holding(clause_terms, share=0.6)
    if any(_tells_as_done(unit, keys, clause_terms) for unit in sources.units if keys):
        return
    planners = frozenset().union(*(unit.persons for unit in near))
    if _is_done_since(clause_terms, planners, sources):
        return
    if near and all(any(clause_terms & terms(part) and _FUTURE.search(part) for part in _parts(unit.text)) for unit in near):
        parts = [
            part for unit in near for part in _parts(unit.text) if len(clause_terms & terms(part)) >= 0.5 * len(clause_terms)
        ]
        if parts and all(_FUTURE.search(part) for part in parts):
            yield Contradiction("plan", sentence.text, near[0].text)


_CLAUSE_ENDS = re.compile(r"[、,]")


def _tells_as_done(unit: EvidenceUnit, keys: set[str], clause_terms: frozenset[str]) -> bool:
    """Whether a line with the id of a sentence tells something of it as done."""
    parts = [part for part in _parts(unit.text) if _DONE.search(part) and not _FUTURE.search(part)]
    return any(clause_terms & terms(part) for part in parts) and any(
        fact.kind is FactKind.ID and fact.keys[0] in keys for fact in facts_in(unit.text[:500])
    )


def _is_done_since(clause_terms: frozenset[str], planners: frozenset[str], sources: Sources) -> bool:
    """Whether a line of whoever planned it, that tells of no plan, tells much of a clause as done, in other words: 足します,
    入れて直しました."""
    lines = [unit for unit in sources.index.holding(clause_terms, share=MUCH) if unit.persons & planners]
    return any(not _FUTURE.search(unit.text) and any(map(_DONE.search, _parts(unit.text))) for unit in lines)


MUCH = 0.4


def _parts(text: str) -> list[str]:
    """A message in sentences; a heading such as 「明日:」 goes with what it heads."""
    if _PHRASES["heads_plans"].match(text):
        return [text]
    return [part for part in _ENDS_PART.split(text) if part.strip()]


_ENDS_PART = re.compile(r"[。\n]| (?=(?:#{1,6}|[-*]) )")
"""The lines of a post stand in one, each with its mark."""
