"""After a crash between sending and settling, what a write came to is looked up before it is called unknown."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.calls.verification.effect_ledger import FOUND, KEYS_LAST_S
from autonomy.calls.verification.write_lookup import look_up_write
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.catalog import Effect, JsonObject, Lookup, ToolOutput, ToolSpec
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.crash_between import RUN, TEXT, live
from tests.support.durable import asked, forked, prepared, workshop
from tests.support.house import READ, WRITE
from tests.support.specs import catalog_of, tool

KEY = "run-1/turn-1/call-1"
TOOLS = ("slack_post_message", "slack_send_dm", "esa_create_post", "esa_append_post")


def life(folder: Path, *options: str) -> int:
    process = forked(live, str(folder), *options)
    process.join(170)
    assert process.exitcode is not None, "it hangs"
    return process.exitcode


@requirement("J4")
@pytest.mark.parametrize(
    "deaths",
    [
        ("", "sending", "settling", ""),
        pytest.param(("sending", "settling", "sending", "settling"), marks=pytest.mark.sweep),
        pytest.param(("settling", "sending", "settling", "sending"), marks=pytest.mark.sweep),
    ],
)
async def test_a_write_of_our_servers_that_was_cut_off_by_kill_9_is_known_afterwards_and_there_once(
    tmp_path: Path, deaths: tuple[str, ...]
) -> None:
    cut_off = {name: when for name, when in zip(TOOLS, deaths, strict=True) if when}
    for name, when in cut_off.items():
        assert await anyio.to_thread.run_sync(life, tmp_path, "--die", when, "--at", name) == -signal.SIGKILL
    assert await anyio.to_thread.run_sync(life, tmp_path) == 0
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    effects = await SqlLedger(Store(engine)).of_run(RUN)
    result = (await RunRecords(engine).get(RUN)).result
    assert (await Journal(engine).verify()).findings == ()
    await anyio.to_thread.run_sync(engine.dispose)
    assert {effect.tool: effect.state for effect in effects} == dict.fromkeys(TOOLS, "done")
    assert result is not None
    assert result.ending == "completed"
    assert {receipt.tool: receipt.state for receipt in result.receipts} == {
        name: "reconciled" if name in cut_off else "done" for name in TOOLS
    }
    outbox = [json.loads(line) for line in (tmp_path / "slack.jsonl").read_text().splitlines()]
    assert [entry["text"] for entry in outbox] == [TEXT, TEXT], "one post and one direct message"
    (post,) = (tmp_path / "esa" / "日記").glob("*.md")
    assert post.read_text().count(TEXT) == 2, "the text, and what was added to it"


def shop(folder: Path, **lookup: Any) -> MCPServer:
    """A receiver that takes no keys, and shows what it has."""
    server, file = MCPServer("box"), folder / "note.txt"

    @server.tool(annotations=WRITE, meta={"jiritsu/lookup": {"tool": "look", "shows": "$text", **lookup}})
    def note(text: str) -> str:
        """Note a text down."""
        with file.open("a") as target:
            target.write(f"{text}\n")
        return "noted"

    @server.tool(annotations=READ)
    def look() -> str:
        """Look at the notes."""
        return file.read_text() if file.exists() else "(nothing)"

    return server


def one_note(request: ModelRequest) -> AssistantMessage | str:
    asked_before = any(isinstance(message, AssistantMessage) for message in request.messages)
    return "done" if asked_before else calling(("box_note", {"text": "run-1/1"}))


async def cut_off(url: str, *, started_at: float | None = None) -> None:
    """What a process leaves behind that died after it had claimed the run's only write."""
    engine = await anyio.to_thread.run_sync(prepared, url)
    clock = (lambda: started_at) if started_at is not None else time.time
    await SqlLedger(Store(engine), clock=clock).claim(KEY, run_id="run-1", tool="box_note", arguments_sha256="")
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("J4")
async def test_a_write_that_is_found_at_the_receiver_is_done_and_says_how_that_is_known(url: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("run-1/1\n")
    await cut_off(url)
    async with workshop(url, shop(tmp_path), script=one_note) as made:
        with anyio.fail_after(240):
            result = await made.runs.run(asked("run-1"))
        (effect,) = await made.ledger.of_run("run-1")
    assert (effect.state, effect.note) == ("done", FOUND)
    assert [(receipt.state, receipt.read_back) for receipt in result.receipts] == [("reconciled", "confirmed")]
    assert (tmp_path / "note.txt").read_text() == "run-1/1\n"


async def test_a_write_that_is_not_shown_is_unknown_for_it_may_still_come(url: str, tmp_path: Path) -> None:
    await cut_off(url)
    async with workshop(url, shop(tmp_path), script=one_note) as made:
        with anyio.fail_after(240):
            result = await made.runs.run(asked("run-1"))
        (effect,) = await made.ledger.unsettled()
    assert (effect.key, effect.state) == (KEY, "unknown")
    assert [receipt.state for receipt in result.receipts] == ["unknown"]
    assert not (tmp_path / "note.txt").exists()


async def test_a_write_that_surely_does_not_come_any_more_is_sent_again(url: str, tmp_path: Path) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    await cut_off(url)
    async with workshop(url, shop(tmp_path, absent_after_s=30), script=one_note, sleep=sleep) as made:
        with anyio.fail_after(240):
            result = await made.runs.run(asked("run-1"))
        assert [effect.state for effect in await made.ledger.of_run("run-1")] == ["done"]
    assert waited == [30]
    assert [receipt.state for receipt in result.receipts] == ["reconciled"]
    assert (tmp_path / "note.txt").read_text() == "run-1/1\n"


async def test_a_look_that_is_not_allowed_or_fails_tells_nothing(url: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("run-1/1\n")
    policy = Policy(
        rules=(
            PolicyRule(name="no looking", decision="deny", tool="box_look"),
            PolicyRule(name="box", decision="allow", tool="box_*"),
        )
    )
    await cut_off(url)
    async with workshop(url, shop(tmp_path), script=one_note, policy=policy) as made:
        with anyio.fail_after(240):
            await made.runs.run(asked("run-1"))
        assert [effect.state for effect in await made.ledger.of_run("run-1")] == ["unknown"]


async def test_what_a_person_found_to_have_happened_is_done(url: str, tmp_path: Path) -> None:
    await cut_off(url)
    async with workshop(url, shop(tmp_path), script=one_note) as made:
        await made.ledger.resolve(KEY, happened=True, by="haruka")
        with anyio.fail_after(240):
            result = await made.runs.run(asked("run-1"))
    assert [receipt.state for receipt in result.receipts] == ["done"]
    assert not (tmp_path / "note.txt").exists()


@pytest.mark.parametrize(("age_s", "state"), [(KEYS_LAST_S - 60, "done"), (KEYS_LAST_S + 60, "unknown")])
async def test_a_key_is_only_used_again_while_its_receiver_surely_remembers_it(
    url: str, tmp_path: Path, age_s: float, state: str
) -> None:
    server = MCPServer("box")

    @server.tool(annotations=WRITE, meta={"jiritsu/keyed": True})
    def note(text: str) -> str:
        """Note a text down, once for each key."""
        return "noted"

    await cut_off(url, started_at=time.time() - age_s)
    async with workshop(url, server, script=one_note) as made:
        with anyio.fail_after(240):
            await made.runs.run(asked("run-1"))
        assert [effect.state for effect in await made.ledger.of_run("run-1")] == [state]


@pytest.mark.parametrize(
    ("arguments", "shows", "seen"),
    [
        ({"where": "$channel"}, "id: $key", "found"),
        ({"where": "in $channel", "limit": 5}, "$text", "absent"),
        ({"where": "$channel"}, "$nothing", "unclear"),
        ({"where": "$channel"}, " ", "unclear"),
    ],
)
async def test_what_is_asked_and_looked_for_is_filled_in_from_the_write(arguments: JsonObject, shows: str, seen: str) -> None:
    lookup = Lookup(tool="look", arguments=arguments, shows=shows, absent_after_s=0)
    write = tool("post", effect=Effect.WRITE, lookup=lookup)
    given: list[JsonObject] = []

    async def read(_reader: ToolSpec, asked_for: JsonObject) -> ToolOutput | None:
        given.append(asked_for)
        return ToolOutput(text="", structured={"messages": [{"metadata": "id: run-1/1"}]})

    sleep = anyio.lowlevel.checkpoint
    found = await look_up_write(
        write, {"channel": "C1", "text": "hi"}, "run-1/1", catalog_of(write, tool("look")), read, lambda _: sleep()
    )
    assert found == seen
    filled = {"where": str(arguments["where"]).replace("$channel", "C1")}
    assert all(one == {**arguments, **filled} for one in given)
