"""Passes a server's questions during a call on to the gateway's client (`discovery.transport.asked_back`)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp import MCPError, UrlElicitationRequiredError
from mcp.server.context import ServerRequestContext
from mcp.shared.message import ServerMessageMetadata

from autonomy.calls.retry import PROTOCOL_ERROR
from autonomy.llm.sampling import wants_tools
from autonomy.mcp_gateway.held_requests import HeldRequest
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.mcp_gateway.tasks.call_tasks import AskTaskClient
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.question_view import question_view, shown
from autonomy.run_state.run_values import CallRecord
from discovery.tool_calls.task_messages import RELATED
from discovery.transport.asked_back import Sampled, pages_of

Context = ServerRequestContext[Any]
AnswerT = TypeVar(
    "AnswerT", types.ElicitResult, types.CreateMessageResult, types.CreateMessageResultWithTools, types.ListRootsResult
)
LONGEST_QUESTION = 8_000
"""Characters of a question that a client shows its person; a longer one stands where the operator's questions stand."""
LEVELS: tuple[types.LoggingLevel, ...] = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""Of logs, the least grave first (RFC 5424)."""


@dataclass(eq=False)
class ClientListener:
    """The client that made a call, as whom a server's questions, log and progress go back to."""

    context: Context
    """The context of its last request: one that was asked about goes on under another."""
    held: "HeldRequest[Any] | None" = None
    session: ClientSession | None = None
    takes_task: Callable[[], bool] = lambda: False
    """Whether the client knows what to do with a task, and there is room for one."""

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The client's capabilities, as far as they are forwarded."""
        can = self.context.session.client_capabilities or types.ClientCapabilities()
        return types.ClientCapabilities(elicitation=can.elicitation, sampling=can.sampling, roots=can.roots)

    async def sample(self, provider: str, tool: str, params: types.CreateMessageRequestParams) -> Sampled:
        """Let the client's own model answer, with the server's tools where the client knows them (MCP 2025-11-25)."""
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
        """What the client's model says; calls of tools come in a list of parts."""
        if not wants_tools(request.params):
            return await self._request(request, types.CreateMessageResult)
        if self.held is None:
            return await self._request(request, types.CreateMessageResultWithTools)
        answer = await self.held.ask(request)  # one that calls no tool comes as any other reply
        return answer if isinstance(answer, types.CreateMessageResult | types.CreateMessageResultWithTools) else None

    async def roots(self, provider: str) -> types.ListRootsResult | None:
        """The client's own folders, if it tells any."""
        return (
            await self._request(types.ListRootsRequest(), types.ListRootsResult) if self.capabilities.roots is not None else None
        )

    async def logged(self, provider: str, params: types.LoggingMessageNotificationParams) -> None:
        """Forward a server's log to the client, from the level that it set."""
        session, level = self.context.session, self.session.log_level if self.session else None
        if level is not None and LEVELS.index(params.level) < LEVELS.index(level):
            return
        params = params.model_copy(update={"logger": f"{provider}/{params.logger}" if params.logger else provider})
        with suppress(MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await session.send_notification(types.LoggingMessageNotification(params=params), self.context.request_id)

    async def elicit(self, provider: str, tool: str, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Let the client ask its person; one that cannot declines."""
        message = f"[{provider}] {params.message}"
        return await self._ask_client(params.model_copy(update={"message": message})) or types.ElicitResult(action="decline")

    @property
    def asks_for_pages(self) -> bool:
        """A client of 2026-07-28 is asked as about anything else; an earlier one knows the refusal, and calls again by itself."""
        return self.held is not None

    def pages_wanted(self, record: CallRecord) -> UrlElicitationRequiredError | None:
        """The error for a client that opens pages by itself, where the server wants some opened before the call."""
        error = record.output.meta.get(PROTOCOL_ERROR) if record.output else None
        can = self.capabilities.elicitation
        if self.asks_for_pages or can is None or can.url is None or not error or error["code"] != types.URL_ELICITATION_REQUIRED:
            return None
        pages = pages_of(MCPError(types.URL_ELICITATION_REQUIRED, "", error["data"]))
        labelled = [page.model_copy(update={"message": f"[{record.provider}] {page.message}"}) for page in pages]
        return UrlElicitationRequiredError(labelled) if labelled else None

    async def became_task(self) -> None:
        """Make the call a task for a client that knows tasks."""
        if self.held is not None and self.takes_task():
            self.held.become_task()

    def of_task(self, task_id: str) -> AskTaskClient:
        """A function that puts a task's questions to the client on this request (2025-11-25)."""
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

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Forward progress to the client; of a task it is kept, because the client polls."""
        if self.held is not None and self.held.task_id:
            self.held.status_message = message or self.held.status_message
            return
        await self.context.session.report_progress(progress, total, message)

    async def ask(self, question: ApprovalQuestion) -> ApprovalAnswer | None:
        """Ask the client's person whether a call is allowed; None when it cannot ask, or not show all that an answer binds."""
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

    async def _ask_client(self, params: types.ElicitRequestParams) -> types.ElicitResult | None:
        can = self.capabilities.elicitation
        if can is None or (not isinstance(params, types.ElicitRequestFormParams) and can.url is None):
            return None
        return await self._request(types.ElicitRequest(params=params), types.ElicitResult)

    async def _request(self, request: types.InputRequest, kind: type[AnswerT]) -> AnswerT | None:
        """What the client answers; None when it cannot be asked, or does not answer."""
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
