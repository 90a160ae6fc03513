"""Every promise has a proof or a stated reason why not; the proofs are the tests' own marks."""

import ast
from functools import cache
from pathlib import Path

from tests.requirements import DEFERRED, PROMISES

TESTS = Path(__file__).parents[1]


@cache
def _proven() -> frozenset[str]:
    """The ids that stand in `@requirement(...)` marks anywhere in the tests."""
    ids = set[str]()
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if "requirement(" in text else "")):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "requirement":
                ids |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return frozenset(ids)


def test_every_promise_is_proven_or_deferred_with_a_reason() -> None:
    assert PROMISES.keys() - _proven() - DEFERRED.keys() == set()


def test_a_deferral_ends_when_the_proof_comes() -> None:
    assert DEFERRED.keys() & _proven() == set()
    assert DEFERRED.keys() <= PROMISES.keys()
    assert all(reason.strip() for reason in DEFERRED.values())
