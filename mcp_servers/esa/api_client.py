"""Sends one request to esa's API v1 and classifies its outcome.

esa allows a user 75 requests in 15 minutes (docs.esa.io/posts/102). Once its headers say that none is left, nothing is sent until
the limit is reset. A read waits for that if it is soon. A write is sent at most once (see `EsaOutcomeUnknown`).
"""

import math
from collections.abc import Awaitable, Callable
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

if TYPE_CHECKING:  # loaded at the first request: a server that waits for one holds no HTTP client
    import httpx2

Raw = dict[str, Any]

TIMEOUT_S = 15.0
PATIENCE_S = 10.0
"""How long a read waits for the limit in total. If more is needed, it fails with an error that names the time."""

_ADVICE = {
    400: "Correct the arguments and call again.",
    401: "The token is not valid. Ask the operator to check ESA_ACCESS_TOKEN.",
    402: "The team's plan does not allow this. Ask the operator.",
    403: "The token may not do this. Ask the operator for a token with the scopes read and write.",
    404: "There is no such post or team. Find the number with esa_list_posts; the operator can check ESA_TEAM.",
}


class EsaOutcomeUnknown(Exception):
    """A write was sent but no answer came, so it may or may not have been carried out."""


class ApiClient:
    """esa's API v1 for one team, under one token."""

    def __init__(
        self,
        token: str,
        team: str,
        url: str,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._token, self._url, self._now, self._sleep = token, f"{url.rstrip('/')}/v1/teams/{team}/", now, sleep
        self._exhausted_until = 0.0
        self._open: httpx2.AsyncClient | None = None

    async def read(self, path: str, **parameters: Any) -> Raw:
        """Read from esa, and wait for its limit for up to `PATIENCE_S`. Raises ToolError."""
        import httpx2

        patience_s = PATIENCE_S
        while True:
            wait_s = self._wait_s()
            if wait_s == 0:
                try:
                    response = await self._http.get(path, params=parameters)
                except httpx2.TransportError as error:
                    raise ToolError(f"esa did not answer ({type(error).__name__}). Nothing was changed; try again.") from error
                self._note_limit(response)
                if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                    return _answer(response)
                wait_s = self._wait_s()
            if wait_s > patience_s:
                raise _limited(wait_s)
            patience_s -= wait_s
            await self._sleep(wait_s)
            self._exhausted_until = 0.0

    async def write(self, verb: str, path: str, post: Raw) -> Raw:
        """Send a write once. Raises ToolError if it was not carried out, EsaOutcomeUnknown if that is unknown."""
        import httpx2

        if wait_s := self._wait_s():
            raise _limited(wait_s)
        try:
            response = await self._http.request(verb, path, json={"post": post})
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise ToolError(
                f"esa cannot be reached ({type(error).__name__}), so nothing was changed. Try again later."
            ) from error
        except httpx2.TransportError as error:
            raise EsaOutcomeUnknown(type(error).__name__) from error
        self._note_limit(response)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            raise _limited(self._wait_s())
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or (response.is_success and _content(response) is None):
            raise EsaOutcomeUnknown(f"HTTP {response.status_code}")
        return _answer(response)

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

    def _wait_s(self) -> float:
        return max(self._exhausted_until - self._now().timestamp(), 0.0)

    def _note_limit(self, response: "httpx2.Response") -> None:
        """Remember until when nothing may be sent, after a refusal or after the last request that was allowed."""
        headers = response.headers
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            self._exhausted_until = self._now().timestamp() + max(_number(headers.get("Retry-After"), 60.0), 1.0)
        elif headers.get("X-RateLimit-Remaining") == "0":
            self._exhausted_until = _number(headers.get("X-RateLimit-Reset"), 0.0)


def _answer(response: "httpx2.Response") -> Raw:
    """Return the JSON object of a successful answer. Raises ToolError for any other answer."""
    answer = _content(response)
    if answer is None:
        raise ToolError(f"esa answered with HTTP {response.status_code} and no JSON object. Try again later.")
    if response.is_success:
        return answer
    problem = answer.get("message") or answer.get("error") or f"HTTP {response.status_code}"
    raise ToolError(f"esa refused: {problem}. {_ADVICE.get(response.status_code, '')}".rstrip())


def _content(response: "httpx2.Response") -> Raw | None:
    """Return the JSON object of an answer, which may be empty; None if it is none, as of a proxy."""
    try:
        content = response.json() if response.content else {}
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _limited(wait_s: float) -> ToolError:
    return ToolError(
        f"esa's limit of requests is used up; nothing was done. Wait {wait_s:.0f} seconds, then call again (Retry-After: {wait_s:.0f})."
    )


def _number(text: str | None, otherwise: float) -> float:
    try:
        number = float(text or "")
    except ValueError:
        return otherwise
    return number if math.isfinite(number) else otherwise
