"""What one sees while a run is under way: a line an event, whatever the event says."""

import pytest

from autonomy.cli.rich_console import SafeConsole
from autonomy.cli.run_progress import Progress
from metrics.events import AttemptFailed, Judged, RunEvent

WHERE = {"run_id": "run-1", "key": "k", "at": 0.0}


async def told(event: RunEvent, capsys: pytest.CaptureFixture[str]) -> str:
    await Progress(SafeConsole()).write([event])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        ({"verdict": "complete", "rules": 5, "held": 5}, "  judge: complete, 5 of 5 rules hold\n"),
        ({"verdict": "complete"}, "  judge: complete, no rules declared\n"),
        ({"verdict": "blocked"}, "  judge: blocked, no rules declared\n"),
        ({"verdict": "continue", "rules": 2, "held": 1, "missing": ("sections",)}, "  judge: not done yet: sections\n"),
    ],
)
async def test_the_judge_counts_rules_only_where_there_are_any(
    capsys: pytest.CaptureFixture[str], verdict: dict[str, object], line: str
) -> None:
    assert await told(Judged.model_validate({**WHERE, "turn": 1, **verdict}), capsys) == line


async def test_words_of_a_server_make_no_line_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = "busy\n  judge: complete, 5 of 5 rules hold\x1b[8m"
    event = AttemptFailed.model_validate({**WHERE, "turn": 1, "call_id": "c", "tool": "t", "attempt": 1, "error": words})
    printed = await told(event, capsys)
    assert printed.count("\n") == 1
    assert "\x1b" not in printed
