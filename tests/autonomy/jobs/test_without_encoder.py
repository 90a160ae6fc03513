"""The shipped jobs and templates as the README's first command installs them: nothing compares by meaning."""

import os
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autonomy.cli import main
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.sampling import only


@pytest.fixture
def blocked_loop(unguarded_loop: None) -> None:
    """A command may read its own files on its loop: nothing else runs there."""


@pytest.fixture(params=["ja", pytest.param("en", marks=pytest.mark.sweep)])
def language(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The sample's language, in a fresh home without the extra `embeddings`."""
    monkeypatch.setattr("autonomy.provenance.sentence_vectors._INSTALLED", False)
    for name in [name for name in os.environ if name.startswith("JIRITSU_")]:
        monkeypatch.delenv(name)
    for name in ("JIRITSU_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("JIRITSU_LANGUAGE", request.param)
    monkeypatch.setattr(sys, "executable", warm_interpreter())  # some sixty of the sample's servers are started here
    monkeypatch.chdir(tmp_path)
    return str(request.param)


def command(*arguments: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, arguments)


@requirement("J2")
@pytest.mark.parametrize("half", only([0], [0, 1]))
def test_the_diary_is_written_and_the_templates_rehearse_as_they_say_they_do(language: str, half: int) -> None:
    diary = command("run", "diary", "--sample", language)
    assert diary.exit_code == 0, diary.stderr
    names = [line.split()[0] for line in command("jobs", "new").stdout.splitlines()]
    assert len(names) > 5
    for name in names[2 * half + (language == "ja") :: 4]:  # each once, the half of them in either language
        rehearsal = command("jobs", "new", name, "--name", f"my-{name}").stdout.splitlines()[-1].partition("   #")[0]
        told, *arguments = shlex.split(rehearsal)
        assert (told, arguments[0]) == ("jiritsu", "run")
        done = command(*arguments)
        assert done.exit_code == 0, f"{name}: {done.stderr}{done.stdout}"


@requirement("J2")
def test_the_overtime_on_a_sample_without_a_sheet_to_write_to_is_declined_and_says_what_was_wanting(language: str) -> None:
    inputs = {"month": "2026-10", "department": "Manufacturing", "spreadsheet": "S1", "manager": "U09TOM"}
    given = [part for name, value in inputs.items() for part in ("-i", f"{name}={value}")]
    done = command("run", "overtime", "--sample", language, "--simulate", *given)
    wanting = {"ja": "それに使えるツールが見つかりませんでした。", "en": "No tool was found for it."}
    assert wanting[language] in done.stdout, done.stderr
    assert done.exit_code != 0
