"""Renders the questions that wait for people as cards that say whose goal each belongs to."""

from dataclasses import dataclass

from autonomy.chat.slack import blocks as render
from autonomy.chat.slack.blocks import ID, Block
from autonomy.chat.slack.edit_view import can_edit
from autonomy.chat.slack.people import People
from autonomy.durable.approval_store import Approval
from autonomy.durable.records.run_records import RunRecords
from autonomy.errors import JiritsuError


@dataclass(frozen=True)
class ApprovalCards:
    """Cards of questions, in the language of their readers."""

    records: RunRecords
    people: People
    console_url: str
    language: str = ""
    """Of the one reader; empty where a channel reads: then that of the run, which is that of the words that asked."""

    async def card(self, approval: Approval, *, in_thread: bool = False) -> list[Block]:
        """The card. `in_thread`: it stands beneath the words that asked, which need no repeating."""
        return render.question_blocks(
            approval,
            self.language or approval.question.language,
            self.console_url,
            editable=can_edit(approval.question),
            names=await self.people.names_in(approval),
            asked="" if in_thread else await self.asked(approval),
        )

    async def asked(self, approval: Approval) -> str:
        """Who asked for what: the person by name, and the job or the words. A job that nobody started stands alone."""
        question = approval.question
        what = question.job or await self._goal(question.run_id)
        if question.job and not ID.fullmatch(question.asked_for_by):
            return what
        who = await self.people.named(question.asked_for_by)
        return f"{who}: {what}" if who else what

    async def _goal(self, run_id: str) -> str:
        """The words of a goal on one line; the run's id where they cannot be read any more."""
        try:
            return (await self.records.get(run_id)).goal_line
        except JiritsuError:
            return run_id
