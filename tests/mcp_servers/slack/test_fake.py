"""The fake of Slack's Web API is called by Slack's own client as well as by ours, so that it is a fake of Slack and not of us."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack_web import SlackWeb


async def test_slacks_own_client_posts_reads_pages_and_is_refused(slack: SlackWeb) -> None:
    client = AsyncWebClient(token=SlackWeb.BOT_TOKEN, base_url=slack.url, retry_handlers=[])
    metadata = {"event_type": "e", "event_payload": {"k": "v"}}
    posted = await client.chat_postMessage(channel="C1", text="x", metadata=metadata, blocks=[{"type": "divider"}])
    plain = await client.conversations_history(channel="C1", limit=1)
    told = await client.conversations_history(channel="C1", limit=1, include_all_metadata=True)
    assert plain["messages"][0]["blocks"] == [{"type": "divider"}]
    assert "metadata" not in plain["messages"][0]
    assert (told["messages"][0]["ts"], told["messages"][0]["metadata"]) == (posted["ts"], metadata)
    assert [user["id"] async for page in await client.users_list(limit=2) for user in page["members"]] == ["U1", "U2", "U3"]
    await client.chat_update(channel="C1", ts=posted["ts"], text="y")
    assert slack.sent()[0]["text"] == "y"
    with pytest.raises(SlackApiError, match="channel_not_found"):
        await client.chat_postMessage(channel="C9", text="x")
    slack.rate_limit("chat.postMessage", 7)
    with pytest.raises(SlackApiError) as limited:
        await client.chat_postMessage(channel="C1", text="x")
    assert limited.value.response.headers["Retry-After"] == "7"


async def test_parameters_are_taken_from_query_form_and_json(slack: SlackWeb) -> None:
    client = AsyncWebClient(token=SlackWeb.BOT_TOKEN, base_url=slack.url, retry_handlers=[])
    await client.api_call("conversations.info", http_verb="GET", params={"channel": "C1"})
    await client.api_call("conversations.info", data={"channel": "C1"})
    await client.api_call("conversations.info", json={"channel": "C1"})
    assert [(call.verb, call.parameters) for call in slack.calls] == [
        ("GET", {"channel": "C1"}),
        *[("POST", {"channel": "C1"})] * 2,
    ]
