"""The export backend: what is sent is kept in the outbox and read back, days move, broken files are named."""

import json
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server, server_from_environment
from mcp_servers.slack.workspace import Draft, Posted
from tests.mcp_servers.slack.conftest import JST, NOW, texts, ts
from tests.requirements import requirement
from tests.support.tool_calls import Call, caller, content, refusal

SAMPLE = Path(__file__).parents[3] / "autonomy/jobs/en/diary/sample/slack"


@requirement("O3", "X10")
async def test_a_posted_message_is_read_back_in_the_history(call: Call) -> None:
    posted = content(await call("slack_post_message", channel_id="#dev", text="できました"))
    told = {
        "channel_id": "C2",
        "sent_to": "#dev",
        "ts": ts(20, "18:30"),
        "thread_ts": None,
        "permalink": "",
        "text": "できました",
        "user_id": "BJIRITSU",
        "user_name": "jiritsu",
        "bot_id": "BJIRITSU",
        "created": True,
    }
    assert posted == told
    assert texts(await call("slack_get_channel_history", channel_id="C2")) == ["できました", "dev の話 https://example.test"]


async def test_a_message_without_words_hides_no_other(call: Call, export: Path) -> None:
    (export / "dev" / "2026-11-19.json").write_text(json.dumps([{"user": "U1", "ts": ts(19, "12:00"), "text": None}]))
    assert texts(await call("slack_get_channel_history", channel_id="C2")) == ["dev の話 https://example.test", ""]
    assert texts(await call("slack_search_messages", query="話", channel_id="C2")) == ["dev の話 https://example.test"]


async def test_a_reply_joins_its_thread(call: Call) -> None:
    await call("slack_reply_to_thread", channel_id="C1", thread_ts=ts(20, "10:00"), text="ありがとう")
    assert texts(await call("slack_get_thread_replies", channel_id="C1", thread_ts=ts(20, "10:00"))) == [
        "レビューお願いします",
        "見ました",
        "ありがとう",
    ]


async def test_a_direct_message_is_read_back_from_its_channel(call: Call) -> None:
    posted = content(await call("slack_send_dm", user_id="haruka", text="お知らせです"))
    assert texts(await call("slack_get_channel_history", channel_id=posted["channel_id"])) == ["お知らせです"]


async def test_a_reaction_is_added_once(call: Call) -> None:
    wanted = {"channel_id": "C1", "timestamp": ts(19, "09:00"), "reaction": ":tada:"}
    assert content(await call("slack_add_reaction", **wanted))["created"] is True
    assert content(await call("slack_add_reaction", **wanted))["created"] is False
    page = content(await call("slack_get_channel_history", channel_id="C1", day="yesterday"))
    assert [(one["name"], one["count"]) for one in page["messages"][0]["reactions"]] == [("+1", 1), ("tada", 1)]


@requirement("J4")
async def test_the_same_request_sent_again_posts_once(call: Call, outbox: Path) -> None:
    first = content(await call("slack_post_message", key="run-1/3", channel_id="C1", text="一度だけ"))
    again = content(await call("slack_post_message", key="run-1/3", channel_id="C1", text="一度だけ"))
    other = content(await call("slack_post_message", key="run-1/4", channel_id="C1", text="一度だけ"))
    assert again == {**first, "created": False}
    assert other["ts"] != first["ts"]
    assert len(outbox.read_text().splitlines()) == 2


async def test_servers_that_post_at_once_neither_lose_nor_double_anything(export: Path, outbox: Path) -> None:
    receipts: list[Posted] = []

    async def post(number: int) -> None:
        workspace = ExportWorkspace(export, outbox, JST, lambda: NOW)
        receipts.append(await workspace.post(Draft("C1", f"{number}", key=f"key-{number % 10}")))

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(post, number)
    assert sum(receipt.created for receipt in receipts) == 10
    assert len({receipt.ts for receipt in receipts}) == len(outbox.read_text().splitlines()) == 10


async def test_mentions_in_a_text_are_sent_as_plain_characters(call: Call, outbox: Path) -> None:
    posted = content(await call("slack_post_message", channel_id="C1", text="<!channel> & <@U1>"))
    assert posted["text"] == "<!channel> & <@U1>"
    assert json.loads(outbox.read_text())["text"] == "&lt;!channel&gt; &amp; &lt;@U1&gt;"
    assert texts(await call("slack_get_channel_history", channel_id="C1", limit=1))[0] == "<!channel> & <@U1>"


@pytest.mark.parametrize(
    ("tool", "arguments", "advice"),
    [
        ("slack_post_message", {"channel_id": "C1", "text": "  "}, "The message is empty"),
        ("slack_post_message", {"channel_id": "C1", "text": "x" * 40_001}, "Slack takes 40000"),
        ("slack_reply_to_thread", {"channel_id": "C1", "thread_ts": "1.0", "text": "x"}, "Nothing was sent"),
        ("slack_add_reaction", {"channel_id": "C1", "timestamp": "1.0", "reaction": "x"}, "Nothing was sent"),
        ("slack_send_dm", {"user_id": "nobody", "text": "x"}, "slack_get_users"),
        ("slack_post_message", {"channel_id": "C9", "text": "x"}, "There is no channel C9 in this export"),
    ],
)
async def test_what_cannot_be_sent_is_refused_and_leaves_no_trace(
    call: Call, outbox: Path, tool: str, arguments: dict[str, object], advice: str
) -> None:
    assert advice in refusal(await call(tool, **arguments))
    assert not outbox.exists()


