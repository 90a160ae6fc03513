"""Sends our requests to one server: tool calls, resources, prompts, completions."""

import math
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp import Client, MCPError
from mcp.client.session import ClientRequestContext
from mcp_types import CallToolResult, ErrorData, InputRequest
from pydantic import BaseModel, TypeAdapter, ValidationError

from discovery.catalog import JsonObject, ToolOutput
from discovery.connections.server_requests import ServerRequests
from discovery.discovery_errors import CallFailed, CallTimedOut, DiscoveryError, ProviderBusy, ProviderUnavailable
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock
from discovery.tool_calls.send_call import ask_of_task, call_tool
from discovery.tool_calls.task_messages import SHORTEST_POLL_S, RemoteTask
from discovery.tool_calls.task_polling import NoKeeper, TaskKeeper, TaskPolling
from discovery.transport import answers
from discovery.transport.asked_back import LONGEST_TIMES, CallInFlight
from discovery.transport.connection_end import cause_of
from discovery.transport.exchange import Exchange

KEPT_S = 3600.0
"""A server is asked to keep a task this much longer than its call may take, so that it outlives a restart of ours."""

ResultT = TypeVar("ResultT")
AnswerT = TypeVar("AnswerT", bound=BaseModel)
_INPUT_REQUEST: TypeAdapter[InputRequest] = TypeAdapter(InputRequest)


