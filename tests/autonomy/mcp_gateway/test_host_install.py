"""Moving another host's servers behind the gateway, and back."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from autonomy.errors import ConfigError
from autonomy.mcp_gateway.host_install import BACKUP, FILES, NAME, plan_install, plan_uninstall
from discovery.discovery_errors import ServersFileError
from discovery.servers import jsonc
from tests.requirements import requirement
from tests.support.command import jiritsu

JSON = '{\n  // mine\n  "theme": "dark",\n  "%s": {\n    "notes": {"command": "notes", "env": {"TOKEN": "s3cret"}}\n  }\n}\n'
CODEX = '# mine\nmodel = "x"\n\n[mcp_servers.notes]\ncommand = "notes"\nstartup_timeout_sec = 9\n\n[tui]\ntheme = "dark"\n'


def a_host(host: str, home: Path) -> Path:
    file = home / FILES[host][-1]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(CODEX if host == "codex" else JSON % ("servers" if host == "vscode" else "mcpServers"))
    return file


@requirement("N3")
@pytest.mark.parametrize("host", sorted(FILES))
def test_a_hosts_servers_move_behind_the_gateway_and_come_back_as_they_were(host: str, tmp_path: Path) -> None:
    file, data = a_host(host, tmp_path), tmp_path / "data"
    before = file.read_text()
    plan = plan_install(host, tmp_path, data)
    assert plan is not None
    assert "-" in plan.diff
    assert file.read_text() == before, "nothing is written before it is shown"
    list(plan.carry_out())
    read = tomllib.loads if host == "codex" else (lambda text: json.loads(text.replace("// mine", "")))
    container = {"codex": "mcp_servers", "vscode": "servers"}.get(host, "mcpServers")
    assert list(read(file.read_text())[container]) == [NAME]
    assert "dark" in file.read_text()
    assert "mine" in file.read_text()
    backup = file.with_name(file.name + BACKUP)
    assert backup.read_text() == before
    assert backup.stat().st_mode & 0o077 == 0
    assert plan_install(host, tmp_path, data) is None, "a second time changes nothing"
    back = plan_uninstall(host, tmp_path, data)
    assert back is not None
    list(back.carry_out())
    assert read(file.read_text()) == read(before)
    assert plan_uninstall(host, tmp_path, data) is None


@requirement("N3")
def test_what_was_added_to_the_host_meanwhile_is_kept(tmp_path: Path) -> None:
    file, data = a_host("cursor", tmp_path), tmp_path / "data"
    list(plan_install("cursor", tmp_path, data).carry_out())  # type: ignore[union-attr]
    document = json.loads(file.read_text().replace("// mine", ""))
    document["mcpServers"]["later"] = {"command": "later"}
    file.write_text(json.dumps(document))
    list(plan_install("cursor", tmp_path, data).carry_out())  # type: ignore[union-attr]
    assert file.with_name(file.name + BACKUP).read_text().count("later") == 0, "the first backup stays the first"
    list(plan_uninstall("cursor", tmp_path, data).carry_out())  # type: ignore[union-attr]
    assert set(json.loads(file.read_text())["mcpServers"]) == {"notes", "later"}


@requirement("N3")
def test_the_command_shows_a_diff_and_makes_the_taken_servers_ours(tmp_path: Path) -> None:
    a_host("cursor", tmp_path)
    shown = jiritsu("--home", str(tmp_path), "gateway", "install", "cursor", home=tmp_path)
    assert re.search(r'^\+ +"jiritsu"', shown.stdout, re.MULTILINE)
    done = jiritsu("--home", str(tmp_path), "gateway", "install", "cursor", "--yes", home=tmp_path)
    assert "in place of the sample workspace" in done.stdout
    assert done.returncode == 0, done.stderr
    listed = jiritsu("--home", str(tmp_path), "servers", "list", home=tmp_path)
    assert "notes" in listed.stdout
    assert "trust" not in listed.stdout.lower()
    missing = jiritsu("--home", str(tmp_path), "gateway", "install", "codex", home=tmp_path)
    assert missing.returncode != 0
    assert "config.toml" in missing.stderr


@requirement("N3")
def test_a_data_directory_that_is_named_from_here_is_found_from_everywhere(tmp_path: Path) -> None:
    a_host("cursor", tmp_path)
    done = jiritsu("--home", "data", "gateway", "install", "cursor", "--yes", home=tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    listed = jiritsu("--home", str(tmp_path / "data"), "servers", "list", home=tmp_path)
    assert "notes" in listed.stdout
    assert "cannot be read" not in listed.stderr


CURSOR = '\ufeff{\r\n  // mine\r\n  "mcpServers": {\r\n    "notes": {"command": "notes"}, /* the first */\r\n  },\r\n}\r\n'


@requirement("N3")
@pytest.mark.parametrize("host", sorted(FILES))
def test_a_file_that_nobody_changed_meanwhile_comes_back_byte_for_byte(host: str, tmp_path: Path) -> None:
    file, data = a_host(host, tmp_path), tmp_path / "data"
    if host == "cursor":
        file.write_bytes(CURSOR.encode())
    before = file.read_bytes()
    list(plan_install(host, tmp_path, data).carry_out())  # type: ignore[union-attr]
    assert file.with_name(file.name + BACKUP).read_bytes() == before
    assert file.read_bytes().count(b"\r\n") in (0, file.read_bytes().count(b"\n")), "its line ends stay what they are"
    list(plan_uninstall(host, tmp_path, data).carry_out())  # type: ignore[union-attr]
    assert file.read_bytes() == before


def test_a_hosts_file_in_another_encoding_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    for text in ('{"mcpServers": {"日報": {"command": "x"}}}'.encode("cp932"), '{"mcpServers": {}}'.encode("utf-16")):
        file.write_bytes(text)
        with pytest.raises(ConfigError, match="not text in UTF-8"):
            plan_install("cursor", tmp_path, tmp_path / "data")


@pytest.mark.parametrize(
    ("hosts_file", "own_file", "told"),
    [
        ('{"mcpServers": null}', "", "mcpServers: must be an object"),
        ('{"mcpServers": {"a": {"command": "x"}}}', '{"imports": "x.json"}', "imports: must be a list of files"),
        ('{"mcpServers": {"a": {"command": "x"}}}', '{"imports": null}', "imports: must be a list of files"),
        ('{"mcpServers": {"a": {"command": "x"}}}', "[]", "must hold an object"),
        ('{"mcpServers": {"a": {"command": "x"}}}', "no JSON", "line 1, column 1"),
    ],
)
def test_a_file_that_is_none_of_servers_is_named_and_nothing_is_planned(
    tmp_path: Path, hosts_file: str, own_file: str, told: str
) -> None:
    data = tmp_path / "data"
    for file, text in ((tmp_path / ".cursor" / "mcp.json", hosts_file), (data / "jiritsu.mcp.json", own_file)):
        file.parent.mkdir()
        file.write_text(text)
    for plan in (plan_install,) if own_file else (plan_install, plan_uninstall):
        with pytest.raises((ConfigError, ServersFileError), match=told):
            plan("cursor", tmp_path, data)


@pytest.mark.parametrize("backup", ["{no JSON", "[]"])
def test_servers_come_back_without_a_backup_that_can_be_read(tmp_path: Path, backup: str) -> None:
    file = a_host("cursor", tmp_path)
    list(plan_install("cursor", tmp_path, tmp_path / "data").carry_out())  # type: ignore[union-attr]
    file.with_name(file.name + BACKUP).write_text(backup)
    list(plan_uninstall("cursor", tmp_path, tmp_path / "data").carry_out())  # type: ignore[union-attr]
    assert set(jsonc.loads(file.read_text())["mcpServers"]) == {"notes"}
