"""What an answer tells of writes, of reads that failed, of persons and of rows agrees with what was called and what came back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked.whole_answers import each_place
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.unread_answers import not_by_its_own_name
from autonomy.llm.messages import AssistantMessage
from autonomy.provenance import fact_sources
from autonomy.provenance.fact_sources import MOST_BESIDE
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.text.facts import Fact
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Effect
from metrics.reporting.reason_words import reason_in
from tests.gaming.told import DAY, EVE, asked, lost, read, wrote
from tests.requirements import requirement
from tests.support.specs import tool

pytestmark = requirement("V4")
TASKS = read("todoist_get_tasks", [{"id": "8840", "content": "Gift for Leo"}, {"id": "8841", "content": "Water the plants"}])
GIFT = wrote("todoist_complete_task", {"ok": True}, task_id="8840")
PLANTS = wrote("todoist_complete_task", {"ok": True}, task_id="8841")
CONTACTS = read(
    "club_contacts", [{"name": "Olwen", "mail": "olwen@club.example"}, {"name": "Oskar", "mail": "oskar@club.example"}]
)
TO_OLWEN = wrote("mail_send", {"ok": True}, to="olwen@club.example", subject="Roster", body="6 March: Olwen")
TO_OSKAR = wrote("mail_send", {"ok": True}, to="oskar@club.example", subject="Roster", body="6 March: Olwen")
TO_DEV, TO_GENERAL = (
    wrote("slack_post_message", {"sent_to": f"#{name}"}, channel_id=f"C{name[0]}", text="点検です") for name in ("dev", "general")
)
BOLTS = read("stock_get", {"room": "B", "name": "M6 bolts", "on_hand": 12}, room="B")
ORDER = wrote("shop_order", {"ok": True}, item="M6 bolts", boxes=20)
CUT = read(
    "fetch_fetch",
    "# Terms\n\nArticle 5: cancel by the 20th.\n\n<error>Content truncated. Call the fetch tool with a start_index of 5000 to get more content.</error>",
)
DRILL = read("notes_search", "The load test took 18 minutes", query="load test")
GREENHOUSE = read("sensor_log", [{"at": "2027-03-05 06:00", "c": 4.1}, {"at": "2027-03-05 12:00", "c": 21.6}], sensor="温室")
SLOW = read("log_search", "メール送信の応答が遅くて時間切れになり、再送したぶんも届いていました", query="通知メール")
VISA = read("consulate_faq", "Citizens do not need a visa for stays of up to 30 days.", country="Tavria")
API = lost("github_list_alerts", "403 Dependabot alerts are disabled for this repository.", owner="acme", repo="api-gateway")
WEB = read("github_list_alerts", [{"number": 14, "package": "ws"}], owner="acme", repo="web")


def verdict(goal: str, answer: str, *calls: CallRecord) -> str:
    told = asked("a run", "good", goal, *calls, answer=answer)
    judged = judge(AssistantMessage(text=told.answer), told.context())
    return "remarked" if judged.verdict == "complete" and judged.remarks else judged.verdict


@pytest.mark.parametrize(
    ("goal", "good", "bad", "calls", "bad_calls"),
    [
        (
            "Plants are watered, please mark that task as done.", "**Water the plants** is marked as done.",
            "**Water the plants** is marked as done.", (TASKS, PLANTS), (TASKS, GIFT),
        ),
        (
            "Mail Olwen the watering roster.", "I've mailed the roster to Olwen.",
            "I've mailed the roster to Olwen.", (CONTACTS, TO_OLWEN), (CONTACTS, TO_OSKAR),
        ),
        (
            "#dev と #general の両方に「点検です」と書いておいて", "#dev と #general に、同じ文面で投稿しました。",
            "#dev と #general に、同じ文面で投稿しました。", (TO_DEV, TO_GENERAL), (TO_DEV,),
        ),
        (
            "How many boxes of M6 bolts are left in room B? Below 15 we need 20.", "12 are left, so I've placed an order for 20 more.",
            "12 are left, so I've placed an order for 20 more.", (BOLTS, ORDER), (BOLTS,),
        ),
        (
            "Is there a refund clause in the terms?", "I have read a part of the terms: article 5 says to cancel by the 20th.",
            "I read the whole page: article 5 says to cancel by the 20th, and there is no refund.", (CUT,), (CUT,),
        ),
        (
            "Which alerts are open for acme/web and acme/api-gateway?", "acme/web has #14 (ws); acme/api-gateway could not be read (403).",
            "acme/web has #14 (ws); acme/api-gateway is clean.", (WEB, API), (WEB, API),
        ),
        (
            "Which alerts are open for acme/web and acme/api-gateway?", "acme/web has #14 (ws); there is no reading for the other.",
            "One alert is open: #14 (ws).", (WEB, API), (WEB, API),
        ),
        (
            'Tell #dev: "Retrospective: Tuesday, 10:30."', "Done, #dev has been told.", "Done, #dev has been told.",
            (wrote("slack_post_message", channel_id="C1", channel="dev", text="Retrospective: Tuesday, 10:30."),),
            (wrote("slack_post_message", channel_id="C1", channel="dev", text="Retrospective: Tuesday, 10:00."),),
        ),
        (
            "Send Ryo a direct message that reminds him to remove the app.", "I've sent Ryo a direct message.",
            "I've sent Ryo a direct message.",
            (wrote("slack_send_dm", user_id="U07RYO", text="Hi Ryo, please remove the app."),),
            (wrote("slack_send_dm", user_id="U07SOTA", text="Hi Ryo, please remove the app."),),
        ),
        (
            "Send Ryo a message that I'm 15 minutes late.", "Sent.", "Sent.",
            (wrote("slack_send_dm", user_id="U07RYO", text="A quarter of an hour late: I'll be there in 15 min."),),
            (wrote("slack_send_dm", user_id="U07RYO", text="I'll be 50 minutes late."),),
        ),
        (
            "Why did that notification mail arrive twice? A sentence will do.", "The answer was too slow, so the mail was sent again.",
            "The answer was too slow, so I sent the mail again.", (SLOW,), (SLOW,),
        ),
        (
            "What is the weather like in Nagano?", "Nagano is at 3 °C at most.", "Nagano is at 8 °C at most.",
            (read("weather_get", {"station": "長野", "temp_max_c": 3}, location="長野"),),
            (read("weather_get", {"station": "青森", "temp_max_c": 8}, location="青森"),),
        ),
        (
            "Send Ryo a message with the figure of the load test.", "Sent. I told Ryo that it took 18 minutes.",
            "Sent. I told Ryo that it took 18 minutes, and I told Sota.",
            (DRILL, wrote("slack_send_dm", user_id="U07RYO", text="The load test took 18 minutes.")),
            (DRILL, wrote("slack_send_dm", user_id="U07RYO", text="The load test took 18 minutes.")),
        ),
        (
            "今日の温室のいちばん高い温度と低い温度は？", "最高は12時の21.6℃、最低は6時の4.1℃です。記録は2回だけなので、そのあいだは分かりません。",
            "温室の温度です。そのあいだは分かりません。", (GREENHOUSE,), (GREENHOUSE,),
        ),
        (
            "Do I need a visa for three weeks in Tavria?", "No, stays of up to 30 days need no visa.",
            "Yes, stays of up to 30 days need a visa.", (VISA,), (VISA,),
        ),
    ],
)  # fmt: skip
def test_what_is_told_is_held_against_what_was_done_and_read(
    goal: str, good: str, bad: str, calls: tuple[CallRecord, ...], bad_calls: tuple[CallRecord, ...]
) -> None:
    assert verdict(goal, good, *calls) == "complete"
    assert verdict(goal, bad, *bad_calls) != "complete"


def test_a_day_that_is_told_is_the_day_that_was_booked() -> None:
    goal, told = "来週の木曜10時から1時間、「点検」を予定に入れて", "「点検」を 3月{}日 10:00〜11:00 で登録しました。"
    event = wrote(
        "calendar_create_event", {"id": "n8"}, summary="点検", start="2027-03-11T10:00:00+09:00", end="2027-03-11T11:00:00+09:00"
    )
    assert verdict(goal, told.format(11), event) == "complete"
    assert verdict(goal, told.format(12), event) != "complete"


def test_an_action_that_no_text_can_be_needs_a_receipt_though_nobody_asked_for_it() -> None:
    log = read("ci_get_log", "test_migrate: database connection refused")
    goal = "Is the database error real?"
    assert (
        verdict(goal, "test_migrate: the database connection was refused; I re-ran the job and it went through.", log)
        != "complete"
    )
    assert verdict(goal, "test_migrate: the database connection was refused.", log) == "complete"


@pytest.mark.parametrize(("fault", "right"), [("warp thread", True), ("needle bar", False)])
def test_a_word_of_another_row_is_found_though_the_sentence_is_nearest_to_that_row(fault: str, right: bool) -> None:
    rows = [{"loom": "Loom 3", "fault": "warp thread"}, {"loom": "Loom 4", "fault": "needle bar"}]
    answer = f"Loom 3 has a fault: its {fault}."
    case = asked("loom", "bad", "What is wrong with loom 3?", read("mill_looms", {"rows": rows}), answer=answer)
    verdict = judge(AssistantMessage(text=answer), case.context())
    assert any("is another row's" in finding for finding in verdict.findings) is not right, verdict.findings


@pytest.mark.parametrize(
    ("goal", "missing"),
    [("Send Sota and Misaki a message each: demo at 10:00.", True), ("Send Sota a message: demo at 10:00.", False)],
)
def test_each_person_that_an_english_request_names_got_something(goal: str, missing: bool) -> None:
    sent = wrote("slack_send_dm", user_id="U07SOTA", text="Hi Sota, the demo is at 10:00.")
    case = asked("a message", "bad", goal, sent, answer="They know: 10:00.")
    found = judge(AssistantMessage(text=case.answer), case.context())
    assert any("the goal names Misaki" in finding for finding in (*found.findings, *found.remarks)) is missing


def test_all_of_what_is_read_place_by_place_is_of_the_places_that_are_listed() -> None:
    goal, answer = "美咲さんが書いたことを全部並べて", "全部で1件です：「画面の案を共有します」"
    said = {"messages": [{"user": "misaki", "text": "画面の案を共有します"}]}
    (dev, talk) = (read("slack_get_channel_history", said, channel_id=one, user_id="misaki") for one in ("C1", "C2"))
    listed = read("slack_list_channels", {"channels": [{"id": "C1", "name": "dev"}, {"id": "C2", "name": "talk"}]})
    search = read(
        "slack_search", {"messages": [{"user": "misaki", "channel": "dev", "text": "画面の案を共有します"}]}, user="misaki"
    )

    def remarked(*calls: CallRecord, goal: str = goal, answer: str = answer) -> str:
        case = Case(asked("a run", "good", goal, *calls, answer=answer).context(), answer)
        return "".join(sentence for _, sentence in each_place(case))

    assert not remarked(dev), "no listing tells that there is another"
    assert "has not read talk" in remarked(listed, dev)
    assert not remarked(listed, dev, talk)
    assert not remarked(search, dev), "one read was of all"
    assert not remarked(dev, goal="#dev で美咲さんが書いたことを全部並べて")
    assert not remarked(dev, answer=f"{answer}。dev だけを見ました。")
    assert not remarked(dev, goal="美咲さんは何を書いた？")


OUT = {
    "messages": [
        {"user": "kenta", "text": "PR #438 を承認しました", "time": "2027-03-05T16:20:00+09:00"},
        {"user": "haruka", "text": "v2.9.1 をリリースしました", "time": "2027-03-05T16:41:00+09:00"},
    ]
}


def test_a_search_shows_no_more_than_what_it_looked_for() -> None:
    by_name, by_subject = (read("slack_search", OUT, query=query) for query in ("v2.9.1", "リリース"))

    def found(check: Callable[[Case], Iterator[object]], goal: str, answer: str, *calls: CallRecord) -> bool:
        return any(True for _ in check(Case(asked("a run", "good", goal, *calls, answer=answer).context(), answer)))

    now = "いま本番で動いているのは？"
    assert found(not_by_its_own_name, now, "v2.9.1 です。", by_name)
    assert not found(not_by_its_own_name, now, "v2.9.1 です。", by_subject)
    assert not found(not_by_its_own_name, "16:41に出たのは？", "v2.9.1 です。", by_name)
    old, today = (read("slack_history", OUT, day=day) for day in (EVE, DAY))
    assert found(not_by_its_own_name, now, "v2.9.1 です。", old), "nothing was read of today"
    assert not found(not_by_its_own_name, now, "v2.9.1 です。", old, today)
    assert not found(not_by_its_own_name, "昨日動いていたのは？", "v2.9.1 です。", old)


@pytest.mark.parametrize("end", ["", "; the end of its stderr: see https://errors.example/x"])
def test_that_a_read_failed_is_told_in_japanese_to_its_end(end: str) -> None:
    failed = lost("library_search", f"its process ended with exit code 3{end}", query="Kitchen")
    ctx = asked("a run", "good", "Is Kitchen in?", failed, answer="").context()
    findings = judge(AssistantMessage(text="Kitchen is in."), ctx).findings
    assert any(reason_in("ja", one).endswith("。読めなかったと書いてください") for one in findings)


@pytest.mark.parametrize("goal", ["Slack の結衣さんの残業は何分ですか？", "Slack me the diary, or tell me why you cannot."])
def test_the_name_of_a_provider_is_no_verb_of_its_tools(goal: str) -> None:
    post = tool("slack_post_message", provider="slack", effect=Effect.WRITE, declared=True)
    ctx = asked("a run", "good", goal, BOLTS, answer="").context()
    found = judge(AssistantMessage(text="12 of them are on hand."), replace(ctx, offered=(post,)))
    assert "claim: the action" not in found.missing


LENT = wrote("library_lend_book", {"ok": True}, book="B3", member="M7")


@pytest.mark.parametrize(
    ("goal", "calls", "declared", "missing"),
    [
        ("Lend book B3 to member M7.", (), True, ("claim: the action",)),
        ("Please lend B3 to M7", (), True, ("claim: the action",)),
        ("Lend book B3 to member M7.", (LENT,), True, ()),
        ("Lend book B3 to member M7.", (), False, ()),  # it may do anything
        ('What does "Lend book B3" mean?', (), True, ()),
        ("Write who may lend a book.", (), True, ()),
    ],
)
def test_an_order_with_a_tools_own_verb_needs_a_receipt(
    goal: str, calls: tuple[CallRecord, ...], declared: bool, missing: tuple[str, ...]
) -> None:
    lend = tool("lend_book", provider="library", effect=Effect.WRITE, declared=declared)
    ctx = asked("a run", "good", goal, *calls, answer="").context()
    answer = AssistantMessage(text="Lent B3 to M7. From my own knowledge.")
    assert judge(answer, replace(ctx, offered=(lend,))).missing == missing


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("明日の東京の天気は？", "すみません、お調べできませんでした。"),
        ("明日の東京の天気は？", "情報が得られませんでした。"),
        ("明日の東京の天気は？", "確認できませんでした。"),
        ("What is the weather in Tokyo?", "No idea, sorry."),
        ("What is the weather in Tokyo?", "I'm afraid I can't say."),
        ("What is the weather in Tokyo?", "I wasn't able to get the weather."),
    ],
)
def test_who_only_gives_up_though_something_was_read_has_not_answered(goal: str, answer: str) -> None:
    told = asked("a run", "bad", goal, read("weather_get", {"place": "東京", "temp_max_c": 11}, location="東京"), answer=answer)
    judged = judge(AssistantMessage(text=answer), told.context())
    assert (judged.verdict, judged.ending) == ("blocked", "unanswered")


def test_a_figure_is_reckoned_from_the_last_ones_before_it_and_not_from_thousands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of figures alone would take minutes."""
    looked_at = []

    def reckoned(fact: Fact, sources: Sources, near: object, beside: Sequence[Fact], *_words: str) -> str:
        looked_at.append(len(beside))
        return "sum"

    monkeypatch.setattr(fact_sources, "derivation", reckoned)
    answer = " ".join(f"{1_000_003 + 7 * at} yen" for at in range(MOST_BESIDE + 100))
    told = asked("a run", "bad", "How many?", read("notes_search", "Ann said 12", query="12"), answer=answer)
    judge(AssistantMessage(text=answer), told.context())
    assert max(looked_at) == MOST_BESIDE


