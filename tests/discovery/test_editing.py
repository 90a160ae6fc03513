"""Changing our own servers file keeps everything else in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from discovery.discovery_errors import ServersFileError
from discovery.servers import jsonc
from discovery.servers.editing import add_import, drop_server, edited, put_key, put_server

FILE = """\
{
  // our servers
  "mcpServers": {
    "weather": { "command": "py", "args": ["a"] }, // the weather
    "b": { "command": "x" },
  },
}
"""


def test_a_new_server_stands_behind_the_others_and_comments_stay(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text(FILE)
    put_server(file, "new", {"command": "n"})
    put_key(file, "weather", "disabled", True)
    drop_server(file, "b")
    add_import(file, "/x/.mcp.json")
    assert file.read_text() == snapshot("""\
{
  // our servers
  "mcpServers": {
    "weather": { "command": "py", "args": ["a"],
      "disabled": true }, // the weather
    "new": {
      "command": "n"
    },
  },
  "imports": [
    "/x/.mcp.json"
  ],
}
""")
    put_key(file, "weather", "disabled", None)
    assert jsonc.loads(file.read_text())["mcpServers"]["weather"] == {"command": "py", "args": ["a"]}


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    file = tmp_path / "new" / "jiritsu.mcp.json"
    put_key(file, "a", "disabled", True)
    add_import(file, "x")
    add_import(file, "x")
    assert jsonc.loads(file.read_text()) == {"mcpServers": {"a": {"disabled": True}}, "imports": ["x"]}


def test_a_file_that_is_no_servers_file_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text('{"mcpServers": []}')
    with pytest.raises(ServersFileError, match="cannot be changed"):
        put_server(file, "a", {"command": "x"})
    assert file.read_text() == '{"mcpServers": []}'


names = st.text(min_size=1, max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(names, values, max_size=4)


@given(document=objects, key=names, value=values.filter(lambda value: value is not None))
def test_an_edit_changes_one_member_and_nothing_else(document: dict[str, Any], key: str, value: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    assert jsonc.loads(edited(text, (key,), value)) == {**document, key: value}
    assert jsonc.loads(edited(text, (key,), None)) == {name: kept for name, kept in document.items() if name != key}


@given(objects)
def test_comments_and_trailing_commas_change_no_value(document: dict[str, Any]) -> None:
    plain = json.dumps(document, ensure_ascii=False)
    noisy = '// say "hi" {,}\n' + plain[:-1] + (", /* } */ }" if document else "/* , */}")
    assert jsonc.loads(noisy) == document
    assert len(jsonc.strip(noisy)) == len(noisy)
