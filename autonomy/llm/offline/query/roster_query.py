"""Answers questions that count or pick employees, channels and the people of a workspace."""

from collections.abc import Sequence

from autonomy.llm.offline.query.query_reading import NotRead, QueryWanted, RowQuery, person_name, placed, tallied
from autonomy.llm.offline.result_items import field_asked_for
from discovery.catalog import JsonObject

MOST_SHOWN = 12
"""A count of more is told without names."""
_FIELDS = {"type": "employment_type", "status": "status", "position": "position"}
"""The fields of an employee by which a question narrows them down."""


def answer_employees(query: RowQuery) -> str:
    """How many employees there are of a kind, and who. Raises `NotRead` for a question of another kind."""
    departments = [str(one.value) for one in query.reading.take("department")]
    joined = query.any("verb.joined")
    query.any("verb.worked")
    said = [one.text.strip() for role in _FIELDS for one in query.reading.of(role)]
    kind = {role: query.only(role) for role in _FIELDS}
    wanted = query.wanted(several=len(departments) > 1)
    query.whole()
    table = query.tables.listed("employee")
    if table is None:
        raise NotRead
    rows = [item for item in table.rows if all(not kind[role] or item.get(name) == kind[role] for role, name in _FIELDS.items())]
    rows = [item for item in rows if not departments or item.get("department") in departments]
    left = [item for item in rows if item.get("status") == "retired"] if not kind["status"] else []
    counted = wanted.asks & {"how_many"} or joined or "department" in wanted.kinds
    rows = [item for item in rows if not counted or item not in left]
    query.told += [*departments, *said]
    if left and counted:
        query.told.append(query.say("query_without_retired", count=len(left), whole=len(rows) + len(left)))
    lines = _joined(wanted, rows) if joined else _employees(query, wanted, rows, narrowed=bool(departments or any(kind.values())))
    return query.answer(table.tool, "query_employees", lines)


def _joined(wanted: QueryWanted, rows: Sequence[JsonObject]) -> list[str]:
    """Who came first, or last."""
    wanted.only("who which when", order="first last", kinds="employee person")
    if not wanted.order or not rows or not all(item.get("hire_date") for item in rows):
        raise NotRead
    edge = (min if wanted.order == "first" else max)(str(item["hire_date"]) for item in rows)
    return [f"- {_employee(item)}: {edge}" for item in rows if item["hire_date"] == edge]


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
    figures = [f"- {name}: {count:.0f}" for name, count in counts]
    if wanted.order in ("most", "least"):
        wanted.only("which", order="most least", kinds="employee person department")
        best = placed(counts, wanted)
        lead = query.say(f"query_{wanted.order}", what=query.listed(name for name, _ in best), figure=f"{best[0][1]:.0f}")
        return [lead, *figures]
    if wanted.order == "each":
        wanted.only("how_many", order="each", kinds="employee person department")
        return figures
    wanted.only("how_many", kinds="department")
    if "how_many" not in wanted.asks:
        raise NotRead
    return [query.say("count", count=len(counts)), *(f"- {name}" for name, _ in counts)]


def _employee(item: JsonObject) -> str:
    status = item.get("status") if item.get("status") != "active" else None
    return f"{item.get('name')} ({', '.join(str(one) for one in (item.get('department'), item.get('id'), status) if one)})"


def answer_workspace(query: RowQuery) -> str:
    """How many channels, people or bots there are, which channels, how many belong to one. Raises `NotRead` for anything else."""
    channels: list[JsonObject] = query.named("channel")
    belonging = query.any("measure.members")
    wanted = query.wanted(several=len(channels) > 1)
    query.whole()
    rooms, users = query.tables.listed("channel"), query.tables.listed("user")
    if rooms is None or users is None:
        raise NotRead
    if channels or wanted.order in ("most", "least"):
        ids = {str(one.get("id")) for one in channels}
        chosen = [one for one in rooms.rows if not ids or str(one.get("id")) in ids]
        members = field_asked_for(rooms.rows, "members", number=True)
        return query.answer(rooms.tool, "query_rooms", _belonging(wanted, members, chosen, belonging=belonging), counted=True)
    if belonging:
        raise NotRead
    kind = next(iter(wanted.kinds), "")
    asked = "how_many which what" if kind == "channel" else "how_many"
    wanted.only(asked, order="total", kinds=kind if kind in ("channel", "bot", "person") else "")
    if not wanted.asks:
        raise NotRead
    if kind == "channel":
        count = [query.say("count", count=len(rooms.rows))] if "how_many" in wanted.asks else []
        return query.answer(rooms.tool, "query_rooms", [*count, *(f"- #{one['name']}" for one in rooms.rows)])
    those = [one for one in users.rows if bool(one.get("is_bot")) is (kind == "bot")]
    lines = [query.say("query_persons", count=len(those)), *(f"- {person_name(one)}" for one in those)]
    return query.answer(users.tool, "query_people", lines)


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
