"""No argument, id or path of one tenant reaches anything of another's, and no secret is ever said aloud."""

import json
import logging

import anyio
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from autonomy.compat.managed_agents import CallLedger
from autonomy.errors import StoreError
from autonomy.hr import hr_tables
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.tenants import HRCaller, Tenant, acting_for, current_caller
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement
from tests.support.always import always
from tests.support.freee import summary, work_day
from tests.support.loopback_api import Reply

OURS, THEIRS = Tenant(id="ours", vendor="freee", company_ids=("1",)), Tenant(id="theirs", vendor="freee", company_ids=("2",))

HOSTILE = (
    "2",
    "theirs",
    "../theirs",
    "ours' OR '1'='1",
    "1&company_id=2",
    "1/../2",
    "%2e%2e",
    "\u0000",
    "2\n",
    "theirs/freee",
    "*",
    "",
)
hostile = st.sampled_from(HOSTILE) | st.text(max_size=20)


@requirement("H11")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@always(HOSTILE, "company", "employee", "extra", month="2026-10")
@given(company=hostile, employee=hostile, month=st.sampled_from(["2026-10", "2026-11"]), extra=hostile)
def test_whatever_the_arguments_are_only_the_own_company_is_asked_with_the_own_token(
    house: House, company: str, employee: str, month: str, extra: str
):
    async def attack() -> None:
        await house.connect(OURS)
        await house.connect(THEIRS)
        mine = (await house.stored("ours")).access_token.get_secret_value()
        house.freee.asked.clear()
        caller = HRCaller("ours")
        await house.tools.execute("list_employees", {"company_id": company}, caller)
        await house.tools.execute("list_employees", {"department": extra}, caller)
        await house.tools.execute("list_attendance", {"employee_id": employee, "month": month, "company_id": "1"}, caller)
        await house.tools.execute("calculate_overtime", {"employee_id": employee, "month": month, extra: extra}, caller)
        for asked in house.freee.asked:
            assert asked.token == mine
            assert asked.query.get("company_id", "1") == "1"
            assert "/companies/" not in asked.path or "/companies/1/" in asked.path
        assert all(entry.tenant_id == "ours" for entry in house.audit.entries)
        house.audit.entries.clear()
        house.freee.violations.clear()  # an employee of a foreign number is asked for, and freee says no

    anyio.run(attack)


@requirement("H11")
async def test_a_company_of_another_tenant_is_refused_before_anything_is_asked(house: House):
    await house.connect(OURS)
    answer = await house.call("list_employees", "ours", company_id="2")
    assert "not one of this tenant's" in answer.payload["error"]
    assert house.freee.asked == []


@requirement("H11")
async def test_a_row_of_one_tenant_copied_to_another_does_not_open(house: House):
    await house.connect(THEIRS)

    def steal() -> None:
        with house.engine.begin() as connection:
            sealed = connection.execute(sa.select(hr_tables.credentials.c.sealed)).scalars().first()
            connection.execute(hr_tables.credentials.insert().values(tenant_id="ours", name="freee", sealed=sealed))
        house.credentials.load("ours", "freee")

    with pytest.raises(StoreError, match="sealed for somebody else"):
        await anyio.to_thread.run_sync(steal)


@requirement("H11")
async def test_the_answer_about_one_tenant_is_never_given_to_the_next(house: House):
    await house.connect(OURS)
    await house.connect(THEIRS)
    house.freee.hire(1, "秘密", "太郎")
    house.freee.company_id = 1
    assert not (await house.call("list_employees", "ours")).is_error
    answer = await house.call("list_employees", "theirs")
    assert answer.is_error
    assert "秘密" not in answer.text


