"""Checks an answer against what its question asks for: which rows, which address, who is responsible."""

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from importlib.resources import files

from pydantic import TypeAdapter

from autonomy.completion.evidence import view_of
from autonomy.completion.rules.asked.question_rules import tells
from autonomy.completion.rules.case import Judgement
from autonomy.provenance.coverage import unread_calls
from autonomy.provenance.sources.leaves import Leaf, leaves
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, minutes_named, names_somebody, normal_rows, stands
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.durations import adds_up_to, told_spans
from autonomy.provenance.text.facts import FactKind, address_keys, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in
from autonomy.run_state.run_provenance import data_of
from discovery.catalog import Frozen
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def as_wanted(case: Judgement) -> Iterator[tuple[str, str]]:
    """Each thing that is listed is of the kind that was asked for, what is told of was opened, and who is named has that part."""
    if case.evidence.task.needs or not case.evidence.reads or _PHRASES["own_knowledge"].search(case.answer):
        return
    yield from _not_of_the_kind(case)
    yield from _of_another_state(case)
    yield from _not_free(case)
    yield from _not_the_most_frequent(case)
    yield from _not_who_said_so(case)
    yield from _another_person(case)
    yield from _address_not_opened(case)
    yield from _another_row_written(case)
    yield from _not_beyond(case)
    yield from _another_span(case)
    yield from _not_its_words(case)


def _not_of_the_kind(case: Judgement) -> Iterator[tuple[str, str]]:
    """A row that is listed without the label, or from another sender, than the question names and other rows have."""
    goal = fold(case.ctx.request.task.goal)
    if not _PHRASES["asks_which"].search(goal) or _PHRASES["asks_for_the_rest"].search(goal):
        return
    said = _affirmed(case.answer)
    for table in case.evidence.sources.tables():
        for column, word in _labels_asked_for(goal, table):
            listed = [
                row
                for one in said
                if not _PHRASES["leaves_some_out"].search(one) and not _OTHERS.search(one)
                for row in table.rows_named(one)
                if stands(one, word) or _PHRASES["counts_listed"].search(one)
            ]
            wrong = [row for row in listed if word not in labels(row, column)]
            if wrong and any(word in labels(row, column) for row in table) and not any(word in row.around for row in table):
                yield word, f"{word!r} was asked for, and this is listed as well: {normal_rows(wrong[:1])}"
                return


_OTHERS = re.compile(r"\bother\b|\brest\b|ほか|他の|残り")


def _affirmed(answer: str) -> list[str]:
    """The folded sentences of an answer that deny nothing."""
    return [fold(one.text) for one in sentences_in(answer) if not _PHRASES["denies_a_line"].search(one.text)]


def _labels_asked_for(goal: str, table: Table) -> Iterator[tuple[str, str]]:
    """The labels that a question names, with their column: words of a list (`labels`), or the mailbox of a sender."""
    for column in {name: None for row in table for name in (*row.lists, *row.cells)}:
        words = {word for row in table for word in labels(row, column)}
        for word in sorted(words) if len(words) > 1 else ():
            if stands(goal, word) or stands(goal, f"{word}s"):
                yield column, word


def labels(row: Row, column: str) -> frozenset[str]:
    """The words under which a row is filed: its list, or who stands before the @ of an address."""
    if column in row.lists:
        return frozenset(row.lists[column])
    cell = row.cells.get(column)
    return frozenset({fold(cell).partition("@")[0]}) if isinstance(cell, str) and "@" in cell else frozenset()


def _of_another_state(case: Judgement) -> Iterator[tuple[str, str]]:
    """Things of one state are asked for (closed issues), and all that was read is of another one."""
    goal = fold(case.ctx.request.task.goal)
    if _PHRASES["tells_of_nothing"].search(case.answer) or _PHRASES["asks_whether"].search(goal):
        return
    for table in case.evidence.sources.tables():
        shown = {row.word(name) for row in table for name in STATE_COLUMNS & row.cells.keys()}
        for one, other in _STATE_PAIRS if len(shown) == 1 else ():
            if tells((one,), goal) and not tells((other,), goal) and shown == {other} and len(table) > 1:
                yield one, f"the question is about what is {one}, and all {len(table)} that were read are {other}"
                return


def _marks_of(row: Row) -> frozenset[str]:
    """The state of a row and the words of its lists."""
    states = (row.word(name) for name in row.cells if name.lower() in STATE_COLUMNS)
    return frozenset((*states, *(word for words in row.lists.values() for word in words)))


