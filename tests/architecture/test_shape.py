"""The shape of the code: short functions, no stray names, one hand on the state of a run."""

import ast
import re
import statistics
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))


def _functions(file: Path) -> list[tuple[str, int]]:
    nodes: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    for node in nodes:  # expressions hold none, and are most of a tree
        nodes += (
            child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        )
    return [
        (f"{file.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_functions_are_short() -> None:
    found = [pair for file in FILES for pair in _functions(file)]
    lengths = [length for _, length in found]
    longest = sorted(found, key=lambda pair: -pair[1])[:5]
    assert statistics.median(lengths) <= 9, longest
    assert sum(length > 50 for length in lengths) <= 0.02 * len(lengths), longest
    assert longest[0][1] <= 90, longest


def test_no_file_is_called_after_nothing() -> None:
    nothing = {"utils", "helpers", "base", "types", "manager", "misc", "common"}
    assert [str(file) for file in FILES if file.stem in nothing] == []


CHANGES = re.compile(
    r"\bctx\.(\w+)(?:\[[^\]]*\])? *(?:[+|]?=)(?!=)|\bctx\.(\w+)\.(?:add|append|clear|discard|extend|pop|setdefault|update)\("
)
"""The state of a run is changed, by the name it has everywhere."""


def test_a_change_of_a_runs_state_is_seen() -> None:
    text = "ctx.turn += 1; ctx.warned.add(x); ctx.memo['a'] = 1; if ctx.turn == 2: ctx.catalog.get(x)"
    assert [one or other for one, other in CHANGES.findall(text)] == ["turn", "warned", "memo"]


def test_a_runs_state_is_changed_by_the_loop_and_the_calls_alone() -> None:
    """Elsewhere what was worked out once is kept in its memo, which no decision reads before it is filled."""
    own = [ROOT / "autonomy" / room for room in ("agent", "calls", "run_state")]
    others = [
        file
        for file in FILES
        if "ToolExecutionContext" in file.read_text(encoding="utf-8") and not any(map(file.is_relative_to, own))
    ]
    changed = {
        str(file.relative_to(ROOT)): fields
        for file in others
        if (fields := {one or other for one, other in CHANGES.findall(file.read_text(encoding="utf-8"))} - {"memo"})
    }
    assert changed == {}


def test_each_name_of_ours_has_one_address() -> None:
    """A module that offers what another one defines makes two addresses of it; only a package's door may."""
    twice = list[str]()
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        if file.name == "__init__.py" or "__all__" not in text:
            continue
        body = ast.parse(text).body
        taken = {
            alias.name
            for node in body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES)
            for alias in node.names
        }
        offered = {
            name
            for node in body
            if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets)
            for name in ast.literal_eval(node.value)
        }
        twice += [f"{file.relative_to(ROOT)}: {name}" for name in sorted(taken & offered)]
    assert twice == []
