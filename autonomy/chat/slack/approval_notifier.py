"""Posts approval questions and job results to Slack, and updates them when they change.

It looks at the database, so it shows what any process asked, after any restart; a question is posted once, and redrawn without
buttons when it is answered, here or elsewhere, or has expired.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote

import anyio
from cachetools import LRUCache

from autonomy.chat.chat_service import ChatConfig, render_result
from autonomy.chat.slack import blocks as render
from autonomy.chat.slack.approval_cards import ApprovalCards
from autonomy.chat.slack.authorization import Authorization
from autonomy.chat.slack.edit_view import block_of, block_to_blame, can_edit, edit_view, filled_in
from autonomy.chat.slack.events.request_form import Editing
from autonomy.chat.slack.inbox import Inbox
from autonomy.chat.slack.posts import PostLocation, Posts, PostUnknown, SlackPost
from autonomy.chat.slack.slack_api import UNREACHABLE, SlackApiRefused, SlackRequestFailed
from autonomy.durable.approval_store import Approval, Approvals
from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.errors import JiritsuError, RunError
from autonomy.run_state.quiet_hours import is_quiet
from metrics.reporting.reason_words import reason_in

log = logging.getLogger(__name__)

QUESTIONS_EVERY_S, RESULTS_EVERY_S = 0.5, 5.0
RETRY_S = 60.0
"""How soon what Slack did not take is tried again: a question stands for hours, and a result is reported for a day."""
NAMES_S = 1.0
"""How long the names in a form are waited for: what opens it is good for three seconds."""
RESULTS_LOOKED_AT = 20
"""Of a job at a time: more than end while Slack is away or in quiet hours, few enough to read every few seconds."""
REPORTED_WITHIN_S = 86_400.0
"""An older result is not reported any more."""

NOTHING_SHOWN = "none"
"""In place of a hash that a press does not carry: it binds no arguments, so it answers nothing."""


@dataclass
class ApprovalNotifier:
    """Shows what waits for people."""

    posts: Posts
    inbox: Inbox
    approvals: Approvals
    records: RunRecords
    authorization: Authorization
    config: ChatConfig
    cards: ApprovalCards
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _shown: dict[str, SlackPost] = field(default_factory=dict)
    """The questions whose buttons are to be seen, by approval id."""
    _reported: LRUCache[str, bool] = field(default_factory=lambda: LRUCache(10_000))
    """The runs whose results need no posting any more; what was posted is known by its key, also after a restart."""
    _retry_at: dict[str, float] = field(default_factory=dict)
    """Approval or run id → when it is tried again, in seconds since the epoch."""

    async def work(self) -> None:
        """Look again and again, until cancelled."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._show_forever, self.show_questions, QUESTIONS_EVERY_S)
            group.start_soon(self._show_forever, self.show_results, RESULTS_EVERY_S)

    async def _show_forever(self, look: Callable[[], Awaitable[None]], every_s: float) -> None:
        while True:
            try:
                await look()
            except JiritsuError as error:
                log.warning("what waits for people could not be shown: %s", error)
            await self.sleep(every_s)

    async def show_questions(self) -> None:
        """Post those that are new, redraw those that are answered. Raises `StoreError`."""
        pending = {approval.id: approval for approval in await self.approvals.listed(tenant=self.config.tenant)}
        for approval in pending.values():
            if approval.id not in self._shown and not is_quiet(approval.question.quiet, self.clock()):
                await self._attempt(approval.id, partial(self._ask, approval))
        for approval_id in [one for one in self._shown if one not in pending]:
            await self._attempt(approval_id, partial(self._redraw, approval_id))

    async def show_results(self) -> None:
        """Post the results of jobs that are due in a channel. Raises `StoreError`."""
        for job, channel in self.authorization.settings.reports.items():
            for record in await self.records.newest(tenant=self.config.tenant, job=job, limit=RESULTS_LOOKED_AT):
                if not is_quiet(record.request.quiet, self.clock()):
                    await self._attempt(record.run_id, partial(self._report, record, channel))

    async def _attempt(self, key: str, show: Callable[[], Awaitable[None]]) -> None:
        """Show one question or result. What Slack does not take is tried again after a while, and holds up no other."""
        now = self.clock()
        if self._retry_at.get(key, 0.0) > now:
            return
        try:
            await show()
        except (SlackRequestFailed, PostUnknown) as error:
            log.warning("%s could not be shown, and is tried again: %s", key, error)
            self._retry_at = {one: at for one, at in self._retry_at.items() if at > now} | {key: now + RETRY_S}

    async def press(self, value: str, user_id: str, team: str, *, granted: bool) -> str:
        """Answer a question by its button; gives what the person is told when that cannot be."""
        approval_id, _, sha256 = value.partition(":")
        language = await self.language_of(user_id)
        approval, problem = await self._theirs(approval_id, user_id, team, language)
        if approval is None:
            return problem
        try:
            await self.approvals.answer(
                approval_id, granted=granted, by=user_id, tenant=self.config.tenant, sha256=sha256 or NOTHING_SHOWN
            )
        except RunError as error:
            log.info("a press came to nothing: %s", error)
            return await self._too_late(approval_id, language)
        finally:
            self._shown.setdefault(approval_id, await self._known_post(approval))
        return ""

    async def form(self, value: str, user_id: str, team: str, *, at_home: bool) -> tuple[render.Block | None, str]:
        """The modal in which a question's arguments are edited; or nothing, and what the person is told."""
        approval_id, _, sha256 = value.partition(":")
        language = await self.language_of(user_id)
        approval, problem = await self._theirs(approval_id, user_id, team, language)
        if approval is None:
            return None, problem
        if approval.state != "pending" or approval.question.arguments_sha256 != sha256:
            return None, await self._too_late(approval_id, language)
        if not can_edit(approval.question):
            return None, render.word("cannot_edit", language)
        names: dict[str, str] = {}
        with anyio.move_on_after(NAMES_S):
            names = await self.cards.people.names_in(approval)
        return edit_view(approval, language, at_home=at_home, names=names), ""

    async def submit(self, editing: Editing, values: Mapping[str, Any], user_id: str, team: str) -> dict[str, str]:
        """Approve a question with its arguments as the modal has them; gives what is wrong, by the block that shows it."""
        language = await self.language_of(user_id)
        approval, problem = await self._theirs(editing.approval_id, user_id, team, language)
        if approval is None:
            return {block_of(0): await self.cards.people.named(problem)}  # there Slack shows ids as they are
        try:
            arguments = filled_in(approval.question, values)
            await self.approvals.answer(
                approval.id,
                granted=True,
                by=user_id,
                tenant=self.config.tenant,
                sha256=editing.sha256 or NOTHING_SHOWN,
                arguments=arguments,
            )
        except RunError as error:
            log.info("an edit came to nothing: %s", error)
            reason = reason_in(language, str(error))
            return {block_to_blame(approval.question, str(error)): reason}
        self._shown.setdefault(approval.id, await self._known_post(approval))
        return {}

    async def language_of(self, user_id: str) -> str:
        """The language in which a person reads what is for him alone."""
        return (await self.cards.people.reader(user_id)).language or self.config.language

    async def _theirs(self, approval_id: str, user_id: str, team: str, language: str) -> tuple[Approval | None, str]:
        """The question, if it is there and the person may answer it; else what the person is told."""
        approval = await self.approvals.get(approval_id, self.config.tenant)
        if approval is None:
            return None, render.word("too_late", language)
        asked_for_by = approval.question.asked_for_by
        if not self.authorization.may_approve(user_id, team, asked_for_by):
            deciders = self.authorization.deciders(asked_for_by)
            listed = ", ".join(f"<@{one}>" for one in deciders) or "`jiritsu approvals`"
            return None, render.word("not_yours", language, who=listed)
        return approval, ""

    async def _too_late(self, approval_id: str, language: str) -> str:
        """How a question stands that somebody answered, or that nobody can answer any more."""
        approval = await self.approvals.get(approval_id, self.config.tenant)
        if approval is None or approval.state == "pending":
            return render.word("too_late", language)
        return f"{render.word('too_late', language)} {render.outcome_of(approval, language)}"

    async def _ask(self, approval: Approval) -> None:
        place = await self._place(approval)
        if place is None:
            return
        blocks = await self.cards.card(approval, in_thread=bool(place.thread_ts))
        text = render.first_line(approval.question, approval.question.language)
        self._shown[approval.id] = await self.posts.post_once(f"approval/{approval.id}", place, text, blocks)

    async def _redraw(self, approval_id: str) -> None:
        """Take the buttons from a card whose question is answered, unless it cannot be changed any more."""
        post, approval = self._shown[approval_id], await self.approvals.get(approval_id, self.config.tenant)
        if approval is not None and approval.state == "pending":  # it was asked after the others were listed
            return
        if approval is not None and post.ts:
            names = await self.cards.people.names_in(approval)
            blocks = render.answered_blocks(approval, approval.question.language, names)
            try:
                await self.posts.replace(post, approval.question.tool, blocks)
            except SlackApiRefused as error:
                if error.error == UNREACHABLE:
                    raise
                log.info("the card of %s keeps its buttons: %s", approval_id, error)
        self._shown.pop(approval_id, None)

    async def _known_post(self, approval: Approval) -> SlackPost:
        key = f"approval/{approval.id}"
        return await self.posts.known(key) or SlackPost(key=key, channel="", state="unknown")

    async def _place(self, approval: Approval) -> PostLocation | None:
        """The thread the run was asked for in, else the operator's channel for questions."""
        entry = await self.inbox.get(approval.question.run_id)
        if entry is not None:
            message = entry.message
            return PostLocation(channel=message.channel, thread_ts=message.thread_ts, after_ts=message.ts)
        channel = self.authorization.settings.approvals_channel
        return PostLocation(channel=channel, after_ts=f"{approval.asked_at - 60:.6f}") if channel else None

    async def _report(self, record: RunRecord, channel: str) -> None:
        """Post a job's result. What a person asked for in Slack stands in its thread, and what he ran at a terminal there."""
        if record.run_id in self._reported or record.result is None:
            return
        if record.request.trigger in ("slack", "cli", "chat") or record.request.simulate:
            return
        if (record.ended_at or 0.0) < self.clock() - REPORTED_WITHIN_S:
            self._reported[record.run_id] = True
            return
        place = PostLocation(channel=channel, after_ts=f"{record.asked_at - 60:.6f}")
        language = record.request.task.language
        title = render.word("report", language, job=record.called)
        text = "\n".join([f"**{title}**", render_result(record.result, language), *_targets(record)])
        parts = render.split(render.escape(text))
        for number, part in enumerate(parts, 1):
            under = [render.feedback(record.run_id, language), *self._link(record)] if number == len(parts) else []
            await self.posts.post_once(f"report/{record.run_id}/{number}", place, title, [render.markdown(part), *under])
        self._reported[record.run_id] = True

    def _link(self, record: RunRecord) -> list[render.Block]:
        if not self.authorization.settings.console_url:
            return []
        address = f"{self.authorization.settings.console_url}/runs/{quote(record.run_id)}"
        return [render.leading_to(address, render.word("run_in_console", record.request.task.language))]


def _targets(record: RunRecord) -> list[str]:
    """Where what was written can be seen."""
    receipts = record.result.receipts if record.result else ()
    return [f"- {receipt.target}" for receipt in receipts if receipt.target]
