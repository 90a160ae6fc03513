"""Extracts items with text, id, author and time from any tool's result."""

import ast
import json
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Any
from urllib.parse import unquote

from autonomy.llm.messages import ToolResult
from autonomy.llm.model_json import read_json
from autonomy.llm.offline.vocabulary import FIELDS, terms
from discovery.catalog import JsonObject
from metrics.text.name_readings import kana_readings
from metrics.text.phrases import lazy_pattern

MOST_LINES, MOST_CHARS = 31, 200
"""As many lines as a month has days."""
_DEPTH = 4
_COMPOUND = lazy_pattern("([\u3400-\u9fff々]{2,})([\u30a0-\u30ffー]{2,})|([\u30a0-\u30ffー]{2,})([\u3400-\u9fff々]{2,})")
"""A word made of two, in two scripts (リリース手順), between which a text may have a particle."""


def content(result: ToolResult) -> Any:
    """The tool's output: its structured content, else its text parsed as JSON, else its text."""
    value = result.structured
    if value is None:
        text = _its_own_text(result)
        value = _data(text)
        if value is None:
            return text
    return value["result"] if isinstance(value, dict) and value.keys() == {"result"} else value


def _its_own_text(result: ToolResult) -> str:
    """A result's text without the lines that the host wrote above it."""
    remarks = bool(result.answered_by) + (result.kind in ("empty", "suspicious"))
    return result.text.split("\n", remarks)[-1]


def words_of(result: ToolResult) -> str:
    """The text of a result without the data that the host wrote behind its words; the data, where it has no words."""
    data = json.dumps(result.structured, ensure_ascii=False)
    return result.text.removesuffix(data).rstrip() or result.text


def items(value: Any) -> list[Any]:
    """The things a result lists; a result that lists nothing is one thing itself, and a text is its lines."""
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    listed = max(_lists(value, _DEPTH), key=len, default=None)
    if listed is not None:
        return listed
    if isinstance(value, dict) and not any(field in value for field in (*FIELDS.text, "id")) and [] in value.values():
        return []
    return [] if value is None else [value]


def lists_nothing(value: Any) -> bool:
    """Whether a result lists nothing and counts nothing."""
    values = value.values() if isinstance(value, dict) else ()
    return not items(value) and not any(isinstance(one, int | float) and one for one in values)


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    """The outermost lists of things."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and depth:
        for inner in value.values():
            if not isinstance(inner, list):
                yield from _lists(inner, depth - 1)
            elif any(isinstance(item, dict) for item in inner):
                yield inner


def next_cursor(value: Any) -> Any:
    """Where the next page begins, or None."""
    found: dict[str, Any] = {}
    _collect_firsts(value, FIELDS.cursor, found)
    return next((found[field] for field in FIELDS.cursor if found.get(field)), None)


def _collect_firsts(value: Any, fields: Sequence[str], found: dict[str, Any], depth: int = _DEPTH) -> None:
    """Collect what `first_value` gives for each field, in one walk: a page of three hundred rows is looked through once."""
    if isinstance(value, dict):
        for field in fields:
            if (field_value := value.get(field)) is not None:
                found.setdefault(field, field_value)
        value = value.values()
    elif not isinstance(value, list):
        return
    for child in value if depth else ():
        if isinstance(child, dict | list):
            _collect_firsts(child, fields, found, depth - 1)


def first_value(value: Any, field: str, depth: int = _DEPTH) -> Any:
    """The first value of that name, the outermost first; None when there is none."""
    field_value = value.get(field) if isinstance(value, dict) else None
    if field_value is not None or not depth:
        return field_value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        # a loop, and none for the leaves: a page of three hundred rows is looked through for each name of a cursor
        if isinstance(child, dict | list) and (found := first_value(child, field, depth - 1)) is not None:
            return found
    return None


def text_of(item: Any) -> str:
    """The text of an item."""
    if isinstance(item, dict):
        return next((item[field] for field in FIELDS.text if isinstance(item.get(field), str) and item[field].strip()), "")
    return str(item)


def is_data(text: str) -> bool:
    """Whether a result's text is JSON, or what Python prints of data, and not words that begin with a bracket."""
    return isinstance(_data(text.strip()), dict | list)


