"""Every phrase of every file says what its examples say, no more and no less, and is asked for by some rule."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from pydantic import TypeAdapter

from metrics.text.phrases import ByScript, Phrase, lazy_pattern, patterns_of, read_phrases

HOUSE = Path(__file__).parents[2]
ROOMS = [
    ".".join(file.relative_to(HOUSE).parts[:-2])
    for package in ("autonomy", "discovery", "metrics")
    for file in sorted((HOUSE / package).rglob("data/phrases.json"))
]

PHRASE = TypeAdapter(Phrase)


def examples(phrase: Phrase) -> Iterator[str]:
    for texts in phrase.examples.values():
        yield from texts


@pytest.mark.parametrize("room", ROOMS)
def test_a_phrase_finds_its_examples_and_none_of_its_near_misses(room: str) -> None:
    for name, phrase in read_phrases(room).items():
        found = patterns_of(room)[name]
        assert [text for text in examples(phrase) if not found.search(text)] == [], name
        assert phrase.near_misses, name
        assert [text for text in phrase.near_misses if found.search(text)] == [], name


@pytest.mark.parametrize("room", ROOMS)
def test_every_form_of_a_phrase_has_an_example(room: str) -> None:
    for name, phrase in read_phrases(room).items():
        forms = list(phrase.alternatives())
        assert forms, name
        assert len(set(forms)) == len(forms), name
        assert [form for form in forms if not any(phrase.compiled(form).search(text) for text in examples(phrase))] == [], name


@pytest.mark.parametrize("room", ["autonomy.completion", "autonomy.provenance"])
def test_no_phrase_that_reads_answers_begins_with_a_run_of_any_length(room: str) -> None:
    """It is sought from each of its characters on: a hundred thousand digits took half a minute."""
    begins = re.compile(r"(?:\(\?:)?(?:\\[dws]|\[[^\]]+\]|\.)[+*]")
    phrases = {name: phrase for name, phrase in read_phrases(room).items() if not phrase.before}
    assert [name for name, phrase in phrases.items() if any(map(begins.match, phrase.alternatives()))] == []


@pytest.mark.parametrize("room", ROOMS)
def test_code_asks_for_every_phrase_of_its_room_and_for_no_other(room: str) -> None:
    folder = HOUSE.joinpath(*room.split("."))
    inner = [
        HOUSE.joinpath(*other.split(".")) for other in ROOMS if other.startswith(f"{room}.")
    ]  # they have phrases of their own
    files = [file for file in folder.rglob("*.py") if not any(file.is_relative_to(one) for one in inner)]
    sources = [file.read_text(encoding="utf-8") for file in files]
    asked = {name for text in sources for name in re.findall(r"(?:_PHRASES|patterns_of\([\"\w.]+\))\[\"(\w+)\"\]", text)}
    assert asked == set(read_phrases(room))


@pytest.mark.parametrize("room", ROOMS)
def test_no_text_of_ascii_alone_holds_a_form_of_japanese_or_chinese(room: str) -> None:
    """Such a text is not searched for them."""
    forms = {(name, form) for name, phrase in read_phrases(room).items() for form in (*phrase.ja, *phrase.zh)}
    assert [named for named in sorted(forms) if not needs_a_foreign_sign(_parser.parse(named[1]))] == []


def needs_a_foreign_sign(pattern: Any) -> bool:
    """Whether every text that a parsed pattern matches has a sign that is not ASCII."""

    def is_needed(operation: Any, value: Any) -> bool:
        match str(operation):
            case "LITERAL":
                return bool(value >= FIRST_WITHOUT_CASE)
            case "IN":
                return all((str(kind), at) >= ("LITERAL", FIRST_WITHOUT_CASE) for kind, at in spans_of(value))
            case "BRANCH":
                return all(map(needs_a_foreign_sign, value[1]))
            case "MAX_REPEAT" | "MIN_REPEAT":
                return bool(value[0] > 0 and needs_a_foreign_sign(value[2]))
            case "SUBPATTERN" | "ASSERT":
                return needs_a_foreign_sign(value[-1])
            case _:
                return False

    return any(is_needed(operation, value) for operation, value in pattern)


def spans_of(members: Any) -> Iterator[tuple[str, int]]:
    """The members of a class of signs, each range by its first one; a class that excludes holds ASCII, too."""
    for kind, value in members:
        yield ("LITERAL", value[0]) if str(kind) == "RANGE" else (str(kind), value) if str(kind) == "LITERAL" else ("", 0)


FIRST_WITHOUT_CASE = 0x2000
"""Below it stand letters that are ASCII's in another case: ſ is an s."""


