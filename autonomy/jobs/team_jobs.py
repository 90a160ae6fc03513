"""The settings of a job for a team: one run for each item of a list, and a condition."""

import csv
import io
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self

import anyio.to_thread
from pydantic import Field, field_validator, model_validator

from autonomy.errors import ConfigError
from autonomy.jobs.inputs import Input, read_input
from autonomy.llm.templates import format_hours, read_figure
from autonomy.provenance.sources.leaves import parsed
from autonomy.run_state.completion_rules import is_path, values_at
from autonomy.settings import read_small_file
from discovery.catalog import Catalog, Frozen, JsonObject, ToolOutput
from discovery.text.near_names import did_you_mean

MOST_ITEMS = 500
"""Of one job at one time: more than a team has people, fewer than would bury a database by a wrong path."""

LARGEST_FIGURE = 1e15
"""Up to there a float tells every whole number."""

MOST_FAULTS = 5
"""Of a CSV file's cells that are named beside the first."""

NOTHING: Mapping[str, str] = {}

_SOME_DAY = date(2026, 1, 31)
"""Whether a cell can be read depends on no day."""


class ReadingGateway(Protocol):
    """The part of `discovery.gateway.Gateway` that calls tools."""

    async def catalog(self) -> Catalog:
        """The current catalog."""

    async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
        """Call one. Raises `DiscoveryError`."""


class ToolQuestion(Frozen):
    """A read tool, what it is asked, and which of what it says counts."""

    KEY: ClassVar[str] = "for_each.of"
    """Where it stands in a job file."""
    tool: str
    """Its full name."""
    arguments: JsonObject = Field(default_factory=dict)
    value: str
    """Where in the result, structured or JSON as text: `days[].rain_percent`, `users[].name`, `total`."""
    where: JsonObject = Field(default_factory=dict)
    """Only items of the last list on the way that have these fields: `{deleted: false, is_bot: false}`."""

    @model_validator(mode="after")
    def _items_to_choose(self) -> Self:
        if not is_path(self.value):
            raise ValueError(f"{self.value!r} is no path into a result (`days[].minutes`)")
        if self.where and "[]" not in self.value:
            raise ValueError(f"where chooses items of a list, and {self.value!r} goes through none (`users[].name`)")
        return self

    async def ask(self, gateway: ReadingGateway, file: Path, *, whole: bool = False) -> list[Any]:
        """The values. `file`: the job's. `whole`: a list that goes on behind a cursor is none.

        Raises `ConfigError` for a tool that is not there, writes, or has no such value; `DiscoveryError`.
        """
        catalog = await gateway.catalog()
        spec = catalog.get(self.tool)
        if spec is None and (absent := catalog.missing([self.tool])):
            raise ConfigError(file, f"{self.KEY}.tool", f"{self.tool} is not there now: {absent[0].name} {absent[0].reason}")
        if spec is None:
            there = [one.name for one in catalog.callable_tools]
            raise ConfigError(
                file,
                f"{self.KEY}.tool",
                f"{self.tool} is not offered by any server (`jiritsu discover` lists the tools){did_you_mean(self.tool, there)}",
            )
        if not spec.read_only:
            why = f"the effect of {self.tool} is {spec.effect}; only a tool that reads may decide whether a job runs"
            raise ConfigError(file, f"{self.KEY}.tool", why)
        output = await gateway.call(self.tool, self.arguments)
        if output.is_error:
            from discovery.text.stack_traces import error_words  # here: only who meets an error pays for loading it

            raise ConfigError(file, self.KEY, f"{self.tool} answered with an error: {error_words(output.text)[:200]}")
        data = parsed(output.whole or output.text) if output.structured is None else output.structured
        if not isinstance(data, dict | list):
            raise ConfigError(file, f"{self.KEY}.value", f"{self.tool} answers in plain text, which has no {self.value}")
        if whole and isinstance(data, dict) and data.get("next_cursor"):
            raise ConfigError(file, self.KEY, "its list goes on on another page: ask for more of it (limit), or for fewer")
        try:
            return self._values(data)
        except LookupError as error:
            raise ConfigError(file, f"{self.KEY}.value", f"{self.value}: {error.args[0]}") from error

    def _values(self, data: Any) -> list[Any]:
        if not self.where:
            return values_at(data, self.value)
        way, _, path = self.value.rpartition("[]")
        items = [one for one in values_at(data, f"{way}[]") if isinstance(one, dict)]
        if lacking := [name for name in self.where if items and not any(name in one for one in items)]:
            raise LookupError(f"the result has no {lacking[0]!r}")
        chosen = [one for one in items if all(one.get(name) == value for name, value in self.where.items())]
        return [value for one in chosen for value in values_at(one, path.removeprefix("."))]


