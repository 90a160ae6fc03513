"""What to run before a commit: format, lint, layers, types, and the tests of the rooms that changed (`python -m tests.check`).

Everything runs side by side. Rooms that changed are those that differ from the branch `main`, committed or not; `--all` takes all.
"""

import argparse
import subprocess
import sys
import time
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


def tests_of(file: str) -> str:
    """The tests that speak of a file: itself if it is one, else the folder of its room; nothing where there are none."""
    path = Path(file)
    if path.parts[0] == "tests":
        return file if path.name.startswith("test_") and path.suffix == ".py" else ""
    if path.suffix not in (".py", *DATA) or path.parts[0] not in ("autonomy", "discovery", "metrics", "mcp_servers"):
        return "tests/architecture/test_readme.py" if path.suffix == ".md" else ""
    folder = Path("tests", *path.parts[:-1])
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return str(folder) if folder != Path("tests") and folder != Path("tests/autonomy") else ""


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
    tests = sorted({found for file in changed(asked.since) if (found := tests_of(file))})
    tests = [one for one in tests if not any(one != other and one.startswith(f"{other}/") for other in tests)]
    checks = [started(name, command) for name, command in HOUSE.items()]
    if tests or asked.all:
        named = [] if asked.all else tests
        print("tests of:", " ".join(named) or "everything", flush=True)
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
