"""Answers questions that add, rank or compare overtime by person, department and month."""

from collections.abc import Callable, Sequence

from autonomy.llm.offline.query.query_reading import NotRead, RowQuery, compared, meets_bound, placed
from autonomy.llm.offline.query.query_tables import ListedRows
from autonomy.llm.offline.result_items import field_asked_for
from autonomy.llm.offline.time_expressions import months_in
from discovery.catalog import JsonObject

Figures = list[tuple[str, float]]
_PEOPLE = "overtime person employee"
MOST_FIGURES = 12
"""A sum of more figures is told without them."""


def answer_overtime(query: RowQuery) -> str:
    """The answer. Raises `NotRead` for a question of another kind."""
    return _Overtime(query).answer()


class _Overtime:
    """The overtime that a question speaks of, in minutes, and what it wants to know of it."""

    def __init__(self, query: RowQuery) -> None:
        self._query = query
        self._months = months_in(query.goal, query.today)
        spans = [one.value for one in query.reading.take("time")]
        if not spans or len(spans) != len(self._months) or any(span.first.day != 1 or span.first > query.today for span in spans):
            raise NotRead
        self._called = query.reading.take("employee")
        self._departments = [str(one.value) for one in query.reading.take("department")]
        query.any("unit", "verb.worked")
        several = [len(self._months) > 1, len(self._called) > 1, len(self._departments) > 1]
        if sum(several) > 1:
            raise NotRead
        self._wanted = query.wanted(several=any(several))

    def answer(self) -> str:
        query = self._query
        query.whole()
        tables = query.tables.overtime(self._months, self._departments[0] if len(self._departments) == 1 else "")
        if not tables or not all(table.rows for table in tables):
            raise NotRead
        field = field_asked_for(tables[0].rows, "overtime", number=True)
        if not field.endswith("minutes"):
            raise NotRead
        people = self._identified(tables)
        ids = {str(person.get("id")) for person in people}
        rows = [
            (month, item, float(item[field]))
            for month, table in zip(self._months, tables, strict=True)
            for item in table.rows
            if (not ids or str(item.get("employee_id")) in ids)
            and (not self._departments or item.get("department") in self._departments)
        ]
        if not rows:
            raise NotRead
        query.told += [*self._months, *self._departments, *(str(person["name"]) for person in people)]
        group = self._group()
        sums: dict[str, float] = {}
        for month, item, figure in rows:
            key = {"month": month, "department": str(item.get("department")), "person": _name(item)}[group]
            sums[key] = sums.get(key, 0.0) + figure
        lines = self._form(group)(list(sums.items()))
        unsettled = [_name(item) for _, item, _ in rows if item.get("complete") is False]
        open_names = [name for name in dict.fromkeys(unsettled) if group != "person" or any(name in line for line in lines)]
        aside = [query.say("query_unsettled", who=query.listed(open_names))] if open_names else []
        if group == "person":
            shown = [item for _, item, _ in rows if any(_name(item) in line for line in lines)]
            aside += [self._disagreement(item, one) for item in shown for one in item.get("disagreements") or ()][:MOST_FIGURES]
        return query.answer(tables[0].tool, "query_overtime", [*lines, *aside])

    def _disagreement(self, item: JsonObject, one: JsonObject) -> str:
        """That the company's own figure of a day, which is in the sum, is another than its hours give."""
        by_vendor, by_hours = one.get("vendor_minutes"), one.get("computed_minutes")
        return self._query.say("query_disagreement", who=_name(item), day=one.get("day"), told=by_vendor, worked=by_hours)

    def _identified(self, tables: Sequence[ListedRows]) -> list[JsonObject]:
        """Those who are named, where only one of the name has worked in these months. Raises `NotRead` for others."""
        listed = {str(item.get("employee_id")) for table in tables for item in table.rows}
        found = []
        for mention in self._called:
            near = [one.value for one in self._called if abs(one.at - mention.at) == 1]  # a number in brackets behind a name
            matches = [one for one in mention.value if str(one.get("id")) in listed and all(one in other for other in near)]
            if len(matches) != 1:
                raise NotRead
            found += matches
        return list({str(one["id"]): one for one in found}.values())

    def _group(self) -> str:
        """By what the minutes are added up."""
        wanted = self._wanted
        groups = [
            name
            for name, applies in (
                ("person", wanted.who or len(self._called) > 1),
                ("department", ("department" in wanted.kinds and not self._departments) or len(self._departments) > 1),
                ("month", bool(wanted.units) or "when" in wanted.asks or len(self._months) > 1),
            )
            if applies
        ]
        if groups == ["person", "department"] and self._departments:
            return "person"  # of these departments together
        if len(groups) > 1:
            raise NotRead
        return groups[0] if groups else "person"

    def _form(self, group: str) -> Callable[[Figures], list[str]]:
        """The form of answer that the question wants; each says what it carries."""
        wanted = self._wanted
        one = len(self._called) == 1
        forms: list[tuple[object, Callable[[Figures], list[str]]]] = [
            (wanted.order in ("more", "less", "difference"), self._beside_each_other),
            (wanted.bound, self._beyond),
            (wanted.order in ("most", "least", "rank") or wanted.rank, self._ranked),
            (wanted.order == "average", self._average),
            (wanted.order == "total" or (not self._called and wanted.order != "each"), self._total),
            (one or wanted.several or wanted.order == "each", self._each),
        ]
        self._of_people = group == "person"
        return next(form for applies, form in forms if applies)

    def _ranked(self, figures: Figures) -> list[str]:
        wanted = self._wanted
        wanted.only(
            "who which when how_long what",
            order="most least rank",
            kinds=f"{_PEOPLE} department",
            also="number rank month several",
        )
        if len(figures) < 2 or (wanted.several and self._of_people and not self._called):
            raise NotRead
        ranked = sorted(figures, key=lambda pair: -pair[1])
        whole = wanted.order == "rank" and wanted.rank is None and wanted.number is None
        return self._lines(ranked if whole else placed(figures, wanted))

    def _beside_each_other(self, figures: Figures) -> list[str]:
        wanted = self._wanted
        wanted.only("who which when how_long", order="more less difference", kinds=f"{_PEOPLE} department", also="several month")
        if not wanted.several or len(figures) < 2:
            raise NotRead
        if wanted.order != "difference":
            return [compared(self._query, figures, wanted.order, self._time), *self._lines(figures)]
        if len(figures) != 2:
            raise NotRead
        return [self._query.say("query_difference", figure=self._time(abs(figures[0][1] - figures[1][1]))), *self._lines(figures)]

    def _beyond(self, figures: Figures) -> list[str]:
        wanted = self._wanted
        wanted.only("who which how_many", kinds=_PEOPLE, also="bound")
        bound = wanted.bound
        if bound is None or bound.unit not in ("hours", "minutes") or not self._of_people or self._called:
            raise NotRead
        inside = [pair for pair in figures if meets_bound(pair[1], bound, bound.number * (60 if bound.unit == "hours" else 1))]
        if not inside:
            return [self._query.say("nothing_found", words=self._query.listed(self._query.told))]
        lead = [self._query.say("query_persons", count=len(inside))] if "how_many" in wanted.asks else []
        return [*lead, *self._lines(inside)]

    def _average(self, figures: Figures) -> list[str]:
        self._wanted.only("how_long what", order="average", kinds=_PEOPLE, also="several month")
        if len(figures) < 2:
            raise NotRead
        figure = self._time(sum(one for _, one in figures) / len(figures))
        return [self._query.say("query_average", figure=figure, count=len(figures))]

    def _total(self, figures: Figures) -> list[str]:
        """The sum of a department or of all, with everybody's where none is asked for; of several, each for itself."""
        wanted = self._wanted
        wanted.only(
            "how_long what", order="total", kinds="overtime department" if self._departments else "overtime", also="several month"
        )
        total = self._query.say("query_total", figure=self._time(sum(figure for _, figure in figures)))
        shown = self._lines(figures) if len(figures) <= MOST_FIGURES or not wanted.order else []
        return shown if wanted.several and not wanted.order else [total, *shown]

    def _each(self, figures: Figures) -> list[str]:
        self._wanted.only("how_long how_many what who", order="each", kinds=f"{_PEOPLE} department", also="several month")
        return self._lines(figures)

    def _lines(self, figures: Sequence[tuple[str, float]]) -> list[str]:
        return [f"- {name}: {self._time(figure)}" for name, figure in figures]

    def _time(self, minutes: float) -> str:
        whole = round(minutes)
        return self._query.say("query_hours", hours=whole // 60, minutes=whole % 60, whole=whole)


def _name(item: JsonObject) -> str:
    return f"{item.get('name')} ({item.get('department')}, {item.get('employee_id')})"
