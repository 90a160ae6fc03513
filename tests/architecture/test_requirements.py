"""Every promise has a proof or a stated reason why not; the proofs are the tests' own marks."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.requirements import DEFERRED, PROMISES

TESTS = Path(__file__).parents[1]


BY_NAME = {f"pytest.mark.{name}" for name in ("sweep", "real_servers", "claude")}
"""What has such a mark runs only where it is asked for, and proves nothing to who does not."""


@cache
def _proven() -> frozenset[str]:
    """The ids that stand in `@requirement(...)` marks of tests that run always."""
    texts = (file.read_text(encoding="utf-8") for file in TESTS.rglob("test_*.py"))
    return frozenset(found for text in texts if "requirement(" in text for found in _ids(ast.parse(text)))


def _ids(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    for statement in tree.body:
        marks = getattr(statement, "decorator_list", [statement])
        if not BY_NAME.intersection(ast.unparse(mark) for mark in marks if isinstance(mark, ast.Attribute)):
            for node in (node for mark in marks for node in ast.walk(mark)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "requirement":
                    yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))
            if isinstance(statement, ast.ClassDef):
                yield from _ids(statement)


def test_what_is_swept_proves_nothing() -> None:
    swept = ast.parse('@requirement("A1")\n@pytest.mark.sweep\ndef test_a(): ...\n\n@requirement("A2")\ndef test_b(): ...')
    assert list(_ids(swept)) == ["A2"]


def test_every_promise_is_proven_or_deferred_with_a_reason() -> None:
    assert PROMISES.keys() - _proven() - DEFERRED.keys() == set()


def test_a_deferral_ends_when_the_proof_comes() -> None:
    assert DEFERRED.keys() & _proven() == set()
    assert DEFERRED.keys() <= PROMISES.keys()
    assert all(reason.strip() for reason in DEFERRED.values())
