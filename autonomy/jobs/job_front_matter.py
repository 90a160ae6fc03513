"""Splits a job file into its front matter and its body."""

import math
import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from autonomy.errors import ConfigError
from autonomy.settings import read_small_file

_PARTS = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n(.*))?\Z", re.DOTALL | re.MULTILINE)
_FIRST_LINE = 2
"""Of the table, in the file."""

MOST_VALUES = 10_000
"""Of a table with its aliases written out: a file of 500 bytes can stand for billions."""


def read_parts(file: Path) -> tuple[dict[Any, Any], str]:
    """The table and the words. Raises `ConfigError` naming the file, the key and the line."""
    try:
        text = read_small_file(file).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(file, "", f"cannot be read: {error}") from error
    parts = _PARTS.match(text)
    if parts is None:
        raise ConfigError(file, "", "has no front matter between two lines of ---")
    head = _table(file, parts.group(1))
    if (size := _size(head, {})) > MOST_VALUES:
        problem = "refers to itself" if size == math.inf else f"holds {size:,} values"
        raise ConfigError(file, "front matter", f"{problem}, more than {MOST_VALUES:,}: aliases (*) multiply")
    if not isinstance(head, dict):
        raise ConfigError(file, "front matter", f"is a {type(head).__name__}, not a table of keys")
    return head, (parts.group(2) or "").strip()


def _table(file: Path, text: str) -> Any:
    try:
        return yaml.load(text, _OnceEach) or {}  # noqa: S506 - a safe loader that reads less than the safe one
    except _Twice as error:
        raise ConfigError(file, error.key, f"stands twice, in lines {error.first} and {error.second}") from error
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + _FIRST_LINE}" if error.problem_mark else ""
        raise ConfigError(file, "front matter", f"is not YAML: {error.problem or error.context}{line}") from error
    except yaml.YAMLError as error:
        raise ConfigError(file, "front matter", f"is not YAML: {str(error).splitlines()[0]}") from error
    except (
        ValueError,
        TypeError,
        RecursionError,
    ) as error:  # what PyYAML lets through: a day that is none, a number of 5,000 digits
        raise ConfigError(
            file, "front matter", f"holds a value that cannot be read: {str(error).splitlines()[0][:200]}"
        ) from error


def _size(value: Any, known: dict[int, float]) -> float:
    """How many values there are with aliases written out, each counted once; infinite for what is part of itself."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = math.inf
        parts = [*value.values()] if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(value)]


class _Twice(Exception):
    """Two values for one key: YAML forbids it, and its reader keeps the last without a word."""

    def __init__(self, key: str, first: int, second: int) -> None:
        self.key, self.first, self.second = key, first, second
        super().__init__(key)


class _OnceEach(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML comes without types
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[str, int] = {}
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            line = key.start_mark.line + _FIRST_LINE
            if key.value in lines:
                raise _Twice(key.value, lines[key.value], line)
            lines[key.value] = line
        table: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return table
