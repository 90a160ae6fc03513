"""Sends requests to Slack's Web API, classifies their outcomes (done, refused or unknown), and tells whether Slack is reached.

The SDK's own retries are off, because it would send a message again whose answer was lost; a 429 proves that nothing happened,
so only that is waited out here.
"""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import anyio
import anyio.to_thread
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from autonomy.chat.slack.authorization import SlackSettings
from autonomy.chat.slack.events.slack_event import BotIdentity
from autonomy.errors import ConfigError, JiritsuError
from discovery.servers.certificates import certificates
from discovery.servers.network import place, proxy_of, unreached
from discovery.timing.retry_after import seconds_asked

log = logging.getLogger(__name__)

AMBIGUOUS = ("internal_error", "fatal_error", "service_unavailable", "request_timeout")
"""Errors of which Slack says that some of the operation may have succeeded (docs.slack.dev, errors of every method)."""

UNREACHABLE = "unreachable"
"""In place of Slack's error, where no connection came about: nothing was sent."""

PATIENCE_S = 120.0
"""How long one request waits in all while Slack asks to slow down."""

REACHED_S = 4.0
"""How long Slack may take to answer `auth.test`; then it counts as unreachable."""

TOLD_S = 2.0
"""The same at the start: with two seconds of imports before it, a person reads the outcome within five."""

TOKEN_REFUSED = (
    "invalid_auth",
    "not_authed",
    "not_allowed_token_type",
    "missing_scope",
    "token_expired",
    "token_revoked",
    "account_inactive",
)
"""Answers that trying again does not change (docs.slack.dev, apps.connections.open)."""


@asynccontextmanager
async def web_client(base_url: str, token: str | None = None, *, timeout_s: float = 30.0) -> AsyncIterator[AsyncWebClient]:
    """The SDK's client with our certificate authorities and the environment's proxy, and without retries.

    Raises `NetworkUnusable`.
    """
    proxy, trusted = proxy_of(base_url), await anyio.to_thread.run_sync(certificates)
    stays = aiohttp.TraceConfig()
    stays.on_request_redirect.append(_refuse_redirect)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=timeout_s), trace_configs=[stays]) as session:
        client = AsyncWebClient(token, base_url=base_url, session=session, retry_handlers=[], ssl=trusted)
        client.proxy = proxy or None  # the SDK reads HTTPS_PROXY by itself, and neither ALL_PROXY nor NO_PROXY
        yield client


async def _refuse_redirect(_session: object, _context: object, params: aiohttp.TraceRequestRedirectParams) -> None:
    """Slack's API redirects nowhere: whoever does would have the message and its token go elsewhere, perhaps in the clear."""
    raise aiohttp.ClientPayloadError(f"{params.url.host} redirects to another address")


def why_unreached(error: BaseException, client: AsyncWebClient) -> str:
    """Why Slack did not answer, where it is, and through which proxy."""
    proxy = client.proxy or ""
    refusal = f"{error.status} {error.message}" if isinstance(error, aiohttp.ClientHttpProxyError) else ""
    why = unreached(error, proxy, refusal=refusal, unsent=isinstance(error, aiohttp.ClientConnectorError))
    return f"{why} ({place(urlsplit(str(client.base_url)).netloc, proxy)})"


class SlackRequestFailed(JiritsuError):
    """A request to Slack did not succeed."""


class SlackApiRefused(SlackRequestFailed):
    """Slack answered, and said no: nothing was done. Whoever sent it does something else."""

    def __init__(self, method: str, error: str, needed: str = "") -> None:
        self.method, self.error, self.needed = method, error, needed
        super().__init__(f"Slack refused {method}: {error}" + (f", needs {needed}" if needed else ""))


class AnswerLost(SlackRequestFailed):
    """The request went out and no answer came: it may or may not have been carried out."""

    def __init__(self, method: str, problem: str) -> None:
        self.method = method
        super().__init__(f"Slack's answer to {method} was lost: {problem}")


class SlackAway(JiritsuError):
    """Slack cannot be reached, or does not answer: try again later."""


