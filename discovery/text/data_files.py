"""Reads the data files of discovery (`discovery/data`)."""

from importlib.resources import files


def read_data(name: str) -> str:
    """Read a data file. It reads the disk: do not call it on the event loop."""
    return files("discovery").joinpath("data", name).read_text(encoding="utf-8")
