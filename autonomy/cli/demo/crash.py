"""`jiritsu demo crash`: a response is lost, the worker is killed, and a second worker finishes the run."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from autonomy.cli.terminal import say
from autonomy.cli.words.terminal_words import terminal_language, translate
from autonomy.durable.records.run_records import RunRecord
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_folders import job_folders
from autonomy.jobs.job_loading import find
from autonomy.settings import Config
from autonomy.settings_files import sample_folder
from autonomy.stores import Stores, open_stores
from metrics import events
from metrics.reporting.report_words import word

PATIENCE_S = 180.0
"""How long each part may take; a machine may be busy."""


async def show_crash(config: Config) -> bool:
    """Run the demonstration in processes of its own; whether there was one post and one receipt in the end."""
    home = config.settings.home
    marker, servers = home / "answer-was-lost", home / "servers.json"
    await anyio.to_thread.run_sync(_write_servers, config, servers, marker)
    say("Scripted: the esa server's answer to the first post is thrown away, and kill -9 comes at that moment.")
    say("Real: two workers, three MCP servers, the database; the planner is the built-in one.")
    async with open_stores(config) as stores:
        run_id = "demo-crash"
        async with _worker(config, servers) as first:
            await _await(lambda: _started(stores))
            job = find("diary", job_folders(config.settings))
            now = config.settings.now()
            await stores.orders.enqueue(job.request(run_id, {}, now=now, defaults=RunDefaults(language=config.settings.language)))
            say(f"1  worker {first.pid} runs the job diary")
            await _await(anyio.Path(marker).exists)
            say("2  the diary is posted, and the answer is lost on the way: the worker cannot know")
            os.kill(first.pid, signal.SIGKILL)
            say(f"3  kill -9 {first.pid}")
        async with _worker(config, servers) as second:
            say(f"4  worker {second.pid} starts, and takes the run up")
            record = await _wait_for_end(stores, run_id)
        return await _tell_story(stores, record, home)


def _write_servers(config: Config, file: Path, marker: Path) -> None:
    """Write a servers file with the sample's servers, the relay around the one that posts."""
    data = json.loads((sample_folder(config.settings) / "servers.json").read_text(encoding="utf-8"))
    esa = data["mcpServers"]["esa"]
    relay = ["-P", "-m", "autonomy.cli.demo.lost_answers", str(marker), "esa_create_post", "--", esa["command"]]
    data["mcpServers"]["esa"] = {**esa, "args": [*relay, *esa["args"]]}
    file.write_text(json.dumps(data), encoding="utf-8")


@asynccontextmanager
async def _worker(config: Config, servers: Path) -> "AsyncIterator[anyio.abc.Process]":
    """A worker in a process of its own; it is ended when left."""
    command = [sys.executable, "-P", "-m", "autonomy.cli", "--home", str(config.settings.home), "--servers", str(servers)]
    env = {**os.environ, "JIRITSU_LANGUAGE": config.settings.language, "JIRITSU_MODEL": "planner:offline"}
    async with await anyio.open_process(
        [*command, "worker", "--no-schedules"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=config.settings.home,
    ) as process:
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()


async def _started(stores: Stores) -> bool:
    """Whether a worker has made the engine's tables, so that runs can be ordered."""
    import sqlalchemy as sa

    def ask() -> bool:
        return any("workflow_status" in name for name in sa.inspect(stores.engine).get_table_names())

    return await anyio.to_thread.run_sync(ask)


async def _wait_for_end(stores: Stores, run_id: str) -> RunRecord:
    async def ended() -> bool:
        return (await stores.runs.get(run_id)).ended_at is not None

    await _await(ended)
    return await stores.runs.get(run_id)


async def _await(true: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(PATIENCE_S):
        while not await true():  # noqa: ASYNC110 - other processes tell us through files and a database
            await anyio.sleep(0.1)


async def _tell_story(stores: Stores, record: RunRecord, home: Path) -> bool:
    found = await stores.journal.read(run_id=record.run_id)
    receipts = [event for event in found if isinstance(event, events.ReceiptRecorded)]
    posts = await anyio.to_thread.run_sync(_posts_of_today, record, home)
    say(
        f"5  {word(record.state, terminal_language())}: {len(posts)} post of today, {len(receipts)} receipt"
        + ("s" if len(receipts) != 1 else "")
    )
    for post in posts:
        say(f"   {post}")
    for receipt in receipts:
        how = "looked up and found" if receipt.state == "reconciled" else receipt.state
        say(f"   receipt: {receipt.tool} {how}, read back: {translate(receipt.read_back)}")
    return record.state == "completed" and len(posts) == 1 and len(receipts) == 1


def _posts_of_today(record: RunRecord, home: Path) -> list[Path]:
    user = str(record.request.task.inputs["user"])
    return [file for file in home.glob("esa*/**/*.md") if file.name.startswith(f"{user}'s") or file.name.startswith(f"{user}の")]
