"""The vendor-neutral employee record."""

from datetime import date
from typing import Literal

from discovery.catalog import Frozen

VendorName = Literal["freee", "king_of_time", "smarthr", "demo"]

EmploymentType = Literal["full_time", "part_time", "contract", "dispatched", "board_member", "other", "unknown"]
"""The three of the design document, and others that vendors use. `other` is the vendor's own word for none of these. `unknown`
means that the vendor says nothing, or something that we do not know."""

EmploymentStatus = Literal["active", "retired", "on_leave", "unknown"]


class Employee(Frozen):
    """One person at one company. What a vendor does not tell is None or `unknown`."""

    id: str
    """The vendor's own id, which other tools take as `employee_id`."""
    name: str
    number: str | None = None
    """The employee number (社員番号) that people know. Unlike the id, it may change."""
    department: str | None = None
    position: str | None = None
    employment_type: EmploymentType = "unknown"
    status: EmploymentStatus = "unknown"
    hire_date: date | None = None
    retire_date: date | None = None
    source: VendorName


class Roster(Frozen):
    """All employees of a company at a vendor."""

    employees: tuple[Employee, ...]
    statuses_told: frozenset[EmploymentStatus]
    """The statuses that this vendor distinguishes. Filtering by another one is an error, rather than an empty list."""
    notes: tuple[str, ...] = ()


def status_on(day: date, retire_date: date | None) -> EmploymentStatus:
    """Return the status on a day for vendors that tell only the date: active up to the last day of employment, then retired."""
    return "retired" if retire_date is not None and retire_date < day else "active"
