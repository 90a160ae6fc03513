"""What an operator changes from the pages: job files, effects of tools; and who may not, and what stands in the way."""

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.agent.replay import parse_recording
from autonomy.jobs.job import BUILT_IN
from autonomy.run_state.approvals import ApprovalQuestion
from autonomy.run_state.step import inline
from autonomy.settings import load
from autonomy.settings_files import server_entries, set_effect, switch_tool
from autonomy.web import inbox_page, measure_pages, overview_pages, run_pages, schedule_pages, tool_pages
from autonomy.web.visit import Console
from tests.autonomy.web.test_attacks import EVIL, Tags
from tests.requirements import requirement
from tests.support.console import VIEWER, browsing, console_over
from tests.support.durable import asked, box, prepared, workshop
from tests.support.house import WRITE, house

JOB = "---\ntitle: Tidy up\nschedule:\n  cron: 0 9 * * *\nbudget:\n  usd_per_day: 0.5\n---\nTidy the box up.\n"
ROOMS = (run_pages, inbox_page, overview_pages, measure_pages, schedule_pages, tool_pages)
FILLED = {"run_id": "run-1", "order": "cancel", "approval_id": "a", "provider": "box", "job": "tidy", "tool": "box_note"}


@pytest.fixture
async def engine(tmp_path: Path) -> Any:
    made = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    yield made
    await anyio.to_thread.run_sync(made.dispose)


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "tidy.md").write_text(JOB, encoding="utf-8")
    return folder


def changes() -> list[str]:
    """Every address that changes something."""
    return [re.sub(r"\{(\w+)\}", lambda found: FILLED[found.group(1)], path) for room in ROOMS for path in room.CHANGES]


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, page[:400]
    return found.group(1)


@requirement("U3")
async def test_a_job_file_is_checked_as_it_is_edited_and_saved_only_where_it_can_be_used(engine: Any, jobs: Path) -> None:
    console = console_over(engine, folders=(jobs,))
    async with browsing(console) as reader:
        page = (await reader.get("/schedules/tidy")).text
        shown, csrf = field(page, "sha256"), await reader.csrf()
        wrong, right = JOB.replace("0 9 * * *", "whenever"), JOB.replace("Tidy up", "Tidy well")
        told = await reader.client.post(
            "/schedules/tidy/file", data={"csrf": csrf, "text": wrong}, headers={"accept": "application/json"}
        )
        assert "schedule.cron" in told.json()["problem"]
        assert "tidy.md" in told.json()["problem"]
        assert "/tmp" not in told.json()["problem"], "it names the file, not where it was tried"
        lost = await reader.post("/schedules/tidy/file", text=wrong, turn="save", sha256=shown)
        assert lost.status_code == 422
        assert "whenever" in lost.text, "what was typed is still there"
        assert (jobs / "tidy.md").read_text() == JOB
        saved = await reader.post("/schedules/tidy/file", text=right.replace("\n", "\r\n"), turn="save", sha256=shown)
        assert saved.status_code == 303
        assert (jobs / "tidy.md").read_text() == right
        late = await reader.post("/schedules/tidy/file", text=JOB, turn="save", sha256=shown)
        assert late.status_code == 409, "somebody else had saved it meanwhile"
        assert (jobs / "tidy.md").read_text() == right
    told_of = [event for event in await console.services.journal.read(run_id="by-hand") if event.type == "intervention"]
    assert [event.by for event in told_of][:1] == ["operator"]


