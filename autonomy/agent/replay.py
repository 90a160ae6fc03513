"""Records a run's steps and replays them offline, with neither model nor tools.

A recording holds the result of each step, and the messages that each model step sent: one line of JSON each. In a replay the
loop must take the same steps and send the same messages; the first divergence is named.

A recording holds what the model and the tools said, and is as private as they are.
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
from autonomy.errors import RunConflict
from autonomy.llm.messages import AssistantMessage, Message
from autonomy.llm.model import Model, ModelRequest, OnText
from autonomy.llm.model_chain import Chain
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, Approver
from autonomy.run_state.limits import Use
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
    """For a step that asked a model: the messages that are new since the last such step; None where they were not recorded."""


class Recording(Frozen):
    """A run as it can be replayed."""

    format: Literal[1] = 1
    request: RunRequest
    model: str
    """The id of the model that was asked first, as the events have it."""
    steps: tuple[RecordedStep, ...] = ()
    result: RunResult | None = Field(default=None)
    """None when the recording broke off."""


class ReplayDivergence(RunConflict):
    """A replay takes another step, or sends another message, than was recorded."""


@dataclass
class StepRecorder:
    """A `Step` that records the result of every step."""

    inner: Step
    keep: Callable[[RecordedStep], None]
    _conversation: "_Conversation" = field(default_factory=lambda: _Conversation())

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        """Run the step and return its result as recorded, so that a replay cannot differ by what JSON leaves out."""
        form: TypeAdapter[T] = TypeAdapter(returns)
        gave = form.dump_python(await self.inner(name, effect, returns), mode="json", fallback=str)
        self.keep(RecordedStep(step=name, gave=gave, sent=self._conversation.take_new()))
        return form.validate_python(gave)

    def recording_model(self, model: Model) -> Model:
        """The model, with the messages it is sent recorded."""
        return _RecordingModel(model, self._conversation)


@dataclass
class Replayer:
    """A `Step` that returns recorded results, and a `Model` that notes what it is sent and never replies."""

    recording: Recording
    divergence: ReplayDivergence | None = None
    """The first divergence, which stopped the replay."""
    _conversation: "_Conversation" = field(default_factory=lambda: _Conversation())
    _taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._steps = {step.step: step for step in self.recording.steps}

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        """Return the recorded result of a step. Raises `Interrupted` at a divergence, which `divergence` then holds."""
        known = self._steps.get(name)
        if known is None or name in self._taken:
            raise self._diverge(name, "it was not taken then" if known is None else "it is taken a second time")
        self._taken.add(name)
        if known.sent is not None or name.endswith("/model"):
            with suppress(Interrupted):
                await effect()
            self._compare(known, self._conversation.take_new() or ())
        try:
            return TypeAdapter(returns).validate_python(known.gave)
        except ValidationError as error:
            raise self._diverge(
                name, f"what it gave then is no {returns.__name__} any more: {error.errors()[0]['msg']}"
            ) from error

    @property
    def id(self) -> str:
        """The recorded model's."""
        return self.recording.model

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """Note what would be sent; raises `Interrupted`, since the reply comes from the recording, and so do its failures."""
        self._conversation.note(request)
        raise Interrupted("a model never replies in a replay")

    async def aclose(self) -> None:
        """Close nothing."""

    @property
    def with_sent_messages(self) -> Recording:
        """The recording with what the model is sent at each step, also where that was not recorded."""
        return self.recording.model_copy(update={"steps": tuple(self._steps.values())})

    def check_end(self, result: RunResult) -> None:
        """Compare the end with the recorded one. Raises `ReplayDivergence` for the first difference."""
        missing = [step.step for step in self.recording.steps if step.step not in self._taken]
        if missing:
            others = f", nor are {len(missing) - 1} others" if len(missing) > 1 else ""
            raise self._divergence_at(missing[0], f"it was taken then and is not now{others}")
        then, now = self.recording.result, result.model_dump(mode="json")
        if then is not None and then.model_dump(mode="json") != now:
            names = [name for name, value in then.model_dump(mode="json").items() if value != now[name]]
            raise self._divergence_at("the end", f"the result differs in {', '.join(names)}")

    def _compare(self, recorded: RecordedStep, now: Sequence[Message]) -> None:
        name, then = recorded.step, recorded.sent
        self._steps[name] = recorded.model_copy(update={"sent": tuple(now)})
        if then is None or tuple(then) == tuple(now):
            return
        at = _first_difference(then, now)
        was, now_is = _differing(_text(then, at), _text(now, at))
        raise self._diverge(name, f"message {at + 1} of those it adds differs: {was!r} then, {now_is!r} now")

    def _diverge(self, where: str, why: str) -> Interrupted:
        self.divergence = self.divergence or self._divergence_at(where, why)
        return Interrupted(str(self.divergence))

    def _divergence_at(self, where: str, why: str) -> ReplayDivergence:
        return ReplayDivergence(f"run {self.recording.request.run_id} departs from its recording at {where}: {why}")


