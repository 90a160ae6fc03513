"""Makes the reads of a job's `check:` after the writes and before the verdict."""

import re
from typing import Any

from autonomy.calls.pipeline import run_calls
from autonomy.calls.run_handle import Run
from autonomy.completion.rules.registry import rules_in_force
from autonomy.llm.messages import ToolCall
from autonomy.provenance.sources.leaves import parsed
from autonomy.run_state.completion_rules import Postcondition, values_at
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import data_of

_FROM_NEED = re.compile(r"\{\{\s*needs\.([\w-]+)\.([^{}]+?)\s*\}\}")
"""What the call for a need brought: `{{needs.post.id}}`."""


async def read_postconditions(run: Run) -> None:
    """Make each declared read, all in one step, so that a replay takes them from the records.

    Their results are kept in `ctx.checked`, apart from the run's records: they are evidence for no need and no sentence.
    """
    ctx = run.ctx
    ctx.checked.clear()
    calls: dict[str, ToolCall] = {}
    for number, check in enumerate(rule for rule in rules_in_force(ctx.request) if isinstance(rule, Postcondition)):
        try:
            arguments = _fill_template(check.arguments, ctx)
        except LookupError as error:
            ctx.checked[check.name] = str(error.args[0])
            continue
        calls[check.name] = ToolCall(id=f"check-{ctx.turn}-{number + 1}", name=check.tool, arguments=arguments)
    if not calls:
        return
    offered = {spec.name for spec in ctx.offered}
    called = {call.name for call in calls.values()} & ctx.allowed
    ctx.offered += tuple(spec for spec in ctx.catalog.tools if spec.name in called - offered)
    records = await run_calls(list(calls.values()), run, asked_for=False, shown=False)
    ctx.count_calls(records)
    ctx.checked |= dict(zip(calls, records, strict=True))


def _fill_template(value: Any, ctx: ToolExecutionContext) -> Any:
    """Arguments with results of the run's calls in place of `{{needs.ID.PATH}}`. Raises `LookupError` for one that is not
    there."""
    if isinstance(value, dict):
        return {name: _fill_template(item, ctx) for name, item in value.items()}
    if isinstance(value, list):
        return [_fill_template(item, ctx) for item in value]
    if not isinstance(value, str):
        return value
    if whole := _FROM_NEED.fullmatch(value):
        return _brought(whole[1], whole[2], ctx)
    return _FROM_NEED.sub(lambda match: str(_brought(match[1], match[2], ctx)), value)


def _brought(need: str, path: str, ctx: ToolExecutionContext) -> Any:
    for record in reversed(ctx.records):
        if need in record.needs and record.ok:
            found = values_at(parsed(data_of(record)), path)
            if len(found) != 1:
                raise LookupError(f"{path} of what {need!r} brought is not one value")
            return found[0]
    raise LookupError(f"nothing was brought for {need!r} yet")
