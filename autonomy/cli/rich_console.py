"""The rich console for progress and reports; escapes text from outside."""

import os
import re
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from autonomy.cli.terminal import harmless

_CUT = re.compile("(?<!^)…")
"""In the middle of a line it stands for what is left out; at its beginning it is our sign of waiting."""


class SafeConsole(Console):
    """A console that takes every text as it stands: no markup, no emoji, no highlighting, no control characters."""

    def __init__(self, *, stderr: bool = False) -> None:
        # rich takes a dumb terminal for 80 columns, whatever COLUMNS says, unless the height is known too
        height = 25 if os.environ.get("COLUMNS") else None
        super().__init__(stderr=stderr, height=height, highlight=False, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render a renderable; everything that rich draws passes through here."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else piece._replace(text=self._in_its_signs(harmless(piece.text)))

    def _in_its_signs(self, text: str) -> str:
        """A text whose last sign, where it is cut off, is one column wide in ASCII too, so that no column moves."""
        return _CUT.sub("~", text) if self.options.ascii_only else text

    def on_broken_pipe(self) -> None:
        """Raise, so that `entry` ends the command: the reader of our output has seen enough."""
        raise BrokenPipeError
