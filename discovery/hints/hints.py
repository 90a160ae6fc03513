"""Makes the usage hint of a tool: curated, derived from its schema, and learned from calls."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from discovery.catalog import Effect, Frozen, ToolSpec
from discovery.hints.usage import ToolUsage
from discovery.text.data_files import read_data

Language = Literal["ja", "en"]

ENOUGH_CALLS = 3.0
"""With fewer calls (by weight) a hint holds nothing learned, because they tell too little about a tool."""
TOLD_CALLS = (3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The number of calls is rounded down to one of these, and the rate of success to twentieths (`TOLD_RATES`): a hint that changed
with every call would invalidate the prompt caches of vendors."""
TOLD_RATES = 20

# read when the module is loaded, because hints are made on the event loop, where no file may be read
_SENTENCES: Mapping[Language, Mapping[str, str]] = json.loads(read_data("sentences.json"))["hints"]
_CURATED: Mapping[str, Mapping[str, Any]] = json.loads(read_data("hints.json"))


class Hint(Frozen):
    """A hint for the model about one tool, beside its description."""

    tool: str
    when: str
    """The curated advice, or the default sentence."""
    curated: bool = False
    needs: str = ""
    returns: str = ""
    effect: str = ""
    declared: bool = False
    """Whether the operator or the server declares the effect; otherwise `effect` is the careful default, which can mislead."""
    cost: Literal["", "fast", "moderate", "slow"] = ""
    """By the median duration of its calls: below one second, below ten, longer; empty if unknown."""
    learned: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other words for what it does, in either language; for search, not shown."""
    reliability: float | None = None
    """The learned rate of success; None if too few calls are known."""
    stop: str = "。"

    @property
    def text(self) -> str:
        """The whole hint as one line."""
        return self._line(self.when, self.effect, self.needs, self.returns, *self.learned)

    @property
    def below_description(self) -> str:
        """The hint for a person who has just read the tool's description: without the sentence that sends there."""
        return self._line(self.when if self.curated else "", self.effect, self.needs, self.returns, *self.learned)

    @property
    def beside_definition(self) -> str:
        """The part of the hint for a model that gets the tool's description and schema: without anything that these say already.

        The rest gained one right call of 162, lost one, and cost a twelfth of the tokens (docs/search.md)."""
        advice, effect = self.when if self.curated else "", self.effect if self.declared else ""
        return self._line(advice, effect, self.returns, *self.learned)

    def _line(self, *parts: str) -> str:
        return self.stop.join(part for part in parts if part)


def make_hint(
    spec: ToolSpec, usage: ToolUsage | None = None, followers: tuple[str, ...] = (), *, language: Language = "ja"
) -> Hint:
    """Make the hint of a tool from its definition, its statistics, and the tools that usually follow it."""
    phrases = _SENTENCES[language]
    known_name = _CURATED.get(spec.name) or _CURATED.get(spec.tool) or {}
    # our advice is for a tool with these arguments only; the aliases fit any tool of that name
    curated = known_name if set(known_name.get("arguments", ())) <= spec.parameters.keys() else {}
    statistics = usage if usage and usage.calls >= ENOUGH_CALLS else None
    # only tools of the same server: another server could name a tool like an order to the model
    own = [name for name in followers if name != spec.name and name.startswith(f"{spec.provider}_")]
    return Hint(
        tool=spec.name,
        when=curated.get("hint" if language == "ja" else f"hint_{language}") or phrases["default"],
        curated=bool(curated),
        needs=_needs(spec, phrases),
        returns=_returns(spec, phrases),
        effect=_effect(spec, phrases),
        declared=spec.declared,
        cost=_cost(statistics),
        learned=_learned(spec, statistics, own, phrases) if statistics else (),
        aliases=(*known_name.get("aliases", ()), *([curated["hint_en"]] if curated and language == "ja" else ())),
        reliability=statistics.reliability if statistics else None,
        stop=phrases["stop"],
    )


def tool_title(name: str, title: str, language: Language) -> str:
    """Return a tool's title for people: ours for a known tool, else the server's, else its full name."""
    curated = _CURATED.get(name) or _CURATED.get(name.partition("_")[2]) or {}
    return curated.get("title" if language == "ja" else f"title_{language}") or title or name


def _needs(spec: ToolSpec, phrases: Mapping[str, str]) -> str:
    parts = [phrases["needs"].format(names=", ".join(spec.required))] if spec.required else []
    for name, schema in spec.parameters.items():
        values = schema.get("enum")
        if isinstance(values, list) and 0 < len(values) <= 6:
            parts.append(phrases["values"].format(name=name, values="/".join(map(str, values))))
    return phrases["stop"].join(parts[:4])


def _returns(spec: ToolSpec, phrases: Mapping[str, str]) -> str:
    properties = (spec.output_schema or {}).get("properties")
    names = list(properties)[:6] if isinstance(properties, dict) else []
    return phrases["returns"].format(names=", ".join(names)) if names else ""


def _effect(spec: ToolSpec, phrases: Mapping[str, str]) -> str:
    effect = phrases[spec.effect]
    repeatable = spec.idempotent and spec.effect is not Effect.READ
    return f"{effect} ({phrases['idempotent']})" if repeatable else effect


def _cost(usage: ToolUsage | None) -> Literal["", "fast", "moderate", "slow"]:
    seconds = usage.duration_s(0.5) if usage else None
    if seconds is None:
        return ""
    return "fast" if seconds < 1 else "moderate" if seconds < 10 else "slow"


def _learned(spec: ToolSpec, usage: ToolUsage, followers: Sequence[str], phrases: Mapping[str, str]) -> tuple[str, ...]:
    least = max(calls for calls in TOLD_CALLS if calls <= usage.calls)
    lines = [phrases["rate"].format(rate=math.floor(usage.ok / usage.calls * TOLD_RATES) / TOLD_RATES, calls=least)]
    if (seconds := usage.duration_s(0.5)) is not None:
        lines.append(phrases["duration"].format(seconds=f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}"))
    if arguments := _usual_arguments(spec, usage):
        lines.append(phrases["arguments"].format(names=", ".join(arguments)))
    lines += _failures(usage, phrases)
    if followers:
        lines.append(phrases["next"].format(names=", ".join(followers[:3])))
    return tuple(lines)


def _usual_arguments(spec: ToolSpec, usage: ToolUsage) -> list[str]:
    """Return the optional arguments that most calls give, with their usual value if it is safe to tell."""
    half = usage.ok / 2
    usual = [name for name, weight in usage.arguments.items() if weight > half and name in spec.parameters]
    values = {choice.split("=", 1)[0]: choice for choice, weight in reversed(usage.choices.items()) if weight > half}
    return [values.get(name, name) for name in usual if name not in spec.required or name in values][:4]


def _failures(usage: ToolUsage, phrases: Mapping[str, str]) -> list[str]:
    cured = [line.split(" → ", 1) for line, weight in usage.cures.items() if weight >= 1][:2]
    lines = [phrases["cure"].format(error=error, cure=_cure_in_words(cure, phrases)) for error, cure in cured]
    curable = {error for error, _ in cured}
    worst = next((error for error, weight in usage.errors.items() if weight >= 2 and error not in curable), "")
    return lines + ([phrases["error"].format(error=worst)] if worst else [])


def _cure_in_words(cure: str, phrases: Mapping[str, str]) -> str:
    if cure == "retry":
        return phrases["cure_retry"]
    kinds = {"+": "cure_add", "-": "cure_drop", "~": "cure_change"}
    return ", ".join(phrases[kinds[change[0]]].format(name=change[1:]) for change in cure.split(","))
