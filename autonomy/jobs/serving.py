"""Finds the tools that can serve a job's needs, and the needs that no server can."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from autonomy.jobs.job import Job
from autonomy.llm.model import Need
from autonomy.policy.need_binding import candidates, fixed_arguments, is_write
from autonomy.run_state.completion_rules import ToolUsed
from discovery.catalog import JsonObject, ToolSpec
from discovery.search.search_index import SearchIndex

MOST_SHOWN = 3


class Served(NamedTuple):
    """One need of a job and the tools for it."""

    what: str
    """A need's id, or the key of the job file."""
    wanted: str
    """The names of tools that it asks for; empty for a need that is found by its words."""
    tools: tuple[str, ...]
    """The tools that could serve it, best first; empty where no server has one."""
    required: bool = True
    unlike: tuple[str, ...] = ()
    """The arguments that the need gives, where none of those tools takes one of these names: words alone speak for them, or their
    server has changed."""


def served(job: Job, specs: Sequence[ToolSpec]) -> tuple[Served, ...]:
    """Find the tools for each need of a job."""
    allowed = [spec for spec in specs if any(fnmatchcase(spec.name, glob) for glob in job.tools)]
    index = SearchIndex(allowed)
    needs = (_of_need(need, allowed, index) for need in job.needs)
    return (*needs, *(_by_name(what, glob, specs) for what, glob in _needed_names(job)))


def _of_need(need: Need, allowed: Sequence[ToolSpec], index: SearchIndex) -> Served:
    by_name = {spec.name: spec for spec in allowed}
    names = candidates(need, allowed, lambda words: index.search(words, limit=len(allowed)))
    tools = tuple(name for name in names if _takes_fixed_arguments(by_name[name], need))[:MOST_SHOWN]
    alike = any(set(need.arguments) & set(by_name[name].input_schema.get("properties", {})) for name in tools)
    return Served(need.id, ", ".join(need.tools), tools, need.required, () if alike else tuple(need.arguments))


def _takes_fixed_arguments(spec: ToolSpec, need: Need) -> bool:
    """Whether a tool has a parameter for every fixed argument of a write need, without which its calls would be refused."""
    return not is_write(need.effect) or set(_fixed(need)) <= set(spec.input_schema.get("properties", {}))


def _fixed(need: Need) -> JsonObject:
    """The arguments that a run will find fixed: inputs are put in before it starts, results of other needs are not."""
    arguments = {name: _INPUT.sub("", value) if isinstance(value, str) else value for name, value in need.arguments.items()}
    return fixed_arguments(need.model_copy(update={"arguments": arguments}))


_INPUT = re.compile(r"\{\{\s*inputs\.[^}]*\}\}")


def _needed_names(job: Job) -> Iterator[tuple[str, str]]:
    if job.when is not None:
        yield "when", job.when.tool
    if job.for_each is not None and job.for_each.of is not None:
        yield "for_each", job.for_each.of.tool
    yield from (("check", check.tool) for check in job.check)
    yield from (("complete", rule.tool) for rule in job.complete if isinstance(rule, ToolUsed))


def _by_name(what: str, glob: str, specs: Sequence[ToolSpec]) -> Served:
    return Served(what, glob, tuple(spec.name for spec in specs if fnmatchcase(spec.name, glob))[:MOST_SHOWN])
