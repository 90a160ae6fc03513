"""One way to the terminal: what a command prints goes through `cli/terminal.py` or `cli/console.py`, which make it harmless."""

import ast
from pathlib import Path

CLI = Path(__file__).parents[2] / "autonomy" / "cli"
PRINTING = {"echo", "secho", "style", "confirm", "echo_via_pager", "Console", "print_exception"}


def test_no_command_prints_past_the_one_way() -> None:
    past = []
    for file in CLI.glob("*.py"):
        if file.name in ("terminal.py", "console.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            if name in PRINTING or (isinstance(called, ast.Name) and name == "print"):
                past.append(f"{file.name}:{node.lineno}: {name}")
            if isinstance(called, ast.Attribute) and name == "write" and ast.unparse(called.value).startswith("sys.std"):
                past.append(f"{file.name}:{node.lineno}: {ast.unparse(called)}")
    assert past == []
