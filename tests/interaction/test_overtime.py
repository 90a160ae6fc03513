"""The overtime of a department: from the HR backend to a sheet and a message, without a credential or a name where it does not belong."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu

KEY = "a secret of thirty-two characters"
INPUTS = ("-i", "month=2026-10", "-i", "department=開発部", "-i", "spreadsheet=SHEET1", "-i", "manager=U0MANAGER")


@pytest.fixture
def office(home: Path) -> Path:
    """A home with the demo company as its tenant, and a sheet and messages that land in a local outbox."""
    server = {
        "command": "${JIRITSU_PYTHON}",
        "args": ["-P", "-m", "mcp_servers.common"],
        "env": {"JIRITSU_COMMON_DIR": "${JIRITSU_HOME}/common"},
    }
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"common": server}}))
    added = jiritsu("tenants", "add", "default", "--vendor", "demo", home=home, JIRITSU_KEY=KEY)
    assert added.returncode == 0, added.stderr
    return home


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


@requirement("H2", "H10", "O1", "O2")
def test_overtime_goes_to_the_sheet_and_to_the_manager_once_with_nobody_asked(office: Path) -> None:
    done = jiritsu("run", "overtime", *INPUTS, "--json", home=office, JIRITSU_KEY=KEY)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [receipt["state"] for receipt in result["receipts"]] == ["done", "done"]
    assert "waiting for approval" not in done.stderr
    rows = [line["values"] for line in lines(office / "common" / "sheets.jsonl")]
    assert rows
    assert all(month == "2026-10" and isinstance(minutes, int) for month, _, minutes in rows)
    (message,) = lines(office / "common" / "slack_dm.jsonl")
    assert message["user_id"] == "U0MANAGER"
    assert all(f"{name} {minutes}" in json.dumps(message, ensure_ascii=False) for _, name, minutes in rows)


@requirement("H8", "S5")
def test_the_log_tells_who_read_how_much_and_names_nobody(office: Path) -> None:
    jiritsu("run", "overtime", *INPUTS, "-q", home=office, JIRITSU_KEY=KEY)
    with sqlite3.connect(office / "jiritsu.db") as database:
        dump = "\n".join(str(row) for row in database.execute("select body from metrics_events"))
    assert '"type":"data_accessed"' in dump
    names = {line["values"][1] for line in lines(office / "common" / "sheets.jsonl")}
    assert names
    assert not [name for name in names if name in dump]
    verified = jiritsu("audit", "verify", home=office, JIRITSU_KEY=KEY)
    assert verified.returncode == 0, verified.stdout + verified.stderr


@requirement("H13", "H14")
def test_what_the_tenant_may_not_do_the_run_does_not_see_and_what_needs_a_word_asks(office: Path) -> None:
    denied = jiritsu("tenants", "permit", "default", "list_overtime", "deny", home=office, JIRITSU_KEY=KEY)
    assert denied.returncode == 0, denied.stderr
    blocked = jiritsu("run", "overtime", *INPUTS, "--json", home=office, JIRITSU_KEY=KEY)
    assert blocked.returncode == 4
    assert not [call for call in json.loads(blocked.stdout)["calls"] if call["asked"] == "hr_list_overtime"]
    jiritsu("tenants", "permit", "default", "list_overtime", "requires_confirmation", home=office, JIRITSU_KEY=KEY)
    asked = jiritsu("run", "overtime", *INPUTS, "--json", home=office, JIRITSU_KEY=KEY)
    assert asked.returncode == 4
    assert "waiting for approval of hr_list_overtime" in asked.stderr
    granted = jiritsu("run", "overtime", *INPUTS, "--json", "--yes", home=office, JIRITSU_KEY=KEY)
    assert granted.returncode == 0, granted.stderr
