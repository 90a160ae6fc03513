"""The job file format: Markdown with front matter that declares needs, rules and a schedule.

A job speaks of what it needs, not of tools by name, so that it runs on any servers with such tools.
"""

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from autonomy.durable.scheduling.timetable import why_no_cron
from autonomy.errors import ConfigError, InputsMissing
from autonomy.jobs.inputs import CalendarMonth, Input, Week, read_input
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.team_jobs import Condition, ForEach
from autonomy.jobs.trigger_settings import FileTrigger, JobTrigger, MessageTrigger
from autonomy.jobs.webhook import WebhookTrigger
from autonomy.llm.model import Need, Section, Task
from autonomy.llm.templates import tables_in
from autonomy.policy.need_binding import LATE
from autonomy.policy.sinks import Sink, is_caption, sink_of
from autonomy.policy.texts.addresses import looks_like_address
from autonomy.run_state.asking.approvals import ApprovalTerms
from autonomy.run_state.completion_rules import Evidence, Postcondition, Rule
from autonomy.run_state.limits import Budget, Limits
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest, Trigger
from autonomy.settings import SecondOpinion, TimeZone
from discovery.catalog import Frozen, JsonObject
from discovery.text.near_names import did_you_mean

REPORT = "report"
"""The name under which `jiritsu jobs` knows the report on a schedule (`notifications.scheduled_report`); no job can have it."""

_REFERENCE = re.compile(r"\{\{\s*inputs\.(\w+)(\.end)?\s*(?::([^}]*))?\}\}")

_BY_CHANCE = re.compile(r"\bR\b", re.IGNORECASE)
"""What croniter fills in by chance."""


class Schedule(Frozen):
    """The schedule of a job."""

    cron: str
    """Five fields: minute, hour, day of the month, month, day of the week."""
    timezone: TimeZone | None = None
    """None given takes that of the settings."""
    holidays: Literal["run", "skip"] = "run"
    """What to do on a Japanese public holiday."""
    missed: Literal["run", "skip", "merge"] = "merge"
    """A tick that came while nothing was running: each one, none, or one for all of them.

    Of those that quiet hours held back: each one, else the last."""
    overlap: Literal["skip", "queue"] = "skip"
    """A tick that comes while the last run is still under way."""
    pause_after_failures: int = Field(3, ge=1)
    """Failures in a row after which the schedule pauses itself."""
    alert: str = ""
    """The channel that is told when the schedule pauses itself; none given takes the operator's (`[alerts]`)."""
    inputs: dict[str, str] = Field(default_factory=dict)
    """What its runs are told; words such as `last month` are read at each tick."""

    def plan(self, timezone: str) -> JsonObject:
        """The part that says when, for `Timetable`; `timezone`: that of the settings."""
        return self.model_dump(exclude={"alert", "inputs"}) | {"timezone": self.timezone or timezone}

    @field_validator("cron")
    @classmethod
    def _readable(cls, cron: str) -> str:
        if why := why_no_cron(cron):
            raise ValueError(f"{cron[:120]!r} is no cron expression: {why}")
        if _BY_CHANCE.search(cron):
            raise ValueError(f"{cron!r} is due at random: each worker, and each look, would come to other times")
        return cron


class RunDefaults(Frozen):
    """The defaults of the settings for the runs of all jobs; a job may set its own language and lower limits."""

    tenant: str = "default"
    limits: JsonObject = Field(default_factory=dict)
    language: Literal["ja", "en"] = "ja"
    location: str = ""
    """Where the operator is: told to a job that declares no needs, as it is told to a goal in words."""
    timezone: str = "Asia/Tokyo"
    """Of a schedule whose file names none."""
    second_opinion: SecondOpinion = False


