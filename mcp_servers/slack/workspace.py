"""Defines what a backend of a Slack workspace can do, and the records that go in and out."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from pydantic import BaseModel, Field

Raw = dict[str, Any]
"""An object in Slack's own format, which is the same in exports and in the Web API."""


def sender_id(raw: Raw) -> str:
    """Return the ID of who wrote a message: a user's, which most apps have too, or a bot's."""
    return raw.get("user") or raw.get("bot_id") or ""


def sender_name(raw: Raw) -> str:
    """Return the name that a message itself gives to who wrote it, if any."""
    profile = raw.get("user_profile") or raw.get("bot_profile") or {}
    return next(filter(None, (raw.get("username"), *map(profile.get, ("display_name", "real_name", "name")))), "")


class Channel(BaseModel):
    """A channel of the workspace."""

    id: str = Field(description="Channel ID, such as C0123ABCD")
    name: str = Field(description="Channel name without #")
    topic: str = ""
    purpose: str = ""
    num_members: int = 0
    is_archived: bool = False

    @classmethod
    def of(cls, raw: Raw) -> "Channel":
        """Convert a channel from Slack's format."""
        return cls(
            id=raw["id"],
            name=raw["name"],
            topic=raw.get("topic", {}).get("value", ""),
            purpose=raw.get("purpose", {}).get("value", ""),
            num_members=raw.get("num_members", len(raw.get("members", []))),
            is_archived=raw.get("is_archived", False),
        )


class User(BaseModel):
    """A person or an app of the workspace."""

    id: str = Field(description="User ID, such as U0123ABCD")
    name: str = Field(description="Handle, without @")
    real_name: str
    display_name: str = ""
    title: str = ""
    is_bot: bool = False
    is_guest: bool = Field(False, description="Whether they are a guest, who sees only some channels")
    deleted: bool = False
    timezone: str = Field("", description="IANA name, such as Asia/Tokyo")


class Profile(User):
    """The profile of one user."""

    email: str = ""
    status_text: str = ""
    status_emoji: str = ""

    @classmethod
    def of(cls, raw: Raw) -> "Profile":
        """Convert a user from Slack's format."""
        profile: Raw = raw.get("profile", {})
        return cls(
            id=raw["id"],
            name=raw.get("name", ""),
            real_name=raw.get("real_name") or profile.get("real_name") or raw.get("name", ""),
            display_name=profile.get("display_name", ""),
            title=profile.get("title", ""),
            is_bot=raw.get("is_bot", False),
            is_guest=raw.get("is_restricted", False) or raw.get("is_ultra_restricted", False),
            deleted=raw.get("deleted", False),
            email=profile.get("email", ""),
            status_text=profile.get("status_text", ""),
            status_emoji=profile.get("status_emoji", ""),
            timezone=raw.get("tz") or "",
        )


class Reaction(BaseModel):
    """An emoji that people put on a message."""

    name: str
    count: int
    user_ids: list[str]


class Message(BaseModel):
    """One message, with names in place of IDs in its text."""

    ts: str = Field(description="Timestamp; with the channel it identifies the message")
    thread_ts: str | None = Field(None, description="Timestamp of the thread's first message; null outside threads")
    channel_id: str
    channel_name: str
    time: str = Field(description="When it was written, ISO 8601")
    user_id: str
    user_name: str
    is_bot: bool = False
    text: str
    reply_count: int = 0
    reactions: list[Reaction] = []


class ChannelPage(BaseModel):
    """A page of channels."""

    channels: list[Channel]
    next_cursor: str | None = Field(None, description="Pass as cursor to read on; null at the end")


class UserPage(BaseModel):
    """A page of users."""

    users: list[User]
    next_cursor: str | None = Field(None, description="Pass as cursor to read on; null at the end")


