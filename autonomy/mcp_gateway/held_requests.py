"""Keeps calls running while their client answers questions (MCP 2026-07-28).

Such a client has no channel for questions. It gets `InputRequiredResult` as its answer, and makes the same request again with the
answers (SEP-2322). Meanwhile the call waits here, in a task of its own, and is found again by a random state. A call that became
an MCP task runs here as well.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio
import anyio.abc
import mcp_types as types
from mcp import MCPError

from autonomy.llm.sampling import wants_tools
from autonomy.mcp_gateway.past_writes import OnDelivery
from discovery.schemas.schema import validate
from discovery.transport.asked_back import question_key

PATIENCE_S = 600.0
"""How long a question waits for the client's next request. After that it counts as cancelled."""
MOST_HELD = 1_000
END_S = 5.0
"""How long a request may take to end after its questions were left unanswered."""
SIBLINGS_S = 0.01
"""A server may ask several questions at once. Those that come within this time are forwarded together."""
ResultT = TypeVar("ResultT")


@dataclass(eq=False)
class HeldRequest(Generic[ResultT]):
    """One request of a client, until it is answered."""

    owner: str
    """The client that made it. Only that client may continue it."""
    what: str
    """Digest of the request, so that answers cannot be sent with another request."""
    early_answers: types.InputResponses = field(default_factory=dict)
    """Answers that the client sent before it was asked, by the server's names of the questions."""
    listener: Any = None
    """The `ClientListener` that asks its questions, in the context of the client's last request."""
    state: str = ""
    """By which the client continues it."""
    questions: dict[str, types.InputRequest] = field(default_factory=dict)
    """Open questions by key."""
    _first: dict[str, types.InputRequest] = field(default_factory=dict)
    """Questions that were answered wrongly, as they were asked first."""
    _answers: dict[str, types.InputResponse] = field(default_factory=dict)
    _changed: anyio.Event = field(default_factory=anyio.Event)
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _asked: int = 0
    superseded: bool = False
    """Whether the client began the same request anew instead of continuing this one, whose questions then stay unanswered."""
    done: bool = False
    result: ResultT | None = None
    """None while it runs, if it failed (`error`), and if it was cancelled."""
    error: Exception | None = None
    task_id: str = ""
    """The id of the MCP task that it became; empty if it did not."""
    status_message: str = ""
    """The progress of a task, in its server's words."""
    on_delivery: OnDelivery | None = None
    """For a task: called once its result was delivered or is known never to be."""
    _used_keys: set[str] = field(default_factory=set)

    async def run(self, work: Callable[[], Awaitable[ResultT]]) -> None:
        """Carry out the request. `outcome` returns when it has ended."""
        with self._scope:
            try:
                self.result = await work()
            except Exception as error:  # noqa: BLE001 - `outcome` raises it
                self.error = error
        self.done = True
        self.questions.clear()
        self._notify()

    async def ask(self, request: types.InputRequest) -> types.InputResponse | None:
        """Ask the client a question; None if it does not answer."""
        if self.superseded:
            return None
        self._asked += 1
        name = question_key.get()  # a client may know its server's questions by name
        used = self._used_keys if self.task_id else self.questions  # a task must not use a key twice
        key = name if name and name not in used else f"question-{self._asked}"
        self._used_keys.add(key)
        if key == name and key in self.early_answers and not _problem(request, answer := self.early_answers.pop(key)):
            return answer
        self.questions[key] = request
        self._notify()
        with anyio.move_on_after(PATIENCE_S):
            while key not in self._answers and key in self.questions and not self.superseded:
                await self._changed.wait()
            if key in self._answers:
                return self._answers.pop(key)
        self.questions.pop(key, None)
        return None

    def answered(self, responses: types.InputResponses) -> None:
        """Take the client's answers. A question whose answer is of the wrong type or does not fit its form is asked again."""
        for key, request in list(self.questions.items()):
            if key not in responses:
                continue
            if problem := _problem(request, responses[key]):
                self.questions[key] = _asked_again(self._first.setdefault(key, request), problem)
            else:
                self._answers[key] = responses[key]
                del self.questions[key]
        self._notify()

    def leave(self, key: str) -> None:
        """Close a question without an answer."""
        self.questions.pop(key, None)
        self._notify()

    def become_task(self) -> None:
        """Turn the request into an MCP task: the client gets the task as its answer now, and the result later."""
        self.task_id = self.task_id or secrets.token_urlsafe(24)
        self._notify()

    async def changed(self) -> None:
        """Wait for its next question, answer or end."""
        await self._changed.wait()

    async def outcome(self) -> "ResultT | types.InputRequiredResult | HeldRequest[ResultT]":
        """Wait for the answer, open questions, or itself if it became a task. Raises what the request raised."""
        while not self.done:
            if self.task_id:
                return self
            if self.questions:
                await anyio.sleep(SIBLINGS_S)
                if self.questions:
                    self.state = secrets.token_urlsafe(24)
                    return types.InputRequiredResult(input_requests=dict(self.questions), request_state=self.state)
            else:
                await self._changed.wait()
        if self.error is not None:
            raise self.error
        assert self.result is not None  # noqa: S101 - it is done without an error, and nobody waits for one that was cancelled
        return self.result

    async def supersede(self) -> None:
        """Leave its questions unanswered, and wait up to `END_S` until it has ended."""
        self.superseded = True
        self._notify()
        with anyio.move_on_after(END_S):
            while not self.done:
                await self._changed.wait()

    def give_up(self) -> None:
        """Cancel it, because its client has gone."""
        self._scope.cancel()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


