"""Merges an export's messages and the outbox into one timeline.

The export may be shown as if it were newer (`export`). Therefore the outbox refers to an exported message by its original
timestamp, which stays the same from day to day.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from decimal import Decimal

from mcp_servers.slack.days import MICROSECOND
from mcp_servers.slack.export_outbox import Entry
from mcp_servers.slack.workspace import Raw

BOT_ID = "BJIRITSU"
SENDER = {"bot_id": BOT_ID, "username": "jiritsu"}
"""Who sent the messages in the outbox, in Slack's format."""


class MessageTimeline:
    """All messages of a channel, oldest first, each with the number of its replies and its reactions."""

    def __init__(self, exported: Sequence[Raw], entries: Iterable[Entry], shift: timedelta) -> None:
        self._shift, self._exported = shift, {raw["ts"] for raw in exported}
        moved = [raw | {key: _move(raw[key], shift) for key in ("ts", "thread_ts") if key in raw} for raw in exported]
        added = list(entries)
        sent = [self._message(entry) for entry in added if entry.get("type") == "message"]
        self.messages = sorted([*moved, *sent], key=lambda raw: Decimal(raw["ts"]))
        self._by_ts = {raw["ts"]: raw for raw in self.messages}
        self._threads = self._count_replies()
        for entry in added:
            if entry.get("type") == "reaction":
                self._add_reaction(self.as_read(entry["ts"]), entry["reaction"])

    def __contains__(self, ts: object) -> bool:
        return ts in self._by_ts

    def top_level(self) -> list[Raw]:
        """Return the messages outside threads and the first ones of threads, newest first."""
        return [raw for raw in reversed(self.messages) if raw.get("thread_ts", raw["ts"]) == raw["ts"]]

    def thread(self, thread_ts: str) -> list[Raw]:
        """Return a whole thread or a single message; nothing if there is none."""
        first = self._by_ts.get(thread_ts)
        return [*([first] if first else []), *self._threads.get(thread_ts, [])]

    def as_stored(self, ts: str) -> str:
        """Convert a shown timestamp to the one that the outbox stores."""
        original = _move(ts, -self._shift)
        return original if original in self._exported else ts

    def as_read(self, ts: str) -> str:
        """Convert a timestamp that the outbox stores to the one to show now."""
        return _move(ts, self._shift) if ts in self._exported else ts

    def _message(self, entry: Entry) -> Raw:
        message = {key: value for key, value in entry.items() if key not in ("channel", "idempotency_key")}
        if "thread_ts" in message:
            message["thread_ts"] = self.as_read(message["thread_ts"])
        return message | SENDER

    def _count_replies(self) -> dict[str, list[Raw]]:
        threads: defaultdict[str, list[Raw]] = defaultdict(list)
        for raw in self.messages:
            if raw.get("thread_ts", raw["ts"]) != raw["ts"]:
                threads[raw["thread_ts"]].append(raw)
        for raw in self.messages:
            replies = threads.get(raw["ts"], [])
            raw["reply_count"] = len(replies)
            if replies:
                raw |= {"thread_ts": raw["ts"], "latest_reply": replies[-1]["ts"]}
        return dict(threads)

    def _add_reaction(self, ts: str, name: str) -> None:
        raw = self._by_ts.get(ts)
        if raw is not None:
            others = [one for one in raw.get("reactions", []) if one["name"] != name]
            users = [user for one in raw.get("reactions", []) if one["name"] == name for user in one.get("users", [])]
            raw["reactions"] = [*others, {"name": name, "count": len(users) + 1, "users": [*users, BOT_ID]}]


def _move(ts: str, shift: timedelta) -> str:
    return str((Decimal(ts) + int(shift.total_seconds())).quantize(MICROSECOND))