class Job(Frozen):
    """One job file."""

    name: str
    file: Path
    title: str = ""
    goal: str
    inputs: dict[str, Input] = Field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    sections: tuple[Section, ...] = ()
    tools: tuple[str, ...] = ("*",)
    schedule: Schedule | None = None
    for_each: ForEach | None = None
    """One run for each person or thing in a list."""
    when: Condition | None = None
    """Looked at before a run: without it there is nothing to do."""
    budget: Budget = Budget()
    webhook: WebhookTrigger | None = None
    on_file: FileTrigger | None = None
    """A file that comes or changes starts it."""
    after_job: JobTrigger | None = None
    """The end of another job starts it."""
    on_message: MessageTrigger | None = None
    """A message in a channel starts it."""
    quiet_hours: QuietHours | Literal[False] | None = None
    """Its own, in place of the installation's; False (`off`) for a job that holds nothing back."""
    limits: JsonObject = Field(default_factory=dict)
    complete: tuple[Rule, ...] = ()
    check: tuple[Postcondition, ...] = ()
    """Reads that the executor makes after the writes, each with what it must bring."""
    delivery: tuple[str, ...] = ()
    """The needs by which the result leaves; each must be proven by a receipt and, where it can be, read back."""
    approval: ApprovalTerms = ApprovalTerms()
    """How long its questions stand, and what happens when nobody answers."""
    language: Literal["", "ja", "en"] = ""
    """The language of the answer; empty takes that of the settings."""
    instructions: str = ""
    plan: bool = False
    """Whether the model first makes a plan, which is checked against the catalog."""
    second_opinion: SecondOpinion | None = None
    """Whether a model reads the answer too and may reject it, or also settle doubts. None given takes that of the settings."""

    def quiet(self, installations: QuietHours | None) -> QuietHours | None:
        """The quiet hours that hold for it."""
        return installations if self.quiet_hours is None else self.quiet_hours or None

    @property
    def built_in(self) -> bool:
        """Whether it ships with Jiritsu: its schedule begins when somebody enables it."""
        return self.file.is_relative_to(BUILT_IN)

    def request(
        self,
        run_id: str,
        given: Mapping[str, str],
        *,
        now: datetime,
        defaults: RunDefaults = RunDefaults(),  # noqa: B008 - frozen
        actor: str = "",
        trigger: Trigger = "cli",
        simulate: bool = False,
        timezone: str = "",
        told_by_run: bool = False,
    ) -> RunRequest:
        """Build the request for the executor. A job's limits can only be nearer than the operator's; its language wins.

        `timezone`: of a person who asks for it, whose `today` it is then; else that of the schedule, which is `now`'s
        where its file names none. `told_by_run`: whether
        another run's answer gave the inputs.

        Raises `ConfigError` for an input that is unknown, missing or unreadable.
        """
        inputs = self._inputs(given, now, timezone)
        fill = _Filler(self.file, inputs)
        texts = [(name, text) for name in self._outside(given, trigger) if isinstance(text := inputs[name], str) and text.strip()]
        location = {"location": defaults.location} if defaults.location and not self.needs else {}
        task = Task(
            goal=fill.text("goal", self.goal),
            inputs={**location, **{name: str(value) for name, value in inputs.items()}},
            needs=tuple(self._filled_need(need, fill) for need in self.needs),
            sections=self.sections,
            language=self.language or defaults.language,
        )
        proofs = tuple(Evidence(need=need, read_back="if_possible") for need in self.delivery)
        return RunRequest(
            run_id=run_id,
            task=task,
            tenant=defaults.tenant,
            actor=actor,
            job=self.name,
            trigger=trigger,
            timezone=self.zone_named or getattr(now.tzinfo, "key", ""),
            instructions=self.instructions,
            tools=self.tools,
            limits=_nearest(defaults.limits, self.limits),
            budget=self.budget,
            rules=(*(self._filled_rule(rule, fill) for rule in (*self.complete, *self.check)), *proofs),
            approval=self.approval,
            plan=self.plan,
            second_opinion=defaults.second_opinion if self.second_opinion is None else self.second_opinion,
            simulate=simulate,
            strange=tuple(sorted(text for name, text in texts if told_by_run or _is_no_name(name, text))),
            own_goal=_Filler(self.file, {**inputs, **dict.fromkeys(dict(texts), "")}).text("goal", self.goal) if texts else None,
        )

    @property
    def asks_a_tool_to_start(self) -> bool:
        """Whether a tool decides if it starts, or for whom."""
        return self.when is not None or (self.for_each is not None and self.for_each.of is not None)

    def _outside(self, values: Mapping[str, str], trigger: Trigger) -> Collection[str]:
        """The inputs that came from outside: by a request or message, or out of a list."""
        return values.keys() if trigger in ("api", "message") else self._listed(values)

    def _listed(self, values: Mapping[str, str]) -> Collection[str]:
        """The inputs that a list of a tool or a CSV file may have given: a list says who, and orders nothing."""
        if self.for_each is not None and self.for_each.csv is not None:
            planned = self.schedule.inputs if self.schedule else {}
            return [name for name, text in values.items() if planned.get(name) != text]
        return values.keys() & ({self.for_each.input} if self.for_each and self.for_each.of else set())

    def _filled_need(self, need: Need, fill: "_Filler") -> Need:
        arguments = fill.data(need.id, need.arguments)
        for name, value in arguments.items():
            try:
                tables_in(value)
            except ValueError as error:
                raise ConfigError(self.file, f"needs.{need.id}.arguments.{name}", str(error)) from error
        return need.model_copy(update={"arguments": arguments})

    def _filled_rule(self, rule: Rule, fill: "_Filler") -> Rule:
        if not isinstance(rule, Postcondition):
            return rule
        update = {name: fill.data(f"check.{name}", getattr(rule, name)) for name in ("arguments", "equals", "contains")}
        return rule.model_copy(update=update)

    def condition(self, when: Condition, values: Mapping[str, str], now: datetime) -> Condition:
        """Its condition with inputs in it, before a run is asked for; what is not given is empty. Raises `ConfigError`."""
        self._refuse_unknown(values)  # of a slip in `month`, another month would be looked at, and nothing said
        known = {
            name: values.get(name) or spec.default or ("" if spec.type == "text" else None) for name, spec in self.inputs.items()
        }
        inputs = self._values({name: value for name, value in known.items() if value is not None}, now)
        fill = _Filler(self.file, inputs)
        update = {name: fill.data(f"when.{name}", getattr(when, name)) for name in ("arguments", "above", "below")}
        return when.model_copy(update=update)

    @property
    def zone_named(self) -> str:
        """The time zone that the file names for its schedule, if any."""
        return (self.schedule.timezone if self.schedule else None) or ""

    def _values(self, texts: Mapping[str, str], now: datetime, timezone: str = "") -> dict[str, str | date]:
        named = timezone or self.zone_named
        zone = ZoneInfo(named) if named else now.tzinfo
        today = now.astimezone(zone).date()
        return {name: self._value(name, self.inputs[name], text, today) for name, text in texts.items()}

    def lacking(self, inputs: Mapping[str, str]) -> list[str]:
        """The inputs that a run wants and that nobody has given."""
        return [name for name, spec in self.inputs.items() if spec.required and not (inputs.get(name) or spec.default)]

    def require(self, inputs: Mapping[str, str]) -> None:
        """Raises `InputsMissing` for inputs that a run wants and that nobody has given."""
        if lacking := self.lacking(inputs):
            listed = "; ".join(
                f"{name} ({description})" if (description := self.inputs[name].description) else name for name in lacking
            )
            raise InputsMissing(f"job {self.name}", listed)

    def _inputs(self, values: Mapping[str, str], now: datetime, timezone: str) -> dict[str, str | date]:
        self.require(values)
        self._refuse_unknown(values)
        return self._values({name: values.get(name) or spec.default for name, spec in self.inputs.items()}, now, timezone)

    def _refuse_unknown(self, names: Mapping[str, str]) -> None:
        for name in names:
            if name not in self.inputs:
                why = f"the job has no such input; it has {', '.join(self.inputs) or 'none'}{did_you_mean(name, self.inputs)}"
                raise ConfigError(self.file, f"inputs.{name}", why)

    def _value(self, name: str, spec: Input, text: str, today: date) -> str | date:
        try:
            return read_input(spec.type, text, today)
        except (ValueError, OverflowError) as error:
            raise ConfigError(self.file, f"inputs.{name}", str(error)) from error


