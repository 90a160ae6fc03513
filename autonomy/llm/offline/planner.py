"""The offline planner as a `Model`.

It knows no tool by name. It plans from what a job declares it needs, from the tools' own names, descriptions and schemas, fills
arguments from inputs and earlier results, and writes by picking lines out of what it read. Each reply is worked out afresh from
the conversation, so that a resumed run decides the same. Called like any model; calls `need_solver` for declared needs and
`answering` for a goal in words.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

import anyio.to_thread

from autonomy.errors import ModelRejected
from autonomy.llm.messages import FREE, AssistantMessage, StopReason, ToolCall, UserMessage
from autonomy.llm.model import ModelRequest, OnText, Task
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState
from autonomy.llm.offline.need_solver import solve_needs, zone_of
from autonomy.llm.offline.refusal import Refusal, SmallTalk

MODEL_ID = "planner:offline"


class Planning(Protocol):
    """Plans the next reply of a run."""

    def __call__(self, task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> str:
        """The text that ends the run. Raises `AnswerPending` with the calls that come first noted, unless it must talk now."""
        ...


@dataclass(frozen=True)
class OfflinePlanner:
    """A `Model` without a model. `today` stands in for the day on which the run began, where a job gives no `date` input."""

    today: Callable[[], date] | None = None

    @property
    def id(self) -> str:
        """`planner:offline`."""
        return MODEL_ID

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """The calls that come next, or the text when everything is known. Raises `ModelRejected` when JSON is asked for."""
        if request.json_schema is not None:
            raise ModelRejected(MODEL_ID, "the offline planner writes text by picking out lines; it cannot fill a JSON schema")
        if request.plans:
            return AssistantMessage(model=MODEL_ID, usage=FREE)
        task = request.task or Task(goal=_goal(request))
        state = ConversationState(request.messages)
        talking = request.tool_choice == "none"
        plan = solve_needs if task.needs else await _goal_planning()
        try:
            text = plan(task, request, state, self._day(task, request), talking=talking)
        except AnswerPending:
            return self._calling(state)
        if on_text is not None:
            await on_text(text)
        return AssistantMessage(text=text, model=MODEL_ID, usage=FREE, stop_reason=_stop_reason(text))

    async def aclose(self) -> None:
        """Holds nothing."""

    def _day(self, task: Task, request: ModelRequest) -> date:
        try:
            return date.fromisoformat(str(task.inputs.get("date", ""))[:10])
        except ValueError:
            return self.today() if self.today else (request.now or datetime.now(zone_of(task, request))).date()

    @staticmethod
    def _calling(state: ConversationState) -> AssistantMessage:
        calls = tuple(
            ToolCall(id=f"planner-{number}", name=call.tool, arguments=call.arguments)
            for number, call in enumerate(state.planned.values(), start=state.calls + 1)
        )
        return AssistantMessage(calls=calls, model=MODEL_ID, usage=FREE, stop_reason="tool_calls")


def _stop_reason(text: str) -> StopReason:
    return "refusal" if isinstance(text, Refusal) else "small_talk" if isinstance(text, SmallTalk) else "end"


@functools.cache
def _answer_goal() -> Planning:
    """Plan for a goal in words. To import its vocabulary and patterns takes a quarter of a second; jobs need none."""
    from autonomy.llm.offline.goal_answering import answer_goal

    return answer_goal


async def _goal_planning() -> Planning:
    """The same, imported off the event loop the first time."""
    return _answer_goal() if _answer_goal.cache_info().currsize else await anyio.to_thread.run_sync(_answer_goal)


def _goal(request: ModelRequest) -> str:
    texts = [message.text for message in request.messages if isinstance(message, UserMessage) and not message.host]
    return texts[-1] if texts else ""
