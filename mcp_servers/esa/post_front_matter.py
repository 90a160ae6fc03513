"""Reads and writes the front matter of a post, in the format of esa's export.

It supports the part of YAML that posts use: values are plain text, JSON strings, or lists (`a, b`, `[a, b]`, or `- a` lines).
"""

import json
import re

Head = dict[str, str]

_HEAD = re.compile(r"---[ \t]*\r?\n(?P<head>.*?)^---[ \t]*(?:\r?\n|\Z)(?:\r?\n)?", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"([A-Za-z_][\w-]*):\s*(.*)$")
_ITEM = re.compile(r"\s*-\s+(.*)$")


def split(text: str) -> tuple[Head, str]:
    """Split a file's text into front matter and body. A text without well-formed front matter is all body."""
    found = _HEAD.match(text)
    head = _parse(re.split(r"\r?\n", found["head"])) if found else None
    return ({}, text) if found is None or head is None else (head, text[found.end() :])


def join(head: Head, body: str) -> str:
    """Return the file's text, from which `split` gets back the same head and body."""
    lines = [f"{key}: {_quoted(value)}" for key, value in head.items()]
    return "\n".join(["---", *lines, "---", "", body])


def as_list(value: str) -> list[str]:
    """Parse a list such as `a, b` or `[a, "b"]`."""
    inner = value.removeprefix("[").removesuffix("]")
    return [item for part in inner.split(",") if (item := part.strip().strip("\"'"))]


def _parse(lines: list[str]) -> Head | None:
    head: Head = {}
    last = ""
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if last and (item := _ITEM.match(line)):
            head[last] = ", ".join(filter(None, [head[last], _unquoted(item[1])]))
        elif found := _LINE.match(line):
            last = found[1]
            head[last] = _unquoted(found[2].strip())
        else:
            return None
    return head


def _unquoted(value: str) -> str:
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value
    return value[1:-1].replace("''", "'") if len(value) > 1 and value[0] == value[-1] == "'" else value


def _quoted(value: str) -> str:
    """Quote a value as JSON, which is valid YAML, unless it needs no quotes."""
    plain = re.fullmatch(r"[\w./,+ :-]*", value) and value == value.strip() and not value.startswith("-") and ": " not in value
    return value if plain else json.dumps(value, ensure_ascii=False)
