"""The beginning of a text is quoted whole words long."""

from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.text.excerpts import excerpt


@given(
    words=st.lists(st.text("abcdefg0123456789.:-", min_size=1, max_size=12), min_size=1, max_size=40), most=st.integers(14, 120)
)
def test_no_word_of_a_latin_text_is_cut(words: list[str], most: int) -> None:
    text = " ".join(words)
    shown = excerpt(text, most)
    assert len(shown) <= most
    told = shown.removesuffix("…").split()
    assert told == words[: len(told)]
    assert (shown == text) is not (shown.endswith("…") and len(text) > most)


def test_a_text_that_is_one_long_word_or_japanese_is_still_quoted() -> None:
    assert excerpt("x" * 200, 80) == "x" * 79 + "…"
    assert excerpt("天気" * 50, 10) == "天気天気天気天気天…"
    assert excerpt("天気は start: 2026-11-21T00:00", 20) == "天気は start:…"
