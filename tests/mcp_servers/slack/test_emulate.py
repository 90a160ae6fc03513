"""The Web API backend against an emulator that others wrote: what works with our fake works there too.

Needs npm's registry: `pytest -m real_servers`. The version is pinned, because the name's newest release is another program.
"""

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from mcp_servers.slack.server import server_from_environment
from tests.mcp_servers.slack.conftest import texts
from tests.requirements import requirement
from tests.support.ports import free_port
from tests.support.tool_calls import Call, caller, content, refusal

PACKAGE = "emulate@0.12.2"
SCRIPT = """
import {createEmulator} from 'emulate'
const users = [{name: 'haruka', real_name: '佐藤 遥', email: 'haruka@example.test'}]
const slack = {team: {name: 'fake', domain: 'fake'}, users, channels: [{name: 'general'}, {name: 'dev'}]}
console.log((await createEmulator({service: 'slack', port: Number(process.argv[2]), seed: {slack}})).url)
"""

pytestmark = [
    pytest.mark.real_servers,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Call]:
    """Call one tool of a server that speaks to the emulator."""
    await anyio.run_process(["npm", "install", "--no-audit", "--no-fund", PACKAGE], cwd=tmp_path)
    (tmp_path / "start.mjs").write_text(SCRIPT)
    port = free_port()
    process = await anyio.open_process(["node", "start.mjs", str(port)], cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        with anyio.fail_after(240):
            await _first_line(process)
        environment = {"SLACK_BOT_TOKEN": "xoxb-any", "SLACK_API_URL": f"http://127.0.0.1:{port}/api/"}
        yield caller(server_from_environment(environment))
    finally:
        process.kill()
        await process.aclose()


async def _first_line(process: Process) -> str:
    assert process.stdout is not None
    return await TextReceiveStream(process.stdout).receive()


@requirement("O3")
async def test_an_emulator_of_others_takes_every_call(call: Call) -> None:
    assert {"general", "dev"} <= {one["name"] for one in content(await call("slack_list_channels"))["channels"]}
    assert content(await call("slack_get_user_profile", user_id="haruka"))["real_name"] == "佐藤 遥"
    posted = content(await call("slack_post_message", key="k1", channel_id="general", text="やあ <!channel> & みんな"))
    again = content(await call("slack_post_message", key="k1", channel_id="general", text="やあ <!channel> & みんな"))
    assert again == {**posted, "created": False}
    thread = {"channel_id": "general", "thread_ts": posted["ts"]}
    for created in (True, False):
        assert content(await call("slack_reply_to_thread", key="k2", text="返事", **thread))["created"] is created
        assert content(await call("slack_send_dm", key="k3", user_id="haruka", text="お知らせ"))["created"] is created
        reaction = {"channel_id": "general", "timestamp": posted["ts"], "reaction": "tada"}
        assert content(await call("slack_add_reaction", **reaction))["created"] is created
    assert texts(await call("slack_get_thread_replies", **thread)) == ["やあ <!channel> & みんな", "返事"]
    assert texts(await call("slack_get_channel_history", channel_id="general", day="today")) == [
        "返事",
        "やあ <!channel> & みんな",
    ]
    assert "slack_list_channels" in refusal(await call("slack_post_message", channel_id="C999", text="x"))
