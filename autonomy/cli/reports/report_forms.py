"""Writes a report to the terminal, to stdout, to a file, or to a channel."""

from collections.abc import Callable, Mapping
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
    """Print or write a period's report; gives the exit code."""
    return _show(
        form,
        lambda: print_report(report, SafeConsole(), form.language),
        {
            "json": lambda: report.to_json().decode(),
            "html": lambda: render_report(report, form.language),
            "markdown": lambda: render_markdown(report, form.language),
            "csv": lambda: render_csv(report),
        },
    )


def show_run(run: RunReport, form: Form) -> int:
    """Print or write why one run scored as it did; gives the exit code."""
    return _show(
        form,
        lambda: print_run(run, SafeConsole(), form.language, form.timezone),
        {
            "json": lambda: TypeAdapter(RunReport).dump_json(run, indent=2).decode(),
            "html": lambda: render_run(run, form.language, form.timezone),
            "markdown": lambda: render_run_markdown(run, form.language),
        },
    )


def _show(form: Form, print_it: Callable[[], None], texts: Mapping[str, Callable[[], str]]) -> int:
    if form.file is not None:
        Path(form.file).write_text(texts["html"](), encoding="utf-8")
        say(form.file)
    elif form.name == "terminal":
        print_it()
    else:
        show(texts[form.name]().rstrip("\n"))
    return 0
