"""A whole run in process: MCP servers made in the test, a scripted model, and every event kept."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

from autonomy.agent.loop import Executor
from autonomy.calls.backoff import Backoff
from autonomy.calls.services import Services
from autonomy.llm.model import Model, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import Script, ScriptedModel
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, Approver
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Step
from discovery.gateway import Gateway, open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from metrics.events import RunEvent

READ = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
IDEMPOTENT = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
DESTRUCTIVE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
OUTWARD = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)

NO_WAIT = Backoff(first_s=0.0, most_s=0.0)


@dataclass
class Listener:
    """An `EventSink` that keeps what it hears."""

    events: list[RunEvent] = field(default_factory=list)

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Keep them."""
        self.events += events

    def of(self, kind: type) -> list[Any]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


@dataclass
class House:
    """What a test drives and looks at."""

    executor: Executor
    model: ScriptedModel
    gateway: Gateway
    heard: Listener
    written: Listener
    """What went to the journal."""

    async def run(self, goal: str = "do it", **asked: Any) -> RunResult:
        """Execute one request; `asked` are fields of `RunRequest`, or of its task."""
        task = Task(goal=goal, **{name: asked.pop(name) for name in list(asked) if name in Task.model_fields})
        return await self.executor.execute(RunRequest(**{"run_id": "run-1", "task": task, "trigger": "test", **asked}))


def remembering() -> Step:
    """A step that does everything once, and plays it again from then on."""
    kept: dict[str, Any] = {}

    async def step(name: str, effect: Any, returns: Any) -> Any:
        if name not in kept:
            kept[name] = await effect()
        return kept[name]

    return step


def person_who(
    answer: Literal["granted", "denied", "expired"], asked: list[ApprovalQuestion] | None = None, reason: str = ""
) -> Approver:
    """A person with the same answer to every question. `asked` takes the questions."""

    async def approver(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        if asked is not None:
            asked.append(question)
        return ApprovalAnswer(answer=answer, by="somebody", reason=reason)

    return approver


@asynccontextmanager
async def house(
    *servers: MCPServer | ServerConfig, script: Script = (), model: Model | None = None, **means: Any
) -> AsyncIterator[House]:
    """Open the servers, those of this process and those with an entry; `means` are fields of `Services`."""
    scripted = ScriptedModel(script)
    heard, written = Listener(), Listener()
    in_process = {
        server.name: InProcess(server, in_backend="a test") for server in servers if not isinstance(server, ServerConfig)
    }
    entries = [server for server in servers if isinstance(server, ServerConfig)]
    async with open_gateway(entries, in_process=in_process) as gateway:
        chosen = Services(gateway, **{"backoff": NO_WAIT, "watchers": (heard,), "journal": written, **means})
        yield House(Executor(Chain([model or scripted]), chosen), scripted, gateway, heard, written)
