"""One value, however it is written, compares equal; whatever is written, comparing ends."""

from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.text.normalize import _UNCOMMON, _unstable, fold, normalize, normalize_with_offsets
from discovery.text.characters import SHORT, is_plain_ascii
from discovery.transport.answers import visible

ODD = st.sampled_from("T\u0308İΣςか\u3099\u200bᴬ𝐓\u1161\u11a8가ㄱ－〜ｶﾞ㌔ﾊﾟ①“”\u202e")
TEXT = st.text(st.characters() | ODD)


@given(TEXT)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)
    assert fold(fold(text)) == fold(text)


@given(TEXT)
def test_every_position_leads_back_into_the_original(text: str) -> None:
    normal = normalize_with_offsets(text)
    spans = [normal.span(at, at + 1) for at in range(len(normal.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)


def test_width_kana_case_dashes_and_invisible_characters_make_no_difference() -> None:
    assert normalize("ﾊﾞｯｸ　Ｖ２．９") == "バック V2.9"
    assert fold("パスワード") == fold("ﾊﾟｽﾜｰﾄﾞ") == "ぱすわーど"
    assert fold("ig\u200bnore") == "ignore"
    assert fold("“A”–b") == '"a"-b'


@given(st.text(st.characters(max_codepoint=0x100)))
def test_what_is_taken_for_plain_is_nothing_that_any_rewriting_touches(text: str) -> None:
    plain = is_plain_ascii(text)
    assert not plain or normalize(text) == visible(text) == text == normalize_with_offsets(text).text
    assert not plain or fold(text) == text.lower()


@given(st.text(st.characters(max_codepoint=0x80), max_size=3), st.sampled_from([0, SHORT - 2, SHORT, 2 * SHORT]))
def test_a_long_text_is_plain_where_each_of_its_characters_is(text: str, padding: int) -> None:
    each = all(character == "\n" or (character.isascii() and character.isprintable()) for character in text)
    assert is_plain_ascii("a" * padding + text) == each


def test_a_span_covers_the_whole_character_it_came_from() -> None:
    text = "ab㌔メﾊﾞ12"
    normal = normalize_with_offsets(text)
    assert normal.text == "abキロメバ12"
    assert [text[slice(*normal.span(at, at + 1))] for at in range(2, 6)] == ["㌔", "㌔", "メ", "ﾊﾞ"]


def test_a_million_marks_on_one_letter_are_cut_before_anything_sorts_them() -> None:
    assert len(normalize("a" + "\u0301\u0323" * 500_000)) <= 32


def test_what_is_passed_over_quickly_is_nothing_that_normalising_touches() -> None:
    characters = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x30000)]))
    passed = _UNCOMMON.sub("", characters)
    assert not _unstable().search(passed)
    assert len(passed) > 20_000
