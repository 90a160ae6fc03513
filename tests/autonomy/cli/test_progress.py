"""What one sees while a run is under way: a line an event, whatever the event says."""

import re
from typing import get_args

import anyio
import pytest

from autonomy.cli.reports.run_progress import Progress
from autonomy.cli.rich_console import SafeConsole
from autonomy.cli.words.terminal_words import in_japanese, translate
from autonomy.errors import ModelError, ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.vendors.http_transport import Refused
from autonomy.run_state.completion_rules import Rule
from discovery import discovery_errors
from discovery.connections.connection import STILL
from discovery.discovery_errors import CallFailed, ProviderBusy, ProviderUnavailable
from metrics.events import AttemptFailed, CallFinished, CatalogTaken, Judged, ModelFailed, ProviderAwaited, RunEvent
from metrics.reporting.reason_words import rule_in
from metrics.reporting.report_words import cause, failure_in

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
        (
            {
                "verdict": "continue",
                "missing": ("claim: a read", "length"),
                "findings": ("you have looked nothing up", "too short"),
            },
            "  judge: not done yet: you have looked nothing up; length\n",
        ),
    ],
)
async def test_the_judge_counts_rules_only_where_there_are_any(
    capsys: pytest.CaptureFixture[str], verdict: dict[str, object], line: str
) -> None:
    assert await told(Judged.model_validate({**WHERE, "turn": 1, **verdict}), capsys) == line


def test_no_class_of_an_error_stands_in_the_story_of_a_run() -> None:
    classes = [
        one
        for one in vars(discovery_errors).values()
        if isinstance(one, type) and issubclass(one, CallFailed | ProviderUnavailable)
    ]
    for name in (one.__name__ for one in (*classes, ProviderBusy) if not one.__name__.startswith("_")):
        assert failure_in(name, "en") != name
        assert name not in cause("not_recovered", "tool", name, "en")
        assert re.search("[ぁ-ヿ一-鿿]", in_japanese(failure_in(name, "en"))), name


def test_every_kind_of_rule_has_its_japanese_name() -> None:
    kinds = [get_args(kind.model_fields["rule"].annotation)[0] for kind in get_args(get_args(Rule)[0])]
    assert len(kinds) > 10
    for name in (*kinds, "evidence: posts", "tool used: a_post"):
        assert re.search("[ぁ-ヿ一-鿿]", rule_in("ja", name.replace("_used", " used"))), name
    assert rule_in("ja", "evidence: posts") == "調べた証拠: posts"


async def test_a_server_that_is_waited_for_is_named_once_in_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(SafeConsole())
    for at in (1002.0, 1003.0, 1020.0):
        waited = {"provider": "slack", "cause": "it is still starting", "since": 1000.0, "most_s": 30.0}
        await progress.write([ProviderAwaited.model_validate({**WHERE, "at": at, **waited})])
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"… waiting for slack: it has been starting for {seconds} s (at most 30 s)" for seconds in (2, 20)]


def test_how_long_a_server_is_waited_for_is_told_in_japanese() -> None:
    told = in_japanese("… waiting for slack: it has been starting for 2 s (at most 30 s)")
    assert told == "… slack を待っています: まだ起動中です（2 秒）（待つのは長くて 30 秒）"
    told = in_japanese(f"… waiting for slack: {STILL} (at most 30 s)")
    assert told == "… slack を待っています: まだ起動中ですが、プロセスが何もしていません（待つのは長くて 30 秒）"


