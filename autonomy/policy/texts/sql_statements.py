"""Finds SQL statements in a text that change something, in linear time."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from discovery.text.near_names import snake_case
from metrics.text.word_files import read_words

LONGEST_STATEMENT = 100_000
"""Characters of a text that are read."""
_WORDS: Any = read_words("autonomy.policy", "sql_statements")
_ANYWHERE: dict[str, tuple[tuple[str, ...], ...]] = {
    first: tuple(parts for parts in map(tuple, map(str.split, _WORDS["anywhere"])) if parts[0] == first)
    for first in {phrase.split()[0] for phrase in _WORDS["anywhere"]}
}
_BEGINNING = frozenset(word for kind in ("leading", "calling", "assigning", "needing_no_mark") for word in _WORDS[kind])
_ENDS, _QUOTES = ";", "'\"`"
_NAME = '"'
"""Stands for what is quoted."""


def changing_statement(text: str, *, is_sql: bool = True) -> str:
    """The changing SQL statement in a text, in capitals (`DELETE FROM`, `SELECT INTO`, `CALL`); empty if none.

    `is_sql`: whether it is surely SQL. Otherwise it may be search words, and only what is written like a statement counts.
    What the dialects read differently counts as words (`_DISPUTED`, and comments that one of them carries out).
    """
    statements = list(_statements(text[:LONGEST_STATEMENT]))
    if not is_sql and not any(map(_is_written_like_sql, statements)):
        return ""
    found = (_change(words, is_sql=is_sql) for words in statements)
    return next(filter(None, found), "").upper()


def only_selects(text: str) -> bool:
    """Whether each SQL statement in a text selects, and calls nothing but functions that surely only reckon."""
    statements = list(_statements(text[:LONGEST_STATEMENT]))
    selects = (words[0] in _WORDS["selecting"] for words in statements)
    calls = {name for words in statements for name, mark in pairwise(words) if mark == "(" and _is_name(name)}
    is_known = calls <= {*_WORDS["reckoning"], *_WORDS["before_brackets"]}
    follows = any(_begins_another(words) for words in statements)
    is_read = bool(statements) and len(text) <= LONGEST_STATEMENT
    return is_read and all(selects) and is_known and not follows and not changing_statement(text)


def _begins_another(words: Sequence[str]) -> bool:
    """Whether another statement may begin behind the first, without a mark between them, as SQL Server takes it."""
    behind = zip(words[1:], [*words[2:], ""], strict=True)
    return any(word in _BEGINNING and not (mark == "(" and word in _WORDS["reckoning"]) for word, mark in behind)


def speaks_sql(words: str) -> bool:
    """Whether the words of a tool's name, provider and description say that it takes SQL."""
    spaced = f" {' '.join(words.lower().replace('_', ' ').split())} "
    return any(mark in spaced for mark in _WORDS["marked_by"])


def carries_out_sql(tool: str) -> bool:
    """Whether a tool's name says of nothing but that SQL is carried out: `execute_sql`, and not `email_query`."""
    return set(snake_case(tool).split("_")) <= {*_WORDS["carried_out_by"]}


def _change(words: Sequence[str], *, is_sql: bool) -> str:
    begins = next((at for at, word in enumerate(words) if word not in "()"), len(words))
    if words[begins : begins + 1] and words[begins] in _WORDS["explaining"]:
        if not set(_WORDS["analyzing"]) & set(words):
            return ""  # it is told how it would be carried out, and is not
        begins = _behind_options(words, begins)
    first, second = (*words[begins : begins + 2], "", "")[:2]
    if first in _WORDS["calling"] and _calls(words, begins, is_sql=is_sql):
        return first
    if (is_sql or words[-1] == _ENDS) and first in _WORDS["leading"] and (_is_name(second) or second == "["):
        return f"{first} {second}".removesuffix(f" {_NAME}")
    if first in _WORDS["assigning"] and "=" in words:
        return first
    if _copies(words[begins:]):
        return first
    starts = [at for at in range(len(words)) if is_sql or at == begins or words[at - 1] in "()"]
    if found := next(filter(None, (_phrase_at(words, at) for at in starts)), ""):
        return found
    if first in _WORDS["selecting"] and (stored := _kept_in(words[begins:])):
        return f"{first} {stored}"
    effectful = (name for name, mark in pairwise(words) if mark == "(" and name in _WORDS["effectful"])
    return next(effectful, "")


def _is_name(word: str) -> bool:
    return word == _NAME or word[:1].isalnum() or word.startswith("_")


