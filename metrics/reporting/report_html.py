"""Renders a report as one self-contained HTML file.

Charts come from `svg`, words from `report_words` and the page from `templates/`. The templates escape every text that a run
wrote.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from metrics.autonomy import MEASURES, level_of
from metrics.intervals import Estimate
from metrics.reporting import report_words, svg
from metrics.reporting.fitted_signs import fit_note
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_data import (
    Report,
    ReportRun,
    RunReport,
    Shown,
    figure_cells,
    measures_of,
    model_cells,
    part_cells,
    repeat_cells,
    tool_cells,
)
from metrics.reporting.report_timeline import RunTimeline, in_words
from metrics.reporting.report_words import Language, is_unproven, why_level, why_unproven
from metrics.reporting.svg import Series

SIGNS = {
    "model": Markup('<rect class="bar model" y="2" width="16" height="12" rx="3"/>'),
    "call": Markup('<rect class="bar ok" y="2" width="16" height="12" rx="3"/>'),
    "cured": Markup('<rect class="bar cured" y="2" width="16" height="12" rx="3"/>'),
    "failed": Markup('<rect class="bar failed" y="2" width="16" height="12" rx="3"/>'),
    "approval": Markup('<rect class="bar approval" x="1" y="2" width="14" height="12" rx="3"/>'),
    "attempt": Markup('<path class="mark failed" d="M4 4l8 8m0-8l-8 8"/>'),
    "alternative": Markup('<path class="mark ok" d="M3 8h9m-4-4l4 4l-4 4"/>'),
    "judge": Markup('<path class="sign ok" d="M8 1l7 7l-7 7l-7-7z"/>'),
    "person": Markup('<circle class="sign ok" cx="8" cy="8" r="6"/>'),
}
"""What a timeline is drawn with, for its legend."""


PART_COLUMNS = ("runs", "level", "overall", "completion", "unattended_completion", "human_load", "cost_usd")
TOOL_COLUMNS = ("times", "success", "interval", "mischosen", "retried", "replaced", "asked", "p50", "p95")


def render_report(report: Report, language: Language = "ja") -> str:
    """The page of a period."""
    page = _Page(language, report.timezone)
    context = {
        "report": report,
        "title": f"{page.t('title')} {page.time(report.since)} – {page.time(report.until)}",
        **(_charts(report, page) if report.runs else {}),
        "level_why": why_level(report.level, report.figure("overall").now.value, measures_of(report), language),
        "fit_note": fit_note(report.fitted, report.doubtful, language),
        **_rows(report, page),
    }
    return page.render("period.html.j2", context)


def render_run(run: RunReport, language: Language = "ja", timezone: str = "Asia/Tokyo") -> str:
    """The page of one run."""
    page = _Page(language, timezone)
    overall = Estimate(run.line.overall)

    def run_gauge(name: str) -> Markup:
        value = run.line.measures[name]
        return svg.gauge(Estimate(value), _level(value), page.t(name), page.number(value, "share"))

    ring = svg.ring(overall, run.line.level or "", page.t("overall"), page.number(overall.value, "share"))
    title = f"{page.t('run_title')} {run.line.run_id}"
    why = why_level(run.line.level, run.line.overall, run.line.measures, language)
    values = {"run": run, "title": title, "overall_ring": ring, "run_gauge": run_gauge, "level_why": why}
    return page.render("run.html.j2", values)


class _Page:
    """The functions that the templates can call, in one language and time zone."""

    def __init__(self, language: Language, timezone: str) -> None:
        self.language, self.tz = language, ZoneInfo(timezone)

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        member_names = (
            "t", "number", "interval", "signed", "time", "iso", "why", "reason", "ending", "picture", "moments", "gauge",
            "legend",
        )  # fmt: skip
        shared = {name: getattr(self, name) for name in member_names}
        fixed = {"language": self.language, "measures": MEASURES, "timeline_legend": self.signs()}
        return _environment().get_template(template).render({**shared, **fixed, **context})

    def t(self, key: str, **filled: object) -> str:
        return report_words.word(key, self.language, **filled)

    def reason(self, text: str) -> str:
        return reason_in(self.language, text)

    def number(self, value: float | None, unit: str) -> str:
        return report_words.number(value, unit, self.language)

    def interval(self, estimate: Estimate, unit: str) -> str:
        return report_words.interval(estimate, unit, self.language)

    def signed(self, value: float | None, unit: str) -> str:
        return report_words.signed(value, unit, self.language)

    def time(self, at: float) -> str:
        return report_words.moment(at, self.tz)

    def iso(self, at: float) -> str:
        return datetime.fromtimestamp(at, self.tz).isoformat(timespec="seconds")

    def why(self, found: Any) -> str:
        """A cause, or a run's loss, as a sentence."""
        return report_words.cause(found.kind, found.subject, found.detail, self.language)

    def ending(self, line: ReportRun) -> str:
        return report_words.ending_in(line.ending, self.language, line.remarked)

    def picture(self, run: RunReport) -> Markup:
        drawn = run.timeline
        names = {key: self.t(key) for key in ("judge", "limits", "people")}
        about = f"{len(drawn.rows)} · {report_words.seconds(drawn.length_s)} · {self.ending(run.line)}"
        return svg.run_timeline(in_words(drawn, self.language), names, f"{self.t('timeline')} {drawn.run_id}", about)

    def moments(self, drawn: RunTimeline) -> list[tuple[str, ...]]:
        return [
            (
                f"{self.t(bar.kind)}: {bar.label}",
                str(bar.turn or "—"),
                f"{bar.start:.2f}",
                f"{bar.end:.2f}",
                self.t(bar.state),
                bar.detail,
            )
            for bar in in_words(drawn, self.language).bars
        ]

    def gauge(self, shown: Shown) -> Markup:
        about = f"{self.number(shown.now.value, 'share')} ({self.interval(shown.now, 'share')})"
        return svg.gauge(shown.now, _level(shown.now.value), self.t(shown.name), about)

    def legend(self, sizes: Mapping[str, float]) -> Markup:
        """The legend of a stack's colours."""
        box = Markup('<rect class="part {}" width="16" height="16" rx="4"/>')
        return self._legend({kind: box.format(kind) for kind in sizes}, self.stack_names(sizes))

    def signs(self) -> Markup:
        """The legend of a timeline's signs."""
        return self._legend(SIGNS, {kind: self.t(kind) for kind in SIGNS})

    def _legend(self, signs: Mapping[str, Markup], names: Mapping[str, str]) -> Markup:
        items = Markup("").join(
            Markup('<li><svg viewBox="0 0 16 16" aria-hidden="true">{}</svg>{}</li>').format(sign, names[kind])
            for kind, sign in signs.items()
        )
        return Markup('<ul class="legend">{}</ul>').format(items)

    def stack_names(self, sizes: Iterable[str]) -> dict[str, str]:
        return {kind: self.t(f"phase_{kind}" if f"phase_{kind}" in report_words.WORDS else kind) for kind in sizes}


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("metrics"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _level(value: float | None) -> str:
    return level_of(value, proven=True) or ""


def _charts(report: Report, page: _Page) -> dict[str, Any]:
    overall = report.figure("overall")
    about = f"{page.number(overall.now.value, 'share')} ({page.interval(overall.now, 'share')})"
    ending_sizes = {kind or "under_way": float(count) for kind, count in report.endings.items()}
    phase_sizes = {phase.name: phase.mean_s for phase in report.phases if phase.mean_s and phase.name != "total"}
    labels = [part.name[0 if report.grain == "month" else 5 :].replace("-", "/").replace("T", " ") for part in report.trend]
    runs = [part.runs for part in report.trend]
    overall_series = [
        Series(
            page.t("overall"),
            "overall",
            [part.overall.value for part in report.trend],
            low=[part.overall.low for part in report.trend],
            high=[part.overall.high for part in report.trend],
        ),
        Series(page.t("completion"), "completion", [part.completion.value for part in report.trend]),
        Series(page.t("unattended_completion"), "unattended", [part.unattended.value for part in report.trend]),
    ]
    return {
        "overall_ring": svg.ring(overall.now, report.level or "", page.t("overall"), about),
        "overall_trend": svg.lines(labels, overall_series, page.t("trend"), page.t(report.grain), bars=runs),
        "measure_trends": [
            (
                page.t(name),
                svg.lines(
                    labels,
                    [Series(page.t(name), "overall", [part.measures[name] for part in report.trend])],
                    page.t(name),
                    page.t("trend"),
                    small=True,
                ),
            )
            for name in MEASURES
        ],
        "ending_sizes": ending_sizes,
        "endings": svg.stack(
            ending_sizes, page.stack_names(ending_sizes), page.t("endings"), _sizes_in_words(ending_sizes, page)
        ),
        "phase_sizes": phase_sizes,
        "latency": svg.stack(phase_sizes, page.stack_names(phase_sizes), page.t("latency"), _sizes_in_words(phase_sizes, page)),
    }


def _sizes_in_words(sizes: Mapping[str, float], page: _Page) -> str:
    names, whole = page.stack_names(sizes), sum(sizes.values()) or 1
    return ", ".join(f"{names[kind]} {size / whole:.0%}" for kind, size in sizes.items())


def _rows(report: Report, page: _Page) -> dict[str, Any]:
    """Return the cells of the page's tables."""
    t, number, seconds, language = page.t, page.number, report_words.seconds, page.language
    return {
        "measure_names": [t(name) for name in MEASURES],
        "measure_rows": [list(figure_cells(report.figure(name), language).values())[:-1] for name in (*MEASURES, "overall")],
        "cause_rows": [
            (
                page.why(found),
                t(found.measure),
                f"{100 * found.points:.2f}",
                f"{found.share:.0%}",
                found.times,
                found.runs,
                ", ".join(found.examples),
            )
            for found in report.causes
        ],
        "trend_rows": [
            (
                part.name,
                part.runs,
                *(
                    number(share, "share")
                    for share in (part.overall.value, *part.measures.values(), part.completion.value, part.unattended.value)
                ),
                number(part.cost_usd, "usd"),
            )
            for part in report.trend
            if part.runs
        ],
        "ending_rows": [(t(kind or "under_way"), count) for kind, count in report.endings.items()],
        "phase_rows": [
            (t(f"phase_{phase.name}"), seconds(phase.mean_s), seconds(phase.p50_s), seconds(phase.p95_s))
            for phase in report.phases
        ],
        "part_heads": lambda first: [first, *map(t, PART_COLUMNS)],
        "why_unproven": lambda parts: (
            why_unproven(page.language) if any(is_unproven(part.level, part.overall.value) for part in parts) else ""
        ),
        "part_rows": lambda parts: [list(part_cells(part, language).values()) for part in parts],
        "tool_heads": lambda first: [first, *map(t, TOOL_COLUMNS)],
        "tool_rows": lambda tools: [list(tool_cells(name, tool, language).values()) for name, tool in tools.items()],
        "model_rows": [list(model_cells(name, model, language).values()) for name, model in report.models.items()],
        "repeat_rows": [list(repeat_cells(one, language).values()) for one in report.repeats],
        "figure_rows": [list(figure_cells(shown, language).values()) for shown in report.figures if shown.name not in MEASURES],
    }
