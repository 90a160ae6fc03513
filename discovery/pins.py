"""Keeps the definition of each tool that was approved, notices when a provider changes it, and holds what must be looked at (S6, D14).

Called by the gateway with every listing. A tool that is seen for the first time is pinned as it is (its provider was trusted);
later changes are recorded once each. Held tools keep their approved definition and cannot be called until `approve`.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

import anyio.to_thread
from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from discovery.catalog import Frozen, ToolSpec
from discovery.clock import SYSTEM_CLOCK, Clock
from discovery.definitions import Change, Flag, difference, flags
from discovery.tables import definition_changes, pins

Key = tuple[str, str]
"""Provider and the provider's own name of the tool."""


class DefinitionChange(Frozen):
    """One tool whose definition differs from the approved one, or that is flagged."""

    provider: str
    tool: str
    change: Change
    flags: tuple[Flag, ...] = ()
    held: bool
    first_seen: bool = False
    """Whether the tool is new rather than changed."""

    @property
    def summary(self) -> str:
        """All of it in one line, for a person."""
        parts = [*self.change.lines, *(flag.sentence for flag in self.flags)]
        return "; ".join(parts)


class Review(Frozen):
    """A listing after it was compared with the pins."""

    tools: tuple[ToolSpec, ...]
    """As offered, held ones with their approved definition and unavailable."""
    changes: tuple[DefinitionChange, ...]


