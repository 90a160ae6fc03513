"""Posts each message to Slack exactly once.

Each message has a key, which is stored before it is sent and travels in the message's metadata. When Slack's answer was lost, the
thread is searched for the key, and the message is sent again only if it is not there.
"""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Literal

import anyio
import sqlalchemy as sa

from autonomy.chat.chat_tables import posts
from autonomy.chat.slack.blocks import Block
from autonomy.chat.slack.slack_api import AnswerLost, SlackApi, SlackRequestFailed
from autonomy.durable.store import Store, insert_unless_there, put_row
from discovery.catalog import Frozen

log = logging.getLogger(__name__)

EVENT_TYPE = "jiritsu_post"
LOOKS_S = (0.0, 1.0, 3.0)
"""When a thread is looked through after a lost answer: a message may take a moment to show."""

TRIES = 4
"""How often a message is sent that each time was surely not posted."""

State = Literal["sending", "live", "sent", "unknown"]


class PostLocation(Frozen):
    """A place in Slack for a message."""

    channel: str
    thread_ts: str = ""
    """The thread; empty for the channel itself."""
    after_ts: str = "0"
    """Nothing of ours can be older than this."""


class SlackPost(Frozen):
    """One message of ours, as far as we know it."""

    key: str
    channel: str
    thread_ts: str = ""
    ts: str = ""
    """Empty until Slack has told it."""
    state: State


class PostUnknown(Exception):
    """It is unknown whether a message was posted in Slack. Its row says so; whoever sent it tells people."""


class Posts:
    """Sends messages under keys."""

    def __init__(
        self,
        api: SlackApi,
        store: Store,
        *,
        bot_id: str,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.api, self._store, self.bot_id, self._clock, self._sleep = api, store, bot_id, clock, sleep

    async def post_once(self, key: str, place: PostLocation, text: str, blocks: Sequence[Block]) -> SlackPost:
        """The message of that key, posted unless it was before. Raises `SlackApiRefused`, `PostUnknown`."""
        if not await self._begin(key, place):
            earlier = await self.known(key)
            if earlier is not None and earlier.state == "sent":
                return earlier
            if found := await self.find(key, place):
                return await self.note(key, place, "sent", found)
            await self.note(key, place, "sending")
        body = self.body(key, place, text, blocks)
        for _ in range(TRIES):
            try:
                answer = await self.api.write("chat.postMessage", **body)
                return await self.note(key, place, "sent", str(answer["ts"]))
            except AnswerLost:
                if found := await self.find(key, place):
                    return await self.note(key, place, "sent", found)
        await self.note(key, place, "unknown")
        raise PostUnknown(key)

    async def replace(self, post: SlackPost, text: str, blocks: Sequence[Block]) -> SlackPost:
        """Replace the content of a message; idempotent. Raises `SlackApiRefused`, `PostUnknown`."""
        place = PostLocation(channel=post.channel, thread_ts=post.thread_ts)
        try:
            await self.api.repeat("chat.update", channel=post.channel, ts=post.ts, text=text, blocks=list(blocks))
        except AnswerLost as error:
            await self.note(post.key, place, "unknown", post.ts)
            raise PostUnknown(post.key) from error
        return await self.note(post.key, place, "sent", post.ts)

    def body(self, key: str, place: PostLocation, text: str, blocks: Sequence[Block]) -> dict[str, Any]:
        """The body for `chat.postMessage`: nothing in it can mention, link names or trigger a page preview."""
        return {
            "channel": place.channel,
            "thread_ts": place.thread_ts or None,
            "text": text,
            "blocks": list(blocks),
            "metadata": metadata(key),
            "link_names": False,
            "parse": "none",
            "unfurl_links": False,
            "unfurl_media": False,
        }

    async def find(self, key: str, place: PostLocation) -> str:
        """The ts of the message with that key, "" when it is not there. Raises `PostUnknown` when Slack does not show the
        thread."""
        async for message in self._ours(key, place):
            if (message.get("metadata") or {}).get("event_payload", {}).get("key") == key:
                return str(message["ts"])
        return ""

    async def find_stray(self, key: str, place: PostLocation) -> str:
        """The ts of a stream of ours whose start was never answered; empty when there is none."""
        async for message in self._ours(key, place):
            if not message.get("metadata") and not await self._is_known(place.channel, str(message["ts"])):
                return str(message["ts"])
        return ""

    async def known(self, key: str) -> SlackPost | None:
        """The stored record of a message."""
        columns = [posts.c[name] for name in SlackPost.model_fields]
        query = sa.select(*columns).where(posts.c.key == key)
        row = await self._store(lambda connection: connection.execute(query).mappings().one_or_none())
        return SlackPost.model_validate(dict(row)) if row else None

    async def note(self, key: str, place: PostLocation, state: State, ts: str = "") -> SlackPost:
        """Store the state of a message."""
        post = SlackPost(key=key, channel=place.channel, thread_ts=place.thread_ts, ts=ts, state=state)
        row = self._row(post)
        await self._store(lambda connection: put_row(connection, posts, row))
        return post

    async def _begin(self, key: str, place: PostLocation) -> bool:
        """Store that a message is being sent; false where one of that key was begun before, by any process."""
        post = SlackPost(key=key, channel=place.channel, thread_ts=place.thread_ts, state="sending")
        row = self._row(post)
        return await self._store(lambda connection: insert_unless_there(connection, posts, row))

    def _row(self, post: SlackPost) -> dict[str, Any]:
        return {**post.model_dump(), "at": self._clock()}

    async def _ours(self, key: str, place: PostLocation) -> AsyncIterator[dict[str, Any]]:
        """Our messages in a place, from its time on, at each look."""
        for wait_s in LOOKS_S:
            await self._sleep(wait_s)
            for message in await self._messages(key, place):
                if message.get("bot_id") == self.bot_id:
                    yield message

    async def _messages(self, key: str, place: PostLocation) -> list[dict[str, Any]]:
        oldest = {"oldest": place.after_ts, "include_all_metadata": True, "limit": 200}
        try:
            if place.thread_ts:
                page = await self.api.read("conversations.replies", channel=place.channel, ts=place.thread_ts, **oldest)
            else:
                page = await self.api.read("conversations.history", channel=place.channel, **oldest)
        except SlackRequestFailed as error:
            log.warning("nobody can look whether %s was posted: %s", key, error)
            await self.note(key, place, "unknown")
            raise PostUnknown(key) from error
        return list(page.get("messages", []))

    async def _is_known(self, channel: str, ts: str) -> bool:
        query = sa.select(posts.c.key).where(posts.c.channel == channel, posts.c.ts == ts).limit(1)
        return await self._store(lambda connection: connection.scalar(query)) is not None


def metadata(key: str) -> dict[str, Any]:
    """The metadata by which one of our messages is found again."""
    return {"event_type": EVENT_TYPE, "event_payload": {"key": key}}
