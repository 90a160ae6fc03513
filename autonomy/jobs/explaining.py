"""Explains a job file line by line: what each key makes the job do."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from autonomy.jobs import job_meanings
from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN

_FIRST_LINE = 2
"""Of the front matter, in the file."""


class ExplainedLine(NamedTuple):
    """One line of a file that says something, or one more key in it."""

    number: int
    """0 for a key that stands further on in the line above."""
    text: str
    meaning: str


def explained(job: Job) -> Iterator[ExplainedLine]:
    """Each line of the job's file with what it does, blank ones left out, and each further key of a line where it comes first;
    the goal is one."""
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    of_lines: dict[int, list[_Meaning]] = {}
    for meaning in _meanings_in(job.file):
        of_lines.setdefault(meaning.line, []).append(meaning)
    seen: set[str] = set()
    end = next((number for number, line in enumerate(lines[1:], 2) if line.startswith("---")), len(lines))
    for number, line in enumerate(lines[:end], 1):
        if found := of_lines.get(number):
            first, *others = found
            yield ExplainedLine(number, line, first.meaning)
            for other in others:
                if other.is_own or other.meaning not in seen:
                    yield ExplainedLine(0, f"{' ' * (first.column + 4)}{other.key}", other.meaning)
            seen |= {one.meaning for one in found}
        elif line.strip():
            marks = job_meanings.BEGINS if number == 1 else job_meanings.ENDS if number == end else job_meanings.GOES_ON
            yield ExplainedLine(number, line, marks)
    if goal := next(((number, line) for number, line in enumerate(lines[end:], end + 1) if line.strip()), None):
        yield ExplainedLine(*goal, job_meanings.GOAL)


class SampleValue(NamedTuple):
    """An id of the sample workspace in a job's file."""

    line: int
    value: str
    name: str
    """What people of the sample call it."""


def values_of_sample(job: Job) -> list[SampleValue]:
    """The ids of the sample's channels and people in the job's file: elsewhere its posts and messages would reach nobody."""
    names = _sample_names()
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    return [
        SampleValue(number, value, names[value])
        for number, line in enumerate(lines, 1)
        for value in dict.fromkeys(re.findall(r"\b[CU]\w+\b", _NO_VALUE.sub("", line)))
        if value in names
    ]


_NO_VALUE = re.compile(r"(?:^|\s)#.*|\bexample:\s*[\w.-]+")
"""A remark, and a value that is meant for the sample."""


@cache
def _sample_names() -> Mapping[str, str]:
    """Id → name, of the channels and people of the samples."""
    found: dict[str, str] = {}
    for slack in (BUILT_IN / "diary" / "sample" / "slack", BUILT_IN / "en" / "diary" / "sample" / "slack"):
        for file, sign in (("channels.json", "#"), ("users.json", "@")):
            listed = json.loads((slack / file).read_text(encoding="utf-8"))
            found |= {one["id"]: f"{sign}{one['name']}" for one in listed}
    return found


class _Meaning(NamedTuple):
    """The meaning of a key, an item or a remark of the front matter, and its line."""

    line: int
    column: int
    key: str
    meaning: str
    is_own: bool = False
    """Whether its name is of the author's choosing, so that the same meaning says something else of it."""


def _meanings_in(file: Path) -> Iterator[_Meaning]:
    text = file.read_text(encoding="utf-8-sig")
    head = text.split("\n---", 1)[0].split("\n", 1)[-1]
    root = yaml.compose(head, Loader=yaml.SafeLoader)
    lines_of_texts: set[int] = set()
    if isinstance(root, yaml.MappingNode):
        yield from _of_table(root, "", lines_of_texts)
    for number, line in enumerate(head.splitlines(), _FIRST_LINE):
        if line.lstrip().startswith("#") and number not in lines_of_texts:
            yield _Meaning(number, 0, "#", job_meanings.REMARK)


def _of_table(table: yaml.MappingNode, path: str, lines_of_texts: set[int]) -> Iterator[_Meaning]:
    """The meanings of a table's keys, and of the tables and lists in it; the further lines of its texts go into `lines_of_texts`,
    where a # opens no remark."""
    for key, value in table.value:
        at = path if key.value == _MERGE else f"{path}.{key.value}".lstrip(".")
        meaning = job_meanings.MERGED if key.value == _MERGE else _meaning(at, value)
        yield _Meaning(_line(key), key.start_mark.column, key.value, meaning, is_own=bool(job_meanings.FREE.fullmatch(at)))
        if _line(value) < _line(key):  # an alias: it was told where it stands
            continue
        for inner in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if isinstance(inner, yaml.MappingNode):
                yield from _of_table(inner, at, lines_of_texts)
                continue
            if inner is not value and _line(inner) != _line(key):
                yield _Meaning(_line(inner), inner.start_mark.column, "-", job_meanings.ITEM)
            lines_of_texts |= set(range(_line(inner) + 1, _FIRST_LINE + inner.end_mark.line + bool(inner.end_mark.column)))


_MERGE = "<<"
"""The key of YAML that takes over another table."""


def _line(node: yaml.Node) -> int:
    """Where it begins, in the file."""
    return int(node.start_mark.line) + _FIRST_LINE


def _meaning(at: str, value: yaml.Node) -> str:
    """What a key at this path does, by its value."""
    if job_meanings.FREE.fullmatch(at):
        return _of_own_words(at, value)
    if at == "complete.rule":
        return job_meanings.OF_RULES[value.value]
    return job_meanings.OF_KEYS.get(re.sub(r"^inputs\.[^.]+", "inputs.*", at), job_meanings.GOES_ON)


def _of_own_words(at: str, value: yaml.Node) -> str:
    """How the value of an argument, a field or an input comes about, whose name is not one of this format."""
    if "json_schema." in at:
        return job_meanings.SCHEMA
    if re.search(r"(?:^|\.)where\.", at):
        return job_meanings.FIELD
    if not isinstance(value, yaml.ScalarNode):
        return job_meanings.TABLE
    if at.startswith("schedule."):
        return job_meanings.GIVEN
    found = re.findall(r"\{\{\s*(?:(inputs|needs)\.)?(\w+)", value.value)
    if ("", "result") in found:
        return job_meanings.RESULT
    if needs := _named(name for kind, name in found if kind != "inputs"):
        return job_meanings.OF_NEED.format(names=needs)
    names = _named(name for kind, name in found if kind == "inputs")
    return job_meanings.OF_INPUT.format(names=names) if names else job_meanings.FIXED


def _named(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
