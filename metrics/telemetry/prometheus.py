"""Renders measures in Prometheus text format 0.0.4.

Counters and sums cover all runs of the journal, and scores are gauges over the same runs. What is n/a is left out rather than 0.
"""

from collections.abc import Iterable, Iterator, Mapping

from metrics.running_totals import BUCKETS_S, MEANS, Cells

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

READ = (
    "runs", "mean_sum", "mean_of", "calls", "calls_made", "calls_ok", "replies", "input_tokens", "output_tokens", "cost_sum",
    "cost_of",
    "seconds_sum", "seconds_of", "seconds_within",
)  # fmt: skip
"""The sums that a scrape needs (`RunningTotals.read`)."""

Labels = Mapping[str, str]


def render_prometheus(totals: Cells | None, uncounted: int = 0) -> str:
    """Return the text of one scrape. `totals`: None while `uncounted` older events are still being summed, because a counter that
    grows by them would look as if they had just happened."""
    about = "Events that are being summed; until then there are no sums"
    families = [] if totals is None else _families(totals)
    behind = _family("jiritsu_uncounted_events", "gauge", about, [({}, uncounted)])
    return "".join(f"{line}\n" for family in (*families, behind) for line in family)


def _families(totals: Cells) -> Iterator[Iterable[str]]:
    runs = _cells(totals, "runs")
    ended = [({"job": job, "ending": ending}, value) for (job, ending), value in runs if ending]
    yield _family("jiritsu_runs_total", "counter", "Runs that ended, by job and ending", ended)
    going = [({"job": job}, value) for (job, ending), value in runs if not ending]  # falls too: no part of a counter
    yield _family("jiritsu_runs_under_way", "gauge", "Runs that have not ended, by job", going)
    for name in MEANS:
        means = [
            ({"job": job}, value / totals["mean_of", job, name])
            for (job, one), value in _cells(totals, "mean_sum")
            if one == name
        ]
        about = (
            "How often a person was asked or stepped in, per run" if name == "human_load" else f"Mean {name.replace('_', ' ')}"
        )
        yield _family(f"jiritsu_{name}", "gauge", f"{about} (docs/measures.md)", means)
    yield _family("jiritsu_tool_calls_total", "counter", "Calls by tool", _cells_by(totals, "calls", "tool"))
    successes = [({"tool": tool}, totals.get(("calls_ok", tool), 0) / made) for (tool,), made in _cells(totals, "calls_made")]
    yield _family("jiritsu_tool_success_ratio", "gauge", "Share of a tool's calls that were answered well", successes)
    yield _family("jiritsu_model_replies_total", "counter", "Replies by model", _cells_by(totals, "replies", "model"))
    tokens = [
        ({"model": model, "type": kind}, totals.get((f"{kind}_tokens", model), 0))
        for kind in ("input", "output")
        for (model,), _ in _cells(totals, "replies")
    ]
    yield _family("jiritsu_tokens_total", "counter", "Tokens by model and direction", tokens)
    costs: list[tuple[Labels, float]] = [({}, totals.get(("cost_sum",), 0.0))] if totals.get(("cost_of",)) else []
    yield _family("jiritsu_cost_usd_total", "counter", "Cost of the runs whose prices are all known", costs)
    yield _durations(totals)


def _cells(totals: Cells, name: str) -> list[tuple[tuple[str, ...], float]]:
    """Return the labels and values of one sum, sorted. Those whose count has gone back to zero are left out."""
    counter = "mean_of" if name == "mean_sum" else name
    return sorted(
        (cell[1:], value) for cell, value in totals.items() if cell[0] == name and totals.get((counter, *cell[1:]), 0) > 0
    )


def _cells_by(totals: Cells, name: str, label: str) -> list[tuple[Labels, float]]:
    return [({label: one}, value) for (one,), value in _cells(totals, name)]


def _family(name: str, kind: str, about: str, samples: Iterable[tuple[Labels, float | None]]) -> list[str]:
    """Return the lines of one metric; none if it has no samples."""
    lines = [f"{name}{_labels(labels)} {value:.12g}" for labels, value in samples if value is not None]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *lines] if lines else []


def _durations(totals: Cells) -> list[str]:
    name, count = "jiritsu_run_duration_seconds", totals.get(("seconds_of",), 0)
    counts = [({"le": f"{bound:g}"}, totals.get(("seconds_within", f"{bound:g}"), 0)) for bound in BUCKETS_S]
    lines = [f"{name}_bucket{_labels(labels)} {value:.12g}" for labels, value in [*counts, ({"le": "+Inf"}, count)]]
    return [
        f"# HELP {name} How long runs took",
        f"# TYPE {name} histogram",
        *lines,
        f"{name}_sum {totals.get(('seconds_sum',), 0):.12g}",
        f"{name}_count {count:.12g}",
    ]


def _labels(labels: Labels) -> str:
    escapes = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})
    pairs = ",".join(f'{name}="{value.translate(escapes)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""
