"""What the tools say about themselves, and that the file finds Google's library."""

import os
import subprocess
import sys
from pathlib import Path

import anyio
from mcp import Client

import mcp_servers.common
from mcp_servers.common.server import server_from_environment
from tests.requirements import requirement

FOLDER = Path(mcp_servers.common.__file__).parent


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
