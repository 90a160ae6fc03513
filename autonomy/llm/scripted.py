"""A model that replays scripted replies, for tests of jobs and hosts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from autonomy.errors import ModelError, ModelRejected
from autonomy.llm.messages import FREE, AssistantMessage, ToolCall
from autonomy.llm.model import ModelRequest, OnText
from discovery.catalog import JsonObject

Reply = AssistantMessage | ModelError | str
"""What one request is answered with: a message, its text alone, or an error that is raised."""
Script = Iterable[Reply] | Callable[[ModelRequest], Reply]


def calling(*calls: tuple[str, JsonObject], text: str = "") -> AssistantMessage:
    """A reply that calls these tools; their ids are `call-1`, `call-2`, … unless `ScriptedModel` numbers them on."""
    made = tuple(
        ToolCall(id=f"call-{number}", name=name, arguments=arguments) for number, (name, arguments) in enumerate(calls, 1)
    )
    return AssistantMessage(text=text, calls=made, stop_reason="tool_calls")


@dataclass
class ScriptedModel:
    """A `Model` that answers from a list, in order, or from a function of the request, and remembers what it was asked.

    Asked for nothing but a plan of writes it declares `plan`, or nothing, and the script waits. Asked for more
    than the list holds, it raises `ModelRejected`: a script that is too short is a mistake of the test.
    """

    script: Script
    name: str = "model"
    requests: list[ModelRequest] = field(default_factory=list)
    closed: bool = False
    plan: JsonObject | None = None

    def __post_init__(self) -> None:
        self._left = None if callable(self.script) else iter(self.script)
        self._calls = 0

    @property
    def id(self) -> str:
        """`scripted:` and its name."""
        return f"scripted:{self.name}"

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """The next reply, its calls numbered through the conversation."""
        if request.plans:
            return self._planned()
        self.requests.append(request)
        reply = self._next(request)
        if isinstance(reply, ModelError):
            raise reply
        message = AssistantMessage(text=reply) if isinstance(reply, str) else reply
        if message.text and on_text is not None:
            await on_text(message.text)
        return message.model_copy(
            update={"model": self.id, "calls": tuple(map(self._numbered, message.calls)), "usage": self._usage(message)}
        )

    async def aclose(self) -> None:
        """Remembers that it was closed."""
        self.closed = True

    def _planned(self) -> AssistantMessage:
        call = ToolCall(id="plan", name="declare_plan", arguments=self.plan or {})
        return AssistantMessage(calls=() if self.plan is None else (call,), model=self.id, usage=FREE)

    def _next(self, request: ModelRequest) -> Reply:
        if callable(self.script):
            return self.script(request)
        reply = next(self._left, None) if self._left is not None else None
        if reply is None:
            raise ModelRejected(self.id, f"the script has no reply for request {len(self.requests)}")
        return reply

    def _numbered(self, call: ToolCall) -> ToolCall:
        self._calls += 1
        return call.model_copy(update={"id": f"call-{self._calls}"}) if call.id.startswith("call-") else call

    @staticmethod
    def _usage(message: AssistantMessage) -> object:
        return message.usage if message.usage.input_tokens or message.usage.output_tokens else FREE
