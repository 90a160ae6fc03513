"""Explains a job file line by line: what each key makes the job do."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN

OF_KEYS = {
    "extends": "inherits everything of that job that this file does not set",
    "title": "the title for people",
    "inputs": "the inputs of a run (-i NAME=VALUE); {{inputs.NAME}} inserts one",
    "inputs.*": "an input",
    "inputs.*.description": "its description for people",
    "inputs.*.type": "its type: text, date, month, week, person, channel",
    "inputs.*.default": "the value if none is given",
    "inputs.*.required": "required: without it no run starts",
    "inputs.*.example": "a value for trying it on the sample",
    "needs": "what must be read or written; tools are chosen by these words, not named",
    "needs.id": "its name for `after`, `delivery`, `sections` and {{…}}",
    "needs.description": "the words by which a tool is chosen",
    "needs.effect": "read only reads; write and outward change something and are bound to this declaration",
    "needs.arguments": "the arguments of its tool; a write cannot go anywhere else",
    "needs.tools": "only tools with these names may meet it",
    "needs.required": "false: the run may be complete without it",
    "needs.enough": "how many listed items it must read: all, or a number",
    "needs.times": "how many calls of a run may serve it",
    "needs.after": "waits for these needs, until their evidence holds",
    "sections": "the parts of the text, in order",
    "sections.title": "the heading",
    "sections.source": "the need whose results are its material",
    "sections.cues": "words by which the offline planner selects its lines",
    "sections.rest": "true: it takes the lines, too, that no section's words select",
    "sections.limit": "its maximum number of lines",
    "sections.empty": "the text if nothing was found",
    "tools": "the only tools it may use",
    "schedule": "when it runs; a worker must be running (`jiritsu worker`)",
    "schedule.cron": "minute hour day month weekday",
    "schedule.timezone": "the time zone of that schedule",
    "schedule.holidays": "on a Japanese public holiday: run or skip",
    "schedule.missed": "ticks missed while no worker ran: run, skip, or merge into one (in quiet hours: run, or the last)",
    "schedule.overlap": "a tick while the previous run is active: skip or queue",
    "schedule.alert": "the channel that is alerted when it pauses itself",
    "schedule.inputs": "the inputs of scheduled runs; words such as `yesterday` are evaluated at each tick",
    "schedule.pause_after_failures": "the number of failures in a row that pauses it and alerts people",
    "for_each": "one run for each item of a list",
    "for_each.input": "the input that receives each item",
    "for_each.items": "the list itself",
    "for_each.csv": "a CSV file whose first row names inputs",
    "for_each.of": "a list from a tool",
    "for_each.of.tool": "the full name of a read tool",
    "for_each.of.arguments": "its arguments",
    "for_each.of.value": "the path of the items in its result: `users[].name`",
    "for_each.at_once": "how many runs at once",
    "for_each.of.where": "only items with these fields",
    "when": "checked before a run; if it fails, no run starts",
    "when.tool": "the full name of a read tool",
    "when.arguments": "its arguments",
    "when.value": "the path in its result: `days[].minutes`; without above and below, all but 0 and false starts a run",
    "when.where": "only items with these fields",
    "when.above": "runs only if a value is greater (45 h compares minutes with 45 hours)",
    "when.below": "runs only if a value is less (45 h compares minutes with 45 hours)",
    "budget": "limits for all runs of a day",
    "budget.usd_per_day": "the maximum US dollars for models",
    "budget.calls_per_day": "calls of tools",
    "budget.runs_per_day": "runs",
    "quiet_hours": "when its schedule, questions and results are held back; off: never",
    "quiet_hours.start": "the start, each day",
    "quiet_hours.end": "the end; what was held back continues",
    "quiet_hours.timezone": "the time zone of these hours",
    "quiet_hours.alerts": "hold or pass: whether the alert of a schedule that paused itself is sent at once",
    "webhook": "POST /hooks/JOB starts it, signed with this secret (`jiritsu worker --listen`)",
    "webhook.secret_env": "the variable that holds the secret",
    "on_file": "a new or changed file starts it once; a worker must be running",
    "on_file.path": "a file, or a pattern in one folder: inbox/*.csv, beside the job file",
    "on_file.input": "the input that receives the file's path",
    "after_job": "the end of that job starts it, once for a whole list; a worker must be running",
    "after_job.job": "the job",
    "after_job.endings": "the endings that count; default: completed",
    "after_job.each": "true: each ended run of a list (`for_each`) starts it",
    "after_job.input": "the input that receives that run's answer; of a list, the answer of each",
    "on_message": "each message in a channel of Slack starts it (`jiritsu serve`)",
    "on_message.channel": "the channel's id",
    "on_message.words": "only messages with these words",
    "on_message.input": "the input that receives the message",
    "limits": "the limits at which a run ends",
    "limits.turns": "the maximum number of model replies that may call tools",
    "limits.wall_s": "the maximum seconds of work",
    "limits.usd": "the maximum US dollars for models",
    "complete": "the rules that must hold for `completed`",
    "complete.rule": "checked on evidence, not on the model's words",
    "complete.titles": "the headings that the text must have",
    "complete.min_chars": "the fewest characters",
    "complete.max_chars": "the most characters",
    "complete.language": "the language that the text must have",
    "complete.json_schema": "the schema that the text must match",
    "complete.patterns": "regular expressions, none of which may fit",
    "complete.input": "the input that holds the day",
    "complete.tool": "the tool that must have succeeded; * stands for any letters",
    "complete.need": "the need that must be met",
    "complete.read_back": "whether a write must be read back, too: no, if_possible or required",
    "complete.most_unsupported": "from which share of sentences without a source on the text fails, 0 to 1",
    "complete.off": "true: this rule, which otherwise holds for every job with needs, does not hold",
    "check": "reads that Jiritsu makes itself after the writes, with their expected results",
    "check.rule": "the kind of rule",
    "check.title": "its name for people and the model",
    "check.tool": "the full name of a read tool; a write tool is refused",
    "check.arguments": "its arguments; {{inputs.NAME}}, or {{needs.ID.PATH}} for a need's result",
    "check.value": "the path in the result: `days[].minutes`; default: the whole",
    "check.equals": "each value must equal this",
    "check.contains": "one value must contain this text",
    "check.above": "each figure must be greater",
    "check.below": "each figure must be less",
    "check.count": "the exact number of values, on one page",
    "delivery": "needs that must be proven by a receipt and, where possible, read back",
    "approval": "its questions to people, and how long they wait",
    "approval.wait_s": "how many seconds a question waits",
    "approval.expired": "if nobody answers in time: go_on without the call, or stop",
    "approval.questions": "the answer to a server's question during a call: ask a person, defaults, or decline",
    "approval.sampling": "whether a server may ask the run's model: ask a person, allow, or deny",
    "approval.drafts": "a person reads these first, may edit them, and only then they go out",
    "language": "the language of the answer",
    "instructions": "the operator's instructions for the model",
    "plan": "the model plans first, and the plan is checked",
    "second_opinion": "the model reviews the answer and may reject it; decides: and settle doubts (default: as the settings)",
}
"""By the path of a key; `*` stands for the name of an input."""

OF_RULES = {
    "sections": "the text has these headings, each with something under it",
    "length": "the text has so many characters",
    "language": "the text is in this language",
    "json": "the text is JSON of this form",
    "forbidden": "the text holds none of these patterns",
    "fresh": "the text names the day that it is about",
    "tool_used": "a tool of this name succeeded at least once",
    "evidence": "this need was met: a read by an answer, a write by a receipt",
    "about": "what was read and written is about the person, day and place of the job",
    "covers": "all that was listed is read to the end, and every row is in the text",
    "in_order": "what a delivery rests on was read before it went out",
    "grounded": "figures, days, names, quotations and sentences have a source",
    "not_padding": "the text repeats nothing and says something in every section",
    "agrees": "the answer does not contradict the delivered text",
    "check": "a read after the writes has the expected result",
}
"""Of a line under `complete:`, by the rule that it names."""

FREE = re.compile(r"(?:.*\.)?(?:arguments|where|json_schema)\..+|schedule\.inputs\..+")
"""The paths of keys whose names are a tool's, a list's or an input's, not this format's."""

RESULT, OF_NEED, OF_INPUT, FIXED, GIVEN = (
    "left open: the text of the run",
    "filled in with what {names} found",
    "filled in with the input {names}",
    "fixed: always this value",
    "what each scheduled run is given for it",
)
"""How a value in an author's own words comes about."""

