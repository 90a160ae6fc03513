"""Reads which deeds a text tells (approved, wrote, 直しました), in Japanese and English, and whether as done or as planned."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.provenance")
SPEECH_ACTS: list[str] = load_words("deeds")["speech_acts"]
"""Kinds of deeds that are done by being told."""
LONGEST_TEXT = 500
"""Characters of a message that are read; what comes behind them is no message any more."""


class Deed(NamedTuple):
    """A place where a text tells a deed."""

    kind: str
    """A key of `data/deeds.json`."""
    told: Literal["done", "ahead", "denied", "open"]
    """As done; as planned, wished for or asked for; denied; or so that the grammar does not show it."""
    before: str
    """The clause up to the deed."""
    clause: str
    sentence: str

    @property
    def behind(self) -> str:
        """The clause from the deed on."""
        return self.clause[len(self.before) :]

    @property
    def is_in_brackets(self) -> bool:
        """Whether it stands in brackets: a remark on something else."""
        return self.before.count("(") > self.before.count(")")


class _Forms(NamedTuple):
    """How a kind of deed is told."""

    stem: re.Pattern[str]
    """In Japanese; what stands behind it shows whether it is done."""
    done: re.Pattern[str]
    other: re.Pattern[str]
    """In English: the infinitive, the noun and the like."""
    any: re.Pattern[str]
    """Any of these, so that most of the lines of a large result are passed over at once."""


@cache
def _forms() -> dict[str, _Forms]:
    def words(forms: list[str]) -> re.Pattern[str]:
        return lazy_pattern(rf"\b(?:{'|'.join(forms)})\b", re.IGNORECASE)

    kinds: dict[str, dict[str, list[str]]] = load_words("deeds")["deeds"]
    return {
        kind: _Forms(
            re.compile("|".join(forms["ja"])),
            words(forms["en_done"]),
            words(forms["en"]),
            re.compile("|".join([*forms["ja"], words([*forms["en_done"], *forms["en"]]).pattern]), re.IGNORECASE),
        )
        for kind, forms in kinds.items()
    }


@lru_cache(maxsize=5_000)  # every sentence with a deed looks at the lines of all results
def deeds_in(text: str, kind: str = "") -> tuple[Deed, ...]:
    """The deeds that a text tells, by sentence and clause. `kind`: only those of one kind."""
    kinds = [name for name in ([kind] if kind else _forms()) if _forms()[name].any.search(text, 0, LONGEST_TEXT)]
    return tuple(
        deed
        for sentence in (_SENTENCES.split(normalize(text[:LONGEST_TEXT])) if kinds else ())
        for start, clause in _clauses(sentence)
        for deed in _of_clause(clause, sentence, start, kinds)
    )


_SENTENCES = re.compile(r"[。\n!！?？]|\. | (?=(?:#{1,6}|[-*]) )")
"""The lines of a post stand in one, each with its mark."""
_ENDS_CLAUSE = re.compile(r"、|; |, ")


def _clauses(sentence: str) -> Iterator[tuple[int, str]]:
    begin = 0
    for mark in _ENDS_CLAUSE.finditer(sentence):
        yield begin, sentence[begin : mark.start()]
        begin = mark.end()
    yield begin, sentence[begin:]


def _of_clause(clause: str, sentence: str, start: int, kinds: Sequence[str]) -> Iterator[Deed]:
    for kind in kinds:
        forms = _forms()[kind]
        in_itself = kind in SPEECH_ACTS  # who sends an apology apologises
        stems = [one for one in forms.stem.finditer(clause) if in_itself or not _object_of_another().match(clause, one.end())]
        places = [(match, _told_in_japanese(kind, match, clause, sentence[start:])) for match in stems]
        done = {match.start(): match for match in forms.done.finditer(clause)}
        places += [(match, _told_in_english(clause[:at], "done")) for at, match in done.items()]
        others = (match for match in forms.other.finditer(clause) if match.start() not in done)
        places += [(match, _told_in_english(clause[: match.start()], "open")) for match in others]
        for match, told in places:
            by_noun = _PHRASES["does_by_a_noun"].search(clause[: match.start()])
            before = clause[: by_noun.start() if by_noun else match.start()]
            near = f"{before} {' '.join(clause[match.end() :].split()[:1])}" if match.re is not forms.stem else sentence
            is_denied = _PHRASES["denies_a_deed"].search(near)
            yield Deed(kind, "denied" if is_denied else _in_its_sentence(told, sentence), before, clause, sentence)


@cache
def _object_of_another() -> re.Pattern[str]:
    """What stands behind a noun that only names what another deed is done to: 修正を承認し."""
    return re.compile(f"を(?:{'|'.join(forms.stem.pattern for forms in _forms().values())})")


_Told = Literal["done", "ahead", "denied", "open"]


def _told_in_japanese(kind: str, stem: re.Match[str], clause: str, rest: str) -> _Told:
    behind = clause[stem.end() :]
    if _PHRASES["deed_of_another_behind"].search(behind):
        return "open"
    if _PHRASES["deed_agreed_on_behind"].search(behind):
        return "ahead"
    if kind in SPEECH_ACTS or _PHRASES["deed_done_behind"].match(behind):
        return "done"  # who writes 承認できます approves by it
    if _PHRASES["deed_ahead_behind"].match(behind):
        return "ahead"
    if _PHRASES["deed_goes_on_behind"].match(behind):
        end = rest[stem.end() :]
        return "done" if _PHRASES["ends_as_done"].search(end) else "ahead" if _PHRASES["ends_as_ahead"].search(end) else "open"
    return "open"


def _told_in_english(before: str, form: _Told) -> _Told:
    if form == "open" and _PHRASES["does_by_a_noun"].search(before):
        return "done"
    return "ahead" if _PHRASES["ahead_before_a_deed"].search(before) else form


def _in_its_sentence(told: _Told, sentence: str) -> _Told:
    is_planned = _PHRASES["planned"].search(sentence) or _PHRASES["heads_a_day"].match(sentence)
    return "ahead" if is_planned else told
