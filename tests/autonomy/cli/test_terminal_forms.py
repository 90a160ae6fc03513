"""What a person enters at the terminal into a server's form, on its way through the store of questions."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from autonomy.calls.server_questions import ASKING
from autonomy.cli.terminal_approver import TerminalApprover
from autonomy.durable.approval_store import Approvals
from autonomy.durable.store import Store
from autonomy.run_state.asking.approvals import ApprovalQuestion, TextSupport
from autonomy.run_state.step import inline
from discovery.catalog import JsonObject
from tests.requirements import requirement
from tests.support.durable import prepared

FORM: JsonObject = {"type": "object", "properties": {"size": {"type": "string"}, "seats": {"type": "integer", "default": 2}}}


def question(fields: JsonObject) -> ApprovalQuestion:
    return ApprovalQuestion(
        run_id="run-1",
        key="turn-1/call-1/question-1",
        tenant="default",
        job="",
        tool="door_seat",
        effect=ASKING,
        arguments={"message": "Which size?"},
        arguments_sha256="0" * 64,
        reason="",
        input_schema=fields,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    yield Store(engine)
    engine.dispose()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@requirement("N5")
async def test_what_is_entered_reaches_whoever_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\nL\n4\n"))
    approvals = Approvals(store, ask_here=TerminalApprover(approve_all=False).ask)
    answer = await approvals(question(FORM), inline)
    assert (answer.answer, answer.arguments) == ("granted", {"message": "Which size?", "size": "L", "seats": 4})


@requirement("N5")
async def test_yes_to_everything_opens_no_page() -> None:
    answer = await TerminalApprover(approve_all=True).ask(question({}))
    assert (answer.answer, answer.reason) == ("denied", "--yes opens no page")


@requirement("N5")
async def test_whoever_ends_the_input_within_a_form_has_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\nL\n"))
    answer = await TerminalApprover(approve_all=False).ask(question(FORM))
    assert (answer.answer, answer.arguments) == ("denied", None)


@requirement("N5")
async def test_what_a_servers_form_says_of_its_fields_acts_on_no_terminal_and_passes_for_no_line_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b[2J\x1b]52;c;ZXZpbA==\x07Size\nAllow this call? [y/N]"
    form: JsonObject = {
        "type": "object",
        "properties": {
            "titled": {"type": "string", "title": evil},
            "described": {"type": "string", "description": evil},
            "chosen": {"type": "string", "oneOf": [{"const": evil}]},
            "set": {"type": "string", "default": evil},
            evil: {"type": "string"},
        },
    }
    monkeypatch.setattr("sys.stdin", Terminal("y\na\nb\nc\n\ne\n"))
    answer = await TerminalApprover(approve_all=False).ask(question(form))
    assert (answer.arguments or {})["set"] == evil, "what it is sent is what it gave"
    printed = "".join(capsys.readouterr())
    assert printed.count("Size") == 5
    assert not {"\x1b", "\x07"} & set(printed)
    assert not any(line.startswith("Allow") for line in printed.splitlines())


@requirement("N5")
async def test_what_a_text_quotes_beneath_a_question_is_taken_for_no_sentence_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JIRITSU_LANGUAGE", "ja")
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    text = 'all is "well": its certificate is not trusted: really'
    support = TextSupport(wanting=1, sourced=0, unsourced=(text,))
    await TerminalApprover(approve_all=False).ask(post(texts={"body_md": support}))
    assert f'"{text}"' in capsys.readouterr().err


def post(**changes: object) -> ApprovalQuestion:
    schema: JsonObject = {"type": "object", "properties": {"post_number": {"type": "integer"}, "body_md": {"type": "string"}}}
    arguments: JsonObject = {"post_number": 7, "body_md": "## Done\n\n- Released v3.4.0"}
    asked = {"effect": "destructive", "tool": "esa_update_post", "arguments": arguments, "input_schema": schema}
    return question({}).model_copy(update={**asked, **changes})


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that puts what stands in `new` in place of the file it opens."""
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\ncp "{tmp_path}/new" "$1"\ntouch -d "2040-01-01" "$1"\n', encoding="utf-8")
    script.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(script))
    return tmp_path / "new"


@requirement("N5")
@pytest.mark.parametrize("name", ["", "body_md"])
async def test_a_person_edits_the_text_of_a_call_before_it_is_allowed(
    name: str, editor: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    editor.write_text("## Done\n\n- Released v3.4.1\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal(f"e\n{name}\ny\n"))
    answer = await TerminalApprover(approve_all=False).ask(post())
    assert (answer.answer, answer.arguments) == ("granted", {"post_number": 7, "body_md": "## Done\n\n- Released v3.4.1"})
    assert "- Released v3.4.1" in capsys.readouterr().err, "what is allowed is shown again"


@requirement("N5")
async def test_an_edit_that_does_not_fit_changes_nothing_and_the_question_is_asked_again(
    editor: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    editor.write_text('"seven"\n', encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal("e\npost_number\ne\nno_such\nｙ\n"))
    answer = await TerminalApprover(approve_all=False).ask(post())
    assert (answer.answer, answer.arguments) == ("granted", None)
    told = capsys.readouterr().err
    assert "post_number" in told
    assert "'no_such'" in told


@requirement("N5")
async def test_an_edit_is_not_sent_where_the_person_then_says_no(editor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor.write_text("## Done\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal("e\n\nn\n"))
    answer = await TerminalApprover(approve_all=False).ask(post())
    assert (answer.answer, answer.arguments) == ("denied", None)


@requirement("N5")
async def test_without_an_editor_the_question_stays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor-of-ours")
    monkeypatch.setattr("sys.stdin", Terminal("e\n\ny\n"))
    answer = await TerminalApprover(approve_all=False).ask(post())
    assert (answer.answer, answer.arguments) == ("granted", None)
    assert "no-such-editor-of-ours" in capsys.readouterr().err


@requirement("N5")
async def test_an_edit_in_another_encoding_changes_nothing_and_the_question_is_asked_again(
    editor: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    editor.write_bytes("完了\n".encode("shift_jis"))
    monkeypatch.setattr("sys.stdin", Terminal("e\n\ny\n"))
    answer = await TerminalApprover(approve_all=False).ask(post())
    assert (answer.answer, answer.arguments) == ("granted", None)
    assert "no text in UTF-8" in capsys.readouterr().err
