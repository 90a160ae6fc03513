"""`jiritsu report` and `jiritsu audit`, as a person runs them, over a journal with runs in it."""

import json
import re
import time
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner, Result

from autonomy.cli import main
from autonomy.cli.reports.run_in_lines import run_in_lines
from autonomy.durable.records.run_records import RunRecords
from autonomy.llm.model import Task
from autonomy.run_state.run_values import ListMember, RunRequest, RunResult
from autonomy.settings import load
from autonomy.stores import open_journal, open_store
from metrics.endings import Ending
from metrics.events import ApprovalAnswered, CallDecided, ReceiptRecorded, RunFinished
from tests.metrics.story import Story, diary
from tests.requirements import requirement

pytestmark = pytest.mark.usefixtures("logging_as_before")


def jiritsu(*arguments: str, home: Path) -> Result:
    """The command in this process; `home` is its data directory already."""
    return CliRunner().invoke(main, ["--home", str(home), *arguments], catch_exceptions=False)


@pytest.fixture
def written(home: Path) -> Path:
    """A data directory whose journal holds a good run and one that ended at a limit, an hour ago."""
    config = load({"home": home}, env={})
    engine = open_store(config)
    hour_ago = time.time() - 3600
    bad = (
        Story("run-bad", job="hr", at=hour_ago)
        .start(needs=("a",))
        .turn()
        .call(needs=("a",), outcome="terminal", problem="transport")
    )
    events = [*diary("run-good", at=hour_ago).events, *bad.finish("exhausted", "the limit of 10 steps").events]
    anyio.run(open_journal(config.settings, engine).write, events)
    engine.dispose()
    return home


@requirement("M3")
def test_the_report_is_told_in_the_terminal_in_both_languages(written: Path) -> None:
    assert "自律性レポート" in jiritsu("report", "--lang", "ja", home=written).stdout
    unnamed = [jiritsu(*shown, home=written).stdout for shown in (["report"], ["audit", "show", "--run", "run-bad"])]
    assert all("exhausted" in told for told in unnamed), "what no person reads is English in every command, as `runs show` is"
    english = jiritsu("report", "--lang", "en", "--job", "hr", home=written).stdout
    assert "Autonomy report" in english
    assert "ended exhausted, not completed" in english
    assert "diary" not in english


def test_the_run_that_is_meant_is_the_newest_or_that_of_a_job_where_no_id_is_given(home: Path) -> None:
    assert "no runs yet" in jiritsu("runs", "show", home=home).stderr
    engine = open_store(load({"home": home}, env={}))

    async def write() -> None:
        records = RunRecords(engine)
        member = ListMember(start="1", item="佐藤 遥", size=1)
        for at, (run_id, job) in enumerate((("1-a", "diary"), ("1-b", "diary"), ("diary-2", "other"), ("1-c", ""))):
            of_list = member if run_id == "1-b" else None
            await records.begin(RunRequest(run_id=run_id, job=job, task=Task(goal="Look."), of_list=of_list), at)
            ending: Ending = "exhausted" if run_id == "1-c" else "completed"
            reason = "the limit of 10 steps" if run_id == "1-c" else ""
            await records.end(RunResult(run_id=run_id, ending=ending, reason=reason, started_at=at))

    anyio.run(write)
    engine.dispose()
    told = {name: jiritsu("runs", "show", *name, home=home).stdout.split() for name in ((), ("diary",), ("1-a",), ("diary-",))}
    assert [shown[0] for shown in told.values()] == ["1-c", "1-b", "1-a", "diary-2"]
    listed = jiritsu("runs", "list", home=home).stdout.splitlines()
    assert [line.split("  ")[-1] for line in listed] == ["Look.", "other", "diary (佐藤 遥)", "diary"]
    log = CliRunner(env={"LC_ALL": "C", "JIRITSU_LANGUAGE": None})
    for shown in ("show", "watch"):  # what goes to a file where nothing says a language is a log: all of it
        told_of = log.invoke(main, ["--home", str(home), "runs", shown], catch_exceptions=False).stdout
        assert told_of.startswith("1-c")
        assert "the limit of 10 steps" in told_of
    assert "there is no run 'nobody'" in jiritsu("runs", "show", "nobody", home=home).stderr


