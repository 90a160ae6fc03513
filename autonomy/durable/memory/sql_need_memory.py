"""Stores which tools met the needs of each job."""

from collections import defaultdict
from collections.abc import Collection, Mapping

import sqlalchemy as sa

from autonomy.durable.durable_tables import need_tools
from autonomy.durable.store import Store, insert_unless_there


class SqlNeedMemory:
    """A `NeedMemory` that every process of the database shares."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def recall(self, tenant: str, job: str) -> Mapping[str, frozenset[str]]:
        """The tools that met each need so far. Raises `StoreError`."""
        query = sa.select(need_tools.c.need, need_tools.c.tool).where(need_tools.c.tenant == tenant, need_tools.c.job == job)
        rows = await self._store(lambda connection: connection.execute(query).all())
        found: dict[str, set[str]] = defaultdict(set)
        for need, tool in rows:
            found[need].add(tool)
        return {need: frozenset(tools) for need, tools in found.items()}

    async def keep(self, tenant: str, job: str, met: Mapping[str, Collection[str]]) -> None:
        """Add these. Raises `StoreError`."""
        rows = [
            {"tenant": tenant, "job": job, "need": need, "tool": tool} for need, tools in met.items() for tool in sorted(tools)
        ]

        def insert(connection: sa.Connection) -> None:
            for row in rows:
                insert_unless_there(connection, need_tools, row)

        await self._store(insert)
