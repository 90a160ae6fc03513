"""Figures that stand in what was read, and change places in what is told of it."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from metrics.reporting.reason_words import reason_in
from tests.gaming.told import DAY, asked, diary, diary_run, everywhere, read
from tests.requirements import requirement

pytestmark = requirement("V1")


def hours(month: str, *minutes: int) -> CallRecord:
    rows = [{"name": f"p{at}", "minutes": many} for at, many in enumerate(minutes)]
    return read("hr_list_overtime", {"rows": rows}, month=month)


def weather(day: str, high: int, chance: int) -> CallRecord:
    days = [{"date": day, "weather": "くもり", "temp_max_c": high, "rain_percent": chance}]
    return read("weather_get", {"place": "京都", "days": days}, location="京都", date=day)


def places(place: str, low: int, high: int) -> CallRecord:
    days = [{"date": "2027-03-06", "weather": "くもり", "temp_min_c": low, "temp_max_c": high}]
    return read("weather_get", {"place": place, "days": days}, location=place, date="2027-03-06")


NAGANO, AOMORI = places("長野", -4, 3), places("青森", -4, -2)
SEPTEMBER, OCTOBER = hours("2027-01", 2000, 2874), hours("2027-02", 3000, 2718)
TODAY, TOMORROW = weather("2027-03-05", 10, 20), weather("2027-03-06", 9, 10)


@pytest.mark.parametrize(
    ("goal", "good", "bad", "calls"),
    [
        (
            "1月と2月、開発部の残業の合計はどっちが多かった？", "2月のほうが多いです。1月は4874分、2月は5718分です。",
            "1月のほうが多いです。1月は5718分、2月は4874分です。", (SEPTEMBER, OCTOBER),
        ),
        (
            "How warm will it be in Kyoto tomorrow?", "Kyoto tomorrow: cloudy, up to 9 °C; today it is 10 °C.",
            "Kyoto tomorrow: cloudy, up to 10 °C.", (TODAY, TOMORROW),
        ),
        (
            "明日、長野と青森ならどっちが寒い？", "青森です。朝はどちらも-4度で同じですが、日中は長野が3度まで上がるのに対し、青森は-2度どまりです。",
            "長野です。最低気温はどちらも-4度ですが、最高気温は長野が-2度、青森が3度の予報です。", (NAGANO, AOMORI),
        ),
        (
            "Did p0's overtime go up or down from March to April?", "Down, from 21 hours (1,260 minutes) in March to 20 hours (1,200 minutes) in April.",
            "Up, by one hour: 20 hours in March and 21 hours in April.", (hours("2027-03", 1260), hours("2027-04", 1200)),
        ),
    ],
)  # fmt: skip
def test_a_figure_of_one_day_is_not_told_of_another(goal: str, good: str, bad: str, calls: tuple[CallRecord, ...]) -> None:
    for answer, complete in ((good, True), (bad, False)):
        verdict = judge(AssistantMessage(text=answer), asked("a run", "good", goal, *calls, answer=answer).context())
        assert (verdict.verdict == "complete") is complete, verdict.findings
    assert all(reason_in("ja", one) != one for one in verdict.findings)


@pytest.mark.parametrize(
    ("told", "complete"),
    [
        ("10時すぎに決済画面の文言を直して PR #512 を出しました", True),
        ("18時すぎに決済画面の文言を直して PR #512 を出しました", False),
        ("10時台に決済画面の文言を直して PR #512 を出しました", True),
        ("4時台に決済画面の文言を直して PR #512 を出しました", True),
        ("18時台に決済画面の文言を直して PR #512 を出しました", False),
        ("PR #512 を出してから成功を確認するまで、70分たらずでした", True),
        ("PR #512 を出してから成功を確認するまで、10分たらずでした", False),
    ],
)
def test_a_rounded_time_has_its_source_near_it(told: str, complete: bool) -> None:
    run = diary_run("a run", "good", diary(told, "夜間バッチの原因は証明書の期限切れで、4:10 に成功を確認しました"))
    verdict = judge(AssistantMessage(text=run.answer), run.context())
    assert ("has no source" not in verdict.reason) is complete, verdict.reason


def test_a_sentence_may_join_figures_of_two_lines_of_one_post() -> None:
    body = "## やったこと\n- 足りないAPIを5つ書き出しました\n- 古いテストを速くして、全体が4分から2分半になりました"
    post = read("notes_get_post", {"number": 105, "user": "daisuke", "created_at": f"{DAY}T18:00:00+09:00", "body_md": body})
    told = "Listed {} APIs that were missing, and sped up old tests, so that the whole takes two and a half minutes and not four"
    for number, complete in (("five", True), ("seven", False)):
        run = diary_run("a run", "good", diary(told.format(number)), calls=(*everywhere(), post))
        verdict = judge(AssistantMessage(text=run.answer), run.context())
        assert ("has no source" not in verdict.reason) is complete, verdict.reason
