"""The two catalogs for planners over the five tools of the custom-tool design (CT §7): drawn from the servers, not written down again."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio.to_thread

from autonomy.agent.plans.planning import as_json_schema, in_plain_words
from autonomy.hr.hr_server import hr_provider
from autonomy.run_state.plan import Plan, problems
from discovery.gateway import open_gateway
from discovery.transport.in_process import InProcess
from mcp_servers.common.server import server_from_environment
from tests.requirements import requirement

if TYPE_CHECKING:
    from autonomy.hr.router import CustomTools

CT = ("list_employees", "list_attendance", "calculate_overtime", "write_rows_to_google_sheet", "send_slack_dm")


@requirement("X18", "H2", "O1", "O2")
async def test_the_five_tools_of_the_design_can_be_chosen_in_words_and_planned_from_their_schemas(tmp_path: Path) -> None:
    common: Any = await anyio.to_thread.run_sync(server_from_environment, {"JIRITSU_COMMON_DIR": str(tmp_path)})
    unused = cast("CustomTools", None)  # nothing is called
    in_process = {"hr": hr_provider(unused), "common": InProcess(common, in_backend="a test")}
    async with open_gateway([], in_process=in_process) as gateway:
        await gateway.settle(timeout_s=240)
        tools = {spec.tool: spec for spec in (await gateway.catalog()).tools if spec.tool in CT}
    assert set(tools) == set(CT)
    lines = in_plain_words(tools.values()).splitlines()
    assert sorted(line.split(":")[0] for line in lines) == sorted(f"- {spec.name}" for spec in tools.values())
    entries = {entry["name"]: entry for entry in json.loads(as_json_schema(tools.values()))}
    assert {entry["effect"] for name, entry in entries.items() if name.startswith("hr_")} == {"read"}
    assert all("input_schema" in entry for entry in entries.values())
    plan = {
        "steps": [
            {"id": "people", "tool": tools["list_employees"].name},
            {
                "id": "overtime",
                "tool": tools["calculate_overtime"].name,
                "arguments": {"employee_id": "{{people.employees.0.id}}", "month": "2026-13"},
            },
        ]
    }
    found = problems(Plan.model_validate(plan), {spec.name: spec for spec in tools.values()})
    assert len(found) == 1
    assert found[0].startswith("step overtime: month")
