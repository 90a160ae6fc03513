"""What worked feeds hints, ranking and alternatives: through the real gateway and a database, across restarts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import discovery.discovery_tables
from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.llm.model import Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import Reply, ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.gateway import Gateway, open_gateway
from discovery.transport.in_process import InProcess
from metrics import events
from tests.requirements import requirement
from tests.support.house import NO_WAIT, READ, Listener, remembering

ASK = calling(("post_search", {"query": "tea"}))


def post(*, works: bool = True, needs_limit: bool = False) -> MCPServer[Any]:
    """A server on which the web is searched; it may be broken, or want a limit that its schema does not ask for."""
    server: MCPServer[Any] = MCPServer("post")

    @server.tool(annotations=READ)
    def search(query: str, limit: int | None = None) -> str:
        """Search the web by words."""
        if not works:
            raise ToolError("the index is gone")
        if needs_limit and limit is None:
            raise ToolError("a limit has to be given")
        return f"posts on {query}"

    return server


def other(name: str, *, works: bool = True) -> MCPServer[Any]:
    """Another server with the same kind of tool."""
    server: MCPServer[Any] = MCPServer(name)

    @server.tool(annotations=READ)
    def search(query: str) -> str:
        """Search the web by words."""
        if not works:
            raise ToolError("closed for good")
        return f"{name} has posts on {query}"

    return server


def opened(path: Path) -> sa.Engine:
    """The database of what was learned."""
    engine = open_engine(f"sqlite:///{path / 'jiritsu.db'}")
    migrate(engine, [SchemaModule("discovery", discovery.discovery_tables.metadata)])
    return engine


class Process:
    """One process's worth of Jiritsu over a database."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self.model: ScriptedModel
        self.heard = Listener()

    async def run(self, *script: Reply, policy: Policy | None = None, tools: tuple[str, ...] = ("*",)) -> RunResult:
        """Run one goal; the events heard before are forgotten."""
        self.model, self.heard = ScriptedModel(script), Listener()
        means = Services(self.gateway, policy=policy or Policy(), backoff=NO_WAIT, watchers=(self.heard,))
        request = RunRequest(run_id="run", task=Task(goal="find posts on tea"), tools=tools, trigger="test")
        return await Executor(Chain([self.model]), means).execute(request)

    def alternatives(self) -> list[tuple[str, str, bool]]:
        """The alternatives that were tried, where they came from, and whether they helped."""
        return [(tried.alternative, tried.source, tried.ok) for tried in self.heard.of(events.AlternativeTried)]


@asynccontextmanager
async def process(path: Path, *servers: MCPServer[Any]) -> AsyncIterator[Process]:
    """Start, and stop."""
    engine = await anyio.to_thread.run_sync(opened, path)
    in_process = {server.name: InProcess(server, in_backend="a test") for server in servers}
    async with open_gateway([], in_process=in_process, engine=engine) as gateway:
        await gateway.settle(5)  # a run waits for no server that could merely stand in for another
        yield Process(gateway)
    engine.dispose()


@requirement("X17", "D13")
async def test_what_cured_a_call_stands_in_the_tools_hint_after_a_restart(tmp_path: Path) -> None:
    cured = calling(("post_search", {"query": "tea", "limit": 5}))
    async with process(tmp_path, post(needs_limit=True)) as first:
        for _ in range(3):
            result = await first.run(ASK, cured, "Found.")
            assert [record.ok for record in result.calls] == [False, True]
    async with process(tmp_path, post(needs_limit=True)) as second:
        await second.run("Nothing to do.")
        (definition,) = second.model.requests[0].tools
        assert "limit を追加" in definition.description, "the model reads it with the tool"


@requirement("X17", "X12")
async def test_an_alternative_that_helped_comes_first_after_a_restart(tmp_path: Path) -> None:
    servers = (post(works=False), other("alpha", works=False), other("omega"))
    async with process(tmp_path, *servers) as first:
        for _ in range(3):
            result = await first.run(ASK, "Found.")
            assert (result.calls[0].tool, result.calls[0].cured_by) == ("omega_search", "alternative")
    async with process(tmp_path, *servers) as second:
        result = await second.run(ASK, "Found.")
        assert second.alternatives() == [("omega_search", "learned", True)]
        assert result.calls[0].result.text.endswith("omega has posts on tea")


@requirement("X17", "D18")
async def test_a_tool_that_works_ranks_above_its_twin_that_does_not(tmp_path: Path) -> None:
    servers = (other("alpha", works=False), other("omega"))
    failing, working = calling(("alpha_search", {"query": "tea"})), calling(("omega_search", {"query": "tea"}))
    async with process(tmp_path, *servers) as first:
        for _ in range(4):
            await first.run(failing, working, "Found.")
    async with process(tmp_path, *servers) as second:
        catalog = await second.gateway.catalog()
        ranked = [found.spec.name for found in second.gateway.advisor.search(catalog, "search the web by words")]
        assert ranked == ["omega_search", "alpha_search"]


@requirement("X17")
async def test_a_run_played_again_teaches_nothing_twice(tmp_path: Path) -> None:
    step = remembering()
    async with process(tmp_path, post()) as here:
        request = RunRequest(run_id="run", task=Task(goal="find posts on tea"), trigger="test")
        for _ in range(3):
            executor = Executor(Chain([ScriptedModel([ASK, "Found."])]), Services(here.gateway, backoff=NO_WAIT))
            assert (await executor.execute(request, step)).ending == "completed"
    engine = await anyio.to_thread.run_sync(opened, tmp_path)
    rows = await anyio.to_thread.run_sync(learned, engine)
    assert [row["ok"] for row in rows] == [1.0]