def _data(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text) if text.startswith(("[{'", "{'")) else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def answer_lines(value: Any, *, field: str = "") -> list[str]:
    """A result for people: its text, or when that is JSON a line for each thing in it; `field` is a number worth telling."""
    if not isinstance(value, ToolResult):
        return [_line(value, field)]
    text = _its_own_text(value).strip()
    if not is_data(text):
        return [text]
    listed = items(content(value))
    if len(listed) == 1 and isinstance(listed[0], dict) and "\n" in text_of(listed[0]).strip():
        return _document(listed[0])
    lines = [_line(item, field) for item in listed[:MOST_LINES]]
    data = content(value)
    fields = ", ".join(_fields(data)) if isinstance(data, dict) and not lines else ""
    more = [f"- … (+{len(listed) - MOST_LINES})"] if len(listed) > MOST_LINES else []
    return [*(f"- {line}" for line in lines if line), *more] or [f"- {fields}" if fields else text]


def _document(item: JsonObject) -> list[str]:
    """One thing with a text of several lines: what it is called, and all of the text."""
    lines = text_of(item).strip().splitlines()
    title = str(item.get("full_name") or item.get("name") or item.get("title") or "")
    bare = {name: field_value for name, field_value in item.items() if name not in FIELDS.text}
    header = _line({**bare, FIELDS.text[0]: title})
    return [f"- {header}", *(f"  {line}" for line in lines[:MOST_LINES]), *(["  …"] if len(lines) > MOST_LINES else [])]


