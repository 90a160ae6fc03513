"""freee's own MCP server, pointed at our fake, gets along with it: the fake behaves like freee for a second client too.

Needs npm's registry: `pytest -m real_servers`.
"""

import json
import os
import shutil
from pathlib import Path

import anyio
import mcp
import pytest
from mcp import StdioServerParameters

from autonomy.hr.tenants import Tenant
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement

PACKAGE = "freee-mcp@0.35.2"

pytestmark = [
    pytest.mark.real_servers,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not installed"),
]


def settings_for(house: House, directory: Path) -> StdioServerParameters:
    """freee-mcp with a token that has run out, so that it must renew it at our fake first."""
    folder = directory / "freee-mcp"
    folder.mkdir(parents=True)
    pair = house.freee.sign_in.new_pair()
    tokens = {
        "access_token": "stale",
        "refresh_token": pair["refresh_token"],
        "expires_at": 0,
        "token_type": "bearer",
        "scope": "read",
    }
    config = {
        "clientId": "client-id",
        "clientSecret": "client-secret",
        "defaultCompanyId": "1",
        "currentCompanyId": "1",
        "companies": {"1": {"id": "1", "name": "株式会社テスト", "addedAt": 0}},
    }
    (folder / "tokens.json").write_text(json.dumps(tokens))
    (folder / "config.json").write_text(json.dumps(config))
    env = os.environ | {
        "XDG_CONFIG_HOME": str(directory),
        "FREEE_CLIENT_ID": "client-id",
        "FREEE_CLIENT_SECRET": "client-secret",
        "FREEE_TOKEN_ENDPOINT": f"{house.freee.url}/public_api/token",
        "FREEE_API_BASE_URL_HR": house.freee.base_url,
    }
    return StdioServerParameters(command="npx", args=["--yes", PACKAGE], env=env)


@requirement("H4")
async def test_it_renews_its_token_and_reads_what_we_read(house: House, tmp_path: Path):
    await house.connect(Tenant(id="acme", vendor="freee", company_ids=("1",)))
    house.freee.hire(1, "山田", "太郎")
    query = {"company_id": 1, "year": 2026, "month": 11, "limit": 50}
    request = {"service": "hr", "path": "/api/v1/employees", "query": query}
    with anyio.fail_after(240):
        async with mcp.Client(settings_for(house, tmp_path)) as client:
            theirs = await client.call_tool("freee_api_get", request)
            sketched = await client.call_tool("freee_api_get", {**request, "path": "/api/v1/employees/1/work_records"})
    ours = await house.call("list_employees", "acme")
    assert "山田" in theirs.content[0].text, theirs.content[0].text
    assert "山田 太郎" in ours.text
    assert house.freee.sign_in.refreshes == 1
    assert house.freee.sign_in.invalid_grants == 0
    assert not any(asked.path.endswith("/work_records") for asked in house.freee.asked), sketched.content[0].text
