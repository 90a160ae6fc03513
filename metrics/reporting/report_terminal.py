"""Renders a report for a terminal, with rich."""

from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from metrics.autonomy import MEASURES, Level
from metrics.intervals import SMALL
from metrics.reporting.causes import Cause
from metrics.reporting.fitted_signs import fit_note
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_data import (
    Report,
    ReportRun,
    RunReport,
    Shown,
    figure_cells,
    model_cells,
    part_cells,
    repeat_cells,
    tool_cells,
)
from metrics.reporting.report_timeline import RunTimeline, TimelineBar, in_words
from metrics.reporting.report_words import (
    Language,
    cause,
    ending_in,
    habit,
    in_a_line,
    is_unproven,
    level_in,
    moment,
    number,
    reasons,
    seconds,
    signed,
    why_unproven,
    word,
)

BLOCKS = "▁▂▃▄▅▆▇█"

COLOURS = {"high": "green", "medium": "yellow", "low": "red"}

STATES = {"ok": "green", "cured": "cyan", "failed": "red", "refused": "magenta", "waiting": "yellow", "neutral": "bright_black"}

WIDE = 110
"""Columns from which on every part of the report is shown."""

USUAL = 80
"""Columns below which models have half of their columns, because a name and eight figures would be folded into pieces."""

NARROW = 60
"""Columns below which bars and intervals are left out, because they would be wrapped."""

SIGNS = {
    "model": "█",
    "call": "█",
    "attempt": "╳",
    "alternative": "↷",
    "approval": "▒",
    "judge": "◆",
    "person": "●",
    "limit": "▲",
}


def sparkline(values: Sequence[float | None]) -> str:
    """Return values between 0 and 1 as one line of blocks, with a dot for None."""
    return "".join("·" if value is None else BLOCKS[min(int(value * len(BLOCKS)), len(BLOCKS) - 1)] for value in values)


def print_report(report: Report, console: Console, language: Language = "ja") -> None:
    """Print a period's report."""
    tz = ZoneInfo(report.timezone)
    about = " · ".join(part for part in (report.job, report.tenant) if part)
    console.print(Rule(f"{word('title', language)}  {moment(report.since, tz)} – {moment(report.until, tz)}  {about}".rstrip()))
    if not report.runs:
        console.print(word("no_runs", language))
        return
    wide, narrow = console.width >= WIDE, console.width < NARROW
    parts = (
        _headline(report, language),
        _measures(report, language, wide, narrow),
        _trend(report, language),
        _why(report, language, console.width),
        _worth_a_look(report, language),
        _habits(report, language),
        _figures(report, language, narrow),
        _jobs(report, language, narrow),
        _repeats(report, language),
        _tools(report, language, wide),
        _models(report, language, console.width),
        _latest(report, language, wide, narrow),
    )
    for part in parts:
        if part is not None:
            console.print(part)
            console.print()


def print_run(run: RunReport, console: Console, language: Language, tz: str, *, is_told: bool = False) -> None:
    """Print why one run scored as it did. `is_told`: the reason why it ended stands above already."""
    line = run.line
    console.print(Rule(f"{word('run_title', language)}  {line.run_id}  {line.job}".rstrip()))
    reason = "" if is_told else in_a_line(reason_in(language, line.reason))
    ending = ending_in(line.ending, language, line.remarked) + (f": {reason}" if reason else "")
    when = Text(f"{moment(line.started_at, ZoneInfo(tz))}  {ending}")
    if line.ending == "simulated":  # say why nothing is measured, rather than print n/a four times
        console.print(Group(when, Text(word("rehearsal_unmeasured", language))))
    else:
        console.print(Group(_level_line(line.level, line.overall, language), when), _bars(line, language, console.width))
    for loss in sorted(run.losses, key=lambda loss: -loss.points):
        detail = "" if is_told and loss.detail == line.reason else loss.detail
        sentence = in_a_line(cause(loss.kind, loss.subject, detail, language)) + loss.repeated
        table = Table.grid("", Column(overflow="fold"), padding=(0, 2, 0, 0))  # wrapped lines are indented
        colon = "：" if language == "ja" else ": "  # a space would let a Japanese line wrap there
        table.add_row(Text(f"  −{100 * loss.points:.1f} pt", "red"), Text(f"{word(loss.measure, language)}{colon}{sentence}"))
        console.print(table)
    console.print(*_changes(run.changes, language), sep="\n")
    console.print(_timeline(run.timeline, console.width, language))


