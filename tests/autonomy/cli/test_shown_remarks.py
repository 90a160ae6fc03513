"""What could not be traced in a finished answer stands beside it in the terminal, and what does not hold is marked."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autonomy.chat.chat_service import render_result
from autonomy.cli.commands.run import lacks_the_sample
from autonomy.cli.reports.run_result import _what_failed, marked_text, show_remarks
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord, RunResult
from tests.requirements import requirement

FINDING = "『97 orders』 has no source"
REFUTED = RunResult(run_id="run-1", ending="doubtful", text="97 orders.", reason=FINDING, missing=(FINDING,))


@pytest.mark.parametrize(
    ("language", "words", "said"), [("en", "could not be traced", "has no source"), ("ja", "たどれなかった", "出どころ")]
)
def test_remarks_are_said_on_stderr_in_the_readers_language(
    language: str, words: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.cli.reports.run_result.terminal_language", lambda: language)
    result = RunResult(run_id="run-1", ending="completed", text="97 orders.", remarks=("『97 orders』 has no source",))
    show_remarks(result, language)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err.lower()
    assert "97 orders" in printed.err
    assert said in printed.err


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "? no second reader has read this answer: its request failed"),
        ("ja", "もう一人の読み手は読んでいません（依頼が失敗しました）"),
    ],
)
def test_that_no_second_reader_has_read_it_is_said_in_the_terminal_and_in_slack(
    language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unread = "no second reader has read this answer: its request failed"
    result = RunResult(run_id="run-1", ending="completed", text="97 orders.", unread=unread)
    show_remarks(result, "ja" if language == "ja" else "en")
    printed = capsys.readouterr()
    assert (said in printed.err, printed.out) == (True, "")
    assert said.removeprefix("? ") in render_result(result, language)
    assert json.loads(result.model_dump_json())["unread"] == unread


def test_an_answer_without_remarks_says_nothing_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    show_remarks(RunResult(run_id="run-1", ending="completed", text="3 orders."), "en")
    assert capsys.readouterr().err == ""


def test_what_failed_three_times_alike_is_said_once() -> None:
    def failed(turn: int, words: str) -> CallRecord:
        result = ToolResult(call_id=f"c{turn}", name="far_read", text=words, is_error=True, kind="retryable")
        return CallRecord(call_id=f"c{turn}", turn=turn, tool="far_read", asked="far_read", result=result)

    calls = (failed(1, "a person has to sign in"), failed(2, "far is not connected"), failed(3, "far is not connected"))
    result = RunResult(run_id="run-1", ending="blocked", reason="3 turns in a row in which nothing worked", calls=calls)
    assert _what_failed(result, "en") == ["far_read: a person has to sign in", "far_read: far is not connected"]


@requirement("V4")
@pytest.mark.parametrize(
    ("language", "words", "said"), [("en", "Please check", "has no source"), ("ja", "ご確認ください", "出どころ")]
)
def test_an_answer_that_does_not_hold_is_marked_above_with_why(
    language: str, words: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.cli.reports.run_result.terminal_language", lambda: language)
    mark, _, text = marked_text(REFUTED).partition("\n\n")
    assert words in mark
    assert said in mark
    assert text == REFUTED.text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_chat_says_that_an_answer_does_not_hold_before_it_says_the_answer(language: str) -> None:
    told = render_result(REFUTED, language)
    assert told.endswith(REFUTED.text)
    assert told.index("97 orders』" if language == "ja" else "has no source") < told.rindex(REFUTED.text)


@pytest.mark.parametrize("ending", ["completed", "unanswered", "declined", "simulated"])
def test_an_answer_that_claims_nothing_false_is_not_marked(ending: str) -> None:
    result = REFUTED.model_copy(update={"ending": ending})
    assert marked_text(result) == result.text


def test_a_result_as_data_is_what_it_was() -> None:
    assert REFUTED.model_dump()["text"] == "97 orders."
    assert "is_refuted" not in REFUTED.model_dump()


def test_a_job_file_that_is_broken_while_its_run_goes_on_does_not_fail_the_command(tmp_path: Path) -> None:
    job = tmp_path / "weekly.md"
    job.write_text("half of a fi")
    app: Any = SimpleNamespace(settings=SimpleNamespace(home=tmp_path, sample_only=False, jobs=None, language="en"))
    done = RunResult(run_id="run-1", ending="completed", text="3 orders.")
    assert not lacks_the_sample(app, done, str(job))


@pytest.mark.parametrize(("language", "said"), [("en", "Please ask again in a while"), ("ja", "もう一度お試しください")])
def test_whoever_asked_is_told_to_ask_again_where_no_model_answers(language: str, said: str) -> None:
    away = RunResult(run_id="run-1", ending="failed", reason="compatible:m: no answer within 15 s", unavailable=True)
    assert said in render_result(away, language)
    assert "15 s" in render_result(away, language)
    broken = away.model_copy(update={"unavailable": False, "reason": "compatible:m: HTTP 400: no such model"})
    assert said not in render_result(broken, language)
