"""A job's `check:` is read by the executor itself after the writes; what cannot be read is not passed."""

from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.agent.replay import record, replay
from autonomy.completion.rules.postcondition import _expectations
from autonomy.errors import ConfigError
from autonomy.jobs.explaining import explained
from autonomy.jobs.job_loading import load
from autonomy.llm.model import Need, Task
from autonomy.llm.scripted import calling
from autonomy.policy.policy import Policy
from autonomy.run_state.completion_rules import Postcondition, values_at
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest
from metrics import events
from metrics.autonomy import autonomy_of
from metrics.measures import measure
from tests.autonomy.agent.test_replay import granted
from tests.requirements import requirement
from tests.support.house import READ, WRITE, house

FREE = Policy(free_writes="allow")


class Stock:
    """A warehouse that may keep less than it says."""

    def __init__(self, *, loses: bool = False, broken: bool = False, pages: bool = False) -> None:
        self.rows: list[dict[str, Any]] = []
        self.reads = 0
        self.server: MCPServer[Any] = MCPServer("stock")

        @self.server.tool(annotations=WRITE)
        def put(name: str, pieces: int) -> dict[str, Any]:
            """Put pieces of something on the shelf."""
            if not loses or len(self.rows) > 0 or name == "again":
                self.rows.append({"id": f"R{len(self.rows) + 1}", "name": name, "pieces": pieces})
            return {"id": f"R{len(self.rows)}"}

        @self.server.tool(annotations=READ)
        def shelf(row: str = "") -> dict[str, Any]:
            """Look at the shelf."""
            self.reads += 1
            if broken:
                raise ToolError("the shelf is locked")
            found = [one for one in self.rows if not row or one["id"] == row]
            return {"rows": found, "total": sum(one["pieces"] for one in found), **({"next_cursor": "abc"} if pages else {})}


PUT = calling(("stock_put", {"name": "screws", "pieces": 5}))
TOTAL = Postcondition(title="five on the shelf", tool="stock_shelf", value="total", equals="5")


@requirement("V8")
async def test_a_run_is_completed_when_the_executors_own_read_brings_what_is_expected() -> None:
    stock = Stock()
    async with house(stock.server, script=[PUT, "Done."], policy=FREE) as home:
        result = await home.run("note it", rules=(TOTAL,))
    assert (result.ending, stock.reads) == ("completed", 1)
    assert [call.tool for call in result.calls] == ["stock_put"], "the look is the executor's own and no call of the run"
    judged = home.heard.of(events.Judged)[-1]
    assert (judged.rules, judged.held) == (1, 1)
    looked = home.heard.of(events.CallFinished)[-1]
    assert (looked.tool, looked.asked_for, looked.needs) == ("stock_shelf", False, ())


@requirement("V8")
async def test_what_the_model_says_is_done_and_is_not_there_goes_back_to_it_and_is_mended() -> None:
    stock = Stock(loses=True)
    again = calling(("stock_put", {"name": "again", "pieces": 5}))
    async with house(stock.server, script=[PUT, "Done.", again, "Now it is."], policy=FREE, approver=granted) as home:
        result = await home.run("note it", rules=(TOTAL,))
    assert "five on the shelf" in home.model.requests[2].messages[-1].text
    assert (result.ending, stock.reads) == ("completed", 2)


@requirement("V8")
async def test_what_stays_missing_ends_the_run_with_the_finding_and_a_quality_of_none() -> None:
    stock = Stock(loses=True)
    async with house(stock.server, script=[PUT, "Done.", "It is done!"], policy=FREE) as home:
        result = await home.run("note it", rules=(TOTAL,), limits=Limits(corrections=1))
    assert result.ending == "exhausted"
    assert result.missing == (
        "the check 'five on the shelf' does not hold: total of stock_shelf should be '5'; look there and put it right",
    )
    assert home.heard.of(events.Judged)[-1].missing == ("check: five on the shelf",)
    assert autonomy_of(measure(home.heard.events).facts[result.run_id]).result_quality == 0


@requirement("V8")
@pytest.mark.parametrize(
    ("stock", "check"),
    [
        (Stock(broken=True), TOTAL),
        (Stock(), TOTAL.model_copy(update={"value": "sum"})),
        (Stock(pages=True), Postcondition(tool="stock_shelf", value="rows", count=1)),
        (Stock(), TOTAL.model_copy(update={"arguments": {"row": "{{needs.nobody.id}}"}})),
        (Stock(), TOTAL.model_copy(update={"arguments": {"row": 5}})),
    ],
    ids=["an error", "no such value", "one page of several", "no such need", "arguments that do not fit"],
)
async def test_a_check_that_cannot_be_read_is_not_passed(stock: Stock, check: Postcondition) -> None:
    async with house(stock.server, script=[PUT, "Done.", "Done."], policy=FREE) as home:
        result = await home.run("note it", rules=(check,), limits=Limits(corrections=1))
    assert result.ending == "exhausted"
    assert "could not be" in result.missing[0]


@requirement("V8")
@pytest.mark.parametrize(
    ("tool", "why"),
    [("stock_put", "its effect is write, and a check only reads"), ("stock_gone", "there is no such tool")],
)
async def test_a_check_by_a_tool_that_writes_or_is_not_there_is_refused_before_anything_happens(tool: str, why: str) -> None:
    stock = Stock()
    async with house(stock.server, script=[PUT], policy=FREE) as home:
        result = await home.run("note it", rules=(Postcondition(tool=tool, arguments={"name": "x", "pieces": 1}),))
    assert (result.ending, stock.rows) == ("failed", [])
    assert why in result.reason


