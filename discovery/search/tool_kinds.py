"""Classifies read tools by the kind of question they answer.

The kinds and words are data (`discovery/data/tool_kinds.json`). Likeness of texts is not enough: of 308 pairs that it proposed
among real tools most answered another question (docs/descriptors.md).
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
    """Regular expressions; a tool is of this kind when its name and first sentence hold each."""
    never: str = ""
    """And nothing of this."""
    never_from: str = ""
    """And its provider's name holds nothing of this: one that is named for a market knows no other."""


class ToolKinds(Frozen):
    """The data file."""

    kinds: tuple[ToolKind, ...]


def same_kind(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether both answer the same question of public knowledge. A name that two providers use says nothing: what one calls
    `get_products` is its own data, and another has its own."""
    return bool(_public_kinds(one) & _public_kinds(other)) and _interval(one) == _interval(other)


def _public_kinds(spec: ToolSpec) -> set[str]:
    """None for a tool that asks for a key of its provider's own: what is public goes by name, place, symbol or address."""
    if any(_OWN_KEY.search(name) for name in spec.required):
        return set()
    text = f"{normalized(spec.tool).replace('_', ' ')}. {_first_sentence(spec.description)}"
    text += f" {_plain(spec.tool)} {_first_sentence(_plain(spec.description))}"  # arXiv, YouTube: taken apart they are no names
    return {
        kind.kind
        for kind in kinds().kinds
        if all(re.search(need, text) for need in kind.needs)
        and not (kind.never and re.search(kind.never, text))
        and not (kind.never_from and re.search(kind.never_from, _plain(spec.provider)))
    }


def _interval(spec: ToolSpec) -> str:
    """At what interval it tells: the weather of each hour is not that of each day. Days, where none or several are named."""
    intervals = set(_INTERVAL.findall(f"{normalized(spec.tool).replace('_', ' ')} {_first_sentence(spec.description)}"))
    return intervals.pop() if len(intervals) == 1 else "daily"


def _first_sentence(description: str) -> str:
    return re.split(r"(?<=[.!?。])", normalized(description), maxsplit=1)[0][:200]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


@cache
def kinds() -> ToolKinds:
    """The kinds of the data file. Raises pydantic's ValidationError when it is damaged."""
    return ToolKinds.model_validate_json(read_data("tool_kinds.json"))
