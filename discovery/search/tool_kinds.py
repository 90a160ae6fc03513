"""Classifies read tools by the kind of question they answer.

The kinds and words are data (`discovery/data/tool_kinds.json`). Likeness of texts is not enough: of 308 pairs that it proposed
among real tools most answered another question (docs/search.md).
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files

from pydantic import Field

from discovery.catalog import Frozen, ToolSpec
from discovery.text.search_terms import normalized


class ToolKind(Frozen):
    """A question of public knowledge that several providers answer."""

    kind: str
    needs: tuple[str, ...] = Field(min_length=1)
    """Regular expressions; a tool is of this kind when its name and first sentence hold each."""
    never: str = ""
    """And nothing of this."""


class ToolKinds(Frozen):
    """The data file."""

    kinds: tuple[ToolKind, ...]


def same_kind(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether both answer the same question of public knowledge. A name that two providers use says nothing: what one calls
    `get_products` is its own data, and another has its own."""
    return bool(_public_kinds(one) & _public_kinds(other))


def _public_kinds(spec: ToolSpec) -> set[str]:
    text = f"{normalized(spec.tool).replace('_', ' ')}. {_first_sentence(spec.description)}"
    text += f" {_plain(spec.tool)} {_first_sentence(_plain(spec.description))}"  # arXiv, YouTube: taken apart they are no names
    return {
        kind.kind
        for kind in kinds().kinds
        if all(re.search(need, text) for need in kind.needs) and not (kind.never and re.search(kind.never, text))
    }


def _first_sentence(description: str) -> str:
    return re.split(r"(?<=[.!?。])", normalized(description), maxsplit=1)[0][:200]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


@cache
def kinds() -> ToolKinds:
    """The kinds of the data file. Raises pydantic's ValidationError when it is damaged."""
    return ToolKinds.model_validate_json(files("discovery").joinpath("data/tool_kinds.json").read_text(encoding="utf-8"))
