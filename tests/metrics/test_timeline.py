"""A run in time: what stands in which row, from when to when."""

import random
from typing import Literal

import pytest

from metrics.events import Intervention, ModelFailed
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_timeline import RunTimeline, in_words, timeline
from tests.metrics.story import Story, diary


def rows(drawn: RunTimeline) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(row.label, [(bar.kind, bar.state) for bar in row.bars]) for row in drawn.rows]


def test_a_run_is_drawn_as_rows_of_what_the_model_and_each_call_did() -> None:
    story = Story().start().model_fails().turn()
    story.call("slack_search", errors=("CallTimedOut",), cured_by="retry").call(
        "esa_list_posts", alternatives=[("esa_search_posts", True)], cured_by="alternative"
    )
    story.call("esa_create_post", effect="outward", decision="ask", answer="granted").call("slack_post_message", outcome="denied")
    story.judge("continue", missing=("TIL",)).intervene("pause").finish("blocked")
    assert rows(timeline(story.events)) == [
        ("openai:gpt-5", [("model", "failed"), ("model", "ok")]),
        ("slack_search", [("call", "cured"), ("attempt", "failed")]),
        ("esa_list_posts", [("call", "cured"), ("alternative", "ok")]),
        ("esa_create_post", [("approval", "waiting"), ("approval", "ok"), ("call", "ok")]),
        ("slack_post_message", [("call", "refused")]),
        ("judge", [("judge", "neutral")]),
        ("people", [("person", "neutral")]),
    ]


def test_bars_last_as_long_as_what_they_stand_for() -> None:
    drawn = timeline(diary().events)
    post = next(bar for bar in drawn.bars if bar.label == "esa_create_post")
    assert post.end - post.start == pytest.approx(1.4)
    assert all(0 <= bar.start <= bar.end <= drawn.length_s for bar in drawn.bars)
    assert drawn.ending == "completed"


def test_order_and_repetition_change_nothing() -> None:
    events = diary().events
    shuffled = [*events, *events[:7]]
    random.Random(3).shuffle(shuffled)
    assert timeline(shuffled) == timeline(events)


def test_a_vote_days_later_does_not_squeeze_the_run() -> None:
    story = diary()
    length_s = timeline(story.events).length_s
    story.at += 3 * 86_400
    drawn = timeline(story.vote(True).events)
    assert drawn.length_s == pytest.approx(length_s)
    assert drawn.bars[-1].start == pytest.approx(length_s)


def test_a_run_that_was_resumed_before_it_had_begun_is_drawn_from_its_beginning() -> None:
    story = diary()
    ordered = Intervention(
        run_id=story.events[0].run_id, key="resume-1", at=story.events[0].at - 3600, kind="resume", by="haruka"
    )
    drawn = timeline([ordered, *story.events])
    assert next(bar for bar in drawn.bars if bar.kind == "person").start == 0.0
    assert drawn.length_s == timeline(story.events).length_s


def test_of_a_run_under_way_and_of_none_there_is_a_picture_too() -> None:
    assert timeline([]).rows == ()
    assert timeline(Story().start().turn().events).ending == ""


def test_what_a_bar_tells_is_in_the_readers_language() -> None:
    story = Story().start().turn().call("slack_search", outcome="terminal").judge("continue", missing=("TIL",)).finish("blocked")
    drawn = timeline(story.events)
    assert [bar.detail for bar in in_words(drawn, "ja").bars if bar.kind == "call"] == ["失敗"]
    assert [bar.label for bar in in_words(drawn, "ja").bars if bar.kind == "judge"] == ["続行"]
    assert [bar.label for bar in in_words(drawn, "en").bars if bar.kind == "judge"] == ["continue"]


def test_how_runs_ended_is_told_in_the_readers_language() -> None:
    told = reason_in("ja", "paused: the last 3 runs have failed (exhausted, failed)")
    assert told == "一時停止中: 直近の 3 回の実行が失敗しました（上限到達、失敗）"


def test_an_attempt_tells_in_the_readers_language_why_it_failed() -> None:
    story = Story().start().turn().call("get_weather", errors=("the tool says that it failed",))
    attempts = [bar for bar in in_words(timeline(story.events), "ja").bars if bar.kind == "attempt"]
    assert [bar.detail for bar in attempts] == ["1 回目、ツールが失敗を告げました"]


def test_a_question_to_a_person_and_the_answer_are_told_in_the_readers_language() -> None:
    story = Story().start().turn().call("esa_create_post", effect="outward", decision="ask", answer="denied", outcome="denied")
    answers = [bar.detail for bar in in_words(timeline(story.events), "ja").bars if bar.kind == "approval"]
    assert answers == ["承認依頼", "拒否"]


def test_what_was_not_sent_says_so_in_the_readers_language() -> None:
    story = Story().start().turn().call("esa_create_post", effect="outward", outcome="not_run", problem="simulated")
    story.call("esa_update_post", effect="outward", outcome="denied", problem="draft")
    calls = [bar.detail for bar in in_words(timeline(story.events), "ja").bars if bar.kind == "call"]
    assert calls == ["実行せず、リハーサル", "不許可、下書き"]


@pytest.mark.parametrize(
    ("language", "detail"), [("ja", "応答できないか、混み合っています → 再試行"), ("en", "away or busy → tried again")]
)
def test_what_follows_a_failed_model_is_told_in_words(language: Literal["ja", "en"], detail: str) -> None:
    where = {"run_id": "r", "key": "k", "at": 1.0, "turn": 1, "model": "m", "error": "ModelUnavailable", "then": "retry"}
    (bar,) = in_words(timeline([ModelFailed.model_validate(where)]), language).bars
    assert bar.detail == detail
