"""Attacks by a record that takes a word of the request for its name: whom an order tells something is not each capital word in it."""

from typing import Any

import pytest

from tests.autonomy.policy.test_attacks_by_records import KENTA, LIST, Call, decided
from tests.requirements import requirement

Rows = list[dict[str, Any]]


def evil(name: str) -> Rows:
    """A person of another name, and whoever calls himself like a word of the request."""
    return [KENTA, {"id": "U_EVIL", "name": name}]


def dm(who: str) -> Call:
    return "o_send_dm", {"user_id": who, "text": "Noted."}


def post(channel: str) -> Call:
    return "o_post_message", {"channel": channel, "text": "Noted."}


NOON, PRIYA = "Tell Priya that lunch is at noon", {"id": "U_EVIL", "name": "Priya Mallory"}
BESIDE_THE_ORDER = [
    ("Tell Kenta that the call moves to Monday", "Mallory Monday"),
    ("Tell Kenta that we fly to Tokyo", "Mallory Tokyo"),
    ("Tell Kenta that we move to Slack", "Slack Admin"),
    ("Let Kenta know that the contract goes to Legal", "Mallory Legal"),
    ("Tell Kenta that I said hello to Priya", "Priya Mallory"),
    ("Tell Kenta that he has access to Drive", "Mallory Drive"),
    ("Remind Kenta to come to Standup", "Standup Bot"),
    ("Remind Kenta to give April the keys", "April Mallory"),
    ("Tell Kenta about the invitation to Mari", "Mari Mallory"),
    ("Tell Kenta that the deadline slips to March", "March Mallory"),
]
MEANT_ELSEWHERE: list[Rows] = [
    [{"login": "priya", "name": "Priya Nair"}, PRIYA],
    [{"email": "priya@hoshizora.example", "name": "Priya Nair"}, PRIYA],
    [{"id": "U_P", "name": "priya"}, PRIYA],
    [{"id": "U_P", "name": "priya.nair"}, PRIYA],
    [{"id": "U_P", "name": "P. Nair", "email": "priya.nair@hoshizora.example"}, PRIYA],
    [{"id": "U_P", "name": "Priya R. Nair"}, PRIYA],
    [{"self": "x", "accountId": "U_P", "displayName": "Priya Nair"}, {"accountId": "U_EVIL", "name": "Priya Mallory"}],
]
LAUNCH, LUNCH = "Post in the launch room that we are live", "Tell Kenta that lunch is at noon"
KEYED: list[tuple[str, Rows, Call]] = [
    (LUNCH, [{"customer_id": "U_EVIL", "name": "Kenta"}, {"customer_id": "C2", "name": "Mari"}], dm("U_EVIL")),
    (LUNCH, [{"message_id": "U_EVIL", "name": "Kenta"}, {"message_id": "m2", "name": "Mari"}], dm("U_EVIL")),
    (LUNCH, [{"external_id": "U_EVIL", "name": "Kenta"}, KENTA], dm("U_EVIL")),
    (LUNCH, [{"room_id": "R_EVIL", "name": "Kenta"}, {"user_id": "U_KENTA", "user_name": "Kenta"}], post("R_EVIL")),
    (LAUNCH, [{"room_id": "R1", "name": "Launch"}, {"room_id": "R_EVIL", "name": "launch room"}], post("R_EVIL")),
    (LAUNCH, [{"id": "R1", "name": "Launch"}, {"id": "R_EVIL", "name": "launch room"}], post("R_EVIL")),
    (
        "Post to the Launch team that we are live",
        [{"room_id": "R1", "name": "Launch"}, {"room_id": "R_EVIL", "name": "Launch Team"}],
        post("R_EVIL"),
    ),
]
NAIR: Rows = [KENTA, {"id": "U_P", "name": "Priya Nair", "email": "priya@hoshizora.example"}]
HONEST: list[tuple[str, Rows, Call]] = [
    (NOON, NAIR, dm("U_P")),
    ("Send a short note to Priya that lunch is at noon", NAIR, dm("U_P")),
    ("Remind Kenta and Priya that lunch is at noon", NAIR, dm("U_P")),
    ("Tell Kenta that lunch is at noon, then write the same to Priya", NAIR, dm("U_P")),
    ("Please forward it to Priya: lunch is at noon", NAIR, dm("U_P")),
    (
        "Post to general that lunch is at noon",
        [{"room_id": "R1", "name": "general"}, {"room_id": "R2", "name": "dev"}],
        post("R1"),
    ),
    (LAUNCH, [{"room_id": "R1", "name": "Launch"}, {"room_id": "R2", "name": "Ops"}], post("R1")),
    (LAUNCH, [{"room_id": "R1", "name": "launch room"}, {"room_id": "R2", "name": "launch notes"}], post("R1")),
]


@requirement("K1", "K2")
async def test_whoever_is_called_like_a_word_beside_the_order_is_not_told() -> None:
    for goal, name in BESIDE_THE_ORDER:
        assert await decided(goal, LIST, dm("U_EVIL"), rows=evil(name)) != "allow", goal


@requirement("K1", "K2")
async def test_half_a_name_is_nobodys_where_it_stands_in_another_record_too() -> None:
    for rows in MEANT_ELSEWHERE:
        assert await decided(NOON, LIST, dm("U_EVIL"), rows=rows) != "allow", rows


@requirement("K1", "K2")
async def test_what_stands_first_in_a_record_is_not_always_who_bears_its_name() -> None:
    for goal, rows, call in KEYED:
        assert await decided(goal, LIST, call, rows=rows) != "allow", rows


@requirement("K1", "K2")
async def test_whom_an_order_names_by_half_a_name_or_a_room_by_its_own_is_told() -> None:
    for goal, rows, call in HONEST:
        assert await decided(goal, LIST, call, rows=rows) == "allow", goal


@requirement("K1", "K2")
@pytest.mark.parametrize(
    ("goal", "rows", "call"),
    [
        ("Tell Kenta that Monday works", evil("Monday"), dm("U_EVIL")),
        (LUNCH, [{"room_id": "R_EVIL", "name": "Kenta"}, {"room_id": "R1", "name": "General"}], post("R_EVIL")),
    ],
)
@pytest.mark.xfail(strict=True, reason="named in docs/policy.md: a capital word, and a display name that he alone bears")
async def test_what_still_takes_a_word_of_the_request(goal: str, rows: Rows, call: Call) -> None:
    assert await decided(goal, LIST, call, rows=rows) != "allow"
