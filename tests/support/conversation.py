"""A conversation service over a real database and a house of test servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.chat import chat_tables
from autonomy.chat.chat_service import ChatConfig, ChatService
from autonomy.chat.conversation_history import ConversationHistory
from autonomy.chat.local_runs import LocalRuns
from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.durable.durable_upgrades import DURABLE
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from tests.support.house import House, house

ROOMS = (DURABLE, SchemaModule("chat", chat_tables.metadata))


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
    runs: LocalRuns
    engine: sa.Engine


@asynccontextmanager
async def conversation(
    folder: Path,
    *servers: MCPServer,
    ways: ChatConfig = ChatConfig(),  # noqa: B008 - frozen
    **home: Any,
) -> AsyncIterator[Conversation]:
    """Open a service; `home` goes to `house`."""
    async with database(folder) as engine, house(*servers, **home) as opened:
        runs = LocalRuns(opened.executor, RunRecords(engine), opened.written)
        yield Conversation(ChatService(runs, ConversationHistory(Store(engine), ways.tenant), ways), opened, runs, engine)
