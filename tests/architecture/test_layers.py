"""The arrows of docs/architecture.md hold, and each contract breaks when it is broken."""

import re
import shutil
import subprocess
import sys
import tomllib
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


def copy_of_the_house(folder: Path) -> Path:
    """The four packages, where a test may break them."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("sample", "data", "__pycache__", "static")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


BREACHES = [
    ("discovery/catalog.py", "import metrics.events", "the host stands on discovery and metrics", "catalog -> metrics.events"),
    ("metrics/events.py", "import discovery.catalog", "the host stands on discovery and metrics", "events -> discovery.catalog"),
    ("discovery/catalog.py", "import autonomy.errors", "the host stands on discovery and metrics", "catalog -> autonomy.errors"),
    ("autonomy/llm/model.py", "import autonomy.run_state.context", "rooms of the host", "model -> autonomy.run_state.context"),
    (
        "autonomy/completion/judge.py",
        "import autonomy.durable.records.run_records",
        "rooms of the host",
        "judge -> autonomy.durable.records",
    ),
    ("autonomy/utils.py", "VALUE = 1", "rooms of the host", "- autonomy.utils"),
    ("mcp_servers/weather/places.py", "import discovery.catalog", "servers stand alone", "places -> discovery.catalog"),
    (
        "mcp_servers/weather/places.py",
        "import mcp_servers.slack",
        "servers do not know each other",
        "places -> mcp_servers.slack",
    ),
    ("autonomy/app.py", "import mcp_servers.weather", "host and servers talk MCP", "autonomy.app -> mcp_servers.weather"),
    ("autonomy/completion/judge.py", "import openai", "openai is spoken in one room", "judge -> openai"),
    ("autonomy/completion/judge.py", "import dbos", "dbos, pydantic_ai", "judge -> dbos"),
    ("autonomy/calls/run_handle.py", "import autonomy.calls.pipeline", "no cycles anywhere", ".run_handle -> .pipeline"),
]
"""File, what is written into it, the contract that forbids it, and how import-linter names it."""


def test_the_house_keeps_its_contracts(tmp_path: Path) -> None:
    done = lint(copy_of_the_house(tmp_path))
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def told_of_breaches(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a house with all of them: the sections about broken contracts."""
    house = copy_of_the_house(tmp_path_factory.mktemp("house"))
    for file, line, _, _ in BREACHES:
        with (house / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{line}\n")
    done = lint(house)
    assert done.returncode != 0
    return done.stdout.partition("Broken contracts\n")[2]


@pytest.mark.parametrize(("file", "line", "contract", "named"), BREACHES)
def test_a_contract_breaks_when_it_is_broken(told_of_breaches: str, file: str, line: str, contract: str, named: str) -> None:
    sections = re.split(r"\n(?=[^\n]+\n-{5,}\n)", told_of_breaches)
    about = [section for section in sections if section.lstrip().startswith(contract)]
    assert len(about) == 1
    assert named in about[0]


PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BOUND = re.compile(r"^\| `autonomy/(\w+)/`.*\| `(\w+)` and below \|$", re.MULTILINE)


def layers_of_the_host() -> list[set[str]]:
    """The rooms of the host as the contract has them, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (rooms,) = (contract["layers"] for contract in contracts if contract["name"] == "rooms of the host")
    return [set(layer.replace(" ", "").split("|")) for layer in rooms if layer != "__main__"]


def test_the_picture_of_the_architecture_shows_the_layers_of_the_contract() -> None:
    layers = layers_of_the_host()
    drawn = [name for name in re.findall(r"\w+", PAGE.split("```")[1]) if any(name in layer for layer in layers)]
    assert [{name for name in drawn if name in layer} for layer in layers] == layers
    heights = [next(height for height, layer in enumerate(layers) if name in layer) for name in drawn]
    assert heights == sorted(heights)


def test_no_room_imports_more_than_the_table_of_the_architecture_allows() -> None:
    height = {name: at for at, layer in enumerate(layers_of_the_host()) for name in layer}
    bounds = dict(BOUND.findall(PAGE))
    assert len(bounds) > 15
    for room, highest in bounds.items():
        texts = [file.read_text(encoding="utf-8") for file in (ROOT / "autonomy" / room).rglob("*.py")]
        imported = {name for text in texts for name in re.findall(r"^\s*from autonomy\.(\w+)", text, re.MULTILINE)} - {room}
        assert {name for name in imported if height[name] < height[highest]} == set(), room
