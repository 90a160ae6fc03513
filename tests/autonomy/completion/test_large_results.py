"""Answers over thousands of rows are held against them row by row, and soon: a month of messages, a ledger."""

import random

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from tests.gaming.told import Told, goal, read
from tests.requirements import requirement

DICE = random.Random(5)
LEDGER = [
    {
        "id": 1000 + at,
        "name": f"{DICE.choice(['Alder', 'Birch', 'Cedar'])} {at} Ltd",
        "amount": DICE.randrange(1_000, 90_000),
        "due": f"2027-0{DICE.randrange(1, 10)}-{DICE.randrange(10, 29)}",
        "state": DICE.choice(["open", "paid", "late"]),
    }
    for at in range(2_000)
]
LATE = [row for row in LEDGER if row["state"] == "late"][:100]
LINES = [f"- {row['name']}: {row['amount']} EUR, due {row['due']}, no. {row['id']}" for row in LATE]
WORDS = [
    "the",
    "build",
    "failed",
    "on",
    "the",
    "login",
    "page",
    "and",
    "was",
    "fixed",
    "after",
    "lunch",
    "by",
    "a",
    "retry",
    "of",
    "the",
    "queue",
    "in",
    "the",
    "train",
]
MESSAGES = [
    {
        "user_id": f"U{who}",
        "user": who,
        "text": f"{' '.join(DICE.sample(WORDS, 8))} {DICE.randrange(1, 900)} ms, PR #{DICE.randrange(100, 999)}",
        "time": f"2027-03-{DICE.randrange(1, 6):02}T{DICE.randrange(8, 20):02}:{DICE.randrange(60):02}:00+09:00",
    }
    for who in DICE.choices(["haruka", "daisuke", "misaki"], k=3_000)
]


def verdict(task: str, found: object, answer: str) -> tuple[str, str]:
    told = Told("large", "good", goal(task), (read("books_list", found),), answer)
    judged = judge(AssistantMessage(text=answer), told.context())
    found = "; ".join((*judged.findings, *judged.remarks))
    return "found" if found else judged.verdict, found


@requirement("V1", "K10")
@pytest.mark.timeout(120)  # it took 140 s of an idle machine once, and takes 2
@pytest.mark.parametrize("form", ["data", "table"])
def test_a_hundred_lines_about_a_ledger_of_thousands_are_held_against_their_own_rows(form: str) -> None:
    head = "id,name,amount,due,state\n"
    found = {"invoices": LEDGER} if form == "data" else head + "\n".join(",".join(map(str, row.values())) for row in LEDGER)
    task, lead = "Which invoices are late? List a hundred of them with amount and due date.", "These are late:\n\n"
    assert verdict(task, found, lead + "\n".join(LINES)) == ("complete", "")

    other = LATE[50]["amount"]
    swapped = [line.replace(f"{LATE[20]['amount']} EUR", f"{other} EUR") for line in LINES]
    judged, reason = verdict(task, found, lead + "\n".join(swapped))
    assert judged != "complete"
    assert str(other) in reason


@requirement("V1")
def test_the_times_of_messages_are_found_among_thousands_that_have_the_same_hours() -> None:
    lines = [f"- {one['user']} ({one['time'][:10]} {one['time'][11:16]}): {one['text']}" for one in DICE.sample(MESSAGES, 60)]
    assert verdict("What was said this week?", {"messages": MESSAGES}, "\n".join(lines)) == ("complete", "")

    invented = [*lines, f"- haruka (2027-03-04 21:10): {MESSAGES[0]['text']}"]
    judged, reason = verdict("What was said this week?", {"messages": MESSAGES}, "\n".join(invented))
    assert judged != "complete"
    assert "21:10" in reason
