"""The commands that the READMEs and the recipes tell a newcomer to run do run, one after the other in one new home."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.command import jiritsu

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
ELSEWHERE = ("pip install", "--model", " demo ")
"""The command that installs is run by the guard of main, a model needs a key, and `test_first_hour` watches the demonstrations."""


def commands_of(page: str) -> list[list[str]]:
    """The arguments of each command of ours in the page's console blocks, in order."""
    lines = [line for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")) for line in block.splitlines()]
    ours = [line for line in lines if re.match(r"(\.venv/bin/)?jiritsu ", line) and not any(words in line for words in ELSEWHERE)]
    return [shlex.split(line, comments=True)[1:] for line in ours]


@pytest.mark.parametrize(
    ("page", "locale", "least"),
    [
        ("README.md", "en_US.UTF-8", 4),
        pytest.param("README.ja.md", "ja_JP.UTF-8", 4, marks=pytest.mark.sweep),
        pytest.param("docs/recipes.md", "en_US.UTF-8", 4, marks=pytest.mark.sweep),
        pytest.param("docs/ja/recipes.md", "ja_JP.UTF-8", 4, marks=pytest.mark.sweep),
    ],
)
def test_the_commands_of_a_page_run(page: str, locale: str, least: int, home: Path) -> None:
    commands = commands_of(page)
    assert len(commands) >= least, commands
    for arguments in commands:
        done = jiritsu(*arguments, home=home, LANG=locale)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