class Condition(ToolQuestion):
    """A condition for starting a job: a figure of a tool passes a threshold, or there is anything but 0 or false."""

    KEY: ClassVar[str] = "when"
    above: float | str | None = None
    """A figure; as a text it may hold `{{inputs.NAME}}`, and `45 h` is so many hours of a value in minutes."""
    below: float | str | None = None

    async def why_not(self, gateway: ReadingGateway, file: Path) -> str:
        """Why the job has nothing to do now; empty when it has. Raises as `ask`."""
        values = [value for value in await self.ask(gateway, file) if value is not None]
        if self.above is None and self.below is None:
            if not any(value not in ("", [], {}) for value in values):
                return f"{self.value} of {self.tool} holds nothing"
            return "" if any(map(_is_something, values)) else f"{self.value} of {self.tool} holds nothing but 0 or false"
        figures = [float(value) for value in values if _is_figure(value)]
        if not figures:
            raise ConfigError(file, "when.value", f"{self.value} of {self.tool} holds no figure")
        if (above := self._threshold("above", file)) is not None and max(figures) <= above:
            return f"{self.value} of {self.tool} is {self._shown(max(figures))}, not above {self._shown(above)}"
        if (below := self._threshold("below", file)) is not None and min(figures) >= below:
            return f"{self.value} of {self.tool} is {self._shown(min(figures))}, not below {self._shown(below)}"
        return ""

    def _shown(self, figure: float) -> str:
        """The figure as the job gives its threshold: minutes in hours where that is in hours."""
        in_hours = any(isinstance(one, str) and one.rstrip().endswith("h") for one in (self.above, self.below))
        return format_hours(figure, "en") if in_hours else f"{figure:g}"

    def _threshold(self, key: Literal["above", "below"], file: Path) -> float | None:
        value = self.above if key == "above" else self.below
        try:
            return read_figure(value) if isinstance(value, str) else value
        except ValueError as error:
            raise ConfigError(file, f"when.{key}", str(error)) from error

    def check(self, file: Path) -> None:
        """Raises `ConfigError` that names the job file for a threshold that is no figure."""
        self._threshold("above", file)
        self._threshold("below", file)


def _is_figure(value: Any) -> bool:
    """Whether a server's value can be held against a threshold: it may say `NaN`, which is neither above nor below any."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST_FIGURE <= value <= LARGEST_FIGURE


def _is_something(value: Any) -> bool:
    """Whether a value that stands without a threshold starts a job: a count of 0, a switch that is off and a text that says so do
    not."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "0", "false")
    return _is_figure(value) and value != 0 if type(value) in (int, float) else bool(value)


