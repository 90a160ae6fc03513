"""Tokens sent to a hosted model, and how much of each request repeats the beginning of the one before: `python -m tests.bench.model_tokens_bench`.

Four kinds of run, each twice in a row: the diary and the weekly digest over the sample, whose replies are the offline planner's with
a second opinion asked; a free goal; and a goal beside 500 real tools (`tests/discovery/data/honest_tools.jsonl.gz`), whose replies are
scripted. What is counted is what OpenAI's dialect sends, in the order in which a vendor reads it: tools, then messages. Tokens are
tiktoken's (o200k) where it is installed and finds its vocabulary, else a fourth of the bytes.
"""

import gzip
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

from autonomy.agent.loop import Executor
from autonomy.app import open_app
from autonomy.calls.services import Services
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_loading import find
from autonomy.jobs.job_templates import templates
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolCall
from autonomy.llm.model import ModelOptions, ModelRequest, OnText, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.model_registry import open_model
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.llm.vendors.http_model import RemoteModel
from autonomy.run_state.run_values import RunRequest
from autonomy.settings import load
from discovery.gateway import open_gateway
from discovery.transport.in_process import InProcess

MODEL = "openai:gpt-4.1-mini"
HONEST = Path(__file__).parents[1] / "discovery" / "data" / "honest_tools.jsonl.gz"
MANY = 500
LONG_RESULT = "Tea is best at eighty degrees, and nobody has ever regretted a second cup.\n" * 400


def token_counter() -> tuple[str, Callable[[bytes], int]]:
    """The name of the unit, and what counts it."""
    try:
        import tiktoken

        encoding = tiktoken.get_encoding(os.environ.get("TIKTOKEN_ENCODING", "o200k_base"))
    except Exception:  # not installed, or its vocabulary cannot be fetched
        return "bytes/4", lambda text: len(text) // 4
    return encoding.name, lambda text: len(encoding.encode_ordinary(text.decode(errors="ignore")))


@dataclass
class Measured:
    """A `Model` that keeps what would be sent to the hosted model, and answers by other means."""

    answers: Callable[[ModelRequest], AssistantMessage] | None = None
    sent: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    """Of each request what it is for, its tools, and its messages."""

    def __post_init__(self) -> None:
        remote = open_model(MODEL, ModelOptions(api_key="k"))
        assert isinstance(remote, RemoteModel)
        self._remote, self._planner = remote, OfflinePlanner()

    @property
    def id(self) -> str:
        """The hosted model's."""
        return MODEL

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """Note the request, and answer it."""
        body = json.loads(self._remote._encoded(request, {}))
        kind = "opinion" if request.json_schema else "plan" if request.plans else "turn" if request.tools else "words"
        self.sent.append((kind, _bytes(body.get("tools", [])), _bytes(body["messages"])))
        if request.json_schema is not None:
            return AssistantMessage(text='{"meets_the_goal": true, "missing": []}', model=MODEL)
        if request.plans or (request.messages and isinstance(request.messages[0], SystemMessage) and not request.tools):
            return AssistantMessage(text="read what there is", model=MODEL)
        return self.answers(request) if self.answers else await self._planner.complete(request, on_text)

    async def aclose(self) -> None:
        """Nothing is open."""


def _bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def show(name: str, runs: Sequence[Sequence[tuple[str, bytes, bytes]]]) -> None:
    """Print a line for each run, and one for each of its requests."""
    _, count = token_counter()
    last_of_run_before = b""
    for number, sent in enumerate(runs, 1):
        lines, total, equal, before = [], 0, 0, dict[str, bytes]()
        for at, (kind, tools, messages) in enumerate(sent):
            whole = tools + messages
            earlier = before.get(kind, b"") if kind in before else last_of_run_before if at == 0 else b""
            equal_bytes = next(
                (at for at, (one, other) in enumerate(zip(earlier, whole, strict=False)) if one != other), len(earlier)
            )
            tokens, same = count(whole), count(whole[:equal_bytes])
            before[kind] = whole
            total, equal = total + tokens, equal + same
            lines.append(f"    {kind:8} {tokens:7,} tokens, tools {count(tools):6,}, as before {same:7,} ({same / tokens:4.0%})")
        last_of_run_before = sent[0][1] + sent[0][2]
        sys.stdout.write(f"{name}, run {number}: {len(sent)} requests, {total:,} tokens, {equal / total:.0%} as before\n")
        sys.stdout.writelines(f"{line}\n" for line in lines)


