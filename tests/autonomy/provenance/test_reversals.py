"""Statements that take a figure from the counterpart of the column they speak of."""

from datetime import date

import pytest

from autonomy.provenance import Sources
from autonomy.provenance.attribution import attribute
from autonomy.provenance.misstatements.contradictions import contradictions
from tests.requirements import requirement

TRAIN = {"departures": [{"train": "ひかり 632号", "departs": "08:14", "arrives": "08:56"}]}
SHOP = {"shop": {"name": "Mugi", "opens": "10:00", "closes": "19:30"}}


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "contradicted"),
    [
        (TRAIN, "ひかり 632号が 8:56 に三島を出ます。", True),
        (TRAIN, "ひかり 632号が 8:14 に三島を出ます。", False),
        (TRAIN, "ひかり 632号は 8:14 に出て、8:56 に着きます。", False),
        (TRAIN, "8:56着のひかり 632号で三島を出ます。", False),
        (TRAIN, "The train leaves at 8:56.", True),
        (SHOP, "Mugi opens at 19:30.", True),
        (SHOP, "Mugi opens at 10:00 and closes at 19:30.", False),
    ],
)
def test_a_figure_of_the_counterpart_is_a_contradiction(read: dict[str, object], told: str, contradicted: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", read, arguments={})
    found = [one.kind for one in contradictions(attribute(told, sources), sources)]
    assert ("reversal" in found) is contradicted, found


DRILL = "復元訓練、18分で完了。前回より6分短縮"
ALERTS = "鳴りすぎていたアラートを7つ消した"
RESTORED = "The restore drill is done: 18 minutes, 6 minutes shorter than last time."
CALLS = "Changes by phone come to 8 a day on average, in the busy hours."
FASTER = "古いテストを速くして、全体が4分から2分半になりました"


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "contradicted"),
    [
        (DRILL, "復元訓練は6分で完了し、前回より18分短くなりました。", True),
        (DRILL, "復元訓練は18分で完了し、前回より6分短くなりました。", False),
        (DRILL, "復元訓練は18分で、前回の24分から6分の短縮です。", False),
        (RESTORED, "The restore drill took 18 minutes, 6 minutes longer than before.", True),
        (RESTORED, "The restore drill took 18 minutes, 6 minutes shorter than before.", False),
        (CALLS, "Changes by phone come to eight an hour.", True),
        (CALLS, "Changes by phone come to eight a day.", False),
        (ALERTS, "鳴りすぎていたアラートを7つにまで減らしました。", True),
        (ALERTS, "鳴りすぎていたアラートを7つ減らしました。", False),
        (FASTER, "古いテストを速くして、全体が2分半短くなりました。", True),
        (FASTER, "古いテストを速くして、全体が2分半まで短くなりました。", False),
    ],
)
def test_what_something_changed_by_is_not_what_it_came_to(read: str, told: str, contradicted: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", {"messages": [{"user": "ryo", "text": read}]}, arguments={})
    found = [one.kind for one in contradictions(attribute(told, sources), sources)]
    assert ("reversal" in found) is contradicted, found


BUDGET = {"単位": "千円", "行": [{"費目": "広告費", "2月": 1840}, {"費目": "通信費", "2月": 198}]}
SALES = "Revenue in thousands of USD\n\nregion\tq1\nnorth\t4120\nsouth\t1569"
MIXED = {"columns": ["単価(円)", "売上(千円)"], "rows": [{"item": "pen", "price": 1840, "sales": 92}]}


@pytest.mark.parametrize(
    ("read", "told", "contradicted"),
    [
        (BUDGET, "2月の広告費は1,840円でした。", True),
        (BUDGET, "2月の広告費は184万円でした。", False),
        (BUDGET, "2月の広告費は1,840千円でした。", False),
        (SALES, "The north made $4,120 in the first quarter.", True),
        (SALES, "The north made $4,120 thousand in the first quarter.", False),
        (MIXED, "The pen costs 1,840円.", False),  # one column counts plainly, and nobody can tell which
    ],
)
def test_money_of_a_table_in_thousands_is_not_told_as_it_stands(read: object, told: str, contradicted: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", read, arguments={})
    found = [
        one
        for one in contradictions(attribute(told, sources), sources)
        if one.kind == "number" and one.shown.endswith(("千円", "in thousands"))
    ]
    assert bool(found) is contradicted, found


@pytest.mark.parametrize("told", ["1. Otto: 3\n2. Ines: 0", "1. 蓮: 3\n2. 健太: 0"])
def test_a_count_of_none_behind_a_name_denies_nobody(told: str) -> None:
    users = [{"id": "U1", "name": "Ines"}, {"id": "U2", "name": "Otto"}, {"id": "U3", "name": "健太"}, {"id": "U4", "name": "蓮"}]
    sources = Sources()
    sources.add_result("c1", "list_users", {"users": users}, arguments={})
    assert list(contradictions(attribute(told, sources), sources)) == []


def test_the_same_words_on_another_day_show_the_day_they_were_written() -> None:
    read = {"messages": [{"user": "U1", "ts": "2026-11-11T10:00:00+09:00", "text": "来週、お店3軒との打ち合わせが決まりました"}]}
    sources = Sources(day=date(2026, 11, 28))
    sources.add_result("c1", "look", read, arguments={})
    told = "来週、お店3軒との打ち合わせが決まりました"
    (found,) = contradictions(attribute(told, sources), sources)
    assert (found.kind, found.said, found.shown) == ("day", told, f"{told} (2026-11-11)")


@pytest.mark.parametrize(
    ("question", "differs"),
    [("明日の予定は？", True), ("What is planned for tomorrow?", True), ("昨日は何を書いていた？", False), ("予定は？", False)],
)
def test_what_was_to_be_tomorrow_when_it_was_written_is_not_told_of_another_tomorrow(question: str, differs: bool) -> None:
    read = {"messages": [{"user": "U1", "ts": "2026-11-19T18:00:00+09:00", "text": "明日はリリース。寝る前に手順を読む"}]}
    sources = Sources(day=date(2026, 11, 20))
    sources.add_result("c1", "look", read, arguments={})
    found = contradictions(attribute("リリースです。寝る前に手順を読むそうです", sources), sources, question)
    assert ("day" in [one.kind for one in found]) is differs


@pytest.mark.parametrize(("told", "outcome"), [("She passed on the shop's question", False), ("The test run passed", True)])
def test_what_is_handed_over_is_no_outcome(told: str, outcome: bool) -> None:
    sources = Sources()
    sources.add_result(
        "c1", "look", {"messages": [{"user": "Yui", "text": "お店から質問が来ています。テストも続けています"}]}, arguments={}
    )
    assert any(one.kind == "outcome" for one in contradictions(attribute(told, sources), sources)) is outcome


TALK = {
    "messages": [
        {"user": "Yui", "date": "2026-11-16", "text": "札幌の朝の気温は最低-6℃ です"},
        {"user": "Kenta", "date": "2026-11-16", "text": "v2.9.0 は明日の13時に本番へ出します"},
        {"user": "Ryo", "date": "2026-11-16", "text": "締め切りの話（お店ごとに決められるようにする案）"},
        {"user": "Yui", "date": "2026-11-16", "text": "同時に2人が変更した場合、後の人には別の枠を3つ案内します。PR #425 です"},
        {"user": "Misaki", "date": "2026-11-16", "text": "再現しました。応答にキャッシュさせない指定を足します"},
        {"user": "Misaki", "date": "2026-11-16", "text": "直しました。キャッシュしない指定を応答に入れて、確認しています"},
        {"user": "Misaki", "date": "2026-11-16", "text": "確認の画面に説明を足します"},
    ]
}


@pytest.mark.parametrize(
    ("false", "true"),
    [
        ("札幌の朝の気温は6 °Cです", "札幌の朝の気温は氷点下6 °Cです"),
        ("v2.9.0 を本番へ出すのは明日の13時です", "v2.9.0 を本番へ出すのは17日の13時です"),
        ("変更した人には必ず別の枠を3つ案内します", "2人が同時に変更した場合は、必ず別の枠を3つ案内します"),
        ("確認の画面に説明を足しました", "応答にキャッシュさせない指定を足して直しました"),
        ("締め切りはお店ごとに決められるようにします", "締め切りをお店ごとに決められるようにする案があります"),
    ],
)
def test_a_statement_that_was_read_is_not_told_with_one_thing_turned_round(false: str, true: str) -> None:
    sources = Sources(day=date(2026, 11, 20))
    sources.add_result("c1", "look", TALK, arguments={})
    told_false = [one.kind for one in contradictions(attribute(false, sources), sources)]
    told_true = [one.kind for one in contradictions(attribute(true, sources), sources)]
    assert told_false, false
    assert not told_true, (true, told_true)


TASKS = "明日出します。手順書は涼さん、変更内容のまとめは遥さんにお願いします"
LOAD = "| 毎秒 | 索引なし | 索引あり |\n| --- | --- | --- |\n| 40 | 0.2秒 | 0.1秒 |\n| 60 | 1.1秒 | 0.3秒 |"


@requirement("V4")
def test_what_a_line_gives_to_one_is_not_told_of_the_other_one_of_that_line() -> None:
    for read, told, kind in (
        (TASKS, "遥さん：手順書を書く（健太さんのお願い）", "exchanged"),
        (TASKS, "涼さん：手順書を書く（健太さんのお願い）", ""),
        (TASKS, "遥さん：変更内容をまとめる", ""),
        (LOAD, "毎秒60件のとき、0.2秒から0.1秒になります。", "number"),
        (LOAD, "毎秒60件のとき、1.1秒から0.3秒になります。", ""),
    ):
        sources = Sources()
        sources.add_result("c1", "look", {"messages": [{"user": "kenta", "text": read}]}, arguments={})
        found = {one.kind for one in contradictions(attribute(told, sources), sources)}
        assert found == ({kind} if kind else set()), (told, found)


FORECAST = {"days": [{"date": "2026-11-16", "weather": "雪", "temp_min_c": -2, "temp_max_c": 4}]}


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("雪で、最低4℃、最高-2℃です。", True),
        ("雪で、最低-2℃、最高4℃です。", False),
        ("雪で、最高4℃です。", False),
    ],
)
def test_the_lowest_is_not_told_as_the_highest(told: str, wrong: bool) -> None:
    sources = Sources(day=date(2026, 11, 15))
    sources.add_result("c1", "look", FORECAST, arguments={})
    assert bool(list(contradictions(attribute(told, sources), sources))) is wrong
