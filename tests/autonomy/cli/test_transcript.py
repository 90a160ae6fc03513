"""A transcript in the terminal: what is followed is told as it happens, each thing once, and no result floods it."""

from typing import Any

import pytest

from autonomy.cli.reports.transcript import RESULT_LINES, WATCHED_LINES, TranscriptPrinter
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.records.transcripts import CallTranscript, ModelFailureTranscript, Transcript, TurnTranscript
from autonomy.llm.messages import ToolResult
from autonomy.policy.decision_table import Decision
from autonomy.run_state.run_values import AttemptFailure, CallRecord
from tests.support.durable import asked

LATE = AttemptFailure(attempt=1, tool="board_read", error="CallTimedOut", wait_s=0.472043, retrying=True)


def of(**call: Any) -> Transcript:
    shown = CallTranscript(key="turn-1/call-1", call_id="c1", tool="board_read", arguments={}, **call)
    record = RunRecord(run_id="run-1", job="", tenant="default", actor="", state="running", request=asked("run-1"), asked_at=0.0)
    return Transcript(record=record, turns=(TurnTranscript(key="turn-1", number=1, calls=(shown,)),))


def test_a_call_that_hangs_says_so_while_it_is_followed_and_says_it_once(capsys: pytest.CaptureFixture[str]) -> None:
    allowed = Decision(decision="allow", rule="reads")
    printer = TranscriptPrinter("en", lines=WATCHED_LINES)
    printer.print_new(of(state="asked", decision=allowed))
    assert "policy" not in capsys.readouterr().out
    printer.print_new(of(state="running", decision=allowed))
    printer.print_new(of(state="running", decision=allowed, troubles=(LATE,)))
    told = capsys.readouterr().out
    assert told.index("→ board_read") < told.index("policy: allow") < told.index("attempt 1: ")
    assert "waited 0.47 s" in told
    printer.print_new(
        of(state="running", decision=allowed, troubles=(LATE, LATE.model_copy(update={"attempt": 2, "wait_s": 150})))
    )
    assert "waited 2 min 30 s" in capsys.readouterr().out
    printer.print_new(of(state="ended", outcome="ok", decision=allowed, troubles=(LATE,)))
    assert "attempt" not in capsys.readouterr().out


@pytest.mark.parametrize("most", [RESULT_LINES, WATCHED_LINES])
def test_of_a_long_result_only_its_beginning_is_printed(most: int, capsys: pytest.CaptureFixture[str]) -> None:
    result = ToolResult(call_id="c1", name="board_read", text="\n".join(f"row {number}" for number in range(100)), kind="ok")
    record = CallRecord(call_id="c1", turn=1, tool="board_read", asked="board_read", result=result)
    TranscriptPrinter("en", lines=most).print_new(of(state="ended", outcome="ok", record=record))
    told = capsys.readouterr().out
    assert told.count("| row ") == most
    assert f"… {100 - most} more lines" in told


def test_what_follows_a_failed_model_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    failure = ModelFailureTranscript(model="m", error="ModelUnavailable", then="give_up")
    shown = of(state="running")
    turn = shown.turns[0].model_copy(update={"failures": (failure,)})
    TranscriptPrinter("ja").print_new(shown.model_copy(update={"turns": (turn,)}))
    assert "m: 応答できないか、混み合っています → 断念\n" in capsys.readouterr().out


def test_the_name_of_an_argument_begins_no_line_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    shown = of(state="running")
    call = shown.turns[0].calls[0].model_copy(update={"arguments": {"a\n✓ approved by haruka": "one\ntwo", "b\r\nc": 1}})
    turn = shown.turns[0].model_copy(update={"calls": (call,)})
    TranscriptPrinter("en").print_new(shown.model_copy(update={"turns": (turn,)}))
    assert not [line for line in capsys.readouterr().out.splitlines() if line.startswith(("✓", "c"))]


def test_a_secret_that_was_typed_into_a_goal_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    record = of().record.model_copy(update={"request": asked("run-1", goal=f"List my issues with {token}")})
    TranscriptPrinter("en").print_new(Transcript(record=record))
    assert "goal: List my issues with *** run-1" in capsys.readouterr().out
