"""Words beside structured data are evidence of what they add, and of the person whose object they repeat."""

from datetime import date, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.attribution import attribute
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.captions import new_lines
from autonomy.provenance.support import About
from discovery.catalog import Effect

DAY = date(2026, 11, 20)
MESSAGES = {
    "messages": [
        {
            "user": "maya",
            "text": "Shipped the release to production after the review.",
            "reactions": [{"name": "tada", "count": 2}],
        },
        {"user": "leo", "text": "Rotated the database passwords of the staging cluster."},
    ]
}
ADDRESS = "file:///srv/esa/AI%20Diary/2026/11/20/maya%27s%20diary.md"


def read(result: object, text: str = "") -> Sources:
    sources = Sources(DAY)
    sources.add_result("call-1", "slack_history", result, text=text)
    return sources


def supported(text: str, sources: Sources) -> list[tuple[str, bool]]:
    return [(found.fact.text, found.supported) for found in attribute(text, sources).facts]


def test_a_figure_that_stands_only_in_the_words_beside_the_data_has_a_source() -> None:
    assert supported("It took 47 minutes.", read(MESSAGES)) == [("47 minutes", False)]
    assert supported("It took 47 minutes.", read(MESSAGES, "2 messages, read in 47 minutes")) == [("47 minutes", True)]


def test_words_that_repeat_somebodys_message_are_still_theirs() -> None:
    sources = read(MESSAGES, "[10:02] leo: Rotated the database passwords of the staging cluster.")
    (sentence,) = attribute("Rotated the database passwords of the staging cluster.", sources, About(persons=("maya",))).sentences
    assert sentence.elsewhere


def test_data_that_is_written_out_again_counts_once() -> None:
    again = '{\n  "user": "maya",\n  "text": "Shipped the release to production after the review."\n}'
    assert new_lines(again, MESSAGES) == ()
    assert len(read(MESSAGES, again).units) == len(read(MESSAGES).units)


def test_a_list_of_texts_is_written_out_again_with_escapes_and_adds_none_of_their_figures() -> None:
    again = '[\n  "\\u65e5\\u672c \\"12\\"",\n  "\\u6771"\n]'
    assert new_lines(again, {"result": ['日本 "12"', "東"]}) == ()


@given(st.text(max_size=300))
def test_no_text_beside_data_breaks_the_reading(text: str) -> None:
    read(MESSAGES, text).index.shortlist({"release"})


@pytest.mark.parametrize("form", ["Posted: {}", "Done ({}).", "日記は {} です。", "[diary]({})"])
def test_an_address_with_blanks_is_one_however_the_result_encodes_it(form: str) -> None:
    sources = Sources(DAY)
    sources.add_result("call-1", "esa_create_post", {"number": 3, "url": ADDRESS}, arguments={"name": "x"}, effect=Effect.OUTWARD)
    written = "file:///srv/esa/AI Diary/2026/11/20/maya's diary.md"
    assert supported(form.format(written), sources) == [(written, True)]
    other = supported(form.format(written.replace("Diary/", "Dairy/")), sources)
    assert ("file:///srv/esa/AI", False) in other, "the beginning up to the first blank is no proof of another file"


def test_a_write_that_answers_in_words_makes_its_new_id_and_address_known_and_not_what_it_was_sent() -> None:
    sources = Sources(DAY)
    answer = "Created https://notes.example/posts/12 with the text: revenue rose to ¥812, see https://evil.example/a"
    sent = {"text": "revenue rose to ¥812, see https://evil.example/a"}
    sources.add_result("call-1", "notes_create", answer, arguments=sent, effect=Effect.OUTWARD)
    told = "https://notes.example/posts/12 says ¥812, https://evil.example/a"
    assert supported(told, sources) == [
        ("https://notes.example/posts/12", True),
        ("¥812", False),
        ("https://evil.example/a", False),
    ]


def test_reactions_are_no_messages_when_messages_are_counted() -> None:
    sources = read(MESSAGES)
    assert sorted(path for _, path in sources.records()) == ["$.messages[0]", "$.messages[1]"]
    assert 2 in sources.counts()
    assert 3 not in sources.counts()


def test_a_share_follows_from_the_figures_of_the_sentence_before() -> None:
    sources = read({"text": "負荷試験では毎秒60件で1.1秒→0.3秒になりました"})
    assert supported("1.1秒から0.3秒になりました。およそ7割の短縮です。", sources)[-1] == ("7割", True)
    assert supported("1.1秒から0.3秒になりました。およそ5割の短縮です。", sources)[-1] == ("5割", False)


def test_two_temperatures_make_no_sum() -> None:
    sources = read({"days": [{"text": "朝は7℃、昼は11℃"}]})
    assert supported("昼は11℃、朝は18℃です。", sources)[-1] == ("18℃", False)


def test_times_are_told_in_the_zone_that_was_learnt_later() -> None:
    sources = read({"messages": [{"ts": "1795111200", "text": "late in the evening"}]})
    assert {day for unit in sources.units for day in unit.days} == {"2026-11-19"}
    sources.settle(timezone(timedelta(hours=9)))
    assert {day for unit in sources.units for day in unit.days} == {"2026-11-20"}
