"""What is told of records is so of those that the question asks about: over pages, by states, sorts and people, now and that day."""

from typing import Any

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked import asked_records
from autonomy.completion.rules.case import Case
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
STAYS = [
    {"id": "B-301", "guest": "Ivo Kranz", "status": "confirmed", "price": 184.50, "tags": ["late"]},
    {"id": "B-302", "guest": "Mara Lind", "status": "cancelled", "price": 96.25, "tags": []},
    {"id": "B-303", "guest": "Ivo Kranz", "status": "confirmed", "price": 210.10, "tags": ["dog"]},
    {"id": "B-304", "guest": "Ada Roth", "status": "confirmed", "price": 75.40, "tags": []},
    {"id": "B-305", "guest": "Mara Lind", "status": "confirmed", "price": 133.00, "tags": ["late"]},
]
"""Confirmed they make 603.00, all 699.25; Ivo Kranz 394.60, Mara Lind 229.25."""


def pages(*, is_whole: bool = True) -> tuple[CallRecord, ...]:
    """The bookings on two pages, of which the second may be unread."""
    first = read("inn_list_bookings", {"bookings": STAYS[:3], "next_cursor": "c3", "has_more": True})
    second = read("inn_list_bookings", {"bookings": STAYS[3:], "next_cursor": None, "has_more": False}, cursor="c3")
    return (first, second) if is_whole else (first,)


def findings(check: Any, question: str, answer: str, *calls: CallRecord) -> list[str]:
    context = asked("a run", "good", question, *calls, answer=answer).context()
    return [finding for _, finding in check(Case(context, answer))]


def ends(question: str, answer: str, *calls: CallRecord) -> str:
    return judge(AssistantMessage(text=answer), asked("a run", "good", question, *calls, answer=answer).context()).ending


def test_a_total_is_of_the_records_with_the_state_asked_and_of_no_others() -> None:
    check = asked_records.totals_of_those_asked
    for question, right, wrong in (
        ("What is the total of all confirmed bookings?", "They add up to 603.00.", "They add up to 699.25."),
        ("What is the total of all confirmed bookings?", "About 603 in total.", "They add up to 527.60."),  # one left out
        ("キャンセルを除いた予約の合計は？", "合計は603ユーロです。", "合計は699.25ユーロです。"),
        ("What is the total without the cancelled ones?", "603.00 in all.", "699.25 in all."),
        ("What do confirmed bookings cost on average?", "150.75 on average.", "On average 699.25."),
    ):
        assert findings(check, question, right, *pages()) == [], right
        assert findings(check, question, wrong, *pages()) != [], wrong


def test_a_total_is_not_held_against_records_where_not_all_is_known() -> None:
    check, question = asked_records.totals_of_those_asked, "What is the total of all confirmed bookings?"
    assert findings(check, question, "394.60 in total.", *pages(is_whole=False)) == []  # another check asks for the other page
    for other in (
        "What is the total of the confirmed bookings since 3 March?",
        "What is the total of the two dearest confirmed bookings?",
        "What is the total of the confirmed bookings, not counting Ada's?",
    ):
        assert findings(check, other, "527.60 in total.", *pages()) == [], other
    both = "All make 699.25, and the confirmed ones 603.00."
    assert findings(check, question, both, *pages()) == []


def test_totals_of_two_people_are_not_exchanged() -> None:
    check, question = asked_records.totals_of_those_asked, "How much did Ivo Kranz pay, and how much did Mara Lind pay?"
    right = "Ivo Kranz paid 394.60 and Mara Lind paid 229.25."
    wrong = "Ivo Kranz paid 229.25 and Mara Lind paid 394.60."
    assert findings(check, question, right, *pages()) == []
    assert findings(check, question, wrong, *pages()) != []
    assert ends(question, right, *pages()) == "completed"
    assert ends(question, wrong, *pages()) == "doubtful"


TICKETS = [
    {"number": 71, "title": "Login page is blank", "state": "open", "labels": ["bug"], "assignee": "sato"},
    {"number": 72, "title": "Add a dark theme", "state": "open", "labels": ["feature"], "assignee": "yamada"},
    {"number": 73, "title": "Mail comes twice", "state": "open", "labels": ["bug"], "assignee": "sato"},
    {"number": 74, "title": "Typo in the footer", "state": "closed", "labels": ["bug"], "assignee": "yamada"},
]
MEMBERS = read("desk_members", [{"login": "sato", "name": "佐藤 美咲"}, {"login": "yamada", "name": "山田 涼"}])
LISTED = read("desk_list", {"tickets": TICKETS}, state="all")


