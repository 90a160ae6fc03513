"""Every call passes one router: known, permitted, well-formed, audited, and answered in words whatever goes wrong."""

import json

import pytest
from jsonschema import Draft202012Validator

from autonomy.errors import StoreError
from autonomy.hr.hr_tools import TOOLS
from autonomy.hr.placement import Handles, place
from autonomy.hr.router import handle_custom_tool
from autonomy.hr.tenants import HRCaller, Tenant
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement

TRIAL = Tenant(id="trial", vendor="demo")
SOMEBODY = {"employee_id": "demo-001", "month": "2026-10"}


@requirement("H2")
@pytest.mark.parametrize(
    ("name", "properties", "required"),
    [
        ("list_employees", {"company_id", "department", "status"}, []),
        ("list_attendance", {"company_id", "employee_id", "month"}, ["employee_id", "month"]),
        ("calculate_overtime", {"company_id", "employee_id", "month"}, ["employee_id", "month"]),
    ],
)
def test_the_schemas_are_those_of_the_design_document(name: str, properties: set[str], required: list[str]):
    parameters = TOOLS[name].parameters
    Draft202012Validator.check_schema(parameters)
    assert set(parameters["properties"]) == properties
    assert parameters.get("required", []) == required


@requirement("H2", "H8")
async def test_a_tool_answers_with_json_under_the_design_document_s_name(house: House):
    await house.connect(TRIAL)
    answer = json.loads(await handle_custom_tool("calculate_overtime", SOMEBODY, "trial", house.tools))
    assert answer["total_overtime_minutes"] == sum(answer["breakdown"].values())
    assert {"employee_id", "month", "total_work_minutes", "total_overtime_minutes", "working_days", "breakdown"} <= set(answer)


@requirement("H8")
async def test_an_unknown_tool_is_answered_in_words(house: House):
    await house.connect(TRIAL)
    answer = json.loads(await handle_custom_tool("fire_employee", {}, "trial", house.tools))
    assert answer["error"].startswith("Unknown tool: fire_employee")
    assert answer["retryable"] is False
    assert [(entry.phase, entry.tool, entry.reason) for entry in house.audit.entries] == [("refused", "unknown", "unknown_tool")]


@requirement("H8", "S5")
async def test_each_execution_is_audited_before_and_after_with_digests_and_counts_only(house: House):
    await house.connect(TRIAL)
    caller = HRCaller("trial", actor="U123", run_id="run-1")
    await house.tools.execute("list_attendance", SOMEBODY, caller)
    before, after = house.audit.entries
    assert (before.phase, after.phase, after.outcome) == ("before", "after", "ok")
    assert before.execution_id == after.execution_id
    assert (before.actor, before.run_id, before.tenant_id, before.vendor) == ("U123", "run-1", "trial", "demo")
    assert set(before.arguments) == {"employee_id", "month"}
    assert after.counts == {"records": 31}
    assert not any("demo-001" in entry.model_dump_json() for entry in house.audit.entries)


@requirement("H8", "H11")
async def test_the_same_argument_has_the_same_digest_for_one_tenant_and_another_for_the_next(house: House):
    await house.connect(TRIAL)
    await house.connect(Tenant(id="other", vendor="demo"))
    for tenant in ("trial", "trial", "other"):
        await house.call("list_attendance", tenant, **SOMEBODY)
    first, second, third = [entry.arguments["employee_id"] for entry in house.audit.entries if entry.phase == "before"]
    assert first == second != third


@requirement("H8", "H1")
async def test_the_audit_never_learns_a_name_that_a_model_used_as_an_argument(house: House):
    await house.connect(TRIAL)
    await house.tools.execute("list_employees", {"山田太郎": "090-1234"}, HRCaller("trial"))
    [entry] = house.audit.entries
    assert "山田" not in entry.model_dump_json()
    assert entry.reason == "invalid_arguments"


@requirement("H8", "S5")
async def test_what_cannot_be_audited_is_not_run(house: House):
    await house.connect(TRIAL)
    house.audit.broken = StoreError("the journal is full")
    answer = await house.call("list_employees", "trial")
    assert (answer.is_error, answer.retryable) == (True, True)
    assert "employees" not in answer.payload


