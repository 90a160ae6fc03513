"""Facts are found in every notation people use, and no text keeps the extractor busy."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.provenance.text import facts
from autonomy.provenance.text.dates import months_later, read_moment
from autonomy.provenance.text.facts import Fact, FactKind, exact_facts_in, facts_in, number_key
from tests.requirements import requirement
from tests.support.sampling import in_part

DAY = date(2026, 11, 22)  # a Sunday
TOKYO = ZoneInfo("Asia/Tokyo")


def only(text: str) -> Fact:
    found = facts_in(text, DAY, TOKYO)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "key", "unit"),
    [
        ("97件", "97", "件"),
        ("９７ 件", "97", "件"),
        ("三件", "3", "件"),
        ("三十二人", "32", "人"),
        ("32 people", "32", "人"),
        ("1,234円", "1234", "JPY"),
        ("¥1234", "1234", "JPY"),
        ("1.2万円", "12000", "JPY"),
        ("$3.50", "3.5", "USD"),
        ("30%", "30", "%"),
        ("30 パーセント", "30", "%"),
        ("-3度", "-3", "度"),
        ("5 ℃", "5", "度"),
        ("2 million", "2000000", ""),
        ("20分間", "20", "分"),
        ("20 minutes", "20", "分"),
        ("PT3H50M", "230", "分"),
        ("PT50M", "50", "分"),
        ("61:05", "3665", "分"),
        ("2分30秒", "150", "秒"),
        ("1.5億円", "150000000", "JPY"),
        ("3 億円", "300000000", "JPY"),
        ("12 万円", "120000", "JPY"),
        ("-0", "0", ""),
    ],
)
def test_a_number_and_its_unit(text: str, key: str, unit: str) -> None:
    fact = only(text)
    assert (fact.kind, fact.keys, fact.unit, fact.text) == (FactKind.NUMBER, (key,), unit, text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21",
        "2026/11/21",
        "2026年11月21日",
        "11月21日",
        "11/21",
        "昨日",
        "yesterday",
        "Nov 21, 2026",
        "21st of November",
        "令和8年11月21日",
        "土曜日",
        "last Saturday",
        "1日前",
        "20261121",
        "21/11/2026",
        "11/21/2026",
        "21.11.2026",
    ],
)
def test_a_day_in_all_notations(text: str) -> None:
    fact = only(text)
    assert fact.kind is FactKind.DATE
    assert "2026-11-21" in fact.keys


@pytest.mark.parametrize("text", ["13時", "13:00", "1pm", "1 p.m.", "午後1時", "十三時", "１３：００"])
def test_a_time_in_all_notations(text: str) -> None:
    assert only(text)[0] is FactKind.TIME
    assert only(text).keys == ("13:00",)


def test_a_day_or_time_that_may_be_two_is_told_by_both_and_else_by_one() -> None:
    tuesday, thursday = date(2026, 11, 17), date(2026, 11, 19)
    for day, text, keys in (
        (thursday, "先週の水曜日", ("2026-11-18", "2026-11-11")),
        (tuesday, "来週の水曜日", ("2026-11-18", "2026-11-25")),
        (tuesday, "next Wednesday", ("2026-11-18", "2026-11-25")),
        (tuesday, "火曜日", ("2026-11-17", "2026-11-24")),
        (tuesday, "2 days later", ("2026-11-19",)),
        (tuesday, "昨夜", ("2026-11-16", "2026-11-17")),
        (tuesday, "02/11/2026", ("2026-11-02", "2026-02-11")),
        (tuesday, "02.11.2026", ("2026-11-02",)),
        (tuesday, "1月5日", ("2027-01-05", "--01-05")),  # the nearest
        (tuesday, "2月29日", ("2028-02-29", "--02-29")),
        (tuesday, "令和元年5月1日", ("2019-05-01",)),
        (tuesday, "12 am", ("00:00",)),
        (tuesday, "12:30 am", ("00:30",)),
        (tuesday, "12:30 p.m.", ("12:30",)),
        (tuesday, "午後12時", ("12:00",)),
        (tuesday, "3時半", ("03:30", "15:30")),
        (tuesday, "12時", ("12:00", "00:00")),
        (tuesday, "13時", ("13:00",)),
    ):
        assert [fact.keys for fact in facts_in(text, day, TOKYO)] == [keys], text
    later = (months_later(date(2026, 1, 31), 2), months_later(date(2026, 8, 31), -6), months_later(date(2026, 12, 1), 1))
    assert later == (date(2026, 3, 31), date(2026, 2, 28), date(2027, 1, 1))


def test_a_moment_is_a_day_and_a_time_where_the_people_live() -> None:
    mail = read_moment("Sat, 21 Nov 2026 23:02:40 -0500", TOKYO)
    assert mail == (("2026-11-22", "2026-11-21"), ("13:02:40", "13:02", "23:02:40", "23:02"), False)
    log = facts_in("21/Nov/2026:23:30:00 -0500", DAY, TOKYO)
    assert [fact.keys for fact in log] == [("2026-11-22", "2026-11-21"), ("13:30", "23:30")]
    found = facts_in("2026-11-21T16:30:00Z", DAY, TOKYO)
    assert [(fact.kind.value, fact.keys[0]) for fact in found] == [("date", "2026-11-22"), ("time", "01:30")]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("PR #436", "#436"),
        ("#0436", "#436"),
        ("#436", "#436"),
        ("pull/436", "#436"),
        ("U07HARUKA", "U07HARUKA"),
        ("JIRA-12", "JIRA-12"),
        ("v2.9.1", "2.9.1"),
        ("3F2A9BC", "3f2a9bc"),
        ("3F2a9bC", "3F2a9bC"),
        ("1795333801.616080", "1795333801.616080"),
        ("0B8e6a52-3f5c-4a8e-9d5e-1f2a3b4c5D6E", "0b8e6a52-3f5c-4a8e-9d5e-1f2a3b4c5d6e"),
    ],
)
def test_an_id(text: str, key: str) -> None:
    assert (only(text).kind, only(text).keys) == (FactKind.ID, (key,))


@pytest.mark.parametrize("text", ["通信はv5.2.7に上げました", "通信は5.2.7に上げました"])
def test_a_version_needs_no_blank_in_front_of_it_in_japanese(text: str) -> None:
    assert [(fact.kind, fact.keys) for fact in facts_in(text)] == [(FactKind.ID, ("5.2.7",))]


@pytest.mark.parametrize(
    "text", ["https://example.com/a", "http://www.example.com/a/", "www.example.com/a", "example.com/a", "HTTPS://Example.com/a"]
)
def test_one_address_in_all_spellings(text: str) -> None:
    for around in ("{}", "{}を見て", "({})", "<{}>。", "[link]({}).", "{}, and"):
        found = [fact for fact in facts_in(around.format(text)) if fact.kind is FactKind.URL]
        assert [fact.keys[0] for fact in found] == ["example.com/a"], around


def test_quotations_names_and_places() -> None:
    found = facts_in("「時間切れ」と佐藤 遥さんが `main` で言い、@haruka と #times-haruka と Mr. Smith は東京へ")
    assert [(fact.kind.value, fact.keys[0]) for fact in found] == [
        ("quote", "時間切れ"),
        ("name", "佐藤 遥"),
        ("quote", "main"),
        ("name", "haruka"),
        ("name", "times-haruka"),
        ("name", "smith"),
        ("place", "東京"),
    ]
    assert [one.keys[0] for one in facts_in("数字をりょーさんに、お試しでりょーさんが")] == ["りょー", "りょー"]
    assert [one.text for one in facts_in("灰色で十分だと思います。十分間の休み")] == ["十分間"]
    assert facts_in("皆さん、お客様、カレー屋さん、しばらく様子を見る、様々な様式") == ()
    assert only("Tokyo").keys == only("東京").keys == ("東京", "tokyo")
    assert only("東京都").keys == ("東京都", "東京", "tokyo")


@pytest.mark.parametrize("text", ["一緒に一番", "第一歩", "1. 一つ目の項目\n", "UTF-8 と h2", "2.", "and then may be"])
def test_what_only_looks_like_a_fact_is_none(text: str) -> None:
    assert not [fact for fact in facts_in(text, DAY) if fact.kind in (FactKind.ID, FactKind.DATE, FactKind.TIME)]


def test_what_stands_in_front_of_a_figure_belongs_to_it_where_it_says_so() -> None:
    for text, told in (
        ("氷点下5度", [("-5", "度")]),
        ("minus 5%", [("-5", "%")]),
        ("USD 30", [("30", "USD")]),
        ("GBPS 30", [("30", "")]),
        ("¥2,400 - 9-year", [("2400", "JPY"), ("9", "年")]),
        ("38–45%", [("38", "%"), ("45", "%")]),
        ("5〜6億円", [("500000000", "JPY"), ("600000000", "JPY")]),
        ("5〜6千円", [("5000", "JPY"), ("6000", "JPY")]),
    ):
        assert [(fact.keys[0], fact.unit) for fact in facts_in(text)] == told, text
    assert [number_key(figures) for figures in ("-0.0", "+3", 1e300)] == ["0", "3", "1e+300"]


_WORDS = st.text(st.sampled_from("最高低気温はカレー前比差額々ひァ"), min_size=1, max_size=6)
_FIGURE = st.integers(0, 99_999) | st.decimals(0, 999, places=1).filter(lambda value: value != value.to_integral_value())


@given(
    _WORDS, _FIGURE.filter(bool), st.sampled_from("-−－–"), st.sampled_from(["", " "]), st.sampled_from(["℃", "°C", "度", "°F"])
)
def test_degrees_behind_a_japanese_word_have_their_sign(word: str, figure: object, minus: str, blank: str, degrees: str) -> None:
    assert [fact.keys for fact in facts_in(f"{word}{minus}{figure}{blank}{degrees}")] == [(number_key(f"-{figure}"),)]
    assert [fact.keys for fact in facts_in(f"{word}{figure}{blank}{degrees}")] == [(number_key(str(figure)),)]


@given(_WORDS, _FIGURE.filter(bool), st.sampled_from(["円", "万円", "%", "ドル"]))
def test_a_sum_or_share_behind_a_japanese_word_compares_with_its_sign_and_without(word: str, figure: object, unit: str) -> None:
    (plain,) = only(f"{figure}{unit}").keys
    assert only(f"{word}-{figure}{unit}").keys == (f"-{plain}", plain)


@given(
    st.sampled_from(["会議室", "第3回", "東京", "理事会", "号機は"]),
    _FIGURE,
    st.sampled_from(["", "階", "件", "人", "時間", "号", "名さん"]),
)
def test_a_hyphen_in_front_of_what_cannot_be_negative_is_no_sign(word: str, figure: object, unit: str) -> None:
    told = [fact for fact in facts_in(f"{word}-{figure}{unit}") if fact.kind is FactKind.NUMBER]
    assert not [key for fact in told for key in fact.keys if key.startswith("-")]


@given(_FIGURE, _FIGURE, st.sampled_from(["℃", "度", "円", "万円", "%"]), st.sampled_from(["", "最高", "気温は"]))
def test_a_range_has_no_signs(low: object, high: object, unit: str, word: str) -> None:
    for text in (f"{word}{low}-{high}{unit}", f"{word}{low}{unit}-{high}{unit}"):
        assert not [key for fact in facts_in(text) for key in fact.keys if key.startswith("-")], text


def test_a_day_a_time_or_an_id_behind_a_hyphen_is_read_as_without_it() -> None:
    told = [
        (fact.kind.value, fact.keys[0]) for fact in facts_in("理事会-2026-11-20、開始-10:30、課題-#12、10時-5度、21日-5℃", DAY)
    ]
    assert told == [
        ("date", "2026-11-20"), ("time", "10:30"), ("id", "#12"), ("time", "10:00"), ("number", "5"), ("number", "21"), ("number", "5")
    ]  # fmt: skip


def test_a_label_and_a_figure_with_a_decimal_are_no_time() -> None:
    told = [(fact.kind.value, fact.keys[0], fact.unit) for fact in facts_in("1：37.0℃")]
    assert told == [("number", "1", ""), ("number", "37", "度")]
    assert next(fact.keys[0] for fact in facts_in("13:30:15.5")) == "13:30:15"
    assert [fact.kind.value for fact in facts_in("It begins at 13:30.")] == ["time"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Nov 16–22", ["2026-11-16", "2026-11-22"]),
        ("from November 3 to 9", ["2026-11-03", "2026-11-09"]),
        ("11月16日〜22日", ["2026-11-16", "2026-11-22"]),
        ("11月3日から9日まで", ["2026-11-03", "2026-11-09"]),
        ("Monday, November 16: 41 opened", ["2026-11-16"]),
        ("from Nov 2 to 40 people", ["2026-11-02"]),
        ("11月16日〜22件", ["2026-11-16"]),
    ],
)
def test_the_last_day_of_a_span_is_one_of_its_month(text: str, days: list[str]) -> None:
    found = [fact for fact in facts_in(text, DAY, TOKYO) if fact.kind is FactKind.DATE and fact.text != "Monday"]
    assert [fact.keys[0] for fact in found] == days


def test_an_impossible_day_is_its_figures() -> None:
    assert [(fact.kind.value, fact.keys[0]) for fact in facts_in("2026-02-30", DAY)] == [
        ("number", "2026"),
        ("number", "02".lstrip("0")),
        ("number", "30"),
    ]


@given(st.text(st.characters() | st.sampled_from('0123456789/:-.,年月日時#@「」`"件円万ptmNov火曜 ')))
def test_any_text_is_read_and_spans_are_its_own(text: str) -> None:
    for fact in facts_in(text, DAY, TOKYO):
        assert 0 <= fact.start < fact.end <= len(text)
        assert fact.text == text[fact.start : fact.end]
        assert fact.keys


BOMBS = [
    "1",
    "a",
    "a-",
    "1,",
    "「",
    "a.",
    "@",
    "1/",
    "一",
    "2026-",
    "0x",
    '"',
    "`a",
    "1 ",
    "#",
    "x@",
    "<@U",
    "-",
    "さん",
    "午前",
    "a1-",
    "1.1.",
    "http://(",
]


@pytest.mark.parametrize("bomb", in_part(BOMBS, every=8))
def test_work_grows_no_faster_than_the_text(bomb: str) -> None:
    """Forty thousand characters of one pattern end within the test's own limit; a quadratic pattern would take minutes."""
    text = bomb * (40_000 // len(bomb))
    assert len(facts_in(text, DAY, TOKYO)) <= len(text)


def test_figures_and_kanji_in_turn_are_one_number() -> None:
    assert [(fact.keys[0], fact.unit) for fact in facts_in("12万8千円、3億2000万円、1千万人、5万3件")] == [
        ("128000", "JPY"),
        ("320000000", "JPY"),
        ("10000000", "人"),
        ("50003", "件"),
    ]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("4分から2分半になりました", "2.5"),
        ("it takes 2 and a half minutes", "2.5"),
        ("it takes 2 minutes and a half", "2.5"),
        ("2分半ばで", "2"),
        ("2分、半分は待ち時間", "2"),
    ],
)
def test_a_half_behind_a_figure_or_its_unit_belongs_to_it(text: str, figure: str) -> None:
    assert (figure, "分") in [(fact.keys[0], fact.unit) for fact in facts_in(text)]


