"""Describes the catalog for a model within a token budget.

Pure. Texts of providers are cut to one line and stay in the details, so that none can pose as an instruction.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from discovery.catalog import Catalog, Freshness, Frozen, JsonObject, Provider, ToolSpec
from discovery.hints.hints import Hint, Language
from discovery.hints.recommend import Recommendation, recommendations
from discovery.text.data_files import read_data
from discovery.text.search_terms import visible
from discovery.text.token_estimates import estimate_tokens

T = TypeVar("T")

DESCRIPTION_CHARS = 300
"""Longer descriptions of tools are cut here; the model gets them whole with the tool itself."""
LINE_CHARS = 1200
"""The longest line about a tool; of a tool with many arguments it shows the first."""
NAMED_TOOLS = 12
"""How many of a provider's tools are named in its line."""

_TITLES: Mapping[Language, Mapping[str, str]] = json.loads(read_data("sentences.json"))["description"]


class ToolDetail(Frozen):
    """One tool as the description shows it."""

    name: str
    description: str
    provider: str
    parameters: JsonObject
    required: tuple[str, ...] = ()
    usage_hint: str
    unavailable: str = ""

    @property
    def line(self) -> str:
        """Name, arguments (`*` if required), description and hint in one line."""
        arguments = ", ".join(f"{name}*" if name in self.required else name for name in self.parameters)
        hints = "; ".join(part for part in (self.unavailable, self.usage_hint) if part)
        return f"{self.name}({arguments}): {self.description} ({hints})"


class Description(Frozen):
    """The four parts, as data for programs and as `text` for a model."""

    tool_summary: str
    provider_overview: tuple[str, ...]
    recommended_usage: tuple[Recommendation, ...]
    tool_details: tuple[ToolDetail, ...]
    left_out: int = 0
    """How many tools found no room in the budget."""
    text: str


def describe(
    catalog: Catalog,
    hint: Callable[[ToolSpec], Hint],
    *,
    budget_tokens: int,
    language: Language = "ja",
) -> Description:
    """Describe a catalog within a budget of estimated tokens: a quarter for providers, an eighth for advice, the rest for tools.

    `hint`: returns the hint on a tool.
    """
    titles = _TITLES[language]
    summary = _summary(catalog, titles)
    budget = _Budget(budget_tokens - estimate_tokens(summary) - _NOTE_TOKENS)
    overview = budget.lines(titles["providers"], _overview(catalog, titles), share=0.25)
    advice = budget.lines(
        titles["usage"], [(item.line, item) for item in recommendations(catalog, language=language)], share=0.125
    )
    details = budget.lines(titles["details"], _details(catalog.tools, hint, titles), share=1.0)
    left_out = len(catalog.tools) - len(details.items)
    note = [titles["left_out"].format(count=left_out)] if left_out else []
    return Description(
        tool_summary=summary,
        provider_overview=overview.items,
        recommended_usage=advice.items,
        tool_details=details.items,
        left_out=left_out,
        text="\n".join([summary, *overview.text, *advice.text, *details.text, *note]),
    )


_NOTE_TOKENS = 24
"""Kept free for the sentence that says how many tools were left out."""


class _Part(NamedTuple, Generic[T]):
    text: list[str]
    items: tuple[T, ...]


class _Budget:
    """The tokens that are left, spent line by line."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens

    def lines(self, title: str, lines: Iterable[tuple[str, T]], *, share: float) -> _Part[T]:
        """Return the title and as many lines as fit into a share of the rest, with the item of each; nothing if none fits."""
        allowed = int(self._left * share) - estimate_tokens(title)
        text, items = [title], []
        for line, item in ((one_line(line, LINE_CHARS), item) for line, item in lines):
            price = estimate_tokens(line) + 1
            if price > allowed:
                break
            allowed -= price
            self._left -= price
            text.append(line)
            items.append(item)
        if not items:
            return _Part([], ())
        self._left -= estimate_tokens(title)
        return _Part(text, tuple(items))


def _summary(catalog: Catalog, titles: Mapping[str, str]) -> str:
    if catalog.freshness is Freshness.EMERGENCY:
        return titles["emergency"].format(message=catalog.message)
    ready = sum(provider.available for provider in catalog.providers)
    summary = titles["summary"].format(tools=len(catalog.callable_tools), providers=ready)
    return summary + titles["last_known_good"] if catalog.freshness is Freshness.LAST_KNOWN_GOOD else summary


def _overview(catalog: Catalog, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    by_provider: defaultdict[str, list[str]] = defaultdict(list)
    for spec in catalog.tools:
        by_provider[spec.provider].append(spec.tool)
    for provider in catalog.providers:
        line = _provider_line(provider, by_provider[provider.name], titles)
        yield line, line


def _provider_line(provider: Provider, tools: list[str], titles: Mapping[str, str]) -> str:
    if not provider.available:
        return titles["down"].format(name=provider.name, reason=one_line(provider.reason or provider.state, 120))
    names = tools[:NAMED_TOOLS]
    more = [titles["more"].format(count=len(tools) - NAMED_TOOLS)] if len(tools) > NAMED_TOOLS else []
    return titles["provider"].format(name=provider.name, count=len(tools), tools=", ".join([*names, *more]))


def _details(
    specs: Iterable[ToolSpec], hint: Callable[[ToolSpec], Hint], titles: Mapping[str, str]
) -> Iterator[tuple[str, ToolDetail]]:
    for spec in specs:
        detail = ToolDetail(
            name=spec.name,
            description=one_line(spec.description or spec.title, DESCRIPTION_CHARS),
            provider=spec.provider,
            parameters=dict(spec.parameters),
            required=spec.required,
            usage_hint=one_line(hint(spec).text, DESCRIPTION_CHARS),
            unavailable="" if spec.available else titles["unavailable"].format(reason=one_line(spec.unavailable_because, 80)),
        )
        yield detail.line, detail


def one_line(text: str, longest: int) -> str:
    """Return a foreign text without line breaks and invisible characters, cut with `…`, so that it cannot pose as ours."""
    plain = " ".join(visible(text).replace("【", "[").replace("】", "]").split())
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
