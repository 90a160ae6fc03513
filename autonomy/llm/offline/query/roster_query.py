"""Answers questions that count, pick or describe employees, channels and the people of a workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from autonomy.llm.offline.query.query_reading import NotRead, QueryWanted, RowQuery, person_name, placed, ranked, tallied
from autonomy.llm.offline.result_items import field_asked_for
from discovery.catalog import JsonObject

_YEARS = range(1900, 2100)
"""Numbers that are years where people are asked for who came."""
MOST_SHOWN = 12
"""A count of more is told without names."""
_FIELDS = {"type": "employment_type", "status": "status", "position": "position"}
"""The fields of an employee by which a question narrows them down."""


_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "position", "role"),
    "email": ("email",),
    "status": ("status_text", "status"),
    "zone": ("timezone", "tz"),
    "full_name": ("real_name", "name"),
    "handle": ("screen_name", "name"),
    "topic": ("topic",),
    "purpose": ("purpose",),
    "hire_date": ("hire_date",),
    "employment_type": ("employment_type",),
    "department": ("department",),
    "name": ("real_name", "name"),
}
"""What one asks of a person, an employee or a channel, with the fields that tell it, the likeliest first."""


def _attributes(query: RowQuery, things: Sequence[tuple[str, JsonObject]], attributes: Sequence[str]) -> list[str]:
    """What is told of each of the things, which come with what they are called. Raises `NotRead` where nothing tells it."""
    lines = []
    for name, item in things:
        fields = [next((one for one in _ATTRIBUTES[attribute] if one in item), "") for attribute in attributes]
        if not all(fields):
            raise NotRead
        labels = [query.say(f"query_told_{attribute}") for attribute in attributes]
        details = ", ".join(f"{label}: {item[field]}" for label, field in zip(labels, fields, strict=True) if item[field])
        lines.append(f"- {name} {details}" if details else query.say("nothing_found", words=f"{name} {', '.join(labels)}"))
    if not lines or len(lines) > MOST_SHOWN:
        raise NotRead
    return lines


def answer_employees(query: RowQuery) -> str:
    """How many employees there are of a kind, and who. Raises `NotRead` for a question of another kind."""
    departments = [str(one.value) for one in query.reading.take("department")]
    people: list[JsonObject] = query.named("employee")
    attributes = query.reading.values("attribute")
    if attributes == ["name"] and not people:
        attributes = []  # a list of people names them
    joined = query.any("verb.joined")
    query.any("verb.worked", "measure.members")
    first, last = query.days() if joined else (None, None)
    kind = {role: query.only(role) for role in _FIELDS}
    conditions = [f"{_FIELDS[role]}: {value}" for role, value in kind.items() if value]
    wanted = query.wanted(several=len(departments) > 1)
    query.whole()
    table = query.tables.listed("employee")
    if table is None:
        raise NotRead
    rows = [item for item in table.rows if all(not kind[role] or item.get(name) == kind[role] for role, name in _FIELDS.items())]
    rows = [item for item in rows if not departments or item.get("department") in departments]
    if people or attributes:
        return query.answer(table.tool, "query_employees", _told_of(query, wanted, rows, people, attributes, joined=joined))
    if joined and first is None and wanted.number is not None and wanted.number in _YEARS:
        first, last = date(wanted.number, 1, 1), date(wanted.number, 12, 31)
        query.told.append(str(wanted.number))
        wanted = replace(wanted, number=None)
    if first is not None and last is not None:
        rows = _hired_between(rows, first, last)
    retired = [item for item in rows if item.get("status") == "retired"] if not kind["status"] else []
    excludes_retired = wanted.asks & {"how_many"} or joined or "department" in wanted.kinds
    rows = [item for item in rows if not excludes_retired or item not in retired]
    query.told += [*departments, *conditions]
    if retired and excludes_retired:
        query.told.append(query.say("query_without_retired", count=len(retired), whole=len(rows) + len(retired)))
    narrowed = bool(departments or any(kind.values()) or first)
    lines = _joined(wanted, rows) if joined and first is None else _employees(query, wanted, rows, narrowed=narrowed)
    return query.answer(table.tool, "query_employees", lines)


def _told_of(
    query: RowQuery,
    wanted: QueryWanted,
    rows: Sequence[JsonObject],
    people: Sequence[JsonObject],
    attributes: Sequence[str],
    *,
    joined: bool,
) -> list[str]:
    """What is told of the employees who are named; of when somebody joined, the day."""
    wanted.only("what which when who", kinds="employee department", also="several")
    ids = {str(one.get("id")) for one in people}
    those = [(_employee(item), item) for item in rows if str(item.get("id")) in ids]
    attributes = attributes or (["hire_date"] if joined and wanted.asks == {"when"} else [])
    attributes = attributes or (["department"] if "department" in wanted.kinds and wanted.asks & {"which", "what"} else [])
    if not attributes or not those:
        raise NotRead
    return _attributes(query, those, attributes)


def _hired_between(rows: Sequence[JsonObject], first: date, last: date) -> list[JsonObject]:
    if not all(item.get("hire_date") for item in rows):
        raise NotRead
    return [item for item in rows if first.isoformat() <= str(item["hire_date"]) <= last.isoformat()]


def _joined(wanted: QueryWanted, rows: Sequence[JsonObject]) -> list[str]:
    """Who came first, or last."""
    wanted.only("who which when", order="first last", kinds="employee person")
    days = [str(item.get("hire_date") or "") for item in rows]
    if not wanted.order or not days or not all(days):
        raise NotRead
    edge = (min if wanted.order == "first" else max)(days)
    return [f"- {_employee(item)}: {edge}" for item, day in zip(rows, days, strict=True) if day == edge]


def _employees(query: RowQuery, wanted: QueryWanted, rows: Sequence[JsonObject], *, narrowed: bool) -> list[str]:
    if "department" in wanted.kinds:
        return _departments(query, wanted, rows)
    if "how_many" in wanted.asks:
        wanted.only("how_many", order="total", kinds="employee person", also="several")
        shown = [f"- {_employee(item)}" for item in rows] if len(rows) <= MOST_SHOWN else []
        return [query.say("query_persons", count=len(rows)), *shown]
    wanted.only("who which", kinds="employee person", also="several")
    if not narrowed:
        raise NotRead
    return [f"- {_employee(item)}" for item in rows] or [query.say("query_persons", count=0)]


def _departments(query: RowQuery, wanted: QueryWanted, rows: Sequence[JsonObject]) -> list[str]:
    """How many people each department has, or how many departments there are."""
    counts = tallied(str(item.get("department")) for item in rows)
    if wanted.order:
        asks = "how_many" if wanted.order == "each" else "which"
        wanted.only(asks, order="most least each", kinds="employee person department", also="number rank")
        return ranked(query, wanted, counts)
    wanted.only("how_many", kinds="department")
    if "how_many" not in wanted.asks:
        raise NotRead
    return [query.say("count", count=len(counts)), *(f"- {name}" for name, _ in counts)]


def _employee(item: JsonObject) -> str:
    status = item.get("status") if item.get("status") != "active" else None
    return f"{item.get('name')} ({', '.join(str(one) for one in (item.get('department'), item.get('id'), status) if one)})"


def answer_workspace(query: RowQuery) -> str:
    """How many channels, people or bots there are, which, how many belong to one, and what is told of them.

    Raises `NotRead` for anything else."""
    channels: list[JsonObject] = query.named("channel")
    people: list[JsonObject] = query.named("person")
    attributes = query.reading.values("attribute")
    belonging = query.any("measure.members")
    wanted = query.wanted(several=len(channels) > 1)
    query.whole()
    rooms, users = query.tables.listed("channel"), query.tables.listed("user")
    if rooms is None or users is None:
        raise NotRead
    if attributes:
        wanted.only("what which who told", kinds="person channel", also="several")
        channels = channels or (list(rooms.rows) if "channel" in wanted.kinds else [])
        things = people or (list(users.rows) if "person" in wanted.kinds else [])
        if bool(things) is bool(channels):
            raise NotRead
        query.told += [*(person_name(person) for person in people), *(f"#{channel['name']}" for channel in channels)]
        if channels:
            named_channels = [(f"#{channel['name']}", channel) for channel in channels]
            return query.answer(rooms.tool, "query_rooms", _attributes(query, named_channels, attributes))
        profiles = query.tables.profiles([thing for thing in things if not thing.get("is_bot")])
        lines = _attributes(query, [(person_name(row), row) for row in profiles.rows], attributes)
        return query.answer(profiles.tool or users.tool, "query_people", lines)
    if people:
        raise NotRead
    if channels or wanted.order in ("most", "least"):
        ids = {str(channel.get("id")) for channel in channels}
        chosen = [row for row in rooms.rows if not ids or str(row.get("id")) in ids]
        members = field_asked_for(rooms.rows, "members", number=True)
        return query.answer(rooms.tool, "query_rooms", _belonging(wanted, members, chosen, belonging=belonging), counted=True)
    if belonging:
        raise NotRead
    kind = next(iter(wanted.kinds), "")
    wanted.only("how_many which what who", order="total", kinds=kind if kind in ("channel", "bot", "person") else "")
    if not wanted.asks and wanted.head != "channel":  # a bare list of people is told with all that their tool says of them
        raise NotRead
    if kind == "channel":
        count = [query.say("count", count=len(rooms.rows))] if "how_many" in wanted.asks else []
        return query.answer(rooms.tool, "query_rooms", [*count, *(f"- #{row['name']}" for row in rooms.rows)])
    those = [row for row in users.rows if bool(row.get("is_bot")) is (kind == "bot")]
    count = [query.say("query_persons", count=len(those))] if "how_many" in wanted.asks else []
    lines = [*count, *(f"- {_member(one)}" for one in those)]
    return query.answer(users.tool, "query_people", lines)


def _member(item: JsonObject) -> str:
    details = [str(item[one]) for one in ("real_name", "title") if item.get(one) and item[one] != person_name(item)]
    return f"{person_name(item)} ({', '.join(details)})" if details else person_name(item)


def _belonging(wanted: QueryWanted, members: str, chosen: Sequence[JsonObject], *, belonging: bool) -> list[str]:
    """How many members channels have, where their list tells it in a field of that name."""
    if not members or not ("person" in wanted.kinds or belonging):
        raise NotRead
    counts = [(f"#{one['name']}", float(one[members])) for one in chosen]
    if wanted.order in ("most", "least"):
        wanted.only("which", order="most least", kinds="channel person")
        counts = placed(counts, wanted)
    else:
        wanted.only("how_many", kinds="person", also="several")
        if "how_many" not in wanted.asks:
            raise NotRead
    return [f"- {name} {members}: {count:.0f}" for name, count in counts]
