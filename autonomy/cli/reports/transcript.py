"""Prints a transcript in the terminal, for ended runs and running ones."""

import json
from collections.abc import Iterator
from urllib.parse import unquote

from autonomy.cli.terminal import in_a_line, say, show
from autonomy.cli.words.terminal_words import translate
from autonomy.durable.records.transcripts import CallTranscript, JudgementTranscript, Transcript, TurnTranscript
from metrics.reporting.reason_words import reason_in, rule_in
from metrics.reporting.report_words import Language, effect_in, failure_in, problem_in, seconds, word

RESULT_LINES, WATCHED_LINES = 40, 5
"""Of one text, when a run is shown and while it is followed; the whole stands in `--json` and in the console."""


class TranscriptPrinter:
    """Prints what it has not printed yet, reasons in the reader's language.

    `result`: the run's text where it stands above already, so that the turn that said it refers to it. `lines`: how many lines of
    one text are printed at most.
    """

    def __init__(self, language: Language, result: str = "", lines: int = RESULT_LINES) -> None:
        self._language, self._result, self._lines = language, result, lines
        self._printed: set[str] = set()

    def print_new(self, transcript: Transcript) -> None:
        """Print what the transcript holds beyond the last time."""
        if self._first("goal"):
            self._block(translate("goal"), transcript.record.goal)
            if not transcript.complete:
                say("  (the steps of this run are not kept any more; what the models said is gone)")
        if transcript.offer and self._first("offer"):
            say(f"  offered: {len(transcript.offer.definitions)} of {transcript.offer.tools} tools")
        for turn in transcript.turns:
            self._print_turn(turn)

    def _print_turn(self, turn: TurnTranscript) -> None:
        if turn.running and self._first(f"{turn.key}/asked"):
            say(f"{turn.key}  the model is asked …")
        for number, failure in enumerate(turn.failures):
            if self._first(f"{turn.key}/failure-{number}"):
                error = failure_in(failure.error, self._language)
                say(f"{turn.key}  {failure.model}: {error} → {word(f'then_{failure.then}', self._language)}", verbatim=True)
        if (message := turn.message) is not None and self._first(f"{turn.key}/message"):
            say(f"{turn.key}  {message.model}")
            if message.text and message.text == self._result:
                say("  says: the result above")
            elif message.text:
                self._block(translate("says"), message.text)
        for call in turn.calls:
            self._print_call(call)
        for judgement in turn.judgements:
            if self._first(f"{turn.key}/judged"):
                self._print_judgement(judgement)

    def _print_judgement(self, judgement: JudgementTranscript) -> None:
        verdict = "not done yet" if judgement.verdict == "continue" else judgement.verdict
        rules = f"{judgement.held} of {judgement.checked} rules hold" if judgement.checked else "no rules declared"
        if judgement.by == "rules":
            say(f"  judge: {verdict}, {rules}")
        elif judgement.verdict == "complete":
            say("  second opinion: the answer stands")
        for rule in judgement.rules:
            finding = reason_in(self._language, rule.finding)
            say(
                f"    {translate('holds' if rule.held else 'fails')}  {rule_in(self._language, rule.name)}"
                + (f": {finding}" if finding else "")
            )
        for remark in judgement.remarks:
            say(f"    ?  {reason_in(self._language, remark)}")

    def _print_call(self, call: CallTranscript) -> None:
        if call.state != "asked" and self._first(f"{call.key}/started"):
            self._first(f"{call.key}/arguments")
            say(
                f"  → {call.tool}"
                + (f" ({effect_in(call.effect, self._language)})" if call.effect else "")
                + (f"  {word(call.state, self._language)}" if call.state != "ended" else "")
            )
            for name, value in (call.arguments or {}).items():
                self._block(name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), indent=6)
            if call.state == "waiting":
                say("    it waits for a person: `jiritsu approvals list`")
            if call.arguments is None:
                say("      (its arguments are not kept)")
        for line in _on_the_way(call, self._language) if call.state != "asked" else ():
            if self._first(f"{call.key}/{line}"):
                say(line)
        if call.state == "ended" and self._first(f"{call.key}/ended"):
            for line in _aftermath(call, self._language):
                say(line)
            if call.result is not None:
                self._block(translate("result"), call.result, indent=4)

    def _block(self, name: str, text: str, indent: int = 2) -> None:
        """A named text; one of several lines stands under its name."""
        name = in_a_line(name)
        lines = text.rstrip().splitlines() or [""]
        left_out = len(lines) - self._lines
        if len(lines) == 1:
            show(f"{' ' * indent}{name}: {lines[0]}")
            return
        body = "\n".join(f"{' ' * indent}  | {line}" for line in lines[: self._lines])
        show(
            f"{' ' * indent}{name}:\n{body}"
            + (f"\n{' ' * indent}  | … {translate(f'{left_out} more lines')}" if left_out > 0 else "")
        )

    def _first(self, key: str) -> bool:
        new = key not in self._printed
        self._printed.add(key)
        return new


def _on_the_way(call: CallTranscript, language: Language) -> Iterator[str]:
    """The decision on a call, its approval and its failed attempts, one line each."""
    if call.decision:
        yield f"    policy: {word(call.decision.decision, language)} by {rule_in(language, call.decision.rule)}" + (
            f": {reason_in(language, call.decision.reason)}" if call.decision.reason else ""
        )
    if call.approval:
        nobody = call.approval.answer == "denied" and not call.approval.by
        answer = "nobody was there to be asked" if nobody else word(call.approval.answer, language)
        yield f"    approval: {answer}" + (f" by {call.approval.by}" if call.approval.by else "")
    for trouble in call.troubles:
        instead = f" → {trouble.alternative}" if trouble.alternative else ""
        yield f"    attempt {trouble.attempt}: {failure_in(trouble.error, language)}{instead}" + (
            f", waited {seconds(trouble.wait_s)}" if trouble.wait_s else ""
        )


def _aftermath(call: CallTranscript, language: Language) -> Iterator[str]:
    """The outcome of a call, one line each."""
    record = call.record
    took = f"  {record.duration_s:.2f} s" if record else ""
    why = f": {reason_in(language, record.reason)}" if record and record.reason else ""
    yield f"  ← {call.tool}  {problem_in(call.outcome, language)}{took}{why}"
    if record and record.receipt:
        seen = word(f"read_back_{record.receipt.read_back}", language)
        yield f"    receipt: {unquote(record.receipt.target) or record.receipt.state} ({seen})"
