"""The console's pages over real runs, and the decisions made there."""

import itertools
import json
import re
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
import sqlalchemy as sa

from autonomy.cli.listen import serve_asgi
from autonomy.durable.durable_tables import live_text, runs
from autonomy.durable.records.live_text import LiveText
from autonomy.durable.records.run_records import ENDED
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.run_state.run_values import ListMember, RunResult
from autonomy.web import readiness
from autonomy.web.console import console_app
from autonomy.web.formatting import Formatter
from autonomy.web.live import GONE, MOST_KNOWN, Changes
from autonomy.web.pages.run_list import ACTIVE
from autonomy.web.visit import own_file
from autonomy.web.words import WORDS, word
from metrics import events
from metrics.text.word_files import read_words
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.console import PASSWORD, VIEWER, browsing, console_over
from tests.support.durable import asked, box, prepared, workshop
from tests.support.ports import free_port

PATHS = ("/now", "/runs", "/inbox", "/measures", "/schedules", "/tools", "/costs", "/audit", "/conversations")


@requirement("U1", "U3", "U4", "U7")
async def test_every_page_is_there_in_both_languages_without_a_script_of_its_own(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        async with browsing(console_over(shop.engine)) as reader:
            for language in ("ja", "en"):
                await reader.post("/preferences", language=language, theme="dark", back="/now")
                for path in (*PATHS, "/runs/run-1", "/runs/run-1/call?key=turn-1/call-1"):
                    page = await reader.get(path)
                    assert page.status_code == 200, path
                    assert f'lang="{language}" data-theme="dark"' in page.text
                    assert "<script>" not in page.text
                    assert " style=" not in page.text
                    assert len(page.content) < 150_000
                    assert page.text.count("<h1") == 1


@requirement("U1")
async def test_the_run_page_shows_arguments_results_policy_receipts_and_the_judge(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/runs/run-1")).text
            data = json.loads((await reader.get("/runs/run-1/run.json")).text)
            file = await reader.get("/runs/run-1/run.html")
    for words in ("run-1/1", "note holds run-1/1", "box_note", "run-1 is done", "completed", 'id="turn-1-call-1"'):
        assert words in page
    for anchor in ("turn-1", "turn-1-call-1", "turn-2-call-3"):
        assert f'<a href="#{anchor}">' in page, "the timeline links into the transcript"
        assert f'id="{anchor}"' in page
    assert data["turns"][0]["calls"][0]["arguments"] == {"text": "run-1/1"}
    assert "/static/" not in file.text
    assert "<form" not in file.text
    assert "attachment" in file.headers["content-disposition"]


async def test_the_run_page_and_its_file_show_what_could_not_be_traced_below_the_result(url: str) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    console = console_over(engine)
    remark = "『97 orders』 has no source"
    facts = {"run_id": "run-1", "tenant": "default", "job": "", "at": 1000.0}
    await console.services.runs.begin(asked("run-1"), 1000.0)
    judged = events.Judged(key="turn-1/judged", turn=1, verdict="complete", remarks=(remark,), **facts)
    await console.services.journal.write([events.TurnStarted(key="turn-1/turn", turn=1, **facts), judged])
    await console.services.runs.end(
        RunResult(run_id="run-1", ending="completed", text="97 orders.", remarks=(remark,), unread=UNHEARD, turns=1)
    )
    async with browsing(console) as reader:
        pages = [(await reader.get(path)).text for path in ("/runs/run-1", "/runs/run-1/run.html")]
        data = json.loads((await reader.get("/runs/run-1/run.json")).text)
    for page in pages:
        assert page.index('id="run-result"') < page.index('id="not-traced"') < page.index('id="transcript"')
        assert page.count("has no source") == 2, "below the result, and where the judge said it"
        assert page.index('id="not-traced"') < page.index(UNHEARD) < page.index('id="transcript"')
    await anyio.to_thread.run_sync(engine.dispose)
    assert data["record"]["result"]["remarks"] == [remark]
    assert data["record"]["result"]["unread"] == UNHEARD


UNHEARD = "no second reader has read this answer: its request failed"
FINDING = "『97 orders』 has no source"


@pytest.mark.parametrize(
    ("ending", "reason", "marked"),
    [("doubtful", FINDING, True), ("blocked", "3 turns in a row in which nothing worked", True), ("completed", "", False)],
)
async def test_the_run_page_marks_a_text_that_does_not_hold_above_it(url: str, ending: str, reason: str, marked: bool) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    console = console_over(engine)
    await console.services.runs.begin(asked("run-1"), 1000.0)
    ended = {"run_id": "run-1", "ending": ending, "text": "It was 97 orders.", "reason": reason, "missing": (FINDING,)}
    await console.services.runs.end(RunResult.model_validate(ended))
    async with browsing(console) as reader:
        page = (await reader.get("/runs/run-1")).text
    await anyio.to_thread.run_sync(engine.dispose)
    assert ('id="not-established"' in page) is marked
    assert not marked or page.index('id="not-established"') < page.index("It was 97 orders.", page.index('id="run-result"'))
    assert page.count("97 orders&#34; has no source") == (1 if marked else 0), "said once, wherever the reason stands"


async def test_a_japanese_run_page_names_no_rule_by_a_word_of_the_code_and_no_missing_measure_in_english(url: str) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    console = console_over(engine)
    facts = {"run_id": "run-1", "tenant": "default", "job": "", "at": 1000.0}
    await console.services.runs.begin(asked("run-1"), 1000.0)
    said = "the goal asks for something to be done, and no tool has given a receipt for it"
    name = "claim: the action"
    judged = events.Judged(
        key="turn-1/judged", turn=1, verdict="blocked", rules=7, held=6, missing=(name,), findings=(said,), **facts
    )
    await console.services.journal.write([events.TurnStarted(key="turn-1/turn", turn=1, **facts), judged])
    await console.services.runs.end(RunResult(run_id="run-1", ending="unanswered", text="できません。", turns=1))
    async with browsing(console) as reader:
        await reader.post("/preferences", language="ja", theme="light", back="/now")
        page = (await reader.get("/runs/run-1")).text
        sides = (await reader.get("/compare?a=run-1&b=run-1")).text
    await anyio.to_thread.run_sync(engine.dispose)
    assert "頼まれたことが行われた記録がありません" in page
    assert ">6/7</span>" in page, "as many rules as the judge checked, not as many as are listed"
    assert "claim:" not in page
    assert "該当なし" in sides
    assert "n/a" not in page + sides


@requirement("U2")
async def test_an_approval_is_given_in_the_inbox_and_the_second_to_decide_is_told(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        console = console_over(shop.engine)
        async with browsing(console) as first, browsing(console) as second:
            page = (await first.get("/inbox")).text
            assert "run-1/1" in page
            form = {"answer": "granted", "sha256": approval.question.arguments_sha256}
            assert (await first.post(f"/inbox/approvals/{approval.id}", **form)).status_code == 303
            late = await second.post(f"/inbox/approvals/{approval.id}", **{**form, "answer": "denied"})
            assert late.status_code == 409
            assert "granted by operator" in late.text
        with anyio.fail_after(240):
            assert (await shop.runs.ended("run-1")).ending == "completed"


@requirement("U2")
async def test_of_two_consoles_on_one_database_the_first_to_decide_decides_and_neither_signs_the_other_out(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        one, other = console_over(shop.engine), console_over(shop.engine, listen="127.0.0.1:8485")
        assert one.authenticator.cookie != other.authenticator.cookie, "a browser keeps cookies by host, not by port"
        async with browsing(one) as first, browsing(other) as second:
            form = {"answer": "granted", "sha256": approval.question.arguments_sha256}
            assert (await first.post(f"/inbox/approvals/{approval.id}", **form)).status_code == 303
            late = await second.post(f"/inbox/approvals/{approval.id}", **{**form, "answer": "denied"})
            assert late.status_code == 409
            assert "operator" in late.text, "who was first"


@requirement("U7")
def test_an_address_in_use_is_said_in_one_line(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        told = jiritsu("web", "--listen", f"127.0.0.1:{taken.getsockname()[1]}", home=home)
    assert told.returncode == 3
    assert "cannot be used" in told.stderr
    assert "Traceback" not in told.stderr


@requirement("U2")
async def test_all_arguments_of_an_approval_are_shown_and_a_press_binds_exactly_these(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        async with browsing(console_over(shop.engine)) as reader:
            for sha256 in ("0" * 64, ""):
                answer = await reader.post(f"/inbox/approvals/{approval.id}", answer="granted", sha256=sha256)
                assert answer.status_code == 409
            assert (await shop.question()).state == "pending"


@requirement("U2", "U6")
async def test_a_viewer_another_sites_page_and_a_repeated_press_decide_nothing(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        path, form = f"/inbox/approvals/{approval.id}", {"answer": "granted", "sha256": approval.question.arguments_sha256}
        console = console_over(shop.engine)
        async with browsing(console, password=VIEWER) as viewer, browsing(console) as operator:
            assert (await viewer.post(path, **form)).status_code == 403
            assert path not in (await viewer.get("/inbox")).text
            data = {**form, "csrf": await operator.csrf()}
            foreign = await operator.client.post(path, data=data, headers={"origin": "https://evil.example"})
            assert (foreign.status_code, (await operator.client.post(path, data=form)).status_code) == (403, 403)
            assert (await shop.question()).state == "pending"
            assert (await operator.post(path, **{**form, "answer": "denied"})).status_code == 303
            assert (await operator.post(path, **form)).status_code == 409
            assert (await operator.post("/inbox/approvals/..%2F..%2Fetc", **form)).status_code in (404, 405)


@requirement("U1", "U6")
async def test_a_run_is_cancelled_from_its_page_by_an_operator_and_not_by_a_viewer(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await shop.question()
        console = console_over(shop.engine)
        async with browsing(console, password=VIEWER) as viewer, browsing(console) as operator:
            assert (await viewer.post("/runs/run-1/cancel")).status_code == 403
            assert (await shop.records.get("run-1")).state == "waiting"
            page = (await viewer.get("/runs/run-1")).text
            assert "/runs/run-1/cancel" not in page
            assert re.search(r"<dd>[\d,]+ <small>[^/\s]", page), "what a run has used is told while it is under way"
            assert (await operator.post("/runs/run-1/cancel")).status_code == 303
            assert (await shop.records.get("run-1")).state == "cancelled"
            assert (await operator.post("/runs/run-1/cancel")).status_code == 409
        told = [event for event in await shop.journal.read(run_id="run-1") if event.type == "intervention"]
        assert [event.by for event in told] == ["operator"]


@requirement("U5")
async def test_lists_are_paged_by_key_and_searched_by_words(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        for number in range(60):
            await shop.records.begin(asked(f"run-{number:03}", "傘" if number == 7 else "two"), 1000.0 + number // 2)
        async with browsing(console_over(shop.engine)) as reader:
            first = (await reader.get("/runs")).text
            following = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
            second = (await reader.get(following)).text
            found = (await reader.get("/runs?q=傘")).text
    shown = [f"run-{number:03}" for number in range(60)]
    assert [run for run in shown if f'/runs/{run}"' in first and f'/runs/{run}"' in second] == []
    assert all(f'/runs/{run}"' in first + second for run in shown)
    assert [run for run in shown if f'/runs/{run}"' in found] == ["run-007"]


@requirement("U5")
async def test_lists_say_why_a_run_did_not_get_there_as_the_reader_reads_it(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        for name, ending in (("run-1", "blocked"), ("run-2", "completed"), ("run-3", "failed")):
            member = ListMember(start="1", item="<i>haruka</i>", size=2) if name == "run-1" else None
            await shop.records.begin(asked(name, "a parcel", job="team", of_list=member), 1000.0)
            why = "" if ending == "completed" else "outcome unknown: box_<b>send</b>"
            await shop.records.end(RunResult(run_id=name, ending=ending, reason=why))
            await shop.journal.write([events.RunFinished(run_id=name, key="finished", at=1001.0, ending=ending, reason=why)])
        async with browsing(console_over(shop.engine)) as reader:
            pages = [(await reader.get(path)).text for path in ("/runs", "/runs?q=parcel", "/now")]
            of_haruka = (await reader.get("/runs/run-1")).text
            await reader.post("/preferences", language="ja", theme="light", back="/now")
            japanese = (await reader.get("/runs")).text
    for page in pages:
        assert page.count("outcome unknown: box_&lt;b&gt;send&lt;/b&gt;") == 2
        assert page.count('class="why') == 2
        assert page.count("team (&lt;i&gt;haruka&lt;/i&gt;)") == 1, "for whom it is, of several runs of a list"
    assert "<title>team (&lt;i&gt;haruka&lt;/i&gt;)" in of_haruka
    assert "結果不明: box_" in japanese


@pytest.mark.parametrize(("language", "words"), [("en", "completed (2 remarks)"), ("ja", "完了（指摘 2 件）")])
async def test_every_page_that_says_how_a_run_ended_counts_its_remarks(
    url: str, tmp_path: Path, language: str, words: str
) -> None:
    remarks = ("『97 orders』 has no source", "『Airport』 has no source")
    async with workshop(url, box(tmp_path)) as shop:
        await shop.records.begin(asked("run-1", "a parcel"), 1000.0)
        await shop.records.end(RunResult(run_id="run-1", ending="completed", text="97 orders.", remarks=remarks))
        facts = {"run_id": "run-1", "tenant": "default", "job": ""}
        started = events.RunStarted(key="started", at=1000.0, **facts)
        ended = events.RunFinished(key="finished", at=1001.0, ending="completed", remarked=2, **facts)
        await shop.journal.write([started, ended])
        async with browsing(console_over(shop.engine, clock=lambda: 1002.0)) as reader:
            await reader.post("/preferences", language=language, theme="light", back="/now")
            paths = (
                "/runs",
                "/now",
                "/audit",
                "/measures",
                "/runs/run-1",
                "/compare?a=run-1&b=run-1",
                "/measures/runs?figure=completion",
            )
            pages = {path: (await reader.get(path)).text for path in paths}
    assert [path for path, page in pages.items() if words not in page] == []


@requirement("U1")
async def test_the_audit_page_says_what_each_row_is_about_and_how_it_came_out(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        call = {"run_id": "run-1", "at": 1.0, "turn": 1, "call_id": "c", "tool": "box_<i>send"}
        await shop.journal.write(
            [
                events.CallDecided(key="a", decision="deny", **call),
                events.CallDecided(key="b", decision="allow", **call),
                events.RunFinished(run_id="run-1", key="c", at=2.0, ending="blocked"),
            ]
        )
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/audit")).text
    ended, allowed, denied = re.findall(r'<th scope="row".*?</th>', page)
    assert 'chip waiting">denied' in denied
    assert "<code>box_&lt;i&gt;send</code>" in denied
    assert ("<code>box_&lt;i&gt;send</code>" in allowed, "chip" in allowed) == (True, False)
    assert 'chip waiting">blocked' in ended


@requirement("U1")
async def test_watchers_are_told_of_changes_and_many_of_them_ask_the_database_once() -> None:
    asked_for, versions, now = 0, iter(["running-1-1", "running-1-1", "running-2-1", "completed-3-2"]), 0.0

    async def version(_run_id: str) -> str:
        nonlocal asked_for
        asked_for += 1
        return next(versions, "completed-3-2")

    async def sleep(_seconds: float) -> None:
        nonlocal now
        now += 0.01
        await anyio.lowlevel.checkpoint()

    class Silent:
        watched = 0

        async def watch(self, _run_id: str) -> None:
            self.watched += 1

        async def partial_reply(self, _run_id: str) -> str:
            return ""

    changes = Changes(version, words := Silent(), clock=lambda: now, sleep=sleep)
    heard: list[list[str]] = [[] for _ in range(50)]

    async def listen(at: int) -> None:
        async for message in changes.stream("run-1", ended=lambda version: version.startswith("completed")):
            heard[at].append(message)

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for at in range(50):
                group.start_soon(listen, at)
    assert all(messages[-1].startswith("event: ended") and "completed-3-2" in messages[-2] for messages in heard)
    assert asked_for < 10
    assert words.watched == 1
    for number in range(2 * MOST_KNOWN):
        await changes._now(f"run-{number}")
    assert len(changes._asking) <= MOST_KNOWN + 1, "of runs that nobody watches any more nothing stays"


def without_the_table(url: str) -> sa.Engine:
    engine = prepared(url)
    live_text.drop(engine)
    return engine


class Speaker:
    """A model that says half of its reply and waits."""

    id = "test:speaker"

    def __init__(self) -> None:
        self.paused, self.go_on = anyio.Event(), anyio.Event()
        self.heard: list[bool] = []

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        self.heard.append(on_text is not None)
        if on_text is not None:
            await on_text("It is <b>raining</b> ")
        self.paused.set()
        await self.go_on.wait()
        return AssistantMessage(text="It is <b>raining</b> in the north.", model=self.id)

    async def aclose(self) -> None:
        self.go_on.set()


@requirement("U1")
async def test_words_appear_as_the_model_writes_them_while_somebody_watches(url: str, tmp_path: Path) -> None:
    engine, model = await anyio.to_thread.run_sync(prepared, url), Speaker()
    words = LiveText(Store(engine), clock=lambda: 0.0)  # else the run may begin after somebody was last seen to watch
    async with workshop(url, box(tmp_path), model=model, listeners=(words.listener,), engine=engine) as shop:
        console = console_over(engine)
        console.changes.words.clock = words.clock
        await console.changes.words.watch("run-1")
        async with anyio.create_task_group() as group, browsing(console) as reader:
            group.start_soon(shop.runs.run, asked("run-1"))
            with anyio.fail_after(240):
                await model.paused.wait()
                while "data-words>It is &lt;b&gt;raining&lt;/b&gt; </div>" not in (await reader.get("/runs/run-1")).text:
                    await anyio.sleep(0.02)  # the turn stands in the journal a moment after it began
                async for message in console.changes.stream("run-1", ended=lambda _: False):
                    if message.startswith("event: words"):
                        break
            model.go_on.set()
        async with browsing(console) as reader:
            after = (await reader.get("/runs/run-1")).text
    assert json.loads(message.split("data: ")[1]) == "It is <b>raining</b> "
    assert "data-words" not in after


@requirement("U1")
async def test_a_run_that_is_forgotten_while_somebody_looks_at_it_ends_the_stream_and_is_not_there_any_more(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        await shop.orders.enqueue(asked("run-1"))
        console, seen, heard = console_over(shop.engine), anyio.Event(), list[str]()
        version = console.changes.version

        async def told(run_id: str) -> str:
            now = await version(run_id)
            seen.set()
            return now

        console.changes.version = told
        async with browsing(console) as reader, anyio.create_task_group() as group:

            async def watch() -> None:
                async with reader.client.stream("GET", "/runs/run-1/live") as answer:
                    heard.extend([line async for line in answer.aiter_lines()])

            def forget() -> None:
                with shop.engine.begin() as connection:
                    connection.execute(runs.delete())

            with anyio.fail_after(240):
                group.start_soon(watch)
                await seen.wait()
                await anyio.to_thread.run_sync(forget)
        async with browsing(console_over(shop.engine)) as reader:
            assert (await reader.get("/runs/run-1")).status_code == 404
    assert "event: ended" in heard


@requirement("U1")
async def test_whoever_watches_hears_that_the_database_is_away_and_that_it_is_back() -> None:
    versions, now = iter(["running-1", StoreError("away"), StoreError("away"), "running-1", "completed-2"]), itertools.count()

    async def version(_run_id: str) -> str:
        if isinstance(told := next(versions), StoreError):
            raise told
        return told

    async def watch(_run_id: str) -> None: ...

    async def partial_reply(_run_id: str) -> str:
        return "so far"

    async def no_wait(_seconds: float) -> None: ...

    words: Any = SimpleNamespace(watch=watch, partial_reply=partial_reply)
    changes = Changes(version, words, clock=lambda: float(next(now)), sleep=no_wait)
    heard = [message async for message in changes.stream("run-1", ended=lambda told: told.startswith("completed"))]
    told = [line.removeprefix("data: ") for message in heard for line in message.splitlines() if line.startswith("data: ")]
    assert told == ["running-1", '"so far"', GONE, "running-1", "completed-2", ""]


@requirement("U1", "U6")
async def test_whoever_signs_out_sees_no_more_of_a_run_that_goes_on(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        await shop.orders.enqueue(asked("run-1"))
        console, seen, ended = console_over(shop.engine), anyio.Event(), anyio.Event()
        version = console.changes.version

        async def told(run_id: str) -> str:
            seen.set()
            return await version(run_id)

        console.changes.version = told
        async with browsing(console) as reader, anyio.create_task_group() as group:

            async def watch() -> None:
                await reader.client.get("/runs/run-1/live")
                ended.set()

            with anyio.fail_after(240):
                group.start_soon(watch)
                await seen.wait()
                assert (await reader.post("/sign-out")).status_code == 303
                await ended.wait()


@requirement("U1")
async def test_a_run_that_nobody_watches_writes_no_words_and_a_database_that_is_away_is_no_error_of_the_run(
    url: str, tmp_path: Path
) -> None:
    engine, model = await anyio.to_thread.run_sync(prepared, url), Speaker()
    model.go_on.set()
    words = LiveText(Store(engine, patience_s=0))
    async with workshop(url, box(tmp_path), model=model, listeners=(words.listener,), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
    assert model.heard[0] is False
    lost = await anyio.to_thread.run_sync(without_the_table, f"sqlite:///{tmp_path / 'other.db'}")
    assert await LiveText(Store(lost, patience_s=0)).listener("run-1") is None
    lost.dispose()


@requirement("U1")
async def test_one_question_a_second_tells_a_process_which_of_its_runs_are_watched(url: str) -> None:
    engine, now = await anyio.to_thread.run_sync(prepared, url), 100.0
    here, there = (LiveText(Store(engine, patience_s=0), lambda: now) for _ in range(2))
    assert await here.listener("run-1") is None
    await there.watch("run-1")
    assert await here.listener("run-1") is None, "asked a moment ago"
    now += 1
    hear = await here.listener("run-1")
    assert hear is not None
    for piece in ("a", "b", "c"):
        await hear(piece)
    assert await there.partial_reply("run-1") == "a", "a fast model does not write faster"
    now += 0.5
    await hear("d")
    assert await there.partial_reply("run-1") == "abcd"
    now -= 0.45
    await hear("e")
    assert await there.partial_reply("run-1") == "abcde", "a clock that is set back holds no words up"
    assert await here.listener("run-1") is not None
    assert await there.partial_reply("run-1") == "", "the next reply has not begun"
    now += 60
    assert await here.listener("run-1") is None, "whoever watched has gone"
    await there.watch("run-2")
    assert await there.partial_reply("run-1") == "", "and the words with him"
    engine.dispose()


def test_where_less_motion_is_asked_for_nothing_moves_neither_an_element_nor_what_stands_before_it() -> None:
    css = own_file("console.css")
    moving = re.findall(r"([^{}]+)\{[^{}]*animation: (?!none)", css)
    stilled = re.search(r"prefers-reduced-motion: reduce\) \{ ([^{}]+?) \{ animation: none !important", css)
    parts = {f"*{''.join(re.findall('::[a-z]+', selector))}" for selector in moving}
    assert "*::before" in parts, "the pulse is drawn before its words"
    assert stilled is not None
    assert parts <= set(stilled.group(1).split(", "))


@pytest.mark.parametrize("state", sorted({*ENDED, *ACTIVE, "interrupted"}))
def test_every_ending_and_state_has_a_word_and_a_colour_and_only_the_completed_looks_good(state: str) -> None:
    assert word(state, "ja") != state, "no word"
    rules = re.findall(r"([^{}]+)\{ color: var\(--(\w+)\); \}", own_file("console.css"))
    colours = [colour for chosen, colour in rules if f".chip.{state}" in [one.strip() for one in chosen.split(",")]]
    assert len(colours) == 1, "no colour, or two"
    assert (colours == ["good"]) == (state == "completed")


def test_every_word_is_there_in_both_languages() -> None:
    assert [key for key, both in WORDS.items() if not both["ja"] or not both["en"]] == []
    assert [key for key, both in WORDS.items() if both["ja"].count("{") != both["en"].count("{")] == []


def test_every_word_is_asked_for() -> None:
    """By a page, or by the name of a state, an outcome, a decision or an event that a page looks up."""
    house = Path(__file__).parents[3]
    pages = [
        file.read_text(encoding="utf-8") for file in (house / "autonomy/web").rglob("*.[pj]*") if file.suffix in (".py", ".j2")
    ]
    of_runs = (
        "autonomy/durable/records/run_records.py", "autonomy/durable/records/transcripts.py", "autonomy/policy/decision_table.py",
        "autonomy/run_state/asking/approvals.py", "discovery/catalog.py", "metrics/events.py",
    )  # fmt: skip
    sources = [*pages, *((house / file).read_text(encoding="utf-8") for file in of_runs)]
    asked = {name for text in sources for name in re.findall(r"[\"'](\w+)[\"']", text)}
    begin = tuple(name for text in pages for name in re.findall(r"[\"'](\w+_)(?:\{|[\"'] ~)", text))
    assert {"event_", "a_"} <= set(begin)
    assert [key for key in read_words("autonomy.web", "words") if key not in asked and not key.startswith(begin)] == []


def test_a_result_that_no_page_could_carry_as_it_is_is_shown_all_the_same() -> None:
    """A tool's JSON may hold half a character, as where an emoji was cut, or be nested deeply: the run's page was an error 500."""
    for text, shown in {
        '{"a": "caf\\ud83d"}': '{\n  "a": "caf\ufffd"\n}',
        "[" * 5_000 + "]" * 5_000: "[" * 5_000 + "]" * 5_000,
        '{"a": 1': '{"a": 1',
    }.items():
        assert Formatter("en", "Asia/Tokyo").result(text) == shown
        assert shown.encode()


@requirement("U1", "U7")
async def test_changes_are_sent_at_once_also_to_a_browser_that_takes_compression(tmp_path: Path) -> None:
    """Over real HTTP: what waits in a compressor would be seen only when the run has ended."""
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    console = console_over(engine)
    await console.services.runs.begin(asked("run-1"), 1000.0)
    app = await anyio.to_thread.run_sync(console_app, console)
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    headers = {"accept": "text/event-stream", "accept-encoding": "gzip, br"}
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group, httpx2.AsyncClient(base_url=base) as client:
            group.start_soon(serve_asgi, app, "127.0.0.1", port, "--listen")
            while True:
                try:
                    signed_in = await client.post("/sign-in", data={"password": PASSWORD})
                    break
                except httpx2.ConnectError:
                    await anyio.lowlevel.checkpoint()
            assert signed_in.status_code == 200
            async with client.stream("GET", "/runs/run-1/live", headers=headers) as stream:
                assert "content-encoding" not in stream.headers
                lines = stream.aiter_lines()
                assert await anext(lines) == "event: changed"
            group.cancel_scope.cancel()
    await anyio.to_thread.run_sync(engine.dispose)


async def test_the_console_says_whether_it_is_ready_to_whoever_asks(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe signs in nowhere; a database that cannot be written to is no place for a run that a page hands over."""

    def read_only(engine: sa.Engine) -> None:
        raise StoreError("the database is read-only: it is a standby, or set so")

    engine = await anyio.to_thread.run_sync(prepared, url)
    async with browsing(console_over(engine), password="") as probe:
        ready = await probe.get("/readyz")
        monkeypatch.setattr(readiness, "check_room", read_only)
        standby = await probe.get("/readyz")
        alive = await probe.get("/healthz")
    await anyio.to_thread.run_sync(engine.dispose)
    assert (ready.status_code, ready.text) == (200, "ready\n")
    assert (standby.status_code, standby.text) == (503, "the database cannot be written to\n")
    assert alive.status_code == 200


async def test_a_secret_that_was_typed_into_a_goal_stands_on_no_page(url: str) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    engine = await anyio.to_thread.run_sync(prepared, url)
    console = console_over(engine)
    await console.services.runs.begin(asked("run-1", goal=f"List my issues with {token}"), 1000.0)
    async with browsing(console) as reader:
        pages = [(await reader.get(path)).text for path in ("/runs", "/runs/run-1", "/compare?a=run-1&b=run-1")]
    await anyio.to_thread.run_sync(engine.dispose)
    assert [("List my issues with ***" in page, token in page) for page in pages] == [(True, False)] * 3
