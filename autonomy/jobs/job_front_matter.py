"""The two parts of a job file: the table of keys between two lines of `---`, and the goal in words under it. Called by `job.load`."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from autonomy.errors import ConfigError

_PARTS = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n(.*))?\Z", re.DOTALL | re.MULTILINE)
_FIRST_LINE = 2
"""Of the table, in the file."""


def read_parts(file: Path) -> tuple[dict[Any, Any], str]:
    """The table and the words. Raises `ConfigError` naming the file, the key and the line."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(file, "", f"cannot be read: {error}") from error
    parts = _PARTS.match(text)
    if parts is None:
        raise ConfigError(file, "", "has no front matter between two lines of ---")
    head = _table(file, parts.group(1))
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
