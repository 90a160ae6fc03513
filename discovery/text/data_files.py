"""Reads the data files of discovery (`discovery/data`), and TOML that may come from anywhere."""

import re
import tomllib
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "data"
"""Not by `importlib.resources`, which imports what reads archives."""


def read_data(name: str) -> str:
    """Read a data file. It reads the disk: do not call it on the event loop."""
    return (_FOLDER / name).read_text(encoding="utf-8")


_DEEP = re.compile(r"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){64}""")
"""A key of so many parts, for each of which `tomllib` walks through all before it: 20,000 take minutes."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text. Raises tomllib's TOMLDecodeError, also for a key of more than 64 parts, ValueError for a
    number of thousands of digits, and RecursionError for thousands of brackets."""
    if _DEEP.search(text):
        raise tomllib.TOMLDecodeError("a key has more than 64 parts")
    return tomllib.loads(text)
