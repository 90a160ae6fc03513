"""Opens the sample workspace's MCP servers and the demo HR company in process, on one fixed day, as tools for a conversation."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio.to_thread
from mcp import Client
from mcp_types import TextContent

from autonomy.database import open_engine
from autonomy.hr import hr_tables
from autonomy.hr.backend import open_backend
from autonomy.hr.hr_audit import AuditEntry
from autonomy.hr.hr_server import hr_server
from autonomy.hr.timekeeping.month import JST
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.seed import seed_posts
from mcp_servers.esa.server import build_server as esa_server
from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server as slack_server
from mcp_servers.weather import agency
from mcp_servers.weather.server import create_server as weather_server
from tests.autonomy.llm.offline.conversation import Answer, Refused, Run, Tool

NOW = datetime(2026, 11, 20, 18, tzinfo=JST)
"""A Friday, and the last day of the sample export: nothing in it is moved in time."""
SAMPLES = {"ja": Path("autonomy/jobs/diary/sample"), "en": Path("autonomy/jobs/en/diary/sample")}


class _NoAudit:
    async def record(self, entry: AuditEntry) -> None:
        """Keep nothing."""


@asynccontextmanager
async def open_sample_workspace(
    home: Path, sample: str = "ja", *, at: datetime = NOW, forecasts: Path = agency.DATA
) -> AsyncIterator[list[Tool]]:
    """Every tool of slack, esa, weather and hr under the names the host gives them; `home` is an empty directory.

    `at`: what the clock says; `forecasts`: the directory of recorded forecasts."""
    source = SAMPLES[sample]

    def now() -> datetime:
        return at

    def prepare() -> Any:
        seed_posts(source / "esa", home / "esa", at.date())
        engine = open_engine(f"sqlite:///{home / 'hr.db'}")
        hr_tables.metadata.create_all(engine)
        return open_backend(engine, _NoAudit(), home=home, key="", environ={})

    backend = await anyio.to_thread.run_sync(prepare)
    workspace = ExportWorkspace(source / "slack", home / "outbox.jsonl", JST, now)
    servers = {
        "slack": slack_server(workspace, JST, now),
        "esa": esa_server(LocalTeam(home / "esa", "jiritsu", JST, now)),
        "weather": weather_server(agency.Recorded(forecasts, today=at.date), now=now),
        "hr": hr_server(backend.tools, "demo"),
    }
    async with AsyncExitStack() as stack:
        tools = []
        for provider, server in servers.items():
            client = await stack.enter_async_context(Client(server))
            for listed in (await client.list_tools()).tools:
                name = listed.name if listed.name.startswith(f"{provider}_") else f"{provider}_{listed.name}"
                schema = listed.input_schema
                effect = "read" if listed.annotations and listed.annotations.read_only_hint else "outward"
                description, form = listed.description or "", schema.get("properties", {})
                tools.append(
                    Tool(name, description, form, caller(client, listed.name), tuple(schema.get("required", ())), effect)
                )
        yield tools


def caller(client: Client, name: str) -> Run:
    async def call(arguments: dict[str, Any]) -> Answer:
        result = await client.call_tool(name, arguments)
        text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        if result.is_error:
            raise Refused(text)
        return Answer(text, result.structured_content)

    return call
