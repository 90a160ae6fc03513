"""A new result extends what is known of a run: nothing that was read before is read again, and the answers are those of one pass."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.provenance import Sources, attribute
from autonomy.provenance.attribution import _by_sentence
from autonomy.provenance.sources import leaf_text, unit_index
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text import facts
from autonomy.provenance.text.facts import exact_facts_in
from autonomy.provenance.text.normalize import fold, fold_all, normalize, normalize_all
from autonomy.provenance.text.sentences import sentences_in, terms
from tests.requirements import requirement

MIXED = st.text(alphabet="ab Z_19,.\n\x00\u0301\u200dーカナかな会議報告障害Ａ１ﾊﾟ\ufdfa", max_size=30)


@given(st.lists(MIXED | st.text(max_size=12), max_size=8))
def test_many_texts_in_one_pass_are_what_each_is_alone(texts: list[str]) -> None:
    assert fold_all(texts) == [fold(text) for text in texts]
    assert normalize_all(texts) == [normalize(text) for text in texts]


def unit(text: str) -> EvidenceUnit:
    return EvidenceUnit("c", "t", "$", text, frozenset(), frozenset(), frozenset())


LINES = st.lists(
    st.text(alphabet="会議報告カナのをtest ing_ed9 #.", max_size=20).filter(lambda text: "\n" not in text), max_size=8
)


@example([], ["", "99"], "99", False)  # the first unit is empty
@example(["会議", "test 9"], ["test 9", "会議", "test 9"], "会議 test", False)  # objects of a list repeat what they say
@given(LINES, LINES, st.text(alphabet="会議報告カナのをtest ing_ed9 #.", max_size=20), st.booleans())
def test_the_units_that_hold_a_term_are_those_whose_terms_it_is(
    first: list[str], later: list[str], asked: str, ask_early: bool
) -> None:
    index = UnitIndex([unit(text) for text in first])
    wanted = terms(asked)
    if ask_early:
        index.look_for(wanted)
    index.extend([unit(text) for text in later])
    expected = [text for text in (*first, *later) if wanted & terms(text)]
    assert [found.text for found in index.holding(wanted, share=0)] == expected
    assert [found.text for found in index.holding(wanted)] == [text for text in expected if wanted <= terms(text)]
    assert set(index.shortlist(wanted)) == {at for at, text in enumerate((*first, *later)) if wanted & terms(text)}
    forms = [form for form in (normalize(asked).lower()[:2],) if form]
    said = [text for text in (*first, *later) if any(form in normalize(text).lower() for form in forms)]
    assert [found.text for found in index.with_any(forms)] == said


@given(st.text(alphabet="12 %円。.!\n-#人a", max_size=60))
def test_each_fact_is_of_the_sentence_that_it_begins_in(text: str) -> None:
    found, sentences = facts.facts_in(text), sentences_in(text)
    expected = [tuple(one for one in found if sentence.start <= one.start < sentence.end) for sentence in sentences]
    assert _by_sentence(found, sentences) == expected


@pytest.mark.parametrize("offset", ["", "Z", "+09:00", "-05:30", "+00:00", "+25:00"])
@pytest.mark.parametrize("zone", [None, ZoneInfo("Asia/Tokyo")])
@given(st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2090-01-01")))
def test_a_bare_timestamp_reads_like_one_in_a_sentence(offset: str, zone: ZoneInfo | None, at: datetime) -> None:
    written = at.replace(microsecond=0).isoformat() + offset
    assert list(exact_facts_in(written, None, zone)) == list(facts._exact(written, None, zone))


class Counted:
    """Counts the characters that pass through a function of many texts."""

    def __init__(self, work: Callable[[Sequence[str]], list[str]]) -> None:
        self.work, self.characters = work, 0

    def __call__(self, texts: Sequence[str]) -> list[str]:
        self.characters += sum(map(len, texts))
        return self.work(texts)


def page(number: int) -> dict[str, Any]:
    at = datetime(2026, 11, 22, 9, tzinfo=timezone(timedelta(hours=9))) + timedelta(minutes=number)
    messages = [
        {
            "ts": str(at.timestamp() + row),
            "user_id": f"U{number}",
            "text": f"{number * 50 + row}件の会議報告を確認しました。障害 No.{row}",
        }
        for row in range(50)
    ]
    return {"messages": messages}


@requirement("V1")
def test_each_result_is_folded_once_however_often_something_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    folded, normalized = Counted(fold_all), Counted(normalize_all)
    monkeypatch.setattr(leaf_text, "fold_all", folded)
    monkeypatch.setattr(unit_index, "normalize_all", normalized)
    sources = Sources(date(2026, 11, 22), ZoneInfo("Asia/Tokyo"))
    after_one: tuple[int, int] = (0, 0)
    for number in range(20):
        sources.add_result(f"call-{number}", "history", page(number))
        attribute(f"会議報告は {number * 50}件でした。障害 No.3 もあります。", sources)
        assert sources.sources_of(f"U{number}")
        after_one = after_one if number else (folded.characters, normalized.characters)
    assert folded.characters <= 21 * after_one[0] * 1.1
    assert normalized.characters <= 21 * after_one[1] * 1.1


@requirement("V1")
def test_what_the_objects_of_a_list_repeat_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folded, normalized = Counted(fold_all), Counted(normalize_all)
    monkeypatch.setattr(leaf_text, "fold_all", folded)
    monkeypatch.setattr(unit_index, "normalize_all", normalized)
    sources = Sources(date(2026, 11, 22), ZoneInfo("Asia/Tokyo"))
    rows = [{"number": at, "user": {"name": f"haruka{at % 3}"}, "state": "open", "body": f"{at % 5}件です"} for at in range(500)]
    sources.add_result("call", "list", {"rows": rows})
    attribute("3件です。", sources)
    assert folded.characters < 2_000
    assert normalized.characters < 200


@requirement("V1")
def test_a_fact_nobody_gave_costs_a_bounded_number_of_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = exact_facts_in

    def reading(text: str, *given: Any) -> Any:
        read.append(text)
        return real(text, *given)

    monkeypatch.setattr("autonomy.provenance.sources.run_sources.exact_facts_in", reading)
    sources = Sources(date(2026, 11, 22), ZoneInfo("Asia/Tokyo"))
    sources.add_result("call", "history", {"rows": [{"id": f"X{row}", "text": f"7 番の {row} 号"} for row in range(3_000)]})
    attribute("7円でした。", sources)
    assert len(read) <= 900
