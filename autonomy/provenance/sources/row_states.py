"""Holds what is told of several rows against them: under a state, in a currency, first in a ranking."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, normal_rows
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.facts import CURRENCIES, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_MARKS = re.compile(r"[\s*_>#•・\-–—|「『(（✅⚠️]*")
_HEADS = re.compile(r"[*_]{0,2}\s?(?:[(（]\s?\d{1,4}\s?[^\s)）]{0,6}[)）])?[*_]{0,2}\s?[:：|]")
"""What stands behind a state that heads a list of things: `**Done (2):**`."""


def states_told_together(
    text: str, tables: Sequence[Table], names_of: Callable[[str], frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """A thing that a line lists under a state, and that stands in another one.

    `names_of`: the names that results show for an id, as a board gives the columns of its cards.
    """
    begin = _MARKS.match(text)
    said = fold(text[begin.end() if begin else 0 :])
    for table in tables:
        named = table.rows_named(said)
        for column in table[0].cells if named and len(table) > 1 else ():
            if not 1 < len(table.distinct(column)) <= MOST_STATES or not (
                column.lower() in STATE_COLUMNS or _is_of_a_list(column)
            ):
                continue
            states = {word: _names(word, names_of) for word in dict.fromkeys(table.words(column))}
            heads = [word for word, names in states.items() if any(_begins_with(said, name) for name in names)]
            other = [row for row in named if row.word(column) and row.word(column) not in heads]
            if len(heads) == 1 and other:
                yield heads[0], f"{normal_rows(other[:1])}"
                return


def listed_under_a_state(lead: str, lines: Sequence[str], tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A row in a list that a line heads with a state (`**Fixed (2)**`, 承認済みは…), which stands in another one, where the table
    has rows in that state. A line that tells the row's own state is right, unless it tells the other one too."""
    heads = fold(lead)
    kinds = [kind for kind in load_words("opposites")["states"].values() if any(_is_said(heads, word) for word in kind["told"])]
    for table in tables if len(kinds) == 1 else ():
        told, cells = kinds[0]["told"], kinds[0]["cells"]
        for column in (name for name in table[0].cells if _STATES.search(name)):
            of_it = [row for row in table if row.word(column).startswith(tuple(cells))]
            for line in map(fold, lines) if of_it and len(of_it) < len(table) else ():
                own = _named_in(line, table)
                again = any(_is_said(line, word) for word in told)
                if len(own) == 1 and own[0] not in of_it and (again or not _tells_state(line, own[0].word(column))):
                    yield own[0].word(column), normal_rows(own)
                    return


_STATES = re.compile(r"(?:state|status|stage)$|状態|ステータス|段階", re.IGNORECASE)


def _is_said(text: str, word: str) -> bool:
    """Whether a state is told in a text and not denied: resolved, and neither unresolved nor not resolved."""
    bound = rf"(?<![\w-]){re.escape(word)}\b" if word.isascii() else re.escape(word)
    return any(not _NOT_YET.search(text[: match.start()]) for match in re.finditer(bound, text))


_NOT_YET = re.compile(r"(?:\b(?:not|never|no|yet to be|to be|be|if|once|until)\b[^.,;:]{0,12}|未)$")


