"""Answers questions that count, rank, compare or pick messages, reactions and replies."""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

from autonomy.llm.offline.lookup.word_matching import holds_word, tells
from autonomy.llm.offline.lookup_words import holds_request, is_recipient
from autonomy.llm.offline.query.query_reading import (
    NotRead,
    RowQuery,
    compared,
    figures,
    meets_bound,
    person_name,
    placed,
    ranked,
    row_lines,
    tallied,
)
from autonomy.llm.offline.result_items import authors, moment_of, names_of, text_of
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

MOST_SHOWN = 12
"""A count of more is told without the messages."""
MOST_BESIDE_GROUPS = 3
"""So few are shown below whose they are: whether anybody wrote is asked for the sake of what he wrote."""
_OF_WRITING = ("verb.wrote", "verb.reacted", "verb.replied", "verb.requested", "channel", "kind", "emoji", "event", "topic")
"""What a question says that is about messages, and not about what people did."""
_PHRASES = patterns_of("autonomy.llm.offline")
_TRIAL = _PHRASES["trial_place"]
_VERSION = re.compile(r"(?<![\d.])v?\d+\.\d+")


def answer_messages(query: RowQuery) -> str:
    """The answer. Raises `NotRead` for a question of another kind."""
    return _Messages(query).answer()


