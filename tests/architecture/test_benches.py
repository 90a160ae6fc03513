"""Each bench can be started: a renamed function breaks one, and nobody would see it before the next figure is wanted."""

import importlib
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[1] / "bench"
OF_OTHER_PROGRAMS = {"agentdojo_export"}  # runs where AgentDojo is installed


@pytest.mark.parametrize("name", sorted(file.stem for file in BENCHES.glob("*.py") if file.stem not in OF_OTHER_PROGRAMS))
def test_a_bench_finds_what_it_imports(name: str) -> None:
    importlib.import_module(f"tests.bench.{name}")
