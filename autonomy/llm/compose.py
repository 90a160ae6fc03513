"""Writing by picking out: the text a job asks for, made of lines that are in the results, sorted into its sections.

Nothing is invented: every bullet is a line somebody wrote, tidied. Called by the offline planner when all it needs is known.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from autonomy.llm.findings import authors, text_of
from autonomy.llm.model import Section

NOTHING = {"ja": "特になし", "en": "Nothing to report"}

_MARKUP = (
    (re.compile(r"```.*?```", re.DOTALL), ""),
    (re.compile(r"<(?:https?://[^|>]+|mailto:[^|>]+)\|([^>]+)>"), r"\1"),
    (re.compile(r"<(https?://[^>]+)>"), r"\1"),
    (re.compile(r"<[#@!][^|>]*\|([^>]+)>"), r"\1"),
    (re.compile(r"<[#@!][^>]*>"), ""),
    (re.compile(r"(?<![\w:/]):[a-z0-9_+\-]+:(?![\w/])"), ""),
    (re.compile(r"&lt;"), "<"),
    (re.compile(r"&gt;"), ">"),
    (re.compile(r"&amp;"), "&"),
)
_BULLET = re.compile(r"^\s*(?:[-*•・‣+]\s+|[-•・‣]|\d+[.)]\s+|>\s*|#+\s+|\[[ x]\]\s*)+")
_LABEL = re.compile(r"^[\s【\[*_]*(?P<label>[^\s:：】\]*_]{1,20})[\s】\]*_]*[:：】]\s*(?P<rest>.*)$")
_SHORTEST = 4
"""Lines below this many characters (thanks, ok, 了解) say nothing worth keeping."""


def tidy(line: str) -> str:
    """A line without a chat's markup, its bullet and doubled spaces."""
    for pattern, instead in _MARKUP:
        line = pattern.sub(instead, line)
    return re.sub(r"[ \t\u3000]+", " ", _BULLET.sub("", line)).strip()


def by_author(found: Sequence[Any], who: Collection[str]) -> list[Any]:
    """The items by this person, when the items say by whom they are; otherwise all of them."""
    if not who or not any(authors(item) for item in found):
        return list(found)
    return [item for item in found if authors(item) & set(who)]


def compose(sections: Sequence[Section], found: Mapping[str, Sequence[Any]], *, language: str = "ja") -> str:
    """The text with all its sections, each filled with its lines or with what stands there when there are none.

    `found`: the items each need brought, by the need's id.
    """
    kept = _sorted_into(sections, found)
    parts = []
    for section in sections:
        lines = kept[section.title][: section.limit] or [section.empty or NOTHING.get(language, NOTHING["en"])]
        parts.append(f"## {section.title}\n\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"


def listing(found: Mapping[str, Sequence[Any]], *, limit: int = 20) -> str:
    """Everything found, need by need, for a job that names no sections."""
    parts = []
    for need, brought in found.items():
        lines = list(dict.fromkeys(line for item in brought for line in lines_of(item) if len(line) >= _SHORTEST))[:limit]
        parts.append(f"## {need}\n\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"


def lines_of(item: Any) -> list[str]:
    """The tidied lines of an item."""
    text = _MARKUP[0][0].sub("", text_of(item))
    return [line for line in map(tidy, text.splitlines()) if line]


def _sorted_into(sections: Sequence[Section], found: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Every line into the one section it belongs to; a heading inside a message holds for the lines below it."""
    kept: dict[str, list[str]] = {section.title: [] for section in sections}
    seen: set[str] = set()
    for source in dict.fromkeys(section.source for section in sections):
        fitting = [section for section in sections if section.source == source]
        for item in found.get(source, ()) if source else (item for brought in found.values() for item in brought):
            for section, line in _placed(lines_of(item), fitting):
                folded = re.sub(r"\W+", "", line).casefold()
                if len(line) >= _SHORTEST and folded not in seen:
                    seen.add(folded)
                    kept[section.title].append(line)
    return kept


def _placed(lines: Iterable[str], sections: Sequence[Section]) -> Iterable[tuple[Section, str]]:
    rest = next((section for section in sections if not section.cues), None)
    under: Section | None = None
    for line in lines:
        labelled = _LABEL.match(line)
        named = _best(labelled["label"], sections) if labelled else None
        if named is None and (heading := _heading(line, sections)):
            under = heading
        elif named is not None and labelled is not None and not labelled["rest"]:
            under = named
        elif named is not None and labelled is not None:
            yield named, labelled["rest"]
        else:
            section = _best(line, sections) or under or rest
            if section is not None:
                yield section, line


def _heading(line: str, sections: Sequence[Section]) -> Section | None:
    """The section of which a line is but the name."""
    return next(
        (section for section in sections if line.casefold() in {one.casefold() for one in (section.title, *section.cues)}), None
    )


def _best(line: str, sections: Sequence[Section]) -> Section | None:
    """The section whose cue comes first in the line; of two at the same place the longer."""
    folded = line.casefold()
    hits = [
        (folded.index(cue.casefold()), -len(cue), order)
        for order, section in enumerate(sections)
        for cue in (section.title, *section.cues)
        if section.cues and cue and cue.casefold() in folded
    ]
    return sections[min(hits)[2]] if hits else None
