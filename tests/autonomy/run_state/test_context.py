"""What the state of a run derives, and keeps."""

from autonomy.llm.messages import Usage
from autonomy.llm.model import Task
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import RunRequest
from discovery.catalog import Effect
from tests.support.specs import catalog_of, tool

LOOK, SEND = tool("p_look"), tool("p_send", effect=Effect.WRITE)


def context() -> ToolExecutionContext:
    request = RunRequest(run_id="run-1", task=Task(goal="look"))
    catalog, allowed = catalog_of(LOOK, SEND), frozenset({LOOK.name, SEND.name})
    return ToolExecutionContext(request, catalog, (LOOK,), (), {}, allowed, to_confirm=frozenset(), started_at=0.0, now=0.0)


def test_offered_tools_are_found_by_name_and_the_table_is_made_again_only_when_others_are_offered() -> None:
    ctx = context()
    first = ctx.offered_by_name
    assert first == {LOOK.name: LOOK}
    assert ctx.offered_by_name is first
    ctx.offered = (LOOK, SEND)
    assert ctx.offered_by_name == {LOOK.name: LOOK, SEND.name: SEND}


def test_the_first_usage_that_is_known_counts_for_itself() -> None:
    ctx = context()
    ctx.count_usage(Usage(), 1.0, 1.0)
    assert ctx.usage.is_none
    ctx.count_usage(Usage(input_tokens=5), 2.0, 1.0)
    ctx.count_usage(Usage(input_tokens=1, output_tokens=2), 3.0, 1.0)
    assert (ctx.usage.is_none, ctx.usage) == (False, Usage(input_tokens=6, output_tokens=2))
