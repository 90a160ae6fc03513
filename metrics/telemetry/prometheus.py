"""Renders measures in Prometheus text format 0.0.4.

Counters and sums are over all runs that were measured; scores are gauges over the same runs. n/a is left out, never 0.
"""

from collections.abc import Iterable, Iterator, Mapping

from metrics.autonomy import MEASURES
from metrics.figures import cost_usd
from metrics.measures import Measures

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

BUCKETS_S = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)

Labels = Mapping[str, str]


def render_prometheus(measures: Measures) -> str:
    """The text of one scrape."""
    return "".join(f"{line}\n" for family in _families(measures) for line in family)


def _families(measures: Measures) -> Iterator[Iterable[str]]:
    jobs = measures.by(lambda run: run.job)
    yield _family(
        "jiritsu_runs_total",
        "counter",
        "Runs by job and ending",
        [
            ({"job": job, "ending": ending or "under_way"}, count)
            for job, part in jobs.items()
            for ending, count in sorted(part.count(lambda run: run.facts.end.ending if run.facts.end else "").items())
        ],
    )
    for name in (*MEASURES, "overall", "unattended_completion", "liked"):
        scores = [({"job": job}, part.estimate(name).value) for job, part in jobs.items()]
        yield _family(f"jiritsu_{name}", "gauge", f"Mean {name.replace('_', ' ')} (docs/measures.md)", scores)
    touched = [({"job": job}, part.estimate("human_load").value) for job, part in jobs.items()]
    yield _family("jiritsu_human_load", "gauge", "How often a person was asked or stepped in, per run", touched)
    tools = measures.tools()
    yield _family(
        "jiritsu_tool_calls_total", "counter", "Calls by tool", [({"tool": name}, tool.calls) for name, tool in tools.items()]
    )
    successes = [({"tool": name}, tool.success.value) for name, tool in tools.items()]
    yield _family("jiritsu_tool_success_ratio", "gauge", "Share of a tool's calls that were answered well", successes)
    models = measures.models()
    replies = [({"model": name}, model.replies) for name, model in models.items()]
    yield _family("jiritsu_model_replies_total", "counter", "Replies by model", replies)
    tokens = [({"model": name, "type": "input"}, model.input_tokens) for name, model in models.items()]
    tokens += [({"model": name, "type": "output"}, model.output_tokens) for name, model in models.items()]
    yield _family("jiritsu_tokens_total", "counter", "Tokens by model and direction", tokens)
    costs = [cost for run in measures.runs if (cost := cost_usd(run.facts)) is not None]
    yield _family(
        "jiritsu_cost_usd_total", "counter", "Cost of the runs whose prices are all known", [({}, sum(costs))] if costs else []
    )
    seconds = measures.phase_seconds()["total"]
    yield _histogram("jiritsu_run_duration_seconds", "How long runs took", seconds)


def _family(name: str, kind: str, about: str, samples: Iterable[tuple[Labels, float | None]]) -> list[str]:
    """One metric with its samples; nothing at all when there are none."""
    lines = [f"{name}{_labels(labels)} {value:.12g}" for labels, value in samples if value is not None]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *lines] if lines else []


def _histogram(name: str, about: str, values: list[float]) -> list[str]:
    counts = [({"le": f"{bound:g}"}, sum(value <= bound for value in values)) for bound in BUCKETS_S]
    lines = [f"{name}_bucket{_labels(labels)} {count}" for labels, count in [*counts, ({"le": "+Inf"}, len(values))]]
    return [
        f"# HELP {name} {about}",
        f"# TYPE {name} histogram",
        *lines,
        f"{name}_sum {sum(values):.12g}",
        f"{name}_count {len(values)}",
    ]


def _labels(labels: Labels) -> str:
    pairs = ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