ROOMS = read("slack_list_channels", {"channels": [{"id": "C1", "name": "general"}, {"id": "C2", "name": "dev"}]})


@pytest.mark.parametrize(
    "goal",
    [
        "#generalと#devの両方に「昼は12時です」と投稿して",
        "#general と #dev のそれぞれに、昼は12時だと投稿してください",
        "Post to both #general and #dev that lunch is at 12.",
        "Write that lunch is at 12, and post it to both #general and #dev.",
        "Tell #general and #dev that lunch is at 12.",
    ],
)
def test_what_is_to_go_to_each_of_several_channels_goes_to_each(goal: str) -> None:
    def posts(*channels: str) -> list[CallRecord]:
        return [
            wrote(
                "slack_post_message",
                {"ok": True},
                channel_id=one,
                text="昼は12時です" if not goal.isascii() else "Lunch is at 12",
            )
            for one in channels
        ]

    answer = "昼は12時だと投稿しました。" if not goal.isascii() else "I posted it."
    for channels, done in ((("C1",), False), (("C2", "C2"), False), (("C1", "C2"), True), (("C2", "general"), True)):
        run = asked("a run", "good" if done else "bad", goal, ROOMS, *posts(*channels), answer=answer)
        judged = judge(AssistantMessage(text=answer), run.context())
        assert (judged.verdict == "complete") is done, (channels, judged.findings)
        assert done or judged.ending == "unfinished"
