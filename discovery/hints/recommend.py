"""Recommends tools for a purpose.

Pure; the named recommendations are data (`data/recommendations.json`), the rest is derived from the catalog.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pydantic import TypeAdapter

from discovery.catalog import Catalog, Frozen, ToolSpec
from discovery.hints.hints import Language
from discovery.text.data_files import read_data
from discovery.text.search_terms import terms


class Recommendation(Frozen):
    """A purpose, the tools that serve it, and how to use them."""

    purpose: str
    tools: tuple[str, ...]
    """Full names, or the provider's own; recommended only if the catalog has the first."""
    strategy: str

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.purpose}: {', '.join(self.tools)} - {self.strategy}"


def recommendations(catalog: Catalog, *, language: Language = "ja") -> tuple[Recommendation, ...]:
    """Recommend uses of this catalog: the named recommendations, then pairs of tools of which one looks up what the other
    needs."""
    full_names = {alias: spec.name for spec in catalog.callable_tools for alias in (spec.tool, spec.name)}
    recommended = []
    for item in _read_recommendations(language):
        present = tuple(full_names[tool] for tool in item.tools if tool in full_names)
        if item.tools[0] in full_names:
            recommended.append(item.model_copy(update={"tools": present}))
    return (*recommended, *_lookups(catalog, *_LOOKUP[language]))


MOST_LOOKUPS = 8
_LISTING = re.compile(r"list|search|find|query|lookup")
_LOOKUP: dict[Language, tuple[str, str]] = {
    "ja": ("{name} を調べる", "{tool} に渡す {name} は {source} で得る"),
    "en": ("look up {name}", "get the {name} for {tool} from {source}"),
}
"""Purpose and strategy of a derived recommendation."""


def _lookups(catalog: Catalog, purpose: str, strategy: str) -> tuple[Recommendation, ...]:
    """Find pairs of tools of one provider of which one lists things and the other requires the id of such a thing."""
    found: dict[tuple[str, str], Recommendation] = {}
    for provider in catalog.providers:
        for name, source, spec in _asked_for([spec for spec in catalog.of(provider.name) if spec.available]):
            found.setdefault(
                (source.name, name),
                Recommendation(
                    purpose=purpose.format(name=name),
                    tools=(source.name, spec.name),
                    strategy=strategy.format(name=name, tool=spec.tool, source=source.tool),
                ),
            )
    return tuple(found.values())[:MOST_LOOKUPS]


def _asked_for(specs: Sequence[ToolSpec]) -> Iterator[tuple[str, ToolSpec, ToolSpec]]:
    """Yield the argument that refers to a thing, the tool that lists such things, and the tool with the argument."""
    listings = [spec for spec in specs if spec.read_only and _LISTING.search(spec.tool.lower())]
    for spec in specs:
        for name in spec.required:
            # `channel_id`, `postNumber` → the term of the thing; empty for an argument that is no reference
            words = terms(name)
            noun = words[0] if len(words) == 2 and words[1] in ("id", "number", "key", "slug") else ""
            for source in listings:
                if noun and noun in terms(source.tool) and name not in source.parameters and source is not spec:
                    yield name, source, spec
                    break


@cache
def _read_recommendations(language: Language) -> tuple[Recommendation, ...]:
    name = "recommendations.json" if language == "ja" else f"recommendations.{language}.json"
    return TypeAdapter(tuple[Recommendation, ...]).validate_json(read_data(name))
