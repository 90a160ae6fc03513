"""Answers over thousands of rows are held against them row by row, and soon: a month of messages, a ledger."""

import json
import random

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.provenance.sources import leaves
from tests.gaming.told import Told, goal, read
from tests.requirements import requirement
from tests.support.sampling import in_part

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
@pytest.mark.parametrize("form", ["data", "table"])
@pytest.mark.parametrize(
    ("rows", "many"), in_part([pytest.param(300, 24), pytest.param(600, 30), pytest.param(2_000, 100)], every=3)
)
def test_many_lines_about_a_large_ledger_are_held_against_their_own_rows(form: str, rows: int, many: int) -> None:
    head, ledger = "id,name,amount,due,state\n", LEDGER[:rows]
    found = {"invoices": ledger} if form == "data" else head + "\n".join(",".join(map(str, row.values())) for row in ledger)
    task, lead = f"Which invoices are late? List {many} of them with amount and due date.", "These are late:\n\n"
    lines = [f"- {row['name']}: {row['amount']} EUR, due {row['due']}, no. {row['id']}" for row in LATE[:many]]
    assert verdict(task, found, lead + "\n".join(lines)) == ("complete", "")

    other = LATE[many // 2]["amount"]
    swapped = [line.replace(f"{LATE[20]['amount']} EUR", f"{other} EUR") for line in lines]
    judged, reason = verdict(task, found, lead + "\n".join(swapped))
    assert judged != "complete"
    assert str(other) in reason


@requirement("V1")
@pytest.mark.parametrize("count", in_part([400, 800, 3_000], every=3))
def test_the_times_of_messages_are_found_among_many_that_have_the_same_hours(count: int) -> None:
    messages = MESSAGES[:count]
    told = random.Random(7).sample(messages, 60)
    lines = [f"- {one['user']} ({one['time'][:10]} {one['time'][11:16]}): {one['text']}" for one in told]
    assert verdict("What was said this week?", {"messages": messages}, "\n".join(lines)) == ("complete", "")

    invented = [*lines, f"- haruka (2027-03-04 21:10): {messages[0]['text']}"]
    judged, reason = verdict("What was said this week?", {"messages": messages}, "\n".join(invented))
    assert judged != "complete"
    assert "21:10" in reason


def test_a_result_in_json_is_read_twice_however_many_checks_look_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as a source of facts, without what the run itself wrote, and once as it came."""
    text, texts = json.dumps({"rows": LEDGER[:20], "status": "open"}), list[str]()
    monkeypatch.setattr(leaves.json, "loads", lambda given, loads=json.loads: texts.append(given) or loads(given))
    verdict("Are all of Alder's bills of 13 March in Osaka paid?", text, f"Yes: {LEDGER[0]['name']} is paid.")
    assert 1 <= texts.count(text) <= 2
