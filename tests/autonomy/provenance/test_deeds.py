"""Deeds are read as done, planned or denied, in both languages."""

import pytest

from autonomy.provenance.deeds import LONGEST_TEXT, deeds_in


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("PR #512 を出しました", {("open", "done")}),
        ("索引を足すPRを明日出します", {("add", "ahead"), ("open", "ahead")}),
        ("文面があやしいので外しておきます", {("remove", "ahead")}),
        ("文面は承認できます", {("approve", "done")}),
        ("明日やること：振り返りを書く", {("write", "ahead")}),
        ("原因・再現・修正が追えて見やすいです", {("fix", "open")}),
        ("不具合を直して v2.9.1 をリリースしました", {("fix", "done"), ("release", "done")}),
        ("まだ直していません", {("fix", "denied")}),
        ("今日は書き留めた学びがありません", set[tuple[str, str]]()),
        ("健太さんが修正を承認しました", {("approve", "done")}),
        ("結衣さんがお詫びを送りました", {("apologise", "done"), ("send", "done")}),
        ("Kenta approved it and fixed the bug", {("approve", "done"), ("fix", "done")}),
        ("She is to remove the app", {("remove", "ahead")}),
        ("Yui sent an apology", {("send", "done"), ("apologise", "done")}),
        ("The release was not approved", {("release", "open"), ("approve", "denied")}),
        ("Next: the release", {("release", "open")}),
    ],
)
def test_a_deed_is_told_as_done_planned_or_denied(text: str, deeds: set[tuple[str, str]]) -> None:
    assert {(deed.kind, deed.told) for deed in deeds_in(text)} == deeds


def test_a_long_text_is_read_as_far_as_a_message_goes() -> None:
    assert deeds_in("x " * LONGEST_TEXT + "approved") == ()