async def test_the_export_moves_so_that_its_last_day_is_today_and_the_outbox_stays_where_it_is(
    export: Path, outbox: Path
) -> None:
    day = date(2027, 3, 1)
    moved = caller(build_server(ExportWorkspace(export, outbox, JST, lambda: NOW, lambda: day), JST, lambda: NOW))
    page = content(await moved("slack_get_channel_history", channel_id="C1", day="2027-03-01"))
    assert [message["text"] for message in page["messages"]] == ["水曜の話の続き", "見ました", "レビューお願いします", "おはよう"]
    asked = page["messages"][2]
    await moved("slack_reply_to_thread", channel_id="C1", thread_ts=asked["ts"], text="返事")
    day = date(2027, 3, 2)
    page = content(await moved("slack_get_channel_history", channel_id="C1", day="2027-03-02"))
    assert page["messages"][2]["reply_count"] == 2, "the reply follows its thread to the next day"
    thread = await moved("slack_get_thread_replies", channel_id="C1", thread_ts=page["messages"][2]["ts"])
    assert sorted(texts(thread)) == sorted(["レビューお願いします", "見ました", "返事"])


@requirement("Y1")
async def test_an_export_that_moves_to_today_moves_to_the_time_zone_of_its_reader_too(tmp_path: Path) -> None:
    for user in json.loads((SAMPLE / "users.json").read_bytes()):
        assert user["tz"] == "Asia/Tokyo"
    los_angeles = ZoneInfo("America/Los_Angeles")
    now = datetime(2026, 11, 28, 16, 10, tzinfo=los_angeles)
    workspace = ExportWorkspace(SAMPLE, tmp_path / "outbox", los_angeles, lambda: now, lambda: now.date())
    moved = caller(build_server(workspace, los_angeles, lambda: now))
    for person in ({}, {"user_id": "maya"}):  # whose day is her own
        page = content(await moved("slack_get_channel_history", channel_id="#notes-maya", day="today", limit=50, **person))
        assert len(page["messages"]) == 4
        assert {one["time"][:13] for one in page["messages"]} == {"2026-11-28T16", "2026-11-28T17"}


async def test_a_line_torn_by_a_crash_costs_nothing_else(call: Call, outbox: Path) -> None:
    await call("slack_post_message", channel_id="C2", text="前")
    with outbox.open("ab") as file:
        file.write(b'{"type": "mess')
    await call("slack_post_message", channel_id="C2", text="後")
    assert texts(await call("slack_get_channel_history", channel_id="C2"))[:2] == ["後", "前"]


async def test_an_outbox_that_cannot_be_written_is_named(export: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    blocked = caller(
        build_server(ExportWorkspace(export, tmp_path / "file" / "outbox.jsonl", JST, lambda: NOW), JST, lambda: NOW)
    )
    assert "Set SLACK_OUTBOX to a writable file" in refusal(await blocked("slack_post_message", channel_id="C1", text="x"))


async def test_an_unknown_channel_is_not_read_as_an_empty_one(call: Call) -> None:
    assert "Take an ID from slack_list_channels" in refusal(await call("slack_get_channel_history", channel_id="C9"))


async def test_an_archived_channel_is_not_listed_and_can_still_be_read(call: Call, export: Path) -> None:
    channels = json.loads((export / "channels.json").read_text())
    channels[1]["is_archived"] = True
    (export / "channels.json").write_text(json.dumps(channels))
    assert [one["name"] for one in content(await call("slack_list_channels"))["channels"]] == ["general"]
    assert len(texts(await call("slack_get_channel_history", channel_id="dev"))) == 1


async def test_a_broken_file_of_the_export_is_named(call: Call, export: Path) -> None:
    (export / "dev" / "2026-11-20.json").write_text("[{")
    assert "2026-11-20.json of the export cannot be read" in refusal(await call("slack_get_channel_history", channel_id="C2"))


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "set SLACK_BOT_TOKEN"),
        ({"SLACK_EXPORT_DIR": "/nowhere"}, "/nowhere holds no channels.json"),
        ({"SLACK_EXPORT_DIR": "EXPORT", "SLACK_EXPORT_SHIFT": "tomorrow"}, "'tomorrow' is neither today nor a date"),
        ({"SLACK_EXPORT_DIR": "EXPORT", "SLACK_TIMEZONE": "Mars/Base"}, "'Mars/Base' is no time zone"),
    ],
)
def test_a_wrong_setting_is_named(export: Path, environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        server_from_environment({key: str(export) if value == "EXPORT" else value for key, value in environment.items()})


async def test_user_groups_are_offered_where_a_file_of_them_lies_beside_the_export(export: Path, outbox: Path) -> None:
    def tools() -> MCPServer[None]:
        return build_server(ExportWorkspace(export, outbox, JST, lambda: NOW), JST, lambda: NOW)

    assert "slack_list_user_group_members" not in {tool.name for tool in await tools().list_tools()}
    groups = [{"id": "S1", "handle": "dev-team", "users": ["U2", "U3"]}, {"id": "S2", "handle": "old", "date_delete": 1}]
    await anyio.Path(export / "usergroups.json").write_text(json.dumps(groups))
    members = content(await caller(tools())("slack_list_user_group_members", group="dev-team"))
    assert [user["name"] for user in members["users"]] == ["kenta"]
    assert "Known user groups: @dev-team." in refusal(await caller(tools())("slack_list_user_group_members", group="old"))
