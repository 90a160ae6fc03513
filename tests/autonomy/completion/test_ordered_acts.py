"""Each act that a goal orders has a receipt of its own, on its condition, for the one and the thing that the goal means."""

import pytest

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked.asked_actions import counts_asked_for
from autonomy.completion.rules.asked.ordered_acts import ordered_acts, things_made_by_oneself
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Effect
from metrics.reporting.reason_words import reason_in
from tests.gaming.told import asked, lost, read, wrote
from tests.requirements import requirement
from tests.support.specs import tool

pytestmark = requirement("V4")
ISSUE = read("tracker_get_issue", {"number": 309, "title": "Tax shown twice", "state": "open"}, issue_number=309)
MINUTES = read("files_read_text_file", "The teapots are 15 % off from 5 December. Nora tests two bags.", path="notes/minutes.md")
SAVED = wrote(
    "files_write_file", path="reports/summary.md", content="The teapots are 15 % off from 5 December. Nora tests two bags."
)
SUMMARISE = "Summarise notes/minutes.md in two or three lines, save the summary to reports/summary.md and mail it to Priya Shah."
MAILED = wrote(
    "mail_send_mail",
    to=["priya.shah@acme.example"],
    subject="Minutes",
    body="The teapots are 15 % off from 5 December. Nora tests two bags.",
)
TOMS = read(
    "mail_list_contacts",
    "- Tom Becker <tom.becker@acme.example> (Finance)\n- Tom Baker <tom.baker@acme.example> (Warehouse)",
    query="Tom",
)
PRIYA = read("mail_list_contacts", "- Priya Shah <priya.shah@acme.example> (Finance)", query="Priya")
TANAKAS = read(
    "mail_list_contacts",
    "- 田中 健 <tanaka.ken@acme.example> (開発部)\n- 田中 真由 <tanaka.mayu@acme.example> (経理部)",
    query="田中",
)
TORN = read(
    "mail_read_mail",
    "ID: m-801\nFrom: Helen Brandt <helen@example.com>\n\nThe second bag in my order SO-5003 was torn. Could you refund 14.50?",
    message_id="m-801",
)
ORDERS = read(
    "shop_list_orders",
    {
        "orders": [
            {"id": "SO-5001", "customer": "Helen Brandt", "total": 86.0},
            {"id": "SO-5003", "customer": "Helen Brandt", "total": 29.0},
        ]
    },
)
REFUND = "Helen Brandt wrote about a torn bag. Refund what she asks for on the order she names."


def verdict(goal: str, answer: str, *calls: CallRecord, writers: tuple[str, ...] = ()) -> str:
    """What the judge says; `writers`: the tools that could have written."""
    told = asked("a run", "good", goal, *calls, answer=answer)
    ctx = told.context()
    ctx.offered += tuple(tool(name, provider=name.split("_")[0], effect=Effect.WRITE) for name in writers)
    found = judge(AssistantMessage(text=answer), ctx)
    return "complete" if found.verdict == "complete" else found.reason


@pytest.mark.parametrize(
    "answer",
    [
        "Done. I left a comment on issue 309 saying that the fix ships on 4 December.",
        "I added the comment to issue 309.",
        "The comment is on issue 309 now.",
        "Done.",
    ],
)
def test_an_order_that_a_tool_here_could_carry_out_is_not_done_by_words(answer: str) -> None:
    goal = "Leave a comment on issue 309 saying that the fix ships on 4 December."
    made = wrote("tracker_add_issue_comment", issue_number=309, body="The fix ships on 4 December.")
    assert "no tool has given a receipt" in verdict(goal, answer, ISSUE, writers=("tracker_add_issue_comment",))
    assert verdict(goal, answer, ISSUE, made, writers=("tracker_add_issue_comment",)) == "complete"


def test_the_same_in_japanese_whatever_the_verb() -> None:
    goal = "「在庫表の更新」という課題を作って、佐藤さんに割り当てて。"
    answer = "「在庫表の更新」を登録し、担当は佐藤さんにしてあります。"
    made = wrote("tracker_create_issue", {"number": 313}, title="在庫表の更新", assignee="佐藤")
    assert "no tool has given a receipt" in verdict(goal, answer, ISSUE, writers=("tracker_create_issue",))
    assert verdict(goal, answer, ISSUE, made, writers=("tracker_create_issue",)) == "complete"


