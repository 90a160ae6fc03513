"""Checks that a text is in the language asked for and leaves no blanks to fill in."""

import re
from collections.abc import Iterator

from autonomy.completion.rules.case import Case
from autonomy.provenance.action_claims import OUTWARD, kinds_of_tool
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.completion")
_ASKS_FOR = {"English": _PHRASES["asks_for_english"], "Japanese": _PHRASES["asks_for_japanese"]}
FEWEST_LETTERS = 20
"""A shorter text may be a name, or a word that is the same in both languages."""
FOREIGN = 0.1
"""Share of Japanese letters from which on a text is Japanese: names and quotations in an English one stay below, and kana and
kanji make up most of a Japanese one."""
_JAPANESE = lazy_pattern(r"[\u3041-\u30ff\u3400-\u9fff]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.DOTALL)


def in_the_language_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Where a free goal asks for words in English or in Japanese, the answer or something that was written is in it."""
    goal = case.goal
    wanted = [name for name, asks in _ASKS_FOR.items() if asks.search(goal)]
    if case.declares_needs or len(wanted) != 1:  # who asks for both has them translated, one beside the other
        return
    texts = [text for text in (case.answer, *(sent.text for sent in case.last_sent)) if _letters(text) >= FEWEST_LETTERS]
    if texts and not any(_is_japanese(text) is (wanted[0] == "Japanese") for text in texts):
        yield "the language", f"the goal asks for {wanted[0]}, and {excerpt(texts[-1], 60)!r} is not"


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _is_japanese(text: str) -> bool:
    return len(_JAPANESE.findall(text)) > FOREIGN * _letters(text)


def no_blanks(case: Case) -> Iterator[tuple[str, str]]:
    """No text that was asked for still has blanks for others to fill in, unless the goal wants them or the answer names them."""
    goal = case.goal
    if _PHRASES["wants_blanks"].search(goal):
        return
    named = bool(_PHRASES["names_the_blanks"].search(case.answer))
    blanks = [
        blank
        for sent in case.last_sent
        if not named or kinds_of_tool(sent.record.tool) & OUTWARD
        for blank in _blanks_in(sent.text)
    ]
    if not named and _PHRASES["asks_for_wording"].search(goal):  # a draft is signed by whoever sends it
        blanks += (blank for blank in _blanks_in(case.answer) if not _PHRASES["blank_of_the_sender"].search(blank))
    own = (blank for blank in blanks if fold(blank) not in fold(goal) and not case.evidence.sources.contains(blank))
    if shown := ", ".join(f"『{blank}』" for blank in dict.fromkeys(own)):
        yield "a blank", f"still to be filled in: {excerpt(shown, 120)}; put in what is known, or say what is missing"


def _blanks_in(text: str) -> Iterator[str]:
    return (blank.group().strip() for blank in _PHRASES["blank_to_fill"].finditer(_CODE.sub(" ", text)))