class _Messages:
    """The messages that a question speaks of, and what it wants to know of them."""

    def __init__(self, query: RowQuery) -> None:
        self._query = query
        self._excluded = query.excluded()
        self._words = query.keywords()
        self._events = query.named("event")
        self._people: list[JsonObject] = [*query.named("person"), *self._events]
        self._released = bool(query.reading.of("event.released"))
        query.any("kind.version" if self._events else "event")
        self._channels: list[JsonObject] = query.named("channel")
        counted = {one.at + 1 for one in query.reading.of("ask.how_many")}
        self._counts_emoji = any(one.at in counted for one in query.reading.of("emoji"))  # how many hearts, and not messages
        self._emoji = query.reading.values("emoji")
        self._reacted, self._replied = query.any("verb.reacted"), query.any("verb.replied")
        self._of_writing = bool(query.reading.of(*_OF_WRITING))
        query.any("verb.wrote")
        self._requested = query.any("verb.requested")
        if self._events and len(self._people) > len(self._events):
            raise NotRead  # what a bot tells of is nothing that somebody wrote
        of_reactions = self._emoji or self._reacted or query.reading.of("kind.reaction")
        self._described = [one.text for one in query.reading.take("open")] if of_reactions else []
        self._hours = query.hours()
        times = [one.value for one in query.reading.of("time")]
        self._of_this_weekday = any(span.first == span.last == query.today - timedelta(days=7) for span in times)
        self._periods = [(span.first, span.last, span.words) for span in times] if len(times) > 1 else []
        if self._periods:
            query.reading.take("time")
        facets = [len(self._people), len(self._channels), len(self._periods)]
        self._wanted = query.wanted(several=any(count > 1 for count in facets))
        if any(first > query.today for first, *_ in self._periods) or sum(count > 1 for count in facets) > 1:
            raise NotRead
        to_somebody = any(is_recipient(one.text, query.goal) for one in query.reading.of("person"))
        received = (self._people or self._wanted.who) and _PHRASES["receives"].search(query.goal)
        if (to_somebody or received) and not of_reactions:
            raise NotRead  # a message says who wrote it, and hardly ever to whom

    def answer(self) -> str:
        query = self._query
        first, last = query.days() if not self._periods else (None, None)
        query.whole()
        listed = query.tables.listed("user")
        messages = query.tables.messages(self._channels, first, last)
        if messages is None or listed is None:
            raise NotRead
        self._everybody = listed.rows
        self._members = [item for item in listed.rows if not item.get("is_bot") and not item.get("deleted")]
        self._one_day = first is not None and first == last
        query.told += [f"#{channel.get('name')}" for channel in self._channels]
        rows = self._sifted([item for item in messages.rows if self._is_of(item, first, last)])
        return query.answer(messages.tool, "query_messages", self._form()(rows))

    def _is_of(self, item: JsonObject, first: date | None, last: date | None) -> bool:
        moment = moment_of(item, self._query.zone)
        if moment is None or not self._hours[0] <= moment.time() <= self._hours[1]:
            return moment is None and first is None
        return first is None or last is None or first <= moment.date() <= last

    def _sifted(self, rows: Sequence[JsonObject]) -> list[JsonObject]:
        query = self._query
        for one in self._excluded:
            query.told.append(query.say("left_aside", words=one.text))
            rows = [item for item in rows if not self._is_by(item, one.meaning, one.value)]
        for word in self._words:
            query.told.append(query.say("query_quoted", word=word))
            rows = [item for item in rows if holds_word(text_of(item), word)]
        if "bot" in self._wanted.kinds:
            query.told.append(query.say("query_bots"))
            rows = [item for item in rows if item.get("is_bot")]
        for word in self._described:
            query.told.append(query.say("query_quoted", word=word))
            rows = [item for item in rows if tells(text_of(item), word)]
        if self._described and sum(bool(_reactions(item, self._emoji)) for item in rows) != 1:
            raise NotRead  # one message is described: of several, nobody knows which
        query.told += [f":{name}:" for name in self._emoji]
        if len(self._people) == 1:
            query.told.append(person_name(self._people[0]))
            rows = [item for item in rows if authors(item) & names_of(self._people[0])]
        if self._requested:
            query.told.append(query.say("query_requests"))
            rows = [item for item in rows if holds_request(text_of(item))]
        if (self._words or self._requested) and not rows:
            raise NotRead  # that a word does not occur proves nothing of what it means
        return list(rows)

    @staticmethod
    def _is_by(item: JsonObject, meaning: str, things: Sequence[JsonObject] | None) -> bool:
        if meaning == "kind.bot":
            return bool(item.get("is_bot"))
        if things is None or len(things) != 1:
            raise NotRead
        return (
            bool(authors(item) & names_of(things[0]))
            if meaning == "person"
            else item.get("channel_name") == things[0].get("name")
        )

    def _form(self) -> Callable[[list[JsonObject]], list[str]]:
        """The form of answer that the question wants; each says what it carries."""
        wanted = self._wanted
        if self._emoji or "reaction" in wanted.kinds or self._reacted or (wanted.bound and wanted.bound.unit == "reactions"):
            return self._of_reactions
        if self._replied or wanted.kinds & {"reply", "thread"}:
            return self._of_replies
        forms: list[tuple[object, Callable[[list[JsonObject]], list[str]]]] = [
            (wanted.negated, self._silent),
            (wanted.order in ("first", "last"), self._at_the_edge),
            (wanted.several, self._beside_each_other),
            (wanted.order in ("most", "least", "rank", "each") or wanted.rank, self._ranked_groups),
            ("how_many" in wanted.asks, self._number_of),
            (wanted.who or "channel" in wanted.kinds or wanted.units or "when" in wanted.asks, self._groups),
        ]
        return next((form for applies, form in forms if applies), self._all)

    # Groups of messages

    def _counts(self, rows: Sequence[JsonObject]) -> tuple[str, list[tuple[str, float]]]:
        """By what the messages are counted, and how many there are of each person, channel or day."""
        wanted = self._wanted
        by_day = bool(wanted.units) or "when" in wanted.asks
        if wanted.order == "rank" and not (wanted.who or by_day or "channel" in wanted.kinds):
            return "person", tallied([name for item in rows for name in self._authors(item)])
        groups = [
            name for name, applies in (("person", wanted.who), ("channel", "channel" in wanted.kinds), ("day", by_day)) if applies
        ]
        if len(groups) != 1 or (groups == ["day"] and self._one_day):
            raise NotRead
        if groups == ["person"] and not self._people:
            keys = [name for item in rows for name in self._authors(item)]
            return "person", tallied(keys, [person_name(member) for member in self._members])
        if groups == ["channel"] and not self._channels:
            rooms = self._query.tables.listed("channel")
            names = [str(row.get("name", "")) for row in rooms.rows] if rooms else []
            return "channel", tallied((str(item.get("channel_name", "")) for item in rows), names)
        if groups == ["day"]:
            moments = sorted(moment for item in rows if (moment := moment_of(item, self._query.zone)))
            return "day", tallied(self._query.day(moment.date()) for moment in moments)
        raise NotRead

    def _authors(self, item: JsonObject) -> list[str]:
        return [person_name(member) for member in self._members if authors(item) & names_of(member)]

    def _ranked_groups(self, rows: list[JsonObject]) -> list[str]:
        self._wanted.only(
            "who which what when how_many", order="most least rank each", kinds="message person channel", also="number rank day"
        )
        return self._ranked(self._counts(rows)[1])

    def _ranked(self, counts: list[tuple[str, float]]) -> list[str]:
        return ranked(self._query, self._wanted, counts) or self._nothing()

    def _groups(self, rows: list[JsonObject]) -> list[str]:
        """Who wrote something, in which channels or on which days."""
        self._wanted.only("who which when", kinds="message person channel", also="day")
        if not self._wanted.asks and self._wanted.head not in ("person", "channel"):
            raise NotRead  # of a channel, the messages are wanted
        counts = [pair for pair in self._counts(rows)[1] if pair[1]]
        if not counts:
            return self._nothing()
        shown = row_lines(rows[::-1]) if self._words or len(rows) <= MOST_BESIDE_GROUPS else []
        return [*figures(counts), *([""] if shown else []), *shown]

    def _number_of(self, rows: list[JsonObject]) -> list[str]:
        """How many messages there are; or people, channels, days with some."""
        wanted = self._wanted
        if {"message", "person"} <= wanted.kinds and not (wanted.asks_who or "channel" in wanted.kinds or wanted.units):
            wanted.only("how_many", order="total", kinds="message person")
            return [self._query.say("count", count=sum(bool(self._authors(item)) for item in rows))]
        if not (wanted.who or "channel" in wanted.kinds or wanted.units):
            wanted.only("how_many", order="total", kinds="message bot")
            bots = sum(bool(item.get("is_bot")) for item in rows) if "bot" not in wanted.kinds else 0
            aside = f" {self._query.say('query_with_bots', count=bots)}" if bots else ""
            shown = row_lines(rows[::-1]) if len(rows) <= MOST_SHOWN else []
            return [self._query.say("count", count=len(rows)) + aside, *shown]
        wanted.only("how_many", kinds="person channel" if wanted.head == "message" else "person channel message", also="day")
        group, counts = self._counts(rows)
        some = [pair for pair in counts if pair[1]]
        return [self._query.say(f"query_{group}s", count=len(some)), *figures(some)]

    def _beside_each_other(self, rows: list[JsonObject]) -> list[str]:
        """The counts of several people, channels or times that are named."""
        wanted = self._wanted
        wanted.only("who which how_many when", order="more most less total each", kinds="message person", also="several")
        if not (wanted.asks or wanted.order) or (wanted.asks_who and len(self._people) < 2):
            raise NotRead
        facets: list[tuple[str, Callable[[JsonObject], bool]]] = [
            *((self._period(*period), partial(self._is_of, first=period[0], last=period[1])) for period in self._periods),
            *((person_name(one), partial(_is_written_by, names=names_of(one))) for one in self._people if len(self._people) > 1),
            *((f"#{one['name']}", partial(_is_in, name=one["name"])) for one in self._channels if len(self._channels) > 1),
        ]
        counts = sorted(((name, float(sum(map(fits, rows)))) for name, fits in facets), key=lambda pair: -pair[1])
        total = self._query.say("query_total", figure=f"{sum(count for _, count in counts):.0f}")
        if wanted.order in ("", "total", "each"):
            return [*figures(counts), *([total] if wanted.order == "total" else [])]
        return self._compared(counts)

    def _period(self, first: date, last: date, words: str) -> str:
        days = [self._query.day(day) for day in dict.fromkeys((first, min(last, self._query.today)))]
        return f"{words} ({' – '.join(days)})"

    def _compared(self, counts: Sequence[tuple[str, float]]) -> list[str]:
        return [compared(self._query, counts, self._wanted.order, "{:.0f}".format), *figures(counts)]

    def _silent(self, rows: list[JsonObject]) -> list[str]:
        """Of whom, or in which channel, there is nothing."""
        wanted = self._wanted
        wanted.only("who which how_many", kinds="message person channel", also="negated")
        group, counts = self._counts(rows)
        silent = [name for name, count in counts if not count]
        if not silent:
            return [self._query.say("tally_all")]
        lead = self._query.say(f"query_{group}s", count=len(silent)) if "how_many" in wanted.asks else ""
        return [lead or self._query.say("tally_none"), *(f"- {name}" for name in silent)]

    # Single messages

    def _at_the_edge(self, rows: list[JsonObject]) -> list[str]:
        """The first or last of them."""
        self._wanted.only("who what when which time", order="first last", kinds="message person", also="number")
        rows.sort(key=lambda item: str(item.get("ts", "")))
        count = self._wanted.number or 1
        return row_lines(rows[:count] if self._wanted.order == "first" else rows[-count:][::-1]) or self._nothing()

    def _all(self, rows: list[JsonObject]) -> list[str]:
        """All of them, where the question narrows them down; a day is read from its beginning."""
        kinds = f"message bot {'version' if self._events else ''}"
        self._wanted.only("what which time", order="ascending descending", kinds=kinds)
        if "version" in self._wanted.kinds:
            rows = [item for item in rows if _VERSION.search(text_of(item))]
        if self._released and (trials := [item for item in rows if _TRIAL.search(text_of(item))]):
            rows = [item for item in rows if item not in trials]
            trial_words = (found.group() for item in trials if (found := _TRIAL.search(text_of(item))))
            self._query.told.append(self._query.say("left_aside", words=self._query.listed(dict.fromkeys(trial_words))))
        if not self._query.told:
            raise NotRead
        newest_first = self._wanted.order == "descending"
        return row_lines(sorted(rows, key=lambda item: str(item.get("ts", "")), reverse=newest_first)) or self._nothing()

    def _nothing(self) -> list[str]:
        if self._of_this_weekday:
            raise NotRead  # on a Friday, "on Friday" may be today or a week ago
        if not self._of_writing:
            raise NotRead  # what somebody did may be told elsewhere
        words = self._query.listed(dict.fromkeys(self._query.told))
        return [self._query.say("nothing_found", words=words or self._query.say("query_messages"))]

    # Reactions and replies

    def _of_reactions(self, rows: list[JsonObject]) -> list[str]:
        wanted = self._wanted
        some = [(item, float(count)) for item in rows if (count := _reactions(item, self._emoji))]
        if self._reacted:
            reactors = [name for item, _ in some for name in self._reactors(item)]
            if "how_many" in wanted.asks or self._described:
                wanted.only("who how_many which", kinds="message person reaction")
                people = list(dict.fromkeys(reactors))
                lead = [self._query.say("query_persons", count=len(people))] if "how_many" in wanted.asks else []
                return [*lead, *(f"- {name}" for name in people)] or self._nothing()
            wanted.only("who", order="most least rank", kinds="message person reaction", also="number rank")
            return self._ranked(tallied(reactors, [person_name(member) for member in self._members]))
        if wanted.order in ("most", "least", "rank"):
            return self._ranked_reactions(some)
        if "how_many" in wanted.asks and ("reaction" in wanted.kinds or self._counts_emoji or (self._emoji and not wanted.kinds)):
            wanted.only("how_many", order="total", kinds="message reaction")
            return [self._query.say("query_reactions", count=f"{sum(count for _, count in some):.0f}")]
        wanted.only("which what how_many", kinds="message reaction", also="bound")
        if "message" not in wanted.kinds or (wanted.bound and wanted.bound.unit != "reactions"):
            raise NotRead
        some = [pair for pair in some if wanted.bound is None or meets_bound(pair[1], wanted.bound, wanted.bound.number)]
        lead = [self._query.say("count", count=len(some))] if "how_many" in wanted.asks else []
        return [*lead, *row_lines([item for item, _ in some])] or self._nothing()

    def _ranked_reactions(self, some: list[tuple[JsonObject, float]]) -> list[str]:
        """Who got most reactions, which message did, or which reaction was given most."""
        wanted = self._wanted
        if wanted.who:
            wanted.only("who", order="most least rank", kinds="person reaction", also="number rank")
            names = [name for item, count in some for name in self._authors(item) * int(count)]
            return self._ranked(tallied(names, [person_name(member) for member in self._members]))
        if not some:
            return self._nothing()
        if "message" in wanted.kinds:
            wanted.only("which what", order="most", kinds="message reaction", also="number rank")
            return self._with_figures(placed(some, wanted), "query_reactions")
        wanted.only("which what", order="most least rank", kinds="reaction", also="number rank")
        if self._emoji:
            raise NotRead
        return self._ranked(tallied(f":{name}:" for item, _ in some for name, count in _by_emoji(item) for _ in range(count)))

    def _with_figures(self, rows: Sequence[tuple[JsonObject, float]], phrase: str) -> list[str]:
        """Messages under the figure that they share."""
        lines: list[str] = []
        for figure in dict.fromkeys(count for _, count in rows):
            messages = row_lines([item for item, count in rows if count == figure])
            lines += [self._query.say(phrase, count=f"{figure:.0f}") + ":", *messages]
        return lines or self._nothing()

    def _reactors(self, item: JsonObject) -> list[str]:
        reactions = [one for one in item.get("reactions") or () if not self._emoji or one.get("name") in self._emoji]
        ids = [user for reaction in reactions for user in reaction.get("user_ids", ())]
        return [person_name(one) for user in ids for one in self._everybody if one.get("id") == user]

    def _of_replies(self, rows: list[JsonObject]) -> list[str]:
        wanted = self._wanted
        replies = [item for item in rows if item.get("thread_ts") and item.get("thread_ts") != item.get("ts")]
        names = [name for item in replies for name in self._authors(item)]
        if wanted.asks_who and "how_many" in wanted.asks:
            wanted.only("how_many", kinds="message person reply")
            counts = tallied(names)
            return [self._query.say("query_persons", count=len(counts)), *figures(counts)]
        if wanted.who and wanted.order:
            wanted.only("who", order="most least rank", kinds="person reply", also="number rank")
            return self._ranked(tallied(names, [person_name(member) for member in self._members]))
        if wanted.order == "most":
            wanted.only("which what", order="most", kinds="message reply thread", also="number rank")
            some = [(item, float(count)) for item in rows if (count := item.get("reply_count"))]
            return self._with_figures(placed(some, wanted), "query_replies") if some else self._nothing()
        wanted.only("how_many", order="total", kinds="reply")
        if "how_many" not in wanted.asks:
            raise NotRead
        return [self._query.say("query_replies", count=len(replies))]


def _is_written_by(item: JsonObject, names: set[str]) -> bool:
    return bool(authors(item) & names)


def _is_in(item: JsonObject, name: str) -> bool:
    return item.get("channel_name") == name


def _reactions(item: JsonObject, emoji: Sequence[str]) -> int:
    return sum(count for name, count in _by_emoji(item) if not emoji or name in emoji)


def _by_emoji(item: JsonObject) -> list[tuple[str, int]]:
    reactions = item.get("reactions")
    return (
        [(str(one["name"]), int(one["count"])) for one in reactions if isinstance(one, dict)]
        if isinstance(reactions, list)
        else []
    )
