"""What a person enters at the terminal into a server's form, on its way through the store of questions."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from autonomy.calls.server_questions import ASKING
from autonomy.cli.terminal_approver import TerminalApprover
from autonomy.durable.approval_store import Approvals
from autonomy.durable.store import Store
from autonomy.run_state.asking.approvals import ApprovalQuestion
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
