"""Renders a report as Markdown and CSV."""

import csv
import io
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from metrics.autonomy import MEASURES
from metrics.reporting.fitted_signs import fit_note
from metrics.reporting.report_data import Report, RunReport, figure_cells, part_cells
from metrics.reporting.report_words import Language, cause, ending_in, in_a_line, level_in, moment, number, reasons, word


def render_markdown(report: Report, language: Language = "ja") -> str:
    """Return the report's main parts as GitHub-flavoured Markdown."""
    tz = ZoneInfo(report.timezone)
    head = [f"# {word('title', language)}", "", f"{moment(report.since, tz)} – {moment(report.until, tz)} ({report.timezone})"]
    if not report.runs:
        return "\n".join([*head, "", word("no_runs", language), ""])
    level = level_in(report.level, report.figure("overall").now.value, language)
    overall = number(report.figure("overall").now.value, "share", language)
    head += [
        "",
        f"**{word('overall', language)} {overall} · {word('level', language)} {level}** · {word('runs_count', language, n=report.runs)}",
        "",
    ]
    if report.feedback["judged"]:
        head += [word("feedback", language, **report.feedback), ""]
    parts = (part for section in (_figures, _causes, _worth_a_look, _jobs) for part in section(report, language))
    return "\n".join([*head, *parts]) + "\n"


def _figures(report: Report, language: Language) -> list[str]:
    keys = ("measure", "value", "interval", "sample", "change")
    rows = [figure_cells(shown, language) for shown in report.figures]
    return _table([word(key, language) for key in keys], ([row[key] for key in keys] for row in rows))


def _causes(report: Report, language: Language) -> list[str]:
    lines = [f"## {word('why', language)}", ""]
    if not report.causes:
        return [*lines, word("nothing_lost", language), ""]
    heads = [word(key, language) for key in ("cause", "points", "share", "times", "evidence")]
    rows = [
        (
            cause(one.kind, one.subject, one.detail, language),
            f"{100 * one.points:.1f}",
            f"{one.share:.0%}",
            one.times,
            ", ".join(one.examples),
        )
        for one in report.causes[:10]
    ]
    return [*lines, *_table(heads, rows)]


def _worth_a_look(report: Report, language: Language) -> list[str]:
    if not report.worth_a_look:
        return []
    rows = [(look.run_id, reasons(look.reasons, language)) for look in report.worth_a_look]
    heads = (word("run", language), word("reasons", language))
    note = fit_note(report.fitted, report.doubtful, language)
    return [f"## {word('worth_a_look', language)}", "", *_table(heads, rows), *([note, ""] if note else [])]


def _jobs(report: Report, language: Language) -> list[str]:
    keys = ("job", "runs", "level", "overall", "unattended_completion", "cost_usd")
    rows = [part_cells(part, language) | {"level": word(part.level or "na", language)} for part in report.jobs]
    table = _table([word(key, language) for key in keys], ([row[key] for key in keys] for row in rows))
    return [f"## {word('jobs', language)}", "", *table]


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    cells = [list(heads)]
    cells += [["---"] * len(cells[0])]
    cells += [[_escaped(str(cell)).replace("|", "\\|") for cell in row] for row in rows]
    return [*(f"| {' | '.join(row)} |" for row in cells), ""]


def _escaped(text: str) -> str:
    """Put foreign text on one line and without elements of HTML."""
    return in_a_line(text).replace("<", "&lt;")


def render_run_markdown(run: RunReport, language: Language = "ja") -> str:
    """Return why one run scored as it did, as Markdown."""
    line = run.line
    ending = ending_in(line.ending, language, line.remarked)
    level = level_in(line.level, line.overall, language)
    overall = f"{word('overall', language)} {number(line.overall, 'share', language)} · {level}"
    measures = _table(
        [word("measure", language), word("value", language)],
        [(word(name, language), number(line.measures[name], "share", language)) for name in MEASURES],
    )
    lost = [
        f"- −{100 * loss.points:.1f} pt {word(loss.measure, language)}: "
        f"{_escaped(cause(loss.kind, loss.subject, loss.detail, language))}{loss.repeated}"
        for loss in run.losses
    ]
    return "\n".join(
        [
            f"# {word('run_title', language)} {_escaped(line.run_id)}",
            "",
            f"{_escaped(line.job)} · {ending} · {overall}",
            "",
            *measures,
            *lost,
            "",
        ]
    )


def render_csv(report: Report) -> str:
    """Return every figure as CSV, one row each, named as in the code and not translated. A row's scope is the period, a job, a
    tenant, or a point of the trend."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["scope", "name", "figure", "unit", "value", "low", "high", "n"])
    for shown in report.figures:
        writer.writerow(["period", "", shown.name, shown.unit, shown.now.value, shown.now.low, shown.now.high, shown.now.n])
    for scope, parts in (("job", report.jobs), ("tenant", report.tenants), (report.grain, report.trend)):
        for part in parts:
            name = _harmless(part.name)
            for figure in ("overall", "completion", "unattended", "human_load"):
                estimate = getattr(part, figure)
                unit = "count" if figure == "human_load" else "share"
                writer.writerow([scope, name, figure, unit, estimate.value, estimate.low, estimate.high, estimate.n])
            writer.writerow([scope, name, "cost_usd", "usd", part.cost_usd, None, None, part.runs])
    return out.getvalue()


def _harmless(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula, behind blanks and in full width neither (Excel in Japanese)."""
    return f"'{name}" if name.startswith(("\t", "\r", "\n")) or name.lstrip().startswith(_FORMULA) else name


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
