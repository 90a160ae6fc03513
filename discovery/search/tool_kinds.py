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
from discovery.text.search_terms import normalized, stem


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
    verbs: dict[str, tuple[str, ...]]
    """Verbs that ask for the same thing."""
    generic: frozenset[str]
    """Words of names that tell no subject."""
    private: frozenset[str]
    """Subjects of which each provider has its own: what one lacks, another does not know."""


def same_kind(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether both answer the same question. Own data of one provider is nothing that another has, so such tools never match
    across."""
    if one.provider != other.provider and (_private(one) or _private(other)):
        return False
    return bool(_public_kinds(one) & _public_kinds(other)) or _same_name(one, other)


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


def _same_name(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether the names ask for the same thing with the same kind of verb: `search_documents` and `find_documents`."""
    if one.provider == other.provider:
        return False  # its siblings with the same words answer about something else
    ours, theirs = _asked(one), _asked(other)
    return ours == theirs and bool(ours[0]) and bool(ours[1])


def _asked(spec: ToolSpec) -> tuple[str, frozenset[str]]:
    """The sort of verb, and the subject, of a name without its provider's words."""
    own = set(re.findall(r"[^\W_]+", normalized(spec.provider)))
    words = [word for word in re.findall(r"[^\W_]+", normalized(spec.tool)) if word not in own]
    sorts = [sort for word in words for sort, verbs in kinds().verbs.items() if word in verbs]
    verbs = {verb for group in kinds().verbs.values() for verb in group}
    subject = frozenset(stem(word) for word in words if word not in verbs and word not in kinds().generic)
    return (sorts[0] if sorts else ""), subject


def _private(spec: ToolSpec) -> bool:
    return bool(set(re.findall(r"[^\W_]+", normalized(spec.tool))) & kinds().private) and not _public_kinds(spec)


@cache
def kinds() -> ToolKinds:
    """The kinds of the data file. Raises pydantic's ValidationError when it is damaged."""
    return ToolKinds.model_validate_json(files("discovery").joinpath("data/tool_kinds.json").read_text(encoding="utf-8"))
