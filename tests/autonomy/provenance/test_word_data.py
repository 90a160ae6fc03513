"""The word lists are what their readers expect."""

import json
import re
from importlib.resources import files

import pytest

from autonomy.provenance.text.word_data import alternatives, load_words

FILES = sorted(
    file.name
    for file in files("autonomy.provenance").joinpath("data").iterdir()
    if file.name.endswith(".json") and file.name != "phrases.json"
)
KIND = {"ja", "ja_verbs", "en", "asks", "tools", "proved_by"}


@pytest.mark.parametrize("name", FILES)
def test_every_list_holds_words_once(name: str) -> None:
    def check(value: object) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                assert key.strip()
                check(item)
        elif isinstance(value, list):
            assert all(isinstance(word, str) and word.strip() == word and word for word in value), value
            assert len(set(value)) == len(value), [word for word in value if value.count(word) > 1]
        else:
            assert isinstance(value, int | str)

    check(json.loads(files("autonomy.provenance").joinpath(f"data/{name}").read_text(encoding="utf-8")))


def test_every_kind_of_claim_has_its_forms_and_is_proved_by_kinds_that_exist() -> None:
    kinds = load_words("claims")["kinds"]
    for form in kinds.values():
        assert set(form) == KIND
        assert set(form["proved_by"]) <= set(kinds)


def test_months_weekdays_and_multipliers_are_in_their_range() -> None:
    dates = load_words("dates")
    assert set(dates["months"].values()) == set(range(1, 13))
    assert set(dates["weekdays"].values()) == set(range(7))


def test_the_longest_word_is_tried_first() -> None:
    found = re.match(alternatives(["日", "日間", "a.b"]), "日間")
    assert found is not None
    assert found.group() == "日間"
