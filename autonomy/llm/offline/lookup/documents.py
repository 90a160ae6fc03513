"""Reads the text of a document by its lines, each with the heading and the columns that it stands under."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from autonomy.llm.offline.result_items import answer_lines
from discovery.catalog import JsonObject

MOST_LINES = 30
"""As much of a document, or of a part of it, is quoted."""
HEADING = re.compile(r"^#{1,6}\s+")
STEP = re.compile(r"^\s*\d+[.)]\s")
_TABLE = re.compile(r"^\s*\|")
_RULE = re.compile(r"^\s*\|[\s|:-]+$")
"""The line of a table below its header."""


class DocumentLine(NamedTuple):
    """A line of a document, and what says of what it speaks."""

    text: str
    heading: str
    """The heading it stands under."""
    columns: str
    """The first line of its table, where it is a later one."""

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading itself."""
        return HEADING.match(self.text) is not None

    @property
    def tells(self) -> bool:
        """Whether it is content: no heading, nor what stands over the rows of a table."""
        over_rows = _RULE.match(self.text) or (_TABLE.match(self.text) and not self.columns)
        return not self.is_heading and not over_rows


def document_lines(text: str) -> list[DocumentLine]:
    """The lines of a document that are not blank."""
    found: list[DocumentLine] = []
    heading = columns = ""
    for line in text.splitlines():
        in_table = _TABLE.match(line) is not None
        columns = columns if in_table else ""
        if line.strip():
            found.append(DocumentLine(line, heading, columns))
        if in_table:
            columns = columns or line
        elif HEADING.match(line):
            heading = line
    return found


def title_of(item: JsonObject) -> str:
    """The line that stands over what is quoted of a document: where it stands."""
    return f"- {next(iter(answer_lines(item)), '')}"


def header(item: Any) -> str:
    """The title, address and tags of a listed document."""
    names = [item.get(name) for name in ("full_name", "name", "title", "category")]
    return " ".join(str(one) for one in [*names, *(item.get("tags") or ())] if one)


def quoted_whole(item: JsonObject, text: str) -> tuple[str, ...]:
    """A document as it is quoted whole: where it stands, and its lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    return title_of(item), *(f"  {line}" for line in lines[:MOST_LINES])


def lists_of_steps(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Every run of steps, with the place of its first."""
    for is_step, group in groupby(enumerate(lines), key=lambda pair: STEP.match(pair[1]) is not None):
        if is_step:
            steps = list(group)
            yield steps[0][0], [line for _, line in steps]


def steps_around(lines: Sequence[str], at: int) -> list[str]:
    """The list of steps to which the one at that place belongs."""
    return next(steps for first, steps in lists_of_steps(lines) if first <= at < first + len(steps))
