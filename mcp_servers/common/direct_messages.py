"""Sends Slack direct messages, at most once for each idempotency key."""

import html
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

from pydantic import BaseModel, Field

from mcp_servers.common.service_requests import HttpClient, NotDone, ServiceOutcomeUnknown, content_of, send

BASE_URL = "https://slack.com/api"
SERVICE = "Slack"
EVENT_TYPE = "jiritsu_dm"
MAX_CHARACTERS = 40_000
"""Slack silently truncates a longer text (api.slack.com/methods/chat.postMessage)."""

ADVICE = {
    "missing_scope": "The app needs the bot scopes im:write, chat:write and im:history.",
    "user_not_found": "Check user_id: it is the member ID of the profile, such as U0123ABCD.",
    "user_disabled": "This account is deactivated.",
    "cannot_dm_bot": "A bot cannot be written to.",
    "invalid_auth": "Check SLACK_BOT_TOKEN.",
    "not_authed": "Check SLACK_BOT_TOKEN.",
    "token_revoked": "Check SLACK_BOT_TOKEN.",
}


class Sent(BaseModel):
    """A message that is there."""

    user_id: str
    channel: str = Field(description="ID of the direct-message channel")
    ts: str = Field(description="The message's timestamp, its ID within the channel")
    replayed: bool = Field(default=False, description="It was sent before under the same idempotency key")
    outbox: str | None = Field(default=None, description="No Slack token is set: the file the message went to instead")


class Messenger(Protocol):
    """The destination of direct messages: Slack, or the local outbox."""

    async def open(self, user_id: str) -> str:
        """Return the channel for direct messages with a user. Raises NotDone."""

    async def find(self, user_id: str, channel: str, key: str) -> Sent | None:
        """Return the message that was sent under an idempotency key, or None. Raises NotDone."""

    async def send(self, user_id: str, channel: str, text: str, key: str | None) -> Sent:
        """Send a message. Raises NotDone or ServiceOutcomeUnknown."""


async def send_once(messenger: Messenger, user_id: str, message: str, key: str | None) -> Sent:
    """Send a message. With a key it is sent at most once: the message is looked up before sending, and again if Slack's answer
    is lost. Raises NotDone or ServiceOutcomeUnknown."""
    text = _escaped(message)
    channel = await messenger.open(user_id)
    if key and (before := await messenger.find(user_id, channel, key)):
        return before.model_copy(update={"replayed": True})
    try:
        return await messenger.send(user_id, channel, text, key)
    except ServiceOutcomeUnknown:
        found = None
        if key:
            with suppress(NotDone):
                found = await messenger.find(user_id, channel, key)
        if found is None:
            raise
        return found


def _escaped(message: str) -> str:
    """Escape Slack's three special characters, so that nothing mentions or links. Raises NotDone for an empty or too long
    text."""
    if not message.strip():
        raise NotDone("Nothing was sent: the message is empty.")
    text = html.escape(message, quote=False)
    if len(text) > MAX_CHARACTERS:
        raise NotDone(f"Nothing was sent: the message has {len(text)} characters, Slack takes {MAX_CHARACTERS}. Split it.")
    return text


class Slack:
    """The workspace that the bot token belongs to."""

    def __init__(self, http: HttpClient, token: str, base_url: str = BASE_URL) -> None:
        self._http, self._token, self._base_url = http, token, base_url.rstrip("/")

    async def open(self, user_id: str) -> str:
        """Open the channel (`conversations.open`). Opening it again gives the same channel."""
        return str((await self._read("conversations.open", {"users": user_id}))["channel"]["id"])

    async def find(self, user_id: str, channel: str, key: str) -> Sent | None:
        """Return the one of the last 100 messages that has the key in its metadata."""
        answer = await self._read("conversations.history", {"channel": channel, "include_all_metadata": "true", "limit": "100"})
        for message in answer.get("messages", []):
            if message.get("metadata", {}).get("event_payload", {}).get("idempotency_key") == key:
                return Sent(user_id=user_id, channel=channel, ts=message["ts"])
        return None

    async def send(self, user_id: str, channel: str, text: str, key: str | None) -> Sent:
        """Post the message (`chat.postMessage`), without links by name and without previews."""
        body = {
            "channel": channel,
            "text": text,
            "parse": "none",
            "link_names": False,
            "unfurl_links": False,
            "unfurl_media": False,
        }
        if key:
            body["metadata"] = {"event_type": EVENT_TYPE, "event_payload": {"idempotency_key": key}}
        answer = await self._call("chat.postMessage", json=body)
        return Sent(user_id=user_id, channel=str(answer["channel"]), ts=str(answer["ts"]))

    async def _read(self, method: str, form: Mapping[str, str]) -> dict[str, Any]:
        try:
            return await self._call(method, data=dict(form))
        except ServiceOutcomeUnknown as problem:
            raise NotDone("Nothing was sent: Slack did not answer. Try again.") from problem

    async def _call(self, method: str, **request: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}"}
        answer = await send(self._http, SERVICE, "POST", f"{self._base_url}/{method}", headers=headers, **request)
        content = content_of(answer, SERVICE)
        if content.get("ok") is not True:
            error = str(content.get("error", f"HTTP {answer.status_code}"))
            raise NotDone(f"Nothing was sent: Slack refused {method} ({error}). {ADVICE.get(error, '')}".rstrip())
        return content
