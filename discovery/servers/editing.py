"""Edits our servers file while preserving comments, order and spacing.

Files of other hosts are never written.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from discovery.catalog import JsonObject
from discovery.discovery_errors import ServersFileError
from discovery.durable_files import replace_file
from discovery.servers import jsonc

_INDENT = "  "
_SPACE = re.compile(r"\s*")
_DECODER = json.JSONDecoder()


def put_server(file: Path, name: str, entry: JsonObject) -> None:
    """Add or replace a server. Raises ServersFileError if the file is no servers file, OSError if it cannot be written."""
    _edit(file, ("mcpServers", name), entry)


def drop_server(file: Path, name: str) -> None:
    """Remove a server's entry, if there is one."""
    _edit(file, ("mcpServers", name), None)


def put_key(file: Path, name: str, key: str, value: Any) -> None:
    """Set one key of a server's entry, which is added if there is none; `None` removes the key."""
    _edit(file, ("mcpServers", name, key), value)


def add_import(file: Path, path: str) -> None:
    """Add another host's file to the `imports` of our file."""
    text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
    imports = jsonc.loads(text or "{}").get("imports", [])
    if path not in imports:
        _edit(file, ("imports",), [*imports, path])


def _edit(file: Path, path: tuple[str, ...], value: Any) -> None:
    text = file.read_text(encoding="utf-8-sig") if file.exists() else "{}\n"
    try:
        changed = edited(text or "{}\n", path, value)
        jsonc.loads(changed)
    except ValueError as error:
        raise ServersFileError(file, ".".join(path), f"cannot be changed: {error}") from error
    if changed != text:
        replace_file(file, changed)


def edited(text: str, path: tuple[str, ...], value: Any) -> str:
    """Set the value at `path` in a JSONC text, adding missing objects; `None` removes the member. Raises ValueError."""
    plain = jsonc.strip(text)
    at = _SPACE.match(plain, 0).end()  # type: ignore[union-attr]  # \s* always matches
    for depth, key in enumerate(path):
        members = list(_members(plain, at))
        member = next((one for one in members if one.key == key), None)
        last = depth == len(path) - 1
        if member is None:
            if value is None:
                return text
            rest: Any = value
            for inner in reversed(path[depth + 1 :]):
                rest = {inner: rest}
            return _inserted(text, plain, at, members, key, rest, depth + 1)
        if last and value is None:
            place = members.index(member)
            if place + 1 < len(members):
                return text[: member.at] + text[members[place + 1].at :]
            start = members[place - 1].end if place else plain.rindex("{", 0, member.at) + 1
            return text[:start] + text[member.end :]
        if last:
            return text[: member.value_at] + _written(value, depth + 1) + text[member.end :]
        at = member.value_at
    return text


class _Member(NamedTuple):
    key: str
    at: int
    value_at: int
    end: int


def _members(plain: str, at: int) -> Iterator[_Member]:
    """Yield the members of the object that starts at `at`, with their positions in the text."""
    if plain[at : at + 1] != "{":
        raise ValueError("there is something else than an object on the way")
    at = _after_space(plain, at + 1)
    while plain[at : at + 1] == '"':
        key, end = _DECODER.raw_decode(plain, at)
        value_at = _after_space(plain, _after_space(plain, end) + 1)
        _, value_end = _DECODER.raw_decode(plain, value_at)
        yield _Member(key, at, value_at, value_end)
        at = _after_space(plain, value_end)
        if plain[at : at + 1] == ",":
            at = _after_space(plain, at + 1)


def _after_space(plain: str, at: int) -> int:
    found = _SPACE.match(plain, at)
    return found.end() if found else at


def _inserted(text: str, plain: str, at: int, members: list[_Member], key: str, value: Any, depth: int) -> str:
    """Insert a member after the last one, or into an empty object."""
    line = f"\n{_INDENT * depth}{json.dumps(key, ensure_ascii=False)}: {_written(value, depth)}"
    if members:
        end = members[-1].end
        return f"{text[:end]},{line}{text[end:]}"
    close = plain.index("}", at)
    return f"{text[: at + 1]}{text[at + 1 : close].rstrip()}{line}\n{_INDENT * (depth - 1)}{text[close:]}"


def _written(value: Any, depth: int) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n" + _INDENT * depth)
