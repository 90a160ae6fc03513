"""The SmartHR adapter: employees only, since its API has no attendance."""

from collections.abc import Mapping
from datetime import date

import httpx2
from pydantic import BaseModel, TypeAdapter

from autonomy.errors import VendorError
from autonomy.hr.timekeeping.attendance import MonthlyAttendance
from autonomy.hr.timekeeping.employee import Employee, EmploymentStatus, EmploymentType, Roster
from autonomy.hr.timekeeping.month import Month
from autonomy.hr.vendors.vendor_api import VendorAPI, VendorRefusal, json_object, problem_of, wait_asked_s

BASE_URL = "https://{subdomain}.smarthr.jp/api/v1"
PAGE = 100
TOO_MANY_REQUESTS = 6

EMPLOYMENT_TYPES: Mapping[str | None, EmploymentType] = {
    "board_member": "board_member",
    "full_timer": "full_time",
    "contract_worker": "contract",
    "part_timer": "part_time",
    "permatemp": "dispatched",
}
STATUSES: Mapping[str | None, EmploymentStatus] = {"employed": "active", "absent": "on_leave", "retired": "retired"}


class ContractType(BaseModel):
    """`employment_type`: the customer's name for it, and the preset it was made from."""

    preset_type: str | None = None


class Department(BaseModel):
    """One of `departments`."""

    name: str | None = None


class Crew(BaseModel):
    """One of `GET /crews`, the fields we read. Birthday, phone and the rest are never parsed."""

    id: str
    emp_code: str | None = None
    emp_type: str | None = None
    employment_type: ContractType | None = None
    emp_status: str | None = None
    last_name: str
    first_name: str
    business_last_name: str | None = None
    business_first_name: str | None = None
    department: str | None = None
    departments: list[Department | None] | None = None
    position: str | None = None
    entered_at: date | None = None
    resigned_at: date | None = None


class SmartHR:
    """One tenant's company at SmartHR."""

    def __init__(self, api: VendorAPI) -> None:
        self._api = api

    async def employees(self, on: date) -> Roster:
        """Return all employees as of today, whatever `on` is, because SmartHR tells only their present state."""
        crews: list[Crew] = []
        page = 1
        while True:
            found, headers = await self._api.get_page("crews", TypeAdapter(list[Crew]), {"page": page, "per_page": PAGE})
            crews += found
            total = headers.get("x-total-count", "")
            has_next = len(crews) < int(total) if total.isdecimal() else 'rel="next"' in headers.get("Link", "")
            if not found or not has_next:
                break
            page += 1
        return Roster(
            employees=tuple(map(to_employee, crews)),
            statuses_told=frozenset({"active", "retired", "on_leave"}),
        )

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """Raise VendorError, because SmartHR has no attendance."""
        raise fail("its API has no attendance records; a tenant that uses SmartHR can list employees only", 0, retryable=False)


def to_employee(crew: Crew) -> Employee:
    """Convert an employee, with the name used at work if there is one."""
    departments = [department.name for department in crew.departments or () if department is not None and department.name]
    preset = crew.employment_type.preset_type if crew.employment_type else crew.emp_type
    return Employee(
        id=crew.id,
        number=crew.emp_code,
        name=f"{crew.business_last_name or crew.last_name} {crew.business_first_name or crew.first_name}",
        department=departments[0] if departments else crew.department,
        position=crew.position,
        employment_type=EMPLOYMENT_TYPES.get(preset, "other" if crew.employment_type and not preset else "unknown"),
        status=STATUSES.get(crew.emp_status, "unknown"),
        hire_date=crew.entered_at,
        retire_date=crew.resigned_at,
        source="smarthr",
    )


def explain(response: httpx2.Response) -> VendorRefusal:
    """Return the meaning of an error, which is `{"code", "type", "message", "errors"}`. Reset headers are in seconds."""
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS or json_object(response).get("code") == TOO_MANY_REQUESTS:
        wait_s = wait_asked_s(response, "Retry-After", "x-intensive-rate-limit-reset")
        return VendorRefusal("the limit of requests is reached", retryable=True, retry_after_s=wait_s)
    return VendorRefusal(problem_of(response), retryable=response.is_server_error)


def fail(problem: str, status: int, retryable: bool) -> VendorError:
    """Make this vendor's exception, for `VendorAPI`. `status`: of HTTP; 0 for none."""
    return VendorError("SmartHR", problem, retryable=retryable, status=status or None)
