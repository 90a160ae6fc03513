"""What is imported later is loaded at its first use, and serves annotations and `isinstance` before."""

import sys
from pathlib import Path

import pytest

from discovery.deferred_imports import imported_later


def test_a_class_that_is_imported_later_is_loaded_when_one_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seldom_needed.py").write_text("class Thing:\n    def __init__(self, size):\n        self.size = size\n")
    monkeypatch.syspath_prepend(tmp_path)
    with imported_later(classes={"seldom_needed": ("Thing",)}):
        from seldom_needed import Thing  # type: ignore[import-not-found]
    assert not isinstance(1, Thing)
    assert Thing[int] | None
    assert "seldom_needed" not in sys.modules
    made = Thing(size=3)
    assert (made.size, isinstance(made, Thing), isinstance(1, Thing)) == (3, True, False)
    assert type(made) is sys.modules["seldom_needed"].Thing
    del sys.modules["seldom_needed"]
