"""Explains a job file line by line: what each key makes the job do."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN

MEANINGS = {
    "extends": "all of that job that is not said otherwise here",
    "title": "how people see it",
    "inputs": "what a run is told (-i NAME=VALUE); {{inputs.NAME}} puts it in",
    "inputs.*": "one of them",
    "inputs.*.description": "what people are told of it",
    "inputs.*.type": "how its words are read: text, date, month, week, person, channel",
    "inputs.*.default": "taken when nothing is given",
    "inputs.*.required": "without it no run starts",
    "inputs.*.example": "a value that the sample knows, to try it with",
    "needs": "what must be found or done; tools are chosen by these words, never named",
    "needs.id": "its name for `after`, `delivery`, `sections` and {{…}}",
    "needs.description": "the words by which a tool is found",
    "needs.effect": "read looks; write and outward change something and are bound to this declaration",
    "needs.arguments": "what its tool is given; a write may go nowhere else",
    "needs.tools": "only tools of these names may meet it",
    "needs.required": "false: the run may be complete without it",
    "needs.enough": "how many of what can be listed it must visit: all, or a number",
    "needs.times": "how many calls of a run may meet it",
    "needs.after": "waits for these, and is not done before their evidence holds",
    "sections": "the parts of the text, in order",
    "sections.title": "its heading",
    "sections.source": "the need whose results it is drawn from",
    "sections.cues": "words by which the offline planner knows a line of it",
    "sections.limit": "the most lines it may have",
    "sections.empty": "what stands there when nothing was found",
    "tools": "the only tools it may use",
    "schedule": "when it runs by itself, where a worker runs (`jiritsu worker`)",
    "schedule.cron": "minute hour day month weekday",
    "schedule.timezone": "whose clock that is",
    "schedule.holidays": "on a Japanese public holiday: run or skip",
    "schedule.missed": "ticks that came while no worker ran: run, skip, or merge into one (of quiet hours: run, or the last)",
    "schedule.overlap": "a tick that comes while the last run goes on: skip or queue",
    "schedule.alert": "the channel that is told when it pauses itself",
    "schedule.inputs": "what its runs are told; words such as `yesterday` are read at each tick",
    "schedule.pause_after_failures": "so many failures in a row pause it, and people are told",
    "for_each": "one run for each of a list",
    "for_each.input": "the input that takes each item",
    "for_each.items": "the list itself",
    "for_each.csv": "a file whose first row names inputs",
    "for_each.of": "what a tool lists",
    "for_each.of.tool": "the full name of a tool that reads",
    "for_each.of.arguments": "what it is asked",
    "for_each.of.value": "where in its result the items are: `users[].name`",
    "for_each.at_once": "how many run beside each other",
    "for_each.of.where": "only items that have these fields",
    "when": "looked at before a run; without it there is nothing to do",
    "when.tool": "the full name of a tool that reads",
    "when.arguments": "what it is asked",
    "when.value": "where in its result it looks: `days[].minutes`",
    "when.where": "only items that have these fields",
    "when.above": "runs only if a value is greater (45 h: so many hours, of minutes)",
    "when.below": "runs only if a value is less (45 h: so many hours, of minutes)",
    "budget": "for all its runs of a day",
    "budget.usd_per_day": "US dollars of model use",
    "budget.calls_per_day": "calls of tools",
    "budget.runs_per_day": "runs",
    "quiet_hours": "when its schedule, its questions and its results wait; off: never",
    "quiet_hours.start": "from then on, each day",
    "quiet_hours.end": "until then; what was held back goes on",
    "quiet_hours.timezone": "whose clock that is",
    "quiet_hours.alerts": "hold or pass: whether people are told at once of a schedule that paused itself",
    "webhook": "POST /hooks/JOB starts it, signed with this secret (`jiritsu worker --listen`)",
    "webhook.secret_env": "the variable that holds the secret",
    "on_file": "a file that comes or changes starts it, once each, where a worker runs",
    "on_file.path": "a file, or a pattern in one folder: inbox/*.csv, beside the job file",
    "on_file.input": "the input that is told the file's path",
    "after_job": "each run of that job that ends starts it, where a worker runs",
    "after_job.job": "which job",
    "after_job.endings": "with which endings: completed, unless others are named",
    "after_job.input": "the input that is told what that run answered",
    "on_message": "each message in a channel of Slack starts it (`jiritsu serve`)",
    "on_message.channel": "the channel's id",
    "on_message.words": "only messages that hold these words",
    "on_message.input": "the input that is told the message",
    "limits": "where a run ends whatever it has done",
    "limits.turns": "replies of the model that may ask for tools",
    "limits.wall_s": "seconds of work",
    "limits.usd": "US dollars of model use",
    "complete": "what must hold before a run may call itself completed",
    "complete.rule": "checked on evidence, not on the model's words",
    "check": "reads that Jiritsu makes itself after the writes; what they must bring",
    "check.rule": "which kind of rule it is",
    "check.title": "how people and the model are told of it",
    "check.tool": "the full name of a tool that reads; one that writes is refused",
    "check.arguments": "what it is asked; {{inputs.NAME}}, or {{needs.ID.PATH}} for what a need brought",
    "check.value": "where in the result it looks: `days[].minutes`; none given takes the whole",
    "check.equals": "each value must be this",
    "check.contains": "one value must hold this text",
    "check.above": "each figure must be greater",
    "check.below": "each figure must be less",
    "check.count": "so many must be there, on one page",
    "delivery": "needs that must be proven by a receipt and, where possible, read back",
    "approval": "what it asks people, and how long it waits for them",
    "approval.wait_s": "seconds a question waits for its answer",
    "approval.expired": "when nobody answered in time: go_on without the call, or stop",
    "approval.questions": "what a server that asks in the middle of a call hears: ask a person, defaults, or decline",
    "approval.sampling": "whether a server that asks gets a reply of the run's model: ask a person, allow, or deny",
    "approval.drafts": "a person reads these first, may edit them, and only then they go out",
    "language": "of the answer",
    "instructions": "the operator's words for the model",
    "plan": "the model plans first, and the plan is checked",
    "second_opinion": "a second model reads the answer; it can only fail it",
}


class ExplainedLine(NamedTuple):
    """One line of a file that says something, or one more key in it."""

    number: int
    """0 for a key that stands further on in the line above."""
    text: str
    meaning: str


def explained(job: Job) -> Iterator[ExplainedLine]:
    """Each line of the job's file that a key begins, with what it does, and each further key of the line where it comes first."""
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    told: dict[int, list[_Meaning]] = {}
    for meaning in _meanings(job.file):
        told.setdefault(meaning.line, []).append(meaning)
    known: set[str] = set()
    goal_begins = next((number for number, line in enumerate(lines[1:], 2) if line.startswith("---")), len(lines)) + 1
    for number, line in enumerate(lines, 1):
        if number in told:
            first, *others = told[number]
            yield ExplainedLine(number, line, first.meaning)
            for other in others:
                if other.meaning not in known:
                    yield ExplainedLine(0, f"{' ' * (first.column + 4)}{other.key}", other.meaning)
            known |= {other.meaning for other in told[number]}
        elif number == goal_begins:
            yield ExplainedLine(number, line, "the goal, in words: from here to the end of the file")


