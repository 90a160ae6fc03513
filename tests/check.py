"""What to run before a commit: format, lint, layers, types, and the tests that speak of what changed (`python -m tests.check`).

Everything runs side by side. What changed is what differs from the branch `main`, committed or not. Of the tests those run that are
called by its name, those of its room that import it, and, where they start no programs, the others of its room and those of other
rooms that import it (one of each room, where very many do). The suite runs everything, and so does `--all`.
"""

import argparse
import ast
import re
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

HOUSE = {
    "format": ("-m", "ruff", "format", "--check", "-q", "."),
    "lint": ("-m", "ruff", "check", "-q", "."),
    "layers": ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    "types": ("-m", "mypy"),
}
"""What is checked whatever changed."""

DATA = (".json", ".jsonl", ".toml", ".md", ".html", ".txt", ".css")


class Check(NamedTuple):
    """One of the programs, at work."""

    name: str
    process: "subprocess.Popen[str]"
    began: float


def changed(since: str) -> list[str]:
    """The files that differ from a branch, and those that are new, from the repository's root."""
    asked = (("diff", "--name-only", "--diff-filter=d", f"{since}..."), ("diff", "--name-only", "--diff-filter=d", "HEAD"),
             ("ls-files", "--others", "--exclude-standard"))  # fmt: skip
    told = [subprocess.run(["git", *one], cwd=ROOT, capture_output=True, text=True, check=False).stdout for one in asked]
    return sorted({line for text in told for line in text.splitlines()})


STARTS_PROGRAMS = re.compile(
    r"\b(?:subprocess|multiprocessing|sys\.executable|support\.command|support\.postgres|server_configs|selenium)\b"
)
"""What a test file holds that starts programs, servers or a database."""

VOCABULARY = 30
"""What more test files import than that is named in all of them and the subject of few: one of each other room is run."""

ENOUGH_FOR_WORKERS = 6
"""So many files are done sooner by two workers, which both import everything first."""

ROOMS = ("autonomy", "discovery", "metrics", "mcp_servers")


class FileOfTests(NamedTuple):
    """What a file of tests says of itself."""

    path: Path
    imported: frozenset[str]
    """Modules, and the names taken from them."""
    starts_programs: bool


@cache
def files_of_tests() -> tuple[FileOfTests, ...]:
    """All of them; a tenth of a second for a hundred."""
    return tuple(map(_read, sorted((ROOT / "tests").rglob("test_*.py"))))


def _read(file: Path) -> FileOfTests:
    text, imported = file.read_text(encoding="utf-8"), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
    return FileOfTests(file.relative_to(ROOT), frozenset(imported), bool(STARTS_PROGRAMS.search(text)))


def tests_of(file: str) -> set[str]:
    """The test files that speak of a file: itself if it is one, else what the module docstring says; nothing where there are none."""
    path = Path(file)
    if path.parts[0] == "tests":
        return {file} if path.name.startswith("test_") and path.suffix == ".py" else set()
    if path.suffix not in (".py", *DATA) or path.parts[0] not in ROOMS:
        return {"tests/architecture/test_readme.py"} if path.suffix == ".md" else set()
    module, room = ".".join(path.with_suffix("").parts), _room(path)
    users = {test for test in files_of_tests() if module in test.imported and test.path.parts[1] in ROOMS}
    here = {test for test in files_of_tests() if test.path.is_relative_to(room)}
    subject = users & here
    if len(users) > VOCABULARY:
        users, subject = _spokesmen(users - here, module), set()
    subject |= {test for test in files_of_tests() if test.path.stem == f"test_{path.stem}"}
    return {str(test.path) for test in here | users | subject if test in subject or not test.starts_programs}


def _spokesmen(users: set[FileOfTests], module: str) -> set[FileOfTests]:
    """Of each room's users of a module the one that takes most names from it: none that starts programs. Types are checked in all."""
    chosen = dict[tuple[str, ...], FileOfTests]()
    for test in sorted(users, key=lambda one: (sum(name.startswith(f"{module}.") for name in one.imported), str(one.path))):
        if not test.starts_programs:
            chosen[test.path.parts[1:-1]] = test
    return set(chosen.values())


def _room(path: Path) -> Path:
    """The folder of a room's tests; for what belongs to no room, the tests that stand in none."""
    folder = Path("tests", *path.parts[:-1])
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder if folder not in (Path("tests"), Path("tests/autonomy")) else Path("tests/none")


def started(name: str, command: tuple[str, ...]) -> Check:
    """Begin one."""
    process = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )
    return Check(name, process, time.monotonic())


def main() -> int:
    """The command: 0 when all is well."""
    parser = argparse.ArgumentParser(prog="python -m tests.check", description=__doc__)
    parser.add_argument("--since", default="main", help="the branch to compare with (main)")
    parser.add_argument("--all", action="store_true", help="all tests, as the README has them run")
    asked = parser.parse_args()
    tests = sorted({found for file in changed(asked.since) for found in tests_of(file)})
    checks = [started(name, command) for name, command in HOUSE.items()]
    if tests or asked.all:
        print("tests of:", "everything" if asked.all else " ".join(tests), flush=True)
        named = [] if asked.all else ["-n", "2" if len(tests) >= ENOUGH_FOR_WORKERS else "0", *tests]
        checks.append(
            started("tests", ("-m", "pytest", "-m", "not sweep and not real_servers and not claude and not browser", *named))
        )
    failed = []
    for name, process, began in checks:
        told, _ = process.communicate()
        print(f"{'ok' if process.returncode == 0 else 'FAILED':7}{name}  {time.monotonic() - began:.0f} s", flush=True)
        if process.returncode:
            failed.append(name)
            print(told, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
