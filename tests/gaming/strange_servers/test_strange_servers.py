"""Runs over servers that nobody wrote for the judge count as done only where they are; known gaps stand in a file of their own.

A few of each kind and language run always, all of them with `pytest -m "sweep or not sweep" tests/gaming/strange_servers`. The table:
`python -m tests.gaming.strange_servers`.
"""

import pytest

from tests.gaming.strange_servers.case import StrangeCase
from tests.gaming.strange_servers.cases import CASES, known_gaps
from tests.gaming.strange_servers.world import run
from tests.support.sampling import in_part

GAPS = known_gaps()


def marked(case: StrangeCase) -> object:
    """The case as a parameter; a known gap has to fail, and to leave the list once it does not."""
    marks = [pytest.mark.xfail(reason=GAPS.get(case.name), raises=AssertionError, strict=True)] * (case.name in GAPS)
    return pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", in_part(map(marked, CASES), every=40, alike=lambda case: (case.kind, case.language)))
async def test_a_run_over_strange_servers_counts_as_done_only_where_it_is(case: StrangeCase) -> None:
    result = await run(case)
    assert (result.ending == "completed") is case.good, f"ended {result.ending} ({result.reason}); {case.why}"


def test_every_known_gap_is_a_case_and_has_its_reason_and_no_two_cases_are_alike() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert set(GAPS) <= set(names)
    assert all(reason.strip() for reason in GAPS.values())
