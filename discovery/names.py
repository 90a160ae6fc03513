"""Full tool names: provider-prefixed, valid for every model vendor, unique and stable.

A name is never taken apart again; who wants the provider or the tool looks it up in the catalog.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

LONGEST = 64
"""OpenAI and Anthropic both accept `^[a-zA-Z0-9_-]{1,64}$` (their function-calling references)."""
HOUSE_NAMES = frozenset({"search_tools", "read_result", "read_resource", "get_prompt", "declare_plan"})
"""The host's own tools (`autonomy.calls.own_tools.host_tools`); no provider may pass for them."""

LONG_DIGEST = 32
"""Digits where the short suffix meets another name: nobody finds a tool that has the same."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_WILDCARD = re.compile(r"[*?\[]")
_LEGIBLE = re.compile(r"[A-Za-z0-9]")

Tool = tuple[str, str]
"""A provider's name and the tool's name as that provider has it."""


def full_names(tools: Iterable[Tool], *, reserved: Collection[str] = HOUSE_NAMES) -> dict[Tool, str]:
    """The full name of each tool.

    Where two would meet, each gets a suffix made from its own provider and tool: none can take the other's name by coming first.
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
    """Whether the full name of one of this provider's tools may fit a glob; the provider's own name fits too."""
    prefix = _FOREIGN.sub("_", provider)
    stem = _WILDCARD.split(glob, maxsplit=1)[0]
    is_own_name = glob in (provider, prefix) or stem.startswith((f"{prefix}_", f"{prefix}-"))
    return is_own_name or (stem != glob and prefix.startswith(stem))


def natural_name(provider: str, tool: str) -> str:
    """The full name of a provider's tool before anyone else claims it.

    It has a suffix when it does not fit or has nothing left to read.
    """
    prefix, own = _FOREIGN.sub("_", provider), _FOREIGN.sub("_", tool)
    doubled = own == prefix or own.startswith((f"{prefix}_", f"{prefix}-"))
    name = own if doubled else f"{prefix}_{own}"
    legible = _LEGIBLE.search(own) and _LEGIBLE.search(prefix)
    return name if legible and len(name) <= LONGEST else _suffixed(name, (provider, tool))


def _suffixed(name: str, tool: Tool, *, digits: int = 8) -> str:
    digest = hashlib.sha256("\0".join(tool).encode()).hexdigest()[:digits]
    return f"{name[: LONGEST - len(digest) - 1]}_{digest}"
