"""Decodes and escapes Slack's message markup."""

import html
import re
from collections.abc import Mapping

from mcp.server.mcpserver.exceptions import ToolError

MAX_CHARACTERS = 40_000
"""Slack silently truncates a longer text (api.slack.com/methods/chat.postMessage)."""

_MARKUP = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")


def readable(text: str, people: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """Decode markup: `<@U1>` → `@name`, `<#C1>` → `#name`, `<https://x|label>` → `label (https://x)`, entities → characters."""

    def plain(match: re.Match[str]) -> str:
        kind, target, label = match.groups()
        if kind == "@":
            return f"@{label or people.get(target, target)}"
        if kind == "#":
            return f"#{label or channels.get(target, target)}"
        if kind == "!" and target.startswith("date^"):
            return label or target
        if kind == "!":
            return f"@{label or target.partition('^')[0]}".replace("@@", "@")
        return f"{label} ({target})" if label and label != target else target

    return html.unescape(_MARKUP.sub(plain, text))


def outgoing(text: str) -> str:
    """Escape Slack's three special characters, so that nothing in the text mentions or links. Raises ToolError if it is empty or
    too long."""
    if not text.strip():
        raise ToolError("The message is empty. Write what is to be sent in text.")
    escaped = html.escape(text, quote=False)
    if len(escaped) > MAX_CHARACTERS:
        raise ToolError(f"The message has {len(escaped)} characters, Slack takes {MAX_CHARACTERS}. Split it.")
    return escaped
