"""A read-only HTTP client for vendor APIs, with shared error handling.

Because all requests are reads, they are repeated up to three times: after the time that the vendor asks for, else after 0.5, 1
and 2 s. If the wait would be too long for a tool call, the error says when to try again instead.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import anyio
import httpx2
from pydantic import TypeAdapter, ValidationError

from autonomy.errors import VendorError
from discovery.timing.retry_after import seconds_asked

ATTEMPTS = 4
MAX_WAIT_S = 15.0
"""The longest total wait of one request: half of the time that a tool call has by default."""
TIMEOUT_S = 10.0
Query = Mapping[str, str | int | bool]
T = TypeVar("T")


@dataclass(frozen=True)
class VendorRefusal:
    """The meaning of an unsuccessful response."""

    problem: str
    retryable: bool = False
    retry_after_s: float | None = None
    """How long the vendor asks to wait; None if it does not say."""


class VendorAPI:
    """Sends GET requests to one vendor and parses the answers, during one execution."""

    def __init__(
        self,
        http: httpx2.AsyncClient,
        *,
        explain: Callable[[httpx2.Response], VendorRefusal],
        fail: Callable[[str, int, bool], VendorError],
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """`explain`: returns the meaning of an unsuccessful response. `fail`: makes the vendor's exception from the problem, the
        HTTP status (0 for none) and whether it is retryable."""
        self._http, self._explain, self._fail, self._sleep = http, explain, fail, sleep

    async def get(self, path: str, form: type[T] | TypeAdapter[T], query: Query | None = None) -> T:
        """Return the answer, parsed as `form`. Raises the exception made by `fail`."""
        content, _ = await self.get_page(path, form, query)
        return content

    async def get_page(self, path: str, form: type[T] | TypeAdapter[T], query: Query | None) -> tuple[T, httpx2.Headers]:
        """Return the answer, parsed as `form`, and its headers, which some vendors use for paging."""
        response = await self._send(path, query)
        adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
        try:
            return adapter.validate_json(response.content), response.headers
        except ValidationError as error:
            where = ", ".join(".".join(map(str, fault["loc"])) or "the whole" for fault in error.errors()[:3])
            # without the cause, because pydantic's message quotes the value, which may be somebody's name
            raise self._fail(f"the answer to {path} has an unexpected form at {where}", response.status_code, False) from None

    async def _send(self, path: str, query: Query | None) -> httpx2.Response:
        waited_s, parameters = 0.0, {}
        for name, value in (query or {}).items():
            parameters[name] = str(value).lower() if isinstance(value, bool) else str(value)
        for attempt in range(ATTEMPTS):
            status = 0
            try:
                response = await self._http.get(path, params=parameters)
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
        when = "" if refusal.retry_after_s is None else f"; try again in {refusal.retry_after_s:.0f} s"
        raise self._fail(f"{refusal.problem}{when}", status, refusal.retryable)


def wait_asked_s(response: httpx2.Response, *headers: str) -> float | None:
    """Return the seconds that the first readable one of these headers asks to wait; None if none does."""
    asked = (seconds_asked(response.headers.get(name), time.time()) for name in headers)
    return next((wait_s for wait_s in asked if wait_s is not None), None)


def _without_token(refusal: VendorRefusal, request: httpx2.Request) -> VendorRefusal:
    """Remove the token, because a vendor may quote it in a refusal, which goes to the model."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return replace(refusal, problem=refusal.problem.replace(token, "[token]")) if token else refusal


def problem_of(response: httpx2.Response) -> str:
    """Return an unsuccessful response in words: its status, and the messages in its body, its own and those of its `errors`."""

    def listed(fault: dict[str, Any], name: str) -> list[Any]:
        found = fault.get(name)
        return found if isinstance(found, list) else []

    body = json_object(response)
    faults = [fault for fault in (body, *listed(body, "errors")) if isinstance(fault, dict)]
    texts = [str(text) for fault in faults for text in (fault.get("message"), *listed(fault, "messages")) if text]
    return f"HTTP {response.status_code}{': ' if texts else ''}{' '.join(texts)}"


def json_object(response: httpx2.Response) -> dict[str, Any]:
    """Return the body of an error if it is a JSON object, else an empty one."""
    try:
        body: Any = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
