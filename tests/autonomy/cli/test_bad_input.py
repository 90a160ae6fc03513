"""Whatever one gets wrong on the command line is one line that names file, key and value, an exit code, and nothing half-written."""

import json
import os
import pwd
import shlex
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from autonomy.cli import main
from tests.requirements import requirement
from tests.support.command import command_line, environment, jiritsu
from tests.support.sampling import in_part


@pytest.fixture
def blocked_loop(unguarded_loop: None) -> None:
    """A command may read its own files on its loop: nothing else runs there."""


def said(done: subprocess.CompletedProcess[str]) -> str:
    """The one line; anything more fails the test."""
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


class Mistake(NamedTuple):
    """A command in a folder that may hold one file, and the line that is told of it, as a glob."""

    command: str
    told: str
    file: str = ""
    content: str = ""
    variables: Mapping[str, str] = {}


MISTAKES = {
    "servers file that is missing": Mistake("--servers nowhere.json discover", "nowhere.json: there is no such servers file"),
    "servers file that is not JSON": Mistake("discover", "*jiritsu.mcp.json*", "jiritsu.mcp.json", '{"mcpServers": {'),
    "unknown job": Mistake("run dairy", "jobs: dairy: there is no such job; there are diary*"),
    "word that may be meant as a goal": Mistake("run hello", "*write a goal as a sentence"),
    "unknown job with a hyphen": Mistake("run weekly-digest", "jobs: weekly-digest: there is no such job; there are diary*"),
    "job file that is not there": Mistake(
        "run nothere.md", "nothere.md: cannot be read: No such file or directory", variables={"LANG": "C"}
    ),
    "the same in Japanese": Mistake(
        "run nothere.md", "nothere.md: 読めません: そのようなファイルはありません", variables={"LANG": "ja_JP.UTF-8"}
    ),
    "faulty front matter": Mistake("run x", "*x.md: front matter: is not YAML*", "jobs/x.md", "---\ntitle: [\n---\ngoal\n"),
    "date that is none": Mistake("run diary -i date=2026-02-30", "*inputs.date: '2026-02-30' is no date*"),
    "input that the job lacks": Mistake("run diary -i usr=kenta", "*inputs.usr: the job has no such input; it has user, date*"),
    "plan without a language model": Mistake("run 東京の天気は --plan", "*cannot plan first*"),
    "vendor that nobody knows": Mistake(
        "--model opnai:gpt run 'Will it rain?'", "*'opnai:gpt' names no known vendor*; did you mean openai?"
    ),
    "model without its vendor": Mistake(
        "--model gpt run 'Will it rain?'", "*'gpt' names no vendor; write VENDOR:gpt, with one of planner, openai,*"
    ),
    "rule without two brackets": Mistake(
        "config show",
        "*jiritsu.toml: policy: must be a list: write [[[][[]policy]], in two brackets, above each of its tables",
        "jiritsu.toml",
        "[policy]\nname = 'x'\n",
    ),
    "model without its key": Mistake(
        "--model openai:gpt-6.1-sol run 'Will it rain?'",
        "environment: OPENAI_API_KEY: is not set, and openai:gpt-6.1-sol needs it",
    ),
    "setting that nobody knows": Mistake(
        "config show",
        "*jiritsu.toml: modle: there is no such setting; did you mean model?",
        "jiritsu.toml",
        'modle = "planner"\n',
    ),
    "setting of the wrong kind": Mistake(
        "config show",
        "environment: writes: must be 'allow', 'ask' or 'deny', not 'perhaps'",
        variables={"JIRITSU_WRITES": "perhaps"},
    ),
    "unknown time zone": Mistake(
        "runs list", "environment: timezone: 'Mars/X' is no time zone*", variables={"JIRITSU_TIMEZONE": "Mars/X"}
    ),
    "unknown database": Mistake(
        "runs list", "the database URL 'mysql://x' cannot be used*", variables={"JIRITSU_DATABASE_URL": "mysql://x"}
    ),
    "option that a model lacks": Mistake(
        "run diary",
        "HOME/jiritsu.toml: models.openai.reasonning: there is no such key; did you mean reasoning?",
        "jiritsu.toml",
        "[models.openai]\nreasonning = 'low'\n",
    ),
    "folder of jobs that is not there": Mistake(
        "jobs list", "nowhere: there is no such folder of jobs", "jiritsu.toml", 'jobs = "nowhere"\n'
    ),
    "text without quotes": Mistake(
        "config show",
        '*jiritsu.toml: is not TOML: *line 2*: language = en; text stands in quotes: language = "en"',
        "jiritsu.toml",
        "location = 'Tokyo'\nlanguage = en\n",
    ),
    "city for a time zone": Mistake(
        "config show",
        "*jiritsu.toml: timezone: 'Tokyo' is no time zone; did you mean Asia/Tokyo?",
        "jiritsu.toml",
        "timezone = 'Tokyo'\n",
    ),
    "options of a vendor that nobody knows": Mistake(
        "doctor",
        "HOME/jiritsu.toml: models.opnai: 'opnai' is no known vendor; did you mean openai?",
        "jiritsu.toml",
        "[models.opnai]\nreasoning = 'low'\n",
    ),
    "port that cannot be": Mistake("worker --listen 127.0.0.1:99999", "--listen: 127.0.0.1:99999: is not HOST:PORT*"),
    "faulty policy rule": Mistake(
        "run 'Do I need an umbrella today?'",
        "HOME/jiritsu.toml: policy.1.effect: there is no such key; did you mean effects?",
        "jiritsu.toml",
        '[[policy]]\nname = "x"\neffect = ["destructive"]\ndecision = "deny"\n',
    ),
}


