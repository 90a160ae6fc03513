"""Servers files: what is read, what is refused, and what a server gets at connect time."""

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import Effect, Lookup
from discovery.discovery_errors import ServersFileError
from discovery.servers.server_config import EffectOverride, Launch, ServerConfig
from discovery.servers.servers_file import Servers, load_servers
from tests.requirements import requirement


def written(folder: Path, servers: dict[str, Any], name: str = "jiritsu.mcp.json", **top: Any) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"mcpServers": servers, **top}), encoding="utf-8")
    return file


def load(file: Path, **env: str) -> Servers:
    return load_servers(file, env={"HOME": "/home/someone", **env})


def only(file: Path, **env: str) -> ServerConfig:
    (server,) = load(file, **env).servers
    return server


@requirement("D1")
def test_the_seeds_own_file_is_read_as_it_stands(tmp_path: Path) -> None:
    weather = {"transport": "stdio", "command": "python", "args": ["mcp-servers/weather/server.py"], "env": {}}
    server = only(written(tmp_path, {"weather": weather}))
    assert (server.name, server.transport, server.command, server.args) == (
        "weather",
        "stdio",
        "python",
        ("mcp-servers/weather/server.py",),
    )
    assert server.obstacle == ""


@requirement("D1")
def test_a_file_that_is_not_there_means_no_servers(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == Servers()


@requirement("D2", "D16")
def test_every_key_of_ours_is_taken_up(tmp_path: Path) -> None:
    server = only(
        written(
            tmp_path,
            {
                "esa": {
                    "url": "https://esa.example/mcp",
                    "headers": {"Authorization": "Bearer ${ESA_TOKEN}"},
                    "timeout_s": 12,
                    "connectionTimeoutMs": 4000,
                    "allowedTools": ["esa_*"],
                    "blockedTools": ["*_delete"],
                    "effects": {"esa_get_*": {"effect": "read"}, "*": {"effect": "outward", "idempotent": True}},
                    "system_instruction": "s",
                    "response_instruction": "r",
                    "auto_context_tool": "esa_list_posts",
                    "x-jiritsu": {"maxConcurrency": 2},
                }
            },
        )
    )
    assert (server.transport, server.timeout_s, server.connect_timeout_s, server.max_concurrency) == ("http", 12.0, 4.0, 2)
    assert (server.system_instruction, server.response_instruction, server.auto_context_tool) == ("s", "r", "esa_list_posts")
    assert [tool for tool in ("esa_get", "esa_delete", "other") if server.offers(tool)] == ["esa_get"]
    assert server.effect_of("esa_get_post", Effect.WRITE, False) == (Effect.READ, False)
    assert server.effect_of("esa_create", Effect.WRITE, False) == (Effect.OUTWARD, True)


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "a*", "*b", "?", "[ab]", "*"]), unique=True),
    st.sampled_from(["a", "b", "ab", "[ab]", "a*"]),
)
def test_of_all_keys_of_effects_the_first_that_matches_a_tool_counts(keys: list[str], name: str) -> None:
    rules = {key: EffectOverride(lookup=Lookup(tool=f"look_{place}")) for place, key in enumerate(keys)}
    expected = next((rule.lookup for key, rule in rules.items() if fnmatchcase(name, key)), None)
    assert ServerConfig(name="s", effects=rules).lookup_of(name) == expected


def test_a_tool_among_thousands_that_are_declared_one_by_one_is_compared_with_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = list[str]()
    monkeypatch.setattr("discovery.servers.server_config.fnmatchcase", lambda tool, glob: bool(compared.append(glob)))
    server = ServerConfig(name="s", effects={f"tool_{number}": EffectOverride(effect=Effect.READ) for number in range(2_000)})
    assert server.effect_of("tool_1999", Effect.WRITE, False) == (Effect.READ, False)
    assert not server.settles("other")
    assert compared == []


@requirement("D2")
def test_an_unknown_key_is_a_warning_that_names_file_and_key(tmp_path: Path) -> None:
    file = written(tmp_path, {"a": {"command": "x", "comand": "y"}})
    assert load(file).warnings == (f"{file}: mcpServers.a.comand: unknown key, left out; did you mean command?",)


@requirement("K9")
@pytest.mark.parametrize(
    ("entry", "warned"),
    [
        ({"url": "http://a.example/mcp", "headers": {"Authorization": "${KEY}"}}, True),
        ({"url": "http://10.0.0.7:8000/mcp", "headers": {"X-API-Key": "${KEY}"}}, True),
        ({"url": "http://me:${KEY}@a.example/mcp", "auth": "oauth"}, True),
        ({"url": "http://localhost.evil.example/mcp", "auth": "oauth"}, True),
        ({"url": "http://127.0.0.1@evil.example/mcp", "auth": "oauth"}, True),
        ({"url": "https://a.example/mcp", "headers": {"Authorization": "${KEY}"}}, False),
        ({"url": "http://localhost:8000/mcp", "headers": {"Authorization": "${KEY}"}}, False),
        ({"url": "http://[::1]:8000/mcp", "auth": "oauth"}, False),
        ({"url": "http://${HOST}:8000/mcp", "auth": "oauth"}, False),
        ({"url": "http://a.example/mcp?team=a", "headers": {"X-Team": "a"}}, False),
    ],
)
def test_a_secret_that_goes_to_another_machine_in_the_clear_is_a_warning(
    tmp_path: Path, entry: dict[str, Any], warned: bool
) -> None:
    servers = load(written(tmp_path, {"a": entry}), KEY="k")
    assert any("mcpServers.a.url: what signs in there could be read" in one for one in servers.warnings) is warned


