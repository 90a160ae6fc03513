"""The conversation in docs/slack.md is one that was really held, against the fake Slack; and its list of scopes is the manifest's."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer

from autonomy.chat.slack.setup.manifest import BOT_SCOPES
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from tests.support.house import OUTWARD, READ
from tests.support.slack import Slack, log_of
from tests.support.slack_house import slack_house

PAGE = Path(__file__).parents[3] / "docs" / "slack.md"


class Gate:
    """Holds a call back until people have seen that it runs; who comes late finds it open."""

    def __init__(self) -> None:
        self._leave = anyio.Semaphore(0)

    def open(self) -> None:
        self._leave.release()

    async def wait(self) -> None:
        await self._leave.acquire()


def office(gate: Gate) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("office")

    @server.tool(annotations=READ)
    async def get_weather(location: str) -> str:
        """The weather of a place."""
        await gate.wait()
        return f"{location}: 晴れ、降水確率 0%"

    @server.tool(annotations=OUTWARD)
    def post_notice(text: str) -> str:
        """Post on the notice board."""
        return "posted"

    return server


def model(request: ModelRequest) -> Any:
    """What the model of this conversation says."""
    last = request.messages[-1]
    goal = request.task.goal if request.task else ""
    if isinstance(last, ToolResult) and "notice" in last.name:
        return "東京は晴れの予報です。掲示板に投稿しました。"
    if isinstance(last, ToolResult) and "掲示板" in goal:
        return calling(("office_post_notice", {"text": "<!channel> 明日の花見は 10 時からです。晴れの予報です。"}))
    if isinstance(last, ToolResult):
        return "東京は晴れ、降水確率は 0% です。"
    if "天気" in goal:
        return calling(("office_get_weather", {"location": "東京"}))
    return "はい、傘はいりません。さきほどの予報では 0% でした。"


async def hold(folder: Path, look: Callable[[Slack, str], None] = lambda _slack, _channel: None) -> str:
    """A question, a follow-up, and something that needs an approval; told as people saw it. `look` sees it before the approval."""
    gate = Gate()
    async with Slack() as slack:
        haruka, general = slack.add_user("haruka"), slack.add_channel("general")

        def seen(ts: str, words: str) -> list[Any]:
            return [one for one in slack.thread(general, ts) if words in json.dumps(one, ensure_ascii=False)]

        async with slack_house(folder, slack, office(gate), script=model):
            ts = await slack.mention(general, haruka, "東京の天気を教えて")
            await slack.until(lambda: seen(ts, "in_progress"))
            gate.open()
            await slack.answer_in(general, ts)
            await slack.message(general, haruka, "傘はいらない？", thread_ts=ts)
            await slack.until(lambda: len(slack.answered(general, ts)) == 2)
            ts = await slack.mention(general, haruka, "明日10時からの花見の知らせを、天気を調べて掲示板に書いて")
            await slack.until(lambda: seen(ts, "in_progress"))
            gate.open()
            (question,) = await slack.until(lambda: seen(ts, "jiritsu_approve"))
            await slack.until(lambda: seen(ts, "承認を待っています"))
            asked = log_of(slack, slack.channels[general])
            look(slack, general)
            await slack.press(general, question, "jiritsu_approve", haruka)
            await slack.answer_in(general, ts)
            await slack.until(lambda: seen(ts, "承認しました"))
            after = log_of(slack, slack.channels[general]).split("掲示板に書いて\n\n", 1)[1]
            return f"{asked}\n--- haruka presses 承認する ---\n\n{after}"


async def test_the_conversation_in_the_docs_was_held_like_that(tmp_path: Path) -> None:
    with anyio.fail_after(240):
        held = await hold(tmp_path)
    page = await anyio.Path(PAGE).read_text()
    assert f"```text\n{held.strip()}\n```" in page


async def test_the_docs_list_every_scope_with_its_reason() -> None:
    page = await anyio.Path(PAGE).read_text()
    assert [scope for scope, reason in BOT_SCOPES.items() if f"| `{scope}` | {reason} |" not in page] == []
