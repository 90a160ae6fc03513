"""A conversation service over a real database and a house of test servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.chat import tables as chat_tables
from autonomy.chat.here import RunsHere
from autonomy.chat.history import History
from autonomy.chat.service import ChatService, Ways
from autonomy.database import Room, migrate, open_engine
from autonomy.durable import tables as durable_tables
from autonomy.durable.records import RunRecords
from autonomy.durable.store import Store
from tests.support.house import House, house

ROOMS = (Room("durable", durable_tables.metadata), Room("chat", chat_tables.metadata))


@asynccontextmanager
async def database(folder: Path) -> AsyncIterator[sa.Engine]:
    """A database in a file, with the tables of runs and conversations."""

    def make() -> sa.Engine:
        engine = open_engine(f"sqlite:///{folder / 'jiritsu.db'}")
        migrate(engine, ROOMS)
        return engine

    engine = await anyio.to_thread.run_sync(make)
    try:
        yield engine
    finally:
        await anyio.to_thread.run_sync(engine.dispose)


@dataclass
class Conversation:
    """What a test talks to and looks at."""

    service: ChatService
    house: House
    runs: RunsHere
    engine: sa.Engine


@asynccontextmanager
async def conversation(folder: Path, *servers: MCPServer, ways: Ways = Ways(), **home: Any) -> AsyncIterator[Conversation]:  # noqa: B008 - frozen
    """Open a service; `home` goes to `house`."""
    async with database(folder) as engine, house(*servers, **home) as opened:
        runs = RunsHere(opened.executor, RunRecords(engine), opened.written)
        yield Conversation(ChatService(runs, History(Store(engine), ways.tenant), ways), opened, runs, engine)
