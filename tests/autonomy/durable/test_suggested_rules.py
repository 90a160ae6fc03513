"""What people approve again and again can become a rule, which is shown before it is one."""

import json
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner, Result
from mcp.server.mcpserver import MCPServer

from autonomy.cli import main
from autonomy.durable.approval_store import Approval, Approvals
from autonomy.durable.store import Store
from autonomy.durable.suggested_rules import suggested_rules, without_known
from autonomy.errors import ConfigError
from autonomy.llm.scripted import calling
from autonomy.policy.decision_table import SourceClass
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.question_view import suggested_rule
from autonomy.run_state.step import inline
from autonomy.settings import load
from autonomy.settings_files import read_policy, remove_rule, rules_in
from autonomy.stores import open_store
from discovery.catalog import Effect, ToolSpec
from tests.autonomy.run_state.test_question_view import question
from tests.requirements import requirement
from tests.support.house import OUTWARD, READ, house, person_who


@pytest.fixture
def blocked_loop(unguarded_loop: None) -> None:
    """A command may read its own files on its loop: nothing else runs there."""


def approved(number: int, source: SourceClass = SourceClass.WORDS, **changed: object) -> Approval:
    """What a person answered in one run."""
    asked = question(source, text=f"wording {number}").model_copy(update={"run_id": f"run-{number}"})
    return Approval.model_validate(
        {"id": str(number), "question": asked, "state": "granted", "asked_at": 1.0, "expires_at": 2.0, "answered_by": "haruka"}
        | changed
    )


@requirement("K6")
def test_a_shape_that_was_approved_in_three_runs_is_suggested_whatever_its_wording() -> None:
    (found,) = suggested_rules(approved(number) for number in range(3))
    assert (found.tool, found.runs, found.by) == ("chat_send", 3, ("haruka",))
    assert 'arguments = { "to" = "U1" }' in found.rule


def listed(number: int, *, kept: bool) -> Approval:
    """What a person answered to a list of two calls, of which he may have left the first out."""
    call, other = approved(number).question, approved(number).question.model_copy(update={"tool": "chat_other"})
    calls = {"1": call.arguments, "2": other.arguments}
    asked = call.model_copy(update={"arguments": calls, "calls": (call, other)})
    return approved(number, question=asked, edited=None if kept else {"2": other.arguments})


@requirement("K6")
def test_a_call_that_was_once_left_out_of_a_list_is_not_suggested_and_its_neighbour_is() -> None:
    assert [one.tool for one in suggested_rules(listed(number, kept=True) for number in range(4))] == ["chat_send", "chat_other"]
    assert [one.tool for one in suggested_rules(listed(number, kept=number > 0) for number in range(4))] == ["chat_other"]


