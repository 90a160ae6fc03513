"""Prometheus text, read back by Prometheus' own Python client."""

from prometheus_client.parser import text_string_to_metric_families

from metrics.measures import Measures, measure
from metrics.running_totals import total
from metrics.telemetry.prometheus import render_prometheus
from tests.metrics.story import Story, diary
from tests.requirements import requirement


def scraped(measures: Measures) -> dict[str, dict[tuple[str, ...], float]]:
    families = text_string_to_metric_families(render_prometheus(total(measures.runs)))
    return {
        family.name: {(sample.name, *sample.labels.values()): sample.value for sample in family.samples} for family in families
    }


@requirement("M5")
def test_a_real_client_reads_runs_scores_tools_tokens_and_durations() -> None:
    found = scraped(measure([*diary("a").events, *Story("b", job="hr").start().turn().finish("failed").events]))
    assert found["jiritsu_runs"] == {
        ("jiritsu_runs_total", "diary", "completed"): 1.0,
        ("jiritsu_runs_total", "hr", "failed"): 1.0,
    }
    assert found["jiritsu_overall"] == {("jiritsu_overall", "diary"): 1.0, ("jiritsu_overall", "hr"): 0.0}
    assert found["jiritsu_tokens"]["jiritsu_tokens_total", "openai:gpt-5", "input"] == 4 * 1800
    assert found["jiritsu_tool_calls"]["jiritsu_tool_calls_total", "esa_create_post"] == 1
    duration = found["jiritsu_run_duration_seconds"]
    assert duration["jiritsu_run_duration_seconds_bucket", "+Inf"] == duration[("jiritsu_run_duration_seconds_count",)] == 2
    counts = [value for (name, *_), value in duration.items() if name.endswith("_bucket")]
    assert counts == sorted(counts)


@requirement("M5")
def test_a_run_that_has_not_ended_is_in_a_gauge_since_a_counter_never_falls() -> None:
    found = scraped(measure([*diary("a").events, *Story("b").start().turn().events]))
    assert found["jiritsu_runs"] == {("jiritsu_runs_total", "diary", "completed"): 1.0}
    assert found["jiritsu_runs_under_way"] == {("jiritsu_runs_under_way", "diary"): 1.0}


@requirement("M2", "M5")
def test_what_is_not_applicable_is_left_out() -> None:
    found = scraped(measure(diary().events))
    assert "jiritsu_error_recovery_rate" not in found
    assert set(scraped(Measures())) == {"jiritsu_run_duration_seconds", "jiritsu_uncounted_events"}


def test_names_from_outside_cannot_break_the_text() -> None:
    job = 'a"b\\c\nd{e="f"} 1'
    assert scraped(measure(diary(job=job).events))["jiritsu_overall"] == {("jiritsu_overall", job): 1.0}
