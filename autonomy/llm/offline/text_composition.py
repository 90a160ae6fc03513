"""Composes a job's text from lines of the results, sorted into sections.

Nothing is invented: every bullet is a line somebody wrote, tidied, without the addresses in it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autonomy.llm.machine_orders import orders_a_machine
from autonomy.llm.model import Section
from autonomy.llm.offline.refusal import say
from autonomy.llm.offline.result_items import answer_lines, authors, field_asked_for, text_of
from autonomy.llm.offline.vocabulary import LANGUAGES, TIME_WORDS
from autonomy.llm.templates import format_hours
from metrics.text.phrases import patterns_of

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
_OPENING = re.compile(
    "|".join(
        re.escape(word) + (r"[.,!]+\s+" if word.isascii() else r"[。、，！!\s]+")  # "Right now" opens nothing
        for language in LANGUAGES.values()
        for word in language.openings
    ),
    re.IGNORECASE,
)
"""Greetings, thanks and assents in front of what somebody tells."""
_ASKS_BACK = patterns_of("autonomy.llm.offline")["asks_back"]
LEAST_STATED = 8
"""Characters in front of a question from which on they may tell something by themselves."""
_LAST_SENTENCE = re.compile(r"(?:^|(?<=[。！？])|(?<=[.!?]\s))[^。！？.!?]+[。！？.!?]*\s*$")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[!-;=?-~]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w./])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/[!-;=?-~]*",
    re.ASCII,
)
"""A web address or a mailbox: whoever wrote a message could have it published by a text that repeats it."""
_SHORTEST = 4
"""Lines below this many characters (thanks, ok, 了解) say nothing worth keeping."""

MOST_UNCOUNTED = 9
"""As many lines are told to follow though nobody counted them: a figure of one digit needs no source."""


def tidy(line: str) -> str:
    """A line without a chat's markup, its bullet and doubled spaces."""
    for pattern, instead in _MARKUP:
        line = pattern.sub(instead, line)
    return re.sub(r"[ \t\u3000]+", " ", _BULLET.sub("", line)).strip()


def by_author(found: Sequence[Any], names: Collection[str]) -> list[Any]:
    """The items by this person, when the items say by whom they are; otherwise all of them."""
    if not names or not any(authors(item) for item in found):
        return list(found)
    return [item for item in found if authors(item) & set(names)]


