"""Where a value comes from, as the card of a question shows it."""

from datetime import date

import pytest

from autonomy.provenance import Sources
from autonomy.web.annotations import diff, origin_of
from tests.requirements import requirement


@requirement("U2")
@pytest.mark.parametrize(
    ("value", "origin", "quote"),
    [
        ("Next week: move 20 transfers, see PR #523", "asker", None),
        ("来週: 20 transfers, PR #523", "asker", None),
        ("Next week: move 97 transfers, see PR #523", "none", "97"),
        ("next week", "none", "next week"),
    ],
)
def test_a_relative_word_in_a_text_is_wording_and_alone_a_value_that_somebody_has_to_have_given(
    value: str, origin: str, quote: str | None
) -> None:
    sources = Sources(date(2026, 11, 23))
    sources.add_words("Tell of PR #523 and of the 20 transfers")
    found = origin_of(sources, value)
    assert found.origin == origin
    assert quote is None or quote in found.quote


@requirement("U2")
@pytest.mark.parametrize(("name", "origin"), [("wip", "field"), ("notify", "choice")])
def test_a_yes_or_no_comes_from_what_is_called_the_same_and_else_is_the_models_choice(name: str, origin: str) -> None:
    sources = Sources(date(2026, 11, 23))
    sources.add_result("turn-1/call-1", "esa_list_posts", {"posts": [{"wip": False, "name": "Diary"}]})
    assert origin_of(sources, False, name).origin == origin


def test_two_versions_are_compared_line_by_line_and_many_changed_lines_are_not_each_held_against_each_other() -> None:
    kinds = {"same": " ", "removed": "-", "added": "+"}
    lines = [kinds[line.kind] + line.text for line in diff("a\nb\nc\nd", "a\nB\nC\nd\ne")]
    assert lines == [" a", "-b", "+B", "-c", "+C", " d", "+e"]
    old, new = ("\n".join(f"line {number} of {version}" for number in range(3_000)) for version in ("one", "the other"))
    assert len(diff(old, new)) == 6_000
