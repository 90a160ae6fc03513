"""`jiritsu report --import`: measures other agents' runs from their traces."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from autonomy.cli.terminal import say
from autonomy.errors import JiritsuError
from autonomy.outcomes.classifier import classify
from discovery.catalog import Effect, ToolOutput, ToolSpec
from discovery.review.effect_proposals import propose
from metrics.events import Outcome
from metrics.measures import Measures
from metrics.trace_import.doubt import DoubtRule, signs_of
from metrics.trace_import.imported_events import events_of
from metrics.trace_import.imported_run import BadTrace, ImportedCall
from metrics.trace_import.read_traces import read_traces

if TYPE_CHECKING:
    from datetime import tzinfo

    from metrics.reporting.report_data import Report

MOST_BAD = 20
"""How many broken places are named one by one; a folder of the wrong files would fill the screen."""


def imported_report(
    paths: Sequence[str], *, now: float, tz: "tzinfo", job: str | None, since: float | None, until: float | None
) -> "Report":
    """A report over these files and folders. Broken places are told on stderr; raises `JiritsuError` when nothing could be
    read."""
    from metrics.reporting.report_data import build_report

    bad = list[BadTrace]()
    measures, doubts = Measures(), dict[str, list[DoubtRule]]()
    for run in read_traces([Path(path) for path in paths], bad.append):
        run.started_at = run.started_at or now - run.duration_s - 1  # a trace without times counts as of now
        in_period = (since is None or run.started_at >= since) and (until is None or run.started_at < until)
        if in_period and (job is None or run.task == job):
            for event in events_of(run, classified, tenant="imported"):
                measures.take(event)
            doubts[event.run_id] = signs_of(run)
    for problem in bad[:MOST_BAD]:
        say(f"not imported: {problem}", err=True)
    if len(bad) > MOST_BAD:
        say(f"and {len(bad) - MOST_BAD} more places that could not be read", err=True)
    if not measures.runs and bad:
        raise JiritsuError("nothing could be imported")
    begin = since if since is not None else min((run.facts.started_at for run in measures.runs), default=now - 1)
    end = until if until is not None else max((run.facts.started_at for run in measures.runs), default=now) + 1
    return build_report(
        measures,
        Measures(()),
        since=begin,
        until=end,
        made_at=now,
        tz=tz,
        job=job or "",
        tenant="imported",
        doubts=doubts,
    )


def classified(call: ImportedCall) -> tuple[Outcome, str]:
    """The outcome of an imported call and its kind of problem. The effect is the proposed one: traces carry no annotations."""
    found = classify(ToolOutput(text=call.result, is_error=call.is_error), _spec(call.tool))
    return found.kind, found.problem


@lru_cache(maxsize=10_000)
def _spec(tool: str) -> ToolSpec:
    provider, _, name = tool.rpartition("/")
    spec = ToolSpec(name=tool, provider=provider, tool=name)
    reads = propose(spec).effect == Effect.READ
    return spec.model_copy(update={"effect": Effect.READ if reads else Effect.WRITE})
