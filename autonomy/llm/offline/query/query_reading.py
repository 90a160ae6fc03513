"""The common parts of all queries: filters, aggregates, ranking, and the words of an answer."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time, tzinfo
from typing import Any, TypeVar

from autonomy.llm.offline.query.mentions import FigureBound, Mention, Mentions
from autonomy.llm.offline.query.query_tables import QueryTables
from autonomy.llm.offline.refusal import listed, say
from autonomy.llm.offline.result_items import answer_lines
from discovery.catalog import JsonObject

MOST_LINES = 30
"""A longer list is no answer."""
_EXCLUDABLE = ("person", "channel", "kind.bot", "kind.diary")
_BESIDE: Mapping[str, Callable[[float, float], bool]] = {
    "above": lambda figure, bound: figure > bound,
    "from": lambda figure, bound: figure >= bound,
    "below": lambda figure, bound: figure < bound,
    "to": lambda figure, bound: figure <= bound,
    "exactly": lambda figure, bound: figure == bound,
}


Ranked = TypeVar("Ranked")


class NotRead(Exception):
    """The question is none that a query answers."""


class NoneOfKind(NotRead):
    """Raised when the question may mean another kind of thing, because there is none of this kind."""


@dataclass(frozen=True)
class QueryWanted:
    """The aggregate that a question asks of the filtered rows."""

    asks: frozenset[str]
    """Its words of asking: who, which, what, when, time, how_many, how_long."""
    order: str
    """most, least, first, last, more, less, total, average, difference, rank, each; empty where nothing is ordered."""
    rank: int | None
    """Which place in the order is asked for (second most)."""
    number: int | None
    """How many are asked for (top 3)."""
    bound: FigureBound | None
    negated: bool
    kinds: frozenset[str]
    """The kinds of things it speaks of: message, person, channel."""
    units: frozenset[str]
    """Units of time by which something is grouped: day, month."""
    head: str
    """The kind of thing that is asked for: `person` of 何人 and of "how many people"."""
    several: bool = False
    """Whether it names several people, channels or times beside each other."""

    @property
    def who(self) -> bool:
        """Whether people are asked for."""
        return "who" in self.asks or bool(self.kinds & {"person", "employee"})

    @property
    def asks_who(self) -> bool:
        """Whether people are what is asked for, and not by whom the things are that are asked for."""
        return "who" in self.asks or self.head in ("person", "employee")

    def only(self, asks: str = "", *, order: str = "", kinds: str = "", also: str = "") -> None:
        """Raises `NotRead` for anything that an answer does not carry; each is given as words with a blank between them.

        `also`: which of rank, number, bound, negated, several, day and month it does carry."""
        carried = also.split()
        conditions = {
            "rank": self.rank is not None,
            "number": self.number is not None,
            "bound": self.bound is not None,
            "negated": self.negated,
            "several": self.several,
            **dict.fromkeys(self.units, True),
        }
        spare = [name for name, applies in conditions.items() if applies and name not in carried]
        if spare or self.asks - set(asks.split()) or self.kinds - set(kinds.split()) or self.order not in ("", *order.split()):
            raise NotRead


@dataclass
class RowQuery:
    """A question that is being read: where its data comes from, and what of it is accounted for."""

    goal: str
    reading: Mentions
    tables: QueryTables
    language: str
    today: date
    zone: tzinfo
    told: list[str] = field(default_factory=list)
    """What the answer is restricted to, as it is told."""
    _services: list[str] = field(default_factory=list)

    def only(self, role: str, *allowed: str) -> str:
        """The one value of a role, taken; empty where there is none. Raises `NotRead` for several, or for another than these."""
        values = self.reading.values(role)
        if len(values) > 1 or (values and allowed and values[0] not in allowed):
            raise NotRead
        return values[0] if values else ""

    def any(self, *meanings: str) -> bool:
        """Whether the question speaks of this; it is accounted for from now on."""
        return bool(self.reading.take(*meanings))

    def number(self) -> int | None:
        """How many, or which in order, is asked for."""
        found = self.reading.take("number")
        if len(found) > 1 or (found and found[0].value < 1):
            raise NotRead
        return found[0].value if found else None

    def threshold(self) -> FigureBound | None:
        """The bound that figures are held to."""
        found = self.reading.take("threshold")
        if len(found) > 1:
            raise NotRead
        self.told += [mention.value.words for mention in found]
        return found[0].value if found else None

    def named(self, role: str) -> list[Any]:
        """The things of that kind that the question names. Raises `NotRead` for a name that several have."""
        found = self.reading.take(role)
        if any(len(mention.value) > 1 for mention in found):
            raise NotRead
        return list({str(mention.value[0]): mention.value[0] for mention in found}.values())

    def hours(self) -> tuple[time, time]:
        """Between which times of the day; a day without them is meant whole. Raises `NotRead` for several."""
        spoken = [(one.text.strip("のに"), one.value) for one in self.reading.take("hours")]
        spoken += [(one.text, one.value.hours) for one in self.reading.of("time") if one.value.hours]
        if len(spoken) > 1 or (spoken and len(self.reading.of("time")) > 1):
            raise NotRead
        self.told += [words for words, _ in spoken]
        return spoken[0][1] if spoken else (time.min, time.max)

    def keywords(self) -> list[str]:
        """The words that texts must contain: quoted ones, and those beside a word such as `about`."""
        words: list[str] = []
        for topic in self.reading.take("topic"):
            mentions = self.reading.mentions
            near = [
                mention
                for mention in mentions
                if mention.meaning in ("open", "quoted") or mention.meaning.startswith(("person", "channel", "attribute"))
            ]
            step = 1 if topic.text.isascii() else -1
            neighbours: list[Mention] = []
            at = topic.at + step
            while here := [one for one in near if one.at == at and not one.taken]:
                if neighbours and here[0].meaning != "open":
                    break  # somebody, or a place, beside what is spoken of
                neighbours.append(here[0])
                for one in here:
                    one.taken = True
                at += step
            if not neighbours and topic is mentions[-1] and self.reading.of("ask.what"):
                continue  # what it was about, which its words tell
            if not neighbours:
                raise NotRead
            words += [str(one.value) if one.meaning in ("open", "quoted") else one.text for one in neighbours]
            self.reading.mentions[:] = [mention for mention in mentions if mention not in neighbours]
        quoted = [one for one in self.reading.of("quoted") if not one.taken]
        words += [str(one.value) for one in quoted]
        self.reading.take("quoted")
        return words

    def excluded(self) -> list[Mention]:
        """The people, channels or bots that are left out, taken."""
        found: list[Mention] = []
        for marker in self.reading.take("except"):
            step = 1 if marker.text.isascii() else -1
            at, role = marker.at + step, ""
            while here := [one for one in self.reading.of(*([role] if role else _EXCLUDABLE)) if one.at == at]:
                role = here[0].meaning
                found += here
                at += step
            if not role:
                raise NotRead
        for one in found:
            one.taken = True
            self.reading.mentions.remove(one)
        return found

    def days(self) -> tuple[date | None, date | None]:
        """The first and the last day of the one time that the question names; none of both where it names none."""
        spans = [one.value for one in self.reading.take("time")]
        if len(spans) > 1:
            raise NotRead
        if not spans:
            return None, None
        if spans[0].first > self.today:
            raise NotRead
        self.told.append(
            self.day(spans[0].first)
            if spans[0].first == spans[0].last
            else f"{self.day(spans[0].first)} – {self.day(min(spans[0].last, self.today))}"
        )
        return spans[0].first, spans[0].last

    def wanted(self, *, several: bool = False) -> QueryWanted:
        """Take the aggregate that is asked for."""
        head = self._head()
        negated, yet = self.any("not"), self.any("yet")
        rank = self.only("rank")
        if yet and not negated:
            raise NotRead
        return QueryWanted(
            asks=frozenset(self.reading.values("ask")),
            order=self._order(),
            rank=int(rank) if rank else None,
            number=self.number(),
            bound=self.threshold(),
            negated=negated,
            kinds=frozenset(self.reading.values("kind")),
            units=frozenset(self.reading.values("group")),
            several=several,
            head=head,
        )

    def _head(self) -> str:
        """The kind of thing that a word of asking counts (何人), or that the question begins (Japanese: ends) with."""
        asking = {one.at for one in self.reading.of("ask")}
        told = [one for one in self.reading.mentions if not one.meaning.startswith("ask.")]
        counted = [one for one in told if one.at in asking]
        ends = counted or [one for one in told[:1] + told[-1:] if one.text.isascii() == (one is told[0])]
        return next((one.meaning.removeprefix("kind.") for one in ends if one.meaning.startswith("kind.")), "")

    def whole(self) -> None:
        """Raises `NotRead` where something of the question is not accounted for."""
        self._services = self.reading.values("service")
        if self.reading.left:
            raise NotRead

    def _order(self) -> str:
        """How things are ordered; 一番 and 多い stand apart where 一番発言の多い is said."""
        orders = self.reading.values("order")
        superlative = {"more": "most", "least": "least", "less": "least", "first": "first", "last": "last"}
        if len(orders) == 2 and "most" in orders and (other := next(one for one in orders if one != "most")) in superlative:
            return superlative[other]
        if len(orders) > 1:
            raise NotRead
        return orders[0] if orders else ""

    def say(self, phrase: str, **values: object) -> str:
        """A phrase in the language of the answer."""
        return say(self.language, phrase, **values)

    def day(self, day: date) -> str:
        """A day as that language writes it, with its weekday."""
        weekday = self.say("query_weekdays").split()[day.weekday()]
        return self.say("query_day", year=day.year, month=day.month, day=day.day, weekday=weekday)

    def listed(self, words: Iterable[object]) -> str:
        """Words one after the other."""
        return listed(self.language, words)

    def answer(self, tool: str, what: str, lines: Sequence[str], *, counted: bool = False) -> str:
        """The answer: how the question was read, the lines, and where they are from; of a service that is named, if it is.

        `counted`: by the tool itself. Raises `NotRead` for another one."""
        if any(one not in tool for one in self._services):
            raise NotRead
        reading_note = self.say("query_read", what=self.listed([self.say(what), *dict.fromkeys(self.told)]))
        return "\n".join([*lines, "", reading_note, self.say("source" if counted else "query_source", tool=tool)])


def meets_bound(figure: float, bound: FigureBound, number: float) -> bool:
    """Whether a figure stands to a number as the threshold wants it."""
    return _BESIDE[bound.order](figure, number)


def placed(counts: Sequence[tuple[Ranked, float]], wanted: QueryWanted) -> list[tuple[Ranked, float]]:
    """The rows with the highest (`most`) or lowest figures: as many as asked for, or at the place asked for, with all ties."""
    order, rank, number = "least" if wanted.order == "least" else "most", wanted.rank or 1, wanted.number
    figures = sorted({figure for _, figure in counts}, reverse=order == "most")
    ranked = sorted(counts, key=lambda pair: pair[1], reverse=order == "most")
    if number is not None:
        edge = ranked[min(number, len(ranked)) - 1][1]
        return [one for one in ranked if (one[1] >= edge if order == "most" else one[1] <= edge)]
    ahead = 0
    for figure in figures:
        tied = [one for one in ranked if one[1] == figure]
        if ahead + 1 <= rank <= ahead + len(tied):
            return tied
        ahead += len(tied)
    return []


def compared(
    query: RowQuery, counts: Sequence[tuple[str, float]], order: str, unit: Callable[[float], str], measure: str = ""
) -> str:
    """Compare several by a measure: the one with the most (or, `less`, the least), or that they are even."""
    best = (min if order in ("less", "least") else max)(count for _, count in counts)
    winners = [name for name, count in counts if count == best]
    if len(winners) == len(counts):
        return query.say("query_even", figure=unit(best))
    order = "less" if order in ("less", "least") else "more"
    return query.say(f"query_{measure}_{order}" if measure else f"query_{order}", what=query.listed(winners), figure=unit(best))


def tallied(keys: Iterable[str], among: Sequence[str] = ()) -> list[tuple[str, float]]:
    """How often each key stands there, the most frequent first; those of `among` also where it is never."""
    counts = Counter(dict.fromkeys(among, 0))
    counts.update(keys)
    return [(key, float(count)) for key, count in sorted(counts.items(), key=lambda pair: -pair[1])]


def figures(counts: Sequence[tuple[str, float]]) -> list[str]:
    """A line for each with its count."""
    return [f"- {name}: {count:.0f}" for name, count in counts]


def ranked(query: RowQuery, wanted: QueryWanted, counts: Sequence[tuple[str, float]]) -> list[str]:
    """All by their counts, or who or what has the most or least; nothing where there is nothing to count."""
    if wanted.order in ("rank", "each") and wanted.number is None and wanted.rank is None:
        return figures(counts)
    if wanted.order == "each":
        raise NotRead
    if not any(count for _, count in counts):
        return []
    winners = placed(counts, wanted)
    if wanted.number is not None or wanted.rank is not None:
        return figures(winners)
    lead = query.say(f"query_{wanted.order}", what=query.listed(name for name, _ in winners), figure=f"{winners[0][1]:.0f}")
    return [lead, *figures(counts if wanted.order == "most" else counts[::-1])]


def person_name(item: JsonObject) -> str:
    """The name of a person in an answer."""
    return str(next((item[one] for one in ("display_name", "real_name", "name", "screen_name", "id") if item.get(one)), ""))


def full_name(item: JsonObject) -> str:
    """The same with the full name behind it, where that does not hold it, as a nickname."""
    name, whole = person_name(item), str(item.get("real_name") or "")
    return f"{name} ({whole})" if whole and name not in whole else name


def row_lines(rows: Sequence[JsonObject]) -> list[str]:
    """Rows as lines of a list. Raises `NotRead` for more than a person reads."""
    if len(rows) > MOST_LINES:
        raise NotRead
    return [f"- {line}" for item in rows for line in answer_lines(item)]
