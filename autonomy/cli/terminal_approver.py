"""Asks the person at the terminal for approval of a call."""

import sys

import anyio.to_thread

from autonomy.cli.terminal import agreed, say, say_value
from autonomy.run_state.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.question_view import question_view, suggested_rule
from autonomy.run_state.step import Step


class TerminalApprover:
    """Asks on a terminal; where there is none, the answer is no, with the reason."""

    def __init__(self, *, approve_all: bool) -> None:
        self._approve_all = approve_all

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Ask in a run that lives as long as this process."""
        return await step(f"{question.key}/approval", lambda: self.ask(question), ApprovalAnswer)

    async def ask(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Ask once; the answer is for exactly these arguments."""
        if self._approve_all:
            return ApprovalAnswer(answer="granted", by="--yes")
        if not sys.stdin.isatty():
            return ApprovalAnswer(answer="denied", reason="there is no terminal to ask at; use --yes, a job, or a policy rule")
        granted = await anyio.to_thread.run_sync(_prompt, question, abandon_on_cancel=True)
        return ApprovalAnswer(answer="granted" if granted else "denied", by="terminal")


def _prompt(question: ApprovalQuestion) -> bool:
    say(err=True)
    say(f"{question.tool} ({question.effect}): {question.reason}", err=True)
    view = question_view(question)
    for item in view.items:
        say_value(f"⚠ {item.argument}" if item.unusual else item.argument, question.arguments[item.argument], err=True)
        for source in item.sources:
            say(f"    ↳ {source}", err=True)
    granted = agreed("Allow this call?", err=True)
    if granted and (rule := suggested_rule(question)):
        say(f"To allow this shape always, put this rule into the settings:\n{rule}", err=True)
    return granted