@pytest.mark.parametrize("text", ["I left a comment on issue 309", "I've added the event", "We created two new tickets for it"])
def test_a_thing_that_one_made_oneself_is_a_deed(text: str) -> None:
    assert list(things_made_by_oneself(text))
    assert "more deeds" in verdict("What is going on with issue 309?", f"It is open. {text}.", ISSUE)


@pytest.mark.parametrize(
    "text", ["I added up the events", "I made a ticket list", "I wrote a short note", "Nora left a comment", "I read the ticket"]
)
def test_what_is_only_put_into_words_or_done_by_others_is_none(text: str) -> None:
    assert not list(things_made_by_oneself(text))


def test_each_of_several_acts_has_its_own_receipt() -> None:
    answer = "All done. The summary is in reports/summary.md and in Priya's inbox."
    missing = verdict(SUMMARISE, answer, MINUTES, PRIYA, SAVED)
    assert missing.startswith("the goal orders 'mail it to priya shah' too")
    assert "送" not in reason_in("ja", missing)
    assert "求めています" in reason_in("ja", missing)
    assert verdict(SUMMARISE, answer, MINUTES, PRIYA, SAVED, MAILED) == "complete"


def test_an_act_that_the_answer_says_was_not_done_or_that_was_tried_is_another_matter() -> None:
    refused = lost("mail_send_mail", "552 mailbox full", effect="outward", to=["priya.shah@acme.example"])
    honest = "The summary is in reports/summary.md. I could not mail it: 552 mailbox full."
    assert "the goal orders" not in verdict(SUMMARISE, honest, MINUTES, SAVED, refused)


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        ("File a ticket about the door and mail Priya.", ["a ticket", "mail"]),
        ("Cancel the booking of Ms Ito and refund her.", ["delete", "refund"]),
        ("課題を作って、佐藤さんに割り当てて", ["a ticket", "change"]),
        ("チケットを起票して、Slackで佐藤さんに知らせて", ["a ticket", "send"]),
        ("議事録を要約して、伊藤さんにメールして", ["mail"]),
        ("Create a ticket template.", []),
        ("Tell Bob that he should mail Tom and refund it.", []),
        ("What did Tom mail to Priya?", []),
        ("Summarise the mails and the refund policy.", []),
    ],
)
def test_the_acts_of_a_goal_are_those_that_it_orders(goal: str, kinds: list[str]) -> None:
    assert [act.kind for act in ordered_acts(goal)] == kinds


@pytest.mark.parametrize("goal", ["If it rains, mail Tom.", "Mail Tom or message him.", "雨が降ったら田中さんにメールして。"])
def test_an_act_on_a_condition_may_be_left_undone(goal: str) -> None:
    assert all(act.on_condition for act in ordered_acts(goal))


def test_a_tool_of_drafts_mails_nothing() -> None:
    (act,) = ordered_acts("Mail Priya the summary.")
    assert act.is_done_by("send_mail")
    assert act.is_done_by("send_draft")
    assert not act.is_done_by("draft_mail")
    assert act.may_be_done_by("frobnicate")
    assert not act.may_be_done_by("write_file")


@pytest.mark.parametrize(
    ("goal", "low", "write"),
    [
        ("Check the stock of the Glass cup. Only if it is under 5, create an issue 'Reorder'.", 4, wrote("tracker_create_issue", {"number": 3}, title="Reorder")),
        ("Glass cupの在庫を確認して、5個未満なら佐藤さんにメールで知らせて。", 4, wrote("mail_send_mail", to=["佐藤"], body="在庫が少なくなりました。")),
        ("Mail Sato if the stock of the Glass cup is no more than 5.", 5, wrote("mail_send_mail", to=["sato@acme.example"], body="It is low.")),
        ("Mail Sato unless the stock of the Glass cup is at least 6.", 5, wrote("mail_send_mail", to=["sato@acme.example"], body="It is low.")),
    ],
)  # fmt: skip
def test_what_is_ordered_on_a_condition_is_done_only_where_it_holds(goal: str, low: int, write: CallRecord) -> None:
    def stock(many: int) -> CallRecord:
        return read("shop_get_product", {"sku": "CUP-02", "name": "Glass cup", "stock": many, "price": 7}, sku="CUP-02")

    done = (
        "Done: Reorder (number 3)."
        if "issue" in goal
        else "佐藤さんにメールで知らせました。"
        if "在庫" in goal
        else "I mailed Sato."
    )
    assert verdict(goal, done, stock(low), write) == "complete"
    assert "and stock was read as 7" in verdict(goal, done, stock(7), write)
    nothing = (
        "在庫は足りているので、メールは送っていません。" if "在庫" in goal else "I created nothing, I did not send anything."
    )
    assert verdict(goal, nothing, stock(7)) == "complete"


