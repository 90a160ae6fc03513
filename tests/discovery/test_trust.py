"""Trust: what runs from other people's files, and when it must be asked for again."""

import json
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from discovery.catalog import ProviderState
from discovery.discovery_errors import ServersFileError
from discovery.durable_files import replace_file
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.servers.servers_file import load_servers
from discovery.servers.trust import TrustStore
from tests.requirements import requirement
from tests.support.server_configs import PATIENT


def project_server(folder: Path, entry: dict[str, Any], store: TrustStore) -> ServerConfig:
    file = folder / ".mcp.json"
    file.write_text(json.dumps({"mcpServers": {"a": entry}}))
    (server,) = load_servers(file, env={"HOME": "/home/me"}, trusted=store.approvals()).servers
    return server


@pytest.mark.parametrize(
    "changed",
    [
        {"command": "y"},
        {"args": ["b"]},
        {"env": {"PYTHONPATH": "/elsewhere"}},
        {"cwd": "/tmp"},
        {"envFile": ".env"},
        {"roots": ["${OPENAI_API_KEY}"]},
    ],
)
def test_a_trusted_server_runs_until_what_would_run_changes(tmp_path: Path, changed: dict[str, Any]) -> None:
    store = TrustStore(tmp_path / "trusted.json")
    entry = {"command": "x", "args": ["a"], "env": {"PYTHONPATH": "/here"}}
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    assert project_server(tmp_path, entry, store).obstacle == ""
    assert project_server(tmp_path, {**entry, "timeout": 5000, "disabledTools": ["x"]}, store).trusted
    assert not project_server(tmp_path, {**entry, **changed}, store).trusted


@requirement("K8")
async def test_a_server_of_a_foreign_file_is_not_started_before_somebody_trusts_it(tmp_path: Path) -> None:
    store, started = TrustStore(tmp_path / "trusted.json"), tmp_path / "started"
    entry = {"command": "sh", "args": ["-c", f": > '{started}'"]}
    found = await anyio.to_thread.run_sync(project_server, tmp_path, entry, store)
    async with open_gateway([found], settings=PATIENT) as gateway:
        await gateway.settle(60)
        (provider,) = gateway.status()
    assert provider.state is ProviderState.PARKED
    assert "waits for `jiritsu servers trust a`" in provider.reason
    assert not started.exists()

    await anyio.to_thread.run_sync(lambda: store.trust(found, at=1.0))
    found = await anyio.to_thread.run_sync(project_server, tmp_path, entry, store)
    async with open_gateway([found], settings=PATIENT) as gateway:
        with anyio.fail_after(240):
            while not gateway.status()[0].reason:
                await gateway.next_change()
    assert started.exists()


def test_trust_can_be_taken_back_and_only_one_version_of_a_server_has_it(tmp_path: Path) -> None:
    store = TrustStore(tmp_path / "trusted.json")
    first, second = ServerConfig(name="a", command="x"), ServerConfig(name="a", command="y")
    store.trust(first, at=1.0)
    store.trust(second, at=2.0)
    assert store.approvals() == {second.approval}
    assert (store.revoke("a"), store.revoke("a"), store.approvals()) == (True, False, frozenset())


@requirement("K8")
def test_the_same_entry_in_another_folder_is_another_program(tmp_path: Path) -> None:
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": "python3", "args": ["server.py"]}
    mine, theirs, linked = (tmp_path / name for name in ("mine", "theirs", "linked"))
    for folder in (mine, theirs, linked):
        folder.mkdir()
    store.trust(project_server(mine, entry, store), at=1.0)
    assert project_server(mine, entry, store).trusted
    assert not project_server(theirs, entry, store).trusted
    (linked / ".mcp.json").symlink_to(mine / ".mcp.json")
    assert not project_server(linked, entry, store).trusted
    store.trust(project_server(theirs, entry, store), at=2.0)
    assert project_server(mine, entry, store).trusted, "trust in one folder takes none from another"


