"""Renders the catalog for the planner, as text and as JSON Schema."""

import json
from collections.abc import Iterable

from discovery.catalog import ToolSpec

_ONE_LINE = 160


def in_plain_words(tools: Iterable[ToolSpec]) -> str:
    """List the tools, one line each: name and purpose."""
    return "\n".join(f"- {spec.name}: {_first_sentence(spec)}" for spec in tools)


def as_json_schema(tools: Iterable[ToolSpec]) -> str:
    """Every tool with its input schema, as a JSON array."""
    entries = [
        {"name": spec.name, "description": _first_sentence(spec), "effect": str(spec.effect), "input_schema": spec.input_schema}
        for spec in tools
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1)


def _first_sentence(spec: ToolSpec) -> str:
    text = " ".join((spec.description or spec.title or spec.tool).split())
    for end in ("。", ". "):
        text = text.partition(end)[0]
    return text[:_ONE_LINE].rstrip(".")
