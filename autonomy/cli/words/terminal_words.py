"""Reads what the terminal says back in Japanese: the English sentence with its places is the key, as of reasons."""

import os
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autonomy.errors import ConfigError
    from metrics.reporting.report_words import Language
    from metrics.reporting.sentence_forms import SentenceForms

_LANGUAGE: "ContextVar[Language]" = ContextVar("terminal_language")

DEEPEST = 3
"""Sentences within sentences."""

LONGEST = 2_000
"""Characters of a line that are read; a longer one is a text of somebody else."""

_ONE = re.compile(r"((?<![\w.,])1 (?:tool|provider|request|server|need|step|run))s(?=[,;.:]| of | as |  |$)")
"""One of what our sentences count, which they name in the plural."""

UNKNOWN = "{why}; did you mean {names}?"
"""What `discovery.text.near_names.did_you_mean` puts behind a sentence."""

_MEANT = "; did you mean "

_LEAD = re.compile(r"(?:\s|[✓✗!?·⊘…◇─↻⇄⇒→←✔+](?=\s)|\d(?=  ))*")
"""Indentation, and the signs in front of a line."""


def set_terminal_language(language: "Language") -> None:
    """Choose the language of what this terminal says from now on: English where it cannot write Japanese."""
    _LANGUAGE.set(writable(language))


def writable(language: "Language") -> "Language":
    """A language, or English where the encoding of this output has no Japanese."""
    from autonomy.locale_language import writes_japanese

    return language if language == "en" or writes_japanese() else "en"


def terminal_language() -> "Language":
    """The language of what this terminal says: until it is chosen, JIRITSU_LANGUAGE or the locale's.

    One that says nothing (C, POSIX) is Japanese to a person, as the content is, and English where the output is a log.
    """
    from autonomy.locale_language import language_of, names_japanese, writes_japanese

    if chosen := _LANGUAGE.get(None):
        return chosen
    if not writes_japanese():
        return "en"
    if (language := os.environ.get("JIRITSU_LANGUAGE")) in ("ja", "en"):
        return language  # type: ignore[return-value]  # one of the two
    return language_of(os.environ) if sys.stderr.isatty() else "ja" if names_japanese(os.environ) else "en"


def choose_written_language() -> "Language":
    """Choose the language where no settings are read, as for a help page, for all that follows: what the nearest settings file
    names, unless JIRITSU_LANGUAGE or the command says otherwise. It reads a file, so it is not for the event loop."""
    if not _LANGUAGE.get(None) and os.environ.get("JIRITSU_LANGUAGE") not in ("ja", "en") and (written := _language_of_file()):
        set_terminal_language(written)
    return terminal_language()


def _language_of_file() -> "Language | None":
    """The `language` of the settings file here or above; the settings themselves take longer to load than a help page."""
    try:
        if not (file := os.environ.get("JIRITSU_CONFIG", "") or _nearest("jiritsu.toml")):
            return None
        import tomllib

        with open(file, "rb") as written:  # noqa: PTH123 - pathlib loads more than a help page may
            language = tomllib.load(written).get("language")
    except (OSError, ValueError):  # whoever reads the settings says what is wrong with them
        return None
    return language if language in ("ja", "en") else None


def _nearest(name: str) -> str:
    """The file of that name here or above; empty where there is none."""
    folder = os.getcwd()  # noqa: PTH109 - as above
    while not os.path.isfile(file := os.path.join(folder, name)):  # noqa: PTH113, PTH118
        if folder == (folder := os.path.dirname(folder)):  # noqa: PTH120
            return ""
    return file


def translate(text: str) -> str:
    """A sentence of ours in the language of the terminal; a text that is none of ours as it is."""
    if len(text) > LONGEST:
        return text
    if terminal_language() == "ja":
        return in_japanese(text)
    one = _ONE.sub(r"\1", text)
    if "『" not in one:
        return one
    from metrics.reporting.reason_words import reason_in

    return reason_in("en", one)


def in_japanese(text: str) -> str:
    """A sentence of ours in Japanese, whatever the language of the terminal is; anything else as it is."""
    return _in_japanese(text, DEEPEST) if len(text) <= LONGEST else text


@cache
def sentences() -> Mapping[str, str]:
    """Each English sentence with its Japanese. `{why}` holds a sentence of ours or a reason, `{ending}` how a
    run stands or ended; every other place any text."""
    import json
    from pathlib import Path

    read: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("terminal.json").read_bytes())
    return {english: japanese for room in read.values() for english, japanese in room.items()}


@cache
def _forms() -> "SentenceForms":
    from metrics.reporting.sentence_forms import SentenceForms

    return SentenceForms(sentences())


def _in_japanese(text: str, depth: int) -> str:
    from metrics.reporting.reason_words import reason_in

    why, meant, names = text.rpartition(_MEANT)
    if depth and meant and names.endswith("?"):  # at the end of any sentence that says that a name is unknown
        return sentences()[UNKNOWN].format(why=_in_japanese(why, depth - 1), names=names.removesuffix("?"))
    lead = _LEAD.match(text)
    begins = lead.end() if lead else 0
    for other, values in _forms().matching(text[begins:]):
        return text[:begins] + other.format(**{name: _value(name, value, depth) for name, value in values.items()})
    return text[:begins] + reason_in("ja", text[begins:])


def _value(place: str, text: str, depth: int) -> str:
    if place == "ending":
        from metrics.reporting.report_words import WORDS, word

        return word(text, "ja") if text in WORDS else text
    return _in_japanese(text, depth - 1) if place.startswith("why") and depth else text


def config_problem(error: "ConfigError") -> str:
    """Describe a wrong setting in the language of the terminal: its place, its key, and what is wrong."""
    from autonomy.errors import ConfigError, InputsMissing  # whoever has such an error has loaded it

    problem = f"must be given, each as -i NAME=VALUE: {error.listed}" if isinstance(error, InputsMissing) else error.problem
    key = _LINE.sub(r"\1 行目\2", error.key) if terminal_language() == "ja" else error.key
    return str(ConfigError(error.where, key, translate(problem)))


_LINE = re.compile(r"^line (\d{1,9})(, |$)")
"""Where a file is at fault: its line, and the column of a table."""
