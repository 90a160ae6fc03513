"""Finds fallback tools for a failed call, with mapped arguments.

They come from a fixed table (`data/alternatives.json`), from earlier fallbacks that succeeded, and from tools with a similar
description; the latter two must be of the same kind (`discovery.search.tool_kinds`). The host's policy decides whether one is
tried.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Literal

from pydantic import Field, TypeAdapter

from discovery.catalog import Catalog, Effect, Frozen, JsonObject, ToolSpec
from discovery.hints.usage import ToolUsage
from discovery.schemas.schema import validate
from discovery.search.argument_mapping import fill, mapped
from discovery.search.search_index import SearchIndex
from discovery.search.tool_kinds import same_kind
from discovery.text.data_files import read_data


class FallbackTool(Frozen):
    """A tool that may replace a failed one, with mapped, valid arguments."""

    spec: ToolSpec
    arguments: JsonObject
    score: float
    """Between 0 and 1: at least 0.8 if it succeeded before, 0.6 by the table unless the rule has another score, and below 0.8 by
    similarity."""
    source: Literal["table", "ranked", "learned"]


class FallbackRule(Frozen):
    """One line of the fixed table."""

    failed: str
    use: str
    arguments: JsonObject = Field(default_factory=dict)
    """Values; `{name}` is replaced by the failed call's argument of that name, `{name?}` by one that may be missing."""
    score: float = 0.6
    writes: bool = False
    """Whether this rule allows a tool that writes."""


MOST = 4
LEAST_LIKENESS = 0.25
"""A less similar tool is no candidate."""
SIBLING = 0.4
"""The factor for a tool of the same provider: it is similar because of its subject, and tends to fail for the same reason."""
_CANDIDATES = 24


def find_fallback_tools(
    catalog: Catalog,
    failed: ToolSpec,
    arguments: JsonObject,
    *,
    index: SearchIndex,
    usage: Callable[[ToolSpec], ToolUsage | None] = lambda spec: None,
    table: Sequence[FallbackRule] | None = None,
) -> tuple[FallbackTool, ...]:
    """Return the fallback tools for a failed call, best first.

    They only read, and only replace tools that read, unless a rule of the table allows otherwise.
    """
    found: dict[str, FallbackTool] = {}
    sources = (
        _learned(catalog, failed, arguments, usage),
        _tabled(catalog, failed, arguments, _table() if table is None else table),
        _ranked(failed, arguments, index, usage),
    )
    for source in sources:
        for candidate in source:
            before = found.get(candidate.spec.name)
            if before is None or candidate.score > before.score:
                found[candidate.spec.name] = candidate
    return tuple(sorted(found.values(), key=lambda one: (-one.score, one.spec.name))[:MOST])


def _learned(
    catalog: Catalog, failed: ToolSpec, arguments: JsonObject, usage: Callable[[ToolSpec], ToolUsage | None]
) -> Iterator[FallbackTool]:
    known = usage(failed)
    if known is None or not known.alternatives:
        return
    for name, weight in known.alternatives.items():
        spec = catalog.get(name)
        fits = spec is not None and _may_stand_in(spec, failed) and same_kind(failed, spec, catalog.tools)
        mapping = mapped(failed, arguments, spec) if spec and fits else None
        if spec and mapping:
            yield FallbackTool(spec=spec, arguments=mapping.arguments, score=0.8 + 0.2 * weight / (weight + 1), source="learned")


def _tabled(catalog: Catalog, failed: ToolSpec, arguments: JsonObject, table: Iterable[FallbackRule]) -> Iterator[FallbackTool]:
    by_name = {alias: spec for spec in catalog.callable_tools for alias in (spec.tool, spec.name)}
    for rule in table:
        spec = by_name.get(rule.use)
        if rule.failed not in (failed.name, failed.tool) or spec is None or spec.name == failed.name:
            continue
        filled = fill(rule.arguments, arguments)
        if filled is None or validate(spec.input_schema, filled):
            continue
        if rule.writes or _may_stand_in(spec, failed):
            yield FallbackTool(spec=spec, arguments=filled, score=rule.score, source="table")


def _ranked(
    failed: ToolSpec, arguments: JsonObject, index: SearchIndex, usage: Callable[[ToolSpec], ToolUsage | None]
) -> Iterator[FallbackTool]:
    if failed.effect is not Effect.READ:
        return
    for candidate in index.like(failed, limit=_CANDIDATES):
        if not _may_stand_in(candidate.spec, failed) or not same_kind(failed, candidate.spec, index.specs):
            continue
        mapping = mapped(failed, arguments, candidate.spec)
        if mapping is None:
            continue
        known = usage(candidate.spec)
        sibling = SIBLING if candidate.spec.provider == failed.provider else 1.0
        likeness = candidate.score * mapping.coverage * sibling * (0.5 + known.reliability if known else 1.0)
        if likeness >= LEAST_LIKENESS:
            score = 0.8 * min(likeness, 1.0)
            yield FallbackTool(spec=candidate.spec, arguments=mapping.arguments, score=score, source="ranked")


def _may_stand_in(spec: ToolSpec, failed: ToolSpec) -> bool:
    return spec.available and spec.name != failed.name and spec.read_only and failed.read_only


@cache
def _table() -> tuple[FallbackRule, ...]:
    return TypeAdapter(tuple[FallbackRule, ...]).validate_json(read_data("alternatives.json"))
