"""`jiritsu approvals approve --set`: what a person changes before saying yes."""

from pathlib import Path

import pytest

from autonomy.cli.commands.approvals import changed_arguments
from autonomy.cli.terminal import say_value
from autonomy.errors import ConfigError
from tests.requirements import requirement

ASKED = {"body_md": "a draft", "wip": True, "post_number": 7}


@requirement("Y3")
def test_a_text_comes_from_a_file_without_its_mark_and_everything_else_is_json(tmp_path: Path) -> None:
    file = tmp_path / "text.md"
    file.write_text("\ufeffmine = better\n", encoding="utf-8")
    changed = changed_arguments(ASKED, [f"body_md=@{file}", "wip=false"])
    assert changed == {"body_md": "mine = better\n", "wip": False, "post_number": 7}
    assert ASKED["body_md"] == "a draft"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("nope=1", "the names are body_md, wip, post_number"),
        ("body_md", "is not NAME=VALUE"),
        ("wip=maybe", "is not JSON"),
        (f"wip={'[' * 5_000}", "is not JSON"),
        ("body_md=@nowhere.md", "cannot be read"),
    ],
)
def test_what_cannot_be_set_is_named_in_one_line(change: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as refused:
        changed_arguments(ASKED, [change])
    assert str(refused.value).startswith("--set")
    assert "\n" not in str(refused.value)


def test_a_long_argument_is_shown_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    say_value("body_md", "x" * 5_000 + " the end")
    assert "the end" in capsys.readouterr().out
