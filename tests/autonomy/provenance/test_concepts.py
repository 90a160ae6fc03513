"""Concepts are read in both languages, are heard in other words, and are told apart from what is only feared or asked for."""

import pytest

from autonomy.provenance.concepts import EVENTS, OF_THEIR_OWN, concepts, is_heard, is_only_open, told_in, word_of
from autonomy.provenance.text.word_data import load_words
from tests.requirements import requirement

pytestmark = requirement("V4")
KEYS = {"says", "ja", "en", "ja_also", "en_also", "akin"}


def test_every_concept_says_what_it_is_and_has_words_in_both_languages() -> None:
    entries = load_words("concepts")["concepts"]
    for name, entry in entries.items():
        assert {"says", "ja", "en"} <= set(entry) <= KEYS, name
        assert entry["says"].endswith("."), name
        assert entry["ja"], name
        assert entry["en"], name
        assert set(entry.get("akin", ())) <= set(entries) - {name}, name
        assert not set(entry["ja"]) & set(entry.get("ja_also", ())), name
    assert set(entries) >= OF_THEIR_OWN | EVENTS
    assert set(concepts()) == set(entries)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("意見を形にしてもらえて、とてもうれしかったです", {"glad"}),
        ("I was so happy that they took it up", {"glad"}),
        ("返事待ちで先へ進めていません", {"wait", "trouble", "denial"}),
        ("She is waiting for an answer and stuck", {"wait", "trouble"}),
        ("接続が切れましたが、すぐに戻っています", {"fail", "recover"}),
        ("It went down and came back online", {"fail", "recover"}),
        ("部長に褒められました", {"praise"}),
        ("健太さんに差し戻されました", {"reject"}),
        ("The release is called off", {"cancel"}),
        ("リリースは延期です", {"postpone"}),
        ("少し遅れるかもしれません", set[str]()),  # a denial that affirms
        ("手順書を書きました", set[str]()),
        ("Opened PR #512 with the new wording", set[str]()),
    ],
)
def test_a_text_tells_of_its_concepts(text: str, told: set[str]) -> None:
    assert told_in(text) == told


@pytest.mark.parametrize(
    ("name", "line", "heard"),
    [
        ("glad", "聞いてよかった", True),
        ("praise", "とても読みやすくなってます", True),
        ("trouble", "検索が詰まっています", True),
        ("wish", "見てもらえますか", True),
        ("wait", "午後は結衣さんと台本づくり", False),
        ("reject", "承認しました", False),
        ("recover", "サーバーを入れ替えました", True),
    ],
)
def test_a_concept_is_heard_in_other_words(name: str, line: str, heard: bool) -> None:
    assert is_heard(name, line) is heard


@pytest.mark.parametrize(
    ("clause", "line", "only_open"),
    [
        ("接続が切れました", "10秒ほど接続が切れるかもしれません", True),
        ("The connection failed", "接続が切れるかもしれません", True),
        ("接続が切れるかもしれません", "10秒ほど接続が切れるかもしれません", False),
        ("接続が切れました", "切れるかもしれません。15時に切れました", False),
    ],
)
def test_what_is_told_as_a_fact_and_read_only_as_a_fear_is_found(clause: str, line: str, only_open: bool) -> None:
    assert is_only_open("fail", clause, line) is only_open


def test_the_word_that_tells_of_a_concept_is_shown() -> None:
    assert word_of("praise", "部長に褒められました") == "褒め"
    assert word_of("praise", "書きました") == ""


@pytest.mark.parametrize(
    ("text", "invites"), [("お昼に声をかけてもらいました", True), ("「読みやすいですね」と声をかけてもらいました", False)]
)
def test_who_only_says_something_invites_nobody(text: str, invites: bool) -> None:
    assert ("invite" in told_in(text)) is invites
    assert is_heard("invite", text)
