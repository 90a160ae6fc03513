"""Prints a run's events to stderr, one line each."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from rich.console import Console
from rich.text import Text

from autonomy.cli.terminal import in_a_line
from autonomy.cli.words.terminal_words import terminal_language, translate
from metrics import events
from metrics.events import RunEvent
from metrics.reporting.reason_words import reason_in, rule_in
from metrics.reporting.report_words import failure_in, problem_in

if TYPE_CHECKING:
    from discovery.gateway import Gateway

_MARKS = {
    "ok": ("✓", "green"),
    "empty": ("✓", "green"),
    "suspicious": ("?", "yellow"),
    "denied": ("⊘", "yellow"),
    "not_run": ("·", "dim"),
}


WHY = {
    "soft_failure": "the answer came, and looks wrong or speaks of an error",
    "unknown_tool": "no such tool is offered",
    "invalid_arguments": "its arguments do not fit its schema",
    "unreadable": "the model's arguments could not be read",
    "tool_error": "the tool says that it failed",
    "transport": "no usable answer from its server",
    "limit": "a limit was reached",
    "refused_plan": "the plan of writes does not stand",
}
"""What is said of a call that was not plainly ok."""

AFTER_FAILURE = {
    "retry": "asked again",
    "fallback": "the next model is asked",
    "correct": "asked to correct it",
    "give_up": "giving up",
}
"""What follows a reply of a model that cannot be used."""

SAY_AGAIN_S = 10.0
"""After how many seconds it is said again that a server is waited for."""


class Progress:
    """An `EventSink` that prints a line for each event that says how a run proceeds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.names: dict[str, str] = {}
        """Run id → whose run it is, where several run at once: it stands before each line."""
        self._awaited: dict[str, float] = {}
        """Provider → when it was last said that it is waited for, in seconds since the epoch."""
        self.causes: Callable[[], Mapping[str, str]] = dict
        """Gives provider → why it, or some of its tools, cannot be used; nothing where nobody here runs the providers."""
        self._explained = set[tuple[str, str]]()

    async def write(self, batch: Sequence[RunEvent]) -> None:
        """Print a line for each event that a person follows."""
        for event in batch:
            if isinstance(event, events.ProviderAwaited) and self._is_known(event):
                continue
            line = _line(event)
            if line is not None:
                whose = f"{self.names[event.run_id]}  " if event.run_id in self.names else ""
                self._console.print(Text(whose + in_a_line(translate(line.plain)), line.style), soft_wrap=True)
            if isinstance(event, events.CatalogTaken):
                self._explain(event.starting_providers)

    def _explain(self, starting: Sequence[str]) -> None:
        """Say once of each provider why it cannot be used: often a person has only to agree to it."""
        for name, cause in self.causes().items():
            if name not in starting and (name, cause) not in self._explained:
                self._explained.add((name, cause))
                words = in_a_line(f"  ! {name}: {reason_in(terminal_language(), translate(cause))}")
                self._console.print(Text(words, "yellow"), soft_wrap=True)

    def _is_known(self, event: events.ProviderAwaited) -> bool:
        """Whether it was said a moment ago: a run waits for one server in several steps."""
        announced = self._awaited.get(event.provider)
        if announced is not None and event.at - announced < SAY_AGAIN_S:
            return True
        self._awaited[event.provider] = event.at
        return False