def _is_held(row: Row) -> bool:
    return any(row.cells.get(name) or row.lists.get(name) for name in _PARTS["assignee"].keys)


def _is_whole(case: Judgement) -> bool:
    """Whether all pages were read."""
    return not any(True for _ in unread_calls([view_of(record, case.ctx) for record in case.evidence.reads]))


_STATE_PAIRS = (
    ("closed", "open"),
    ("open", "closed"),
    ("done", "open"),
    ("merged", "open"),
    ("archived", "active"),
    ("unpaid", "paid"),
)


def _not_free(case: Judgement) -> Iterator[tuple[str, str]]:
    """A thing that is listed as nobody's, and has somebody."""
    if not _PHRASES["asks_for_nobodys"].search(case.ctx.request.task.goal):
        return
    without = [fold(one.text) for one in sentences_in(case.answer) if _PHRASES["asks_for_nobodys"].search(one.text)]
    said = [*_affirmed(case.answer), *without]
    for table in case.evidence.sources.tables():
        for sentence, row in ((one, row) for one in said for row in table.rows_named(one)):
            held = [str(cell) for name, cell in row.cells.items() if name.lower() in _PARTS["assignee"].keys and cell]
            if any(stands(sentence, fold(cell)) for cell in held):
                continue  # it is told with whoever has it
            if held and any(not other.cells.get(name) for other in table for name in _PARTS["assignee"].keys & set(row.cells)):
                yield held[0], f"what nobody has was asked for, and this one is {held[0]}'s: {normal_rows([row])}"
                return
        told = table.rows_named(fold(case.answer))
        free = [row for row in table if row.empty & _PARTS["assignee"].keys and not _is_held(row)]
        listed = [row for row in free if row in told]
        if listed and _is_whole(case):
            alike = frozenset.intersection(*map(_marks_of, listed))  # what else was asked of them: open, a bug
            for row in (row for row in free if row not in told and alike <= _marks_of(row)):
                yield "nobody's", f"{'nobody'!r} was asked for, and this is left out: {normal_rows([row])}"
                return


def _not_the_most_frequent(case: Judgement) -> Iterator[tuple[str, str]]:
    """What is told as the most popular answer, and is given less often than another one."""
    if not _PHRASES["most_frequent"].search(f"{case.ctx.request.task.goal}\n{case.answer}"):
        return
    first = next((fold(one.text) for one in sentences_in(case.answer) if not one.heading), "")
    for table in case.evidence.sources.tables():
        for name in table[0].cells:
            counts = Counter(row.word(name) for row in table)
            told = [value for value in counts if stands(first, value)]
            if len(told) == 1 and counts[told[0]] < max(counts.values()):
                most, times = counts.most_common(1)[0]
                yield told[0], f"『{told[0]}』 stands there {counts[told[0]]} times, and {most} {times} times"
                return


def _not_who_said_so(case: Judgement) -> Iterator[tuple[str, str]]:
    """Who is named in answer to who chose something, and chose something else."""
    goal = fold(case.ctx.request.task.goal)
    if not _PHRASES["asks_who"].search(goal) or _PHRASES["asks_for_the_rest"].search(goal):
        return
    said = [fold(one.text) for one in sentences_in(case.answer)]
    for table in case.evidence.sources.tables():
        columns = [
            name for name in table[0].cells if len({str(row.cells.get(name)) for row in table}) > 1 and not names_somebody(name)
        ]
        wanted = {name: {row.word(name) for row in table if stands(goal, row.word(name))} for name in columns}
        asked = {name: values for name, values in wanted.items() if len(values) == 1}
        if len(asked) != 1 or len(said) != 1:
            continue
        (name, values), *_ = asked.items()
        people = [column for column in table[0].cells if names_somebody(column)]
        told = [row for row in table if any(stands(said[0], row.word(column)) for column in people)]
        wrong = [row for row in told if row.word(name) not in values]
        if wrong and len(wrong) == len(told):
            yield next(iter(values)), f"『{next(iter(values))}』 was asked for, and what was read says {normal_rows(wrong[:1])}"
            return


class _Part(Frozen):
    """What somebody may be to a thing: the fields that name him, and the words that ask for him."""

    keys: frozenset[str]
    words: tuple[str, ...]


_PARTS = TypeAdapter(dict[str, _Part]).validate_json(files("autonomy.completion").joinpath("data/parts.json").read_bytes())


