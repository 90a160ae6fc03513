"""A need that is filled with rows of a read is met by each of its rows once, in one write or in several."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer

from autonomy.llm.model import Need
from autonomy.llm.scripted import calling
from autonomy.run_state.run_values import RunResult
from metrics import events
from tests.support.house import OUTWARD, READ, house

PEOPLE = (("maya", 90), ("kenta", 75), ("yui", 60))
Row = tuple[str | int, ...]
HOURS = Need(id="hours", description="hours of everybody", tools=("desk_hours",))
ROWS = Need(
    id="rows",
    description="write rows to a sheet",
    effect="outward",
    after=("hours",),
    tools=("desk_write",),
    arguments={"sheet": "S1", "rows": "{{hours[name, minutes]}}"},
)


async def told(*writes: list[Row], read: Sequence[Row] = PEOPLE) -> tuple[list[Row], RunResult, list[str]]:
    """A run that reads, makes these writes and ends: the rows of the sheet, its result, and what was decided on the writes."""
    written: list[Row] = []
    server: MCPServer[Any] = MCPServer("desk")

    @server.tool(annotations=READ)
    def hours() -> list[dict[str, Any]]:
        """The hours of everybody."""
        return [{"name": name, "minutes": minutes} for name, minutes in read]

    @server.tool(annotations=OUTWARD)
    def write(sheet: str, rows: list[list[Any]]) -> str:
        """Write rows below those of a sheet."""
        written.extend(tuple(row) for row in rows)
        return "written"

    calls = [calling(("desk_write", {"sheet": "S1", "rows": [list(row) for row in rows]})) for rows in writes]
    async with house(server, script=[calling(("desk_hours", {})), *calls, *["It is done."] * 9]) as home:
        result = await home.run("Write the hours of everybody to the sheet.", job="hours", needs=(HOURS, ROWS))
        assert result.ending != "failed", result.reason
        decided = [one.decision for one in home.heard.of(events.CallDecided) if one.tool == "desk_write"]
    return written, result, decided


@settings(max_examples=12)
@given(st.permutations(PEOPLE), st.sets(st.sampled_from((1, 2))))
def test_rows_that_were_read_may_go_out_in_as_many_writes_as_they_are(rows: list[Row], cuts: set[int]) -> None:
    bounds = [0, *sorted(cuts), len(PEOPLE)]
    parts = [rows[begin:end] for begin, end in pairwise(bounds)]
    sheet, result, decided = anyio.run(told, *parts)
    assert (sheet, result.ending, set(decided)) == (rows, "completed", {"allow"})


@pytest.mark.parametrize(
    "again",
    [
        [PEOPLE[0]],
        [PEOPLE[1], PEOPLE[0]],
        [PEOPLE[1], PEOPLE[1]],
        [(*PEOPLE[0], "again")],
        [("sota", 30)],
        [PEOPLE[1], ("sota", 30)],
        [("kenta", 750)],
        [],
    ],
    ids=[
        "the same",
        "with one of before",
        "one twice",
        "the same with a word",
        "nobody that was read",
        "one more beside",
        "another figure",
        "none",
    ],
)
async def test_a_second_write_of_anything_but_further_rows_is_one_too_many(again: list[Row]) -> None:
    sheet, result, decided = await told([PEOPLE[0]], again)
    assert (sheet, decided[:2]) == ([PEOPLE[0]], ["allow", "deny"])
    assert result.ending != "completed"


async def test_a_row_that_no_write_carried_is_named() -> None:
    _, result, _ = await told([PEOPLE[0]], [PEOPLE[2]])
    assert "rows does not hold 1 of 3 rows that were read, among them kenta 75" in result.reason


async def test_two_rows_that_are_alike_go_out_twice_and_no_third_time() -> None:
    alike = PEOPLE[0]
    sheet, _, decided = await told([alike], [alike], [alike], read=(alike, alike))
    assert (sheet, decided[:3]) == ([alike, alike], ["allow", "allow", "deny"])