@requirement("D1", "X2")
@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize(
    "mistake", in_part(MISTAKES.values(), every=4, alike=lambda mistake: mistake.command.split()[0]), ids=MISTAKES
)
def test_a_mistake_is_told_in_one_line_before_a_run_opens_anything(empty_home: Path, mistake: Mistake) -> None:
    if mistake.file:
        (empty_home / mistake.file).parent.mkdir(exist_ok=True)
        (empty_home / mistake.file).write_text(mistake.content)
    done = CliRunner().invoke(main, shlex.split(mistake.command), env=mistake.variables)
    assert done.exit_code == 3
    assert fnmatchcase(done.stderr.removesuffix("\n"), f"jiritsu: {mistake.told.replace('HOME', str(empty_home))}")
    if mistake.command.startswith("run ") and not mistake.file:
        assert list(empty_home.iterdir()) == [], "neither a database nor what a server keeps"


@pytest.mark.skipif(sys.platform != "linux", reason="uses /proc as a place nobody can write to")
def test_a_data_directory_that_cannot_be_written(home: Path) -> None:
    done = jiritsu("--home", "/proc/nowhere", "runs", "list", home=home)
    assert done.returncode == 3
    assert "/proc/nowhere" in said(done)


@pytest.mark.parametrize(
    ("variable", "told"),
    [
        ("JIRITSU_MODLE", "JIRITSU_MODLE is ignored: there is no such setting; did you mean JIRITSU_MODEL?"),
        ("JIRITSU_TIMEZOEN", "JIRITSU_TIMEZOEN is ignored: there is no such setting; did you mean JIRITSU_TIMEZONE?"),
        ("JIRITSU_POLICY", "JIRITSU_POLICY is ignored: policy is a table, which only jiritsu.toml can hold"),
    ],
)
def test_a_variable_nobody_reads_is_told_of_once_and_the_command_goes_on(home: Path, variable: str, told: str) -> None:
    done = jiritsu("jobs", "list", home=home, **{variable: "x", "JIRITSU_INPUT_TOKEN": "y", "JIRITSU_WEATHER_DATA": "sample"})
    assert done.returncode == 0
    assert said(done) == f"warning: {told}"


def test_a_server_that_does_not_start_is_named_and_the_others_are_there(home: Path) -> None:
    broken = '{"mcpServers": {"broken": {"command": "no-such-program"}}}'
    (home / "jiritsu.mcp.json").write_text(broken)
    done = jiritsu("discover", home=home)
    assert done.returncode == 0
    assert "broken" in done.stdout
    assert "no-such-program" in done.stdout
    assert "Traceback" not in done.stderr