FIXED_OFFSETS = {
    "EST": "the time zone of that schedule: always 5 hours behind UTC; America/New_York has summer time",
    "MST": "the time zone of that schedule: always 7 hours behind UTC; America/Denver has summer time",
}
"""Zones that people write who mean one with summer time: half of the year it would come an hour late."""

TABLE = "several values, which follow"
FIELD = "only items whose field is this"
SCHEMA = "a part of the schema"
ITEM = "one more of this list"
MERGED = "takes over the values of that table"
GOES_ON = "goes on from the line above"
REMARK = "a remark, which nothing reads"
BEGINS, ENDS = "the settings of the job begin", "the settings of the job end"
GOAL = "the goal in words, to the end of the file"

SENTENCES = (
    *OF_KEYS.values(),
    *OF_RULES.values(),
    *FIXED_OFFSETS.values(),
    *(RESULT, OF_NEED, OF_INPUT, FIXED, GIVEN, TABLE, FIELD, SCHEMA, ITEM, MERGED, GOES_ON, REMARK, BEGINS, ENDS, GOAL),
)
"""All of them, as they are translated."""

_FIRST_LINE = 2
"""Of the front matter, in the file."""


class ExplainedLine(NamedTuple):
    """One line of a file that says something, or one more key in it."""

    number: int
    """0 for a key that stands further on in the line above."""
    text: str
    meaning: str


