"""What an event of Slack means for us."""

from typing import Any

import pytest

from autonomy.chat.slack.events.slack_event import BotIdentity, plain_words, read_event

ME = BotIdentity(user_id="U0BOT", bot_id="B0BOT", team_id="T1")


def event(**more: Any) -> dict[str, Any]:
    said = {"type": "message", "user": "U1", "text": "やあ", "ts": "2.0", "channel": "C1", "team": "T1", **more}
    return {"event_id": "Ev1", "team_id": "T1", "event": said}


@pytest.mark.parametrize(
    "more",
    [
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "bot_message"},
        {"subtype": "channel_join"},
        {"user": "U0BOT"},
        {"bot_id": "B0BOT"},
        {"user": None},
        {"ts": None},
        {"type": "reaction_added"},
    ],
)
def test_notices_edits_and_our_own_words_are_nothing_to_answer(more: dict[str, Any]) -> None:
    assert read_event(event(**more), ME) is None


def test_a_mention_and_its_message_are_read_to_the_same_request() -> None:
    mention = read_event(event(type="app_mention", text="<@U0BOT> やあ"), ME)
    message = read_event(event(text="<@U0BOT> やあ", channel_type="channel"), ME)
    assert mention is not None
    assert message is not None
    assert (mention.run_id, mention.text) == (message.run_id, message.text) == ("slack-C1-2.0", "やあ")
    assert mention.addressed
    assert message.addressed


@pytest.mark.parametrize(
    ("raw", "mentioned"),
    [
        ("<@U0BOT> hi", True),
        ("write `<@U0BOT> weather` in a channel", False),
        ("```\n<@U0BOT> weather\n```", False),
        ("`a` <@U0BOT> `b`", True),
    ],
)
def test_a_mention_in_code_is_an_example(raw: str, mentioned: bool) -> None:
    message = read_event(event(text=raw, channel_type="channel"), ME)
    assert message is not None
    assert message.mentioned is mentioned


def test_a_reply_belongs_to_its_thread_and_a_stranger_to_their_own_team() -> None:
    message = read_event(event(thread_ts="1.0", user_team="T9"), ME)
    assert message is not None
    assert (message.thread_ts, message.follows_up, message.team) == ("1.0", True, "T9")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("<@U0BOT> 天気は？", "天気は？"),
        ("<@U0BOT>、天気は？", "天気は？"),
        ("これ <https://example.test/a?b=1&amp;c=2|ここ> を読んで", "これ https://example.test/a?b=1&c=2 を読んで"),
        ("<mailto:a@example.test|a@example.test> へ", "a@example.test へ"),
        ("<#C1|general> の話", "#general の話"),
        ("<@U2> にも", "<@U2> にも"),
        ("1 &lt; 2", "1 < 2"),
    ],
)
def test_words_are_read_as_they_were_typed(raw: str, words: str) -> None:
    assert plain_words(raw, ME) == words