@requirement("M3")
def test_the_report_is_data_for_programs(written: Path) -> None:
    report = json.loads(jiritsu("report", "--json", home=written).stdout)
    assert report["runs"] == 2
    assert json.loads(jiritsu("report", "--json", "--since", "30m", home=written).stdout)["runs"] == 0
    assert jiritsu("report", "--format", "csv", home=written).stdout.startswith("scope,name,figure")
    assert jiritsu("report", "--format", "markdown", home=written).stdout.startswith("# 自律性レポート")


@requirement("M3")
def test_the_report_is_one_page(written: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert jiritsu("report", "--html", str(page), home=written).stdout.strip() == str(page)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "run-bad" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (
            ("report", "--since", "soon"),
            2,
            "'soon' is neither last-upgrade, a span such as 7d, 12h or 2w nor a date such as 2026-11-20",
        ),
        (("report", "--since", "1d", "--until", "2d"), 2, "--since: the period from"),
        (("report", "--since", "0001-01-01"), 2, "'0001-01-01' is neither last-upgrade"),
        (("audit", "show", "--after", "9" * 30), 2, "not in the range"),
        (("audit", "erase", "2026", "--reason", "x", "--yes"), 1, "the log keeps nothing of a run whose whole id is 2026"),
        (("approvals", "rules", "--remove", "1", "--json"), 2, "--remove and --json exclude each other"),
        (("approvals", "suggest", "--write", "1", "--json"), 2, "--write and --json exclude each other"),
        (("gateway", "--http", "127.0.0.1:9", "--client", "desk"), 2, "--client is for stdio; over --http a client is known by"),
        (("mcp", "hr", "--tenant", "x", "--http", "99999"), 2, "not in the range"),
        (("connect", "freee", "--tenant", "x", "--port", "99999"), 2, "not in the range"),
        (("report", "--explain", "nope"), 1, "there is no run 'nope'"),
        (("audit", "verify", "--anchor", "3:xyz"), 2, "anchor: '3:xyz' is not of the form"),
    ],
)
def test_what_one_gets_wrong_is_named(home: Path, arguments: tuple[str, ...], code: int, line: str) -> None:
    done = jiritsu(*arguments, home=home)
    assert (done.exit_code, "Traceback" in done.stderr) == (code, False)
    assert line in " ".join(done.stderr.split())


@requirement("S5")
def test_a_log_under_a_key_that_was_taken_away_verifies_once_it_is_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = "o" * 24, "n" * 24
    config = load({"home": home}, env={"JIRITSU_KEY": old})
    engine = open_store(config)
    anyio.run(open_journal(config.settings, engine).write, diary("run-good", at=time.time() - 3600).events)
    engine.dispose()
    monkeypatch.setenv("JIRITSU_KEY", new)
    alone = jiritsu("audit", "verify", home=home)
    assert alone.exit_code == 1
    assert "JIRITSU_KEY" in alone.stdout
    monkeypatch.setenv("JIRITSU_KEY", f"{new},{old}")
    assert jiritsu("audit", "verify", home=home).exit_code == 0


@requirement("S5")
def test_the_log_is_verified_and_a_change_is_found(written: Path) -> None:
    done = jiritsu("audit", "verify", home=written)
    assert done.exit_code == 0
    assert re.match(r"intact: \d+ rows, 0 erased, head \d+:[0-9a-f]{64}", done.stdout)
    anchor = jiritsu("audit", "anchor", home=written).stdout.strip()
    engine = open_store(load({"home": written}, env={}))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER metrics_events_keep")
        connection.exec_driver_sql("DELETE FROM metrics_events WHERE seq > 20")
        connection.exec_driver_sql("UPDATE metrics_head SET seq = 20, mac = (SELECT mac FROM metrics_events WHERE seq = 20)")
    engine.dispose()
    assert jiritsu("audit", "verify", home=written).exit_code == 1, "the file beside the database says so"
    (written / "jiritsu.db.anchors").unlink()
    unaware = jiritsu("audit", "verify", home=written)
    assert unaware.exit_code == 0
    assert "no row has an anchor outside the database;" in unaware.stderr
    named = written / "elsewhere.anchors"
    (written / "jiritsu.toml").write_text(f'audit_anchors = "{named}"\n', encoding="utf-8")
    assert "no_anchor: the file of the anchors is gone" in jiritsu("audit", "verify", home=written).stdout
    (written / "jiritsu.toml").unlink()
    told = jiritsu("audit", "verify", "--anchor", anchor, "--json", home=written)
    assert told.exit_code == 1
    assert [finding["kind"] for finding in json.loads(told.stdout)["findings"]] == ["truncated"]