def explained(job: Job) -> Iterator[ExplainedLine]:
    """Each line of the job's file with what it does, blank ones left out, and each further key of a line where it comes first;
    the goal is one."""
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    of_lines: dict[int, list[_Meaning]] = {}
    for meaning in _meanings_in(job.file):
        of_lines.setdefault(meaning.line, []).append(meaning)
    seen: set[str] = set()
    end = next((number for number, line in enumerate(lines[1:], 2) if line.startswith("---")), len(lines))
    for number, line in enumerate(lines[:end], 1):
        if found := of_lines.get(number):
            first, *others = found
            yield ExplainedLine(number, line, first.meaning)
            for other in others:
                if other.is_own or other.meaning not in seen:
                    yield ExplainedLine(0, f"{' ' * (first.column + 4)}{other.key}", other.meaning)
            seen |= {one.meaning for one in found}
        elif line.strip():
            marks = BEGINS if number == 1 else ENDS if number == end else GOES_ON
            yield ExplainedLine(number, line, marks)
    if goal := next(((number, line) for number, line in enumerate(lines[end:], end + 1) if line.strip()), None):
        yield ExplainedLine(*goal, GOAL)


class SampleValue(NamedTuple):
    """What a job's file holds of the sample workspace."""

    line: int
    value: str
    name: str
    """What people of the sample call it."""


def values_of_sample(job: Job, *, people: bool = False) -> list[SampleValue]:
    """The ids of the sample's channels and people in the job's file: elsewhere its posts and messages would reach nobody.

    `people`: also a default that is the name of one of its people, who may be somebody else's namesake.
    """
    names = _sample_names()
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    wanted = _ID_OR_DEFAULT if people else _ID
    return [
        SampleValue(number, value, names[value])
        for number, line in enumerate(lines, 1)
        for value in dict.fromkeys(wanted.findall(_NO_VALUE.sub("", line)))
        if value in names
    ]