async def jobs_and_goal(home: Path) -> None:
    """The runs over the sample."""
    (home / "jobs").mkdir()
    (home / "jobs" / "digest.md").write_text(templates("en")["weekly-digest"].read_text(encoding="utf-8"), encoding="utf-8")
    (home / "jiritsu.toml").write_text('language = "en"\nmodel = ["planner:offline"]\n', encoding="utf-8")
    config = load({"home": str(home)}, env={}, cwd=home)
    async with open_app(config) as app:
        await app.gateway.settle(timeout_s=60)
        defaults = RunDefaults(language="en", second_opinion=True)

        async def runs(name: str, request: Callable[[str], RunRequest]) -> None:
            found = []
            for number in (1, 2):
                model = Measured()
                result = await Executor(Chain([model]), app.services).execute(request(f"{name}-{number}"))
                sys.stdout.write(f"{name} {number}: {result.ending} {result.reason[:80]}\n")
                found.append(model.sent)
            show(name, found)

        for name in ("diary", "digest"):
            job = find(name, app.job_folders)
            await runs(name, lambda run_id, job=job: job.request(run_id, {}, now=app.now(), defaults=defaults))  # type: ignore[misc]
        goal = Task(goal="What will the weather in Osaka be tomorrow, and which pull requests did Maya open?", language="en")
        await runs("goal", lambda run_id: RunRequest(run_id=run_id, task=goal, trigger="cli", second_opinion=True))


@asynccontextmanager
async def many_tools() -> AsyncIterator[Services]:
    """A gateway before a server of 500 real tools, whose first answers are long."""
    with gzip.open(HONEST, "rt", encoding="utf-8") as lines:
        real = [json.loads(line) for _, line in zip(range(MANY), lines, strict=False)]
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    listed = [
        Tool(name=f"{one['tool'][:40]}_{at}", description=one["description"], input_schema=one["input_schema"], annotations=reads)
        for at, one in enumerate(real)
    ]

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(_context: Any, _params: Any) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text=LONG_RESULT)])

    server = Server("many", on_list_tools=list_tools, on_call_tool=call_tool)
    async with open_gateway([], in_process={"many": InProcess(server, in_backend="a measurement")}) as gateway:
        await gateway.settle(timeout_s=60)
        yield Services(gateway)


def answers_beside_many(request: ModelRequest) -> AssistantMessage:
    """Call a tool, read on in its long result, search for another, call it, and tell what was found."""
    said = sum(isinstance(message, AssistantMessage) for message in request.messages)
    names = [tool.name for tool in request.tools]
    simple = [one for one in request.tools if one.name.startswith("many_") and not one.input_schema.get("properties")]
    plays = [
        ("many", {}),
        ("read_result", {"handle": "1.1", "offset": 8000}),
        ("search_tools", {"query": "current weather of a city"}),
        ("many", {}),
        ("many", {}),
    ]
    if said >= len(plays) or not names:
        return AssistantMessage(text="Tea is best at eighty degrees.", model=MODEL)
    name, arguments = plays[said]
    called = simple[said].name if name == "many" else name
    call = ToolCall(id=f"call-{said}", name=called, arguments=arguments)
    return AssistantMessage(calls=(call,), model=MODEL, stop_reason="tool_calls")


async def beside_many() -> None:
    """The run beside 500 tools."""
    found = []
    async with many_tools() as services:
        for number in (1, 2):
            model = Measured(answers_beside_many)
            task = Task(goal="Find out how hot water for tea should be.", language="en")
            request = RunRequest(run_id=f"many-{number}", task=task, trigger="cli", timezone="Asia/Tokyo", second_opinion=True)
            result = await Executor(Chain([model]), replace(services)).execute(request)
            sys.stdout.write(f"many {number}: {result.ending} {result.reason[:80]}\n")
            found.append(model.sent)
    show(f"beside {MANY} tools", found)


def schemas() -> None:
    """Tokens of all real tools as they are sent."""
    remote = open_model(MODEL, ModelOptions(api_key="k"))
    assert isinstance(remote, RemoteModel)
    from autonomy.llm.messages import ToolDefinition

    unit, count = token_counter()
    with gzip.open(HONEST, "rt", encoding="utf-8") as lines:
        real = [json.loads(line) for line in lines]
    tools = tuple(
        ToolDefinition(name=one["tool"], description=one["description"], input_schema=one["input_schema"]) for one in real
    )
    sys.stdout.write(f"{len(tools)} real tools: {count(_bytes([remote._tool(tool) for tool in tools])):,} {unit}\n")


def main() -> None:
    """Print the figures."""
    schemas()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"JIRITSU_HOME": home, "JIRITSU_WARM": "0"}
        anyio.run(jobs_and_goal, Path(home))
    anyio.run(beside_many)


if __name__ == "__main__":
    main()
