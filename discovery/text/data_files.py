"""Reads the data files of discovery (`discovery/data`)."""

from importlib.resources import files


def read_data(name: str) -> str:
    """The text of a data file. It reads the disk: not for the event loop's thread."""
    return files("discovery").joinpath("data", name).read_text(encoding="utf-8")
