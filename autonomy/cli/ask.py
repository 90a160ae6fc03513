"""Asking the person at the terminal before a call happens."""

import sys

import anyio.to_thread

from autonomy.cli.terminal import agreed, say, say_value
from autonomy.execution.approvals import Answer, Question
from autonomy.execution.step import Step


class TerminalApprover:
    """Asks on a terminal; where there is none, the answer is no, with the reason."""

    def __init__(self, *, approve_all: bool) -> None:
        self._approve_all = approve_all

    async def __call__(self, question: Question, step: Step) -> Answer:
        """Ask in a run that lives as long as this process."""
        return await step(f"{question.key}/approval", lambda: self.ask(question), Answer)

    async def ask(self, question: Question) -> Answer:
        """Ask once; the answer is for exactly these arguments."""
        if self._approve_all:
            return Answer(answer="granted", by="--yes")
        if not sys.stdin.isatty():
            return Answer(answer="denied", reason="there is no terminal to ask at; use --yes, a job, or a policy rule")
        granted = await anyio.to_thread.run_sync(_prompt, question, abandon_on_cancel=True)
        return Answer(answer="granted" if granted else "denied", by="terminal")


def _prompt(question: Question) -> bool:
    say(err=True)
    say(f"{question.tool} ({question.effect}): {question.reason}", err=True)
    for name, value in question.arguments.items():
        say_value(name, value, err=True)
    return agreed("Allow this call?", err=True)
