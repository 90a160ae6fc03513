"""Streams a run's progress and its answer into one Slack message.

A stream that Slack has closed or does not offer, or to which an answer was lost, becomes a message that is replaced as a whole,
since `chat.update` is idempotent.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

import anyio

from autonomy.chat.slack import blocks as render
from autonomy.chat.slack.blocks import Block, TaskCard
from autonomy.chat.slack.events.slack_event import SlackMessage
from autonomy.chat.slack.posts import PostLocation, Posts, PostUnknown, SlackPost, metadata
from autonomy.chat.slack.slack_api import AnswerLost, SlackApiRefused, SlackRequestFailed
from autonomy.errors import JiritsuError
from autonomy.llm.model import OnText
from metrics.events import CallStarted, ModelAnswered, ModelAsked, RunEvent

log = logging.getLogger(__name__)

FIRST_AFTER_S, EVERY_S = 0.4, 1.0
"""How long a quick answer may take before a stream is begun, and how often what is new goes out: Slack counts every call."""
KEEP_ALIVE_S = 45.0
"""After so long a silence the running tasks are sent again: Slack closes streams that are silent for some minutes."""


class LiveAnswer:
    """The message that answers one request."""

    def __init__(
        self, posts: Posts, message: SlackMessage, language: str, *, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        self._posts, self._message, self._language, self._sleep = posts, message, language, sleep
        self._place = PostLocation(channel=message.channel, thread_ts=message.thread_ts, after_ts=message.ts)
        self._key = f"{message.run_id}/answer"
        self._form: Literal["stream", "plain"] = "stream"
        self._post: SlackPost | None = None
        self._cards: dict[str, TaskCard] = {}
        self._changed: set[str] = set()
        self._text = ""
        self._earlier = 0
        """How much of the text is of earlier replies of the model."""
        self._begun = ""
        """The end of what was written, while it may still become a link or an image."""
        self._streamed = ""
        self._doubtful = False
        """Whether nobody knows what the stream holds."""
        self._finished = False
        self._one_at_a_time = anyio.Lock()

    # ---- what the run tells

    def heard(self, event: RunEvent) -> None:
        """Take in an event of the run."""
        if isinstance(event, ModelAsked):
            self._text, self._begun = self._text + render.escape(self._begun), ""
            self._earlier = len(self._text)
        card = render.task_of(event, self._language)
        if card is None:
            return
        earlier = self._cards.get(card.id)
        if earlier is None and isinstance(event, ModelAnswered):
            return  # at the first try, as nearly always
        if earlier is not None and earlier.status == "error":
            return  # why it was refused is told: its end adds nothing
        if earlier is not None and not isinstance(event, CallStarted):  # only the start of a call says its tool's title
            card = card.model_copy(update={"title": earlier.title})
        if card != earlier:
            self._cards[card.id] = card
            self._changed.add(card.id)

    def replies(self) -> None:
        """Begin a reply of the model; what an attempt at it wrote before it failed is dropped."""
        self._text, self._begun = self._text[: self._earlier], ""

    def wrote(self, piece: str) -> None:
        """Take in a piece of text; a reply after another one begins a paragraph."""
        is_first = self._earlier > 0 and len(self._text) == self._earlier and not self._begun
        self._begun += f"\n\n{piece}" if is_first and not self._text.endswith("\n") else piece
        finished_text = render.finished(self._begun)
        self._text, self._begun = self._text + render.escape(self._begun[:finished_text]), self._begun[finished_text:]

    # ---- what people see

    async def keep_showing(self) -> None:
        """Show progress at intervals until the answer is finished; `finish` repairs what Slack refuses on the way."""
        await self._sleep(FIRST_AFTER_S)
        async with self._one_at_a_time:  # what an earlier process showed goes on, rather than standing there unfinished
            try:
                await self._take_up()
            except (JiritsuError, PostUnknown) as error:
                log.info("nobody knows what was shown of %s before: %s", self._message.run_id, error)
        silent_s = 0.0
        while not self._finished:
            if self._changed or len(self._text) > len(self._streamed):
                silent_s = 0.0
                await self._show()
            elif silent_s >= KEEP_ALIVE_S:
                silent_s = 0.0
                self._changed = {card.id for card in self._cards.values() if card.status == "in_progress"}
            await self._sleep(EVERY_S)
            silent_s += EVERY_S

    async def finish(self, text: str, run_id: str) -> None:
        """Post the whole answer, exactly once. Raises `SlackApiRefused`, or `PostUnknown` when nobody can tell."""
        async with self._one_at_a_time:  # a request under way is waited for: its answer says which message is ours
            self._finished = True
            await self._take_up()
            parts = render.split(render.escape(text))
            last = [render.feedback(run_id, self._language)]
            await self._first_part(parts[0], last if len(parts) == 1 else [])
            for number, part in enumerate(parts[1:], 2):
                blocks = [render.markdown(part), *(last if number == len(parts) else [])]
                await self._posts.post_once(f"{self._key}/{number}", self._place, part[: render.NOTICE_LIMIT], blocks)

    def stop(self) -> None:
        """Mark the cards of calls under way as stopped, because the run was cancelled."""
        details = render.word("stopped_call", self._language)
        for card in [card for card in self._cards.values() if card.status not in ("complete", "error")]:
            self._cards[card.id] = card.model_copy(update={"status": "error", "details": details})

    def leave(self) -> None:
        """Show nothing more."""
        self._finished = True

    async def _take_up(self) -> None:
        """Find the message that an earlier process began: a stored one, or a stream whose start was never answered."""
        earlier = await self._posts.known(self._key) if self._post is None else None
        if earlier is not None and not earlier.ts and (ts := await self._posts.find_stray(self._key, self._place)):
            earlier = await self._posts.note(self._key, self._place, "live", ts)
        if earlier is not None and earlier.ts:
            self._post, self._form, self._doubtful = earlier, "stream", True

    async def _first_part(self, part: str, under: Sequence[Block]) -> None:
        blocks, short = [render.markdown(part or " "), *under], part[: render.NOTICE_LIMIT]
        if self._post is None:
            await self._posts.post_once(self._key, self._place, short, blocks)
        elif self._form == "stream" and not self._doubtful and part.startswith(self._streamed):
            if not await self._stop(self._post, part[len(self._streamed) :], under):
                await self._replace(self._post, short, blocks)
        else:
            await self._end_stream(self._post)
            await self._replace(self._post, short, blocks)

    async def _stop(self, post: SlackPost, rest: str, under: Sequence[Block]) -> bool:
        """End a stream with what it still lacks; False when nobody knows what it holds now."""
        chunks = [*self._chunks(set(self._cards)), *([{"type": "markdown_text", "text": rest}] if rest else [])]
        sent = {"chunks": chunks or None, "blocks": list(under) or None, "metadata": metadata(self._key)}
        try:
            await self._posts.api.write("chat.stopStream", channel=post.channel, ts=post.ts, **sent)
        except SlackRequestFailed:
            await self._end_stream(post)
            return False
        await self._posts.note(self._key, self._place, "sent", post.ts)
        return True

    async def _end_stream(self, post: SlackPost) -> None:
        """Close the stream with every card as it stands, so that the message can be replaced; a closed one says so."""
        if self._form != "stream":
            return
        try:
            await self._posts.api.repeat(
                "chat.stopStream", channel=post.channel, ts=post.ts, chunks=self._chunks(set(self._cards)) or None
            )
        except SlackRequestFailed as error:
            log.info("stream %s is taken for closed: %s", post.ts, error)
        self._form = "plain"

    async def _replace(self, post: SlackPost, short: str, blocks: Sequence[Block]) -> None:
        try:
            await self._posts.replace(post, short, blocks)
        except SlackApiRefused as error:
            log.info("message %s cannot be replaced (%s): posting anew", post.ts, error.error)
            await self._posts.post_once(f"{self._key}/anew", self._place, short, blocks)

    # ---- one step of showing

    async def _show(self) -> None:
        async with self._one_at_a_time:
            if self._finished:
                return
            changed, self._changed = self._changed, set()
            try:
                if self._post is None:
                    await self._begin(changed)
                elif self._form == "stream":
                    await self._append(self._post, changed)
                else:
                    await self._redraw(self._post)
            except (JiritsuError, PostUnknown) as error:
                self._changed |= changed
                log.info("progress of %s could not be shown: %s", self._message.run_id, error)

    async def _begin(self, changed: set[str]) -> None:
        """Begin the stream; where that is not to be had, a message that will be replaced."""
        chunks, text = self._news(changed)
        who = {"recipient_team_id": self._message.team or None, "recipient_user_id": self._message.user_id}
        where = {"channel": self._place.channel, "thread_ts": self._place.thread_ts, "task_display_mode": "timeline"}
        await self._posts.note(self._key, self._place, "sending")
        try:
            answer = await self._posts.api.write("chat.startStream", **where, **who, chunks=chunks)
        except AnswerLost:
            await self._take_up()
            raise
        except SlackApiRefused as error:
            log.info("no stream for %s (%s): updating a message instead", self._message.run_id, error.error)
            self._post, self._form = await self._posts.post_once(self._key, self._place, *self._drawn()), "plain"
            return
        self._post = await self._posts.note(self._key, self._place, "live", str(answer["ts"]))
        self._form, self._streamed = "stream", text

    async def _append(self, post: SlackPost, changed: set[str]) -> None:
        chunks, text = self._news(changed)
        if not chunks:
            return
        try:
            await self._posts.api.write("chat.appendStream", channel=post.channel, ts=post.ts, chunks=chunks)
        except AnswerLost:
            self._doubtful = True  # tasks are told again by their ids, the text is made good at the end
            raise
        except SlackApiRefused as error:
            self._form = self._form if error.error == "ratelimited" else "plain"
            raise
        self._streamed = text

    async def _redraw(self, post: SlackPost) -> None:
        short, blocks = self._drawn()
        self._streamed = self._text
        await self._posts.api.write("chat.update", channel=post.channel, ts=post.ts, text=short, blocks=blocks)

    def _news(self, changed: set[str]) -> tuple[list[dict[str, Any]], str]:
        """The chunks that are due, and the text up to which they bring the message."""
        room = max(0, render.MARKDOWN_LIMIT - len(self._streamed))
        # a stream takes nothing back: behind an attempt that failed, only what goes on from there, or the end replaces it
        goes_on = not self._doubtful and self._text.startswith(self._streamed)
        fresh = self._text[len(self._streamed) :][:room] if goes_on else ""
        return [*self._chunks(changed), *([{"type": "markdown_text", "text": fresh}] if fresh else [])], self._streamed + fresh

    def _chunks(self, ids: set[str]) -> list[dict[str, Any]]:
        return [card.chunk() for card in self._cards.values() if card.id in ids]

    def _drawn(self) -> tuple[str, list[Block]]:
        lines = render.progress_text(list(self._cards.values()), self._language)
        text = [render.markdown(render.split(self._text)[0])] if self._text else []
        return lines[: render.NOTICE_LIMIT], [render.plain(lines), *text]


class LiveAnswers:
    """The answers in progress: an `EventSink` that passes each run's events and text to its answer."""

    def __init__(self) -> None:
        self._on: dict[str, LiveAnswer] = {}

    def enter(self, run_id: str, answer: LiveAnswer) -> None:
        """Follow this run."""
        self._on[run_id] = answer

    def leave(self, run_id: str) -> None:
        """Stop following the run."""
        self._on.pop(run_id, None)

    async def write(self, events: Sequence[RunEvent]) -> None:
        """See `EventSink`."""
        for event in events:
            if (answer := self._on.get(event.run_id)) is not None:
                answer.heard(event)

    async def listener(self, run_id: str) -> OnText | None:
        """Who hears the run's next reply (`Services.listeners`)."""
        answer = self._on.get(run_id)
        if answer is None:
            return None
        answer.replies()

        async def hear(piece: str) -> None:
            answer.wrote(piece)

        return hear