@requirement("H8")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"month": "2026-10"}, "'employee_id' is a required property"),
        ({"employee_id": "demo-001", "month": "2026-13"}, "month: "),
        ({"employee_id": "demo-001", "month": "9999-12"}, "month: "),
        ({"employee_id": "demo-001", "month": "0000-01"}, "month: "),
        ({"employee_id": 1, "month": "2026-10"}, "employee_id: 1 is not of type 'string'"),
        ({**SOMEBODY, "tenant_id": "other"}, "tenant_id"),
    ],
)
async def test_arguments_that_do_not_fit_are_explained(house: House, arguments: dict, said: str):
    await house.connect(TRIAL)
    answer = await house.tools.execute("list_attendance", arguments, HRCaller("trial"))
    assert answer.reason == "invalid_arguments"
    assert said in answer.payload["error"]


@requirement("H13")
async def test_a_denied_tool_is_neither_run_nor_offered(house: House):
    await house.connect(TRIAL)
    await house.permit("trial", "list_attendance", "deny")
    assert (await house.call("list_attendance", "trial", **SOMEBODY)).reason == "denied"
    assert "list_attendance" not in await house.tools.offered("trial")


@requirement("H13")
async def test_a_tool_that_needs_confirmation_runs_only_for_a_confirmed_call(house: House):
    await house.connect(TRIAL)
    await house.permit("trial", "list_employees", "requires_confirmation")
    assert (await house.tools.execute("list_employees", {}, HRCaller("trial"))).reason == "needs_confirmation"
    assert not (await house.tools.execute("list_employees", {}, HRCaller("trial", confirmed=True))).is_error
    assert (await house.tools.offered("trial"))["list_employees"] == "requires_confirmation"


@requirement("H13")
async def test_a_confirmation_does_not_lift_a_denial(house: House):
    await house.connect(TRIAL)
    await house.permit("trial", "*", "deny")
    assert (await house.tools.execute("list_employees", {}, HRCaller("trial", confirmed=True))).reason == "denied"


@requirement("H13")
async def test_a_tool_s_own_rule_goes_before_the_rule_for_all(house: House):
    await house.connect(TRIAL)
    await house.permit("trial", "*", "deny")
    await house.permit("trial", "list_employees", "allow")
    assert await house.tools.offered("trial") == {"list_employees": "allow"}


@requirement("H14")
async def test_a_tenant_is_offered_the_tools_of_its_settings(house: House):
    await house.connect(Tenant(id="small", vendor="demo", tools=("calculate_overtime",)))
    assert list(await house.tools.offered("small")) == ["calculate_overtime"]
    assert (await house.call("list_employees", "small")).reason == "denied"
    assert await house.tools.offered("nobody") == {}


@requirement("H8")
async def test_a_defect_of_ours_is_an_answer_without_its_text(house: House, caplog: pytest.LogCaptureFixture):
    await house.connect(TRIAL)

    async def broken(*_: object) -> dict:
        raise RuntimeError("about 山田太郎")

    tool = TOOLS["list_employees"]
    answer = await house.tools._run(type(tool)(tool.name, "", tool.parameters, broken), {}, TRIAL)
    assert answer.reason == "defect"
    assert "山田" not in answer.text + caplog.text


async def test_a_tenant_that_does_not_exist_is_the_operator_s_business(house: House):
    answer = await house.call("list_employees", "nobody")
    assert (answer.reason, answer.retryable) == ("backend", False)


@requirement("H2")
async def test_overtime_of_a_department_comes_at_once_and_in_order(house: House):
    await house.connect(TRIAL)
    answer = await house.call("list_overtime", "trial", month="2026-10", department="営業部")
    rows = answer.payload["employees"]
    assert {row["department"] for row in rows} == {"営業部"}
    totals = [row["total_overtime_minutes"] for row in rows]
    assert totals == sorted(totals, reverse=True)
    alone = await house.call("calculate_overtime", "trial", employee_id=rows[0]["employee_id"], month="2026-10")
    assert alone.payload["total_overtime_minutes"] == totals[0]


@requirement("H16")
@pytest.mark.parametrize(
    ("handles", "where"),
    [
        (Handles(credentials=True), "backend"),
        (Handles(personal_data=True, writes_output=True), "backend"),
        (Handles(needs_audit=True), "backend"),
        (Handles(writes_output=True), "mcp"),
        (Handles(), "either"),
    ],
)
def test_where_a_tool_runs_follows_from_what_it_handles(handles: Handles, where: str):
    assert place(handles).where == where


@requirement("H16")
def test_the_reason_is_said():
    assert str(place(Handles(credentials=True))) == "runs in the backend: handles credentials"
