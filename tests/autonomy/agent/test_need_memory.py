"""A need in words keeps to the tools that met it when the job first went well."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.calls.need_memory import NoNeedMemory, key_of_need
from autonomy.durable.memory.sql_need_memory import SqlNeedMemory
from autonomy.durable.store import Store
from autonomy.llm.model import Need
from autonomy.llm.scripted import calling
from autonomy.run_state.run_values import RunResult
from tests.requirements import requirement
from tests.support.durable import prepared
from tests.support.house import OUTWARD, house, person_who

PUBLISH = Need(id="publish", description="publish the page", effect="outward", arguments={"title": "日報", "body": "{{result}}"})


class Remembering(NoNeedMemory):
    """Keeps it in memory, for one tenant and job."""

    def __init__(self) -> None:
        self.met: dict[str, frozenset[str]] = {}

    async def recall(self, tenant: str, job: str) -> Mapping[str, frozenset[str]]:
        return dict(self.met)

    async def keep(self, tenant: str, job: str, met: Mapping[str, Collection[str]]) -> None:
        self.met |= {need: self.met.get(need, frozenset()) | frozenset(tools) for need, tools in met.items()}


def wiki(name: str) -> tuple[MCPServer[Any], list[str]]:
    """A server that publishes, and what it was sent."""
    server: MCPServer[Any] = MCPServer(name)
    sent: list[str] = []

    @server.tool(annotations=OUTWARD)
    def publish_page(title: str, body: str) -> str:
        """Publish a page."""
        sent.append(body)
        return "published"

    return server, sent


async def published(
    memory: Remembering, *names: str, by: str, need: Need = PUBLISH, agreed: bool = False
) -> tuple[RunResult, list[str]]:
    """A run of the job with these servers, whose model publishes by one of them; what arrived there."""
    servers = {name: wiki(name) for name in names}
    call = (f"{by}_publish_page", {"title": "日報", "body": "今日の報告"})
    answer = person_who("granted" if agreed else "denied")
    script = [calling(call), "公開しました。"]
    async with house(*(server for server, _ in servers.values()), script=script, approver=answer, need_memory=memory) as home:
        await home.gateway.catalog(needed=names, wait_s=60)  # a job waits for no stranger beside what served it before
        result = await home.run("日報を公開する", job="diary", needs=(need,))
    return result, servers[by][1]


@requirement("K5")
async def test_a_look_alike_that_comes_later_cannot_meet_a_need_that_another_tool_met() -> None:
    memory = Remembering()
    first, _ = await published(memory, "wiki", by="wiki")
    assert first.ending == "completed"
    result, sent = await published(memory, "wiki", "look", by="look")
    assert (sent, result.calls[0].result.kind) == ([], "denied")
    assert (await published(memory, "wiki", "look", by="wiki"))[1] == ["今日の報告"]


@requirement("K5")
@pytest.mark.parametrize("agreed", [False, True])
async def test_where_the_old_tool_is_gone_a_person_decides_on_the_new_one_once(agreed: bool) -> None:
    memory = Remembering()
    await published(memory, "wiki", by="wiki")
    _, sent = await published(memory, "look", by="look", agreed=agreed)
    assert bool(sent) is agreed
    _, again = await published(memory, "look", by="look")
    assert bool(again) is agreed


@requirement("K5")
async def test_who_once_stood_in_for_the_known_tool_may_do_so_beside_it_and_so_may_anybody_in_the_first_run() -> None:
    """What still passes: docs/policy.md names it."""
    memory = Remembering()
    await published(memory, "wiki", by="wiki")
    await published(memory, "look", by="look", agreed=True)
    assert (await published(memory, "wiki", "look", by="look"))[1]
    assert (await published(Remembering(), "wiki", "look", by="look"))[1]


@requirement("K5")
async def test_a_need_whose_author_names_tools_or_says_something_else_is_not_held_to_what_was() -> None:
    memory = Remembering()
    await published(memory, "wiki", by="wiki")
    for need in (PUBLISH.model_copy(update={"description": "publish"}), PUBLISH.model_copy(update={"tools": ("look_*",)})):
        _, sent = await published(memory, "wiki", "look", by="look", need=need)
        assert sent


@requirement("K5")
async def test_only_a_run_that_completed_teaches_anything() -> None:
    memory = Remembering()
    other = PUBLISH.model_copy(update={"arguments": {"title": "週報", "body": "{{result}}"}})
    result, _ = await published(memory, "wiki", by="wiki", need=other)
    assert result.ending != "completed"
    assert memory.met == {}


@requirement("K5")
async def test_the_database_keeps_tools_by_tenant_and_job_and_keeping_twice_changes_nothing(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    memory, key = SqlNeedMemory(Store(engine)), key_of_need(PUBLISH)
    for tool in ("a_publish", "b_publish", "a_publish"):
        await memory.keep("acme", "diary", {key: {tool}})
    assert await memory.recall("acme", "diary") == {key: {"a_publish", "b_publish"}}
    assert await memory.recall("other", "diary") == await memory.recall("acme", "other") == {}
    engine.dispose()