def _tells_state(line: str, state: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", state)
    return any(word[:6] in line for word in words) or bool(_TELLS_OTHERWISE.search(line))


_TELLS_OTHERWISE = patterns_of("autonomy.provenance")["tells_otherwise"]


def _named_in(line: str, table: Table) -> list[Row]:
    """The rows of which a line holds a name or id that no other row has."""
    found = [*table.rows_named(line, _CUSTOMERS)]
    for column in table[0].cells:
        if _NAMING.search(column) and len(table.distinct(column)) == len(table):
            named = zip(table, table.words(column), strict=True)
            found += [row for row, value in named if len(value) > 2 and value in line and row not in found]
    return found


_NAMING = re.compile(r"name$|^(?:issue|title|subject|merchant|id|key)$", re.IGNORECASE)
MOST_STATES = 12
"""Different words of a column; names and titles are more."""


def _names(word: str, names_of: Callable[[str], frozenset[str]]) -> frozenset[str]:
    return frozenset(name for name in (word, *names_of(word)) if len(name) > 1)


def _is_of_a_list(column: str) -> bool:
    """Whether a column holds the id of the list, column or section that a card stands in."""
    return bool(re.fullmatch(r"id_?list|list_?id|(?:column|section|stage|state|status|lane)_?id", column, re.IGNORECASE))


def _begins_with(said: str, name: str) -> bool:
    return said.startswith(name) and bool(_HEADS.match(said, len(name)))


_CURRENCY_COLUMNS = frozenset({"currency", "currency_code", "currencycode", "通貨"})
_CURRENCIES = frozenset(map(str.lower, CURRENCIES))
"""As cells are compared: folded."""


def other_currencies(text: str, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A sum of money told of a row in another currency than the row's own."""
    said = fold(text)
    units = {
        fact.unit.lower(): fact.text
        for fact in facts_in(text)
        if fact.kind is FactKind.NUMBER and fact.unit.lower() in _CURRENCIES
    }
    for table in tables if len(units) == 1 else ():
        column = next((name for name in table[0].cells if name.lower() in _CURRENCY_COLUMNS), "")
        own = table.rows_named(said, _CUSTOMERS) if column else []
        told = {row.word(column) for row in own} & _CURRENCIES
        if told and not told & units.keys():
            yield next(iter(units.values())), f"{column}: {', '.join(sorted(told))}"
            return


def told_in_full(text: str, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A sum of money that a row gives in cents, told as if it were whole dollars or euros.

    Stripe gives every amount in the smallest unit of the currency, which it writes in lower case (docs.stripe.com/currencies).
    """
    told = {fact.keys[0]: fact for fact in facts_in(text) if fact.kind is FactKind.NUMBER and fact.unit.lower() in _WITH_CENTS}
    for row in (row for table in tables for row in table) if told else ():
        if row.cells.get("currency") in _WITH_CENTS and isinstance(row.cells.get("object"), str):
            for name, cell in row.cells.items():
                if isinstance(cell, int) and name.startswith("amount") and cell >= FEWEST_CENTS and str(cell) in told:
                    yield told[str(cell)].text, f"{name}: {cell} ({row.cells['currency']}, in cents)"
                    return


_WITH_CENTS = frozenset({"usd", "eur", "gbp"})
FEWEST_CENTS = 100
_CUSTOMERS = frozenset({"customer", "customer_name", "client", "vendor", "supplier", "merchant", "payee", "email"})


def ranked_wrongly(lines: Sequence[str], tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """The row that a list of the first few leaves out, where its figure lies between those that are listed.

    `lines`: the lines of a numbered list, each with the figure by which it is ranked, the greatest or the least first.
    """
    told = [_figures(line) for line in lines]
    for table in tables if len(lines) > 1 else ():
        for column in table[0].cells:
            cells = [_number(row.cells.get(column)) for row in table]
            held = {cell for cell in cells if cell is not None}
            listed = [next((figure for figure in figures if figure in held), None) for figures in told]
            if len(held) <= len(lines) or None in listed or len(set(listed)) < len(listed):
                continue
            ranks = [figure for figure in listed if figure is not None]
            between = [cell for cell in held - set(ranks) if min(ranks) < cell < max(ranks)]
            if ranks in (sorted(ranks, reverse=True), sorted(ranks)) and between:
                left_out = next(row for row, cell in zip(table, cells, strict=True) if cell == between[0])
                yield str(between[0]), normal_rows([left_out])
                return


def _figures(line: str) -> list[Decimal]:
    return [Decimal(fact.keys[0]) for fact in facts_in(line) if fact.kind is FactKind.NUMBER and len(fact.keys[0]) < 30]


def _number(cell: object) -> Decimal | None:
    if not isinstance(cell, int | float) or isinstance(cell, bool):
        return None
    number = Decimal(str(cell))
    return number if number.is_finite() else None  # `json` reads NaN, which no comparison takes
