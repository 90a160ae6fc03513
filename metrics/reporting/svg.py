"""Draws charts as inline SVG.

Every chart has a title and a description for those who cannot see it, and the page has a table of the same numbers. All text is
escaped here. Each chart has its own coordinate system, which the browser scales.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, pi

from markupsafe import Markup

from metrics.intervals import Estimate
from metrics.reporting.report_timeline import RunTimeline, TimelineBar
from metrics.reporting.report_words import in_percent

Number = float | None
Scale = Callable[[float], float]
"""From a value to a coordinate."""


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    name: str
    kind: str
    """Its CSS class, which sets its colour and dashes."""
    values: Sequence[Number]
    low: Sequence[Number] = ()
    high: Sequence[Number] = ()
    """The band around it, where there is one."""


def drawing(kind: str, width: float, height: float, title: str, about: str, parts: Iterable[str]) -> Markup:
    """Return an SVG element with its title and description. `parts` must be escaped already."""
    description = f"<title>{escape(title)}</title><desc>{escape(about)}</desc>"
    head = f'class="chart {kind}" role="img" aria-label="{escape(title)}: {escape(about)}" viewBox="0 0 {width:g} {height:g}"'
    element = f"<svg {head}>{description}{''.join(parts)}</svg>"
    return Markup(element)  # noqa: S704 - numbers, class names of ours, and text that is escaped in this file


def ring(estimate: Estimate, level: str, label: str, about: str) -> Markup:
    """Draw a share as a ring with the number inside and its interval as a thin arc around it."""
    parts = [_arc(60, 0.0, 1.0, "track")]
    if estimate.value is not None:
        parts.append(_arc(60, 0.0, estimate.value, f"arc {level}"))
        if estimate.low is not None and estimate.high is not None:
            parts.append(_arc(73, estimate.low, estimate.high, "whisker"))
        parts.append(_text(80, 84, in_percent(estimate.value), "ring-value"))
    parts.append(_text(80, 104, label, "ring-label"))
    return drawing("ring", 160, 160, label, about, parts)


def _arc(radius: float, low: float, high: float, kind: str) -> str:
    """Draw an arc between two shares of a circle, clockwise from the top."""
    whole = 2 * pi * radius
    dash = f'stroke-dasharray="{(high - low) * whole:.2f} {whole:.2f}" transform="rotate({-90 + 360 * low:.2f} 80 80)"'
    return f'<circle class="{kind}" cx="80" cy="80" r="{radius:g}" {dash}/>'


def gauge(estimate: Estimate, level: str, title: str, about: str) -> Markup:
    """Draw a share as a bar from 0 to 1, with the borders of the levels and its interval."""
    if estimate.value is None:
        return drawing("gauge", 300, 26, title, about, ['<rect class="track none" x="1" y="9" width="298" height="8" rx="4"/>'])
    parts = ['<rect class="track" x="0" y="8" width="300" height="10" rx="5"/>']
    parts.append(f'<rect class="fill {level}" x="0" y="8" width="{300 * estimate.value:.1f}" height="10" rx="5"/>')
    parts += [f'<line class="border" x1="{300 * at:g}" x2="{300 * at:g}" y1="5" y2="21"/>' for at in (0.7, 0.9)]
    if estimate.low is not None and estimate.high is not None:
        low, high = 300 * estimate.low, 300 * estimate.high
        parts.append(f'<path class="whisker" d="M{low:.1f} 3V23M{low:.1f} 13H{high:.1f}M{high:.1f} 3V23"/>')
    return drawing("gauge", 300, 26, title, about, parts)


def lines(
    labels: Sequence[str], series: Sequence[Series], title: str, about: str, *, bars: Sequence[int] = (), small: bool = False
) -> Markup:
    """Draw shares over time.

    `bars`: the number of runs of each point, drawn as columns at the foot. `small`: one of several charts side by side, with few
    ticks and without names of lines.
    """
    width, height, right, foot = (370.0, 140.0, 12.0, 26.0) if small else (760.0, 260.0, 200.0, 46.0)
    left, top = 44.0, 12.0
    step = (width - left - right) / max(len(labels) - 1, 1)

    def x(at: float) -> float:
        return left + at * step

    def y(share: float) -> float:
        return top + (1 - share) * (height - top - foot)

    parts = [f'<rect class="zone high" x="{left}" y="{y(1):.1f}" width="{width - left - right}" height="{y(0.9) - y(1):.1f}"/>']
    for share in (0.0, 0.5, 1.0) if small else (0.0, 0.25, 0.5, 0.7, 0.9, 1.0):
        parts.append(f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y(share):.1f}" y2="{y(share):.1f}"/>')
        parts.append(_text(left - 8, y(share) + 4, f"{share:.0%}", "tick end"))
    tallest = max(bars, default=0) or 1
    for at, count in enumerate(bars):
        column, column_height = min(step * 0.7, 18), 22 * count / tallest
        place = f'x="{x(at) - column / 2:.1f}" y="{y(0) + 24 - column_height:.1f}"'
        size = f'width="{column:.1f}" height="{column_height:.1f}"'
        parts.append(f'<rect class="count" {place} {size}><title>{escape(f"{labels[at]}: {count}")}</title></rect>')
    every = ceil(len(labels) / (4 if small else 8)) or 1
    parts += [_text(x(at), height - 6, label, "tick middle") for at, label in enumerate(labels) if at % every == 0]
    for one in series:
        parts += _band(one, x, y)
        parts += _line(one, labels, x, y)
    parts += [] if small else _names(series, width - right + 10, y)
    return drawing("lines", width, height, title, about, parts)


def _stretches(values: Sequence[Number]) -> list[list[int]]:
    """Return the indices of neighbouring points that have a value, so that gaps are not drawn over."""
    found: list[list[int]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            found.append([])
        else:
            found[-1].append(at)
    return [stretch for stretch in found if stretch]


def _band(one: Series, x: Scale, y: Scale) -> list[str]:
    bands = []
    for stretch in _stretches(one.low):
        upper = " ".join(f"{x(at):.1f},{y(one.high[at] or 0.0):.1f}" for at in stretch)
        lower = " ".join(f"{x(at):.1f},{y(one.low[at] or 0.0):.1f}" for at in reversed(stretch))
        bands.append(f'<polygon class="band {one.kind}" points="{upper} {lower}"/>')
    return bands


def _line(one: Series, labels: Sequence[str], x: Scale, y: Scale) -> list[str]:
    drawn = []
    for stretch in _stretches(one.values):
        points = " ".join(f"{x(at):.1f},{y(one.values[at] or 0.0):.1f}" for at in stretch)
        drawn.append(f'<polyline class="line {one.kind}" points="{points}"/>')
    for at, value in enumerate(one.values):
        if value is not None:
            tooltip = escape(f"{labels[at]} {one.name}: {value:.1%}")
            drawn.append(
                f'<circle class="dot {one.kind}" cx="{x(at):.1f}" cy="{y(value):.1f}" r="3"><title>{tooltip}</title></circle>'
            )
    return drawn


def _names(series: Sequence[Series], x: float, y: Scale) -> list[str]:
    """Draw the names of lines at their ends, moved apart where they would overlap."""
    values_by_series = [(one, [value for value in one.values if value is not None]) for one in series]
    ends = sorted(((y(values[-1]), number) for number, (_, values) in enumerate(values_by_series) if values))
    drawn, lowest = [], float("-inf")
    for end, number in ends:
        one = series[number]
        lowest = max(end, lowest + 16)
        drawn.append(f'<line class="line {one.kind}" x1="{x}" x2="{x + 14}" y1="{lowest:.1f}" y2="{lowest:.1f}"/>')
        drawn.append(_text(x + 20, lowest + 4, one.name, "name"))
    return drawn


def stack(parts: Mapping[str, float], names: Mapping[str, str], title: str, about: str) -> Markup:
    """Draw the parts of a whole as one bar. The key of each part is its CSS class."""
    length, whole, at, drawn = 480.0, sum(parts.values()) or 1.0, 0.0, []
    for kind, size in parts.items():
        width, tooltip = length * size / whole, f"{names[kind]} {size / whole:.0%}"
        box = f'x="{at:.1f}" y="0" width="{max(width - 1.5, 0):.1f}" height="28"'
        drawn.append(f'<rect class="part {kind}" {box}><title>{escape(tooltip)}</title></rect>')
        if width > 12 * len(tooltip):
            drawn.append(_text(at + 8, 18.5, tooltip, "on"))
        at += width
    return drawing("stack", length, 28, title, about, drawn)


def run_timeline(drawn: RunTimeline, names: Mapping[str, str], title: str, about: str) -> Markup:
    """Draw one run over time, with a row for each call and for each turn of the model."""
    left, width, row_height, top = 210.0, 760.0, 24.0, 26.0
    rows = drawn.rows
    scale = (width - left - 16) / (drawn.length_s or 1.0)
    height = top + row_height * len(rows) + 6
    parts = []
    for tick in _ticks(drawn.length_s):
        x = left + tick * scale
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 6}" y2="{height - 4:.1f}"/>')
        parts.append(_text(x, top - 12, f"{tick:g} s", "tick middle"))
    for number, row in enumerate(rows):
        y = top + row_height * number
        label = names.get(row.label, row.label) if row.ours else row.label
        parts.append(_text(left - 10, y + 16, label if len(label) <= 28 else f"{label[:27]}…", "row end", tooltip=label))
        parts += [_bar(bar, left + bar.start * scale, (bar.end - bar.start) * scale, y) for bar in row.bars]
    return drawing("timeline", width, height, title, about, parts)


def _bar(bar: TimelineBar, x: float, width: float, y: float) -> str:
    tooltip = f"<title>{escape(f'{bar.label} {bar.start:.2f}–{bar.end:.2f} s {bar.detail}')}</title>"
    match bar.kind:
        case "attempt":
            return f'<path class="mark {bar.state}" d="M{x - 4:.1f} {y + 8}l8 8m0 -8l-8 8">{tooltip}</path>'
        case "alternative":
            return f'<path class="mark {bar.state}" d="M{x - 5:.1f} {y + 12}h9m-4 -4l4 4l-4 4">{tooltip}</path>'
        case "judge":
            return f'<path class="sign {bar.state}" d="M{x:.1f} {y + 5}l7 7l-7 7l-7 -7z">{tooltip}</path>'
        case "person" | "limit":
            return f'<circle class="sign {bar.state}" cx="{x:.1f}" cy="{y + 12}" r="6">{tooltip}</circle>'
        case "model" if not width:
            return f'<path class="mark {bar.state}" d="M{x - 4:.1f} {y + 8}l8 8m0 -8l-8 8">{tooltip}</path>'
    box = f'x="{x:.1f}" y="{y + 5}" width="{max(width, 2.5):.1f}" height="14" rx="3"'
    return f'<rect class="bar {bar.kind} {bar.state}" {box}>{tooltip}</rect>'


def _ticks(length: float) -> list[float]:
    """Return round times (seconds), at most nine."""
    for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600):
        if length / step <= 8:
            return [round(number * step, 3) for number in range(int(length / step) + 1)]
    return [0.0, length]


def _text(x: float, y: float, text: str, kind: str, tooltip: str = "") -> str:
    hover = f"<title>{escape(tooltip)}</title>" if tooltip and tooltip != text else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{hover}{escape(text)}</text>'
