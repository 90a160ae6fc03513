"""What an answer tells of all that there is was looked up at all of it, and what it says is out is out: calls are compared, not words."""

from typing import Any

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V2", "V4")
POSTS = [{"number": 100 + at, "name": f"Diary {at}", "day": f"2027-03-{at:02}"} for at in range(1, 11)]
CHANNELS = read(
    "slack_list_channels", {"channels": [{"id": f"C{at}", "name": name} for at, name in enumerate(("dev", "ops", "talk"))]}
)
RYO = {"user": "ryo", "text": "The response times are steady.", "time": "2027-03-05T13:11:00+09:00"}


def history(channel: str, *messages: dict[str, str]) -> CallRecord:
    return read("slack_get_channel_history", {"messages": list(messages), "next_cursor": ""}, channel_id=channel)


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What the judge has against an answer; empty if nothing."""
    return judge(AssistantMessage(text=answer), asked("a run", "good", question, *calls, answer=answer).context()).reason


def page(**beside: Any) -> CallRecord:
    return read("esa_list_posts", {"posts": POSTS, **beside}, category="diary")


PAGES = [
    page(total_count=12, next_page=2),
    page(meta={"pagination": {"totalItems": 12}}),
    page(page_info={"has_next_page": True}),
    page(message="Showing 10 of 12 posts"),
    page(message="12件中1〜10件を表示"),
    read("esa_list_posts", {"posts": POSTS}, category="diary", per_page=10),
]
HOW_MANY = "How many diary posts are there so far?"


@pytest.mark.parametrize("listed", PAGES)
@pytest.mark.parametrize(
    "answer", ["There are 10 diary posts so far.", "There are 10 diary posts for March so far. The first one is Diary 1."]
)
def test_a_page_is_not_told_as_all_however_the_server_pages(listed: CallRecord, answer: str) -> None:
    assert finding(HOW_MANY, answer, listed)


@pytest.mark.parametrize("listed", PAGES)
@pytest.mark.parametrize(
    "answer",
    [
        "At least 10: I only read the first page.",
        "I have read 10 posts so far, and there are more.",
    ],
)
def test_a_page_may_be_told_as_what_it_is(listed: CallRecord, answer: str) -> None:
    assert finding(HOW_MANY, answer, listed) == ""


def test_what_was_read_to_the_end_may_be_counted() -> None:
    rest = [{"number": 111, "name": "Diary 11", "day": "2027-03-11"}, {"number": 112, "name": "Diary 12", "day": "2027-03-12"}]
    answer = "There are 12 diary posts so far."
    first, last = (
        page(total_count=12, next_page=2),
        read("esa_list_posts", {"posts": rest, "total_count": 12}, category="diary", page=2),
    )
    assert finding(HOW_MANY, answer, first, last) == ""
    by_size = read("esa_list_posts", {"posts": [*POSTS, *rest]}, category="diary", per_page=50)
    assert finding(HOW_MANY, answer, by_size) == ""
    told = read("esa_list_posts", {"posts": POSTS, "total_count": 10, "next_page": None}, category="diary", per_page=10)
    assert finding(HOW_MANY, "There are 10 diary posts so far.", told) == ""
    newest = "Diary 10 is the newest of the 10 posts that you asked for, and Diary 1 the oldest."
    assert finding("Which are the 10 newest posts?", newest, PAGES[-1]) == ""


def test_all_of_the_newest_are_no_claim_of_all_there_is() -> None:
    newest = read("esa_list_posts", {"posts": POSTS[:3]}, category="diary", per_page=3)
    assert (
        finding("What do the newest diary posts say?", "All three are called Diary: Diary 1, Diary 2 and Diary 3.", newest) == ""
    )


WHERE = "In which channels did Ryo write?"
ELSEWHERE = [
    "Ryo wrote once, in #dev. He wrote nothing in the other channels.",
    "Ryo wrote once, in #dev, and in no other channel.",
]
READ = (CHANNELS, history("C0", RYO), history("C1"))


@pytest.mark.parametrize("answer", ELSEWHERE)
def test_nothing_is_told_of_channels_that_were_listed_and_not_read(answer: str) -> None:
    assert "talk was not read" in finding(WHERE, answer, *READ)
    assert finding(WHERE, answer, *READ, history("C2")) == ""


@pytest.mark.parametrize(
    "answer",
    [
        "Ryo wrote once, in #dev. I have not read the other channels.",
        "Ryo wrote once, in #dev, and nothing in #ops. The other channels were not checked.",
        "Ryo wrote once, in #dev. ほかのチャンネルは確認していません。",
    ],
)
def test_what_was_not_read_may_be_told_as_that(answer: str) -> None:
    assert finding(WHERE, answer, *READ) == ""


def test_a_search_looks_in_all_channels_at_once() -> None:
    found = read(
        "slack_search_messages", {"messages": [{**RYO, "channel": "dev"}], "next_cursor": ""}, query="from:ryo", user="ryo"
    )
    assert finding(WHERE, ELSEWHERE[0], CHANNELS, found, history("C0", RYO)) == ""


def saved(**state: Any) -> CallRecord:
    return wrote(
        "esa_create_post", {"number": 120, "url": "https://esa/posts/120", **state}, title="Steps", body_md="1. Build\n2. Ship"
    )


PUBLISH, OUT = "Publish a post called Steps in esa.", "I published the post Steps."


@pytest.mark.parametrize(
    "state", [{"wip": True}, {"draft": True}, {"published": False}, {"status": "draft"}, {"visibility": "private"}]
)
def test_a_draft_is_not_told_as_published_nor_left_as_one_unsaid(state: dict[str, Any]) -> None:
    assert finding(PUBLISH, OUT, saved(**state))
    assert finding(PUBLISH, "The post Steps is in esa.", saved(**state))
    assert finding(PUBLISH, "I saved the post Steps as a draft; it is not yet published.", saved(**state)) == ""
    assert finding("Save a draft called Steps in esa.", "I saved the draft Steps.", saved(**state)) == ""


def test_what_is_out_may_be_told_as_out() -> None:
    assert finding(PUBLISH, OUT, saved(wip=False)) == ""
    shipped = wrote("esa_update_post", {"number": 120, "wip": False}, post_number=120, wip=False)
    assert finding(PUBLISH, OUT, saved(wip=True), shipped) == ""


@pytest.mark.parametrize("state", [{"status": "queued"}, {"status": "scheduled"}, {"dry_run": True}, {"sent": False}])
def test_what_waits_is_not_told_as_sent(state: dict[str, Any]) -> None:
    sent = wrote("mail_send", {"id": "m-17", **state}, to="kenta@example.jp", subject="Steps", body="Here they are.")
    goal = "Send Kenta (kenta@example.jp) a mail called Steps that says: Here they are."
    assert finding(goal, "I sent the mail to Kenta.", sent)
    assert finding(goal, "The mail to Kenta is scheduled; it will be sent at nine.", sent) == ""


ROWS = read(
    "hr_calculate_overtime", {"rows": [{"id": "d-1", "name": "花", "minutes": 0}, {"id": "d-2", "name": "樹", "minutes": 82}]}
)


def test_nought_of_something_is_none_of_it_in_a_row_and_in_a_sentence() -> None:
    goal = "Who has the least overtime?"
    assert finding(goal, "Lowest: 花 (d-1) with 0 minutes", ROWS) == ""
    assert finding(goal, "Lowest: 樹 (d-2) with 0 minutes", ROWS)


def made(category: str, title: str) -> CallRecord:
    return wrote("esa_create_post", {"number": 120, "wip": False}, category=category, title=title, body_md="1. Build", wip=False)


RUNBOOK = read(
    "esa_get_post", {"number": 117, "name": "Runbook", "category": "Docs/Release", "body_md": "Build."}, post_number=117
)
IN_A_FOLDER = "Publish the steps of the runbook in esa under TODO/2026/11 as a post called “Steps of Friday”."
JA_FOLDER = "手順を esa の TODO/2026/11 に「金曜の手順」という記事で公開してください。"


def test_a_write_stands_in_the_folder_and_under_the_title_that_the_goal_gives() -> None:
    assert finding(IN_A_FOLDER, "It is published.", RUNBOOK, made("TODO/2026/11", "Steps of Friday")) == ""
    assert finding(IN_A_FOLDER, "It is published.", RUNBOOK, made("Docs/2026", "Steps of Friday"))
    assert finding(IN_A_FOLDER, "It is published.", RUNBOOK, made("TODO/2026/11", "Steps"))
    assert finding(JA_FOLDER, "公開しました。", RUNBOOK, made("TODO/2026/11", "金曜の手順")) == ""
    assert finding(JA_FOLDER, "公開しました。", RUNBOOK, made("メモ/2026", "金曜の手順"))


def test_a_folder_or_title_of_what_was_read_is_none_to_write_to() -> None:
    goal = "Read the post called “Runbook” in Docs/Release and publish its steps in esa under TODO/2026."
    assert finding(goal, "It is published.", RUNBOOK, made("TODO/2026", "Steps")) == ""


def test_a_record_is_written_to_by_the_number_that_the_goal_gives() -> None:
    goal, line = "Append to post 117 of esa: “Check the mail”", "Check the mail"

    def appended(number: int) -> CallRecord:
        return wrote("esa_append_post", {"number": number}, post_number=number, content=line)

    assert finding(goal, "I appended it.", RUNBOOK, appended(117)) == ""
    assert "117" in finding(goal, "I appended it.", RUNBOOK, appended(118))
    copied = "Copy post 117 to a new post and append to the copy: “Check the mail”"
    assert finding(copied, "Post 120 is the copy, with the line.", RUNBOOK, made("Docs", "Runbook"), appended(120)) == ""
