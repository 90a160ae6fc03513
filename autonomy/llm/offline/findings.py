"""Reading what tools answered without knowing the tools: the items in a result, their text, their identity, their author and time."""

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any
from urllib.parse import unquote

from autonomy.llm.messages import ToolResult
from autonomy.llm.model_json import read_json
from discovery.catalog import JsonObject

TEXT_FIELDS = (
    "text",
    "body_md",
    "body",
    "content",
    "markdown",
    "full_name",
    "title",
    "message",
    "description",
    "summary",
    "name",
)
AUTHOR_FIELDS = ("user_id", "user", "user_name", "username", "author", "author_id", "author_name", "created_by", "sender", "from")
TIME_FIELDS = ("time", "ts", "timestamp", "created_at", "date", "updated_at", "posted_at")
CURSOR_FIELDS = ("next_cursor", "nextCursor", "next_page", "next_page_token")
LINK_FIELDS = ("url", "html_url", "permalink", "link", "web_url", "path", "number", "id", "ts")
MOST_LINES, MOST_CHARS = 20, 200
_DEPTH = 4


def content(result: ToolResult) -> Any:
    """What the tool returned: its structured content, else its text read as JSON, else its text."""
    value = result.structured
    if value is None:
        try:
            value = read_json(result.text)
        except ValueError:
            return result.text
    return value["result"] if isinstance(value, dict) and value.keys() == {"result"} else value


def items(value: Any) -> list[Any]:
    """The things a result lists; a result that lists nothing is one thing itself, and a text is its lines."""
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    listed = max(_lists(value, _DEPTH), key=len, default=None)
    if listed is not None:
        return listed
    if isinstance(value, dict) and not any(field in value for field in (*TEXT_FIELDS, "id")) and [] in value.values():
        return []
    return [] if value is None else [value]


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
    for field in CURSOR_FIELDS:
        found = dig(value, field)
        if found:
            return found
    return None


def dig(value: Any, field: str, depth: int = _DEPTH) -> Any:
    """The first value of that name, the outermost first; None when there is none."""
    if isinstance(value, dict):
        if value.get(field) is not None:
            return value[field]
        children = list(value.values())
    else:
        children = value if isinstance(value, list) else []
    found = (dig(child, field, depth - 1) for child in children if depth)
    return next((one for one in found if one is not None), None)


def text_of(item: Any) -> str:
    """What an item says."""
    if isinstance(item, dict):
        return next((item[field] for field in TEXT_FIELDS if isinstance(item.get(field), str) and item[field].strip()), "")
    return str(item)


def readable(result: ToolResult) -> str:
    """A result for people: its text, or when that is JSON a line for each thing in it."""
    text = result.text.strip()
    if not text.startswith(("{", "[")):
        return text
    lines = [_line(item) for item in items(content(result))[:MOST_LINES]]
    return "\n".join(f"- {line}" for line in lines if line) or text


def _line(item: Any) -> str:
    """When, by whom, what, and where it can be seen."""
    if not isinstance(item, dict):
        return str(item)
    when = next((str(item[field])[:16] for field in TIME_FIELDS if re.match(r"\d{4}-", str(item.get(field, "")))), "")
    who = next(
        (item[field] for field in ("user_name", "author_name", "author", "created_by") if isinstance(item.get(field), str)), ""
    )
    link = unquote(item["url"]) if isinstance(item.get("url"), str) else ""
    return " ".join(part for part in (when, f"{who}:" if who else "", " ".join(text_of(item).split())[:MOST_CHARS], link) if part)


def strings(item: Any) -> set[str]:
    """Every string an item holds, folded for comparison; how one recognises it."""
    if isinstance(item, str):
        return {item.casefold().lstrip("@#").replace(" ", "")}
    children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return {found for child in children for found in strings(child)}


def authors(item: Any) -> set[str]:
    """By whom an item is."""
    if not isinstance(item, dict):
        return set()
    return {found for field in AUTHOR_FIELDS if field in item for found in strings(item[field])}


def moment_of(item: Any, zone: tzinfo) -> datetime | None:
    """When an item came to be, in that time zone."""
    if not isinstance(item, dict):
        return None
    moments = (_moment(item[field], zone) for field in TIME_FIELDS if item.get(field) is not None)
    return next((moment for moment in moments if moment is not None), None)


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    try:
        if isinstance(value, int | float) or re.fullmatch(r"\d{9,11}(\.\d+)?", str(value)):
            return datetime.fromtimestamp(float(value), zone)
        moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return None
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def where(value: Any) -> str:
    """Where a write can be seen: a link, else a path, number or id."""
    if isinstance(value, str):
        link = re.search(r"https?://[^\s)>\"]+|file://\S+", value)
        return link.group() if link else value.strip().splitlines()[0] if value.strip() else ""
    found = next((one for one in (dig(value, field) for field in LINK_FIELDS) if one), "")
    return f"#{found}" if isinstance(found, int) else unquote(found) if str(found).startswith("file:") else str(found)


def identity(item: JsonObject, argument: str, noun: str) -> Any:
    """The value by which an item is named in an argument such as `channel_id`."""
    for field in (argument, f"{noun}_id", f"{noun}_{argument}", "id", "number", "key", "ts", "name"):
        if item.get(field) not in (None, ""):
            return item[field]
    return None
