"""What an operator changes from the pages: job files, effects of tools; and who may not, and what stands in the way."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.agent.replay import parse_recording
from autonomy.database import migrate
from autonomy.durable.durable_tables import ticks
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.trigger_memory import HeldStart, TriggerMemory
from autonomy.durable.store import Store
from autonomy.errors import KeyMissing
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.run_values import RunResult
from autonomy.run_state.step import inline
from autonomy.settings import load
from autonomy.settings_files import server_entries, set_effect, switch_tool
from autonomy.stores import ROOMS as ROOMS_OF_THE_APP
from autonomy.web.console import MOST_FORM_FIELDS
from autonomy.web.console_services import ConsoleTools
from autonomy.web.pages import (
    inbox_page,
    job_editor,
    measure_pages,
    overview_pages,
    run_pages,
    schedule_pages,
    server_sign_in,
    tool_pages,
)
from autonomy.web.visit import Console
from discovery.catalog import Catalog, JsonObject, Provider, ProviderState, ToolOutput, ToolSpec
from discovery.gateway import open_gateway
from discovery.stored_tools import StoredTools
from metrics.events import ApprovalAnswered, CallDecided
from tests.autonomy.web.test_attacks import EVIL, Tags
from tests.requirements import requirement
from tests.support.console import VIEWER, browsing, console_over
from tests.support.durable import asked, box, workshop
from tests.support.house import WRITE, house
from tests.support.server_configs import stdio_server
from tests.support.specs import catalog_of, tool

JOB = "---\ntitle: Tidy up\nschedule:\n  cron: 0 9 * * *\nbudget:\n  usd_per_day: 0.5\n---\nTidy the box up.\n"
ROOMS = (run_pages, inbox_page, overview_pages, measure_pages, job_editor, schedule_pages, server_sign_in, tool_pages)
FILLED = {"run_id": "run-1", "order": "cancel", "approval_id": "a", "provider": "box", "job": "tidy", "tool": "box_note"}


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
async def test_what_starts_a_job_beside_the_clock_stands_in_the_console_and_what_waits_for_its_budget(
    engine: Any, jobs: Path
) -> None:
    starts = "on_file: {path: inbox/*.csv}\nafter_job: {job: diary}\non_message: {channel: C09DEV, words: deployed}\n"
    (jobs / "tidy.md").write_text(JOB.replace("budget:", f"{starts}budget:"), encoding="utf-8")
    reason = "budget: 1 of 1 runs of the day are used up"
    held = HeldStart(run_id="tidy-message-1", job="tidy", inputs={}, actor="U1", asked_at=1.0, reason=reason)
    await TriggerMemory(Store(engine)).hold(held)
    async with browsing(console_over(engine, folders=(jobs,))) as reader:
        listed, page = (await reader.get("/schedules")).text, (await reader.get("/schedules/tidy")).text
        await reader.post("/preferences", language="ja", theme="light", back="/now")
        japanese = (await reader.get("/schedules")).text
    for words in ("inbox/*.csv", "diary (completed)", "C09DEV deployed"):
        assert words in listed
        assert words in page
    assert "usd_per_day: 0.5" in page
    assert "Waiting to be started: 1 · budget: 1 of 1 runs of the day are used up" in listed
    assert "予算: 一日 1 回のうち 1 回を実行しました" in japanese


@requirement("U1")
@pytest.mark.parametrize(("ending", "marked"), [("declined", False), ("doubtful", True)])
async def test_the_words_of_a_run_that_was_not_taken_on_want_no_source(engine: Any, ending: str, marked: bool) -> None:
    records = RunRecords(engine)
    await records.begin(asked("run-1"), 1.0)
    text = "## Answer\n\nThe answer could not be given, because no tool knows the word 'Catch'."
    await records.end(RunResult.model_validate({"run_id": "run-1", "ending": ending, "started_at": 1.0, "text": text}))
    async with browsing(console_over(engine)) as reader:
        page = (await reader.get("/runs/run-1")).text
    assert "no tool knows the word" in page
    assert ('class="soft coverage"' in page) is marked
    assert ("No line: a heading, a greeting" in page) is marked


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


@requirement("U3")
async def test_the_inbox_says_in_the_readers_language_why_a_schedule_stands_still(engine: Any) -> None:
    console = console_over(engine, folders=(BUILT_IN,))
    await console.services.schedules.pause("diary", "by hand")
    async with browsing(console) as reader:
        await reader.post("/preferences", language="ja", theme="light", back="/now")
        page = (await reader.get("/inbox")).text
    assert "手動で停止しました" in page
    assert "by hand" not in page


@requirement("U3")
async def test_a_job_that_ships_is_off_everywhere_until_it_is_switched_on(engine: Any) -> None:
    async with browsing(console_over(engine, folders=(BUILT_IN,))) as reader:
        for path in ("/schedules", "/schedules/diary"):
            page = (await reader.get(path)).text
            assert ('<span class="chip ">off</span>' in page, 'value="resume">Switch on' in page) == (True, True), path
            if path == "/schedules":
                assert ('class="tick off"' in page, 'class="tick paused"' in page) == (True, False), "the calendar says the same"
            assert 'value="pause"' not in page, path
        assert '<span class="chip">off</span>' in (await reader.get("/now")).text
        assert (await reader.post("/schedules/diary", turn="resume")).status_code == 303
        for path in ("/schedules", "/schedules/diary"):
            page = (await reader.get(path)).text
            assert ('<span class="chip ok">on</span>' in page, 'value="pause"' in page) == (True, True), path
        assert '<span class="chip">off</span>' not in (await reader.get("/now")).text


@requirement("U3")
async def test_a_new_job_is_made_from_a_template_checked_as_it_is_edited_and_saved_where_the_command_saves_it(
    engine: Any, jobs: Path
) -> None:
    console = console_over(engine, folders=(jobs, BUILT_IN))
    async with browsing(console) as reader:
        assert "/schedules/new/job" in (await reader.get("/schedules")).text
        page = await reader.get("/schedules/new/job?template=standup")
        text = unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page.text, re.DOTALL)[1])  # type: ignore[index]
        assert text == await anyio.Path(BUILT_IN / "templates" / "en" / "standup.md").read_text(encoding="utf-8")
        wrong = "---\ntitle: Up\nplan: perhaps\nschedule:\n  cron: whenever\n---\nStand up.\n"
        told = [
            (await reader.client.post("/schedules/new/job", data=data, headers={"accept": "application/json"})).json()["problem"]
            for draft in (wrong, "---\nextends: tidy\ntitle: Up\n---\n")
            if (data := {"csrf": await reader.csrf(), "name": "up", "text": draft})
        ]
        assert [line.split(": ")[:2] for line in told[0].split("\n")] == [["up.md", "schedule.cron"], ["up.md", "plan"]]
        assert told[1] == "", "a job of one's own may be extended"
        for name, filled in (("up", wrong), ("../up", text), ("", text), ("tidy", text)):
            lost = await reader.post("/schedules/new/job", name=name, text=filled, turn="save")
            assert lost.status_code == 422, name
            assert unescape(filled.split("\n")[1]) in unescape(lost.text), "what was typed is still there"
        assert sorted(file.name for file in jobs.iterdir()) == ["tidy.md"]
        assert (jobs / "tidy.md").read_text() == JOB, "a file that exists is never touched"
        checked = await reader.post("/schedules/new/job", name="up", text=text, turn="check")
        assert (checked.status_code, "This can be used as it is." in checked.text) == (200, True)
        assert sorted(file.name for file in jobs.iterdir()) == ["tidy.md"]
        saved = await reader.post("/schedules/new/job", name="up", text=text.replace("\n", "\r\n"), turn="save")
        assert (saved.status_code, saved.headers["location"]) == (303, "/schedules/up?said=job_saved")
        assert (jobs / "up.md").read_text() == text
        assert (await reader.get("/schedules/up")).status_code == 200
    told_of = [event for event in await console.services.journal.read(run_id="by-hand") if event.type == "intervention"]
    assert told_of[-1].by == "operator"
    assert told_of[-1].key.startswith("job-up-")
    async with browsing(console_over(engine, folders=(BUILT_IN,))) as reader:
        assert "/schedules/new/job" not in (await reader.get("/schedules")).text, "there is no folder of one's own"
        assert (await reader.post("/schedules/new/job", name="up", text=text, turn="save")).status_code == 409
    async with browsing(console, password=VIEWER) as viewer:
        assert "/schedules/new/job" not in (await viewer.get("/schedules")).text
        assert "<textarea" not in (await viewer.get("/schedules/new/job?template=standup")).text


@requirement("U3")
async def test_what_is_wrong_with_a_job_file_is_told_in_the_readers_language(engine: Any, jobs: Path) -> None:
    (jobs / "tidy.md").write_text(JOB.replace("0 9 * * *", "whenever"), encoding="utf-8")
    console = console_over(engine, folders=(jobs,))
    async with browsing(replace(console, services=replace(console.services, defaults=RunDefaults()))) as reader:
        for path in ("/schedules", "/schedules/tidy"):
            assert "schedule.cron: &#39;whenever&#39; は cron の式ではありません" in (await reader.get(path)).text
        again = await reader.post("/schedules/tidy/file", text="Tidy up.", turn="save", sha256="")
        assert "tidy.md: --- の行に挟まれたフロントマターがありません" in again.text
    async with browsing(console) as reader:
        assert "whenever&#39; is no cron expression" in (await reader.get("/schedules")).text


@requirement("U3")
async def test_a_job_whose_file_cannot_be_read_is_mended_from_its_page(engine: Any, jobs: Path) -> None:
    broken = JOB.replace("0 9 * * *", "whenever")
    (jobs / "tidy.md").write_text(broken, encoding="utf-8")
    async with browsing(console_over(engine, folders=(jobs,))) as reader:
        assert 'href="/schedules/tidy"' in (await reader.get("/schedules")).text
        page = (await reader.get("/schedules/tidy")).text
        assert "schedule.cron" in page
        shown = field(page, "sha256")
        again = await reader.post("/schedules/tidy/file", text=broken.replace("whenever", "never"), turn="save", sha256=shown)
        assert again.status_code == 422
        assert "cron: never" in again.text
        assert (jobs / "tidy.md").read_text() == broken
        mended = await reader.post("/schedules/tidy/file", text=JOB, turn="save", sha256=field(again.text, "sha256"))
        assert mended.status_code == 303
        assert (jobs / "tidy.md").read_text() == JOB
        assert "Tidy up" in (await reader.get("/schedules/tidy")).text


@requirement("U3")
async def test_a_job_started_by_hand_goes_by_its_condition_and_starts_a_run_for_each_item(engine: Any, jobs: Path) -> None:
    class Rain:
        """A server that tells how likely rain is."""

        async def catalog(self) -> Catalog:
            return catalog_of(tool("sky_rain"))

        async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
            return ToolOutput(text="", structured={"percent": 20})

    head = 'inputs:\n  user: { default: "" }\nfor_each: { items: [maya, tom], input: user }\n'
    (jobs / "each.md").write_text(JOB.replace("schedule:", f"{head}schedule:", 1), encoding="utf-8")
    when = "when: { tool: sky_rain, value: percent, above: 50 }\n"
    (jobs / "wet.md").write_text(JOB.replace("schedule:", f"{head}{when}schedule:", 1), encoding="utf-8")
    console = console_over(engine, folders=(jobs,))
    services = replace(console.services, starting=replace(console.services.starting, gateway=Rain()))
    async with browsing(console) as reader:
        done = await reader.post("/schedules/each", turn="run")
        assert (done.status_code, re.fullmatch(r"/runs\?start=[\w-]+&said=did_start", done.headers["location"]) is not None) == (
            303,
            True,
        )
        start = (await reader.get(done.headers["location"])).text
        assert [f"each ({user})" in start for user in ("maya", "tom")] == [True, True], "the runs of this start"
        begun = done.headers["location"].partition("=")[2].partition("&")[0]
        assert str((await reader.get(f"/runs/{begun}")).url).endswith(f"/runs?start={begun}"), "where a tick of a list leads"
        told = {name: "this console runs no servers" in (await reader.get(f"/schedules/{name}")).text for name in ("each", "wet")}
        assert told == {"each": False, "wet": True}, "before anybody presses"
        blind = await reader.post("/schedules/wet", turn="run")
        assert (blind.status_code, "this console runs no servers" in blind.text) == (409, True)
    async with browsing(replace(console, services=services)) as reader:
        dry = await reader.post("/schedules/wet", turn="run")
        assert (dry.status_code, "nothing to do: percent of sky_rain is 20, not above 50" in dry.text) == (409, True)
        assert (await reader.post("/schedules/wet", turn="rehearse")).status_code == 303
    records = [record for job in ("each", "wet") for record in await RunRecords(engine).newest(job=job)]
    asked_for = [(one.request.job, one.request.task.inputs["user"], one.request.simulate) for one in records]
    assert sorted(asked_for) == [(job, user, job == "wet") for job in ("each", "wet") for user in ("maya", "tom")]


@requirement("U3")
async def test_the_calendar_has_what_became_of_past_ticks_and_when_the_next_ones_come(engine: Any, jobs: Path) -> None:
    (jobs / "minutely.md").write_text(JOB.replace("0 9 * * *", '"* * * * *"').replace("Tidy up", "Often"), encoding="utf-8")
    now = datetime(2026, 11, 22, 8, 59, 30, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()  # a Sunday
    console = console_over(engine, folders=(jobs,), clock=lambda: now)
    due = now - 86_400 + 30
    rows = [
        {"job": "tidy", "due": due, "did": "run", "run_id": "run-21"},
        {"job": "tidy", "due": due - 86_400, "did": "skipped", "reason": "文化の日 振替休日", "run_id": "x"},
        {"job": "tidy", "due": due - 2 * 86_400, "did": "run", "started": False, "run_id": "held-19"},
    ]
    with engine.begin() as connection:
        connection.execute(ticks.insert(), [{"reason": "", "handled_at": now, "started": True, **row} for row in rows])
    async with browsing(console) as reader:
        page = (await reader.get("/schedules")).text
        shown = page[page.index('class="calendar"') :].split("</table>")[0]
        assert re.findall(r'datetime="([^"]+)"', shown)[0] == "2026-11-09", "from the Monday of the week before"
        assert len(re.findall("<td", shown)) == 28
        cells = {re.search(r'datetime="([^"]+)"', cell)[1]: cell for cell in shown.split("<td")[1:]}  # type: ignore[index]
        assert 'href="/runs/run-21"' in cells["2026-11-21"]
        assert "skipped: Culture Day (substitute holiday)" in cells["2026-11-20"]
        assert "/runs/held-19" not in page, "no run has begun"
        assert ">queued</span>" in page
        assert 'aria-current="date"' in cells["2026-11-22"]
        assert "+ " in cells["2026-11-22"], "a job of every minute does not fill the page"
        assert "Shown up to 2,000 ticks before now, and as many to come: Often" in page, (
            "and it does not stop coming where the page stops showing it"
        )
        assert "09:00" in cells["2026-11-23"]
        assert (await reader.post("/schedules/tidy", turn="pause")).status_code == 303
        shown = (await reader.get("/schedules")).text
        assert 'coming">09:00 <a href="/schedules/tidy"' not in shown[shown.index('class="calendar"') :].split("</table>")[0], (
            "it is paused"
        )
    told = [event for event in await console.services.journal.read(run_id="by-hand") if event.type == "intervention"]
    assert [(event.by, event.key.rpartition("-")[0]) for event in told] == [("operator", "schedule-tidy-pause")]


async def test_a_page_names_the_zone_of_its_times_and_a_job_of_another_zone_beside_its_ticks(tmp_path: Path, jobs: Path) -> None:
    elsewhere = JOB.replace("0 9 * * *", "0 9 * * *\n  timezone: America/New_York").replace("Tidy up", "There")
    (jobs / "there.md").write_text(elsewhere, encoding="utf-8")
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1", job="tidy"))
        async with browsing(console_over(shop.engine, folders=(jobs,))) as reader:
            for path in ("/now", "/runs", "/schedules", "/runs/run-1", "/runs/run-1/run.html"):
                assert "Times are those of Asia/Tokyo." in (await reader.get(path)).text, path
            for job, told in (("tidy", 0), ("there", 2)):
                page = (await reader.get(f"/schedules/{job}")).text
                assert page.count('<span class="soft">Asia/Tokyo</span></h2>') == told
            card = (await reader.get("/schedules")).text.split('<section class="card" id="there"')[1].split("</section>")[0]
    assert "America/New_York" in card
    assert card.count('<span class="soft">Asia/Tokyo</span></h3>') == 2


@requirement("U3")
async def test_the_calendar_shows_each_day_of_a_job_of_every_hour(engine: Any, jobs: Path) -> None:
    """Its 80 last and 80 next ticks were shown, and every other day was empty, as if it had not run or would not."""
    (jobs / "tidy.md").write_text(JOB.replace("0 9 * * *", '"0 * * * *"'), encoding="utf-8")
    now = datetime(2026, 11, 22, 8, 59, 30, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()  # a Sunday
    console = console_over(engine, folders=(jobs,), clock=lambda: now)
    rows = [
        {"job": "tidy", "due": now + 30 - 3600 * hours, "did": "run", "run_id": f"run-{hours}", "reason": "", "handled_at": now}
        for hours in range(1, 24 * 14)
    ]
    with engine.begin() as connection:
        connection.execute(ticks.insert(), [{**row, "started": True} for row in rows])
    async with browsing(console) as reader:
        page = (await reader.get("/schedules")).text
    shown = page[page.index('class="calendar"') :].split("</table>")[0]
    cells = {re.search(r'datetime="([^"]+)"', cell)[1]: cell for cell in shown.split("<td")[1:]}  # type: ignore[index]
    full = {day: cell.count("<li") for day, cell in cells.items() if "+ 19" in cell}
    assert len(cells) == 28
    assert set(full.values()) == {6}, "five ticks, and how many more"
    assert set(cells) - set(full) <= {"2026-11-09"}, "before its first tick"
    assert "Shown up to" not in page


@requirement("U3")
async def test_the_audit_says_who_decided_and_whether_the_chain_holds_once_it_was_checked(engine: Any) -> None:
    console = console_over(engine)
    await console.services.journal.write([
        ApprovalAnswered(run_id="run-1", key="a", at=1.0, answer="granted", by="haruka", turn=1, call_id="c", tool="box_note")
    ])  # fmt: skip
    async with browsing(console) as reader:
        page = (await reader.get("/audit")).text
        assert "not checked here yet" in page
        assert "haruka" in page
        assert "granted" in page
        assert (await reader.post("/audit")).status_code == 303
        assert "intact: 1 rows" in (await reader.get("/audit")).text
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP TRIGGER metrics_events_fixed")
            connection.exec_driver_sql("UPDATE metrics_events SET body = replace(body, 'haruka', 'mallory')")
        await reader.post("/audit")
        assert "1 findings, the first at row 1" in (await reader.get("/audit")).text


SHOWN = re.compile(r"person-\d|<code>d\d</code>|rel=.next")


@requirement("U3")
async def test_the_audit_shows_what_people_decided_alone_page_by_page(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    console, asked = console_over(engine), {"run_id": "run-1", "at": 1.0, "turn": 1, "call_id": "c", "tool": "box_note"}
    answers = [ApprovalAnswered(**asked, key=f"a{number}", answer="granted", by=f"person-{number}") for number in range(3)]
    others = [CallDecided(**asked, key=f"d{number}", decision="ask", rule="free-form writes") for number in range(3)]
    await console.services.journal.write([event for pair in zip(answers, others, strict=True) for event in pair])
    monkeypatch.setattr(overview_pages, "LOG_ROWS", 2)
    async with browsing(console) as reader:
        page = (await reader.get("/audit?by=people")).text
        assert set(SHOWN.findall(page)) == {"person-2", "person-1", 'rel="next'}
        older = re.search(r'href="(/audit\?before=[^"]+)"', page)
        assert older is not None
        page = (await reader.get(older[1].replace("&amp;", "&"))).text
        assert set(SHOWN.findall(page)) == {"person-0"}
        assert "<code>d2</code>" in (await reader.get("/audit")).text


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
            done = await reader.post("/servers/box/tools", tool="note", turn="disable")
            assert (done.status_code, done.headers["location"]) == (303, "/tools?said=did_switch#box")
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
        await made.gateway.settle(timeout_s=240)
        tool = (await made.gateway.catalog()).tools[0].name
        console.services = replace(console.services, tools=made.gateway, set_effect=lambda *_: None, switches=lambda *_: None)
        await console.services.runs.begin(asked("run-1"), 1000.0)
        async with browsing(console) as reader, anyio.create_task_group() as group:
            group.start_soon(console.services.approvals, question, inline)
            with anyio.fail_after(240):
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
        with anyio.fail_after(240):
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


@requirement("U1")
async def test_a_page_whose_key_the_console_does_not_have_says_so_and_waits_for_nothing(engine: Any, jobs: Path) -> None:
    lacks_key = False

    @sa.event.listens_for(engine, "before_cursor_execute")
    def _(*_: Any) -> None:
        if lacks_key:
            raise KeyMissing("what runs remember is encrypted, and no key is set (JIRITSU_KEY)")

    console: Console = console_over(engine, folders=(jobs,))
    await console.services.runs.begin(asked("run-1"), 1000.0)
    async with browsing(console) as reader:
        lacks_key = True
        page = await reader.get("/runs/run-1")
    assert page.status_code == 409
    assert "no key is set (JIRITSU_KEY)" in page.text
    assert 'http-equiv="refresh"' not in page.text


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


@requirement("U1")
async def test_what_cannot_be_done_is_said_on_a_page_in_the_readers_language(engine: Any, jobs: Path) -> None:
    console = console_over(engine, folders=(jobs,))
    await console.services.runs.begin(asked("run-1"), 1000.0)
    await console.services.runs.end(RunResult(run_id="run-1", ending="failed"))
    fields = {f"field-{number}": "" for number in range(MOST_FORM_FIELDS + 1)}
    async with browsing(console) as reader:
        await reader.post("/preferences", language="ja", back="/now")
        for path, status, why, sent in (
            ("/runs/run-1/cancel", 409, "実行 run-1 は終わっています: 失敗", {}),
            ("/runs/run-1/retry", 409, "実行 run-1 のステップはもう保存されていません", {}),
            ("/servers/box", 409, "このコンソールではサーバーを変えられません", {"turn": "trust"}),
            ("/inbox/definitions/box", 409, "このコンソールはサーバーにつながっていません", {}),
            ("/schedules/tidy", 409, "一時停止でも再開でもありません", {"turn": "stop"}),
            ("/preferences", 400, "フォームを読み取れません", fields),
        ):
            page = await reader.post(path, **sent)
            assert (page.status_code, page.text.count("<h1"), why in page.text) == (status, 1, True), path
        assert not await console.services.schedules.standing("tidy"), "it was paused by a word nobody knows"
        for path in ("/measures", "/costs", "/measures/tasks"):
            assert (await reader.get(f"{path}?days={'9' * 5000}&k={'9' * 5000}")).status_code == 200


@requirement("U3")
async def test_a_console_without_servers_shows_what_another_process_left_of_them_and_calls_nothing(
    engine: Any, tmp_path: Path
) -> None:
    there, waits = stdio_server("there"), stdio_server("waits").model_copy(update={"trusted": False})
    await anyio.to_thread.run_sync(migrate, engine, ROOMS_OF_THE_APP)
    async with open_gateway([there], engine=engine) as gateway:
        await gateway.settle(timeout_s=240)
    stored = StoredTools(engine, lambda: {one.name: one for one in (there, waits)}, "en")
    console = console_over(engine)
    console.services = replace(console.services, tools=stored, switches=lambda *_: None)
    async with browsing(console) as reader:
        page = (await reader.get("/tools")).text
        assert "connected to no servers" in page
        assert 'href="/tools/there_tool_0"' in page
        assert "jiritsu servers trust waits" in page
        tool = (await reader.get("/tools/there_tool_0")).text
        assert "Call by hand" not in tool
        assert (await reader.post("/tools/there_tool_0")).status_code == 409, "nothing can be called here"
        assert "jiritsu servers trust waits" in (await reader.get("/inbox")).text, "a server that waits is a thing for a person"
        waits = stdio_server("waits")
        await reader.post("/servers/waits", turn="trust")
        assert "jiritsu servers trust waits" not in (await reader.get("/tools")).text


class _Listed:
    """The tools of a server that answers nothing more."""

    def __init__(self, *more: ToolSpec) -> None:
        self.more = more

    async def catalog(self) -> Catalog:
        return catalog_of(tool("slack_get_users", "List the people.", provider="slack"), *self.more)

    def status(self) -> Sequence[Provider]:
        return (Provider(name="slack", state=ProviderState.READY),)

    def held(self) -> Sequence[Any]:
        return ()


@requirement("U3")
@pytest.mark.parametrize(("language", "told"), [("ja", True), ("en", False)])
async def test_what_a_tool_that_is_known_is_for_is_said_in_the_readers_language(engine: Any, language: Any, told: bool) -> None:
    console = console_over(engine)
    console.services = replace(console.services, tools=cast("ConsoleTools", _Listed()), defaults=RunDefaults(language=language))
    async with browsing(console) as reader:
        page = (await reader.get("/tools")).text
    assert "List the people." in page
    assert ("ワークスペースの利用者一覧" in page) is told


@requirement("U3")
@pytest.mark.parametrize(("tools", "poll_s"), [(2, 5), (1_200, 12)])
async def test_the_page_of_many_tools_is_asked_for_less_often(engine: Any, tools: int, poll_s: int) -> None:
    console = console_over(engine)
    listed = _Listed(*(tool(f"slack_{number}", provider="slack") for number in range(1, tools)))
    console.services = replace(console.services, tools=cast("ConsoleTools", listed))
    async with browsing(console) as reader:
        page = (await reader.get("/tools")).text
    assert page.count("/tools/slack_") == tools
    assert f'data-poll="{poll_s}"' in page
