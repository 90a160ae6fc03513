"""A file that takes the place of another is on the disk before it gets its name, and the name before anybody relies on it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from autonomy.durable.records.anchor_file import AnchorFile
from autonomy.durable.storage.database_backup import back_up, bring_back
from autonomy.hr.secrets.vault import KEYS_FILE, Vault, add_key
from autonomy.new_files import write_new_file
from discovery.durable_files import replace_file
from mcp_servers.esa import files as esa_files
from metrics.hash_chain import ChainLink
from tests.requirements import requirement
from tests.support.disk_order import disk_order, survives_a_power_cut
from tests.support.durable import prepared


def replaced(folder: Path) -> Path:
    replace_file(folder / "file", "text")
    return folder / "file"


def brought_back(folder: Path) -> Path:
    engine = prepared(f"sqlite:///{folder / 'old.db'}")
    back_up(engine, folder / "copy.db")
    engine.dispose()
    bring_back(f"sqlite:///{folder / 'new.db'}", folder / "copy.db", {})
    return folder / "new.db"


def first_secret(folder: Path) -> Path:
    Vault.open(folder)
    return folder / KEYS_FILE


def anchors_in_order(folder: Path) -> Path:
    kept = AnchorFile(folder / "x.anchors")
    kept.note(ChainLink(1, bytes(32)))
    kept.forget(0)
    return kept.file


def post(folder: Path) -> Path:
    esa_files._write(folder / "post.md", "text")
    return folder / "post.md"


@requirement("Y4")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell which file is open")
@pytest.mark.parametrize("put", [replaced, brought_back, first_secret, add_key, anchors_in_order, post])
def test_a_power_cut_leaves_the_old_file_or_the_new_one(
    put: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = disk_order(monkeypatch)
    assert survives_a_power_cut(order, put(tmp_path))


@requirement("Y4")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell which file is open")
def test_a_new_file_is_on_the_disk_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = disk_order(monkeypatch)
    write_new_file(tmp_path / "job.md", "text")
    assert order == [("synced", tmp_path / "job.md"), ("synced", tmp_path)]
