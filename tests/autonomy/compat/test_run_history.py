"""The executor under the name of phase 7B, and what it remembers of its runs."""

from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

import autonomy.compat
from autonomy.compat.ai_tool_executor import AIToolExecutor
from autonomy.compat.run_history import ExecutionStats, PastRun, stats
from autonomy.database import migrate, open_engine
from autonomy.llm.scripted import Reply, calling
from autonomy.run_state.context import ToolExecutionContext
from autonomy.stores import METRICS
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.house import READ, house


def archive(name: str = "archive") -> MCPServer[Any]:
    """A server on which posts can be searched."""
    server: MCPServer[Any] = MCPServer(name)

    @server.tool(annotations=READ)
    def search_posts(query: str) -> str:
        """Search posts by words."""
        return f"posts about {query}"

    return server


def forecasts(name: str) -> MCPServer[Any]:
    """A server that answers a public question."""
    server: MCPServer[Any] = MCPServer(name)

    @server.tool(annotations=READ)
    def get_weather_forecast(city: str) -> str:
        """Weather forecast of a city."""
        return f"{city}: sunny"

    return server


def opened(url: str) -> sa.Engine:
    """The database of the journal."""
    engine = open_engine(url)
    migrate(engine, [METRICS])
    return engine


@requirement("X14")
async def test_an_empty_history_has_no_rate_and_divides_by_nothing() -> None:
    async with house(archive()) as home:
        assert await AIToolExecutor(home.executor).get_execution_stats() == ExecutionStats()


@requirement("X1", "X2", "X14")
async def test_the_seeds_name_runs_goals_and_counts_them() -> None:
    script: list[Reply] = [
        calling(("archive_search_posts", {"query": "tea"})),
        "Two posts.",
        calling(("archive_search_posts", {"query": "x"})),
        "Cut.",
    ]
    async with house(archive(), script=script) as home:
        executor = AIToolExecutor(home.executor)
        first = await executor.execute_with_ai_guidance("posts on tea?")
        second = await executor.execute_with_ai_guidance("posts on x?", max_steps=1)
        counted = await executor.get_execution_stats()
    assert (first.ending, first.text, second.ending) == ("completed", "Two posts.", "exhausted")
    assert (counted.total_executions, counted.recent_success_rate, counted.average_steps) == (2, 0.5, 1.5)
    assert counted.last_execution is not None
    assert (counted.last_execution.run_id, counted.last_execution.success) == (second.run_id, False)


@requirement("X14")
async def test_statistics_survive_a_restart_in_the_journal(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    seen = []
    for text in ("One.", "Two."):
        engine = await anyio.to_thread.run_sync(opened, url)
        journal = Journal(engine)
        async with house(archive(), script=[text], journal=journal) as home:
            executor = AIToolExecutor(home.executor, journal)
            await executor.execute_with_ai_guidance("do anything")
            seen.append(await executor.get_execution_stats())
        engine.dispose()
    assert [found.total_executions for found in seen] == [1, 2]
    assert seen[1].recent_success_rate == 1.0


@requirement("X14")
def test_the_rate_is_that_of_the_last_ten_runs() -> None:
    runs = [
        PastRun(run_id=str(number), ended_at=number, steps=3, ending="failed" if number < 5 else "completed")
        for number in range(15)
    ]
    found = stats(runs)
    assert (found.total_executions, found.recent_success_rate, found.average_steps) == (15, 1.0, 3.0)
    assert found.last_execution == runs[-1]


@requirement("X12")
async def test_alternatives_of_a_tool_come_with_their_arguments() -> None:
    async with house(forecasts("sky"), forecasts("wind")) as home:
        executor = AIToolExecutor(home.executor)
        (found, *_) = await executor.find_alternative_tools("sky_get_weather_forecast", {"city": "Oslo"})
        assert (found.spec.name, found.arguments) == ("wind_get_weather_forecast", {"city": "Oslo"})
        assert await executor.find_alternative_tools("nobody_knows_this") == ()


@requirement("X12")
async def test_what_each_provider_has_of_its_own_has_no_alternative_elsewhere() -> None:
    async with house(archive(), archive("attic")) as home:
        assert await AIToolExecutor(home.executor).find_alternative_tools("archive_search_posts", {"query": "tea"}) == ()


def test_the_public_names_are_there_and_no_others() -> None:
    assert all(getattr(autonomy.compat, name) is not None for name in autonomy.compat.__all__)
    assert ToolExecutionContext.__module__ == "autonomy.run_state.context"
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = autonomy.compat.Nothing
