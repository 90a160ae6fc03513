"""All cases, and the gaps that are known."""

import json
from pathlib import Path

from tests.gaming.strange_servers import first_cases, mirrors, trade_cases
from tests.gaming.strange_servers.case import StrangeCase

CASES: tuple[StrangeCase, ...] = (*first_cases.CASES, *mirrors.CASES, *trade_cases.CASES)


def known_gaps() -> dict[str, str]:
    """The names of the cases that end otherwise than they should today, each with its reason."""
    gaps: dict[str, str] = json.loads((Path(__file__).parent / "known_gaps.json").read_text(encoding="utf-8"))
    return gaps
