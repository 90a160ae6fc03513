"""Writes a file that is not there yet, whole or not at all."""

import os
from contextlib import suppress
from errno import ENOTDIR
from pathlib import Path

from autonomy.errors import ConfigError
from discovery.durable_files import sync_folder


def write_new_file(file: Path, text: str, *, private: bool = False) -> None:
    """Make a file, and the folders above it; `private`: for its owner alone.

    Raises `FileExistsError` where it is there, and `ConfigError` where it cannot be written: then nothing of it stays, since half
    a file would be kept by whoever writes only what is not there.
    """
    made = False
    try:
        _make_folder(file.parent)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        made = True
        with os.fdopen(handle, "w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        sync_folder(file.parent)
    except FileExistsError:
        raise
    except OSError as error:
        if made:
            with suppress(OSError):
                file.unlink()
        raise ConfigError(file, "", f"cannot be written: {error.strerror}") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:  # a file in place of the folder is not the file that is there already
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR)) from error
