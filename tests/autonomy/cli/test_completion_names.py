"""What a shell completes is put into its line as it stands."""

from pathlib import Path

import click

from autonomy.cli.completion_names import job_names


def test_a_name_in_which_a_shell_would_see_a_command_is_not_completed(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    for name in ("$(touch x)", "`id`", "a;b", "a b", "\x1b]0;x\x07", "週報", "weekly-report"):
        (tmp_path / "jobs" / f"{name}.md").write_text("---\ntitle: One\n---\nSay hello.\n", encoding="utf-8")
    line = click.Context(click.Command("run"))
    line.params = {"home": str(tmp_path)}
    found = job_names(line, click.Argument(["goal"]), "")
    assert {"週報", "weekly-report", "diary"} <= set(found)
    assert not any(sign in name for name in found for sign in "$`; \x1b")
