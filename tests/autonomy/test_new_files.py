"""A file is written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from autonomy.errors import ConfigError
from autonomy.new_files import write_new_file
from tests.requirements import requirement

FULL = Path("/dev/full")


@requirement("Y2")
@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_of_a_file_that_a_full_disk_cut_off_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, written = tmp_path / "jobs" / "standup.md", os.open

    def on_a_full_disk(path: Path, flags: int, mode: int) -> int:
        os.close(written(path, flags, mode))
        return written(FULL, os.O_WRONLY)

    monkeypatch.setattr(os, "open", on_a_full_disk)
    with pytest.raises(ConfigError, match=rf"{file}: cannot be written: {os.strerror(errno.ENOSPC)}"):
        write_new_file(file, "---\n")
    assert not file.exists(), "else the next try would find it there and leave it"
    monkeypatch.undo()
    write_new_file(file, "---\n", private=True)
    assert (file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777) == ("---\n", 0o600)
    with pytest.raises(FileExistsError):
        write_new_file(file, "other")