def _headline(report: Report, language: Language) -> RenderableType:
    overall = report.figure("overall")
    counts = [word("runs_count", language, n=report.runs)]
    counts += [f"{word(name or 'under_way', language)} {count}" for name, count in report.endings.items()]
    if report.remarked:
        counts.append(f"{word('remarked', language)} {report.remarked}")
    if report.simulated:
        counts.append(f"{word('rehearsals', language)} {report.simulated}")
    lines = [_level_line(report.level, overall.now.value, language, overall), Text(" · ".join(counts))]
    if report.feedback["judged"]:
        lines.append(Text(word("feedback", language, **report.feedback)))
    return Group(*lines)


def _level_line(level: Level | None, overall: float | None, language: Language, shown: Shown | None = None) -> Text:
    name = level_in(level, overall, language)
    text = Text(f"{word('overall', language)} ").append(
        number(overall, "share", language), f"bold {COLOURS.get(level or '', '')}".strip()
    )
    text.append(f"  {word('level', language)} {name}")
    if shown is not None and shown.change.value is not None:
        text.append(f"  {_change(shown, language)}", "bright_black")
    return text


def _change(shown: Shown, language: Language) -> str:
    change = signed(shown.change.value, shown.unit, language)
    if shown.change.low is None or not shown.better:
        return change
    return f"{change} ({word(shown.verdict or 'within_chance', language)})"


def _bar(value: float | None, width: int = 24) -> Text:
    filled = round((value or 0.0) * width)
    colour = "bright_black" if value is None else COLOURS["high" if value >= 0.9 else "medium" if value >= 0.7 else "low"]
    return Text("━" * filled, colour).append("┄" * (width - filled), "grey30")


def _bars(line: ReportRun, language: Language, width: int) -> Table:
    table = _table((), show_header=False)
    names = [word(name, language) for name in MEASURES]
    figures = [number(line.measures[name], "share", language) for name in MEASURES]
    room = width - max(map(cell_len, names)) - max(map(cell_len, figures)) - len("    ")
    for name, shown, figure in zip(MEASURES, names, figures, strict=True):
        # one that is cut off would pass for a full one
        table.add_row(shown, _bar(line.measures[name], min(24, max(8, room))), figure)
    return table


def _measures(report: Report, language: Language, wide: bool, narrow: bool) -> RenderableType:
    keys = ("measure", "value", "sample", "change") if narrow else ("measure", "", "value", "interval", "sample", "change")
    table = _table([word(key, language) for key in keys], right=range(1 if narrow else 2, len(keys)))
    _keep_whole(table, keys, "interval")
    for name in MEASURES:
        shown = report.figure(name)
        note = "" if not shown.now.n or not shown.now.small else f" {word('small', language)}" if wide else "*"
        row = figure_cells(shown, language)
        cells: dict[str, str | Text] = {
            **row,
            "": _bar(shown.now.value, 24 if wide else 8),
            "sample": row["sample"] + note,
            "change": _change(shown, language),
        }
        table.add_row(*(cells[key] for key in keys))
    marked = not wide and any(0 < report.figure(name).now.n < SMALL for name in MEASURES)
    notes = [f"* {word('small', language)}"] if marked else []
    return Group(table, *(Text(note, "bright_black") for note in (*notes, word("overall_is", language))))


def _trend(report: Report, language: Language) -> RenderableType | None:
    if sum(part.runs > 0 for part in report.trend) < 2:
        return None
    rows = [
        ("overall", [part.overall.value for part in report.trend]),
        ("completion", [part.completion.value for part in report.trend]),
    ]
    rows += [(name, [part.measures[name] for part in report.trend]) for name in MEASURES]
    table = _table((), show_header=False, title=f"{word('trend', language)} ({word(report.grain, language)})")
    for name, values in rows:
        table.add_row(
            word(name, language),
            sparkline(values),
            f"{report.trend[0].name} … {report.trend[-1].name}" if name == "overall" else "",
        )
    return table


