"""Records a run's steps and replays them offline, with neither model nor tools.

Everything a run learns of the world comes through its steps, so what the steps gave, and what each model step was asked, is the
whole of it: one line of JSON each. Played again, the loop must ask for the same steps and send the model the same words; the
first departure is named.

A recording holds what the model and the tools said. It is as private as they are.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio
from pydantic import Field, TypeAdapter, ValidationError

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.errors import ModelError, ModelRejected, RunConflict
from autonomy.llm.messages import AssistantMessage, Message
from autonomy.llm.model import Model, ModelRequest, OnText
from autonomy.llm.model_chain import Chain
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, Approver
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Interrupted, Step, inline
from discovery.catalog import Frozen
from discovery.gateway import open_gateway
from metrics.events import EventSink

T = TypeVar("T")


class RecordedStep(Frozen):
    """The recorded result of one step, as data."""

    step: str
    gave: Any = None
    sent: tuple[Message, ...] | None = None
    """For a step that asked a model: the messages that are new since the last such step; None also where nobody listened."""


class Recording(Frozen):
    """A run as it can be played again."""

    format: Literal[1] = 1
    request: RunRequest
    model: str
    """Who was asked first: it stands in the events."""
    steps: tuple[RecordedStep, ...] = ()
    result: RunResult | None = Field(default=None)
    """What came of it; None when the recording broke off."""


class ReplayDivergence(RunConflict):
    """A run that is played again does not go as it was recorded."""


@dataclass
class StepRecorder:
    """A `Step` that keeps what every step gave."""

    inner: Step
    keep: Callable[[RecordedStep], None]
    _conversation: "_Conversation" = field(default_factory=lambda: _Conversation())

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        """Run the step; the run goes on with what was written down, so that a replay cannot differ by what JSON leaves out."""
        form: TypeAdapter[T] = TypeAdapter(returns)
        gave = form.dump_python(await self.inner(name, effect, returns), mode="json", fallback=str)
        self.keep(RecordedStep(step=name, gave=gave, sent=self._conversation.taken()))
        return form.validate_python(gave)

    def listening(self, model: Model) -> Model:
        """The model, overheard."""
        return _Overheard(model, self._conversation)


@dataclass
class Replayer:
    """A `Step` that hands back what was recorded and runs nothing, and a `Model` that only listens."""

    recording: Recording
    departure: ReplayDivergence | None = None
    _conversation: "_Conversation" = field(default_factory=lambda: _Conversation())
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._steps = {step.step: step for step in self.recording.steps}

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        """Return the recorded result of the step with that name. Raises `Interrupted` when there is none: the run stops, and
        `departure` says why."""
        known = self._steps.get(name)
        if known is None or name in self._asked:
            raise self._stopped(name, "it was not taken then" if known is None else "it is taken a second time")
        self._asked.add(name)
        if known.sent is not None or name.endswith("/model"):
            with suppress(ModelError):
                await effect()
            self._compare(known, self._conversation.taken() or ())
        try:
            return TypeAdapter(returns).validate_python(known.gave)
        except ValidationError as error:
            raise self._stopped(
                name, f"what it gave then is no {returns.__name__} any more: {error.errors()[0]['msg']}"
            ) from error

    @property
    def id(self) -> str:
        """The recorded model's."""
        return self.recording.model

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """Hear what would be sent; the reply comes from the recording."""
        self._conversation.hear(request)
        raise ModelRejected(self.id, "it is only listening")

    async def aclose(self) -> None:
        """Holds nothing."""

    @property
    def heard(self) -> Recording:
        """The recording with what the model is sent at each step, also where nobody listened when it was made."""
        return self.recording.model_copy(update={"steps": tuple(self._steps.values())})

    def check_end(self, result: RunResult) -> None:
        """Hold the end against the recording's. Raises `ReplayDivergence` for the first difference."""
        missing = [step.step for step in self.recording.steps if step.step not in self._asked]
        if missing:
            raise self._departed(missing[0], f"it was taken then and is not now, nor are {len(missing) - 1} others")
        then, now = self.recording.result, result.model_dump(mode="json")
        if then is not None and then.model_dump(mode="json") != now:
            names = [name for name, value in then.model_dump(mode="json").items() if value != now[name]]
            raise self._departed("the end", f"the result differs in {', '.join(names)}")

    def _compare(self, recorded: RecordedStep, now: Sequence[Message]) -> None:
        name, then = recorded.step, recorded.sent
        self._steps[name] = recorded.model_copy(update={"sent": tuple(now)})
        if then is None or tuple(then) == tuple(now):
            return
        at = next((at for at, pair in enumerate(zip(then, now, strict=False)) if pair[0] != pair[1]), min(len(then), len(now)))
        raise self._stopped(
            name, f"message {at + 1} of those it adds differs: {_words(then, at)!r} then, {_words(now, at)!r} now"
        )

    def _stopped(self, where: str, why: str) -> Interrupted:
        self.departure = self.departure or self._departed(where, why)
        return Interrupted(str(self.departure))

    def _departed(self, where: str, why: str) -> ReplayDivergence:
        return ReplayDivergence(f"run {self.recording.request.run_id} departs from its recording at {where}: {why}")


