"""What `--help` says, everywhere: a sentence in the imperative, a word for every option, an example for every group."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from autonomy.cli import COMMANDS, main
from tests.support.command import jiritsu

NO_ORDERS = {"The", "What", "All", "One", "When", "How", "Every", "A", "An"}


def commands(command: click.Command = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command and group by what one types."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))


ALL = dict(commands())


def test_a_command_says_what_it_does_and_what_each_option_is_for() -> None:
    assert len(ALL) > 80
    for name, command in ALL.items():
        said = (command.help or "").splitlines()[0]
        assert not name or said.endswith((".", "`.")) or ". " in said, name
        assert not name or said.split()[0] not in NO_ORDERS, name
        assert [one.name for one in command.params if isinstance(one, click.Option) and not one.help] == [], name


@pytest.mark.parametrize(
    "name", ["runs", "jobs", "approvals", "effects", "servers", "tenants", "audit", "report", "discover", "run"]
)
def test_what_one_uses_daily_has_examples(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"]).output
    assert f"  jiritsu {name} " in shown


@pytest.mark.parametrize(
    ("name", "said"), [("approvals", "nothing waits for a person"), ("effects", "every write's outcome is known")]
)
def test_what_messages_tell_a_person_to_look_at_lists_what_waits_without_another_word(
    name: str, said: str, tmp_path: Path
) -> None:
    done = jiritsu(name, home=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (0, said)


def test_the_first_help_names_the_exit_codes_and_every_command_in_the_words_of_its_own_help() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    assert "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something to configure" in " ".join(shown.split())
    assert all(f"\n  {name} " in shown for name in COMMANDS)
