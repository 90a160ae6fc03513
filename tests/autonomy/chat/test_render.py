"""What people see, as data: escaped, split at Slack's limits, with buttons that say exactly what they are for."""

import html
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from slack_sdk.models.blocks import Block

from autonomy.chat.slack import blocks as render
from autonomy.chat.slack.authorization import SlackSettings
from autonomy.durable.approval_store import Approval
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.sinks import Sink
from autonomy.run_state.asking.approvals import ApprovalQuestion
from metrics import events
from tests.requirements import requirement

TEXTS = st.text(alphabet=st.sampled_from("あa<>&\n`# "), max_size=400)


@given(TEXTS, st.integers(min_value=40, max_value=120))
def test_a_split_text_loses_nothing_and_fits(text: str, limit: int) -> None:
    escaped = render.escape(text.replace("`", "'"))
    parts = render.split(escaped, limit)
    assert all(len(part) <= limit for part in parts)
    assert "".join(parts).replace("\n", "") == escaped.replace("\n", "")
    assert all(html.escape(html.unescape(part), quote=False) == part for part in parts)  # no entity is cut


def test_a_code_block_that_is_cut_is_a_code_block_on_both_sides() -> None:
    text = "```\n" + "x = 1\n" * 20 + "```\nend"
    parts = render.split(text, 60)
    assert len(parts) > 1
    assert all(part.count("```") % 2 == 0 for part in parts)


def test_a_long_text_is_cut_between_paragraphs_and_before_a_code_block_that_fits_whole() -> None:
    paragraphs = [f"{'word ' * 5}{number}\nits second line" for number in range(12)]
    code = "```python\n" + "x = 1\n" * 8 + "```"
    text = "\n\n".join([*paragraphs[:5], code, *paragraphs[5:]])
    parts = render.split(text, 200)
    assert "\n\n".join(parts) == text
    assert all(len(part) <= 200 for part in parts)
    assert [part for part in parts if "```" in part and code not in part] == []


def test_a_paragraph_longer_than_a_message_is_cut_between_its_lines() -> None:
    text = "short\n\n" + "\n".join(f"line {number}" for number in range(60))
    parts = render.split(text, 120)
    assert "\n".join(parts) == text
    assert min(len(part) for part in parts[:-1]) > 60, "no message of one word before a long one"


@requirement("S3")
@given(TEXTS)
def test_escaped_text_holds_nothing_that_slack_acts_upon(text: str) -> None:
    escaped = render.escape(f"<!here>{text}<@U1|you>![i](http://evil.test)")
    assert "<" not in escaped
    assert ">" not in escaped
    assert "![" not in escaped


@requirement("S3")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[https://bank.example](https://evil.example/login)", "https://bank.example (https://evil.example/login)"),
        ("[bank.example/pay](https://evil.example 'a title')", "bank.example/pay (https://evil.example)"),
        ("[ours@bank.example](mailto:evil@evil.example)", "ours@bank.example (mailto:evil@evil.example)"),
        ("[the minutes](https://ours.example/m)", "[the minutes](https://ours.example/m)"),
        ("[ours.example](https://ours.example/m)", "[ours.example](https://ours.example/m)"),
        ("[https://ours.example/m](https://ours.example/m)", "[https://ours.example/m](https://ours.example/m)"),
        ("[bank.example][1]\n[1]: https://evil.example", "[bank.example][1]\n[1] : https://evil.example"),
        ("![x](https://evil.example/?q=1)", "[x](https://evil.example/?q=1)"),
        ("![x][1]", "[x][1]"),
        ("<http://evil.example|http://bank.example>", "&lt;http://evil.example|http://bank.example&gt;"),
    ],
)
def test_no_link_is_called_like_another_address(text: str, shown: str) -> None:
    assert render.escape(text) == shown


@requirement("S3")
@given(st.lists(st.integers(1, 9), max_size=60))
def test_a_text_that_comes_in_pieces_holds_no_image_and_no_false_link_at_any_moment(sizes: list[int]) -> None:
    text, shown, begun = "See ![x](https://evil.example/?q=1) and [bank.example](https://evil.example/2)! Bye [now", "", ""
    whole, at = render.escape(text), 0
    for size in [*sizes, len(text)]:
        begun, at = begun + text[at : at + size], at + size
        ready = render.finished(begun)
        shown, begun = shown + render.escape(begun[:ready]), begun[ready:]
        assert "![" not in shown
        assert whole.startswith(shown)
    assert (shown, begun) == (whole.removesuffix("[now"), "[now")


