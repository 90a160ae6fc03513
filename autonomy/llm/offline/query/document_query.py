"""Answers questions that count, rank or pick documents (posts, diaries) by author, tag, category and day."""

from collections.abc import Callable, Sequence

from autonomy.llm.offline.lookup.documents import header
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.query.query_reading import (
    NoneOfKind,
    NotRead,
    RowQuery,
    figures,
    full_name,
    person_name,
    placed,
    ranked,
    row_lines,
    tallied,
)
from autonomy.llm.offline.result_items import authors, moment_of, names_of
from autonomy.llm.offline.vocabulary import terms
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_WRITTEN = "document diary"
_TITLES = ("name", "title", "full_name")
"""The fields that hold what a document is called."""
UNSURE = "unsure"
"""The value of a mention that may mean messages as well: that there are no such documents is no answer to it."""


def answer_documents(query: RowQuery) -> str:
    """The answer. Raises `NotRead` for a question of another kind."""
    return _Documents(query).answer()


class _Documents:
    """The documents that a question speaks of, and what it wants to know of them."""

    def __init__(self, query: RowQuery) -> None:
        self._query = query
        self._excluded = query.excluded()
        self._people: list[JsonObject] = query.named("person")
        labels = query.reading.take("label")
        self._named = [str(one.value) for one in query.reading.take("quoted")]
        self._titled = [one.text for one in query.reading.take("open")]
        self._changed = query.any("verb.updated")
        self._written = query.any("verb.wrote")
        self._unsure = any(one.value == UNSURE for one in query.reading.of("kind.document"))
        self._wanted = query.wanted(several=len(self._people) > 1)
        label_kinds = self._wanted.kinds & {"tag", "category"}
        if labels and (len(label_kinds) > 1 or not all(label_kinds <= set(label.value) for label in labels)):
            raise NotRead
        if not label_kinds:  # whether a word is meant as a tag is told by the word tag: it may as well be part of a title
            self._titled += [label.text for label in labels]
        self._tags = [label.text for label in labels if "tag" in label_kinds]
        self._categories = [label.text for label in labels if "category" in label_kinds]
        if "where" in self._wanted.asks and (not (labels or self._named) or _PHRASES["asks_where_done"].search(query.goal)):
            raise NotRead  # where a thing is that is spoken of, or was done, no title tells
        if "how_many" in self._wanted.asks and self._titled and not (self._wanted.kinds or self._written):
            raise NotRead  # nor how many there are, or how often it was done

    def answer(self) -> str:
        query = self._query
        first, last = query.days()
        query.whole()
        posts, users = query.tables.listed("post"), query.tables.listed("user")
        if posts is None or users is None:
            raise NotRead
        self._members = [row for row in users.rows if not row.get("is_bot")]
        dated = [(moment.date(), item) for item in posts.rows if (moment := moment_of(item, query.zone, changed=self._changed))]
        if len(dated) < len(posts.rows):
            raise NotRead
        rows = [item for day, item in sorted(dated, key=lambda pair: pair[0]) if first is None or first <= day <= (last or day)]
        rows = self._sifted(rows)
        if not rows and (self._unsure or self._titled or self._named):
            raise NoneOfKind if self._unsure and not (self._titled or self._named) else NotRead
        phrase = "query_diaries" if "diary" in self._wanted.kinds else "query_documents"
        return query.answer(posts.tool, phrase, self._form()(rows))

    def _sifted(self, rows: Sequence[JsonObject]) -> list[JsonObject]:
        query = self._query
        if "diary" in self._wanted.kinds:
            rows = [item for item in rows if _is_diary(item)]
        for one in self._excluded:
            query.told.append(query.say("left_aside", words=one.text))
            if one.meaning == "kind.diary":
                rows = [item for item in rows if not _is_diary(item)]
            elif one.meaning == "person" and len(one.value) == 1:
                rows = [item for item in rows if not authors(item) & names_of(one.value[0])]
            else:
                raise NotRead
        for title in self._named:
            query.told.append(query.say("query_quoted", word=title))
            rows = [item for item in rows if title.casefold() in {str(item.get(one, "")).casefold() for one in _TITLES}]
        verbatim = self._wanted.who and len(self._titled) == 1 and not self._wanted.kinds  # the tests are no page on a load test
        for word in self._titled:
            query.told.append(query.say("query_quoted", word=word))
            rows = [
                item
                for item in rows
                if tells(header(item), word) and not (verbatim and word.casefold() not in header(item).casefold())
            ]
        for person in self._people:
            query.told.append(person_name(person))
            rows = [item for item in rows if authors(item) & names_of(person)]
        for tag in self._tags:
            query.told.append(f"#{tag}")
            rows = [item for item in rows if tag.casefold() in {str(one).casefold() for one in item.get("tags") or ()}]
        for category in self._categories:
            query.told.append(category)
            rows = [item for item in rows if category.casefold() in str(item.get("category", "")).casefold().split("/")]
        return list(rows)

    def _form(self) -> Callable[[list[JsonObject]], list[str]]:
        """The form of answer that the question wants; each says what it carries."""
        wanted = self._wanted
        labels = bool(wanted.kinds & {"tag", "category"}) and not (self._tags or self._categories)
        forms: list[tuple[object, Callable[[list[JsonObject]], list[str]]]] = [
            (wanted.negated, self._silent),
            (wanted.order in ("first", "last"), self._at_the_edge),
            (labels, self._labels),
            (wanted.order in ("most", "least", "rank", "each") or wanted.rank, self._ranked),
            (wanted.asks_who and not (self._titled or self._named), self._writers),
            ("how_many" in wanted.asks, self._number_of),
        ]
        return next((form for applies, form in forms if applies), self._all)

    def _counts(self, rows: Sequence[JsonObject]) -> list[tuple[str, float]]:
        if self._people:
            raise NotRead
        author_names = [person_name(member) for item in rows for member in self._members if authors(item) & names_of(member)]
        return tallied(author_names, [person_name(member) for member in self._members])

    def _silent(self, rows: list[JsonObject]) -> list[str]:
        self._wanted.only("who how_many", kinds=f"{_WRITTEN} person tag category", also="negated")
        if not self._wanted.who:
            raise NotRead
        silent = [name for name, count in self._counts(rows) if not count]
        lead = self._query.say("query_persons", count=len(silent)) if "how_many" in self._wanted.asks else ""
        return (
            [lead or self._query.say("tally_none"), *(f"- {name}" for name in silent)]
            if silent
            else [self._query.say("tally_all")]
        )

    def _ranked(self, rows: list[JsonObject]) -> list[str]:
        """Who wrote how many, or how many are of each day."""
        wanted, query = self._wanted, self._query
        kinds = f"{_WRITTEN} person tag category"
        wanted.only("who which when how_many", order="most least rank each", kinds=kinds, also="number rank day")
        by_day = bool(wanted.units) or "when" in wanted.asks
        if wanted.who is by_day:
            raise NotRead
        moments = (moment_of(item, query.zone, changed=self._changed) for item in rows)
        days = [query.day(moment.date()) for moment in moments if moment]
        return ranked(query, wanted, tallied(days) if by_day else self._counts(rows)) or self._nothing()

    def _writers(self, rows: list[JsonObject]) -> list[str]:
        self._wanted.only("who how_many", kinds=f"{_WRITTEN} person tag category")
        some = [pair for pair in self._counts(rows) if pair[1]]
        lead = [self._query.say("query_persons", count=len(some))] if "how_many" in self._wanted.asks else []
        return [*lead, *figures(some)] or self._nothing()

    def _labels(self, rows: list[JsonObject]) -> list[str]:
        """The tags or categories themselves, by how many documents have them."""
        wanted = self._wanted
        kind = "tag" if "tag" in wanted.kinds else "category"
        wanted.only("which what how_many", order="most least rank total each", kinds=f"{kind} document", also="number rank")
        if kind == "tag":
            counts = tallied(str(tag) for item in rows for tag in item.get("tags") or ())
        else:
            counts = tallied(str(item.get("category", "")).split("/")[0] for item in rows)
        if wanted.order in ("most", "least") or wanted.rank:
            return figures(placed(counts, wanted)) if counts else self._nothing()
        if wanted.number is not None:
            raise NotRead
        lead = [self._query.say("count", count=len(counts))] if "how_many" in wanted.asks else []
        return [*lead, *figures(counts)] or self._nothing()

    def _number_of(self, rows: list[JsonObject]) -> list[str]:
        self._wanted.only("how_many", order="total", kinds=f"{_WRITTEN} tag category")
        return [self._query.say("count", count=len(rows)), *row_lines(rows)]

    def _at_the_edge(self, rows: list[JsonObject]) -> list[str]:
        """The first or last of them; a title does not tell what it says, so that is not asked here."""
        wanted = self._wanted
        asks = "who when which time" if self._written else "who when which what time"
        wanted.only(asks, order="first last", kinds=f"{_WRITTEN} person tag category", also="number")
        if wanted.asks & {"when", "time"} and not (wanted.kinds or self._written or self._changed):
            raise NotRead  # when a release was is not told by a document that is called so
        moments = [(str(moment_of(item, self._query.zone, changed=self._changed)), item) for item in rows]
        ordered = [item for _, item in sorted(moments, key=lambda pair: pair[0])]
        count = self._wanted.number or 1
        return row_lines(ordered[:count] if self._wanted.order == "first" else ordered[-count:][::-1]) or self._nothing()

    def _all(self, rows: list[JsonObject]) -> list[str]:
        has_name = bool(self._titled or self._named)
        asks = "which what who where" if has_name else "which what"
        self._wanted.only(asks, order="ascending descending", kinds=f"{_WRITTEN} tag category person")
        if "what" in self._wanted.asks and "diary" in self._wanted.kinds:
            raise NotRead  # what they say is asked, and not which there are
        names = [full_name(member) for item in rows for member in self._members if authors(item) & names_of(member)]
        writers = [f"- {self._query.listed(dict.fromkeys(names))}"] if self._wanted.asks_who and names else []
        ordered = rows[::-1] if self._wanted.order == "descending" else rows
        return [*writers, *row_lines(ordered)] or self._nothing()

    def _nothing(self) -> list[str]:
        words = self._query.listed(dict.fromkeys(self._query.told))
        return [self._query.say("nothing_found", words=words or self._query.say("query_documents"))]


def _is_diary(item: JsonObject) -> bool:
    return "#diary" in terms(f"{item.get('name', '')} {' '.join(item.get('tags') or ())}")
