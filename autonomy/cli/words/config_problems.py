"""Says what is wrong with a setting in the language of the terminal."""

import re

from autonomy.cli.words.terminal_words import terminal_language, translate
from autonomy.errors import ConfigError, InputsMissing


def config_problem(error: ConfigError) -> str:
    """Describe a wrong setting in the language of the terminal: its place, its key, and what is wrong."""
    problem = f"must be given, each as -i NAME=VALUE: {error.listed}" if isinstance(error, InputsMissing) else error.problem
    key = _LINE.sub(r"\1 行目\2", error.key) if terminal_language() == "ja" else error.key
    return str(ConfigError(error.where, key, translate(problem)))


_LINE = re.compile(r"^line (\d{1,9})(, |$)")
"""Where a file is at fault: its line, and the column of a table."""
