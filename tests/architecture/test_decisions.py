"""A decision is one page in one form, so that a reader finds at once what was decided, and what it costs."""

import re
from pathlib import Path

import pytest

DECISIONS = sorted((Path(__file__).parents[2] / "docs" / "decisions").glob("*.md"))
PARTS = ["Context", "Decision", "Rejected", "Consequences"]
MOST_CHARS = 4_500
"""About a page."""


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_is_one_page_of_context_decision_and_consequences(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    parts = re.findall(r"^(?:\*\*|##+ )([^*\n]+?)\.?(?:\*\*|$)", text, re.MULTILINE)
    assert parts in (PARTS, [part for part in PARTS if part != "Rejected"])
    assert len(text) <= MOST_CHARS
