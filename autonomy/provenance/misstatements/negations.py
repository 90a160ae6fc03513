"""Finds words that a sentence affirms and its evidence denies, or the other way round."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from autonomy.provenance.concepts import without_double_negation
from autonomy.provenance.misstatements.reversals import near_units
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")

WINDOW = 14
"""Characters behind a word in which its denial stands: 「失敗」ではない, エラーは0件, 必要はありません."""
_NO = _PHRASES["denied_behind"]
_NO_BEFORE = _PHRASES["denied_before"]
_NONE_BEHIND = _PHRASES["none_behind"]
_WORD = re.compile(r"[\u30a1-\u30ff]{2,}ー?|[\u3400-\u9fff々]{2,6}(?:切れ)?|(?<![A-Za-z0-9_])[A-Za-z]{4,}(?![A-Za-z0-9_])")
_STOP = re.compile(r"[、。,;；・･!?！？\n|]|ので|のに|けれど")


def negations(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The evidence where it denies a word that the sentence affirms, or affirms one that it denies."""
    text = without_double_negation(sentence.text)
    near = {unit.text: without_double_negation(unit.text) for unit in near_units(sentence, sources)}
    own = terms(sentence.text)
    for word in dict.fromkeys(_WORD.findall(text)):
        denied = _denied(text, word) if word.lower() not in load_words("sentences")["connecting"] else None
        if denied is None or _PHRASES["names_a_time"].fullmatch(word):
            continue  # neither affirmed nor denied
        if sources.identities.bearers_of_part(word):
            continue  # `Ines: 0` tells of what she has none, and denies nobody
        held = ((unit.text, without_double_negation(unit.text)) for unit in _with_word(word, own, sources))
        rows = (row for row in chain(near.items(), held) if _speaks_of(word, row[1]))
        if denied:  # that nothing was found under a word denies it
            rows = (row for row in rows if not _PHRASES["nothing_found"].search(row[0]))
        if denied and sentence.neutral and sources.persons:  # that nobody wrote it: what a channel is for nobody wrote either
            written = {unit.text for unit in sources.index.with_any([word.lower()]) if unit.persons or unit.days}
            rows = (row for row in rows if row[0] in written)
        differing = ""
        for told, plain in rows:
            if _denied(plain, word) is not (not denied):
                break
            differing = differing or told
        else:
            if differing:
                yield differing
                return


def _speaks_of(word: str, text: str) -> bool:
    """Whether a word stands in a text otherwise than as the name of a field with words: `place: Tokyo` tells of Tokyo."""
    fields = len(_fields_called(word).findall(text)) if ": " in text else 0
    return fields < len(_places_of(word).findall(text))


@lru_cache(maxsize=500)
def _fields_called(word: str) -> re.Pattern[str]:
    """Where a word names a field with words."""
    return re.compile(rf"(?<!\w){re.escape(word)}: (?!-?\d|true\b|false\b|null\b|none\b)", re.IGNORECASE)


@lru_cache(maxsize=500)
def _places_of(word: str) -> re.Pattern[str]:
    """Where a word stands: `untolerated` is not tolerated."""
    return re.compile((r"(?<![A-Za-z])" if word.isascii() else "") + re.escape(word))


MOST_WITH_WORD = 3
"""A word that more lines hold says too little of which of them is meant."""


def _with_word(word: str, own: frozenset[str], sources: Sources) -> Iterator[EvidenceUnit]:
    """The few lines that hold a word and something else of the sentence, whose own terms are given."""
    index = sources.index
    holding = index.holding(terms(word)) if len(word) >= 4 else []
    rest = own - terms(word)
    yield from (unit for unit in holding if rest & terms(unit.text)) if len(holding) <= MOST_WITH_WORD else ()


