"""In which form a report leaves: to the terminal, to stdout for other programs, or to a file. Called by `cli.report`."""

from pathlib import Path
from typing import Literal

import anyio
import click
from pydantic import TypeAdapter
from rich.console import Console

from metrics.report import Report, RunReport
from metrics.report_html import render_report, render_run
from metrics.report_terminal import print_report, print_run
from metrics.report_text import render_csv, render_markdown, render_run_markdown

Language = Literal["ja", "en"]


async def show_period(report: Report, *, form: str, file: str | None, language: Language) -> int:
    """Print or write a period's report; the exit code."""
    if file is not None:
        return await _write(file, render_report(report, language))
    if form == "terminal":
        print_report(report, Console(highlight=False), language)
        return 0
    forms = {
        "json": lambda: report.to_json().decode(),
        "html": lambda: render_report(report, language),
        "markdown": lambda: render_markdown(report, language),
        "csv": lambda: render_csv(report),
    }
    click.echo(forms[form](), nl=form in {"json", "html"})
    return 0


async def show_run(run: RunReport, *, form: str, file: str | None, language: Language, timezone: str) -> int:
    """Print or write why one run scored as it did; the exit code."""
    if file is not None:
        return await _write(file, render_run(run, language, timezone))
    if form == "csv":
        raise click.UsageError("one run has no CSV form; use terminal, json, html or markdown")
    if form == "terminal":
        print_run(run, Console(highlight=False), language, timezone)
        return 0
    forms = {
        "json": lambda: TypeAdapter(RunReport).dump_json(run, indent=2).decode(),
        "html": lambda: render_run(run, language, timezone),
        "markdown": lambda: render_run_markdown(run, language),
    }
    click.echo(forms[form]())
    return 0


async def _write(file: str, page: str) -> int:
    await anyio.Path(file).write_text(page, encoding="utf-8")
    click.echo(str(Path(file)))
    return 0
