"""Finds what a query language, a named action, a command, code or an order in wording would change.

The words are data (`data/carried_out.json`). Of languages only what changes is known; of commands only what reads is, since
nobody can list the rest. Quotes and comments count as words: what one dialect hides in them another carries out.
"""

import re
import shlex
from collections.abc import Iterable, Iterator

from autonomy.policy.texts.addresses import readable
from discovery.catalog import Effect
from discovery.review.effect_proposals import effect_of_name
from metrics.text.phrases import lazy_pattern
from metrics.text.word_files import read_words

LONGEST_TEXT = 100_000
"""Characters of a text that is read; a longer one may change anything."""
LONGEST_COMMAND = 10_000
"""Characters of a command line; `shlex` takes quadratic time for a long word."""
# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = read_words("autonomy.policy", "carried_out")
_LANGUAGES: dict[str, re.Pattern[str]] = {name: lazy_pattern(pattern) for name, pattern in _WORDS["languages"].items()}
_SPOKEN: dict[str, re.Pattern[str]] = {mark: lazy_pattern(pattern) for mark, pattern in _WORDS["spoken"].items()}
_NO_READING = lazy_pattern(_WORDS["no_reading"])
_LIKE_CODE, _LIKE_CALLS = lazy_pattern(_WORDS["like_code"]), lazy_pattern(_WORDS["like_calls"])
_READING, _PROGRAMS = frozenset(_WORDS["reading"]), frozenset(_WORDS["programs"])
_PARTS = lazy_pattern(r"\|\|?|&&?|;")
_QUOTED = lazy_pattern(rf"""'[^']{{0,{LONGEST_COMMAND}}}'|"[^"]{{0,{LONGEST_COMMAND}}}\"""")


def changing_query(text: str, definition: str) -> str:
    """The kind of change that a GraphQL, MongoDB, Cypher, SPARQL or Gremlin text makes; empty if none.
    Of a text that is too long it says so.

    `definition`: what the tool says of itself, by which more words of a language count that has no signs of its own.
    """
    if len(text) > LONGEST_TEXT:
        return f"send a text of more than {LONGEST_TEXT:,} characters"  # what stands behind them is not read
    text = text.replace("\ufeff", " ")
    # a comment of one language is a part of an address in another: both readings count
    readings = [" ".join(reading.replace(",", " ").split()) for reading in (text, _without_comments(text))]
    for name, pattern in _LANGUAGES.items():
        if any(map(pattern.search, readings)):
            return name
    matches = (pattern.search(readings[0]) for mark, pattern in _SPOKEN.items() if mark in definition.lower())
    return next((str(found[0]).upper() for found in matches if found), "")


def _without_comments(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.splitlines())


def changing_action(action: str) -> bool:
    """Whether an action of this name (`delete`, `eth_sendTransaction`) changes something, by its first verb."""
    return len(action) <= _LONGEST_ACTION and effect_of_name(action) not in (None, Effect.READ)


_LONGEST_ACTION = 80


def only_reads(command: str) -> bool:
    """Whether each part of a command line begins with a program, or a program and its subcommand, that only reads."""
    if len(command) > LONGEST_COMMAND or _NO_READING.search(command) or "(" in _QUOTED.sub("", command):
        return False  # PowerShell carries out what stands in brackets
    return all(_begins_reading(part) for part in _PARTS.split(command))


def _begins_reading(part: str) -> bool:
    try:
        words = shlex.split(part)
    except ValueError:  # a quotation without an end
        return False
    if words and words[0].lower() in _PROGRAMS:
        words = words[1:]  # options before the subcommand (`-c core.pager=…`) can run anything, and are no words that read
    if words and words[0].lower() == "version":
        return all(word.startswith("-") for word in words[1:])  # `npm version major` makes one
    return bool(words) and words[0].lower() in _READING


def is_like_code(text: str, *, is_expression: bool) -> bool:
    """Whether a text is code that can do things: a product's code is none, and neither is an expression that only reckons."""
    pattern = _LIKE_CALLS if is_expression else _LIKE_CODE
    return len(text) > LONGEST_TEXT or bool(pattern.search(text))


