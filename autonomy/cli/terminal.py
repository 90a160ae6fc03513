"""The only way to write to the terminal; escapes control characters and line breaks from outside.

What the terminal says is written in English and read back in the language of whoever sits there (`words/terminal_words.py`); logs stay
English. What `rich` draws goes through `rich_console.py`.
"""

import contextlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.words.terminal_words import translate
from autonomy.cli.words.text_columns import folded, table_lines

if TYPE_CHECKING:
    from autonomy.run_state.asking.question_view import QuestionView


ANSWERS = {"y": True, "yes": True, "はい": True, "": False, "n": False, "no": False, "いいえ": False}
"""What may be answered to a question that takes yes or no."""

_BREAKS = dict.fromkeys(map(ord, "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")
_SIGNS = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)], 0xFFFD),
}
"""Control characters of both sets, what turns the direction of writing, and halves of characters, as signs that only show they
were there."""

_UNSAFE = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON leaves as it is, and a terminal does not."""


def harmless(text: str) -> str:
    """A text, its control characters replaced by visible signs: nothing but its line breaks and tabs acts on a terminal."""
    return text.replace("\r\n", "\n").translate(_SIGNS)


def in_a_line(text: str) -> str:
    """A text as `harmless` makes it, in one line, so that words from outside cannot pass for a line of ours."""
    return text.translate(_BREAKS).translate(_SIGNS)


def say(line: object = "", *, err: bool = False, nl: bool = True, verbatim: bool = False, **style: Any) -> None:
    """Print one line, whatever is in it, in the language of the terminal; `style` as `click.style` takes it.

    `verbatim`: the line quotes somebody else's text, none of which may be taken for a sentence of ours.
    """
    text = in_a_line(str(line) if verbatim else translate(str(line)))
    if nl:
        text = "\n".join(folded(text, _columns_in_front(err=err)))
    click.echo(click.style(text, **style) if style else text, err=err, nl=nl)


def show(text: object, *, err: bool = False) -> None:
    """Print a text of several lines, made `harmless`: an answer, a description, a page."""
    click.echo("\n".join(_lines_of_prose(harmless(str(text)), _columns_in_front(err=err))), err=err)


def _lines_of_prose(text: str, columns: int) -> Iterator[str]:
    """The lines of a text, folded at words; those of code and of tables as they are."""
    in_code = False
    for line in text.split("\n"):
        in_code ^= line.lstrip().startswith("```")
        if in_code or line.startswith(("|", "    ", "\t", "+", "```")):
            yield line
        else:
            yield from folded(line, columns)


def _columns_in_front(*, err: bool) -> int:
    """The columns of the terminal that shows what is printed; without an end where it goes into a file or a pipe."""
    stream = sys.stderr if err else sys.stdout
    with contextlib.suppress(OSError, ValueError, AttributeError):  # a stream of a test has no descriptor
        if stream.isatty():
            told = os.environ.get("COLUMNS", "")
            return int(told) if told.isdecimal() and int(told) else os.get_terminal_size(stream.fileno()).columns or sys.maxsize
    return sys.maxsize


def terminal_columns() -> int:
    """The columns of the terminal, or of COLUMNS; without an end where the output is no terminal, such as a pipe."""
    if (told := os.environ.get("COLUMNS", "")).isdecimal() and int(told):
        return int(told)
    return os.get_terminal_size(sys.stdout.fileno()).columns or sys.maxsize if sys.stdout.isatty() else sys.maxsize


def say_table(rows: Iterable[Sequence[str]], *, indent: int = 2) -> None:
    """Print rows of cells, of which none is taken for a sentence of ours, as `table_lines` lays them out on this terminal."""
    for lines in table_lines(rows, terminal_columns(), indent=indent):
        for line in lines:
            say(line, verbatim=True)


def say_value(name: str, value: object, *, err: bool = False) -> None:
    """Print one argument of a call that a person decides about, to its end; its own lines stand in."""
    text = harmless(str(value)).replace("\n", "\n    | ")
    click.echo(f"  {in_a_line(name)}: {text}", err=err)


def show_question(view: "QuestionView", *, err: bool) -> None:
    """Print every argument whole, with its sources: an answer binds nothing that was not shown."""
    for item in view.items:
        say_value(f"⚠ {item.argument}" if item.unusual else item.argument, item.value, err=err)
        for source in item.sources:
            say(f"    ↳ {source}", err=err, verbatim=True)
        for line in item.diff:
            say(f"    {line}", err=err, verbatim=True)


def print_json(data: Any) -> None:
    """Print data for other programs on stdout, as JSON in which what could act on a terminal is escaped."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(data, ensure_ascii=not utf8, indent=2, default=str)
    click.echo(_UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text))


def agreed(question: str, *, err: bool = False) -> bool:
    """Whether the person at the terminal says yes; no where nobody is there to answer, and at Ctrl-C."""
    try:
        return says_yes(question, err=err)
    except click.Abort:
        click.echo(err=err)
        return False


def says_yes(question: str, *, err: bool = False) -> bool:
    """Whether the person says yes, asked until it is a yes or a no; nothing is a no. Raises `click.Abort` at Ctrl-C and at the end."""
    return bool(yes_no_or_edit(question, may_edit=False, err=err))


def yes_no_or_edit(question: str, *, may_edit: bool = True, err: bool = False) -> bool | None:
    """Whether the person says yes, as `says_yes` asks; None where he would first edit what is asked about (`may_edit`)."""
    prompt = f"{in_a_line(translate(question))} [y/N{'/e' if may_edit else ''}]"
    answers: dict[str, bool | None] = {**ANSWERS, **({"e": None, "edit": None} if may_edit else {})}
    while (answer := readable_answer(click.prompt(prompt, default="", show_default=False, err=err))) not in answers:
        say("Please answer y, n or e." if may_edit else "Please answer y or n.", err=err)
    return answers[answer]


def readable_answer(typed: object) -> str:
    """What was typed, in small letters of the usual width: a Japanese keyboard writes ２ and ｙ."""
    return unicodedata.normalize("NFKC", str(typed)).strip().lower()