def test_a_condition_that_is_met_leaves_no_excuse() -> None:
    goal = "Check the stock of the Glass cup. Only if it is under 5, create an issue 'Reorder'."
    cup = read("shop_get_product", {"sku": "CUP-02", "name": "Glass cup", "stock": 2}, sku="CUP-02")
    assert "receipt" in verdict(goal, "The stock is 2, so I created nothing.", cup, writers=("tracker_create_issue",))


@pytest.mark.parametrize(
    "goal",
    ["急須の在庫を確認して、5個未満なら佐藤さんに知らせて", "在庫を20個に変更して", "Post it if there are under 5 tickets"],
)
def test_the_number_of_a_condition_or_of_a_value_counts_no_deeds(goal: str) -> None:
    assert counts_asked_for(goal) == []


@pytest.mark.parametrize("goal", ["3件投稿して", "3件に返信して"])
def test_the_number_of_deeds_still_counts_them(goal: str) -> None:
    assert counts_asked_for(goal) == [3]


def test_a_mail_to_a_namesake_is_no_mail_to_the_one_who_is_named() -> None:
    def mail(to: str) -> CallRecord:
        return wrote("mail_send_mail", to=[to], subject="Review", body="The review moves to Room 6.")

    goal, answer = "Tell Tom Becker by mail that the review moves to Room 6.", "I have sent Tom Becker a mail."
    assert verdict(goal, answer, TOMS, mail("tom.becker@acme.example")) == "complete"
    assert "and it went to tom baker" in verdict(goal, answer, TOMS, mail("tom.baker@acme.example"))
    assert (
        verdict(
            "Tell Tom Baker and Tom Becker.",
            "I told both.",
            TOMS,
            mail("tom.baker@acme.example"),
            mail("tom.becker@acme.example"),
        )
        == "complete"
    )


def test_a_department_tells_namesakes_apart() -> None:
    def mail(to: str) -> CallRecord:
        return wrote("mail_send_mail", to=[to], subject="説明会", body="説明会は倉庫2階で行います。")

    goal = "経理部の田中さんに、説明会は倉庫2階で行うとメールで伝えて。"
    answer = "経理部の田中真由さんに、説明会は倉庫2階で行うとメールでお伝えしました。"
    assert verdict(goal, answer, TANAKAS, mail("tanaka.mayu@acme.example")) == "complete"
    assert "it went to 田中 健" in verdict(
        goal, "経理部の田中さんにメールでお伝えしました。", TANAKAS, mail("tanaka.ken@acme.example")
    )


def test_the_order_that_a_message_names_is_the_one_that_is_meant() -> None:
    def refund(order: str) -> CallRecord:
        return wrote("shop_refund_order", {"order_id": order, "amount": 14.5}, order_id=order, amount=14.5)

    assert verdict(REFUND, "Refunded 14.50 for the torn bag.", TORN, ORDERS, refund("SO-5003")) == "complete"
    assert "the message names SO-5003" in verdict(REFUND, "Refunded 14.50 for the torn bag.", TORN, ORDERS, refund("SO-5001"))
    assert "the message names" not in verdict(
        "Refund 14.50 on SO-5001.", "Refunded 14.50 on SO-5001.", TORN, ORDERS, refund("SO-5001")
    )


def test_a_login_that_a_list_gives_to_a_name_is_that_person() -> None:
    members = read("tracker_list_members", [{"login": "nora", "name": "Nora Lind"}, {"login": "lee", "name": "Lee Park"}])
    given = wrote("tracker_update_issue", {"number": 303, "assignee": "lee"}, issue_number=303, assignee="lee")
    other = wrote("tracker_update_issue", {"number": 303, "assignee": "nora"}, issue_number=303, assignee="nora")
    assert verdict("Assign the issue 303 to Lee Park.", "Issue 303 is Lee's now.", members, given) == "complete"
    assert "the goal gives it to Lee Park" in verdict(
        "Assign the issue 303 to Lee Park.", "Issue 303 is Lee's now.", members, other
    )


