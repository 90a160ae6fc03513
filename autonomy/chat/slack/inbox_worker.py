"""Answers the requests in the inbox: those of a thread in order, threads concurrently.

What an earlier process left unanswered is taken up at the start.
"""

import html
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import TaskGroup

from autonomy.chat.chat_service import ChatService, IncomingMessage
from autonomy.chat.slack import blocks
from autonomy.chat.slack.authorization import Authorization, NotTakenOn
from autonomy.chat.slack.events.slack_event import SlackMessage
from autonomy.chat.slack.inbox import Inbox, InboxEntry
from autonomy.chat.slack.live_answer import LiveAnswer, LiveAnswers
from autonomy.chat.slack.people import People, SlackMember
from autonomy.chat.slack.posts import PostLocation, Posts, PostUnknown
from autonomy.chat.slack.slack_api import AnswerLost, SlackApiRefused, SlackRequestFailed
from autonomy.errors import StoreError
from autonomy.run_state.run_values import RunResult

log = logging.getLogger(__name__)

STOP_AGAIN_S = 0.2
"""How often a run that is just beginning is told again to stop."""

THREAD_S = 5.0
"""How long Slack may take to say what stands in a thread, and who said it, before the answer is begun without the rest."""
THREAD_LIMIT = 200
"""Messages of a thread that are read; a longer one is read from its beginning."""
THREAD_CHARS = 6_000
"""Of what others said in a thread, the newest first: beside it a request and its tools have to fit into a small model."""

NO_PLACE = ("not_in_channel", "channel_not_found", "is_archived", "thread_not_found", "restricted_action")
"""Refusals that speak of the place: the same words may be said elsewhere."""

AGAIN_S, LONGEST_AGAIN_S = 2.0, 30.0
"""How long after a failure of the database a request is taken up again, at first and at most."""

ACKNOWLEDGED_WITHIN_S = 1.0
"""How long work waits in a burst until everybody has seen that their request arrived."""