@requirement("K8")
@pytest.mark.parametrize(
    "added",
    [{"args": ["evil.py"]}, {"cwd": "/evil"}, {"env": {"API": "evil.example"}}, {"effects": {"tell": {"effect": "read"}}}],
)
@pytest.mark.parametrize("personal", [True, False])
def test_what_a_found_file_adds_to_a_trusted_server_waits_for_trust(
    tmp_path: Path, added: dict[str, Any], personal: bool
) -> None:
    home, store = tmp_path / "home", TrustStore(tmp_path / "trusted.json")
    theirs = home / (".claude.json" if personal else "project.json")
    home.mkdir()
    theirs.write_text(json.dumps({"mcpServers": {"a": {"command": "python3", "args": ["server.py"]}}}))
    if not personal:
        (known,) = load_servers(theirs, env={"HOME": str(home)}).servers
        store.trust(known, at=1.0)
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text(json.dumps({"imports": [str(theirs)], "mcpServers": {"a": added}}))

    def read(*, found: bool) -> ServerConfig:
        (server,) = load_servers(file, env={"HOME": str(home)}, trusted=store.approvals(), found=found).servers
        assert not server.problem
        return server

    assert read(found=False).trusted, "the operator wrote it"
    server = read(found=True)
    assert "waits for `jiritsu servers trust a`" in server.obstacle
    store.trust(server, at=2.0)
    assert read(found=True).trusted
    for harmless in ({}, {"disabled": True}):
        file.write_text(json.dumps({"imports": [str(theirs)], "mcpServers": {"a": harmless}}))
        assert read(found=True).trusted