def _another_person(case: Judgement) -> Iterator[tuple[str, str]]:
    """Who is named as the one responsible is somebody else whom the same result names, in another part."""
    goal = fold(case.ctx.request.task.goal)
    asked = [part for part in _PARTS.values() if tells(part.words, goal)]
    if len(asked) != 1:
        return
    found = [leaf for record in case.evidence.reads for leaf in leaves(data_of(record)) if isinstance(leaf.value, str)]
    own = {fold(str(leaf.value)) for leaf in found if asked[0].keys & _names_on(leaf)}
    others = {
        fold(str(leaf.value))
        for leaf in found
        for part in _PARTS.values()
        if part is not asked[0] and part.keys & _names_on(leaf)
    }
    answer = fold(case.answer)
    told = [name for name in sorted(others - own) if stands(answer, name)]
    if len(own) == 1 and told and not any(stands(answer, name) for name in own):
        yield told[0], f"『{told[0]}』 stands in another part; what was asked for is {min(own)}"


def _names_on(leaf: Leaf) -> frozenset[str]:
    """The names of the last two members that lead to a leaf: `assignee` and `displayName`."""
    parts = leaf.path.replace("]", "").replace("[", ".").split(".")
    return frozenset(part.lower() for part in [one for one in parts if not one.isdecimal()][-2:])


def _address_not_opened(case: Judgement) -> Iterator[tuple[str, str]]:
    """An address that the question names, and that no call and no result has, while another one was opened."""
    named = [fact for fact in facts_in(case.ctx.request.task.goal) if fact.kind is FactKind.URL and "@" not in fact.text]
    if not named:
        return
    texts = (str(leaf.value)[:2_000] for record in case.ctx.records for leaf in leaves(record.arguments))
    keys = {key for text in texts for fact in facts_in(text) if fact.kind is FactKind.URL for key in fact.keys}
    for fact in named if keys else ():
        if not keys & set(address_keys(fact.text)) and not case.evidence.sources.of_fact(fact)[1:]:
            yield fact.text, f"the question names {fact.text}, and what was opened is {min(keys)}"


def _another_row_written(case: Judgement) -> Iterator[tuple[str, str]]:
    """A write to one row of what was read, where the goal names another one of them by its own words."""
    goal = fold(case.ctx.request.task.goal)
    for table in case.evidence.sources.tables():
        named = table.rows_named(goal) or _named(goal, table)
        if len(named) != 1 or len(table) < 2:
            continue
        ids = {str(row.cells["id"]): row for row in table if "id" in row.cells}
        for record in case.evidence.writes:
            written = [ids[text] for leaf in leaves(record.arguments) if (text := str(leaf.value)) in ids]
            if len(written) == 1 and written[0] is not named[0]:
                yield (
                    str(written[0].cells["id"]),
                    f"what was written is {normal_rows(written)}, and the goal names {normal_rows(named)}",
                )
                return


def _named(goal: str, table: Table) -> list[Row]:
    """The rows whose title, or a word that stands in no other title, is in the goal."""
    titles = [
        fold(" ".join(str(cell) for name, cell in row.cells.items() if name.lower() in _TITLES or names_somebody(name)))
        for row in table
    ]
    words = [set(title.split()) for title in titles]
    standing = Counter(word for of_title in words for word in of_title)
    return [
        row
        for row, of_title in zip(table, words, strict=True)
        if any(standing[word] == 1 and len(word) > FEWEST_LETTERS and stands(goal, word) for word in of_title)
    ]


_TITLES = frozenset({"summary", "title", "name", "subject", "firstname", "lastname", "first_name", "last_name", "company"})
FEWEST_LETTERS = 3
"""A shorter word of a title names nothing."""


