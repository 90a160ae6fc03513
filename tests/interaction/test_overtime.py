"""The overtime of a department: from the HR backend to a sheet and a message, without a credential or a name where it does not belong."""

import json
import re
import shlex
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio.to_thread
import pytest

from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.hr import hr_tables
from autonomy.hr.backend import Backend, open_backend
from autonomy.hr.hr_audit import JournalAudit
from autonomy.hr.hr_server import hr_server
from autonomy.hr.hr_tenancy import HRTenancy
from autonomy.hr.tenants import Tenant
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import load
from autonomy.llm.scripted import calling
from autonomy.stores import METRICS
from mcp_servers.common.server import server_from_environment
from metrics.events import ApprovalRequested
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.coming_due import comes_due
from tests.support.command import HANG_S, environment, forked_command_line, jiritsu
from tests.support.durable import new_sqlite_file
from tests.support.house import house
from tests.support.waiting import until

KEY = "a secret of thirty-two characters"
INPUTS = ("-i", "month=2026-10", "-i", "department=開発部", "-i", "spreadsheet=SHEET1", "-i", "manager=U0MANAGER")


@pytest.fixture
def office(home: Path) -> Path:
    """A home with the demo company as its tenant, and a sheet and messages that land in a local outbox."""
    return furnish(home)


@pytest.fixture(scope="module")
def after_a_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """Such a home where the job was run once, and what that printed."""
    home = tmp_path_factory.mktemp("office")
    (home / "jiritsu.db").write_bytes(new_sqlite_file())
    return furnish(home), jiritsu("run", "overtime", *INPUTS, "--json", home=home, JIRITSU_KEY=KEY)


def furnish(home: Path) -> Path:
    server = {
        "command": "${JIRITSU_PYTHON}",
        "args": ["-P", "-m", "mcp_servers.common"],
        "env": {"JIRITSU_COMMON_DIR": "${JIRITSU_HOME}/common"},
    }
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"common": server}}))
    added = jiritsu("tenants", "add", "default", "--vendor", "demo", home=home, JIRITSU_KEY=KEY)
    assert added.returncode == 0, added.stderr
    return home


@pytest.fixture
async def company(home: Path) -> AsyncIterator[tuple[Backend, Journal]]:
    """The HR tools over the demo company, in process."""
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{home / 'jiritsu.db'}")
    await anyio.to_thread.run_sync(migrate, engine, [SchemaModule("hr", hr_tables.metadata), METRICS])
    journal = Journal(engine)
    opened = partial(open_backend, engine, JournalAudit(journal), home=home, key=KEY, environ={})
    backend = await anyio.to_thread.run_sync(opened)
    await anyio.to_thread.run_sync(backend.tenants.save, Tenant(id="default", vendor="demo"))
    yield backend, journal
    engine.dispose()


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


@requirement("H2", "H10", "O1", "O2")
def test_overtime_goes_to_the_sheet_and_to_the_manager_once_with_nobody_asked(
    after_a_run: tuple[Path, "subprocess.CompletedProcess[str]"],
) -> None:
    office, done = after_a_run
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [receipt["state"] for receipt in result["receipts"]] == ["done", "done"]
    written_to = [str(office / "common" / name) for name in ("sheets.jsonl", "slack_dm.jsonl")]
    assert [receipt["target"] for receipt in result["receipts"]] == written_to, "nobody has received it, and no receipt looks so"
    assert all(file in result["text"] for file in written_to), "nor does the answer"
    assert "waiting for approval" not in done.stderr
    rows = [line["values"] for line in lines(office / "common" / "sheets.jsonl")]
    assert rows
    assert all(month == "2026-10" and isinstance(minutes, int) for month, _, minutes, _ in rows)
    assert len({who for *_, who in rows}) == len(rows), "two people of one name are told apart"
    (message,) = lines(office / "common" / "slack_dm.jsonl")
    assert message["user_id"] == "U0MANAGER"
    assert all(f"{who} {name} {minutes}" in json.dumps(message, ensure_ascii=False) for _, name, minutes, who in rows)