@dataclass
class _Conversation:
    """The messages that a model was sent, stored as additions to the previous ones."""

    _before: tuple[Message, ...] = ()
    _latest: tuple[Message, ...] | None = None

    def hear(self, request: ModelRequest) -> None:
        """Only the first try of a step counts: retries say the same, and corrections belong to the try before."""
        self._latest = request.messages if self._latest is None else self._latest

    def taken(self) -> tuple[Message, ...] | None:
        """The messages that the step which just ended added, or the whole conversation if it does not continue the old one; None
        if it asked no model."""
        if self._latest is None:
            return None
        latest = self._latest
        same = latest[: len(self._before)] == self._before
        new = latest[len(self._before) :] if same else latest
        self._before, self._latest = latest, None
        return new


@dataclass(frozen=True)
class _Overheard:
    model: Model
    conversation: _Conversation

    @property
    def id(self) -> str:
        return self.model.id

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        self.conversation.hear(request)
        return await self.model.complete(request, on_text)

    async def aclose(self) -> None:
        await self.model.aclose()


async def record(executor: Executor, request: RunRequest, step: Step = inline) -> tuple[RunResult, Recording]:
    """Execute a run and keep everything needed to play it again."""
    steps: list[RecordedStep] = []
    tape = StepRecorder(step, steps.append)
    chain = replace(executor.model, models=[tape.listening(model) for model in executor.model.models])
    services = replace(executor.services, approver=_by_step(executor.services.approver))
    result = await Executor(chain, services).execute(request, tape)
    return result, Recording(request=request, model=executor.model.id, steps=tuple(steps), result=result)


async def replay(recording: Recording, *, watchers: Sequence[EventSink] = (), journal: EventSink | None = None) -> Recording:
    """Play a recorded run again; gives the recording with its result, and what the model was sent.

    Raises `ReplayDivergence` at the first step that does not go as it did.
    """
    player = Replayer(recording)
    async with _offline(recording, player, watchers, journal) as executor:
        try:
            result = await executor.execute(recording.request, player)
        except BaseException:
            if player.departure is not None:
                raise player.departure from None
            raise
    player.check_end(result)
    return player.heard.model_copy(update={"result": result})


@asynccontextmanager
async def _offline(
    recording: Recording, player: Replayer, watchers: Sequence[EventSink], journal: EventSink | None
) -> AsyncIterator[Executor]:
    """An executor that could reach nothing if it tried."""
    async with open_gateway([]) as gateway:
        began = recording.result.started_at if recording.result else 0.0
        services = Services(gateway, approver=_by_step(_absent), watchers=watchers, journal=journal, clock=lambda: began)
        yield Executor(Chain([player]), services)


def _by_step(approver: Approver) -> Approver:
    """The approver, its answer a step of the run whoever gives it."""

    async def ask(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return await step(f"{question.key}/approval", lambda: approver(question, inline), ApprovalAnswer)

    return ask


async def _absent(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
    raise Interrupted(f"nobody can be asked about {question.tool} in a replay")


def recording_text(recording: Recording) -> str:
    """Render a recording: one line for the request, one for each step, one for the result."""
    head = recording.model_copy(update={"steps": (), "result": None})
    lines = [
        head.model_dump_json(exclude={"steps", "result"}),
        *(step.model_dump_json(exclude_none=True) for step in recording.steps),
    ]
    if recording.result is not None:
        lines.append(f'{{"result":{recording.result.model_dump_json()}}}')
    return "\n".join(lines) + "\n"


async def write_recording(recording: Recording, file: Path) -> None:
    """Write it to a file that its owner alone can read."""
    path = anyio.Path(file)
    await path.touch(mode=0o600)
    await path.write_text(recording_text(recording), encoding="utf-8")


async def read_recording(file: Path) -> Recording:
    """Read a file that `write_recording` wrote. Raises `RunConflict` naming file and line for anything else."""
    try:
        text = await anyio.Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RunConflict(f"{file}: is no recording: {error}") from error
    # not `splitlines`: a text may hold U+2028 or U+0085, which JSON does not escape
    return parse_recording(text.removesuffix("\n").split("\n") if text else (), str(file))


def parse_recording(lines: Iterable[str], where: str) -> Recording:
    """The lines of a recording. Raises `RunConflict` naming place and line."""
    recording: Recording | None = None
    steps: list[RecordedStep] = []
    for number, line in enumerate(lines, 1):
        try:
            if recording is None:
                recording = Recording.model_validate_json(line)
            elif line.startswith('{"result":'):
                result = _Last.model_validate_json(line).result
                recording = recording.model_copy(update={"result": result})
            else:
                steps.append(RecordedStep.model_validate_json(line))
        except ValidationError as error:
            raise RunConflict(f"{where}: line {number} is not of a recording: {error.errors()[0]['msg']}") from error
    if recording is None:
        raise RunConflict(f"{where}: is empty")
    return recording.model_copy(update={"steps": tuple(steps)})


class _Last(Frozen):
    result: RunResult


def _words(messages: Sequence[Message], at: int) -> str:
    return messages[at].model_dump_json()[:200] if at < len(messages) else "nothing"