def compose(sections: Sequence[Section], found: Mapping[str, Sequence[Any]], *, language: str = "ja") -> str:
    """The text with all its sections, each filled with its lines or with what stands there when there are none.

    `found`: the items each need brought, by the need's id.
    """
    sorted_lines, words = _sorted_into(sections, found), LANGUAGES.get(language, LANGUAGES["en"])
    parts = []
    for section in sections:
        section_lines, more = sorted_lines[section.title]
        lines = [_ADDRESS.sub(words.link, line) for line in section_lines] or [section.empty or words.nothing_to_report]
        lines += [left_out(language, more)] if more else []
        parts.append(f"## {section.title}\n\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n" if parts else ""


def listing(found: Mapping[str, Sequence[Any]], *, language: str, limit: int = 20) -> str:
    """All results, need by need, for a job without sections; a need without results says so."""
    parts = []
    for need, brought in found.items():
        figure = field_asked_for(brought, need, number=True)
        names = Counter(text_of(item) for item in brought) if figure else Counter[str]()
        lines_in_all = (line for item in brought for line in _row(item, figure, language, shared=names[text_of(item)] > 1))
        rows = list(dict.fromkeys(lines_in_all))
        telling = [line for line in rows if len(line) >= _SHORTEST] or rows
        in_all = len(brought) if len(telling) == len(brought) else 0
        lines = [*telling[:limit], *([left_out(language, len(telling) - limit, in_all)] if len(telling) > limit else [])]
        if not brought:
            lines = [LANGUAGES.get(language, LANGUAGES["en"]).nothing_to_report]
        parts.append(f"## {need}\n\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"


def left_out(language: str, count: int, in_all: int = 0) -> str:
    """The last line of a list that is cut: how many there are in all, or how many follow.

    What was read bears out how many records it holds, and no larger number of lines that we left out.
    """
    if count > MOST_UNCOUNTED:
        return say(language, "in_all", n=in_all) if in_all else say(language, "cut_here")
    return say(language, "and_more", n=count)


def _row(item: Any, figure: str, language: str, *, shared: bool = False) -> list[str]:
    """The lines of an item with its figure behind each; of one that holds no text, its fields. `shared`: another one has the
    same name, so that its id tells it apart."""
    if text_of(item):
        which = next((f" ({value})" for name, value in item.items() if name.endswith("_id")), "") if shared else ""
        return [line + which + _figure(item, figure, language) for line in lines_of(item)]
    return _lines_or_fields(item)


def _lines_or_fields(item: Any) -> list[str]:
    """The lines of an item; of one that holds no text, as a day of a forecast, its fields."""
    if text_of(item):
        return lines_of(item)
    return [line for line in map(tidy, answer_lines(item)) if line and not orders_a_machine(line)]


def _figure(item: Any, field: str, language: str) -> str:
    """The figure of a row that the need speaks of, behind its name."""
    if not field or not isinstance(item, dict) or item.get(field) is None:
        return ""
    figure = f": {format_hours(item[field], language)}" if field.endswith("_minutes") else f" {field}: {item[field]}"
    not_final = "（未確定の日あり）" if language == "ja" else " (some days are not final yet)"
    return figure + (not_final if item.get("complete") is False else "")


def lines_of(item: Any) -> list[str]:
    """The tidied lines of an item; what orders a machine about is nobody's news."""
    text = _MARKUP[0][0].sub("", text_of(item))
    return [line for line in map(tidy, text.splitlines()) if line and not orders_a_machine(line)]


def _sorted_into(sections: Sequence[Section], found: Mapping[str, Sequence[Any]]) -> dict[str, tuple[list[str], int]]:
    """Every line into the one section it belongs to: each section's most telling lines in the order they came, and how many are
    left out."""
    sorted_lines: dict[str, list[_Line]] = {section.title: [] for section in sections}
    seen: set[str] = set()
    for source in dict.fromkeys(section.source for section in sections):
        items = found.get(source, ()) if source else [item for brought in found.values() for item in brought]
        lines_of_items = [_lines_or_fields(item) for item in items]
        sorter = _Sorter([one for one in sections if one.source == source], [line for lines in lines_of_items for line in lines])
        for section, text in (placed for lines in lines_of_items for placed in sorter.place(lines)):
            folded = re.sub(r"\W+", "", text).casefold()
            if len(text) >= _SHORTEST and folded not in seen:
                seen.add(folded)
                sorted_lines[section.title].append(_Line(text, sum(_place_of(cue, text.casefold()) >= 0 for cue in section.cues)))
    return {
        section.title: (_most_telling(lines := sorted_lines[section.title], section.limit), max(0, len(lines) - section.limit))
        for section in sections
    }


@dataclass(frozen=True)
class _Line:
    text: str
    cues: int
    """How many of its section's cues it holds."""


def _most_telling(lines: Sequence[_Line], limit: int) -> list[str]:
    chosen = set(sorted(range(len(lines)), key=lambda at: -lines[at].cues)[:limit])
    return [line.text for at, line in enumerate(lines) if at in chosen]


class _Sorter:
    """Knows how common each cue is in the material: a rare one tells more of where a line belongs."""

    def __init__(self, sections: Sequence[Section], material: Sequence[str]) -> None:
        self._sections = sections
        self._rest = next((section for section in sections if section.rest or not section.cues), None)
        folded = [line.casefold() for line in material]
        names = {name for section in sections for name in (section.title, *section.cues) if name}
        self._common = {name: sum(_place_of(name, line) >= 0 for line in folded) for name in names}

    def place(self, lines: Iterable[str]) -> Iterator[tuple[Section, str]]:
        """The lines of one item with their sections; a heading or a label holds for what it stands above or before."""
        under: Section | None = None
        for line in (_stated(_told(line)) for line in lines):
            labelled = _LABEL.match(line)
            label_section = self._best(labelled["label"]) if labelled else None
            if not line or (labelled and label_section is None and self._best(labelled["label"], any_day=True)):
                continue
            if label_section is None and (heading := self._heading(line)):
                under = heading
            elif label_section is not None and labelled is not None and not labelled["rest"]:
                under = label_section
            elif label_section is not None and labelled is not None:
                yield label_section, labelled["rest"]
            elif section := self._best(line) or under or self._rest:
                yield section, line

    def _heading(self, line: str) -> Section | None:
        """The section of which a line is but the name."""
        sections = (one for one in self._sections if line.casefold() in {name.casefold() for name in (one.title, *one.cues)})
        return next(sections, None)

    def _best(self, text: str, *, any_day: bool = False) -> Section | None:
        """The section whose rarest cue the text holds; of equals the one that comes first in it."""
        folded = text.casefold()
        hits = [
            (self._common[name], place, order)
            for order, section in enumerate(self._sections)
            for name in (section.title, *section.cues)
            if section.cues
            and name
            and (place := _place_of(name, folded)) >= 0
            and (any_day or not _of_another_day(section.title, text))
        ]
        return self._sections[min(hits)[2]] if hits else None


def _told(line: str) -> str:
    """What a line tells behind its opening."""
    opening = _OPENING.match(line)
    told = line[opening.end() :] if opening else line
    return told[:1].upper() + told[1:] if opening else line


def _stated(line: str) -> str:
    """What a line says before it turns to somebody with a question or a request; nothing where it does that throughout, or only
    announces it (確認します。)."""
    stated = line
    while stated and _ASKS_BACK.search(stated):
        last = _LAST_SENTENCE.search(stated)
        stated = stated[: last.start()].strip() if last else ""
    return stated if stated == line or len(stated) >= LEAST_STATED else ""


def _place_of(cue: str, folded: str) -> int:
    """Where a cue stands in a text without case, or -1. It begins where a word does: TIL is no part of "until", nor is 気づ,
    as it begins with a single kanji, of 景気づけ."""
    word = cue.casefold()
    place = folded.find(word)
    if _is_latin(word[:1]):
        inside = _is_latin
    elif _is_kanji(word[:1]) and not _is_kanji(word[1:2]):
        inside = _is_kanji
    else:
        return place
    while place > 0 and inside(folded[place - 1]):
        place = folded.find(word, place + 1)
    return place


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _is_kanji(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"


def _of_another_day(title: str, text: str) -> bool:
    """Whether a title such as 明日やること speaks of a day, and the text only of others, as 今日の予定 does."""
    title_days, text_days = _days(title), _days(text)
    return bool(title_days and text_days and not title_days & text_days)


def _days(text: str) -> set[str]:
    return {day for day, words in TIME_WORDS.items() if any(word in text for word in words)}
