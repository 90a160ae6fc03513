"""A claim of an action is the run's own, and each needs its own receipt, of its kind and target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import Sources, claims_in, unproven_claims
from autonomy.provenance.action_claims import ActionReceipt, kinds_of_tool, receipt_of
from tests.requirements import requirement

SUMMARISE = "昨日の Slack を三行でまとめて"
POST = "日記を投稿して"
DIARY = receipt_of("esa_create_post", {"name": "harukaの日記", "category": "AI代筆日記/2026/11/22"}, "esa")
DM = receipt_of("send_slack_dm", {"user_id": "U07KENTA", "message": "…"}, "common")


@requirement("V4")
@pytest.mark.parametrize(
    "text", ["投稿しました。", "日記を公開いたしました", "送信を完了しました", "The diary has been posted.", "I've sent it."]
)
@pytest.mark.parametrize("goal", [POST, "健太さんに DM を送って", "Please post the diary", "tell the manager"])
def test_whoever_was_asked_to_send_needs_a_receipt_to_say_so(text: str, goal: str) -> None:
    assert unproven_claims(text, [], goal=goal, tried_to_write=False)


@requirement("V4")
@pytest.mark.parametrize(
    ("text", "unproven"), [("日記を話題ごとに書いて投稿しました。", 0), ("日記を健太さんに投稿しました。", 1)]
)
def test_how_a_text_was_arranged_is_nobody_it_went_to(text: str, unproven: int) -> None:
    assert len(unproven_claims(text, [DIARY], goal=POST)) == unproven


@requirement("V4")
@pytest.mark.parametrize(
    "text", ["記事を作成しました。", "保存しました", "The row was created.", "投稿しました", "予約しました", "I booked it."]
)
def test_after_a_write_that_gave_no_receipt_every_such_word_is_a_claim(text: str) -> None:
    assert unproven_claims(text, [], goal=SUMMARISE)


@pytest.mark.parametrize(
    "text",
    [
        "遥さんが記事を投稿しました。",
        "結衣さんが送ってくれました。",
        "お店には結衣さんからお詫びを送ってもらっています",
        "v2.9.1 が公開され、美咲さんが文面を更新しました。",
        "Haruka has posted three times.",
        "Alice sent the report.",
        "Alice wrote the doc and posted it to Slack.",
        "The message was posted by Alice.",
        "「投稿しました」と書いてありました",
        "> 投稿しました",
        "投稿しますか？",
        "まだ投稿していません",
        "投稿できませんでした",
        "もし投稿しましたら",
        "I could not send it.",
        "明日投稿します",
        "I will post it tomorrow.",
        "It would have been sent the text above.",
        "The post could also have been published.",
        "Nothing was written on the 8th.",
        "Nobody else was told.",
    ],
)
def test_what_others_did_what_is_quoted_planned_or_denied_is_no_claim(text: str) -> None:
    assert claims_in(text) == ()


@pytest.mark.parametrize(
    "text",
    ["I posted nothing: you said no.", "I sent no mail to anyone.", "I sent Tom nothing.", "No message was sent.", "Neither post was sent.",
     "None of the drafts was published."],
)  # fmt: skip
def test_who_did_nothing_claims_nothing(text: str) -> None:
    assert claims_in(text) == ()


@pytest.mark.parametrize(
    "text",
    ["I posted nothing but the agenda.", "No doubt it was sent.", "No problem, I posted it.", "I posted no. 7 of the list."],
)
def test_a_no_that_denies_something_else_excuses_no_claim(text: str) -> None:
    assert len(claims_in(text)) == 1


def test_a_text_that_was_asked_for_may_be_handed_over() -> None:
    assert unproven_claims("お礼の文面を作成しました。\n拝啓 …", [], goal="お礼の手紙の文面を書いて", tried_to_write=False) == ()


def test_a_claim_is_told_once() -> None:
    found = unproven_claims("投稿しました。もう一度言います、投稿しました。", [], goal=POST, tried_to_write=False)
    assert [claim.text for claim in found] == ["投稿しました"]


@requirement("V4")
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("美咲さんにも、DM で同じ内容を送ってあります。", "美咲"),
        ("健太さんに知らせておきました。", "健太"),
        ("Both Sota and Misaki have been told by direct message.", ""),
        ("I told the manager about the two people above 25 hours in October.", ""),
    ],
)
def test_what_was_left_done_is_claimed_and_by_what_means_is_nobody_else(text: str, target: str) -> None:
    assert [claim.target for claim in claims_in(text)] == [target]


@requirement("V4")
@pytest.mark.parametrize(
    ("text", "unproven"),
    [
        ("日記を esa に投稿しました。", []),
        ("日記を作成しました。esa に投稿しました。", []),
        ("I sent you a message.", ["send"]),
        ("健太さんにメッセージを送りました。日記を投稿しました。", ["send"]),
        ("#general に投稿しました", ["post"]),
        ("esa に投稿しました。#dev にも投稿しました。", ["post"]),
        ("I posted it to esa and updated the ticket.", ["update"]),
        ("古い記事を削除しました。", ["delete"]),
        ("会議室を予約しました。", ["book"]),
    ],
)
def test_a_receipt_proves_its_own_kind_and_target_once(text: str, unproven: list[str]) -> None:
    assert [claim.kind for claim in unproven_claims(text, [DIARY])] == unproven


@requirement("V4")
@pytest.mark.parametrize(("sent_to", "proven"), [("#general", False), ("Kenta", True)])
def test_what_stands_in_a_channel_is_no_direct_message(sent_to: str, proven: bool) -> None:
    receipt = receipt_of("slack_post_message", {"channel_id": "C07", "text": "Kenta: please look"}, "slack", [sent_to])
    assert (unproven_claims("I've sent Kenta a direct message.", [receipt]) == ()) is proven


@requirement("V4")
def test_a_person_is_found_through_the_id_that_results_show() -> None:
    sources = Sources()
    sources.add_result("c", "users", {"users": [{"id": "U07KENTA", "real_name": "田中 健太", "display_name": "健太"}]})
    assert unproven_claims("健太さんにメッセージを送りました。", [DM], sources) == ()
    assert unproven_claims("美咲さんにメッセージを送りました。", [DM], sources)


def test_a_sentence_that_retells_a_read_is_no_claim_and_a_bare_one_stays() -> None:
    sources = Sources()
    sources.add_result("c", "history", {"messages": [{"text": "お店にお詫びのメールを送信しました。"}, {"text": "投稿しました"}]})
    assert unproven_claims("お店にお詫びのメールを送信しました。", [], sources) == ()
    assert unproven_claims("投稿しました。", [], sources)


def test_a_message_that_is_listed_with_its_day_and_time_is_no_claim() -> None:
    said = "Investigated the mail that arrives twice: the service answered too late, we took that for a failure and sent it again"
    sources = Sources()
    sources.add_result("c", "history", {"messages": [{"text": said}]})
    assert unproven_claims(f"There are 8.\n- 2026-11-20 14:21 #dev Maya: {said}", [], sources) == ()
    assert unproven_claims("I looked into the mails of 2026-11-20 14:21 and sent the report to Maya.", [], sources)


@pytest.mark.parametrize(
    ("text", "unproven"),
    [
        ("I added to the draft who fixed it.", []),
        ("下書きに追加しました。", []),
        ("I created the draft.", ["I created"]),
    ],
)
def test_what_is_added_to_something_is_proved_by_its_update(text: str, unproven: list[str]) -> None:
    updated = ActionReceipt(frozenset({"update"}), ("wiki_update_page", "118"))
    assert [claim.text for claim in unproven_claims(text, [updated])] == unproven
    assert unproven_claims(text, []), "and by nothing else"


def test_a_tools_name_tells_what_it_does() -> None:
    assert kinds_of_tool("esa_create_post") >= {"create", "post"}
    assert kinds_of_tool("slack_sendMessage") == kinds_of_tool("slackSMSSend") == {"send"}
    assert kinds_of_tool("get_weather") == frozenset()


@given(st.text(st.characters() | st.sampled_from("投稿しましたを送I sent「」#に、。 "), max_size=300))
def test_any_text_can_be_searched_and_spans_are_its_own(text: str) -> None:
    for claim in claims_in(text):
        assert text[claim.start : claim.end] == claim.text


def test_who_is_told_is_the_object_of_the_verb_itself() -> None:
    assert [(claim.kind, claim.target) for claim in claims_in("I updated the page and notified #sales.")][1:] == [
        ("notify", "#sales")
    ]
    assert [claim.target for claim in claims_in("I told Priya that it is done.")] == ["Priya"]


@requirement("V4")
@pytest.mark.parametrize(
    ("text", "unproven"),
    [
        ("投稿しました。メールも送りました。", ["メールも送りました"]),
        ("日記を投稿し、メールで報告しました。", ["メールで報告しました"]),
        ("I have posted it. I also sent an email to Maya.", ["I also sent an email"]),
        ("I posted it and emailed the team.", ["and emailed"]),
        ("Slackに投稿しました。", []),
    ],
)
def test_a_message_in_a_chat_proves_no_mail(text: str, unproven: list[str]) -> None:
    posted = receipt_of("slack_post_message", {"channel": "C1", "text": "write to maya@e.example"}, "slack", ["Slack"])
    assert [claim.text for claim in unproven_claims(text, [posted])] == unproven


@requirement("V4")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("gmail_send", {"to": "maya"}),
        ("send_mail", {"body": "hello"}),
        ("office_send_message", {"to": ["Maya Sato <maya@e.example>"], "body": "hello"}),
    ],
)
def test_mail_is_known_by_the_tool_or_by_whom_it_went_to(tool: str, arguments: dict[str, object]) -> None:
    sent = receipt_of(tool, arguments)
    assert unproven_claims("メールを送りました。", [sent]) == unproven_claims("I sent an email.", [sent]) == ()


@requirement("V4")
def test_the_second_deed_of_a_sentence_about_oneself_needs_a_receipt_too() -> None:
    told = unproven_claims(
        "I found Ilse and sent her a message.", [], goal="Let Ilse know that the hall is free", tried_to_write=False
    )
    assert [claim.kind for claim in told] == ["send"]
    assert unproven_claims("Ilse found it and sent you a message.", [], goal="What did Ilse do?", tried_to_write=False) == ()


@pytest.mark.parametrize(("address", "proven"), [("shin@example.jp", True), ("mari@example.jp", False)])
def test_a_mail_reaches_whoever_the_address_stands_beside_with_blanks_in_the_name_or_without(address: str, proven: bool) -> None:
    sources = Sources()
    people = [{"name": "佐藤 真", "email": "shin@example.jp"}, {"name": "佐藤 真理", "email": "mari@example.jp"}]
    sources.add_result("c1", "contacts_search", {"people": people}, arguments={})
    receipt = receipt_of("send_mail", {"to": address, "body": "期限は3月19日です"}, "mail")
    found = unproven_claims(
        "佐藤真様にメールをお送りいたしました。", [receipt], sources, goal="佐藤真さんにメールして", tried_to_write=True
    )
    assert (not found) is proven, found


@pytest.mark.parametrize(
    ("tool", "text"),
    [("teacher_tell", "参加者は6人だと講師に知らせました。"), ("printer_print", "The menu was sent to the kitchen.")],
)
def test_a_deed_is_proved_by_a_tool_of_its_own_word_and_by_whom_it_reached(tool: str, text: str) -> None:
    proof = receipt_of(tool, {"to": "講師" if "tell" in tool else "kitchen", "text": "…"})
    assert unproven_claims(text, [proof]) == ()
    assert unproven_claims(text, [receipt_of(tool, {"to": "somebody else", "text": "…"})])