def inputs_left_open(job: Job) -> list[tuple[int, str]]:
    """The inputs that the goal names in braces without `inputs.`, with their lines: the model would be told the braces."""
    lines = job.file.read_text(encoding="utf-8-sig").splitlines()
    begin = next(number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---") + 1
    return [
        (number, name)
        for number, line in enumerate(lines[begin:], begin + 1)
        for name in dict.fromkeys(_BARE.findall(line))
        if name in job.inputs
    ]


_BARE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_ID = re.compile(r"\b[CU]\w+\b")
_ID_OR_DEFAULT = re.compile(r"\b[CU]\w+\b|(?<=default: )\w+")


_NO_VALUE = re.compile(r"(?:^|\s)#.*|\bexample:\s*[\w.-]+")
"""A remark, and a value that is meant for the sample."""


@cache
def _sample_names() -> Mapping[str, str]:
    """Id → name, of the channels and people of the samples; people also by their name."""
    found: dict[str, str] = {}
    for slack in (BUILT_IN / "diary" / "sample" / "slack", BUILT_IN / "en" / "diary" / "sample" / "slack"):
        for file, sign in (("channels.json", "#"), ("users.json", "@")):
            listed = json.loads((slack / file).read_text(encoding="utf-8"))
            found |= {
                key: f"{sign}{one['name']}"
                for one in listed
                for key in ((one["id"], one["name"]) if sign == "@" else (one["id"],))
            }
    return found


class _Meaning(NamedTuple):
    """The meaning of a key, an item or a remark of the front matter, and its line."""

    line: int
    column: int
    key: str
    meaning: str
    is_own: bool = False
    """Whether its name is of the author's choosing, so that the same meaning says something else of it."""


def _meanings_in(file: Path) -> Iterator[_Meaning]:
    text = file.read_text(encoding="utf-8-sig")
    head = text.split("\n---", 1)[0].split("\n", 1)[-1]
    root = yaml.compose(head, Loader=yaml.SafeLoader)
    lines_of_texts: set[int] = set()
    if isinstance(root, yaml.MappingNode):
        yield from _of_table(root, "", lines_of_texts)
    for number, line in enumerate(head.splitlines(), _FIRST_LINE):
        if line.lstrip().startswith("#") and number not in lines_of_texts:
            yield _Meaning(number, 0, "#", REMARK)


def _of_table(table: yaml.MappingNode, path: str, lines_of_texts: set[int]) -> Iterator[_Meaning]:
    """The meanings of a table's keys, and of the tables and lists in it; the further lines of its texts go into `lines_of_texts`,
    where a # opens no remark."""
    for key, value in table.value:
        at = path if key.value == _MERGE else f"{path}.{key.value}".lstrip(".")
        meaning = MERGED if key.value == _MERGE else _meaning(at, value)
        yield _Meaning(_line(key), key.start_mark.column, key.value, meaning, is_own=bool(FREE.fullmatch(at)))
        if _line(value) < _line(key):  # an alias: it was told where it stands
            continue
        for inner in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if isinstance(inner, yaml.MappingNode):
                yield from _of_table(inner, at, lines_of_texts)
                continue
            if inner is not value and _line(inner) != _line(key):
                yield _Meaning(_line(inner), inner.start_mark.column, "-", ITEM)
            lines_of_texts |= set(range(_line(inner) + 1, _FIRST_LINE + inner.end_mark.line + bool(inner.end_mark.column)))


_MERGE = "<<"
"""The key of YAML that takes over another table."""


def _line(node: yaml.Node) -> int:
    """Where it begins, in the file."""
    return int(node.start_mark.line) + _FIRST_LINE


def _meaning(at: str, value: yaml.Node) -> str:
    """What a key at this path does, by its value."""
    if FREE.fullmatch(at):
        return _of_own_words(at, value)
    if at == "complete.rule":
        return OF_RULES[value.value]
    if at == "schedule.timezone" and value.value in FIXED_OFFSETS:
        return FIXED_OFFSETS[value.value]
    return OF_KEYS.get(re.sub(r"^inputs\.[^.]+", "inputs.*", at), GOES_ON)


def _of_own_words(at: str, value: yaml.Node) -> str:
    """How the value of an argument, a field or an input comes about, whose name is not one of this format."""
    if "json_schema." in at:
        return SCHEMA
    if re.search(r"(?:^|\.)where\.", at):
        return FIELD
    if not isinstance(value, yaml.ScalarNode):
        return TABLE
    if at.startswith("schedule."):
        return GIVEN
    found = re.findall(r"\{\{\s*(?:(inputs|needs)\.)?(\w+)", value.value)
    if ("", "result") in found:
        return RESULT
    if needs := _named(name for kind, name in found if kind != "inputs"):
        return OF_NEED.format(names=needs)
    names = _named(name for kind, name in found if kind == "inputs")
    return OF_INPUT.format(names=names) if names else FIXED


def _named(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