@dataclass(eq=False)
class HeldRequests:
    """All requests that wait for their clients."""

    tasks: anyio.abc.TaskGroup | None = None
    """In which requests run; None while the gateway is not open."""
    _waiting: dict[str, HeldRequest[Any]] = field(default_factory=dict)

    def begin(self, owner: str, what: str, answers: types.InputResponses) -> HeldRequest[Any] | None:
        """Make a request that can ask its client questions; None if there is no room for one."""
        room = self.tasks is not None and len(self._waiting) < MOST_HELD
        return HeldRequest(owner, what, dict(answers)) if room else None

    def resumed(self, owner: str, what: str, state: str, responses: types.InputResponses) -> HeldRequest[Any]:
        """Return the request that a client continues, with its answers. Raises `MCPError` if the state is not of this request."""
        request = self._waiting.get(state)
        if request is None or request.owner != owner or request.what != what:
            raise MCPError(types.INVALID_PARAMS, "this requestState is not one of a request that waits")
        del self._waiting[state]
        request.answered(responses)
        return request

    async def answered(
        self, held: HeldRequest[ResultT], work: Callable[[], Awaitable[ResultT]] | None
    ) -> ResultT | types.InputRequiredResult | HeldRequest[ResultT]:
        """Start `work` (None if it runs already), and return `HeldRequest.outcome`."""
        if work is not None:
            assert self.tasks is not None  # noqa: S101 - checked by `begin`
            self.tasks.start_soon(held.run, work)
        try:
            outcome = await held.outcome()
        except anyio.get_cancelled_exc_class():
            held.give_up()
            raise
        if held.state and isinstance(outcome, types.InputRequiredResult):
            self._waiting[held.state] = held
            for state in [state for state, one in self._waiting.items() if not one.questions]:
                del self._waiting[state]
        return outcome

    async def supersede(self, request: HeldRequest[Any]) -> None:
        """End earlier requests that are the same, of the same client, and wait for its answers."""
        same = [state for state, one in self._waiting.items() if (one.owner, one.what) == (request.owner, request.what)]
        for earlier in [self._waiting.pop(state) for state in same]:
            await earlier.supersede()


def _problem(request: types.InputRequest, response: types.InputResponse) -> str:
    """Return why a response does not answer the request; empty if it does."""
    expected: tuple[type[types.InputResponse], ...] = (types.CreateMessageResult,)
    match request:
        case types.ElicitRequest():
            expected = (types.ElicitResult,)
        case types.ListRootsRequest():
            expected = (types.ListRootsResult,)
        case types.CreateMessageRequest(params=params) if wants_tools(params):
            expected = (types.CreateMessageResult, types.CreateMessageResultWithTools)
    if not isinstance(response, expected):
        return f"it is no {expected[0].__name__}"
    if isinstance(response, types.ElicitResult) and response.action == "accept" and isinstance(request, types.ElicitRequest):
        form = request.params.requested_schema if isinstance(request.params, types.ElicitRequestFormParams) else {}
        return "; ".join(validate(form, response.content or {}))
    return ""


def _asked_again(request: types.InputRequest, problem: str) -> types.InputRequest:
    """Add to a question why its last answer was refused. Only questions to a person have room for that."""
    if not isinstance(request, types.ElicitRequest):
        return request
    message = f"{request.params.message}\n[The last answer does not fit: {problem}]"
    return types.ElicitRequest(params=request.params.model_copy(update={"message": message}))