@requirement("H11")
async def test_calls_for_two_tenants_at_the_same_time_keep_to_their_own(house: House):
    await house.connect(OURS)
    await house.connect(Tenant(id="trial", vendor="demo"))
    house.freee.hire(1, "山田", "太郎")
    sources: dict[str, set[str]] = {"ours": set(), "trial": set()}

    async def call(tenant_id: str) -> None:
        with acting_for(tenant_id):
            await anyio.sleep(0)
            answer = await house.tools.execute("list_employees", {}, current_caller.get())
            sources[tenant_id] |= {person["source"] for person in answer.payload["employees"]}

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(call, "ours")
            group.start_soon(call, "trial")
    assert sources == {"ours": {"freee"}, "trial": {"demo"}}


@requirement("H11")
async def test_the_result_of_another_tenant_s_session_is_not_found(house: House):
    mine, other = (CallLedger(house.engine, house.vault, tenant, "session-1") for tenant in ("ours", "theirs"))

    def work() -> None:
        assert mine.claim("event-1", "worker")
        mine.settle("event-1", {"text": "秘密", "is_error": False})
        assert other.result("event-1") is None
        assert mine.result("event-1") == {"text": "秘密", "is_error": False}

    await anyio.to_thread.run_sync(work)


@requirement("H1", "S7")
async def test_secrets_appear_in_no_answer_log_or_audit_whatever_fails(house: House, caplog: pytest.LogCaptureFixture):
    """Canaries in every place where a secret is kept, faults in every place where one could slip out."""
    caplog.set_level(logging.DEBUG)
    await house.connect(OURS)
    await house.connect(Tenant(id="kot-inc", vendor="king_of_time"))
    known = await house.stored("ours")
    canaries = [
        known.access_token.get_secret_value(),
        known.refresh_token.get_secret_value(),
        "client-secret",
        house.king_of_time.token,
    ]
    house.freee.summaries[1, 2026, 10] = summary(2026, 10, "2026-10-01", "2026-10-31", [work_day("2026-10-01", "09:00", "18:00")])
    said: list[str] = []
    faults = [
        (),
        (Reply({"message": f"bad token {canaries[0]}"}, 400),),
        (Reply([], 500),) * 4,
        (Reply({"message": "x"}, 401), Reply({"error": "invalid_grant"}, 401)),
    ]
    for fault in faults:
        house.freee.break_next(*fault)
        said.append((await house.call("list_employees", "ours")).text)
        said.append((await house.call("list_attendance", "ours", employee_id="1", month="2026-10")).text)
    house.king_of_time.break_next(Reply({"errors": [{"message": "Bad", "code": 1}]}, 401))
    said.append((await house.call("list_employees", "kot-inc")).text)
    renewed = await house.stored("ours")
    canaries += [renewed.access_token.get_secret_value(), renewed.refresh_token.get_secret_value()]
    said += [entry.model_dump_json() for entry in house.audit.entries]
    everything = "\n".join([*said, caplog.text, *(json.dumps(asked.query) for asked in house.freee.asked)])
    assert len(house.audit.entries) > 10
    assert [canary for canary in canaries if canary in everything] == []


@requirement("H1")
async def test_the_caller_is_forgotten_at_the_end_of_the_block():
    with acting_for("ours"):
        assert current_caller.get().tenant_id == "ours"
    assert current_caller.get() is None


@requirement("H11")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "a/b", "A"]),
            st.sampled_from(["freee", "b/freee", "smarthr"]),
            st.text(min_size=1, max_size=8),
        ),
        max_size=8,
    )
)
def test_credentials_come_back_to_whoever_stored_them_and_to_nobody_else(engine: sa.Engine, stored: list[tuple[str, str, str]]):
    store = CredentialStore(engine, Vault(["another secret of the tests"]))
    with engine.begin() as connection:
        connection.execute(hr_tables.credentials.delete())
    for tenant_id, name, token in stored:
        store.save(tenant_id, name, Credentials(access_token=SecretStr(token)))
    last = {(tenant_id, name): token for tenant_id, name, token in stored}
    for tenant_id in ("a", "b", "a/b", "A"):
        for name in ("freee", "b/freee", "smarthr"):
            found = store.load(tenant_id, name)
            assert (found.access_token.get_secret_value() if found else None) == last.get((tenant_id, name))