class PinBook:
    """The approved definitions, in memory for comparing and in the database for the next process."""

    def __init__(self, engine: Engine | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._engine, self._clock = engine, clock
        self._pinned: dict[Key, ToolSpec] = {}
        self._recorded: set[str] = set()

    async def load(self) -> None:
        """Read what was approved and what was recorded. Raises whatever the database raises."""
        if self._engine:
            self._pinned, self._recorded = await anyio.to_thread.run_sync(_read, self._engine)

    async def review(
        self,
        offered: Sequence[ToolSpec],
        foreign_tools: Collection[str] = (),
        *,
        hold_all: bool = False,
        settled: Callable[[str], bool] = lambda tool: False,
    ) -> Review:
        """Compare a provider's tools with what was approved; pins new ones, records changes. Raises what the database raises.

        `foreign_tools` are the names of other providers' tools. `hold_all` holds every change, else only those that flag
        something, name a new address, or change the effect; the last not where the operator `settled` the effect of a tool.
        """
        compare = partial(self._compared, offered, foreign_tools, hold_all=hold_all, settled=settled)
        outcomes = await anyio.to_thread.run_sync(compare)
        await self._keep([one.offered for one in outcomes if one.accepted], by="unasked")
        await self._record([one for one in outcomes if one.change and one.offered.fingerprint not in self._recorded])
        changes = tuple(one.change for one in outcomes if one.change)
        return Review(tools=tuple(one.shown for one in outcomes), changes=changes)

    async def approve(self, specs: Sequence[ToolSpec], *, by: str) -> None:
        """Take these definitions as they are from now on."""
        await self._keep(specs, by=by)

    async def forget(self, provider: str) -> None:
        """Drop all pins of a provider that was removed."""
        for key in [key for key in self._pinned if key[0] == provider]:
            del self._pinned[key]
        if self._engine:
            await anyio.to_thread.run_sync(_drop_pins, self._engine, provider)

    async def _keep(self, specs: Sequence[ToolSpec], *, by: str) -> None:
        approved = {_key(spec): spec.model_copy(update=_APPROVED_STATE) for spec in specs}
        if self._engine and approved:
            await anyio.to_thread.run_sync(_write_pins, self._engine, list(approved.values()), self._clock.now(), by)
        self._pinned |= approved

    async def _record(self, outcomes: Sequence["_Outcome"]) -> None:
        if self._engine and outcomes:
            await anyio.to_thread.run_sync(_write_changes, self._engine, outcomes, self._clock.now())
        self._recorded |= {one.offered.fingerprint for one in outcomes}

    def _compared(
        self, offered: Sequence[ToolSpec], foreign_tools: Collection[str], *, hold_all: bool, settled: Callable[[str], bool]
    ) -> list["_Outcome"]:
        """What becomes of each tool. Takes a quarter of a millisecond for one that is new, so thousands go into a thread."""
        outcomes = []
        for spec in offered:
            approved = self._pinned.get(_key(spec))
            if approved is not None and approved.fingerprint == spec.fingerprint:
                outcomes.append(_Outcome(spec, spec))
                continue
            change = _change(approved, spec, foreign_tools, hold_all=hold_all, settled=settled(spec.tool))
            shown = _shown_held(approved, spec, change) if change.held else spec
            worth_telling = approved is not None or bool(change.flags)
            outcomes.append(_Outcome(spec, shown, change if worth_telling else None, accepted=not change.held))
        return outcomes


class _Outcome(NamedTuple):
    offered: ToolSpec
    shown: ToolSpec
    change: DefinitionChange | None = None
    accepted: bool = False
    """Whether it is to be pinned as offered."""


def _change(
    approved: ToolSpec | None, spec: ToolSpec, foreign_tools: Collection[str], *, hold_all: bool, settled: bool
) -> DefinitionChange:
    raised = flags(spec, foreign_tools)
    if approved is None:
        hidden = any(flag.kind == "hidden_characters" for flag in raised)
        return DefinitionChange(
            provider=spec.provider, tool=spec.tool, change=Change(), flags=raised, held=hidden, first_seen=True
        )
    change = difference(approved, spec)
    before = flags(approved, foreign_tools)
    raised = tuple(flag for flag in raised if flag not in before)
    alarming = bool(raised or change.new_addresses or (change.effect_changed and not settled))
    return DefinitionChange(provider=spec.provider, tool=spec.tool, change=change, flags=raised, held=hold_all or alarming)


def _shown_held(approved: ToolSpec | None, spec: ToolSpec, change: DefinitionChange) -> ToolSpec:
    """The approved definition, or the new one without its words, which cannot be called."""
    silent = ToolSpec(name=spec.name, provider=spec.provider, tool=spec.tool)
    reason = f"its definition {'must be looked at' if approved is None else 'changed'}: {change.summary}"
    return (approved or silent).model_copy(update={"name": spec.name, "available": False, "unavailable_because": reason[:500]})


_APPROVED_STATE = {"available": True, "unavailable_because": "", "timeout_s": None}
"""What of a spec is the moment's, not the definition's."""


def _key(spec: ToolSpec) -> Key:
    return spec.provider, spec.tool


def _read(engine: Engine) -> tuple[dict[Key, ToolSpec], set[str]]:
    with engine.connect() as connection:
        rows = connection.execute(select(pins.c.provider, pins.c.tool, pins.c.definition)).all()
        recorded = connection.execute(select(definition_changes.c.fingerprint).distinct()).scalars().all()
    return {(row.provider, row.tool): ToolSpec.model_validate(row.definition) for row in rows}, set(recorded)


def _write_pins(engine: Engine, specs: Sequence[ToolSpec], now: float, by: str) -> None:
    rows = [
        {
            "provider": spec.provider,
            "tool": spec.tool,
            "fingerprint": spec.fingerprint,
            "definition": spec.model_dump(mode="json"),
            "approved_at": now,
            "approved_by": by,
        }
        for spec in specs
    ]
    for last in (False, False, True):
        try:
            with engine.begin() as connection:
                for spec in specs:
                    _drop_pin(connection, spec)
                connection.execute(insert(pins), rows)
        except IntegrityError:  # another process pinned one of them between our two statements
            if last:
                raise
        else:
            return


def _drop_pin(connection: Connection, spec: ToolSpec) -> None:
    connection.execute(delete(pins).where((pins.c.provider == spec.provider) & (pins.c.tool == spec.tool)))


def _drop_pins(engine: Engine, provider: str) -> None:
    with engine.begin() as connection:
        connection.execute(delete(pins).where(pins.c.provider == provider))


def _write_changes(engine: Engine, outcomes: Sequence[_Outcome], now: float) -> None:
    rows = [
        {
            "provider": change.provider,
            "tool": change.tool,
            "fingerprint": one.offered.fingerprint,
            "seen_at": now,
            "held": change.held,
            "summary": change.summary[:4000],
        }
        for one in outcomes
        if (change := one.change)
    ]
    with engine.begin() as connection:
        connection.execute(insert(definition_changes), rows)
