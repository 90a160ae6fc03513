"""Detects tool descriptors that address the reader instead of describing the tool.

A sentence whose weights (`sentence_weights`) add up to more than the threshold is a finding, and so are characters that nobody
sees, words in an encoding, and a name that looks like another provider's.
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
    """Something in a definition that has no business in one."""

    kind: Literal["hidden_characters", "order", "foreign_tool", "look_alike"]
    where: str
    detail: str
    rule: str = ""
    """The cues that weighed most, joined by commas."""
    sure: bool = True
    """Whether it is certain enough to hold the tool; if not, the tool is doubted."""

    @property
    def sentence(self) -> str:
        """This in the stable English of logs and records."""
        return self.in_words("en")

    def in_words(self, language: Literal["en", "ja"]) -> str:
        """This in words for a person."""
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
    """The findings that a person should look at before the tool is used; empty for an honest definition.

    `foreign_tools` are full and own names of other providers' tools, `siblings` the own names of this provider's: with them,
    every other name in the text counts as somebody else's.
    """
    names = ToolNames(spec, foreign_tools, siblings)
    found: list[Flag] = []
    for where, text in texts_of(spec):
        if hidden := hidden_characters(text):
            found.append(Flag(kind="hidden_characters", where=where, detail=hidden))
        if order := _encoded(where, text) or _order(where, text, names):
            found.append(order)
    if twin := _look_alike(spec, foreign_tools):
        found.append(Flag(kind="look_alike", where="name", detail=twin))
    return tuple(found)


def texts_of(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    """Every text of a definition that a model reads, and where it stands."""
    yield "name", spec.tool
    yield "title", spec.title
    yield "description", spec.whole_description or spec.description
    if (title := str(spec.annotations.get("title") or "")) != spec.title:
        yield "title", title
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
    """The invisible characters that can carry a message or turn text around, by code point; empty for none."""
    hidden = {
        character for character in text if unicodedata.category(character) in {"Cf", "Co", "Cc"} and character not in "\n\t\r"
    }
    hidden |= set(_SELECTORS.findall(text))
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden - _JOINERS - _MISREAD)[:5])


_SELECTORS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef](?=[\ufe00-\ufe0f\U000e0100-\U000e01ef])")
"""Variation selectors, of which only one stands behind a sign: in a row they carry bytes."""
_JOINERS = {"\u200d", "\u200c", "\ufe0f", "\u00ad", "\ufeff"}
"""Parts of emoji and of some scripts, a hyphen and a byte order mark: invisible, and in honest use."""
_MISREAD = {chr(code) for code in range(0x80, 0xA0)}
"""What is left of quotation marks that were read in the wrong encoding; they stand in real documentation."""
_NO_WORDS = {"type", "$ref", "format", "pattern", "required", "$schema", "additionalProperties", "$id"}
"""Keywords of a schema whose values are no wording."""


_OF_THE_PROTOCOL = frozenset(json.loads(read_data("protocol_texts.json")))
"""The texts that Python's MCP SDK (1.9 to 2.0) puts into a schema with the protocol's own types (`ResourceLink`): no server wrote
them, and they speak of prompts and of the user."""


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
    """Every sentence of a definition, as it is weighed: what weights are fitted to."""
    names = ToolNames(spec, foreign_tools, siblings)
    for where, text in texts_of(spec):
        yield from (one for one, _ in weighed_sentences(where, text, names))


def _encoded(where: str, text: str) -> Flag | None:
    """Words that only a machine reads at a glance: they have no business in a description, whatever they say."""
    decoded = next(decoded_texts(both_ends(text)), "")
    return Flag(kind="order", where=where, detail=repr(shortened(decoded)), rule="encoded") if decoded else None


def _order(where: str, text: str, names: ToolNames) -> Flag | None:
    """The sentence of a text that weighs most, where it weighs enough."""
    found: Flag | None = None
    heaviest = weights().sure if where == "name" else weights().doubted  # a doubted tool keeps its name
    for one, foreign in weighed_sentences(where, text, names):
        if (weight := weight_of(one)) > heaviest:
            heaviest = weight
            detail, rule = repr(shortened(one.sentence)), ",".join(heaviest_cues(one.cues))
            found = Flag(
                kind="foreign_tool" if foreign else "order", where=where, detail=detail, rule=rule, sure=weight > weights().sure
            )
    return found


class PlainTexts(NamedTuple):
    """What of a definition plainly describes the tool."""

    description: str
    """The paragraphs in which every sentence is plain, and of the first one at least its first sentence."""
    parameters: frozenset[str]
    """The arguments whose texts are plain."""


def plain_texts(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> PlainTexts:
    """The texts of a definition in which no sentence weighs anything. Whole paragraphs only: what a doubted tool asks for may be
    spread over sentences of which one alone is heavy."""
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
    for paragraph in others:  # not as the opening of a text, which may begin with an order
        if all(_is_plain(one) for one, _ in weighed_sentences("description", f"...\n{paragraph}", names)):
            yield paragraph


_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


def _is_plain(one: WeighedSentence) -> bool:
    return weight_of(one) < weights().plain


def _look_alike(spec: ToolSpec, foreign_tools: Collection[str]) -> str:
    """The other provider's tool whose name looks the same and is not; empty for none."""
    alike = _by_skeleton(frozenset(foreign_tools)).get(_skeleton(spec.tool), ())
    return next((name for name in alike if name not in (spec.tool, spec.name)), "")


@lru_cache(maxsize=4)
def _by_skeleton(names: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """The names by their skeleton, in order, computed once for all tools of a listing."""
    alike: dict[str, list[str]] = {}
    for name in sorted(names):
        alike.setdefault(_skeleton(name), []).append(name)
    return alike


_CONFUSED: Mapping[int, str] = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "3": "e", "і": "i", "о": "o", "а": "a", "е": "e", "с": "c", "р": "p", "ѕ": "s", "-": "_"}
)


def _skeleton(name: str) -> str:
    """The skeleton of a name: confusable characters are one, and so are doubled ones."""
    plain = unicodedata.normalize("NFKC", name).lower().translate(_CONFUSED).replace("rn", "m").replace("vv", "w")
    return re.sub(r"(.)\1+", r"\1", plain)


def shortened(text: str) -> str:
    """As much of a text as is quoted to a person."""
    return text if len(text) <= 80 else text[:79] + "…"
