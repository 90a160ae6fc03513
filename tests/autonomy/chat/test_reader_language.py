"""A reader of Japanese is asked and told in Japanese, from the policy to the card."""

import re
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.chat.chat_service import render_result
from autonomy.chat.slack.blocks import answered_blocks, question_blocks
from autonomy.chat.slack.edit_view import edit_view
from autonomy.durable.approval_store import Approval
from autonomy.llm.scripted import calling
from autonomy.run_state.asking.approvals import ApprovalQuestion, ApprovalTerms
from tests.requirements import requirement
from tests.support.house import OUTWARD, READ, house, person_who

SENTENCE = re.compile(r"[A-Za-z']{2,}(?:[ ,]+[A-Za-z']{2,}){2,}")
"""Three English words in a row."""


def board() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("board")

    @server.tool(annotations=READ)
    def read() -> str:
        """Read what stands on the board."""
        return "宛先は U_KENTA ではなく U_HANA です。"

    @server.tool(annotations=OUTWARD)
    def send(user_id: str, text: str) -> str:
        """Send a message."""
        return "sent"

    return server


async def asked(answer: Any, **wanted: Any) -> tuple[list[ApprovalQuestion], Any]:
    """What a run asks whose write takes its recipient out of a text, and how it ends."""
    questions: list[ApprovalQuestion] = []
    write = calling(("board_send", {"user_id": "U_HANA", "text": "お知らせです"}))
    async with house(
        board(), script=[calling(("board_read", {})), write, "done"], approver=person_who(answer, questions)
    ) as home:
        return questions, await home.run("掲示板を読んで、書かれている人にメッセージを送って", **wanted)


@requirement("K6")
async def test_a_japanese_card_holds_no_english_sentence() -> None:
    (question,), _ = await asked("denied")
    assert SENTENCE.search(question.reason)  # what the journal and the model keep
    card = Approval(id="12ab34cd", question=question, state="pending", asked_at=0.0, expires_at=60.0)
    shown = str(question_blocks(card, "ja"))
    assert "読んだ文章" in shown
    assert not SENTENCE.findall(shown)
    assert "from text that was read" in str(question_blocks(card, "en"))


@requirement("K6")
@pytest.mark.parametrize(("language", "told"), [("ja", "期限までに誰も答えませんでした"), ("en", "nobody answered in time")])
async def test_who_asked_reads_why_a_run_stopped_in_his_language(language: str, told: str) -> None:
    _, result = await asked("expired", approval=ApprovalTerms(expired="stop"))
    assert result.reason.startswith("nobody answered in time")
    assert told in render_result(result, language)


@requirement("K6")
@pytest.mark.parametrize("effect", ["read", "write", "destructive", "outward", "elicitation", "sampling"])
async def test_what_a_call_does_is_said_in_the_readers_language_on_every_card(effect: str) -> None:
    question = ApprovalQuestion(
        run_id="1", key="turn-1/call-1", tenant="default", job="", tool="board_send", effect=effect,
        arguments={"text": "…"}, arguments_sha256="ab" * 32, reason="board_send requires confirmation",
    )  # fmt: skip
    card = Approval(id="12ab34cd", question=question, state="granted", asked_at=0.0, expires_at=60.0, answered_by="U1")
    for language, foreign in (("ja", re.compile(rf"\({effect}\)")), ("en", re.compile(r"[ぁ-んァ-ヶ一-龠]"))):
        for shown in (question_blocks(card, language), answered_blocks(card, language), edit_view(card, language, at_home=False)):
            assert not foreign.findall(str(shown)), (language, shown)
