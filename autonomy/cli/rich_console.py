"""The rich console for progress and reports; escapes text from outside."""

import os
import re
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from autonomy.cli.terminal import harmless
from autonomy.cli.words.text_columns import folded

_CUT = re.compile("(?<!^)…")
"""In the middle of a line it stands for what is left out; at its beginning it is our sign of waiting."""


class SafeConsole(Console):
    """A console that takes every text as it stands: no markup, no emoji, no highlighting, no control characters."""

    def __init__(self, *, stderr: bool = False) -> None:
        # rich takes a dumb terminal for 80 columns, whatever COLUMNS says, unless the height is known too
        height = 25 if os.environ.get("COLUMNS") else None
        super().__init__(stderr=stderr, height=height, highlight=False, markup=False, emoji=False)

    def print(self, *objects: Any, soft_wrap: bool | None = None, **more: Any) -> None:
        """Print; of what rich would leave to the terminal, which breaks words, each line is folded at its words."""
        if soft_wrap and self.is_terminal:
            objects = tuple(self._folded(one) for one in objects)
        super().print(*objects, soft_wrap=soft_wrap, **more)

    def _folded(self, printed: Any) -> Any:
        match printed:
            case str():
                return "\n".join(part for line in printed.split("\n") for part in folded(line, self.width))
            case Text(spans=[]):
                return Text(self._folded(printed.plain), printed.style)
            case _:
                return printed

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
