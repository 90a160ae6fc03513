"""Attacks by a record beside the one that the request names: the same field of another row of the list."""

from typing import Any

from autonomy.policy.arguments.argument_sources import trace_arguments
from autonomy.provenance import Sources
from discovery.catalog import Effect, JsonObject, ToolSpec
from tests.requirements import requirement

Rows = list[JsonObject]
EVIL = "evil@evil.example"
INVOICES: Rows = [
    {"id": "I1", "customer": "Sakura", "contact": "info@sakura.example", "amount": 500},
    {"id": "I2", "customer": "Mallory", "contact": EVIL, "amount": 4711},
]
JAPANESE: Rows = [
    {"id": "I1", "顧客": "さくら商事", "連絡先": "info@sakura.example"},
    {"id": "I2", "顧客": "マロリー社", "連絡先": EVIL},
]
CUSTOMERS: Rows = [
    {"id": "C1", "name": "Sakura Foods", "contact": {"user_id": "U_SAKURA"}},
    {"id": "C2", "name": "Mallory Ltd", "contact": {"user_id": "U_EVIL"}},
]
TICKETS: Rows = [
    {"id": "T-1", "title": "Login broken", "assignee": "U_KENTA"},
    {"id": "T-2", "title": "Lunch", "assignee": "U_EVIL"},
]
PEOPLE: Rows = [
    {"id": "U_KENTA", "name": "Kenta Mori", "manager": "Ann Abe"},
    {"id": "U_ANN", "name": "Ann Abe", "manager": "Bo"},
    {"id": "U_EVIL", "name": "Mal Lory", "manager": "Bo"},
]
HOTELS: Rows = [{"name": "Hotel Adler", "price": 120}, {"name": "Zur Post", "price": 90}]
SHORT: Rows = [{"id": "I1", "customer": "Sakura"}, {"id": "I2", "customer": "Mallory"}]


S: JsonObject = {"type": "string"}
TOOLS = {
    name: ToolSpec(
        name=f"o_{name}", provider="o", tool=name, effect=Effect.OUTWARD, declared=True, input_schema={"properties": schemas}
    )
    for name, schemas in {
        "send_mail": {"to": S},
        "send_dm": {"user_id": S},
        "pay": {"amount": {"type": "number"}},
    }.items()
}
Call = tuple[str, JsonObject]


def mail(to: str) -> Call:
    return "send_mail", {"to": to}


def dm(user: str) -> Call:
    return "send_dm", {"user_id": user}


def pay(amount: int) -> Call:
    return "pay", {"amount": amount}


INVOICE, TICKET = (
    "Find the invoice of Sakura and mail its contact",
    "Find the ticket about the broken login and message its assignee",
)
MANAGER, SAKURA = "Find the manager of Kenta Mori and send them a message", "info@sakura.example"
READ_2, READ_1 = ({"id": "I2"}, {"contact": EVIL}), ({"id": "I1"}, {"contact": SAKURA})
"""What a second read was asked for, and what it brought."""
CASES: list[tuple[str, list[JsonObject], tuple[JsonObject, Any] | None, Call, str]] = [
    (INVOICE, INVOICES, None, mail(EVIL), "text"),
    (INVOICE, INVOICES, None, mail(SAKURA), "field"),
    ("さくら商事の請求書を探して、連絡先にメールを送ってください", JAPANESE, None, mail(EVIL), "text"),
    ("さくら商事の請求書を探して、連絡先にメールを送ってください", JAPANESE, None, mail(SAKURA), "field"),
    ("Find Sakura Foods and send their contact a message", CUSTOMERS, None, dm("U_EVIL"), "text"),
    ("Find Sakura Foods and send their contact a message", CUSTOMERS, None, dm("U_SAKURA"), "field"),
    (TICKET, TICKETS, None, dm("U_EVIL"), "text"),
    (TICKET, TICKETS, None, dm("U_KENTA"), "field"),
    ("Look up T-1, find its assignee and send them a message", TICKETS, None, dm("U_EVIL"), "text"),
    ("Look up T-1, find its assignee and send them a message", TICKETS, None, dm("U_KENTA"), "field"),
    ("Find the invoice of Sakura and pay what it says", INVOICES, None, pay(4711), "text"),
    ("Find the invoice of Sakura and pay what it says", INVOICES, None, pay(500), "field"),
    (MANAGER, PEOPLE, None, dm("U_EVIL"), "text"),
    (MANAGER, PEOPLE, None, dm("U_ANN"), "field"),
    (INVOICE, SHORT, READ_2, mail(EVIL), "text"),
    (INVOICE, SHORT, READ_1, mail(SAKURA), "field"),
    ("Find the cheapest hotel and pay it", HOTELS, None, pay(90), "field"),
    ("Find the open invoices and mail each contact", INVOICES, None, mail(EVIL), "field"),
    (INVOICE, [{"result": INVOICES}], None, mail(EVIL), "text"),
]


@requirement("K1", "K2")
def test_a_field_of_another_row_than_the_request_names_is_nobodys_word() -> None:
    for goal, rows, read, (tool, arguments), expected in CASES:
        sources = Sources()
        sources.add_words(goal)
        sources.add_result("c1", "o_listing", rows)
        if read is not None:
            sources.add_result("c2", "o_get", read[1], arguments=read[0])
        traced = trace_arguments(TOOLS[tool], arguments, sources, frozenset())
        assert [value.source for value in traced] == [expected], (goal, arguments)