class SlackApi:
    """The Web API under the bot's token."""

    def __init__(
        self, client: AsyncWebClient, *, patience_s: float = PATIENCE_S, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        """`client` must be without retry handlers of its own."""
        if client.retry_handlers:
            raise ValueError("a client with retries of its own would send messages twice")
        self._client, self._patience_s, self._sleep = client, patience_s, sleep
        self.trouble = ""
        """Why the last request did not reach Slack."""

    @property
    def address(self) -> str:
        """The address of Slack's API."""
        return str(self._client.base_url)

    async def write(self, method: str, **body: Any) -> dict[str, Any]:
        """Have something done, at most once. Raises `SlackApiRefused`, or `AnswerLost` when nobody can tell."""
        return await self._call(method, json={name: value for name, value in body.items() if value is not None})

    async def repeat(self, method: str, **body: Any) -> dict[str, Any]:
        """Have something done that may be done twice. Raises `SlackApiRefused`, `AnswerLost` after three tries."""
        return await self._thrice(method, json={name: value for name, value in body.items() if value is not None})

    async def read(self, method: str, **query: Any) -> dict[str, Any]:
        """Ask for something. Raises `SlackApiRefused`, `AnswerLost` after three tries."""
        form = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
        return await self._thrice(method, data=form)  # Slack reads JSON for writes only

    async def _thrice(self, method: str, **sent: Any) -> dict[str, Any]:
        for wait_s in (0.2, 1.0):
            try:
                return await self._call(method, **sent)
            except AnswerLost:
                await self._sleep(wait_s)
        return await self._call(method, **sent)

    async def _call(self, method: str, **sent: Any) -> dict[str, Any]:
        waited_s = 0.0
        while True:
            try:
                response = await self._client.api_call(method, **sent)
            except SlackApiError as error:
                wait_s = _retry_after_s(error)
                if wait_s is None or waited_s + wait_s > self._patience_s:
                    raise _classify(method, error) from error
            except (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError) as error:  # not even connected: nothing was sent
                wait_s, self.trouble = 1.0, why_unreached(error, self._client)
                if waited_s + wait_s > self._patience_s:
                    raise SlackApiRefused(method, UNREACHABLE) from error
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise AnswerLost(method, type(error).__name__) from error
            else:
                data: dict[str, Any] = response.data  # type: ignore[assignment]  # every method used here answers JSON
                return data
            log.info("Slack is slow or busy: %s again in %.0f s", method, wait_s)
            await self._sleep(wait_s)
            waited_s += wait_s


def _retry_after_s(error: SlackApiError) -> float | None:
    """How long Slack asks to wait, in seconds; None unless it refuses for its rate limit."""
    if _status(error) != 429:
        return None
    asked_s = seconds_asked(error.response.headers.get("Retry-After"), time.time())
    return 1.0 if asked_s is None else asked_s


def _classify(method: str, error: SlackApiError) -> SlackRequestFailed:
    """A refusal names its error; anything else is no answer, and neither is an error after which some of it may have been
    done."""
    data = getattr(error.response, "data", None)
    if _status(error) >= 500 or not isinstance(data, dict) or data.get("error") in (None, "", *AMBIGUOUS):
        return AnswerLost(method, f"HTTP {_status(error)}")
    return SlackApiRefused(method, str(data["error"]), str(data.get("needed", "")))


def _status(error: SlackApiError) -> int:
    """The status of the SDK's response, or of the plain one that it returns when the body is no JSON."""
    return int(getattr(error.response, "status_code", None) or getattr(error.response, "status", None) or 0)


async def reach(settings: SlackSettings) -> None:
    """Check that Slack answers at once. Raises `ConfigError`, `SlackAway`."""
    async with web_client(settings.api_url, settings.bot_token.get_secret_value()) as client:
        await who_am_i(SlackApi(client), within_s=TOLD_S)


async def who_am_i(api: SlackApi, within_s: float = REACHED_S) -> BotIdentity:
    """Identify the bot that the token belongs to. Raises `ConfigError` naming it when Slack does not take it, `SlackAway`."""
    try:
        with anyio.fail_after(within_s):
            answer = await api.read("auth.test")
    except TimeoutError as error:
        raise SlackAway(api.trouble or f"no answer from {api.address}") from error
    except AnswerLost as error:
        raise SlackAway(f"{error} ({api.address})") from error
    except SlackApiRefused as error:
        raise ConfigError("SLACK_BOT_TOKEN", "", str(error)) from error
    return BotIdentity(
        user_id=answer["user_id"], bot_id=answer.get("bot_id", ""), team_id=answer["team_id"], team=answer.get("team", "")
    )


async def socket_address(client: AsyncWebClient, app_token: str) -> str:
    """The address of the websocket for Socket Mode. Raises `ConfigError` when Slack does not take the token, `SlackAway`.

    Bolt would hide a refusal behind tracebacks, and retry for ever.
    """
    try:
        with anyio.fail_after(REACHED_S):
            answer = await client.apps_connections_open(app_token=app_token)
    except SlackApiError as error:
        problem = str(error.response.get("error") or error.response.status_code)
        if problem in TOKEN_REFUSED:
            raise ConfigError("SLACK_APP_TOKEN", "", f"Slack refused apps.connections.open: {problem}") from error
        raise SlackAway(f"Slack refused apps.connections.open: {problem}") from error
    except (TimeoutError, aiohttp.ClientError, OSError) as error:
        raise SlackAway(f"apps.connections.open: {why_unreached(error, client)}") from error
    return str(answer["url"])
