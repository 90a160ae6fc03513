"""Reads the list that an address book answers in plain text: a name and a mailbox in each line."""

import re
from functools import lru_cache

from discovery.text.near_names import name_words

_KEEPERS = frozenset(
    {"contact", "contacts", "addressbook", "people", "person", "persons", "member", "members", "user", "users", "employee"}
    | {"employees", "colleague", "colleagues", "staff", "customer", "customers"}
)
"""Words in the names of tools that list people."""
MOST_LINES = 2_000
_LINE = re.compile(
    r"(?:[-*•・]\s+|\d{1,4}[.)]\s+)?(?P<name>[^\s@<>:：][^@<>\n]{0,79}?)\s*(?:[<(（:：,、\t|–—-]\s*)+"
    r"(?P<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})\s*[>)）]?\s*(?:[(（|,、–—-]\s*)?(?P<note>[^@<>\n]{0,80}?)\s*[)）]?"
)
_HEADING = re.compile(r"[^@\n]{1,80}[:：]")


@lru_cache(maxsize=1_000)
def lists_people(tool: str) -> bool:
    """Whether a tool says by its name that it lists people. The name is its server's word; a file or a message, which anybody may
    have written, lists nobody."""
    return not _KEEPERS.isdisjoint(name_words(tool))


def with_mailboxes(tool: str, text: str) -> list[dict[str, str]] | None:
    """The people of a text as records, where the tool lists people and every line is somebody's; None for any other text."""
    lines = text.strip().splitlines()[: MOST_LINES + 1]
    if "@" not in text or len(lines) > MOST_LINES or not lists_people(tool):
        return None
    lines = [line.strip() for line in lines if line.strip()]
    if _HEADING.fullmatch(lines[0]):
        del lines[0]
    found = [_LINE.fullmatch(line) for line in lines]
    if not found or None in found:
        return None
    return [{key: value for key, value in match.groupdict().items() if value} for match in found if match]