def test_told_records_are_of_the_state_sort_and_person_asked_for() -> None:
    check = asked_records.rows_as_asked
    for question, right, wrong in (
        ("Which open tickets are not bugs?", "- Add a dark theme", "- Login page is blank\n- Mail comes twice"),
        ("未解決の課題のうち、バグではないものは？", "- Add a dark theme", "- Login page is blank"),
        ("Which bugs are open?", "- Login page is blank\n- Mail comes twice", "- Login page is blank\n- Typo in the footer"),
        ("山田さんが担当している課題は？", "- Add a dark theme\n- Typo in the footer", "- Login page is blank"),
        ("Which tickets are closed?", "Only one: Typo in the footer.", "Only one: Mail comes twice."),
    ):
        assert findings(check, question, right, MEMBERS, LISTED) == [], right
        assert findings(check, question, wrong, MEMBERS, LISTED) != [], wrong


def test_the_records_of_another_person_alone_are_known_by_the_list_of_members() -> None:
    check, question = asked_records.rows_as_asked, "Which tickets are assigned to Yamada?"
    of_sato = read("desk_list", {"tickets": [TICKETS[0], TICKETS[2]]}, assignee="sato")
    members = read("desk_members", [{"login": "sato", "name": "Misaki Sato"}, {"login": "ryo", "name": "Ryo Yamada"}])
    answer = "- Login page is blank\n- Mail comes twice"
    assert findings(check, question, answer, members, of_sato) != []
    assert findings(check, question, answer, of_sato) == []  # sato may be how Yamada is called there


def test_a_record_that_is_told_as_what_it_is_may_differ_from_what_was_asked() -> None:
    check = asked_records.rows_as_asked
    for question, answer in (
        ("Which tickets are closed?", "- Typo in the footer (closed)\n- Mail comes twice (still open)"),
        ("Which bugs are open?", "No bug is open but these two: Login page is blank, Mail comes twice."),
    ):
        assert findings(check, question, answer, LISTED) == [], answer


def test_a_switch_says_in_other_words_what_is_asked() -> None:
    doors = [{"name": "Front door", "state": "off"}, {"name": "Garage shutter", "state": "closed"}]
    answer = "- Front door: closed\n- Garage shutter: closed"
    assert findings(asked_records.rows_as_asked, "Which doors are closed?", answer, read("home_list", {"entities": doors})) == []


def test_an_event_is_of_the_day_asked_about_or_told_with_its_own() -> None:
    check, question = asked_records.events_of_the_day, "What is on my calendar tomorrow?"
    at = {"Dentist": "2027-03-06T09:00:00+09:00", "Choir practice": "2027-03-07T18:00:00+09:00"}
    events = read(
        "cal_list", {"events": [{"id": f"e{n}", "summary": name, "start": start} for n, (name, start) in enumerate(at.items())]}
    )
    assert findings(check, question, "Tomorrow you have the Dentist at 9:00.", events) == []
    assert findings(check, question, "Tomorrow you have Choir practice at 18:00.", events) != []
    assert findings(check, question, "Nothing tomorrow; Choir practice is on 7 March.", events) == []
    assert findings(check, "What is on from tomorrow on?", "Choir practice at 18:00.", events) == []


def test_a_day_that_is_asked_about_without_its_year_is_a_day_as_well() -> None:
    check, question = asked_records.events_of_the_day, "3月8日のOakには、どんな予約が入っていますか。"
    booking = {"id": "b-1", "room_name": "Oak", "date": "2027-03-07", "start": "10:00", "end": "12:00", "title": "四半期報告会"}
    answer = "3月8日のOakには、10:00〜12:00に「四半期報告会」が1件入っています。"
    assert findings(check, question, answer, read("rooms_list", {"bookings": [booking]}, date="2027-03-07")) != []
    for date in ("2027-03-08", "2026-03-08"):  # the year is not told
        assert findings(check, question, answer, read("rooms_list", {"bookings": [{**booking, "date": date}]}, date=date)) == []
    moved = {**booking, "moved_to": "2027-03-08"}
    assert findings(check, question, answer, read("rooms_list", {"bookings": [moved]})) == []
    assert (
        findings(check, question, "3月7日に「四半期報告会」が入っています。", read("rooms_list", {"bookings": [booking]})) == []
    )
    assert findings(check, "3月のOakの予約は？", answer, read("rooms_list", {"bookings": [booking]})) == []


