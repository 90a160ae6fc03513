"""What a call leaves behind: when it is sent again, what proves a write, and what it adds to what the model has seen."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.calls.backoff import Backoff
from autonomy.calls.prepare import Prepared, foresee, prepare_all
from autonomy.calls.retry import CallAttempt, SoftFailure, may_repeat
from autonomy.calls.run_handle import Run
from autonomy.calls.services import Services
from autonomy.calls.verification import read_back
from autonomy.calls.verification.effect_ledger import (
    KEYS_LAST_S,
    LedgerEntry,
    MemoryLedger,
    OutcomeUnknown,
    Seen,
    execute_once,
    surely_nothing_happened,
)
from autonomy.calls.verification.write_lookup import look_up_write
from autonomy.llm.messages import ToolCall
from autonomy.llm.model import Need, Task
from autonomy.llm.scripted import calling
from autonomy.outcomes.classifier import Classification
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, ApprovalTerms
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import CallRecord, RunRequest
from autonomy.run_state.step import Step, giving_up, inline
from discovery.catalog import Effect, Lookup, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, ProviderBusy, ProviderUnavailable, UnknownTool
from metrics import events
from tests.requirements import requirement
from tests.support.house import OUTWARD, READ, WRITE, house
from tests.support.specs import catalog_of, tool

ALLOW = Policy(free_writes="allow")
LOST = CallFailed("p", "send", "no answer", outcome_unknown=True)
REFUSED = CallFailed("p", "send", "refused")
BUSY = ProviderBusy("p", "too many", retry_after_s=30.0)
AWAY = ProviderUnavailable("p", "not there")
BAD = SoftFailure(ToolOutput(text="later", is_error=True), Classification(kind="retryable", reason="later"))

LOOK = tool("p_look", tool="look", required=("number",))
SEND = tool("p_send", tool="send", effect=Effect.OUTWARD, required=("text",))
PUT = SEND.model_copy(update={"idempotent": True})
KEYED = SEND.model_copy(update={"keyed": True})


# ── sending again ──────────────────────────────────────────────────────────────────────────────────────────────────────


@requirement("X11")
@pytest.mark.parametrize(
    ("error", "plain", "repeatable"),
    [(LOST, False, True), (REFUSED, False, False), (BUSY, True, True), (AWAY, True, True), (BAD, False, True), (OSError(), False, False)],
)  # fmt: skip
def test_whether_a_call_may_be_sent_again_depends_on_what_failed_and_on_its_effect(
    error: BaseException, plain: bool, repeatable: bool
) -> None:
    assert may_repeat(error, SEND) is plain
    assert [may_repeat(error, spec) for spec in (LOOK, PUT, KEYED)] == [repeatable] * 3


@dataclass
class Broken:
    """A gateway through which every call fails in the same way."""

    error: Exception
    calls: int = 0

    async def call(self, *_: Any, **__: Any) -> ToolOutput:
        self.calls += 1
        raise self.error


async def attempts(
    error: Exception, *, retries: int = 99, seconds: float = 1e9, backoff: Backoff | None = None
) -> tuple[int, list[float]]:
    """How often a read that always fails so is tried, and the waits between."""
    waits = list[float]()

    async def sleep(wait_s: float) -> None:
        waits.append(wait_s)

    gateway = Broken(error)
    services = Services(gateway, backoff=backoff or Backoff(), sleep=sleep, clock=lambda: 0.0)  # type: ignore[arg-type]
    limits = Limits(retries=retries, wall_s=seconds)
    ctx = ToolExecutionContext(
        RunRequest(run_id="run-1", task=Task(goal="look"), limits=limits), catalog_of(LOOK), (), (), {},
        allowed=frozenset({LOOK.name}), to_confirm=frozenset(), started_at=0.0, now=0.0,
    )  # fmt: skip
    run = Run(ctx, services, EventRecorder("run-1", "", "", services.clock), inline)
    call = ToolCall(id="call-1", name=LOOK.name, arguments={"number": 1})
    with pytest.raises(type(error)):
        await CallAttempt(Prepared(call, "turn-1/call-1", LOOK, ()), run).send()
    return gateway.calls, waits


@requirement("X11")
async def test_attempts_have_a_limit_and_the_retries_of_the_run_are_another() -> None:
    assert (await attempts(LOST))[0] == Backoff().attempts == 4
    assert (await attempts(LOST, retries=2))[0] == 3
    assert (await attempts(LOST, retries=0))[0] == 1
    assert (await attempts(REFUSED))[0] == 1


@requirement("X11")
async def test_waits_grow_up_to_a_bound_last_as_long_as_the_provider_asks_and_never_outlast_the_run() -> None:
    _, waits = await attempts(LOST, backoff=Backoff(attempts=9, first_s=1.0, most_s=4.0))
    assert all(0.5 * usual <= wait <= usual for wait, usual in zip(waits, [1, 2, 4, 4, 4, 4, 4, 4], strict=True))
    _, asked = await attempts(BUSY)
    assert asked == [30.0] * 3
    assert await attempts(BUSY, seconds=20.0) == (1, [])


# ── the ledger ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Book(MemoryLedger):
    """A ledger that answers the first claim as it is told to."""

    def __init__(self, claim: LedgerEntry) -> None:
        super().__init__()
        self.answer, self.settled = claim, list[str]()

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> LedgerEntry:
        return self.answer

    async def settle(self, key: str, state: Any, output: ToolOutput | None, *, note: str = "") -> None:
        self.settled.append(state)


async def sent(
    claim: LedgerEntry, spec: ToolSpec = SEND, *, seen: Seen = "unclear", error: BaseException | None = None
) -> tuple[str, list[str]]:
    """What a write under such a claim comes to, and what the ledger is told."""
    book = Book(claim)

    async def send(_in_doubt: bool) -> ToolOutput:
        if error is not None:
            raise error
        return ToolOutput(text="sent now")

    async def look() -> Seen:
        return seen

    try:
        output = await execute_once(book, "k", send, look, spec=spec, run_id="r", arguments_sha256="a")
    except (OutcomeUnknown, CallFailed, ProviderBusy, ProviderUnavailable) as raised:
        return type(raised).__name__, book.settled
    return output.text, book.settled


@requirement("J4")
async def test_a_write_is_sent_when_its_key_is_new_and_what_is_done_is_not_done_again() -> None:
    assert await sent(LedgerEntry(state="new")) == ("sent now", ["done"])
    assert await sent(LedgerEntry(state="done", output=ToolOutput(text="sent before"))) == ("sent before", [])
    assert await sent(LedgerEntry(state="done")) == ("A person looked: this was done.", [])


@requirement("J4")
@pytest.mark.parametrize("state", ["started", "unknown"])
async def test_a_write_in_doubt_is_looked_up_and_sent_again_only_where_that_is_harmless(state: Any) -> None:
    doubt, old = LedgerEntry(state=state), LedgerEntry(state=state, age_s=KEYS_LAST_S)
    assert await sent(doubt, seen="found") == ("This was done before; it was looked up and found.", ["done"])
    assert await sent(doubt, seen="absent") == ("sent now", ["done"])
    assert await sent(doubt) == ("OutcomeUnknown", ["unknown"])
    assert await sent(doubt, PUT) == ("sent now", ["done"])
    assert await sent(doubt, KEYED) == ("sent now", ["done"])
    assert await sent(old, KEYED) == ("OutcomeUnknown", ["unknown"])
    assert await sent(old, PUT) == ("sent now", ["done"])


@requirement("J4")
async def test_only_a_failure_that_surely_did_nothing_frees_the_key() -> None:
    assert await sent(LedgerEntry(state="new"), error=LOST) == ("CallFailed", ["unknown"])
    assert await sent(LedgerEntry(state="new"), error=REFUSED) == ("CallFailed", ["failed"])
    assert await sent(LedgerEntry(state="new"), error=BUSY) == ("ProviderBusy", ["failed"])
    assert [surely_nothing_happened(error) for error in (AWAY, UnknownTool("p_x"), LOST, OSError())] == [True, True, False, False]


@requirement("J4")
@pytest.mark.parametrize(
    ("answers", "absent_after_s", "seen"),
    [
        (["… k-1 …"], None, "found"),
        (["nothing"], None, "unclear"),
        (["nothing", "nothing"], 5.0, "absent"),
        (["nothing", "… k-1 …"], 5.0, "found"),
        ([None], 5.0, "unclear"),
        (["!error without it"], 5.0, "unclear"),
        (["nothing", "!error"], 5.0, "unclear"),
    ],
)
async def test_what_is_not_seen_is_absent_only_after_the_declared_time_and_an_error_shows_nothing(
    answers: list[str | None], absent_after_s: float | None, seen: str
) -> None:
    spec = SEND.model_copy(update={"lookup": Lookup(tool="look", arguments={"number": "$key"}, absent_after_s=absent_after_s)})
    waited: list[float] = []

    async def read(_spec: ToolSpec, arguments: Any) -> ToolOutput | None:
        assert arguments == {"number": "k-1"}
        said = answers.pop(0)
        return None if said is None else ToolOutput(text=said, is_error=said.startswith("!"))

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    found = await look_up_write(spec, {"text": "hi"}, "k-1", catalog_of(spec, LOOK), read, sleep)
    assert (found, answers) == (seen, [])
    assert waited in ([], [5.0])


# ── reading back ───────────────────────────────────────────────────────────────────────────────────────────────────────

LINES = "\n".join(f"line {number}" for number in range(10))


@requirement("X10")
@pytest.mark.parametrize(
    ("read", "shown"),
    [
        (ToolOutput(text=LINES), True),
        (ToolOutput(text="", structured={"post": {"body": LINES}}), True),
        (ToolOutput(text=LINES.replace("line 3", "changed").replace("line 7", "too")), True),
        (ToolOutput(text="\n".join(LINES.splitlines()[:7])), False),
        (ToolOutput(text=LINES, is_error=True), False),
        (ToolOutput(text="nothing"), False),
    ],
)
def test_a_write_is_there_when_nearly_all_its_lines_are(read: ToolOutput, shown: bool) -> None:
    assert read_back.shows(read, {"name": "a post", "text": LINES}) is shown


def test_a_write_without_text_cannot_be_shown() -> None:
    assert not read_back.shows(ToolOutput(text="anything"), {"number": 3})
    assert not read_back.shows(ToolOutput(text="anything"), {"text": " \n"})


def test_what_reads_back_is_a_read_of_the_same_provider_that_can_be_called() -> None:
    answer = ToolOutput(text="", structured={"number": 7})
    write = LOOK.model_copy(update={"name": "p_drop", "tool": "drop", "effect": Effect.DESTRUCTIVE})
    other = LOOK.model_copy(update={"name": "q_look", "provider": "q"})
    gone = LOOK.model_copy(update={"name": "p_gone", "available": False})
    assert read_back.find(catalog_of(write, other, gone, SEND), SEND, {"text": "x"}, answer) is None
    found = read_back.find(catalog_of(write, LOOK, SEND), SEND, {"text": "x"}, answer)
    assert found == read_back.ReadBack(tool="p_look", arguments={"number": 7})


def wiki(shows: Callable[[str], str]) -> tuple[MCPServer[Any], list[str]]:
    """A wiki of one page: `shows` makes what one reads of what was written; and which tools were called."""
    server: MCPServer[Any] = MCPServer("wiki")
    called: list[str] = []
    page: list[str] = []

    @server.tool(annotations=READ, structured_output=False)
    def get_page(number: int) -> str:
        """Read a page."""
        called.append("get_page")
        return shows(page[-1])

    @server.tool(annotations=WRITE)
    def write_page(text: str) -> dict[str, Any]:
        """Write a page."""
        called.append("write_page")
        page.append(text)
        return {"number": 7, "url": "https://wiki.example/7"}

    return server, called


async def read_backs(server: MCPServer[Any], policy: Policy = ALLOW, **asked: Any) -> list[str]:
    async with house(server, script=[calling(("wiki_write_page", {"text": "hello there"})), "done"], policy=policy) as home:
        result = await home.run(**asked)
    (receipt,) = result.receipts
    assert (receipt.state, receipt.target) == ("done", "https://wiki.example/7")
    return [receipt.read_back]


def raising(_text: str) -> str:
    raise ToolError("the wiki is closed; you wrote: hello there")


@requirement("X10")
@pytest.mark.parametrize(
    ("shows", "seen"), [(str, "confirmed"), (lambda _: "another text", "absent"), (raising, "absent"), (str.upper, "absent")]
)
async def test_only_a_text_that_is_read_is_confirmed(shows: Callable[[str], str], seen: str) -> None:
    server, called = wiki(shows)
    assert await read_backs(server) == [seen]
    assert called == ["write_page", "get_page"]


@requirement("X10")
async def test_a_read_back_that_is_lost_confirms_nothing() -> None:
    server, _ = wiki(str)

    async with house(server, script=[calling(("wiki_write_page", {"text": "hello there"})), "done"], policy=ALLOW) as home:
        whole = home.gateway.call

        async def call(name: str, *arguments: Any, **options: Any) -> ToolOutput:
            if name == "wiki_get_page":
                raise CallFailed("wiki", "get_page", "the line was cut", outcome_unknown=True)
            return await whole(name, *arguments, **options)

        home.gateway.call = call  # type: ignore[method-assign]
        result = await home.run()
    assert [receipt.read_back for receipt in result.receipts] == ["absent"]


@requirement("S1", "X10")
@pytest.mark.parametrize("decision", ["deny", "ask"])
async def test_what_a_policy_denies_or_asks_about_is_not_read_back(decision: Any) -> None:
    server, called = wiki(str)
    rule = PolicyRule(name="private", decision=decision, tool="wiki_get_page")
    assert await read_backs(server, Policy(rules=(rule,), free_writes="allow")) == ["not_declared"]
    assert called == ["write_page"]


@requirement("X10")
async def test_a_tool_outside_of_the_run_is_not_read_with() -> None:
    server, called = wiki(str)
    assert await read_backs(server, tools=("wiki_write_page",)) == ["not_declared"]
    assert called == ["write_page"]


# ── one call of a run ──────────────────────────────────────────────────────────────────────────────────────────────────


def box(send: Callable[[str], Awaitable[str]] | None = None, *, annotations: Any = OUTWARD) -> tuple[MCPServer[Any], list[str]]:
    """Something to look at, somewhere to send to, and what was sent."""
    server: MCPServer[Any] = MCPServer("box")
    out: list[str] = []

    @server.tool(annotations=READ)
    def look() -> str:
        """Look into the box."""
        return "private words"

    @server.tool(annotations=annotations)
    async def put(text: str) -> str:
        """Send a text."""
        out.append(text)
        return await send(text) if send else "sent"

    return server, out


@requirement("S3")
async def test_what_a_run_has_read_labels_all_that_follows() -> None:
    server, out = box()
    script = [
        calling(("box_put", {"text": "before"})),
        calling(("box_look", {})),
        calling(("box_put", {"text": "after"})),
        "done",
    ]
    async with house(server, script=script, policy=ALLOW) as home:
        result = await home.run()
    assert out == ["before"]
    assert [record.result.kind for record in result.calls] == ["ok", "ok", "denied"]
    assert [event.rule for event in home.heard.of(events.CallDecided)] == ["free-form writes", "reads", "data flow"]


@requirement("S3")
async def test_the_words_of_a_read_that_failed_label_what_follows_too() -> None:
    server: MCPServer[Any] = MCPServer("box")

    @server.tool(annotations=READ)
    def look() -> str:
        """Look into the box."""
        raise ToolError("there is no such box")

    @server.tool(annotations=OUTWARD)
    def put(text: str) -> str:
        """Send a text."""
        return "sent"

    async with house(
        server, script=[calling(("box_look", {})), calling(("box_put", {"text": "x"})), "done"], policy=ALLOW
    ) as home:
        result = await home.run()
    assert [record.result.kind for record in result.calls] == ["terminal", "denied"]
    assert [event.rule for event in home.heard.of(events.CallDecided)] == ["reads", "data flow"]


@requirement("J4")
async def test_the_same_write_twice_in_a_reply_is_made_once_and_one_of_unknown_outcome_never_again() -> None:
    async def lost(_text: str) -> str:
        return "Error: request timed out"

    server, out = box()
    script = [calling(("box_put", {"text": "x"}), ("box_put", {"text": "x"}), ("box_put", {"text": "y"})), "done"]
    async with house(server, script=script, policy=ALLOW) as home:
        result = await home.run()
    assert sorted(out) == ["x", "y"]
    assert [record.result.kind for record in result.calls] == ["ok", "not_run", "ok"]
    server, out = box(lost)
    always = Policy(rules=(PolicyRule(name="box", decision="allow", tool="box_*"),))
    script = [calling(("box_put", {"text": "x"})), calling(("box_put", {"text": "x"})), "done"]
    async with house(server, script=script, policy=always) as home:
        result = await home.run()
    assert out == ["x"]
    assert [record.result.kind for record in result.calls] == ["unknown_outcome", "not_run"]
    assert [receipt.state for receipt in result.receipts] == ["unknown"]


@requirement("X2")
async def test_a_tool_is_called_only_so_often_also_within_one_reply() -> None:
    server, _ = box()
    looks = [("box_look", {})] * 3
    for script in ([calling(*looks), "done"], [*[calling(look) for look in looks], "done"]):
        async with house(server, script=script) as home:
            result = await home.run(limits=Limits(calls_per_tool=2))
        assert [record.result.kind for record in result.calls] == ["ok", "ok", "not_run"]


@requirement("S4")
@pytest.mark.parametrize(
    ("said", "expired", "made", "ending"),
    [
        ("granted", "go_on", ["x"], "completed"),
        ("denied", "go_on", [], "blocked"),
        ("expired", "go_on", [], "blocked"),
        ("expired", "stop", [], "blocked"),
    ],
)
async def test_only_a_yes_is_a_yes(said: Any, expired: Any, made: list[str], ending: str) -> None:
    async def approver(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        assert question.arguments == {"text": "x"}
        return ApprovalAnswer(answer=said, by="haruka")

    server, out = box()
    async with house(server, script=[calling(("box_put", {"text": "x"})), "done"], approver=approver) as home:
        result = await home.run(approval=ApprovalTerms(expired=expired))
    assert (out, result.ending) == (made, ending)
    assert len(home.model.requests) == (1 if expired == "stop" else 2)


@requirement("X10")
async def test_a_write_that_was_refused_has_no_receipt_and_a_receipt_names_the_need_it_meets() -> None:
    async def refuse(text: str) -> str:
        if text == "no":
            raise ToolError("channel_not_found")
        return "sent"

    need = Need(id="tell", description="send", effect="outward", tools=("box_put",), arguments={"text": "{{result}}"})
    server, _ = box(refuse)
    script = [calling(("box_put", {"text": "no"})), calling(("box_put", {"text": "yes"})), "done"]
    always = Policy(rules=(PolicyRule(name="box", decision="allow", tool="box_*"),))
    async with house(server, script=script, policy=always) as home:
        result = await home.run(needs=(need,))
    assert [record.receipt is not None for record in result.calls] == [False, True]
    assert [receipt.needs for receipt in result.receipts] == [("tell",)]


async def test_a_call_never_has_more_time_than_the_run_has_left() -> None:
    server, _ = box()
    times: list[float] = []
    async with house(server, script=[calling(("box_look", {})), "done"], clock=iter(range(0, 10_000, 7)).__next__) as home:
        whole = home.gateway.call

        async def call(*arguments: Any, timeout_s: float, **options: Any) -> ToolOutput:
            times.append(timeout_s)
            return await whole(*arguments, timeout_s=timeout_s, **options)

        home.gateway.call = call  # type: ignore[method-assign]
        await home.run(limits=Limits(call_timeout_s=1000, wall_s=300))
    assert len(times) == 1
    assert 1 <= times[0] <= 300


async def test_a_tool_that_is_not_offered_is_unknown_and_a_repeated_answer_is_told() -> None:
    server, out = box()
    script = [calling(("box_look", {})), calling(("box_put", {"text": "x"})), calling(("box_look", {})), "done"]
    async with house(server, script=script, policy=ALLOW) as home:
        result = await home.run(tools=("box_look",))
    assert out == []
    assert [record.problem for record in result.calls] == ["", "unknown_tool", ""]
    assert [event.repeated for event in home.heard.of(events.CallFinished)] == [False, False, True]


TIMED_OUT = ToolOutput(text="Error: request timed out", is_error=True)
NO_CHANNEL = ToolOutput(text="Error: channel_not_found", is_error=True)
DONE = ToolOutput(text="sent")
GONE = CallFailed("box", "put", "no answer", outcome_unknown=True)
TURNED_AWAY = CallFailed("box", "put", "not accepted")


@requirement("J4", "X11")
@pytest.mark.parametrize(
    ("tool_name", "meta", "answers", "attempts", "kind", "states"),
    [
        ("box_put", {}, [GONE], 1, "unknown_outcome", ["unknown"]),
        ("box_put", {}, [TIMED_OUT], 1, "unknown_outcome", ["unknown"]),
        ("box_put", {"jiritsu/keyed": True}, [TIMED_OUT, DONE], 2, "ok", ["done"]),
        ("box_put", {"jiritsu/keyed": True}, [GONE, DONE], 2, "ok", ["done"]),
        ("box_put", {"jiritsu/keyed": True}, [GONE, NO_CHANNEL], 2, "unknown_outcome", ["unknown"]),
        ("box_put", {"jiritsu/keyed": True}, [GONE, TURNED_AWAY], 2, "unknown_outcome", ["unknown"]),
        ("box_put", {"jiritsu/keyed": True}, [TIMED_OUT, NO_CHANNEL], 2, "unknown_outcome", ["unknown"]),
        ("box_put", {"jiritsu/keyed": True}, [NO_CHANNEL], 1, "terminal", []),
        ("box_look", {}, [GONE] * 4, 4, "terminal", []),
        ("box_look", {}, [GONE, DONE], 2, "ok", []),
    ],
)
async def test_a_doubt_about_a_write_stays_until_it_is_surely_done(
    tool_name: str, meta: dict[str, Any], answers: list[Any], attempts: int, kind: str, states: list[str]
) -> None:
    server: MCPServer[Any] = MCPServer("box")
    keys: list[str] = []

    @server.tool(annotations=READ, structured_output=False)
    def look(text: str) -> str:
        """Look into the box."""
        return ""

    @server.tool(annotations=OUTWARD, meta=meta, structured_output=False)
    def put(text: str) -> str:
        """Send a text."""
        return ""

    async def call(_name: str, _arguments: Any, *, idempotency_key: str = "", **_: Any) -> ToolOutput:
        keys.append(idempotency_key)
        answer = answers[len(keys) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async with house(server, script=[calling((tool_name, {"text": "x"})), "done"], policy=ALLOW) as home:
        home.gateway.call = call  # type: ignore[method-assign,assignment]
        result = await home.run()
    assert (len(keys), result.calls[0].result.kind) == (attempts, kind)
    assert [receipt.state for receipt in result.receipts] == states
    assert set(keys) == ({"run-1/turn-1/call-1"} if tool_name == "box_put" else {""})


async def taken_up(meta: dict[str, Any], policy: Policy) -> tuple[CallRecord, list[str]]:
    """A write that an earlier process had begun; what came of it here, and which tools were called."""
    server: MCPServer[Any] = MCPServer("box")
    called: list[str] = []

    @server.tool(annotations=READ, structured_output=False)
    def look() -> str:
        """Look into the box."""
        called.append("look")
        return "nothing"

    @server.tool(annotations=OUTWARD, meta=meta, structured_output=False)
    def put(text: str) -> str:
        """Send a text."""
        called.append("put")
        return "sent"

    ledger = MemoryLedger()
    await ledger.claim("run-1/turn-1/call-1", run_id="run-1", tool="box_put", arguments_sha256="")
    async with house(server, script=[calling(("box_put", {"text": "x"})), "done"], policy=policy, ledger=ledger) as home:
        (call,) = (await home.run()).calls
    return call, called


@requirement("R1", "J4")
async def test_a_run_that_is_given_up_says_that_a_write_in_doubt_may_have_happened() -> None:
    giving_up.set(True)
    call, called = await taken_up({"jiritsu/keyed": True}, ALLOW)
    assert (call.result.kind, called) == ("unknown_outcome", [])
    assert "an earlier try of box_put ended before its outcome was known" in call.result.text


@requirement("S1", "J4")
@pytest.mark.parametrize(("decision", "called"), [("allow", ["look", "put"]), ("deny", []), ("ask", [])])
async def test_a_write_is_looked_up_only_with_what_the_run_may_read(decision: Any, called: list[str]) -> None:
    lookup = {"tool": "look", "shows": "$text", "absent_after_s": 0}
    rules = (PolicyRule(name="private", decision=decision, tool="box_look"),)
    call, made = await taken_up({"jiritsu/lookup": lookup}, Policy(rules=rules, free_writes="allow"))
    assert [name for name in ("look", "put") if name in made] == called
    assert call.result.kind == ("ok" if called else "unknown_outcome")


@requirement("S4", "H13")
async def test_the_tools_hear_that_a_person_granted_it() -> None:
    from contextlib import contextmanager

    from autonomy.calls.tenancy import NoTenancy

    heard: list[bool] = []

    class Heard(NoTenancy):
        @contextmanager
        def acting(self, request: Any, *, confirmed: bool) -> Any:
            heard.append(confirmed)
            yield

    async def approver(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return ApprovalAnswer(answer="granted", by="haruka")

    server, _ = box()
    script = [calling(("box_look", {})), calling(("box_put", {"text": "x"})), "done"]
    asking = Policy(rules=(PolicyRule(name="all", decision="ask", tool="box_put"),))
    async with house(server, script=script, approver=approver, tenancy=Heard(), policy=asking) as home:
        await home.run("change what the box holds to x")
    assert heard == [False, True]


@requirement("S4")
async def test_a_call_foreseen_with_the_reply_is_looked_at_again_once_a_person_said_no_to_it() -> None:
    everything = Policy(rules=(PolicyRule(name="all", decision="allow"),))
    services = Services(None, policy=everything, clock=lambda: 0.0)  # type: ignore[arg-type]
    ctx = ToolExecutionContext(
        RunRequest(run_id="run-1", task=Task(goal="send it")), catalog_of(SEND), (SEND,), (), {},
        allowed=frozenset({SEND.name}), to_confirm=frozenset(), started_at=0.0, now=0.0, of_this_release=True,
    )  # fmt: skip
    run = Run(ctx, services, EventRecorder("run-1", "", "", services.clock), inline)
    call = ToolCall(id="call-1", name=SEND.name, arguments={"text": "x"})
    ctx.foreseen = await foresee([call], 1, run)
    [stage] = await prepare_all({"turn-1/call-1": call}, run)
    assert isinstance(stage, Prepared)
    ctx.refused.append((SEND.name, {"text": "x"}))
    [stage] = await prepare_all({"turn-1/call-1": call}, run)
    assert isinstance(stage, CallRecord)
    assert stage.result.kind == "denied"
