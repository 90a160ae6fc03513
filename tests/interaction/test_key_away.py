"""Processes that lack the key of the log: they begin nothing, and nothing is lost. Each test on one database; the sweeps take the other."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.durable import furnished_database, new_sqlite_file
from tests.support.postgres import NEEDED

OLD, NEW = "the secret of last year", "the secret of this year"

NO_KEY = (
    "jiritsu: the log goes on under a key that is not among JIRITSU_KEY, so nothing is written to it: set JIRITSU_KEY=new,old"
)

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Command:
    """The command over a database whose log has one run, chained under the old key."""
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    if request.param == "postgresql":
        url = furnished_database(request.getfixturevalue("postgres_server"), "key_away")
    else:
        (tmp_path / "jiritsu.db").write_bytes(new_sqlite_file())

    def run(key: str, *arguments: str, language: str = "en") -> subprocess.CompletedProcess[str]:
        env = {"JIRITSU_DATABASE_URL": url, "JIRITSU_LANGUAGE": language, **({"JIRITSU_KEY": key} if key else {})}
        return jiritsu(*arguments, home=tmp_path, **env)

    assert run(OLD, *GOAL).returncode == 0
    return run


GOAL = ("run", "Do I need an umbrella in Tokyo today?", "--sample", "en", "-q")


@requirement("S5")
@pytest.mark.parametrize("command", ["sqlite", pytest.param("postgresql", marks=[NEEDED, pytest.mark.sweep])], indirect=True)
def test_a_process_without_the_key_of_the_log_begins_nothing_and_all_goes_on_once_the_key_is_back(command: Command) -> None:
    (run,) = runs_of(command)
    head = command(OLD, "audit", "anchor").stdout
    decisions = (("runs", "retry", run), ("effects", "resolve", f"{run}/x", "--happened"), ("approvals", "deny", "0a1b2c3d"))
    for refused in (GOAL, ("worker",), ("gateway",), *decisions):
        done = command(NEW, *refused)
        assert (done.returncode, done.stderr.startswith(NO_KEY), done.stderr.count("\n")) == (3, True, 1), (refused, done.stderr)
    assert command("", *GOAL).stderr.startswith(NO_KEY)
    assert "JIRITSU_KEY=新しい鍵,古い鍵 と設定して `jiritsu keys rotate`" in command(NEW, "worker", language="ja").stderr
    assert f"✗ key: {NO_KEY.removeprefix('jiritsu: ')}" in command(NEW, "doctor", "--no-call").stdout
    verified = command(NEW, "audit", "verify")
    assert (verified.returncode, verified.stdout.count("unknown_key: the log goes on under")) == (1, 1)
    assert "unknown_key: 記録をつないでいる鍵が JIRITSU_KEY にない" in command(NEW, "audit", "verify", language="ja").stdout
    refused = command(NEW, "keys", "rotate")
    assert (refused.returncode, "nothing is written to it: set JIRITSU_KEY=new,old" in refused.stderr) == (3, True)
    assert (runs_of(command), command(OLD, "audit", "anchor").stdout) == ([run], head)
    assert "Sealed the log" in command(f"{NEW},{OLD}", "keys", "rotate").stdout
    assert command(OLD, *GOAL).stderr.startswith(NO_KEY), "nor does anybody who has the old key alone"
    assert command(NEW, *GOAL).returncode == 0
    assert len(runs_of(command)) == 2
    assert command(f"{NEW},{OLD}", "audit", "verify").stdout.startswith("intact: ")


@requirement("S5")
@pytest.mark.parametrize(
    "command", [pytest.param("sqlite", marks=pytest.mark.sweep), pytest.param("postgresql", marks=NEEDED)], indirect=True
)
def test_a_log_whose_key_is_lost_goes_on_and_tells_which_rows_cannot_be_checked(command: Command) -> None:
    rows = int(command(OLD, "audit", "anchor").stdout.partition(":")[0])
    assert "environment: JIRITSU_KEY: must be set to the new secret" in command("", "keys", "rotate", "--lost-key").stderr
    sealed = command(NEW, "keys", "rotate", "--lost-key")
    assert (sealed.returncode, "Sealed the log" in sealed.stdout) == (0, True), sealed.stderr
    assert command(NEW, *GOAL).returncode == 0
    verified = command(NEW, "audit", "verify")
    assert (verified.returncode, verified.stdout.startswith("intact: ")) == (0, True)
    assert f"the rows up to {rows} were sealed without their key, which was lost: they cannot be checked" in verified.stderr
    assert json.loads(command(NEW, "audit", "verify", "--json").stdout)["lost"] == rows
    assert f"{rows} までの行は、鍵を失くしたため" in command(NEW, "audit", "verify", language="ja").stderr


def runs_of(command: Command) -> list[str]:
    return [one["run_id"] for one in json.loads(command(NEW, "runs", "list", "--json").stdout)]
