"""With a reader that decides, no bad run that it reads counts as done, and few good ones are refused.

The opinions are on record (`tests/gaming/readings/`), given by an endpoint of their own over HTTP, in runs through the real loop. One
that was given about something else than is shown today fails by name; a case that nobody has read is skipped by name. A share runs
always, all of them with `pytest -m "sweep or not sweep" tests/gaming`; the table: `python -m tests.gaming.reader`.
"""

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import autonomy.llm.vendors.openai_models  # noqa: F401 - the registry would import it inside the event loop
from autonomy.agent.second_opinion import opinion_request
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelOptions
from autonomy.llm.model_registry import open_model
from tests.gaming import reader
from tests.gaming.case import GamingCase
from tests.gaming.cases import CASES, known_gaps
from tests.gaming.reader import (
    ReadCases,
    Reading,
    RecordedReader,
    Stale,
    Unread,
    keep,
    read_cases,
    readings,
    record,
    refused,
    taken,
    tally,
    what_is_judged,
    write,
)
from tests.gaming.told import Told, goal, read
from tests.gaming.world import Ran
from tests.support.openai_chat import OpenAIChat, reply
from tests.support.sampling import in_part

READ = readings()
NAMES = {one.case for one in READ}
REFUSED = refused()
CAUSES = REFUSED.wrongly | REFUSED.rightly
GAPS = known_gaps()
BY_NAME = {case.name: case for case in CASES}
REFUSED_AT_MOST = 0.03
UNREAD_AT_MOST = 0.1
UNREAD_GAPS = {case.name for case in CASES if case.kind == "good"} & GAPS.keys() - NAMES - CAUSES.keys()
"""Good ones of sets that nobody has read. They count as refused until somebody has."""
PASSED, TRUE = "the curry becomes ramen", "20 osaka in other words"
"""A bad case that rules let pass, and a good one."""


def known(case: GamingCase) -> tuple[str, bool, bool]:
    """What it is alike in: its kind, whether rules alone end it wrongly, and whether it was read."""
    return case.kind, case.name in GAPS, case.name in NAMES


def marked(case: GamingCase) -> object:
    """The case as a parameter; what the reader gets wrong has to fail, and to leave the list once it does not."""
    marks = [pytest.mark.xfail(reason=CAUSES.get(case.name, ""), raises=AssertionError, strict=True)] * (case.name in CAUSES)
    return pytest.param(case, id=case.name, marks=marks)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[ReadCases]:
    """Where the cases run, with all opinions on record."""
    with RecordedReader(READ) as endpoint:
        async with read_cases(tmp_path, endpoint) as opened:
            yield opened


@pytest.mark.parametrize("case", in_part(map(marked, CASES), every=80, alike=known))
async def test_with_a_deciding_reader_a_run_counts_as_done_only_where_it_is(case: GamingCase, stage: ReadCases) -> None:
    try:
        ran = await stage.run(case)
    except Stale:
        raise
    except Unread as error:
        pytest.skip(str(error))
    assert not ran.result.unread
    if case.name in UNREAD_GAPS:
        pytest.skip(f"{case.name}: rules refuse it, and nobody has read it")
    assert ran.right, f"ended {ran.result.ending} ({ran.result.reason}); {case.why}"


def test_few_good_runs_are_refused_and_no_bad_one_is_let_pass() -> None:
    assert all(BY_NAME[name].kind == "good" for name in CAUSES)
    assert not REFUSED.wrongly.keys() & REFUSED.rightly.keys()
    good = [case.name for case in CASES if case.kind == "good"]
    assert len(UNREAD_GAPS | CAUSES.keys()) <= REFUSED_AT_MOST * len(good)


def test_nearly_all_that_rules_let_pass_has_been_read() -> None:
    passed = {
        case.name for case in CASES if (case.name in GAPS if case.kind == "bad" else case.completes and case.name not in GAPS)
    }
    unread = sorted(passed - NAMES)
    assert len(unread) <= UNREAD_AT_MOST * len(passed), f"nobody has read {unread}"


def test_every_reading_is_about_a_case_and_says_whose_it_is() -> None:
    assert BY_NAME.keys() >= NAMES
    assert len({(one.case, one.shown) for one in READ}) == len(READ)
    assert all(one.by and (one.meets_the_goal or one.missing) for one in READ)
    assert all(reason.strip() for reason in CAUSES.values())


