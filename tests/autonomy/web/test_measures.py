"""The pages of measures: each figure with the runs behind it, for the tenants that may be looked at."""

import re
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
import sqlalchemy as sa

from autonomy.llm.model import Task
from autonomy.run_state.run_values import RunRequest
from autonomy.web.console import keep_counted
from autonomy.web.pages import measure_pages
from metrics.metrics_tables import head
from tests.requirements import requirement
from tests.support.console import VIEWER, browsing, console_over
from tests.support.durable import asked, box, workshop

BEHIND = r"/runs/(run-\d)#run-measures"


def in_own_words(run_id: str, goal: str, **more: str) -> RunRequest:
    return RunRequest(run_id=run_id, task=Task(goal=goal), **{"trigger": "test", **more})


@requirement("U4")
async def test_every_figure_of_models_repeats_and_sides_leads_to_its_own_runs(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            for request in (in_own_words("run-1", "two same"), in_own_words("run-2", "two same"), asked("run-3", job="tidy")):
                await shop.runs.run(request)
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/measures?days=7")).text
            links = {link.replace("&amp;", "&") for link in re.findall(r'href="(/measures/[^"]+)"', page)}
            for link in links:
                answer = await reader.get(link)
                assert answer.status_code == 200, link
                assert "run-measures" in answer.text or "/measures/runs?" in answer.text or "/measures/sides" in link, link
            kinds = {re.search(r"figure=(\w+)", link).group(1) for link in links if "replied=" in link}  # type: ignore[union-attr]
            assert kinds == {"model_replies", "model_tokens", "model_cost", "model_slowest"}, "it never failed"
            (pairs,) = [link for link in links if "tasks" in link and link.endswith("k=2")]
            tasks = (await reader.get(pairs)).text
            assert "two same" in tasks
            assert "tidy" not in tasks, "it was run once"
            (goal,) = re.findall(r'href="(/measures/runs\?[^"]+goal=[^"]+)"', tasks)
            assert set(re.findall(BEHIND, (await reader.get(goal.replace("&amp;", "&"))).text)) == {"run-1", "run-2"}
            sides = (await reader.get("/measures/sides?a_job=tidy&b_back=1")).text
            (of_tidy,) = re.findall(r'href="(/measures/runs\?[^"]+figure=completion)"', sides)
            assert re.findall(BEHIND, (await reader.get(of_tidy.replace("&amp;", "&"))).text) == ["run-3"]
            differing = (await reader.get("/measures/sides?a_job=tidy")).text
            row = differing.split('<tr data-figure="completion">')[1].split("</tr>")[0]
            assert re.search(r">[−+±]\d+\.\d pt</td><td[^>]*>−\d+\.\d pt – \+\d+\.\d pt</td>", row), "a change is told in points"


async def test_costs_of_many_events_that_nobody_summed_yet_are_summed_behind_the_page(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(in_own_words("run-1", "two same"))
        monkeypatch.setattr("metrics.running_totals.FEW_EVENTS", 3)
        async with browsing(console_over(shop.engine)) as reader:
            first = (await reader.get("/costs?days=7")).text
            assert ('<meta http-equiv="refresh"' in first, re.findall(r"<dd>(\d+)</dd>", first)) == (True, [])
            with shop.engine.connect() as connection:
                assert f"not counted yet: {connection.scalar(sa.select(head.c.seq))}." in first
            while '<meta http-equiv="refresh"' in (page := (await reader.get("/costs?days=7")).text):
                pass
            assert re.findall(r"<dd>(\d+)</dd>", page) == ["1"]


async def test_what_many_runs_add_up_to_is_counted_before_anybody_looks(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics.running_totals.FEW_EVENTS", 3)
    monkeypatch.setattr(measure_pages, "FEW_RUNS", 1)
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(in_own_words("run-1", "two same"))
        console = console_over(shop.engine)
        async with browsing(console) as reader, anyio.create_task_group() as group:
            group.start_soon(keep_counted, console)
            await measure_pages.look_ahead(console)
            while await console.totals.backlog():
                await anyio.lowlevel.checkpoint()
            for address in ("/measures", "/costs?days=7"):
                assert '<meta http-equiv="refresh"' not in (await reader.get(address)).text, address
            group.cancel_scope.cancel()


async def test_a_run_whose_id_holds_a_slash_has_its_page(url: str, tmp_path: Path) -> None:
    """Another page of the run was looked for under the second half of its id: 405."""
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(in_own_words("team/7", "two same"))
        async with browsing(console_over(shop.engine)) as reader:
            (link,) = set(re.findall(r'href="(/runs/team[^"]+)"', (await reader.get("/runs")).text))
            assert "two same" in (await reader.get(link)).text
            pages = {f"{link}/run.json": 200, f"{link}/call?key=turn-1/call-1": 200, f"{link}/nothing": 404, "/runs/team/8": 404}
            assert {page: (await reader.get(page)).status_code for page in pages} == pages


@requirement("U1")
async def test_the_trials_of_a_goal_in_somebodys_own_words_are_the_runs_of_exactly_that_goal(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            for name, goal in (("run-1", "two same"), ("run-2", "two same"), ("run-3", "two same but longer")):
                await shop.runs.run(in_own_words(name, goal))
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/runs/run-1")).text
            assert "2 of the latest 2 runs of this task were completed" in page
            assert re.findall(r"/compare\?a=run-1&amp;b=(run-\d)", page) == ["run-2"]
            assert "of this task" not in (await reader.get("/runs/run-3")).text, "there is nothing to compare"
            assert "2 of the latest 2 runs of this task" in (await reader.get("/compare?a=run-1&b=run-3")).text


@requirement("U4", "U7")
async def test_another_tenant_is_looked_at_where_the_settings_say_so_and_nothing_of_it_is_changed(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(in_own_words("run-1", "two ours"))
            await shop.runs.run(in_own_words("run-2", "two theirs", tenant="acme"))
            await shop.runs.run(in_own_words("run-3", "two secret", tenant="nowhere"))
        async with browsing(console_over(shop.engine, tenants=("acme",))) as reader:
            for query, found in (("", "run-1"), ("&tenant=acme", "run-2"), ("", "run-2"), ("&tenant=default", "run-1")):
                answer = await reader.get(f"/measures/runs?figure=completion{query}")
                assert re.findall(BEHIND, answer.text) == [found], f"{query}: the last choice holds"
            assert (await reader.get("/runs/run-2")).status_code == 404, "it is acme's"
            costs = (await reader.get("/costs")).text
            assert re.findall(r"<dd>(\d+)</dd>", costs) == ["1"], "what others cost is not counted"
            await reader.get("/measures?tenant=acme")
            page = (await reader.get("/runs/run-2")).text
            assert "Tenant: acme" in page
            assert "/runs/run-2/retry" not in page
            refused = await reader.post("/runs/run-2/retry")
            assert refused.status_code == 403
            assert "acme can be looked at here" in refused.text
            await reader.post("/preferences", language="en", theme="light", tenant="default", back="/now")
            assert (await reader.get("/runs/run-1")).status_code == 200
            for query in ("/measures?tenant=nowhere", "/runs/run-3?tenant=nowhere", "/runs/run-3"):
                assert (await reader.get(query)).status_code == 404, query
            assert "nowhere" not in (await reader.get("/measures")).text
        async with browsing(console_over(shop.engine), password=VIEWER) as reader:
            assert (await reader.get("/measures?tenant=acme")).status_code == 404
            assert 'name="tenant"' not in (await reader.get("/measures")).text


@requirement("U4")
async def test_conversations_stand_on_their_page_however_many_other_runs_came_since(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        console = console_over(shop.engine)
        await console.services.runs.begin(in_own_words("talk-1", "two said", trigger="slack", actor="kenta"), 1000.0)
        for number in range(60):
            await console.services.runs.begin(asked(f"run-{number}"), 2000.0 + number)
        async with browsing(console) as reader:
            page = (await reader.get("/conversations")).text
    assert re.findall(r'href="/runs/([\w-]+)"', page) == ["talk-1"]
