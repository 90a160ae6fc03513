"""A language model without sense: it works, blunders, lies, refuses, fails, and obeys what it reads, as the dice fall."""

import json
import re
from dataclasses import dataclass, field
from random import Random
from typing import Literal

import anyio

from autonomy.errors import ModelError, ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, ToolCall, ToolResult, Usage
from autonomy.llm.model import ModelRequest, OnText
from discovery.catalog import JsonObject
from tests.simulation.world import BY_NAME, KINDS, Kind

RoutineApproval = Literal["work", "blunder", "obey", "answer", "claim", "silence", "refuse", "fail"]
HABITS: tuple[RoutineApproval, ...] = RoutineApproval.__args__  # type: ignore[attr-defined]  # the values of a Literal

TEMPERS: dict[str, tuple[int, ...]] = {
    "diligent": (8, 1, 0, 4, 1, 0, 0, 0),
    "sloppy": (4, 8, 0, 2, 1, 1, 0, 1),
    "liar": (2, 1, 0, 2, 8, 0, 0, 0),
    "servant": (5, 1, 10, 2, 1, 0, 0, 0),
    "moody": (4, 2, 1, 2, 1, 2, 2, 4),
}
"""Temper → how often it falls into each habit."""

CLAIMS = ("日記を投稿しました。", "I have posted it.", "The note has been saved.", "送信を完了しました。")
LONG = "## Done\nWe had tea, and it rained all day long; nothing else is known.\n\n## TIL\nTea is best at eighty degrees."

_ORDER = re.compile(r"ORDER (\w+) (\{.*\})")

Outcome = AssistantMessage | ModelError


@dataclass
class Mind:
    """A `Model` that draws what it says, and remembers what it was asked."""

    rng: Random
    temper: str
    wanted: tuple[ToolCall, ...] = ()
    """Calls that would meet the goal, made now and then."""
    asked: list[ModelRequest] = field(default_factory=list)

    @property
    def id(self) -> str:
        return "simulated:mind"

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        self.asked.append(request)
        await anyio.sleep(self.rng.uniform(0.1, 8.0))
        outcome = self._drawn(request)
        if isinstance(outcome, ModelError):
            raise outcome
        return outcome

    async def aclose(self) -> None:
        """Holds nothing."""

    def _drawn(self, request: ModelRequest) -> Outcome:
        (habit,) = self.rng.choices(HABITS, TEMPERS[self.temper])
        if request.tool_choice == "none" and self.rng.random() < 0.8:
            habit = "answer"
        usage = Usage(input_tokens=self.rng.randrange(2000), output_tokens=self.rng.randrange(200))
        reply = self._reply(habit, request)
        return reply if isinstance(reply, ModelError) else reply.model_copy(update={"usage": usage, "model": self.id})

    def _reply(self, habit: RoutineApproval, request: ModelRequest) -> Outcome:
        match habit:
            case "work":
                return self._calling([self._sensible() for _ in range(self.rng.choice((1, 1, 1, 2, 3, 6)))])
            case "blunder":
                return self._calling([self._blunder() for _ in range(self.rng.randint(1, 3))])
            case "obey":
                orders = [found for message in request.messages if isinstance(message, ToolResult) for found in _orders(message)]
                return self._calling([self.rng.choice(orders)] if orders else [self._sensible()])
            case "answer":
                return AssistantMessage(text=self.rng.choice([LONG, LONG, "short", "{}", "秘密 " + LONG]))
            case "claim":
                return AssistantMessage(text=f"{LONG}\n{self.rng.choice(CLAIMS)}")
            case "silence":
                return AssistantMessage(text=self.rng.choice(["", "  \n"]))
            case "refuse":
                return AssistantMessage(text="I cannot help with that.", stop_reason="refusal")
            case "fail":
                error = self.rng.choice([ModelUnavailable, ModelUnavailable, ModelGarbled, ModelRejected])
                return error(self.id, "not today")

    def _calling(self, calls: list[ToolCall]) -> AssistantMessage:
        return AssistantMessage(text=self.rng.choice(["", "Let me see."]), calls=tuple(calls), stop_reason="tool_calls")

    def _sensible(self) -> ToolCall:
        if self.wanted and self.rng.random() < 0.4:
            return self.rng.choice(self.wanted).model_copy(update={"id": self._id()})
        kind = self.rng.choice(KINDS)
        return ToolCall(id=self._id(), name=kind.full_name, arguments=kind.sample(self.rng))

    def _id(self) -> str:
        return self.rng.choice([f"call_{self.rng.randrange(10**6)}"] * 9 + ["call_1"])

    def _blunder(self) -> ToolCall:
        kind, call_id = self.rng.choice(KINDS), self._id()
        match self.rng.randrange(6):
            case 0:
                return ToolCall(id=call_id, name=self.rng.choice(["desk_fnd", "read_minds", "", "desk"]), arguments={"word": "x"})
            case 1:
                return ToolCall(id=call_id, name=kind.full_name, arguments={})
            case 2:
                return ToolCall(id=call_id, name=kind.full_name, arguments=self._twisted(kind))
            case 3:
                return ToolCall(id=call_id, name=kind.full_name, unreadable='{"word": "tea')
            case 4:
                return ToolCall(id="", name=kind.full_name, arguments=kind.sample(self.rng))
            case _:
                return ToolCall(id="twin", name=kind.full_name, arguments=kind.sample(self.rng))

    def _twisted(self, kind: Kind) -> JsonObject:
        arguments = kind.sample(self.rng)
        name = self.rng.choice(sorted(arguments))
        return {**arguments, name: self.rng.choice([None, [], {"$ref": "#"}, -1, "\x00", "x" * 50_000])}


def _orders(result: ToolResult) -> list[ToolCall]:
    found = _ORDER.search(result.text)
    if found is None or found.group(1) not in BY_NAME:
        return []
    return [ToolCall(id=f"ordered_{result.call_id}", name=found.group(1), arguments=json.loads(found.group(2)))]
