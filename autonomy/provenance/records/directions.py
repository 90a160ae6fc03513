"""Finds changes, shares, spans of time and cells of tables that are told wrongly."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, islice, pairwise, takewhile
from typing import NamedTuple

from autonomy.provenance.reckoning.derivations import follows, is_rough
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.support import FactSupport, SentenceSupport
from autonomy.provenance.text.facts import COUNT_WORDS, Fact, FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
_CLAUSE = _PHRASES["parts_clauses"]
_ROW_OF_TIME = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:[T ].{0,30})?")
MOST_ROWS = 12
"""In a longer table two rows differ by any small figure by chance."""


def wrong_directions(sentence: SentenceSupport, tables: Sequence[Table]) -> Iterator[str]:
    """The two figures, where a clause tells a rise of what fell, or a fall of what rose."""
    text = normalize(sentence.text)
    for clause in _CLAUSE.split(text):
        way = _way(clause)
        numbers = [fact for fact in facts_in(clause) if fact.kind is FactKind.NUMBER] if way else []
        for old, new in pairwise(numbers):
            leads = _PHRASES["change"].match(clause[old.start : new.end].replace(",", ""))
            by_how_much = any(found.derived == "difference" and found.fact.text == new.text for found in sentence.facts)
            if leads and old.unit in ("", new.unit) and not by_how_much:
                yield from _shown(_value(old), _value(new), way)
        for found in sentence.facts if way else ():
            if found.derived == "difference" and found.fact.text in clause:
                yield from _of_rows(found.fact, way, tables)


def _way(clause: str) -> int:
    """1 where a clause tells a rise, -1 where it tells a fall; 0 for both, neither or a rank, whose rise is a smaller figure."""
    if _PHRASES["denied_by_grammar"].search(clause) or _PHRASES["tells_a_rank"].search(clause):
        return 0
    return bool(_PHRASES["tells_a_rise"].search(clause)) - bool(_PHRASES["tells_a_fall"].search(clause))


def _value(fact: Fact) -> Decimal:
    return Decimal(fact.keys[0])


def _shown(old: Decimal, new: Decimal, way: int) -> Iterator[str]:
    if (new - old) * way < 0:
        yield f"{old} → {new}"


def _of_rows(fact: Fact, way: int, tables: Sequence[Table]) -> Iterator[str]:
    """Two rows of a table in time, the only ones with this difference, where the later figure moved the other way."""
    pairs = set[tuple[Decimal, Decimal]]()
    for table in tables:
        if not 2 <= len(table) <= MOST_ROWS:
            continue
        dated = [(at, row) for row in table for at in map(str, row.cells.values()) if _ROW_OF_TIME.fullmatch(at)]
        for (_, earlier), (_, later) in combinations(sorted(dated, key=lambda one: one[0]), 2):
            for column, cell in earlier.cells.items():
                other = later.cells.get(column)
                if isinstance(cell, int | float) and isinstance(other, int | float):
                    old, new = Decimal(str(cell)), Decimal(str(other))
                    if abs(new - old) == _value(fact):
                        pairs.add((old, new))
    if len(pairs) == 1:
        yield from _shown(*pairs.pop(), way)


SHARES = frozenset({"%", "割"})


def wrong_shares(sentence: SentenceSupport, columns: Sequence[Sequence[Fact]] = ()) -> Iterator[tuple[str, str]]:
    """A share, and the two figures beside it, where they are the only ones of two digits or more and make another share, nor is
    one of them that share of its column: of the figures of the `columns` of the text's tables, or of their total.

    It stands behind both, as what is reckoned of them does. From 306 to 357 is no rise of 24 %, though two other figures that
    were read may make that.
    """
    numbers = [found for found in sentence.facts if found.fact.kind is FactKind.NUMBER]
    shares = [found for found in numbers if found.fact.unit in SHARES]
    parts = [found for found in numbers if found.fact.unit not in SHARES and len(found.fact.keys[0].lstrip("-")) > 1]
    if len(shares) != 1 or shares[0].sources or len(parts) != 2 or not all(map(_was_read, parts)):
        return
    one, other = (found.fact for found in parts)
    share = shares[0].fact
    roughly = is_rough(sentence.text, share.start - sentence.start)
    if (
        share.start > max(one.start, other.start)
        and one.unit == other.unit
        and one.keys != other.keys
        and not follows(share, (one, other), roughly=roughly)
        and not any(_is_share_of_column(share, part, column) for part in (one, other) for column in columns if part in column)
    ):
        yield share.text, f"{one.text}, {other.text}"


def _is_share_of_column(share: Fact, part: Fact, column: Sequence[Fact]) -> bool:
    """Whether a figure is so much of all of its column, or of the greatest of it, which may be their total."""
    figures = [Decimal(fact.keys[0]) for fact in column]
    totals = {sum(figures), max(figures)} - {Decimal(part.keys[0])}
    return any(follows(share, (part, part._replace(text="", keys=(number_key(total),))), roughly=False) for total in totals)


def _was_read(found: FactSupport) -> bool:
    """Whether a figure stands in what was read, and is none that only follows from some."""
    return bool(found.sources)


NUMBER_WORDS: Mapping[str, int] = COUNT_WORDS | load_words("units")["tens"]
SPELT = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b(?= [a-z])", re.IGNORECASE)
"""A number in English words before what it counts."""
MOST_LINES = 300
"""Lines that were read and are looked through for figures."""
LONGEST_LINE = 2_000
UNITS_OF_TIME = frozenset({"秒", "分", "時間", "週間", "か月", "年"})
"""Not days: 10日 is a date as well."""


def in_figures(text: str) -> str:
    """A text with its English number words as figures, of which two may then be compared: ten weeks, 10 weeks."""
    return SPELT.sub(lambda word: str(NUMBER_WORDS[word.group().lower()]), text)


def in_another_unit_of_time(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """A span of time of which all that was read has the figure in other units of time alone, with one such line: ten weeks of
    10か月."""
    known = {(key, found.fact.unit) for found in sentence.facts if found.supported for key in found.fact.keys}
    told = [fact for fact in facts_in(in_figures(sentence.text)) if fact.unit in UNITS_OF_TIME and fact.keys[0] not in _ANYWHERE]
    for fact in told:
        lines = [unit.text for unit in islice(sources.units, MOST_LINES) if fact.keys[0] in _spans(unit.text[:LONGEST_LINE])]
        units = frozenset[str]().union(*(_spans(line[:LONGEST_LINE])[fact.keys[0]] for line in lines))
        if units and fact.unit not in units and (fact.keys[0], fact.unit) not in known:
            yield fact.text, lines[0]
            return


_ANYWHERE = ("0", "1", "2")


@lru_cache(maxsize=5_000)  # each sentence with a span looks through all lines
def _spans(text: str) -> Mapping[str, frozenset[str]]:
    """The figures of a line that are told in units of time, each with these."""
    found: dict[str, frozenset[str]] = {}
    for fact in facts_in(text) if any(map(str.isdigit, text)) else ():
        if fact.kind is FactKind.NUMBER and fact.unit in UNITS_OF_TIME:
            found[fact.keys[0]] = found.get(fact.keys[0], frozenset()) | {fact.unit}
    return found


def of_another_table_row(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """A figure told beside the first figure of a row of a written table and another one of that row, or of one other, where only
    rows that the sentence does not name have it: 60, 1.1秒 and 0.1秒 of `| 60 | 1.1秒 | 0.3秒 |`."""
    told = {found.fact.keys[0]: found.fact for found in sentence.facts if found.fact.kind is FactKind.NUMBER}
    tables = (unit.text for unit in sources.units if "|" in unit.text and len(unit.text) <= LONGEST_LINE)
    rows = {row[1:]: row for text in tables for row in _rows(text)} if len(told) >= FEWEST_TOLD else {}
    named = [row for row in rows.values() if not told.keys().isdisjoint(row.begins)]
    for row in named if len(named) == 1 else ():
        own, units = {key for key, _ in row.figures}, {unit for _, unit in row.figures}
        of_one_other = any(
            other is not row and told.keys() - row.begins <= {key for key, _ in other.figures} for other in rows.values()
        )
        for key, fact in told.items() if own & told.keys() or of_one_other else ():
            figure = key, fact.unit
            if key not in own | row.begins and fact.unit in units and any(figure in other.figures for other in rows.values()):
                yield fact.text, row.text
                return


FEWEST_TOLD = 3
"""Figures of a sentence: the one that names the row, and two more."""


class _WrittenRow(NamedTuple):
    """A row of a table in a text."""

    text: str
    begins: frozenset[str]
    """The figures of its first cell."""
    figures: frozenset[tuple[str, str]]
    """Those of the others, with their units."""


@lru_cache(maxsize=500)
def _rows(text: str) -> tuple[_WrittenRow, ...]:
    """The rows of a table that begin with a figure; the lines of a post may stand in one, each with its marks."""
    found = []
    for part in re.split(r"\|\s*\|", text):
        cells = list(
            takewhile(lambda cell: "。" not in cell, part.strip(" |\n").split("|"))
        )  # what stands behind a table is prose
        facts = [[fact for fact in facts_in(cell) if fact.kind is FactKind.NUMBER] for cell in cells]
        begins = frozenset(fact.keys[0] for fact in facts[0]) if len(cells) >= FEWEST_TOLD else frozenset()
        figures = frozenset((fact.keys[0], fact.unit) for cell in facts[1:] for fact in cell)
        found += [_WrittenRow("|".join(cells).strip(), begins, figures)] if begins else []
    return tuple(found)


def under_another_heading(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """The one figure with a unit of a line that begins with what heads a single column of a written table, where that table has
    the figure under other headings alone: 0.3秒 of 索引なし, where `| 応答時間（索引なし） | 応答時間（索引あり） |` stand above
    `| 1.1秒 | 0.3秒 |`."""
    label = fold(_LABEL.split(sentence.text, maxsplit=1)[0].strip(" *_|"))
    figures = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NUMBER and found.fact.unit]
    if len(figures) != 1 or not SHORTEST_LABEL <= len(label) <= LONGEST_LABEL or label == fold(sentence.text):
        return
    told = (figures[0].keys[0], figures[0].unit)
    flat = (table for unit in sentence.units if "|" in unit.text for table in _columns(unit.text[:LONGEST_LINE]))
    for table in (*flat, *map(_columns_of, sources.tables())):
        headed = [name for name in table if label in fold(name)]
        holding = [name for name, cells in table.items() if told in cells]
        if len(headed) == 1 and holding and headed[0] not in holding:
            yield figures[0].text, f"{holding[0].strip()}: {figures[0].text}"
            return


def _columns_of(table: Table) -> Mapping[str, frozenset[tuple[str, str]]]:
    """The figures of each column of a table of rows, with their units, by its name."""
    columns = [name for name in table[0].cells if not name.startswith("column ")] if 2 <= len(table) <= MOST_ROWS else []
    return {name: frozenset(figure for row in table for figure in _figures_of(str(row.cells.get(name, "")))) for name in columns}


@lru_cache(maxsize=2_000)
def _figures_of(cell: str) -> tuple[tuple[str, str], ...]:
    return tuple((fact.keys[0], fact.unit) for fact in facts_in(cell[:LONGEST_CELL]) if fact.kind is FactKind.NUMBER)


LONGEST_CELL = 60


_LABEL = re.compile(r"\||[:：] ?")
SHORTEST_LABEL, LONGEST_LABEL = 3, 40
"""Characters of what a line begins with."""


@lru_cache(maxsize=500)
def _columns(text: str) -> tuple[Mapping[str, frozenset[tuple[str, str]]], ...]:
    """The figures of each column but the first of the table of a text, with their units, by what heads it."""
    if not (rule := _RULE.search(text)):
        return ()
    many = rule.group().count("|") - 1
    heads = [cell for cell in text[: rule.start()].strip(" \n|").split("|") if cell.strip()][-many:]
    names = [heads[0].rpartition("\n")[2], *heads[1:]] if heads else []
    rows = [part.strip(" |\n").split("|")[:many] for part in _ROW_ENDS.split(text[rule.end() :])]
    cells = [row for row in rows if len(row) == many] if len(set(names)) == many > 2 else []  # of a flat post prose stands behind
    found = {
        name: frozenset((fact.keys[0], fact.unit) for row in cells for fact in facts_in(row[at]) if fact.kind is FactKind.NUMBER)
        for at, name in enumerate(names)
        if at > 0
    }
    return (found,) if cells else ()


_RULE = re.compile(r"(?:\|\s*:?-{2,}:?\s*){2,}\|")
"""The line of dashes below what heads the columns."""
_ROW_ENDS = re.compile(r"\|\s*\||\n")


def all_told_of_some(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """A number told as all of what a line about the same tells a part of: all four, where three of the four were mended."""
    told = {
        one["all"] or one["every"]: one.group()
        for one in _PHRASES["all_of_so_many"].finditer(in_figures(normalize(sentence.text)))
    }
    words = terms(sentence.text) if told else frozenset[str]()
    for unit in islice(sources.units, MOST_LINES) if told else ():
        parts = list(_PHRASES["some_of_so_many"].finditer(in_figures(normalize(unit.text[:LONGEST_LINE]))))
        for part in parts if len(words & terms(unit.text)) >= FEWEST_SHARED else ():
            many, some = part["all"] or part["whole"], part["some"] or part["few"]
            if many in told and int(some) < int(many):
                yield told[many], unit.text
                return


FEWEST_SHARED = 2
"""Terms by which a line is about the same."""
