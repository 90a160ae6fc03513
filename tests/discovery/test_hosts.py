"""Other hosts' servers files, unchanged: each with its own keys, units, defaults and traps."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.discovery_errors import ServersFileError
from discovery.servers.host_keys import _READERS
from discovery.servers.hosts import host_files
from discovery.servers.server_config import ServerConfig
from discovery.servers.servers_file import Servers, load_servers
from tests.requirements import requirement


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "project"
    folder.mkdir(parents=True)
    return folder


def read(file: Path, text: str | dict[str, Any], **env: str) -> Servers:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return load_servers(file, env={"HOME": str(file.parents[-2]), **env})


def one(file: Path, text: str | dict[str, Any], **env: str) -> ServerConfig:
    (server,) = read(file, text, **env).servers
    return server


@requirement("D1")
def test_claude_desktop(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_text(
        json.dumps(
            {
                "globalShortcut": "Ctrl+Space",
                "mcpServers": {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]}},
            }
        )
    )
    servers = load_servers(file, env={"HOME": str(tmp_path)})
    (server,) = servers.servers
    assert (server.host, server.command, server.obstacle, servers.warnings) == ("claude_desktop", "npx", "", ())


@requirement("D1")
def test_claude_codes_project_file_fills_variables_and_waits_for_trust(project: Path) -> None:
    server = one(
        project / ".mcp.json",
        {
            "mcpServers": {
                "api": {
                    "type": "http",
                    "url": "${API_BASE:-https://api.example}/mcp",
                    "headers": {"Authorization": "Bearer ${API_KEY}"},
                    "timeout": 60000,
                }
            }
        },
    )
    assert (server.host, server.transport, server.timeout_s) == ("claude_code", "http", 60.0)
    launch = server.launch({"API_KEY": "k", "API_BASE": ""})
    assert (launch.url, launch.headers) == ("https://api.example/mcp", {"Authorization": "Bearer k"})
    assert "jiritsu servers trust api" in server.obstacle


def test_a_bare_dollar_is_no_variable_except_in_geminis_file(project: Path) -> None:
    entry = {"mcpServers": {"a": {"command": "x", "args": ["$HOME_DIR", "${B}"]}}}
    assert one(project / ".mcp.json", entry).launch({"HOME_DIR": "/h", "B": "b"}).args == ("$HOME_DIR", "b")
    assert one(project / ".gemini" / "settings.json", entry).launch({"HOME_DIR": "/h", "B": "b"}).args == ("/h", "b")


@requirement("D1")
def test_vs_code_with_comments_inputs_and_its_own_container(project: Path) -> None:
    text = """{
      // what we ask for
      "inputs": [
        {"type": "promptString", "id": "api-key", "description": "key", "password": true},
        {"type": "promptString", "id": "team", "default": "docs"}, /* trailing comma */
      ],
      "servers": {
        "esa": {
          "type": "stdio",
          "command": "${workspaceFolder}/run.sh",
          "args": ["--team", "${input:team}", "http://not-a-comment"],
          "env": {"KEY": "${input:api-key}", "WHO": "${env:WHO}"},
          "envFile": "${workspaceFolder}/.env",
          "dev": {"watch": "src/**"},
        },
      },
    }"""
    (project / ".env").write_text('export STAGE="test" \n# comment\nWHO=file\n')
    servers = read(project / ".vscode" / "mcp.json", text)
    (server,) = servers.servers
    assert (server.host, servers.warnings) == ("vscode", ())
    launch = server.launch({"JIRITSU_INPUT_API_KEY": "s3cret", "WHO": "me"})
    assert launch.command == f"{project}/run.sh"
    assert launch.args == ("--team", "docs", "http://not-a-comment")
    assert launch.env == {"STAGE": "test", "KEY": "s3cret", "WHO": "me"}
    assert server.launch({"WHO": "me"}).needs == "needs JIRITSU_INPUT_API_KEY"


@pytest.mark.parametrize("name", [".vscode/settings.json", "jiritsu.mcp.json"])
def test_servers_of_vs_codes_settings_are_read_where_they_were_pasted_too(project: Path, name: str) -> None:
    inputs = [{"type": "promptString", "id": "team", "default": "docs"}]
    server = one(
        project / name, {"mcp": {"inputs": inputs, "servers": {"a": {"command": "x", "args": ["${input:team}"]}}}, "editor.x": 1}
    )
    assert (server.host, server.launch({}).args) == ("vscode", ("docs",))


@pytest.mark.parametrize("name", ["gone.env", "latin1.env", "nul\0.env"])
def test_an_env_file_that_cannot_be_read_is_named(project: Path, name: str) -> None:
    (project / "latin1.env").write_bytes(b"A=\xe9")
    server = one(project / ".vscode" / "mcp.json", {"servers": {"a": {"command": "x", "envFile": name}}})
    assert server.launch({}).needs == f"needs {project / name}"


def test_an_import_from_a_home_that_does_not_exist_is_a_warning(project: Path) -> None:
    assert "nobody-here" in read(project / "jiritsu.mcp.json", {"imports": ["~nobody-here/mcp.json"]}).warnings[0]


@requirement("D1")
def test_cursor(project: Path) -> None:
    entry = {
        "url": "https://e.example/mcp",
        "auth": {"CLIENT_ID": "${env:ID}", "CLIENT_SECRET": "${env:SECRET}", "scopes": ["read"]},
    }
    server = one(project / ".cursor" / "mcp.json", {"mcpServers": {"a": entry}})
    assert (server.host, server.transport) == ("cursor", "http")
    signing_in = server.launch({"ID": "i", "SECRET": "s"}).oauth
    assert signing_in is not None
    assert (signing_in.client_id, signing_in.client_secret, signing_in.scopes) == ("i", "s", ("read",))
    folders = {"command": "x", "args": ["${workspaceFolderBasename}", "${userHome}${/}x"]}
    launch = one(project / ".cursor" / "mcp.json", {"mcpServers": {"a": folders}}).launch({"HOME": "/home/me"})
    assert launch.args == ("project", "/home/me/x")


@requirement("D1")
def test_windsurf_names_the_address_server_url_and_lists_disabled_tools(tmp_path: Path) -> None:
    entry = {"serverUrl": "https://e.example/mcp", "disabledTools": ["drop_*"], "disabled": True}
    server = one(tmp_path / "windsurf" / "mcp_config.json", {"mcpServers": {"a": entry}})
    assert (server.host, server.transport, server.url, server.sse) == ("windsurf", "http", "https://e.example/mcp", False)
    assert [tool for tool in ("drop_all", "list") if server.offers(tool)] == ["list"]
    assert server.obstacle == "disabled in the servers file"


@requirement("D1")
def test_geminis_url_is_the_old_transport_its_http_url_the_new_and_its_trust_only_a_proposal(project: Path) -> None:
    servers = read(
        project / ".gemini" / "settings.json",
        {
            "theme": "dark",
            "mcpServers": {
                "old": {"url": "https://e.example/events"},
                "new": {"httpUrl": "https://e.example/mcp", "url": "https://e.example/events", "trust": True},
                "some": {"command": "x", "includeTools": ["a", "b"], "excludeTools": ["b"], "timeout": 600000},
            },
        },
    )
    old, new, some = servers.servers
    assert (old.sse, new.sse, new.url) == (True, False, "https://e.example/mcp")
    assert new.proposed_approvals == ("*",)
    assert ([tool for tool in "abc" if some.offers(tool)], some.timeout_s) == (["a"], 600.0)
    assert not any(server.trusted for server in servers.servers)


@requirement("D1")
def test_clines_timeout_counts_seconds_and_its_approvals_are_proposals(tmp_path: Path) -> None:
    entry = {
        "type": "streamable-http",
        "url": "https://e.example/mcp",
        "timeout": 60,
        "autoApprove": ["read"],
        "alwaysAllow": ["list"],
    }
    server = one(tmp_path / "cline_mcp_settings.json", {"mcpServers": {"a": entry}})
    assert (server.host, server.transport, server.timeout_s) == ("cline", "http", 60.0)
    assert server.proposed_approvals == ("read", "list")


@requirement("D1")
def test_codex_in_toml_without_templates(project: Path) -> None:
    server, remote = read(
        project / ".codex" / "config.toml",
        """
        model = "gpt-6"
        [mcp_servers.docs]
        command = "docs-server"
        args = ["--literal", "${NOT_A_TEMPLATE}"]
        env = { MODE = "${ALSO_LITERAL}" }
        env_vars = ["TOKEN"]
        startup_timeout_sec = 20
        tool_timeout_sec = 45.5
        enabled_tools = ["read_*"]
        [mcp_servers.remote]
        url = "https://e.example/mcp"
        bearer_token_env_var = "BEARER"
        http_headers = { X-Static = "1" }
        env_http_headers = { X-Team = "TEAM" }
        enabled = false
        """,
    ).servers
    launch = server.launch({"TOKEN": "t", "NOT_A_TEMPLATE": "no", "ALSO_LITERAL": "no"})
    assert launch.args == ("--literal", "${NOT_A_TEMPLATE}")
    assert launch.env == {"MODE": "${ALSO_LITERAL}", "TOKEN": "t"}
    assert (server.connect_timeout_s, server.timeout_s, server.offers("write_x")) == (20.0, 45.5, False)
    assert remote.disabled
    assert remote.launch({"BEARER": "b", "TEAM": "docs"}).headers == {
        "Authorization": "Bearer b",
        "X-Static": "1",
        "X-Team": "docs",
    }
    assert remote.launch({}).needs == "needs BEARER, TEAM"


def test_copilot_calls_stdio_local(tmp_path: Path) -> None:
    file = tmp_path / ".copilot" / "mcp-config.json"
    server = one(file, {"mcpServers": {"a": {"type": "local", "command": "x", "args": [], "tools": ["*"]}}})
    assert (server.host, server.transport, server.offers("anything")) == ("copilot", "stdio", True)


def test_openclaw_speaks_the_old_transport_unless_told_otherwise(tmp_path: Path) -> None:
    old, new = read(
        tmp_path / "openclaw.json",
        {
            "mcp": {
                "servers": {
                    "old": {"url": "https://e.example/x", "connectionTimeoutMs": 2500},
                    "new": {"url": "https://e.example/x", "transport": "streamable-http", "toolFilter": {"exclude": ["rm_*"]}},
                }
            }
        },
    ).servers
    assert (old.sse, new.sse, old.connect_timeout_s, new.offers("rm_all")) == (True, False, 2.5, False)


def test_an_address_that_ends_in_sse_means_the_old_transport_to_everyone(project: Path) -> None:
    server = one(project / ".mcp.json", {"mcpServers": {"a": {"url": "https://e.example/sse?x=1"}}})
    assert (server.transport, server.sse) == ("http", True)


def test_a_timeout_below_one_second_is_a_mix_up_of_units_and_says_so(project: Path) -> None:
    servers = read(project / ".mcp.json", {"mcpServers": {"a": {"command": "x", "timeout": 30}}})
    assert servers.servers[0].timeout_s is None
    assert "mcpServers.a.timeout: 30 means 0.03 s here, under 1 s" in servers.warnings[0]


def test_a_wrong_type_is_told_the_types_that_are_documented(project: Path) -> None:
    entry = {"type": "websocket", "url": "wss://e.example"}
    assert one(project / ".mcp.json", {"mcpServers": {"a": entry}}).problem.endswith(".a.type: must be 'stdio', 'http' or 'sse'")


def test_variables_that_load_other_code_are_left_out_with_a_warning(project: Path) -> None:
    env = {"LD_PRELOAD": "evil.so", "NODE_OPTIONS": "-r evil", "OK": "1", "API_TOKEN": "abc123"}
    servers = read(project / ".mcp.json", {"mcpServers": {"a": {"command": "x", "env": env}}})
    assert set(servers.servers[0].env) == {"OK", "API_TOKEN"}
    assert [warning.split(": ", 2)[1] for warning in servers.warnings] == [
        "mcpServers.a.env.LD_PRELOAD",
        "mcpServers.a.env.NODE_OPTIONS",
        "mcpServers.a.env.API_TOKEN",
    ]


def test_claude_codes_settings_hold_the_servers_of_this_project_before_the_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    servers = read(
        tmp_path / ".claude.json",
        {
            "mcpServers": {"a": {"command": "person"}, "b": {"command": "person"}},
            "projects": {str(tmp_path): {"mcpServers": {"a": {"command": "project"}}}},
        },
    )
    assert {server.name: server.command for server in servers.servers} == {"a": "project", "b": "person"}


def test_a_repeated_key_is_refused_because_readers_disagree_which_counts(project: Path) -> None:
    with pytest.raises(Exception, match="'a' stands twice"):
        read(project / ".mcp.json", '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')


class TestImports:
    """Our own file may read others', and keep its say over them."""

    def test_imported_servers_join_and_our_own_win(self, project: Path) -> None:
        read(project / ".mcp.json", {"mcpServers": {"a": {"command": "theirs"}, "b": {"command": "theirs"}}})
        own = {"imports": [".mcp.json"], "mcpServers": {"a": {"command": "ours"}}}
        servers = read(project / "jiritsu.mcp.json", own)
        assert {server.name: (server.command, server.trusted) for server in servers.servers} == {
            "b": ("theirs", False),
            "a": ("ours", True),
        }

    def test_an_entry_without_a_command_adds_its_keys_to_the_imported_one(self, project: Path) -> None:
        theirs = {"command": "x", "env": {"A": "1"}, "alwaysAllow": ["y"]}
        read(project / ".roo" / "mcp.json", {"mcpServers": {"a": theirs}})
        overlay = {"disabled": True, "env": {"B": "${B}"}, "system_instruction": "s"}
        server = one(project / "jiritsu.mcp.json", {"imports": [".roo/mcp.json"], "mcpServers": {"a": overlay}})
        assert (server.command, server.env, server.disabled) == ("x", {"A": "1", "B": "${B}"}, True)
        assert (server.system_instruction, server.trusted, server.host) == ("s", False, "cline")

    def test_an_import_that_is_not_there_or_damaged_is_a_warning(self, project: Path) -> None:
        (project / "damaged.json").write_text("{")
        own = {"imports": ["gone.json", "damaged.json"], "mcpServers": {"a": {"command": "x"}}}
        servers = read(project / "jiritsu.mcp.json", own)
        assert [server.name for server in servers.servers] == ["a"]
        assert ["gone.json" in servers.warnings[0], "damaged.json" in servers.warnings[1]] == [True, True]

    def test_a_file_with_a_name_of_our_own_form_still_needs_trust_when_it_is_imported(self, project: Path) -> None:
        read(project / "team.json", {"mcpServers": {"a": {"command": "x"}}})
        assert not one(project / "jiritsu.mcp.json", {"imports": ["team.json"]}).trusted


