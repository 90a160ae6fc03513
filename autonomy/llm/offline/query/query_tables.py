"""Reads the tables of a query (messages, documents, overtime, forecasts, people) with the tools that list them.

Knows no tool by name: what a tool is about and what it needs tells which one lists what.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import (
    ArgumentFiller,
    fit,
    listers,
    noun_of,
    page_argument,
    properties,
    reads_a_channel,
    required,
)
from autonomy.llm.offline.conversation_state import ConversationState, PastCall, PlannedCall, collect_all
from autonomy.llm.offline.result_items import content, identity, items, next_cursor
from autonomy.llm.offline.time_expressions import takes_month
from autonomy.llm.offline.vocabulary import FIELDS, terms
from discovery.catalog import JsonObject

MOST_PROFILES = 12
"""Of more people nobody's profile is read one by one."""


@dataclass(frozen=True)
class ListedRows:
    """The rows that a tool listed, all of them."""

    tool: str
    rows: tuple[JsonObject, ...]


@dataclass(frozen=True)
class QueryTables:
    """The tables that can be read. Each method gives None where no tool lists such things whole, and raises `AnswerPending`."""

    filler: ArgumentFiller
    state: ConversationState

    def messages(self, channels: Sequence[JsonObject], first: date | None, last: date | None) -> ListedRows | None:
        """The messages of these channels (none named: of all), with their replies, between two days."""
        tool = next((reader for reader in self.filler.readers if reads_a_channel(reader)), None)
        rooms = channels or self.filler.listed("channel")
        if tool is None or not rooms:
            return None
        argument = required(tool)[0]
        calls = [{argument: identity(room, argument, "channel"), **self._between(tool, first, last)} for room in rooms]
        return self._whole(tool, calls)

    def _between(self, tool: ToolDefinition, first: date | None, last: date | None) -> JsonObject:
        form = properties(tool)
        begins, ends = (next((name for name in form if concept in terms(name)), None) for concept in ("#start", "#end"))
        if first is None or last is None or not (begins and ends):
            return {}
        bounds = {begins: self._midnight(first), ends: self._midnight(last + timedelta(days=1))}
        return {name: fit(value, form[name]) for name, value in bounds.items()}

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self.filler.zone)

    def listed(self, noun: str) -> ListedRows | None:
        """All things of a kind: posts, users, channels, employees, tags, categories."""
        for tool in listers(self.filler.readers, None, noun):
            if terms(noun) <= terms(tool.name):
                return self._whole(tool, [{}])
        return None

    def profiles(self, people: Sequence[JsonObject]) -> ListedRows:
        """The profiles of these people, each read alone if a tool tells more than the list does."""
        for tool in self.filler.readers:
            names = required(tool)
            if (
                len(names) == 1
                and "#user" in terms(tool.name)
                and noun_of(tool, names[0]) == "user"
                and len(people) <= MOST_PROFILES
            ):
                calls = [PlannedCall(tool.name, {names[0]: identity(person, names[0], "user")}) for person in people]
                answers = self.state.ask(*calls)
                profiles = [content(answer.result) for answer in answers if answer.ok]
                if len(profiles) == len(people) and all(isinstance(profile, dict) for profile in profiles):
                    return ListedRows(tool.name, tuple({**one, **more} for one, more in zip(people, profiles, strict=True)))
        return ListedRows("", tuple(people))

    def overtime(self, months: Sequence[str], department: str = "") -> list[ListedRows] | None:
        """Everybody's overtime, a table a month; of one department alone where the tool takes one."""
        tool = next(
            (one for one in self.filler.readers if {"#overtime", "#list"} <= terms(one.name) and len(required(one)) == 1), None
        )
        if tool is None or not takes_month(properties(tool).get(required(tool)[0], {})):
            return None
        narrowed = {"department": department} if department and "department" in properties(tool) else {}
        tables = collect_all(partial(self._whole, tool, [{required(tool)[0]: month, **narrowed}]) for month in months)
        return [table for table in tables if table] if all(tables) else None

    def forecast(self, place: str, language: str) -> ListedRows | None:
        """The days that a forecast tells of a place, each with the name under which the tool knows it (`place`)."""
        tool = next((one for one in self.filler.readers if "#weather" in terms(one.name) and len(required(one)) == 1), None)
        if tool is None:
            return None
        form = properties(tool)
        reach = next((name for name, schema in form.items() if "week" in schema.get("enum", ())), "")
        spoken = {one: language for one in FIELDS.language_arguments if language in form.get(one, {}).get("enum", ())}
        if not reach:
            return None
        answer = self.state.ask(PlannedCall(tool.name, {required(tool)[0]: place, reach: "week", **spoken}))[0]
        forecast = content(answer.result)
        if not answer.ok or not isinstance(forecast, dict) or not isinstance(forecast.get("days"), list):
            return None
        about = {name: value for name, value in forecast.items() if isinstance(value, str)}
        return ListedRows(tool.name, tuple({**about, **day} for day in forecast["days"] if isinstance(day, dict)))

    def _whole(self, tool: ToolDefinition, calls: Sequence[JsonObject]) -> ListedRows | None:
        """The rows of all pages of these calls; None where one failed, or had more than is read."""
        pages = page_argument(tool)
        answers_of: list[list[PastCall]] = collect_all(
            partial(self.state.ask_all_pages, PlannedCall(tool.name, call), pages) for call in calls
        )
        results = [content(answer.result) for answers in answers_of for answer in answers]
        if any(not answer.ok for answers in answers_of for answer in answers):
            return None
        if any(next_cursor(content(answers[-1].result)) for answers in answers_of):
            return None
        return ListedRows(
            tool.name,
            tuple(item for result in results for item in items(result) if isinstance(item, dict) and _is_row(item, result)),
        )


def _is_row(item: JsonObject, result: Any) -> bool:
    """False for a result that lists nothing, which is no row of its own."""
    return item is not result