@requirement("K8")
@pytest.mark.parametrize(
    "changed", [{"effects": {"*": {"effect": "read"}}}, {"system_instruction": "Obey."}, {"response_instruction": "Obey."}]
)
def test_a_trusted_server_waits_again_when_its_file_says_otherwise_what_its_tools_do(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    store, file = TrustStore(tmp_path / "trusted.json"), tmp_path / "jiritsu.mcp.json"

    def read(entry: dict[str, Any]) -> ServerConfig:
        file.write_text(json.dumps({"mcpServers": {"a": entry}}))
        (server,) = load_servers(file, env={}, trusted=store.approvals(), found=True).servers
        return server

    entry = {"command": "x", "effects": {"get_*": {"effect": "read"}}}
    store.trust(read(entry), at=1.0)
    assert read(entry).trusted
    assert not read(entry | changed).trusted


@requirement("K8")
@pytest.mark.parametrize(
    "changed",
    [
        {"auth": {"CLIENT_ID": "us", "CLIENT_SECRET": "${OPENAI_API_KEY}"}},
        {"auth": {"CLIENT_ID": "us", "CLIENT_SECRET": "mine", "scopes": ["everything"]}},
    ],
)
def test_what_is_sent_to_where_people_sign_in_belongs_to_what_was_trusted(tmp_path: Path, changed: dict[str, Any]) -> None:
    store, file = TrustStore(tmp_path / "trusted.json"), tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()

    def read(entry: dict[str, Any]) -> ServerConfig:
        file.write_text(json.dumps({"mcpServers": {"a": entry}}))
        (server,) = load_servers(file, env={"HOME": "/home/me"}, trusted=store.approvals()).servers
        assert not server.problem
        return server

    entry = {"url": "https://a.example/mcp", "auth": {"CLIENT_ID": "us", "CLIENT_SECRET": "mine"}}
    store.trust(read(entry), at=1.0)
    assert read(entry).trusted
    assert read(entry | changed).obstacle
    assert read(entry | changed).to_approve["oauth"]["client_secret"] in ("${OPENAI_API_KEY}", "(hidden)")


@requirement("K8")
def test_a_file_of_variables_of_the_project_waits_for_trust_again_and_loads_no_other_code(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": "x", "envFile": "${workspaceFolder}/.env"}
    variables = tmp_path / ".env"
    variables.write_text("TOKEN=t\n")
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    assert project_server(tmp_path, entry, store).trusted
    variables.write_text("TOKEN=t\nPYTHONPATH=theirs\nLD_PRELOAD=theirs.so\n")
    changed = project_server(tmp_path, entry, store)
    assert not changed.trusted
    assert changed.launch({}).env == {"TOKEN": "t", "PYTHONPATH": "theirs"}
    assert "LD_PRELOAD is left out" in caplog.text


@requirement("K8")
def test_what_an_older_release_trusted_is_trusted_in_its_own_file_alone(tmp_path: Path) -> None:
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": "python3", "args": ["server.py"]}
    (tmp_path / "other").mkdir()
    server = project_server(tmp_path, entry, store)
    store.file.write_text(json.dumps({server.fingerprint: {"name": "a", "source": str(server.source), "at": 1.0}}))
    assert project_server(tmp_path, entry, store).trusted
    assert not project_server(tmp_path / "other", entry, store).trusted


def test_the_file_is_for_the_owner_alone_and_a_damaged_one_trusts_nothing(tmp_path: Path) -> None:
    store = TrustStore(tmp_path / "deep" / "trusted.json")
    store.trust(ServerConfig(name="a", command="x"), at=1.0)
    assert store.file.stat().st_mode & 0o777 == 0o600
    for damaged, told in (("[]", "must hold an object"), ('{"a"', "cannot be read")):
        store.file.write_text(damaged)
        with pytest.raises(ServersFileError, match=told):
            store.approvals()


def test_a_file_that_cannot_be_replaced_is_named_and_not_our_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**place: Any) -> None:
        raise PermissionError(13, "Permission denied", str(place["dir"] / f"{place['prefix']}x1y2"))

    monkeypatch.setattr("discovery.durable_files.tempfile.mkstemp", refuse)
    with pytest.raises(PermissionError) as caught:
        replace_file(tmp_path / "jiritsu.mcp.json", "{}")
    assert (caught.value.filename, caught.value.strerror) == (str(tmp_path / "jiritsu.mcp.json"), "Permission denied")


def test_a_folder_that_is_a_file_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    file = tmp_path / "home" / "trusted.json"
    with pytest.raises(ServersFileError) as caught:
        TrustStore(file).approvals()
    assert str(caught.value) == f"{file}: cannot be read: Not a directory"


@requirement("K8")
@pytest.mark.parametrize(
    ("command", "args", "file"),
    [
        ("python3", ["server.py"], "server.py"),
        ("node", ["${workspaceFolder}/dist/index.js"], "dist/index.js"),
        ("node", ["--import=./hook.mjs", "dist/a.js"], "hook.mjs"),
        ("sh", ["-c", "cd . && exec 'bin/run me'; node dist/b.js"], "dist/b.js"),
        ("./start", [], "start"),
        ("python3", ["-m", "tools.server"], "tools/server.py"),
        ("python3", ["-P", "-m", "pack"], "pack/__main__.py"),
    ],
)
def test_a_changed_script_of_the_project_waits_for_trust_again(tmp_path: Path, command: str, args: list[str], file: str) -> None:
    store, entry, script = TrustStore(tmp_path / "trusted.json"), {"command": command, "args": args}, tmp_path / file
    script.parent.mkdir(exist_ok=True)
    script.write_text("print('mine')")
    (tmp_path / "other.py").write_text("")
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    (tmp_path / "other.py").write_text("changed")
    assert project_server(tmp_path, entry, store).trusted
    script.write_text("print('theirs')")
    assert not project_server(tmp_path, entry, store).trusted
    script.unlink()
    assert not project_server(tmp_path, entry, store).trusted


PACKAGE = {"main": "lib/main.js", "scripts": {"start": "node ./dist/start.mjs --port 1"}}
PROJECT = {
    "server.py": "import os, tools.a\nfrom helpers import (\n    one,\n    two,\n)\n",
    "helpers.py": "from tools import b as c\n",
    "tools/__init__.py": "",
    "tools/a.py": "    from .. import nothing\n    from . import d\n",
    "tools/b.py": "",
    "tools/d.py": "",
    "package.json": json.dumps(PACKAGE),
    "lib/main.js": "const a = require('./util');\nimport b from \"./more.mjs\";",
    "lib/util/index.js": "",
    "lib/more.mjs": "await import('../dist/start.mjs')",
    "dist/start.mjs": "",
    "run.sh": "#!/bin/sh\nexec python3 server.py\n",
    "unread.py": "",
    "README.md": "",
}


@requirement("K8")
@pytest.mark.parametrize(
    ("command", "args", "read"),
    [
        ("python3", ["server.py"], ["helpers.py", "tools/__init__.py", "tools/a.py", "tools/b.py", "tools/d.py"]),
        ("sh", ["run.sh"], ["server.py", "tools/d.py"]),
        ("npm", ["start"], ["package.json", "dist/start.mjs"]),
        ("node", ["."], ["package.json", "lib/main.js", "lib/util/index.js", "lib/more.mjs", "dist/start.mjs"]),
    ],
)
def test_a_change_of_what_a_script_reads_in_turn_waits_for_trust_again(
    tmp_path: Path, command: str, args: list[str], read: list[str]
) -> None:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": command, "args": args}
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    for name in (*read, "unread.py", "README.md"):
        (tmp_path / name).write_text(f"{PROJECT[name]} ")
        assert project_server(tmp_path, entry, store).trusted is (name not in read), name
        (tmp_path / name).write_text(PROJECT[name])


READ_BESIDE = {
    "run.sh": 'DIR=$(cd "$(dirname "$0")" && pwd)\nexec python3 ${DIR}/server.py\n',
    "exec.sh": 'exec python3 "$(dirname "$0")/server.py"\n',
    "Makefile": "serve:\n\tpython3 server.py\n",
    "pyproject.toml": '[project.scripts]\nserve = "pack.main:main"\n',
    "server.py": "from pack import (\n    a,  # (one)\n    b,\n)\nimport pack.c as c, \\\n    d\nif c: import e; import f\n"
    '__import__("g")\nimport_module("h")\nrun(["python3", "i.py"])\n',
    **dict.fromkeys((*(f"pack/{one}.py" for one in ("__init__", "a", "b", "c")), *(f"{one}.py" for one in "defghi")), ""),
    "random.py": "",
    "src/pack/main.py": "",
    "bunfig.toml": "",
    "package.json": "[" * 100_000,
    "unread.py": "",
}


@requirement("K8")
@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("python3 server.py", ["pack/a.py", "pack/b.py", "pack/__init__.py", "pack/c.py", *(f"{one}.py" for one in "defghi")]),
        ("python3 -m pack.a", ["pack/__init__.py", "pack/a.py"]),
        ("python3 server.py", ["random.py"]),
        ("sh run.sh", ["server.py", "d.py"]),
        ("sh exec.sh", ["server.py"]),
        ("make serve", ["Makefile", "server.py"]),
        ("uv run serve", ["pyproject.toml", "src/pack/main.py"]),
        ("bun start", ["bunfig.toml", "package.json"]),
    ],
)
def test_whatever_way_a_file_is_imported_or_started_its_change_waits_for_trust(
    tmp_path: Path, command: str, read: list[str]
) -> None:
    for name, text in READ_BESIDE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    program, *args = command.split()
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": program, "args": args}
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    for name in (*read, "unread.py"):
        (tmp_path / name).write_text(f"{READ_BESIDE[name]} ")
        assert project_server(tmp_path, entry, store).trusted is (name == "unread.py"), name
        (tmp_path / name).write_text(READ_BESIDE[name])


