"""Forwards a server's questions, log and progress during a call to the gateway's client (`discovery.transport.asked_back`)."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp import MCPError, UrlElicitationRequiredError
from mcp.server.context import ServerRequestContext
from mcp.shared.message import ServerMessageMetadata
from pydantic import BaseModel

from autonomy.calls.retry import PROTOCOL_ERROR
from autonomy.llm.sampling import wants_tools
from autonomy.mcp_gateway.held_requests import HeldRequest
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.mcp_gateway.tasks.call_tasks import AskTaskClient
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.question_view import question_view, shown
from autonomy.run_state.run_values import CallRecord
from discovery.hints.describe import one_line
from discovery.tool_calls.task_messages import LONGEST_MESSAGE, RELATED
from discovery.transport.asked_back import Sampled, pages_of

Context = ServerRequestContext[Any]
AnswerT = TypeVar(
    "AnswerT", types.ElicitResult, types.CreateMessageResult, types.CreateMessageResultWithTools, types.ListRootsResult
)
LONGEST_QUESTION = 8_000
"""Characters of a question that the client's person is asked. A longer one is put to the operator instead."""
LEVELS: tuple[types.LoggingLevel, ...] = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The levels of logs, the least severe first (RFC 5424)."""


@dataclass(eq=False)
class ClientListener:
    """The client that made a call, to whom the server's questions, log and progress are forwarded."""

    context: Context
    """The context of the client's last request. A call that asked questions continues in another request."""
    session: ClientSession
    held: "HeldRequest[Any] | None" = None
    takes_task: Callable[[], bool] = lambda: False
    """Whether the client supports tasks and there is room for another one."""

    @property
    def caller(self) -> str:
        """The client."""
        return self.session.request.actor

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The client's capabilities, as far as they are forwarded."""
        can = self.context.session.client_capabilities or types.ClientCapabilities()
        return types.ClientCapabilities(elicitation=can.elicitation, sampling=can.sampling, roots=can.roots)

    async def sample(self, provider: str, tool: str, params: types.CreateMessageRequestParams) -> Sampled:
        """Let the client's own model answer, with the server's tools if the client supports that (MCP 2025-11-25)."""
        self._remember(provider, params)
        can = self.capabilities.sampling
        if can is not None and wants_tools(params) and can.tools is None:
            return types.ErrorData(
                code=types.INVALID_PARAMS, message="the client's model takes no tools of a server (sampling.tools)"
            )
        reply = None if can is None else await self._sampled(types.CreateMessageRequest(params=params))
        return reply or types.ErrorData(code=types.INVALID_REQUEST, message="the client lends no model")

    async def _sampled(
        self, request: types.CreateMessageRequest
    ) -> types.CreateMessageResult | types.CreateMessageResultWithTools | None:
        """Return the reply of the client's model; None if there is none."""
        if not wants_tools(request.params):
            return await self._request(request, types.CreateMessageResult)
        if self.held is None:
            return await self._request(request, types.CreateMessageResultWithTools)
        answer = await self.held.ask(request)  # a reply without calls of tools is of the other type
        return answer if isinstance(answer, types.CreateMessageResult | types.CreateMessageResultWithTools) else None

    async def roots(self, provider: str, *, kept: bool) -> types.ListRootsResult | None:
        """Return the client's folders; None if it shares none. Over HTTP several clients share a server, and one that may keep
        them would work in the folders of one for another."""
        if self.capabilities.roots is None or (kept and self.context.request is not None):
            return None
        return await self._request(types.ListRootsRequest(), types.ListRootsResult)

    async def logged(self, provider: str, params: types.LoggingMessageNotificationParams) -> None:
        """Forward a server's log message to the client, unless it is below the level that the client set."""
        session, level = self.context.session, self.session.log_level
        if level is not None and LEVELS.index(params.level) < LEVELS.index(level):
            return
        self._remember(provider, params)
        params = params.model_copy(update={"logger": f"{provider}/{params.logger}" if params.logger else provider})
        with suppress(MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await session.send_notification(types.LoggingMessageNotification(params=params), self.context.request_id)

    async def elicit(self, provider: str, tool: str, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Let the client ask its person. The result is `decline` if it cannot."""
        self._remember(provider, params)
        message = f"[{provider}] {params.message}"
        return await self._ask_client(params.model_copy(update={"message": message})) or types.ElicitResult(action="decline")

    @property
    def asks_for_pages(self) -> bool:
        """Whether the client is asked to open a page like any other question (2026-07-28). Earlier clients get an error instead
        and call again by themselves."""
        return self.held is not None

    def pages_wanted(self, record: CallRecord) -> UrlElicitationRequiredError | None:
        """Return the error for an earlier client if the server requires pages to be opened before the call; else None."""
        error = record.output.meta.get(PROTOCOL_ERROR) if record.output else None
        can = self.capabilities.elicitation
        if self.asks_for_pages or can is None or can.url is None or not error or error["code"] != types.URL_ELICITATION_REQUIRED:
            return None
        pages = pages_of(MCPError(types.URL_ELICITATION_REQUIRED, "", error["data"]))
        labelled = [page.model_copy(update={"message": f"[{record.provider}] {page.message}"}) for page in pages]
        return UrlElicitationRequiredError(labelled) if labelled else None

    async def became_task(self) -> None:
        """Turn the call into a task if the client supports tasks."""
        if self.held is not None and self.takes_task():
            self.held.become_task()

    def of_task(self, task_id: str) -> AskTaskClient:
        """Return a function that asks the client a task's questions on this request (2025-11-25)."""
        related = {RELATED: {"taskId": task_id}}

        async def ask(request: types.InputRequest) -> types.InputResponse | None:
            meta = {**((request.params.meta or {}) if request.params else {}), **related}
            match request:
                case types.ElicitRequest(params=params):
                    question = types.ElicitRequest(params=params.model_copy(update={"meta": meta}))
                    return await self._request(question, types.ElicitResult)
                case types.CreateMessageRequest(params=sampling):
                    return await self._sampled(types.CreateMessageRequest(params=sampling.model_copy(update={"meta": meta})))
                case _:
                    return await self._request(request, types.ListRootsResult)

        return ask

    async def progress(self, provider: str, progress: float, total: float | None, message: str | None) -> None:
        """Forward progress to the client. That of a task is only stored, because the client polls."""
        if message:
            self.session.memory.remember(provider, lambda: message)
        if self.held is not None and self.held.task_id:
            if message:  # hosts show it beside our own words on a task, so it says whose it is
                self.held.status_message = one_line(f"[{provider}] {message}", LONGEST_MESSAGE)
            return
        await self.context.session.report_progress(progress, total, message)

    async def ask(self, question: ApprovalQuestion) -> ApprovalAnswer | None:
        """Ask the client's person whether a call is allowed. Returns None if the client cannot ask, or if the question is too
        long to be shown completely."""
        view = question_view(question, "en")
        lines = [line.replace("\n", "\n  ") for line in shown(view)]
        if sum(map(len, lines)) > LONGEST_QUESTION:
            return None
        form = {
            "type": "object",
            "properties": {"allow": {"type": "boolean", "title": "Allow this call?", "default": False}},
            "required": ["allow"],
        }
        message = "\n".join([f"Jiritsu: may {question.tool} ({question.effect}) be called? {view.reason}", *lines])
        answer = await self._ask_client(types.ElicitRequestFormParams(message=message, requested_schema=form))
        if answer is None and self.held is not None and self.held.superseded:
            return ApprovalAnswer(answer="expired", reason="the client began the same call anew")
        if answer is None:
            return None
        granted = answer.action == "accept" and (answer.content or {}).get("allow") is True
        return ApprovalAnswer(answer="granted" if granted else "denied", by="the client's person")

    def _remember(self, provider: str, params: BaseModel) -> None:
        """Remember what a server says beside its answer: the client's model may read it, and so carry it to another server."""
        said = partial(params.model_dump, mode="json", exclude_none=True)
        self.session.memory.remember(provider, lambda: json.dumps(said(), ensure_ascii=False))

    async def _ask_client(self, params: types.ElicitRequestParams) -> types.ElicitResult | None:
        can = self.capabilities.elicitation
        if can is None or (not isinstance(params, types.ElicitRequestFormParams) and can.url is None):
            return None
        return await self._request(types.ElicitRequest(params=params), types.ElicitResult)

    async def _request(self, request: types.InputRequest, kind: type[AnswerT]) -> AnswerT | None:
        """Send a request to the client and return its answer; None if it cannot be asked or does not answer."""
        session = self.context.session
        if self.held is not None:
            answer = await self.held.ask(request)
            return answer if isinstance(answer, kind) else None
        if not session.can_send_request:
            return None
        try:
            metadata = ServerMessageMetadata(related_request_id=self.context.request_id)
            return await session.send_request(request, kind, metadata=metadata)
        except MCPError:
            return None