def _denied(text: str, word: str) -> bool | None:
    """Whether a word is denied wherever it stands; None when it is both, or when another word may be what is denied."""
    found: set[bool | None] = set()
    for match in _places_of(word).finditer(text):
        if _SINCE.match(text, match.end()):
            continue  # not seen since Monday: it was seen on Monday
        if word.isascii() and (_NO_SUCH_THING.match(text, match.end()) or _asks_whether(text, match.start())):
            found.add(None)
            continue  # they need no visa: who denies the need says it otherwise; whether anybody knows it is left open
        whole = text[match.end() : match.end() + LONGEST_CLAUSE]
        behind = text[match.end() : match.end() + WINDOW]
        if value := _VALUE.match(behind):  # 期限：なし denies it, 転送届：期限なし denies another word
            behind = behind[value.end() :][:2]
        elif not word.isascii() and (colon := behind.find(":")) > 0:  # 郵便の転送届：期限なし denies the term alone
            behind = behind[:colon]
        stop = _STOP.search(behind)
        behind = behind[: stop.start()] if stop else behind
        if not word.isascii() and _OF_ITS_OWN.match(behind):
            continue  # 会議との重なりはなくなる denies what overlaps
        no = _NONE_BEHIND if word.isascii() else _NO  # in English the denial stands in front of what it denies
        behind = _OF_ANOTHER.sub("", behind)
        before = text[max(0, match.start() - 40) : match.start()]
        here = bool(
            no.search(behind)
            or _FIELD_OF_NONE.match(behind)
            or _NO_BEFORE.search(before[-16:])
            or _PHRASES["denied_as_subject"].search(before)
            or (word.isascii() and (_NIL_BEFORE.search(before) or _NIL_BEHIND.match(whole)))
        )
        far = not here and not word.isascii() and _DENIES_FAR.search(_ENDS_CLAUSE.split(whole)[0])
        found.add(None if far else here)
    return found.pop() if len(found) == 1 else None


def _asks_whether(text: str, at: int) -> bool:
    return _ASKS_WHETHER.search(text, max(0, at - LONGEST_CLAUSE), at) is not None


_NO_SUCH_THING = re.compile(r" no [a-z]")
_ASKS_WHETHER = _PHRASES["asks_whether"]
LONGEST_CLAUSE = 60
_SINCE = re.compile(r"\s(?:again )?since\b")
_ENDS_CLAUSE = re.compile(r"[、。;!?！？\n]")
_OF_ITS_OWN = re.compile(r"(?:と|へ|から)?の[\u30a1-\u30ff\u3400-\u9fff々][^\s、。]{0,8}?[はがも]")
"""What is then told of something that is its own, or is between it and another one."""
_DENIES_FAR = re.compile(r"[^\s少危]ない(?:$|[。とのでよそ])|ません(?!か)|なく(?!な)|ずに")
"""A denial anywhere in the clause, whatever of it that denies."""


_OF_ANOTHER = re.compile(r"(?<=[\u3041-\u3096」』）)])[\u30a1-\u30ff\u3400-\u9fff々]{1,6}(?:なし|無し)")
"""`「掃除」は期限なし` denies a term of its own."""
_VALUE = re.compile(r"[*_\s]{0,3}:[*_\s]{0,3}(?=[^\x00-\x7f])")
_FIELD_OF_NONE = re.compile(r"\w*: (?:0(?:\.0+)?|false|null|none)(?=,|\s|$)", re.IGNORECASE)
"""A field that says of a word that there is none of it: `rain_percent: 0`."""


_NIL_BEFORE = re.compile(
    r"(?<![\d.,:/-])0(?:\.0+)?\s(?:% (?:chance of |probability of )?)?$|(?<![\d.,])0(?:\.0+)?% (?:chance of |probability of )?$"
)
_NIL_BEHIND = re.compile(r"[^\d.;!?。\n]{0,24}(?<![\d.,])0(?:\.0+)?\s?%")
"""Nothing of something: 0 minutes, as `minutes: 0`; a 0 % chance of rain is no rain."""
