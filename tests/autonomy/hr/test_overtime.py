"""Overtime is counted by the Labour Standards Act, minute by minute, and what nobody can know stays unknown."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.hr.timekeeping.attendance import AttendanceRecord, DayType, Figures, MonthlyAttendance, Span
from autonomy.hr.timekeeping.month import JST, Month
from autonomy.hr.timekeeping.overtime import split_day, summarise
from tests.requirements import requirement

MONDAY = date(2026, 10, 5)
KINDS = ("regular", "within_statutory", "beyond_statutory", "prescribed_holiday", "statutory_holiday")


def at(day: date, clock: str) -> datetime:
    """A clock time of a day; 25:30 is half past one of the next morning."""
    hour, minute = map(int, clock.split(":"))
    return datetime.combine(day, time(), JST) + timedelta(hours=hour, minutes=minute)


def span(day: date, start: str, end: str) -> Span:
    return Span(start=at(day, start), end=at(day, end))


def shift(day: date, *spans: tuple[str, str], breaks: tuple[tuple[str, str], ...] = (), **rest: object) -> AttendanceRecord:
    fields = {"day_type": "weekday", "scheduled_minutes": 480} | rest
    return AttendanceRecord(
        date=day,
        segments=tuple(span(day, *ends) for ends in spans),
        breaks=tuple(span(day, *ends) for ends in breaks),
        source="demo",
        **fields,
    )


def week(day: date) -> DayType:
    """Sunday is the statutory day off, Saturday the prescribed one."""
    return {5: "weekend", 6: "holiday"}.get(day.weekday(), "weekday")


@requirement("H9")
def test_a_plain_day_with_an_hour_more_is_an_hour_of_overtime_beyond_the_statutory_eight():
    figures = split_day(shift(MONDAY, ("09:00", "19:00"), breaks=(("12:00", "13:00"),)), week)
    assert figures == Figures(
        work=540,
        regular=480,
        within_statutory=0,
        beyond_statutory=60,
        prescribed_holiday=0,
        statutory_holiday=0,
        late_night=0,
        late_night_overtime=0,
    )


@requirement("H9")
def test_hours_between_a_short_schedule_and_eight_are_overtime_within_the_statutory_hours():
    figures = split_day(shift(MONDAY, ("09:00", "18:30"), breaks=(("12:00", "13:00"),), scheduled_minutes=420), week)
    assert (figures.regular, figures.within_statutory, figures.beyond_statutory) == (420, 60, 30)


@requirement("H9")
def test_night_begins_at_ten_and_ends_at_five():
    figures = split_day(shift(MONDAY, ("13:00", "30:00"), breaks=(("17:00", "18:00"),)), week)
    assert (figures.work, figures.late_night, figures.late_night_overtime) == (960, 420, 420)
    early = split_day(shift(MONDAY, ("04:00", "06:00")), week)
    assert (early.late_night, early.late_night_overtime) == (60, 0)


@requirement("H9")
def test_a_shift_over_midnight_goes_on_counting_for_the_day_it_began_on():
    figures = split_day(shift(MONDAY, ("18:00", "27:00")), week)
    assert (figures.regular, figures.beyond_statutory, figures.late_night_overtime) == (480, 60, 60)


@requirement("H9")
def test_the_statutory_day_off_begins_and_ends_at_midnight():
    saturday, sunday = MONDAY + timedelta(days=5), MONDAY + timedelta(days=6)
    into = split_day(shift(saturday, ("20:00", "26:00"), day_type="weekend"), week)
    assert (into.prescribed_holiday, into.statutory_holiday) == (240, 120)
    out = split_day(shift(sunday, ("20:00", "26:00"), day_type="holiday"), week)
    assert (out.statutory_holiday, out.within_statutory, out.regular) == (240, 120, 0)


def test_overlapping_clock_times_and_breaks_count_each_minute_once():
    figures = split_day(
        shift(MONDAY, ("09:00", "13:00"), ("12:00", "18:00"), breaks=(("12:00", "13:00"), ("12:30", "13:00"))), week
    )
    assert figures.work == 480


def test_a_break_without_clock_times_is_still_taken_off():
    figures = split_day(shift(MONDAY, ("09:00", "18:00"), break_minutes=60), week)
    assert (figures.work, figures.beyond_statutory) == (480, 0)


def test_a_day_that_is_not_settled_is_unknown_and_not_zero():
    assert split_day(shift(MONDAY, unsettled="no clock-out"), week) == Figures()
    assert split_day(shift(MONDAY, ("09:00", "18:00"), day_type="unknown"), week).work is None


def test_without_the_schedule_nobody_can_tell_regular_minutes_from_those_within_the_statutory_eight():
    figures = split_day(shift(MONDAY, ("09:00", "19:00"), scheduled_minutes=None), week)
    assert (figures.work, figures.regular, figures.within_statutory, figures.beyond_statutory) == (600, None, None, 120)


# Laws, checked against a count by single minutes.

minute_of_day = st.integers(0, 30 * 60)
spans_of_a_day = st.lists(st.tuples(minute_of_day, minute_of_day).map(sorted).map(tuple), max_size=4)
days = st.integers(0, 13).map(lambda offset: MONDAY + timedelta(days=offset))


def record_of(day: date, clocked: list[tuple[int, int]], rests: list[tuple[int, int]], scheduled: int) -> AttendanceRecord:
    midnight = datetime.combine(day, time(), JST)

    def spans(pairs: list[tuple[int, int]]) -> tuple[Span, ...]:
        return tuple(Span(start=midnight + timedelta(minutes=a), end=midnight + timedelta(minutes=b)) for a, b in pairs)

    return AttendanceRecord(
        date=day, day_type=week(day), segments=spans(clocked), breaks=spans(rests), scheduled_minutes=scheduled, source="demo"
    )


def count_by_minutes(record: AttendanceRecord, type_of: Callable[[date], DayType]) -> dict[str, int]:
    """The same rules, written the slow way."""
    midnight = datetime.combine(record.date, time(), JST)
    counts = dict.fromkeys(Figures.model_fields, 0)
    ordinary = 0
    scheduled = 0 if record.day_type == "holiday" else record.scheduled_minutes or 0
    for offset in range(30 * 60):
        minute = midnight + timedelta(minutes=offset)
        inside = any(s.start <= minute < s.end for s in record.segments)
        if not inside or any(s.start <= minute < s.end for s in record.breaks):
            continue
        night = minute.hour >= 22 or minute.hour < 5
        if type_of(minute.date()) == "holiday":
            kind = "statutory_holiday"
        elif record.day_type == "weekend":
            kind = "prescribed_holiday"
        else:
            ordinary += 1
            kind = (
                "regular"
                if ordinary <= scheduled
                else "within_statutory"
                if ordinary <= max(480, scheduled)
                else "beyond_statutory"
            )
        counts["work"] += 1
        counts[kind] += 1
        counts["late_night"] += night
        counts["late_night_overtime"] += night and kind in ("within_statutory", "beyond_statutory")
    return counts


@requirement("H9")
@pytest.mark.parametrize("scheduled", [0, 240, 420, 480, 600])
@given(days, spans_of_a_day, spans_of_a_day)
def test_counting_by_stretches_equals_counting_by_minutes(scheduled, day, clocked, rests):
    record = record_of(day, clocked, rests, scheduled)
    assert split_day(record, week).model_dump() == count_by_minutes(record, week)


@requirement("H9")
@pytest.mark.parametrize("scheduled", [0, 420, 480])
@given(days, spans_of_a_day, spans_of_a_day)
def test_the_kinds_add_up_to_the_whole(scheduled, day, clocked, rests):
    figures = split_day(record_of(day, clocked, rests, scheduled), week).model_dump()
    assert sum(figures[kind] for kind in KINDS) == figures["work"]
    assert figures["late_night_overtime"] <= figures["within_statutory"] + figures["beyond_statutory"]


@requirement("H9")
@given(days, spans_of_a_day, spans_of_a_day, st.integers(-400, 400))
def test_shifting_every_day_shifts_the_result_and_changes_nothing_in_it(day, clocked, rests, by):
    moved = record_of(day + timedelta(days=by), clocked, rests, 480).model_copy(update={"day_type": week(day)})
    assert split_day(moved, lambda later: week(later - timedelta(days=by))) == split_day(
        record_of(day, clocked, rests, 480), week
    )


@requirement("H9")
@given(days, minute_of_day, minute_of_day, st.integers(0, 240), spans_of_a_day)
def test_working_longer_never_lessens_any_figure(day, start, end, longer, rests):
    start, end = sorted((start, end))
    short = split_day(record_of(day, [(start, end)], rests, 480), week).model_dump()
    long = split_day(record_of(day, [(start, end + longer)], rests, 480), week).model_dump()
    assert all(long[kind] >= short[kind] for kind in short)


# A month.


def month_of(*records: AttendanceRecord, **rest: object) -> MonthlyAttendance:
    return MonthlyAttendance(employee_id="1", month="2026-10", records=records, source="demo", **rest)


@requirement("H9")
def test_a_month_adds_up_its_days_and_its_breakdown_to_the_total():
    summary = summarise(
        month_of(
            shift(MONDAY, ("09:00", "19:00"), breaks=(("12:00", "13:00"),)),
            shift(MONDAY + timedelta(days=1), ("14:00", "23:30")),
            shift(MONDAY + timedelta(days=5), ("10:00", "12:00"), day_type="weekend"),
        )
    )
    assert (summary.working_days, summary.complete) == (3, True)
    assert (summary.normal_overtime, summary.late_night_overtime, summary.holiday_work) == (60, 90, 120)


def test_a_day_that_is_not_settled_makes_the_month_a_lower_bound():
    summary = summarise(month_of(shift(MONDAY, ("09:00", "19:00")), shift(MONDAY + timedelta(days=1), unsettled="no clock-out")))
    assert not summary.complete
    assert summary.unsettled_days == (MONDAY + timedelta(days=1),)
    assert summary.figures.beyond_statutory == 120


@requirement("H9")
def test_a_disagreement_with_the_vendor_is_reported_and_the_vendor_s_figure_stands():
    day = shift(MONDAY, ("09:00", "19:00"), breaks=(("12:00", "13:00"),), vendor_figures=Figures(beyond_statutory=45))
    summary = summarise(month_of(day, vendor_totals=Figures(beyond_statutory=50)))
    assert summary.figures.beyond_statutory == 45
    assert [(d.day, d.vendor_minutes, d.computed_minutes) for d in summary.disagreements] == [(MONDAY, 45, 60), (None, 50, 45)]


def test_where_the_vendor_counts_less_overtime_no_more_than_that_was_at_night():
    night = shift(MONDAY, ("14:00", "24:00"), vendor_figures=Figures(within_statutory=0, beyond_statutory=45))
    evening = shift(MONDAY + timedelta(days=1), ("09:00", "18:00"))
    summary = summarise(month_of(night, evening))
    assert (summary.late_night_overtime, summary.normal_overtime) == (45, 60)


def test_lengths_entered_by_hand_are_not_held_against_the_clock():
    day = shift(MONDAY, ("09:00", "19:00"), vendor_figures=Figures(beyond_statutory=0), entered_by_hand=True)
    assert summarise(month_of(day)).disagreements == ()


vendor_kinds = st.none() | st.integers(0, 300)


@requirement("H9")
@given(
    st.lists(
        st.tuples(st.integers(0, 25), spans_of_a_day, vendor_kinds, vendor_kinds, vendor_kinds),
        max_size=6,
        unique_by=lambda day: day[0],
    )
)
@example([(6, [(0, 1441)], None, None, 0)])  # into a Monday that the month says nothing about
def test_whatever_a_vendor_says_the_breakdown_adds_up_and_each_difference_is_reported(month):
    records = []
    for offset, clocked, within, beyond, night in month:
        stated = Figures(within_statutory=within, beyond_statutory=beyond, late_night_overtime=night)
        record = record_of(MONDAY + timedelta(days=offset), clocked, [], 480)
        records.append(record.model_copy(update={"vendor_figures": stated}))
    summary = summarise(month_of(*records))
    assert summary.normal_overtime >= 0
    assert summary.normal_overtime + summary.late_night_overtime == summary.figures.overtime
    day_types = {record.date: record.day_type for record in records}
    for record in records:
        computed = split_day(record, lambda day: day_types.get(day, "unknown")).known
        differing = {kind for kind, stated in record.vendor_figures.known.items() if computed.get(kind, stated) != stated}
        assert differing == {found.kind for found in summary.disagreements if found.day == record.date}


@requirement("H9")
def test_flexible_hours_are_settled_over_the_month():
    october = Month(2026, 10)
    weekdays = [day for day in october.days() if week(day) == "weekday"]
    long_days = [shift(day, ("09:00", "18:30"), break_minutes=60) for day in weekdays]
    summary = summarise(month_of(*long_days, flex=True))
    frame = 31 * 2400 // 7
    assert summary.figures.work == len(weekdays) * 510
    assert summary.figures.beyond_statutory == len(weekdays) * 510 - frame
    ten_hour_day_alone = summarise(month_of(shift(MONDAY, ("09:00", "19:00")), flex=True))
    assert ten_hour_day_alone.figures.beyond_statutory == 0


def test_work_over_midnight_on_the_last_day_reaches_into_the_next_month():
    last = date(2026, 10, 31)
    saturday = shift(last, ("20:00", "26:00"), day_type="weekend")
    assert summarise(month_of(saturday, next_day_type="holiday")).figures.statutory_holiday == 120
    assert summarise(month_of(saturday)).figures.statutory_holiday == 0
