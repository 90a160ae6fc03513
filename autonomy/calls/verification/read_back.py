"""Verifies a write by finding a read tool that shows it.

Pure. The tool is found, not named: among the read tools of the same provider, one whose required arguments all stand in the
answer to the write. What was written counts as there when nearly all lines of the longest text of the write occur in what is
read.
"""

from typing import Any

from discovery.catalog import Catalog, Frozen, JsonObject, ToolOutput, ToolSpec

MOSTLY = 0.8
"""Servers tidy texts (line ends, mentions); more than a fifth of the lines gone is another text."""


class ReadBack(Frozen):
    """The call that shows what a write left behind."""

    tool: str
    arguments: JsonObject


def find(catalog: Catalog, spec: ToolSpec, written: JsonObject, answer: ToolOutput) -> ReadBack | None:
    """The read that shows what this write left behind, or None when the provider offers none."""
    facts = _facts(answer.structured)
    if not facts:
        return None
    for reader in catalog.of(spec.provider):
        if not (reader.read_only and reader.available and reader.required):
            continue
        arguments = {name: _fact_for(name, facts, written) for name in reader.required}
        if all(value is not None for value in arguments.values()) and arguments.keys() - written.keys():
            return ReadBack(tool=reader.name, arguments=arguments)
    return None


def shows(read: ToolOutput, written: JsonObject) -> bool:
    """Whether what was read holds what was written."""
    if read.is_error:
        return False
    lines = _lines(max((value for value in written.values() if isinstance(value, str)), key=len, default=""))
    haystack = {*_lines(read.text), *(line for text in strings_in(read.structured) for line in _lines(text))}
    return bool(lines) and sum(line in haystack for line in lines) >= MOSTLY * len(lines)


def target_of(answer: ToolOutput) -> str:
    """The place where a person can see what was written, according to the answer to the write; a file that it went to instead of
    to anybody comes first (`mcp_servers.common` without credentials)."""
    facts = _facts(answer.structured)
    if place := _first_present(facts, "outbox", "url", "permalink", "html_url", "link", "path", "number"):
        return place
    if moment := _first_present(facts, "ts"):  # which says where a message is only together with its channel
        return f"{_first_present(facts, 'sent_to', 'channel_name', 'channel', 'channel_id')} {moment}".strip()
    return _first_present(facts, "id")


def _first_present(facts: JsonObject, *names: str) -> str:
    return next((str(facts[name]) for name in names if facts.get(name)), "")


def _facts(structured: Any) -> JsonObject:
    """The plain values of an answer; those of an only child count as its own."""
    if not isinstance(structured, dict):
        return {}
    facts = {name: value for name, value in structured.items() if isinstance(value, str | int) and not isinstance(value, bool)}
    children = [value for value in structured.values() if isinstance(value, dict)]
    return {**_facts(children[0]), **facts} if len(children) == 1 else facts


def _fact_for(name: str, facts: JsonObject, written: JsonObject) -> Any:
    """The value for an argument: by its name, by the name's last word (`post_number` → `number`), or as it was written."""
    short = name.rsplit("_", 1)[-1]
    return next((source[key] for key, source in ((name, facts), (short, facts), (name, written)) if key in source), None)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def strings_in(data: Any) -> list[str]:
    """Every text inside an answer."""
    match data:
        case str():
            return [data]
        case dict():
            return [text for value in data.values() for text in strings_in(value)]
        case list():
            return [text for value in data for text in strings_in(value)]
        case _:
            return []
