"""Finds cues in a sentence of a tool's definition: things that a description has little reason to mention.

A cue is a set of words or phrases of one meaning, or a shape, in several languages (`discovery/data/descriptor_cues.json`). None
is a finding by itself; `descriptors` adds up their weights.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from pydantic import Field

from discovery.catalog import Frozen
from discovery.text.data_files import read_data

OTHER_TOOL = "other_tool"
"""The cue of a name of another provider's tool."""
OTHER_ACTION = "other_action"
"""The cue of such a name that begins with a verb of action: `send_mail`, `delete_file`."""
ORDERING = "ordering"
"""The cue of a sentence that begins with a verb; it does not count in a first sentence, which tells what the tool does."""
_GAP = 3
"""The most words that `~` stands for."""


class Cue(Frozen):
    """Words of one meaning."""

    id: str = Field(pattern=r"^[a-z_]+$")
    says: dict[Literal["en", "ja"], str]
    """What the words do, for a person."""
    topical: bool = False
    """Whether its words do not count if the tool's own name contains them: `get_secret` may speak of secrets."""
    unless: tuple[str, ...] = ()
    """Cues (or several, joined by `+`) in whose presence it does not count, unless they are denied: a request for care does not
    count beside a request for secrecy."""
    words: dict[Literal["en", "ja", "zh", "ko", "other"], tuple[str, ...]]
    """In lower case; `*` is any ending, `~` up to three words. In scripts without spaces they match anywhere in a text."""


class CueShape(Frozen):
    """A cue that is no word: a path, a URL, a command, a mark."""

    id: str = Field(pattern=r"^[a-z_]+$")
    says: dict[Literal["en", "ja"], str]
    pattern: str


class _Phrase(NamedTuple):
    cue: str
    parts: tuple[str, ...]
    topical: bool


class ActionNames(Frozen):
    """The cue `other_action`."""

    says: dict[Literal["en", "ja"], str]
    verbs: frozenset[str]
    """The first words of names of tools that act."""


class Denial(Frozen):
    """Recognises what a clause forbids or denies, such as `never put a password here`. The patterns are regular expressions."""

    cues: frozenset[str]
    """The cues that count less if they are denied; `do not tell the user` is a cue although it forbids."""
    clause: str
    """The end of a clause."""
    denying: str
    undone: str
    """Words that turn a denial into a demand: `do not forget to`."""
    excepting: str
    """Beginnings of a clause that revoke a part of the denial before it."""
    warning: str
    """Words that warn against following a quotation."""
    quoted: str

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        parts = (self.clause, self.denying, self.undone, self.excepting, self.warning, self.quoted)
        return tuple(re.compile(part, re.IGNORECASE) for part in parts)

    def asserted(self, sentence: str) -> str:
        """Remove the clauses that deny something, and the quotations that the sentence warns against."""
        clause, denying, undone, excepting, warning, quoted = self._patterns
        if not denying.search(sentence) and not quoted.search(sentence):
            return sentence
        if warning.search(quoted.sub(" ", sentence)):
            sentence = quoted.sub(" ", sentence)
        clauses = clause.split(sentence)
        parts = [
            one
            for one, following in zip(clauses, [*clauses[1:], ""], strict=True)
            if not denying.search(one) or undone.search(one) or excepting.match(following.strip())
        ]
        return sentence if len(parts) == len(clauses) else " , ".join(parts)


