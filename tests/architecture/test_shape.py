"""The shape of the code: short functions, documented modules, no stray names."""

import ast
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))


def _functions(file: Path) -> list[tuple[str, int]]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [(f"{file.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1) for node in nodes]


def test_functions_are_short() -> None:
    found = [pair for file in FILES for pair in _functions(file)]
    lengths = [length for _, length in found]
    longest = sorted(found, key=lambda pair: -pair[1])[:5]
    assert statistics.median(lengths) <= 9, longest
    assert sum(length > 50 for length in lengths) <= 0.02 * len(lengths), longest
    assert longest[0][1] <= 90, longest


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_module_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def test_no_file_is_called_after_nothing() -> None:
    nothing = {"utils", "helpers", "base", "types", "manager", "misc", "common"}
    assert [str(file) for file in FILES if file.stem in nothing] == []
