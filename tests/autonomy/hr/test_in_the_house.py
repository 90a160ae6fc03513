"""The pieces fit the rest of the house: the gateway offers the tools, the journal keeps the audit, nothing heavy is loaded early."""

import subprocess
import sys

import anyio.to_thread
import pytest
import sqlalchemy as sa

import autonomy.custom_tools
from autonomy.database import migrate
from autonomy.hr.hr_audit import JournalAudit
from autonomy.hr.hr_server import hr_provider
from autonomy.hr.tenants import Tenant, acting_for
from autonomy.stores import METRICS
from discovery.catalog import Effect
from discovery.gateway import open_gateway
from metrics.journal import Journal
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement


@requirement("H2", "H16")
async def test_the_gateway_offers_the_tools_as_a_provider_in_the_backend(house: House):
    await house.connect(Tenant(id="trial", vendor="demo"))
    with anyio.fail_after(240):
        async with open_gateway([], in_process={"hr": hr_provider(house.tools)}) as gateway:
            await gateway.settle(5)
            catalog = await gateway.catalog()
            spec = next(tool for tool in catalog.tools if tool.tool == "list_employees")
            with acting_for("trial", run_id="run-1"):
                output = await gateway.call(spec.name, {"department": "開発部"})
    assert (spec.name, spec.effect) == ("hr_list_employees", Effect.READ)
    assert catalog.provider("hr").in_backend.startswith("handles credentials")
    assert not output.is_error
    assert {entry.run_id for entry in house.audit.entries} == {"run-1"}


@requirement("H8", "S5")
async def test_the_journal_keeps_the_audit_and_its_chain_closes(house: House, engine: sa.Engine):
    await house.connect(Tenant(id="trial", vendor="demo"))
    await house.permit("trial", "list_attendance", "deny")
    await anyio.to_thread.run_sync(migrate, engine, [METRICS])
    journal = Journal(engine, key=b"key")
    house.tools.audit = JournalAudit(journal)
    await house.call("list_employees", "trial", department="営業部")
    await house.call("list_attendance", "trial", employee_id="demo-001", month="2026-10")
    await house.call("calculate_overtime", "trial", employee_id="nobody", month="2026-10")
    events = await journal.read(tenant="trial")
    assert [(event.tool, event.phase, event.records, event.error) for event in events] == [
        ("list_employees", "before", None, ""),
        ("list_employees", "after", 6, ""),
        ("list_attendance", "after", None, "refused: denied"),
        ("calculate_overtime", "before", None, ""),
        ("calculate_overtime", "after", None, "vendor"),
    ]
    assert (await journal.verify()).intact
    assert "demo-001" not in str(events)


@pytest.mark.parametrize("name", autonomy.custom_tools.__all__)
def test_every_public_name_is_there(name: str):
    assert getattr(autonomy.custom_tools, name).__name__ == name


def test_the_commands_load_nothing_heavy_before_one_runs():
    program = "import sys, autonomy.cli.commands.hr; print([m for m in ('mcp', 'sqlalchemy', 'httpx2', 'anthropic', 'uvicorn') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert loaded.stdout == "[]\n"
