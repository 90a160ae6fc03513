"""The backend for an unpacked Slack export.

An export contains `users.json`, `channels.json` and `<channel>/YYYY-MM-DD.json` (slack.com/help/articles/220556107).
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cached_property
from pathlib import Path

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.days import MICROSECOND, stamp, time_zone
from mcp_servers.slack.export_outbox import Entry, ExportOutbox
from mcp_servers.slack.message_timeline import SENDER, MessageTimeline
from mcp_servers.slack.workspace import Channel, Draft, Period, Posted, Profile, Query, Raw, Reacted, UserGroup

GROUPS = "usergroups.json"
"""The user groups of the workspace. Slack's exports do not contain this file, but it can be added."""


class ExportWorkspace:
    """Implements `workspace.Workspace` with an export directory and an outbox.

    `last_day`: the day to which the last day of the export is moved, and all others with it. Times of day are moved from the zone
    of most people in the export into `zone`. The files are not changed. Raises ValueError if the directory is not an export.
    """

    can_search = True

    def __init__(
        self, directory: Path, outbox: Path, zone: tzinfo, now: Callable[[], datetime], last_day: Callable[[], date] | None = None
    ) -> None:
        if not (directory / "channels.json").is_file():
            raise ValueError(f"SLACK_EXPORT_DIR: {directory} holds no channels.json, so it is not an unpacked Slack export")
        self._directory, self._outbox = directory, ExportOutbox(outbox)
        self._zone, self._now, self._last_day = zone, now, last_day
        self._read: dict[str, list[Raw]] = {}
        self._built: dict[str, tuple[object, MessageTimeline]] = {}

    async def channels(self) -> list[Channel]:
        """Return every channel of `channels.json`."""
        return await anyio.to_thread.run_sync(lambda: [Channel.of(raw) for raw in self._channel_list])

    async def users(self) -> list[Profile]:
        """Return every user of `users.json`."""
        return await anyio.to_thread.run_sync(lambda: [Profile.of(self._moved(raw)) for raw in self._user_list])

    @property
    def has_groups(self) -> bool:
        """Whether there is a `usergroups.json`, with the `usergroups` of Slack's `usergroups.list` with `include_users`."""
        return (self._directory / GROUPS).is_file()

    async def user_groups(self) -> list[UserGroup]:
        """Return every user group of `usergroups.json` that is not deleted."""
        return [UserGroup.of(raw) for raw in await anyio.to_thread.run_sync(self._groups)]

    async def group_members(self, group_id: str) -> list[str]:
        """Return the IDs of the members of a user group."""
        groups = await anyio.to_thread.run_sync(self._groups)
        return next((list(raw.get("users", [])) for raw in groups if raw["id"] == group_id), [])

    async def threads(self, channel_id: str, period: Period) -> AsyncGenerator[Raw, None]:
        """Yield top-level messages, newest first, each with the count and last timestamp of its replies."""
        for raw in (await anyio.to_thread.run_sync(self._timeline, channel_id)).top_level():
            if raw["ts"] in period:
                yield raw

    async def replies(self, channel_id: str, thread_ts: str) -> list[Raw]:
        """Return a whole thread, oldest first. Raises ToolError if there is none."""
        thread = (await anyio.to_thread.run_sync(self._timeline, channel_id)).thread(thread_ts)
        if not thread:
            raise ToolError(f"There is no message {thread_ts} in {channel_id}. Take thread_ts from slack_get_channel_history.")
        return thread

    async def search(self, query: Query, limit: int, cursor: str | None) -> tuple[list[Raw], str | None]:
        """Return the messages in which every word occurs, newest first."""
        found = await anyio.to_thread.run_sync(self._search, query)
        start = int(cursor or 0)
        return found[start : start + limit], str(start + limit) if start + limit < len(found) else None

    async def open_dm(self, user_id: str) -> str:
        """Return a made-up ID, because exports contain no direct messages of bots."""
        return f"D{user_id[1:]}"

    async def post(self, draft: Draft) -> Posted:
        """Append a message to the outbox, unless it has one with the same key."""
        return await anyio.to_thread.run_sync(self._post, draft)

    async def react(self, channel_id: str, ts: str, name: str) -> Reacted:
        """Append a reaction to the outbox, unless it is there."""
        return await anyio.to_thread.run_sync(self._react, channel_id, ts, name)

    async def aclose(self) -> None:
        """Close nothing, because nothing is open."""

    def _groups(self) -> list[Raw]:
        return [raw for raw in _read_list(self._directory / GROUPS) if not raw.get("date_delete")]

    def _post(self, draft: Draft) -> Posted:
        timeline = self._timeline(draft.channel_id)
        if draft.thread_ts:
            _require(timeline, draft.channel_id, draft.thread_ts)
        with self._outbox.locked():
            entries = self._outbox.entries()
            for entry in entries:
                if draft.key and entry.get("idempotency_key") == draft.key:
                    return self._receipt(entry, created=False)
            newest = max((Decimal(entry["ts"]) for entry in entries if entry.get("type") == "message"), default=Decimal(0))
            ts = str(max(stamp(self._now()), newest + MICROSECOND))  # because a timestamp identifies one message
            entry = {"type": "message", "channel": draft.channel_id, "ts": ts, "text": draft.text}
            if draft.thread_ts:
                entry["thread_ts"] = timeline.as_stored(draft.thread_ts)
            if draft.key:
                entry["idempotency_key"] = draft.key
            self._outbox.append(entry)
        return self._receipt(entry, created=True)

    def _receipt(self, entry: Entry, *, created: bool) -> Posted:
        channel_id, thread_ts = entry["channel"], entry.get("thread_ts")
        shown = thread_ts and self._timeline(channel_id).as_read(thread_ts)
        return Posted.of(channel_id, entry | SENDER | {"thread_ts": shown}, created=created)

    def _react(self, channel_id: str, ts: str, name: str) -> Reacted:
        timeline = self._timeline(channel_id)
        _require(timeline, channel_id, ts)
        entry = {"type": "reaction", "channel": channel_id, "ts": timeline.as_stored(ts), "reaction": name}
        with self._outbox.locked():
            created = entry not in self._outbox.entries()
            if created:
                self._outbox.append(entry)
        return Reacted(channel_id=channel_id, ts=ts, reaction=name, created=created)

    def _search(self, query: Query) -> list[Raw]:
        words = query.words.casefold().split()
        channel_ids = [query.channel_id] if query.channel_id else [raw["id"] for raw in self._channel_list]
        found = [
            {**raw, "channel": channel_id}
            for channel_id in channel_ids
            for raw in self._timeline(channel_id).messages
            if query.user_id in (None, raw.get("user"))
            and raw["ts"] in query.period
            and all(word in (raw.get("text") or "").casefold() for word in words)
        ]
        return sorted(found, key=lambda raw: Decimal(raw["ts"]), reverse=True)

    def _timeline(self, channel_id: str) -> MessageTimeline:
        """Return the channel's timeline, rebuilt if the outbox or the day has changed. Raises ToolError for an unknown
        channel."""
        shift = self._shift()
        version = (shift, self._outbox.version())
        if channel_id not in self._built or self._built[channel_id][0] != version:
            entries = [entry for entry in self._outbox.entries() if entry.get("channel") == channel_id]
            self._built[channel_id] = (version, MessageTimeline(self._exported(channel_id), entries, shift))
        return self._built[channel_id][1]

    def _exported(self, channel_id: str) -> list[Raw]:
        if channel_id not in self._read:
            files = sorted((self._directory / self._folder(channel_id)).glob("*.json"))
            self._read[channel_id] = [raw for file in files for raw in _read_list(file) if "ts" in raw]
        return self._read[channel_id]

    def _folder(self, channel_id: str) -> str:
        for raw in self._channel_list:
            if raw["id"] == channel_id:
                return str(raw["name"])
        if any(channel_id[1:] == raw["id"][1:] for raw in self._user_list):
            return channel_id  # a direct message, which only the outbox can contain
        raise ToolError(f"There is no channel {channel_id} in this export. Take an ID from slack_list_channels.")

    def _shift(self) -> timedelta:
        """Return by how much all messages are moved."""
        if self._last_day is None or self._newest_day is None:
            return timedelta()
        day = self._last_day()
        there, here = (datetime(day.year, day.month, day.day, 12, tzinfo=zone) for zone in (self._home, self._zone))
        return day - self._newest_day + (here - there)

    def _moved(self, user: Raw) -> Raw:
        """Move a user to our zone if the export is moved and the user lives in its home zone."""
        if self._last_day is None or user.get("tz") != getattr(self._home, "key", ""):
            return user
        return {**user, "tz": getattr(self._zone, "key", "")}

    @cached_property
    def _home(self) -> tzinfo:
        """The time zone of most people in the export."""
        zones = Counter(name for raw in self._user_list if (name := raw.get("tz")))
        try:
            return time_zone(zones.most_common(1)[0][0])
        except (IndexError, ValueError):
            return self._zone

    @cached_property
    def _newest_day(self) -> date | None:
        newest = max((Decimal(raw["ts"]) for one in self._channel_list for raw in self._exported(one["id"])), default=None)
        return None if newest is None else datetime.fromtimestamp(int(newest), self._home).date()

    @cached_property
    def _channel_list(self) -> list[Raw]:
        return _read_list(self._directory / "channels.json")

    @cached_property
    def _user_list(self) -> list[Raw]:
        return _read_list(self._directory / "users.json")


def _read_list(file: Path) -> list[Raw]:
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ToolError(f"{file} of the export cannot be read: {error}. Unpack it again, or correct SLACK_EXPORT_DIR.") from error
    if not isinstance(content, list):
        raise ToolError(f"{file} of the export holds no list. Unpack it again, or correct SLACK_EXPORT_DIR.")
    return [item for item in content if isinstance(item, dict)]


def _require(timeline: MessageTimeline, channel_id: str, ts: str) -> None:
    if ts not in timeline:
        raise ToolError(f"Nothing was sent: there is no message {ts} in {channel_id}. Take ts from slack_get_channel_history.")
