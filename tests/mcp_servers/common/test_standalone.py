"""The server as a program, and what it says about itself."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

import mcp_servers.common
from mcp_servers.common.server import server_from_environment
from tests.mcp_servers.common.calling import data
from tests.requirements import requirement

FOLDER = Path(mcp_servers.common.__file__).parent
REPOSITORY = FOLDER.parents[1]
ALLOWED = {"mcp", "mcp_types", "anyio", "pydantic", "httpx2"}
"""The SDK and what it brings along; google-auth is imported where credentials are set."""


@requirement("O2")
@pytest.mark.parametrize(
    "arguments", [["{folder}/server.py"], pytest.param(["-P", "-m", "mcp_servers.common"], marks=pytest.mark.sweep)]
)
async def test_it_runs_alone_from_any_directory(tmp_path: Path, arguments: list[str]) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "moved", ignore=shutil.ignore_patterns("__pycache__"))
    server = StdioServerParameters(
        command=sys.executable,
        args=[argument.format(folder=folder) for argument in arguments],
        cwd=tmp_path,
        env={"JIRITSU_COMMON_DIR": str(tmp_path / "state"), "PYTHONPATH": str(REPOSITORY)},
    )
    with anyio.fail_after(60), (tmp_path / "log").open("w") as log:
        async with Client(stdio_client(server, errlog=log)) as client:
            sent = data(await client.call_tool("send_slack_dm", {"user_id": "U0123", "message": "hello"}))
    assert sent["outbox"] == str(tmp_path / "state" / "slack_dm.jsonl")
    assert (tmp_path / "log").read_text() == ""


async def test_google_auth_is_found_when_the_file_runs_alone(tmp_path: Path) -> None:
    # A module of the folder named `google` or `slack` would hide the library: the folder is first on the path then.
    env = {**os.environ, "GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / "missing.json")}
    command = [sys.executable, str(FOLDER / "server.py")]
    done = await anyio.to_thread.run_sync(
        lambda: subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    )
    assert done.returncode == 2
    assert done.stderr.startswith("common: GOOGLE_APPLICATION_CREDENTIALS: ")
    assert "FileNotFoundError" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_nothing_is_imported_but_the_sdk_and_the_standard_library() -> None:
    imported: set[str] = set()
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module))
    others = {name.split(".")[0] for name in imported if not name.startswith("mcp_servers.common")}
    assert others - sys.stdlib_module_names <= ALLOWED


@requirement("O1", "O2")
async def test_the_tools_say_what_they_take_give_and_do(tmp_path: Path) -> None:
    async with Client(server_from_environment({"JIRITSU_COMMON_DIR": str(tmp_path)})) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    sheet, message = tools["write_rows_to_google_sheet"], tools["send_slack_dm"]
    assert sheet.input_schema["required"] == ["spreadsheet_id", "range", "rows"]
    assert message.input_schema["required"] == ["user_id", "message"]
    for tool in (sheet, message):
        hints = tool.annotations
        assert hints
        assert hints.title
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            False,
            False,
            False,
            True,
        )
        assert tool.meta == {"jiritsu/keyed": True}
        assert tool.output_schema
        assert "ctx" not in tool.input_schema["properties"]


def test_the_registry_entry_names_every_setting() -> None:
    entry = json.loads((FOLDER / "server.json").read_text(encoding="utf-8"))
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    variables = {variable["name"]: variable for variable in entry["packages"][0]["environmentVariables"]}
    assert variables.keys() == {
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_SHEETS_BASE_URL",
        "SLACK_BOT_TOKEN",
        "SLACK_API_BASE_URL",
        "JIRITSU_COMMON_DIR",
    }
    source = (FOLDER / "server.py").read_text(encoding="utf-8")
    assert all(name in source for name in variables)
    assert variables["SLACK_BOT_TOKEN"]["isSecret"] is True