@requirement("V8")
async def test_a_check_looks_at_the_very_thing_that_the_run_made() -> None:
    stock = Stock()
    stock.rows.append({"id": "R1", "name": "old", "pieces": 9})
    need = Need(id="put", description="put them on the shelf", effect="write", tools=("stock_put",))
    check = Postcondition(tool="stock_shelf", arguments={"row": "{{needs.put.id}}"}, value="rows[].pieces", equals=5)
    async with house(stock.server, script=[PUT, "Done."], policy=FREE) as home:
        result = await home.run(task=Task(goal="put five screws", needs=(need,)), rules=(check,))
    assert result.ending == "completed"


@requirement("V8")
async def test_a_rehearsal_looks_for_nothing_that_it_did_not_write() -> None:
    stock = Stock()
    async with house(stock.server, script=[PUT, "It would be done."], policy=FREE) as home:
        result = await home.run("note it", rules=(TOTAL,), simulate=True)
    assert (result.ending, stock.reads) == ("simulated", 0)


@requirement("V8")
async def test_the_executors_look_is_no_evidence_for_a_read_the_run_left_out() -> None:
    stock = Stock()
    need = Need(id="shelf", description="look at the shelf", tools=("stock_shelf",))
    async with house(stock.server, script=[PUT, "Done.", "Done."], policy=FREE) as home:
        result = await home.run(
            task=Task(goal="note it", needs=(need,)),
            rules=(Postcondition(tool="stock_shelf", value="total", equals=5),),
            limits=Limits(corrections=1),
        )
    assert home.heard.of(events.Judged)[-1].needs_met == ()
    assert autonomy_of(measure(home.heard.events).facts[result.run_id]).data_collection_completeness == 0


@requirement("V8")
async def test_a_run_played_again_takes_the_look_from_its_record() -> None:
    stock = Stock()
    async with house(stock.server, script=[PUT, "Done."], policy=FREE) as home:
        request = RunRequest(run_id="r1", task=Task(goal="note it"), rules=(TOTAL,))
        result, recording = await record(home.executor, request)
    again = await replay(recording)
    assert again == recording
    assert (result.ending, stock.reads, len(stock.rows)) == ("completed", 1, 1)


@pytest.mark.parametrize(
    ("expected", "values", "holds"),
    [
        ({"equals": "480"}, [480], True),
        ({"equals": 480}, ["480.0"], True),
        ({"equals": "公開"}, ["公開 "], True),
        ({"equals": 1}, [True], False),
        ({"equals": "true"}, [True], True),
        ({"equals": 5}, [5, 6], False),
        ({"equals": 5}, [], False),
        ({"contains": "健太"}, [{"by": {"name": "田中 健太"}}], True),
        ({"contains": "ｶﾅ"}, ["カナ"], True),
        ({"above": 3}, [4, 9], True),
        ({"above": 3}, [4, 2], False),
        ({"above": 3}, ["n/a"], False),
        ({"below": 3, "above": 1}, [2], True),
        ({"count": 0}, [], True),
        ({"count": 2}, [["a", "b"]], True),
        ({"count": 1}, [["a", "b"]], False),
        ({}, [None, "", []], False),
        ({}, ["x"], True),
        ({"equals": float("nan")}, ["nan"], True),
    ],
)
def test_what_an_expectation_takes_for_met(expected: dict[str, Any], values: list[Any], holds: bool) -> None:
    assert all(held for _, held in _expectations(Postcondition(tool="t", **expected), values)) is holds


def test_paths_lead_into_lists_and_say_where_they_end() -> None:
    data = {"days": [{"minutes": 1}, {"minutes": 2}], "one": {"two": 3}}
    assert values_at(data, "days[].minutes") == [1, 2]
    assert values_at(data, "days[1].minutes") == [2]
    assert values_at([{"a": 1}], "[].a") == [1]
    assert values_at(data, "") == [data]
    for path in ("gone", "one.three", "one[]"):
        with pytest.raises(LookupError):
            values_at(data, path)


JOB = """---
title: Put
inputs: {{day: {{type: date, default: today}}}}
needs:
  - {{id: put, description: put something, effect: write}}
check:
{check}
---
Put it.
"""


@requirement("V8")
def test_a_job_fills_its_inputs_into_the_check_and_explains_each_line(tmp_path: Path) -> None:
    from datetime import UTC, datetime

    file = tmp_path / "put.md"
    check = "  - tool: stock_shelf\n    arguments: {row: '{{needs.put.id}}', day: '{{inputs.day}}'}\n    contains: '{{inputs.day:%m/%d}}'"
    file.write_text(JOB.format(check=check), encoding="utf-8")
    job = load(file)
    (rule,) = job.request("r", {}, now=datetime(2026, 11, 22, 3, tzinfo=UTC)).rules
    assert isinstance(rule, Postcondition)
    assert rule.arguments == {"row": "{{needs.put.id}}", "day": "2026-11-22"}
    assert rule.contains == "11/22"
    assert any("after the writes" in line.meaning for line in explained(job))


@requirement("V8")
@pytest.mark.parametrize(
    ("check", "named"),
    [
        ("  - {tool: a, value: x}\n  - {tool: a, value: x}", "check"),
        ("  - {tool: a, arguments: {x: '{{needs.gone.id}}'}}", "needs.gone"),
        ("  - {value: x}", "check.1.tool"),
        ("  - {tool: a, equal: 3}", "check.1.equal"),
        ("  - {tool: a, count: -1}", "check.1.count"),
        ("  - {tool: a, contains: '{{inputs.nobody}}'}", "inputs.nobody"),
    ],
)
def test_a_check_that_cannot_work_is_found_when_the_file_is_read(tmp_path: Path, check: str, named: str) -> None:
    file = tmp_path / "put.md"
    file.write_text(JOB.format(check=check), encoding="utf-8")
    with pytest.raises(ConfigError, match=named.replace(".", r"\.")):
        load(file)
