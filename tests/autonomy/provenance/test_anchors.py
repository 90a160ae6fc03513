"""What a goal names is looked for in what the run touched and said."""

from datetime import date

import pytest

from autonomy.provenance import anchors_of

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
        ("What is Alice Johnson's title?", "name", "Alice Johnson"),
        ("担当を Wen Zhaoにして", "name", "Wen Zhao"),
        ("OPS-104をTomásさんに割り当てて", "name", "Tomásさん"),
    ],
)
def test_an_anchor_of_each_kind(goal: str, kind: str, text: str) -> None:
    found = anchors_of(goal, DAY)
    assert (kind, text) in [(anchor.kind, anchor.text) for anchor in found]
    assert all(goal[anchor.start : anchor.end] == anchor.text for anchor in found)


def test_a_very_long_goal_ends() -> None:
    assert len(anchors_of("a/" * 50_000 + "「x」" * 50_000)) <= 200
