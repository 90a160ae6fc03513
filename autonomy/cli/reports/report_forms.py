"""Writes a report to the terminal, to stdout, to a file, or to a channel."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from autonomy.cli.rich_console import SafeConsole
from autonomy.cli.terminal import say, show
from metrics.reporting.report_data import Report, RunReport
from metrics.reporting.report_html import render_report, render_run
from metrics.reporting.report_terminal import print_report, print_run
from metrics.reporting.report_text import render_csv, render_markdown, render_run_markdown


@dataclass(frozen=True)
class Form:
    """The output form that a person chose."""

    name: str
    file: str | None
    """Write HTML there instead."""
    language: Literal["ja", "en"]
    timezone: str


def show_period(report: Report, form: Form) -> int:
    """Print or write a period's report; the exit code."""
    if form.file is not None:
        return _write(form.file, render_report(report, form.language))
    if form.name == "terminal":
        print_report(report, SafeConsole(), form.language)
        return 0
    forms = {
        "json": lambda: report.to_json().decode(),
        "html": lambda: render_report(report, form.language),
        "markdown": lambda: render_markdown(report, form.language),
        "csv": lambda: render_csv(report),
    }
    show(forms[form.name]().rstrip("\n"))
    return 0


def show_run(run: RunReport, form: Form) -> int:
    """Print or write why one run scored as it did; the exit code."""
    if form.file is not None:
        return _write(form.file, render_run(run, form.language, form.timezone))
    if form.name == "terminal":
        print_run(run, SafeConsole(), form.language, form.timezone)
        return 0
    forms = {
        "json": lambda: TypeAdapter(RunReport).dump_json(run, indent=2).decode(),
        "html": lambda: render_run(run, form.language, form.timezone),
        "markdown": lambda: render_run_markdown(run, form.language),
    }
    show(forms[form.name]().rstrip("\n"))
    return 0


def _write(file: str, page: str) -> int:
    Path(file).write_text(page, encoding="utf-8")
    say(file)
    return 0
