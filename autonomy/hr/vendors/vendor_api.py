"""A read-only HTTP client for vendor APIs, with shared error handling.

All requests are reads, so they may be repeated: 429 after the time the vendor asks for, 5xx and lost connections after 0.5, 1 and
2 s, three times at most. A wait longer than a tool call can bear is not waited: the model is told when to come back.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import anyio
import httpx2
from pydantic import TypeAdapter, ValidationError

from autonomy.errors import VendorError
from autonomy.hr.timekeeping.month import in_jst

ATTEMPTS = 4
MAX_WAIT_S = 15.0
"""For all waits of one request together: half of what a tool call has by default."""
TIMEOUT_S = 10.0
Query = Mapping[str, str | int | bool]
T = TypeVar("T")


@dataclass(frozen=True)
class VendorRefusal:
    """The meaning of an unsuccessful response."""

    problem: str
    retryable: bool = False
    retry_after_s: float | None = None
    """What the vendor asks for, in seconds; None: it does not say."""


class VendorAPI:
    """GET and read; one instance for one execution. `explain` reads the vendor's error shapes, `fail` makes its exception."""

    def __init__(
        self,
        http: httpx2.AsyncClient,
        *,
        explain: Callable[[httpx2.Response], VendorRefusal],
        fail: Callable[[str, int, bool], VendorError],
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._http, self._explain, self._fail, self._sleep = http, explain, fail, sleep

    async def get(self, path: str, form: type[T] | TypeAdapter[T], query: Query | None = None) -> T:
        """The answer, read as `form`."""
        content, _ = await self.get_page(path, form, query)
        return content

    async def get_page(self, path: str, form: type[T] | TypeAdapter[T], query: Query | None) -> tuple[T, httpx2.Headers]:
        """The answer, read as `form`, and its headers (where some vendors put the paging)."""
        response = await self._send(path, query)
        adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
        try:
            return adapter.validate_json(response.content), response.headers
        except ValidationError as error:
            where = ", ".join(".".join(map(str, fault["loc"])) or "the whole" for fault in error.errors()[:3])
            # Without the cause: pydantic's message quotes the value, and the value may be somebody's name.
            raise self._fail(f"the answer to {path} has an unexpected form at {where}", response.status_code, False) from None

    async def _send(self, path: str, query: Query | None) -> httpx2.Response:
        waited_s = 0.0
        for attempt in range(ATTEMPTS):
            status = 0
            try:
                response = await self._http.get(path, params=_as_text(query or {}))
            except httpx2.TransportError as error:
                refusal = VendorRefusal(f"cannot be reached ({type(error).__name__})", retryable=True)
            else:
                if response.is_success:
                    return response
                status, refusal = response.status_code, _without_token(self._explain(response), response.request)
            wait_s = 0.5 * 2**attempt if refusal.retry_after_s is None else refusal.retry_after_s
            waited_s += wait_s
            if not refusal.retryable or attempt == ATTEMPTS - 1 or waited_s > MAX_WAIT_S:
                break
            await self._sleep(wait_s)
        raise self._fail(_with_time(refusal), status, refusal.retryable)


def seconds_until(header: str | None, now: datetime) -> float | None:
    """`Retry-After` and `…-Reset` headers: a number of seconds, or an ISO time (freee) → seconds from now; None: unreadable."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (in_jst(datetime.fromisoformat(header)) - now).total_seconds())
    except ValueError:
        return None


def _as_text(query: Query) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in query.items()}


def _without_token(refusal: VendorRefusal, request: httpx2.Request) -> VendorRefusal:
    """A vendor may quote the token it refuses, and what it says goes to the model."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return replace(refusal, problem=refusal.problem.replace(token, "[token]")) if token else refusal


def _with_time(refusal: VendorRefusal) -> str:
    if refusal.retry_after_s is None:
        return refusal.problem
    return f"{refusal.problem}; try again in {refusal.retry_after_s:.0f} s"


def json_object(response: httpx2.Response) -> dict[str, Any]:
    """The body of an error as an object; anything else reads as an empty one."""
    try:
        body: Any = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
