"""The reference page lists what the code has, and each line says what it is for."""

import re
from pathlib import Path

from autonomy.settings import OTHER_VARIABLES
from tests import reference_page

ROOT = Path(__file__).parents[2]
NO_SETTINGS = {"JIRITSU_INPUT_"}
"""Begins the inputs of a job's command."""


def test_the_reference_is_as_the_code_is() -> None:
    page = reference_page.page()
    written = reference_page.PAGE.read_text(encoding="utf-8")
    assert written == page, "write it anew: python -m tests.reference_page"
    bare = re.findall(r"^\| `\S+` \|(?: [^|]* \|)?  \|$|^ *- `[^`]+`: $", page, re.MULTILINE)
    assert bare == [], "says nothing"


def test_every_variable_of_ours_is_in_the_reference() -> None:
    files = [file for room in ("autonomy", "discovery", "metrics", "mcp_servers") for file in (ROOT / room).rglob("*.py")]
    named = {name for file in files for name in re.findall(r"[\"'](JIRITSU_[A-Z_]+)[\"']", file.read_text(encoding="utf-8"))}
    page = reference_page.PAGE.read_text(encoding="utf-8")
    assert named >= set(OTHER_VARIABLES)
    assert [name for name in sorted(named - NO_SETTINGS) if f"`{name}`" not in page] == []