@requirement("U3")
async def test_a_job_that_ships_stays_as_it_is_and_ones_own_goes_first(engine: Any, jobs: Path) -> None:
    before = await anyio.Path(BUILT_IN / "diary" / "job.md").read_text(encoding="utf-8")
    async with browsing(console_over(engine, folders=(jobs, BUILT_IN))) as reader:
        page = (await reader.get("/schedules/diary")).text
        mine = before.replace("title: 日記", "title: わたしの日記")
        done = await reader.post("/schedules/diary/file", text=mine, turn="save", sha256=field(page, "sha256"))
        assert done.status_code == 303, done.text
        assert "わたしの日記" in (await reader.get("/schedules/diary")).text
    assert await anyio.Path(BUILT_IN / "diary" / "job.md").read_text(encoding="utf-8") == before
    assert "title: わたしの日記" in await anyio.Path(jobs / "diary.md").read_text(encoding="utf-8")
    async with browsing(console_over(engine, folders=(BUILT_IN,))) as reader:
        assert "data-check" not in (await reader.get("/schedules/diary")).text, "there is no folder of one's own"


@requirement("U6")
async def test_a_jobs_address_leads_to_no_file_of_the_machine(
    engine: Any, jobs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.md").write_text(JOB, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    async with browsing(console_over(engine, folders=(jobs,))) as reader:
        for path in ("secret.md", "..%2Fsecret.md", "%2e%2e/secret.md", "tidy.md"):
            assert (await reader.get(f"/schedules/{path}")).status_code == 404, path
        assert (await reader.post("/schedules/secret.md/file", text=JOB, turn="save")).status_code == 404


@requirement("U3")
async def test_an_effect_is_written_as_the_servers_file_has_it_and_a_write_becomes_a_read_by_two_ticks(
    engine: Any, tmp_path: Path
) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    kept = {"effects": {"no*": {"effect": "outward"}}}
    file.write_text(json.dumps({"mcpServers": {"box": {"command": "true", "args": [], **kept}}}), encoding="utf-8")
    config = await anyio.to_thread.run_sync(lambda: load({"home": str(tmp_path), "servers": str(file)}, env={}, cwd=tmp_path))
    async with house(box(tmp_path), script=["done"]) as made:
        console = console_over(engine)
        console.services = replace(console.services, tools=made.gateway, set_effect=partial(set_effect, config.settings))
        async with browsing(console) as reader:
            assert 'name="effect"' in (await reader.get("/tools/box_note")).text
            refused = await reader.post("/tools/box_note/effect", effect="read")
            assert "tick the box" in refused.text
            assert json.loads(file.read_text())["mcpServers"]["box"]["effects"] == kept["effects"]
            assert (await reader.post("/tools/box_note/effect", effect="read", sure="yes")).status_code == 303
            assert (await reader.post("/tools/box_note/effect", effect="nothing")).status_code == 409
    assert list(json.loads(file.read_text())["mcpServers"]["box"]["effects"].items()) == [
        ("note", {"effect": "read"}), ("no*", {"effect": "outward"})
    ], "the first glob that fits counts"  # fmt: skip
    assert [event.key.split("-")[0] for event in await console.services.journal.read(run_id="by-hand")] == ["effect"]


@requirement("U3")
async def test_a_tool_is_kept_out_of_the_catalog_and_let_in_again_and_a_glob_that_covers_others_is_not_touched(
    engine: Any, tmp_path: Path
) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text(
        json.dumps(
            {
                "mcpServers": {
                    "box": {"command": "true", "args": [], "exclude": ["pos*"], "rate_limit": {"calls": 30, "per_s": 60}}
                }
            }
        ),
        encoding="utf-8",
    )
    config = await anyio.to_thread.run_sync(lambda: load({"home": str(tmp_path), "servers": str(file)}, env={}, cwd=tmp_path))

    def excluded() -> Any:
        return json.loads(file.read_text())["mcpServers"]["box"].get("exclude")

    async with house(box(tmp_path), script=["done"]) as made:
        console = console_over(engine)
        console.services = replace(
            console.services,
            tools=made.gateway,
            switch_tool=lambda name, tool, on: switch_tool(config.settings, name, tool, on=on),
            entries=partial(server_entries, config.settings),
        )
        async with browsing(console) as reader:
            assert 'action="/servers/box/tools"' in (await reader.get("/tools/box_note")).text
            assert (await reader.post("/servers/box/tools", tool="note", turn="disable")).status_code == 303
            assert excluded() == ["pos*", "note"]
            page = (await reader.get("/tools")).text
            assert "<code>note</code>" in page
            assert "At most 30 calls within 60 s" in page
            assert (await reader.post("/servers/box/tools", tool="post", turn="enable")).status_code == 409
            assert (await reader.post("/servers/box/tools", tool="note", turn="enable")).status_code == 303
            assert excluded() == ["pos*"]
            assert (await reader.post("/servers/nobody/tools", tool="note", turn="disable")).status_code == 409


@requirement("U6")
@pytest.mark.parametrize("path", changes())
async def test_no_change_is_made_by_a_viewer_a_stranger_another_site_or_without_the_pages_token(engine: Any, path: str) -> None:
    console = console_over(engine)
    async with browsing(console, password=VIEWER) as viewer:
        assert (await viewer.post(path)).status_code == 403
    async with browsing(console, password="") as stranger:
        answer = await stranger.client.post(path, data={"csrf": ""})
        assert answer.status_code == 401
    async with browsing(console) as operator:
        assert (await operator.client.post(path, data={"csrf": "guessed"})).status_code == 403
        token = await operator.csrf()
        foreign = {"origin": "https://evil.example"}
        assert (await operator.client.post(path, data={"csrf": token}, headers=foreign)).status_code == 403
        rebound = {"host": "evil.example:8484"}
        assert (await operator.client.post(path, data={"csrf": token}, headers=rebound)).status_code == 403


@requirement("U6")
async def test_markup_of_servers_tools_jobs_and_questions_stays_text_in_every_page(engine: Any, jobs: Path) -> None:
    server = MCPServer(EVIL)

    @server.tool(title=EVIL, description=EVIL, annotations=WRITE)
    def note(text: str) -> str:
        return text

    (jobs / "evil.md").write_text(f"---\ntitle: {json.dumps(EVIL)}\n---\n{EVIL}\n", encoding="utf-8")
    (jobs / "broken.md").write_text(f"---\ntitle: [{EVIL}\n---\n{EVIL}\n", encoding="utf-8")
    console = console_over(engine, folders=(jobs,))
    question = ApprovalQuestion(
        run_id="run-1", key="turn-1/call-1", tool=EVIL, effect="outward", reason=EVIL, job=EVIL[:100], tenant="default",
        arguments={EVIL: EVIL, "list": [EVIL]}, arguments_sha256="0" * 64, asked_for_by=EVIL[:100], input_schema={"title": EVIL},
    )  # fmt: skip
    async with house(server, script=["done"]) as made:
        await made.gateway.settle(timeout_s=10)
        tool = (await made.gateway.catalog()).tools[0].name
        console.services = replace(console.services, tools=made.gateway, set_effect=lambda *_: None, switches=lambda *_: None)
        await console.services.runs.begin(asked("run-1"), 1000.0)
        async with browsing(console) as reader, anyio.create_task_group() as group:
            group.start_soon(console.services.approvals, question, inline)
            with anyio.fail_after(10):
                while not await console.services.approvals.listed():
                    await anyio.sleep(0.01)
            evil = {"a_job": EVIL, "a_model": EVIL, "b_job": EVIL}
            await reader.client.get("/measures/sides", params=evil)
            pages = [
                *[await reader.get(path) for path in ("/inbox", "/tools", f"/tools/{tool}", "/schedules", "/schedules/evil", "/now", "/costs")],
                await reader.client.get("/measures/sides", params=evil),
                await reader.post("/schedules/evil/file", text=f"</textarea>{EVIL}", turn="check", sha256=EVIL),
                await reader.post(f"/tools/{tool}", **{"argument.text": EVIL}),
            ]  # fmt: skip
            group.cancel_scope.cancel()
    assert {page.status_code for page in pages} <= {200, 409, 422}
    for page in pages:
        assert Tags(page.text).dangers() == [], page.url
    assert sum("onerror=alert(2)" in page.text for page in pages) >= 5, "the text itself is shown"


@requirement("U6")
async def test_another_tenants_run_is_in_no_page_and_no_file(engine: Any) -> None:
    console = console_over(engine)
    await console.services.runs.begin(asked("run-theirs", tenant="other", job="tidy"), 1000.0)
    await console.services.runs.begin(asked("run-ours", job="tidy"), 1000.0)
    async with browsing(console) as reader:
        for path in ("run.jsonl", "run.html", "call?key=turn-1/call-1"):
            assert (await reader.get(f"/runs/run-theirs/{path}")).status_code == 404, path
        assert (await reader.get("/compare?a=run-ours&b=run-theirs")).status_code == 404
        for path in ("/now", "/runs?job=tidy", "/conversations", "/audit", "/runs?q=run-theirs", "/runs/run-ours"):
            assert "/runs/run-theirs" not in (await reader.get(path)).text, path


@requirement("U1")
async def test_a_run_is_taken_away_as_a_replay_file_and_stands_beside_its_jobs_other_runs(tmp_path: Path) -> None:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path)) as shop:
        with anyio.fail_after(60):
            for name in ("run-1", "run-2"):
                await shop.runs.run(asked(name, job="tidy"))
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/runs/run-1")).text
            file = await reader.get("/runs/run-1/run.jsonl")
    assert "pass^2" in page
    assert "/compare?a=run-1&amp;b=run-2" in page
    recording = parse_recording(file.text.splitlines(), "run.jsonl")
    assert recording.request.run_id == "run-1"
    assert recording.result is not None
    assert recording.steps


