"""The Home tab and `/jiritsu`: what waits for a person, the jobs with switches, and the person's last runs."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

import anyio.to_thread

from autonomy.chat.chat_service import ChatConfig
from autonomy.chat.slack import blocks as render
from autonomy.chat.slack.approval_cards import ApprovalCards
from autonomy.chat.slack.authorization import Authorization
from autonomy.chat.slack.blocks import Block
from autonomy.chat.slack.slack_api import SlackApi
from autonomy.durable.approval_store import Approval, Approvals
from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.durable.scheduling.schedules import Schedules, ScheduleState
from autonomy.jobs.job import Job, RunDefaults
from autonomy.jobs.job_loading import read_all
from autonomy.jobs.job_runner import is_off, plan_of
from discovery.catalog import Frozen
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_words import ending_in
from metrics.text.word_files import Words, read_words, word_in

SWITCH = "jiritsu_switch"
MOST_JOBS, MOST_RUNS = 20, 5
REASON_CHARS = 200
"""Of why a run did not get there, in a line of the Home tab."""
MOST_CARD_BLOCKS = 60
"""Of all questions together; a view holds 100 blocks (docs.slack.dev/reference/views)."""

_WORDS: Words = read_words("autonomy.chat.slack", "home")


class JobLine(Frozen):
    """A job as the tab shows it."""

    name: str
    title: str
    says: str
    """When it runs next, or why it does not."""
    on: bool


@dataclass(frozen=True)
class HomeTab:
    """The Home tab of one person."""

    api: SlackApi
    approvals: Approvals
    records: RunRecords
    schedules: Schedules
    authorization: Authorization
    config: ChatConfig
    cards: ApprovalCards
    clock: Callable[[], float] = time.time
    timezone: str = ""
    """Of the person who reads; where it is not known, times are those of each job and run."""
    is_guest: bool = False

    async def read_by(self, user_id: str) -> "HomeTab":
        """The same in a person's own language and time zone, as far as Slack knows them."""
        member = await self.cards.people.reader(user_id)
        config = self.config.model_copy(update={"language": member.language or self.config.language})
        cards = replace(self.cards, language=config.language)
        return replace(self, config=config, timezone=member.timezone, is_guest=member.is_guest, cards=cards)

    async def publish(self, user_id: str, team: str) -> None:
        """Show a person's tab as things stand now. Raises `SlackApiRefused`, `AnswerLost`."""
        await self.api.repeat(
            "views.publish", user_id=user_id, view={"type": "home", "blocks": await self._blocks(user_id, team)}
        )

    async def switch(self, name: str, user_id: str, team: str, *, on: bool) -> str:
        """Let a job run by its schedule, or no more; what the person is told."""
        if not self.authorization.may_switch(user_id, team):
            return self._word("may_not" if self.authorization.settings.approvers else "nobody_may")
        if name not in {job.name for job in await self._jobs()}:
            return self._word("no_job", job=render.escape(name[:80]))
        if on:
            await self.schedules.resume(name)
        else:
            await self.schedules.pause(name, f"by {user_id} in Slack")
        return self._word("switched_on" if on else "switched_off", job=name)

    async def command(self, text: str, user_id: str, team: str) -> str:
        """The answer to `/jiritsu TEXT`, which only that person sees."""
        if not self.authorization.may_ask(user_id, team, is_guest=self.is_guest):
            return self._word("not_yours")
        words = text.split()
        match words:
            case ["jobs"]:
                lines = [f"• *{render.escape(one.title)}* ({one.name}) {render.escape(one.says)}" for one in await self._lines()]
                return "\n".join(lines) or self._word("no_jobs")
            case ["runs"]:
                return "\n".join([f"• {await self._run_line(one)}" for one in await self._runs(user_id)]) or self._word("no_runs")
            case ["waiting"]:
                found = await self._waiting(user_id, team)
                lines = [f"• {await self._question_line(one)}" for one in found]
                return "\n".join([*lines, self._word("answer_where")]) if lines else self._word("nothing_waits")
            case ["pause" | "resume" as order, name]:
                return await self.switch(name, user_id, team, on=order == "resume")
            case [] | ["help"]:
                return self._word("help")
            case _:
                return "\n".join([self._word("no_command", command=render.escape(text[:80])), self._word("help")])

    async def _blocks(self, user_id: str, team: str) -> list[Block]:
        if not self.authorization.may_ask(user_id, team, is_guest=self.is_guest):
            return [render.plain(self._word("not_yours"))]
        waiting = [block async for block in self._cards(await self._waiting(user_id, team))]
        may_switch = self.authorization.may_switch(user_id, team)
        lines = await self._lines()
        jobs = [self._job_block(line, may_switch=may_switch) for line in lines[:MOST_JOBS]]
        if len(lines) > MOST_JOBS:
            jobs.append(render.plain(self._word("more_jobs", n=len(lines) - MOST_JOBS)))
        if not self.authorization.settings.approvers:
            jobs.append(render.plain(self._word("nobody_may")))
        runs = [_marked(await self._run_line(record)) for record in await self._runs(user_id)]
        return [
            _header(self._word("waiting")),
            *(waiting or [render.plain(self._word("nothing_waits"))]),
            {"type": "divider"},
            _header(self._word("jobs")),
            *(jobs or [render.plain(self._word("no_jobs"))]),
            {"type": "divider"},
            _header(self._word("runs")),
            *(runs or [render.plain(self._word("no_runs"))]),
        ]

    async def _cards(self, questions: Sequence[Approval]) -> AsyncIterator[Block]:
        """The questions as their cards, whole: what a person cannot see here is not answered here."""
        room = MOST_CARD_BLOCKS
        for number, approval in enumerate(questions):
            card = await self.cards.card(approval)
            if len(card) > room:
                yield render.plain(self._word("more", n=len(questions) - number))
                return
            room -= len(card)
            for block in card:
                yield block

    async def _waiting(self, user_id: str, team: str) -> list[Approval]:
        pending = await self.approvals.listed(tenant=self.config.tenant)
        return [one for one in pending if self.authorization.may_approve(user_id, team, one.question.asked_for_by)]

    async def _runs(self, user_id: str) -> list[RunRecord]:
        return await self.records.newest(tenant=self.config.tenant, actor=user_id, limit=MOST_RUNS)

    async def _jobs(self) -> list[Job]:
        found, _ = await anyio.to_thread.run_sync(read_all, self.config.job_folders)
        return [job for job in found if job.schedule is not None]

    async def _lines(self) -> list[JobLine]:
        standings = await self.schedules.standings()
        waiting = {tick.job for tick in await self.schedules.to_start()}
        lines = [self._line(job, standings.get(job.name), waits=job.name in waiting) for job in await self._jobs()]
        return [line.model_copy(update={"says": await self.cards.people.named(line.says)}) for line in lines]

    def _line(self, job: Job, standing: ScheduleState | None, *, waits: bool) -> JobLine:
        """`waits`: a tick of it was due, and has not begun."""
        title = job.title or job.name
        if is_off(job, standing):
            return JobLine(name=job.name, title=title, says=self._word("off"), on=False)
        if standing is not None and standing.paused:
            why = reason_in(self.config.language, standing.paused_because)
            return JobLine(name=job.name, title=title, says=self._word("paused", why=why), on=False)
        quiet = job.quiet(self.config.quiet_hours) if waits else None
        plan = plan_of(job, self.config.timezone or RunDefaults().timezone)
        if quiet is not None and (ends := quiet.ends(self.clock(), self.timezone or plan.timezone)):
            return JobLine(name=job.name, title=title, says=self._word("held", until=ends), on=True)
        ticks = plan.next(self.clock(), 1)
        says = self._word("next", at=_moment(ticks[0], self.timezone or plan.timezone)) if ticks else ""
        return JobLine(name=job.name, title=title, says=says or self._word("never"), on=True)

    def _job_block(self, line: JobLine, *, may_switch: bool) -> Block:
        text = render.plain(f"{line.title} ({line.name})\n{line.says}")
        if not may_switch:
            return text
        label = self._word("turn_off" if line.on else "turn_on")
        value = f"{'off' if line.on else 'on'}:{line.name}"
        button = {"type": "button", "action_id": SWITCH, "text": {"type": "plain_text", "text": label}, "value": value}
        return {**text, "block_id": f"job-{line.name}"[:255], "accessory": button}

    async def _run_line(self, record: RunRecord) -> str:
        """One line of Slack's own Markdown; a link where there is a console."""
        named = await self.cards.people.named(record.called)
        what = render.escape(named.replace("\n", " ")[:80])
        at = _moment(record.asked_at, self.timezone or record.request.timezone)
        if self.authorization.settings.console_url:
            what = f"<{self.authorization.settings.console_url}/runs/{quote(record.run_id)}|{what.replace('|', '/')}>"
        stands = ending_in(record.state, "ja" if self.config.language == "ja" else "en", record.remarked)
        if record.result is None or record.result.ending in ("completed", "simulated") or not record.result.reason:
            return f"{at}  {what}  {stands}"
        why = " ".join(reason_in(self.config.language, record.result.reason).split())
        return f"{at}  {what}  {stands}: {render.escape(why[:REASON_CHARS])}"

    async def _question_line(self, approval: Approval) -> str:
        return render.escape(f"{approval.question.tool} ({await self.cards.asked(approval)})")

    def _word(self, name: str, **values: object) -> str:
        return word_in(_WORDS, name, self.config.language).format(**values)


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _marked(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def _moment(at: float, timezone: str) -> str:
    """A day and time in a time zone; in this machine's where none is named."""
    return f"{datetime.fromtimestamp(at, ZoneInfo(timezone) if timezone else None):%m-%d %H:%M}"
