"""Pins approved tool definitions and holds changed ones for a person.

A tool that is seen for the first time is pinned as it is, because its provider is trusted, unless its definition is flagged: then
it is shown in our words (`discovery.review.neutral`) until `approve`. Each later change is recorded once. If a change alters the
meaning, the tool is held: it keeps its approved definition and cannot be called. Pins are kept when a server is removed, because
adding it again does not mean that somebody has read its definitions.
"""

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

import anyio.to_thread
from sqlalchemy import Connection, Engine, Select, bindparam, select, update

from discovery.catalog import Frozen, ToolSpec
from discovery.discovery_tables import definition_changes, insertion, pins
from discovery.review.definition_changes import DefinitionDifference, difference
from discovery.review.descriptors import Flag, flags, plain_texts
from discovery.review.neutral import neutral
from discovery.timing.clock import SYSTEM_CLOCK, Clock
from discovery.timing.together import Together

Key = tuple[str, str]
"""Provider and the provider's own name of the tool."""

BATCH = 100
"""How many definitions are compared without a break, in a tenth of a second."""

KEPT_EVERY = 1_000
"""After how many definitions, some two seconds of CPU, those of a first listing are pinned, although others are to come."""

UNFINISHED = "unasked, before all were compared"
"""Who approved the pins of a provider's first listing while it is being compared: whoever is interrupted then does not begin
anew, and the other tools of that listing are no news."""

Recorded = tuple[str, bool]
"""The fingerprint of a definition, and whether its removal was recorded."""


class DefinitionChange(Frozen):
    """A tool that differs from its approved definition, or is flagged."""

    provider: str
    tool: str
    change: DefinitionDifference = DefinitionDifference()
    flags: tuple[Flag, ...] = ()
    held: bool = False
    kind: Literal["new", "changed", "gone"] = "changed"
    fingerprint: str = ""
    """Of the definition as it is offered: who approves it approves no later one."""

    @property
    def only_effect(self) -> bool:
        """Whether only the effect differs."""
        return self.change.kinds == ("effect_changed",) and not self.flags

    @property
    def summary(self) -> str:
        """All of it in one line, for a person."""
        first = [] if self.kind == "changed" else [self.kind]
        return "; ".join([*first, *self.change.lines, *(flag.sentence for flag in self.flags)])


class Review(Frozen):
    """The result of comparing a listing with the pins."""

    tools: tuple[ToolSpec, ...]
    """As offered; held ones as they are shown instead."""
    changes: tuple[DefinitionChange, ...]
    news: frozenset[str] = frozenset()
    """The tools whose change no process has seen before."""


Hold = Literal["all", "meaning", "none"]
"""Which changed definitions wait for a person's approval."""


