"""A program that waits for a server's task, to be killed meanwhile: `live("FOLDER", "OPTIONS")`.

One durable run over the stdio server whose tools are tasks. It calls that tool once, and says "done".
"""

import json
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.durable.durable_runs import open_runs
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.memory.sql_remote_tasks import SqlRemoteTasks
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.gateway import open_gateway
from metrics.journal import Journal
from tests.support.durable import LOOKING, QUICK, asked, prepared
from tests.support.server_configs import task_server

RUN = "run-task"
ALLOW = Policy(rules=(PolicyRule(name="all", decision="allow", tool="*"),))


def one_call(request: ModelRequest) -> AssistantMessage | str:
    """What the model says: one call, and that is it."""
    asked_before = any(isinstance(message, AssistantMessage) for message in request.messages)
    return "done" if asked_before else calling(("far_long", {"text": "a"}))


def live(*arguments: str) -> None:
    """One life of the program."""
    anyio.run(main, arguments)


async def main(arguments: tuple[str, ...]) -> None:
    """Take the run as far as it goes; in a life that is not killed, to its end."""
    folder, options = Path(arguments[0]), json.loads(arguments[1])
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{folder / 'jiritsu.db'}")
    store = Store(engine)
    kept: dict[str, Any] = {"ledger": SqlLedger(store), "remote_tasks": SqlRemoteTasks(store), "journal": Journal(engine)}
    async with open_gateway([task_server(folder, **options)]) as gateway:
        await gateway.settle(60)
        executor = Executor(Chain([ScriptedModel(one_call)]), Services(gateway, ALLOW, **kept))
        async with open_runs(engine, executor, RunRecords(engine), takes_work=True, concurrency=QUICK, liveness=LOOKING) as runs:
            await runs.run(asked(RUN))
    await anyio.to_thread.run_sync(engine.dispose)
