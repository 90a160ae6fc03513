"""Finds fallback tools for a failed call, with mapped arguments.

The fixed table is data (`data/alternatives.json`); the rest must be of the same kind (`discovery.search.tool_kinds`) and is
ranked by likeness and by what helped before. Whether a substitute is tried is the host's policy.
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
    """A tool that may do the job of a failed one, its arguments already mapped and valid."""

    spec: ToolSpec
    arguments: JsonObject
    score: float
    """Between 0 and 1: what helped before has 0.8 or more, a rule of the table 0.6 unless it says otherwise, a likeness less
    than 0.8."""
    source: Literal["table", "ranked", "learned"]


class FallbackRule(Frozen):
    """One line of the fixed table."""

    failed: str
    use: str
    arguments: JsonObject = Field(default_factory=dict)
    """Values; `{name}` stands for the failed call's argument of that name, `{name?}` for one that may be missing."""
    score: float = 0.6
    writes: bool = False
    """Whether this rule allows a tool that changes something."""


MOST = 4
LEAST_LIKENESS = 0.25
"""A candidate below this has little to do with the failed tool."""
SIBLING = 0.4
"""A provider's tools are alike because they share a subject, not because one does the other's job; and they fail together."""
_LOOKED_AT = 24


def find_fallback_tools(
    catalog: Catalog,
    failed: ToolSpec,
    arguments: JsonObject,
    *,
    index: SearchIndex,
    usage: Callable[[ToolSpec], ToolUsage | None] = lambda spec: None,
    table: Sequence[FallbackRule] | None = None,
) -> tuple[FallbackTool, ...]:
    """The best substitutes, best first: by what helped before, by the table, and by likeness.

    Only tools that read, and only in place of tools that read, unless a rule of the table says otherwise.
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
        mapping = mapped(failed, arguments, spec) if spec and _may_stand_in(spec, failed) and same_kind(failed, spec) else None
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
    ranking = index.like(failed, limit=_LOOKED_AT)
    for candidate in ranking:
        if not _may_stand_in(candidate.spec, failed) or not same_kind(failed, candidate.spec):
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
    data = read_data("alternatives.json")
    return TypeAdapter(tuple[FallbackRule, ...]).validate_json(data)