class SampleValue(NamedTuple):
    """An id of the sample workspace in a job's file."""

    line: int
    value: str
    name: str
    """What people of the sample call it."""


def values_of_sample(job: Job) -> list[SampleValue]:
    """The ids of the sample's channels and people in the job's file: elsewhere its posts and messages would reach nobody."""
    names = _sample_names()
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    return [
        SampleValue(number, value, names[value])
        for number, line in enumerate(lines, 1)
        for value in dict.fromkeys(re.findall(r"\b[CU]\w+\b", _NO_VALUE.sub("", line)))
        if value in names
    ]


_NO_VALUE = re.compile(r"(?:^|\s)#.*|\bexample:\s*[\w.-]+")
"""A remark, and a value that is meant for the sample."""


@cache
def _sample_names() -> Mapping[str, str]:
    """Id → name, of the channels and people of the samples."""
    found: dict[str, str] = {}
    for slack in (BUILT_IN / "diary" / "sample" / "slack", BUILT_IN / "en" / "diary" / "sample" / "slack"):
        for file, sign in (("channels.json", "#"), ("users.json", "@")):
            listed = json.loads((slack / file).read_text(encoding="utf-8"))
            found |= {one["id"]: f"{sign}{one['name']}" for one in listed}
    return found


class _Meaning(NamedTuple):
    """The meaning of a key of the front matter, and its line."""

    line: int
    column: int
    key: str
    meaning: str


def _meanings(file: Path) -> Iterator[_Meaning]:
    """The meanings of the front matter's keys, in their order."""
    text = file.read_text(encoding="utf-8-sig")
    head = text.split("\n---", 1)[0].split("\n", 1)[-1]
    root = yaml.compose(head, Loader=yaml.SafeLoader)
    if isinstance(root, yaml.MappingNode):
        yield from _of_table(root, "")


def _of_table(table: yaml.MappingNode, path: str) -> Iterator[_Meaning]:
    for key, value in table.value:
        at = f"{path}.{key.value}".lstrip(".")
        if meaning := MEANINGS.get(at) or MEANINGS.get(
            ".".join("*" if n == 1 and at.startswith("inputs.") else p for n, p in enumerate(at.split(".")))
        ):
            yield _Meaning(key.start_mark.line + 2, key.start_mark.column, key.value, meaning)
        for inner in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if isinstance(inner, yaml.MappingNode):
                yield from _of_table(inner, at)
