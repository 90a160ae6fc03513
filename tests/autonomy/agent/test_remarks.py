"""What cannot be traced goes back to the model once, makes a long answer no less done, and is seen by people."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.chat.chat_service import render_result
from autonomy.errors import ModelUnavailable
from autonomy.llm.messages import AssistantMessage, UserMessage
from autonomy.llm.scripted import Reply, calling
from autonomy.run_state.limits import Limits
from metrics import events
from tests.support.house import READ, house

QUESTION = "How did the shops do in February?"
ANSWER = """\
Here is February, shop by shop:

- Harbour took 41,200 euros with 512 orders.
- Station took 38,900 euros with 471 orders.
- Market took 22,450 euros with 333 orders.
"""
INVENTED = ANSWER + "- Airport took 19,777 euros with 208 orders.\n"
LOOK: Reply = calling(("till_sales", {}))


def till() -> MCPServer[Any]:
    """A server that knows what three shops took."""
    server: MCPServer[Any] = MCPServer("till")

    @server.tool(annotations=READ)
    def sales() -> list[dict[str, Any]]:
        """What each shop took in February, in euros."""
        figures = (("Harbour", 41_200, 512), ("Station", 38_900, 471), ("Market", 22_450, 333))
        return [{"shop": shop, "revenue_eur": revenue, "orders": orders} for shop, revenue, orders in figures]

    return server


async def test_an_answer_whose_facts_are_read_goes_out_at_once() -> None:
    async with house(till(), script=[LOOK, ANSWER]) as home:
        result = await home.run(QUESTION)
    assert (result.ending, result.remarks) == ("completed", ())


async def test_a_long_answer_with_an_untraced_figure_goes_back_once_and_is_done_with_the_remark() -> None:
    async with house(till(), script=[LOOK, INVENTED, INVENTED]) as home:
        result = await home.run(QUESTION)
    asked = home.model.requests[-1].messages[-1]
    assert isinstance(asked, UserMessage)
    assert "could not be traced" in asked.text
    assert "19,777" in asked.text
    assert (result.ending, len(home.model.requests)) == ("completed", 3)
    assert any("19,777" in remark for remark in result.remarks)
    assert all("19,777" not in finding for finding in result.missing)


async def test_a_mended_answer_bears_no_remark() -> None:
    async with house(till(), script=[LOOK, INVENTED, ANSWER]) as home:
        result = await home.run(QUESTION)
    assert (result.ending, result.text.strip(), result.remarks) == ("completed", ANSWER.strip(), ())


async def test_a_model_that_declines_is_not_held_to_what_it_says_beside() -> None:
    declined = AssistantMessage(text=INVENTED, stop_reason="refusal")
    async with house(till(), script=[LOOK, declined]) as home:
        result = await home.run(QUESTION)
    assert (result.ending, result.remarks) == ("declined", ())


async def test_a_short_answer_with_an_untraced_figure_is_doubtful() -> None:
    said = "The shops took 97,777 euros in February."
    async with house(till(), script=[LOOK, said, said, said]) as home:
        result = await home.run(QUESTION)
    assert result.ending == "doubtful"
    assert any("97,777" in finding for finding in result.missing)


@pytest.mark.parametrize("limits", [Limits(corrections=0), Limits(turns=2)])
async def test_where_no_turn_is_left_the_answer_stands_with_its_remarks(limits: Limits) -> None:
    async with house(till(), script=[LOOK, INVENTED]) as home:
        result = await home.run(QUESTION, limits=limits)
    assert (result.ending, result.text.strip()) == ("completed", INVENTED.strip())
    assert result.remarks


async def test_a_model_that_is_gone_when_it_is_asked_again_loses_no_answer() -> None:
    async with house(till(), script=[LOOK, INVENTED, ModelUnavailable("scripted", "gone")]) as home:
        result = await home.run(QUESTION)
    assert (result.ending, result.text.strip()) == ("completed", INVENTED.strip())
    assert result.remarks


FOUND = '{"meets_the_goal": false, "missing": ["the record has no Airport"]}'
NOTHING_FOUND = '{"meets_the_goal": true, "missing": []}'


async def test_a_second_reader_decides_remarks_before_they_go_back() -> None:
    async with house(till(), script=[LOOK, INVENTED, NOTHING_FOUND]) as home:
        result = await home.run(QUESTION, second_opinion=True)
    reader = home.model.requests[2].messages[-1].text
    assert "could not trace" in reader
    assert "19,777" in reader
    assert (result.ending, result.text.strip(), result.remarks) == ("completed", INVENTED.strip(), ())
    rules, by_model = home.written.of(events.Judged)
    assert (rules.by, bool(rules.remarks), by_model.by) == ("rules", True, "model"), "what was doubted stays on record"


async def test_what_a_second_reader_finds_goes_back_and_the_mended_answer_is_read_again() -> None:
    async with house(till(), script=[LOOK, INVENTED, FOUND, ANSWER, NOTHING_FOUND]) as home:
        result = await home.run(QUESTION, second_opinion=True)
    assert "the record has no Airport" in home.model.requests[3].messages[-1].text
    assert (result.ending, result.text.strip()) == ("completed", ANSWER.strip())


async def test_a_second_reader_that_fails_a_remarked_answer_twice_ends_the_run() -> None:
    async with house(till(), script=[LOOK, INVENTED, FOUND, INVENTED, FOUND]) as home:
        result = await home.run(QUESTION, second_opinion=True)
    assert (result.ending, result.missing) == ("doubtful", ("the record has no Airport",))


async def test_remarks_that_no_reader_could_decide_go_back_to_the_model() -> None:
    chat = "A lovely answer."
    async with house(till(), script=[LOOK, INVENTED, chat, chat, INVENTED, chat, chat]) as home:
        result = await home.run(QUESTION, second_opinion=True)
    assert (result.ending, bool(result.remarks)) == ("completed", True)
    assert "could not be understood" in result.unread


async def test_the_journal_the_measures_and_the_answer_in_a_chat_tell_of_remarks() -> None:
    async with house(till(), script=[LOOK, INVENTED, INVENTED]) as home:
        result = await home.run(QUESTION)
    judged = home.written.of(events.Judged)
    assert all(any("19,777" in remark for remark in event.remarks) for event in judged)
    traced = [part for part in judged[-1].parts if part.name == "traced"]
    assert [part.held < part.of for part in traced] == [True]
    for language, words in (("en", "Could not be traced"), ("ja", "たどれなかった")):
        told = render_result(result, language)
        assert told.startswith(INVENTED)
        assert words in told
        assert "19,777" in told
        rehearsed = render_result(result.model_copy(update={"ending": "simulated"}), language)
        assert words in rehearsed, "a rehearsal is read to see what would be sent"
        assert "19,777" in rehearsed
    (ended,) = home.written.of(events.RunFinished)
    assert ended.remarked == len(result.remarks) > 0