def test_discover_asks_for_what_it_is_to_explain_and_names_unknown_tools_of_a_file(home: Path) -> None:
    without = jiritsu("discover", "--explain", home=home)
    assert without.returncode == 2
    assert "give one" in without.stderr
    (home / "asked.jsonl").write_text('\ufeff{"request": "weather", "tools": ["weather_get_weather", "get_wether"]}\n')
    measured = jiritsu("discover", "--eval", "asked.jsonl", home=home)
    assert "1 request" in measured.stdout
    assert "not among the tools, and left out: get_wether\n" in measured.stderr
    assert "near names: weather_get_weather\n" in measured.stderr
    both = jiritsu("discover", "weather", "--eval", "asked.jsonl", home=home)
    assert (both.returncode, "leave QUERY out" in both.stderr) == (2, True)
    assert "give one" in jiritsu("discover", " \u3000", "--explain", home=home).stderr
    long = jiritsu("discover", "どうか" * 3_000, home=home)
    assert (long.returncode, len(long.stderr) < 400) == (0, True)


def test_tools_call_explains_what_is_wrong_with_the_arguments(home: Path) -> None:
    for arguments, problem in (("{", "is not JSON"), ("[]", "is not an object")):
        wrong = jiritsu("tools", "call", "weather_get_weather", arguments, home=home)
        assert wrong.returncode == 2
        assert problem in wrong.stderr
    missing = jiritsu("tools", "call", "weather_get_weather", "{}", home=home)
    assert missing.returncode == 3
    assert "location" in said(missing)
    unknown = jiritsu("tools", "call", "weather", "{}", home=home)
    assert unknown.returncode == 1
    assert "did you mean weather_get_weather" in said(unknown)


def test_words_that_look_like_markup_are_only_words(home: Path) -> None:
    done = jiritsu("run", "[/red] :x: [bold]東京の天気は", home=home)
    assert "Traceback" not in done.stderr
    assert "[/red] :x: [bold]東京の天気は" in done.stderr


def test_all_inputs_that_are_lacking_are_named_at_once(home: Path) -> None:
    (home / "jiritsu.mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    done = jiritsu("run", "overtime", home=home)
    assert done.returncode == 3
    assert all(name in said(done) for name in ("month", "department", "spreadsheet", "manager"))


def test_one_broken_job_file_does_not_hide_the_others(home: Path) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "broken.md").write_text("---\nschedule: {cron: '61 * * * *'}\n---\ngoal\n")
    done = jiritsu("jobs", "list", home=home)
    assert done.returncode == 0
    assert "diary" in done.stdout
    assert "schedule.cron: '61 * * * *' is no cron expression: its minute '61' is not within 0-59" in said(done)


@requirement("X2")
@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ("turns = 0", "limits.turns: must be greater than or equal to 1, not 0"),
        ("wall_s = nan", "limits.wall_s: must be"),
        ("turn = 3", "limits.turn: there is no such key"),
    ],
)
def test_a_limit_that_makes_no_sense(home: Path, limits: str, told: str) -> None:
    (home / "jiritsu.toml").write_text(f"[limits]\n{limits}\n", encoding="utf-8")
    for command in (("run", "東京の天気は？"), ("run", "diary"), ("discover",)):
        done = jiritsu(*command, home=home)
        assert done.returncode == 3
        assert said(done).startswith(f"jiritsu: {home / 'jiritsu.toml'}: {told}")


def test_words_that_are_no_text_are_refused_before_anything_begins(home: Path) -> None:
    done = jiritsu("run", "caf\udce9", home=home)
    assert done.returncode == 2
    assert "Error: 'caf\\udce9' is not UTF-8" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_misspelt_command_is_named_the_nearest(home: Path) -> None:
    done = jiritsu("serverz", "list", home=home)
    assert done.returncode == 2
    assert "No such command 'serverz'. Did you mean servers?" in done.stderr
    assert "Choose from: bash, zsh, fish, powershell" in jiritsu("completion", home=home).stderr


