"""Defines what an adapter of an HR vendor can do."""

from datetime import date
from typing import Protocol

from autonomy.hr.timekeeping.attendance import MonthlyAttendance
from autonomy.hr.timekeeping.employee import Roster
from autonomy.hr.timekeeping.month import Month


class Vendor(Protocol):
    """One tenant's access to one company at one vendor, during one execution. Every method raises VendorError."""

    async def employees(self, on: date) -> Roster:
        """Return all employees as of a day, including those who have left."""
        ...

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """Return the days of one employee in a calendar month."""
        ...