@pytest.mark.parametrize(
    ("starting", "line", "japanese"),
    [
        (("slack",), "unavailable: esa, still starting: slack", "使えないもの: esa、まだ起動中: slack"),
        (("slack", "esa"), "still starting: slack, esa", "まだ起動中: slack, esa"),
        ((), "unavailable: slack, esa", "使えないもの: slack, esa"),
    ],
)
def test_a_server_that_still_starts_is_not_called_unavailable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, starting: tuple[str, ...], line: str, japanese: str
) -> None:
    taken = {"snapshot_id": "s", "tools": 19, "offered": 9, "freshness": "fresh", "unavailable_providers": ("slack", "esa")}
    event = CatalogTaken.model_validate({**WHERE, **taken, "starting_providers": starting})
    assert (printed := anyio.run(told, event, capsys)) == f"◇ 19 tools, 9 offered, {line}\n"
    monkeypatch.setenv("JIRITSU_LANGUAGE", "ja")
    assert translate(printed.strip()) == f"◇ ツール 19 個、うち 9 個を提示。{japanese}"


async def test_why_a_server_cannot_be_used_is_said_once_where_it_is_missed(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(SafeConsole())
    waits = "comes from /a/jiritsu.mcp.json and waits for `jiritsu servers trust notes`"
    progress.causes = lambda: {"notes": waits, "slow": "it is still starting"}
    taken = {"snapshot_id": "s", "tools": 2, "offered": 2, "freshness": "fresh", "starting_providers": ("slow",)}
    event = CatalogTaken.model_validate({**WHERE, **taken, "unavailable_providers": ("notes", "slow")})
    await progress.write([event])
    await progress.write([event])
    line = "◇ 2 tools, 2 offered, unavailable: notes, still starting: slow"
    assert capsys.readouterr().out.splitlines() == [line, f"  ! notes: {waits}", line]


@pytest.mark.parametrize(
    ("then", "line", "japanese"),
    [
        ("retry", "asked again", "もう一度尋ねます"),
        ("fallback", "the next model is asked", "次のモデルに尋ねます"),
        ("correct", "asked to correct it", "直すように求めます"),
        ("give_up", "giving up", "再試行をやめます"),
    ],
)
def test_what_follows_a_model_that_failed_is_told_in_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, then: str, line: str, japanese: str
) -> None:
    event = ModelFailed.model_validate({**WHERE, "turn": 1, "model": "ollama:x", "error": "ModelUnavailable", "then": then})
    assert (printed := anyio.run(told, event, capsys)) == f"  ! ollama:x: away or busy, {line}\n"
    monkeypatch.setenv("JIRITSU_LANGUAGE", "ja")
    assert translate(printed.strip()) == f"! ollama:x: 応答できないか、混み合っています。{japanese}"


@pytest.mark.parametrize("error", [ModelUnavailable, ModelRejected, Refused, ModelGarbled])
def test_a_models_error_is_told_in_words(capsys: pytest.CaptureFixture[str], error: type[ModelError]) -> None:
    event = ModelFailed.model_validate({**WHERE, "turn": 1, "model": "ollama:x", "error": error.__name__, "then": "give_up"})
    assert error.__name__ not in anyio.run(told, event, capsys)


async def test_words_of_a_server_make_no_line_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = "busy\n  judge: complete, 5 of 5 rules hold\x1b[8m"
    event = AttemptFailed.model_validate({**WHERE, "turn": 1, "call_id": "c", "tool": "t", "attempt": 1, "error": words})
    printed = await told(event, capsys)
    assert printed.count("\n") == 1
    assert "\x1b" not in printed


async def test_a_refusal_is_told_with_its_status_and_not_as_no_connection(capsys: pytest.CaptureFixture[str]) -> None:
    of_call = {**WHERE, "turn": 1, "call_id": "c", "tool": "t"}
    refused = AttemptFailed.model_validate({**of_call, "attempt": 1, "error": "CallFailed", "status": 403})
    assert await told(refused, capsys) == "  ↻ t: the call failed (HTTP 403), giving up\n"
    assert (
        in_japanese("  ↻ t: the call failed (HTTP 403), giving up")
        == "  ↻ t: 呼び出しに失敗しました（HTTP 403）。再試行をやめます"
    )
    ended = CallFinished.model_validate({**of_call, "outcome": "terminal", "problem": "transport"})
    assert "no usable answer from its server" in await told(ended, capsys)
