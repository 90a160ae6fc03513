"""Parses the part of esa's search language that a directory of files can answer (docs.esa.io/posts/104).

All words must occur; `-` excludes a word, and `"…"` keeps words together. The fields are `in:`, `on:`, `category:`, `title:`,
`name:`, `body:`, `tag:`, `#`, `user:`, `@`, `updated_by:`, `wip:`, `created:` and `updated:` (as in `created:>2026-11-01`). Any
other field is searched for as text.
"""

import re
from collections.abc import Callable
from datetime import date, datetime

from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.esa.team import Post

Predicate = Callable[[Post], bool]

_TERM = re.compile(r'(-?)([#@]|[a-z_]+:)?("[^"]*"|\S+)')
_BOUND = re.compile(r"(>=|<=|>|<)?(\d{4}-\d{2}(?:-\d{2})?)$")


def predicate(q: str) -> Predicate:
    """Return the predicate of a query on posts. Raises ToolError for an invalid date."""
    terms = [_term(*match.groups()) for match in _TERM.finditer(q.replace("　", " "))]
    return lambda post: all(term(post) for term in terms)


def _term(minus: str, field: str | None, quoted: str) -> Predicate:
    value = quoted.strip('"').casefold()
    text = f"{field or ''}{value}"
    matches: Predicate = (
        _FIELDS[field](value) if field in _FIELDS else lambda post: text in f"{post.full_name}\n{post.body_md}".casefold()
    )
    return (lambda post: not matches(post)) if minus else matches


def _under(value: str) -> Predicate:
    path = value.strip("/")
    return lambda post: not path or f"{post.category.casefold()}/".startswith(f"{path}/")


def _dated(attribute: str, value: str) -> Predicate:
    bound = _BOUND.match(value)
    if bound is None:
        raise ToolError(f"{value!r} is no date to search by. Write it like >2026-11-01, <=2026-11-21 or 2026-11-21.")
    comparison, day = bound.groups()
    try:
        limit = date.fromisoformat(day if len(day) > len("2026-11") else f"{day}-01")
    except ValueError:
        raise ToolError(f"{day!r} is not a day of the calendar. Write it as YYYY-MM-DD.") from None

    def compare(post: Post) -> bool:
        actual = datetime.fromisoformat(getattr(post, attribute)).date()
        if comparison is None:
            return actual.isoformat().startswith(day)
        return {">": actual > limit, ">=": actual >= limit, "<": actual < limit, "<=": actual <= limit}[comparison]

    return compare


_FIELDS: dict[str | None, Callable[[str], Predicate]] = {
    "in:": _under,
    "on:": lambda value: lambda post: post.category.casefold() == value.strip("/"),
    "category:": lambda value: lambda post: value.strip("/") in post.category.casefold(),
    "title:": lambda value: lambda post: value in post.name.casefold(),
    "name:": lambda value: lambda post: value in post.name.casefold(),
    "body:": lambda value: lambda post: value in post.body_md.casefold(),
    "tag:": lambda value: lambda post: value in [tag.casefold() for tag in post.tags],
    "#": lambda value: lambda post: value in [tag.casefold() for tag in post.tags],
    "user:": lambda value: lambda post: post.created_by.casefold() == value,
    "@": lambda value: lambda post: post.created_by.casefold() == value,
    "updated_by:": lambda value: lambda post: post.updated_by.casefold() == value,
    "wip:": lambda value: lambda post: post.wip == (value == "true"),
    "created:": lambda value: _dated("created_at", value),
    "updated:": lambda value: _dated("updated_at", value),
}