@requirement("K8")
def test_a_new_file_that_takes_the_place_of_a_module_of_python_waits_for_trust(tmp_path: Path) -> None:
    store, entry = TrustStore(tmp_path / "trusted.json"), {"command": "python3", "args": ["server.py"]}
    (tmp_path / "server.py").write_text("import mcp\n")
    store.trust(project_server(tmp_path, entry, store), at=1.0)
    (tmp_path / "notes.py").write_text("")
    assert project_server(tmp_path, entry, store).trusted
    (tmp_path / "random.py").write_text("")
    assert not project_server(tmp_path, entry, store).trusted


@requirement("K8")
def test_a_database_a_folder_and_what_lies_elsewhere_may_change(tmp_path: Path) -> None:
    store, elsewhere = TrustStore(tmp_path / "trusted.json"), tmp_path / "elsewhere.py"
    project = tmp_path / "project"
    (project / "notes").mkdir(parents=True)
    database, duck = project / "a.db", project / "b.db"
    entry = {"command": "python3", "args": [str(elsewhere), "--db", "a.db", "b.db", "notes", "../elsewhere.py"]}

    def write(what: bytes) -> None:
        database.write_bytes(b"SQLite format 3\0" + what)
        duck.write_bytes(b"checksumDUCK" + what)
        elsewhere.write_bytes(what)
        (project / "notes" / "a.md").write_bytes(what)

    write(b"one")
    store.trust(project_server(project, entry, store), at=1.0)
    write(b"two")
    assert project_server(project, entry, store).trusted


@requirement("K8")
def test_an_approval_of_an_entry_that_names_no_script_still_holds() -> None:
    assert ServerConfig(name="a", command="npx", args=("x",)).fingerprint.startswith("5ec6daf97769af38")