def test_an_event_that_began_before_is_on_that_day_too() -> None:
    check = asked_records.events_of_the_day
    fair = {"id": "e1", "summary": "Book fair", "start": "2027-03-04T10:00:00+09:00", "end": "2027-03-09T18:00:00+09:00"}
    answer = "The Book fair is on."
    assert (
        findings(
            check, "What is on tomorrow?", answer, read("cal_list", {"events": [fair, {**fair, "id": "e2", "summary": "Tea"}]})
        )
        == []
    )


def test_what_is_told_of_now_is_not_what_was_so_before_a_write() -> None:
    check, question = asked_records.as_it_stands_now, "耐熱グラス(CUP-02)の在庫を30個に変更して、今の在庫を教えて。"
    before = read("shop_get", {"sku": "CUP-02", "name": "耐熱グラス", "stock": 2}, sku="CUP-02")
    change = wrote("shop_set_stock", {"ok": True}, sku="CUP-02", stock=30)
    assert findings(check, question, "変更しました。今の在庫は2個です。", before, change) != []
    assert findings(check, question, "変更しました。今の在庫は30個です。", before, change) == []
    assert findings(check, question, "2個から30個に変更しました。今は30個です。", before, change) == []
    unchanged = read("shop_get", {"sku": "CUP-02", "name": "耐熱グラス", "stock": 2}, sku="CUP-02", fresh=True)
    assert findings(check, question, "今の在庫はまだ2個です。", before, change, unchanged) == []


def test_that_there_is_nothing_of_somebody_is_an_answer_where_he_was_sought() -> None:
    goal = "Do we have a booking of Aiko Mori?"
    sought = read("inn_search_guests", {"guests": []}, query="Mori")
    told = "No. The guest search knows nobody called Mori, and none of the bookings is hers."
    assert ends(goal, told, sought, *pages()) == "completed"
    assert ends("Aiko Moriさんの予約はある？", "Aiko Moriさんの予約はありません。", sought, *pages()) == "completed"
    assert ends(goal, told, *pages(is_whole=False)) != "completed"
    stated = "Yes, Aiko Mori has booked two nights for 150 euros."
    assert ends(goal, stated, sought, *pages()) != "completed"


def test_one_record_that_the_question_names_needs_no_further_page_and_all_of_them_do() -> None:
    teas = [{"sku": "T1", "name": "Sencha 100 g", "stock": 42}, {"sku": "T2", "name": "Hojicha 100 g", "stock": 3}]
    page = read("shop_list_products", {"products": teas, "next_cursor": "p2", "has_more": True})
    assert ends("How many Hojicha bags do we have in stock? Just the number.", "3", page) == "completed"
    assert ends("How many Hojicha bags do we have in stock?", "We have 3 bags of Hojicha, all in Kyoto.", page) == "completed"
    assert ends("How many products do we have?", "2", page) == "unfinished"
    assert ends("How many products have less than 5 in stock?", "Only 1, Hojicha.", page) == "unfinished"


def test_records_are_known_by_other_columns_than_a_title_and_people_by_family_names() -> None:
    stays = [
        {"booking_id": "R-901", "guest": "Lena Fuchs", "check_in": "2027-03-06", "check_out": "2027-03-09"},
        {"booking_id": "R-903", "guest": "Ines Sousa", "check_in": "2027-03-08", "check_out": "2027-03-10"},
    ]
    calls, question = (read("hotel_list", {"reservations": stays}),), "Who checks in tomorrow?"
    assert findings(asked_records.events_of_the_day, question, "Ines Sousa checks in tomorrow.", *calls) != []
    assert findings(asked_records.events_of_the_day, question, "Lena Fuchs checks in tomorrow.", *calls) == []
    points = {("青木 蓮", "数学"): 82, ("青木 蓮", "英語"): 58, ("石田 結", "数学"): 91, ("石田 結", "英語"): 77}
    grades = read("school_grades", {"grades": [{"生徒": who, "科目": what, "点": many} for (who, what), many in points.items()]})
    question = "青木さんと石田さんの合計点はそれぞれ何点？"
    assert ends(question, "青木さんは168点、石田さんは140点です。", grades) == "doubtful"
    assert ends(question, "青木さんは140点、石田さんは168点です。", grades) == "completed"


def test_a_total_over_all_pages_of_the_records_asked_for_has_a_source() -> None:
    assert ends("What do all bookings come to in total, without the cancelled ones?", "603.00 in total.", *pages()) == "completed"