def learned(engine: sa.Engine) -> list[dict[str, Any]]:
    """What stands in the database."""
    with engine.connect() as connection:
        rows = [row.learned for row in connection.execute(sa.select(discovery.discovery_tables.usage))]
    engine.dispose()
    return rows


@requirement("X17", "S7")
async def test_nothing_that_was_said_is_learned(tmp_path: Path) -> None:
    secret = calling(("post_search", {"query": "canary-7f3a"}))
    async with process(tmp_path, post(works=False), other("omega")) as here:
        await here.run(secret, secret, "Found.")
        engine = await anyio.to_thread.run_sync(opened, tmp_path)
        assert "canary-7f3a" not in str(await anyio.to_thread.run_sync(learned, engine))


@requirement("X12", "S1")
async def test_an_alternative_keeps_to_the_policy_and_to_the_tools_of_the_run(tmp_path: Path) -> None:
    denied = Policy(rules=(PolicyRule(name="not there", decision="deny", provider="omega"),))
    async with process(tmp_path, post(works=False), other("omega")) as here:
        assert (await here.run(ASK, "No.", policy=denied)).calls[0].ok is False
        assert here.alternatives() == []
        assert (await here.run(ASK, "No.", tools=("post_*",))).calls[0].ok is False
        assert here.alternatives() == []
        assert (await here.run(ASK, "Found.")).calls[0].tool == "omega_search"


@requirement("K3", "D13")
async def test_what_a_text_has_a_model_call_on_and_on_speaks_for_no_tool(tmp_path: Path) -> None:
    """The calls of one run count as three of a tool, and one that was made after a text serves no request's words."""
    on_and_on = [calling(("notes_search", {"query": str(at)})) for at in range(9)]
    async with process(tmp_path, post(), other("notes")) as here:
        await here.run(ASK, *on_and_on, "posts on tea")
        catalog = await here.gateway.catalog()
        mine, his = (catalog.get(name) for name in ("post_search", "notes_search"))
        assert mine is not None
        assert his is not None
        advisor = here.gateway.advisor
        hint = advisor.hint(his, "en")  # made anew: in the settings' language the one from before the run stands for a second
        assert (hint.reliability, hint.learned) == (None, ())
        served = advisor._usage.served("find posts on tea")
        assert (mine.fingerprint in served, his.fingerprint in served) == (True, False)


def desk(*, keeps: bool, annotated: bool = False) -> MCPServer[Any]:
    """A server with a read that says so, and a tool that claims to read, in words alone unless it is `annotated`."""
    server, notes = MCPServer[Any]("desk"), ["nothing today"]

    @server.tool(annotations=READ)
    def list_notes(day: str) -> str:
        """List the notes of a day."""
        return "\n".join(notes)

    @server.tool(annotations=READ if annotated else None)
    def show_note(text: str) -> str:
        """Show a note."""
        if keeps:
            notes.append(text)
        return f"this is {text}"

    return server


@requirement("Z3", "X17")
@pytest.mark.parametrize(("keeps", "seen"), [(True, (1, 0, True)), (False, (0, 1, False))])
async def test_a_read_after_a_call_shows_whether_it_changed_something_also_after_a_restart(
    tmp_path: Path, keeps: bool, seen: tuple[int, int, bool]
) -> None:
    look, show = calling(("desk_list_notes", {"day": "today"})), calling(("desk_show_note", {"text": "buy milk"}))
    allowed = Policy(rules=(PolicyRule(name="notes", tool="desk_show_note", decision="allow"),))
    async with process(tmp_path, desk(keeps=keeps)) as first:
        await first.run(look, show, look, "Done.", policy=allowed)
        spec = (await first.gateway.catalog()).get("desk_show_note")
        assert spec is not None
        assert spec.seen_to_change is keeps, "at once"
    async with process(tmp_path, desk(keeps=keeps)) as second:
        spec = (await second.gateway.catalog()).get("desk_show_note")
        assert spec is not None
        shown = second.gateway.advisor.shown(spec)
        assert (shown.changed, shown.unchanged, spec.seen_to_change) == seen
        assert "milk" not in shown.model_dump_json()


@requirement("Z3")
async def test_a_change_is_nobodys_where_two_calls_could_have_made_it(tmp_path: Path) -> None:
    look = calling(("desk_list_notes", {"day": "today"}))
    both = calling(("desk_show_note", {"text": "buy milk"}), ("desk_show_note", {"text": "buy bread"}))
    allowed = Policy(rules=(PolicyRule(name="notes", tool="desk_show_note", decision="allow"),))
    async with process(tmp_path, desk(keeps=True)) as here:
        await here.run(look, both, look, "Done.", policy=allowed)
        spec = (await here.gateway.catalog()).get("desk_show_note")
        assert spec is not None
        assert here.gateway.advisor.shown(spec).changed == 0


@requirement("Z3")
async def test_of_a_tool_that_is_declared_to_read_a_change_is_told_and_its_effect_stays(tmp_path: Path) -> None:
    look, show = calling(("desk_list_notes", {"day": "today"})), calling(("desk_show_note", {"text": "buy milk"}))
    async with process(tmp_path, desk(keeps=True, annotated=True)) as here:
        await here.run(look, show, look, "Done.")
        spec = (await here.gateway.catalog()).get("desk_show_note")
        assert spec is not None
        assert (spec.read_only, spec.seen_to_change) == (True, False)
        assert here.gateway.advisor.shown(spec).is_change
