"""What is told of one row is held against that row, and what is told as the outermost against the rows that were asked for."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.provenance.records import told_rows
from autonomy.provenance.records.told_rows import not_outermost, rows_asked_for
from autonomy.provenance.sources.result_rows import Row, rows_of
from autonomy.provenance.sources.tabular.tables import WordIndex, mentions, tables_of
from tests.gaming.told import asked, read
from tests.requirements import requirement

pytestmark = requirement("V4")
SHOPS = [
    {"shop": "Harbour", "manager": "Ines", "closes": "22:00", "sales": 214, "opened": "2019-04-01"},
    {"shop": "Castle", "manager": "Otto", "closes": "20:00", "sales": 239, "opened": "2021-09-01"},
    {"shop": "Station", "manager": "Mei", "closes": "21:00", "sales": 180, "opened": "2015-02-01"},
]


def findings(goal: str, answer: str, rows: Any = SHOPS) -> tuple[str, ...]:
    case = asked("rows", "bad", goal, read("shops_list", {"shops": rows}, region="north"), answer=answer)
    return judge(AssistantMessage(text=answer), case.context()).findings


@pytest.mark.parametrize(
    ("answer", "own"),
    [
        ("Castle closes at 22:00.", "closes: 20:00"),
        ("Castle sold 214 loaves.", "sales: 239"),
        ("Otto runs Harbour.", "shop: Castle"),
        ("Harbour closes at 22:00 and Castle at 20:00.", ""),
        ("Castle closes at 20:00.", ""),
        ("Castle is near, and Harbour closes at 22:00.", ""),
        ("Castle sold 25 more than Harbour with 214.", ""),
        ("Otto does not run Harbour.", ""),
    ],
)
def test_what_another_row_has_is_not_told_of_a_row(answer: str, own: str) -> None:
    found = [finding for finding in findings("How are the shops doing?", answer) if "is another row's" in finding]
    assert (own in found[0]) if own else not found, found


def test_what_stands_in_another_list_too_may_be_told_of_a_row() -> None:
    goal, answer = "When does Castle close?", "Castle closes at 22:00."
    summer = read("shops_hours", {"hours": [{"season": "summer", "until": "22:00"}, {"season": "winter", "until": "20:00"}]})
    case = asked("rows", "good", goal, read("shops_list", {"shops": SHOPS}), summer, answer=answer)
    found = judge(AssistantMessage(text=answer), case.context()).findings
    assert not any("is another row's" in finding for finding in found)


@pytest.mark.parametrize(
    ("goal", "answer", "right"),
    [
        ("Which shop closes the latest?", "Harbour, at 22:00.", True),
        ("Which shop sold the most?", "Castle sold the most.", True),
        ("Which shop sold the most?", "Harbour sold the most.", True),  # it closes last: by which column is not known
        ("いちばん売れた店は？", "Castle です。", True),
        ("Which shop is the oldest?", "Mei's Station.", True),
    ],
)
def test_the_outermost_of_any_column_may_be_meant(goal: str, answer: str, right: bool) -> None:
    assert (not any("outermost" in finding for finding in findings(goal, answer))) is right


def test_a_row_that_is_the_first_or_last_in_nothing_is_not_the_outermost() -> None:
    breads = [{"bread": "rye", "sold": 214}, {"bread": "curry bun", "sold": 239}, {"bread": "toast", "sold": 180}]
    assert any(
        "outermost in none of sold" in finding for finding in findings("Which bread sold the most?", "Rye, with 214.", breads)
    )
    assert not any("outermost" in finding for finding in findings("Which bread sold the most?", "Curry bun, with 239.", breads))


def test_what_is_told_as_the_outermost_by_a_figure_stands_at_an_end_of_its_column() -> None:
    """Of two people with one name no word tells which row is meant; a figure does."""
    hours = [
        {"id": f"p{at}", "name": name, "minutes": many, "days": 20 + at % 2, "since": f"20{11 + 5 * at % 7}-04-01"}
        for at, (name, many) in enumerate((("Ren Abe", 1470), ("Aoi Sato", 2115), ("Ren Abe", 1245), ("Rin Ito", 1905)))
    ]
    for goal, answer, right in (
        ("Who has the least overtime?", "Ren Abe. That was 1470 minutes.", False),
        ("Who has the least overtime?", "Ren Abe. That was 1245 minutes.", True),
        (
            "Who has the least overtime of all who worked 20 days?",
            "Ren Abe, 1470 minutes; the other one's 1245 were on 21.",
            True,
        ),
        ("Whose overtime grew most?", "Ren Abe's: 1470 minutes.", True),  # that stands in no column
        ("Who has been here the longest?", "Ren Abe, since 1 April 2011.", True),  # a day, and no figure, tells how long
        ("Who came the earliest?", "Ren Abe, on 1 April 2014.", False),
        ("What did Ren Abe do?", "1470 minutes.", True),
        ("Who has the second most overtime?", "Rin Ito, with 1905 minutes.", True),
        ("Who of those since 2013 has the least overtime?", "Ren Abe, with 1470 minutes.", True),
    ):
        found = findings(goal, answer, hours)
        problems = ("neither the most nor the least", "outermost in none")
        assert (not any(problem in finding for finding in found for problem in problems)) is right, (answer, found)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Cloudy with sunny spells, -6 to 8 °C and a 30 % chance of rain.", False),
        ("Snow for a while, -4 to 3 °C and a 60 % chance of rain.", True),
        ("It snows, with 60 %. On Monday, 8 March, it will be -6 to 8 °C.", True),
        ("There is snow at 60 %, about 30 % more than usual.", True),
        ("From 3 °C and 60 % it changes to 8 °C and 30 %.", True),
        ("The next days bring 8 °C and 30 %. It begins with 3 °C and 60 %.", True),
    ],
)
def test_where_the_question_names_one_day_the_figures_are_not_those_of_another_days_row(answer: str, right: bool) -> None:
    days = [
        {"date": "2027-03-06", "weather": "rain", "low": 1, "high": 9, "chance": 80},
        {"date": "2027-03-07", "weather": "snow", "low": -4, "high": 3, "chance": 60},
        {"date": "2027-03-08", "weather": "cloudy, sunny spells", "low": -6, "high": 8, "chance": 30},
    ]
    found = findings("What will the weather be like on Sunday?", answer, days)
    assert (not any("is another row's" in finding for finding in found)) is right, found


def test_the_rows_of_other_days_are_read_once_however_many_sentences_are_held_against_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_rows, figures_of = list[Row](), told_rows._figures_of
    monkeypatch.setattr(told_rows, "_figures_of", lambda row: read_rows.append(row) or figures_of(row))
    days = [{"date": f"2027-03-{day:02}", "loaves": 200 + day, "rolls": 90 + day} for day in range(1, 31)]
    answer = "\n".join(f"- Shelf {shelf}: 216 loaves and {shelf} rolls." for shelf in range(300, 340))
    findings("How many loaves and rolls were sold on 8 March 2027?", answer, days)
    assert len(read_rows) == len(days)


@pytest.mark.parametrize(
    ("goal", "right"),
    [
        ("How many loaves and rolls had been sold until 8 March 2027?", True),
        ("How many loaves and rolls are ordered by 8 March 2027?", True),
        ("2027年3月8日までに売れた食パンとロールの数は?", True),
        ("2027年3月8日以前に売れた食パンとロールの数は?", True),
        ("How many loaves and rolls were sold on 8 March 2027?", False),
        ("2027年3月8日に売れた食パンとロールの数は?", False),
    ],
)
def test_a_day_that_bounds_what_is_asked_is_not_the_day_of_the_figures(goal: str, right: bool) -> None:
    sold = [{"date": f"2027-03-0{day}", "loaves": 210 + day, "rolls": 90 + day} for day in (6, 7, 8)]
    found = findings(goal, "食パンは216、ロールは96です。" if "食" in goal else "216 loaves and 96 rolls.", sold)
    assert (not any("is another row's" in finding for finding in found)) is right, found


def test_of_two_lists_that_name_a_row_either_may_have_it_outermost() -> None:
    since = {"Ines": "2019-04-01", "Otto": "2017-09-01", "Mei": "2021-02-01", "Zoe": "2018-05-01"}
    worked = {"Ines": 41, "Otto": 12, "Mei": 20, "Zoe": 30}
    bakers = read("bakers_list", {"bakers": [{"name": name, "since": day} for name, day in since.items()]})
    hours = read("hours_list", {"hours": [{"name": name, "hours": many} for name, many in worked.items()]}, month="2026-10")
    for answer, right in (("Ines, with 41 hours.", True), ("Zoe, with 30 hours.", False)):
        case = asked("rows", "good", "Who worked the most in 2026-10?", bakers, hours, answer=answer)
        found = judge(AssistantMessage(text=answer), case.context()).findings
        assert (not any("outermost" in finding for finding in found)) is right


def test_only_the_rows_that_the_question_names_are_compared() -> None:
    (table,) = tables_of(
        rows_of(
            "call-1",
            [
                {"issue": "alpha", "kind": "bug", "age": 3},
                {"issue": "beta", "kind": "bug", "age": 5},
                {"issue": "gamma", "kind": "wish", "age": 9},
                {"issue": "delta", "kind": "wish", "age": 1},
            ],
        )
    )
    told = table.told_of("beta is the oldest")
    assert told
    assert not_outermost(told, rows_asked_for("which bug is the oldest?", table)) is None
    assert not_outermost(told, table) == ("age",)


def test_a_wide_table_is_not_reckoned_with() -> None:
    """A stranger's result decides how many columns there are, and each is held against each other one."""
    rising = [{"shop": f"Shop{n}", **{f"m{column}": (column + 1) * n + 3**column for column in range(20)}} for n in range(9)]
    (narrow,) = tables_of(rows_of("c", {"shops": rising}, {}))
    (wide,) = tables_of(rows_of("c", {"shops": [{**row, "one_more": 100 + n} for n, row in enumerate(rising)]}, {}))
    assert not_outermost(narrow[4], narrow)
    assert not_outermost(wide[4], wide) == ()


