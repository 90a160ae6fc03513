"""Answers a server's requests during a call (MCP client features), and forwards its log."""

import json
import posixpath
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import anyio
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp_types import (
    INVALID_REQUEST,
    CreateMessageRequestParams,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    ListRootsResult,
    LoggingMessageNotificationParams,
    RequestId,
    Root,
)

from discovery.text.redaction import Redaction, redact
from discovery.tool_calls.task_messages import RELATED
from discovery.transport.asked_back import CallInFlight, CallListener, Sampled, call_listener, can_be_opened, question_key
from discovery.transport.local.server_log import ServerLog

OnServerLog = Callable[[str, LoggingMessageNotificationParams], Awaitable[None]]
"""Called with a provider's name and its log message."""
LATE_QUESTION_S, LATE_LOG_S = 600.0, 60.0
"""For so long after a call was given up a question may still belong to it, unless the server has answered the call meanwhile, and
for so long after any call a log message."""
MOST_CALLERS = 1_000
MOST_QUESTIONS = 1_000
KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class ServerRequests:
    """The requests of one server; each is passed to the listener of the call that it belongs to."""

    def __init__(self, provider: str, elicit: ElicitationFnT | None, on_log: OnServerLog | None, log: ServerLog | None) -> None:
        """`elicit` and `on_log` get what belongs to no call with a listener."""
        self.provider, self.in_flight = provider, list[CallInFlight]()
        self.redaction = Redaction()
        """Redacts the secrets that the server was given from its messages."""
        self.log_redaction = Redaction()
        """Redacts every value that the server was given from its log, paths included."""
        self.roots: tuple[str, ...] = ()
        """The folders that the server may work in if the caller names none."""
        self.names_questions = False
        """Whether questions have a name in the server's revision (SEP-2322)."""
        self._elicit, self._on_log, self._log = elicit, on_log, log
        self._ended = dict[str, float]()
        """Caller → when its last call ended."""
        self._given_up = dict[CallInFlight, tuple[str, float]]()
        """The calls that were given up, and that the server may still work on: whose each is, and since when."""
        self._arrived = dict[RequestId, tuple[list[CallInFlight], list[tuple[str, float]]]]()
        """Of each question that is yet to be passed on, what was under way and what was given up when it came: an answer right
        behind it changes nothing."""

    def begin(self, roots: tuple[str, ...]) -> None:
        """Begin a connection: the server knows nothing of earlier calls."""
        self.roots = roots
        self._ended.clear()
        self._given_up.clear()
        self._arrived.clear()

    def arrived(self, question: RequestId) -> None:
        """Note what a question may belong to, as it comes in; of two under one id, whatever either may."""
        under_way, given_up = self._under_way_and_given_up()
        before = self._arrived.get(question, ([], []))
        _note(self._arrived, question, (before[0] + under_way, before[1] + given_up), most=MOST_QUESTIONS)

    def _under_way_and_given_up(self) -> tuple[list[CallInFlight], list[tuple[str, float]]]:
        """The calls of which the server may still ask."""
        under_way = [one for one in self.in_flight if not one.is_answered]
        return under_way, [whose for one, whose in self._given_up.items() if not one.is_answered]

    @contextmanager
    def during(self, flight: CallInFlight) -> Iterator[CallInFlight]:
        """Register a call while it is under way, so that the server's requests can be assigned to it."""
        self.in_flight.append(flight)
        caller = flight.listener.caller if flight.listener is not None else ""
        try:
            yield flight
        except anyio.get_cancelled_exc_class():
            if not flight.is_answered:
                _note(self._given_up, flight, (caller, anyio.current_time()))
            raise
        finally:
            self.in_flight.remove(flight)
            _note(self._ended, caller, anyio.current_time())

    async def elicit(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        """Pass a question to the listener of the call that it belongs to.

        Up to revision 2025-11-25 a question does not name its call. If calls of several callers are under way, or another caller
        has given one up that the server has not answered, it is therefore shown to none of them: it may belong to another.
        """
        self._name_question(context)
        if isinstance(params, ElicitRequestURLParams) and not can_be_opened(params.url):
            return ElicitResult(action="decline")
        params = self.redaction.message(params)
        if (beside := self._call_of(context)) is not None:
            flight, listener = beside
            return await flight.asked(lambda: listener.elicit(self.provider, flight.tool, params))
        return await self._elicit(context, params) if self._elicit else ElicitResult(action="decline")

    async def sample(self, context: ClientRequestContext, params: CreateMessageRequestParams) -> Sampled:
        """Pass on a request for the caller's model; refused if it cannot be assigned to a call."""
        self._name_question(context)
        if (beside := self._call_of(context)) is None:
            return ErrorData(code=INVALID_REQUEST, message="sampling is offered during a call alone")
        flight, listener = beside
        request = self.redaction.message(params)
        return await flight.asked(lambda: listener.sample(self.provider, flight.tool, request))

    async def list_roots(self, context: ClientRequestContext) -> ListRootsResult | ErrorData:
        """Return the folders of the caller, else those of the server's entry. A caller may only narrow what the entry names."""
        self._name_question(context)
        beside = self._call_of(context)
        theirs = await beside[1].roots(self.provider, kept=not self.names_questions) if beside else None
        if theirs is not None and (not self.roots or all(self._is_inside(str(root.uri)) for root in theirs.roots)):
            return theirs
        return ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in self.roots])

    def _is_inside(self, uri: str) -> bool:
        """Whether a folder lies in one that the server's entry names."""
        return any(f"{_path_of(uri)}/".startswith(f"{_path_of(own).rstrip('/')}/") for own in self.roots)

    async def logged(self, params: LoggingMessageNotificationParams) -> None:
        """Pass a log message to the call's listener, and write it into the server's log file."""
        message = params.model_copy(update={"data": self.redaction.data(params.data)})
        if (beside := self._call_of(of_log=True)) is not None:
            await beside[1].logged(self.provider, message)
        elif self._on_log is not None:
            await self._on_log(self.provider, message)
        if self._log is not None:
            text = message.data if isinstance(message.data, str) else json.dumps(message.data, default=str)
            await self._log.write(f"{message.level}: {redact(self.log_redaction.text(text))}")

    def _name_question(self, context: ClientRequestContext) -> None:
        question_key.set(str(context.request_id) if self.names_questions else "")

    def _call_of(
        self, context: ClientRequestContext | None = None, *, of_log: bool = False
    ) -> tuple[CallInFlight, CallListener] | None:
        """Return the call that a message of the server belongs to, and its listener; None if that is uncertain."""
        mine = call_listener.get()
        arrived = self._arrived.pop(context.request_id, None) if context and context.request_id is not None else None
        under_way, given_up = arrived or self._under_way_and_given_up()
        flights = [one for one in (self.in_flight if of_log else under_way) if mine is None or one.listener is mine]
        related = (context.meta or {}).get(RELATED) if context else None
        if isinstance(related, dict):  # up to 2025-11-25 only messages of tasks name what they belong to
            flights = [one for one in flights if one.task_id and one.task_id == related.get("taskId")]
        if len({id(one.listener) for one in flights}) != 1 or (listener := flights[-1].listener) is None:
            return None
        if not (flights := [one for one in flights if one in self.in_flight]):
            return None
        if mine is None and not isinstance(related, dict):
            late = of_log and _any_other(self._ended.items(), listener.caller, LATE_LOG_S)
            if late or _any_other(given_up, listener.caller, LATE_QUESTION_S):
                return None
        return flights[-1], listener


def _note(noted: dict[KeyT, ValueT], key: KeyT, value: ValueT, most: int = MOST_CALLERS) -> None:
    """Note something that happened now, and forget what is oldest where there is too much."""
    noted.pop(key, None)
    noted[key] = value
    if len(noted) > most:
        del noted[next(iter(noted))]


def _any_other(times: Iterable[tuple[str, float]], caller: str, within_s: float) -> bool:
    """Whether it happened to another caller within so many seconds."""
    now = anyio.current_time()
    return any(other != caller and now - at < within_s for other, at in times)


def _path_of(uri: str) -> str:
    """Return the path of a folder's URI, as the file system reads it; the whole URI if it names no file of this machine."""
    parts = urlsplit(uri)
    is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    return posixpath.normpath(unquote(parts.path)) if is_here else uri
