"""Three-way merge by lines; conflicting changes are both kept and marked."""

from collections.abc import Iterator
from difflib import SequenceMatcher

Span = tuple[int, int]
"""First line, and the line after the last one."""


def merge(original: str, theirs: str, mine: str) -> tuple[str, bool]:
    """Return the text with both changes, and whether they overlapped. If one side changed nothing, the result is the other."""
    if original == theirs or theirs == mine:
        return mine, False
    if original == mine:
        return theirs, False
    base, left, right = (text.splitlines(keepends=True) for text in (original, theirs, mine))
    merged: list[str] = []
    overlapped = False
    for in_base, in_left, in_right in _regions(base, left, right):
        old, their, my = base[slice(*in_base)], left[slice(*in_left)], right[slice(*in_right)]
        if their == my or old == my:
            merged += their
        elif old == their:
            merged += my
        else:
            overlapped = True
            merged += ["<<<<<<< current\n", *_with_final_newline(their), "=======\n", *_with_final_newline(my), ">>>>>>> new\n"]
    return "".join(merged), overlapped


def _regions(base: list[str], left: list[str], right: list[str]) -> Iterator[tuple[Span, Span, Span]]:
    """Split the three texts at their common lines: yield what is between these and the common lines themselves, alternately."""
    to_left, to_right = _common(base, left), _common(base, right)
    at_base = at_left = at_right = 0
    for line in range(len(base)):
        if line in to_left and line in to_right:
            yield (at_base, line), (at_left, to_left[line]), (at_right, to_right[line])
            yield (line, line + 1), (to_left[line], to_left[line] + 1), (to_right[line], to_right[line] + 1)
            at_base, at_left, at_right = line + 1, to_left[line] + 1, to_right[line] + 1
    yield (at_base, len(base)), (at_left, len(left)), (at_right, len(right))


def _common(base: list[str], other: list[str]) -> dict[int, int]:
    """Return each unchanged line of the base → the same line of the other text."""
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return {block.a + step: block.b + step for block in blocks for step in range(block.size)}


def _with_final_newline(lines: list[str]) -> list[str]:
    """End the last line with a newline, so that the marker after it is on a line of its own."""
    return lines if not lines or lines[-1].endswith("\n") else [*lines[:-1], lines[-1] + "\n"]
