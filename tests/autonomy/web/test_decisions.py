"""Edit and approve, fork with changed words, tools by hand, and forms that say what is wrong and lose nothing."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from starlette.datastructures import FormData

from autonomy.durable.durable_tables import approvals, runs
from autonomy.errors import RunConflict, StoreError
from autonomy.llm.messages import AssistantMessage, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.sinks import Sink
from autonomy.provenance.sentence_vectors import encoder
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.argument_form import arguments_of, fields_of
from autonomy.run_state.digests import digest
from autonomy.run_state.step import inline
from autonomy.web.pages import measure_pages
from metrics import events
from metrics.journal import Journal
from tests.metrics.story import diary
from tests.requirements import requirement
from tests.support.console import browsing, console_over
from tests.support.durable import asked, box, workshop


@requirement("U2")
async def test_a_write_of_which_nobody_knows_is_shown_with_who_asked_for_it_and_settled(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        ledger = shop.ledger
        await shop.records.begin(asked("run-1", "two", actor="haruka"), 0.0)
        for run in ("run-1", "run-nobody-has"):
            await ledger.claim(f"{run}/turn-1/call-1", run_id=run, tool="box_note", arguments_sha256="0" * 64)
            await ledger.leave_in_doubt(run)
        async with browsing(console_over(shop.engine)) as reader:
            page = await reader.get("/inbox")
            assert page.status_code == 200
            assert page.text.count('aria-label="box_note"') == 2
            assert "haruka" in page.text[page.text.index('aria-label="box_note"') :]
            for happened in ("no", "yes"):  # what did not happen is tried again, and its outcome unknown again
                key = "run-1/turn-1/call-1"
                assert (await reader.post("/inbox/effects", key=key, happened=happened, note="")).status_code == 303
                await ledger.claim(key, run_id="run-1", tool="box_note", arguments_sha256="0" * 64)
                await ledger.leave_in_doubt("run-1")
        decisions = [one for one in await shop.journal.read(run_id="run-1") if one.type == "intervention"]
        assert [one.kind for one in decisions] == ["resolve_effect"] * 2
        assert [effect.run_id for effect in await ledger.unsettled()] == ["run-nobody-has"]


@requirement("U2")
async def test_a_write_whose_run_cannot_be_read_takes_nothing_else_off_the_inbox(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.records.begin(asked("run-1", "two"), 0.0)
        await shop.ledger.claim("run-1/turn-1/call-1", run_id="run-1", tool="box_note", arguments_sha256="0" * 64)
        await shop.ledger.leave_in_doubt("run-1")
        broken = sa.update(runs).values(request='{"task": 1}')
        await shop.records.store(lambda connection: connection.execute(broken))
        async with browsing(console_over(shop.engine)) as reader:
            page = await reader.get("/inbox")
            assert (page.status_code, page.text.count('aria-label="box_note"')) == (200, 1)


@requirement("U2", "S5")
async def test_a_console_that_lacks_the_key_of_the_log_shows_its_pages_and_decides_nothing(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.records.begin(asked("run-1", "two"), 0.0)
        await shop.ledger.claim("run-1/turn-1/call-1", run_id="run-1", tool="box_note", arguments_sha256="0" * 64)
        await shop.ledger.leave_in_doubt("run-1")
        await Journal(shop.engine, key=b"a key of theirs").write(diary().events)
        console = console_over(shop.engine)
        lacking = Journal(shop.engine, key=b"another", refusal=StoreError)
        async with browsing(replace(console, services=replace(console.services, journal=lacking))) as reader:
            form = {"key": "run-1/turn-1/call-1", "happened": "yes", "note": ""}
            refused = await reader.post("/inbox/effects", **form)
            assert (refused.status_code, "set JIRITSU_KEY=new,old" in refused.text) == (409, True)
            assert (await reader.post("/preferences", language="ja")).status_code == 303
            assert "JIRITSU_KEY=新しい鍵,古い鍵" in (await reader.post("/inbox/effects", **form)).text
            assert (await reader.post("/audit")).status_code == 303
            assert "set JIRITSU_KEY=new,old" in (await reader.get("/audit")).text
            assert (await reader.get("/inbox")).text.count('aria-label="box_note"') == 1
        assert [effect.run_id for effect in await shop.ledger.unsettled()] == ["run-1"]
        assert (await Journal(shop.engine, key=b"a key of theirs").verify()).intact


@requirement("U2", "S4")
async def test_an_edited_call_is_the_one_that_is_made_bound_and_told(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        async with browsing(console_over(shop.engine)) as first, browsing(console_over(shop.engine)) as second:
            page = (await first.get("/inbox")).text
            assert 'name="argument.text"' in page
            assert re.search('href="/runs/run-1#[^"]*">ask run-1</a>', page), "what it is for, and no run's id"
            form = {"answer": "edited", "sha256": approval.question.arguments_sha256, "argument.text": "better\r\nwords"}
            answer = await first.post(f"/inbox/approvals/{approval.id}", **form)
            assert answer.headers["location"].endswith("said=edited")
            late = await second.post(f"/inbox/approvals/{approval.id}", **{**form, "argument.text": "other words"})
            assert (late.status_code, "granted by operator" in late.text) == (409, True)
            with anyio.fail_after(240):
                result = await shop.runs.ended("run-1")
            run = (await first.get("/runs/run-1")).text
        sent = {"text": "better\nwords"}
        assert (tmp_path / "risky.txt").read_text() == "better\nwords\n"
        call = result.calls[0]
        assert (call.tool, call.arguments) == ("box_risky", sent)
        (effect,) = [one for one in await shop.ledger.of_run("run-1") if one.tool == "box_risky"]
        assert effect.arguments_sha256 == digest(sent), "the ledger binds what was sent, not what the model wrote"
        (told,) = [one for one in await shop.journal.read(run_id="run-1") if isinstance(one, events.ApprovalAnswered)]
        assert told.edited_sha256 == digest(sent)
        assert "better" not in told.model_dump_json(), "the journal holds no arguments"
        heard = [one.text for one in shop.asked_of_the_model[-1].messages if isinstance(one, ToolResult)]
        assert '{"text": "better\\nwords"}' in heard[0], "the model is told what was sent in its name"
        assert "A person changed the arguments" in run
        assert "run-1/1" in run


@requirement("U2", "S1")
async def test_an_edit_gets_around_no_rule(url: str, tmp_path: Path) -> None:
    policy = Policy(
        rules=(
            PolicyRule(name="never", decision="deny", tool="box_risky", arguments={"text": "*payroll*"}, reason="not that"),
            PolicyRule(name="risky", decision="ask", tool="box_risky"),
            PolicyRule(name="box", decision="allow", tool="box_*"),
        )
    )
    async with workshop(url, box(tmp_path), policy=policy) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        await shop.approvals.answer(approval.id, granted=True, by="haruka", arguments={"text": "the payroll"})
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
    assert (result.calls[0].result.kind, "never" in result.calls[0].result.text) == ("denied", True)
    assert not (tmp_path / "risky.txt").exists()


@requirement("U2")
async def test_an_edit_that_does_not_fit_leaves_the_question_standing(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        with pytest.raises(RunConflict, match="do not fit box_risky"):
            await shop.approvals.answer(approval.id, granted=True, by="haruka", arguments={"text": 3})
        assert (await shop.question()).state == "pending"
        async with browsing(console_over(shop.engine)) as reader:
            form = {"answer": "edited", "sha256": approval.question.arguments_sha256, "argument.text": "run-1/1"}
            await reader.post(f"/inbox/approvals/{approval.id}", **form)
        with anyio.fail_after(240):
            await shop.runs.ended("run-1")
        (answered,) = await shop.approvals.listed(state="granted")
        assert answered.edited is None, "what was not changed is granted as it stood"


@requirement("U2")
async def test_an_edit_that_is_not_taken_is_shown_again_as_it_was_filled_in_with_what_is_missing(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        wanted = approval.question.model_copy(update={"headings": {"text": ("Done",)}}).model_dump_json()

        def want_headings() -> None:
            with shop.engine.begin() as connection:
                connection.execute(approvals.update().values(question=wanted))

        await anyio.to_thread.run_sync(want_headings)
        async with browsing(console_over(shop.engine)) as reader:
            form = {
                "answer": "edited",
                "sha256": approval.question.arguments_sha256,
                "argument.text": "long work",
                "note": "mine",
            }
            page = await reader.post(f"/inbox/approvals/{approval.id}", **form)
            assert page.status_code == 409
            for told in (
                "text: these sections are missing or empty: Done</p>",
                'value="long work"',
                'value="mine"',
                '<details class="edit" open>',
            ):
                assert told in page.text, told
            again = await reader.get(f"/inbox/approvals/{approval.id}")
            assert again.status_code in (200, 303), "loaded anew, it is the inbox"
            mended = await reader.post(f"/inbox/approvals/{approval.id}", **(form | {"argument.text": "# Done\n\nlong work"}))
            assert mended.headers["location"].endswith("said=edited")


SCHEMA: dict[str, Any] = {
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "kind": {"enum": ["a", "b"]},
        "note": {"type": "string"},
    }
}


@requirement("U2")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"text": "a\r\nb", "count": 3, "more": [1]}),
        ({"argument.text": "a\r\nb"}, {"text": "a\r\nb", "count": 3, "more": [1]}),
        ({"argument.text": "a\nb\nc"}, {"text": "a\nb\nc", "count": 3, "more": [1]}),
        ({"argument.text": "", "argument.count": ""}, {"text": "", "more": [1]}),
        ({"argument.count": "4", "argument.kind": '"b"', "argument.note": "n"}, {"text": "a\r\nb", "count": 4, "kind": "b", "note": "n", "more": [1]}),
        ({"argument.more": '{"x": [true]}', "csr": "x"}, {"text": "a\r\nb", "count": 3, "more": {"x": [True]}}),
    ],
)  # fmt: skip
def test_a_form_gives_back_what_it_was_filled_with(fields: dict[str, str], expected: dict[str, Any]) -> None:
    original = {"text": "a\r\nb", "count": 3, "more": [1]}
    assert arguments_of(FormData(fields), original, SCHEMA) == expected


def test_a_field_that_is_no_json_is_named() -> None:
    with pytest.raises(RunConflict, match="count: 'four' is no JSON"):
        arguments_of(FormData({"argument.count": "four"}), {"count": 3}, SCHEMA)
    with pytest.raises(RunConflict, match="nested too deeply"):
        arguments_of(FormData({"argument.more": "[" * 5_000}), {"more": [1]}, SCHEMA)
    assert [field.name for field in fields_of({"csr": "mine"}, {})] == ["csr"], "an argument may be called like a field of ours"


@requirement("U1")
async def test_a_run_is_forked_from_a_turn_with_words_of_a_person(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        async with browsing(console_over(shop.engine)) as reader:
            form = {"step": "turn-3/model", "words": "In one line, please."}
            answer = await reader.post("/runs/run-1/fork", **form)
            assert answer.status_code == 303
            forked = answer.headers["location"].removeprefix("/runs/")
            assert (await reader.post("/runs/run-1/fork", **{**form, "step": "start"})).status_code == 409
            with anyio.fail_after(240):
                await shop.runs.ended(forked)
            page = (await reader.get(f"/runs/{forked}")).text
        said = [one.text for one in shop.asked_of_the_model[-1].messages if isinstance(one, UserMessage)]
        assert said[-1] == "In one line, please."
        assert "In one line, please." in page
        assert (tmp_path / "note.txt").read_text().splitlines() == ["run-1/1", "run-1/2"], (
            "what was done before is not done again"
        )


@requirement("U4")
async def test_two_runs_stand_side_by_side(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            for name in ("run-1", "run-2"):
                await shop.runs.run(asked(name))
        async with browsing(console_over(shop.engine)) as reader:
            page = await reader.get("/compare?a=run-1&b=run-2")
            assert (await reader.get("/compare?a=run-1&b=nothing")).status_code == 404
    assert page.text.count("box_note") == 4
    assert "run-2 is done" in page.text


@requirement("U4")
async def test_two_jobs_and_two_models_stand_side_by_side_with_the_runs_of_each_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure_pages, "FEW_RUNS", 1)
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            for name, job in (("run-1", "one"), ("run-2", "other"), ("run-3", "other")):
                await shop.runs.run(asked(name, job=job))
        async with browsing(console_over(shop.engine)) as reader:
            for query, samples in (
                ("a_job=one&b_job=other", ("1", "2")),
                ("a_model=scripted:model&b_model=nobody:else", ("3", "0")),
                ("a_back=0&b_back=1", ("3", "0")),
            ):
                assert "http-equiv" in (await reader.get(f"/measures/sides?{query}")).text, "many are counted behind the page"
                page = (await reader.get(f"/measures/sides?{query}")).text
                row = re.search(r'data-figure="completion">(.*?)</tr>', page)
                assert row
                assert tuple(re.findall(r'<td class="r soft">(\d+)</td>', row.group(1))) == samples, query


NARROWED = {
    "": {"run-1", "run-2"},
    "&person=kenta": {"run-2"},
    "&person=nobody": set(),
    "&provider=box&model=scripted:model": {"run-1", "run-2"},
    "&provider=weather": set(),
    "&model=scripted:other": set(),
    "&job=diary&person=kenta": set(),
}


@requirement("U4")
async def test_measures_are_narrowed_to_a_model_a_provider_and_a_person_with_the_runs_behind_them(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1", actor="haruka"))
            await shop.runs.run(asked("run-2", actor="kenta"))
        async with browsing(console_over(shop.engine)) as reader:
            for asked_for, found in NARROWED.items():
                behind = (await reader.get(f"/measures/runs?figure=completion&days=7{asked_for}")).text
                await reader.get(f"/measures?days=7{asked_for}")
                page = (await reader.get(f"/measures?days=7{asked_for}")).text
                assert set(re.findall(r"/runs/(run-\d)#run-measures", behind)) == found, asked_for
                assert set(re.findall(r'"/runs/(run-\d)"', page)) == found, asked_for


@requirement("U4")
async def test_each_figure_leads_to_its_own_runs(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        async with browsing(console_over(shop.engine)) as reader:
            await reader.get("/measures")
            page = (await reader.get("/measures")).text
            assert "figure=overall" in page
            assert "/runs/run-1#run-measures" in (await reader.get("/measures/runs?figure=overall&days=7")).text
            assert (await reader.get("/measures/runs?figure=nothing")).status_code == 404
            assert "ad-hoc goal" in (await reader.get("/costs")).text


@requirement("U2", "K6")
def test_a_write_of_a_list_can_be_unticked_and_not_changed() -> None:
    asked = {"1. chat_send_dm × 1": {"user_id": {"fixed": "U1"}}, "2. chat_send_dm × 1": {"user_id": {"fixed": "U_EVIL"}}}
    schema = {"properties": {label: {"const": one} for label, one in asked.items()}}
    assert {field.kind for field in fields_of(asked, schema)} == {"item"}
    ticked = FormData({"argument.1. chat_send_dm × 1": "1"})
    assert arguments_of(ticked, asked, schema) == {"1. chat_send_dm × 1": {"user_id": {"fixed": "U1"}}}


@requirement("U2", "K6")
@pytest.mark.parametrize(("source", "first"), [(SourceClass.WORDS, "granted"), (SourceClass.TEXT, "denied")])
async def test_the_button_that_stands_first_never_approves_what_text_chose(
    url: str, tmp_path: Path, source: SourceClass, first: str
) -> None:
    value = TracedValue(argument="to", path="$[0]", value="U1", sink=Sink.RECIPIENT, source=source)
    one = ApprovalQuestion(
        run_id="run-9", key="k", tenant="default", job="", tool="chat_send", effect="outward", arguments={"to": "U1"},
        arguments_sha256="0" * 64, reason="why", traced=(value,),
    )  # fmt: skip
    async with workshop(url, box(tmp_path)) as shop, anyio.create_task_group() as group:
        group.start_soon(shop.approvals, one, inline)
        await shop.question()
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/inbox")).text
        group.cancel_scope.cancel()
    buttons = re.findall(r'<button( class="primary")?[^>]*name="answer" value="(granted|denied)"', page)
    assert buttons[0] == (' class="primary"', first)
    assert not any(marked for marked, _ in buttons[1:])


@requirement("U2", "K6")
async def test_what_nobody_who_decides_gave_stands_first_and_with_its_source(url: str, tmp_path: Path) -> None:
    def asked_about(number: int, to: str, source: SourceClass) -> ApprovalQuestion:
        value = TracedValue(argument="to", path="$[0]", value=to, sink=Sink.RECIPIENT, source=source, told_by=f"history: {to}")
        return ApprovalQuestion(
            run_id="run-9", key=f"turn-1/call-{number}", tenant="default", job="", tool="chat_send", effect="outward",
            arguments={"text": f"words for {to}", "to": to}, arguments_sha256="0" * 64, reason="why", traced=(value,), language="en",
        )  # fmt: skip

    calls = (asked_about(1, "U_KENTA", SourceClass.WORDS), asked_about(2, "U_EVIL", SourceClass.TEXT))
    labels = {f"{number}. chat_send": call.arguments for number, call in enumerate(calls, 1)}
    both = calls[0].model_copy(update={"key": "turn-1/list", "arguments": labels, "calls": calls})
    async with workshop(url, box(tmp_path)) as shop, anyio.create_task_group() as group:
        group.start_soon(shop.approvals, both, inline)
        await shop.question()
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/inbox")).text
        group.cancel_scope.cancel()
    shown = page[: page.index('name="note"')]
    places = [shown.index(text) for text in ("2. chat_send", ">U_EVIL<", "history: U_EVIL", "words for U_EVIL", "1. chat_send")]
    assert places == sorted(places)
    assert shown.count("⚠") == 1


@requirement("U2", "V1")
async def test_the_sentences_of_a_text_that_waits_stand_with_their_sources_and_what_has_none_is_named(
    url: str, tmp_path: Path
) -> None:
    told, invented = "The lift is serviced on Monday from 10:00 to 11:00.", "All tenants got a refund of 97 euros for the noise."
    retold = "The basement remains closed as long as the plumbing is being fixed."
    (tmp_path / "note.txt").write_text(f"{told} The cellar stays locked until the pipes are repaired.\n")
    text = f"{told} {invented} {retold}"

    def reads_and_writes(request: ModelRequest) -> AssistantMessage | str:
        turn = 1 + sum(isinstance(message, AssistantMessage) for message in request.messages)
        return [calling(("box_notes", {})), calling(("box_risky", {"text": text})), "Done."][min(turn, 3) - 1]

    async with workshop(url, box(tmp_path), script=reads_and_writes) as shop:
        await shop.orders.enqueue(asked("run-1", "tell"))
        approval = await shop.question()
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/inbox")).text
            await reader.post("/preferences", language="ja")
            japanese = unescape((await reader.get("/inbox")).text)
        await shop.approvals.answer(approval.id, granted=False, by="haruka")
    by_meaning = encoder() is not None
    card = unescape(page[page.index('class="card decision"') :])
    assert f"<pre>{text}" in card, "the text stands as it would be sent"
    assert f"sentences that have the source they need: {1 + by_meaning} of 3" in card
    assert f'⚠ nothing that was read says: "{invented}"' in card
    sourced = card[card.index("Sources of text, sentence by sentence") :]
    assert re.search(r'class="said">[^<]*The lift is serviced.*?class="unsourced">[^<]*All tenants', sourced, re.DOTALL)
    assert bool(re.search(r'class="unsourced">[^<]*The basement', sourced)) is not by_meaning, "as the question counts it"
    assert re.search(r'<li id="note-[^"]*"[^>]*><a href="/runs/run-1#turn-1-call-1"><code>box_notes</code></a>', sourced)
    assert "text の文ごとの出典" in japanese
    assert f'⚠ 読んだものに出典がありません: "{invented}"' in japanese
