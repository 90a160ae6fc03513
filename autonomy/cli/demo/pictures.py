"""Draws the output of a demonstration as an animated SVG of a terminal."""

import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import click

from autonomy.cli.words.text_columns import columns_of

COLUMNS, FONT_PX, LINE_PX, CHAR_PX = 110, 14, 20, 8.43
LINE_EVERY_S = 0.9
TOP_PX, LEFT_PX = 52, 16

_FORM = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">
<style>
text {{ font: {font}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre; }}
.command {{ fill: #7ee787; }}
@keyframes appear {{ from {{ opacity: 0; }} to {{ opacity: 1; }} }}
.line {{ animation: appear 0.2s both; }}
@media (prefers-reduced-motion: reduce) {{ .line {{ animation: none; }} }}
</style>
<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
{lines}
</svg>
"""


class _Tee(io.TextIOBase):
    """A stream that passes on what is written, and keeps it."""

    def __init__(self, on: io.TextIOBase) -> None:
        self._on, self.kept = on, io.StringIO()

    def write(self, text: str) -> int:
        self.kept.write(text)
        return self._on.write(text)

    def flush(self) -> None:
        self._on.flush()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the base says that there may be none
        return self._on.encoding or "utf-8"


@contextlib.contextmanager
def drawn(file: Path | None, command: str, *, home: Path) -> Iterator[None]:
    """Draw a picture of what is printed inside, if it succeeds; `home` is shown as ~. Without a `file`, draw nothing."""
    if file is None:
        yield
        return
    tee = _Tee(sys.stdout)  # type: ignore[arg-type]  # a stream of text it is, whatever it is called
    with contextlib.redirect_stdout(tee):
        yield
    printed = click.unstyle(tee.kept.getvalue()).replace(str(home), "~")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(picture(command, printed.splitlines()), encoding="utf-8")


def picture(command: str, printed: Sequence[str]) -> str:
    """The SVG of what was written, as a terminal of `COLUMNS` columns shows it line by line."""
    lines = [f"$ {command}", *(part for line in printed for part in _wrapped(line))]
    drawn_lines = [
        f'<text class="line{" command" if number == 0 else ""}" x="{LEFT_PX}" y="{TOP_PX + number * LINE_PX}" '
        f'style="animation-delay: {number * LINE_EVERY_S:.1f}s">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    height = TOP_PX + len(lines) * LINE_PX
    return _FORM.format(
        width=round(COLUMNS * CHAR_PX + 2 * LEFT_PX), height=height, title=command, font=FONT_PX, lines="\n".join(drawn_lines)
    )


def _wrapped(line: str) -> list[str]:
    """A line in pieces of at most `COLUMNS`."""
    pieces = [""]
    for one in line:
        if columns_of(pieces[-1]) + columns_of(one) > COLUMNS:
            pieces.append("")
        pieces[-1] += one
    return pieces
