"""Checks the Slack app's tokens and scopes, and says how to fix them.

Slack tells a token's scopes with every answer, so one request shows them all.
"""

from collections.abc import AsyncIterator

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from autonomy.chat.slack.authorization import SlackSettings
from autonomy.chat.slack.setup.manifest import BOT_SCOPES
from autonomy.chat.slack.slack_api import web_client, why_unreached
from discovery.discovery_errors import NetworkUnusable
from discovery.servers.network import remedy

Check = tuple[str, str, str, str]
"""What was checked, `ok`, `warn` or `fail`, what was found, and how to mend it."""

_APP = "open the app on api.slack.com/apps"


async def check(settings: SlackSettings) -> AsyncIterator[Check]:
    """Check each requirement, a line for each."""
    try:
        async with web_client(settings.api_url, timeout_s=15) as client:
            async for found in _bot_token(client, settings.bot_token.get_secret_value()):
                yield found
            yield await _app_token(client, settings)
    except NetworkUnusable as error:
        yield "slack bot token", "fail", str(error), remedy(str(error))


async def _bot_token(client: AsyncWebClient, token: str) -> AsyncIterator[Check]:
    name, mend = "slack bot token", f"{_APP}, OAuth & Permissions, and set SLACK_BOT_TOKEN to the token that begins with xoxb-"
    if not token.startswith("xoxb-"):
        yield name, "fail", "not set" if not token else "does not begin with xoxb-", mend
        return
    try:
        answer = await client.auth_test(token=token)
    except (SlackApiError, aiohttp.ClientError, TimeoutError) as error:
        yield _failure(name, error, client, mend)
        return
    yield name, "ok", f"{answer['user']} in {answer['team']}", ""
    scopes = {scope.strip() for scope in str(answer.headers.get("x-oauth-scopes", "")).split(",") if scope.strip()}
    if not scopes:
        yield "slack scopes", "warn", "Slack did not say which scopes the token has", ""
        return
    for scope in sorted(set(BOT_SCOPES) - scopes):
        fix = f"{_APP}, OAuth & Permissions, add {scope}, and install the app again"
        yield f"slack scope {scope}", "fail", f"missing: it is needed to {BOT_SCOPES[scope]}", fix
    if scopes >= set(BOT_SCOPES):
        yield "slack scopes", "ok", f"all {len(BOT_SCOPES)} are there", ""


async def _app_token(client: AsyncWebClient, settings: SlackSettings) -> Check:
    name, token = "slack app token", settings.app_token.get_secret_value()
    mend = f"{_APP}, Basic Information, App-Level Tokens, make one with connections:write, and set SLACK_APP_TOKEN"
    if not token and settings.signing_secret.get_secret_value():
        return name, "ok", "not set: events come over HTTP", ""
    if not token.startswith("xapp-"):
        return name, "fail", "not set" if not token else "does not begin with xapp-", mend
    try:
        await client.apps_connections_open(app_token=token)
    except (SlackApiError, aiohttp.ClientError, TimeoutError) as error:
        return _failure(name, error, client, mend)
    return name, "ok", "Socket Mode can be opened", ""


def _failure(name: str, error: Exception, client: AsyncWebClient, mend: str) -> Check:
    """A failed request; `mend` is for a token that Slack refuses."""
    if not isinstance(error, SlackApiError):
        why = why_unreached(error, client)
        return name, "fail", f"Slack cannot be reached: {why}", remedy(why) or "check the network"
    needed = error.response.get("needed")
    return name, "fail", f"Slack says {error.response.get('error')}" + (f", needs {needed}" if needed else ""), mend