_WORDS = st.text(alphabet="ab1 -#のぞ", max_size=5)


@given(st.lists(_WORDS, max_size=12), st.text(alphabet="ab1 -#のぞ", max_size=40))
def test_the_index_finds_just_the_words_that_a_text_mentions(words: list[str], said: str) -> None:
    assert WordIndex(words).mentioned(said) == [at for at, word in enumerate(words) if mentions(said, word)]


_BEGINNING = "x" * WordIndex.BEGINNING
_LONG = st.sampled_from(("", "x", " ", "-", "の")).map(f"{_BEGINNING}{{}}a".format)


@given(st.lists(_LONG, max_size=6), st.lists(_LONG, max_size=3).map(" ".join))
def test_words_of_one_beginning_are_told_apart(words: list[str], said: str) -> None:
    assert WordIndex(words).mentioned(said) == [at for at, word in enumerate(words) if mentions(said, word)]


def test_a_long_text_is_looked_through_in_little_memory() -> None:
    """A stranger's column decides how many lengths there are: 400 of them took 400 MB for 2,000 characters."""
    index = WordIndex(["ab" * size for size in range(2, 200)])
    tracemalloc.start()
    try:
        index.mentioned("ab cd" * 400)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


FORECAST = [("2027-03-09", "rain", 12), ("2027-03-10", "sunny spells", 13), ("2027-03-12", "cloudy", 19)]


@pytest.mark.parametrize(
    ("column", "written"), [("weather", {}), ("sky", {}), ("天気", {"rain": "雨", "sunny spells": "晴れ間", "cloudy": "曇り"})]
)
def test_the_weather_or_state_of_a_day_names_no_row(column: str, written: dict[str, str]) -> None:
    days = [{"date": day, column: written.get(state, state), "high_c": high} for day, state, high in FORECAST]
    (table,) = tables_of(rows_of("call", days))
    assert table.told_of("partly cloudy, with a high of 13 °c") is table.told_of("曇りがちで、最高は13度") is None


def test_a_place_names_a_row_of_days_and_a_state_may_where_no_days_do() -> None:
    by_place = tables_of(rows_of("call", [{"date": "2027-03-09", "city": "osaka"}, {"date": "2027-03-10", "city": "kobe"}]))[0]
    assert getattr(by_place.told_of("it is mild in kobe"), "cells", {}).get("city") == "kobe"
    by_word = tables_of(rows_of("call", [{"plan": "basic", "price": 300}, {"plan": "large", "price": 900}]))[0]
    assert getattr(by_word.told_of("basic costs 900"), "cells", {}).get("plan") == "basic"
