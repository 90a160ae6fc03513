"""The arrows of docs/architecture.md hold, and each contract breaks when it is broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on a copy of the house."""
    program = "from importlinter.cli import lint_imports; import sys; sys.exit(lint_imports(no_cache=True))"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the four packages that a test may break."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("sample", "data", "__pycache__", "static")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_house_keeps_its_contracts(house: Path) -> None:
    done = lint(house)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("discovery/catalog.py", "import metrics.events", "the host stands on discovery and metrics"),
        ("metrics/events.py", "import discovery.catalog", "the host stands on discovery and metrics"),
        ("discovery/catalog.py", "import autonomy.errors", "the host stands on discovery and metrics"),
        ("autonomy/llm/model.py", "import autonomy.run_state.context", "rooms of the host"),
        ("autonomy/completion/judge.py", "import autonomy.durable.records.run_records", "rooms of the host"),
        ("autonomy/utils.py", "VALUE = 1", "rooms of the host"),
        ("mcp_servers/weather/places.py", "import discovery.catalog", "servers stand alone"),
        ("mcp_servers/weather/places.py", "import mcp_servers.slack", "servers do not know each other"),
        ("autonomy/app.py", "import mcp_servers.weather", "host and servers talk MCP"),
        ("autonomy/completion/judge.py", "import openai", "openai is spoken in one room"),
        ("autonomy/completion/judge.py", "import dbos", "dbos, pydantic_ai"),
        ("autonomy/calls/retry.py", "import autonomy.calls.pipeline", "no cycles anywhere"),
    ],
)
def test_a_contract_breaks_when_it_is_broken(house: Path, file: str, line: str, contract: str) -> None:
    with (house / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    done = lint(house)
    assert done.returncode != 0
    assert any(contract in told and "BROKEN" in told for told in done.stdout.splitlines()), done.stdout
