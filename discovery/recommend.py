"""Which tools serve a purpose, and how they work together (D12).

Pure; the named recommendations are data (`data/recommendations.json`), the rest is derived from the catalog. Called by
`discovery.describe` and `discovery.capabilities`.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from discovery.catalog import Catalog, Frozen
from discovery.words import terms


class Recommendation(Frozen):
    """A purpose, the tools that serve it, and how."""

    purpose: str
    tools: tuple[str, ...]
    """Full names, or the provider's own."""
    strategy: str

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.purpose}: {', '.join(self.tools)} - {self.strategy}"


def recommendations(catalog: Catalog, extra: Sequence[Recommendation] = ()) -> tuple[Recommendation, ...]:
    """What this catalog can be used for: the named recommendations whose tools are there, then what its tools need of each other."""
    known = {alias: spec.name for spec in catalog.callable_tools for alias in (spec.tool, spec.name)}
    named = []
    for item in [*extra, *_named()]:
        present = tuple(known[tool] for tool in item.tools if tool in known)
        if present:
            named.append(item.model_copy(update={"tools": present}))
    return (*named, *_lookups(catalog))


MOST_LOOKUPS = 8
_LISTING = re.compile(r"list|search|find|query|lookup")


def _lookups(catalog: Catalog) -> tuple[Recommendation, ...]:
    """Where one tool asks for the id of a thing and another of the same provider lists those things."""
    found: dict[tuple[str, str], Recommendation] = {}
    for provider in catalog.providers:
        specs = [spec for spec in catalog.of(provider.name) if spec.available]
        listings = [spec for spec in specs if _LISTING.search(spec.tool.lower()) and spec.read_only]
        for spec in specs:
            for name in spec.required:
                noun = _noun(name)
                source = next((one for one in listings if noun and noun in terms(one.tool) and name not in one.parameters), None)
                if source and source is not spec and (source.name, name) not in found:
                    found[source.name, name] = Recommendation(
                        purpose=f"{name} を調べる",
                        tools=(source.name, spec.name),
                        strategy=f"{spec.tool} に渡す {name} は {source.tool} で得る",
                    )
    return tuple(found.values())[:MOST_LOOKUPS]


def _noun(argument: str) -> str:
    """`channel_id`, `postNumber` → the term of the thing; empty for an argument that is no reference."""
    words = terms(argument)
    return words[0] if len(words) == 2 and words[1] in ("id", "number", "key", "slug") else ""


@cache
def _named() -> tuple[Recommendation, ...]:
    data = files("discovery").joinpath("data/recommendations.json").read_text(encoding="utf-8")
    return TypeAdapter(tuple[Recommendation, ...]).validate_json(data)
