"""Sends requests to model vendors with one HTTP client, and maps every failure to a `ModelError`.

Where it goes, and with which headers, is a subclass's to say: a plain URL here, what OpenAI's SDK makes of its settings in
`openai_sdk`.
"""

import asyncio
import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple, TypeVar

import aiohttp
import anyio.to_thread
from anyio.lowlevel import RunVar
from yarl import URL

from autonomy.errors import ModelError, ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.model import ModelOptions
from autonomy.llm.model_json import read_json
from discovery.catalog import JsonObject
from discovery.discovery_errors import NetworkUnusable
from discovery.servers.certificates import certificates
from discovery.servers.network import place, proxy_of, unreached
from discovery.text.redaction import HIDDEN, redact
from discovery.timing.retry_after import number_asked, seconds_asked
from metrics.text.phrases import patterns_of

T = TypeVar("T")

TEMPORARY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
FINAL_CODES = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached", "credit_balance_too_low"})
"""Errors sent with a status that otherwise means: try again."""
TEMPORARY_KINDS = frozenset(
    {"overloaded_error", "rate_limit_error", "api_error", "server_error", "timeout_error", "rate_limit_exceeded"}
)
"""Errors in the middle of a stream that a retry may cure."""
NOT_HERE = (404, 405)
"""What a server says of an address that it does not serve."""
_PAGE = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)
UNSERVED = patterns_of("autonomy.llm")["serves_no_such_address"]
"""The same in words."""
REPLY = frozenset({"choices", "content", "output"})
"""What a reply has of which a part failed."""
MOST_PROBLEM_CHARS = 500

MOST_HEADER_BYTES = 64 * 1024
MOST_REPLY_BYTES = 16 << 20
"""Of a reply that comes whole, and of one event of a stream: many times the longest that a model can write."""
MOST_STREAM_BYTES = 128 << 20
"""Of a stream, in which each token has some hundred bytes around it."""
MOST_AT_ONCE_BYTES = 1024 * 1024
"""A longer body is written in pieces, between which others have their turn."""
KEPT_ALIVE_S = 60

_client: RunVar[tuple[aiohttp.ClientSession, list[object]] | None] = RunVar("jiritsu-model-http", None)


class Refused(ModelRejected):
    """A refusal with what the vendor says about it, for `remote` to read."""

    def __init__(self, model: str, problem: str, *, status: int, body: JsonObject) -> None:
        self.body = body
        super().__init__(model, problem, status=status)


class Address(NamedTuple):
    """Where the requests to a model go, and the headers that each of them carries."""

    url: URL
    headers: Mapping[str, str]
    proxy: str = ""

    @classmethod
    def of(cls, url: str, headers: Mapping[str, str]) -> "Address":
        """Build the address; a name and password in the URL become a header, and the environment names the proxy.
        Raises `ValueError`, `NetworkUnusable`."""
        where = URL(url)
        if where.scheme not in ("http", "https") or not where.host:
            raise ValueError(f"{str(where.with_user(None)) if where.host else url!r} does not begin with http:// or https://")
        if where.user is None:
            return cls(where, dict(headers), proxy_of(url))
        comparable = {name: value for name, value in headers.items() if name.lower() != "authorization"}
        comparable["authorization"] = aiohttp.encode_basic_auth(where.user, where.password or "")
        return cls(where.with_user(None), comparable, proxy_of(url))


