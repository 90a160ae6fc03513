"""Writes files so that a power cut leaves the old text or the new one, and never a part."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, text: str, *, mode: int | None = None) -> None:
    """Replace a file atomically; without a `mode`, keep its permissions. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = mode if mode is not None else (file.stat().st_mode & 0o777 if file.exists() else 0o644)
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:  # whoever reads it knows the file, not our temporary one
        raise type(error)(error.errno, error.strerror, str(file)) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, as after a rename. Does nothing where the system cannot do that."""
    with suppress(OSError):  # Windows opens no folders, and some file systems do not sync them
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