def _nearest(operators: Mapping[str, Any], own: Mapping[str, Any]) -> Limits:
    """The nearer of two limits wherever both set one: no job file widens what the operator allows."""
    operators, own = _as_numbers(operators), _as_numbers(own)
    shared = {name for name in operators.keys() & own.keys() if operators[name] is not None and own[name] is not None}
    unset = {name for name in operators.keys() & own.keys() if own[name] is None}
    nearer = {name: min(operators[name], own[name]) for name in shared} | {name: operators[name] for name in unset}
    return Limits.model_validate({**operators, **own, **nearer})


def _as_numbers(limits: Mapping[str, Any]) -> Mapping[str, Any]:
    """Limits as they will be read: a file may say `"500"`, which nothing can be compared with."""
    return Limits.model_validate(limits).model_dump(include=set(limits))


_NAME = re.compile(r"(?=.{1,60}\Z)[\w.@#+'’・/-]+(?: [\w.@#+'’・/-]+){0,2}")
"""An id, an address or somebody's name: one line of at most three words. An order has room there too (`RunRequest.own_goal`)."""


_SIGNS_OF_AN_ADDRESS = re.compile(r"[@#./_]|\d{6}|[A-Za-z].*\d|\d.*[A-Za-z]")


def _is_no_name(name: str, text: str) -> bool:
    """Whether a text from outside is more than a name, or an id or address in an input that by its own name says neither who nor
    where: a title, a message. What somebody is called is no address of his, and a customer is no page."""
    if not _NAME.fullmatch(text):
        return True
    is_text = sink_of(name, {}) in (Sink.TEXT, Sink.QUERY) and _SIGNS_OF_AN_ADDRESS.search(text) is not None
    is_path_to_somebody = "@" in text and "/" in text  # whoever drops a file has named it
    is_page = "@" not in text and looks_like_address(text) and sink_of(name, {}) is not Sink.HOST
    return is_text or is_path_to_somebody or is_page or (is_caption(name) and ("@" in text or "/" in text))


