"""What an answer tells as sent is what was sent, also where a person changed it after the model wrote it."""

import time
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.agent.sent_texts import _WORDING
from autonomy.llm.scripted import Reply, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.run_values import RunResult
from autonomy.run_state.step import Step
from tests.requirements import requirement
from tests.support.house import OUTWARD, house

ASKING = Policy(rules=(PolicyRule(name="all", decision="ask"),))
PROPOSED = {"channel": "C07", "text": "Hello all", "times": 1}


async def answered(answer: str, language: str = "en", proposed: dict[str, Any] = PROPOSED, **changes: Any) -> RunResult:
    """A run that sends one message, which a person changes first, and then gives this answer."""
    server: MCPServer[Any] = MCPServer("chat")
    sent = list[dict[str, Any]]()

    @server.tool(annotations=OUTWARD)
    def post(channel: str, text: str, times: int) -> str:
        """Post a message to a channel."""
        sent.append({"channel": channel, "text": text, "times": times})
        return "posted"

    async def person(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return ApprovalAnswer(answer="granted", by="kenta", arguments={**question.arguments, **changes})

    script: list[Reply] = [calling(("chat_post", proposed)), *[answer] * 9]
    async with house(server, script=script, approver=person, policy=ASKING) as home:
        result = await home.run("Post a greeting to channel C07", language=language)
    assert sent == [{**proposed, **changes}]
    return result


@requirement("Y3")
async def test_the_models_own_wording_is_quoted_as_the_person_sent_it() -> None:
    result = await answered("I posted this to C07:\n\n> Hello all", text="Good morning, \\1 team")
    assert result.text == "I posted this to C07:\n\n> Good morning, \\1 team"


@requirement("Y3")
@pytest.mark.parametrize(
    "answer", ["I posted 'Hello team' to C07.", "You changed 'Hello all' into 'Hello team', and I posted it to C07."]
)
async def test_an_answer_that_shows_what_was_sent_stays_as_it_is(answer: str) -> None:
    assert (await answered(answer, text="Hello team")).text == answer


@requirement("Y3")
@pytest.mark.parametrize(
    ("sent", "told"), [("Hello all, and welcome", "> Hello all, and welcome"), ("Hello", "> Hello"), ("", "> ")]
)
async def test_a_text_that_was_made_longer_or_shorter_is_told_so(sent: str, told: str) -> None:
    assert (await answered("Posted:\n> Hello all", text=sent)).text.startswith(f"Posted:\n{told}")


@requirement("Y3")
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "(a person changed this before it was sent)"), ("ja", "(送る前に人が書き換えました。送られたもの)")],
)
async def test_what_the_answer_does_not_show_stands_below_it(language: str, said: str) -> None:
    result = await answered("I greeted everybody in C07 once.", language, channel="C09", times=12)
    assert result.text == f"I greeted everybody in C07 once.\n\n{said}\n\nchannel: C09\ntimes: 12"


@requirement("Y3")
@pytest.mark.parametrize("proposed", ["high", "2026-11-26", "tall peaks"])
async def test_what_may_mean_something_else_in_the_answer_is_not_replaced_there(proposed: str) -> None:
    answer = f"Seen 2026-11-26: a high price beneath_{proposed} hills."
    result = await answered(answer, proposed={**PROPOSED, "text": proposed}, text="none at all")
    assert result.text.startswith(f"{answer}\n\n(a person")
    assert result.text.endswith("text: none at all")


async def test_an_answer_about_a_call_that_nobody_changed_gets_no_words_of_the_host() -> None:
    assert (await answered("I posted it.")).text == "I posted it."


@requirement("K10")
def test_a_proposed_text_is_looked_through_in_linear_time() -> None:
    def cpu(letters: int) -> float:
        began = time.process_time()
        _WORDING.search("a" * letters)
        return time.process_time() - began

    cpu(100)
    assert cpu(32_000) < 40 * max(cpu(4_000), 0.001)