def _calls(words: Sequence[str], at: int, *, is_sql: bool) -> bool:
    """Whether a procedure's name, or a text to carry out, stands behind; of search words, "call center" is none."""
    name, behind = (*words[at + 1 : at + 3], "", "")[:2]
    return name in ("(", "@", "[", _NAME) or (
        _is_name(name) and (is_sql or behind in ("", "(", _ENDS) or "_" in name or "." in name)
    )


def _behind_options(words: Sequence[str], explain: int) -> int:
    """The start of the statement that is explained, behind `analyze verbose` or `(analyze, buffers)`."""
    if words[explain + 1 : explain + 2] == ["("]:
        return next((at + 1 for at in range(explain, len(words)) if words[at] == ")"), len(words))
    at = explain + 1
    while at < len(words) and (words[at] in _WORDS["analyzing"] or words[at] == "verbose"):
        at += 1
    return at


def _is_written_like_sql(words: Sequence[str]) -> bool:
    marked = any(word in "(=*" or word == "where" for word in words)
    return len(words) <= _FEW_WORDS or marked or words[-1] == _ENDS or _copies(words)


def _copies(words: Sequence[str]) -> bool:
    """Whether a table's rows, or those of some columns, go to or come from a file, a program or the connection."""
    if words[:1] != ["copy"]:
        return False
    behind = 2
    if words[behind : behind + 1] == ["("]:
        behind = next((at + 1 for at in range(behind, len(words)) if words[at] == ")"), len(words))
    direction, place = (*words[behind : behind + 2], "", "")[:2]
    return direction in _WORDS["copying"] and (
        place in _WORDS["copied_to"] or (place != "" and not _is_name(place)) or place == _NAME
    )


_FEW_WORDS = 3
"""Search words may begin like a statement: "delete from a list in Python"."""


def _phrase_at(words: Sequence[str], at: int) -> str:
    if words[at] in _WORDS["defining"]:
        kind = next((word for word in words[at + 1 : at + 2 + _MOST_KINDS] if word not in _WORDS["kinds"]), "")
        if kind in _WORDS["defined"]:
            return f"{words[at]} {kind}"
    for parts in _ANYWHERE.get(words[at], ()):
        behind = words[at : at + len(parts)]
        if len(behind) == len(parts) and all(part in ("*", word) for part, word in zip(parts, behind, strict=True)):
            return " ".join(part for part in parts if part != "*")
    return ""


_MOST_KINDS = 4
"""Words between a verb and what it defines: `create or replace temporary view`."""


def _kept_in(words: Sequence[str]) -> str:
    """`into`, where what was selected is kept in a table or file; MySQL's `into @name` keeps it for the session alone."""
    behind = ((word, after) for word, after in zip(words, [*words[1:], ""], strict=True) if word in _WORDS["keeping"])
    return next((word for word, after in behind if after not in ("@", "")), "")


def _statements(text: str) -> Iterator[list[str]]:
    words: list[str] = []
    for word in _words_of(text):
        words.append(word)
        if word == _ENDS:
            yield words
            words = []
    if words:
        yield words


def _words_of(text: str) -> Iterator[str]:
    """The words in lower case, and marks, without comments; a quoted text is one mark, where all dialects agree where it ends.

    A qualified name is one word: `update public.users set` is `update name set`.
    """
    agreed = text.count("$") < 2 and not _DISPUTED.search(text)
    at, end = 0, len(text)
    while at < end:
        sign = text[at]
        if sign.isalnum() or sign == "_":
            start = at
            while at < end and (text[at].isalnum() or text[at] in "_.$"):
                at += 1
            yield text[start:at].lower()
        elif text.startswith("/*", at) and not text.startswith(("/*!", "/*M!"), at):
            at = _behind(text, "*/", at + 2)
        elif text.startswith("--", at) and not text[at + 2 : at + 3].strip():
            at = _behind(text, "\n", at + 2)
        elif sign in _QUOTES and agreed:
            at = _behind(text, sign, at + 1)
            yield _NAME
        else:
            at += 1
            if not sign.isspace() and sign not in _QUOTES:
                yield sign


_DISPUTED = re.compile(rf"[\\#\[]|[qQ]'|--\S|/\*(?:(?!\*/).){{0,{LONGEST_STATEMENT}}}/\*", re.DOTALL)
"""Where one dialect sees the beginning or end of a quoted text, and another does not: an escaped sign, a comment of MySQL, a name
in brackets, Oracle's `q'`, a comment without a blank (a sum for MySQL), a comment within a comment. A text that a quote hides in
one dialect is carried out in the other."""


def _behind(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)
