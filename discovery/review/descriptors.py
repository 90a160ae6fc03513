"""Detects tool definitions that give orders to the model instead of describing the tool.

A sentence whose weight (`sentence_weights`) exceeds the threshold is a finding; so are invisible characters, encoded words, and a
name that looks like that of another provider's tool.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from discovery.catalog import Frozen, ToolSpec
from discovery.review.cues import cues
from discovery.review.encoded_text import decoded_texts
from discovery.review.sentence_weights import (
    ToolNames,
    WeighedSentence,
    both_ends,
    heaviest_cues,
    is_long_name,
    spelt,
    weighed_sentences,
    weight_of,
    weights,
)
from discovery.text.data_files import read_data


class Flag(Frozen):
    """A finding in a definition."""

    kind: Literal["hidden_characters", "order", "foreign_tool", "look_alike"]
    where: str
    detail: str
    rule: str = ""
    """The cues with the largest weights, joined by commas."""
    sure: bool = True
    """Whether it is certain enough to hold the tool; if not, the tool is doubted."""

    @property
    def sentence(self) -> str:
        """The finding in English, as in logs and records."""
        return self.in_words("en")

    def in_words(self, language: Literal["en", "ja"]) -> str:
        """Word the finding for a person."""
        reasons = [cues().said[cue][language] for cue in self.rule.split(",") if cue in cues().said]
        text = (_TOLD if self.sure else _DOUBTED)[self.kind][language].format(detail=self.detail)
        if language == "ja":
            kind, _, name = self.where.partition(" ")
            return f"{_WHERE.get(kind, kind)}{f' {name} ' if name else ''}{text}" + (
                f"（{'、'.join(reasons)}）" if reasons else ""
            )
        return f"{self.where} {text}" + (f" ({'; '.join(reasons)})" if reasons else "")


_SENTENCES = json.loads(read_data("sentences.json"))
_TOLD: Mapping[str, Mapping[Literal["en", "ja"], str]] = _SENTENCES["findings"]
_DOUBTED = {**_TOLD, **_SENTENCES["doubts"]}
_WHERE: Mapping[str, str] = _SENTENCES["places_ja"]


def flags(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> tuple[Flag, ...]:
    """Return the findings that a person should see before the tool is used; empty for an honest definition.

    `foreign_tools` holds full and own names of other providers' tools, `siblings` the own names of this provider's tools.
    """
    names = ToolNames(spec, foreign_tools, siblings)
    found: list[Flag] = []
    for where, text in texts_of(spec):
        if hidden := hidden_characters(text):
            found.append(Flag(kind="hidden_characters", where=where, detail=hidden))
        if decoded := next(decoded_texts(both_ends(text)), ""):  # no description has a reason to encode words
            found.append(Flag(kind="order", where=where, detail=repr(shortened(decoded)), rule="encoded"))
        elif order := _order(where, text, names):
            found.append(order)
    alike = _by_skeleton(frozenset(foreign_tools)).get(_skeleton(spec.tool), ())
    if twin := next((name for name in alike if name not in (spec.tool, spec.name)), ""):
        found.append(Flag(kind="look_alike", where="name", detail=twin))
    return tuple(found)


def texts_of(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    """Yield each text of a definition that a model reads, with its place."""
    yield "name", spec.tool
    yield "title", spec.title
    yield "description", spec.whole_description or spec.description
    if spec.second_title:
        yield "title", spec.second_title
    yield from ((f"parameter {name}", text) for name, text in _parameter_texts(spec))
    rest = {key: value for key, value in spec.input_schema.items() if key != "properties"}
    yield "arguments", ". ".join(_strings(rest))
    if spec.output_schema:
        yield "output", ". ".join(_strings(spec.output_schema))


def _parameter_texts(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    for name, schema in spec.parameters.items():
        between = "." if is_long_name(spelt(name)) else ":"
        yield name, f"{spelt(name)}{between} {'. '.join(_strings(schema, name))}"


def hidden_characters(text: str) -> str:
    """Return the invisible characters that can carry a message or reverse text, as code points; empty for none."""
    if text.isascii() and text.translate(_WITHOUT_LINES).isprintable():  # as nearly all
        return ""
    hidden = {
        character for character in text if unicodedata.category(character) in {"Cf", "Co", "Cc"} and character not in "\n\t\r"
    }
    hidden |= set(_SELECTORS.findall(text))
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden - _JOINERS - _MISREAD)[:5])


_WITHOUT_LINES = str.maketrans("", "", "\n\t\r")
_SELECTORS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef](?=[\ufe00-\ufe0f\U000e0100-\U000e01ef])")
"""A variation selector followed by another: a sequence of them can encode bytes."""
_JOINERS = {"\u200d", "\u200c", "\ufe0f", "\u00ad", "\ufeff"}
"""Invisible characters in honest use: parts of emoji and of some scripts, the soft hyphen, the byte order mark."""
_MISREAD = {chr(code) for code in range(0x80, 0xA0)}
"""Remains of quotation marks that were read in the wrong encoding, which occur in real documentation."""
_NO_WORDS = {"type", "$ref", "format", "pattern", "required", "$schema", "additionalProperties", "$id"}
"""Keywords of a schema whose values are no prose."""


_OF_THE_PROTOCOL = frozenset(json.loads(read_data("protocol_texts.json")))
"""Texts that the Python MCP SDK (1.9 to 2.0) adds to schemas with types of the protocol (`ResourceLink`). They speak of
prompts and the user, but no server wrote them."""


def _strings(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        yield from () if " ".join(value.split()) in _OF_THE_PROTOCOL else (value,)
    elif isinstance(value, list):
        listed = key in ("enum", "examples") and all(isinstance(part, str) for part in value)
        yield from [" ; ".join(value)] if listed else (text for part in value for text in _strings(part, key))
    elif isinstance(value, dict) and key == "properties":
        for name, part in value.items():
            yield f"{spelt(name)}: {' ; '.join(_strings(part, name))}"
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _strings(part, name) if name not in _NO_WORDS else ()


def weighed(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> Iterator[WeighedSentence]:
    """Yield each sentence of a definition as it is weighed; the weights are fitted to these."""
    names = ToolNames(spec, foreign_tools, siblings)
    for where, text in texts_of(spec):
        yield from (one for one, _ in weighed_sentences(where, text, names))


def _order(where: str, text: str, names: ToolNames) -> Flag | None:
    """Return a finding for the sentence with the largest weight, if that exceeds the threshold."""
    found: Flag | None = None
    sure = weights().name if where == "name" else weights().sure
    heaviest = sure if where == "name" else weights().doubted
    for one, foreign in weighed_sentences(where, text, names):
        if (weight := weight_of(one)) > heaviest:
            heaviest = weight
            detail, rule = repr(shortened(one.sentence)), ",".join(heaviest_cues(one.cues))
            kind: Literal["foreign_tool", "order"] = "foreign_tool" if foreign else "order"
            found = Flag(kind=kind, where=where, detail=detail, rule=rule, sure=weight > sure)
    return found


class PlainTexts(NamedTuple):
    """The texts of a definition that only describe the tool."""

    description: str
    """The paragraphs with only plain sentences; of the first paragraph at least its first sentence, if that is plain."""
    parameters: frozenset[str]
    """The arguments with only plain sentences."""


def plain_texts(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> PlainTexts:
    """Return the texts of a definition with only plain sentences. Whole paragraphs, because an order may be spread over several
    sentences of which only one has a large weight."""
    names = ToolNames(spec, foreign_tools, siblings)
    parameters = (
        name
        for name, text in _parameter_texts(spec)
        if all(_is_plain(one) for one, _ in weighed_sentences(f"parameter {name}", text, names))
    )
    return PlainTexts("\n\n".join(_plain_paragraphs(spec, names)), frozenset(parameters))


def _plain_paragraphs(spec: ToolSpec, names: ToolNames) -> Iterator[str]:
    first, *others = _PARAGRAPH.split(both_ends(spec.whole_description or spec.description).strip())
    sentences = [one for one, _ in weighed_sentences("description", first, names)]
    if sentences and _is_plain(sentences[0]):
        yield first if all(map(_is_plain, sentences)) else sentences[0].sentence
    for paragraph in others:  # the dots make it no opening, in which a verb at the beginning would not count
        if all(_is_plain(one) for one, _ in weighed_sentences("description", f"...\n{paragraph}", names)):
            yield paragraph


_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


def _is_plain(one: WeighedSentence) -> bool:
    return weight_of(one) < weights().plain


@lru_cache(maxsize=4)
def _by_skeleton(names: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """Group names by their skeleton, in order; cached for all tools of a listing."""
    alike: dict[str, list[str]] = {}
    for name in sorted(names):
        alike.setdefault(_skeleton(name), []).append(name)
    return alike


_CONFUSED: Mapping[int, str] = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "3": "e", "і": "i", "о": "o", "а": "a", "е": "e", "с": "c", "р": "p", "ѕ": "s", "-": "_"}
)


@lru_cache(maxsize=8_192)
def _skeleton(name: str) -> str:
    """Return a form of a name that is the same for names that look alike: confusable and doubled characters are replaced."""
    plain = unicodedata.normalize("NFKC", name).lower().translate(_CONFUSED).replace("rn", "m").replace("vv", "w")
    return re.sub(r"(.)\1+", r"\1", plain)


def shortened(text: str) -> str:
    """Truncate a text that is quoted to a person."""
    return text if len(text) <= 80 else text[:79] + "…"
