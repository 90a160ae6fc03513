"""Sends one request to Slack's Web API and classifies its outcome.

A read waits for a short rate limit. A write is sent at most once (see `SlackOutcomeUnknown`).
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.workspace import Raw

if TYPE_CHECKING:  # loaded at the first request: a server that waits for one holds no HTTP client
    import httpx2

TIMEOUT_S = 15.0
PATIENCE_S = 10.0
"""How long a read waits for the rate limit in total. If more is needed, it fails with an error that names the time."""

_ADVICE = {
    "account_inactive": "The token's account is inactive. Ask the operator to check the Slack token.",
    "cannot_dm_bot": "Apps cannot be sent direct messages. Choose a person from slack_get_users.",
    "channel_not_found": "Take an ID from slack_list_channels; to a private channel the bot must be invited first.",
    "invalid_auth": "The token is not valid. Ask the operator to check SLACK_BOT_TOKEN.",
    "invalid_name": "There is no such emoji here. Pass a name such as thumbsup, without colons.",
    "is_archived": "The channel is archived. Choose another one from slack_list_channels.",
    "message_not_found": "There is no such message. Take ts from slack_get_channel_history.",
    "msg_too_long": "The message is too long. Split it.",
    "no_such_subteam": "There is no such user group. Pass its handle, such as designers.",
    "not_allowed_token_type": "Slack lets only user tokens do this. Ask the operator for SLACK_USER_TOKEN, or do without.",
    "not_authed": "No token was sent. Ask the operator to set SLACK_BOT_TOKEN.",
    "not_in_channel": "The bot is not in this channel. Ask for it to be invited with /invite, or choose another channel.",
    "plan_upgrade_required": "This workspace's plan has no user groups. Take the people from slack_get_users or a list.",
    "ratelimited": "Nothing was done. Wait a minute, then call again.",
    "restricted_action": "The workspace does not allow this. Choose another channel or ask an admin.",
    "thread_not_found": "There is no such thread. Take thread_ts from slack_get_channel_history.",
    "token_expired": "The token has expired. Ask the operator to renew SLACK_BOT_TOKEN.",
    "token_revoked": "The token was revoked. Ask the operator to renew SLACK_BOT_TOKEN.",
    "user_not_found": "There is no such user. Take an ID from slack_get_users.",
}


class SlackRefused(ToolError):
    """Slack refused, so nothing was done."""

    def __init__(self, method: str, error: str, detail: str) -> None:
        self.error = error
        super().__init__(f"Slack refused {method} ({error}). {detail}".rstrip())


class SlackOutcomeUnknown(Exception):
    """A write was sent but no answer came, so it may or may not have been carried out."""


class WebClient:
    """Slack's Web API under one token."""

    def __init__(self, token: str, url: str, sleep: Callable[[float], Awaitable[None]] = anyio.sleep) -> None:
        self._token, self._url, self._sleep = token, url.rstrip("/") + "/", sleep
        self._open: httpx2.AsyncClient | None = None

    async def read(self, method: str, **parameters: Any) -> Raw:
        """Read from Slack, and wait for its rate limit for up to `PATIENCE_S`. Raises ToolError."""
        import httpx2

        form = {key: value for key, value in parameters.items() if value is not None}
        patience_s = PATIENCE_S
        while True:
            try:
                response = await self._http.post(method, data=form)  # Slack accepts JSON for writes only
            except httpx2.TransportError as error:
                raise ToolError(
                    f"Slack did not answer {method} ({type(error).__name__}). Nothing was changed; try again."
                ) from error
            wait_s = _retry_after_s(response)
            if wait_s is None or wait_s > patience_s:
                return _answer(method, response)
            patience_s -= wait_s
            await self._sleep(wait_s)

    async def pages(self, method: str, key: str, **parameters: Any) -> AsyncGenerator[Raw, None]:
        """Yield the items of all pages of a list. Pages are fetched as they are needed."""
        cursor: str | None = None
        while True:
            page = await self.read(method, cursor=cursor, **parameters)
            for item in page.get(key, []):
                yield item
            cursor = page.get("response_metadata", {}).get("next_cursor")
            if not cursor:
                return

    async def write(self, method: str, **body: Any) -> Raw:
        """Send a write once. Raises ToolError if it was not carried out, SlackOutcomeUnknown if that is unknown."""
        import httpx2

        try:
            response = await self._http.post(method, json={key: value for key, value in body.items() if value is not None})
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise ToolError(f"Slack cannot be reached ({type(error).__name__}), so nothing was sent. Try again later.") from error
        except httpx2.TransportError as error:
            raise SlackOutcomeUnknown(f"{method}: {type(error).__name__}") from error
        if not (_is_json(response) or response.is_client_error) or response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SlackOutcomeUnknown(f"{method}: HTTP {response.status_code}")
        return _answer(method, response)

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._open is not None:
            closing, self._open = self._open, None
            await closing.aclose()

    @property
    def _http(self) -> "httpx2.AsyncClient":
        if self._open is None:
            import httpx2

            headers = {"Authorization": f"Bearer {self._token}"}
            self._open = httpx2.AsyncClient(base_url=self._url, headers=headers, timeout=TIMEOUT_S)
        return self._open


def _answer(method: str, response: "httpx2.Response") -> Raw:
    """Return the JSON object of a successful answer. Raises ToolError for any other answer."""
    wait_s = _retry_after_s(response)
    if wait_s is not None:
        raise SlackRefused(
            method, "ratelimited", f"Nothing was done. Wait {wait_s:g} seconds, then call again (Retry-After: {wait_s:g})."
        )
    if not _is_json(response):
        raise ToolError(
            f"Slack answered {method} with HTTP {response.status_code} and no JSON. Nothing was changed; try again later."
        )
    answer: Raw = response.json()
    if answer.get("ok"):
        return answer
    error = str(answer.get("error") or f"HTTP {response.status_code}")
    if error == "missing_scope":
        raise SlackRefused(
            method, error, f"The token lacks the scope {answer.get('needed')}. Ask the operator to add it to the app."
        )
    raise SlackRefused(method, error, _ADVICE.get(error, ""))


def _retry_after_s(response: "httpx2.Response") -> float | None:
    """Return how many seconds Slack asks to wait; None unless it refuses for its rate limit."""
    if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
        return None
    asked = response.headers.get("Retry-After", "")
    return max(float(asked), 1.0) if asked.isdecimal() else 30.0


def _is_json(response: "httpx2.Response") -> bool:
    try:
        return isinstance(response.json(), dict)
    except ValueError:
        return False