def field_asked_for(found: Sequence[Any], question: str, *, number: bool = False) -> str:
    """The name of the field of all these items that the question speaks of (overtime: `total_overtime_minutes`); else empty.

    `number`: of numbers alone, as one compares them.
    """
    first = next((item for item in found if isinstance(item, dict)), {})
    first = {
        name: value for name, value in first.items() if not name.endswith(("_id", "_count")) and name not in FIELDS.room
    }  # of the item, not asked for
    numbers = [name for name, value in first.items() if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [
        name
        for name, value in first.items()
        if isinstance(value, str) and name not in (*FIELDS.text, *FIELDS.author, *FIELDS.time)
    ]
    question_terms = terms(question) - {"#day"}

    def score(name: str) -> int:
        return sum(2 if term.startswith("#") else 1 for term in terms(name) & question_terms)

    best = max([*numbers, *([] if number else texts)], key=score, default="")
    return best if best and score(best) else ""


def _line(item: Any, field: str = "") -> str:
    """When, by whom, what, and where it can be seen."""
    if not isinstance(item, dict):
        return str(item)
    if item.get("real_name") or item.get("screen_name"):
        names = [str(item[one]) for one in (*FIELDS.person, "title") if isinstance(item.get(one), str) and item[one]]
        figure = f"{field}: {item[field] or '–'}" if field and item.get(field) not in names and field in item else ""
        return " ".join([*dict.fromkeys(names), *([figure] if figure else [])])
    when = next(
        (str(item[field])[:16].replace("T", " ") for field in FIELDS.time if re.match(r"\d{4}-", str(item.get(field, "")))), ""
    )
    who = next(
        (item[field] for field in ("user_name", "author_name", "author", "created_by") if isinstance(item.get(field), str)), ""
    )
    room = next((f"#{item[field]}" for field in FIELDS.room if isinstance(item.get(field), str)), "")
    link = unquote(item["url"]) if isinstance(item.get("url"), str) else ""
    number = f"{field}: {item[field]}" if field and item.get(field) is not None else ""
    text = " ".join(text_of(item).split())[:MOST_CHARS]
    is_column = "type" in item and not (when or room or link)  # whose name alone tells little
    if not who and (not text or is_column):
        return ", ".join(_fields(item))
    return " ".join(part for part in (when, room, f"{who}:" if who else "", text, number, link) if part)


def _fields(item: JsonObject, above: str = "") -> Iterator[str]:
    """The plain fields of a thing that says nothing in words."""
    for name, value in item.items():
        if isinstance(value, dict):
            yield from _fields(value, f"{name}.")
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            yield f"{above}{name}: {value}"


def strings(item: Any) -> set[str]:
    """Every string an item holds, folded for comparison; how one recognises it."""
    return {text.casefold().lstrip("@#").replace(" ", "") for text in texts(item)}


def texts(item: Any) -> Iterator[str]:
    """Every string an item holds, as it stands."""
    if isinstance(item, str):
        yield item
    for child in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
        yield from texts(child)


def is_called(item: JsonObject, word: str) -> bool:
    """Whether a word is one of a thing's names, a part of its full name, or one of them in kana."""
    names = {field: item[field] for field in FIELDS.person if field in item}
    parts = {part.casefold() for value in names.values() if isinstance(value, str) for part in value.split()}
    return bool(strings(word) & (strings(names) | parts)) or word in readings_of(item)


def names_called(people: Sequence[JsonObject], word: str) -> set[str]:
    """Every name that those have whom a word is a name of, folded for comparison."""
    return {name for item in people if is_called(item, word) for name in names_of(item)}


def names_of(item: JsonObject) -> set[str]:
    """All names by which a person is known as an author."""
    return strings({field: item[field] for field in FIELDS.person if field in item})


def readings_of(item: JsonObject) -> set[str]:
    """How the names of somebody stand in kana."""
    if not (item.get("real_name") or item.get("display_name")):
        return set()  # a channel, or another thing
    names = [
        str(item[field]) for field in ("name", "screen_name", "display_name", "real_name") if isinstance(item.get(field), str)
    ]
    return {reading for name in names for part in name.split() for reading in kana_readings(part)}


def authors(item: Any) -> set[str]:
    """The authors of an item."""
    if not isinstance(item, dict):
        return set()
    return {found for field in FIELDS.author if field in item for found in strings(item[field])}


def speaks_of(item: Any, word: str, names: Collection[str] = ()) -> bool:
    """Whether an item speaks of the word in either language; of a person with these names, whether it is by that person."""
    if names:
        return not (authors(item) or strings(item)).isdisjoint(names)
    item_words = " ".join(strings(item))
    if compound := _COMPOUND.fullmatch(word):
        return all(speaks_of(item, part) for part in compound.groups() if part)
    if re.search(r"[\d\-]", word):
        return "".join(strings(word)) in item_words  # a number, a name with a hyphen: nothing of the same meaning will do
    word_terms = terms(word) - {"not"}  # which noting is cut to
    return "".join(strings(word)) in item_words or bool(word_terms and word_terms <= terms(" ".join(texts(_said_in(item)))))


def _said_in(item: Any) -> Any:
    """An item without where, when and by whom it is, which tell nothing of what it is about."""
    other_fields = {*FIELDS.room, *FIELDS.author, *FIELDS.time}
    return {name: value for name, value in item.items() if name not in other_fields} if isinstance(item, dict) else item


def moment_of(item: Any, zone: tzinfo, *, changed: bool = False) -> datetime | None:
    """The time at which an item was created, in that time zone, or last changed if it says so."""
    if not isinstance(item, dict):
        return None
    fields = [field for field in FIELDS.time if not changed or "#update" in terms(field)]
    moments = (_moment(item[field], zone) for field in fields if item.get(field) is not None)
    return next((moment for moment in moments if moment is not None), None)


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    if isinstance(value, dict):  # a calendar's form of a time, or of a whole day
        value = value.get("dateTime") or value.get("date")
    try:
        if isinstance(value, int | float) or re.fullmatch(r"\d{9,11}(\.\d+)?", str(value)):
            return datetime.fromtimestamp(float(value), zone)
        moment = datetime.fromisoformat(str(value))
        return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
    except (ValueError, OverflowError, OSError):
        return None


def where(value: Any) -> str:
    """Where a write can be seen: a link, else a path, number or id; of a message that has but a timestamp, its channel."""
    if isinstance(value, str):
        link = re.search(r"https?://[^\s)>\"]+|file://\S+", value)
        return link.group() if link else value.strip().splitlines()[0] if value.strip() else ""
    fields = {field: one for field in FIELDS.link if (one := first_value(value, field))}
    if next(iter(fields), "") == "ts" and (room := _room(value)):
        return room
    found = next(iter(fields.values()), "")
    return f"#{found}" if isinstance(found, int) else unquote(found) if str(found).startswith("file:") else str(found)


def _room(value: Any) -> str:
    """Where a message was sent, as people write it, else as the tool does."""
    return next((str(one) for one in (first_value(value, name) for name in ("sent_to", *FIELDS.room, "channel_id")) if one), "")


def identity(item: JsonObject, argument: str, noun: str) -> Any:
    """The value by which an item is named in an argument such as `channel_id`."""
    for field in (argument, f"{noun}_id", f"{noun}_{argument}", "id", "number", "key", "ts", "name"):
        if item.get(field) not in (None, ""):
            return item[field]
    return None
