"""The changelog is a list that a user reads: one short line a change, and nothing twice."""

import re
from pathlib import Path

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
KINDS = ("Upgrade", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
LONGEST = 140
ENTRY = re.compile(r"- (?:[A-Z][\w ]+): \S.*\.")
INTERNAL = re.compile(r"\btests?\b|refactor|benchmark|\bbench\b|mutant|ruff|mypy", re.IGNORECASE)


def _unreleased() -> list[str]:
    text = CHANGELOG.read_text(encoding="utf-8")
    return text.split("## [Unreleased]\n", 1)[1].split("\n## ", 1)[0].splitlines()


def test_each_version_groups_its_changes_by_kind_in_the_usual_order() -> None:
    for version in CHANGELOG.read_text(encoding="utf-8").split("\n## ")[1:]:
        kinds = [line.removeprefix("### ") for line in version.splitlines() if line.startswith("### ")]
        assert kinds == [kind for kind in KINDS if kind in kinds]


def test_a_change_is_one_short_line_under_its_subject() -> None:
    entries = [line for line in _unreleased() if line and not line.startswith("### ")]
    assert entries
    assert [line for line in entries if len(line) > LONGEST or not ENTRY.fullmatch(line)] == []


def test_no_change_is_told_twice() -> None:
    entries = [line for line in _unreleased() if line.startswith("- ")]
    assert sorted(set(entries)) == sorted(entries)


def test_what_only_developers_notice_is_left_out() -> None:
    assert [line for line in _unreleased() if INTERNAL.search(line)] == []
