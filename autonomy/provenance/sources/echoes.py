"""Removes from a result what the run itself wrote, and keeps what a write's answer adds."""

import re
from collections.abc import Iterator
from typing import Any

from autonomy.provenance.sources.evidence_units import announces_text, attribute_kind, is_line
from autonomy.provenance.sources.leaves import Leaf, leaves
from autonomy.provenance.text.facts import ids_and_addresses_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from discovery.catalog import JsonObject

SHORTEST = 16
"""Letters and figures of a line that was written: shorter ones (a greeting, a title) stand in other people's texts, too."""
LONGEST_SENT = 1_000_000
"""Characters of all that a run wrote; who writes more has read back what comes after it."""
COVERED = 0.7
"""Share of a line that has to be the run's own: the rest is markup, a heading, a name in front of it."""
DEEPEST = 200

_MARKS = re.compile(r"[\W_]+")
_QUOTED = ("'{}'", '"{}"', "`{}`", "「{}」", "『{}』", "“{}”", "‘{}’")


class Echoes:
    """The texts a run has written so far; removes them from results."""

    def __init__(self) -> None:
        self._sent = ""
        """The lines and the whole texts that were written, in letters and figures alone."""
        self._lines: set[str] = set()

    def wrote(self, arguments: Any) -> None:
        """Remember the texts of a write."""
        for leaf in leaves(arguments or {}):
            if isinstance(leaf.value, str) and len(self._sent) < LONGEST_SENT:
                lines = [line for text in leaf.value.splitlines() if _is_prose(text) and len(line := _letters(text)) >= SHORTEST]
                self._lines.update(lines)
                if lines:
                    self._sent += f"\n{_letters(leaf.value)}"

    def without(self, result: Any, arguments: Any) -> Any:
        """A result without what the run wrote before, and without the words of the question, where it only repeats them."""
        phrases = {name: value for name, value in (arguments or {}).items() if isinstance(value, str) and _is_phrase(value)}
        if isinstance(result, str):
            return self._lines_of_others(_unquoted(result, phrases), phrases)
        return self._pruned(result, phrases, DEEPEST) if self._sent or phrases else result

    def _pruned(self, value: Any, phrases: dict[str, str], deeper: int) -> Any:
        if isinstance(value, str):
            return self._lines_of_others(value, {}) if self._sent else value
        if not deeper:
            return value
        if isinstance(value, list | tuple):  # a list holds what was found: there a question's words are an answer
            return [self._pruned(item, {}, deeper - 1) for item in value] if self._sent else value
        if isinstance(value, dict):
            return {
                name: "" if _repeats(name, item, phrases) else self._pruned(_unquoted(item, phrases), phrases, deeper - 1)
                for name, item in value.items()
            }
        return value

    def _lines_of_others(self, text: str, phrases: dict[str, str]) -> str:
        if len(text) < SHORTEST or not (self._sent or phrases):
            return text
        phrase_lines = set(phrases.values())
        lines = [line for line in text.split("\n") if line.strip() not in phrase_lines]
        return "\n".join([line for line in lines if not self._is_own(line)] if self._sent else lines)

    def _is_own(self, text: str) -> bool:
        if len(line := _letters(text)) < SHORTEST:
            return False
        return line in self._sent or sum(len(own) for own in self._lines if own in line) >= COVERED * len(line)


def _repeats(name: str, value: Any, phrases: dict[str, str]) -> bool:
    """Whether a field only says what was asked: the argument itself, or a text that is one."""
    if not isinstance(value, str) or attribute_kind(name):
        return False
    return value == phrases.get(name) or (
        value in phrases.values() and (announces_text(name) or len(_letters(value)) >= SHORTEST)
    )


def _unquoted(value: Any, phrases: dict[str, str]) -> Any:
    """A text with the words of the question taken out of its quotation marks: `No results for ''`."""
    if isinstance(value, str):
        for words in phrases.values():
            for marks in [marks for marks in _QUOTED if marks[0] in value] if words in value else ():
                value = value.replace(marks.format(words), marks.format(""))
    return value


def _is_prose(line: str) -> bool:
    """Whether a line says something; a path or an id that a write gave is known to exist once it is read."""
    return " " in line.strip() or not line.isascii()


def _is_phrase(text: str) -> bool:
    """Whether a text is more than a name or a word."""
    return " " in text.strip() or len(_letters(text)) >= SHORTEST


def _letters(text: str) -> str:
    return _MARKS.sub("", fold(text))


def made_known(result: Any, words: str, arguments: JsonObject | None) -> Iterator[Leaf]:
    """Ids and addresses that a write's answer gives and its arguments do not."""
    known = {str(leaf.value) for leaf in leaves(arguments or {})}
    keys = load_words("result_keys")["id"]
    for leaf in leaves(result):
        is_id = leaf.key.lower() in keys or leaf.key.lower().endswith("_id")
        if is_id and str(leaf.value) not in known and "@" not in str(leaf.value):  # a mailbox is no id that a write makes
            yield leaf
    words = result if isinstance(result, str) else words
    sent = "\n".join(known)
    for made in ids_and_addresses_in(words[:LONGEST_ANSWER]):
        if made not in sent:
            yield Leaf("$", "", made)


def why_it_failed(result: Any, arguments: JsonObject | None) -> Iterator[Leaf]:
    """The words of a server that would not write, without what they only repeat of what was sent."""
    words = result[:LONGEST_ANSWER] if isinstance(result, str) else ""
    for value in sorted({str(leaf.value) for leaf in leaves(arguments or {})}, key=len, reverse=True):
        words = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", words) if value else words
    if words.strip():
        yield Leaf("$", "", words)


_ADDRESSES = re.compile(r"@|://")
"""A mailbox or an address is no value that a write may hand on."""


def new_in_the_answer(result: Any, arguments: JsonObject | None) -> Iterator[Leaf]:
    """Short fields of a write's answer of which nothing stands in its arguments: the deposit of what was booked, its number."""
    sent = fold("\n".join(str(leaf.value) for leaf in leaves(arguments or {})))
    for leaf in leaves(result) if isinstance(result, dict) else ():
        value = fold(str(leaf.value))
        is_new = bool(value) and value not in sent and is_line(value) and not _ADDRESSES.search(value)
        if is_new and not isinstance(leaf.value, bool) and not announces_text(leaf.key):
            yield leaf


LONGEST_ANSWER = 5_000
"""Characters of a write's answer in which ids are sought; what is longer is no acknowledgement."""
