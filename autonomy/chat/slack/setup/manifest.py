"""Builds the manifest of the Slack app, with its scopes and events.

Checked in tests against Slack's published schema. Everything it asks for is used by `chat.slack` or by the `slack` server;
nothing more is asked for.
"""

from typing import Any

from autonomy.chat.slack.blocks import word
from autonomy.chat.slack.slack_app import COMMAND, suggestions

BOT_SCOPES = {
    "app_mentions:read": "receive mentions",
    "assistant:write": "show its status, offer suggestions and a Stop button",
    "channels:history": "follow threads in public channels; read channels for the diary",
    "channels:read": "list public channels",
    "chat:write": "send messages",
    "commands": "receive the command /jiritsu",
    "groups:history": "follow threads and read private channels that it was invited to",
    "groups:read": "list private channels that it was invited to",
    "im:history": "receive direct messages",
    "im:read": "list its direct messages",
    "im:write": "start a direct message",
    "mpim:history": "receive messages in group conversations",
    "reactions:read": "receive reactions",
    "reactions:write": "acknowledge a message where Slack shows no status",
    "team:read": "identify its own team",
    "usergroups:read": "list the members of a user group, for a job that runs once for each",
    "users:read": "show people's names",
    "users:read.email": "match people with other systems",
    "users.profile:read": "read profiles",
}
"""Scope → why it is needed."""

BOT_EVENTS = (
    "app_home_opened",
    "app_mention",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
)
STOP_EVENT = "agent_session_stopped"
"""The Stop button's event: only workspaces with agent sessions know it, and Slack refuses a manifest with an event it does
not."""


def manifest(*, request_url: str = "", stop_button: bool = False, language: str = "ja") -> dict[str, Any]:
    """The manifest. `request_url`: where Slack sends events over HTTP; without it, Socket Mode; `language`: of its readers."""
    events = [*BOT_EVENTS, *([STOP_EVENT] if stop_button else [])]
    address = {"request_url": request_url} if request_url else {}
    return {
        "_metadata": {"major_version": 2, "minor_version": 1},
        "display_information": {
            "name": "Jiritsu",
            "description": word("app_description", language),
            "background_color": "#1f2937",
        },
        "features": {
            "bot_user": {"display_name": "jiritsu", "always_online": True},
            "app_home": {"home_tab_enabled": True, "messages_tab_enabled": True, "messages_tab_read_only_enabled": False},
            "slash_commands": [
                {
                    "command": COMMAND,
                    "description": word("command_description", language),
                    "usage_hint": "jobs | runs | waiting | pause JOB | resume JOB",
                    "should_escape": False,
                    **({"url": request_url} if request_url else {}),
                }
            ],
            "agent_view": {
                "agent_description": word("agent_description", language),
                "suggested_prompts": suggestions(language),
            },
        },
        "oauth_config": {"scopes": {"bot": sorted(BOT_SCOPES)}},
        "settings": {
            "event_subscriptions": {**address, "bot_events": events},
            "interactivity": {"is_enabled": True, **address},
            "org_deploy_enabled": False,
            "socket_mode_enabled": not request_url,
            "token_rotation_enabled": False,
        },
    }
