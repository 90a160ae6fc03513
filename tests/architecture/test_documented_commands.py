"""Every command, sub-command and flag that a page quotes is there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from autonomy.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SPAN = re.compile(r"`([^`\n]+)`")
IN_CODE = re.compile(r"`jiritsu ([^`\n]+)`")
BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def quoted(text: str) -> Iterator[str]:
    """What stands after `jiritsu` in code, a command each."""
    blocks = BLOCK.findall(text)
    spans = SPAN.findall(BLOCK.sub("", text))
    for line in [*spans, *(line for block in blocks for line in block.splitlines())]:
        for command in re.split(r"&&|\|\s|;", line):
            found = re.match(
                r"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\S*/)?jiritsu (?!\w+: )(.+)", command
            )  # `jiritsu console: …` is output
            if found:
                yield found.group(1).strip()


def wrong_in(said: str) -> str:
    """What in a quoted command is not there; nothing when all is."""
    try:
        words = shlex.split(said.split(" #")[0].split(" →")[0])
    except ValueError:
        words = said.split()
    command: click.Command = main
    context = click.Context(main)
    options = options_of(main)
    for word in words:
        if word == "--":
            return ""
        if word.startswith("-"):
            if word.partition("=")[0] not in options:
                return f"{said!r}: {command.name} has no {word}"
        elif isinstance(command, click.Group):
            names = [name for name in word.split("|") if name.isalpha() or "-" in name]
            if word.isupper() or word in ("…", "...", "[OPTIONS]"):
                return ""
            if options_before_value(words, word, command):
                continue
            found = [command.get_command(context, name) for name in names]
            if not found or None in found:
                return f"{said!r}: no command {word!r}"
            command = found[0] or command
            options |= options_of(command)
    return ""


def options_of(command: click.Command) -> set[str]:
    """Its options, and the help that every command has."""
    named = {name for one in command.params if isinstance(one, click.Option) for name in (*one.opts, *one.secondary_opts)}
    return named | {"--help", "-h"}


def options_before_value(words: list[str], word: str, command: click.Command) -> bool:
    """Whether the word is the value of the option before it."""
    at = words.index(word)
    taking = {name for one in command.params if isinstance(one, click.Option) and not one.is_flag for name in one.opts}
    return at > 0 and words[at - 1] in taking


def test_every_command_a_page_quotes_is_there() -> None:
    told = {str(page.relative_to(ROOT)): [wrong_in(said) for said in quoted(page.read_text(encoding="utf-8"))] for page in PAGES}
    assert sum(map(len, told.values())) > 200
    assert [(page, problem) for page, problems in told.items() for problem in problems if problem] == []


def test_every_command_that_the_code_quotes_is_there() -> None:
    """Most of it is said to people: what to do next."""
    files = [file for room in ("autonomy", "discovery", "metrics", "mcp_servers") for file in sorted((ROOT / room).rglob("*.py"))]
    said = [(file.name, one) for file in files for one in IN_CODE.findall(file.read_text(encoding="utf-8"))]
    assert len(said) > 100
    assert [(name, problem) for name, one in said if (problem := wrong_in(re.sub(r"\{[^}]*\}", "X", one)))] == []


def test_a_command_that_is_not_there_is_found_out() -> None:
    assert wrong_in("runs undo x") == "'runs undo x': no command 'undo'"
    assert wrong_in("runs list --jobs x") == "'runs list --jobs x': list has no --jobs"
    assert wrong_in("--model openai:gpt-6.1-sol run diary --simulate") == ""
    assert list(quoted("Say `jiritsu runs list`.\n```console\n.venv/bin/jiritsu run x && jiritsu init\n```")) == [
        "runs list",
        "run x",
        "init",
    ]