def test_a_comma_behind_a_figure_is_no_separator_of_thousands() -> None:
    assert [(fact.keys[0], fact.unit) for fact in facts_in("from €9,000 to €6,500, i.e. less")] == [
        ("9000", "EUR"),
        ("6500", "EUR"),
    ]


def test_for_a_while_is_no_time_of_day() -> None:
    assert [fact.keys[0] for fact in facts_in("一時的な障害、曇り一時雨、一時停止")] == []
    assert [fact.keys[0] for fact in facts_in("一時に集合、午後三時")] == ["01:00", "15:00"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("from 15 to 22 March", ["2027-03-15", "2027-03-22"]),
        ("8–12 March", ["2027-03-08", "2027-03-12"]),
        ("in February", ["--02"]),
        ("February 2027", ["2027-02"]),
        ("month = '2027-02'", ["2027-02"]),
        ("期限は3/19です", ["2027-03-19"]),
        ("we may march on", []),
        ("a room for 10 to 12 people", []),
        ("全体の1/3です", []),
    ],
)
def test_ranges_and_months_are_dates_and_fractions_are_none(text: str, keys: list[str]) -> None:
    assert [fact.keys[0] for fact in facts_in(text, date(2027, 3, 5), TOKYO) if fact.kind is FactKind.DATE] == keys