@requirement("D2")
def test_an_address_with_a_line_in_it_is_none(tmp_path: Path) -> None:
    server = only(written(tmp_path, {"a": {"url": "https://a.example/\r\nX: y"}}))
    assert "url must be http or https" in server.problem


@requirement("D2")
def test_servers_under_a_misspelt_key_are_a_warning_too(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text('{"mcpServer": {"a": {"command": "x"}}}', encoding="utf-8")
    assert load(file).warnings == (f"{file}: mcpServer: unknown key, left out; did you mean mcpServers?",)
    for beside in ("", ', "mcpServers": {}'):  # as READMEs print an entry, to be pasted into the others
        file.write_text(f'{{"books": {{"command": "x"}}, "$schema": "y"{beside}}}', encoding="utf-8")
        want = f'{file}: books: stands outside of mcpServers, left out: put it into {{"mcpServers": {{…}}}}'
        assert load(file).warnings == (want,)


@requirement("D2", "D3")
def test_a_wrong_type_parks_one_server_with_its_json_path_and_leaves_the_others(tmp_path: Path) -> None:
    file = written(tmp_path, {"bad": {"command": "x", "args": ["ok", 1]}, "good": {"command": "y"}})
    servers = load(file)
    bad, good = servers.servers
    assert bad.obstacle == f"{file}: mcpServers.bad.args[1]: must be text"
    assert good.obstacle == ""


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({}, "needs `command`"),
        ({"command": "x", "url": "https://e.example"}, "names both"),
        ({"type": "http", "command": "x"}, "needs `url`"),
        ({"url": "unix:///run/x"}, "url must be http or https"),
        ({"type": "pigeon", "command": "x"}, "mcpServers.a.type: must be"),
        ({"command": "x", "effects": {"look": "read"}}, "effects.look: must be an object; there are effect, idempotent, lookup"),
        ({"command": "x", "rate_limit": {"calls": 5}}, "mcpServers.a.rate_limit.per_s: must be given"),
        ("npx", "must be an object, not a string"),
        ({"command": "tr\0ue"}, "command has a NUL or half a character"),
        ({"command": "x", "env": {"A": "\ud800"}}, "env has a NUL or half a character"),
        ({"url": "https://e.example", "headers": {"\0": "v"}}, "headers has a NUL or half a character"),
    ],
)
def test_an_entry_that_makes_no_server_says_why(tmp_path: Path, entry: Any, reason: str) -> None:
    assert reason in only(written(tmp_path, {"a": entry})).obstacle


def test_a_file_that_is_no_json_names_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text('{\n  "mcpServers" {}\n}')
    with pytest.raises(ServersFileError, match="line 2, column 16"):
        load(file)
    file.write_text('"books": {"command": "x"}')  # as many READMEs print it
    with pytest.raises(ServersFileError, match=r'line 1, column 8: an entry alone; put it into \{"mcpServers": \{…\}\}'):
        load(file)


def test_a_variable_without_a_value_means_the_server_needs_it_and_the_placeholder_is_never_sent(tmp_path: Path) -> None:
    server = only(written(tmp_path, {"a": {"command": "x", "env": {"T": "${TOKEN}", "D": "${D:-d}", "N": "${N:-${M}}"}}}))
    assert server.launch({}).needs == "needs TOKEN, M"
    assert server.launch({"TOKEN": "t", "M": "m"}).env == {"T": "t", "D": "d", "N": "m"}
    assert server.env["T"] == "${TOKEN}"


def test_no_secret_shows_in_the_representation_of_what_is_started() -> None:
    server = ServerConfig(name="a", command="x", env={"T": "${TOKEN}"}, headers={"H": "literal-secret"})
    assert "hunter2" not in repr(server.launch({"TOKEN": "hunter2"}))
    assert "literal-secret" not in repr(server)


def test_effects_without_a_matching_rule_stay_what_the_annotations_say() -> None:
    server = ServerConfig(name="a", command="x", effects={"get_*": EffectOverride(idempotent=True)})
    assert server.effect_of("get_x", Effect.WRITE, False) == (Effect.WRITE, True)
    assert server.effect_of("put_x", Effect.DESTRUCTIVE, False) == (Effect.DESTRUCTIVE, False)


@requirement("S7")
@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ({"command": "x", "args": ["--token", "abc", "--api-key=abc", "-v"]}, "x --token (hidden) --api-key=(hidden) -v"),
        ({"command": "x", "args": ["--token", "${T}", "--key=${K}"]}, "x --token ${T} --key=${K}"),
        ({"command": "x", "args": ["postgresql://me:abc@db/x"]}, "x postgresql://(hidden)@db/x"),
        ({"url": "https://e.example/mcp?key=abc&team=${T}"}, "https://e.example/mcp?key=(hidden)&team=${T}"),
    ],
)
def test_a_literal_secret_in_a_command_or_address_is_not_shown(tmp_path: Path, entry: dict[str, Any], shown: str) -> None:
    server = only(written(tmp_path, {"a": entry}))
    assert server.target == shown
    assert "abc" not in server.obstacle


def test_a_program_is_looked_for_where_it_would_be_started(tmp_path: Path) -> None:
    (tmp_path / "beside").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "beside").chmod(0o700)
    beside = Launch(command="./beside", cwd=str(tmp_path))
    assert beside.absent == ""
    assert beside.model_copy(update={"cwd": "/"}).absent == "no command ./beside"
    assert Launch(command="beside", env={"PATH": str(tmp_path)}).absent == ""
    assert Launch(command="beside", env={"PATH": "/nowhere"}).absent == "no command beside"
    assert Launch(url="https://e.example/mcp").absent == ""
