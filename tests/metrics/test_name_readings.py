"""A Japanese name in Latin letters is read in kana, in bounded work."""

import pytest

from metrics.text.name_readings import kana_readings


@pytest.mark.parametrize(
    ("name", "kana"),
    [("haruka", "はるか"), ("Sota", "そうた"), ("sota", "そーた"), ("sota", "そた"), ("ryunosuke", "りゅうのすけ")],
)
def test_a_name_is_read_with_and_without_long_vowels(name: str, kana: str) -> None:
    assert kana in kana_readings(name)


@pytest.mark.parametrize("name", ["", "n", "Smith", "dev-bot"])
def test_what_is_no_japanese_name_has_no_reading(name: str) -> None:
    assert kana_readings(name) == frozenset()


def test_a_word_of_many_open_vowels_has_no_more_readings_than_a_name() -> None:
    assert 1 < len(kana_readings("to" * 200)) <= 243