@dataclass
class _Conversation:
    """The messages that a model was sent, as additions to those before."""

    _before: tuple[Message, ...] = ()
    _latest: tuple[Message, ...] | None = None

    def note(self, request: ModelRequest) -> None:
        """Note what is sent. Only the first attempt of a step counts: retries send the same, and corrections belong to it."""
        self._latest = request.messages if self._latest is None else self._latest

    def take_new(self) -> tuple[Message, ...] | None:
        """The messages that the step which just ended added: all of them, if they do not continue those before; None if it asked
        no model."""
        if self._latest is None:
            return None
        latest = self._latest
        same = latest[: len(self._before)] == self._before
        new = latest[len(self._before) :] if same else latest
        self._before, self._latest = latest, None
        return new


@dataclass(frozen=True)
class _RecordingModel:
    model: Model
    conversation: _Conversation

    @property
    def id(self) -> str:
        return self.model.id

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        self.conversation.note(request)
        return await self.model.complete(request, on_text)

    async def aclose(self) -> None:
        await self.model.aclose()


async def record(executor: Executor, request: RunRequest, step: Step = inline) -> tuple[RunResult, Recording]:
    """Execute a run; gives its result, and its recording."""
    steps: list[RecordedStep] = []
    recorder = StepRecorder(step, steps.append)
    chain = replace(executor.model, models=[recorder.recording_model(model) for model in executor.model.models])
    services = replace(executor.services, approver=_by_step(executor.services.approver))
    result = await Executor(chain, services).execute(request, recorder)
    return result, Recording(request=request, model=executor.model.id, steps=tuple(steps), result=result)


async def replay(recording: Recording, *, watchers: Sequence[EventSink] = (), journal: EventSink | None = None) -> Recording:
    """Replay a run; gives its recording with its result and the messages that the model was sent.

    `watchers` and `journal` get the events of the replay. Raises `ReplayDivergence` at the first step that differs.
    """
    replayer = Replayer(recording)
    async with _offline(recording, replayer, watchers, journal) as executor:
        try:
            result = await executor.execute(recording.request, replayer)
        except BaseException:
            if replayer.divergence is not None:
                raise replayer.divergence from None
            raise
    replayer.check_end(result)
    return replayer.with_sent_messages.model_copy(update={"result": result})


@asynccontextmanager
async def _offline(
    recording: Recording, replayer: Replayer, watchers: Sequence[EventSink], journal: EventSink | None
) -> AsyncIterator[Executor]:
    """An executor without servers, models or people."""
    async with open_gateway([]) as gateway:
        began = recording.result.started_at if recording.result else 0.0
        services = Services(
            gateway,
            approver=_by_step(_absent),
            watchers=watchers,
            journal=journal,
            over_budget=_uncounted if any(step.step.endswith("budget") for step in recording.steps) else None,
            clock=lambda: began,
        )
        yield Executor(Chain([replayer]), services)


def _by_step(approver: Approver) -> Approver:
    """An approver whose answers are recorded as steps, as those of the durable store are."""

    async def ask(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return await step(f"{question.key}/approval", lambda: approver(question, inline), ApprovalAnswer)

    return ask


async def _absent(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
    raise Interrupted(f"nobody can be asked about {question.tool} in a replay")


async def _uncounted(request: RunRequest, now: float, own: Use | None) -> str:
    raise Interrupted("nobody counts a budget in a replay: what was counted then is recorded")


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
    """Write a recording to a file, which its owner alone can read from then on. Raises `OSError`."""
    path = anyio.Path(file)
    await path.touch(mode=0o600)
    await path.chmod(0o600)  # one that was there may be open to others
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
    """Parse the lines of a recording; `where` names their place. Raises `RunConflict` naming place and line."""
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


def _first_difference(then: Sequence[object], now: Sequence[object]) -> int:
    return next((at for at, pair in enumerate(zip(then, now, strict=False)) if pair[0] != pair[1]), min(len(then), len(now)))


def _text(messages: Sequence[Message], at: int) -> str:
    return messages[at].model_dump_json() if at < len(messages) else "nothing"


def _differing(then: str, now: str) -> tuple[str, str]:
    """Of two texts what stands from a little before their first difference on: a prompt is long, and begins alike."""
    begin = max(_first_difference(then, now) - 60, 0)
    dots = "…" if begin else ""
    return f"{dots}{then[begin : begin + 200]}", f"{dots}{now[begin : begin + 200]}"
