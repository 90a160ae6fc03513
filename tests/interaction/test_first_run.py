"""A fresh machine: no key, no settings, no network. One command writes today's diary, posts it, proves it and scores itself."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import HANG_S, environment, forked_command_line, jiritsu, warm_interpreter
from tests.support.sampling import rows_in_part
from tests.support.waiting import until


@pytest.fixture
def home(empty_home: Path) -> Path:
    """Without a database: the first run makes it."""
    return empty_home


def posts(home: Path) -> list[Path]:
    """The diary's posts of today, apart from the sample's past ones."""
    return sorted(file for file in (home / "esa" / "AI代筆日記").rglob("*.md") if file.name == "harukaの日記.md")


@requirement("J3", "L6", "X7", "X10", "W5")
def test_the_diary_is_written_posted_read_back_and_scored_and_a_second_run_updates_it(home: Path) -> None:
    first = jiritsu("run", "diary", "--json", home=home)
    assert first.returncode == 0, first.stderr
    result = json.loads(first.stdout)
    assert result["ending"] == "completed"
    assert [(receipt["state"], receipt["read_back"]) for receipt in result["receipts"]] == [("done", "confirmed")]
    assert result["autonomy"]["level"] == "high"
    for section in ("やったこと", "TIL", "所感", "明日やること"):
        assert f"## {section}" in result["text"]
    (post,) = posts(home)
    assert "v2.9.1" in post.read_text(encoding="utf-8")
    assert "No servers file yet" in first.stderr
    assert "offline planner" in first.stderr

    second = jiritsu("run", "diary", "--json", home=home)
    assert second.returncode == 0, second.stderr
    assert posts(home) == [post], "one post a day, however often the job runs"
    assert "同じ内容です" in json.loads(second.stdout)["text"]


@requirement("C4", "W1")
@pytest.mark.parametrize(
    ("question", "told"),
    rows_in_part(
        [("東京の天気を教えて", "東京都(東京地方)の今日の天気"), ("大阪の明日の天気は？", "明日"), ("今日は傘が必要？", "傘")],
        every=3,
    ),
)
def test_the_three_weather_questions_are_answered(home: Path, question: str, told: str) -> None:
    done = jiritsu("run", question, "-q", home=home)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout
    assert "サンプルデータ" in done.stdout


def test_a_goal_no_tool_fits_is_answered_honestly_and_is_no_success(home: Path) -> None:
    done = jiritsu("run", "バッハの曲を三つ弾いて", home=home)
    assert done.returncode == 4
    assert "オフライン" in done.stdout + done.stderr


@requirement("X14")
def test_what_ran_can_be_looked_up_afterwards(home: Path) -> None:
    jiritsu("run", "東京の天気を教えて", "-q", home=home)
    (listed,) = json.loads(jiritsu("runs", "list", "--json", home=home).stdout)
    assert listed["state"] == "completed"
    shown = json.loads(jiritsu("runs", "show", listed["run_id"][:12], "--json", home=home).stdout)
    assert shown["events"][0]["type"] == "run_started"
    assert shown["result"]["calls"][0]["tool"] == "weather_get_weather"
    report = jiritsu("report", "--since", "1d", "--format", "json", home=home)
    assert report.returncode == 0, report.stderr
    assert json.loads(report.stdout)["runs"] == 1


@requirement("D7", "D11", "D13")
def test_discover_shows_providers_tools_and_hints(home: Path) -> None:
    done = jiritsu("discover", home=home)
    assert done.returncode == 0, done.stderr
    for told in ("slack", "esa", "weather_get_weather  [read]", "esa_create_post  [outward, idempotent]", "3 providers"):
        assert told in done.stdout
    found = json.loads(jiritsu("discover", "--json", home=home).stdout)
    assert found["summary"]["available_providers"] == ["slack", "esa", "weather"]


def test_a_search_in_japanese_finds_the_tool(home: Path) -> None:
    done = jiritsu("discover", "天気予報", home=home)
    assert "weather_get_weather" in done.stdout.splitlines()[0]


def test_init_writes_files_that_work_and_touches_none_that_exist(home: Path) -> None:
    assert jiritsu("init", home=home).returncode == 0
    assert jiritsu("config", "show", home=home).returncode == 0
    found = json.loads(jiritsu("discover", "--json", home=home).stdout)
    assert found["summary"]["available_providers"] == ["weather"]
    (home / "jiritsu.toml").write_text('location = "札幌"\n', encoding="utf-8")
    again = jiritsu("init", home=home)
    assert "is there already" in again.stdout
    assert (home / "jiritsu.toml").read_text(encoding="utf-8") == 'location = "札幌"\n'
    shown = json.loads(jiritsu("config", "show", "--json", home=home).stdout)
    assert shown["location"] == {"value": "札幌", "origin": str(home / "jiritsu.toml")}


def test_doctor_says_that_all_is_well_and_what_could_be_better(home: Path) -> None:
    done = jiritsu("doctor", home=home)
    assert done.returncode == 0, done.stdout
    assert "✓ server slack" in done.stdout
    assert "! key" in done.stdout


@requirement("D5")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("told", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.sweep)])
def test_being_told_to_stop_ends_the_run_and_leaves_no_child(home: Path, told: signal.Signals) -> None:
    slow = home / "slow.py"
    slow.write_text(
        "from mcp.server.mcpserver import MCPServer\nfrom mcp_types import ToolAnnotations\nimport anyio, pathlib, sys\n"
        "server = MCPServer('slow')\n"
        "@server.tool(annotations=ToolAnnotations(read_only_hint=True))\n"
        "async def wait_for_weather() -> str:\n    'Waits for the weather.'\n"
        "    pathlib.Path(sys.argv[1]).touch()\n    await anyio.sleep_forever()\n    return ''\n"
        "server.run('stdio')\n",
        encoding="utf-8",
    )
    entered = home / "entered"
    server = {"command": warm_interpreter(), "args": [str(slow), str(entered)]}
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"slow": server}}))
    process = subprocess.Popen(
        forked_command_line("run", "wait for the weather"),
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert until(lambda: entered.exists() or process.poll() is not None, timeout_s=HANG_S)
    assert entered.exists()
    process.send_signal(told)
    _, stderr = process.communicate(timeout=HANG_S)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert children_running(str(slow)) == []


def children_running(argument: str) -> list[str]:
    """The processes that have this among their arguments."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if argument.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(folder.name)
        except OSError:
            continue
    return found


