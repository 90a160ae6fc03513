"""The HTML report: one file, no script, well-formed, escaped, a table behind every chart; and drawn by a real browser."""

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from metrics.intervals import Estimate
from metrics.measures import Measures, measure
from metrics.reporting.report_data import Report, build_report, explain
from metrics.reporting.report_html import render_report, render_run
from metrics.reporting.report_terminal import print_report
from metrics.reporting.report_words import WORDS, Language, number, why_level
from metrics.reporting.svg import ring
from tests.metrics.story import MONDAY, Story, diary
from tests.metrics.synthetic import DAY_S
from tests.metrics.test_report import TOKYO, shown, two_weeks
from tests.requirements import requirement

VOID = {"meta", "br", "link", "img", "input", "hr", "circle", "rect", "line", "path", "polyline", "polygon"}
HOSTILE = '<script>alert("x")</script>&\'"'


class Outline(HTMLParser):
    """Checks nesting, and collects headings, ids, tables and charts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.labelled: list[str] = []
        self.lang = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.seen.append(tag)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.labelled += [found["aria-labelledby"] or ""] if "aria-labelledby" in found else []
        self.lang = self.lang or found.get("lang") or ""
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    assert found.open == []
    return found


@cache
def period(language: str) -> str:
    return render_report(with_pictures(), language)  # type: ignore[arg-type]


@cache
def with_pictures() -> Report:
    report = two_weeks()
    bad = (
        Story("run-bad")
        .start(needs=("a",))
        .turn()
        .call(needs=("a",), errors=("CallTimedOut",), outcome="terminal", problem="transport")
    )
    bad.call(
        "esa_create_post", effect="outward", answer="granted", alternatives=[("esa_update_post", True)], cured_by="alternative"
    ).intervene()
    from dataclasses import replace

    return replace(report, pictures=(explain(bad.judge("continue", missing=("TIL",)).finish("exhausted", "steps").events),))


@requirement("M3")
@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_page_is_one_well_formed_file_without_script_or_address(language: str) -> None:
    page = period(language)
    found = outline(page)
    assert found.lang == language
    assert not {"script", "link", "img", "iframe"} & set(found.seen)
    assert "http:" not in page
    assert "https:" not in page
    assert re.findall(r"url\(|@import|javascript:|\son\w+=", page) == []
    assert len(page) < 200_000


@pytest.mark.parametrize("language", ["ja", "en"])
def test_headings_step_down_one_at_a_time_and_ids_are_unique(language: str) -> None:
    found = outline(period(language))
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(found.headings, found.headings[1:], strict=False))
    assert len(found.ids) == len(set(found.ids))
    assert set(found.labelled) <= set(found.ids)


def test_what_to_change_and_how_many_runs_are_in_the_readers_words() -> None:
    one, until = measure(Story().start(needs=("a",)).turn().finish().events), MONDAY + DAY_S
    lacking = build_report(one, Measures(), since=MONDAY, until=until, made_at=until, tz=TOKYO)
    assert "# ジョブファイル（あるとき）: 何がそれを満たすかを書く\nneeds:" in render_report(lacking, "ja")
    assert "<p>1 run ·" in render_report(lacking, "en")


def test_the_causes_shown_are_the_dearest_and_the_whole_loss_is_said_of_the_table() -> None:
    report = two_weeks()
    causes = tuple(replace(report.causes[0], kind="not_recovered", subject=f"tool_{n}") for n in range(8))
    page = render_report(replace(report, causes=causes), "en")
    seen, table = page.split('id="why"')[1].split("</section>")[0].split("<table>")
    assert ("tool_5" in seen, "tool_6" in seen, "tool_7" in table) == (True, False, True)
    assert "all causes in the table are together the whole loss" in seen


def test_every_chart_is_named_and_has_a_table_behind_it() -> None:
    page = period("en")
    charts = re.findall(r'<svg class="chart [^>]*>', page)
    assert len(charts) == 1 + 4 + 1 + 4 + 2 + 1  # ring, gauges, trend, small trends, stacks, timeline
    assert all('role="img"' in chart and 'aria-label="' in chart for chart in charts)
    sections = re.split(r"<section|<article", page)
    assert all("<table>" in section for section in sections if 'class="chart' in section)
    assert all("<caption" in table and 'scope="col"' in table for table in page.split("<table>")[1:])


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("value", "told"), [(0.625, "62.5%"), (1.0, "100.0%"), (0.0, "0.0%")])
def test_the_ring_and_the_weakest_measure_show_the_figure_that_the_terminal_shows(
    value: float, told: str, language: Language
) -> None:
    assert number(value, "share", language) == told
    assert f">{told}</text>" in ring(Estimate(value), "medium", "Overall", "")
    assert told in why_level("low", value, {"result_quality": value, "error_recovery_rate": None}, language)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_page_and_the_terminal_say_of_what_the_overall_score_is_the_mean(language: Language) -> None:
    told = {"ja": "総合は、実行ごとの点", "en": "Overall is the mean over the runs"}[language]
    assert told in period(language)
    assert told in shown(print_report, two_weeks(), language)


def test_every_drawing_is_well_formed_xml_within_its_bounds() -> None:
    for drawing in re.findall(r"<svg class=\"chart.*?</svg>", period("ja"), re.DOTALL):
        root = ET.fromstring(drawing)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for rect in root.iter("rect"):
            assert -1 <= float(rect.attrib["x"]) <= width
            assert float(rect.attrib["x"]) + float(rect.attrib["width"]) <= width + 1
            assert float(rect.attrib["y"]) + float(rect.attrib["height"]) <= height + 1


@requirement("S7")
def test_what_runs_wrote_is_escaped_everywhere() -> None:
    story = Story(HOSTILE, job=HOSTILE, tenant=HOSTILE, model=HOSTILE).start(needs=(HOSTILE,)).turn()
    story.call(HOSTILE, needs=(HOSTILE,), errors=(HOSTILE,), outcome="terminal", problem="transport").judge(
        "continue", missing=(HOSTILE,)
    )
    events = story.finish("exhausted", HOSTILE).events
    explained = explain(events)
    report = build_report(
        measure(events),
        Measures(),
        since=MONDAY,
        until=MONDAY + DAY_S,
        made_at=MONDAY,
        tz=TOKYO,
        job=HOSTILE,
        pictures=[explained],
    )
    for page in (render_report(report), render_run(explained)):
        assert "<script" not in page
        assert "&lt;script&gt;" in page
        outline(page)


@requirement("M2")
def test_an_empty_period_says_so() -> None:
    report = build_report(Measures(), Measures(), since=0.0, until=DAY_S, made_at=DAY_S, tz=TOKYO)
    for language in ("ja", "en"):
        page = render_report(report, language)  # type: ignore[arg-type]
        assert WORDS["no_runs"][language] in page
        outline(page)


def test_a_run_has_a_page_of_its_own_with_its_timeline() -> None:
    page = render_run(explain(diary().events), "en")
    outline(page)
    assert page.count('class="bar call ok"') == 3
    assert "esa_create_post" in page


CHROMIUM = shutil.which("chromium")


def browse(folder: Path, page: Path, *options: str) -> str:
    """Open a page in a real browser; what it prints."""
    fixed = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=800,600"]
    command = [str(CHROMIUM), *fixed, f"--user-data-dir={folder}/profile", *options, page.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, timeout=240, text=True).stdout


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
def test_nothing_sticks_out_on_a_telephone(tmp_path: Path) -> None:
    bad = Story().start(needs=("a",)).turn(model="anthropic:claude-opus-4-6").finish("exhausted", "the limit of 2 corrections")
    pages = {"period.html": period("ja"), "run.html": render_run(explain(bad.events))}
    for name, text in pages.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    frames = "".join(f'<iframe src="{name}" style="width:320px;height:4000px"></iframe>' for name in pages)
    script = """onload = () => { document.title = [...document.querySelectorAll("iframe")].map(frame => {
        const page = frame.contentDocument, edge = page.documentElement.clientWidth;
        const out = [...page.querySelectorAll("section, section p, pre, dd, dt")].filter(one => one.getBoundingClientRect().right > edge);
        const tall = [...page.querySelectorAll("dd.number")].filter(one => one.getBoundingClientRect().height > 60);
        return `${page.documentElement.scrollWidth <= edge} ${out.length} ${tall.length}`; }).join("; "); };"""
    both = tmp_path / "both.html"
    both.write_text(f"<!doctype html><title></title>{frames}<script>{script}</script>", encoding="utf-8")
    drawn = browse(tmp_path, both, "--allow-file-access-from-files", "--virtual-time-budget=3000", "--dump-dom")
    assert "<title>true 0 0; true 0 0</title>" in drawn


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.sweep)])
def test_a_browser_draws_it_in_light_and_dark(tmp_path: Path, scheme: str) -> None:
    page, picture = tmp_path / "report.html", tmp_path / "report.png"
    page.write_text(period("ja"), encoding="utf-8")
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    browse(tmp_path, page, *dark, f"--screenshot={picture}")
    assert picture.stat().st_size > 20_000
