"""What `python -m tests.check` runs for a changed file: the tests that speak of it, and no more programs than it must."""

from pathlib import Path

import pytest

from tests import check
from tests.check import VOCABULARY, FileOfTests

OUTSIDE = [f"tests/metrics/test_far_{number}.py" for number in range(VOCABULARY)]


def told(path: str, *imported: str, starts_programs: bool = False) -> FileOfTests:
    return FileOfTests(Path(path), frozenset(imported), starts_programs)


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> list[FileOfTests]:
    files = [
        told("tests/autonomy/calls/test_retry.py", starts_programs=True),
        told("tests/autonomy/calls/test_pages.py", "autonomy.calls.retry", starts_programs=True),
        told("tests/autonomy/calls/test_host_tools.py", "autonomy.calls.prepare"),
        told("tests/autonomy/calls/test_servers.py", "autonomy.calls.prepare", starts_programs=True),
        told("tests/autonomy/agent/test_run.py", "autonomy.calls.retry"),
        told("tests/autonomy/durable/test_killed.py", "autonomy.calls.retry", starts_programs=True),
        told("tests/simulation/test_all.py", "autonomy.calls.retry"),
    ]
    monkeypatch.setattr(check, "files_of_tests", lambda: tuple(files))
    return files


def test_a_module_has_the_tests_of_its_name_and_room_and_those_of_other_rooms_that_start_no_programs(
    suite: list[FileOfTests],
) -> None:
    assert check.tests_of("autonomy/calls/retry.py") == {
        "tests/autonomy/calls/test_retry.py",
        "tests/autonomy/calls/test_pages.py",
        "tests/autonomy/calls/test_host_tools.py",
        "tests/autonomy/agent/test_run.py",
    }


def test_what_every_test_imports_is_run_where_its_name_or_room_is_and_with_one_file_of_each_other_room(
    suite: list[FileOfTests],
) -> None:
    suite += [told(path, "autonomy.calls.retry") for path in OUTSIDE]
    suite += [
        told("tests/metrics/test_all_of_it.py", "autonomy.calls.retry", "autonomy.calls.retry.may_repeat"),
        told("tests/metrics/test_programs.py", *(f"autonomy.calls.retry.{name}" for name in "abc"), starts_programs=True),
    ]
    assert check.tests_of("autonomy/calls/retry.py") == {
        "tests/autonomy/calls/test_retry.py",
        "tests/autonomy/calls/test_host_tools.py",
        "tests/autonomy/agent/test_run.py",
        "tests/metrics/test_all_of_it.py",
    }


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("tests/autonomy/agent/test_run.py", {"tests/autonomy/agent/test_run.py"}),
        ("tests/support/house.py", set()),
        ("docs/walk.md", {"tests/architecture/test_readme.py"}),
        ("autonomy/errors.py", set()),
        ("autonomy/calls/data/words.json", {"tests/autonomy/calls/test_host_tools.py"}),
    ],
)
def test_what_is_no_module_of_a_room_has_its_own(file: str, tests: set[str]) -> None:
    assert check.tests_of(file) == tests


def test_the_files_there_are_say_what_they_import_and_whether_they_start_programs() -> None:
    this = check._read(Path(__file__))
    assert "tests.check.VOCABULARY" in this.imported
    assert not this.starts_programs
    assert check._read(Path(__file__).with_name("test_layers.py")).starts_programs
