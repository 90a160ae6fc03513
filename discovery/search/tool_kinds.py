"""Classifies read tools by the kind of question they answer.

The kinds and words are data (`discovery/data/tool_kinds.json`). Similar texts are not enough: most of the 308 pairs of real tools
that similarity proposed answered different questions (docs/descriptors.md).
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Literal

from pydantic import Field

from discovery.catalog import Frozen, ToolSpec
from discovery.text.data_files import read_data
from discovery.text.search_terms import normalized, stem

TOLD_CHARS = 600
"""How much of a description is read."""
MOST_SIBLINGS = 100
"""So many tools of a provider are asked for the countries it knows."""
_OWN_KEY = re.compile(r"^(?!(?:arxiv|paper|video)_?id$)(?:.*_)?(?:id|key|token|cursor)$|^(?!(?:arxiv|paper|video)Id$).*[a-z]Id$")
_LATIN_WORD = re.compile(r"[a-z]+")
_KANA = re.compile(r"[\u3040-\u30ff]")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_SENTENCE_END = re.compile(r"(?<=\w\w[.!?])(?=\W|$)|(?<=。)")
"""Not behind one letter, as in `U.S.`"""
_INTERVAL = re.compile(r"\b(?:hourly|intraday|daily|weekly|monthly|quarterly|yearly|annual)\b")


class ToolKind(Frozen):
    """A question of public knowledge that several providers answer."""

    kind: str
    needs: tuple[str, ...] = Field(min_length=1)
    """Regular expressions; a tool is of this kind if each matches in its name and first sentence …"""
    words: str
    """… if its name has no other words than these and `ToolKinds.known`: a word that is not known may change the question …"""
    subject: str
    """… if a phrase of the sentence that tells what is returned ends with this regular expression and has no other words
    either: `weather` in `current weather for a city`, but `imagery` in `weather imagery for a city` …"""
    never: str = ""
    """… and if this one does not match."""
    timed: bool = False
    """Whether what is now and what will be are two questions."""
    bound: Literal["", "country", "market"] = ""
    """Whether providers may know only one country's part: of a `country` any other that knows more will do, but the symbols of a
    `market` are its own."""


class ToolKinds(Frozen):
    """The contents of the data file."""

    kinds: tuple[ToolKind, ...]
    now: str
    """A regular expression for data of the present, …"""
    later: str
    """… and one for a forecast."""
    many: str
    """A regular expression for one call that asks of several things."""
    behind: str
    """What ends the phrase of a sentence that tells what is returned: `weather imagery | of a location`."""
    joins: str
    """What joins two such phrases."""
    search_for: str
    """`search for`, whose object is what is returned."""
    known: str
    """Words that change no question, such as `get`, `the` and `detailed`."""
    regions: str
    """A regular expression for countries, and for services that know one country."""


def same_kind(failed: ToolSpec, other: ToolSpec, tools: Sequence[ToolSpec] = ()) -> bool:
    """Whether the other tool answers the failed one's question of public knowledge.

    Equal names prove nothing: two providers may each have a `get_products` that returns its own products. `tools` are
    those of the catalog: a provider with weather alerts for one country forecasts for that country, too.
    """
    both = _public_kinds(failed) & _public_kinds(other)
    if not both or _interval(failed) != _interval(other) or (_asks_many(failed) and not _asks_many(other)):
        return False
    if any(kind.timed for kind in both) and not _covers(_times(other), _times(failed)):
        return False
    bounds = {kind.bound for kind in both} - {""}
    if not bounds:
        return True
    ours, theirs = ({*_regions(one), *_regions_of_provider(one, tools)} for one in (failed, other))
    return ours == theirs if "market" in bounds else theirs <= ours


def _covers(theirs: set[str], ours: set[str]) -> bool:
    """Whether a tool of these times answers for one of those. One that tells none may know either, and answers for its like."""
    return theirs == ours or len(theirs) == 2 or (bool(ours) and ours <= theirs)


def _public_kinds(spec: ToolSpec) -> set[ToolKind]:
    """Return the kinds of a tool; empty if it requires a key of its provider, because public things have names or addresses."""
    if any(_OWN_KEY.search(name) for name in spec.required):
        return set()
    text = f"{normalized(spec.tool).replace('_', ' ')}. {_first_sentence(spec.description)}"
    text += f" {_plain(spec.tool)} {_told(spec)}"  # `normalized` splits arXiv and YouTube
    return {
        kind
        for kind in kinds().kinds
        if all(re.search(need, text) for need in kind.needs)
        and not (kind.never and re.search(kind.never, text))
        and _returns(spec, kind)
    }


def _returns(spec: ToolSpec, kind: ToolKind) -> bool:
    """Whether name and first sentence tell that the tool returns this kind and nothing narrower.

    Of a Chinese, Japanese or Korean sentence only the name is read.
    """
    data = kinds()
    known = _stems(f"{data.known} {kind.words}")
    names = (_without_brand(read(spec.tool), read(spec.provider)) for read in (normalized, _plain))
    if not spec.tool.isascii() or not any(_stems(name) <= known for name in names):
        return False
    first = re.sub(data.search_for, r"\1", _told(spec))
    if _CJK.search(first):
        return True
    phrases = map(str.strip, re.split(data.joins, re.split(data.behind, first, maxsplit=1)[0]))
    return any(re.search(rf"\b(?:{kind.subject})$", phrase) and _stems(phrase) <= known for phrase in phrases)


def _without_brand(name: str, provider: str) -> str:
    """Return the words of a name without those at its beginning with which the provider's name begins: `tavily-search` of
    `tavily-mcp`."""
    words, brand = _LATIN_WORD.findall(name), _LATIN_WORD.findall(provider)
    while words and brand and words[0] == brand[0]:
        del words[0], brand[0]
    return " ".join(words)


@lru_cache(maxsize=5_000)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _LATIN_WORD.findall(text)))


def _regions(spec: ToolSpec) -> set[str]:
    """Return the countries that provider, name and first sentence name, and the script that is not Latin: a weather service that
    describes itself in Chinese may know only China."""
    first = _told(spec)
    found = re.findall(kinds().regions, f"{_plain(spec.provider)} {_plain(spec.tool)} {first}".replace("_", " "))
    return {*found, *(["kana"] if _KANA.search(first) else ["cjk"] if _CJK.search(first) else [])}


def _regions_of_provider(spec: ToolSpec, tools: Sequence[ToolSpec]) -> set[str]:
    """Return the countries that all tools of the provider which name any have in common."""
    siblings = islice((one for one in tools if one.provider == spec.provider), MOST_SIBLINGS)
    named = [regions for one in siblings if (regions := _regions(one))]
    return set.intersection(*named) if named else set()


def _times(spec: ToolSpec) -> set[str]:
    """Return whether the tool knows what is (`now`), what will be (`later`), or both. Its first sentence decides, and the rest of
    its description only where name and sentence tell neither."""
    name = normalized(spec.tool).replace("_", " ")
    for text in (f"{name} {_told(spec)}", _plain(spec.description[:TOLD_CHARS])):
        if found := {time for time in ("now", "later") if re.search(getattr(kinds(), time), text)}:
            return found
    return set()


def _asks_many(spec: ToolSpec) -> bool:
    """Whether one call asks of several things: a list is required, or the sentence says so."""
    lists = any(spec.parameters.get(name, {}).get("type") == "array" for name in spec.required)
    return (
        lists or re.search(kinds().many, _plain(f"{spec.tool} {_first_sentence(spec.description)}".replace("_", " "))) is not None
    )


def _interval(spec: ToolSpec) -> str:
    """Return the interval of its data, as hourly weather does not replace daily weather; daily if none or several are named."""
    intervals = set(_INTERVAL.findall(f"{normalized(spec.tool).replace('_', ' ')} {_first_sentence(spec.description)}"))
    return intervals.pop() if len(intervals) == 1 else "daily"


def _told(spec: ToolSpec) -> str:
    """Return the first sentence of a tool's description."""
    return _first_sentence(_plain(spec.description[:TOLD_CHARS]))


def _first_sentence(description: str) -> str:
    return _SENTENCE_END.split(normalized(description[:TOLD_CHARS]), maxsplit=1)[0][:200]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


@cache
def kinds() -> ToolKinds:
    """Read the kinds of the data file. Raises pydantic's ValidationError if it is damaged."""
    return ToolKinds.model_validate_json(read_data("tool_kinds.json"))
