"""Plays the host for a model in tests: runs its calls against a few functions, in the shape the executor gives them back."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autonomy.calls.results.result_truncation import whole_text
from autonomy.llm.messages import AssistantMessage, Message, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import Model, ModelRequest, Task
from discovery.catalog import ToolOutput

Run = Callable[[dict[str, Any]], Any]


class Refused(Exception):
    """A tool's own error."""


@dataclass(frozen=True)
class Answer:
    """Words for the model beside data for programs."""

    text: str
    structured: Any


@dataclass(frozen=True)
class Tool:
    """A tool as a function of its arguments."""

    name: str
    description: str
    properties: dict[str, Any]
    run: Run
    required: tuple[str, ...] = ()
    effect: str = "read"
    undeclared: str = ""
    """The server of a tool that counts as a write only because nobody says what it does."""

    @property
    def definition(self) -> ToolDefinition:
        schema = {"type": "object", "properties": self.properties, "required": list(self.required)}
        return ToolDefinition(name=self.name, description=self.description, input_schema=schema)


@dataclass
class Conversation:
    """What was said and done."""

    messages: list[Message] = field(default_factory=list)
    turns: int = 0

    @property
    def text(self) -> str:
        last = self.messages[-1]
        assert isinstance(last, AssistantMessage)
        return last.text

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        return [(call.name, call.arguments) for one in self.messages if isinstance(one, AssistantMessage) for call in one.calls]

    def called(self, name: str) -> list[dict[str, Any]]:
        return [arguments for tool, arguments in self.calls if tool == name]


async def converse(
    model: Model,
    task: Task,
    tools: Sequence[Tool],
    *,
    remarks: Sequence[str] = (),
    max_turns: int = 12,
    talk_after: int | None = None,
    absent: tuple[str, ...] = (),
) -> Conversation:
    """Run the loop: replies and calls until the model answers in words, then the host's remarks one by one."""
    by_name = {tool.name: tool for tool in tools}

    async def run(name: str, arguments: dict[str, Any]) -> tuple[Any, bool]:
        try:
            answer = by_name[name].run(arguments)
            return (await answer if isinstance(answer, Awaitable) else answer), False
        except Refused as error:
            return str(error), True

    said = Conversation([UserMessage(text=task.goal)])
    left = list(remarks)
    while said.turns < max_turns:
        said.turns += 1
        request = ModelRequest(
            messages=tuple(said.messages),
            tools=tuple(tool.definition for tool in tools),
            task=task,
            effects={tool.name: tool.effect for tool in tools},
            undeclared={tool.name: tool.undeclared for tool in tools if tool.undeclared},
            absent=absent,
            tool_choice="none" if talk_after is not None and said.turns > talk_after else "auto",
        )
        reply = await model.complete(request)
        again = await model.complete(ModelRequest.model_validate_json(request.model_dump_json()))
        assert reply == again, "a model that plans must decide the same from the same conversation"
        said.messages.append(reply)
        for call in reply.calls:
            answer, failed = await run(call.name, call.arguments)
            if not isinstance(answer, Answer):
                answer = (
                    Answer(answer, None) if isinstance(answer, str) else Answer(json.dumps(answer, ensure_ascii=False), answer)
                )
            said.messages.append(
                ToolResult(
                    call_id=call.id,
                    name=call.name,
                    text=whole_text(ToolOutput(text=answer.text, structured=answer.structured)),
                    is_error=failed,
                    kind="terminal" if failed else "ok",
                    structured=answer.structured,
                )
            )
        if not reply.calls:
            if not left:
                return said
            said.messages.append(UserMessage(text=left.pop(0), host=True))
    raise AssertionError(f"still not done after {max_turns} turns: {said.calls}")
