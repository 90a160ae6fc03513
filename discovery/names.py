"""Full tool names: provider-prefixed, valid for every model vendor, unique and stable.

A full name is never parsed; the catalog tells which provider and tool it belongs to.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

LONGEST = 64
"""OpenAI and Anthropic both accept `^[a-zA-Z0-9_-]{1,64}$` (their function-calling references)."""
HOUSE_NAMES = frozenset({"search_tools", "read_result", "read_resource", "get_prompt", "declare_plan"})
"""The host's own tools (`autonomy.calls.own_tools.host_tools`); no provider's tool gets such a name."""

LONG_DIGEST = 32
"""Digits of the suffix if the short one collides with another name; too many for anybody to find a collision."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_WILDCARD = re.compile(r"[*?\[]")
_LEGIBLE = re.compile(r"[A-Za-z0-9]")

Tool = tuple[str, str]
"""A provider's name and the tool's name as that provider has it."""


def full_names(tools: Iterable[Tool], *, reserved: Collection[str] = HOUSE_NAMES) -> dict[Tool, str]:
    """Return the full name of each tool.

    If several tools would have the same name, each gets a suffix made from its own provider and tool, so that no tool can take
    another's name by being listed first.
    """
    claims: defaultdict[str, list[Tool]] = defaultdict(list)
    for tool in dict.fromkeys(tools):
        claims[natural_name(*tool)].append(tool)
    names = {
        tool: name if len(claimants) == 1 and name not in reserved else _suffixed(name, tool)
        for name, claimants in claims.items()
        for tool in claimants
    }
    taken = Counter(names.values())
    return {tool: name if taken[name] == 1 else _suffixed(name, tool, digits=LONG_DIGEST) for tool, name in names.items()}


def may_offer(provider: str, glob: str) -> bool:
    """Whether the full name of one of this provider's tools may match a glob, or the glob is the provider's own name."""
    prefix = _FOREIGN.sub("_", provider)
    stem = _WILDCARD.split(glob, maxsplit=1)[0]
    is_own_name = glob in (provider, prefix) or stem.startswith((f"{prefix}_", f"{prefix}-"))
    return is_own_name or (stem != glob and prefix.startswith(stem))


def natural_name(provider: str, tool: str) -> str:
    """Return the full name of a tool, regardless of other tools. It has a suffix if it is too long or has no legible letters."""
    prefix, own = _FOREIGN.sub("_", provider), _FOREIGN.sub("_", tool)
    doubled = own == prefix or own.startswith((f"{prefix}_", f"{prefix}-"))
    name = own if doubled else f"{prefix}_{own}"
    legible = _LEGIBLE.search(own) and _LEGIBLE.search(prefix)
    return name if legible and len(name) <= LONGEST else _suffixed(name, (provider, tool))


def _suffixed(name: str, tool: Tool, *, digits: int = 8) -> str:
    digest = hashlib.sha256("\0".join(tool).encode()).hexdigest()[:digits]
    return f"{name[: LONGEST - len(digest) - 1]}_{digest}"
