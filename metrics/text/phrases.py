"""Reads phrase files: Japanese and English forms of one meaning, kept as data with examples."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from metrics.text.word_files import data_file


@dataclass(frozen=True)
class Phrase:
    """One meaning with its forms, which are alternatives of a regular expression."""

    says: str
    """The meaning of a text with one of the forms, as a sentence."""
    examples: Mapping[str, Sequence[str]]
    """Example texts, by language."""
    near_misses: Sequence[str] = ()
    """Texts that look similar but mean something else."""
    ja: Sequence[str] = ()
    en: Sequence[str] = ()
    """They match whole words only."""
    zh: Sequence[str] = ()
    """Chinese, for messages of programs."""
    as_is: Sequence[str] = ()
    """Forms that may match inside a word, have bounds of their own, or belong to no language."""
    before: str = ""
    """A pattern before every form, e.g. the beginning of the text."""
    behind: str = ""
    cased: bool = False
    """Whether case counts."""

    def alternatives(self) -> Iterator[str]:
        """Yield each form as a pattern, in the order in which they are tried."""
        yield from self.ja
        yield from (rf"\b(?:{form})\b" for form in self.en)
        yield from (*self.zh, *self.as_is)

    def compiled(self, form: str = "") -> re.Pattern[str]:
        """Return the pattern of all forms, or of the given one; it is compiled at its first use."""
        words = [rf"\b(?:{'|'.join(self.en)})\b"] if self.en else []
        others, flags = [*words, *self.as_is], 0 if self.cased else re.IGNORECASE
        whole = self._within(form or "|".join([*self.ja, *words, *self.zh, *self.as_is]))
        foreign = (*self.ja, *self.zh)
        if form or not foreign or any(map(_CAPTURES.search, foreign)):  # whose groups would be missed
            return lazy_pattern(whole, flags)
        return cast("re.Pattern[str]", ByScript(whole, self._within("|".join(others)) if others else NOTHING, flags))

    def _within(self, forms: str) -> str:
        return f"{self.before}(?:{forms}){self.behind}" if self.before or self.behind else forms


_CAPTURES = re.compile(r"(?<!\\)\((?!\?(?!P<))")
NOTHING = "(?!)"
"""A pattern that never matches."""


class LazyPattern:
    """A pattern that is compiled at its first use, and then as fast as a compiled one.

    A run uses a third of the phrases that it imports, and compiling the others took 2.5 % of the time of a command.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags if flags & re.ASCII else flags | re.UNICODE

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


class ByScript(LazyPattern):
    """A pattern of which some forms are written in Japanese or Chinese: a text of ASCII alone is held against the others, in two
    thirds of the time."""

    def __init__(self, pattern: str, in_ascii: str, flags: int) -> None:
        """`in_ascii`: the same without the forms that need another sign."""
        super().__init__(pattern, flags)
        self._whole, self._in_ascii = LazyPattern(pattern, flags), LazyPattern(in_ascii, flags)

    def _for(self, text: str) -> Any:
        return self._in_ascii if text.isascii() else self._whole

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        """As that of a compiled pattern, like the others."""
        found: re.Match[str] | None = self._for(text).search(text, *bounds)
        return found

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:  # noqa: D102
        found: re.Match[str] | None = self._for(text).match(text, *bounds)
        return found

    def fullmatch(self, text: str, *bounds: int) -> re.Match[str] | None:  # noqa: D102
        found: re.Match[str] | None = self._for(text).fullmatch(text, *bounds)
        return found

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:  # noqa: D102
        found: Iterator[re.Match[str]] = self._for(text).finditer(text, *bounds)
        return found

    def findall(self, text: str, *bounds: int) -> list[Any]:  # noqa: D102
        found: list[Any] = self._for(text).findall(text, *bounds)
        return found

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:  # noqa: D102
        found: list[Any] = self._for(text).split(text, maxsplit)
        return found

    def sub(self, by: Any, text: str, count: int = 0) -> str:  # noqa: D102
        return str(self._for(text).sub(by, text, count))


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern at its first use; an invalid one raises `re.error` only then."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


_METHODS = frozenset({"search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "groups", "groupindex"})


def read_phrases(room: str) -> dict[str, Phrase]:
    """Read the phrases of `data/phrases.json` of a package. Raises TypeError for an unknown key."""
    read: dict[str, dict[str, Any]] = json.loads(data_file(room, "phrases.json").read_bytes())
    return {name: Phrase(near_misses=fields.pop("not", ()), **fields) for name, fields in read.items()}


@cache
def patterns_of(room: str) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of a package's phrases by name. Call it at import, because it reads a file at its first call."""
    return {name: phrase.compiled() for name, phrase in read_phrases(room).items()}
