"""Makes the tool list of a client: all tools, or four tools with which to find and call the others."""

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence

from mcp_types import Tool, ToolAnnotations, ToolExecution

from discovery.catalog import Catalog, JsonObject, ToolSpec
from discovery.search.offering import FoundTools
from discovery.text.token_estimates import estimate_tokens

TEXT_LIMIT = 100_000
"""Characters of one result that are sent to a client at once. Clients would cut a longer one and lose the rest."""
SEARCH_TEXT_LIMIT = 4_000
"""The same in the search face: about 1,000 tokens, so that an answer stays within 1,500."""
FACE_TOKENS = 1_500
"""Tokens that the list of the search face may have, including the tools that were found."""
DESCRIPTION_CHARS = 160

_STRING_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')
MAY_BE_TASK = ToolExecution(task_support="optional")
"""For tools that a client of 2025-11-25 may call as tasks or not. If a server requires tasks, the gateway makes them itself."""
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def own_tool(
    name: str, description: str, properties: JsonObject, required: Sequence[str], annotations: ToolAnnotations | None = None
) -> Tool:
    """Return a tool of the gateway itself, which takes these arguments and no others."""
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return Tool(name=name, description=description, input_schema=schema, annotations=annotations)


_NAME = {"type": "string", "description": "The tool's full name, as search_tools gives it"}
SEARCH_TOOLS = own_tool(
    "search_tools",
    "Find tools by what you want to do, in English or Japanese. Gives names and what they are for.",
    {"query": {"type": "string", "minLength": 1, "description": "What you want to do, in a few words"}},
    ["query"],
    _READ_ONLY,
)
DESCRIBE_TOOL = own_tool("describe_tool", "Show a tool's arguments before you call it.", {"name": _NAME}, ["name"], _READ_ONLY)
CALL_TOOL = own_tool(
    "call_tool",
    "Call a tool that search_tools found.",
    {"name": _NAME, "arguments": {"type": "object", "description": "As describe_tool shows them"}},
    ["name"],
).model_copy(update={"execution": MAY_BE_TASK})
READ_RESULT = own_tool(
    "read_result",
    "Read on in a result that was cut.",
    {
        "handle": {"type": "string", "description": "As it stands where the result was cut"},
        "offset": {"type": "integer", "minimum": 0, "description": "The character to read from"},
    },
    ["handle"],
    _READ_ONLY,
)
SEARCH_FACE = (SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, READ_RESULT)


def found_tools(found: Sequence[str], catalog: Catalog, *, beside: Sequence[Tool] = ()) -> list[Tool]:
    """Return the latest tools that were found, as many as fit beside the four and our other tools (`FACE_TOKENS`)."""
    room, listed = FACE_TOKENS - sum(map(_tokens, (*SEARCH_FACE, *beside))), list[Tool]()
    for name in reversed(found):
        spec = catalog.get(name)
        if spec is None or not (spec.available or spec.starting):
            continue
        tool = as_tool(spec, spec.name)
        if (cost := _tokens(tool)) <= room:
            room -= cost
            listed.append(tool)
    return listed


def _tokens(tool: Tool) -> int:
    return estimate_tokens(tool.model_dump_json(by_alias=True, exclude_none=True))


def compacted(text: str) -> str:
    """Remove the white space between the parts of a JSON text. Numbers and strings stay exactly as they are written."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return _STRING_OR_SPACE.sub(lambda found: found[1] or "", text)


def names_of(specs: Sequence[ToolSpec], *, own: bool, reserved: Collection[str] = ()) -> dict[str, ToolSpec]:
    """Return the tools by the names that a client knows: the full name, or with `own` the server's own name if it is unique.

    `reserved`: names of our own tools. A full name that is one of these gets the server's name appended.
    """
    taken = Counter([*(spec.tool for spec in specs), *(spec.name for spec in specs if spec.name != spec.tool)])
    taken.update([*(tool.name for tool in SEARCH_FACE), *reserved])
    if own:
        return {spec.tool if taken[spec.tool] == 1 else _free(spec, reserved, taken): spec for spec in specs}
    return {_free(spec, reserved, taken): spec for spec in specs}


def _free(spec: ToolSpec, reserved: Collection[str], taken: Collection[str]) -> str:
    if spec.name not in reserved:
        return spec.name
    name = f"{spec.name}_{spec.provider}"
    while name in taken:
        name += "_"
    return name


def as_tool(spec: ToolSpec, name: str) -> Tool:
    """Return a provider's tool under the name that a client knows. All else is as the provider defines it."""
    return Tool(
        name=name,
        title=None if spec.annotated_title else spec.title or None,
        description=spec.whole_description or spec.description or None,
        input_schema=spec.input_schema,
        output_schema=spec.output_schema,
        annotations=ToolAnnotations.model_validate(spec.annotations) if spec.annotations else None,
        execution=MAY_BE_TASK if spec.task_support else None,
        icons=spec.beyond.get("icons"),
        _meta=spec.beyond.get("_meta"),
    )


def in_lines(found: FoundTools) -> str:
    """Return the result of a search as text for the search face. Siblings are only named; `describe_tool` describes them."""
    about = {spec.name: " ".join((spec.description or spec.title).split())[:DESCRIPTION_CHARS] for spec in found.best}
    lines = [f"{spec.name} ({spec.effect}): {about[spec.name]}" for spec in found.best]
    siblings = ", ".join(f"{spec.name} ({spec.effect})" for spec in found.siblings)
    return "\n".join([*lines, *([f"Others of the same servers: {siblings}"] if siblings else [])])
