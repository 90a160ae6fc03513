"""Each server runs alone: as a module, moved elsewhere, quietly, and with one sentence where its settings cannot be."""

import ast
import json
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcp_servers.common import server as common
from mcp_servers.esa import server as esa
from mcp_servers.slack import server as slack
from mcp_servers.weather import server as weather
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.sampling import in_part
from tests.support.tool_calls import words

FOLDERS = {module.__name__.split(".")[1]: Path(str(module.__file__)).parent for module in (common, esa, slack, weather)}
REPOSITORY = FOLDERS["common"].parents[1]
ALLOWED = {"mcp", "mcp_types", "anyio", "pydantic"}
"""The SDK and what it brings along; google-auth is imported where credentials are set."""


class Alone(NamedTuple):
    """A server, where its data are, a call of it, and what stands in the answer how often."""

    name: str
    environment: dict[str, str]
    tool: str
    arguments: dict[str, Any]
    answer: str
    times: int = 1


ALONE = [
    Alone(
        "common", {"JIRITSU_COMMON_DIR": "state"}, "send_slack_dm", {"user_id": "U0123", "message": "hi"}, "state/slack_dm.jsonl"
    ),
    Alone("esa", {"ESA_LOCAL_DIR": "posts"}, "esa_create_post", {"name": "n", "body_md": "b"}, '"created":true'),
    Alone(
        "slack",
        {"SLACK_EXPORT_DIR": str(REPOSITORY / "autonomy/jobs/diary/sample/slack"), "SLACK_EXPORT_SHIFT": "2026-11-20"},
        "slack_get_channel_history",
        {"channel_id": "times-haruka", "day": "2026-11-20"},
        '"ts":',
        5,
    ),
    Alone("weather", {"JIRITSU_WEATHER_DATA": "sample"}, "get_weather", {"location": "東京"}, "【サンプルデータ】"),
]


@requirement("O2", "O3", "O4", "W1", "W5")
@pytest.mark.parametrize("way", ["moved", pytest.param("module", marks=pytest.mark.sweep)])
@pytest.mark.parametrize("alone", in_part(ALONE, every=2), ids=[alone.name for alone in ALONE])
async def test_it_runs_alone_from_any_directory_and_is_quiet(alone: Alone, way: str, tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    environment, arguments = dict(alone.environment), ["-P", "-m", f"mcp_servers.{alone.name}"]
    if way == "module":
        environment["PYTHONPATH"] = str(REPOSITORY)
    else:
        moved = shutil.copytree(FOLDERS[alone.name], tmp_path / "x", ignore=shutil.ignore_patterns("__pycache__"))
        arguments = ["-P", str(moved / "server.py")]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(tmp_path))
    with (tmp_path / "stderr").open("w") as log, anyio.fail_after(240):
        async with Client(stdio_client(parameters, errlog=log)) as client:
            result = await client.call_tool(alone.tool, alone.arguments)
            refused = await client.call_tool(alone.tool, dict.fromkeys(alone.arguments, ""))
    assert not result.is_error
    assert words(result).replace('": ', '":').count(alone.answer) == alone.times
    assert refused.is_error
    assert (tmp_path / "stderr").read_text() == ""


@pytest.mark.parametrize(
    ("name", "code", "environment", "problem"),
    [
        ("esa", 2, {}, "set ESA_ACCESS_TOKEN and ESA_TEAM (esa's API) or ESA_LOCAL_DIR (a directory of Markdown posts)"),
        ("slack", 2, {}, "set SLACK_BOT_TOKEN (Slack's Web API) or SLACK_EXPORT_DIR (an unpacked Slack export)"),
        ("weather", 1, {"JIRITSU_WEATHER_DATA": "nowhere"}, "JIRITSU_WEATHER_DATA: 'nowhere'*"),
    ],
)
def test_settings_that_cannot_be_end_it_with_one_sentence(
    name: str, code: int, environment: dict[str, str], problem: str
) -> None:
    command = [warm_interpreter(), "-P", "-m", f"mcp_servers.{name}"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert fnmatchcase(ended.stderr, f"{name}: {problem}\n")
    assert ended.stderr.count("\n") == 1


@requirement("W5")
@pytest.mark.parametrize("name", FOLDERS)
def test_nothing_is_imported_but_the_sdk_and_the_standard_library(name: str) -> None:
    imported: set[str] = set()
    for file in FOLDERS[name].glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            imported |= {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            imported |= {str(node.module)} if isinstance(node, ast.ImportFrom) else set()
    others = {module.partition(".")[0] for module in imported if not module.startswith(f"mcp_servers.{name}")}
    assert others - sys.stdlib_module_names <= ALLOWED | ({"httpx2"} if name != "weather" else set())


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (
            "common",
            {
                "GOOGLE_APPLICATION_CREDENTIALS",
                "GOOGLE_SHEETS_BASE_URL",
                "SLACK_BOT_TOKEN",
                "SLACK_API_BASE_URL",
                "JIRITSU_COMMON_DIR",
            },
        ),
        ("weather", {"JMA_BASE_URL", "JIRITSU_WEATHER_DATA", "JIRITSU_WEATHER_LOCATION"}),
    ],
)
def test_the_registry_entry_names_every_setting(name: str, settings: set[str]) -> None:
    entry = json.loads((FOLDERS[name] / "server.json").read_text(encoding="utf-8"))
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    (package,) = entry["packages"]
    assert package["transport"] == {"type": "stdio"}
    variables = {variable["name"]: variable for variable in package["environmentVariables"]}
    assert variables.keys() == settings
    source = (FOLDERS[name] / "server.py").read_text(encoding="utf-8")
    assert all(variable in source for variable in variables)
    secrets = {variable for variable, described in variables.items() if described.get("isSecret")}
    assert secrets == settings & {"SLACK_BOT_TOKEN"}