class PinBook:
    """The approved definitions: their fingerprints in memory, and they themselves in the database, where there is one."""

    def __init__(self, engine: Engine | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._engine, self._clock = engine, clock
        self._pinned: dict[Key, str] = {}
        """Fingerprints. The definitions of a server of thousands of tools would take as much memory as what it offers."""
        self._in_memory: dict[Key, ToolSpec] = {}
        """The definitions, where there is no database."""
        self._recorded: set[Recorded] = set()
        self._unfinished: set[str] = set()
        """Providers of whose first listing only a part was compared."""
        self._known: set[str] = set()
        """Providers with pins before the present review; the first tools of the others are not recorded as new."""
        self._news, self._writes = Together(self._load_news), Together(self._write)

    def load(self) -> None:
        """Read pins and recorded changes, before the first review. Blocks. Raises the database's errors."""
        if self._engine:
            self._pinned, self._recorded, self._unfinished = _read(self._engine)
        self._known = {provider for provider, _ in self._pinned} - self._unfinished

    async def load_news(self, provider: str) -> None:
        """Read what another process approved of a provider meanwhile."""
        await self._news.add(provider)
        self._known = {owner for owner, _ in self._pinned} - self._unfinished

    async def _load_news(self, providers: Sequence[str]) -> None:
        if self._engine:
            pinned, recorded = await anyio.to_thread.run_sync(_read_news, self._engine, providers)
            self._pinned |= pinned
            self._recorded |= recorded

    async def review(
        self,
        offered: Sequence[ToolSpec],
        foreign_tools: Collection[str] = (),
        *,
        hold: Hold = "meaning",
        settled: Callable[[str], bool] = lambda tool: False,
    ) -> Review:
        """Compare tools of a provider with their pins, pin new ones, and record changes. Raises the database's errors.

        `foreign_tools` holds the names of other providers' tools. `hold` decides which changed tools are held: `all`, `none`, or
        those that changed in `meaning`, i.e. in more than punctuation and layout. A changed effect counts as meaning, unless
        `settled` says that the operator declared the tool's effect.
        """
        first = {spec.provider for spec in offered} - self._known
        if not first and all(self._is_approved(spec) for spec in offered):  # the usual case, which needs no thread
            return Review(tools=tuple(offered), changes=())
        siblings = frozenset(spec.tool for spec in offered)
        approved = await self._definitions([_key(spec) for spec in offered if not self._is_approved(spec)])
        compare = partial(self._compared, approved, foreign_tools=foreign_tools, siblings=siblings, hold=hold, settled=settled)
        outcomes, kept = list[_Outcome](), 0
        for at in range(0, len(offered), BATCH):  # a cancellation waits for one batch at most
            if first and at - kept >= KEPT_EVERY:
                self._unfinished |= first
                await self._keep([one.definition for one in outcomes[kept:] if one.accepted], (), by=UNFINISHED)
                kept = len(outcomes)
            outcomes += await anyio.to_thread.run_sync(compare, offered[at : at + BATCH])
        accepted = [one.definition for one in outcomes[kept:] if one.accepted]
        recorded = [one for one in outcomes if one.change and one.recorded_as not in self._recorded]
        await self._keep(accepted, recorded, finished=first & self._unfinished)
        self._unfinished -= first
        changes = tuple(one.change for one in outcomes if one.change)
        news = frozenset(one.definition.tool for one in recorded)
        return Review(tools=tuple(one.shown for one in outcomes), changes=changes, news=news)

    async def departed(self, provider: str, offered: Collection[str]) -> tuple[DefinitionChange, ...]:
        """Record the approved tools that a complete, non-empty listing no longer has; return those not recorded before.

        Their pins stay, for the case that the tools return. Raises the database's errors.
        """
        missing = [
            (owner, tool)
            for (owner, tool), fingerprint in self._pinned.items()
            if owner == provider and tool not in offered and (fingerprint, True) not in self._recorded
        ]
        specs = (await self._definitions(missing)).values()
        outcomes = [_Outcome(spec, spec, DefinitionChange(provider=provider, tool=spec.tool, kind="gone")) for spec in specs]
        new = [one for one in outcomes if one.recorded_as not in self._recorded]
        await self._keep((), new)
        return tuple(one.change for one in new if one.change)

    async def approve(self, specs: Sequence[ToolSpec], *, by: str) -> None:
        """Pin these definitions as they are."""
        await self._keep(specs, (), by=by)

    async def _keep(
        self,
        specs: Sequence[ToolSpec],
        recorded: Sequence["_Outcome"],
        *,
        by: str = "unasked",
        finished: Collection[str] = (),
    ) -> None:
        """Pin these definitions, record these changes, and note whose first listing was compared, in one transaction."""
        approved = {_key(spec): spec.model_copy(update=_APPROVED_STATE) for spec in specs}
        if approved or recorded or finished:
            await self._writes.add(_Kept(tuple(approved.values()), by, recorded, finished))
        self._pinned |= {_key(spec): spec.fingerprint for spec in specs}
        self._in_memory |= approved if self._engine is None else {}
        self._recorded |= {one.recorded_as for one in recorded}

    async def _write(self, kept: Sequence["_Kept"]) -> None:
        if self._engine:
            await anyio.to_thread.run_sync(_write, self._engine, kept, self._clock.now())

    def _is_approved(self, spec: ToolSpec) -> bool:
        """Whether the tool is pinned exactly as it is offered."""
        return self._pinned.get(_key(spec)) == spec.fingerprint

    async def _definitions(self, keys: Sequence[Key]) -> dict[Key, ToolSpec]:
        """The approved definitions of those of these tools that have one. Raises the database's errors."""
        pinned = [key for key in keys if key in self._pinned]
        if not pinned or self._engine is None:
            return {key: self._in_memory[key] for key in pinned}
        return await anyio.to_thread.run_sync(_read_definitions, self._engine, pinned)

    def _compared(
        self,
        pinned: Mapping[Key, ToolSpec],
        offered: Sequence[ToolSpec],
        *,
        foreign_tools: Collection[str],
        siblings: Collection[str],
        hold: Hold,
        settled: Callable[[str], bool],
    ) -> list["_Outcome"]:
        """Compare each tool with its approved definition. A new one takes a millisecond: call it in a thread."""
        outcomes = []
        for spec in offered:
            approved = pinned.get(_key(spec))
            # a definition that an earlier release pinned may have another fingerprint in the database
            if self._is_approved(spec) or (approved is not None and approved.fingerprint == spec.fingerprint):
                outcomes.append(_Outcome(spec, spec))
                continue
            change = _change(approved, spec, foreign_tools, siblings, hold=hold, settled=settled(spec.tool))
            shown = _shown_held(approved, spec, change, foreign_tools, siblings) if change.held else spec
            no_news = approved is None and not change.flags and spec.provider not in self._known
            outcomes.append(_Outcome(spec, shown, None if no_news else change, accepted=not change.held))
        return outcomes


class _Outcome(NamedTuple):
    definition: ToolSpec
    """As offered, or as it was before its removal."""
    shown: ToolSpec
    change: DefinitionChange | None = None
    accepted: bool = False
    """Whether to pin it as offered."""

    @property
    def recorded_as(self) -> Recorded:
        return self.definition.fingerprint, self.change is not None and self.change.kind == "gone"


class _Kept(NamedTuple):
    """Definitions to pin, by whom they are approved, changes to record, and whose first listing was compared."""

    approved: Sequence[ToolSpec]
    by: str
    recorded: Sequence[_Outcome]
    finished: Collection[str]


def _change(
    approved: ToolSpec | None,
    spec: ToolSpec,
    foreign_tools: Collection[str],
    siblings: Collection[str],
    *,
    hold: Hold,
    settled: bool,
) -> DefinitionChange:
    about = {"provider": spec.provider, "tool": spec.tool, "fingerprint": spec.fingerprint}
    if approved is None:
        raised = flags(spec, foreign_tools, siblings)
        return DefinitionChange(**about, flags=raised, held=bool(raised), kind="new")
    change = difference(approved, spec)
    raised = _newly_raised(approved, spec, foreign_tools, siblings)
    other = bool(raised or change.meaning_changed or (change.effect_changed and not settled))
    is_held = hold == "all" or (hold == "meaning" and other)
    return DefinitionChange(**about, change=change, flags=raised, held=is_held)


def _newly_raised(
    approved: ToolSpec, spec: ToolSpec, foreign_tools: Collection[str], siblings: Collection[str]
) -> tuple[Flag, ...]:
    """The findings that the approved definition does not have, too: none where only its effect is another."""
    if all(getattr(approved, field) == getattr(spec, field) for field in _READ_FOR_FLAGS):
        return ()
    before = flags(approved, foreign_tools, siblings)
    return tuple(flag for flag in flags(spec, foreign_tools, siblings) if flag not in before)


_READ_FOR_FLAGS = (
    "name", "tool", "title", "second_title", "description", "whole_description", "input_schema", "output_schema",
)  # fmt: skip


def _shown_held(
    approved: ToolSpec | None, spec: ToolSpec, change: DefinitionChange, foreign_tools: Collection[str], siblings: Collection[str]
) -> ToolSpec:
    """Return the catalog's entry for a held tool; the reason quotes nothing of the new definition.

    If there is an approved definition, that is shown and cannot be called. Otherwise the tool is shown in our words and can be
    called as a write, unless it has hidden characters or a look-alike name. A doubted tool keeps its effect and its plain texts.
    """
    kinds = dict.fromkeys([*change.change.kinds, *(flag.kind for flag in change.flags)])
    what = ", ".join(kinds).replace("_", " ") or "new"
    reason = f"its definition waits for a person ({what}): `jiritsu servers approve {shlex.quote(spec.provider)}`"
    if approved is not None:
        return approved.model_copy(update={"name": spec.name, "available": False, "unavailable_because": reason})
    doubted = change.flags and not any(flag.sure for flag in change.flags)
    neutral_spec = neutral(spec, plain_texts(spec, foreign_tools, siblings) if doubted else None)
    disguised = any(flag.kind in ("hidden_characters", "look_alike") for flag in change.flags)
    if disguised or not neutral_spec.available:
        neutral_spec = ToolSpec(
            name=spec.name, provider=spec.provider, tool=spec.tool, available=False, unavailable_because=reason
        )
    return neutral_spec


_APPROVED_STATE = {"available": True, "unavailable_because": "", "timeout_s": None}
"""Resets the fields of a spec that are no part of the definition."""


def _key(spec: ToolSpec) -> Key:
    return spec.provider, spec.tool


def _read(engine: Engine) -> tuple[dict[Key, str], set[Recorded], set[str]]:
    """Read the approved fingerprints, all recorded changes, and the providers of whose first listing only a part was compared."""
    with engine.connect() as connection:
        rows = connection.execute(select(pins.c.provider, pins.c.tool, pins.c.fingerprint)).all()
        recorded = _recorded(connection, _RECORDED)
        unfinished = select(pins.c.provider).where(pins.c.approved_by == UNFINISHED).distinct()
        providers = set(connection.execute(unfinished).scalars())
    return {(row.provider, row.tool): row.fingerprint for row in rows}, recorded, providers


def _read_news(engine: Engine, providers: Collection[str]) -> tuple[dict[Key, str], set[Recorded]]:
    """Read the approved fingerprints of these providers, and their recorded changes."""
    wanted = {"providers": sorted(set(providers))}
    with engine.connect() as connection:
        rows = connection.execute(_PINNED, wanted)
        return {(row.provider, row.tool): row.fingerprint for row in rows}, _recorded(connection, _RECORDED_OF, wanted)


def _read_definitions(engine: Engine, keys: Sequence[Key]) -> dict[Key, ToolSpec]:
    """Read the approved definitions of these tools, in this order."""
    found: dict[Key, ToolSpec] = {}
    with engine.connect() as connection:
        for provider in dict.fromkeys(owner for owner, _ in keys):
            wanted = {"provider": provider, "tools": [tool for owner, tool in keys if owner == provider]}
            for tool, definition in connection.execute(_DEFINITIONS, wanted):
                found[provider, tool] = ToolSpec.model_validate(definition)
    return {key: found[key] for key in keys if key in found}


_PINNED = select(pins.c.provider, pins.c.tool, pins.c.fingerprint).where(
    pins.c.provider.in_(bindparam("providers", expanding=True))
)
_DEFINITIONS = select(pins.c.tool, pins.c.definition).where(
    pins.c.provider == bindparam("provider"), pins.c.tool.in_(bindparam("tools", expanding=True))
)
_RECORDED = select(definition_changes.c.fingerprint, definition_changes.c.summary).distinct()
_RECORDED_OF = _RECORDED.where(definition_changes.c.provider.in_(bindparam("providers", expanding=True)))


def _recorded(
    connection: Connection, query: Select[tuple[str, str]], of: Mapping[str, Sequence[str]] | None = None
) -> set[Recorded]:
    return {(row.fingerprint, row.summary == "gone") for row in connection.execute(query, of)}


def _write(engine: Engine, kept: Sequence[_Kept], now: float) -> None:
    approved = [
        {
            "provider": spec.provider,
            "tool": spec.tool,
            "fingerprint": spec.fingerprint,
            "definition": spec.model_dump(mode="json"),
            "approved_at": now,
            "approved_by": one.by,
        }
        for one in kept
        for spec in one.approved
    ]
    approved.sort(key=lambda row: (row["provider"], row["tool"]))  # in one order, so that two processes never wait in a ring
    finished = {provider for one in kept for provider in one.finished}
    changes = [
        {
            "provider": change.provider,
            "tool": change.tool,
            "fingerprint": one.definition.fingerprint,
            "seen_at": now,
            "held": change.held,
            "summary": change.summary[:4000],
        }
        for several in kept
        for one in several.recorded
        if (change := one.change)
    ]
    with engine.begin() as connection:
        if changes:
            connection.execute(definition_changes.insert(), changes)
        if finished:
            of_these = pins.c.provider.in_(finished) & (pins.c.approved_by == UNFINISHED)
            connection.execute(update(pins).where(of_these).values(approved_by="unasked"))
        if not approved:
            return
        statement = insertion(connection, pins)
        taken_over = {name: statement.excluded[name] for name in ("fingerprint", "definition", "approved_at", "approved_by")}
        connection.execute(statement.on_conflict_do_update(index_elements=["provider", "tool"], set_=taken_over), approved)
