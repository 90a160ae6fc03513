"""What goes back to the model about a text that was sent says what can still be done about it."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from autonomy.llm.messages import UserMessage
from autonomy.llm.model import Need
from autonomy.llm.scripted import calling
from autonomy.run_state.completion_rules import Length
from tests.support.house import house

TELL = Need(id="tell", description="publish the page", effect="outward", arguments={"title": "Notes", "body": "{{result}}"})
SHORT = "The pump runs again."


def wiki(*, idempotent: bool) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("wiki")

    @server.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False, idempotentHint=idempotent))
    def publish_page(title: str, body: str) -> str:
        """Publish a page."""
        return "published"

    return server


@pytest.mark.parametrize(("idempotent", "told"), [(True, "until you call it again"), (False, "cannot be changed")])
async def test_a_finding_about_a_text_that_was_sent_says_whether_it_can_be_sent_anew(idempotent: bool, told: str) -> None:
    sent = calling(("wiki_publish_page", {"title": "Notes", "body": SHORT}))
    async with house(wiki(idempotent=idempotent), script=[sent, SHORT, SHORT, SHORT]) as home:
        await home.run("Publish the notes", job="notes", needs=(TELL,), rules=(Length(min_chars=500),))
    asked = [message.text for message in home.model.requests[2].messages if isinstance(message, UserMessage)][-1]
    assert "needs 500" in asked
    assert told in asked


async def test_a_finding_before_anything_was_sent_says_nothing_of_it() -> None:
    async with house(wiki(idempotent=True), script=[SHORT, SHORT, SHORT]) as home:
        await home.run("Publish the notes", job="notes", needs=(TELL,), rules=(Length(min_chars=500),))
    asked = [message.text for message in home.model.requests[1].messages if isinstance(message, UserMessage)][-1]
    assert "has sent" not in asked


async def test_a_finding_that_words_alone_did_not_mend_goes_back_once_and_again_after_a_call() -> None:
    sent = calling(("wiki_publish_page", {"title": "Notes", "body": SHORT}))
    rules = (Length(min_chars=500),)
    async with house(wiki(idempotent=True), script=[sent, SHORT, SHORT, SHORT]) as home:
        result = await home.run("Publish the notes", job="notes", needs=(TELL,), rules=rules)
    assert result.ending != "completed"
    assert len(home.model.requests) == 3
    async with house(wiki(idempotent=True), script=[sent, SHORT, sent, SHORT, SHORT]) as home:
        await home.run("Publish the notes", job="notes", needs=(TELL,), rules=rules)
    assert len(home.model.requests) == 5