@pytest.mark.parametrize("encoding", ["cp932", pytest.param("latin-1", marks=pytest.mark.sweep)])
def test_an_output_of_another_encoding_gets_signs_for_what_it_lacks(home: Path, encoding: str) -> None:
    asked = jiritsu("run", "東京の天気を教えて 🌂", home=home, PYTHONIOENCODING=f"{encoding}:strict")
    assert (asked.returncode, "Traceback" in str(asked.stderr)) == (0, False), asked.stderr
    listed = jiritsu("runs", "show", str(asked.stderr).split()[1], "--json", home=home, PYTHONIOENCODING=encoding)
    assert json.loads(listed.stdout)["request"]["task"]["goal"] == "東京の天気を教えて 🌂"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("approvals", "approve", "x"), "jiritsu: there is no approval 'x'"),
        (("effects", "resolve", "x", "--happened"), "jiritsu: there is no write 'x'"),
        (("report", "--html", "/nowhere/x.html"), "jiritsu: /nowhere/x.html: No such file or directory"),
        (("runs", "list", "--job", "x"), "no runs of job 'x'"),
        (("jobs", "run", "any words"), "jiritsu: jobs: any words: there is no such job; there are diary, overtime"),
        (("tenants", "add", "A B", "--vendor", "demo"), "jiritsu: tenants: A B.id: string should match pattern"),
    ],
)
def test_what_is_not_there_is_called_by_its_name(home: Path, arguments: tuple[str, ...], told: str) -> None:
    assert said(jiritsu(*arguments, home=home)).startswith(told)


def test_an_empty_input_is_one_that_was_not_given(home: Path) -> None:
    done = jiritsu("run", "diary", "-i", "user=", "--json", home=home)
    assert json.loads(done.stdout)["ending"] == "completed"
    assert list((home / "esa").rglob("harukaの日記.md"))


def test_output_that_nobody_reads_to_its_end_is_no_failure(home: Path) -> None:
    ran = jiritsu("run", "今日は傘が必要？", "-q", home=home)
    assert ran.returncode == 0, ran.stderr
    for arguments in (("report", "--since", "1d"), ("runs", "list")):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as nobody_reads:
            done = subprocess.run(
                command_line(*arguments),
                cwd=home,
                env=environment(home),
                stdout=nobody_reads,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('[report]\nchanel = "#x"\n', "report.chanel: there is no such key; did you mean channel?"),
        ('[report]\nchannel = "#x"\nschedule = { cron = "0 99 * * *" }\n', "its hour '99' is not within 0-23"),
    ],
)
def test_what_is_wrong_with_the_report_is_told_with_its_file(home: Path, settings: str, told: str) -> None:
    (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
    done = jiritsu("jobs", "list", home=home)
    assert done.returncode == 3
    assert said(done).startswith(f"jiritsu: {home / 'jiritsu.toml'}: report.")
    assert said(done).endswith(told)


def test_doctor_reads_the_tables_of_the_gateway_and_the_console_too(home: Path) -> None:
    (home / "jiritsu.toml").write_text('[gateway.clients.a]\nfase = "all"\n[web]\nlisten = "0.0.0.0:8484"\n', encoding="utf-8")
    told = jiritsu("doctor", "--no-call", home=home).stdout
    assert f"{home / 'jiritsu.toml'}: gateway.clients.a.fase: there is no such key; did you mean face?" in told
    assert f"{home / 'jiritsu.toml'}: web.listen: 0.0.0.0 can be reached from elsewhere" in told


def test_a_setting_that_nobody_has_made_is_not_looked_for_in_a_file_called_default(home: Path) -> None:
    done = jiritsu("jobs", "next", "report", home=home)
    assert said(done) == "jiritsu: settings: report.channel: is not set; naming a channel turns the report on"


def test_a_goal_that_ends_with_the_name_of_a_file_is_no_job_file(home: Path) -> None:
    done = jiritsu("run", "Write the names of the channels into notes/summary.md", home=home)
    assert "cannot be read" not in done.stderr
    assert "Write the names of the channels into notes/summary.md" in done.stdout


@requirement("Z11")
def test_a_user_without_a_home_whom_no_list_names_needs_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_uid: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setenv("JIRITSU_HOME", str(home))
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    listed = CliRunner().invoke(main, ["runs", "list"])
    assert (listed.exit_code, os.environ["HOME"]) == (0, "/")
