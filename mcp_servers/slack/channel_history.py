"""Reads channels: pages of readable messages from Slack's raw messages."""

from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import tzinfo
from decimal import Decimal, InvalidOperation
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.days import local_time
from mcp_servers.slack.text import readable
from mcp_servers.slack.workspace import (
    Channel,
    Message,
    MessagePage,
    Period,
    Posted,
    Profile,
    Raw,
    Reaction,
    Workspace,
    sender_id,
    sender_name,
)

THREAD_LOOKBACK_S = Decimal(7 * 24 * 3600)
"""Seconds. A thread that began at most this long before a period is searched for replies within the period."""

MAX_SCANNED = 1000
"""How many top-level messages are read for one page, when few of them match."""

Item = TypeVar("Item", Channel, Profile)


@dataclass(frozen=True)
class Ask:
    """Which messages of a channel are wanted. Only the rest of a thread may exceed `limit`."""

    period: Period
    user_id: str | None
    include_replies: bool
    limit: int
    cursor: str | None


class Directory:
    """Finds people and channels of the workspace by name, and their names by ID."""

    def __init__(self, channels: Sequence[Channel], users: Sequence[Profile], zone: tzinfo) -> None:
        self._channels, self._users, self.zone = channels, users, zone
        self._channel_names = {channel.id: channel.name for channel in channels}
        self._people = {user.id: user.display_name or user.real_name or user.name for user in users}

    def channel_id(self, given_name: str) -> str:
        """Return the ID of a channel, given its name or ID. The ID of a direct message need not be known."""
        name = given_name.removeprefix("#")
        for channel in self._channels:
            if given_name == channel.id or name == channel.name:
                return channel.id
        if given_name[:1] in "DGC" and given_name.isalnum() and given_name.isupper():
            return given_name
        known = ", ".join(f"#{channel.name} = {channel.id}" for channel in self._channels[:20])
        raise ToolError(f"There is no channel {given_name!r} here. Known channels: {known or 'none'}. See slack_list_channels.")

    def user_id(self, given_name: str) -> str:
        """Return the ID of a user, given the ID, handle, real name or display name. Raises ToolError unless exactly one fits."""
        name = _key(given_name.removeprefix("@"))
        ids = [user.id for user in self._users if given_name == user.id] or [
            user.id for user in self._users if name in {_key(user.name), _key(user.real_name), _key(user.display_name)}
        ]
        if len(ids) == 1:
            return ids[0]
        if ids:
            raise ToolError(f"{given_name!r} fits several users: {', '.join(ids)}. Pass one of these IDs.")
        raise ToolError(f"There is no user {given_name!r} here. Find the ID with slack_get_users.")

    def in_zone_of(self, user_id: str) -> "Directory":
        """Return a directory with times in a user's own zone, or this one if the user's zone is unknown."""
        name = next((user.timezone for user in self._users if user.id == user_id), "")
        try:
            return Directory(self._channels, self._users, ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError):
            return self

    def place(self, channel_id: str) -> str:
        """Return a channel as people write it, such as #general, or its ID if it is unknown."""
        return f"#{name}" if (name := self._channel_names.get(channel_id)) else channel_id

    def person(self, user_id: str) -> str:
        """Return the display name of a user, or the ID if it is unknown."""
        return self._people.get(user_id) or user_id

    def receipt(self, posted: Posted, sent_to: str) -> Posted:
        """Return a receipt as people read it, with the sender's name as the history gives it."""
        name = self._people.get(posted.user_id) or posted.user_name or posted.user_id
        return posted.model_copy(update={"text": readable(posted.text, {}, {}), "user_name": name, "sent_to": sent_to})

    def message(self, raw: Raw, channel_id: str) -> Message:
        """Convert a raw message to a readable one."""
        user_id = sender_id(raw)
        thread_ts = raw.get("thread_ts")
        return Message(
            ts=raw["ts"],
            thread_ts=thread_ts,
            channel_id=channel_id,
            channel_name=self._channel_names.get(channel_id, channel_id),
            time=local_time(raw["ts"], self.zone),
            user_id=user_id,
            user_name=self._people.get(user_id) or sender_name(raw) or user_id,
            is_bot="bot_id" in raw or raw.get("subtype") == "bot_message",
            text=readable(raw.get("text") or "", self._people, self._channel_names),
            reply_count=raw.get("reply_count", 0),
            reactions=[
                Reaction(name=one["name"], count=one.get("count", 0), user_ids=one.get("users", []))
                for one in raw.get("reactions", [])
            ],
        )


async def read_channel(workspace: Workspace, directory: Directory, channel_id: str, ask: Ask) -> MessagePage:
    """Return one page, newest first. It consists of top-level messages with their replies, so that no thread is split."""
    found: dict[str, Raw] = {}  # by timestamp, because a reply that was also sent to the channel is read twice
    scanned: list[str] = []
    next_cursor: str | None = None
    async with aclosing(workspace.threads(channel_id, _scanned(ask))) as threads:
        async for raw in threads:
            if len(found) >= ask.limit or len(scanned) >= MAX_SCANNED:
                next_cursor = f"before:{scanned[-1]}"
                break
            scanned.append(raw["ts"])
            found |= {
                one["ts"]: one
                for one in await _conversation(workspace, channel_id, raw, ask)
                if one["ts"] in ask.period and ask.user_id in (None, one.get("user"))
            }
    newest_first = sorted(found.values(), key=lambda one: Decimal(one["ts"]), reverse=True)
    return MessagePage(messages=[directory.message(raw, channel_id) for raw in newest_first], next_cursor=next_cursor)


async def _conversation(workspace: Workspace, channel_id: str, raw: Raw, ask: Ask) -> list[Raw]:
    """Return a top-level message, with its replies if any of them may be wanted, because each thread costs a request."""
    if not ask.include_replies or not raw.get("reply_count"):
        return [raw]
    if ask.period.oldest is not None and Decimal(str(raw.get("latest_reply", raw["ts"]))) < ask.period.oldest:
        return [raw]
    repliers = raw.get("reply_users", [])
    if ask.user_id and ask.user_id not in repliers and len(repliers) == raw.get("reply_users_count"):  # Slack names only some
        return [raw]
    return await workspace.replies(channel_id, raw["ts"])


def _scanned(ask: Ask) -> Period:
    """Return the period of top-level messages to read: up to the cursor, and from some days earlier if replies are wanted."""
    latest = _before(ask.cursor) if ask.cursor else ask.period.latest
    oldest = ask.period.oldest
    if ask.include_replies and oldest is not None:
        oldest -= THREAD_LOOKBACK_S
    return replace(ask.period, oldest=oldest, latest=latest)


def _before(cursor: str) -> Decimal:
    with suppress(InvalidOperation):
        if (moment := Decimal(cursor.removeprefix("before:"))).is_finite():
            return moment
    raise ToolError(f"{cursor!r} is no cursor of this tool. Pass next_cursor of the page before, or leave it out.")


def page_of(items: Sequence[Item], limit: int, cursor: str | None) -> tuple[list[Item], str | None]:
    """Return at most `limit` items after the one that the cursor names, and the cursor of the next page."""
    start = 0
    if cursor:
        ids = [item.id for item in items]
        if cursor not in ids:
            raise ToolError(f"{cursor!r} is no cursor of this list any more. Leave cursor out to begin again.")
        start = ids.index(cursor) + 1
    page = list(items[start : start + limit])
    return page, page[-1].id if start + limit < len(items) else None


def _key(name: str) -> str:
    return "".join(name.split()).casefold()
