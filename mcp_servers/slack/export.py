"""The backend for a workspace without a token: an unpacked Slack export is read, what is sent goes to a local outbox.

Layout of an export (slack.com/help/articles/220556107): `users.json`, `channels.json`, and `<channel>/YYYY-MM-DD.json`.
"""

import copy
import json
from collections.abc import AsyncGenerator, Callable, Iterable
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cached_property
from pathlib import Path

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.days import MICROSECOND, stamp
from mcp_servers.slack.outbox import Entry, Outbox
from mcp_servers.slack.workspace import Channel, Draft, Period, Posted, Profile, Query, Raw, Reacted

BOT_ID = "BJIRITSU"
"""Who messages of the outbox are from."""


class ExportWorkspace:
    """An export directory and its outbox, kept as `workspace.Workspace`.

    `last_day` moves the whole export by days so that its last day falls on that one; the files stay as they are.
    Raises ValueError if the directory is no export.
    """

    def __init__(
        self, directory: Path, outbox: Path, zone: tzinfo, now: Callable[[], datetime], last_day: Callable[[], date] | None = None
    ) -> None:
        if not (directory / "channels.json").is_file():
            raise ValueError(f"SLACK_EXPORT_DIR: {directory} holds no channels.json, so it is not an unpacked Slack export")
        self._directory, self._outbox, self._zone, self._now, self._last_day = directory, Outbox(outbox), zone, now, last_day

    async def channels(self) -> list[Channel]:
        """Every channel of `channels.json`."""
        return await anyio.to_thread.run_sync(lambda: [Channel.of(raw) for raw in self._channel_list])

    async def users(self) -> list[Profile]:
        """Every user of `users.json`."""
        return await anyio.to_thread.run_sync(lambda: [Profile.of(raw) for raw in _read_list(self._directory / "users.json")])

    async def threads(self, channel_id: str, period: Period) -> AsyncGenerator[Raw, None]:
        """Top-level messages, newest first, each with the count and last timestamp of its replies."""
        for raw in reversed(await anyio.to_thread.run_sync(self._messages, channel_id)):
            if raw.get("thread_ts", raw["ts"]) == raw["ts"] and raw["ts"] in period:
                yield raw

    async def replies(self, channel_id: str, thread_ts: str) -> list[Raw]:
        """A whole thread, its first message first."""
        messages = await anyio.to_thread.run_sync(self._messages, channel_id)
        thread = [raw for raw in messages if thread_ts in (raw["ts"], raw.get("thread_ts"))]
        if not thread:
            raise ToolError(f"There is no message {thread_ts} in {channel_id}. Take thread_ts from slack_get_channel_history.")
        return thread

    async def search(self, query: Query, limit: int, cursor: str | None) -> tuple[list[Raw], str | None]:
        """Messages in which every word occurs, newest first."""
        found = await anyio.to_thread.run_sync(self._search, query)
        start = int(cursor or 0)
        return found[start : start + limit], str(start + limit) if start + limit < len(found) else None

    async def open_dm(self, user_id: str) -> str:
        """An ID of our own making: exports hold no direct messages of bots."""
        return f"D{user_id[1:]}"

    async def post(self, draft: Draft) -> Posted:
        """Append to the outbox, unless an entry with the same key is there."""
        return await anyio.to_thread.run_sync(self._post, draft)

    async def react(self, channel_id: str, ts: str, name: str) -> Reacted:
        """Append the reaction to the outbox, unless it is there."""
        return await anyio.to_thread.run_sync(self._react, channel_id, ts, name)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _post(self, draft: Draft) -> Posted:
        if draft.thread_ts:
            self._require(draft.channel_id, draft.thread_ts)
        with self._outbox.locked():
            entries = self._outbox.entries()
            for entry in entries:
                if draft.key and entry.get("idempotency_key") == draft.key:
                    return self._receipt(entry, created=False)
            entry = {
                "type": "message",
                "channel": draft.channel_id,
                "ts": str(_after(stamp(self._now()), entries)),
                "text": draft.text,
                "bot_id": BOT_ID,
                "username": "jiritsu",
            }
            if draft.thread_ts:
                entry["thread_ts"] = self._as_stored(draft.channel_id, draft.thread_ts)
            if draft.key:
                entry["idempotency_key"] = draft.key
            self._outbox.append(entry)
        return self._receipt(entry, created=True)

    def _receipt(self, entry: Entry, *, created: bool) -> Posted:
        thread_ts = entry.get("thread_ts")
        return Posted(
            channel_id=entry["channel"],
            ts=entry["ts"],
            thread_ts=thread_ts and self._as_read(entry["channel"], thread_ts),
            text=entry["text"],
            created=created,
        )

    def _react(self, channel_id: str, ts: str, name: str) -> Reacted:
        self._require(channel_id, ts)
        entry = {"type": "reaction", "channel": channel_id, "ts": self._as_stored(channel_id, ts), "reaction": name}
        with self._outbox.locked():
            created = entry not in self._outbox.entries()
            if created:
                self._outbox.append(entry)
        return Reacted(channel_id=channel_id, ts=ts, reaction=name, created=created)

    def _require(self, channel_id: str, ts: str) -> None:
        if not any(raw["ts"] == ts for raw in self._messages(channel_id)):
            raise ToolError(
                f"Nothing was sent: there is no message {ts} in {channel_id}. Take ts from slack_get_channel_history."
            )

    def _search(self, query: Query) -> list[Raw]:
        words = query.words.casefold().split()
        channel_ids = [query.channel_id] if query.channel_id else [raw["id"] for raw in self._channel_list]
        found = [
            {**raw, "channel": channel_id}
            for channel_id in channel_ids
            for raw in self._messages(channel_id)
            if query.user_id in (None, raw.get("user"))
            and raw["ts"] in query.period
            and all(word in raw.get("text", "").casefold() for word in words)
        ]
        return sorted(found, key=lambda raw: Decimal(raw["ts"]), reverse=True)

    def _messages(self, channel_id: str) -> list[Raw]:
        """All messages of a channel, oldest first: the export's, moved to their day, and the outbox's."""
        messages = [_moved(raw, self._shift) for raw in self._exported(channel_id)]
        entries = [entry for entry in self._outbox.entries() if entry.get("channel") == channel_id]
        messages += [self._as_message(entry) for entry in entries if entry.get("type") == "message"]
        messages.sort(key=lambda raw: Decimal(raw["ts"]))
        _count_replies(messages)
        for entry in entries:
            if entry.get("type") == "reaction":
                _add_reaction(messages, self._as_read(channel_id, entry["ts"]), entry["reaction"])
        return messages

    def _as_message(self, entry: Entry) -> Raw:
        message = {key: value for key, value in entry.items() if key not in ("channel", "idempotency_key")}
        if "thread_ts" in message:
            message["thread_ts"] = self._as_read(entry["channel"], message["thread_ts"])
        return message

    def _exported(self, channel_id: str) -> list[Raw]:
        if channel_id not in self._read_channels:
            names = [raw["name"] for raw in self._channel_list if raw["id"] == channel_id]
            files = sorted((self._directory / names[0]).glob("*.json")) if names else []
            self._read_channels[channel_id] = [raw for file in files for raw in _read_list(file) if "ts" in raw]
        return self._read_channels[channel_id]

    @cached_property
    def _read_channels(self) -> dict[str, list[Raw]]:
        return {}

    @cached_property
    def _channel_list(self) -> list[Raw]:
        return _read_list(self._directory / "channels.json")

    # The outbox keeps a reference to an exported message by the export's own timestamp, which does not move from day to day.

    def _as_stored(self, channel_id: str, ts: str) -> str:
        original = _move(ts, -self._shift)
        return original if self._is_exported(channel_id, original) else ts

    def _as_read(self, channel_id: str, ts: str) -> str:
        return _move(ts, self._shift) if self._is_exported(channel_id, ts) else ts

    def _is_exported(self, channel_id: str, ts: str) -> bool:
        return any(raw["ts"] == ts for raw in self._exported(channel_id))

    @property
    def _shift(self) -> timedelta:
        if self._last_day is None or self._newest_day is None:
            return timedelta()
        return self._last_day() - self._newest_day

    @cached_property
    def _newest_day(self) -> date | None:
        newest = max((Decimal(raw["ts"]) for one in self._channel_list for raw in self._exported(one["id"])), default=None)
        return None if newest is None else datetime.fromtimestamp(int(newest), self._zone).date()