@dataclass(eq=False, kw_only=True)
class HttpTransport(ABC):
    """The way to one model."""

    model: str
    """`vendor:model-id`, for errors."""
    options: ModelOptions
    now: Callable[[], float] = time.time
    """Seconds since the epoch, for a `Retry-After` that is a date."""
    _known: Address | None = field(default=None, init=False)

    async def send(self, body: bytes, timeout_s: float) -> JsonObject:
        """The reply to one request, whole, within `timeout_s`. Raises `ModelUnavailable`, `ModelRejected` or `ModelGarbled`."""

        async def take(response: aiohttp.ClientResponse) -> JsonObject:
            return self._whole(await self._bytes_of(response))

        # One clock around everything, so that aiohttp needs none of its own for each read and write.
        try:
            async with asyncio.timeout(timeout_s):  # aiohttp runs on asyncio alone, whose own clock costs half of anyio's
                return await self._answer(body, None, take)
        except TimeoutError:
            raise self._late(timeout_s) from None

    async def stream(self, body: bytes, timeout_s: float, on_event: Callable[[JsonObject], Awaitable[None]]) -> bool:
        """Hand over the events of a streamed reply; a server that does not stream gives its whole reply as one.

        Returns whether the end was announced (`[DONE]`), for vendors that announce it so.

        `timeout_s` bounds the silence between events, not the whole. Raises as `send` does.
        """

        async def take(response: aiohttp.ClientResponse) -> bool:
            if "text/event-stream" not in response.headers.get("content-type", "text/event-stream"):
                await on_event(self._whole(await self._bytes_of(response)))
                return True
            done = begun = False
            try:
                async for line in self._lines(response):
                    data = line[5:].strip() if line.startswith(b"data:") else b""
                    done = done or data == b"[DONE]"
                    if data and not done:
                        event = self._object(data)
                        if event.get("error"):
                            raise self._broken(event)
                        begun = True
                        await on_event(event)
            except aiohttp.ServerTimeoutError as error:
                if begun:
                    stopped = f"its reply stopped half-way: nothing more came within {timeout_s:g} s"
                    raise ModelUnavailable(self.model, stopped) from error
                raise
            return done

        return await self._answer(body, timeout_s, take)

    @abstractmethod
    def _address(self) -> Address:
        """Found out once, in a thread. Raises `ValueError` for what is no address."""

    async def _answer(self, body: bytes, silence_s: float | None, take: Callable[[aiohttp.ClientResponse], Awaitable[T]]) -> T:
        """What `take` makes of the answer to a request, which it gets as soon as it begins, its body unread.

        `silence_s` is the longest wait for a sign of life.
        """
        http = await self._http()
        try:
            if self._known is None:
                self._known = await self._found()
            url, headers, proxy = self._known
            within = aiohttp.ClientTimeout(total=None, connect=silence_s, sock_read=silence_s)
            data = body if len(body) <= MOST_AT_ONCE_BYTES else BytesIO(body)
            response = await http.request(
                "POST", url, data=data, headers=headers, proxy=proxy or None, timeout=within, allow_redirects=False
            )
            try:
                if response.status >= 300:
                    raise self._failed(response, await self._bytes_of(response))
                return await take(response)
            finally:
                response.close()  # a connection whose answer was read whole is back in the pool already
        except aiohttp.ServerTimeoutError as error:
            raise self._late(silence_s or 0) from error
        except aiohttp.ClientError as error:
            raise self._unreached(error) from error

    async def _bytes_of(self, response: aiohttp.ClientResponse) -> bytes:
        """The body of an answer. Raises `ModelGarbled` for one that is longer than any reply."""
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            self._check_size(len(body), MOST_REPLY_BYTES)
        return bytes(body)

    async def _lines(self, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        """The lines of a stream, some of them empty. Raises `ModelGarbled` for a stream or a line that does not end."""
        begun, size = bytearray(), 0
        async for chunk in response.content.iter_any():
            size += len(chunk)
            self._check_size(size, MOST_STREAM_BYTES)
            first, *others = re.split(rb"[\r\n]", chunk)
            begun += first
            self._check_size(len(begun), MOST_REPLY_BYTES)
            for begins in others:
                yield bytes(begun)
                begun = bytearray(begins)
        yield bytes(begun)

    def _check_size(self, size: int, most: int) -> None:
        if size > most:
            raise ModelGarbled(self.model, f"the reply is longer than {most >> 20} MiB: it was not read to its end")

    async def _found(self) -> Address:
        try:
            return await anyio.to_thread.run_sync(self._address)
        except ValueError as error:
            raise ModelRejected(self.model, f"the base_url is no usable address: {error}") from error
        except NetworkUnusable as error:
            raise ModelRejected(self.model, str(error)) from error

    def _unreached(self, error: aiohttp.ClientError) -> ModelError:
        """What it means that no answer came."""
        proxy = self._known.proxy if self._known else ""
        refusal = f"{error.status} {error.message}" if isinstance(error, aiohttp.ClientHttpProxyError) else ""
        why = unreached(error, proxy, refusal=refusal, unsent=isinstance(error, aiohttp.ClientConnectorError))
        return ModelUnavailable(self.model, self._clean(f"{why}{self._where()}"))

    def _late(self, timeout_s: float) -> ModelUnavailable:
        through = self._where() if self._known and self._known.proxy else ""
        return ModelUnavailable(self.model, f"no answer within {timeout_s:g} s{through}")

    def _where(self) -> str:
        return f" ({place(self._known.url.authority, self._known.proxy)})" if self._known else ""

    async def aclose(self) -> None:
        """Give the shared client back; whoever is last closes it."""
        client = _client.get()
        if client is not None and self in client[1]:
            client[1].remove(self)
            if not client[1]:
                _client.set(None)
                await client[0].close()

    async def _http(self) -> aiohttp.ClientSession:
        client = _client.get()
        if client is None:
            try:
                trusted = await anyio.to_thread.run_sync(certificates)
            except NetworkUnusable as error:
                raise ModelRejected(self.model, str(error)) from error
            client = _client.get()
        if client is None:
            session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT_ALIVE_S, ssl=trusted),
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=MOST_HEADER_BYTES,
                max_field_size=MOST_HEADER_BYTES,
            )
            client = (session, [])
            _client.set(client)
        if self not in client[1]:
            client[1].append(self)
        return client[0]

    def _whole(self, raw: bytes) -> JsonObject:
        """A reply that came whole. LM Studio says with status 200 that it does not serve an address. A page, of maintenance or of
        a proxy that wants a sign-in, stands before the model, which was not reached."""
        if _PAGE.match(raw):
            shown = " ".join(_TAGS.sub(" ", raw[:2_000].decode(errors="replace")).split())[:80]
            problem = f"HTTP 200: a web page came in place of a reply ({self._clean(shown)}){self._wrong_place()}"
            raise ModelUnavailable(self.model, problem, status=200)
        body = self._object(raw)
        if not body.get("error") or not REPLY.isdisjoint(body):
            return body
        message = self._clean(_message(body))
        problem = f"HTTP 200: {message}{self._wrong_place() if UNSERVED.search(message) else ''}"
        if TEMPORARY_KINDS & set(_kinds(body)):
            raise ModelUnavailable(self.model, problem, status=200)
        raise Refused(self.model, problem, status=200, body=body)

    def _object(self, raw: bytes) -> JsonObject:
        if not raw.strip():
            raise ModelGarbled(self.model, "the reply is empty")
        try:
            value = read_json(raw)
        except ValueError as error:
            raise ModelGarbled(self.model, f"the reply is no JSON: {self._clean(raw[:80].decode(errors='replace'))!r}") from error
        if not isinstance(value, dict):
            raise ModelGarbled(self.model, f"the reply is no JSON object but {type(value).__name__}")
        return value

    def _failed(self, response: aiohttp.ClientResponse, raw: bytes) -> ModelError:
        status = response.status
        try:
            body = read_json(raw)
        except ValueError:
            body = {}
        body = body if isinstance(body, dict) else {}
        message = _message(body) or raw[:MOST_PROBLEM_CHARS].decode(errors="replace").strip() or response.reason or ""
        problem = f"HTTP {status}: {self._clean(message)}{self._wrong_place() if status in NOT_HERE else ''}"
        if status in TEMPORARY and not FINAL_CODES & set(_kinds(body)):
            asked_s = _seconds_asked(response.headers, self.now())
            problem += f" (to be asked again in {asked_s:,.0f} s)" if asked_s else ""
            return ModelUnavailable(self.model, problem, status=status, retry_after_s=asked_s)
        return Refused(self.model, problem, status=status, body=body)

    def _wrong_place(self) -> str:
        """Where the request went, and what is usually wrong with an address that is not served."""
        url = self._known.url if self._known else URL()
        where = url.with_query(None)
        advice = "" if re.search(r"/v\d", url.path) else "; does its base_url lack /v1?"
        return f" (POST {where}{advice})"

    def _broken(self, event: JsonObject) -> ModelError:
        """An error in place of the rest of a stream."""
        problem = f"the stream broke off: {self._clean(_message(event) or 'an error without words')}"
        if TEMPORARY_KINDS & set(_kinds(event)) or not _kinds(event):
            return ModelUnavailable(self.model, problem)
        return ModelRejected(self.model, problem)

    def _clean(self, text: str) -> str:
        """Without the key, in case the vendor repeats it, or another secret, and not too long."""
        return redact(text.replace(self.options.api_key, HIDDEN) if self.options.api_key else text)[:MOST_PROBLEM_CHARS]


@dataclass(eq=False, kw_only=True)
class DirectHttpTransport(HttpTransport):
    """To a URL, with headers, both as given."""

    url: str
    headers: Mapping[str, str]

    def _address(self) -> Address:
        return Address.of(self.url, self.headers)


def _message(body: JsonObject) -> str:
    error = body.get("error", body)
    found = error.get("message") or error.get("detail") if isinstance(error, dict) else error
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False) if found else ""


def _kinds(body: JsonObject) -> list[Any]:
    error = body.get("error")
    found = [error.get("code"), error.get("type")] if isinstance(error, dict) else []
    return [kind for kind in found if isinstance(kind, str)]


def _seconds_asked(headers: Mapping[str, str], now: float) -> float | None:
    """How long the vendor asks to wait: in `retry-after-ms`, else in `retry-after`."""
    asked_ms = number_asked(headers.get("retry-after-ms"))  # a number only, as the SDKs of the vendors read it
    return seconds_asked(headers.get("retry-after"), now) if asked_ms is None else asked_ms / 1000
