"""`jiritsu run --simulate`: what would have been posted is shown, and nothing claims that it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from autonomy.cli.reports.run_result import _show_rehearsed
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord, RunResult
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.durable import new_sqlite_file

BODY = "one line\nand another"


@requirement("J3", "M2")
@pytest.mark.parametrize(("answer", "is_told_again"), [(f"I would post:\n{BODY}", False), (f"{'Much more. ' * 9}\n{BODY}", True)])
def test_a_text_that_would_be_sent_is_told_again_where_the_answer_is_more_than_it(
    answer: str, is_told_again: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    result = ToolResult(call_id="c", name="post", text="")
    call = CallRecord(
        call_id="c", turn=1, tool="post", asked="post", problem="simulated", arguments={"body": BODY}, result=result
    )
    _show_rehearsed(RunResult(run_id="r", ending="simulated", text=answer, calls=(call,)), "en")
    assert ("    | and another" in capsys.readouterr().out) is is_told_again


@requirement("J3", "M2")
def test_a_rehearsed_diary_is_shown_and_not_posted(home: Path) -> None:
    done = jiritsu("run", "diary", "--simulate", home=home)
    assert done.returncode == 0, done.stderr
    assert "simulated: nothing was sent" in done.stderr
    assert "投稿先" not in done.stdout
    text, _, shown = done.stdout.partition("Not sent: esa_create_post")
    assert "\n  category: AI代筆日記/" in shown
    assert (text + shown).count("## やったこと") == 1
    assert "\n  body_md: the text above" in shown
    day = shown.partition("  category: ")[2].splitlines()[0]
    assert not [file for file in home.rglob("*.md") if day in str(file)]


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A home where one diary was rehearsed, and what the command told of it."""
    home = tmp_path_factory.mktemp("rehearsed")
    (home / "jiritsu.db").write_bytes(new_sqlite_file())
    return home, json.loads(jiritsu("run", "diary", "--simulate", "--json", home=home).stdout)


def test_a_shown_run_tells_its_result_before_its_transcript(rehearsed: tuple[Path, dict[str, Any]]) -> None:
    home, told = rehearsed
    full = jiritsu("runs", "show", told["run_id"], home=home).stdout.splitlines()
    brief = jiritsu("runs", "show", told["run_id"], "--brief", home=home).stdout.splitlines()
    transcript = next(at for at, line in enumerate(full) if line not in brief)
    assert told["text"].splitlines()[0] in full[:transcript]


def test_a_receipt_is_shown_with_a_readable_address_and_in_the_readers_language(home: Path) -> None:
    told = json.loads(jiritsu("run", "diary", "--json", home=home, JIRITSU_LANGUAGE="ja").stdout)
    (receipt,) = told["receipts"]
    assert "%" in receipt["target"], "an address is encoded where programs read it"
    shown = jiritsu("runs", "show", told["run_id"], home=home, JIRITSU_LANGUAGE="ja").stdout
    lines = [line for line in shown.splitlines() if line.lstrip().startswith("受領: ")]
    assert len(lines) == 2, "before the text, and where the call stands"
    assert "ポリシー: 許可（" in shown
    assert "← esa_create_post  成功" in shown
    assert all(line.endswith("（読み返して確認済み）") and "AI代筆日記" in line for line in lines)


@requirement("M2")
def test_it_is_measured_nowhere_and_named_as_what_it_was(rehearsed: tuple[Path, dict[str, Any]]) -> None:
    home, told = rehearsed
    assert (told["ending"], told["receipts"], told["autonomy"]["overall"], told["autonomy"]["level"]) == (
        "simulated",
        [],
        None,
        None,
    )
    assert [call["tool"] for call in told["calls"] if call["problem"] == "simulated"] == ["esa_create_post"]
    assert "simulated" in jiritsu("runs", "show", told["run_id"], home=home).stdout
    report = json.loads(jiritsu("report", "--format", "json", home=home).stdout)
    assert (report["runs"], report["simulated"]) == (0, 1)


def test_quietly_it_is_only_the_text_and_what_was_held_back(home: Path) -> None:
    done = jiritsu("run", "diary", "--simulate", "-q", home=home)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Not sent: esa_create_post" in done.stdout


def test_a_rehearsal_shows_what_a_job_would_send_also_where_its_condition_does_not_hold_now(home: Path) -> None:
    template = (BUILT_IN / "templates" / "en" / "umbrella.md").read_text(encoding="utf-8")
    file = home / "never.md"
    file.write_text(template.replace("above: 29", "above: 100"), encoding="utf-8")
    done = jiritsu("run", str(file), "--sample", "en", "--simulate", home=home)
    assert (done.returncode, "not above 100" in done.stderr) == (0, True)
    assert "simulated: nothing was sent" in done.stderr, "what the job's file says holds only with its condition: no doubt of it"
    assert "was not called. It would have got this:\n\nIt may rain today (Tokyo): take an umbrella." in done.stdout
    really = jiritsu("run", str(file), "--sample", "en", home=home)
    assert (really.returncode, really.stdout) == (0, "")
    assert "nothing to do: " in really.stderr
