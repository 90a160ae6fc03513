"""Computes overtime from clock times and compares it with the vendor's count.

The rules are those of the Labour Standards Act: eight hours a day (§32), the statutory day off counted by the calendar day
(§35, so that it ends at midnight), night from 22:00 to 05:00 (§37). Hours beyond forty a *week* are not counted here: work on
the prescribed day off, which is where they arise in a week of five days of eight hours, is shown as a kind of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta

from autonomy.hr.timekeeping.attendance import AttendanceRecord, DayType, Figures, MonthlyAttendance, Span
from autonomy.hr.timekeeping.employee import VendorName
from autonomy.hr.timekeeping.month import Month, in_jst
from discovery.catalog import Frozen

STATUTORY_DAY_MIN = 480
STATUTORY_WEEK_MIN = 2400
NIGHT_ENDS, NIGHT_BEGINS = time(5), time(22)

DayTypeOf = Callable[[date], DayType]


class Disagreement(Frozen):
    """A difference between the vendor's figure and ours; it is shown, neither is silently preferred."""

    day: date | None
    """None: the total of the month."""
    kind: str
    vendor_minutes: int
    computed_minutes: int


class OvertimeSummary(Frozen):
    """The overtime of one employee in one calendar month."""

    employee_id: str
    month: str
    working_days: int
    figures: Figures
    complete: bool
    """False: at least one figure leaves out a day that cannot be counted yet, and is a lower bound."""
    unsettled_days: tuple[date, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    source: VendorName

    @property
    def holiday_work(self) -> int:
        """Work on either kind of day off, in minutes."""
        return (self.figures.prescribed_holiday or 0) + (self.figures.statutory_holiday or 0)

    @property
    def late_night_overtime(self) -> int:
        """Overtime at night, in minutes."""
        return min(self.figures.late_night_overtime or 0, self.figures.overtime)

    @property
    def normal_overtime(self) -> int:
        """Overtime that is neither at night nor on a day off, in minutes."""
        return self.figures.overtime - self.late_night_overtime


def summarise(attendance: MonthlyAttendance) -> OvertimeSummary:
    """Add up a month. A day's figure is the vendor's where the vendor gives one, else ours.

    With flexible hours a day has no overtime, so that only the clock times of the days count, and the vendor's totals of the
    month.
    """
    day_type_of = _day_types(attendance)
    days = [_settle(record, day_type_of, flex=attendance.flex) for record in attendance.records]
    disagreements = [found for _, differences in days for found in differences]
    stated = attendance.vendor_totals or Figures()
    total, complete = _add_up([figures for figures, _ in days], stated)
    if attendance.flex:
        # flexible hours: what exceeds the month's statutory frame (calendar days × 40 h ÷ 7, §32-3) is overtime, nothing
        # else is
        month = Month.parse(attendance.month)
        frame = month.last.day * STATUTORY_WEEK_MIN // 7
        beyond = max(0, (total.regular or 0) - frame)
        total = total.model_copy(update={"regular": (total.regular or 0) - beyond, "beyond_statutory": beyond})
    disagreements += _compare(None, stated, total)
    unsettled = tuple(record.date for record in attendance.records if record.unsettled)
    return OvertimeSummary(
        employee_id=attendance.employee_id,
        month=attendance.month,
        working_days=sum(map(_was_worked, attendance.records, [figures for figures, _ in days])),
        figures=Figures(**(total.known | stated.known)) if attendance.flex else total,
        complete=complete and not unsettled and not attendance.missing_days,
        unsettled_days=unsettled,
        disagreements=tuple(disagreements),
        source=attendance.source,
    )


def split_day(record: AttendanceRecord, day_type_of: DayTypeOf, *, flex: bool = False) -> Figures:
    """The minutes of one shift by kind, from its clock times; a kind that they do not tell stays None.

    A shift belongs to the day it began on, and its hours go on counting after midnight; only the statutory day off is
    counted by the calendar, so that minutes on it are holiday work whenever the shift began.
    """
    if record.unsettled or record.day_type == "unknown" or _worked_unclocked(record):
        return Figures()
    spans = worked_spans(record)
    minutes = dict.fromkeys(("regular", "within_statutory", "beyond_statutory", "prescribed_holiday", "statutory_holiday"), 0)
    late_night = late_night_overtime = counted = 0
    for start, length, night in _pieces(spans):
        if (off := _day_off(record, start.date(), day_type_of)) is not None:
            minutes[off] += length
        else:
            for kind, part in _bands(counted, length, _scheduled(record, flex=flex)):
                minutes[kind] += part
                late_night_overtime += part if night and kind != "regular" else 0
            counted += length
        late_night += length if night else 0
    figures = Figures(work=sum(minutes.values()), late_night=late_night, late_night_overtime=late_night_overtime, **minutes)
    schedule_matters = counted > 0 and record.scheduled_minutes is None and record.day_type == "weekday" and not flex
    return _without_schedule(figures) if schedule_matters else figures


def worked_spans(record: AttendanceRecord) -> list[Span]:
    """The worked spans of a day: clocked time less the breaks, each minute once, in order.

    A break that has a length but no clock times is taken out of the middle of the longest stretch, as a rest at work is.
    """
    spans = _subtract(_union(record.segments), _union(record.breaks))
    unplaced = (record.break_minutes or 0) - sum(span.minutes for span in _union(record.breaks))
    if unplaced <= 0 or not spans:
        return spans
    longest = max(spans, key=lambda span: span.minutes)
    length = min(unplaced, longest.minutes)
    begins = longest.start + timedelta(minutes=(longest.minutes - length) // 2)
    return _subtract(spans, [Span(start=begins, end=begins + timedelta(minutes=length))])


def _worked_unclocked(record: AttendanceRecord) -> bool:
    """There was work, or may have been, that left no clock times."""
    return not record.segments and (record.entered_by_hand or any(record.vendor_figures.known.values()))


def _day_types(attendance: MonthlyAttendance) -> DayTypeOf:
    types: dict[date, DayType] = {record.date: record.day_type for record in attendance.records}
    types.setdefault(Month.parse(attendance.month).next().first, attendance.next_day_type)
    return lambda day: types.get(day, "unknown")


def _settle(record: AttendanceRecord, day_type_of: DayTypeOf, *, flex: bool) -> tuple[Figures, list[Disagreement]]:
    computed = split_day(record, day_type_of, flex=flex)
    if flex:
        return computed, []
    vendor = record.vendor_figures
    compared = [] if record.entered_by_hand else _compare(record.date, vendor, computed)
    settled = Figures(**(computed.known | vendor.known))
    if vendor.late_night_overtime is None and (settled.late_night_overtime or 0) > settled.overtime:
        # The vendor counts less overtime than we do, and does not say when: no more of it can have been at night.
        settled = settled.model_copy(update={"late_night_overtime": settled.overtime})
    return settled, compared


def _compare(day: date | None, vendor: Figures, computed: Figures) -> list[Disagreement]:
    ours = computed.known
    return [
        Disagreement(day=day, kind=kind, vendor_minutes=theirs, computed_minutes=ours[kind])
        for kind, theirs in vendor.known.items()
        if kind in ours and ours[kind] != theirs
    ]


def _add_up(days: Sequence[Figures], vendor_totals: Figures) -> tuple[Figures, bool]:
    """The sum by kind. Where a day is unknown the vendor's total of the month stands in; without one the sum is a lower bound."""
    totals: dict[str, int] = {}
    complete = True
    for kind in Figures.model_fields:
        values = [getattr(day, kind) for day in days]
        stated = getattr(vendor_totals, kind)
        if None in values and stated is not None:
            totals[kind] = stated
            continue
        complete = complete and (None not in values or kind in ("regular", "late_night"))
        totals[kind] = sum(value for value in values if value is not None)
    return Figures(**totals), complete


def _was_worked(record: AttendanceRecord, figures: Figures) -> bool:
    return bool(figures.work or record.clock_in or any(figures.known.values()))


def _day_off(record: AttendanceRecord, day: date, day_type_of: DayTypeOf) -> str | None:
    """The kind of day off a minute falls on, or None. A day whose type nobody knows is taken to be like the shift's own."""
    on_the_day = record.day_type if day == record.date else day_type_of(day)
    if (on_the_day if on_the_day != "unknown" else record.day_type) == "holiday":
        return "statutory_holiday"
    return "prescribed_holiday" if record.day_type == "weekend" else None


def _scheduled(record: AttendanceRecord, *, flex: bool) -> int:
    """How many minutes of the shift are regular ones. After a statutory day off has ended at midnight, none are."""
    if record.day_type == "holiday":
        return 0
    if flex:
        return 24 * 60 * 2
    return STATUTORY_DAY_MIN if record.scheduled_minutes is None else record.scheduled_minutes


def _bands(counted: int, length: int, scheduled: int) -> Iterator[tuple[str, int]]:
    """Cut the minutes from `counted` on at the scheduled and at the statutory limit."""
    end = counted + length
    statutory = max(scheduled, STATUTORY_DAY_MIN)
    for kind, limit in (("regular", scheduled), ("within_statutory", statutory), ("beyond_statutory", end)):
        until = max(counted, min(limit, end))
        yield kind, until - counted
        counted = until


def _without_schedule(figures: Figures) -> Figures:
    """Without the scheduled hours nobody can tell regular minutes from overtime within the statutory eight hours."""
    unknown = {"regular": None, "within_statutory": None}
    if (figures.late_night or 0) > (figures.late_night_overtime or 0):
        unknown["late_night_overtime"] = None
    return figures.model_copy(update=unknown)


def _pieces(spans: Sequence[Span]) -> Iterator[tuple[datetime, int, bool]]:
    """Cut at midnight and at both ends of the night: (start, minutes, whether it is night)."""
    for span in spans:
        start = span.start
        while start < span.end:
            end = min(span.end, _next_cut(start))
            yield start, Span(start=start, end=end).minutes, not NIGHT_ENDS <= start.time() < NIGHT_BEGINS
            start = end


def _next_cut(moment: datetime) -> datetime:
    midnight = moment.replace(hour=0, minute=0)
    cuts = (midnight + timedelta(hours=hour) for hour in (NIGHT_ENDS.hour, NIGHT_BEGINS.hour, 24))
    return next(cut for cut in cuts if cut > moment)


def _union(spans: Sequence[Span]) -> list[Span]:
    """The same time without overlaps, in order, on whole minutes of a clock in Japan."""
    merged: list[Span] = []
    for span in sorted((_on_minutes(span) for span in spans), key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(start=merged[-1].start, end=max(merged[-1].end, span.end))
        elif span.minutes:
            merged.append(span)
    return merged


def _on_minutes(span: Span) -> Span:
    start, end = (in_jst(moment).replace(second=0, microsecond=0) for moment in (span.start, span.end))
    return Span(start=start, end=end)


def _subtract(spans: Sequence[Span], holes: Sequence[Span]) -> list[Span]:
    for hole in holes:
        spans = [part for span in spans for part in _cut_out(span, hole)]
    return list(spans)


def _cut_out(span: Span, hole: Span) -> Iterator[Span]:
    if hole.end <= span.start or span.end <= hole.start:
        yield span
        return
    if span.start < hole.start:
        yield Span(start=span.start, end=hole.start)
    if hole.end < span.end:
        yield Span(start=hole.end, end=span.end)
