"""The same tools over MCP: in process for the host, over stdio and HTTP for development; the tenant is never an argument."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
import mcp
import pytest
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from autonomy.hr.hr_server import PLACEMENT_KEY, hr_server
from autonomy.hr.tenants import Tenant, acting_for
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement
from tests.support.command import forked_command_line

SOMEBODY = {"employee_id": "demo-001", "month": "2026-10"}


@requirement("H12", "H2")
async def test_in_process_the_tools_answer_for_the_caller_of_the_moment(house: House):
    await house.connect(Tenant(id="trial", vendor="demo"))
    async with mcp.Client(hr_server(house.tools)) as client:
        with acting_for("trial", actor="U1", run_id="run-1"):
            answer = await client.call_tool("list_employees", {"department": "営業部"})
    assert not answer.is_error
    assert answer.structured_content["total_count"] == 6
    assert {(entry.tenant_id, entry.actor, entry.run_id) for entry in house.audit.entries} == {("trial", "U1", "run-1")}


@requirement("H11")
async def test_without_a_caller_nothing_is_run(house: House):
    async with mcp.Client(hr_server(house.tools)) as client:
        answer = await client.call_tool("list_employees", {})
    assert answer.is_error
    assert house.audit.entries == []


@requirement("H14", "H13")
async def test_the_list_of_tools_is_the_tenant_s(house: House):
    await house.connect(Tenant(id="trial", vendor="demo"))
    await house.permit("trial", "list_attendance", "deny")
    async with mcp.Client(hr_server(house.tools, "trial")) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    assert offered == {"list_employees", "calculate_overtime", "list_overtime", "check_overtime_limits"}


@requirement("H16")
async def test_a_definition_says_that_it_reads_and_why_it_runs_in_the_backend(house: House):
    async with mcp.Client(hr_server(house.tools)) as client:
        for tool in (await client.list_tools()).tools:
            assert tool.annotations.read_only_hint
            assert tool.meta[PLACEMENT_KEY] == (
                "runs in the backend: handles credentials, processes personal data, is subject to the audit"
            )


@requirement("H8")
async def test_an_error_is_a_tool_error_that_says_whether_to_try_again(house: House):
    await house.connect(Tenant(id="smart-inc", vendor="smarthr", subdomain="smart-inc"))
    async with mcp.Client(hr_server(house.tools, "smart-inc")) as client:
        answer = await client.call_tool("list_attendance", SOMEBODY)
    assert answer.is_error
    assert '"retryable": false' in answer.content[0].text


@requirement("H12")
async def test_over_stdio(home: Path):
    program, *args = forked_command_line("mcp", "hr", "--tenant", "demo")
    server = StdioServerParameters(command=program, args=args, env={**os.environ, "JIRITSU_HOME": str(home)})
    with anyio.fail_after(240):
        async with mcp.Client(server) as client:
            answer = await client.call_tool("calculate_overtime", SOMEBODY)
    assert answer.structured_content["employee_id"] == "demo-001"


@contextmanager
def served_over_http(home: Path) -> Iterator[tuple[str, str]]:
    """(address, token) of a real `jiritsu mcp hr --http 0`."""
    process = subprocess.Popen(
        forked_command_line("mcp", "hr", "--tenant", "demo", "--http", "0"),
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "JIRITSU_HOME": str(home)},
    )
    try:
        yield process.stderr.readline().strip(), process.stderr.readline().rpartition(" ")[2].strip()
    finally:
        process.terminate()
        process.communicate(timeout=120)


@requirement("H12", "H11")
async def test_over_http_only_for_those_who_know_the_token(home: Path):
    with anyio.fail_after(240), served_over_http(home) as (url, token):
        assert url.startswith("http://127.0.0.1:")
        async with httpx2.AsyncClient() as stranger:
            assert (await stranger.post(url, json={})).status_code == 401
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
            mcp.Client(streamable_http_client(url, http_client=http)) as client,
        ):
            answer = await client.call_tool("list_employees", {})
    assert answer.structured_content["total_count"] == 30


@pytest.mark.parametrize("arguments", [["hr", "--tenant", "nobody"]])
def test_a_tenant_that_does_not_exist_is_one_sentence(home: Path, arguments: list[str]):
    done = subprocess.run(
        forked_command_line("mcp", *arguments),
        capture_output=True,
        text=True,
        env={**os.environ, "JIRITSU_HOME": str(home)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 3
    assert "there is no such tenant" in done.stderr
    assert "Traceback" not in done.stderr
