"""Binds a job's needs in words to the tools that met them in its first completed run.

A need names no tool, so that another server with the same kind of tools serves as well. Once a run has completed, that freedom
is over: a server that comes later and describes itself alike must not take over what people have seen work.
"""

from collections.abc import Collection, Mapping
from typing import Protocol

from autonomy.llm.model import Need
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.digests import digest


class NeedMemory(Protocol):
    """The tools that met the needs of a tenant's job. Both raise `StoreError`."""

    async def recall(self, tenant: str, job: str) -> Mapping[str, frozenset[str]]:
        """The tools that met each need so far, by `key_of_need`."""
        ...

    async def keep(self, tenant: str, job: str, met: Mapping[str, Collection[str]]) -> None:
        """Add the tools that met needs of a run that completed; keeping the same twice changes nothing."""
        ...


class NoNeedMemory:
    """A need memory that keeps nothing."""

    async def recall(self, tenant: str, job: str) -> Mapping[str, frozenset[str]]:
        """Return nothing."""
        return {}

    async def keep(self, tenant: str, job: str, met: Mapping[str, Collection[str]]) -> None:
        """Keep nothing."""


def key_of_need(need: Need) -> str:
    """The key of a need, stable while its author's words are; its arguments contain the day, so they do not count."""
    return f"{need.id[:80]}:{digest({'description': need.description, 'effect': need.effect})[:16]}"


def tools_that_met(ctx: ToolExecutionContext) -> dict[str, frozenset[str]]:
    """The tools that met each need in words."""
    in_words = [need for need in ctx.request.task.needs if not need.tools and need.id in ctx.needs_met()]
    return {
        key_of_need(need): frozenset(record.tool for record in ctx.records if record.ok and need.id in record.needs)
        for need in in_words
    }
