"""Classifies read tools by the kind of question they answer.

The kinds and words are data (`discovery/data/tool_kinds.json`). Similar texts are not enough: most of the 308 pairs of real tools
that similarity proposed answered different questions (docs/descriptors.md).
"""

import re
import unicodedata
from functools import cache

from pydantic import Field

from discovery.catalog import Frozen, ToolSpec
from discovery.text.data_files import read_data
from discovery.text.search_terms import normalized

_OWN_KEY = re.compile(r"^(?!video_?id$)(?:.*_)?(?:id|key|token|cursor)$|^(?!videoId$).*[a-z]Id$")
_INTERVAL = re.compile(r"\b(?:hourly|intraday|daily|weekly|monthly|yearly)\b")


class ToolKind(Frozen):
    """A question of public knowledge that several providers answer."""

    kind: str
    needs: tuple[str, ...] = Field(min_length=1)
    """Regular expressions; a tool is of this kind if each matches in its name and first sentence …"""
    never: str = ""
    """… and this one does not …"""
    never_from: str = ""
    """… and this one does not match its provider's name, because a provider named after a market knows only that market."""


class ToolKinds(Frozen):
    """The contents of the data file."""

    kinds: tuple[ToolKind, ...]


def same_kind(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether both answer the same question of public knowledge.

    Equal names prove nothing: two providers may each have a `get_products` that returns its own products.
    """
    return bool(_public_kinds(one) & _public_kinds(other)) and _interval(one) == _interval(other)


def _public_kinds(spec: ToolSpec) -> set[str]:
    """Return the kinds of a tool; empty if it requires a key of its provider, because public things have names or addresses."""
    if any(_OWN_KEY.search(name) for name in spec.required):
        return set()
    text = f"{normalized(spec.tool).replace('_', ' ')}. {_first_sentence(spec.description)}"
    text += f" {_plain(spec.tool)} {_first_sentence(_plain(spec.description))}"  # `normalized` splits arXiv and YouTube
    return {
        kind.kind
        for kind in kinds().kinds
        if all(re.search(need, text) for need in kind.needs)
        and not (kind.never and re.search(kind.never, text))
        and not (kind.never_from and re.search(kind.never_from, _plain(spec.provider)))
    }


def _interval(spec: ToolSpec) -> str:
    """Return the interval of its data, as hourly weather does not replace daily weather; daily if none or several are named."""
    intervals = set(_INTERVAL.findall(f"{normalized(spec.tool).replace('_', ' ')} {_first_sentence(spec.description)}"))
    return intervals.pop() if len(intervals) == 1 else "daily"


def _first_sentence(description: str) -> str:
    return re.split(r"(?<=[.!?。])", normalized(description), maxsplit=1)[0][:200]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


@cache
def kinds() -> ToolKinds:
    """Read the kinds of the data file. Raises pydantic's ValidationError if it is damaged."""
    return ToolKinds.model_validate_json(read_data("tool_kinds.json"))
