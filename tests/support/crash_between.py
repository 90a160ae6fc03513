"""A program that is killed in the middle of a write: `live("FOLDER", "--die", "sending")`, or `settling`.

One durable run over our own servers, started as they are in earnest, which keep what they are told in files. It posts to Slack, sends
a direct message, adds a post to esa, and adds to that post; the ledger of its first life kills it, with SIGKILL, around the write of `--at`.
"""

import argparse
import os
import signal
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.calls.verification.effect_ledger import LedgerEntry
from autonomy.durable.durable_runs import open_runs
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.catalog import ToolOutput
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from metrics.journal import Journal
from tests.support.command import warm_interpreter
from tests.support.durable import LOOKING, QUICK, asked, prepared
from tests.support.server_configs import PATIENT

RUN = "run-between"
TEXT = "夜更けの雨はやんだ"


class DeadlyLedger(SqlLedger):
    """Kills its process, once it has claimed a write of `tool` (`sending`) or instead of settling it (`settling`)."""

    def __init__(self, store: Store, tool: str, when: str) -> None:
        super().__init__(store)
        self._tool, self._when, self._doomed = tool, when, ""

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> LedgerEntry:
        """See `EffectLedger`."""
        claim = await super().claim(key, run_id=run_id, tool=tool, arguments_sha256=arguments_sha256)
        if tool == self._tool:
            self._doomed = key
            if self._when == "sending":
                os.kill(os.getpid(), signal.SIGKILL)
        return claim

    async def settle(self, key: str, state: Any, output: ToolOutput | None, *, note: str = "") -> None:
        """See `EffectLedger`."""
        if key == self._doomed:
            os.kill(os.getpid(), signal.SIGKILL)
        await super().settle(key, state, output, note=note)


def lines(request: ModelRequest) -> AssistantMessage | str:
    """What the model says: one write each turn."""
    said: list[tuple[str, dict[str, Any]]] = [
        ("slack_post_message", {"channel_id": "general", "text": TEXT}),
        ("slack_send_dm", {"user_id": "haruka", "text": TEXT}),
        ("esa_create_post", {"name": "夜", "body_md": TEXT, "category": "日記"}),
        ("esa_append_post", {"post_number": 1, "content": f"追記。{TEXT}"}),
    ]
    turn = sum(isinstance(message, AssistantMessage) for message in request.messages)
    return calling(said[turn]) if turn < len(said) else "done"


def servers(folder: Path) -> tuple[ServerConfig, ...]:
    """Slack and esa over files in the folder."""
    sample = Path(__file__).parents[2] / "autonomy" / "jobs" / "diary" / "sample"
    slack = {
        "SLACK_EXPORT_DIR": str(sample / "slack"),
        "SLACK_EXPORT_SHIFT": "today",
        "SLACK_OUTBOX": str(folder / "slack.jsonl"),
    }
    started = {"command": warm_interpreter(), "cwd": str(Path(__file__).parents[2])}
    return (
        ServerConfig(name="slack", args=("-P", "-m", "mcp_servers.slack"), env=slack, **started),
        ServerConfig(name="esa", args=("-P", "-m", "mcp_servers.esa"), env={"ESA_LOCAL_DIR": str(folder / "esa")}, **started),
    )


def live(*arguments: str) -> None:
    """One life of the program."""
    anyio.run(main, arguments)


async def main(arguments: tuple[str, ...]) -> None:
    """Take the run as far as it goes; in a life that is not killed, to its end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--die", choices=("sending", "settling"))
    parser.add_argument("--at", default="")
    options = parser.parse_args(arguments)
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{options.folder / 'jiritsu.db'}")
    store = Store(engine)
    ledger = DeadlyLedger(store, options.at, options.die) if options.die else SqlLedger(store)
    async with open_gateway(servers(options.folder), settings=PATIENT) as gateway:
        await gateway.settle(60)
        policy = Policy(rules=(PolicyRule(name="all", decision="allow", tool="*"),))
        executor = Executor(Chain([ScriptedModel(lines)]), Services(gateway, policy, ledger=ledger, journal=Journal(engine)))
        async with open_runs(engine, executor, RunRecords(engine), takes_work=True, concurrency=QUICK, liveness=LOOKING) as runs:
            await runs.run(asked(RUN))
    await anyio.to_thread.run_sync(engine.dispose)