@dataclass
class InboxWorker:
    """Takes requests from the inbox, runs them, and shows their answers."""

    service: ChatService
    inbox: Inbox
    posts: Posts
    live_answers: LiveAnswers
    people: People
    authorization: Authorization
    on_refused: Callable[[SlackMessage, NotTakenOn], Awaitable[None]]
    """Tells whoever may not ask."""
    lanes: int = 8
    """Requests that are worked on at once."""
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _threads: dict[tuple[str, str], anyio.Lock] = field(default_factory=dict)
    _stops: dict[str, anyio.Event] = field(default_factory=dict)
    """Run id → set when somebody stops the request that is being worked on."""

    def __post_init__(self) -> None:
        self._unacknowledged, self._all_acknowledged = 0, anyio.Event()
        self._sender, self._receiver = anyio.create_memory_object_stream[SlackMessage](math.inf)

    def begin(self, message: SlackMessage) -> None:
        """Answer a message that is in the inbox."""
        self._unacknowledged += 1
        self._sender.send_nowait(message)

    async def work(self) -> None:
        """Answer whatever comes, until cancelled."""
        limiter = anyio.CapacityLimiter(self.lanes)
        async with anyio.create_task_group() as group, self._sender, self._receiver:
            for entry in await self.inbox.open():
                group.start_soon(self._in_order, entry.message, limiter, group)
            async for message in self._receiver:
                group.start_soon(self._acknowledge, message)
                group.start_soon(self._in_order, message, limiter, group)

    async def stop(self, channel: str, thread_ts: str, by: str) -> None:
        """Cancel the runs of a thread; requests that wait there are not begun."""
        for entry in await self.inbox.open_in(channel, thread_ts):
            await self._stop(entry.message.run_id, by)

    async def take_back(self, entry: InboxEntry) -> None:
        """Cancel the run of a message that its writer deleted."""
        await self._stop(entry.message.run_id, entry.message.user_id)

    async def _stop(self, run_id: str, by: str) -> None:
        await self.inbox.move(run_id, "stopped", f"stopped by {by}")
        if (stop := self._stops.get(run_id)) is not None:  # it may just be beginning, and not be known as a run yet
            stop.set()
        await self.service.runs.cancel(run_id, by=by)

    async def _acknowledge(self, message: SlackMessage) -> None:
        """Show at once that the message arrived: by a status where Slack has one, else by a reaction."""
        status = blocks.word("thinking", self.service.language_of(message.text))
        where = {"channel_id": message.channel, "thread_ts": message.thread_ts}
        try:
            await self.posts.api.repeat("assistant.threads.setStatus", **where, status=status)
        except SlackApiRefused as error:
            await self._react(message, "eyes", error)
        except AnswerLost as error:
            log.info("no status for %s: %s", message.run_id, error)
        finally:
            self._unacknowledged -= 1
            if not self._unacknowledged:
                acknowledged, self._all_acknowledged = self._all_acknowledged, anyio.Event()
                acknowledged.set()

    async def _in_order(self, message: SlackMessage, limiter: anyio.CapacityLimiter, group: TaskGroup) -> None:
        """Answer one request of a thread at a time, so that the second knows the first's answer."""
        # in a burst, all are acknowledged before the first is worked on
        with anyio.move_on_after(ACKNOWLEDGED_WITHIN_S):
            while self._unacknowledged:
                await self._all_acknowledged.wait()
        thread = (message.channel, message.thread_ts)
        lock = self._threads.setdefault(thread, anyio.Lock())
        async with lock, limiter:
            try:
                await self._answer_once_stored(message, group)
            except SlackApiRefused as error:  # the bot was taken out of the channel, or its token back: no fault of the program
                log.warning("%s could not be answered: %s", message.run_id, error)
                await self._tell_trouble(message, error)
            except Exception as error:
                log.exception("%s could not be answered", message.run_id)
                await self._tell_trouble(message, error)
        if not lock.statistics().locked and not lock.statistics().tasks_waiting:
            self._threads.pop(thread, None)

    async def _answer_once_stored(self, message: SlackMessage, group: TaskGroup) -> None:
        """Answer a request. A run that the database interrupts goes on when the database is back, and so does its answer."""
        wait_s = AGAIN_S
        while True:
            try:
                return await self._answer(message, group)
            except StoreError as error:
                log.warning("%s is answered when the database is back: %s", message.run_id, error)
                if wait_s == AGAIN_S:
                    await self._react(message, "warning", error)
            await self.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_AGAIN_S)

    async def _answer(self, message: SlackMessage, group: TaskGroup) -> None:
        entry = await self.inbox.get(message.run_id)
        if entry is None or entry.state in ("answered", "unknown", "refused"):
            return
        member = await self.people.member(message.user_id)
        # Slack may not have told in time, when the message came, that its writer is a guest
        if refused := self.authorization.refusal(message, is_guest=member.is_guest and not message.bot):
            await self.inbox.move(message.run_id, "refused", refused.why)
            await self.on_refused(message, refused)
            return
        incoming = _incoming(message, member, is_ours=self.authorization.is_of_own_team(message.team))
        incoming = incoming.model_copy(update={"answers_as": self.authorization.our_id})
        live = LiveAnswer(self.posts, message, self.service.language_of(message.text, incoming.language), sleep=self.sleep)
        self._stops[message.run_id] = anyio.Event()  # before it counts as begun: from then on only this can stop it
        try:
            begun = await self.inbox.begin(message.run_id)
            if begun:
                await self._set_session_status(message, "processing")
                await self._run(message, incoming, live, group)
        finally:
            del self._stops[message.run_id]
        if not begun:
            result = RunResult(run_id=message.run_id, ending="cancelled", reason=entry.note)
            await self._finish(live, incoming, result)
        await self.inbox.move(message.run_id, "answered")
        await self._set_session_status(message, "active")

    async def _run(self, message: SlackMessage, incoming: IncomingMessage, live: LiveAnswer, group: TaskGroup) -> None:
        if message.follows_up:
            incoming = incoming.model_copy(update={"said_before": await self._said_before(message)})
        self.live_answers.enter(message.run_id, live)
        try:
            group.start_soon(live.keep_showing)
            result = await self._result(incoming)
            await self._finish(live, incoming, result)
        finally:
            live.leave()
            self.live_answers.leave(message.run_id)

    async def _finish(self, live: LiveAnswer, incoming: IncomingMessage, result: RunResult) -> None:
        """Post the answer in its thread; where Slack refuses that, in a direct message to whoever asked."""
        answer = self.service.render(incoming, result)
        if result.ending == "cancelled":
            live.stop()
        try:
            await live.finish(answer, incoming.run_id)
        except (SlackApiRefused, PostUnknown) as failure:
            error = failure.__cause__ if isinstance(failure, PostUnknown) else failure
            if not isinstance(error, SlackApiRefused) or error.error not in NO_PLACE:
                raise
            opened = await self.posts.api.repeat("conversations.open", users=incoming.user_id)
            language = self.service.language_of(incoming.text, incoming.language)
            channel = await self.people.named(incoming.channel)
            head = blocks.word("answered_directly", language, channel=channel, error=error.error)
            place = PostLocation(channel=str(opened["channel"]["id"]), after_ts=incoming.run_id.rpartition("-")[2])
            for number, part in enumerate(blocks.split(blocks.escape(answer)), 1):
                under = [blocks.markdown(part)] if number > 1 else [blocks.plain(head), blocks.markdown(part)]
                await self.posts.post_once(f"{incoming.run_id}/direct/{number}", place, blocks.notice(answer), under)

    async def _said_before(self, message: SlackMessage) -> str:
        """The messages of the thread that were not requests to us, oldest first, as far as Slack sends them in time."""
        requests = await self.inbox.asked_in(message.channel, message.thread_ts)
        lines, room = list[str](), THREAD_CHARS
        with anyio.move_on_after(THREAD_S):
            for earlier in reversed(await self._thread(message)):
                is_own = earlier.get("bot_id") == self.posts.bot_id or earlier["ts"] in requests
                if is_own or float(earlier["ts"]) >= float(message.ts) or not earlier.get("text"):
                    continue
                user = earlier.get("user")
                who = (await self.people.member(user)).name if user else earlier.get("username") or "?"
                line = f"{who}: {await self.people.named(html.unescape(earlier['text']))}"
                room -= len(line)
                if room < 0:
                    break
                lines.append(line)
        return "\n".join(reversed(lines))

    async def _thread(self, message: SlackMessage) -> list[dict[str, Any]]:
        """The messages of a thread as Slack has them; none where it cannot be read."""
        where = {"channel": message.channel, "ts": message.thread_ts, "latest": message.ts, "limit": THREAD_LIMIT}
        try:
            found: list[dict[str, Any]] = (await self.posts.api.read("conversations.replies", **where)).get("messages", [])
        except SlackRequestFailed as error:
            log.info("the thread of %s was not read: %s", message.run_id, error)
            return []
        return found

    async def _result(self, incoming: IncomingMessage) -> RunResult:
        """Run the request. If it was stopped, a failure on the way is a cancelled result."""
        stop, stopping = self._stops[incoming.run_id], anyio.CancelScope()

        async def keep_stopping() -> None:
            with stopping:
                await stop.wait()
                while True:
                    await self.service.runs.cancel(incoming.run_id, by=incoming.user_id)
                    await self.sleep(STOP_AGAIN_S)

        result, failure = RunResult(run_id=incoming.run_id, ending="cancelled", reason="stopped"), None
        async with anyio.create_task_group() as group:
            group.start_soon(keep_stopping)
            try:
                result = await self.service.answer(incoming)
            except Exception as error:  # noqa: BLE001 - raised again below, outside of the task group that would wrap it
                failure = error
            stopping.cancel()
        if failure is not None and not stop.is_set():
            raise failure
        if failure is not None:
            log.info("%s was stopped: %s", incoming.run_id, failure)
        return result

    async def _set_session_status(self, message: SlackMessage, status: str) -> None:
        """Set the status of Slack's agent session: while it is `processing` Slack shows a Stop button."""
        where = {"channel_id": message.channel, "thread_ts": message.thread_ts, "initiator_user_id": message.user_id}
        try:
            await self.posts.api.repeat("agents.sessions.setStatus", **where, status=status)
        except SlackRequestFailed as error:
            log.info("the session of %s keeps its status: %s", message.run_id, error)

    async def _tell_trouble(self, message: SlackMessage, error: Exception) -> None:
        """Mark a request whose answer may not have been posted, for its author in Slack and for the operator in the inbox."""
        try:
            await self.inbox.move(message.run_id, "unknown", str(error))
        except StoreError as away:  # it stays as it was, and is taken up when the process starts again
            log.warning("%s could not be marked: %s", message.run_id, away)
        await self._react(message, "warning", error)

    async def _react(self, message: SlackMessage, emoji: str, why: Exception) -> None:
        try:
            await self.posts.api.repeat("reactions.add", channel=message.channel, timestamp=message.ts, name=emoji)
        except SlackRequestFailed as error:
            log.info("no reaction on %s (%s): %s", message.run_id, why, error)


def _incoming(message: SlackMessage, member: SlackMember, *, is_ours: bool) -> IncomingMessage:
    """The message with what Slack knows of its author. `is_ours`: whether the author is of our own workspace.

    Handles are unique only within a workspace, so jobs know somebody of another one by the id.
    """
    return IncomingMessage(
        thread=f"{message.channel}/{message.thread_ts}",
        user_id=message.user_id,
        user_name=member.name if is_ours else message.user_id,
        text=message.text,
        run_id=message.run_id,
        language=member.language,
        timezone=member.timezone,
        trigger="slack",
        channel=message.channel,
        files=message.files,
    )
