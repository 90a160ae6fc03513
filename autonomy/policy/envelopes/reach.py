"""Says what a call does: whether it looks, changes or sends something, or takes something away."""

from autonomy.policy.decision_table import Reach
from autonomy.provenance.action_claims import kinds_of_tool
from discovery.catalog import Effect, ToolSpec
from discovery.review.effect_proposals import propose


def reach_of(spec: ToolSpec) -> Reach:
    """What a call of this tool does, by the tool's effect; where nothing says it, a name or text that takes away counts."""
    takes_away = spec.effect is Effect.DESTRUCTIVE or (not spec.declared and propose(spec).effect is Effect.DESTRUCTIVE)
    return "read" if spec.read_only else "destructive" if takes_away else "write"


def updates(spec: ToolSpec) -> bool:
    """Whether nothing but MCP's hint, which calls each update destructive, says that it takes away: no name, and no operator."""
    return not spec.settled and only_makes(spec) and propose(spec).effect is not Effect.DESTRUCTIVE


def only_makes(spec: ToolSpec) -> bool:
    """Whether a tool that may overwrite something is called after what it makes, and not after what it takes away."""
    kinds = kinds_of_tool(spec.tool)
    return bool(kinds & MAKING) and not kinds & SPOKEN_OF


MAKING, SPOKEN_OF = frozenset({"create", "update", "save"}), frozenset({"delete", "pay"})
"""Kinds of actions: the second have to be spoken of themselves."""
