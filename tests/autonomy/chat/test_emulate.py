"""The calls this room makes, against an emulator that others wrote, where it can serve: no streams, no sockets, no statuses.

Needs npm's registry: `pytest -m real_servers`. The version is pinned, because the name's newest release is another program.
"""

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import anyio
import pytest
from anyio.streams.text import TextReceiveStream
from slack_sdk.web.async_client import AsyncWebClient

from autonomy.chat.slack import blocks
from autonomy.chat.slack.people import People
from autonomy.chat.slack.posts import PostLocation, Posts
from autonomy.chat.slack.slack_api import SlackApi, SlackApiRefused, who_am_i
from autonomy.durable.store import Store
from tests.mcp_servers.slack.test_emulate import PACKAGE, SCRIPT
from tests.requirements import requirement
from tests.support.conversation import database
from tests.support.ports import free_port

pytestmark = [
    pytest.mark.real_servers,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[SlackApi]:
    """Our client, connected to the emulator."""
    await anyio.run_process(["npm", "install", "--no-audit", "--no-fund", PACKAGE], cwd=tmp_path)
    (tmp_path / "start.mjs").write_text(SCRIPT)
    port = free_port()
    process = await anyio.open_process(["node", "start.mjs", str(port)], cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        with anyio.fail_after(240):
            await TextReceiveStream(process.stdout).receive()
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{port}/api/"
            yield SlackApi(AsyncWebClient("xoxb-any", base_url=url, session=session, retry_handlers=[]))
    finally:
        process.kill()
        await process.aclose()


@requirement("C6")
async def test_posts_are_found_replaced_and_reacted_to_there_as_well(api: SlackApi, tmp_path: Path) -> None:
    me = await who_am_i(api)
    channels = (await api.read("conversations.list", types="public_channel"))["channels"]
    general = next(one["id"] for one in channels if one["name"] == "general")
    haruka = next(one["id"] for one in (await api.read("users.list"))["members"] if one["name"] == "haruka")
    assert (await People(api).member(haruka)).name == "haruka"
    async with database(tmp_path) as engine:
        posts = Posts(api, Store(engine), bot_id=me.bot_id)
        said = await posts.post_once(
            "run-1/answer", PostLocation(channel=general), "やあ", [blocks.markdown("やあ"), blocks.feedback("run-1", "ja")]
        )
        place = PostLocation(channel=general, thread_ts=said.ts)
        reply = await posts.post_once("run-1/answer/2", place, "つづき", [blocks.markdown("つづき")])
        await posts.replace(reply, "直した", [blocks.markdown("直した")])
        await api.repeat("reactions.add", channel=general, timestamp=said.ts, name="eyes")
        thread = (await api.read("conversations.replies", channel=general, ts=said.ts))["messages"]
    assert [one["text"] for one in thread] == ["やあ", "直した"]
    with pytest.raises(SlackApiRefused, match="not_found"):
        await api.write("chat.postMessage", channel="C9NOWHERE", text="x")
