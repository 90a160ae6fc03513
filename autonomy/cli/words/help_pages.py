"""Shows help pages in the language of the terminal: the English texts are the keys of `help.json`."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

import click

from autonomy.cli.words.text_columns import lines_within

_FIRST = re.compile(r".*?(?:[.](?=\s|$)|。|$)", re.DOTALL)
_EXTRA = re.compile(r"  \[[^\[\]]*\]$")


class HelpContext(click.Context):
    """The context of our commands, whose help page is in the language of the terminal."""

    def make_formatter(self) -> click.HelpFormatter:
        """The formatter of that language."""
        from autonomy.cli.words.terminal_words import choose_written_language

        if choose_written_language() != "ja":
            return super().make_formatter()
        return JapaneseHelp(width=self.terminal_width, max_width=self.max_content_width)


def show_in_words(command: click.Command) -> None:
    """Give a command, and those in it, help pages of the terminal's language; lists then hold whole sentences."""
    command.context_class = HelpContext
    command.short_help = command.short_help or first_sentence(command.help or "")
    for one in command.commands.values() if isinstance(command, click.Group) else ():
        show_in_words(one)


def first_sentence(text: str) -> str:
    """The first sentence of a help text, in one line."""
    found = _FIRST.match(" ".join(text.split("\n\n")[0].split()))
    return found.group() if found else ""


@cache
def help_texts() -> Mapping[str, str]:
    """Each English paragraph of a help page, and each first sentence, with its Japanese."""
    import json
    from pathlib import Path

    read: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("help.json").read_bytes())
    whole = {english: japanese for room in read.values() for english, japanese in room.items()}
    return {first_sentence(english): first_sentence(japanese) for english, japanese in whole.items()} | whole


class JapaneseHelp(click.HelpFormatter):
    """Writes a help page in Japanese, where a letter takes two columns and a line may end after any."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line of the command."""
        super().write_usage(prog, args, prefix or f"{help_texts()['Usage:']} ")

    def write_heading(self, heading: str) -> None:
        """Write the name of a section."""
        super().write_heading(help_texts().get(heading, heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs; one that begins with `\\b` keeps its lines."""
        indent = " " * self.current_indent
        paragraphs = []
        for paragraph in text.split("\n\n"):
            plain = "\n".join(line.strip() for line in paragraph.strip(" \n").splitlines())
            if plain.startswith("\b"):
                translated = help_texts().get(paragraph.strip(" \n"), paragraph.strip(" \n"))
                paragraphs.append([f"{indent}{line}" for line in translated.splitlines()[1:]])
            else:
                paragraphs.append([f"{indent}{line}" for line in lines_within(_translated(plain), self.width - len(indent))])
        self.write("\n\n".join("\n".join(lines) for lines in paragraphs) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms with what each means."""
        listed = list(rows)
        column = min(max((len(term) for term, _ in listed), default=0), col_max) + col_spacing
        for term, meaning in listed:
            self.write(f"{'':>{self.current_indent}}{term}")
            self.write(
                " " * (column - len(term)) if len(term) <= column - col_spacing else f"\n{'':>{column + self.current_indent}}"
            )
            lines = lines_within(_translated(meaning), max(self.width - column - 2, 10))
            self.write(f"\n{'':>{column + self.current_indent}}".join(lines) + "\n")


def _translated(text: str) -> str:
    """A paragraph in Japanese, with what click adds to it; an unknown one as it is."""
    line = " ".join(text.split())
    extra = _EXTRA.search(text)
    if extra is None:
        return help_texts().get(line, text)
    texts = help_texts()
    added = extra.group().replace("[default: ", f"[{texts['default']}: ").replace("required]", f"{texts['required']}]")
    return texts.get(" ".join(text[: extra.start()].split()), text[: extra.start()]) + added