def test_the_log_of_a_run_shows_first_how_it_ended_and_who_decided_on_its_calls(written: Path) -> None:
    rows = json.loads(jiritsu("audit", "show", "--run", "run-bad", "--json", home=written).stdout)
    told = jiritsu("audit", "show", "--run", "run-bad", home=written).stdout
    assert told.count("run-bad") == 1, "once, and not in every row"
    assert jiritsu("audit", "show", "--run", "run-", home=written).stdout.count("run-bad") > 1
    before, first, _ = told.partition(f"{rows[0]['seq']:>7}  ")
    assert first, "the rows stand after it"
    assert before.splitlines() == ["run-bad", "exhausted  the limit of 10 steps", "  slack_get_channel_history  allowed by rule"]


def test_the_log_of_a_run_that_is_not_there_is_refused_and_not_empty(written: Path) -> None:
    for form in ((), ("--json",)):
        done = jiritsu("audit", "show", "--run", "run-nowhere", *form, home=written)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "run-nowhere" in done.stderr
    assert jiritsu("audit", "show", "--run", "run-bad", "--after", "1000000", home=written).exit_code == 0


def test_the_rule_that_decided_is_named_in_the_readers_language() -> None:
    told = [CallDecided(run_id="r", key="1", at=1.0, turn=1, call_id="c", tool="read", decision="allow", rule="reads")]
    assert list(run_in_lines(told, "ja")) == ["  read  ルールが許可  読み取り"]


def test_a_call_is_told_with_the_person_who_decided_and_its_receipt() -> None:
    told = [
        CallDecided(run_id="r", key="1", at=1.0, turn=1, call_id="c", tool="post", decision="ask", rule="writes"),
        ApprovalAnswered(run_id="r", key="2", at=2.0, turn=1, call_id="c", tool="post", answer="granted", by="aoki\nforged"),
        ReceiptRecorded(
            run_id="r", key="3", at=3.0, turn=1, call_id="c", tool="post", state="done", target="https://a.example/1"
        ),
        RunFinished(run_id="r", key="4", at=4.0, ending="completed", remarked=1),
    ]
    assert list(run_in_lines(told, "en")) == [
        "completed (1 remark)",
        "  post  a person is asked by rule  writes",
        "  post  granted  aoki forged",
        "  post  receipt: done  https://a.example/1",
    ]


@requirement("S5")
def test_a_run_is_erased_and_the_log_still_verifies(written: Path) -> None:
    rows = json.loads(jiritsu("audit", "show", "--run", "run-bad", "--json", home=written).stdout)
    assert {row["run_id"] for row in rows} == {"run-bad"}
    assert jiritsu("audit", "erase", "run-bad", "--reason", "asked to", "--yes", home=written).stdout.endswith("events erased\n")
    assert jiritsu("audit", "show", "--run", "run-bad", home=written).exit_code == 0
    assert "record_erased" in jiritsu("audit", "show", "--after", "20", home=written).stdout
    assert jiritsu("audit", "verify", home=written).exit_code == 0
    assert json.loads(jiritsu("report", "--json", home=written).stdout)["runs"] == 1
    assert jiritsu("audit", "prune", "--before", "1m", "--yes", home=written).exit_code == 0
    assert jiritsu("audit", "verify", home=written).exit_code == 0
