"""The Web API backend: nothing is sent twice, limits are honoured, refusals say what to do, pages and names are fetched sparingly."""

from datetime import timedelta

import anyio
import pytest
from mcp import Client

from mcp_servers.slack.server import build_server, server_from_environment
from mcp_servers.slack.web_api import WebApiWorkspace
from mcp_servers.slack.web_client import WebClient
from mcp_servers.slack.workspace import Draft, Posted
from tests.mcp_servers.slack.conftest import JST, NOW, over_web, texts, ts
from tests.requirements import requirement
from tests.support.slack_web import SlackWeb
from tests.support.tool_calls import caller, content, refusal


def methods(slack: SlackWeb) -> list[str]:
    """What was called, but for the names of people and channels."""
    return [call.method for call in slack.calls if call.method not in ("users.list", "conversations.list")]


@requirement("O3", "X10")
async def test_a_posted_message_can_notify_nobody_and_is_read_back(slack: SlackWeb) -> None:
    call = over_web(slack)
    posted = content(await call("slack_post_message", channel_id="#dev", text="<!channel> できました & <@U1>"))
    assert posted["text"] == "<!channel> できました & <@U1>"
    (sent,) = [one.parameters for one in slack.calls if one.method == "chat.postMessage"]
    assert sent["text"] == "&lt;!channel&gt; できました &amp; &lt;@U1&gt;"
    assert (sent["link_names"], sent["parse"], sent["unfurl_links"], sent["unfurl_media"]) == (False, "none", False, False)
    page = content(await call("slack_get_channel_history", channel_id="C2", limit=1))
    assert (page["messages"][0]["ts"], page["messages"][0]["is_bot"]) == (posted["ts"], True)


@requirement("O3", "V4")
async def test_a_receipt_names_who_sent_it_as_the_history_does(slack: SlackWeb) -> None:
    call = over_web(slack)
    place = {"channel_id": "C1", "thread_ts": ts(20, "10:00")}
    sent = [
        content(await call("slack_post_message", channel_id="C2", text="夕方のまとめ", key="run-1/3")),
        content(await call("slack_post_message", channel_id="C2", text="夕方のまとめ", key="run-1/3")),
        content(await call("slack_reply_to_thread", text="ありがとう", **place)),
        content(await call("slack_send_dm", user_id="haruka", text="お知らせ")),
    ]
    senders = {(one["user_id"], one["user_name"], one["bot_id"]) for one in sent}
    page = content(await call("slack_get_channel_history", channel_id="C2", limit=1))
    (shown,) = page["messages"]
    assert senders == {(shown["user_id"], shown["user_name"], slack.BOT_ID)}
    assert "U1" not in senders.pop(), "it is not whom it was sent to"


async def test_a_reply_and_a_direct_message_go_where_they_belong(slack: SlackWeb) -> None:
    call = over_web(slack)
    reply = content(await call("slack_reply_to_thread", channel_id="C1", thread_ts=ts(20, "10:00"), text="ありがとう"))
    assert reply["thread_ts"] == ts(20, "10:00")
    direct = content(await call("slack_send_dm", user_id="haruka", text="お知らせ"))
    assert slack.channels[direct["channel_id"]].with_user == "U1"
    assert texts(await call("slack_get_channel_history", channel_id=direct["channel_id"])) == ["お知らせ"]


@requirement("J4")
@pytest.mark.parametrize("tool", ["slack_post_message", "slack_reply_to_thread", "slack_send_dm"])
async def test_the_same_request_sent_again_posts_once(slack: SlackWeb, tool: str) -> None:
    call = over_web(slack)
    place = {
        "slack_post_message": {"channel_id": "C1"},
        "slack_reply_to_thread": {"channel_id": "C1", "thread_ts": ts(20, "10:00")},
        "slack_send_dm": {"user_id": "U1"},
    }[tool]
    first = content(await call(tool, key="run-1/3", text="一度だけ", **place))
    again = content(await call(tool, key="run-1/3", text="一度だけ", **place))
    assert again == {**first, "created": False}
    await call(tool, key="run-1/4", text="一度だけ", **place)
    assert len(slack.sent()) == 2


