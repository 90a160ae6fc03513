"""Prints what came of a run: its text on stdout; what failed, what is doubtful and its measures on stderr."""

import json
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from autonomy.cli.rich_console import SafeConsole
from autonomy.cli.terminal import in_a_line, print_json, say, show
from autonomy.cli.words.terminal_words import terminal_language, translate
from autonomy.run_state.run_values import RunResult
from discovery.text.stack_traces import error_words, without_frames
from metrics.autonomy import AutonomyMetrics
from metrics.events import Event, ModelFailed
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_data import explain
from metrics.reporting.report_terminal import print_run
from metrics.reporting.report_words import effect_in, ending_in, word

if TYPE_CHECKING:
    from autonomy.app import App
    from metrics.reporting.report_words import Language

MOST_FAILURES, FAILURE_CHARS = 3, 300
"""How many failed calls of a run that did not get there are shown in the tools' own words, and how much of each."""


async def show_result(app: "App", result: RunResult, *, as_json: bool, quiet: bool) -> None:
    """Print what came of a run: its text on stdout, its story and its measures on stderr."""
    language = terminal_language()
    found = await app.journal.read(run_id=result.run_id)
    if as_json:
        scored = AutonomyMetrics.measure_autonomy_level(found)
        print_json(
            {**result.model_dump(mode="json"), "autonomy": {**scored.breakdown, "overall": scored.overall, "level": scored.level}}
        )
        return
    if result.text:
        show(marked_text(result))
    show_remarks(result, language)
    _show_rehearsed(result, language)
    ending = ending_in(result.ending, language, len(result.remarks))
    if quiet:
        if result.ending not in ("completed", "simulated"):
            say(f"jiritsu: {ending}: {reason_in(language, result.reason)}", err=True)
            _point_to_doctor(result, found)
        return
    console = SafeConsole(stderr=True)
    reason = "" if result.is_refuted else reason_in(language, result.reason)  # stands above its text
    reason = reason or (translate("nothing was sent") if result.ending == "simulated" else "")
    console.print(f"\n{ending}" + (f": {reason}" if reason else ""), soft_wrap=True, style="bold")
    _point_to_doctor(result, found)
    for words in _what_failed(result, language):
        console.print(f"  {words}", soft_wrap=True)
    for planned in result.plan.steps if result.plan else ():
        console.print(
            translate(f"  planned {planned.id}: {planned.tool}" + (f" ({planned.why})" if planned.why else "")), soft_wrap=True
        )
    for receipt in result.receipts:
        console.print(f"  {receipt.tool} → {unquote(receipt.target) or receipt.state}", soft_wrap=True)
    print_run(explain(found), console, language, app.settings.timezone, is_told=True)
    sys.stderr.flush()


def _point_to_doctor(result: RunResult, found: Sequence[Event]) -> None:
    """Where a model gave no reply, say which command finds out why: its server's own words seldom tell what to do."""
    failed = next((event.model for event in reversed(found) if isinstance(event, ModelFailed)), "")
    if failed and result.ending == "failed" and result.reason.startswith(f"{failed}: "):
        say(f"`jiritsu --model {shlex.quote(failed)} doctor` says what is to be mended", err=True)


def marked_text(result: RunResult) -> str:
    """The text of a run; over one that does not hold stands why, as stdout is often all that is kept."""
    if not result.is_refuted:
        return result.text
    language = terminal_language()
    ending, reason = ending_in(result.ending, language), reason_in(language, result.why_not_held)
    mark = word("not established", language, ending=ending, reason=reason)
    return f"{mark}\n\n{result.text}"


def show_remarks(result: RunResult, language: "Language") -> None:
    """Say on stderr what could not be traced in a result that counts as done, and that no second reader has read it."""
    if result.remarks:
        say(f"\n{word('not traced', language)}", err=True)
    for remark in result.remarks:
        say(f"  ? {reason_in(language, remark)}", err=True)
    if result.unread:
        say(f"\n? {reason_in(language, result.unread)}", err=True)


def _show_rehearsed(result: RunResult, language: "Language") -> None:
    """Print every write that a rehearsal held back, with all that it would have sent: that is what was asked for."""
    for record in [record for record in result.calls if record.simulated]:
        say()
        say(f"Not sent: {record.tool} ({effect_in(record.effect, language)}): {reason_in(language, record.reason)}")
        for name, value in record.arguments.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines = text.strip().splitlines()
            if len(lines) > 1 and (whole := "\n".join(lines)) in result.text and 2 * len(whole) > len(result.text):
                say(f"  {name}: the text above")
            else:
                show(f"  {name}:" + (f" {text}" if len(lines) < 2 else "".join(f"\n    | {line}" for line in lines)))


def _what_failed(result: RunResult, language: "Language") -> list[str]:
    """The last failed calls of a run that did not get there, in the tools' own words: its reason names only the kind of
    failure. What the result or the reason says already is not said again."""
    failed = [] if result.ending in ("completed", "simulated") else [call for call in result.calls if call.result.is_error]
    result_text, shown = in_a_line(f"{result.text} {result.reason}"), list[str]()
    for call in failed[-MOST_FAILURES:]:
        words = in_a_line(error_words(call.result.text).removeprefix(f"{call.tool} ").removeprefix("was not called: "))
        line = f"{call.tool}: {reason_in(language, words)[:FAILURE_CHARS]}"
        if words not in result_text and line not in shown:
            shown.append(line)
    if any(without_frames(call.result.text) != call.result.text for call in failed):
        shown.append(translate(f"the whole answer: `jiritsu runs show {result.run_id}`"))
    return shown
