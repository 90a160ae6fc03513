"""What is told or booked as free is held against the calendars that were read."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autonomy.completion.rules.asked.free_times import times_told_as_free
from autonomy.completion.rules.case import Case
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
MONDAY = "2027-03-08"
ALL = "3月8日の9時から18時で、二人とも空いている時間は？"


def at(hours: float) -> str:
    """Hours as a clock shows them."""
    return f"{int(hours):02}:{int(hours % 1 * 60):02}"


def calendars(*people: list[tuple[float, float]]) -> CallRecord:
    """When each of some people is busy on Monday."""
    busy = [
        [{"start": f"{MONDAY}T{at(start)}:00+09:00", "end": f"{MONDAY}T{at(end)}:00+09:00"} for start, end in spans]
        for spans in people
    ]
    found = {f"person{number}@a.example": {"busy": spans} for number, spans in enumerate(busy)}
    return read("calendar_query_freebusy", {"kind": "freeBusy", "calendars": found}, day=MONDAY)


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What is found of the free times of an answer; empty if nothing."""
    context = asked("a run", "good", question, *calls, answer=answer).context()
    return next((told for _, told in times_told_as_free(Case(context, answer))), "")


HALVES = st.lists(st.integers(18, 36), min_size=2, max_size=2, unique=True).map(sorted)
ONE = HALVES.map(lambda pair: (pair[0] / 2, pair[1] / 2))
"""A span of half hours between nine and eighteen o'clock."""


def spans(most: int) -> st.SearchStrategy[list[tuple[float, float]]]:
    """Several such."""
    return st.lists(ONE, max_size=most)


@given(ONE, spans(4), spans(4), st.sampled_from(["〜", "–", "-", "から"]), st.booleans())
def test_a_span_that_all_are_to_be_free_in_is_one_in_which_nobody_is_busy(
    told: tuple[float, float], mine: list[tuple[float, float]], hers: list[tuple[float, float]], joint: str, listed: bool
) -> None:
    assume(mine or hers)
    span = f"{at(told[0])}{joint}{at(told[1])}"
    answer = (
        f"3月8日に二人とも空いているのは次の時間帯です。\n\n- **{span}**" if listed else f"3月8日は{span}が二人とも空いています。"
    )
    busy = any(start < told[1] and told[0] < end for start, end in (*mine, *hers))
    assert bool(finding(ALL, answer, calendars(mine, hers))) is busy


@given(ONE, spans(3), spans(3))
def test_of_several_calendars_any_may_be_meant_where_it_is_not_said_whose(
    told: tuple[float, float], mine: list[tuple[float, float]], hers: list[tuple[float, float]]
) -> None:
    answer = f"3月8日は{at(told[0])}〜{at(told[1])}が空いています。"
    busy = [any(start < told[1] and told[0] < end for start, end in taken) for taken in (mine, hers)]
    assert bool(finding("3月8日に空いている時間は？", answer, calendars(mine, hers))) is all(busy)


@given(ONE, spans(4).filter(bool))
def test_what_can_be_had_holds_the_whole_of_what_is_told_as_free(
    told: tuple[float, float], slots: list[tuple[float, float]]
) -> None:
    room = {"room": "Oak", "date": MONDAY, "free": [{"from": at(start), "to": at(end)} for start, end in slots]}
    answer = f"Oak is free on Monday from {at(told[0])} to {at(told[1])}."
    held = any(start <= told[0] and told[1] <= end for start, end in slots)
    assert bool(finding("When is Oak free on Monday, 8 March?", answer, read("rooms_free", room))) is not held


OAK = read(
    "rooms_free", {"room": "Oak", "date": MONDAY, "free": [{"from": "09:00", "to": "10:30"}, {"from": "14:00", "to": "17:00"}]}
)
BUSY = calendars([(13, 14), (16, 17)], [(13.5, 15)])
TENTATIVE = read(
    "calendar_list_events",
    {
        "events": [
            {"summary": "Demo", "status": "tentative", "start": f"{MONDAY}T10:00:00+09:00", "end": f"{MONDAY}T11:00:00+09:00"}
        ]
    },
)
WHOLE_DAY = read(
    "calendar_list_events", {"events": [{"summary": "Ben is away", "start": {"date": MONDAY}, "end": {"date": "2027-03-09"}}]}
)


def book(start: str, end: str) -> CallRecord:
    return wrote("calendar_create_event", title="Planning", start=f"{MONDAY}T{start}:00+09:00", end=f"{MONDAY}T{end}:00+09:00")