def test_a_weekday_with_its_number_is_one_day_and_figures_in_kanji_may_have_commas() -> None:
    day = date(2027, 3, 5)
    assert facts_in("On Thursday the 11th all is normal.", day)[0].keys == ("2027-03-11", "--03-11")
    assert facts_in("On Wednesday the 11th all is normal.", day)[0].kind is FactKind.NUMBER  # that is no such day
    assert facts_in("- Thu 11 (#114): load test", day)[0].keys == ("2027-03-11", "--03-11")
    assert FactKind.NUMBER in {fact.kind for fact in facts_in("- Wed 11 (#114): load test", day)}
    assert FactKind.NUMBER in {fact.kind for fact in facts_in("Thursday 11 orders came in", day)}
    assert [(fact.keys, fact.unit) for fact in facts_in("2万9,640円")] == [(("29640",), "JPY")]


_PIECES = ("May", "may 5", "the 3rd", "PR 12", "prs 9", "#12", "v1.2", "x_1", "docs.example", "https://a.example/b", "a@b.example",
           "3pm", "-5", "+$3", "issue/4", "foo-1", "TODAY", "todays", "Sunday", "10:30", "cup.", "_", "12k", "9f86d08", "mon-2")  # fmt: skip


@given(
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(st.characters(codec="ascii"), max_size=6))),
    st.sampled_from(["", " ", ","]),
)
def test_plain_ascii_is_read_as_beside_any_other_letter(pieces: list[str], between: str) -> None:
    """Two patterns look for where a fact may begin; what is found hangs on neither."""
    text = f"so: {between.join(pieces)}"
    assert list(exact_facts_in(text, DAY, TOKYO)) == list(exact_facts_in(f"{text}\n\né", DAY, TOKYO))


