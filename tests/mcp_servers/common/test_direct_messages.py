"""Direct messages: harmless, sent once, and known to be there."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp import Client

from mcp_servers.common.one_writer import OneWriter
from mcp_servers.common.server import IDEMPOTENCY_KEY, server_from_environment
from mcp_servers.common.service_requests import NotDone
from tests.mcp_servers.common.calling import call
from tests.mcp_servers.common.slack_dms import FakeSlack, running_slack
from tests.requirements import requirement
from tests.support.tool_calls import content, words


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running_slack() as fake:
        yield fake


@pytest.fixture
def env(slack: FakeSlack, tmp_path: Path) -> dict[str, str]:
    return {"SLACK_BOT_TOKEN": "xoxb-test", "SLACK_API_BASE_URL": slack.base_url, "JIRITSU_COMMON_DIR": str(tmp_path)}


HELLO = {"user_id": "U0123", "message": "おはよう <!channel> & <@U9|x>"}


@requirement("O2")
async def test_a_message_is_sent_to_the_users_own_channel_with_nothing_in_it_that_acts(
    slack: FakeSlack, env: dict[str, str]
) -> None:
    sent = content(await call(env, "send_slack_dm", HELLO))
    (message,) = slack.messages["DU0123"]
    assert message["text"] == "おはよう &lt;!channel&gt; &amp; &lt;@U9|x&gt;"
    assert (message["parse"], message["link_names"], message["unfurl_links"], message["unfurl_media"]) == (
        "none",
        False,
        False,
        False,
    )
    assert (sent["channel"], sent["ts"], sent["replayed"]) == ("DU0123", message["ts"], False)
    assert slack.calls == ["conversations.open", "chat.postMessage"]


@requirement("O2")
async def test_a_message_sent_again_under_its_key_is_sent_once(slack: FakeSlack, env: dict[str, str]) -> None:
    first = content(await call(env, "send_slack_dm", HELLO, key="k1"))
    again = content(await call(env, "send_slack_dm", HELLO, key="k1"))
    content(await call(env, "send_slack_dm", HELLO, key="k2"))
    assert again == {**first, "replayed": True}
    payloads = [message["metadata"]["event_payload"] for message in slack.messages["DU0123"]]
    assert payloads == [{"idempotency_key": "k1"}, {"idempotency_key": "k2"}]


@requirement("O2")
async def test_the_same_request_at_once_in_two_processes_is_sent_once(slack: FakeSlack, env: dict[str, str]) -> None:
    async with (
        Client(server_from_environment(env)) as one,
        Client(server_from_environment(env)) as other,
        anyio.create_task_group() as group,
    ):
        for client in (one, other, one):
            group.start_soon(partial(client.call_tool, "send_slack_dm", HELLO, meta={IDEMPOTENCY_KEY: "k"}))
    assert len(slack.messages["DU0123"]) == 1


async def test_where_no_lock_can_be_made_a_process_still_takes_turns_with_itself(
    slack: FakeSlack, env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "messages.lock").mkdir()
    async with Client(server_from_environment(env)) as client, anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(partial(client.call_tool, "send_slack_dm", HELLO, meta={IDEMPOTENCY_KEY: "k"}))
    assert len(slack.messages["DU0123"]) == 1


async def test_a_process_that_writes_too_long_is_waited_for_and_told_of(tmp_path: Path) -> None:
    async with OneWriter(tmp_path / "lock").turn():
        with pytest.raises(NotDone, match="another process"):
            async with OneWriter(tmp_path / "lock", most_wait_s=0.0).turn():
                pass
    async with OneWriter(tmp_path / "lock", most_wait_s=60.0).turn():
        pass


async def test_a_lost_answer_is_settled_by_looking(slack: FakeSlack, env: dict[str, str]) -> None:
    slack.lose_answers = 1
    sent = content(await call(env, "send_slack_dm", HELLO, key="k"))
    assert sent["ts"] == slack.messages["DU0123"][0]["ts"]
    assert slack.calls.count("chat.postMessage") == 1


async def test_without_a_key_a_lost_answer_is_admitted_and_nothing_is_sent_twice(slack: FakeSlack, env: dict[str, str]) -> None:
    slack.lose_answers = 1
    result = await call(env, "send_slack_dm", HELLO)
    assert result.is_error
    assert "outcome is unknown" in words(result)
    assert len(slack.messages["DU0123"]) == 1


@pytest.mark.parametrize(
    ("method", "error", "advice"),
    [
        ("conversations.open", "user_not_found", "Check user_id"),
        ("conversations.open", "missing_scope", "im:write"),
        ("conversations.history", "missing_scope", "im:history"),
        ("chat.postMessage", "token_revoked", "SLACK_BOT_TOKEN"),
        ("chat.postMessage", "something_new", "something_new"),
    ],
)
async def test_what_slack_refuses_is_told_with_what_to_do(
    slack: FakeSlack, env: dict[str, str], method: str, error: str, advice: str
) -> None:
    slack.errors[method] = error
    result = await call(env, "send_slack_dm", HELLO, key="k")
    assert result.is_error
    assert words(result).count("Nothing was sent") == 1
    assert advice in words(result)
    assert slack.messages.get("DU0123", []) == []


async def test_a_limit_on_the_rate_is_told_with_the_time_to_wait(slack: FakeSlack, env: dict[str, str]) -> None:
    slack.rate_limited = True
    result = await call(env, "send_slack_dm", HELLO)
    assert result.is_error
    assert "Try again in 30 s" in words(result)


@pytest.mark.parametrize(
    "arguments", [{"message": ""}, {"message": " \n"}, {"message": "x" * 40_001}, {"user_id": "tanaka"}, {"user_id": "C0123"}]
)
async def test_what_cannot_be_sent_is_refused_before_slack_is_asked(
    slack: FakeSlack, env: dict[str, str], arguments: dict[str, str]
) -> None:
    result = await call(env, "send_slack_dm", HELLO | arguments)
    assert result.is_error
    assert slack.calls == []


async def test_the_token_is_in_no_answer(slack: FakeSlack, env: dict[str, str]) -> None:
    env["SLACK_BOT_TOKEN"] = "xoxb-secret"
    result = await call(env, "send_slack_dm", HELLO)
    assert "invalid_auth" in words(result)
    assert "secret" not in result.model_dump_json()


@requirement("O2", "L6")
async def test_without_a_token_the_message_goes_to_a_file_once_and_the_answer_says_so(tmp_path: Path) -> None:
    env = {"JIRITSU_COMMON_DIR": str(tmp_path)}
    first = content(await call(env, "send_slack_dm", HELLO, key="k"))
    again = content(await call(env, "send_slack_dm", HELLO, key="k"))
    assert first["outbox"] == str(tmp_path / "slack_dm.jsonl")
    assert again["replayed"] is True
    (entry,) = [json.loads(line) for line in (tmp_path / "slack_dm.jsonl").read_text().splitlines() if line]
    assert (entry["user_id"], entry["text"], entry["key"]) == ("U0123", "おはよう &lt;!channel&gt; &amp; &lt;@U9|x&gt;", "k")