class _Filler:
    """Puts inputs in the place of `{{inputs.name}}`, `{{inputs.day:%Y/%m/%d}}` and `{{inputs.week.end:%Y-%m-%d}}`, the last day
    of a week or month; other references are the run's to fill."""

    def __init__(self, file: Path, inputs: Mapping[str, str | date]) -> None:
        self._file, self._inputs = file, inputs

    def text(self, key: str, text: str) -> str:
        def put(match: re.Match[str]) -> str:
            name, end, form = match.groups()
            if name not in self._inputs:
                raise ConfigError(
                    self._file, key, f"refers to inputs.{name}, which the job does not declare{did_you_mean(name, self._inputs)}"
                )
            value = self._inputs[name]
            if end:
                if not isinstance(value, CalendarMonth | Week):
                    raise ConfigError(self._file, key, f"{match.group()} is neither a month nor a week: it has no end")
                value = value.end
            try:
                return value.strftime(form) if form and isinstance(value, date) else str(value)
            except ValueError as error:
                raise ConfigError(self._file, key, f"{match.group()} cannot be filled in: {error}") from error

        return _REFERENCE.sub(put, text)

    def _closed(self, key: str, text: str, filled: str) -> str:
        """The filled text. Only the job file leaves a value to the run: an input that says `{{result}}` would undo what it
        fixes."""
        if filled.count(LATE) > _REFERENCE.sub(" ", text).count(LATE):
            raise ConfigError(
                self._file, key, f"an input puts {LATE} into {filled[:80]!r}: only the job file leaves a value open"
            )
        return filled

    def data(self, key: str, data: Any) -> Any:
        match data:
            case str():
                return self._closed(key, data, self.text(key, data))
            case dict():
                return {name: self.data(f"{key}.{name}", value) for name, value in data.items()}
            case list():
                return [self.data(key, value) for value in data]
            case _:
                return data
