"""Toolsets within this process."""

import sys
from pathlib import Path

import pytest

from discovery.errors import ProviderUnavailable
from discovery.toolset import load_toolset


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "some_toolset.py").write_text(
        "server = ['tools']\ndef make():\n    return server\ndef broken():\n    raise KeyError('x')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "some_toolset", raising=False)
    return "some_toolset"


def test_an_object_or_what_a_function_makes(module: str) -> None:
    assert load_toolset("p", f"{module}:server") == ["tools"]
    assert load_toolset("p", f"{module}:make") == ["tools"]


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("no colon", "python must be `package.module:toolset`"),
        ("no_such_module:x", "ModuleNotFoundError"),
        ("some_toolset:nothing", "AttributeError"),
        ("some_toolset:broken", "KeyError"),
    ],
)
def test_what_cannot_be_loaded_says_why(module: str, place: str, cause: str) -> None:
    with pytest.raises(ProviderUnavailable, match=cause):
        load_toolset("p", place)
