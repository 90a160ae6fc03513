"""Answers a server's requests during a call (MCP client features), and forwards its log."""

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

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
    Root,
)

from discovery.text.redaction import Redaction, redact
from discovery.tool_calls.task_messages import RELATED
from discovery.transport.asked_back import CallInFlight, CallListener, Sampled, call_listener, can_be_opened, question_key
from discovery.transport.local.server_log import ServerLog

OnServerLog = Callable[[str, LoggingMessageNotificationParams], Awaitable[None]]
"""Called with a provider's name and its log message."""


class ServerRequests:
    """The requests of one server; each is passed to the listener of the call that it belongs to."""

    def __init__(self, provider: str, elicit: ElicitationFnT | None, on_log: OnServerLog | None, log: ServerLog | None) -> None:
        """`elicit` and `on_log` get what belongs to no call with a listener."""
        self.provider, self.in_flight = provider, list[CallInFlight]()
        self.redaction = Redaction(())
        """Redacts the secrets that the server was given from its messages."""
        self.log_redaction = Redaction(())
        """Redacts every value that the server was given from its log, paths included."""
        self.roots: tuple[str, ...] = ()
        """The folders that the server may work in if the caller names none."""
        self.names_questions = False
        """Whether questions have a name in the server's revision (SEP-2322)."""
        self._elicit, self._on_log, self._log = elicit, on_log, log

    @contextmanager
    def during(self, flight: CallInFlight) -> Iterator[CallInFlight]:
        """Register a call while it is under way, so that the server's requests can be assigned to it."""
        self.in_flight.append(flight)
        try:
            yield flight
        finally:
            self.in_flight.remove(flight)

    async def elicit(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        """Pass a question to the listener of the call that it belongs to.

        Up to revision 2025-11-25 a question does not name its call. If calls of several callers are under way, it is therefore
        shown to none of them: it may belong to another.
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
        """Return the folders of the caller, else those of the server's entry."""
        self._name_question(context)
        beside = self._call_of(context)
        roots = await beside[1].roots(self.provider) if beside else None
        return roots or ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in self.roots])

    async def logged(self, params: LoggingMessageNotificationParams) -> None:
        """Pass a log message to the call's listener, and write it into the server's log file."""
        message = params.model_copy(update={"data": self.redaction.data(params.data)})
        if (beside := self._call_of()) is not None:
            await beside[1].logged(self.provider, message)
        elif self._on_log is not None:
            await self._on_log(self.provider, message)
        if self._log is not None:
            text = message.data if isinstance(message.data, str) else json.dumps(message.data, default=str)
            await self._log.write(f"{message.level}: {redact(self.log_redaction.text(text))}")

    def _name_question(self, context: ClientRequestContext) -> None:
        question_key.set(str(context.request_id) if self.names_questions else "")

    def _call_of(self, context: ClientRequestContext | None = None) -> tuple[CallInFlight, CallListener] | None:
        """Return the call that a message of the server belongs to, and its listener; None if that is uncertain."""
        mine = call_listener.get()
        flights = [one for one in self.in_flight if mine is None or one.listener is mine]
        related = (context.meta or {}).get(RELATED) if context else None
        if isinstance(related, dict):  # up to 2025-11-25 only messages of tasks name what they belong to
            flights = [one for one in flights if one.task_id and one.task_id == related.get("taskId")]
        if len({id(one.listener) for one in flights}) != 1 or (listener := flights[-1].listener) is None:
            return None
        return flights[-1], listener
