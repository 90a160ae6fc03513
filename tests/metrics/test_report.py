"""Reports of a period and of one run, as values and in the terminal."""

import io
import json
import re
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from pydantic import TypeAdapter
from rich.cells import cell_len
from rich.console import Console

from metrics import metrics_tables
from metrics.autonomy import MEASURES
from metrics.figures import FIGURES
from metrics.journal import Journal
from metrics.measures import Measures, measure
from metrics.reporting.report_data import Report, build_report, explain, read_report
from metrics.reporting.report_html import render_report, render_run
from metrics.reporting.report_terminal import print_report, print_run, sparkline
from metrics.reporting.report_text import render_run_markdown
from metrics.reporting.report_words import WORDS, Language, is_unproven, number, signed
from tests.metrics.story import MONDAY, Story, diary
from tests.metrics.synthetic import DAY_S, period
from tests.requirements import requirement

TOKYO = ZoneInfo("Asia/Tokyo")


@cache
def two_weeks() -> Report:
    """Two weeks after two others, made once."""
    since, until = MONDAY + 14 * DAY_S, MONDAY + 28 * DAY_S
    whole = measure(period(1, days=28, runs_per_day=6))
    now, before = (whole.where(lambda run, late=late: (run.started_at >= since) is late) for late in (True, False))
    return build_report(now, before, since=since, until=until, made_at=until, tz=TOKYO)


def shown(print_it: object, *arguments: object, width: int = 140, **options: bool) -> str:
    console = Console(file=io.StringIO(), width=width, no_color=True)
    print_it(arguments[0], console, *arguments[1:], **options)  # type: ignore[operator]
    return console.file.getvalue()  # type: ignore[attr-defined]


@requirement("M3", "M4")
def test_a_report_holds_every_figure_the_parts_and_the_trend() -> None:
    report = two_weeks()
    assert [figure.name for figure in report.figures] == [figure.name for figure in FIGURES]
    assert {part.name for part in report.jobs} == {"diary", "weekly-digest", "overtime", ""}
    assert sum(part.runs for part in report.jobs) == sum(part.runs for part in report.trend) == report.runs == 84
    assert (report.grain, len(report.trend)) == ("day", 15)
    assert {"slack", "esa"} <= set(report.providers)
    assert report.figure("completion").verdict == "better"


@pytest.mark.parametrize(("days", "grain", "points"), [(1, "hour", 25), (30, "day", 31), (90, "week", 13), (800, "month", 27)])
def test_the_trend_has_a_point_for_every_stretch_also_for_those_without_runs(days: int, grain: str, points: int) -> None:
    report = build_report(Measures(), Measures(), since=MONDAY, until=MONDAY + days * DAY_S, made_at=0.0, tz=TOKYO)
    assert (report.grain, len(report.trend)) == (grain, points)
    assert [part.name for part in report.trend] == sorted({part.name for part in report.trend})


@pytest.mark.parametrize(("begins", "days", "within"), [("03-07", 4, "2026-03-08"), ("03-01", 90, "2026-03-02")])
def test_the_trend_leaves_out_no_day_or_week_in_which_clocks_go_forward(begins: str, days: int, within: str) -> None:
    since = datetime.fromisoformat(f"2026-{begins}T23:30:00-05:00").timestamp()
    zone = ZoneInfo("America/New_York")
    report = build_report(Measures(), Measures(), since=since, until=since + days * DAY_S, made_at=0.0, tz=zone)
    assert within in [part.name for part in report.trend]


@requirement("M3")
def test_a_report_survives_json() -> None:
    report = two_weeks()
    assert TypeAdapter(Report).validate_json(report.to_json()) == report
    assert json.loads(report.to_json())["schema_version"] == 1