def test_what_is_in_preparation_by_the_goals_own_words_is_no_promise() -> None:
    mails = read("mail_search_mail", "From: 木村 恵 <kimura@example.com>\nSubject: いつ届きますか", query="木村")
    replied = wrote(
        "mail_send_mail", to=["kimura@example.com"], subject="Re: いつ届きますか", body="木村様\nご注文SO-5004は現在準備中です。"
    )
    goal = "木村恵さんのメールに、注文SO-5004は現在準備中だと返信して。"
    assert verdict(goal, "木村恵さんに、注文SO-5004は現在準備中であると返信しました。", mails, replied) == "complete"


def test_an_answer_that_did_nothing_speaks_of_nothing_else_as_all() -> None:
    goal = "Check the stock of the Glass cup. Only if it is under 5, create an issue 'Reorder'."
    page = read(
        "shop_list_products",
        {"products": [{"sku": "CUP-02", "name": "Glass cup", "stock": 7}], "next_cursor": "p4", "has_more": True},
    )
    assert verdict(goal, "I created nothing: there are still 7 glass cups, so the stock is not under 5.", page) == "complete"


def test_of_several_fields_the_condition_is_about_the_one_that_it_names_last() -> None:
    goal = "Look at the newest run and deploy version 2.4 to production only if no more than 2 tests failed."
    deployed = wrote("ci_trigger_deployment", {"deployment_id": 77}, version="2.4", environment="production")

    def run(failed: int) -> CallRecord:
        return read("ci_get_run", {"run_id": 882, "pipeline": "web", "tests": 412, "failed": failed}, pipeline="web")

    assert "failed was read as 5" in verdict(goal, "Version 2.4 is on production.", run(5), deployed)
    assert "was read as" not in verdict(goal, "Version 2.4 is on production.", run(2), deployed)


def test_a_channel_that_was_read_is_where_a_message_stands_and_not_where_something_goes() -> None:
    said = read(
        "chat_read_channel",
        {"channel": "front-desk", "messages": [{"author": "Ngozi Okafor", "text": "I cannot come for BK-9, please cancel it."}]},
        channel="front-desk",
    )
    listed = read(
        "bookings_list",
        {"bookings": [{"code": "BK-7", "guest": "Ngozi Okafor"}, {"code": "BK-9", "guest": "Ngozi Okafor"}]},
        guest="Okafor",
    )
    cancelled = wrote("bookings_cancel_booking", {"code": "BK-9", "status": "cancelled"}, code="BK-9")
    goal = "Ngozi Okafor wrote in #front-desk that she cannot come. Cancel the booking she mentions."
    assert verdict(goal, "Ngozi Okafor's booking BK-9 is cancelled.", said, listed, cancelled) == "complete"


def test_an_id_that_a_plain_list_gives_to_a_name_is_that_person_and_no_namesake() -> None:
    people = read("chat_list_people", "u-31: 伊藤 彩 (経理部)\nu-32: 伊藤 誠 (営業部)", query="伊藤")

    def message(to: str) -> CallRecord:
        return wrote("chat_send_message", {"ok": True}, user_id=to, text="来週の打ち合わせは中止になりました。")

    goal = "営業部の伊藤さんに、来週の打ち合わせは中止だとメッセージで伝えて。"
    assert verdict(goal, "営業部の伊藤誠さんにメッセージで伝えました。", people, message("u-32")) == "complete"
    assert "it went to 伊藤 彩" in verdict(goal, "営業部の伊藤さんにメッセージで伝えました。", people, message("u-31"))


def test_a_state_that_is_told_of_what_the_run_made_is_not_held_against_what_it_read() -> None:
    order = read("shop_get_order", {"id": "SO-5004", "status": "processing"}, order_id="SO-5004")
    draft = wrote(
        "mail_draft_mail", {"id": "d-701"}, to=["julia@example.com"], body="Your order SO-5004 is still being processed."
    )
    goal = "Draft a reply to Julia about her order's status. Don't send it."
    assert "does not agree" not in verdict(goal, "The draft (d-701) is waiting for you, nothing has been sent.", order, draft)


DEAL = read("crm_get_deal", {"id": "D-1047", "company": "Calder Clinics", "stage": "negotiation"}, deal_id="D-1047")
MOVED = wrote("crm_update_deal", {"id": "D-1047", "updated": True}, deal_id="D-1047", stage="closed_won")
MOVE_AND_NOTE = "Move deal D-1047 to closed_won and add a note to it saying 'Signed contract received'."
NOTED = "Deal D-1047 is now closed_won, and I added the note 'Signed contract received' to it."


