"""What a goal names is looked for in what the run touched and said."""

from datetime import date

import pytest

from autonomy.provenance import anchors_of, missing_anchors
from autonomy.provenance.anchors import seen_share
from tests.requirements import requirement

DAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("goal", "kind", "text"),
    [
        ("「議事録」を探して", "quote", "「議事録」"),
        ("docs/setup.md を直して", "path", "docs/setup.md"),
        ("Save it to report.csv please", "path", "report.csv"),
        ("https://example.com/a を読んで", "url", "https://example.com/a"),
        ("PR #436 を見て", "id", "PR #436"),
        ("健太さんに送って", "name", "健太さん"),
        ("やったことという見出しで", "heading", "やったこと"),
        ("明日の大阪の天気", "place", "大阪"),
        ("明日の大阪の天気", "date", "明日"),
        ("13時の予約を取って", "time", "13時"),
        ("3件だけ選んで", "number", "3件"),
        ("メールは送らないで", "negation", "ないで"),
        ("Summarise it without names", "negation", "without"),
        ("Ask Alice Johnson about it", "name", "Alice Johnson"),
    ],
)
def test_an_anchor_of_each_kind(goal: str, kind: str, text: str) -> None:
    found = anchors_of(goal, DAY)
    assert (kind, text) in [(anchor.kind, anchor.text) for anchor in found]
    assert all(goal[anchor.start : anchor.end] == anchor.text for anchor in found)


@requirement("V2")
def test_what_was_never_touched_is_missing_and_says_how_far_it_got() -> None:
    goal = "健太さんと結衣さんに 11月24日 の「定例」の予定を知らせて"
    found = missing_anchors(
        goal, [{"to": "健太", "day": "2026-11-24"}], [{"members": ["健太", "結衣"]}], "健太さんに知らせました", DAY
    )
    assert [(gone.anchor.text, gone.seen) for gone in found] == [("結衣さん", "results"), ("「定例」", "nowhere")]
    assert seen_share(found, anchors_of(goal, DAY)) == 0.75


def test_an_answer_in_another_notation_touches_the_anchor() -> None:
    assert missing_anchors("明日の東京の天気は？", [], [], "11/23、Tokyo は晴れです", DAY) == ()
    assert seen_share((), anchors_of("こんにちは")) is None


def test_a_very_long_goal_ends() -> None:
    assert len(anchors_of("a/" * 50_000 + "「x」" * 50_000)) <= 200
