"""`jiritsu run --plan`: the plan is checked, carried out and shown."""

import json
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.openai_chat import OpenAIChat, call, reply

PLAN = {"steps": [{"id": "people", "tool": "slack_get_users", "arguments": {}, "why": "who is there"}]}


@requirement("X18")
def test_a_plan_is_carried_out_and_shown(home: Path) -> None:
    with OpenAIChat() as fake:
        fake.script(reply(json.dumps(PLAN)), reply("It is Kenta and Yui."))
        settings = f'model = ["compatible:m"]\n[models.compatible]\nbase_url = "{fake.url}"\nstream = false\n'
        (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
        done = jiritsu("run", "--plan", "who is in the workspace?", home=home)
    assert done.stdout.strip() == "It is Kenta and Yui.", done.stderr
    assert "planned people: slack_get_users (who is there)" in done.stderr
    assert done.returncode == 0


JOB = "---\ntitle: Who\nplan: true\n---\nWho is in the workspace?\n"


@requirement("C5")
def test_a_run_that_did_not_get_there_shows_what_the_tool_said(home: Path) -> None:
    with OpenAIChat() as fake:
        fake.script(reply(calls=[call("slack_get_channel_history", {})]), reply("I could not."))
        settings = f'model = ["compatible:m"]\n[models.compatible]\nbase_url = "{fake.url}"\nstream = false\n'
        (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
        done = jiritsu("run", "what is new?", home=home, JIRITSU_LANGUAGE="en")
    assert done.returncode == 4
    assert "blocked: no tool worked: slack_get_channel_history: " in done.stderr
    assert "channel_id is required" in done.stderr


@requirement("X18", "L6")
@pytest.mark.parametrize("arguments", [("--plan", "who is in the workspace?"), ("who",)])
def test_without_a_language_model_a_plan_is_refused_before_anything_begins(home: Path, arguments: tuple[str, ...]) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "who.md").write_text(JOB, encoding="utf-8")
    done = jiritsu("run", *arguments, home=home)
    assert done.returncode == 3
    assert done.stderr == "jiritsu: settings: model: planner:offline cannot plan first; name a language model (docs/models.md)\n"
    assert jiritsu("runs", "list", home=home).stdout == ""


@requirement("X18")
def test_each_run_of_a_list_is_planned_where_the_person_asks_for_plans(home: Path) -> None:
    (home / "jobs").mkdir()
    listed = "for_each: {input: who, items: [Kenta, Yui]}\ninputs: {who: {required: true}}"
    text = f"---\ntitle: Who\n{listed}\n---\nWho is {{{{inputs.who}}}}?\n"
    (home / "jobs" / "each.md").write_text(text, encoding="utf-8")
    done = jiritsu("run", "--plan", "each", home=home)
    assert done.returncode == 3
    assert "planner:offline cannot plan first" in done.stderr


@requirement("X18")
def test_a_job_that_asks_for_a_plan_gets_one_without_being_told(home: Path) -> None:
    (home / "jobs").mkdir()
    (home / "jobs" / "who.md").write_text(JOB, encoding="utf-8")
    with OpenAIChat() as fake:
        fake.script(reply(json.dumps(PLAN)), reply("It is Kenta and Yui."))
        settings = f'model = ["compatible:m"]\n[models.compatible]\nbase_url = "{fake.url}"\nstream = false\n'
        (home / "jiritsu.toml").write_text(settings, encoding="utf-8")
        done = jiritsu("run", "who", home=home)
    assert "planned people: slack_get_users" in done.stderr, done.stderr
