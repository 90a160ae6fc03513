"""Ranks offered tools by how well their descriptions match a text."""

from collections.abc import Sequence

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import properties
from autonomy.llm.offline.vocabulary import ASIDE, ranked, terms


def ranked_tools(query: str, tools: Sequence[ToolDefinition]) -> list[tuple[ToolDefinition, float]]:
    """The tools whose words have something in common with the query, best first."""
    texts = {
        tool.name: (
            (tool.name, 3.0),
            (tool.description, 1.5),
            (" ".join(f"{name} {schema.get('description', '')}" for name, schema in properties(tool).items()), 0.7),
        )
        for tool in tools
    }
    by_name = {tool.name: tool for tool in tools}
    return [(by_name[name], score) for name, score in ranked(query, texts)]


def is_about(query: str, tool: ToolDefinition) -> bool:
    """Whether a tool is about what the query is about, not merely asked in the same way."""
    shared = terms(query) & (terms(tool.name) | terms(tool.description))
    telling = {term for term in shared - ASIDE if term.startswith("#") or term in terms(tool.name)}
    return bool(telling) or len(shared - ASIDE) >= 3