@requirement("D1")
def test_a_servers_file_that_came_with_a_project_runs_nothing_until_it_is_trusted(home: Path, tmp_path: Path) -> None:
    entry = {
        "command": "${JIRITSU_PYTHON}",
        "args": ["-P", "-m", "mcp_servers.weather"],
        "env": {"JIRITSU_WEATHER_DATA": "sample"},
    }
    (tmp_path / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"theirs": entry}}))
    before = json.loads(jiritsu("discover", "--json", home=home, cwd=tmp_path).stdout)
    assert before["summary"]["available_providers"] == []
    named = json.loads(jiritsu("--servers", "jiritsu.mcp.json", "discover", "--json", home=home, cwd=tmp_path).stdout)
    assert named["summary"]["available_providers"] == ["theirs"]
    assert jiritsu("servers", "trust", "theirs", "--yes", home=home, cwd=tmp_path).returncode == 0
    after = json.loads(jiritsu("discover", "--json", home=home, cwd=tmp_path).stdout)
    assert after["summary"]["available_providers"] == ["theirs"]


def test_what_one_writes_oneself_needs_no_further_trust(home: Path, tmp_path: Path) -> None:
    assert jiritsu("init", home=home, cwd=tmp_path).returncode == 0
    command = ("servers", "add", "mine", "--", "${JIRITSU_PYTHON}", "-P", "-m", "mcp_servers.weather")
    added = jiritsu(*command, home=home, cwd=tmp_path)
    assert added.returncode == 0, added.stderr
    found = json.loads(jiritsu("discover", "--json", home=home, cwd=tmp_path).stdout)
    assert sorted(found["summary"]["available_providers"]) == ["mine", "weather"]


@requirement("X7", "X12")
def test_a_person_who_does_not_exist_gets_no_diary(home: Path) -> None:
    nobody = "[/red]"  # and looks like markup
    done = jiritsu("run", "diary", "-i", f"user={nobody}", home=home)
    assert done.returncode == 4, done.stderr
    assert nobody in done.stdout
    assert "Traceback" not in done.stderr
    assert [file for file in (home / "esa").rglob("*の日記.md") if nobody in file.name] == []


@requirement("X7", "V2")
def test_a_day_with_one_message_is_told_by_what_it_says_and_by_nothing_else(home: Path) -> None:
    done = jiritsu("run", "diary", "-i", "user=kenta", "-i", "date=yesterday", home=home)
    assert done.returncode == 0, done.stderr
    (posted,) = home.rglob("kentaの日記.md")
    told = [line for line in posted.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    assert [line for line in told if "ませんでした" not in line] == ["- v2.9.0 は明日の13時に本番へ出します。"]
