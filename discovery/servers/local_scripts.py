"""Fingerprints the files of a project that a server's entry starts: `python server.py`, `node dist/index.js`."""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

MOST_FILES = 20
"""Of one entry."""
_BETWEEN = re.compile(r"[\s='\";&|()]+")
_DATABASES = (b"SQLite format 3\0", b"DUCK")
"""How files begin that change with each write of a server, and start nothing; DuckDB has it behind a checksum."""


def local_scripts(words: Sequence[str], folders: Sequence[Path], project: Path) -> dict[str, str]:
    """The SHA-256 of each file in the project's folder that a command names, by its path there; reads the disk.

    `folders`: where relative paths may count from. What such a file reads in turn (modules, packages) is not looked at.
    """
    inside, found = Path(os.path.abspath(project)), dict[str, str]()  # noqa: PTH100 - a link stays where it lies
    for name in _names(words):
        for folder in folders:
            file = Path(os.path.abspath(folder / name))  # noqa: PTH100
            if len(found) < MOST_FILES and file.is_relative_to(inside) and (digest := _digest(file)):
                found[file.relative_to(inside).as_posix()] = digest
    return found


def _names(words: Sequence[str]) -> Iterator[str]:
    """What may be a file in a command: each word, each piece of one (`sh -c "node a.js"`, `--require=./b.js`), each module."""
    for before, word in zip(("", *words), words, strict=False):
        if before == "-m":
            module = word.replace(".", "/")
            yield from (f"{module}.py", f"{module}/__init__.py", f"{module}/__main__.py")
        yield from dict.fromkeys((word, *_BETWEEN.split(word)))


def _digest(file: Path) -> str:
    """The fingerprint of a file; empty for what is none, or is a database."""
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as opened:
            head = opened.read(16)
            if head.startswith(_DATABASES) or head[8:].startswith(_DATABASES):
                return ""
            opened.seek(0)
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""