def _not_beyond(case: Judgement) -> Iterator[tuple[str, str]]:
    """A row that is listed as beyond the figure which the question names, and is not; or one that is, and is told nowhere."""
    asked = _PHRASES["asks_beyond"].search(case.ctx.request.task.goal)
    lines = [
        fold(line) for line in case.answer.splitlines() if _LIST_LINE.match(line) and not _PHRASES["leaves_some_out"].search(line)
    ]
    if not asked or not lines:
        return
    meets = _SIGNS[asked["ja_sign"] or asked["sign"].lower()]
    hours = (asked["ja_unit"] or asked["en_unit"] or "").lower() in ("時間", "hour", "hours", "h")
    bound = _size((asked["ja"] or asked["en"]).strip(",."), hours=hours)
    whole = _is_whole(case)
    for table in case.evidence.sources.tables():
        listed = [(line, row) for line in lines for row in table.rows_named(line, _OWNERS)]
        sizes = {name: [_size(row.cells.get(name), hours=hours) for row in table] for name in table[0].cells if listed}
        told = [name for name in sizes if all(_tells_cell(line, row.cells.get(name)) for line, row in listed)]
        measured = [name for name in told if None not in sizes[name] and any(map(_above_one, sizes[name]))]
        if len(measured) != 1:
            continue  # which column the question means is not clear
        sized = zip(table, sizes[measured[0]], strict=True)
        beyond = [row for row, size in sized if bound is not None and size is not None and meets(size, bound)]
        wrong = [row for _, row in listed if row not in beyond]
        rest = [row for row in beyond if row not in table.rows_named(fold(case.answer), _OWNERS)]
        if wrong:
            yield measured[0], f"{asked.group().strip()!r} was asked for, and this is listed as well: {normal_rows(wrong[:1])}"
        elif rest and whole:
            yield measured[0], f"{asked.group().strip()!r} was asked for, and this is left out: {normal_rows(rest[:1])}"
        return


_OWNERS = frozenset(
    {"employee", "member", "person", "customer", "client", "item", "product", "品名", "氏名", "社員", "名前", "商品"}
)
_LIST_LINE = re.compile(r"\s{0,8}(?:[-*•・|]|\d{1,2}[.)])\s?")
_SIGNS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    **dict.fromkeys(("over", "above", "more than", "exceeding", "exceeded", "超え", "超過", "上回"), operator.gt),
    **dict.fromkeys(("at least", "以上"), operator.ge),
    **dict.fromkeys(("under", "below", "less than", "fewer than", "下回", "未満"), operator.lt),
    **dict.fromkeys(("at most", "以下"), operator.le),
}


def _size(cell: object, *, hours: bool) -> Decimal | None:
    """How much a cell is; of hours as `47:20` the hours."""
    if hours and isinstance(cell, str) and (match := _SPAN.fullmatch(cell)):
        return Decimal(int(match[1]) * 60 + int(match[2])) / 60
    try:
        number = Decimal(str(cell).replace(",", "")) if isinstance(cell, str | int | float) else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() else None


_SPAN = re.compile(r"(\d{1,4}):([0-5]\d)")


def _tells_cell(line: str, cell: object) -> bool:
    """Whether a line tells a cell's figure, with thousands separated or not."""
    return bool(re.search(rf"(?<![\d.:]){re.escape(str(cell))}(?![\d:]|\.\d)", line.replace(",", "")))


def _above_one(size: Decimal | None) -> bool:
    """Whether a figure is no share of one, which people tell in per cent."""
    return size is not None and size > 1


def _another_span(case: Judgement) -> Iterator[tuple[str, str]]:
    """How long something took, told of a row otherwise than its two moments say."""
    asked = bool(_PHRASES["asks_how_long"].search(case.ctx.request.task.goal))
    for line in case.answer.splitlines() if asked else ():
        spans, taken = told_spans(line), minutes_named(line, case.evidence.sources.tables())
        if not spans or len(taken) != 1 or _PHRASES["leaves_some_out"].search(line):
            continue
        (minutes,) = taken
        if not adds_up_to(spans, minutes):
            days, rest = divmod(minutes, 1440)
            yield spans[0].text, f"『{spans[0].text}』 is not how long it took: {days} d {rest // 60} h {rest % 60} min"
            return


def _not_its_words(case: Judgement) -> Iterator[tuple[str, str]]:
    """A block quotation that is given as the very words, and stands nowhere in what was read."""
    if not _PHRASES["asks_for_a_quotation"].search(case.ctx.request.task.goal):
        return
    read = _WORDS.sub("", fold("\n".join(unit.text for unit in case.evidence.units)))
    for line in _BLOCK_QUOTE.findall(case.answer):
        for sentence in sentences_in(line):
            words = _WORDS.sub("", fold(sentence.text))
            if len(words) > SHORTEST_QUOTED and words not in read:
                yield sentence.text[:80], f"{sentence.text[:160]!r} is given as a quotation, and stands nowhere in what was read"
                return


_BLOCK_QUOTE = re.compile(r"^\s{0,3}>\s?(.+)$", re.MULTILINE)
_WORDS = re.compile(r"[\W_]+")
SHORTEST_QUOTED = 12
"""Letters from which on a line is a quotation, and no name under one."""
