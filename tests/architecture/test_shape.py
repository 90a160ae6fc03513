"""The shape of the code: short functions, documented modules, no stray names."""

import ast
import statistics
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _functions(file: Path) -> list[tuple[str, int]]:
    nodes = [node for node in ast.walk(_parsed(file)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [(f"{file.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1) for node in nodes]


def test_functions_are_short() -> None:
    found = [pair for file in FILES for pair in _functions(file)]
    lengths = [length for _, length in found]
    longest = sorted(found, key=lambda pair: -pair[1])[:5]
    assert statistics.median(lengths) <= 9, longest
    assert sum(length > 50 for length in lengths) <= 0.02 * len(lengths), longest
    assert longest[0][1] <= 90, longest


def test_a_module_says_what_it_is_for() -> None:
    silent = [file for file in FILES if not ast.get_docstring(_parsed(file))]
    assert [str(file.relative_to(ROOT)) for file in silent] == []


def test_no_file_is_called_after_nothing() -> None:
    nothing = {"utils", "helpers", "base", "types", "manager", "misc", "common"}
    assert [str(file) for file in FILES if file.stem in nothing] == []
