"""Data files hold what their readers expect: each has a schema, and no key or word stands twice."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

ROOT = Path(__file__).parents[2]
FILES = sorted(
    str(file.relative_to(ROOT))
    for package in ("autonomy", "discovery", "metrics")
    for folder in ("data", "words")
    for file in (ROOT / package).rglob(f"{folder}/*.json")
)

BY_THEIR_READERS = (
    "*/**/phrases.json", "autonomy/completion/data/*s.json", "autonomy/llm/data/vendors.json", "autonomy/llm/offline/data/*.json",
    "discovery/data/alternatives.json", "discovery/data/descriptor_*", "discovery/data/effect_words.json",
    "discovery/data/recommendations*", "discovery/data/tool_kinds.json",
)  # fmt: skip
"""Files that are validated by a pydantic model whenever they are read."""


class InTwoLanguages(BaseModel, extra="forbid"):
    """One text that people read."""

    ja: str
    en: str


Lists = dict[str, list[str]]
Texts = dict[str, str]
SCHEMAS: dict[str, Any] = {
    "autonomy/chat/**/data/*": dict[str, InTwoLanguages],
    "autonomy/cli/data/init.json": dict[str, InTwoLanguages],
    "autonomy/cli/words/*": dict[str, Texts],
    "autonomy/policy/data/*": dict[str, list[str] | Texts | Lists | dict[str, Lists] | str],
    "autonomy/provenance/data/*": dict[str, list[str] | Texts | dict[str, int] | Lists | dict[str, dict[str, str | list[str]]]],
    "autonomy/run_state/asking/data/argument_help.json": Texts,
    "autonomy/web/data/words.json": dict[str, InTwoLanguages],
    "discovery/data/argument_names.json": list[list[str]],
    "discovery/data/common_words.json": list[str],
    "discovery/data/everyday_needs.json": list[str],
    "discovery/data/hints.json": dict[str, dict[str, str | list[str]]],
    "discovery/data/lexicon.json": Lists,
    "discovery/data/protocol_texts.json": list[str],
    "discovery/data/secret_names.json": Lists,
    "discovery/data/sentences.json": dict[str, Texts | dict[str, Texts]],
    "discovery/data/token_formats.json": Texts,
    "metrics/data/kana.json": Texts,
    "metrics/reporting/data/reasons.json": dict[str, Texts | dict[str, Texts]],
    "metrics/reporting/data/report.json": dict[str, dict[str, InTwoLanguages]],
}  # fmt: skip


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ: of two that are the same, JSON keeps the second without a word."""
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), [key for key in keys if keys.count(key) > 1]
    return dict(pairs)


def _lists(value: Any) -> Iterator[list[str]]:
    """The lists of words in a file, however deep."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _lists(inner)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        yield value


def test_a_repeated_key_is_seen() -> None:
    with pytest.raises(AssertionError, match="one"):
        json.loads('{"inner": {"one": 1, "one": 2}}', object_pairs_hook=_once)


def test_no_key_and_no_word_of_a_list_stands_twice() -> None:
    for file in FILES:
        read = json.loads((ROOT / file).read_bytes(), object_pairs_hook=_once)
        assert [word for words in _lists(read) for word in set(words) if words.count(word) > 1] == [], file


def test_each_file_has_a_schema() -> None:
    by_readers = set().union(*map(_at, BY_THEIR_READERS))
    by_schemas = {place: _at(place) - by_readers for place in SCHEMAS}
    assert sorted([*by_readers, *(file for files in by_schemas.values() for file in files)]) == FILES
    for place, files in by_schemas.items():
        for file in files:
            TypeAdapter(SCHEMAS[place]).validate_json((ROOT / file).read_bytes(), strict=True)


def test_no_schema_is_left_over() -> None:
    assert [place for place in (*BY_THEIR_READERS, *SCHEMAS) if not _at(place)] == []


def _at(place: str) -> set[str]:
    """The files of a pattern."""
    return {str(file.relative_to(ROOT)) for file in ROOT.glob(place)} & set(FILES)
