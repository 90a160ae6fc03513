"""Sentences that state what their evidence denies or leaves open."""

import pytest

from autonomy.provenance import Sources
from autonomy.provenance.attribution import attribute
from autonomy.provenance.misstatements.contradictions import contradictions
from tests.requirements import requirement

CERTIFICATE = "Certificate for the boarding gate could not be renewed: the CA wants a new proof of ownership."
TOUR = "夏の巡業、7月は北海道という案が出ました。座長の返事待ちです"
VALVE = "WARNUNG: Das Ventil V4 darf bei laufender Pumpe P2 nicht geöffnet werden."
DISCOUNT = "Free delivery stays as it is. We are not in a position to offer 5% on those volumes."
UMBRELLA = "An umbrella is not needed today (chance of rain up to 0%)"
NOT_DECIDED = "# 決めていないこと - 変更できるのは何時間前までか（お店ごとに決められるようにする案）"
LOCK = "ロックの期限が短すぎるのかもしれません。"


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "dropped"),
    [
        (CERTIFICATE, "Renewed the certificate for the boarding gate", True),
        (CERTIFICATE, "The certificate for the boarding gate was refused", False),
        (CERTIFICATE, "The CA asks for a new proof of ownership", False),
        (TOUR, "夏の巡業は7月に北海道へ行くことが決まりました", True),
        (TOUR, "夏の巡業は7月に北海道へ行く案があります", False),
        (VALVE, "Valve V4 may be opened with pump P2 on.", True),
        (VALVE, "Valve V4 must not be opened with pump P2 on.", False),
        (DISCOUNT, "They can offer 5% on those volumes; free delivery stays as it is.", True),
        (DISCOUNT, "Free delivery stays as it is.", False),
        (LOCK, "原因はロックの期限が短すぎたことです。", True),
        (LOCK, "ロックの期限が短いという説です。", False),
        (NOT_DECIDED, "何時間前まで変更できるかは、まだ決めていません。", False),
        (NOT_DECIDED, "何時間前まで変更できるかは、お店ごとに決められるようになりました。", True),
        ("期限までに写真を提出しなければなりません。", "期限までに写真を提出します。", False),
        (
            "title: The gate, status: not renewed, state: waiting for the CA",
            "The gate is renewed for the CA",
            False,
        ),  # fields are states
        (
            "ボタンの読み上げが「変更」だけだと何の変更か分からないので、直します",
            "朝一番に、変更画面の読み上げ対応（#436）を見ました。",
            False,
        ),
        ("常設展では撮影を禁止しておりません。", "常設展での撮影は禁止されています。", True),
        ("常設展では撮影を禁止しておりません。", "常設展での撮影は禁止されていません。", False),
        (
            "Relay RX-20. The relay does not stand wet rooms; keep it dry.",
            "The RX-20 stands wet rooms.",
            True,
        ),  # its name tells no more
        ("Relay RX-20. The relay does not stand wet rooms; keep it dry.", "Keep the RX-20 dry.", False),
        ("No, the boarding gate.", "The museum opens at nine.", False),  # of another thing
        ("明日の予定はまだ決まっていません。", "明日の予定はまだ決まっていません。", False),
        (UMBRELLA, "No rain today: the chance of rain is 0% and no umbrella is needed.", False),  # denied in front of the bracket
        (UMBRELLA, "An umbrella is needed today.", True),
    ],
)
def test_a_denial_or_a_proposal_is_not_told_as_a_plain_fact(read: str, told: str, dropped: bool) -> None:
    sources = Sources()
    sources.add_result("c1", "look", {"messages": [{"text": read}]}, arguments={})
    found = [one for one in contradictions(attribute(told, sources), sources) if one.kind == "standing"]
    assert bool(found) is dropped, found


MEMO = "# 流れ\n\n新しい枠を取ってから、古い枠を放す。\n\n# 決めていないこと\n\n- 変更できるのは何時間前までか（お店ごとに決められるようにする案）\n"


@requirement("V4")
def test_what_a_post_leaves_undecided_is_not_told_as_decided() -> None:
    for read, told, dropped in (
        (MEMO, "変更できるのは何時間前までかは、お店ごとに決めると決まりました", True),
        (MEMO, "変更できるのは何時間前までかは、まだ決まっていません", False),
        (MEMO, "変更できるのは何時間前までかは、お店ごとに決められるようにする案があります", False),
        (
            f"{MEMO}\n# 決まったこと\n\n3月の会議で、24時間前までと決まりました。\n",
            "変更できるのは24時間前までと決まりました",
            False,
        ),
        (
            "Not decided: the hours before which a booking may change.",
            "It was decided up to which hours a booking may change",
            True,
        ),
        (
            "Not decided: the hours before which a booking may change.",
            "Whether a booking may change by hours is not decided",
            False,
        ),
    ):
        sources = Sources()
        sources.add_result("c1", "look", {"posts": [{"number": 1, "body_md": read}]}, arguments={})
        found = [one for one in contradictions(attribute(told, sources), sources) if one.kind == "decided"]
        assert bool(found) is dropped, (told, found)


def test_a_long_line_without_ends_is_looked_at_in_part() -> None:
    sources = Sources()
    sources.add_result("c1", "look", {"text": "not, a: b, " * 50_000}, arguments={})
    assert not [one for one in contradictions(attribute("not a thing was said of b", sources), sources) if one.kind == "standing"]
