"""Answers a failed read with a fallback tool."""

from dataclasses import dataclass
from typing import Literal

from autonomy.calls.prepare import call_facts, circumstances
from autonomy.calls.retry import CallAttempt, emit_failure, failure_of, may_read
from autonomy.calls.run_handle import Run
from autonomy.llm.model import Need
from autonomy.outcomes.classifier import Classification, classify
from autonomy.policy.decision_table import SourceClass
from autonomy.run_state.run_values import AttemptFailure
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.discovery_errors import DiscoveryError
from discovery.search.fallback_tools import FallbackTool

ALTERNATIVES = 2
"""How many alternatives are tried for one failed read."""


@dataclass(frozen=True)
class CallAnswer:
    """What a call came to: which tool answered, what, and what to make of it."""

    spec: ToolSpec
    arguments: JsonObject
    output: ToolOutput
    reading: Classification
    cured_by: Literal["", "retry", "alternative"] = ""


async def try_fallback(attempt: CallAttempt, problem: str) -> CallAnswer | None:
    """Another tool's answer in place of a failed read's; None when none helps. `problem`: the kind of failure."""
    spec, ctx = attempt.prepared.spec, attempt.run.ctx
    if not spec.read_only:
        return None
    found = attempt.run.services.gateway.substitutes(ctx.catalog, spec, attempt.prepared.call.arguments)
    reads = [other for other in found if other.spec.read_only and other.spec.available]
    alike = [other for other in reads if not attempt.prepared.serving or served(attempt, other.spec.name)]
    fitting = [
        other
        for other in alike
        if may_read(attempt.run, other.spec.name, other.arguments)
        and (other.spec.provider == spec.provider or _carries_nothing(attempt.run, other))
    ]
    for substitute in fitting[:ALTERNATIVES]:
        answer = await _try_instead(attempt, substitute, problem)
        if answer is not None:
            return answer
    return None


def _carries_nothing(run: Run, other: FallbackTool) -> bool:
    """Whether the arguments hold nothing that was read: what a private read was asked does not go to another provider."""
    given = circumstances(run.ctx, (), other.spec, other.arguments)
    return not any(value.source in (SourceClass.FIELD, SourceClass.PASTED, SourceClass.TEXT) for value in given.traced)


def served(attempt: CallAttempt, tool: str) -> tuple[Need, ...]:
    """The needs of the call that the answer of this tool meets: an answer of another kind meets none."""
    if tool == attempt.prepared.spec.name:
        return attempt.prepared.serving
    return tuple(need for need in attempt.prepared.serving if tool in attempt.run.ctx.candidates.get(need.id, ()))


async def _try_instead(attempt: CallAttempt, substitute: FallbackTool, problem: str) -> CallAnswer | None:
    attempt.attempts += 1
    try:
        output = await attempt.run.services.gateway.call(
            substitute.spec.name, substitute.arguments, timeout_s=attempt.run.ctx.request.limits.call_timeout_s
        )
        reading = classify(output, substitute.spec)
    except DiscoveryError as error:
        output, reading = failure_of(error)
    cured = reading.kind == "ok"
    failure = AttemptFailure(
        attempt=attempt.attempts,
        tool=attempt.prepared.spec.name,
        error=reading.reason,
        problem=problem,
        alternative=substitute.spec.name,
        source=substitute.source,
        cured=cured,
    )
    attempt.failures.append(failure)
    await emit_failure(
        attempt.run.recorder,
        attempt.prepared.key,
        failure,
        call_facts(attempt.prepared.call, attempt.run.ctx.turn, attempt.prepared.spec),
    )
    return CallAnswer(substitute.spec, substitute.arguments, output, reading, "alternative") if cured else None