@requirement("H10", "Y3")
@pytest.mark.parametrize("language", ["ja", pytest.param("en", marks=pytest.mark.sweep)])
def test_the_alarm_speaks_only_above_its_figure_and_its_hours_reach_a_message_with_nobody_asked(
    home: Path, language: str
) -> None:
    env = {"JIRITSU_KEY": KEY, "JIRITSU_LANGUAGE": language}
    assert jiritsu("tenants", "add", "default", "--vendor", "demo", home=home, **env).returncode == 0
    template = (BUILT_IN / "templates" / language / "overtime-alarm.md").read_text(encoding="utf-8")
    manager, department = {"ja": ("U07KENTA", "製造部"), "en": ("U09TOM", "Manufacturing")}[language]
    given = ("-i", f"department={department}", "-i", f"manager={manager}", "-i", "month=2026-10")
    (home / "jobs").mkdir()
    (home / "jobs" / "alarm.md").write_text(template, encoding="utf-8")
    lacking = jiritsu("run", "alarm", home=home, **env)
    assert (lacking.returncode, "manager" in lacking.stderr, "hr_list" in lacking.stderr) == (3, True, False)
    assert "35 h 15 min" in jiritsu("run", "alarm", *given, home=home, **env).stderr
    done = jiritsu("run", "alarm", *given, "-i", "hours=32", "--json", home=home, **env)
    assert done.returncode == 0, done.stderr
    assert [receipt["state"] for receipt in json.loads(done.stdout)["receipts"]] == ["done"]
    assert "waiting for approval" not in done.stderr
    (outbox,) = home.rglob("outbox/*.jsonl")
    (message,) = lines(outbox)
    told, *people = message["text"].splitlines()
    assert (
        told
        == {
            "ja": "2026-10 に残業が32時間を超えた人（製造部）",
            "en": "More than 32 hours of overtime in 2026-10 (Manufacturing):",
        }[language]
    )
    assert (
        people
        == {
            "ja": ["- demo-008 小林 颯太 35時間15分", "- demo-023 小林 颯太 32時間30分"],
            "en": ["- demo-008 Sota Kobayashi 35 h 15 min", "- demo-023 Sota Kobayashi 32 h 30 min"],
        }[language]
    ), "only who is above the threshold"
    name = {"ja": "小林 颯太", "en": "Sota Kobayashi"}[language]
    assert all(f"{name} ({who}): " in json.loads(done.stdout)["text"] for who in ("demo-008", "demo-023"))
    assert "minutes" not in json.loads(done.stdout)["text"]


@requirement("Y2", "Y3")
@pytest.mark.parametrize("language", [pytest.param("ja", marks=pytest.mark.sweep), "en"])
def test_the_alarm_is_tried_on_the_sample_by_the_line_that_jobs_new_prints_whatever_company_this_home_has(
    home: Path, language: str
) -> None:
    assert jiritsu("tenants", "add", "default", "--vendor", "freee", home=home).returncode == 0
    made = jiritsu("jobs", "new", "overtime-alarm", home=home, JIRITSU_LANGUAGE=language)
    rehearsal = shlex.split(made.stdout.splitlines()[-1].partition("   #")[0])
    assert rehearsal[:2] == ["jiritsu", "run"]
    done = jiritsu(*rehearsal[1:], "--json", home=home, JIRITSU_LANGUAGE=language)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    (sent,) = [call for call in result["calls"] if call["tool"] == "slack_send_dm"]
    assert {"ja": "時間", "en": " h "}[language] in sent["arguments"]["text"]


@requirement("Y2")
def test_jobs_check_knows_the_hr_tools_of_this_home(office: Path) -> None:
    file = BUILT_IN / "templates" / "en" / "overtime-alarm.md"
    checked = jiritsu("jobs", "check", str(file), home=office, JIRITSU_KEY=KEY, JIRITSU_LANGUAGE="en")
    assert checked.returncode == 0, checked.stdout
    assert "  when         → hr_list_overtime" in checked.stdout


@requirement("H10", "Y3")
@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("More than 32 hours: 小林 颯太 35 h 15 min and 32 h 30 min.", "completed"),
        ("More than 32 hours: 小林 颯太 35 h 15 min and 32 h 30 min, 田中 凛 31 h 45 min.", "tell names 田中 凛"),
        ("Nobody is above 32 hours.", "does not name demo-008 小林 颯太, demo-023 小林 颯太"),
    ],
)
async def test_a_models_own_alarm_names_whoever_is_above_the_threshold_and_nobody_else(
    home: Path, company: tuple[Backend, Journal], text: str, ending: str
) -> None:
    backend, journal = company
    common = server_from_environment({"JIRITSU_COMMON_DIR": str(home / "common")})
    template = (BUILT_IN / "templates" / "en" / "overtime-alarm.md").read_text(encoding="utf-8")
    file = anyio.Path(home / "alarm.md")
    await file.write_text(template.replace("text: |-", "message: |-"), encoding="utf-8")
    job = await anyio.to_thread.run_sync(load, Path(file))
    given = {"month": "2026-10", "department": "製造部", "manager": "U0MANAGER", "hours": "32"}
    request = job.request("run-1", given, now=datetime.now(ZoneInfo("Asia/Tokyo")), trigger="schedule")
    script = [
        calling(("hr_list_overtime", {"month": "2026-10", "department": "製造部"})),
        calling(("common_send_slack_dm", {"user_id": "U0MANAGER", "message": text})),
        *["I told the manager; some days are not final yet."] * 5,
    ]
    async with house(hr_server(backend.tools), common, script=script, tenancy=HRTenancy(backend.tools), journal=journal) as home_:
        result = await home_.executor.execute(request)
    assert ending in (result.ending if ending == "completed" else result.reason), result.reason


