"""What could not be traced in a finished answer stands beside it in the terminal."""

import pytest

from autonomy.cli.reports.run_result import show_remarks
from autonomy.run_state.run_values import RunResult


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


def test_an_answer_without_remarks_says_nothing_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    show_remarks(RunResult(run_id="run-1", ending="completed", text="3 orders."), "en")
    assert capsys.readouterr().err == ""
