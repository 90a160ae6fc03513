"""`jiritsu gateway` over stdio, as a desktop client meets it: a real process, real servers behind it, a real client in front."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

from tests.requirements import requirement
from tests.support.command import environment, forked_command_line, jiritsu, warm_interpreter
from tests.support.tool_calls import words

SHOP = Path(__file__).parents[2] / "support/servers/shop_server.py"
pytestmark = [pytest.mark.timeout(600)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory whose servers file names the shop."""
    shop = {"command": warm_interpreter(), "args": [str(SHOP), str(tmp_path / "sales")]}
    (tmp_path / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"shop": shop}}))
    settings(tmp_path, default={})
    return tmp_path


def settings(home: Path, **clients: Any) -> None:
    """Write `[gateway.clients]`; TOML's inline tables are JSON's, but for the colon. A busy machine starts its servers slowly."""
    lines = []
    for name, told in clients.items():
        profile = {"list_wait_s": 60, **told}
        lines += [f"[gateway.clients.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in profile.items())]
    (home / "jiritsu.toml").write_text("\n".join(lines))


@asynccontextmanager
async def client(home: Path, name: str = "default", **how: Any) -> AsyncIterator[Client]:
    command, *arguments = forked_command_line("--home", str(home), "gateway", "--client", name)
    server = StdioServerParameters(command=command, args=arguments, env=environment(home), cwd=str(home))
    with anyio.fail_after(300):
        async with Client(server, mode="legacy", **how) as connected:
            yield connected


def sales(home: Path) -> list[str]:
    return (home / "sales").read_text().split() if (home / "sales").exists() else []


@requirement("N1")
async def test_every_tool_stands_behind_one_entry_with_its_definition_and_its_answer_unchanged(home: Path) -> None:
    async with client(home) as gateway:
        tools = {tool.name: tool for tool in (await gateway.list_tools()).tools}
        price = tools["shop_price"]
        assert price.input_schema["required"] == ["item"]
        assert price.output_schema is not None
        assert price.annotations is not None
        assert price.annotations.title == "A look"
        answer = await gateway.call_tool("shop_price", {"item": "tea"})
        assert answer.structured_content == {"item": "tea", "yen": 120}
        assert json.loads(words(answer)) == {"item": "tea", "yen": 120}
        assert (await gateway.list_resources()).resources[0].uri == "shop://opening-hours"
        assert (await gateway.read_resource("shop://opening-hours")).contents[0].text == "9 to 5"  # type: ignore[union-attr]
        (prompt,) = (await gateway.list_prompts()).prompts
        assert [one.name for one in prompt.arguments or ()] == ["item"]
        filled = await gateway.get_prompt(prompt.name, {"item": "tea"})
        assert filled.messages[0].content.text == "Offer half for tea."  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no server behind this gateway lists"):
            await gateway.read_resource("file:///etc/passwd")


@requirement("N2")
async def test_where_the_client_cannot_ask_a_call_waits_for_the_operator_and_says_so(home: Path) -> None:
    settings(home, quick={"approval_wait_s": 1.0})
    async with client(home, "quick") as gateway:
        waiting = await gateway.call_tool("shop_sell", {"item": "tea"})
        assert waiting.is_error
        assert "approval pending" in words(waiting)
        with sqlite3.connect(home / "jiritsu.db") as database:
            ((approval,),) = database.execute("select id from durable_approvals").fetchall()
        granted = await anyio.to_thread.run_sync(
            lambda: jiritsu("--home", str(home), "approvals", "approve", approval, home=home)
        )
        assert granted.returncode == 0, granted.stderr
        assert words(await gateway.call_tool("shop_sell", {"item": "tea"})) == "sold tea"
        again = await gateway.call_tool("shop_sell", {"item": "tea"})
        assert "approval pending" in words(again), "an approval is good for one call"
    assert sales(home) == ["tea"]


@requirement("N2")
async def test_a_call_under_a_clients_own_key_acts_once_and_answers_again(home: Path) -> None:
    settings(home, free={"writes": "allow"})
    key: Any = {"jiritsu/idempotency-key": "order-7"}
    for _ in range(2):  # the second time the gateway is another process
        async with client(home, "free") as gateway:
            assert words(await gateway.call_tool("shop_sell", {"item": "tea"}, meta=key)) == "sold tea"
    assert sales(home) == ["tea"]
