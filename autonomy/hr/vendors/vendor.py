"""The protocol of an HR vendor adapter."""

from datetime import date
from typing import Protocol

from autonomy.hr.timekeeping.attendance import MonthlyAttendance
from autonomy.hr.timekeeping.employee import Roster
from autonomy.hr.timekeeping.month import Month


class Vendor(Protocol):
    """One tenant's access to one company at one vendor, for the time of one execution. Every method raises VendorError."""

    async def employees(self, on: date) -> Roster:
        """Everyone the vendor knows, leavers included, as of a day."""
        ...

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """The days of one employee in a calendar month."""
        ...
