"""Tasks of servers, in both revisions: called, asked after, answered, cancelled; and one that cannot be called is not offered."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import (
    ClientCapabilities,
    CreateMessageRequestParams,
    ElicitationCapability,
    ElicitRequestParams,
    ElicitResult,
    FormElicitationCapability,
    ListRootsResult,
    LoggingMessageNotificationParams,
)

from discovery.discovery_errors import CallFailed, CallTimedOut, TaskLost, UnknownTool
from discovery.gateway import Gateway, open_gateway
from discovery.tool_calls.task_messages import LONGEST_POLL_S, SHORTEST_POLL_S, read_task
from discovery.transport.asked_back import Sampled, call_listener
from tests.requirements import requirement
from tests.support.server_configs import PATIENT, task_server

REVISIONS = pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
TEXT = {"text": "a"}


def noted(folder: Path, what: str) -> list[Any]:
    """What the server was asked, in order."""
    file = folder / f"{what}.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


async def until(folder: Path, what: str, count: int = 1) -> None:
    with anyio.fail_after(240):
        while len(noted(folder, what)) < count:
            await anyio.sleep(0.02)


@asynccontextmanager
async def opened(folder: Path, **options: Any) -> AsyncIterator[Gateway]:
    async with open_gateway(
        [task_server(folder, **options)], settings=PATIENT.model_copy(update={"retry_base_s": 0.1}), asks_back=True
    ) as gateway:
        await gateway.settle(60)
        yield gateway


class Kept:
    """A `TaskKeeper` that a test looks into."""

    def __init__(self, known: str = "", *, lasting: bool = False, wanted: bool = True) -> None:
        self.known, self.lasting, self.is_wanted, self.tasks = known, lasting, wanted, list[str]()

    async def began(self, task_id: str) -> None:
        self.tasks.append(task_id)

    async def wanted(self) -> bool:
        return self.is_wanted


class Beside:
    """Stands beside a call, and fills in the defaults of what it is asked."""

    capabilities = ClientCapabilities(elicitation=ElicitationCapability(form=FormElicitationCapability()))
    asks_for_pages = False
    caller = "a test"

    def __init__(self) -> None:
        self.heard, self.asked = list[str | None](), list[str]()

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        return ElicitResult(action="accept", content={"count": 5})

    async def sample(self, provider: str, tool: str, params: CreateMessageRequestParams) -> Sampled:
        raise NotImplementedError

    async def roots(self, provider: str, *, kept: bool) -> ListRootsResult | None:
        return None

    async def progress(self, provider: str, progress: float, total: float | None, message: str | None) -> None:
        self.heard.append(message)

    async def logged(self, provider: str, params: LoggingMessageNotificationParams) -> None: ...

    async def became_task(self) -> None: ...


@requirement("N1")
@REVISIONS
async def test_a_call_that_becomes_a_task_is_asked_after_until_it_has_ended(tmp_path: Path, revision: str) -> None:
    kept, beside = Kept(), Beside()
    async with opened(tmp_path, revision=revision) as gateway, anyio.create_task_group() as group:

        async def let_go() -> None:
            await until(tmp_path, "gets", 3)
            (tmp_path / "go").write_text("it is done")

        group.start_soon(let_go)
        call_listener.set(beside)
        output = await gateway.call("far_long", TEXT, keeper=kept)
    assert (output.text, output.is_error, output.meta) == ("it is done", False, {"mine": 1})
    assert kept.tasks == ["t0"]
    assert [call["arguments"] for call in noted(tmp_path, "calls")] == [TEXT]
    assert beside.heard[0] == "it is working", "what the task says of itself is shown"
    assert noted(tmp_path, "cancels") == []


@requirement("N1")
@REVISIONS
async def test_a_task_that_an_earlier_process_began_is_asked_after_and_not_called_again(tmp_path: Path, revision: str) -> None:
    (tmp_path / "task-t7.json").write_text('{"status": "working"}')
    (tmp_path / "go").write_text("of the first life")
    async with opened(tmp_path, revision=revision) as gateway:
        output = await gateway.call("far_long", TEXT, keeper=Kept("t7"))
    assert output.text == "of the first life"
    assert (noted(tmp_path, "calls"), set(noted(tmp_path, "gets"))) == ([], {"t7"})


@REVISIONS
async def test_a_task_that_its_server_does_not_know_any_more_has_an_unknown_outcome(tmp_path: Path, revision: str) -> None:
    async with opened(tmp_path, revision=revision) as gateway:
        with pytest.raises(TaskLost, match="no longer knows its task") as lost:
            await gateway.call("far_long", TEXT, keeper=Kept("made-up"))
    assert lost.value.outcome_unknown
    assert noted(tmp_path, "calls") == []


@REVISIONS
async def test_a_task_without_an_end_is_cancelled_at_its_deadline_and_its_outcome_is_unknown(
    tmp_path: Path, revision: str
) -> None:
    kept = Kept(lasting=True)
    async with opened(tmp_path, revision=revision) as gateway:
        began = anyio.current_time()
        with anyio.fail_after(240), pytest.raises(CallTimedOut, match=r"had not ended after \d+ s, and was cancelled"):
            await gateway.call("far_long", TEXT, timeout_s=1.0, longest_s=2.0, keeper=kept)
        assert anyio.current_time() - began > 1.5, "each sign of life prolongs the deadline, as far as the cap"
        await until(tmp_path, "cancels")
    assert noted(tmp_path, "cancels") == ["t0"]


@REVISIONS
@pytest.mark.parametrize("lasting", [False, True])
async def test_a_call_that_is_broken_off_cancels_its_task_unless_somebody_comes_back_for_it(
    tmp_path: Path, revision: str, lasting: bool
) -> None:
    async with opened(tmp_path, revision=revision) as gateway:
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: gateway.call("far_long", TEXT, keeper=Kept(lasting=lasting)))
            await until(tmp_path, "gets", 2)
            group.cancel_scope.cancel()
        assert noted(tmp_path, "cancels") == ([] if lasting else ["t0"])


@REVISIONS
async def test_a_task_that_nobody_wants_any_more_is_cancelled(tmp_path: Path, revision: str) -> None:
    async with opened(tmp_path, revision=revision) as gateway:
        with pytest.raises(CallFailed, match="its run was cancelled") as cancelled:
            await gateway.call("far_long", TEXT, keeper=Kept(lasting=True, wanted=False))
    assert cancelled.value.outcome_unknown
    assert noted(tmp_path, "cancels") == ["t0"]


@REVISIONS
async def test_what_a_task_asks_is_answered_once_by_whoever_stands_beside_the_call(tmp_path: Path, revision: str) -> None:
    (tmp_path / "go").write_text("five of them")
    beside = Beside()
    async with opened(tmp_path, revision=revision, ask=True) as gateway:
        call_listener.set(beside)
        output = await gateway.call("far_long", TEXT)
    assert output.text == "five of them"
    assert beside.asked == ["How many?"]
    assert [answer["content"] for answer in noted(tmp_path, "answers")] == [{"count": 5}]


@REVISIONS
@pytest.mark.parametrize(("ending", "unknown"), [("failed", False), ("cancelled", True)])
async def test_a_task_that_failed_says_why_and_one_that_its_server_cancelled_may_have_happened(
    tmp_path: Path, revision: str, ending: str, unknown: bool
) -> None:
    (tmp_path / "go").write_text("")
    async with opened(tmp_path, revision=revision, ending=ending) as gateway:
        with pytest.raises(CallFailed, match="it broke" if ending == "failed" else "server cancelled its task") as failed:
            await gateway.call("far_long", TEXT)
    assert failed.value.outcome_unknown is unknown


async def test_a_server_that_dies_is_asked_again_when_it_is_back_and_its_task_may_have_ended_meanwhile(tmp_path: Path) -> None:
    kept = Kept()
    async with opened(tmp_path) as gateway, anyio.create_task_group() as group:

        async def die() -> None:
            await until(tmp_path, "gets", 2)
            (tmp_path / "go").write_text("it went on without us")
            connection = gateway._connections["far"]
            connection._break("the test pulls the plug")

        group.start_soon(die)
        with anyio.fail_after(240):
            output = await gateway.call("far_long", TEXT, keeper=kept)
    assert output.text == "it went on without us"
    assert len(noted(tmp_path, "calls")) == 1


async def test_a_server_that_forgets_its_tasks_when_it_dies_leaves_the_outcome_unknown(tmp_path: Path) -> None:
    async with opened(tmp_path, forgets=True) as gateway, anyio.create_task_group() as group:

        async def die() -> None:
            await until(tmp_path, "gets", 2)
            gateway._connections["far"]._break("the test pulls the plug")

        group.start_soon(die)
        with anyio.fail_after(240), pytest.raises(TaskLost):
            await gateway.call("far_long", TEXT)
    assert len(noted(tmp_path, "calls")) == 1


@requirement("N1")
async def test_a_tool_that_is_a_task_is_not_offered_by_a_server_that_takes_none_and_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path, silent_tasks=True) as gateway:
        (provider,) = gateway.status()
        with pytest.raises(UnknownTool):
            await gateway.call("far_long", TEXT)
    assert [(item.tool, item.reason.split(",")[0]) for item in provider.quarantined] == [
        ("long", "it can only be called as a task")
    ]


@pytest.mark.parametrize(("read_only", "task"), [(True, False), (False, True)])
async def test_where_a_task_is_optional_a_write_is_one_because_it_tells_what_became_of_it(
    tmp_path: Path, read_only: bool, task: bool
) -> None:
    (tmp_path / "go").write_text("done")
    async with opened(tmp_path, support="optional", read_only=read_only) as gateway:
        assert (await gateway.call("far_long", TEXT)).text == "done"
    (call,) = noted(tmp_path, "calls")
    assert (call["task"] is not None) is task
    if task:
        assert call["task"]["ttl"] > 3_600_000, "a process that is killed may be away for a while"


async def test_an_answer_in_place_of_a_task_is_an_answer(tmp_path: Path) -> None:
    async with opened(tmp_path, plain=True) as gateway:
        assert (await gateway.call("far_long", TEXT)).text == "at once"


@REVISIONS
async def test_a_task_without_an_id_is_an_answer_that_cannot_be_read(tmp_path: Path, revision: str) -> None:
    async with opened(tmp_path, revision=revision, no_id=True) as gateway:
        with pytest.raises(CallFailed, match="a task without a usable id") as failed:
            await gateway.call("far_long", TEXT)
    assert failed.value.outcome_unknown


@pytest.mark.parametrize("said", [None, [], {}, {"taskId": ""}, {"taskId": 3}, {"taskId": "x" * 1_001}])
def test_what_has_no_id_is_no_task(said: Any) -> None:
    with pytest.raises(ValueError, match="usable id"):
        read_task(said)


@pytest.mark.parametrize(
    ("interval", "poll_s"),
    [(0, SHORTEST_POLL_S), (-5, SHORTEST_POLL_S), (1e12, LONGEST_POLL_S), ("1", None), (True, None), (2000, 2.0)],
)
def test_how_often_a_task_is_asked_after_is_the_servers_wish_within_reason(interval: Any, poll_s: float | None) -> None:
    for name in ("pollInterval", "pollIntervalMs"):
        assert read_task({"taskId": "a", "status": "made up", name: interval}).poll_s == poll_s
    assert not read_task({"taskId": "a", "status": "made up"}).ended