@requirement("K6")
@pytest.mark.parametrize(
    ("what", "answers"),
    [
        ("approved twice", [approved(1), approved(2)]),
        ("approved three times in one run", [approved(1), approved(1), approved(1)]),
        ("denied once", [*map(approved, range(5)), approved(9, state="denied")]),
        ("changed once", [*map(approved, range(5)), approved(9, edited={"to": "U2", "text": "x"})]),
        ("expired", [approved(number, state="expired") for number in range(5)]),
        ("let through by --yes", [approved(number, answered_by="--yes") for number in range(5)]),
        ("chosen by text", [approved(number, SourceClass.TEXT) for number in range(5)]),
        ("from nowhere", [approved(number, SourceClass.NOWHERE) for number in range(5)]),
    ],
)
def test_what_is_no_habit_or_was_chosen_by_text_is_not_suggested(what: str, answers: list[Approval]) -> None:
    assert suggested_rules(answers) == (), what


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory in which one shape was approved in three runs."""
    engine = open_store(load({"home": tmp_path}, env={}))

    async def haruka(_: ApprovalQuestion) -> ApprovalAnswer:
        return ApprovalAnswer(answer="granted", by="haruka")

    async def fill() -> None:
        for number in range(3):
            one = approved(number).question.model_copy(update={"tenant": "default"})
            await Approvals(Store(engine), ask_here=haruka)(one, inline)

    anyio.run(fill)
    engine.dispose()
    return tmp_path


def suggest(home: Path, *more: str, answer: str = "") -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "approvals", "suggest", *more], input=answer)


def rules(home: Path, *more: str, answer: str = "") -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "approvals", "rules", *more], input=answer)


@requirement("K6")
def test_a_person_sees_the_rule_and_only_then_it_is_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("JIRITSU_HOME", str(home))
    listed = suggest(home)
    assert "1. chat_send: approved in 3 runs by haruka" in listed.output
    refused = suggest(home, "--write", "1", answer="n\n")
    assert (refused.exit_code, (home / "jiritsu.toml").exists()) == (1, False)
    written = suggest(home, "--write", "1", answer="y\n")
    assert written.exit_code == 0, written.output
    (rule,) = read_policy(load({"home": home}).settings, origin="").rules
    assert (rule.decision, rule.tool, rule.arguments, rule.free) == ("allow", "chat_send", {"to": "U1"}, ("text",))
    assert json.loads((suggest(home, "--json")).stdout) == []
    assert (suggest(home, "--write", "7", answer="y\n")).exit_code == 1


async def asked_about(home: Path, to: str) -> int:
    """How many questions a run asks that sends one message after reading, under the settings as they are now."""
    server: MCPServer[Any] = MCPServer("chat")
    asked: list[ApprovalQuestion] = []

    @server.tool(annotations=READ)
    def history() -> str:
        """The messages."""
        return "Nothing new."

    @server.tool(annotations=OUTWARD)
    def send(to: str, text: str) -> str:
        """Send a message."""
        return "sent"

    script: list[Any] = [calling(("chat_history", {})), calling(("chat_send", {"to": to, "text": "やあ"})), *["送りました。"] * 9]
    policy = read_policy(load({"home": home}).settings, origin="")
    async with house(server, script=script, approver=person_who("granted", asked), policy=policy) as home_of_run:
        await home_of_run.run("wiki に書いてあるとおりにメッセージを送って")
    return len(asked)


@requirement("K6")
def test_a_rule_that_was_written_answers_the_next_run_is_shown_and_can_be_taken_out_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("JIRITSU_HOME", str(home))
    settings = home / "jiritsu.toml"
    settings.write_text(
        'language = "ja"  # ours\n\n[[policy]]\nname = "mine"\ndecision = "deny"\ntool = "x"\n\n# below\n[tools]\n'
    )
    before = settings.read_text()
    assert "mine" in rules(home).stdout
    assert "chat_send" not in rules(home).stdout
    assert anyio.run(asked_about, home, "U1") == 1
    assert suggest(home, "--write", "1", "--yes").exit_code == 0
    assert [anyio.run(asked_about, home, to) for to in ("U1", "U2")] == [0, 1], "it holds for its recipient alone"
    shown = rules(home)
    assert f"2. {settings}" in shown.stdout
    assert 'arguments = { "to" = "U1" }' in shown.stdout
    refused = rules(home, "--remove", "2", answer="n\n")
    assert (refused.exit_code, anyio.run(asked_about, home, "U1")) == (1, 0)
    assert rules(home, "--remove", "3", "--yes").exit_code == 1
    assert rules(home, "--remove", "2", answer="y\n").exit_code == 0
    assert anyio.run(asked_about, home, "U1") == 1
    assert settings.read_text() == before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", 0),
        ('policy = [{name = "a", decision = "ask"}]\n', 0),
        ('[[policy]]\nname = "a"\ndecision = "ask"\n# of b\n[[ policy ]]\nname = "b"\ndecision = "ask"\n', 2),
        ('\ufeff[[policy]]\nname = "a"\ndecision = "ask"\n# of b\n[[policy]]\nname = "b"\ndecision = "ask"\n', 2),
        ('[[policy]]\nname = "a"\ndecision = "ask"\nreason = """\n[[policy]]\nnot one"""\n', 2),
    ],
)
def test_a_rule_is_taken_out_where_nothing_else_changes_or_the_file_stays(home: Path, text: str, found: int) -> None:
    settings = home / "jiritsu.toml"
    settings.write_text(text)
    config = load({"home": home}, env={}, cwd=home)
    assert len(rules_in(settings)) == found
    if "not one" in text:
        with pytest.raises(ConfigError, match="take it out by hand"):
            remove_rule(config, 1)
        assert settings.read_text() == text
    elif found:
        remove_rule(config, 1)
        assert [rule["name"] for rule in load({"home": home}, env={}, cwd=home).settings.policy] == ["b"]
        assert settings.read_text().startswith("# of b")


@requirement("K6")
def test_a_rule_from_answers_holds_for_no_other_tenant_and_no_other_job() -> None:
    """What one tenant's people approved lets nothing of another's pass, and what was approved of a goal opens no closed job."""
    spec = ToolSpec(name="chat_send", provider="chat", tool="send", effect=Effect.OUTWARD)
    for tenant, job in (("default", ""), ("default", "diary"), ("sales", "")):
        asked = question(SourceClass.WORDS).model_copy(update={"tenant": tenant, "job": job})
        (rule,) = (PolicyRule.model_validate(one) for one in tomllib.loads(suggested_rule(asked))["policy"])
        for other in (("default", ""), ("default", "diary"), ("default", "report"), ("sales", ""), ("sales", "diary")):
            assert rule.applies(*other, spec, asked.arguments) is (other == (tenant, job)), (tenant, job, other)
    found = suggested_rules(approved(number) for number in range(3))
    known = PolicyRule.model_validate(tomllib.loads(found[0].rule)["policy"][0])
    for wider in ({}, {"tenant": "*", "job": "*", "name": "of an earlier release"}):
        assert without_known(found, Policy(rules=(known.model_copy(update=wider),))) == []
    for narrower in ({"job": "diary"}, {"tenant": "sales"}):
        assert without_known(found, Policy(rules=(known.model_copy(update=narrower),))) == [*found]
