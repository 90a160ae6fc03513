"""A job file explained line by line: what each key makes the job do."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from autonomy.jobs.job import Job

MEANINGS = {
    "extends": "all of that job that is not said otherwise here",
    "title": "how people see it",
    "inputs": "what a run is told (-i NAME=VALUE); {{inputs.NAME}} puts it in",
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
    "needs.after": "waits for these, and is not done before their evidence holds",
    "sections": "the parts of the text, in order",
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
    "schedule.inputs": "what its runs are told; words such as `yesterday` are read at each tick",
    "schedule.pause_after_failures": "so many failures in a row pause it, and people are told",
    "for_each": "one run for each of a list",
    "for_each.of.where": "only items that have these fields",
    "when": "looked at before a run; without it there is nothing to do",
    "when.above": "runs only if a value is greater (45 h: so many hours, of minutes)",
    "when.below": "runs only if a value is less (45 h: so many hours, of minutes)",
    "budget": "for all its runs of a day",
    "quiet_hours": "when its schedule, its questions and its results wait; off: never",
    "quiet_hours.start": "from then on, each day",
    "quiet_hours.end": "until then; what was held back goes on",
    "webhook": "POST /hooks/JOB starts it, signed with this secret (`jiritsu worker --listen`)",
    "on_file": "a file that comes or changes starts it, once each, where a worker runs",
    "on_file.path": "a file, or a pattern in one folder: inbox/*.csv, beside the job file",
    "on_file.input": "the input that is told the file's path",
    "after_job": "each run of that job that ends starts it, where a worker runs",
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
    "approval": "how long its questions wait, and what happens when nobody answers",
    "approval.drafts": "a person reads these first, may edit them, and only then they go out",
    "language": "of the answer",
    "instructions": "the operator's words for the model",
    "plan": "the model plans first, and the plan is checked",
    "second_opinion": "a second model reads the answer; it can only fail it",
}


class ExplainedLine(NamedTuple):
    """One line of a file that says something."""

    number: int
    text: str
    meaning: str


def explained(job: Job) -> Iterator[ExplainedLine]:
    """Each line of the job's file that a key begins, with what it does."""
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    told: dict[int, str] = {}
    for line_number, meaning in _meanings(job.file):
        told.setdefault(line_number, meaning)  # of several keys in a line the first says what the line is for
    goal_begins = next((number for number, line in enumerate(lines[1:], 2) if line.startswith("---")), len(lines)) + 1
    for number, line in enumerate(lines, 1):
        if number in told:
            yield ExplainedLine(number, line, told[number])
        elif number == goal_begins:
            yield ExplainedLine(number, line, "the goal, in words: from here to the end of the file")


def _meanings(file: Path) -> Iterator[tuple[int, str]]:
    """Line → meaning, of the front matter."""
    text = file.read_text(encoding="utf-8-sig")
    head = text.split("\n---", 1)[0].split("\n", 1)[-1]
    root = yaml.compose(head, Loader=yaml.SafeLoader)
    if isinstance(root, yaml.MappingNode):
        yield from _of_table(root, "")


def _of_table(table: yaml.MappingNode, path: str) -> Iterator[tuple[int, str]]:
    for key, value in table.value:
        at = f"{path}.{key.value}".lstrip(".")
        if meaning := MEANINGS.get(at) or MEANINGS.get(
            ".".join("*" if n == 1 and at.startswith("inputs.") else p for n, p in enumerate(at.split(".")))
        ):
            yield key.start_mark.line + 2, meaning
        for inner in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if isinstance(inner, yaml.MappingNode):
                yield from _of_table(inner, at)