@requirement("K10")
@pytest.mark.parametrize("piece", ["[", "![", "[a](", "[a]", "](", "[a\n", "!"])
def test_a_text_of_brackets_is_escaped_in_one_pass(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    assert len(render.escape(text)) <= 2 * len(text)
    assert render.finished(text) <= len(text)


def approval(**arguments: Any) -> Approval:
    question = ApprovalQuestion(
        run_id="r", key="turn-1/call-1", tenant="default", job="", tool="board_post", effect="outward",
        arguments=arguments, arguments_sha256="ab" * 32, reason="board_post sends something to others", asked_for_by="U1",
    )  # fmt: skip
    return Approval(id="12ab34cd", question=question, state="pending", asked_at=0.0, expires_at=60.0)


@requirement("S4")
def test_a_question_shows_every_argument_as_plain_text_and_binds_its_buttons_to_them() -> None:
    blocks = render.question_blocks(approval(text="<!channel> " + "あ" * 5000, channel="C1"), "ja")
    texts = [block["text"] for block in blocks if block["type"] == "section"]
    assert {text["type"] for text in texts} == {"plain_text"}
    assert all(len(text["text"]) <= 3000 for text in texts)
    assert sum(text["text"].count("あ") for text in texts) == 5000  # nothing is hidden of what a press binds
    assert [button["value"] for button in blocks[-1]["elements"]] == [f"12ab34cd:{'ab' * 32}"] * 2
    assert Block.parse_all(blocks)


@requirement("S4")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_why_a_question_is_asked_is_left_out_only_where_an_argument_shows_it(language: str) -> None:
    card = approval(board="C1")
    strange = TracedValue(argument="board", path="$", value="C1", sink=Sink.RECIPIENT, source=SourceClass.TEXT)

    def says_why(reason: str) -> bool:
        question = card.question.model_copy(update={"traced": (strange,), "reason": reason})
        (first, *_) = render.question_blocks(card.model_copy(update={"question": question}), language)
        return render.word("why", language, reason="") in first["text"]["text"]

    assert not says_why("board (recipient) from text that was read: C1")
    assert says_why("board_post sends something to others")


@requirement("S4")
def test_a_question_and_a_result_lead_to_the_console_where_its_address_is_known() -> None:
    blocks = render.question_blocks(approval(text="x"), "en", "https://console.example.org")
    assert "<https://console.example.org/inbox#approval-12ab34cd|" in blocks[-1]["elements"][0]["text"]
    assert blocks[-2]["type"] == "actions"
    assert Block.parse_all(blocks)
    assert SlackSettings(console_url="https://console.example.org/").console_url == "https://console.example.org"
    for wrong in ("console.example.org", "javascript:alert(1)", "https://a.example|b", "https://a b"):
        with pytest.raises(ValidationError, match=r"http\(s\)://HOST"):
            SlackSettings(console_url=wrong)


@pytest.mark.parametrize("key", ["users", "approvers"])
@pytest.mark.parametrize("wrong", ["S0123ABC", "@kenta", "<@U0123>", "kenta", "u0123", ""])
def test_a_user_group_or_a_name_among_the_people_is_refused_since_it_would_be_nobody(key: str, wrong: str) -> None:
    with pytest.raises(ValueError, match="is no id of a person"):
        SlackSettings.model_validate({key: ("U0123ABC", wrong)})
    assert SlackSettings.model_validate({key: ("U0123ABC", "W0123")}).model_dump()[key] == ("U0123ABC", "W0123")


def test_a_channels_name_is_refused_where_an_id_belongs_since_no_message_carries_it() -> None:
    for key, wrong in (("channels", ["C0123ABC", "#dev"]), ("approvals_channel", "#ops"), ("reports", {"diary": "General"})):
        with pytest.raises(ValueError, match="is no id of a channel"):
            SlackSettings.model_validate({key: wrong})
    assert SlackSettings(channels=("C0123", "D0123"), approvals_channel="", reports={"diary": "G0123"}).reports == {
        "diary": "G0123"
    }


@requirement("S4")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_question_that_cannot_be_shown_whole_leads_to_where_it_can_and_asks_for_no_reason_that_is_none(language: str) -> None:
    card = approval(text="x" * 60_000)
    card = card.model_copy(update={"question": card.question.model_copy(update={"reason": ""})})
    for console, place in (("", "jiritsu approvals list"), ("https://console.example", render.word("look_in_console", language))):
        blocks = render.question_blocks(card, language, console)
        texts = [block["text"]["text"] for block in blocks if block["type"] == "section"]
        assert place in texts[-1]
        assert not any(line.strip() in ("Why:", "理由:") for text in texts for line in text.splitlines())
        (row,) = (block for block in blocks if block["type"] == "actions")
        assert [button["action_id"] for button in row["elements"]] == [render.DENY]


@pytest.mark.parametrize(("state", "said"), [("granted", "承認しました"), ("denied", "却下しました"), ("expired", "時間内に")])
def test_an_answered_question_says_who_decided_and_has_no_buttons(state: Any, said: str) -> None:
    blocks = render.answered_blocks(approval(text="x").model_copy(update={"state": state, "answered_by": "U7"}), "ja")
    assert said in blocks[-1]["elements"][0]["text"]
    assert "actions" not in {block["type"] for block in blocks}


def call(kind: Any, **facts: Any) -> Any:
    return kind(run_id="r", key="k", at=0.0, turn=1, call_id="c1", tool="weather_get", **facts)


def test_a_call_that_the_request_does_not_name_says_what_to_do_about_it() -> None:
    refused = call(events.CallDecided, decision="deny", rule="not in the request")
    card = render.task_of(refused, "en")
    assert card is not None
    assert (card.status, card.details) == ("error", "not done: your request does not name whom or what. Ask again and name it")
    assert render.task_of(call(events.CallDecided, decision="allow"), "en") is None


def test_a_card_tells_why_a_call_is_tried_again_in_the_readers_language() -> None:
    facts = {"run_id": "r", "key": "k", "at": 1.0, "turn": 1, "call_id": "1", "tool": "board_post", "provider": "board"}
    failed = events.AttemptFailed(attempt=1, error="the tool says that it failed", retrying=True, **facts)
    assert [render.task_of(failed, language).details for language in ("ja", "en")] == [  # type: ignore[union-attr]
        "ツールが失敗を告げました。もう一度試しています",
        "the tool says that it failed: trying again",
    ]


def test_a_call_is_one_card_from_its_start_to_its_end() -> None:
    told = [
        call(events.CallStarted),
        call(events.AttemptFailed, attempt=1, error="CallTimedOut", retrying=True, wait_s=1.0),
        call(events.AlternativeTried, alternative="other_get", ok=True),
        call(events.ApprovalRequested),
        call(events.CallFinished, outcome="ok"),
        call(events.CallFinished, outcome="terminal"),
    ]
    cards = [render.task_of(event, "ja") for event in told]
    assert len({card.id for card in cards if card}) == 1
    assert [card.status for card in cards if card] == ["in_progress"] * 4 + ["complete", "error"]
    assert cards[1] is not None
    assert "もう一度" in cards[1].details


@pytest.mark.parametrize(
    ("tool", "title", "language", "shown"),
    [
        ("slack_get_channel_history", "Read a Slack channel", "ja", "チャンネルを読む"),
        ("weather_get_weather", "天気予報", "en", "Look up the weather forecast"),
        ("shop_buy", "Buy <!channel> things", "ja", "Buy &lt;!channel&gt; things"),
        ("shop_buy", "", "en", "shop_buy"),
    ],
)
def test_a_card_calls_a_tool_what_people_call_it(tool: str, title: str, language: str, shown: str) -> None:
    event = events.CallStarted(run_id="r", key="k", at=0.0, turn=1, call_id="c1", tool=tool, title=title)
    card = render.task_of(event, language)
    assert card is not None
    assert card.title == shown


def test_the_hosts_own_bookkeeping_is_no_card_and_its_search_is_called_what_people_call_it() -> None:
    facts = {"run_id": "r", "key": "k", "at": 0.0, "turn": 1, "call_id": "c1", "provider": "jiritsu"}
    planned = (
        events.CallStarted(tool="declare_plan", **facts),
        events.CallFinished(tool="declare_plan", outcome="terminal", **facts),
    )
    assert [render.task_of(event, "en") for event in planned] == [None, None]
    searching = events.CallStarted(tool="search_tools", **facts)
    assert [render.task_of(searching, one).title for one in ("ja", "en")] == ["使えるツールを探す", "Look for a tool"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("then", "status", "details"),
    [
        ("retry", "in_progress", "no usable reply yet: the model is asked again"),
        ("correct", "in_progress", "no usable reply yet: the model is asked again"),
        ("fallback", "in_progress", "no usable reply: another model is asked"),
        ("give_up", "error", "no usable reply"),
    ],
)
def test_a_model_without_a_usable_reply_is_a_card(then: Any, status: str, details: str) -> None:
    event = events.ModelFailed(run_id="r", key="k", at=0.0, turn=2, model="m", error="ModelUnavailable", then=then)
    card = render.task_of(event, "en")
    assert card is not None
    assert (card.id, card.title, card.status, card.details) == ("2-model", "Think of a reply", status, details)


def test_what_the_host_looks_up_by_itself_is_no_card() -> None:
    event = events.CallStarted(run_id="r", key="k", at=0.0, turn=0, call_id="c", tool="library_search")
    assert render.task_of(event, "ja") is None
    assert render.task_of(events.TurnStarted(run_id="r", key="k", at=0.0, turn=1), "ja") is None


@requirement("K6", "S3")
def test_a_title_that_speaks_of_reading_names_no_call_that_changes_something() -> None:
    """The first line is all that a notification shows, and a title is its server's own word; ours go by the end of a name."""
    for tool, title, effect, told in (
        ("evil_wipe", "Show the weather", "destructive", False),
        ("evil_slack_get_users", "", "outward", False),
        ("evil_send", "予定の一覧", "outward", False),
        ("board_post", "Put up a notice", "outward", True),
        ("board_list", "Show the notices", "read", True),
    ):
        asked = approval(text="x").question.model_copy(update={"tool": tool, "title": title, "effect": effect})
        for language in ("en", "ja"):
            plain = render.word("ask", language)
            assert (render.first_line(asked, language) != plain) is told, (tool, language)
