"""`jiritsu run --plan`: the plan is checked, carried out and shown."""

import json
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.openai_chat import OpenAIChat, reply

PLAN = {"steps": [{"id": "people", "tool": "slack_get_users", "arguments": {}, "why": "who is there"}]}


@requirement("X18")
def test_a_plan_is_carried_out_and_shown(tmp_path: Path) -> None:
    with OpenAIChat() as fake:
        fake.script(reply(json.dumps(PLAN)), reply("It is Kenta and Yui."))
        settings = f'model = ["compatible:m"]\n[models.compatible]\nbase_url = "{fake.url}"\nstream = false\n'
        (tmp_path / "jiritsu.toml").write_text(settings, encoding="utf-8")
        done = jiritsu("run", "--plan", "who is in the workspace?", home=tmp_path)
    assert done.stdout.strip() == "It is Kenta and Yui.", done.stderr
    assert "planned people: slack_get_users (who is there)" in done.stderr
    assert done.returncode == 0


@requirement("X18", "L6")
@pytest.mark.parametrize("goal", ["who is in the workspace?"])
def test_the_offline_planner_says_that_it_cannot_plan_so(tmp_path: Path, goal: str) -> None:
    done = jiritsu("run", "--plan", goal, home=tmp_path)
    assert done.returncode != 0
    assert "JSON schema" in " ".join(done.stderr.split())