def _line(event: RunEvent) -> Text | None:
    match event:
        case events.AttemptFailed() | events.AlternativeTried() | events.ModelFailed() | events.LimitReached():
            return Text(f"  {_trouble(event)}", style="yellow")
        case events.ApprovalRequested():
            return Text(f"  ? waiting for approval of {event.tool}", style="magenta")
        case events.ApprovalAnswered():
            nobody = event.answer == "denied" and not event.by
            answer = "nobody is there to be asked" if nobody else f"{event.answer}{' by ' + event.by if event.by else ''}"
            return Text(f"  ? {answer}", style="magenta")
        case events.ProviderAwaited():
            is_starting = 1 <= event.at - event.since < event.at
            cause = "it has been starting" if is_starting and event.cause == "it is still starting" else event.cause
            since = f" for {event.at - event.since:.0f} s" if is_starting and "," not in cause else ""
            most = f" (at most {event.most_s:.0f} s)" if event.most_s else ""
            return Text(f"… waiting for {event.provider}: {cause}{since}{most}", style="cyan")
        case events.CatalogTaken():
            starting = event.starting_providers
            away = [name for name in event.unavailable_providers if name not in starting]
            down = f", unavailable: {', '.join(away)}" if away else ""
            late = f", still starting: {', '.join(starting)}" if starting else ""
            return Text(f"◇ {event.tools} tools, {event.offered} offered{down}{late}", style="cyan")
        case events.TurnStarted():
            return Text(f"─ turn {event.turn}", style="bold")
        case events.CallFinished():
            return _call(event)
        case events.ReceiptRecorded():
            seen = {"confirmed": ", read back and confirmed", "absent": ", but reading it back does not show it"}.get(
                event.read_back, ""
            )
            return Text(
                f"  ⇒ receipt: {unquote(event.target) or event.state}{seen}", style="green" if event.state != "unknown" else "red"
            )
        case events.Judged(by="model"):
            style = "cyan" if event.verdict == "complete" else "yellow"
            return Text(f"  second opinion: {'; '.join(event.findings) or 'the answer stands'}", style=style)
        case events.Judged(verdict="continue"):
            return Text(f"  judge: not done yet: {_missing(event)}", style="yellow")
        case events.Judged():
            result = f"{event.held} of {event.rules} rules hold" if event.rules else "no rules declared"
            return Text(f"  judge: {event.verdict}, {result}", style="cyan")
        case _:
            return None


def causes_in(gateway: "Gateway") -> dict[str, str]:
    """Provider → why it, or some of its tools, cannot be used."""
    held = Counter(change.provider for change in gateway.held())
    waiting = {
        name: f"held tools: {count}; `jiritsu servers review {shlex.quote(name)}` shows them" for name, count in held.items()
    }
    return waiting | {one.name: one.cause for one in gateway.status() if not one.available and one.cause}


def _missing(event: events.Judged) -> str:
    """The rules that do not hold by their names, and what is wrong with what the answer says in a sentence each."""
    sentences = dict(zip(event.missing, event.findings, strict=False))
    return "; ".join(
        reason_in(terminal_language(), sentences[name])
        if name in sentences and name.startswith("claim: ")
        else rule_in(terminal_language(), name)
        for name in event.missing
    )


def _trouble(event: events.AttemptFailed | events.AlternativeTried | events.ModelFailed | events.LimitReached) -> str:
    match event:
        case events.AttemptFailed():
            then = f"again in {event.wait_s:.1f} s" if event.retrying else "giving up"
            status = f" (HTTP {event.status})" if event.status else ""
            return f"↻ {event.tool}: {failure_in(event.error, 'en')}{status}, {then}"
        case events.AlternativeTried():
            return f"⇄ {event.tool} → {event.alternative}: {'worked' if event.ok else 'failed too'}"
        case events.ModelFailed():
            return f"! {event.model}: {failure_in(event.error, 'en')}, {AFTER_FAILURE[event.then]}"
        case events.LimitReached():
            return f"! {event.limit}"


def _call(event: events.CallFinished) -> Text:
    mark, style = _MARKS.get(event.outcome, ("✗", "red"))
    size = (
        translate(f"{event.result_chars:,} characters")
        if event.outcome == "ok"
        else translate(problem_in(event.outcome, "en")) + (f": {translate(WHY[event.problem])}" if event.problem in WHY else "")
    )
    size = translate("nothing there") if event.outcome == "empty" else size
    size = translate("simulated: not sent") if event.problem == "simulated" else size
    needs = f" for {', '.join(event.needs)}" if event.needs else ""
    cured = ", " + translate(f"cured by {event.cured_by}") if event.cured_by else ""
    return Text(f"  {mark} {event.tool}{needs}  {event.duration_s:.2f} s, {size}{cured}", style=style)