@pytest.mark.parametrize(
    ("question", "answer", "calls", "found"),
    [
        ("Is Oak free on Monday at noon?", "Yes, Oak is free on Monday at 12:00.", [OAK], True),
        ("Is Oak free on Monday at ten?", "Yes, Oak is free on Monday at 10:00.", [OAK], False),
        ("Is Oak free on Monday at noon?", "No. On Monday it is free from 9:00 to 10:30 and from 14:00 to 17:00.", [OAK], False),
        ("Is Oak free on Monday afternoon?", "Yes, Oak is free on Monday afternoon from 14:00 to 17:00.", [OAK], False),
        ("Book an hour on Monday when both are free.", "Booked.", [BUSY, book("16:00", "17:00")], True),
        ("Book an hour on Monday when both are free.", "Booked.", [BUSY, book("15:00", "16:00")], False),
        ("Book Monday 16:00 to 17:00.", "Booked.", [BUSY, book("16:00", "17:00")], False),
        ("When am I free on 8 March?", "You are free from 10:00 to 11:00.", [TENTATIVE], False),
        ("When am I free on 8 March?", "You are free from 10:00 to 11:00.", [WHOLE_DAY], False),
        ("When are both free on 8 March?", "One is busy from 13:00 to 14:00, the other from 13:30 to 15:00.", [BUSY], False),
        ("When are both free on 8 March?", "Both are free on Tuesday, 9 March, from 13:00 to 14:00.", [BUSY], False),
        ("When are both free on 8 March?", "Both are free from 1 to 2 pm.", [lost("calendar_list_events", "403")], False),
        ("3月8日の午後、二人とも空いている時間は？", "二人とも空いているのは15時から16時です。片方は13時半から15時まで予定があります。", [BUSY], False),
        ("3月8日の午後、二人とも空いている時間は？", "二人とも空いているのは14時から15時です。", [BUSY], True),
        ("What does the museum cost on 8 March?", "It is free from 13:00 to 14:00.", [BUSY], False),
    ],
)  # fmt: skip
def test_what_is_told_or_booked_as_free(question: str, answer: str, calls: list[CallRecord], found: bool) -> None:
    assert bool(finding(question, answer, *calls)) is found


OAK_IS_TAKEN = [{"room_id": "r-2", "room_name": "Oak", "start": "14:30", "end": "16:00", "title": "Audit"}]
OF_ALL_ROOMS = read("rooms_list_bookings", {"date": MONDAY, "bookings": OAK_IS_TAKEN}, date=MONDAY)
OF_OAK = read("rooms_list_bookings", {"bookings": [{"start": "14:30", "end": "16:00"}]}, date=MONDAY, room_id="r-2")
BY_ROOM = read("rooms_list", {"date": MONDAY, "rooms": [{"room_id": "r-2", "bookings": [{"start": "14:30", "end": "16:00"}]}]})


@pytest.mark.parametrize("calls", [OF_ALL_ROOMS, OF_OAK, BY_ROOM])
def test_a_booking_clashes_with_those_of_its_own_room_alone(calls: CallRecord) -> None:
    goal, answer = "Book a free room on Monday, 8 March, from 15:00 to 16:00.", "Booked."
    for room, is_taken in (("r-1", False), ("r-2", True)):
        write = wrote("rooms_create_booking", room_id=room, date=MONDAY, start="15:00", end="16:00", title="Kick-off")
        assert bool(finding(goal, answer, calls, write)) is is_taken, room
    nowhere = wrote("calendar_create_event", date=MONDAY, start="15:00", end="16:00", title="Kick-off")
    assert finding(goal, answer, calls, nowhere)


def test_what_the_run_booked_itself_is_not_in_its_own_way() -> None:
    goal, write = "Book me a free hour on Monday, 8 March.", book("15:00", "16:00")
    before, after = calendars([(9, 10)]), calendars([(9, 10), (15, 16)])
    answer = "On Monday 15:00 to 16:00 was free, so I booked it."
    assert not finding(goal, answer, before, write, after)
    assert finding(goal, answer, after, write)


@pytest.mark.parametrize(
    "result",
    [
        {"free": [{"from": "25:00", "to": "26:99"}]},
        {"date": "2027-13-40", "busy": [{"from": "09:00", "to": "10:00"}]},
        {"busy": [{"start": "9999-12-31T23:59:59Z", "end": "0001-01-01T00:00:00Z"}]},
        {"busy": [{"start": None, "end": 5}, [], "x"]},
        [[[[{"events": {"start": [], "end": {}}}]]]],
    ],
)
def test_calendars_that_make_no_sense_say_nothing(result: Any) -> None:
    assert not finding(
        "When am I free on 8 March?", "You are free from 9:00 to 10:00.", read("calendar_list", result, date="soon")
    )
