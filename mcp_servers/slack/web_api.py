"""The backend for Slack's Web API."""

from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.days import local_time, stamp
from mcp_servers.slack.web_client import SlackOutcomeUnknown, SlackRefused, WebClient
from mcp_servers.slack.workspace import Channel, Draft, Period, Posted, Profile, Query, Raw, Reacted, UserGroup

PAGE = 200
"""Items per request, the most that Slack recommends. It gives fewer to apps that it limits (docs.slack.dev, rate limits)."""
NAMES_FRESH_FOR = timedelta(minutes=5)
LOOK_BACK = timedelta(days=1)
"""How far back an earlier message of the same request is searched for."""
PERMALINK_S = 3.0
"""How long to wait for the address of a sent message, so that the receipt does not come too late for the caller."""
EVENT_TYPE = "jiritsu_request"


class WebApiWorkspace:
    """Implements `workspace.Workspace` with Slack's Web API. Names of people and channels are cached for five minutes."""

    has_groups = True

    def __init__(self, bot: WebClient, user: WebClient | None, zone: tzinfo, now: Callable[[], datetime]) -> None:
        self._bot, self._user, self._zone, self._now = bot, user, zone, now
        self._channels: tuple[datetime, list[Channel]] | None = None
        self._posting, self._listing = anyio.Lock(), anyio.Lock()
        self._users: tuple[datetime, list[Profile]] | None = None

    @property
    def can_search(self) -> bool:
        """Whether there is a user's token: Slack lets only user tokens search."""
        return self._user is not None

    async def channels(self) -> list[Channel]:
        """Return the public channels, and those private ones that the bot is in, if its scopes allow that."""
        async with self._listing:  # so that channels that are read at once ask once
            if self._channels is None or not self._fresh(self._channels[0]):
                try:
                    found = await self._list_channels("public_channel,private_channel")
                except SlackRefused as refused:
                    if refused.error != "missing_scope":
                        raise
                    found = await self._list_channels("public_channel")
                self._channels = (self._now(), found)
            return self._channels[1]

    async def users(self) -> list[Profile]:
        """Return every user."""
        async with self._listing:
            if self._users is None or not self._fresh(self._users[0]):
                self._users = (
                    self._now(),
                    [Profile.of(raw) async for raw in self._bot.pages("users.list", "members", limit=PAGE)],
                )
            return self._users[1]

    async def user_groups(self) -> list[UserGroup]:
        """Return every user group in use. They are not cached, because people come and go."""
        return [UserGroup.of(raw) async for raw in self._bot.pages("usergroups.list", "usergroups")]

    async def group_members(self, group_id: str) -> list[str]:
        """Return the IDs of the members of a user group."""
        members: list[str] = (await self._bot.read("usergroups.users.list", usergroup=group_id))["users"]
        return members

    async def threads(self, channel_id: str, period: Period) -> AsyncGenerator[Raw, None]:
        """Yield top-level messages, newest first."""
        bounds = {"oldest": _text(period.oldest), "latest": _text(period.latest), "inclusive": "true"}
        async for raw in self._bot.pages("conversations.history", "messages", channel=channel_id, limit=PAGE, **bounds):
            if raw["ts"] in period:
                yield raw

    async def replies(self, channel_id: str, thread_ts: str) -> list[Raw]:
        """Return a whole thread, oldest first."""
        pages = self._bot.pages("conversations.replies", "messages", channel=channel_id, ts=thread_ts, limit=PAGE)
        return list({raw["ts"]: raw async for raw in pages}.values())  # Slack repeats the first message on every page

    async def search(self, query: Query, limit: int, cursor: str | None) -> tuple[list[Raw], str | None]:
        """Search with Slack's own search, newest first. The period is checked again, because Slack searches whole days."""
        if self._user is None:
            raise ToolError(
                "Slack lets only user tokens search, and none is set (SLACK_USER_TOKEN). "
                "Read the channels with slack_get_channel_history instead, by day or user."
            )
        answer = await self._user.read(
            "search.messages", query=self._search_words(query), count=limit, page=cursor or "1", sort="timestamp", sort_dir="desc"
        )
        messages = answer["messages"]
        paging = messages.get("paging", {})
        found = []
        for match in messages.get("matches", []):
            if match["ts"] in query.period:
                thread_ts = parse_qs(urlsplit(match.get("permalink", "")).query).get("thread_ts")  # only named there
                found.append(match | {"channel": match["channel"]["id"]} | ({"thread_ts": thread_ts[0]} if thread_ts else {}))
        return found, str(paging["page"] + 1) if paging.get("page", 1) < paging.get("pages", 1) else None

    async def open_dm(self, user_id: str) -> str:
        """Open the bot's direct-message channel with a user. Opening it again changes nothing."""
        try:
            answer = await self._bot.write("conversations.open", users=user_id)
        except SlackOutcomeUnknown as unknown:
            raise ToolError(f"Slack did not answer ({unknown}), so nothing was sent. Try again.") from unknown
        channel_id: str = answer["channel"]["id"]
        return channel_id

    async def post(self, draft: Draft) -> Posted:
        """Send a message once for each key, which is in the metadata of the message. It is searched for before sending, and again
        if Slack's answer is lost."""
        async with self._posting:  # so that the same request sent twice finds what the first has posted
            sent = await self._sent(draft) if draft.key else None
            posted = Posted.of(draft.channel_id, sent, created=False) if sent else await self._post(draft)
        return posted.model_copy(update={"permalink": await self._permalink(posted)})

    async def _permalink(self, posted: Posted) -> str:
        """Return a message's web address; empty if Slack does not answer soon, because the message is sent anyway."""
        with suppress(ToolError), anyio.move_on_after(PERMALINK_S):
            answer = await self._bot.read("chat.getPermalink", channel=posted.channel_id, message_ts=posted.ts)
            return str(answer.get("permalink", ""))  # an unexpected answer must not lose the receipt
        return ""

    async def _post(self, draft: Draft) -> Posted:
        try:
            answer = await self._bot.write(
                "chat.postMessage",
                channel=draft.channel_id,
                text=draft.text,
                thread_ts=draft.thread_ts,
                metadata=draft.key and {"event_type": EVENT_TYPE, "event_payload": {"idempotency_key": draft.key}},
                link_names=False,
                parse="none",
                unfurl_links=False,
                unfurl_media=False,
            )
        except SlackOutcomeUnknown as unknown:
            return await self._after_lost_answer(draft, unknown)
        return Posted.of(answer["channel"], answer["message"] | {"ts": answer["ts"]}, created=True)

    async def react(self, channel_id: str, ts: str, name: str) -> Reacted:
        """Add a reaction, unless it is there already."""
        created = True
        try:
            await self._bot.write("reactions.add", channel=channel_id, timestamp=ts, name=name)
        except SlackOutcomeUnknown as unknown:
            raise ToolError(
                f"Slack did not answer ({unknown}). Call again with the same arguments: it is added once."
            ) from unknown
        except SlackRefused as refused:
            if refused.error != "already_reacted":
                raise
            created = False
        return Reacted(channel_id=channel_id, ts=ts, reaction=name, created=created)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._bot.aclose()
        if self._user is not None:
            await self._user.aclose()

    async def _list_channels(self, types: str) -> list[Channel]:
        pages = self._bot.pages("conversations.list", "channels", types=types, exclude_archived="true", limit=PAGE)
        return [Channel.of(raw) async for raw in pages]

    def _fresh(self, fetched_at: datetime) -> bool:
        return self._now() - fetched_at < NAMES_FRESH_FOR

    async def _sent(self, draft: Draft) -> Raw | None:
        """Return the message that the same request posted earlier, or None."""
        oldest = str(stamp(self._now() - LOOK_BACK))
        looked: dict[str, Any] = {"channel": draft.channel_id, "oldest": oldest, "include_all_metadata": "true", "limit": PAGE}
        if draft.thread_ts:
            pages = self._bot.pages("conversations.replies", "messages", ts=draft.thread_ts, **looked)
        else:
            pages = self._bot.pages("conversations.history", "messages", **looked)
        async for raw in pages:
            metadata = raw.get("metadata", {})
            if metadata.get("event_type") == EVENT_TYPE and metadata["event_payload"].get("idempotency_key") == draft.key:
                return raw
        return None

    async def _after_lost_answer(self, draft: Draft, unknown: SlackOutcomeUnknown) -> Posted:
        try:
            sent = await self._sent(draft) if draft.key else None
        except ToolError:
            sent = None
        if sent is None:
            raise ToolError(
                f"The outcome is unknown: Slack did not answer ({unknown}), so the message may or may not have been posted. "
                "Read it back with slack_get_channel_history before sending anything again."
            ) from unknown
        return Posted.of(draft.channel_id, sent, created=True)

    def _search_words(self, query: Query) -> str:
        words = [query.words]
        if query.user_id:
            words.append(f"from:<@{query.user_id}>")
        if query.channel_id:
            words.append(f"in:<#{query.channel_id}>")
        if query.period.oldest is not None:  # Slack's after: excludes the day itself
            words.append(f"after:{self._day(query.period.oldest - 24 * 3600)}")
        if query.period.latest is not None:
            words.append(f"before:{self._day(query.period.latest + 24 * 3600)}")
        return " ".join(words)

    def _day(self, moment: Decimal) -> str:
        return local_time(str(moment), self._zone)[:10]


def _text(bound: Decimal | None) -> str | None:
    return None if bound is None else str(bound)