def is_formula(text: str, *, in_sheet: bool) -> bool:
    """Whether a spreadsheet would carry out this cell, and do more than reckon: fetch a page, follow a link, start a program.

    `in_sheet`: whether it goes into one for sure; elsewhere only `=` begins a formula, and "@mari (lead)" is a mention.
    """
    cell = " ".join(readable(text[:LONGEST_TEXT]).split())
    if not (begin := _BEGINS_FORMULA.match(cell)) or (begin[0] != "=" and not in_sheet):
        return False
    cell = cell.replace(" (", "(") if in_sheet and begin[0] in "=+" else cell
    functions = {
        _OF_NEWER_EXCEL.sub("", name.lower()).partition(".")[0] for name in _CALLED.findall(_QUOTED_IN_CELL.sub("", cell))
    }
    return bool(functions - names("reckoning_formulas")) or _REACHES_OUT.search(cell) is not None or _is_of_a_program(cell)


def _is_of_a_program(cell: str) -> bool:
    """Whether a cell asks another program for something: `cmd|' /C calc'!A0`."""
    return "|" in cell and _ITEM.search(cell, cell.find("|")) is not None


_BEGINS_FORMULA = lazy_pattern(r"=(?![=>])|\+|[-@](?=\S)")
_QUOTED_IN_CELL = lazy_pattern(rf"""'[^']{{0,{LONGEST_TEXT}}}'|"[^"]{{0,{LONGEST_TEXT}}}\"""")
_CALLED = lazy_pattern(r"([A-Za-z_\u00c0-\u04ff][\w.]{0,60})\(")
"""Functions have names in Latin, Greek or Cyrillic letters, in whatever language the sheet is."""
_OF_NEWER_EXCEL = lazy_pattern(r"^(?:_xl(?:fn|ws|udf)\.){1,4}")
_REACHES_OUT = lazy_pattern(r"\][^\[\]!]{0,100}!['$\w]|\)\(")
"""Another workbook (`[book.xlsx]Sheet 1'!A1`), a call of what a call returns."""
_ITEM = lazy_pattern(r"!['$\w]")


def names(kind: str) -> frozenset[str]:
    """The arguments of one kind: `action_arguments`, `command_arguments`, `code_arguments`, …"""
    return _NAMES[kind]


_NAMES = {kind: frozenset(words) for kind, words in _WORDS.items() if isinstance(words, list)}


def is_of_a_program(words: Iterable[str]) -> bool:
    """Whether a tool's name holds that of a program with subcommands, or a word for a command line."""
    return not _PROGRAMS.union(("shell", "cli", "terminal", "exec", "command", "bash")).isdisjoint(words)


def commands_in_wording(text: str, *, of_code: bool) -> Iterator[str]:
    """The commands that a service carries out of what people read. `of_code`: of a tool that speaks of commits and merges."""
    yield from _SLASH_COMMAND.findall(text)
    yield from _TO_A_BUILD.findall(text) if of_code else ()


def closed_by_wording(text: str, *, of_code: bool) -> Iterator[str | int]:
    """The issues that a service closes for what people read (`Closes #7`)."""
    yield from map(int, _CLOSING.findall(text))
    yield from (match[0] or match[1] for match in _CLOSING_BY_CODE.findall(text)) if of_code else ()


_SLASH_COMMAND = lazy_pattern(r"^[ \t]{0,3}/[a-z][a-z_-]{1,40}(?![\w/.])[^\n]{0,80}", re.MULTILINE)
"""What GitLab, Prow and chats carry out where it begins a line of a comment: `/assign somebody`, `/merge`."""
_CLOSING = lazy_pattern(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? {1,3}(?:[\w.-]{1,100}/[\w.-]{1,100})?#(\d{1,9})\b", re.IGNORECASE
)
"""Words by which GitHub and GitLab close an issue when the text is merged (`Closes #7`)."""
_CLOSING_BY_CODE = lazy_pattern(
    r"\b(?i:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|complet(?:e[sd]?|ing)|implement(?:s|ed|ing)?)[: ]{1,3}"
    r"((?:[A-Z][A-Z0-9]{1,9}-|AB#)\d{1,7})\b"
    r"|\b([A-Z][A-Z0-9]{1,9}-\d{1,7}) [^\n#]{0,80}#(?:[a-z]{1,20}-){0,5}[a-z]{1,20}\b"
)
"""The same of Linear, Azure and Jira (`Fixes ENG-7`, `AB#7`, `ENG-7 #done`), who look through what is committed and merged."""
_TO_A_BUILD = lazy_pattern(
    r"\[(?:skip (?:ci|actions)|(?:ci|actions) skip|no ci)\]|^Release-As: [^\n]{1,40}", re.IGNORECASE | re.MULTILINE
)
"""What GitHub, GitLab and release-please carry out of a commit's message."""
