"""The server as a program: alone, from anywhere, moved, and quiet."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters, stdio_client

import mcp_servers.weather
from tests.mcp_servers.weather.recordings import AREA, recorded
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.jma import running_jma

FOLDER = Path(mcp_servers.weather.__file__).parent
REPOSITORY = FOLDER.parents[1]
ALLOWED = {"mcp", "mcp_types", "anyio", "pydantic"}
"""The SDK and what it brings along."""


async def first_line(arguments: list[str], cwd: Path, env: dict[str, str], stderr: Path) -> str:
    server = StdioServerParameters(command=sys.executable, args=arguments, cwd=cwd, env=env)
    with anyio.fail_after(60), stderr.open("w") as log:
        async with Client(stdio_client(server, errlog=log)) as client:
            result = await client.call_tool("get_weather", {"location": "東京"})
    assert not result.is_error
    return result.content[0].text.splitlines()[0]  # type: ignore[union-attr]


@requirement("W1", "W5")
async def test_the_file_runs_alone_from_any_directory_wherever_its_folder_lies(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "moved-elsewhere", ignore=shutil.ignore_patterns("__pycache__")))
    line = await first_line(["-P", str(folder / "server.py")], tmp_path, {"JIRITSU_WEATHER_DATA": "sample"}, tmp_path / "log")
    assert line.startswith("【サンプルデータ】")
    assert (tmp_path / "log").read_text() == ""


@requirement("W2")
async def test_the_module_asks_the_agency_at_the_address_of_the_environment(tmp_path: Path) -> None:
    with running_jma() as jma:
        jma.serve("common/const/area.json", AREA)
        jma.serve("forecast/data/forecast/130000.json", recorded("130000_20240710T1100"))
        server = StdioServerParameters(
            command=warm_interpreter(), args=["-P", "-m", "mcp_servers.weather"], cwd=tmp_path, env={"JMA_BASE_URL": jma.base_url}
        )
        with anyio.fail_after(60), (tmp_path / "log").open("w") as log:
            async with Client(stdio_client(server, errlog=log)) as client:
                result = await client.call_tool("get_weather", {"location": "東京"})
    assert result.is_error  # the recording is of 2024: nothing is made up for today
    assert jma.asked("130000.json")


def test_a_setting_that_cannot_be_is_one_line_on_stderr(tmp_path: Path) -> None:
    env = {**os.environ, "JIRITSU_WEATHER_DATA": "nowhere"}
    done = subprocess.run(
        [warm_interpreter(), "-P", "-m", "mcp_servers.weather"],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    assert done.stderr.startswith("weather: JIRITSU_WEATHER_DATA: 'nowhere'")
    assert len(done.stderr.splitlines()) == 1


@requirement("W5")
def test_nothing_is_imported_but_the_sdk_and_the_standard_library() -> None:
    imported: set[str] = set()
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.removeprefix("mcp_servers.weather").split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(str(node.module).removeprefix("mcp_servers.weather").split(".")[0])
    assert imported - {""} - sys.stdlib_module_names <= ALLOWED


def test_the_registry_entry_names_the_server_and_every_setting_it_reads() -> None:
    entry = json.loads((FOLDER / "server.json").read_text(encoding="utf-8"))
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    (package,) = entry["packages"]
    assert package["transport"] == {"type": "stdio"}
    named = {variable["name"] for variable in package["environmentVariables"]}
    source = (FOLDER / "server.py").read_text(encoding="utf-8")
    assert named == {"JMA_BASE_URL", "JIRITSU_WEATHER_DATA", "JIRITSU_WEATHER_LOCATION"}
    assert all(name in source for name in named)
