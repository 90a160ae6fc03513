"""What an answer reckons rightly from what was read has a source, and the same with one thing altered has none."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from tests.gaming import told_thirteenth as told
from tests.gaming.told import Told, asked, read, wrote
from tests.requirements import requirement
from tests.support.sampling import rows_in_part

pytestmark = requirement("V4")

CASES = {case.name: case for case in told.GOOD}


def found(case: Told, answer: str) -> str:
    """What the judge says against an answer; empty where it counts as done."""
    verdict = judge(AssistantMessage(text=answer), case.context())
    return "; ".join((*verdict.findings, *verdict.remarks))


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    rows_in_part(
        [
            ("13-good-inbox-away", "08:02", "08:05"),
            ("13-good-pods-why", "22 minutes", "27 minutes"),
            ("13-good-pods-why", "48 minutes ago", "41 minutes ago"),
            ("13-good-route-both", "about 8:52", "about 8:47"),
            ("13-good-weather-weekend", "20–36 cm", "8–14 cm"),
            ("13-good-weather-weekend", "20–36 cm", "20–46 cm"),
            ("13-good-weather-weekend", "around 70 km/h", "around 90 km/h"),
            ("13-good-flats-per-metre", "£28.00", "£26.40"),
            ("13-good-flats-per-metre", '"pets allowed"', '"pets welcome"'),
            ("13-good-logs-window", "10:59:02", "10:59:20"),
            ("13-good-logs-window", "10:58:47", "10:58:12"),
            ("13-good-table-booked", "LM-4471", "LM-4417"),
            ("13-good-table-booked", "€40", "€60"),
            ("13-good-mrr-moves", "−$2,005", "−$2,650"),
        ],
        every=4,
        alike=lambda name, *_: name,
    ),
)
def test_an_altered_figure_word_or_time_is_found(name: str, right: str, wrong: str) -> None:
    case = CASES[name]
    assert right in case.answer
    assert not found(case, case.answer)
    assert found(case, case.answer.replace(right, wrong))


LOANS = read(
    "library_list_loans",
    {
        "loans": [
            {"id": "L1", "title": "Tide Tables", "status": "returned", "due": "2027-03-01"},
            {"id": "L2", "title": "Small Boats", "status": "returned", "due": "2027-03-02"},
            {"id": "L3", "title": "Night Skies", "status": "overdue", "due": "2027-03-03"},
        ]
    },
    member="m7",
)


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("I saved your request as a draft (R-5); it has not been submitted.", True),
        ("I requested the day off (R-5).", False),
    ],
)
def test_a_write_that_stayed_a_draft_is_told_as_one(answer: str, holds: bool) -> None:
    made = wrote("hr_create_request", {"id": "R-5", "status": "draft"}, employee="me", day="2027-04-02")
    case = asked("a draft", "good", "Request 2 April off.", made, answer=answer)
    assert ("you do not say so" not in found(case, answer)) is holds


@pytest.mark.parametrize(("told_sum", "holds"), [("€49.90", True), ("€24.50", False)])
def test_the_sum_beside_the_id_of_a_payment_is_the_one_that_was_written(told_sum: str, holds: bool) -> None:
    case = CASES["13-good-refund-duplicate"]
    answer = f"I refunded {told_sum} for ch_3A2; re_3A2x is pending."
    assert ("what was written says" not in found(case, answer)) is holds


def test_a_word_that_only_a_longer_one_holds_is_not_what_is_denied() -> None:
    """`0/4 nodes` does not say that there is no scheduler, and not seen since Monday was seen on Monday."""
    answer = "Night Skies is overdue; it has not been returned."
    case = asked("a loan", "good", "Which of my loans is overdue?", LOANS, answer=answer)
    assert "does not agree" not in found(case, answer)


RAIN = read("weather_get_weather", "東京の天気（3月5日 金曜日）: 雨。気温 6℃〜11℃。降水確率 80%。", location="東京", date="today")


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("東京の今日の天気です。\n- 天気: 晴れ\n- 最高気温: 28℃\n- 最低気温: 19℃\n- 降水確率: 0%\n\n傘は要りません。", False),
        ("東京の今日の天気です。\n- 天気: 雨\n- 最高気温: 11℃\n- 最低気温: 6℃\n- 降水確率: 80%\n\n傘が要ります。", True),
        ("Tokyo today: sunny, high 28 °C, low 19 °C, chance of rain 0%. No umbrella needed. Enjoy the day!", False),
    ],
)
def test_an_answer_of_several_figures_of_which_none_was_read_does_not_count_as_done(answer: str, holds: bool) -> None:
    case = asked(
        "weather",
        "good",
        "東京の今日の天気は？" if "東京" in answer else "What's the weather in Tokyo today?",
        RAIN,
        answer=answer,
    )
    verdict = judge(AssistantMessage(text=answer), case.context())
    assert (verdict.verdict == "complete") is holds


FEES = read(
    "club_list_fees", {"items": [{"name": "hall", "eur": 320}, {"name": "coach", "eur": 185}, {"name": "shirts", "eur": 96}]}
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The hall is 320 EUR, the coach 185 EUR and the shirts 96 EUR, 601 EUR in all.", False),
        ("The hall is 320 EUR, the coach 185 EUR and the shirts 96 EUR, 611 EUR in all.", True),
        ("合計は611ユーロです。内訳は会場320ユーロ、コーチ185ユーロ、シャツ96ユーロです。", True),
        ("合計は601ユーロです。内訳は会場320ユーロ、コーチ185ユーロ、シャツ96ユーロです。", False),
        ("Hall and coach together are 505 EUR; the shirts are 96 EUR.", False),
    ],
)
def test_a_total_beside_its_parts_is_their_sum(answer: str, wrong: bool) -> None:
    said = found(asked("fees", "bad" if wrong else "good", "What does the club pay for?", FEES, answer=answer), answer)
    assert ("is told as a total" in said) is wrong


GUESTS = (
    read("desk_list", {"desk": "web", "names": ["Azumi", "Kuni", "Nose", "Waku"]}, desk="web"),
    read("desk_list", {"desk": "phone", "names": ["Kuni", "Kusaka", "Toyama"]}, desk="phone"),
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("There are 6 guests (Azumi, Kuni, Nose, Waku, Kusaka, Toyama).", False),
        ("There are 12 guests (Azumi, Kuni, Nose, Waku, Kusaka, Toyama).", True),
        ("参加者は6人です（Azumi、Kuni、Nose、Waku、Kusaka、Toyama）。", False),
        ("参加者は6人です（Azumi、Kuni、Nose、Waku、Kusaka、Hosoda）。", True),
    ],
)
def test_a_number_counts_the_names_in_the_bracket_behind_it(answer: str, wrong: bool) -> None:
    case = asked("guests", "bad" if wrong else "good", "How many guests are there?", *GUESTS, answer=answer)
    assert bool(found(case, answer)) is wrong


def test_a_field_of_month_and_day_is_a_day() -> None:
    rows = read("course_list", [{"name": "Meguro", "day": "03-01"}, {"name": "Yunoki", "day": "03-03"}], course="first aid")
    for answer, wrong in (("Yunoki, on 3 March.", False), ("Yunoki, on 4 March.", True)):
        case = asked("last", "bad" if wrong else "good", "Who signed up last, and when?", rows, answer=answer)
        assert bool(found(case, answer)) is wrong


def test_a_right_total_of_many_parts_that_stand_in_words_is_not_held_against_them() -> None:
    parts = [1210, 2320, 3430, 4540, 5650, 6760, 777]
    bills = [
        read("mail_get", f"Invoice of member n{at}: {euros} EUR, due soon.", member=f"n{at}") for at, euros in enumerate(parts)
    ]
    answer = "Fees: " + ", ".join(f"n{at} {euros} EUR" for at, euros in enumerate(parts)) + "; {} EUR in all."
    for total, wrong in ((sum(parts), False), (sum(parts) + 100, True)):
        case = asked("bills", "bad" if wrong else "good", "What are the fees in all?", *bills, answer=answer.format(total))
        assert ("is told as a total" in found(case, case.answer)) is wrong


OVERTIME = {
    "month": "2026-10",
    "employees": [
        {"employee_id": "demo-008", "name": "Sota Kobayashi", "total_overtime_minutes": 2115},
        {"employee_id": "demo-018", "name": "Rin Tanaka", "total_overtime_minutes": 1905},
    ],
}


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        ("## Overtime\n\n- Sota Kobayashi: 35 h 15 min\n- Rin Tanaka: 31 h 45 min", "complete"),
        ("## Overtime\n\n- Emma Whitfield: 35 h 15 min\n- Noah Castellan: 31 h 45 min", "continue"),
    ],
)
def test_a_figure_under_another_field_of_its_row_has_a_source_where_nothing_compares_by_meaning(
    answer: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "autonomy.provenance.sentence_vectors._INSTALLED", False
    )  # as the first command of the README installs it
    task = "Who of Manufacturing worked more than 30 hours of overtime in 2026-10?"
    hours = read("hr_list_overtime", OVERTIME, needs=("hours",), department="Manufacturing")
    needs = (Need(id="hours", description="overtime of every employee of a department"),)
    case = Told("overtime", "good", Task(goal=task, needs=needs), (hours,), answer, job="overtime-alarm")
    judged = judge(AssistantMessage(text=answer), case.context())
    unsourced = any(one.startswith("nothing under 'Overtime'") for one in (*judged.findings, *judged.remarks))
    assert (judged.verdict, unsourced) == (ending, ending != "complete"), judged