def _why(report: Report, language: Language, width: int) -> RenderableType:
    if not report.causes:
        return Text(word("nothing_lost", language))
    keys = ["points", "share", "cause", "times", "evidence"]
    if width < USUAL:
        keys = ["points", "cause", "times"] if width < NARROW else ["points", "cause", "times", "evidence"]
    right = [at for at, key in enumerate(keys) if key in ("points", "share", "times")]
    table = _table([word(key, language) for key in keys], right=right, title=word("why", language))
    _keep_whole(table, keys, "evidence")  # so that an id can be copied
    for found in report.causes[:6]:
        cells = {
            "points": f"{100 * found.points:.1f}",
            "share": f"{found.share:.0%}",
            "cause": in_a_line(cause(found.kind, found.subject, found.detail, language)),
            "times": str(found.times),
            "evidence": (", " if width >= WIDE else "\n").join(found.examples[:2]),
        }
        table.add_row(*(cells[key] for key in keys))
    return Group(table, *_changes(report.causes[:6], language))


def _worth_a_look(report: Report, language: Language) -> Table | None:
    if not report.worth_a_look:
        return None
    table = _table((word("run", language), word("reasons", language)), title=word("worth_a_look", language))
    table.columns[0].no_wrap = True  # so that the id can be copied
    for look in report.worth_a_look:
        table.add_row(look.run_id, in_a_line(reasons(look.reasons, language)))
    if note := fit_note(report.fitted, report.doubtful, language):
        table.caption, table.caption_justify = note, "left"
    return table


def _changes(found: Iterable[Cause], language: Language) -> list[RenderableType]:
    """Return the suggested settings, each once, below a heading; nothing if there are none."""
    changes = dict.fromkeys(
        "\n".join(reason_in(language, line) for line in one.change.split("\n")) for one in found if one.change
    )
    heading = [Text(f"\n→ {word('suggestion', language)}", "bold")] if changes else []
    return [*heading, *(Padding(Text(change, "cyan"), (0, 2)) for change in changes)]


def _habits(report: Report, language: Language) -> RenderableType | None:
    if not report.habits:
        return None
    lines = [Text(f"• {habit(one.tool, one.times, one.answer, one.at_least, language)}") for one in report.habits]
    return Group(Text(word("habits", language), "bold"), *lines)


def _figures(report: Report, language: Language, narrow: bool) -> Table:
    keys = ("measure", "value", "change") if narrow else ("measure", "value", "interval", "change")
    table = _table([word(key, language) for key in keys], right=(1, 2, 3), title=word("figures", language))
    _keep_whole(table, keys, "interval")
    for shown in report.figures:
        if shown.name not in {*MEASURES, "overall"} and shown.now.value is not None:
            cells = figure_cells(shown, language) | {"change": _change(shown, language)}
            table.add_row(*(cells[key] for key in keys))
    return table


def _jobs(report: Report, language: Language, narrow: bool) -> RenderableType:
    keys = ("job", "runs", "level", "overall", "unattended_completion", "human_load", "cost_usd")[: 4 if narrow else 7]
    table = _table([word(key, language) for key in keys], right=(1, 3, 4, 5, 6), title=word("jobs", language))
    for part in report.jobs:
        row = part_cells(part, language)
        cells: dict[str, str | Text] = {**row, "level": Text(row["level"], COLOURS.get(part.level or "", ""))}
        table.add_row(*(cells[key] for key in keys))
    is_marked = any(is_unproven(part.level, part.overall.value) for part in report.jobs)
    return Group(table, Text(why_unproven(language), "bright_black")) if is_marked else table


def _repeats(report: Report, language: Language) -> Table | None:
    if len(report.repeats) < 2:
        return None
    keys = ("k", "any_of_k", "all_of_k", "tasks")
    table = _table([word(key, language) for key in keys], right=(1, 2, 3), title=word("repeats", language))
    for one in report.repeats:
        cells = repeat_cells(one, language)
        table.add_row(*(cells[key] for key in keys))
    return table


def _tools(report: Report, language: Language, wide: bool) -> Table | None:
    if not report.tools:
        return None
    keys = ("tool", "times", "success", "p50", "p95", "mischosen", "retried", "replaced", "asked")[: 9 if wide else 4]
    table = _table([word(key, language) for key in keys], right=range(1, 9), title=word("tools", language))
    for name, tool in list(report.tools.items())[:15]:
        cells = tool_cells(name, tool, language)
        table.add_row(*(cells[key] for key in keys))
    return table


