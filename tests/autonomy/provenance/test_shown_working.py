"""What an answer reckons before the reader's eyes is right or has no source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.reckoning.shown_working import worked_out
from autonomy.provenance.text.facts import facts_in
from tests.autonomy.provenance.unsourced import without_source
from tests.requirements import requirement

pytestmark = requirement("V1")
PRICES = "| 区分 | 展示 | プラネタリウム |\n|---|---|---|\n| 一般 | 600円 | 500円 |\n| 高校生 | 400円 | 500円 |"
ROUTE = {"summary": "A8", "distance": "145 km", "duration": "1 hour 41 mins"}
SERIES = {
    "result": [{"metric": {"instance": "web-1"}, "values": [[1804222800, "0.40"], [1804226400, "0.50"], [1804230000, "0.90"]]}]
}
ERRORS = [{"shortId": "A-1", "count": "1284", "firstSeen": "2027-03-04T22:05:00Z", "lastSeen": "2027-03-05T09:48:00Z"}]
WIND = {"units": {"wind_speed": "m/s"}, "series": [{"wind_speed": 7.2}, {"wind_speed": 12.5}, {"wind_speed": 9.8}]}
SHEET = "| Name | Team | Overtime (h:mm) |\n|---|---|---|\n| Aiko | Backend | 47:20 |\n| Ben | Backend | 38:45 |\n| Emi | SRE | 61:05 |"
ISSUES = [{"number": 88, "state": "open"}, {"number": 91, "state": "open"}, {"number": 95, "state": "closed"}]
SHARES = "交通費 48.8%、宿泊費 35.1%、会議費 12.5%"
FEED = {"items": [{"title": "Harbor released", "pubDate": "Fri, 05 Mar 2027 06:30:00 GMT"}]}


@pytest.mark.parametrize(
    ("text", "result", "goal", "figure"),
    [
        ("展示は一般600円×2人＋高校生400円＝1,600円です。", PRICES, "", "1,600円"),
        ("合計は2,600円です。\n- 展示：600円×1人＝600円\n- 別料金：500円×4人＝2,000円", PRICES, "", "2,600円"),
        ("Leave by 08:19: the A8 takes 1 h 41 min.", ROUTE, "I have to be in Salzburg at 10:00.", "08:19"),
        ("The A8 is 145 km, about 90 miles.", ROUTE, "", "90 miles"),
        ("Update the page by 14:35 (15 min).", "SEV1: update the status page within 15 min.", "Login broke at 14:20.", "14:35"),
        (
            "The postmortem is due on Friday, 12 March.",
            "SEV1: postmortem within 5 business days, due then.",
            "It broke today.",
            "12 March",
        ),
        ("web-1 の平均は60%です。", SERIES, "", "60%"),
        ("Harbor released: 今日15:30", FEED, "", "15:30"),
        ("The deposit is ¥2,310,000 (¥385,000 × 6 months).", "Rent 385,000円, deposit of 6 months", "", "¥2,310,000"),
        ("That is 38% (145,000 / 385,000).", "North 145,000 of 385,000", "", "38%"),
        ("That is **42%** (5 of 12).", "5 open, 12 in all", "", "42%"),
        ("Backend has 86:05 in all.", SHEET, "", "86:05"),
        ("Emi is 16 h 05 min over the limit.", SHEET, "Who is over 45 hours?", "16 h 05 min"),
        ("p99 is about 40% lower: 240 ms instead of 410 ms.", "p99 fell from 410 ms to 240 ms", "", "40%"),
        ("風は最大で時速45 km/hほどです。", WIND, "", "45 km/h"),
        ("About 45 km/h at its strongest.", WIND, "", "45 km/h"),
        ("2 of 3 issues are open, about 67 %.", ISSUES, "", "67 %"),
    ],
)
def test_what_is_reckoned_rightly_has_a_source(text: str, result: object, goal: str, figure: str) -> None:
    assert figure in text
    assert figure not in without_source(text, result, goal)


@pytest.mark.parametrize(
    ("text", "result", "goal", "wrong"),
    [
        ("展示は一般600円×2人＋高校生400円＝1,700円です。", PRICES, "", "1,700円"),
        ("Leave by 08:45: the A8 takes 1 h 41 min.", ROUTE, "I have to be in Salzburg at 10:00.", "08:45"),
        ("Leave by 11:41: the A8 takes 1 h 41 min.", ROUTE, "I have to be in Salzburg at 10:00.", "11:41"),
        ("The A8 is 145 km, about 110 miles.", ROUTE, "", "110 miles"),
        ("web-1 の平均は66%です。", SERIES, "", "66%"),
        ("It occurred 1,284 times in just under 12 hours, roughly 150 times an hour.", ERRORS, "", "150 times"),
        ("Harbor released: 今日16:30", FEED, "", "16:30"),
        ("The deposit is ¥2,130,000 (¥385,000 × 6 months).", "Rent 385,000円, deposit of 6 months", "", "¥2,130,000"),
        ("That is 48% (145,000 / 385,000).", "North 145,000 of 385,000", "", "48%"),
        ("About 12.5 km/h at its strongest.", WIND, "", "12.5 km/h"),
        ("Backend has 87:05 in all.", SHEET, "", "87:05"),
        ("2 of 3 issues are open, about 76 %.", ISSUES, "", "76 %"),
        ("They fell by 67 %: 2 of 3 issues are open.", ISSUES, "", "67 %"),
        ("p99 is about 60% lower: 240 ms instead of 410 ms.", "p99 fell from 410 ms to 240 ms", "", "60%"),
        ("| 区分 | 割合 |\n|---|--:|\n| 交通費 | 48.8% |\n| 宿泊費 | 35.1% |\n\nこの2つで9割以上です。", SHARES, "", "9割"),
        (
            "The postmortem is due on Friday, 19 March.",
            "SEV1: postmortem within 5 business days, due then.",
            "It broke.",
            "19 March",
        ),
    ],
)
def test_what_is_reckoned_wrongly_has_none(text: str, result: object, goal: str, wrong: str) -> None:
    assert wrong in without_source(text, result, goal)


@given(st.integers(2, 999), st.integers(2, 99), st.integers(1, 9_999), st.integers(-3, 3))
def test_an_equation_gives_its_result_where_it_is_right_and_nowhere_else(price: int, many: int, more: int, off: int) -> None:
    total = price * many + more + off
    text = f"{price}円×{many}人＋{more}円＝{total}円"
    assert [result.keys[0] for result, _ in worked_out(text, facts_in(text))] == ([str(total)] if off == 0 else [])


@given(st.text(alphabet="0123456789×÷+-=円 ,.人", max_size=200))
def test_no_text_breaks_the_reader_of_equations(text: str) -> None:
    assert all(result in facts_in(text) for result, _ in worked_out(text, facts_in(text)))


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("The mean is **7.53** ((7.3 + 7.5 + 7.8) / 3).", ["7.53"]),
        ("The mean was **39.2 mg/l** ((28.6 + 41.0 + 47.9) / 3).", ["39.2 mg"]),
        ("(28.6 + 41.0 + 47.9) / 3 = 39.17", ["39.17"]),
        ("2 × (3 + 4) = 14, and 5 − (2 − 1) = 4", ["14", "4"]),
        ("The mean was 41.2 ((28.6 + 41.0 + 47.9) / 3).", []),
        ("2 × (3 + 4) = 10, and 1 / (2 − 2) = 4", []),
    ],
)
def test_brackets_are_reckoned_first(text: str, results: list[str]) -> None:
    assert [fact.text for fact, _ in worked_out(text, facts_in(text))] == results


@given(st.lists(st.integers(1, 99), min_size=2, max_size=6), st.integers(2, 9), st.integers(1, 5))
def test_a_mean_shown_with_its_sum_in_brackets_is_right_or_nothing(values: list[int], many: int, off: int) -> None:
    total = sum(values)
    text = f"({' + '.join(map(str, values))}) × {many} = {{}}"
    for result, right in ((total * many, True), (total * many + off, False)):
        told = text.format(result)
        assert bool(list(worked_out(told, facts_in(told)))) is right
