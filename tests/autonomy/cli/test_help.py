"""What `--help` says, everywhere: a sentence in the imperative, a word for every option, an example for every group."""

import inspect
import json
import re
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from autonomy.cli import COMMANDS, main
from autonomy.cli.words.terminal_words import set_terminal_language
from autonomy.cli.words.text_columns import columns_of, lines_within
from tests.support.command import jiritsu
from tests.support.sampling import in_part

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
    assert list(COMMANDS)[:3] == ["init", "doctor", "run"], "what a newcomer needs stands first"


def english_texts() -> Iterator[str]:
    """Each paragraph and option's help of every command, and each line of the first list."""
    yield from (text for _, text in COMMANDS.values())
    for command in ALL.values():
        yield from (
            " ".join(one.split()) for one in inspect.cleandoc(command.help or "").split("\n\n") if not one.startswith("\b")
        )
        yield from (one.help or "" for one in command.params if isinstance(one, click.Option))


def test_every_help_text_has_its_japanese_and_nothing_else_has() -> None:
    english = set(english_texts())
    rooms = json.loads(Path("autonomy/cli/words/help.json").read_bytes())
    known = {text for room in rooms.values() for text in room}
    assert english - known == set()
    assert {text for text in known - english if not text.startswith("\b")} == {
        *("Usage:", "Options", "Commands", "default", "required", "Show this message and exit."),
        *(one for one in known if one.startswith("Exit codes: ")),
    }


@pytest.mark.parametrize("name", in_part(ALL, every=3, alike=lambda name: name.partition(" ")[0]))
def test_a_help_page_is_japanese_in_a_japanese_terminal_and_fits_it(name: str) -> None:
    def shown() -> str:
        set_terminal_language("ja")
        return CliRunner().invoke(main, [*name.split(), "--help"], prog_name="jiritsu", terminal_width=80).output

    page = copy_context().run(shown)
    assert page.startswith("使い方: jiritsu")
    assert "この説明を表示して終わります。" in page
    assert not re.search(r"^Options:|^Commands:|\[default: |\brequired\]", page, re.MULTILINE)
    assert [line for line in page.splitlines() if columns_of(line) > 80 and not line.startswith("  jiritsu ")] == []


def test_a_help_page_keeps_marks_with_their_words() -> None:
    assert list(lines_within("日本語 en）と、英語。", 8)) == ["日本語", "en）と、", "英語。"]
