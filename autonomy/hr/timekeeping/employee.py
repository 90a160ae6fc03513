"""The vendor-neutral employee record."""

from datetime import date
from typing import Literal

from discovery.catalog import Frozen

VendorName = Literal["freee", "king_of_time", "smarthr", "demo"]

EmploymentType = Literal["full_time", "part_time", "contract", "dispatched", "board_member", "other", "unknown"]
"""The three of the design document, and those the vendors really use. `other` is the vendor's own word for none of them;
`unknown` means that the vendor says nothing, or something we have never seen: it is never guessed."""

EmploymentStatus = Literal["active", "retired", "on_leave", "unknown"]


class Employee(Frozen):
    """One person at one company. What a vendor does not tell is None or `unknown`, never an invented value."""

    id: str
    """The vendor's own id; what `employee_id` of the other tools wants."""
    name: str
    number: str | None = None
    """The employee number (社員番号) people know; it may change, the id does not."""
    department: str | None = None
    position: str | None = None
    employment_type: EmploymentType = "unknown"
    status: EmploymentStatus = "unknown"
    hire_date: date | None = None
    retire_date: date | None = None
    source: VendorName


class Roster(Frozen):
    """Everyone a vendor knows at a company, and what the vendor cannot tell about them."""

    employees: tuple[Employee, ...]
    statuses_told: frozenset[EmploymentStatus]
    """The statuses this vendor can tell apart; asking for another one is answered with why, not with nobody."""
    notes: tuple[str, ...] = ()


def status_on(day: date, retire_date: date | None) -> EmploymentStatus:
    """Active until and on the last day of employment, retired after it: for vendors that give only the date."""
    return "retired" if retire_date is not None and retire_date < day else "active"
