"""Splits a job file into its front matter and its body."""

import math
import re
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from autonomy.errors import ConfigError
from autonomy.settings import read_small_file

_PARTS = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n(.*))?\Z", re.DOTALL | re.MULTILINE)
_FIRST_LINE = 2
"""Of the table, in the file."""

MOST_VALUES = 10_000
"""Of a table with its aliases written out: a file of 500 bytes can stand for billions."""


_OF_WORDS = re.compile(
    r"(?:.*\.)?(?:title|titles|description|instructions|empty|cues|patterns|items|words|default|example|equals|contains|alert)"
    r"|.*\b(?:arguments|where)\..+|schedule\.inputs\..+"
)
"""The keys whose values are an author's own words; the others take ids, numbers, and words of this format."""

_COMMENT = re.compile(r"[ \t]+(#.*)")
_SHOWN_CHARS = 60
"""Of a comment, in a message."""


class TrailingComment(NamedTuple):
    """A comment of YAML right behind a value in an author's own words."""

    key: str
    line: int
    """In the file."""
    text: str
    """From its #."""

    @property
    def is_cut_off(self) -> bool:
        """Whether it is the value's end: people put a blank after the # of a comment, and none in #general or #42."""
        return re.match(r"#[^\s#]", self.text) is not None


def read_parts(file: Path) -> tuple[dict[Any, Any], str]:
    """The table and the words. Raises `ConfigError` naming the file, the key and the line."""
    written, words = _split_front_matter(file)
    head = _table(file, written)
    if (size := _size(head, {})) > MOST_VALUES:
        problem = "refers to itself" if size == math.inf else f"holds {size:,} values"
        raise ConfigError(file, "front matter", f"{problem}, more than {MOST_VALUES:,}: aliases (*) multiply")
    if not isinstance(head, dict):
        raise ConfigError(file, "front matter", f"is a {type(head).__name__}, not a table of keys")
    return head, words


def trailing_comments(file: Path) -> list[TrailingComment]:
    """The comments right behind values in words, of a file that can be read."""
    written, _ = _split_front_matter(file)
    return list(_comments_behind(yaml.compose(written, yaml.SafeLoader), written.splitlines(), "", set()))


def _split_front_matter(file: Path) -> tuple[str, str]:
    try:
        text = read_small_file(file).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(file, "", "is not text in UTF-8: save it in that encoding") from error
    parts = _PARTS.match(text)
    if parts is None:
        raise ConfigError(file, "", "has no front matter between two lines of ---")
    return parts.group(1), (parts.group(2) or "").strip()


def _table(file: Path, text: str) -> Any:
    try:
        loader = _OnceEach(text)
        root = loader.get_single_node()
        if root is None:
            return {}
        if cut := next((one for one in _comments_behind(root, text.splitlines(), "", set()) if one.is_cut_off), None):
            raise _cut_off(file, cut)
        return loader.construct_document(root) or {}
    except _Twice as error:
        raise ConfigError(file, error.key, f"stands twice, in lines {error.first} and {error.second}") from error
    except yaml.MarkedYAMLError as error:
        if cut := _comment_that_opens(error, text.splitlines()):
            raise _cut_off(file, cut) from error
        problem, mark = _problem_of(error, text.splitlines())
        line = f", line {mark.line + _FIRST_LINE}" if mark else ""
        raise ConfigError(file, "front matter", f"is not YAML: {problem}{line}") from error
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


def _problem_of(error: yaml.MarkedYAMLError, lines: list[str]) -> tuple[str | None, yaml.Mark | None]:
    """What is wrong, in plain words for what people write most, and where it begins."""
    problem, mark = error.problem or error.context or "", error.problem_mark
    if r"'\t'" in problem:
        return "a tab stands where YAML takes only blanks", mark
    begins = error.context_mark if error.context == "while scanning a quoted scalar" else mark
    line = lines[begins.line] if begins and begins.line < len(lines) else ""
    if _BARE_TEMPLATE.search(line):
        return "what holds {{…}} must stand in quotes", begins
    if error.context == "while scanning a quoted scalar":
        return "a quote is not closed", begins
    if error.context in ("while parsing a flow sequence", "while parsing a flow mapping"):
        return "a bracket is not closed", error.context_mark
    if "that cannot start any token" in problem:
        return f"a text that begins with {problem.split()[2]} must stand in quotes", mark
    if problem == "could not find expected ':'":
        return "a key lacks its colon", error.context_mark
    if problem == "expected <block end>, but found '<scalar>'":
        return "text stands behind a closing quote", mark
    if mark and problem.startswith("mapping values are not allowed") and _KEY_AND_TEXT.match(line[: mark.column]):
        return "a text with a colon must stand in quotes", mark
    if problem.startswith(("mapping values are not allowed", "expected <block end>")):
        return "its indentation does not fit the lines above", mark
    return problem, mark


_BARE_TEMPLATE = re.compile(r":\s+\{\{")

_KEY_AND_TEXT = re.compile(r"\s*(?:- )?[^\s:]+:\s+\S")


def _comments_behind(node: Any, lines: list[str], path: str, visited: set[int]) -> Iterator[TrailingComment]:
    """The comments behind plain values in words; behind a quoted one nothing can be cut off."""
    if id(node) in visited:  # an alias
        return
    visited.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield from _comments_behind(value, lines, f"{path}.{key.value}".lstrip("."), visited)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _comments_behind(value, lines, path, visited)
    elif isinstance(node, yaml.ScalarNode) and not node.style and _OF_WORDS.fullmatch(path):
        end = node.end_mark
        if end.line < len(lines) and (comment := _COMMENT.match(lines[end.line], end.column)):
            yield TrailingComment(path, end.line + _FIRST_LINE, comment.group(1))


_OPENS = re.compile(r"""^(?!\s*#)(?:[^"'#]|"[^"]*"|'[^']*'|(?<=\S)#)*?[\s\[{,](#[^\s#].*)""")
"""A comment without a blank after its # in a line that says something before it, outside of quotes."""


def _comment_that_opens(error: yaml.MarkedYAMLError, lines: list[str]) -> TrailingComment | None:
    """The comment that swallowed what YAML then waits for: the bracket in `[#general]`, the rest of a value of two lines."""
    if error.problem_mark is None:
        return None
    begins = (error.context_mark or error.problem_mark).line
    for number, line in enumerate(lines[: error.problem_mark.line + 1]):
        if (found := _OPENS.match(line)) and (number >= begins or _is_open(line[: found.start(1)])):
            return TrailingComment("front matter", number + _FIRST_LINE, found.group(1))
    return None


def _is_open(text: str) -> bool:
    return sum(map(text.count, "[{")) > sum(map(text.count, "]}"))


def _cut_off(file: Path, cut: TrailingComment) -> ConfigError:
    shown = cut.text if len(cut.text) <= _SHOWN_CHARS else f"{cut.text[:_SHOWN_CHARS]}…"
    return ConfigError(
        file,
        cut.key,
        f"line {cut.line}: {shown!r} would be lost, since YAML reads it as a comment; "
        "put the value in double quotes, or a blank after the # of a comment",
    )


def _size(value: Any, sizes: dict[int, float]) -> float:
    """How many values there are with aliases written out, each counted once; infinite for what is part of itself."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in sizes:
        sizes[id(value)] = math.inf
        parts = [*value.values()] if isinstance(value, dict) else value
        sizes[id(value)] = 1 + sum(_size(part, sizes) for part in parts)
    return sizes[id(value)]


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

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MOST_VALUES:  # before the next level has ten times as many
            raise ValueError(f"more than {MOST_VALUES:,} keys are merged (<<)")
