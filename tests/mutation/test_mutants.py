"""The mutants fit the code as it stands; whether tests notice them is what `python -m tests.mutation` finds out."""

import ast
from collections import Counter
from functools import cache

import pytest

from tests.mutation.mutants import ROOMS, ROOT, Mutant, load, spread
from tests.support.sampling import in_shares

ALL = load()


@cache
def as_it_stands(file: str) -> str:
    """What Python makes of a file without a fault."""
    return ast.dump(ast.parse((ROOT / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("room", ROOMS)
def test_each_snippet_stands_once_in_its_file(room: str) -> None:
    for mutant in load([room]):
        assert mutant.source != (ROOT / mutant.file).read_text(encoding="utf-8"), mutant


@pytest.mark.parametrize("mutants", in_shares(ALL, of=16))
def test_a_snippet_leaves_another_program_in_python_behind(mutants: list[Mutant]) -> None:
    for mutant in mutants:
        assert ast.dump(ast.parse(mutant.source)) != as_it_stands(mutant.file), mutant


@pytest.mark.parametrize("room", ROOMS)
def test_the_tests_that_must_notice_are_there(room: str) -> None:
    named = {test.partition("::")[0] for mutant in load([room]) for test in mutant.tests}
    assert [test for test in named if not (ROOT / test).exists()] == []


def test_there_are_many_in_every_room_and_each_says_once_what_it_breaks() -> None:
    assert len(ALL) >= 120
    assert min(Counter(mutant.room for mutant in ALL).values()) >= 20
    assert len({(mutant.file, mutant.old, mutant.new) for mutant in ALL}) == len(ALL)
    assert [mutant for mutant in ALL if len(mutant.breaks.split()) < 3] == []


def test_a_snippet_that_is_not_there_is_said() -> None:
    mutant = Mutant(room="calls", file="autonomy/errors.py", old="no such words", new="", breaks="nothing", tests=())
    with pytest.raises(ValueError, match=r"autonomy/errors.py: the snippet stands there 0 times"):
        _ = mutant.source


def test_a_sample_is_spread_over_all_rooms_and_always_the_same() -> None:
    assert {mutant.room for mutant in spread(ALL, 12)} == set(ROOMS)
    assert [ALL.index(mutant) for mutant in spread(ALL[:30], 4)] == [3, 11, 18, 26]
    assert spread(ALL, 10_000) == ALL
