"""Answers questions that count, add, rank or compare: a source, filters, a grouping and an order.

The question is cut into mentions, and each must be taken by the answer; where one is left, there is no answer from here.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import lru_cache, partial
from typing import Any

from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.conversation_state import ConversationState, collect_all
from autonomy.llm.offline.query.document_query import UNSURE, answer_documents
from autonomy.llm.offline.query.forecast_query import answer_forecast
from autonomy.llm.offline.query.mentions import Mention, Mentions, read
from autonomy.llm.offline.query.message_query import answer_messages
from autonomy.llm.offline.query.overtime_query import answer_overtime
from autonomy.llm.offline.query.query_reading import NoneOfKind, NotRead, RowQuery
from autonomy.llm.offline.query.query_tables import QueryTables
from autonomy.llm.offline.query.query_words import WORDS
from autonomy.llm.offline.query.roster_query import answer_employees, answer_workspace
from autonomy.llm.offline.result_items import readings_of
from autonomy.llm.offline.vocabulary import FIELDS
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

Names = dict[str, list[tuple[str, Any]]]
_PURPOSE = patterns_of("autonomy.llm.offline")["asks_purpose"]
MOST_NAMED = 4
"""With more unknown words, a question speaks of what something says, and not of what it is called."""
LEAST_OF_A_NAME = 3
"""A shorter beginning is shared by words that have nothing to do with each other."""
_NO_NAMES = ("id", "user_id", "email", "profile")


def answer_query(goal: str, language: str, today: date, filler: ArgumentFiller, state: ConversationState) -> str:
    """The answer; empty for a question that is none of this kind, or of which something would be left out.

    Raises `AnswerPending` for a table that is still to be read."""
    reading = read(goal, today, {}, past=True)
    _resolved(reading)
    tables = QueryTables(filler, state)
    sources = _possible_sources(reading, asks_purpose=_PURPOSE.search(goal) is not None)
    answers = (_answer_from(source, goal, language, today, tables) for source in sources)
    return next(filter(None, answers), "")


def _answer_from(candidate: str, goal: str, language: str, today: date, tables: QueryTables) -> str:
    """The answer, put to what this candidate names; empty where it is none."""
    names = _names(candidate, tables)
    plain = {name: meanings for name, meanings in names.items() if meanings[0][0] != "label" or name not in WORDS}
    reading = read(goal, today, plain, past=candidate != "forecast")
    if candidate == "messages":
        _with_events(reading, names)
    _resolved(reading)
    titled = candidate == "documents" and reading.of("open", "label", "quoted")
    source = candidate if titled else _source(reading)
    if _PURPOSE.search(goal) and reading.of("channel"):
        reading.mentions[:] = [one for one in reading.mentions if one.meaning != "topic"]  # about, of what it is about
        reading.mentions += [Mention("", f"attribute.{one}") for one in ("topic", "purpose")]
        source = "workspace"
    if source is None:
        return ""
    _with_labels(reading, names)
    _without_appellations(reading)
    query = RowQuery(goal, reading, tables, language, today, tables.filler.zone)
    try:
        return _ANSWERS[source](query)
    except NoneOfKind:
        pass
    except NotRead:
        return ""
    for one in reading.of("kind.document"):
        one.meaning = "kind.message"
    for one in reading.mentions:
        one.taken = False
    try:
        return answer_messages(RowQuery(goal, reading, tables, language, today, tables.filler.zone))
    except NotRead:
        return ""


def _possible_sources(reading: Mentions, *, asks_purpose: bool) -> list[str]:
    """What the question may be put to: what it speaks of; else what its unknown words may be names of."""
    source, unknown = _source(reading), len(reading.of("open"))
    if reading.of("quoted") and reading.of("verb.wrote", "kind.person", "kind.document", "ask.where"):
        return list(dict.fromkeys(["documents", *([source] if source else [])]))  # it may be what a document is called
    titled = (
        reading.of("verb.wrote", "verb.updated", "order.first", "order.last", "ask.how_many", "ask.where")
        and 0 < unknown <= MOST_NAMED
    )
    if source == "messages" and titled:
        return ["messages", "documents"]
    if source == "workspace" and unknown and reading.of("kind.person"):
        return [source, "employees"]  # the people of a department, which only a list of employees knows
    if source:
        return [source]
    if reading.of("attribute"):
        return ["workspace", "employees"]
    if asks_purpose:
        return ["workspace"]
    asks_for_count = reading.of("time", "order", "ask.how_many", "ask.when") and 0 < unknown <= MOST_NAMED
    return [*(["messages"] if asks_for_count else []), *(["documents"] if titled else [])]


_ANSWERS: Mapping[str, Callable[[RowQuery], str]] = {
    "overtime": answer_overtime,
    "forecast": answer_forecast,
    "employees": answer_employees,
    "documents": answer_documents,
    "messages": answer_messages,
    "workspace": answer_workspace,
}


_MEANT: Mapping[str, tuple[str, ...]] = {
    "overtime": ("kind.overtime",),
    "forecast": ("kind.weather", "measure.high", "measure.low", "measure.rain", "measure.temperature", "degrees", "percent"),
    "documents": ("kind.document", "kind.diary", "kind.tag", "kind.category"),
    "messages": (
        *("kind.message", "kind.reaction", "kind.reply", "kind.thread"),
        *("emoji", "verb.reacted", "verb.replied", "reactions"),
    ),
}
"""By which meanings, or units of a bound, a question tells what it is put to."""
_OF_EMPLOYEES = ("kind.employee", "kind.department", "type", "status", "position", "verb.joined", "department")


def _source(reading: Mentions) -> str | None:
    """What the question is put to, by what it speaks of; None where it speaks of two things."""
    units = {one.value.unit for one in reading.of("threshold")}
    found = [source for source, meanings in _MEANT.items() if reading.of(*meanings) or units & set(meanings)]
    if found:
        return found[0] if len(found) == 1 else None
    if reading.of(*_OF_EMPLOYEES) or (reading.of("attribute") and reading.of("employee")):
        return "employees"
    if reading.of("attribute") and reading.of("person", "channel", "kind.person", "kind.channel"):
        return "workspace"
    loose = reading.of("open", "unread", "attribute", "measure")
    asks = {one.meaning for one in reading.of("ask")}
    of_a_day = reading.of("channel", "person") and reading.of("time") and not (loose or asks - {"ask.what", "ask.how_many"})
    released = reading.of("kind.version") and reading.of("alias")
    if reading.of("verb.wrote", "verb.requested", "event") or of_a_day or released:
        return "messages"
    return "workspace" if reading.of("kind.channel", "kind.person", "kind.bot", "measure.members") else None


def _with_events(reading: Mentions, names: Names) -> None:
    """Reads a word that begins as the name of a bot does as what it tells of: deployments, of Deploy bot."""
    bots = {name: item for name, (first, *_) in names.items() if first[0] == "person" for item in first[1] if item.get("is_bot")}
    for one in reading.mentions:
        alias = one.meaning.startswith("alias.") and reading.of("kind.version")  # what was released, of what the bot deploys
        word = one.meaning.partition(".")[2] if alias else one.text.casefold()
        of_a_bot = one.meaning == "open" or alias or (one.meaning == "person" and any(item.get("is_bot") for item in one.value))
        bots_meant = [
            item
            for name, item in bots.items()
            if min(len(name), len(word)) >= LEAST_OF_A_NAME and (word.startswith(name) or name.startswith(word))
        ]
        if of_a_bot and bots_meant and all(item is bots_meant[0] for item in bots_meant):
            one.meaning, one.value = "event.released" if alias else "event", [bots_meant[0]]


def _resolved(reading: Mentions) -> None:
    """Says what is meant by a post: a message, a document, or what somebody did (did Tom post)."""
    for one in reading.of("verb.reacted") if reading.of("kind.document") and not reading.of("emoji", "kind.reaction") else ():
        if one.text.casefold() == "put":
            one.meaning = "verb.wrote"  # a page, somewhere
    nouns = reading.of("kind.posts", "kind.posting")
    in_messages = bool(reading.of("channel", "kind.channel", "kind.reaction", "emoji", "kind.reply", "kind.message"))
    before = {one.at for one in reading.of("ask.which", "ask.what", "order.first", "order.last", "service")}
    for one in nouns:
        noun = one.meaning == "kind.posts" or one.at - 1 in before
        one.meaning = "verb.wrote" if not noun else "kind.message" if in_messages else "kind.document"
        one.value = UNSURE if one.meaning == "kind.document" else None


def _with_labels(mentions: Mentions, names: Names) -> None:
    """A diary beside the word tag is a tag, where there is one of that name."""
    neighbours = {one.at + step for one in mentions.of("kind.tag", "kind.category") for step in (-1, 1)}
    for one in mentions.of("kind.diary"):
        if one.at in neighbours and one.text.casefold() in names:
            one.meaning, one.value = names[one.text.casefold()][0]


def _without_appellations(reading: Mentions) -> None:
    """Takes what only says of what kind a named thing is: the dev channel, a sales department."""
    for kind, role in (("kind.channel", "channel"), ("kind.department", "department"), ("kind.employee", "employee")):
        positions = {one.at for one in reading.of(role)}
        for one in reading.of(kind):
            one.taken = bool(positions & {one.at - 1, one.at + 1})
            if one.taken:
                reading.mentions.remove(one)


def _names(source: str, tables: QueryTables) -> Names:
    """What things are called that the question may name, with what they are."""
    nouns = {"messages": ("user", "channel"), "workspace": ("user", "channel"), "documents": ("user", "channel", "post")}
    nouns |= dict.fromkeys(("overtime", "employees"), ("employee",))
    collect_all(partial(tables.listed, noun) for noun in nouns.get(source, ()))  # at once, as each turn counts
    names: Names = {}
    if source in ("messages", "documents", "workspace"):
        users, rooms = tables.listed("user"), tables.listed("channel")
        for item in users.rows if users else ():
            _call(names, "person", item, _called(item))
        for item in rooms.rows if rooms else ():
            _call(names, "channel", item, [str(item.get("name", "")), f"#{item.get('name')}"])
    if source == "documents":
        posts = tables.listed("post")
        for item in posts.rows if posts else ():
            labels = [("tag", str(tag)) for tag in item.get("tags") or ()]
            labels += [("category", part) for part in str(item.get("category", "")).split("/") if part and not part.isdigit()]
            for role, label in labels:
                names.setdefault(label.casefold(), [("label", [])])[0][1].append(role)
            if " " in (title := str(item.get("name", ""))):
                names.setdefault(title.casefold(), [("quoted", title)])
    if source in ("overtime", "employees"):
        staff = tables.listed("employee")
        for item in staff.rows if staff else ():
            _call(names, "employee", item, [*_called(item), str(item.get("id", "")), str(item.get("number", ""))])
            if department := str(item.get("department") or ""):
                for name in (department.casefold(), *_aliases(department)):
                    names.setdefault(name, [("department", department)])
    return names


@lru_cache(maxsize=200)
def _aliases(department: str) -> list[str]:
    """Other words for a department: a company has a few, and hundreds of people in them."""
    return [word for word, meanings in WORDS.items() if meanings == (f"alias.{department}".casefold(),)]


def _call(names: Names, role: str, item: JsonObject, item_names: Iterable[str]) -> None:
    for name in {one.casefold() for one in item_names if one}:
        meanings = names.setdefault(name, [(role, [])])
        if meanings[0][0] == role:
            meanings[0][1].append(item)


def _called(item: JsonObject) -> list[str]:
    whole = [str(item[one]) for one in FIELDS.person if item.get(one) and one not in _NO_NAMES]
    parts = [part for name in whole for part in name.split()] + [name.replace(" ", "") for name in whole]
    return [*whole, *parts, *readings_of(item)]
