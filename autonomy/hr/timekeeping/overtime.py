"""Computes overtime from clock times and compares it with the vendor's figures.

The rules are those of the Labour Standards Act: eight hours a day (§32), a statutory day off that is a calendar day and so ends
at midnight (§35), night from 22:00 to 05:00 (§37). Hours beyond forty a *week* are not counted. In a week of five days of eight
hours they arise on the prescribed day off, and work on it is a kind of its own.
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
    """A difference between the vendor's figure and ours, which is reported, so that neither is silently preferred."""

    day: date | None
    """None for the total of the month."""
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
    """False if some day cannot be counted yet, so that at least one figure is a lower bound."""
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
    """Add up a month. For each day the vendor's figure is used if there is one, else ours.

    With flexible hours days have no overtime; only their clock times and the vendor's totals of the month count.
    """
    types: dict[date, DayType] = {record.date: record.day_type for record in attendance.records}
    types.setdefault(Month.parse(attendance.month).next().first, attendance.next_day_type)

    def day_type_of(day: date) -> DayType:
        return types.get(day, "unknown")

    days = [_settle(record, day_type_of, flex=attendance.flex) for record in attendance.records]
    disagreements = [found for _, differences in days for found in differences]
    stated = attendance.vendor_totals or Figures()
    total, complete = _add_up([figures for figures, _ in days], stated)
    if attendance.flex:
        beyond = max(0, (total.regular or 0) - statutory_frame(attendance.month))
        total = total.model_copy(update={"regular": (total.regular or 0) - beyond, "beyond_statutory": beyond})
    disagreements += _compare(None, stated, total)
    unsettled = tuple(record.date for record in attendance.records if record.unsettled)
    return OvertimeSummary(
        employee_id=attendance.employee_id,
        month=attendance.month,
        working_days=sum(
            bool(figures.work or record.clock_in or any(figures.known.values()))
            for record, (figures, _) in zip(attendance.records, days, strict=True)
        ),
        figures=Figures(**(total.known | stated.known)) if attendance.flex else total,
        complete=complete and not unsettled and not attendance.missing_days,
        unsettled_days=unsettled,
        disagreements=tuple(disagreements),
        source=attendance.source,
    )


def statutory_frame(month: str) -> int:
    """Return the minutes of a month (`YYYY-MM`) beyond which flexible hours are overtime: calendar days × 40 h ÷ 7 (§32-3)."""
    return Month.parse(month).last.day * STATUTORY_WEEK_MIN // 7


def split_day(record: AttendanceRecord, day_type_of: DayTypeOf, *, flex: bool = False) -> Figures:
    """Return the minutes of one shift by kind, computed from its clock times. A kind that these do not tell stays None.

    A shift belongs to the day on which it began, and its hours continue to count after midnight. Only a statutory day off is
    a calendar day, so minutes on it are holiday work whenever the shift began.
    """
    if record.unsettled or record.day_type == "unknown":
        return Figures()
    if not record.segments and (record.entered_by_hand or any(record.vendor_figures.known.values())):
        return Figures()  # there was, or may have been, work without clock times
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
    """Return the worked spans of a day in order: clocked time without breaks, and without overlaps.

    A break with a length but without clock times is taken out of the middle of the longest span.
    """
    spans = _subtract(_union(record.segments), _union(record.breaks))
    unplaced = (record.break_minutes or 0) - sum(span.minutes for span in _union(record.breaks))
    if unplaced <= 0 or not spans:
        return spans
    longest = max(spans, key=lambda span: span.minutes)
    length = min(unplaced, longest.minutes)
    begins = longest.start + timedelta(minutes=(longest.minutes - length) // 2)
    return _subtract(spans, [Span(start=begins, end=begins + timedelta(minutes=length))])


def _settle(record: AttendanceRecord, day_type_of: DayTypeOf, *, flex: bool) -> tuple[Figures, list[Disagreement]]:
    computed = split_day(record, day_type_of, flex=flex)
    if flex:
        return computed, []
    vendor = record.vendor_figures
    compared = [] if record.entered_by_hand else _compare(record.date, vendor, computed)
    settled = Figures(**(computed.known | vendor.known))
    if vendor.late_night_overtime is None and (settled.late_night_overtime or 0) > settled.overtime:
        # the vendor counts less overtime than we do, and no more of it than that can have been at night
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
    """Return the sum by kind, and whether it is complete. If a day is unknown, the vendor's total of the month is used instead;
    if there is none, the sum is a lower bound."""
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


def _day_off(record: AttendanceRecord, day: date, day_type_of: DayTypeOf) -> str | None:
    """Return the kind of work on a day if it is a day off, else None. A day of unknown type is taken to be like the shift's."""
    on_the_day = record.day_type if day == record.date else day_type_of(day)
    if (on_the_day if on_the_day != "unknown" else record.day_type) == "holiday":
        return "statutory_holiday"
    return "prescribed_holiday" if record.day_type == "weekend" else None


def _scheduled(record: AttendanceRecord, *, flex: bool) -> int:
    """Return how many minutes of a shift are regular. None are if it began on a statutory day off."""
    if record.day_type == "holiday":
        return 0
    if flex:
        return 24 * 60 * 2
    return STATUTORY_DAY_MIN if record.scheduled_minutes is None else record.scheduled_minutes


def _bands(counted: int, length: int, scheduled: int) -> Iterator[tuple[str, int]]:
    """Divide `length` minutes, which follow `counted` others, at the scheduled and the statutory limit: (kind, minutes)."""
    end = counted + length
    statutory = max(scheduled, STATUTORY_DAY_MIN)
    for kind, limit in (("regular", scheduled), ("within_statutory", statutory), ("beyond_statutory", end)):
        until = max(counted, min(limit, end))
        yield kind, until - counted
        counted = until


def _without_schedule(figures: Figures) -> Figures:
    """Remove the figures that depend on the scheduled hours: regular minutes and overtime within the statutory eight hours."""
    unknown = {"regular": None, "within_statutory": None}
    if (figures.late_night or 0) > (figures.late_night_overtime or 0):
        unknown["late_night_overtime"] = None
    return figures.model_copy(update=unknown)


def _pieces(spans: Sequence[Span]) -> Iterator[tuple[datetime, int, bool]]:
    """Divide spans at midnight and at both ends of the night: (start, minutes, whether it is night)."""
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
    """Return the spans in order and without overlaps, in Japan's zone and in whole minutes."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        start, end = (in_jst(moment).replace(second=0, microsecond=0) for moment in (span.start, span.end))
        if merged and start <= merged[-1].end:
            merged[-1] = Span(start=merged[-1].start, end=max(merged[-1].end, end))
        elif start < end:
            merged.append(Span(start=start, end=end))
    return merged


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
