"""Loads the vocabulary of questions that count, rank or compare, each word with its meanings.

A meaning is a role, or a role and a value (`order.most`, `kind.message`); `glue` joins words and means nothing. A word may hold a
number and its unit: `more than {n} {unit}`; the units are the words of the role `counted`. Whoever adds a language adds
`data/query_<code>.json` of the same form.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import RootModel, model_validator

from autonomy.llm.offline.vocabulary import NUMBERS
from metrics.text.phrases import lazy_pattern

DATA = Path(__file__).parents[1] / "data"
ROLES = frozenset(
    {
        "alias",
        "ask",
        "attribute",
        "counted",
        "emoji",
        "except",
        "future",
        "glue",
        "group",
        "kind",
        "measure",
        "not",
        "number",
        "order",
        "position",
        "rank",
        "service",
        "status",
        "threshold",
        "topic",
        "type",
        "unit",
        "verb",
        "yet",
    }
)


class QueryWords(RootModel[dict[str, tuple[str, ...]]]):
    """The words of one language under their meanings, which a blank separates (`kind.channel order.most`: busiest channel)."""

    @model_validator(mode="after")
    def _each_word_means_one_thing(self) -> "QueryWords":
        key_of: dict[str, str] = {}
        for key, words in self.root.items():
            if unknown := next((one for one in key.split() if one.partition(".")[0] not in ROLES), ""):
                raise ValueError(f"{unknown!r} begins with none of the roles {', '.join(sorted(ROLES))}")
            for word in () if key.startswith("counted.") else words:
                if key_of.setdefault(word.casefold(), key) != key:
                    raise ValueError(f"{word!r} stands under {key_of[word.casefold()]!r} and under {key!r}")
        return self


_TABLES = [QueryWords.model_validate_json(file.read_text(encoding="utf-8")).root for file in sorted(DATA.glob("query_*.json"))]
_ENTRIES = [(word.casefold(), tuple(key.split())) for table in _TABLES for key, words in table.items() for word in words]

WORDS: Mapping[str, tuple[str, ...]] = {
    word: meanings for word, meanings in _ENTRIES if "{" not in word and not meanings[0].startswith("counted.")
}
"""Each word, in small letters, with its meanings."""

UNITS: Mapping[str, str] = {
    word: meanings[0].partition(".")[2] for word, meanings in _ENTRIES if meanings[0].startswith("counted.")
}
"""What a word behind a number counts: `hours` of 時間."""


def _one_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _compiled(word: str) -> re.Pattern[str]:
    number = rf"(?P<n>\d+(?:\.\d+)?|{_one_of(list(NUMBERS))})"
    pattern = re.escape(word).replace(r"\{n\}", number).replace(r"\{unit\}", f"(?P<unit>{_one_of(list(UNITS))})")
    return lazy_pattern(pattern.replace(r"\ ", r"\s*"), re.IGNORECASE)


NUMBERED = re.compile(
    rf"\d|\b(?:{_one_of([one for one in NUMBERS if one.isascii()])})\b|[{''.join(one for one in NUMBERS if not one.isascii())}]",
    re.IGNORECASE,
)
"""Tells a text that may hold one of the templates; of any other they need not be compiled."""
TEMPLATES = tuple((_compiled(word), meanings[0]) for word, meanings in _ENTRIES if "{n}" in word)
"""Words that hold a number, as patterns, each with its meaning."""
