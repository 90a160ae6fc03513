"""Every promise has a proof or a stated reason why not; the proofs are the tests' own marks."""

import ast
from pathlib import Path

from tests.requirements import DEFERRED, PROMISES

TESTS = Path(__file__).parents[1]


def _proven() -> set[str]:
    """The ids that stand in `@requirement(...)` marks anywhere in the tests."""
    ids = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "requirement":
                ids |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return ids


def test_every_promise_is_proven_or_deferred_with_a_reason() -> None:
    assert PROMISES.keys() - _proven() - DEFERRED.keys() == set()


def test_a_deferral_ends_when_the_proof_comes() -> None:
    assert DEFERRED.keys() & _proven() == set()
    assert DEFERRED.keys() <= PROMISES.keys()
    assert all(reason.strip() for reason in DEFERRED.values())