@requirement("M2")
def test_nothing_to_measure_is_null_in_json_and_said_in_words() -> None:
    report = build_report(Measures(), Measures(), since=0.0, until=DAY_S, made_at=DAY_S, tz=TOKYO)
    assert {figure["now"]["value"] for figure in json.loads(report.to_json())["figures"]} == {None}
    assert WORDS["no_runs"]["ja"] in shown(print_report, report, "ja")
    one = build_report(measure(diary().events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    (row,) = (line for line in shown(print_report, one, "en").splitlines() if line.startswith("Error recovery rate"))
    assert "n/a" in row


async def test_a_report_is_read_from_a_journal(tmp_path: object) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/j.db")
    metrics_tables.metadata.create_all(engine)
    journal = Journal(engine)
    await journal.write(list(period(1, days=28, runs_per_day=6)))
    since, until = MONDAY + 14 * DAY_S, MONDAY + 28 * DAY_S
    report = await read_report(journal, since=since, until=until, made_at=until, tz=TOKYO, pictures=2)
    assert [figure.now for figure in report.figures] == [figure.now for figure in two_weeks().figures]
    overall = [picture.line.overall for picture in report.pictures]
    assert overall == sorted(overall)
    assert all(picture.timeline.bars for picture in report.pictures)
    only = await read_report(journal, since=since, until=until, made_at=until, tz=TOKYO, job="overtime", tenant="acme")
    assert [part.name for part in only.jobs] == ["overtime"]
    engine.dispose()


@requirement("M3")
@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_terminal_shows_all_parts(language: str) -> None:
    text = shown(print_report, two_weeks(), language)
    for key in (
        "overall",
        "tool_selection_accuracy",
        "trend",
        "why",
        "habits",
        "figures",
        "jobs",
        "tools",
        "models",
        "latest",
        "unattended_completion",
    ):
        assert WORDS[key][language] in text
    assert "{" not in text


def test_eighty_columns_show_the_outcome_of_each_call_whole() -> None:
    text = shown(
        print_run,
        explain(Story().start().turn().call("weather_get_weather").turn().finish("completed").events),
        "en",
        "Asia/Tokyo",
        width=80,
    )
    (line,) = (line for line in text.splitlines() if line.startswith("weather_get_weather"))
    assert line.rstrip().endswith(" ok")


def test_a_narrow_terminal_loses_no_measure() -> None:
    text = shown(print_report, two_weeks(), "en", width=60)
    assert max(len(line) for line in text.splitlines()) <= 60


@pytest.mark.parametrize("language", ["ja", "en"])
def test_forty_columns_cut_no_bar_no_interval_and_no_id_of_a_run_in_pieces(language: str) -> None:
    text = shown(print_report, two_weeks(), language, width=40)
    assert max(map(cell_len, text.splitlines())) <= 40
    assert not any(sign in text for sign in "━┄"), "a bar over two lines is no bar"
    assert not re.search(r"%\s*–|–\s*$", text, re.MULTILINE)
    for name in (*MEASURES, "completion", "human_load"):
        assert WORDS[name][language].split()[0][:6] in text
    lines = text.splitlines()
    for run in two_weeks().latest[:10]:
        assert any(line.startswith(f"{run.run_id}  ") for line in lines)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_sixty_columns_and_more_fold_no_interval_no_price_no_model_and_no_evidence_into_pieces(language: str) -> None:
    for width in range(60, 100, 4):
        text = shown(print_report, two_weeks(), language, width=width)
        assert max(map(cell_len, text.splitlines())) <= width
        assert not re.search(r"–\s*$", text, re.MULTILINE), width
        assert {"$0.52", "$0.34"} <= set(text.split()), width
        assert any(line.startswith("anthropic:") for line in text.splitlines()), width
        causes = text.split(WORDS["why"][language])[1].split(WORDS["worth_a_look"][language])[0]
        assert {one for found in two_weeks().causes[:6] for one in found.examples[:2]} <= set(causes.replace(",", " ").split())


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_bars_of_a_run_fit_the_width_and_are_never_cut(language: str) -> None:
    run = explain(Story().start().turn().call("weather_get_weather").turn().finish("completed").events)
    for width in range(40, 81, 4):
        text = shown(print_run, run, language, "Asia/Tokyo", width=width)
        bars = [line for line in text.splitlines() if "━" in line or "┄" in line]
        assert len(bars) == len(MEASURES)
        assert not any("…" in line for line in bars), f"at {width} columns"
        assert len({sum(map(line.count, "━┄")) for line in bars}) == 1, "all are of one length"


def test_a_job_that_is_medium_for_want_of_a_proof_says_so_beside_its_level() -> None:
    free = Story("a", job="").start().turn().call("weather_get_weather").turn().finish("completed")
    report = build_report(measure(free.events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    (part,) = report.jobs
    assert is_unproven(part.level, part.overall.value)
    text = shown(print_report, report, "en")
    assert "medium†" in text
    assert "†no more: nothing was declared that could prove it" in text
    page = render_report(report, "en")
    assert ">medium†</td>" in page, "the cell holds the level alone"
    assert page.count("†no more: nothing was declared that could prove it") == 1


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("width", [59, 80])
def test_a_long_run_id_is_told_whole_and_cuts_no_column_beside_it(language: Language, width: int) -> None:
    run_id = "schedule-onboarding-digest-20261126T090000Z"
    report = build_report(
        measure(diary(run_id).events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=MONDAY + DAY_S, tz=TOKYO
    )
    text = shown(print_report, report, language, width=width)
    latest = text[text.rindex(WORDS["latest"][language]) :]
    assert "…" not in latest
    assert WORDS["completed"][language] in latest
    assert all(WORDS[head][language] in latest for head in (("level", "overall") if width == 80 else ("run", "ending")))
    pieces = [word for line in latest.splitlines() for word in line.split() if word in run_id and len(word) > 4]
    assert "".join(pieces) == run_id
    assert max(map(cell_len, latest.splitlines())) <= width


@pytest.mark.parametrize("language", ["ja", "en"])
def test_eighty_columns_show_each_of_the_latest_runs_in_one_line(language: str) -> None:
    text = shown(print_report, two_weeks(), language, width=80)
    lines = text[text.rindex(WORDS["latest"][language]) :].splitlines()
    for run in two_weeks().latest[:10]:
        (line,) = (line for line in lines if f"  {run.run_id}  " in line)
        assert WORDS[run.ending][language] in line


@pytest.mark.parametrize(("language", "words"), [("en", "completed (2 remarks)"), ("ja", "完了（指摘 2 件）")])
def test_every_form_of_a_report_counts_the_remarks_on_a_result(language: Language, words: str) -> None:
    events = Story().start().turn().finish("completed", remarked=2).events
    run = explain(events)
    report = build_report(measure(events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO, pictures=[run])
    forms = {
        "run": shown(print_run, run, language, "Asia/Tokyo"),
        "period": shown(print_report, report, language),
        "narrow": shown(print_report, report, language, width=80),
        "markdown": render_run_markdown(run, language),
        "page": render_report(report, language),
        "page of a run": render_run(run, language),
    }
    assert [name for name, text in forms.items() if words not in text] == []
    assert all(f"{WORDS['remarked'][language]} 1" in forms[name] for name in ("period", "page"))


@pytest.mark.parametrize("width", [80, 140])
def test_a_small_sample_says_so_at_any_width(width: int) -> None:
    one = build_report(measure(diary().events), Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    assert "small sample" in shown(print_report, one, "en", width=width)
    assert "small sample" not in shown(print_report, two_weeks(), "en", width=width)


def test_endings_stand_from_the_best_to_those_under_way() -> None:
    stories = [Story("a").start().turn(), Story("b").start().finish("failed"), diary("c"), Story("d").start().finish("blocked")]
    whole = measure(event for story in stories for event in story.events)
    report = build_report(whole, Measures(), since=MONDAY, until=MONDAY + DAY_S, made_at=0.0, tz=TOKYO)
    assert list(report.endings) == ["completed", "blocked", "failed", ""]


def test_a_run_is_explained_with_what_it_lost_and_its_timeline() -> None:
    story = (
        Story()
        .start(needs=("a",))
        .turn()
        .call(needs=("a",), outcome="terminal", problem="transport")
        .finish("exhausted", "the limit of 10 steps")
    )
    text = shown(print_run, explain(story.events), "en", "Asia/Tokyo")
    assert "ended exhausted, not completed (the limit of 10 steps)" in text
    assert "turns: 15" in text
    assert "█" in text


def test_why_a_run_ended_is_not_repeated_below_the_line_that_told_it() -> None:
    run = explain(Story().start().turn().finish("blocked", "unavailable: desk (needs TOKEN)", unavailable=True).events)
    assert shown(print_run, run, "en", "Asia/Tokyo").count("needs TOKEN") == 2
    told = shown(print_run, run, "en", "Asia/Tokyo", is_told=True)
    assert "needs TOKEN" not in told
    assert "Result quality: servers could not be reached\n" in told


def test_what_was_lost_twice_in_the_same_way_is_one_line_with_the_points_of_both() -> None:
    story = Story().start().turn()
    for _ in range(2):
        story = story.call("box_look", outcome="terminal", problem="tool_error")
    run = explain(story.call("box_look").finish("completed").events)
    assert any(loss.times == 2 for loss in run.losses)
    assert len({loss[:4] for loss in run.losses}) == len(run.losses)
    lost = sum(loss.points for loss in run.losses)
    assert run.line.overall == pytest.approx(1 - lost)
    forms = (
        shown(print_run, run, "en", "Asia/Tokyo", width=200),
        render_run_markdown(run, "en"),
        render_run(run, "en"),
    )
    for text in forms:
        assert text.count(" ×2") == sum(loss.times == 2 for loss in run.losses), text


def test_words_of_a_server_begin_no_line_and_no_element_of_a_run_s_markdown() -> None:
    story = Story().start().turn().finish("failed", "the wire\n## was <b>cut")
    assert "the wire ## was &lt;b>cut" in render_run_markdown(explain(story.events), "en")


@pytest.mark.parametrize("language", ["ja", "en"])
def test_what_a_run_lost_goes_on_under_its_own_beginning_when_it_breaks(language: Language) -> None:
    story = Story().start().turn().finish("failed", "the wire was cut " * 12)
    lines = shown(print_run, explain(story.events), language, "Asia/Tokyo", width=80).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("  −100.0 pt  "))
    assert lines[first + 1].startswith(" " * len("  −100.0 pt  ") + ("cut" if language == "ja" else "wire")), lines[
        first : first + 3
    ]
    assert "…" not in "".join(lines[first : first + 5])


def test_a_call_that_was_cured_is_told_by_how_it_ended_and_not_by_an_attempt_within_it() -> None:
    story = Story().start().turn().call("get_weather", errors=("CallTimedOut",), cured_by="retry").judge().finish()
    printed = shown(print_run, explain(story.events), "ja", "Asia/Tokyo")
    row = next(line for line in printed.splitlines() if line.startswith("get_weather"))
    assert "成功" in row
    assert "回目" not in row


@pytest.mark.parametrize("events", [[], [*diary("a").events, *diary("b").events]])
def test_explaining_takes_one_run(events: list[object]) -> None:
    with pytest.raises(ValueError, match="explain one run at a time"):
        explain(events)  # type: ignore[arg-type]


def test_a_rehearsal_can_be_explained_and_is_not_measured() -> None:
    rehearsed = explain(Story().start(simulated=True).turn().call().finish("simulated").events)
    assert (rehearsed.line.ending, rehearsed.line.overall, rehearsed.line.level) == ("simulated", None, None)
    assert rehearsed.losses == ()
    text = shown(print_run, rehearsed, "en", "Asia/Tokyo")
    assert "simulated" in text
    assert "A rehearsal gets no score" in text
    assert "n/a" not in text


def test_numbers_are_written_as_people_write_them() -> None:
    assert [
        number(value, unit, "en")
        for value, unit in ((0.5, "share"), (3.0, "count"), (0.25, "count"), (12.5, "usd"), (0.0012, "usd"), (None, "s"))
    ] == [
        "50.0%",
        "3",
        "0.25",
        "$12.50",
        "$0.0012",
        "n/a",
    ]
    assert [number(value, "s", "en") for value in (0.31, 59.4, 59.7, 3725.0)] == ["0.31 s", "59 s", "1 min 00 s", "1 h 02 min"]
    assert (signed(-0.05, "share", "en"), signed(2.0, "count", "en"), signed(None, "s", "en")) == ("−5.0 pt", "+2", "—")


def test_a_sparkline_shows_gaps() -> None:
    assert sparkline([0.0, 0.5, 1.0, None]) == "▁▅█·"