class UserGroup(BaseModel):
    """A user group, which people mention as @handle."""

    id: str = Field(description="User group ID, such as S0123ABCD")
    handle: str = Field(description="Handle, without @")
    name: str = ""

    @classmethod
    def of(cls, raw: Raw) -> "UserGroup":
        """Convert a user group from Slack's format."""
        return cls(id=raw["id"], handle=raw.get("handle", ""), name=raw.get("name", ""))


class GroupMembers(BaseModel):
    """A user group and who is in it."""

    group: UserGroup
    users: list[User]


class MessagePage(BaseModel):
    """A page of messages."""

    messages: list[Message]
    next_cursor: str | None = Field(None, description="Pass as cursor to read on; null at the end")


class Posted(BaseModel):
    """The receipt of a message that was sent."""

    channel_id: str
    sent_to: str = Field("", description="Where people find it: the channel, such as #general, or the person's name")
    ts: str
    thread_ts: str | None = None
    permalink: str = Field("", description="Its web address; empty where there is none")
    text: str
    user_id: str = Field("", description="Who it was sent as: user_id of the message in slack_get_channel_history")
    user_name: str = ""
    bot_id: str = Field("", description="Bot ID of the app that sent it")
    created: bool = Field(description="False if this very request had already been carried out before")

    @classmethod
    def of(cls, channel_id: str, raw: Raw, *, created: bool) -> "Posted":
        """Convert a message of our own from Slack's format."""
        return cls(
            channel_id=channel_id,
            ts=raw["ts"],
            thread_ts=raw.get("thread_ts"),
            text=raw.get("text") or "",
            user_id=sender_id(raw),
            user_name=sender_name(raw),
            bot_id=raw.get("bot_id") or "",
            created=created,
        )


class Reacted(BaseModel):
    """The receipt of a reaction."""

    channel_id: str
    ts: str
    reaction: str
    created: bool = Field(description="False if the reaction was there already")


@dataclass(frozen=True)
class Draft:
    """A message to be sent. `key` identifies the request, so that it is not carried out twice."""

    channel_id: str
    text: str
    thread_ts: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Period:
    """Timestamps from `oldest` (inclusive) to `latest` (exclusive). None means no limit."""

    oldest: Decimal | None = None
    latest: Decimal | None = None

    def __contains__(self, ts: object) -> bool:
        moment = Decimal(str(ts))
        return (self.oldest is None or moment >= self.oldest) and (self.latest is None or moment < self.latest)


@dataclass(frozen=True)
class Query:
    """A search query. Every word must occur, and the other criteria must hold as well."""

    words: str
    user_id: str | None = None
    channel_id: str | None = None
    period: Period = Period()


class Workspace(Protocol):
    """A backend. All operations raise `ToolError` with a sentence that tells the model what to do next."""

    @property
    def has_groups(self) -> bool:
        """Whether it has user groups."""

    @property
    def can_search(self) -> bool:
        """Whether its messages can be searched."""

    async def channels(self) -> list[Channel]:
        """Return every channel."""

    async def users(self) -> list[Profile]:
        """Return every user, in the workspace's order."""

    async def user_groups(self) -> list[UserGroup]:
        """Return every user group in use."""

    async def group_members(self, group_id: str) -> list[str]:
        """Return the IDs of the members of a user group."""

    def threads(self, channel_id: str, period: Period) -> AsyncGenerator[Raw, None]:
        """Yield the top-level messages of a channel within the period, newest first."""

    async def replies(self, channel_id: str, thread_ts: str) -> list[Raw]:
        """Return a whole thread, oldest first."""

    async def search(self, query: Query, limit: int, cursor: str | None) -> tuple[list[Raw], str | None]:
        """Return matching messages (`channel` is the ID of each one's channel), newest first, and the cursor of the next page."""

    async def open_dm(self, user_id: str) -> str:
        """Return the ID of the direct-message channel with a user."""

    async def post(self, draft: Draft) -> Posted:
        """Send a message, once for each key."""

    async def react(self, channel_id: str, ts: str, name: str) -> Reacted:
        """Add an emoji to a message. Adding it again changes nothing."""

    async def aclose(self) -> None:
        """Close the backend's connections."""
