"""A stdio server that tries to leave its isolation, in a real bubblewrap."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from discovery.gateway import open_gateway
from discovery.servers import isolation
from discovery.servers.isolation import Isolation, isolated
from discovery.servers.server_config import ServerConfig
from discovery.servers.servers_file import load_servers
from tests.requirements import requirement
from tests.support.server_configs import stdio_server

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None
    or subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False, capture_output=True).returncode
    != 0,
    reason="bubblewrap cannot be used here",
)
ESCAPE = """
import json, pathlib, socket, sys
secret, granted, outside, port, project = sys.argv[1:]
def tried(what):
    try:
        return what() or "done"
    except OSError as error:
        return type(error).__name__
print(json.dumps({
    "reads a secret": tried(lambda: pathlib.Path(secret, "secret").read_text()),
    "reads a project": tried(lambda: str(list(pathlib.Path(project).iterdir()))),
    "writes where it may": tried(lambda: str(pathlib.Path(granted, "made").write_text("x"))),
    "writes elsewhere": tried(lambda: str(pathlib.Path(outside, "made").write_text("x"))),
    "writes into the system": tried(lambda: str(pathlib.Path("/usr/made-by-a-server").write_text("x"))),
    "calls home": tried(lambda: socket.create_connection(("127.0.0.1", int(port)), 3).close()),
    "reads password hashes": tried(lambda: pathlib.Path("/etc/shadow").read_text()),
    "knows the users": tried(lambda: pathlib.Path("/etc/passwd").read_text()[:4]),
    "sees processes": len([one for one in pathlib.Path("/proc").iterdir() if one.name.isdigit()]),
}))
"""


@requirement("N1")
@needs_bubblewrap
def test_a_server_inside_reads_writes_and_reaches_only_what_it_was_granted(tmp_path: Path) -> None:
    granted, outside = tmp_path / "granted", tmp_path / "outside"
    (tmp_path / "secret").write_text("s3cret")
    granted.mkdir()
    outside.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        arguments = (
            "-I",
            "-S",
            "-c",
            ESCAPE,
            str(tmp_path),
            str(granted),
            str(outside),
            str(listening.getsockname()[1]),
            str(Path(__file__).parent),
        )
        allowed = Isolation(write=(str(granted),))
        command, args, lacking = isolated(allowed, sys.executable, arguments, cwd="", env={"HOME": str(tmp_path)})
        assert lacking == ""
        done = subprocess.run([command, *args], capture_output=True, text=True, check=False, timeout=120)
    tried = json.loads(done.stdout or done.stderr)
    assert tried.pop("sees processes") < 5
    assert tried.pop("writes where it may") == "1"
    assert tried.pop("reads password hashes") in ("done", "PermissionError", "FileNotFoundError"), (
        "done: there was nothing to read"
    )
    assert tried.pop("knows the users") == "root"
    assert tried == {
        "reads a secret": "FileNotFoundError",
        "reads a project": "FileNotFoundError",
        "writes elsewhere": tried["writes elsewhere"],
        "writes into the system": "OSError",
        "calls home": "ConnectionRefusedError",
    }
    assert (granted / "made").read_text() == "x"
    assert list(outside.iterdir()) == [], "what it wrote elsewhere was never there"


@requirement("N1")
def test_of_the_systems_settings_only_what_everybody_may_read_is_there(tmp_path: Path) -> None:
    for name, mode in (("hosts", 0o644), ("shadow", 0o640), ("keys", 0o700), ("certs", 0o755)):
        path = tmp_path / name
        path.mkdir() if name in ("keys", "certs") else path.touch()
        path.chmod(mode)
    (tmp_path / "certs/private.pem").touch(mode=0o600)
    (tmp_path / "link").symlink_to("/nowhere")
    kept_out = {path.relative_to(tmp_path).as_posix() for path in isolation._not_for_everybody(tmp_path)}
    assert kept_out == {"shadow", "keys", "certs/private.pem"}


@needs_bubblewrap
def test_a_script_inside_finds_the_interpreter_that_its_first_line_names(tmp_path: Path) -> None:
    script = tmp_path / "project" / "bin" / "server"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable} -IS\nprint('it runs')\n")
    script.chmod(0o755)
    command, args, lacking = isolated(Isolation(), str(script), (), cwd="", env={"HOME": str(Path.home())})
    assert lacking == ""
    done = subprocess.run([command, *args], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "it runs\n", done.stderr


@requirement("N1")
@needs_bubblewrap
def test_a_program_that_npm_installed_finds_what_was_installed_with_it_and_nothing_beside(tmp_path: Path) -> None:
    program, library = tmp_path / "node_modules" / "server" / "dist" / "index.js", tmp_path / "node_modules" / "library"
    for folder in (program.parent, library):
        folder.mkdir(parents=True)
    (library / "words").write_text("from the library")
    (tmp_path / "private").write_text("s3cret")
    program.write_text(
        "import pathlib, sys; root = pathlib.Path(sys.argv[0]).parents[3]\n"
        "print((root / 'node_modules/library/words').read_text(), (root / 'private').exists())"
    )
    command, args, lacking = isolated(
        Isolation(), sys.executable, ("-I", "-S", str(program)), cwd="", env={"HOME": str(Path.home())}
    )
    assert lacking == ""
    done = subprocess.run([command, *args], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "from the library False\n", done.stderr


@requirement("N1")
@needs_bubblewrap
async def test_an_isolated_server_works_like_any_other() -> None:
    config = stdio_server("inside", tools=2, entry={"isolate": Isolation()})
    with anyio.fail_after(240):
        async with open_gateway([config]) as gateway:
            catalog = await gateway.catalog(needed=["inside"], wait_s=100)
            assert [spec.name for spec in catalog.callable_tools] == ["inside_tool_0", "inside_tool_1"]


def test_without_bubblewrap_an_isolated_server_is_not_started_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "BUBBLEWRAP", "no-such-program")
    launch = ServerConfig(name="x", command=sys.executable, isolate=Isolation()).launch({})
    assert "which `isolate` needs" in launch.needs


def test_isolate_is_read_from_the_servers_file_and_what_does_not_fit_is_named(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    entries = {"a": {"command": "x", "isolate": True}, "b": {"command": "x", "isolate": {"network": True, "read": ["docs"]}}}
    file.write_text(json.dumps({"mcpServers": {**entries, "c": {"command": "x", "isolate": {"net": 1}}}}))
    found = {server.name: server for server in load_servers(file, env={}).servers}
    assert found["a"].isolate == Isolation()
    assert found["b"].isolate == Isolation(network=True, read=("docs",))
    assert "isolate" in found["c"].problem


def test_a_secret_comes_from_the_keyring_and_one_that_is_not_there_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import types

    kept = types.SimpleNamespace(
        get_password=lambda service, name: {"github": "s3cret"}.get(name) if service == "jiritsu" else None
    )
    monkeypatch.setitem(sys.modules, "keyring", kept)
    config = ServerConfig(name="x", command="x", env={"TOKEN": "${keyring:github}", "OTHER": "${keyring:none}"})
    launch = config.launch({})
    assert launch.env == {"TOKEN": "s3cret", "OTHER": ""}
    assert launch.needs == "needs keyring:none (keyring set jiritsu none)"
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert "pip install 'jiritsu[keyring]'" in config.launch({}).needs


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (RuntimeError("No recommended backend was available. Install one."), "No recommended backend was available"),
        (
            ModuleNotFoundError("No module named 'keyring.backends.x'", name="keyring.backends.x"),
            "No module named 'keyring.backends.x'",
        ),
        (PermissionError(), "PermissionError"),
    ],
)
def test_a_keyring_that_cannot_be_asked_says_why_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, told: str
) -> None:
    import types

    def refuse(service: str, name: str) -> str:
        raise raised

    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=refuse))
    config = ServerConfig(name="x", command="x", env={"TOKEN": "${keyring:github}"})
    assert config.launch({}).needs == f"needs the keyring (github): {told}"
