"""Checks that a text has the form asked for: language, length, no names, no blanks."""

import re
from collections.abc import Iterable, Iterator, Sequence

from autonomy.completion.rules.asked.question_rules import numbers_in
from autonomy.completion.rules.case import Case
from autonomy.provenance.action_claims import OUTWARD, kinds_of_tool
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in
from metrics.text.phrases import patterns_of
from metrics.text.written_language import written_language

_PHRASES = patterns_of("autonomy.completion")
_ASKS_FOR = {"en": _PHRASES["asks_for_english"], "ja": _PHRASES["asks_for_japanese"]}
_NAMES = {"en": "English", "ja": "Japanese"}
FEWEST_LETTERS = 20
"""A shorter text may be a name, or a word that is the same in both languages."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.DOTALL)


def in_the_language_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Where a free goal asks for words in English or in Japanese, the answer or something that was written is in it."""
    wanted = [language for language, asks in _ASKS_FOR.items() if asks.search(case.goal)]
    if case.declares_needs or len(wanted) != 1:  # who asks for both has them translated, one beside the other
        return
    texts = [text for text in (case.answer, *(sent.text for sent in case.last_sent)) if _letters(text) >= FEWEST_LETTERS]
    parts = [part for text in texts for part in (text, *_PARAGRAPHS.split(text))]  # a draft may stand below words of one's own
    if texts and not any(_letters(part) >= FEWEST_LETTERS and written_language(part) in (wanted[0], "") for part in parts):
        yield "the language", f"the goal asks for {_NAMES[wanted[0]]}, and {excerpt(texts[-1], 60)!r} is not"


_PARAGRAPHS = re.compile(r"\n\s*\n")


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def as_much_as_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Where a free goal says how many things or sentences there may be at most, or that no person is to be named, the answer or
    what was written keeps to it."""
    if not case.declares_needs:
        texts = [sent.text for sent in case.last_sent] or [case.answer]
        yield from _too_many_things(case)
        yield from _too_many_sentences(case, texts)
        yield from _persons_named(case, texts)


def _too_many_things(case: Case) -> Iterator[tuple[str, str]]:
    most, listed = _wanted(_PHRASES["asks_for_at_most"].finditer(case.goal)), case.list_lengths
    if (
        most and not case.evidence.writes and len(listed) == 1 and max(listed) > most
    ):  # of several lists one may be of what is left
        yield "as many", f"the goal asks for {most} at most, and you list {max(listed)}"


def _too_many_sentences(case: Case, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    wanted = 0 if _PHRASES["of_each"].search(case.goal) else _wanted(_PHRASES["asks_for_sentences"].finditer(case.goal))
    if wanted and (shortest := min(map(_sentences, texts))) > wanted + SPARE_SENTENCES:
        yield "as many", f"the goal asks for {wanted} sentences, and there are {shortest}"


def _persons_named(case: Case, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not _PHRASES["wants_no_names"].search(case.goal):
        return
    goal, told = fold(case.goal), [fold(text) for text in texts]
    persons = (name for name in case.evidence.sources.persons if len(name) > 1 and not stands(goal, name))
    if named := min((name for name in persons if all(stands(text, name) for text in told)), default=""):
        yield "no names", f"the goal asks to name nobody, and the text names {named}"


def _wanted(found: Iterable[re.Match[str]]) -> int:
    """The greatest number in what was found; 0 where there is none."""
    texts = (match.group().translate(_KANJI) for match in found)
    return max((number for text in texts for number in numbers_in(text)), default=0)


_KANJI = str.maketrans("一二三四五六七八九", "123456789")
SPARE_SENTENCES = 1
"""One more may hold a source or a greeting."""


def _sentences(text: str) -> int:
    told = (sentence.text for sentence in sentences_in(text) if not sentence.heading)
    return sum(not (_PHRASES["offers_more"].search(one) or _PHRASES["advises"].search(one)) for one in told)


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
    blanks = _PHRASES["blank_to_fill"]
    told = _CODE.sub(" ", text)
    if _WORDS.search(blanks.sub(" ", _HEADING.sub(" ", told))):  # else it is a form, with nothing in it that was worded
        yield from (blank.group().strip() for blank in blanks.finditer(told))


_HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
_WORDS = re.compile(r"\w")
