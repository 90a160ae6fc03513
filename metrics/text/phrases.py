"""Reads phrase files: Japanese and English forms of one meaning, kept as data with examples."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast


@dataclass(frozen=True)
class Phrase:
    """One thing that texts say, and its forms: alternatives of a regular expression."""

    says: str
    """What a text says that holds one of the forms, in one sentence."""
    examples: Mapping[str, Sequence[str]]
    """By language."""
    near_misses: Sequence[str] = ()
    """Texts that look like it and do not say it."""
    ja: Sequence[str] = ()
    en: Sequence[str] = ()
    """Whole words: they neither begin nor end inside another one."""
    zh: Sequence[str] = ()
    """Chinese, where what programs say in it is read, too."""
    as_is: Sequence[str] = ()
    """What may stand inside a word, sets its own bounds, or belongs to no language."""
    before: str = ""
    """What stands in front of every form: the beginning of the text, say."""
    behind: str = ""
    cased: bool = False
    """Whether capitals count; most texts are read without."""

    def alternatives(self) -> Iterator[str]:
        """Each form by itself, in the order in which they are tried."""
        yield from self.ja
        yield from (rf"\b(?:{form})\b" for form in self.en)
        yield from (*self.zh, *self.as_is)

    def compiled(self, form: str = "") -> re.Pattern[str]:
        """The pattern of all forms, or of one of them, compiled at its first use."""
        words = [rf"\b(?:{'|'.join(self.en)})\b"] if self.en else []
        forms = form or "|".join([*self.ja, *words, *self.zh, *self.as_is])
        whole = f"{self.before}(?:{forms}){self.behind}" if self.before or self.behind else forms
        return lazy_pattern(whole, 0 if self.cased else re.IGNORECASE)


class LazyPattern:
    """A pattern that is compiled at its first use, and from then on is as quick as a compiled one.

    A run uses a third of the phrases of the rooms that it imports, and to compile the others took a fortieth of a command.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags | re.UNICODE

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, put off to the first use of the pattern; an expression that is none raises `re.error` only then."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


_METHODS = frozenset({"search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "groups", "groupindex"})


def read_phrases(room: str) -> dict[str, Phrase]:
    """The phrases of `data/phrases.json` of a package. A key that is none of a phrase's is an installation that is broken."""
    read: dict[str, dict[str, Any]] = json.loads(files(room).joinpath("data/phrases.json").read_bytes())
    return {name: Phrase(near_misses=fields.pop("not", ()), **fields) for name, fields in read.items()}


@cache
def patterns_of(room: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a package's phrases by name. To be called at import: later it would read a file on the event loop."""
    return {name: phrase.compiled() for name, phrase in read_phrases(room).items()}
