"""`jiritsu replay`: any run of this data directory, or a file."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.support.command import jiritsu
from tests.support.durable import new_sqlite_file


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where a diary was written, which replays only look at."""
    home = tmp_path_factory.mktemp("written")
    (home / "jiritsu.db").write_bytes(new_sqlite_file())
    ran = jiritsu("run", "diary", "--json", home=home)
    assert ran.returncode == 0, ran.stderr
    return home


@pytest.fixture(scope="module")
def again(home: Path) -> CompletedProcess[str]:
    """Its replay, saved to a file."""
    run_id = jiritsu("runs", "list", home=home).stdout.split()[0]
    return jiritsu("replay", run_id[:17], "--save", str(home / "diary.jsonl"), home=home)


def test_a_run_plays_again_by_the_beginning_of_its_id_and_from_the_file_it_was_saved_to(
    home: Path, again: CompletedProcess[str], tmp_path: Path
) -> None:
    assert again.returncode == 0, again.stderr
    assert "steps as they were, completed" in again.stdout
    assert "esa_create_post" in again.stderr
    once_more = jiritsu("replay", str(home / "diary.jsonl"), "--quiet", home=tmp_path)
    assert (once_more.returncode, once_more.stderr) == (0, "")
    assert once_more.stdout == again.stdout


@pytest.mark.usefixtures("again")
def test_a_run_that_departs_from_its_recording_is_named_in_one_line(home: Path, tmp_path: Path) -> None:
    lines = (home / "diary.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    saved = tmp_path / "departs.jsonl"
    saved.write_text("".join(line for line in lines if '"turn-1/reads"' not in line), encoding="utf-8")
    departed = jiritsu("replay", str(saved), "--quiet", home=tmp_path)
    assert departed.returncode == 1
    assert "departs from its recording at turn-1/reads: it was not taken then" in departed.stderr
    assert departed.stderr.count("\n") == 1
    kept = jiritsu("replay", str(saved), "--quiet", "--save", str(tmp_path / "kept.jsonl"), home=tmp_path)
    assert kept.returncode == 1
    assert jiritsu("replay", str(tmp_path / "kept.jsonl"), "--quiet", home=tmp_path).stderr == departed.stderr


def test_what_is_neither_a_run_nor_a_file_is_said_so(tmp_path: Path) -> None:
    done = jiritsu("replay", "nothing", home=tmp_path)
    assert done.returncode == 1
    assert "there is no run 'nothing'" in done.stderr