@requirement("J4")
async def test_a_sent_message_is_told_with_its_address_and_a_workspace_that_tells_none_loses_no_receipt(
    slack: SlackWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = content(await over_web(slack)("slack_post_message", key="run-1/3", channel_id="C1", text="x"))
    again = content(await over_web(slack)("slack_post_message", key="run-1/3", channel_id="C1", text="x"))
    assert first["permalink"] == again["permalink"] == f"https://fake.slack.com/archives/C1/p{first['ts'].replace('.', '')}"
    slack.refuse("chat.getPermalink", "internal_error", status=503)
    posted = content(await over_web(slack)("slack_post_message", channel_id="C1", text="y"))
    assert (posted["permalink"], posted["sent_to"]) == ("", "#general")
    monkeypatch.setattr(slack, "on_chat_getPermalink", lambda call: {"channel": "C1"})  # an answer that lacks what it is for
    posted = content(await over_web(slack)("slack_post_message", channel_id="C1", text="z"))
    assert (posted["permalink"], posted["sent_to"]) == ("", "#general")
    assert len(slack.sent()) == 3


@requirement("J4")
async def test_the_same_request_twice_at_once_posts_once(slack: SlackWeb) -> None:
    workspace = WebApiWorkspace(WebClient(SlackWeb.BOT_TOKEN, slack.url), None, JST, lambda: NOW)
    receipts: list[Posted] = []

    async def post() -> None:
        receipts.append(await workspace.post(Draft("C1", "一度だけ", key="run-1/3")))

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(post)
    await workspace.aclose()
    assert sorted(receipt.created for receipt in receipts) == [False, False, False, True]
    assert len(slack.sent()) == 1


@requirement("J4")
async def test_a_message_whose_answer_was_lost_is_found_by_its_key_and_never_sent_again(slack: SlackWeb) -> None:
    slack.lose_answer("chat.postMessage")
    posted = content(await over_web(slack)("slack_post_message", key="run-1/3", channel_id="C1", text="一度だけ"))
    assert posted["created"] is True
    assert [message["ts"] for message in slack.sent()] == [posted["ts"]]
    assert methods(slack).count("chat.postMessage") == 1


@requirement("J4")
@pytest.mark.parametrize("key", [None, "run-1/3"])
@pytest.mark.parametrize("failure", ["dropped", "server error"])
async def test_a_write_without_an_answer_is_tried_once_and_said_to_be_unknown(
    slack: SlackWeb, key: str | None, failure: str
) -> None:
    if failure == "dropped":
        slack.lose_answer("chat.postMessage", carried_out=False)
    else:
        slack.refuse("chat.postMessage", "internal_error", status=503)
    sentence = refusal(await over_web(slack)("slack_post_message", key=key, channel_id="C1", text="x"))
    assert "outcome is unknown" in sentence
    assert "slack_get_channel_history" in sentence
    assert methods(slack).count("chat.postMessage") == 1


async def test_a_rate_limited_write_was_not_done_and_names_the_wait(slack: SlackWeb) -> None:
    slack.rate_limit("chat.postMessage", 30)
    assert "Wait 30 seconds" in refusal(await over_web(slack)("slack_post_message", channel_id="C1", text="x"))
    assert slack.sent() == []


async def test_a_read_waits_out_a_short_rate_limit_and_reports_a_long_one(slack: SlackWeb) -> None:
    slept: list[float] = []
    call = over_web(slack, slept=slept)
    slack.rate_limit("conversations.history", 3, times=2)
    assert texts(await call("slack_get_channel_history", channel_id="C2")) == ["dev の話 https://example.test"]
    assert slept == [3.0, 3.0]
    slack.rate_limit("conversations.history", 60)
    assert "Retry-After: 60" in refusal(await call("slack_get_channel_history", channel_id="C2"))
    assert len(slept) == 2


async def test_an_unreachable_slack_is_said_to_have_done_nothing(slack: SlackWeb) -> None:
    call = over_web(slack)
    slack.lose_answer("conversations.history")
    assert "Nothing was changed; try again" in refusal(await call("slack_get_channel_history", channel_id="C1"))
    workspace = WebApiWorkspace(WebClient("xoxb-fake", "http://127.0.0.1:1/api/"), None, JST, lambda: NOW)
    nowhere = caller(build_server(workspace, JST, lambda: NOW))
    assert "Slack did not answer conversations.list" in refusal(await nowhere("slack_list_channels"))


async def test_an_answer_that_is_no_json_is_reported_as_such(slack: SlackWeb) -> None:
    workspace = WebApiWorkspace(WebClient("xoxb-fake", slack.url.replace("/api/", "/other/")), None, JST, lambda: NOW)
    nowhere = caller(build_server(workspace, JST, lambda: NOW))
    assert "HTTP 404 and no JSON" in refusal(await nowhere("slack_list_channels"))


@pytest.mark.parametrize(
    ("method", "error", "tool", "arguments", "advice"),
    [
        ("conversations.history", "not_in_channel", "slack_get_channel_history", {"channel_id": "C1"}, "/invite"),
        ("chat.postMessage", "is_archived", "slack_post_message", {"channel_id": "C1", "text": "x"}, "Choose another one"),
        ("chat.postMessage", "something_new", "slack_post_message", {"channel_id": "C1", "text": "x"}, "(something_new)"),
        ("users.list", "invalid_auth", "slack_get_users", {}, "check SLACK_BOT_TOKEN"),
        (
            "reactions.add",
            "invalid_name",
            "slack_add_reaction",
            {"channel_id": "C1", "timestamp": "1.0", "reaction": "?"},
            "thumbsup",
        ),
    ],
)
async def test_a_refusal_says_what_to_do(
    slack: SlackWeb, method: str, error: str, tool: str, arguments: dict[str, str], advice: str
) -> None:
    slack.refuse(method, error)
    sentence = refusal(await over_web(slack)(tool, **arguments))
    assert error in sentence
    assert advice in sentence


async def test_a_missing_scope_is_named(slack: SlackWeb) -> None:
    slack.scopes[SlackWeb.BOT_TOKEN].discard("chat:write")
    assert "lacks the scope chat:write" in refusal(await over_web(slack)("slack_post_message", channel_id="C1", text="x"))


async def test_without_the_scope_for_private_channels_the_public_ones_are_listed(slack: SlackWeb) -> None:
    slack.add_channel("秘密", private=True)
    call = over_web(slack)
    assert [one["name"] for one in content(await call("slack_list_channels"))["channels"]] == ["general", "dev", "秘密"]
    slack.scopes[SlackWeb.BOT_TOKEN].discard("groups:read")
    assert [one["name"] for one in content(await call("slack_list_channels"))["channels"]] == ["general", "dev"]


async def test_there_is_no_search_without_a_user_token_and_a_refused_one_says_why(slack: SlackWeb) -> None:
    bot, user = (WebClient(token, slack.url) for token in (SlackWeb.BOT_TOKEN, SlackWeb.USER_TOKEN))
    for token, offered in ((None, False), (user, True)):
        server = build_server(WebApiWorkspace(bot, token, JST, lambda: NOW), JST, lambda: NOW)
        assert ("slack_search_messages" in {tool.name for tool in await server.list_tools()}) is offered
    assert "only user tokens" in refusal(await over_web(slack, user_token=SlackWeb.BOT_TOKEN)("slack_search_messages", query="x"))


async def test_a_found_reply_names_its_thread(slack: SlackWeb) -> None:
    page = content(await over_web(slack)("slack_search_messages", query="見ました", channel_id="general"))
    assert page["messages"][0]["thread_ts"] == ts(20, "10:00")


async def test_a_reaction_is_added_once_however_often_it_is_asked_for(slack: SlackWeb) -> None:
    call = over_web(slack)
    wanted = {"channel_id": "C1", "timestamp": ts(19, "09:00"), "reaction": "tada"}
    assert content(await call("slack_add_reaction", **wanted))["created"] is True
    assert content(await call("slack_add_reaction", **wanted))["created"] is False
    slack.lose_answer("reactions.add")
    assert "Call again with the same arguments" in refusal(await call("slack_add_reaction", **wanted))


async def test_long_channels_are_read_page_by_page_and_only_as_far_as_needed(slack: SlackWeb) -> None:
    for number in range(450):
        slack.say("C2", "U2", f"{number}", ts=ts(1, "00:00", number))
    call = over_web(slack)
    assert len(texts(await call("slack_get_channel_history", channel_id="C2", limit=10))) == 10
    assert methods(slack) == ["conversations.history"]
    slack.calls.clear()
    oldest = content(await call("slack_get_channel_history", channel_id="C2", limit=200, latest=ts(1, "00:00", 200)))
    assert [len(oldest["messages"]), oldest["next_cursor"]] == [200, None]
    slack.calls.clear()
    assert texts(await call("slack_get_channel_history", channel_id="C2", user_id="U1")) == []
    assert methods(slack) == ["conversations.history"] * 3


async def test_threads_are_fetched_only_where_a_reply_can_lie_in_the_period(slack: SlackWeb) -> None:
    await over_web(slack)("slack_get_channel_history", channel_id="C1", day="today")
    asked = [call.parameters["ts"] for call in slack.calls if call.method == "conversations.replies"]
    assert asked == [ts(20, "10:00"), ts(18, "10:00")]
    slack.calls.clear()
    await over_web(slack)("slack_get_channel_history", channel_id="C1", day="2026-11-21")
    assert methods(slack) == ["conversations.history"]


async def test_threads_that_a_user_has_no_part_in_are_not_fetched_for_that_user(slack: SlackWeb) -> None:
    await over_web(slack)("slack_get_channel_history", channel_id="C1", user_id="U2")
    assert methods(slack) == ["conversations.history"]
    for number in range(6):
        slack.say("C1", f"U1{number}", "x", ts=ts(20, "13:00", number), thread_ts=ts(20, "10:00"))
    slack.say("C1", "U2", "六人目のあと", ts=ts(20, "13:01"), thread_ts=ts(20, "10:00"))
    found = await over_web(slack)("slack_get_channel_history", channel_id="C1", user_id="U2")
    assert "六人目のあと" in texts(found), "Slack names only the first few who replied"


async def test_a_reply_that_was_also_sent_to_the_channel_is_told_once(slack: SlackWeb) -> None:
    slack.say("C1", "U1", "みんなにも", ts=ts(20, "14:00"), thread_ts=ts(20, "10:00"), subtype="thread_broadcast")
    assert texts(await over_web(slack)("slack_get_channel_history", channel_id="C1")).count("みんなにも") == 1


async def test_names_are_fetched_once_in_five_minutes(slack: SlackWeb) -> None:
    now = NOW
    workspace = WebApiWorkspace(WebClient(SlackWeb.BOT_TOKEN, slack.url), None, JST, lambda: now)
    for _ in range(3):
        await workspace.users()
        await workspace.channels()
    assert len(slack.calls) == 2
    now += timedelta(minutes=5)
    await workspace.users()
    assert len(slack.calls) == 3
    await workspace.aclose()


async def test_channels_that_are_read_at_once_ask_for_the_names_once(slack: SlackWeb) -> None:
    workspace = WebApiWorkspace(WebClient(SlackWeb.BOT_TOKEN, slack.url), None, JST, lambda: NOW)
    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(workspace.users)
            group.start_soon(workspace.channels)
    assert len(slack.calls) == 2
    await workspace.aclose()


async def test_hosts_come_and_go_without_disturbing_each_other(slack: SlackWeb) -> None:
    server = server_from_environment({"SLACK_BOT_TOKEN": SlackWeb.BOT_TOKEN, "SLACK_API_URL": slack.url})
    async with Client(server) as first:
        async with Client(server) as second:
            assert not (
                await second.call_tool("slack_get_thread_replies", {"channel_id": "C1", "thread_ts": ts(20, "10:00")})
            ).is_error
        assert not (await first.call_tool("slack_get_channel_history", {"channel_id": "C1"})).is_error
    assert len(texts(await caller(server)("slack_get_channel_history", channel_id="C2"))) == 1


async def test_a_bot_token_chooses_the_web_api_and_never_shows(slack: SlackWeb) -> None:
    server = server_from_environment(
        {"SLACK_BOT_TOKEN": SlackWeb.BOT_TOKEN, "SLACK_API_URL": slack.url, "SLACK_EXPORT_DIR": "/nowhere"}
    )
    slack.refuse("users.list", "token_revoked")
    sentence = refusal(await caller(server)("slack_get_users"))
    assert "renew SLACK_BOT_TOKEN" in sentence
    assert SlackWeb.BOT_TOKEN not in sentence


@pytest.mark.parametrize("group", ["designers", "@Designers", "デザイン", "S0001"])
async def test_the_members_of_a_user_group_are_its_people_who_have_not_left(slack: SlackWeb, group: str) -> None:
    slack.add_user("mari", "鈴木 真理", user_id="U9")
    slack.groups.clear()
    slack.add_group("designers", ["U9", "U1", "U3"], name="デザイン")
    slack.groups = {"S0001": {**next(iter(slack.groups.values())), "id": "S0001"}}
    slack.add_group("gone", ["U2"], disabled=True)
    members = content(await over_web(slack)("slack_list_user_group_members", group=group))
    assert members["group"] == {"id": "S0001", "handle": "designers", "name": "デザイン"}
    assert [user["id"] for user in members["users"]] == ["U1", "U9"], "U3 has left"
    unknown = refusal(await over_web(slack)("slack_list_user_group_members", group="gone"))
    assert unknown.endswith("There is no user group 'gone' here. Known user groups: @designers.")


async def test_a_plan_without_user_groups_and_a_token_without_their_scope_are_told(slack: SlackWeb) -> None:
    slack.refuse("usergroups.list", "plan_upgrade_required")
    assert "plan has no user groups" in refusal(await over_web(slack)("slack_list_user_group_members", group="designers"))
    slack.scopes[SlackWeb.BOT_TOKEN].remove("usergroups:read")
    assert "usergroups:read" in refusal(await over_web(slack)("slack_list_user_group_members", group="designers"))
