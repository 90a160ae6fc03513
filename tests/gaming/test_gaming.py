"""Who only looks finished is found out, and who is finished in an unusual way is believed; known gaps stand in a file of their own.

Of each job and of the free goals an eightieth of the bad and of the good, and of all known gaps one, runs always, all of them with `pytest -m "sweep or not sweep" tests/gaming`. The table, with what the judge said:
`python -m tests.gaming`.
"""

from collections.abc import Iterator

import anyio
import pytest

from tests.gaming.case import GamingCase, JobRun
from tests.gaming.cases import CASES, known_gaps
from tests.gaming.world import CaseRunner
from tests.support.sampling import in_part

GAPS = known_gaps()


def marked(case: GamingCase) -> object:
    """The case as a parameter; a known gap has to fail, and to leave the list once it does not."""
    known = case.name in GAPS
    marks = [pytest.mark.xfail(reason=GAPS.get(case.name), raises=AssertionError, strict=True)] * known
    return pytest.param(case, id=case.name, marks=marks)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseRunner]:
    """Where the cases run."""
    opened = CaseRunner(tmp_path_factory.mktemp("gaming"))
    yield opened
    anyio.run(opened.close)


def job_of(case: GamingCase) -> str:
    """The name of its job's file; empty for a free goal."""
    return case.asked.file.stem if isinstance(case.asked, JobRun) else ""


@pytest.mark.parametrize(
    "case", in_part(map(marked, CASES), every=160, alike=lambda case: (case.kind, case.name not in GAPS and job_of(case)))
)
async def test_a_run_counts_as_done_only_where_it_is(case: GamingCase, stage: CaseRunner) -> None:
    ran = await stage.run(case)
    assert ran.right, f"ended {ran.result.ending} ({ran.result.reason}); {case.why}"


def test_there_are_enough_cases_of_both_kinds_in_both_languages_and_no_two_are_alike() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert sum(case.kind == "bad" for case in CASES) >= 60
    assert sum(case.kind == "good" for case in CASES) >= 30
    goals = [case.asked for case in CASES if isinstance(case.asked, str)]
    assert {goal.isascii() for goal in goals} == {True, False}


def test_every_known_gap_is_a_case_and_has_its_reason() -> None:
    assert set(GAPS) <= {case.name for case in CASES}
    assert all(reason.strip() for reason in GAPS.values())
