"""Detects tool descriptors that address the reader instead of describing the tool.

The rules are data (`discovery/data/descriptor_rules.json`). A rule of weight 2 is a finding by itself; of those of weight 1 two
different ones must meet in neighbouring sentences, since honest descriptions hold each of them now and then (measured in
docs/descriptors.md).
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from pydantic import Field

from discovery.catalog import Frozen, ToolSpec
from discovery.text.search_terms import visible

ENOUGH = 2
"""The weight from which a text is a finding."""
MOST_CHARACTERS = 20_000
"""Of one text: a longer one is judged by its first and last half, so that a schema of 64 kB costs no second."""
_LONGEST_SENTENCE = 600
"""Text without full stops is cut here; no pattern reaches further than about 200 characters."""


class DescriptorRule(Frozen):
    """One kind of wording that has no business in a definition."""

    id: str = Field(pattern=r"^[a-z_]+$")
    weight: Literal[1, 2]
    says: dict[Literal["en", "ja"], str]
    """What the rule found, for a person."""
    patterns: tuple[str, ...] = Field(min_length=1)
    """Regular expressions over text in lower case; `%word%` stands for an entry of `words`, `other_tool` for a tool name that is
    not the server's own, `foreign_tool` for one that is another server's."""
    examples: tuple[tuple[str, bool], ...] = Field(min_length=1)
    """Texts, and whether the rule finds something in them."""


class DescriptorRules(Frozen):
    """The data file."""

    words: dict[str, str]
    rules: tuple[DescriptorRule, ...]

    def compiled(self, rule: DescriptorRule, *, japanese: bool) -> tuple[re.Pattern[str], ...]:
        """The patterns of a rule in one of the two languages. Raises KeyError for an unknown `%word%`, re.error for a bad
        pattern.

        One by one they are searched three times as fast as joined.
        """
        filled = [re.sub(r"%([^%\s]+)%", lambda found: self.words[found[1]], pattern) for pattern in rule.patterns]
        return tuple(re.compile(pattern) for pattern in filled if bool(_JAPANESE.search(pattern)) is japanese)


class Flag(Frozen):
    """Something in a definition that has no business in one."""

    kind: Literal["hidden_characters", "order", "foreign_tool", "look_alike"]
    where: str
    detail: str
    rule: str = ""
    """The rule of the data file that found it."""

    @property
    def sentence(self) -> str:
        """For a person."""
        texts = {
            "hidden_characters": "holds characters that nobody sees ({detail})",
            "order": "speaks to the model rather than of the tool: {detail}",
            "foreign_tool": "speaks of another provider's tool: {detail}",
            "look_alike": "is written almost like another provider's tool: {detail}",
        }
        because = f" ({_said(self.rule)})" if self.rule else ""
        return f"{self.where} {texts[self.kind].format(detail=self.detail)}{because}"


_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class _Hit(NamedTuple):
    rule: DescriptorRule
    span: str
    sentence: int


def flags(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> tuple[Flag, ...]:
    """What a person should look at before the tool is used; empty for an honest definition.

    `foreign_tools` are full and own names of other providers' tools, `siblings` the own names of this provider's: with them,
    every other name in the text counts as somebody else's.
    """
    names = _Names(spec, foreign_tools, siblings)
    found: list[Flag] = []
    for where, text in texts_of(spec):
        if hidden := hidden_characters(text):
            found.append(Flag(kind="hidden_characters", where=where, detail=hidden))
        found += _orders(where, text, names)
    if twin := _look_alike(spec, foreign_tools):
        found.append(Flag(kind="look_alike", where="name", detail=twin))
    return tuple(found)


def texts_of(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    """Every text of a definition that a model reads, and where it stands."""
    yield "name", spec.tool
    yield "title", spec.title
    yield "description", spec.description
    for name, schema in spec.parameters.items():
        yield f"parameter {name}", ".\n".join([name, *_strings(schema)])
    rest = {key: value for key, value in spec.input_schema.items() if key != "properties"}
    yield "arguments", ".\n".join(_strings({**rest, "required": []}))
    if spec.output_schema:
        yield "output", ".\n".join(_strings(spec.output_schema))


def hidden_characters(text: str) -> str:
    """The invisible characters that can carry a message or turn text around, by code point; empty for none."""
    hidden = {
        character for character in text if unicodedata.category(character) in {"Cf", "Co", "Cc"} and character not in "\n\t\r"
    }
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden - _JOINERS)[:5])


_JOINERS = {"\u200d", "\u200c", "\ufe0f", "\u00ad", "\ufeff"}
"""Parts of emoji and of some scripts, a hyphen and a byte order mark: invisible, and in honest use."""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


class _Names:
    """Which tool names in a text are the provider's own, and which somebody else's."""

    _NAME_LIKE = re.compile(r"(?<![A-Za-z0-9_./$-])[A-Za-z][A-Za-z0-9]*+(?:[_-][A-Za-z0-9]++)++(?![\w/])")

    def __init__(self, spec: ToolSpec, foreign: Collection[str], siblings: Collection[str]) -> None:
        self._own = {spec.tool, spec.name, *siblings, *spec.parameters}
        self._foreign = foreign
        self._complete = len(siblings) > 1
        self._family = re.split(r"[_-]", spec.tool)[0].lower()

    def marked(self, text: str) -> str:
        return self._NAME_LIKE.sub(self._mark, text)

    def _mark(self, found: re.Match[str]) -> str:
        name = found.group()
        if name in self._own:
            return name
        if name in self._foreign:
            return "foreign_tool"
        snake = "_" in name and name.islower()
        return "other_tool" if snake and not name.startswith(self._family + "_") else name


def _orders(where: str, text: str, names: _Names) -> Iterator[Flag]:
    """The findings of the rules in one text, each rule once, with the words that it found."""
    if len(text) < _SHORTEST:
        return
    hits = [_Hit(*hit, at) for at, sentence in enumerate(_sentences(text)) for hit in _hits(names.marked(sentence))]
    told: set[str] = set()
    for hit in hits:
        near = {other.rule.id: other.rule.weight for other in hits if abs(other.sentence - hit.sentence) <= 0}
        if hit.rule.id not in told and (hit.rule.weight >= ENOUGH or sum(near.values()) >= ENOUGH):
            told.add(hit.rule.id)
            kind: Literal["order", "foreign_tool"] = "foreign_tool" if "foreign_tool" in hit.span else "order"
            yield Flag(kind=kind, where=where, detail=repr(_shortened(hit.span)), rule=hit.rule.id)


_SHORTEST = 10
"""No order is shorter; most names and titles end here."""
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n\s*\n|\n\s*[-*•]\s|(?<=:)\n")


def _sentences(text: str) -> Iterator[str]:
    half = MOST_CHARACTERS // 2
    text = text if len(text) <= MOST_CHARACTERS else f"{text[:half]}\n\n{text[-half:]}"
    for sentence in _END.split(visible(unicodedata.normalize("NFKC", text))):
        plain = " ".join(sentence.split())
        plain = plain.replace("_", " ") if " " not in plain and plain.islower() else plain
        for at in range(0, len(plain), _LONGEST_SENTENCE):
            yield plain[at : at + _LONGEST_SENTENCE]


@lru_cache(maxsize=20_000)
def _hits(sentence: str) -> tuple[tuple[DescriptorRule, str], ...]:
    """The rules that find something in a sentence, each with its first words; tools of one server share many sentences."""
    if len(sentence) < _SHORTEST:
        return ()
    lower = sentence.lower()
    shown = sentence if len(lower) == len(sentence) else lower
    found = ((rule, _first(rule, lower)) for rule in rules().rules)
    return tuple((rule, shown[span[0] : span[1]]) for rule, span in found if span)


def _first(rule: DescriptorRule, sentence: str) -> tuple[int, int] | None:
    for japanese in (False, True) if _JAPANESE.search(sentence) else (False,):
        for pattern in _compiled(rule.id, japanese=japanese):
            if found := pattern.search(sentence):
                return found.span()
    return None


def _look_alike(spec: ToolSpec, foreign_tools: Collection[str]) -> str:
    """The other provider's tool whose name looks the same and is not; empty for none."""
    own = _skeleton(spec.tool)
    return next((name for name in sorted(foreign_tools) if name not in (spec.tool, spec.name) and _skeleton(name) == own), "")


_CONFUSED: Mapping[int, str] = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "3": "e", "і": "i", "о": "o", "а": "a", "е": "e", "с": "c", "р": "p", "ѕ": "s", "-": "_"}
)


def _skeleton(name: str) -> str:
    """What a name looks like at a glance: confusable characters are one, and so are doubled ones."""
    plain = unicodedata.normalize("NFKC", name).lower().translate(_CONFUSED).replace("rn", "m").replace("vv", "w")
    return re.sub(r"(.)\1+", r"\1", plain)


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


@cache
def rules() -> DescriptorRules:
    """The rules of the data file. Raises pydantic's ValidationError when it is damaged."""
    return DescriptorRules.model_validate_json(
        files("discovery").joinpath("data/descriptor_rules.json").read_text(encoding="utf-8")
    )


@cache
def _compiled(rule: str, *, japanese: bool) -> tuple[re.Pattern[str], ...]:
    return next(rules().compiled(one, japanese=japanese) for one in rules().rules if one.id == rule)


@cache
def _said(rule: str) -> str:
    return next((one.says["en"] for one in rules().rules if one.id == rule), rule)