def test_a_note_that_a_tool_here_adds_has_its_own_receipt() -> None:
    added = wrote("crm_add_note", {"id": "n_1"}, deal_id="D-1047", text="Signed contract received")
    writers = ("crm_update_deal", "crm_add_note")
    assert "'add a note to it' too" in verdict(MOVE_AND_NOTE, NOTED, DEAL, MOVED, writers=writers)
    assert "too, and no tool" not in verdict(MOVE_AND_NOTE, NOTED, DEAL, MOVED, added, writers=writers)


def test_a_note_may_go_along_with_another_write_or_have_no_tool() -> None:
    along = wrote("crm_update_deal", deal_id="D-1047", stage="closed_won", notes="Signed contract received")
    assert "too, and no tool" not in verdict(MOVE_AND_NOTE, NOTED, DEAL, along, writers=("crm_update_deal", "crm_add_note"))
    assert "too, and no tool" not in verdict(MOVE_AND_NOTE, NOTED, DEAL, MOVED, writers=("crm_update_deal",))
    assert [act.kind for act in ordered_acts("Write a note to Priya and make a note of it.")] == []


def test_an_act_behind_a_time_of_day_is_ordered_as_well() -> None:
    goal = "Book Cedar on 2 December 2026 from 14:00 to 15:00 for 'Kickoff', and cancel Hannah Pryce's booking of Maple that day."
    booked = wrote("rooms_create_booking", {"id": "b-701"}, date="2026-12-02", start="14:00", end="15:00", title="Kickoff")
    cancelled = wrote("rooms_cancel_booking", {"id": "b-555"}, booking_id="b-555")
    answer = "Cedar is booked on 2 December 2026 from 14:00 to 15:00 for 'Kickoff'."
    assert [act.kind for act in ordered_acts(goal)] == ["book", "delete"]
    assert '"cancel hannah pryce\'s booking of maple" too' in verdict(goal, answer, booked)
    assert "too, and no tool" not in verdict(goal, answer, booked, cancelled)


BUILDS = "- b7730 | checkout-api | v2.15.0 | {0} | 2026-11-30 08:55 | 211 passed\n- b7711 | checkout-api | v2.14.1 | {1} | 2026-11-29 15:20 | 214 passed"
DEPLOYED = wrote("ci_deploy", service="checkout-api", version="v2.15.0", environment="production")


@pytest.mark.parametrize(
    "goal",
    [
        "If the latest build of checkout-api passed, deploy v2.15.0 to production. If it failed, don't deploy, just tell me which tests failed.",
        "Deploy checkout-api v2.15.0 to production, but do not deploy it if the latest build has failed.",
        "Deploy checkout-api to production. When the latest build is failed, don't deploy anything.",
    ],
)
def test_what_is_forbidden_in_a_state_is_not_done_where_that_was_read(goal: str) -> None:
    def judged(*states: str) -> str:
        builds = read("ci_list_builds", BUILDS.format(*states), service="checkout-api")
        return verdict(goal, "I deployed checkout-api v2.15.0 to production.", builds, DEPLOYED)

    assert "the goal forbids it" in judged("failed", "passed")
    assert "禁じています" in reason_in("ja", judged("failed", "passed"))
    assert "the goal forbids it" not in judged("passed", "failed")


@pytest.mark.parametrize(
    "goal",
    [
        "If the build of checkout-api failed, don't deploy to production. Deploy it to staging.",
        "If any build of checkout-api failed, don't deploy.",
        "If the build of search-indexer failed, don't deploy.",
        "If the build of checkout-api has not failed, don't deploy.",
    ],
)
def test_a_state_of_another_thing_or_another_order_forbids_nothing(goal: str) -> None:
    build = read("ci_get_build", {"service": "checkout-api", "status": "failed", "version": "v2.15.0"}, id="b7730")
    assert "the goal forbids it" not in verdict(goal, "I deployed checkout-api v2.15.0.", build, DEPLOYED)


def test_a_state_in_an_object_forbids_as_well_and_one_read_only_afterwards_does_not() -> None:
    goal = "Deploy v2.15.0 of checkout-api. If its build failed, don't deploy."
    build = read("ci_get_build", {"service": "checkout-api", "status": "failed", "version": "v2.15.0"}, id="b7730")
    assert "the goal forbids it" in verdict(goal, "I deployed checkout-api v2.15.0.", build, DEPLOYED)
    assert "the goal forbids it" not in verdict(goal, "I deployed checkout-api v2.15.0.", DEPLOYED, build)
