"""A check of a job names the tools that would serve each need, and what no server has."""

from autonomy.jobs.job_loading import load
from autonomy.jobs.serving import served
from tests.support.specs import tool

JOB = """---
needs:
  - id: hours
    description: overtime hours of a department
    arguments: { department: Sales }
  - id: tell
    description: send a direct message to the manager
    effect: outward
    arguments: { user_id: U1, text: "{{result}}" }
when: { tool: hr_check, value: n, above: 45 }
delivery: [tell]
---
Tell the manager.
"""


def wanted(tmp_path, *specs):  # type: ignore[no-untyped-def]
    file = tmp_path / "alarm.md"
    file.write_text(JOB, encoding="utf-8")
    return {one.what: one for one in served(load(file), specs)}


def arguments(*names: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


DM = tool("slack_send_dm", effect="outward", description="Send a direct message", input_schema=arguments("user_id", "text"))
POST = tool("slack_post", effect="outward", description="Send a message to a channel", input_schema=arguments("channel", "text"))
PROFILE = tool("slack_hours", description="Hours of a user, and the department", input_schema=arguments("user_id"))


def test_a_tool_without_an_argument_that_a_write_fixes_cannot_serve_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert wanted(tmp_path, DM, POST)["tell"].tools == ("slack_send_dm",)
    assert wanted(tmp_path, POST)["tell"].tools == ()


def test_an_input_counts_as_fixed_and_a_result_that_comes_later_does_not(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "rows.md"
    rows = JOB.replace("user_id: U1", 'sheet: "{{ inputs.sheet }}"').replace(
        "needs:", "inputs: {sheet: {required: true}}\nneeds:", 1
    )
    file.write_text(rows, encoding="utf-8")
    sheet = tool(
        "send_rows", effect="outward", description="Send rows, a direct message", input_schema=arguments("sheet", "line")
    )
    (tell,) = (one for one in served(load(file), (DM, sheet)) if one.what == "tell")
    assert tell.tools == ("send_rows",)


def test_a_tool_that_is_named_and_missing_is_told_and_words_alone_are_marked(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = wanted(tmp_path, DM, PROFILE)
    assert (found["when"].wanted, found["when"].tools) == ("hr_check", ())
    assert found["hours"].unlike == ("department",)
    assert found["tell"].unlike == ()


def test_a_named_tool_that_takes_none_of_the_arguments_any_more_is_marked(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "named.md"
    file.write_text(JOB.replace("arguments: { dep", "tools: [slack_hours]\n    arguments: { dep"), encoding="utf-8")
    (hours,) = (one for one in served(load(file), (DM, PROFILE)) if one.what == "hours")
    assert (hours.tools, hours.unlike) == (("slack_hours",), ("department",))