class OutgoingRequests:
    """Our requests to one provider, over all its connections. The connection sets `client` and `exchange`; any task may send."""

    def __init__(
        self,
        config: ServerConfig,
        settings: GatewaySettings,
        clock: Clock,
        incoming: ServerRequests,
        *,
        why_away: Callable[[], str],
        failure: Callable[[MCPError, str], DiscoveryError],
        learn_from: Callable[[str], None],
    ) -> None:
        """`incoming` are the server's own requests, which may belong to ours. `failure` converts an error answer into the
        caller's error; `learn_from` is called with the text of a failed call."""
        self.client: Client | None = None
        """Set while the provider can be called."""
        self.exchange: Exchange | None = None
        """The exchange of the present connection; None for a server in this process."""
        self.alive_at = 0.0
        """When the server last answered, in monotonic seconds."""
        self.suspect = anyio.Event()
        """Set if the server did not answer in time."""
        self._name, self._at_once = config.name, config.max_concurrency
        self._settings, self._clock, self._incoming = settings, clock, incoming
        self._why_away, self._failure, self._learn_from = why_away, failure, learn_from
        self._slots = anyio.CapacityLimiter(config.max_concurrency) if config.max_concurrency else None

    async def call(
        self,
        tool: str,
        arguments: JsonObject,
        *,
        timeout_s: float,
        meta: JsonObject,
        longest_s: float | None = None,
        as_task: bool = False,
        keeper: TaskKeeper | None = None,
    ) -> ToolOutput:
        """Send one call, once. `tool` is the provider's own name of it; a call that reports progress may take up to `longest_s`.

        With `as_task`, the server makes a task of the call and `keeper` stores the task's id. If `keeper` already knows a task,
        that task is followed and nothing is called. Raises ProviderUnavailable and ProviderBusy if nothing was done, else
        CallTimedOut, ConnectionLost or CallFailed.
        """
        client = self._connected()
        started, sent, kept_s = self._clock.monotonic(), False, None
        if as_task:
            kept_s = KEPT_S + (LONGEST_TIMES * timeout_s if longest_s is None else longest_s)
        known = keeper.known if keeper is not None else ""
        task = ""
        try:
            with anyio.move_on_after(timeout_s) as scope:
                async with self._slots or nullcontext():
                    sent = True
                    with self._incoming.during(self._flight(tool, scope, timeout_s, longest_s)) as flight:
                        result: CallToolResult | RemoteTask = RemoteTask(known, "working", poll_s=SHORTEST_POLL_S)
                        if not known:
                            result = await call_tool(
                                client, self.exchange, self._name, tool, arguments, flight=flight, meta=meta, keep_s=kept_s
                            )
                        if isinstance(result, RemoteTask):
                            task = result.id
                            result = await self._followed(result, flight, keeper or NoKeeper())
            if scope.cancelled_caught or isinstance(result, RemoteTask):
                raise TimeoutError  # noqa: TRY301 - as `fail_after` does, without its two further context managers per call
        except TimeoutError:
            if not sent:
                raise ProviderBusy(self._name, f"all {self._at_once} calls it may do at once are taken") from None
            self.suspect.set()
            took_s = self._clock.monotonic() - started
            cause = (
                f"its task had not ended after {took_s:.0f} s, and was cancelled" if task else f"no answer within {timeout_s:g} s"
            )
            raise CallTimedOut(self._name, tool, cause) from None
        except MCPError as error:
            raise self._failure(error, tool) from error
        except (ValueError, RuntimeError) as error:  # ValidationError is a ValueError
            cause = f"its answer is not a tool result: {cause_of(error)}"
            raise CallFailed(self._name, tool, cause, outcome_unknown=True) from error
        self.alive_at = self._clock.monotonic()
        read = partial(self._read, result, self.alive_at - started)
        output = await anyio.to_thread.run_sync(read) if answers.is_large(result) else read()
        if output.is_error:
            self._learn_from(output.text)
        return output

    async def _followed(self, task: RemoteTask, flight: CallInFlight, keeper: TaskKeeper) -> CallToolResult:
        """Follow the task that the server made of a call, and return its result."""
        if not keeper.known:
            await keeper.began(task.id)
        if flight.listener is not None:
            await flight.listener.became_task()

        async def ask(method: str, params: JsonObject) -> JsonObject:
            client, exchange = self._connected(), self.exchange
            assert exchange is not None, "only a server outside this process makes tasks"  # noqa: S101
            longest_s = math.inf if method == "tasks/result" else self._settings.health_timeout_s
            with anyio.move_on_after(longest_s):
                try:
                    return await ask_of_task(client, exchange, method, params)
                except MCPError as error:
                    raise self._failure(error, flight.tool) from error
            self.suspect.set()
            raise CallTimedOut(self._name, flight.tool, f"no answer to {method} within {longest_s:g} s")

        async def answer(name: str, question: Any) -> JsonObject | ErrorData:
            client = self._connected()
            context = ClientRequestContext(session=client.session, request_id=name)
            reply = await client.session.dispatch_input_request(context, _INPUT_REQUEST.validate_python(question))
            return reply if isinstance(reply, ErrorData) else reply.model_dump(mode="json", by_alias=True, exclude_none=True)

        def modern() -> bool:
            return self._incoming.names_questions

        return await TaskPolling(self._name, flight.tool, ask, answer, flight, keeper, modern).follow(task)

    def _read(self, result: CallToolResult, duration_s: float) -> ToolOutput:
        output = answers.output_of(result, duration_s=duration_s, max_text_chars=self._settings.max_text_chars)
        return self._incoming.redaction.output(output)

    def redacted(self, answer: AnswerT) -> AnswerT:
        """Return the answer without the secrets that the server was given."""
        return self._incoming.redaction.message(answer)

    async def ask(self, what: str, timeout_s: float, ask: Callable[[Client], Awaitable[ResultT]]) -> ResultT:
        """Send any request that is not a tool call. Raises what `call` raises."""
        client = self._connected()
        try:
            with anyio.fail_after(timeout_s) as scope, self._incoming.during(self._flight(what, scope, timeout_s)):
                result = await ask(client)
        except TimeoutError:
            self.suspect.set()
            raise CallTimedOut(self._name, what, f"no answer within {timeout_s:g} s") from None
        except MCPError as error:
            raise self._failure(error, what) from error
        except (ValidationError, RuntimeError) as error:
            raise CallFailed(self._name, what, f"its answer cannot be read: {cause_of(error)}") from error
        self.alive_at = self._clock.monotonic()
        return result

    def _connected(self) -> Client:
        if self.client is None:
            raise ProviderUnavailable(self._name, self._why_away() or "it is still connecting")
        return self.client

    def _flight(self, what: str, scope: anyio.CancelScope, timeout_s: float, longest_s: float | None = None) -> CallInFlight:
        return CallInFlight(what, scope, timeout_s, longest_s, hide=self._incoming.redaction.text, provider=self._name)
