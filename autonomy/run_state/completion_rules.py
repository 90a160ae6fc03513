"""Completion rules as data; each names its check.

Declared in a job file under `complete:`, carried by `RunRequest`, held against the evidence by `judge`. A rule that cannot be
checked does not hold.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from discovery.catalog import Frozen, JsonObject

HEADING = re.compile(r"^(#{1,6})\s*(\S(?:.*\S)?)\s*$", re.MULTILINE)
"""The heading of a section: its marks, and its title."""


def _pattern(text: str) -> str:
    """The text, if it is a regular expression. Raises `ValueError`."""
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{text[:120]!r} is no regular expression: {error}") from error
    return text


def _schema(schema: JsonObject) -> JsonObject:
    """The same, if it is a JSON schema. Raises `ValueError`."""
    import jsonschema

    try:
        jsonschema.validators.validator_for(schema).check_schema(schema)
    except (jsonschema.SchemaError, RecursionError) as error:
        raise ValueError(f"is no JSON schema: {getattr(error, 'message', error)!s:.200}") from error
    return schema


class Sections(Frozen):
    """The text has these headings, each with content under it."""

    rule: Literal["sections"] = "sections"
    titles: tuple[str, ...]

    def absent_from(self, text: str) -> tuple[str, ...]:
        """The titles that no heading of the text holds with anything under it."""
        parts = HEADING.split(text)
        filled, above = set[str](), list[tuple[int, str]]()
        for marks, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            above = [*(heading for heading in above if heading[0] < len(marks)), (len(marks), title)]
            if body.strip():  # what stands under a heading stands under each one that it is a part of
                filled.update(heading for _, heading in above)
        return tuple(title for title in self.titles if not any(title in heading for heading in filled))


class Length(Frozen):
    """The text is neither too short nor too long, counted in characters."""

    rule: Literal["length"] = "length"
    min_chars: int = 1
    max_chars: int | None = None


class Language(Frozen):
    """The text is in this language."""

    rule: Literal["language"] = "language"
    language: Literal["ja", "en"]


class Evidence(Frozen):
    """A declared need was met: a read need by a successful answer, a write need by a receipt."""

    rule: Literal["evidence"] = "evidence"
    need: str
    read_back: Literal["no", "if_possible", "required"] = "no"
    """Whether the write must also have been read back from where it went; `if_possible` where its provider has a tool for it."""


class ToolUsed(Frozen):
    """A tool whose name matches this glob succeeded at least once."""

    rule: Literal["tool_used"] = "tool_used"
    tool: str


class Matches(Frozen):
    """The text is JSON that matches this schema."""

    rule: Literal["json"] = "json"
    json_schema: Annotated[JsonObject, AfterValidator(_schema)]


class Forbidden(Frozen):
    """The text contains none of these patterns (regular expressions)."""

    rule: Literal["forbidden"] = "forbidden"
    patterns: tuple[Annotated[str, AfterValidator(_pattern)], ...]


class Fresh(Frozen):
    """The text names the day it is about: one of the run's inputs, as given or in a usual written form."""

    rule: Literal["fresh"] = "fresh"
    input: str = "date"


class Grounded(Frozen):
    """Figures, times, days, ids and addresses have a source, and so do sentences; of names and quotations it remarks on."""

    rule: Literal["grounded"] = "grounded"
    most_unsupported: float = 0.34
    """The share of sentences without a source from which on the text fails, 0 to 1; figures have no such room."""
    off: bool = False


class Covers(Frozen):
    """Everything listed was read to the end, or the text says what was not; every row that was read is in the text."""

    rule: Literal["covers"] = "covers"
    off: bool = False


class OnSubject(Frozen):
    """What was read, and what the text says, is about the person, day and place that the job declares."""

    rule: Literal["about"] = "about"
    off: bool = False