@requirement("H8", "S5")
def test_the_log_tells_who_read_how_much_and_names_nobody(
    after_a_run: tuple[Path, "subprocess.CompletedProcess[str]"],
) -> None:
    office, _ = after_a_run
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


@requirement("J2", "H10")
def test_on_its_schedule_the_job_runs_once_and_delivers_once(office: Path) -> None:
    job = (BUILT_IN / "overtime" / "job.md").read_text(encoding="utf-8")
    for name, value in (("month", '"2026-10"'), ("department", "開発部"), ("spreadsheet", "SHEET1"), ("manager", "U0MANAGER")):
        job = re.sub(rf"(  {name}:\n    description: .*\n)    required: true\n", rf"\1    default: {value}\n", job)
    (office / "jobs").mkdir()

    def write(cron: str) -> None:
        timed = job.replace("limits:\n", f'schedule: {{cron: "{cron}", timezone: Asia/Tokyo}}\nlimits:\n', 1)
        (office / "jobs" / "monthly.md").write_text(timed, encoding="utf-8")

    comes_due("monthly", write, home=office, JIRITSU_KEY=KEY)
    worker = subprocess.Popen(
        forked_command_line("worker"), cwd=office, env=environment(office, JIRITSU_KEY=KEY), stderr=subprocess.PIPE, text=True
    )
    messages = office / "common" / "slack_dm.jsonl"
    until(lambda: messages.exists() or worker.poll() is not None, timeout_s=HANG_S)
    worker.terminate()
    _, told = worker.communicate(timeout=HANG_S)
    assert messages.exists(), told
    assert len(lines(messages)) == 1
    (run,) = json.loads(jiritsu("runs", "list", "--json", home=office, JIRITSU_KEY=KEY).stdout)
    assert run["job"] == "monthly"
    history = jiritsu("jobs", "history", "monthly", home=office, JIRITSU_KEY=KEY)
    assert history.returncode == 0, history.stderr


@requirement("H1", "S1")
async def test_a_model_does_it_within_the_job_and_cannot_send_it_elsewhere(home: Path, company: tuple[Backend, Journal]) -> None:
    backend, journal = company
    common = server_from_environment({"JIRITSU_COMMON_DIR": str(home / "common")})
    job = await anyio.to_thread.run_sync(load, BUILT_IN / "overtime" / "job.md")
    given = {"month": "2026-10", "department": "開発部", "spreadsheet": "SHEET1", "manager": "U0MANAGER"}
    request = job.request("run-1", given, now=datetime.now(ZoneInfo("Asia/Tokyo")), trigger="schedule")
    people = [
        ("鈴木 悠真", 1368, 16),
        ("鈴木 悠真", 1260, 1),
        ("山本 楓", 1200, 6),
        ("山田 結衣", 1050, 11),
        ("山田 結衣", 840, 26),
    ]
    rows = [["2026-10", name, minutes, f"demo-{number:03d}"] for name, minutes, number in people]
    told_to_all = "\n".join(f"{name} {minutes}" for name, minutes, _ in people)
    script = [
        calling(("hr_list_overtime", {"month": "2026-10", "department": "開発部"})),
        calling(
            ("common_write_rows_to_google_sheet", {"spreadsheet_id": "SHEET1", "range": "残業!A1", "rows": rows}),
            ("common_send_slack_dm", {"user_id": "U0STRANGER", "message": told_to_all}),
        ),
        calling(("common_send_slack_dm", {"user_id": "U0MANAGER", "message": told_to_all})),
        "開発部の 2026-10 の残業を書き込み、担当者に知らせました。未確定の日があります。",
    ]
    async with house(hr_server(backend.tools), common, script=script, tenancy=HRTenancy(backend.tools), journal=journal) as home_:
        result = await home_.executor.execute(request)
    assert result.ending == "completed", result.reason
    kinds = {record.arguments.get("user_id", record.asked): record.result.kind for record in result.calls}
    assert kinds["U0STRANGER"] == "denied"
    assert kinds["U0MANAGER"] == "ok"
    (message,) = lines(home / "common" / "slack_dm.jsonl")
    assert message["user_id"] == "U0MANAGER"
    assert home_.heard.of(ApprovalRequested) == []
    told = "".join(request.model_dump_json() for request in home_.model.requests)
    assert KEY not in told
