"""Looks up Slack ids: names of people and channels, the language and the time zone of a member.

What cannot be looked up is the id itself, which Slack's tools understand as well.
"""

from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import anyio
import anyio.to_thread
from cachetools import TTLCache

from autonomy.chat.slack.blocks import ID, with_names
from autonomy.chat.slack.slack_api import SlackApi, SlackRequestFailed
from autonomy.durable.approval_store import Approval
from autonomy.run_state.asking.question_view import as_text, seen
from discovery.catalog import Frozen

KEPT_S = 3600.0
READER_S = 1.0
"""How long a press or a command waits to learn who reads the answer: Slack gives it three seconds in all."""

MOST_NAMES = 20
"""Of one question: more lookups would keep its card from appearing."""

NAME_CHARS = 80
"""Slack's own limit for names."""


class SlackMember(Frozen):
    """A member as Slack knows him."""

    name: str
    """The handle, e.g. `haruka`."""
    language: Literal["", "ja", "en"] = ""
    """Of his Slack; empty where Slack does not say."""
    timezone: str = ""
    is_guest: bool = False
    """Of our own workspace, where he sees only some channels."""


class People:
    """Members and channels of a workspace, asked for once an hour at most."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._known: TTLCache[str, dict[str, Any]] = TTLCache(1000, KEPT_S)
        self._zones: dict[str, str] = {}
        """The time zones that members live in, each looked for once: that reads a file."""

    async def member(self, user_id: str) -> SlackMember:
        """A member; by his id alone where Slack does not tell of him."""
        user = await self._looked_up(user_id)
        language = str(user.get("locale") or "")[:2]
        return SlackMember(
            name=str(user.get("name") or user_id),
            language=("ja" if language == "ja" else "en") if language else "",
            timezone=await self._zone(str(user.get("tz") or "")),
            is_guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
        )

    async def reader(self, user_id: str) -> SlackMember:
        """A member who waits for a form or a reply; by his id alone, too, where Slack takes longer than `READER_S`."""
        with anyio.move_on_after(READER_S):
            return await self.member(user_id)
        return SlackMember(name=user_id)

    async def _zone(self, name: str) -> str:
        if name not in self._zones:
            self._zones[name] = await anyio.to_thread.run_sync(_known_zone, name)
        return self._zones[name]

    async def named(self, text: str) -> str:
        """A text with the names of people and channels in place of their ids."""
        return with_names(text, await self._names_of(text))

    async def names_in(self, approval: Approval) -> dict[str, str]:
        """The names of the people and channels that a question's arguments and its answer name, by id; those that are known."""
        arguments = [*approval.question.arguments.values(), approval.edited or {}]
        return await self._names_of(" ".join([*map(as_text, arguments), approval.answered_by]))

    async def _names_of(self, text: str) -> dict[str, str]:
        names = {}
        for one in list(dict.fromkeys(ID.findall(text)))[:MOST_NAMES]:
            if name := str((await self._looked_up(one)).get("name") or ""):
                names[one] = f"{'@' if one[0] in 'UW' else '#'}{seen(name)[:NAME_CHARS]}"
        return names

    async def _looked_up(self, one: str) -> dict[str, Any]:
        """A person or a channel as Slack describes it; nothing where it does not."""
        if one not in self._known:
            person = one[0] in "UW"
            asked = {"user": one, "include_locale": True} if person else {"channel": one}
            try:
                answer = await self._api.read("users.info" if person else "conversations.info", **asked)
            except SlackRequestFailed:
                return {}
            self._known[one] = answer.get("user" if person else "channel") or {}
        return dict(self._known[one])


def _known_zone(name: str) -> str:
    try:
        return ZoneInfo(name).key if name else ""
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of zones, such as `Asia`, is the last
        return ""