@given(st.one_of(st.integers(-(10**14), 10**14), st.decimals(-(10**9), 10**9, places=2), st.floats(-(10**9), 10**9)).map(str))
@example("20270131")
def test_a_field_that_is_a_number_is_read_as_one_in_a_sentence(field: str) -> None:
    """Most cells of a table are numbers, and are read without looking for anything else: a day in figures is none of these."""
    assert tuple(exact_facts_in(field, DAY, TOKYO)) == facts_in(field, DAY, TOKYO)


@pytest.mark.parametrize(
    ("text", "numbers"), [("Ryo's stand-up for the 16th", []), ("the 1st of 3", ["3"]), ("16 things", ["16"])]
)
def test_an_ordinal_counts_nothing(text: str, numbers: list[str]) -> None:
    assert [fact.keys[0] for fact in facts_in(text) if fact.kind is FactKind.NUMBER] == numbers


@requirement("K10")
def test_an_answer_that_several_checks_read_is_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, taken = "It was 41 EUR. " * 50, list[str]()
    monkeypatch.setattr(facts, "_facts_in", lambda text, *seen, take=facts._facts_in: taken.append(text) or take(text, *seen))
    assert facts_in(answer, date(2026, 11, 22)) == facts_in(answer, date(2026, 11, 22))
    assert taken == [answer]


def test_what_somebody_said_is_no_part_of_their_name() -> None:
    named = [fact for fact in facts_in("先に入れたいというりょーさんに賛成") if fact.kind is FactKind.NAME]
    assert [(fact.text, fact.keys) for fact in named] == [("りょーさん", ("りょー",))]