class ForEach(Frozen):
    """One run for each of a list: given here, in a CSV file, or by a tool."""

    input: str = ""
    """The input that takes each item; a CSV's columns are inputs by their own names."""
    items: tuple[str, ...] = ()
    csv: Path | None = None
    """A file beside the job file; its first row names inputs."""
    of: ToolQuestion | None = None
    at_once: int = Field(4, ge=1, le=100)

    @field_validator("of", mode="before")
    @classmethod
    def _not_in_of(cls, of: object) -> object:
        """A key of ours in `of` would be told as what `of` lacks, a tool, which nobody who writes `csv` there wants."""
        if isinstance(of, dict) and (key := next((key for key in ("csv", "items") if key in of), "")):
            example = "{csv: people.csv}" if key == "csv" else "{input: NAME, items: [a, b]}"
            raise ValueError(f"{key} stands beside of, not in it: `for_each: {example}`")
        return of

    @model_validator(mode="after")
    def _one_source(self) -> "ForEach":
        if "items" in self.model_fields_set and not self.items:
            raise ValueError("there is nobody in the list: no run was started")
        if sum(source is not None and source != () for source in (self.items, self.csv, self.of)) != 1:
            raise ValueError("give exactly one of items, csv and of")
        if self.csv is None and not self.input:
            raise ValueError("input is missing: which input takes each item?")
        return self

    def csv_rows(self, job_file: Path, inputs: Mapping[str, Input]) -> list[dict[str, str]]:
        """The rows of the CSV file beside the job file; none if no file is named. `inputs`: those of the job.

        Raises `ConfigError` that names the file, and the line and column of a cell: it cannot be read, it says nothing, a column
        is no input or wanting, or a cell is no value of its input."""
        if self.csv is None:
            return []
        file = job_file.parent / self.csv
        by_line = _rows(file)
        if not (rows := list(by_line.values())):
            raise ConfigError(file, "", "there is nobody in the list: no run was started")
        (first, *more) = rows[0]
        if mark := next((mark for mark in ";\t" if mark in first and not more), ""):
            raise ConfigError(file, "line 1", f"the columns are separated by {mark!r}; save the file with commas between them")
        if self.input and self.input not in rows[0]:
            why = f"there is no such column; there are {', '.join(rows[0])}{did_you_mean(self.input, rows[0])}"
            raise ConfigError(file, self.input, why)
        if other := next((name for name in rows[0] if name not in inputs), ""):
            why = f"the job has no such input; it has {', '.join(inputs) or 'none'}{did_you_mean(other, inputs)}"
            raise ConfigError(file, other, why)
        faults = [
            (f"line {line}, {name}", why)
            for line, row in by_line.items()
            for name, text in row.items()
            if (why := self._why_not(text, inputs[name], is_named=name == (self.input or first)))
        ]
        match faults:
            case [(place, why)]:
                raise ConfigError(file, place, f"{why}; no run was started")
            case [(place, why), *others]:
                places = ", ".join(other for other, _ in others[:MOST_FAULTS])
                raise ConfigError(file, place, f"{why}; no run was started; look also at {places}")
        return rows

    @staticmethod
    def _why_not(text: str, spec: Input, *, is_named: bool) -> str:
        """Why a cell is no value of its input; empty where it is one, or where the default stands in for it.

        `is_named`: the run is named after the cell, so that a default would be a second run for somebody else."""
        if not text:
            return "the cell is empty" if is_named or (spec.required and not spec.default) else ""
        try:
            read_input(spec.type, text, _SOME_DAY)
        except (ValueError, OverflowError) as error:
            return str(error)
        return ""

    async def inputs(
        self, gateway: ReadingGateway, job_file: Path, inputs: Mapping[str, Input], given: Mapping[str, str] = NOTHING
    ) -> list[dict[str, str]]:
        """The inputs of each run, each once; `inputs`: those of the job.

        Where `given` names one of the list (`-i user=maya`, a webhook's body), only that one: its rows of a CSV, else nothing
        more than was given. Raises `ConfigError` for an empty or too long list, or a bad file."""
        named = given.get(self.input, "")
        if self.csv is not None:
            rows = await anyio.to_thread.run_sync(self.csv_rows, job_file, inputs)
            column = self.input or next(iter(rows[0]))
            if named := given.get(column, ""):
                rows = [row for row in rows if row[column] == named] or [{}]
        elif named:
            return [{}]
        else:
            values = (
                self.items
                if self.of is None
                else [str(value) for value in await self.of.ask(gateway, job_file, whole=True) if value]
            )
            rows = [{self.input: value} for value in values]
        each = list({tuple(sorted(row.items())): row for row in rows}.values())
        if not each:
            raise ConfigError(job_file, "for_each", "there is nobody in the list: no run was started")
        if len(each) > MOST_ITEMS:
            raise ConfigError(job_file, "for_each", f"{len(each)} items are more than {MOST_ITEMS}")
        return each


def _rows(file: Path) -> dict[int, dict[str, str]]:
    """The rows of a CSV by the line on which each ends, and by column; Excel's byte-order mark is no part of the first name.

    Raises `ConfigError`.
    """
    rows = dict[int, dict[str, str]]()
    try:
        text = read_small_file(file).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        names = [name.strip() for name in reader.fieldnames or ()]
        if twice := next((name for name in names if name and names.count(name) > 1), ""):
            raise ConfigError(file, "line 1", f"two columns are called {twice!r}")
        for row in reader:
            if any(cell.strip() for cell in row.pop(None, ())):
                why = f"there are more cells than the {len(names)} columns; put a text that holds a comma in quotes"
                raise ConfigError(file, f"line {reader.line_num}", why)
            rows[reader.line_num] = {name.strip(): (value or "").strip() for name, value in row.items() if name}
    except UnicodeDecodeError as error:
        why = "this is not UTF-8; save the file as `CSV UTF-8` (Excel has it among the file types)"
        raise ConfigError(file, "", why) from error
    except csv.Error as error:
        raise ConfigError(file, f"line {reader.line_num + 1}", f"cannot be read as CSV: {error}") from error
    return {line: row for line, row in rows.items() if any(row.values())}
