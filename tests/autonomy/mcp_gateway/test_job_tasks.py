"""Jobs as tasks: a client of 2026-07-28 gets a handle, asks for the end, cancels, and finds it again after the gateway was killed."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim, advertise
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Request, RequestParams, Result, TextContent

from tests.autonomy.mcp_gateway.test_gateway_http import ALICE, BOB, Running, started, written
from tests.requirements import requirement
from tests.support.openai_chat import OpenAIChat, Silence, reply

EXTENSION = "io.modelcontextprotocol/tasks"
pytestmark = [pytest.mark.timeout(600), pytest.mark.sweep]


class TaskId(RequestParams):
    task_id: str


class Update(TaskId):
    input_responses: dict[str, Any]


class OfTask(Request[Any, str]):
    name_param: ClassVar[str | None] = "taskId"


class Task(Result):
    result_type: Literal["task"]
    task_id: str
    status: str


class AnyTask(Result):
    status: str = ""
    result: CallToolResult | None = None


class Tasks(ClientExtension):
    """What a client does with tasks: it keeps the handle, and asks until the end when `waits`."""

    identifier = EXTENSION

    def __init__(self, *, waits: bool) -> None:
        self.waits, self.handles = waits, list[str]()

    def claims(self) -> list[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Task, resolve=self.resolve)]

    async def resolve(self, task: Task, context: ClaimContext) -> CallToolResult:
        self.handles.append(task.task_id)
        if not self.waits:
            return CallToolResult(content=[TextContent(text=task.status)])
        while True:
            asked = OfTask(method="tasks/get", params=TaskId(task_id=task.task_id))
            now = await context.session.send_request(asked, AnyTask)
            if now.result is not None:
                return now.result
            await anyio.sleep(0.2)


@asynccontextmanager
async def client(running: Running, extension: ClientExtension | None, token: str = ALICE) -> AsyncIterator[Client]:
    with anyio.fail_after(300):
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=240) as http,
            Client(
                streamable_http_client(running.url, http_client=http),
                mode="2026-07-28",
                extensions=[extension] if extension else None,
            ) as connected,
        ):
            yield connected


async def of_task(connected: Client, method: str, task_id: str) -> AnyTask:
    params = Update(task_id=task_id, input_responses={}) if method == "tasks/update" else TaskId(task_id=task_id)
    return await connected.session.send_request(OfTask(method=method, params=params), AnyTask)


def home_with(tmp_path: Path, model: OpenAIChat) -> Path:
    home = written(tmp_path)
    with (home / "jiritsu.toml").open("a") as settings:
        settings.write("ask = true\n")  # of bob, who stands last
    text = (home / "jiritsu.toml").read_text().replace('writes = "allow"\n', 'writes = "allow"\nask = true\n')
    head = f'model = "compatible:one"\n[models.compatible]\nbase_url = "{model.url}"\n'
    (home / "jiritsu.toml").write_text(head + text)
    return home


@requirement("N4")
async def test_a_goal_is_a_task_for_a_client_that_knows_tasks_and_a_call_for_others(tmp_path: Path) -> None:
    with OpenAIChat() as model:
        running = await anyio.to_thread.run_sync(started, home_with(tmp_path, model))
        try:
            model.script(*[reply("It is done.")] * 20)
            tasks = Tasks(waits=True)
            async with client(running, tasks) as alice:
                done = await alice.call_tool("ask", {"goal": "Say that it is done."})
                assert done.structured_content is not None
                assert done.structured_content["run"] == tasks.handles[0]
                assert "It is done." in str(done.content)
                assert (await of_task(alice, "tasks/cancel", tasks.handles[0])).status == "", "what has ended is acknowledged"
                with pytest.raises(MCPError, match="no such task"):
                    await of_task(alice, "tasks/get", "made-up")
            async with client(running, advertise(EXTENSION), BOB) as bob:
                for method in ("tasks/get", "tasks/update", "tasks/cancel"):
                    with pytest.raises(MCPError, match="no such task"):
                        await of_task(bob, method, tasks.handles[0])
            async with client(running, None) as simple:
                with pytest.raises(MCPError, match="Missing required client capability"):
                    await of_task(simple, "tasks/get", tasks.handles[0])
                answered = await simple.call_tool("ask", {"goal": "Say that it is done."})
                assert answered.structured_content is not None
        finally:
            running.process.terminate()
            await anyio.to_thread.run_sync(running.process.wait)


@requirement("N4", "N2")
async def test_a_task_outlives_a_killed_gateway_and_can_be_cancelled(tmp_path: Path) -> None:
    with OpenAIChat() as model:
        model.script(Silence())
        home = home_with(tmp_path, model)
        first = await anyio.to_thread.run_sync(started, home)
        tasks = Tasks(waits=False)
        async with client(first, tasks) as alice:
            assert (await alice.call_tool("ask", {"goal": "Say that it is done."})).content == [TextContent(text="working")]
            while not model.requests:
                await anyio.sleep(0.05)
        os.kill(first.process.pid, signal.SIGKILL)
        await anyio.to_thread.run_sync(first.process.wait)
        model.script(*[reply("It is done.")] * 3)
        second = await anyio.to_thread.run_sync(started, home)
        try:
            async with client(second, tasks) as alice:
                while (now := await of_task(alice, "tasks/get", tasks.handles[0])).status == "working":
                    await anyio.sleep(0.2)
                assert now.status == "completed"
                assert "It is done." in str(now.result)
                model.clear()
                model.script(Silence())
                asked = len(model.requests)
                await alice.call_tool("ask", {"goal": "Say that it is done."})
                while len(model.requests) == asked:
                    await anyio.sleep(0.05)
                await of_task(alice, "tasks/update", tasks.handles[1])
                await of_task(alice, "tasks/cancel", tasks.handles[1])
                assert (await of_task(alice, "tasks/get", tasks.handles[1])).status == "cancelled"
        finally:
            second.process.terminate()
            await anyio.to_thread.run_sync(second.process.wait)
