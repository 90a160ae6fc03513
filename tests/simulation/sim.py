"""One simulated run, drawn from one number: the world, the model, the people, the rules, and perhaps a death of the process.

sim = Sim(seed)
played = sim.play()          # in virtual time: takes milliseconds
assert not breaches(played)
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeVar

import anyio
from pydantic import TypeAdapter

from autonomy.agent.loop import Executor
from autonomy.agent.replay import Recording, ReplayDivergence, record, replay
from autonomy.calls.services import Services
from autonomy.calls.verification.effect_ledger import LedgerEntry, MemoryLedger
from autonomy.llm.messages import ToolCall
from autonomy.llm.model import Need, Task
from autonomy.llm.model_chain import Chain, ModelRetryPolicy
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.completion_rules import Evidence, Forbidden, Length, Rule, Sections, ToolUsed
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Interrupted, Step
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.gateway import open_gateway
from discovery.transport.in_process import InProcess
from metrics.events import AlternativeTried, AttemptFailed, RunEvent
from tests.simulation.mind import TEMPERS, Mind
from tests.simulation.virtual_time import LoopClock, in_virtual_time, now
from tests.simulation.world import World

T = TypeVar("T")

Course = Literal["straight", "killed", "cancelled"]
"""Whether the run goes through, its process dies on the way and another takes it up, or somebody cancels it."""

LONGEST_S = 100_000.0
"""Simulated seconds after which a run counts as hanging."""


@dataclass
class Played:
    """What a simulated run left behind."""

    seed: int
    course: Course
    request: RunRequest
    world: World
    mind: Mind
    journal: "Journal"
    ledger: "MortalLedger"
    labels: list[frozenset[str]]
    """What the model had seen at each decision, in order."""
    result: RunResult | None = None
    """None when it was cancelled."""
    recording: Recording | None = None
    """Of a run that went straight through."""
    deaths: int = 0
    problem: str = ""
    """What came out of the run as an exception, or that it hung."""


@dataclass
class Sim:
    """Draws a run from a seed."""

    seed: int
    rng: Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)

    def play(self, course: Course | None = None) -> Played:
        """Let it happen, in virtual time."""
        random.seed(self.seed)  # the jitter of back-offs
        chosen = self.rng.choices(("straight", "killed", "cancelled"), (70, 20, 10))[0]
        return in_virtual_time(lambda: self._play(course or chosen))

    async def _play(self, course: Course) -> Played:
        rng, journal = self.rng, Journal()
        job = rng.random() < 0.5
        request = _request(f"run-{self.seed}", rng, job=job)
        temper = rng.choice(sorted(TEMPERS))
        world = World(Random(rng.random()), journal.events, rng.choice([0.0, 0.1, 0.3, 0.6]), rng.choice([0.0, 0.1, 0.5]))
        mind = Mind(Random(rng.random()), temper, _wanted(job))
        policy = _policy(rng)
        played = Played(self.seed, course, request, world, mind, journal, MortalLedger(), policy.seen)
        around = {server.name: InProcess(server, in_backend="a simulation") for server in world.servers()}
        async with open_gateway([], in_process=around, clock=LoopClock(), env={}, random=Random(rng.random())) as gateway:
            await gateway.catalog()
            means = Services(
                gateway,
                policy,
                People(Random(rng.random())),
                ledger=played.ledger,
                journal=journal,
                clock=now,
            )
            executor = Executor(Chain([mind], ModelRetryPolicy(jitter=rng.random)), means)
            with anyio.move_on_after(LONGEST_S) as scope:
                try:
                    await _COURSES[course](executor, played, rng)
                except Exception as error:
                    played.problem = f"raised {type(error).__name__}: {error}"
            if scope.cancelled_caught:
                played.problem = "hung"
        return played


async def _straight(executor: Executor, played: Played, rng: Random) -> None:
    played.result, played.recording = await record(executor, played.request)


async def _cancelled(executor: Executor, played: Played, rng: Random) -> None:
    with anyio.move_on_after(rng.uniform(0.0, 60.0)):
        played.result = await executor.execute(played.request)


async def _killed(executor: Executor, played: Played, rng: Random) -> None:
    """The process dies up to three times, in the middle of a step or just after it, and the run is taken up again."""
    memory: dict[str, Any] = {}
    for _ in range(rng.randint(1, 3)):
        step = MortalStep(memory, rng.randint(1, 12), rng.choice(("before", "within", "after")), [played.journal, played.ledger])
        try:
            played.result = await executor.execute(played.request, step)
            return
        except BaseException as error:
            if not _is_death(error):
                raise
        played.deaths += 1
        played.journal.dead = played.ledger.dead = False
    played.result = await executor.execute(played.request, MortalStep(memory, None, "before", []))


_COURSES: dict[Course, Callable[[Executor, Played, Random], Awaitable[None]]] = {
    "straight": _straight,
    "killed": _killed,
    "cancelled": _cancelled,
}


def _is_death(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(map(_is_death, error.exceptions))
    return isinstance(error, Interrupted)


@dataclass
class Journal:
    """A journal that stops with its process, and takes each event once, like the real one."""

    events: list[RunEvent] = field(default_factory=list)
    dead: bool = False
    retold: list[str] = field(default_factory=list)
    """Keys of events that were told again, and otherwise."""

    async def write(self, events: Sequence[RunEvent]) -> None:
        known = {event.key: event for event in self.events}
        for event in () if self.dead else events:
            if event.key not in known:
                self.events.append(event)
            elif facts_of(event) != facts_of(known[event.key]) and not isinstance(event, AttemptFailed | AlternativeTried):
                self.retold.append(event.key)


def facts_of(event: RunEvent) -> JsonObject:
    """What an event says, but for when."""
    return event.model_dump(exclude={"at"})


@dataclass
class MortalLedger(MemoryLedger):
    """A ledger that hears nothing more from a process that died."""

    dead: bool = False

    async def settle(
        self, key: str, state: Literal["done", "unknown", "failed"], output: ToolOutput | None, *, note: str = ""
    ) -> None:
        if not self.dead:
            await super().settle(key, state, output, note=note)

    def known(self, key: str) -> LedgerEntry | None:
        return self._claims.get(key)


@dataclass
class MortalStep:
    """A `Step` that remembers, in a process that dies at the `fatal`th new step: before it, within it, or before it is written down."""

    memory: dict[str, Any]
    fatal: int | None
    when: Literal["before", "within", "after"]
    mortals: Sequence[Any]
    _taken: int = 0

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        form: TypeAdapter[T] = TypeAdapter(returns)
        if name in self.memory:
            return form.validate_python(self.memory[name])
        self._taken += 1
        fatal = self._taken == self.fatal
        if fatal and self.when == "before":
            raise self._death()
        if fatal and self.when == "within":
            with anyio.move_on_after(0.9):
                await effect()
            raise self._death()
        gave = form.dump_python(await effect(), mode="json", fallback=str)
        if fatal:
            raise self._death()
        self.memory[name] = gave
        return form.validate_python(gave)

    def _death(self) -> Interrupted:
        for mortal in self.mortals:
            mortal.dead = True
        return Interrupted("the process died")


@dataclass
class People:
    """Who is asked: some grant, some refuse, some answer late, some never."""

    rng: Random

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return await step(f"{question.key}/approval", self._answer, ApprovalAnswer)

    async def _answer(self) -> ApprovalAnswer:
        waited_s = self.rng.choice([1.0, 30.0, 7200.0])
        await anyio.sleep(waited_s)
        answer = self.rng.choice(("granted", "granted", "denied", "expired"))
        return ApprovalAnswer.model_validate({"answer": answer, "by": "" if answer == "expired" else "U1", "waited_s": waited_s})


class WatchedPolicy(Policy):
    """A policy that keeps which labels each decision was made under."""

    seen: Any = None

    def decide(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
        self.seen.append(given.labels)
        return super().decide(spec, arguments, given)


def _policy(rng: Random) -> WatchedPolicy:
    rules = [
        PolicyRule(name="no erasing", decision="deny", tool="desk_erase"),
        PolicyRule(name="mails are asked about", decision="ask", tool="spare_mail"),
        PolicyRule(name="notes are fine", decision="allow", tool="desk_note"),
        PolicyRule(name="diary goes out", decision="allow", tool="desk_post", arguments={"channel": "#diary"}),
    ]
    chosen = tuple(rng.sample(rules, rng.choice([0, 0, 1, 2])))
    return WatchedPolicy(rules=chosen, free_writes=rng.choice(("allow", "ask", "ask", "deny")), seen=[])


PUBLISH = Need(id="publish", description="Post things", effect="outward", arguments={"channel": "#diary", "text": "{{result}}"})
ACTIVITY = Need(id="activity", description="Find things", tools=("desk_find", "desk_list", "desk_read_post"))


def _wanted(job: bool) -> tuple[ToolCall, ...]:
    """What would meet the goal."""
    if not job:
        return ()
    return (
        ToolCall(id="", name="desk_find", arguments={"word": "tea"}),
        ToolCall(id="", name="desk_post", arguments={"channel": "#diary", "text": "we had tea\nand it rained"}),
    )


def _request(run_id: str, rng: Random, *, job: bool) -> RunRequest:
    asking = rng.choice(("tell of it", "post what you found"))
    task = Task(goal=f"Look what there is, and {asking}.", needs=(ACTIVITY, PUBLISH) if job else ())
    rules: list[Rule] = [
        Length(min_chars=20),
        Sections(titles=("Done", "TIL")),
        Forbidden(patterns=("秘密",)),
        ToolUsed(tool="desk_*"),
    ]
    chosen = rng.sample(rules, rng.randint(0, 3))
    if job:
        chosen.append(Evidence(need="publish", read_back=rng.choice(("no", "if_possible", "required"))))
    limits = Limits(
        turns=rng.choice([2, 5, 10, 15]),
        wall_s=rng.choice([None, 30.0, 300.0]),
        call_timeout_s=rng.choice([5.0, 30.0]),
        tokens=rng.choice([None, None, 8000]),
        calls_per_tool=rng.choice([None, 2, 60]),
        retries=rng.choice([0, 2, 20]),
        corrections=rng.choice([0, 2]),
    )
    tools = rng.choice([("*",), ("*",), ("*",), ("desk_*",), ()])
    return RunRequest(
        run_id=run_id,
        task=task,
        job="diary" if job else "",
        trigger="test",
        tools=tools,
        limits=limits,
        rules=tuple(chosen),
        simulate=rng.random() < 0.07,
    )


def replayed(played: Played) -> tuple[str, dict[str, JsonObject]]:
    """Play the recording of a run again: why that did not go as it did, if so, and the events it told, by key."""
    recording = played.recording
    assert recording is not None
    told = Journal()

    async def again() -> str:
        try:
            await replay(recording, journal=told)
        except ReplayDivergence as departure:
            return str(departure)
        return ""

    return in_virtual_time(again), {event.key: facts_of(event) for event in told.events}


def in_a_line(played: Played) -> str:
    """One run, for people who look for what went wrong."""
    end = played.result.ending if played.result else "-"
    return f"seed {played.seed}: {played.course}, {played.mind.temper}, {len(played.world.effects)} effects, {end}"
