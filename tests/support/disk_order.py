"""Records in which order files reach the disk and get their names."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def disk_order(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path]]:
    """What was synced, and what was given a name, from now on. Of a temporary name it is the place that tells."""
    order: list[tuple[str, Path]] = []
    sync = os.fsync

    def synced(descriptor: int) -> None:
        order.append(("synced", Path(f"/proc/self/fd/{descriptor}").readlink()))
        sync(descriptor)

    def naming(name: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
        def named(old: Any, new: Any) -> None:
            order.extend((("renamed", Path(old)), ("named", Path(new))))
            name(old, new)

        return named

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", naming(os.replace))
    monkeypatch.setattr(os, "link", naming(os.link))
    return order


def survives_a_power_cut(order: list[tuple[str, Path]], file: Path) -> bool:
    """Whether the file that was put in this place was on the disk before it got its name, and the name is there, too."""
    place = order.index(("named", file))
    _, earlier_name = order[place - 1]
    return ("synced", earlier_name) in order[: place - 1] and ("synced", file.parent) in order[place:]
