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
    subject: str = ""
    """… and what is returned, told by name or first sentence, ends with this one: `weather` in `current weather for a city`, but
    `imagery` in `weather imagery for a city` …"""
    never: str = ""
    """… and this one does not …"""
    never_from: str = ""
    """… and this one does not match its provider's name, because a provider named after a market knows only that market."""


class ToolKinds(Frozen):
    """The contents of the data file."""

    kinds: tuple[ToolKind, ...]
    now: str
    """A regular expression for data of the present, …"""
    later: str
    """… and one for a forecast."""
    behind: str
    """What ends the phrase of a sentence, or of a name, that tells what is returned: `weather imagery | of a location`."""
    joins: str
    """What joins two such phrases."""
    search_for: str
    """`search for`, whose object is what is returned."""


def same_kind(one: ToolSpec, other: ToolSpec) -> bool:
    """Whether both answer the same question of public knowledge.

    Equal names prove nothing: two providers may each have a `get_products` that returns its own products.
    """
    alike = bool(_public_kinds(one) & _public_kinds(other)) and _interval(one) == _interval(other)
    return alike and {_times(one), _times(other)} != {"now", "later"}


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
        and _returns(spec, kind.subject)
        and not (kind.never and re.search(kind.never, text))
        and not (kind.never_from and re.search(kind.never_from, _plain(spec.provider)))
    }


def _returns(spec: ToolSpec, subject: str) -> bool:
    """Whether what the tool returns ends with this expression. With a Chinese, Japanese or Korean sentence its name decides."""
    if not subject:
        return True
    data, first = kinds(), _first_sentence(_plain(spec.description))
    is_cjk = re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", first) is not None
    name = normalized(spec.tool).replace("_", " ").removesuffix(" tool")
    told = [name] if is_cjk else [name, re.sub(data.search_for, r"\1", first)]
    phrases = [phrase for text in told for phrase in re.split(data.joins, re.split(data.behind, text, maxsplit=1)[0])]
    ends = any(re.search(rf"\b(?:{subject})$", phrase.strip()) for phrase in phrases)
    return ends or (is_cjk and not re.search(rf"\b(?:{subject})\b", name))


def _times(spec: ToolSpec) -> str:
    """Return `now` for a tool of what is, `later` for one of what will be, and nothing for one of both or of neither."""
    text = f"{normalized(spec.tool).replace('_', ' ')} {_first_sentence(_plain(spec.description))}"
    now, later = re.search(kinds().now, text), re.search(kinds().later, text)
    return "" if bool(now) == bool(later) else "now" if now else "later"


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
