"""Parses a Slack event into a message for the bot, or nothing.

A mention in a channel arrives as two events, `message` and `app_mention`; both are read as the same message, and the inbox takes
it once.
"""

import html
import re
from typing import Any

from discovery.catalog import Frozen

PLAIN_SUBTYPES = (None, "", "file_share", "thread_broadcast", "me_message")
"""Messages that people write; all other subtypes are notices, edits and other bots."""

_LABELLED = re.compile(r"<([^<>|@#!][^<>|]*)(?:\|([^<>]*))?>")
_CHANNEL = re.compile(r"<#(\w+)(?:\|([^<>]*))?>")
_CODE = re.compile(r"```[^`]*```|`[^`\n]+`")


_USER_ID = re.compile(r"[UW][A-Z0-9]+")
_CHANNEL_ID = re.compile(r"[CDG][A-Z0-9]+")


def is_user_id(text: str) -> bool:
    """Whether a text is the id of a person in Slack: who asked or answered may also sit at a terminal or in the console."""
    return _USER_ID.fullmatch(text) is not None


def is_channel_id(text: str) -> bool:
    """Whether a text is the id of a conversation in Slack, and not a channel's name."""
    return _CHANNEL_ID.fullmatch(text) is not None


class BotIdentity(Frozen):
    """The bot's identity in the workspace."""

    user_id: str
    bot_id: str = ""
    team_id: str = ""
    team: str = ""


class SlackMessage(Frozen):
    """A message in a place where the bot is."""

    event_id: str
    team: str
    """The team the speaker belongs to; another one's than ours through Slack Connect."""
    channel: str
    ts: str
    thread_ts: str
    """The thread the answer goes to: the one it was said in, else a new one under it."""
    user_id: str
    text: str
    direct: bool = False
    """In a direct message."""
    mentioned: bool = False
    bot: str = ""
    """The other app that wrote it, if one did."""
    files: tuple[str, ...] = ()
    """The names of what is attached to it."""

    @property
    def run_id(self) -> str:
        """The run that answers: the same however often the event comes."""
        return run_id_of(self.channel, self.ts)

    @property
    def addressed(self) -> bool:
        """Whether it is addressed to the bot."""
        return self.direct or self.mentioned

    @property
    def follows_up(self) -> bool:
        """Whether it replies in a thread."""
        return self.thread_ts != self.ts


class MessageChange(Frozen):
    """A message that its writer deleted, or gave other words."""

    channel: str
    ts: str
    deleted: bool

    @property
    def run_id(self) -> str:
        """The run that answers it, if one does."""
        return run_id_of(self.channel, self.ts)


def run_id_of(channel: str, ts: str) -> str:
    """The id of the run that answers a message."""
    return f"slack-{channel}-{ts}"


def read_change(body: dict[str, Any]) -> MessageChange | None:
    """The change in an event; None for what leaves the words as they were, as a preview does that Slack adds."""
    event = body.get("event") or {}
    before, after = event.get("previous_message") or {}, event.get("message") or {}
    ts, channel = str(before.get("ts") or event.get("deleted_ts") or ""), str(event.get("channel") or "")
    deleted = event.get("subtype") == "message_deleted" or after.get("subtype") == "tombstone"
    edited = event.get("subtype") == "message_changed" and before.get("text") != after.get("text")
    return MessageChange(channel=channel, ts=ts, deleted=deleted) if ts and channel and (deleted or edited) else None


def read_event(body: dict[str, Any], me: BotIdentity) -> SlackMessage | None:
    """The message in an event; None for our own messages and for events that are no message."""
    event = body.get("event") or {}
    user_id, bot = str(event.get("user") or ""), str(event.get("bot_id") or "")
    if event.get("type") not in ("message", "app_mention") or event.get("subtype") not in PLAIN_SUBTYPES:
        return None
    if user_id == me.user_id or (bot and bot == me.bot_id) or not (user_id and event.get("ts") and event.get("channel")):
        return None
    raw = str(event.get("text") or "")
    return SlackMessage(
        event_id=str(body.get("event_id") or f"{event['channel']}/{event['ts']}"),
        team=str(event.get("user_team") or event.get("source_team") or event.get("team") or body.get("team_id") or ""),
        channel=str(event["channel"]),
        ts=str(event["ts"]),
        thread_ts=str(event.get("thread_ts") or event["ts"]),
        user_id=user_id,
        text=plain_words(raw, me),
        direct=event.get("channel_type") == "im",
        mentioned=event.get("type") == "app_mention" or f"<@{me.user_id}>" in _CODE.sub("", raw),
        bot=bot,
        files=tuple(str(one.get("name") or one.get("id") or "?") for one in event.get("files") or ()),
    )


def plain_words(text: str, me: BotIdentity) -> str:
    """The typed text: without our own mention, links as their address, entities as their characters."""
    without_me = re.sub(rf"<@{re.escape(me.user_id)}(?:\|[^<>]*)?>[,、:：]?", " ", text)
    with_channels = _CHANNEL.sub(lambda match: f"#{match.group(2) or match.group(1)}", without_me)
    linked = _LABELLED.sub(lambda match: match.group(1).removeprefix("mailto:"), with_channels)
    return html.unescape(linked).strip()