def _models(report: Report, language: Language, width: int) -> Table | None:
    if not report.models:
        return None
    keys = ["model", "replies", "failures", "fallbacks", "input_tokens", "output_tokens", "cost_usd", "p50"]
    if width < USUAL:
        keys = ["model", "replies", "cost_usd"] if width < NARROW else ["model", "replies", "failures", "cost_usd"]
    table = _table([word(key, language) for key in keys], right=range(1, 8), title=word("models", language))
    _keep_whole(table, keys, "cost_usd")
    for name, model in report.models.items():
        cells = model_cells(name, model, language)
        table.add_row(*(cells[key] for key in keys))
    return table


def _latest(report: Report, language: Language, wide: bool, narrow: bool) -> Table:
    keys = ("started", "run", "job", "ending", "level", "overall", "touches", "duration")
    left_out = set() if wide else {"job", "touches"} | ({"started", "level", "overall", "duration"} if narrow else set())
    table = _table((), title=word("latest", language))
    for key in keys:
        if key not in left_out:
            right = key in {"overall", "touches", "duration"}
            # the id may be folded, so that the other columns never are
            table.add_column(word(key, language), justify="right" if right else "left", no_wrap=key != "run", overflow="fold")
    for line in report.latest[:10]:
        cells: dict[str, str | Text] = {
            "started": moment(line.started_at, ZoneInfo(report.timezone))[0 if wide else 5 :],
            "run": line.run_id,
            "job": line.job or word("ad_hoc", language),
            "ending": ending_in(line.ending, language, line.remarked),
            "level": Text(word(line.level or "na", language), COLOURS.get(line.level or "", "")),
            "overall": number(line.overall, "share", language),
            "touches": number(line.touches, "count", language),
            "duration": seconds(line.duration_s),
        }
        table.add_row(*(cell for key, cell in cells.items() if key not in left_out))
    return table


def _timeline(drawn: RunTimeline, width: int, language: Language) -> Table:
    drawn_rows = in_words(drawn, language).rows
    rows = [(word(row.label, language) if row.ours else " ".join(row.label.split()), row.bars) for row in drawn_rows]
    labels = min(max((cell_len(label) for label, _ in rows), default=0), width // 3)
    details = min(max((cell_len(_final_outcome(bars)) for _, bars in rows), default=0), width // 4)
    length = max(width - labels - details - 4, 10)  # with two spaces on each side
    scale = (length - 1) / drawn.length_s if drawn.length_s else 0.0
    table = _table((), show_header=False, title=f"{word('timeline', language)} (0 – {seconds(drawn.length_s)})")
    for column in (labels, length, details):
        table.add_column(width=column, no_wrap=True)
    for label, bars in rows:
        table.add_row(Text(label), _strip(bars, scale, length), Text(_final_outcome(bars), "bright_black"))
    return table


def _final_outcome(bars: Iterable[TimelineBar]) -> str:
    """Return the outcome of the call, not of an attempt within it, as one line."""
    return " ".join(max(bars, key=lambda bar: bar.end).detail.split())


def _strip(bars: Iterable[TimelineBar], scale: float, width: int) -> Text:
    cells = [(" ", "")] * width
    for bar in sorted(bars, key=lambda bar: bar.start - bar.end):
        for at in range(int(bar.start * scale), max(int(bar.end * scale), int(bar.start * scale)) + 1):
            cells[min(at, width - 1)] = (SIGNS[bar.kind], STATES[bar.state])
    return Text.assemble(*cells)


def _keep_whole(table: Table, keys: Sequence[str], key: str) -> None:
    """Let other columns be folded before this one."""
    for at in [at for at, one in enumerate(keys) if one == key]:
        table.columns[at].no_wrap = True


def _table(heads: Iterable[str], *, right: Iterable[int] = (), title: str = "", show_header: bool = True) -> Table:
    table = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, show_header=show_header, header_style="bright_black"
    )
    to_right = set(right)
    for number_, head in enumerate(heads):
        table.add_column(head, justify="right" if number_ in to_right else "left", overflow="fold")
    return table
