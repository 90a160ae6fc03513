"""`jiritsu replay`: any run of this data directory, or a file."""

from pathlib import Path

from tests.support.command import jiritsu


def test_a_run_plays_again_by_the_beginning_of_its_id_and_from_the_file_it_was_saved_to(tmp_path: Path) -> None:
    ran = jiritsu("run", "diary", "--json", home=tmp_path)
    assert ran.returncode == 0, ran.stderr
    run_id = jiritsu("runs", "list", home=tmp_path).stdout.split()[0]
    saved = tmp_path / "diary.jsonl"
    again = jiritsu("replay", run_id[:17], "--save", str(saved), home=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "steps as they were, completed" in again.stdout
    assert "esa_create_post" in again.stderr
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    once_more = jiritsu("replay", str(saved), "--quiet", home=elsewhere)
    assert (once_more.returncode, once_more.stderr) == (0, "")
    assert once_more.stdout == again.stdout


def test_a_run_that_departs_from_its_recording_is_named_in_one_line(tmp_path: Path) -> None:
    assert jiritsu("run", "diary", "--quiet", home=tmp_path).returncode == 0
    run_id = jiritsu("runs", "list", home=tmp_path).stdout.split()[0]
    saved = tmp_path / "diary.jsonl"
    assert jiritsu("replay", run_id, "--quiet", "--save", str(saved), home=tmp_path).returncode == 0
    lines = saved.read_text(encoding="utf-8").splitlines(keepends=True)
    saved.write_text("".join(line for line in lines if '"turn-1/reads"' not in line), encoding="utf-8")
    departed = jiritsu("replay", str(saved), "--quiet", home=tmp_path)
    assert departed.returncode == 1
    assert "departs from its recording at turn-1/reads: it was not taken then" in departed.stderr
    assert departed.stderr.count("\n") == 1


def test_what_is_neither_a_run_nor_a_file_is_said_so(tmp_path: Path) -> None:
    done = jiritsu("replay", "nothing", home=tmp_path)
    assert done.returncode == 1
    assert "there is no run 'nothing'" in done.stderr
