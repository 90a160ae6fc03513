"""Where no text holds all of a question, what holds most of it is quoted with what stands around it, and never something near."""

from datetime import date
from typing import Any

import pytest

from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from tests.autonomy.llm.offline.conversation import Conversation, Tool, converse
from tests.requirements import requirement

MESSAGES = [
    ("2026-11-18T09:00:00+09:00", "Ann", "The parcel robot stopped in aisle seven, its left wheel was jammed"),
    ("2026-11-18T10:00:00+09:00", "Bea", "Refilled the tea cupboard: twelve packets of peppermint"),
    ("2026-11-19T09:00:00+09:00", "Bea", "The parcel robot runs again after 40 minutes of repair"),
    ("2026-11-19T11:00:00+09:00", "Cem", "Guests from the Riga office land on Monday at 14:10"),
    ("2026-11-20T11:00:00+09:00", "Ann", "Guests from the Oslo office land on Tuesday at 15:30"),
]


def search(arguments: dict[str, Any]) -> Any:
    found = [one for one in MESSAGES if arguments["query"].casefold() in one[2].casefold()]
    return {"messages": [{"time": time, "user_name": name, "text": text} for time, name, text in found]}


TOOLS = [
    Tool("chat_search_messages", "Search messages of the team chat", {"query": {"type": "string"}}, search, ("query",)),
    Tool(
        "chat_list_users",
        "List the users of the team chat",
        {},
        lambda _: {"users": [{"id": name, "name": name} for name in ("Ann", "Bea", "Cem")]},
    ),
]


async def ask(goal: str) -> Conversation:
    planner = OfflinePlanner(today=lambda: date(2026, 11, 20))
    return await converse(planner, Task(goal=goal, language="en"), TOOLS, max_turns=11, talk_after=10)


def completed(said: Conversation) -> bool:
    return said.messages[-1].stop_reason != "refusal"  # type: ignore[union-attr]


@requirement("V9")
@pytest.mark.parametrize(
    ("goal", "quoted", "missing"),
    [
        ("How long did the repair of the parcel robot keep everybody waiting?", "40 minutes", "waiting"),
        ("Rushing to a meeting here. When do the Riga guests touch down?", "at 14:10", "touch"),
    ],
)
async def test_what_holds_most_of_a_question_is_quoted_and_what_is_missing_named(goal: str, quoted: str, missing: str) -> None:
    said = await ask(goal)
    assert completed(said), said.text
    assert quoted in said.text
    assert missing in said.text.splitlines()[0]


@requirement("V9")
@pytest.mark.parametrize(
    "goal",
    [
        "When do the Bergen guests touch down?",  # another name
        "When do the 17 guests from Riga touch down?",  # another number
        "When do the office guests touch down?",  # two may be meant, and the other one is quoted for it
        "Who squeezed peppermint into the tea cupboard?",  # somebody, by a deed that no text tells
        "What is the favourite colour of the parcel robot?",
    ],
)
async def test_a_name_a_number_or_a_deed_that_nothing_holds_is_not_answered_by_something_near(goal: str) -> None:
    said = await ask(goal)
    assert not completed(said) or ("Riga" in said.text and "Oslo" in said.text), said.text


@requirement("V9")
async def test_the_day_that_a_message_names_beside_its_question_is_the_day_of_the_answer() -> None:
    said = await ask("Catching up on the 18th. What did the parcel robot trip over?")
    assert "runs again" not in said.text