class Cues(Frozen):
    """The contents of the data file."""

    cues: tuple[Cue, ...]
    shapes: tuple[CueShape, ...]
    other_tool: dict[Literal["en", "ja"], str]
    other_action: ActionNames
    denial: Denial
    harmless: tuple[str, ...]
    """Phrases in lower case that are removed before cues are searched, such as `next token`, which is no secret."""
    comparing: tuple[str, ...]
    """Words that place one tool above another, whose name follows."""

    @cached_property
    def comparison(self) -> re.Pattern[str]:
        """The pattern of such words with the name that follows them (group 1)."""
        return re.compile(
            rf"\b(?:{'|'.join(map(re.escape, self.comparing))}) (?:(?:an?|the|using|taking) )?([\w-]+)", re.IGNORECASE
        )

    @cached_property
    def said(self) -> Mapping[str, Mapping[Literal["en", "ja"], str]]:
        """The meaning of each cue for a person, by its id and language."""
        sentences = {one.id: one.says for one in self.cues} | {one.id: one.says for one in self.shapes}
        return sentences | {OTHER_TOOL: self.other_tool, OTHER_ACTION: self.other_action.says}

    @cached_property
    def _harmless(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self.harmless))})\b")

    @cached_property
    def patterns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """The shapes, by the ids of their cues."""
        return tuple((shape.id, re.compile(shape.pattern)) for shape in self.shapes)

    @cached_property
    def _excluded(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Each cue with cues in whose presence it does not count."""
        return tuple((cue.id, frozenset(others.split("+"))) for cue in self.cues for others in cue.unless)

    @cached_property
    def _parts(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The cues in scripts without spaces, which match anywhere, by their first character."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for cue in self.cues:
            for word in map(str.lower, _all_words(cue)):
                if CHARACTERS.search(word):
                    found[word[0]].append((word, cue.id))
        return dict(found)

    @cached_property
    def _phrases(self) -> Mapping[str, tuple[_Phrase, ...]]:
        """The cues by their first word, including its `*`."""
        found: dict[str, list[_Phrase]] = defaultdict(list)
        for cue in self.cues:
            for word in _all_words(cue):
                if not CHARACTERS.search(word):
                    parts = _parts_of(word)
                    found[parts[0]].append(_Phrase(cue.id, parts, cue.topical and len(parts) == 1))
        return {first: tuple(phrases) for first, phrases in found.items()}

    def in_sentence(self, sentence: str, topic: Collection[str] = ()) -> frozenset[str]:
        """Return the ids of the cues in a sentence; `topic` holds the `beginning` of each word in the tool's own name."""
        lower = sentence.lower()
        tokens = words_of(self._harmless.sub(" ", lower.replace("_", " ")))
        found = set(_shapes_in(sentence))
        for at, token in enumerate(tokens):
            for phrase in _beginning_with(token):
                on_topic = phrase.topical and beginning(token) in topic
                if phrase.cue not in found and not on_topic and _matches(phrase.parts, tokens, at):
                    found.add(phrase.cue)
        if CHARACTERS.search(lower):
            found |= {cue for first in set(lower) for part, cue in self._parts.get(first, ()) if part in lower}
        return frozenset(found)

    def telling(self, found: frozenset[str], denied: frozenset[str] = frozenset()) -> frozenset[str]:
        """Remove the cues that do not count in the presence of others that the sentence asserts."""
        if not found:
            return found
        return found - {cue for cue, others in self._excluded if others <= found - denied}


CHARACTERS = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of scripts without spaces, or with endings that are joined to words, in which cues match anywhere."""
_TOKEN = re.compile(r"[^\W_]+(?:'[a-z]+)?|[#:]")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, with names split at `_`."""
    return _TOKEN.findall(text.lower().replace("’", "'").replace("_", " "))


def beginning(word: str) -> str:
    """Return the prefix by which `topic` compares words."""
    return word[:5]


def _all_words(cue: Cue) -> Iterator[str]:
    for words in cue.words.values():
        yield from words


def _parts_of(phrase: str) -> tuple[str, ...]:
    parts: list[str] = []
    for part in phrase.split():
        tokens = ["~"] if part == "~" else words_of(part.rstrip("*"))
        parts += [*tokens[:-1], tokens[-1] + "*" * part.endswith("*")]
    return tuple(parts)


@lru_cache(maxsize=2_000)
def _shapes_in(sentence: str) -> frozenset[str]:
    """Return the ids of the cues whose shapes a sentence has. Cached apart from the topic, because tools share sentences."""
    return frozenset(cue for cue, pattern in cues().patterns if pattern.search(sentence))


@lru_cache(maxsize=20_000)
def _beginning_with(token: str) -> tuple[_Phrase, ...]:
    """Return the phrases whose first word matches a token."""
    phrases = cues()._phrases
    stems = (phrases.get(token[:length] + "*", ()) for length in range(1, len(token) + 1))
    return (*phrases.get(token, ()), *(phrase for stem in stems for phrase in stem))


def _matches(parts: tuple[str, ...], tokens: list[str], at: int) -> bool:
    for index, part in enumerate(parts):
        if part == "~":
            return any(_matches(parts[index + 1 :], tokens, at + gap) for gap in range(_GAP + 1))
        if at >= len(tokens) or not (tokens[at].startswith(part[:-1]) if part.endswith("*") else tokens[at] == part):
            return False
        at += 1
    return True


@cache
def cues() -> Cues:
    """Read the cues of the data file. Raises pydantic's ValidationError if it is damaged."""
    return Cues.model_validate_json(read_data("descriptor_cues.json"))