def _read_list(file: Path) -> list[Raw]:
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ToolError(f"{file} of the export cannot be read: {error}. Unpack it again, or correct SLACK_EXPORT_DIR.") from error
    if not isinstance(content, list):
        raise ToolError(f"{file} of the export holds no list. Unpack it again, or correct SLACK_EXPORT_DIR.")
    return [item for item in content if isinstance(item, dict)]


def _moved(raw: Raw, shift: timedelta) -> Raw:
    """A copy of a message with its timestamps moved."""
    moved = copy.deepcopy(raw)
    for key in ("ts", "thread_ts"):
        if key in moved:
            moved[key] = _move(moved[key], shift)
    return moved


def _move(ts: str, shift: timedelta) -> str:
    return str((Decimal(ts) + int(shift.total_seconds())).quantize(MICROSECOND))


def _after(moment: Decimal, entries: Iterable[Entry]) -> Decimal:
    """The moment, or just after the newest entry: a timestamp names one message only."""
    newest = max((Decimal(entry["ts"]) for entry in entries if entry.get("type") == "message"), default=Decimal(0))
    return max(moment, newest + MICROSECOND)


def _count_replies(messages: list[Raw]) -> None:
    by_ts = {raw["ts"]: raw for raw in messages}
    for raw in messages:
        raw.pop("latest_reply", None)
        raw["reply_count"] = 0
    for raw in messages:
        parent = by_ts.get(raw.get("thread_ts", ""))
        if parent is not None and parent is not raw:
            parent.update(thread_ts=parent["ts"], reply_count=parent["reply_count"] + 1, latest_reply=raw["ts"])


def _add_reaction(messages: list[Raw], ts: str, name: str) -> None:
    for raw in messages:
        if raw["ts"] == ts:
            reactions = raw.setdefault("reactions", [])
            one = next((reaction for reaction in reactions if reaction["name"] == name), None)
            if one is None:
                reactions.append(one := {"name": name, "count": 0, "users": []})
            one.update(count=one["count"] + 1, users=[*one["users"], BOT_ID])