class InOrder(Frozen):
    """The reads that a delivery rests on were made before it went out, and it replaces no better text."""

    rule: Literal["in_order"] = "in_order"
    off: bool = False


class NotPadding(Frozen):
    """The text does not repeat itself, and every section contains some of the material."""

    rule: Literal["not_padding"] = "not_padding"
    off: bool = False


class Agrees(Frozen):
    """What the answer tells of the delivered text has a source, and reverses nothing that was read."""

    rule: Literal["agrees"] = "agrees"
    off: bool = False


class Postcondition(Frozen):
    """A read that the executor makes itself after the writes has the expected result; all expectations hold together."""

    rule: Literal["check"] = "check"
    title: str = ""
    """How people and the model are told of it; none given takes the tool and the path."""
    tool: str
    """The full name of a tool that reads."""
    arguments: JsonObject = Field(default_factory=dict)
    """May hold `{{inputs.NAME}}`, and `{{needs.ID.PATH}}` for what the call for a need brought."""
    value: str = ""
    """Where in the result: `days[].minutes`, `total`; empty for the whole."""
    equals: str | bool | int | float | None = None
    """Each value is this one; `480` and `"480"` are alike."""
    contains: str = ""
    """One of the values holds this text."""
    above: float | None = None
    below: float | None = None
    count: int | None = Field(None, ge=0)
    """So many values are there, on the only page. Without any expectation something must be there."""

    @property
    def name(self) -> str:
        """The name in findings and reports."""
        return self.title or " ".join(filter(None, (self.tool, self.value)))


Rule = Annotated[
    Sections
    | Length
    | Language
    | Evidence
    | ToolUsed
    | Matches
    | Forbidden
    | Fresh
    | Grounded
    | Covers
    | OnSubject
    | InOrder
    | NotPadding
    | Agrees
    | Postcondition,
    Field(discriminator="rule"),
]

DEFAULT_RULES: tuple[Rule, ...] = (Grounded(), Covers(), OnSubject(), InOrder(), NotPadding(), Agrees())
"""In force for every job that declares needs, unless the job gives one its own thresholds or turns it off."""


_STEP = re.compile(r"([^.\[\]]+)((?:\[\d*\])*)|\A((?:\[\d*\])+)")
_PATH = re.compile(r"(?:\[\d*\])*(?:(?:(?<!^)\.)?[^.\[\]]++(?:\[\d*\])*)*")


MOST_NAMED = 12
"""Fields of a result that are named where a path leads nowhere."""


def is_path(text: str) -> bool:
    """Whether the whole text is a path that `values_at` can follow: of one with a slip, a part would be followed."""
    return _PATH.fullmatch(text) is not None


def values_at(value: Any, path: str) -> list[Any]:
    """The values at a path of a structured result, such as `days[].rain_percent`; an empty path is the value itself.

    Raises `LookupError` for a step that leads nowhere.
    """
    found: list[Any] = [value]
    for name, behind, leading in _STEP.findall(path):
        if name:
            before, found = found, [one[name] for one in found if isinstance(one, Mapping) and name in one]
            if before and not found:
                there = sorted({str(key) for one in before if isinstance(one, Mapping) for key in one})
                raise LookupError(f"the result has no {name!r}" + (f"; it has {', '.join(there[:MOST_NAMED])}" if there else ""))
        for index in re.findall(r"\[(\d*)\]", behind or leading):
            lists = [one for one in found if isinstance(one, list)]
            if found and not lists:
                raise LookupError(f"the result has no list where {path!r} looks for one")
            found = [item for one in lists for item in (one if not index else one[int(index) : int(index) + 1])]
    return found


def name_of(rule: Rule) -> str:
    """A rule in a word or two, for reports."""
    match rule:
        case Evidence(need=need):
            return f"evidence: {need}"
        case ToolUsed(tool=tool):
            return f"tool used: {tool}"
        case Postcondition():
            return f"check: {rule.name}"
        case _:
            return rule.rule