@requirement("U1")
async def test_pages_say_that_the_database_is_away_and_come_back_with_it(engine: Any, jobs: Path) -> None:
    away = False

    @sa.event.listens_for(engine, "before_cursor_execute")
    def _(*_: Any) -> None:
        if away:
            raise sa.exc.OperationalError("SELECT", {}, Exception("the server closed the connection"))

    console: Console = console_over(engine, folders=(jobs,))
    await console.services.runs.begin(asked("run-1"), 1000.0)
    paths = ("/now", "/inbox", "/runs", "/runs?q=box", "/runs/run-1", "/schedules", "/schedules/tidy", "/costs", "/audit",
             "/conversations", "/measures/runs?figure=overall", "/compare?a=run-1&b=run-1")  # fmt: skip
    async with browsing(console) as reader:
        away = True
        for path in paths:
            page = await reader.get(path)
            assert page.status_code == 503, path
            assert 'http-equiv="refresh"' in page.text, "it comes back by itself"
            assert "Traceback" not in page.text
        away = False
        for path in paths:
            assert (await reader.get(path)).status_code == 200, path


@requirement("U4")
async def test_a_jobs_budget_of_the_day_stands_beside_what_today_has_cost(engine: Any, jobs: Path) -> None:
    async with browsing(console_over(engine, folders=(jobs,))) as reader:
        page = (await reader.get("/costs")).text
    assert "Tidy up" in page
    assert "$0.50" in page


@requirement("U1")
@pytest.mark.parametrize("path", ["/runs/gone", "/runs/gone/live", "/runs/gone/run.jsonl", "/tools/gone", "/schedules/gone", "/compare?a=&b=",
                                  "/measures/runs?figure=gone", "/runs/run-1/call?key=gone"])  # fmt: skip
async def test_what_is_not_there_is_said_in_a_line(engine: Any, path: str) -> None:
    console = console_over(engine)
    await console.services.runs.begin(asked("run-1"), 1000.0)
    async with browsing(console) as reader:
        page = await reader.get(path)
    assert page.status_code == 404
    assert page.text.count('role="alert"') == 1
    assert "Traceback" not in page.text