async def judged(case: GamingCase, opinions: Iterable[Reading], folder: Path) -> Ran:
    """The case, read by somebody else."""
    with RecordedReader(opinions) as endpoint:
        async with read_cases(folder, endpoint) as stage:
            return await stage.run(case)


@pytest.mark.parametrize("meets", [True, False], ids=["agrees with all", "rejects all"])
async def test_a_reader_with_one_opinion_of_everything_is_wrong_about_one_of_the_two_kinds(meets: bool, tmp_path: Path) -> None:
    everything = [one.model_copy(update={"meets_the_goal": meets, "missing": () if meets else ("it is wrong",)}) for one in READ]
    lie, truth = [await judged(BY_NAME[name], everything, tmp_path / name) for name in (PASSED, TRUE)]
    assert (lie.completed, truth.completed) == (meets, meets)


async def test_a_reading_of_something_else_is_stale_by_name(tmp_path: Path) -> None:
    of_before = [one.model_copy(update={"shown": "0" * 16}) for one in READ if one.case == PASSED]
    with pytest.raises(Stale, match=f"{PASSED}: .*ask again"):
        await judged(BY_NAME[PASSED], of_before, tmp_path)


async def test_a_case_that_nobody_has_read_is_told_by_name_though_others_were(tmp_path: Path) -> None:
    with pytest.raises(Unread, match=f"{PASSED}: nobody has read it") as raised:
        await judged(BY_NAME[PASSED], [one for one in READ if one.case != PASSED], tmp_path)
    assert not isinstance(raised.value, Stale)


async def test_a_model_is_asked_for_what_is_missing_and_stale_readings_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "FILE", tmp_path / "opinions.jsonl")
    of_before = [one.model_copy(update={"shown": "0" * 16}) for one in READ if one.case == PASSED]
    keep(of_before)
    with OpenAIChat() as fake:
        fake.script(reply('{"meets_the_goal": false, "missing": ["it was curry"]}'))
        model = open_model("openai:reading", ModelOptions(api_key="sk-none", base_url=fake.url, stream=False))
        await record(PASSED, tmp_path / "cases", model)
        await model.aclose()
    assert [(one.case, one.missing, one.by) for one in readings()] == [(PASSED, ("it was curry",), "openai:reading")]
    assert not (await judged(BY_NAME[PASSED], readings(), tmp_path / "again")).completed


async def test_what_is_missing_is_written_for_a_reader_elsewhere_under_ids_that_tell_nothing(tmp_path: Path) -> None:
    missing = (await tally(PASSED, (), tmp_path / "cases")).missing
    write(missing, tmp_path / "asked.jsonl")
    (asked,) = [json.loads(line) for line in (tmp_path / "asked.jsonl").read_text(encoding="utf-8").splitlines()]
    assert asked.keys() == {"id", "system", "user"}
    assert PASSED not in json.dumps(asked, ensure_ascii=False)
    assert str(tmp_path) not in asked["user"]
    opinion = {"id": asked["id"], "meets_the_goal": False, "missing": ["it was curry"]}
    (tmp_path / "opinions.jsonl").write_text(json.dumps(opinion), encoding="utf-8")
    (said,) = taken(tmp_path / "asked.jsonl", [tmp_path / "opinions.jsonl"], "somebody")
    assert (said.case, said.meets_the_goal, said.by) == (PASSED, False, "somebody")
    assert not (await judged(BY_NAME[PASSED], [said], tmp_path / "again")).completed


def test_a_reading_is_of_goal_record_and_answer_wherever_files_lie_and_not_of_what_rules_said() -> None:
    case = Told("", "good", goal("What stands over the harbour?"), (read("sky_look", "two stars: /tmp/7/sky.md"),), "")

    def shown(case: Told, answer: str = "Two stars.", remarks: tuple[str, ...] = (), folder: str = "/tmp/7") -> str:
        request = opinion_request(AssistantMessage(text=answer), case.context(), remarks)
        return what_is_judged(request.messages[-1].text, Path(folder))

    elsewhere = replace(case, calls=(read("sky_look", "two stars: /home/8/sky.md"),))
    assert shown(case) == shown(case, remarks=("a remark",)) == shown(elsewhere, folder="/home/8")
    others = (
        shown(replace(case, task=goal("What stands over the hills?"))),
        shown(replace(case, calls=(read("sky_look", "three stars: /tmp/7/sky.md"),))),
        shown(case, "Three stars."),
    )
    assert len({shown(case), *others}) == 4