def test_a_text_of_ascii_is_held_against_the_other_forms_alone() -> None:
    phrase = Phrase(says="all of it", ja=("全部",), en=("all",), zh=("全部都",), as_is=("tot",), before="^", examples={})
    found = phrase.compiled()
    assert isinstance(found, ByScript)
    assert [pattern.pattern for pattern in (found, found._in_ascii)] == [
        r"^(?:全部|\b(?:all)\b|全部都|tot)",
        r"^(?:\b(?:all)\b|tot)",
    ]
    for method in ("search", "match"):
        assert [getattr(found, method)(text) is not None for text in ("All", "全部で", "tot", "so", "で")] == [
            True,
            True,
            True,
            False,
            False,
        ]
    assert found.sub("-", "all 全部") == "- 全部"
    assert (found.findall("tot"), found.split("total"), [one[0] for one in found.finditer("全部")]) == (
        ["tot"],
        ["", "al"],
        ["全部"],
    )
    assert found.fullmatch("ALL")
    assert not found.fullmatch("ALL OF IT")


def test_a_form_with_a_group_is_sought_in_every_text() -> None:
    for form in (r"(?P<many>\d)件", r"(\d)件"):
        assert not isinstance(Phrase(says="so many", ja=(form,), en=("some",), examples={}).compiled(), ByScript)


def test_english_forms_are_whole_words_and_the_others_stand_as_they_are() -> None:
    phrase = Phrase(says="all of it", ja=("全部",), en=("all",), as_is=("tot",), examples={})
    assert [phrase.compiled().search(text) is not None for text in ("ALL", "small", "全部で", "total")] == [
        True,
        False,
        True,
        True,
    ]
    assert replace(phrase, cased=True).compiled().search("ALL") is None


@pytest.mark.parametrize("room", ROOMS)
def test_a_file_of_phrases_keeps_to_the_form(room: str) -> None:
    """The program reads it unchecked, since all commands would wait for that."""
    data = HOUSE.joinpath(*room.split("."), "data", "phrases.json").read_bytes()
    for name, fields in TypeAdapter(dict[str, dict[str, Any]]).validate_json(data).items():
        PHRASE.validate_json(json.dumps({"near_misses": fields.pop("not"), **fields}), strict=True, extra="forbid")
        assert fields["says"], name
        assert fields["examples"].keys() <= {"ja", "en", "zh"}, name


def test_a_phrase_is_compiled_when_it_is_used_and_then_is_as_a_compiled_pattern_is() -> None:
    found = lazy_pattern(r"(?P<day>\d+)日", re.IGNORECASE)
    assert set(vars(found)) == {"pattern", "flags"}
    compiled = re.compile(r"(?P<day>\d+)日", re.IGNORECASE)
    assert (found.pattern, found.flags) == (compiled.pattern, compiled.flags)
    assert found.sub(r"\g<day>", "3日と4日") == compiled.sub(r"\g<day>", "3日と4日") == "3と4"
    assert vars(found)["search"].__self__ == compiled
    assert [match["day"] for match in found.finditer("3日と4日")] == ["3", "4"]
    assert (found.groups, found.groupindex) == (compiled.groups, compiled.groupindex)


def test_a_name_that_patterns_do_not_have_compiles_nothing() -> None:
    found = lazy_pattern("(")
    assert not hasattr(found, "serach")
    with pytest.raises(re.error):
        found.search("x")