def test_files_of_other_hosts_are_found_from_here_up_to_home(tmp_path: Path) -> None:
    here = tmp_path / "work" / "deep"
    for name in (
        "work/deep/.mcp.json",
        "work/.cursor/mcp.json",
        ".codex/config.toml",
        ".config/Claude/claude_desktop_config.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert [str(file.relative_to(tmp_path)) for file in host_files(here, tmp_path)] == [
        "work/deep/.mcp.json",
        "work/.cursor/mcp.json",
        ".codex/config.toml",
        ".config/Claude/claude_desktop_config.json",
    ]


def test_a_name_that_only_looks_personal_does_not_make_a_file_so(tmp_path: Path) -> None:
    file = tmp_path / "project" / "claude_desktop_config.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": {"a": {"command": "evil"}}}))
    (server,) = load_servers(file, env={"HOME": str(tmp_path)}).servers
    assert not server.trusted


FILES = (
    "x.mcp.json",
    ".mcp.json",
    ".claude.json",
    "mcp_config.json",
    "openclaw.json",
    "claude_desktop_config.json",
    ".vscode/mcp.json",
)
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from(["${A}", "http://e"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
some_entry = st.dictionaries(st.sampled_from([*_READERS, "x-jiritsu", "strange"]), anything, max_size=5)
servers_like = st.dictionaries(st.text(max_size=4), some_entry | anything, max_size=3) | anything
documents = st.dictionaries(
    st.sampled_from(["mcpServers", "servers", "inputs", "imports", "mcp", "projects", "mcp_servers"]), servers_like, max_size=3
)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=3)
@given(document=documents)
def test_whatever_stands_in_a_file_is_servers_with_their_problems_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, document: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    with suppress(ServersFileError):
        for server in read(folder / name, document, HOME=str(folder)).servers:
            assert server.obstacle or server.target
            assert server.fingerprint
            server.launch({})


def test_values_of_variables_that_are_no_text_are_taken_as_the_hosts_take_them(tmp_path: Path) -> None:
    env = {"PORT": 8080, "DEBUG": True, "NONE": None, "NAME": "x"}
    server = one(tmp_path / "claude_desktop_config.json", {"mcpServers": {"a": {"command": "x", "env": env}}})
    assert server.env == {"PORT": "8080", "DEBUG": "true", "NAME": "x"}


def test_a_file_as_windows_programs_write_it(tmp_path: Path) -> None:
    text = '{\r\n  "mcpServers": {"files": {"command": "C:\\\\Program Files\\\\nodejs\\\\npx.cmd", "args": ["C:\\\\Users\\\\k"]},}\r\n}'
    for number, encoding in enumerate(("utf-8-sig", "utf-16", "utf-8")):
        file = tmp_path / str(number) / "claude_desktop_config.json"
        file.parent.mkdir()
        file.write_bytes(text.encode(encoding))
        (server,) = load_servers(file, env={"HOME": str(tmp_path)}).servers
        launch = server.launch({})
        assert (launch.command, launch.args) == ("C:\\Program Files\\nodejs\\npx.cmd", ("C:\\Users\\k",))


def test_settings_of_a_sign_in_that_only_another_host_reads_do_not_cost_the_server(project: Path) -> None:
    claude = {"type": "http", "url": "https://x.example", "oauth": {"clientId": "me", "callbackPort": 8080}}
    (remote,) = read(project / ".mcp.json", {"mcpServers": {"a": claude}}).servers
    assert remote.oauth is not None
    assert (remote.problem, remote.oauth.client_id) == ("", "me")
    gemini = {
        "httpUrl": "https://x.example",
        "authProviderType": "google_credentials",
        "oauth": {"enabled": False, "issuer": "x"},
    }
    (remote,) = read(project / ".gemini" / "settings.json", {"mcpServers": {"a": gemini}}).servers
    assert (remote.problem, remote.oauth) == ("", None)


def test_geminis_own_lists_of_servers_are_kept(project: Path) -> None:
    servers = {name: {"command": "x"} for name in ("in", "out", "other")}
    file = {"mcp": {"allowed": ["in", "out"], "excluded": ["out"]}, "mcpServers": servers}
    found = read(project / ".gemini" / "settings.json", file).servers
    assert {server.name: server.disabled for server in found} == {"in": False, "out": True, "other": True}


def test_codexs_settings_by_tool_old_units_and_named_variables(tmp_path: Path) -> None:
    text = """
        [mcp_servers.docs]
        command = "npx"
        env_vars = ["TOKEN", { name = "OTHER", source = "local" }]
        startup_timeout_ms = 20000
        [mcp_servers.docs.tools.search]
        approval_mode = "approve"
    """
    server = one(tmp_path / ".codex" / "config.toml", text)
    assert (server.problem, server.include, server.connect_timeout_s) == ("", (), 20.0)
    assert server.env == {"TOKEN": "${TOKEN}", "OTHER": "${OTHER}"}


@pytest.mark.parametrize("timeout", ["-5", "0", "1e400", "30"])
def test_a_timeout_that_is_no_time_is_left_out_with_a_warning(project: Path, timeout: str) -> None:
    found = read(project / "jiritsu.mcp.json", f'{{"mcpServers": {{"a": {{"command": "x", "timeout": {timeout}}}}}}}')
    assert found.servers[0].timeout_s is None
    assert "the default applies" in found.warnings[0]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('{"": {"command": "x"}}', "needs a name"),
        ('{"a": {"command": "x", "args": "one two"}}', "mcpServers.a.args: must be a list"),
    ],
)
def test_an_entry_that_is_none_says_so_in_plain_words(project: Path, entry: str, words: str) -> None:
    (server,) = read(project / "jiritsu.mcp.json", f'{{"mcpServers": {entry}}}').servers
    assert words in server.problem


def test_a_file_with_nothing_in_it_means_no_servers(project: Path) -> None:
    assert read(project / "jiritsu.mcp.json", " \n ").servers == ()
