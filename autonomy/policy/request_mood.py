"""Tells whether a request asks for something to be done, or only to be told something.

Which verbs ask for a deed nobody can list; those that ask to be told are few. So an order counts as one for a deed unless its
verb is among those (`telling` in `data/request_mood.json`). What is done, and to what, other rules decide.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from metrics.text.word_files import read_words

MOST_CHARS = 10_000
"""Of a request: a longer one was pasted."""

# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = read_words("autonomy.policy", "request_mood")


@lru_cache(maxsize=64)
def orders_in(words: str) -> int:
    """How many clauses of the request order something with a verb that does not ask to be told."""
    said = words[:MOST_CHARS]
    clauses = (one for sentence in _SENTENCE.split(said) for one in _clauses(sentence.strip()))
    return sum(_is_order(clause, inside=inside) for clause, inside in clauses) + _orders_in_japanese(said)


def is_put_into(value: str, words: str) -> bool:
    """Whether the request says that something goes into what it calls so: "into report.md", 「report.mdに」."""
    named, said = re.escape(value.lower()[:_LONGEST_NAME]), words[:MOST_CHARS].lower()
    before = rf"\b(?:{_any('put_into', 'en')})\s{{1,9}}[\"'`「]?{named}(?![A-Za-z0-9_/-])"
    behind = rf"(?<![A-Za-z0-9_/.-]){named}[」`]?(?:{_any('put_into', 'ja')})(?!{_any('at_rest', 'ja')})"
    return re.search(f"{before}|{behind}", said) is not None


_LONGEST_NAME = 200


def begins_no_order(word: str) -> bool:
    """Whether it is an article, a pronoun, a preposition or the like, in lower case."""
    return word in _WORDS["no_order"]["en"]


def _clauses(sentence: str) -> Iterator[tuple[str, bool]]:
    """The beginnings of a sentence and of what is joined to it, without the polite words before the verb."""
    for number, clause in enumerate(_joint().split(sentence)):
        said = clause.strip()
        polite = _polite().match(said)
        yield said[polite.end() if polite else 0 :], number > 0


def _is_order(clause: str, *, inside: bool) -> bool:
    """Whether a clause begins with a verb that orders a deed. `inside`: behind another clause, where a noun may as well begin, so
    that an object has to follow."""
    found = _BEGINS.match(clause)
    if found is None or begins_no_order(found["verb"].lower()) or _telling().match(clause):
        return False
    verb, following = found["verb"], (found["next"] or "").lower()
    if _is_no_verb(verb.lower()) or following in _WORDS["behind_a_noun"]["en"] or following.endswith("ed"):
        return False
    return not inside or following in _WORDS["before_an_object"]["en"] or bool(_OBJECT.match(clause[found.end("verb") :]))


def _is_no_verb(word: str) -> bool:
    """Whether no order is spelled so: a plural, a gerund, a past."""
    return (word.endswith("s") and not word.endswith("ss")) or (len(word) > _SHORTEST_FORM and word.endswith(("ing", "ed")))


_SHORTEST_FORM = 5
"""Letters: `bring`, `feed` and `embed` are verbs as they stand."""
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|[\n。！？]")
_BEGINS = re.compile(r"(?P<verb>[A-Za-z]{1,40}(?:-[A-Za-z]{1,40})?)\b(?:\s{1,9}(?P<next>[A-Za-z]{0,40}))?")
_OBJECT = re.compile(r"\s{1,9}(?:[\"'“‘「`#@\d]|[A-Z])")
"""What is quoted, numbered, called by name."""


@cache
def _joint() -> re.Pattern[str]:
    """A comma or a word by which another clause is joined."""
    words = _any("joints", "en")
    return re.compile(rf",\s{{1,9}}(?:(?:{words})\s{{1,9}})?|\s{{1,9}}(?:{words})\s{{1,9}}", re.IGNORECASE)


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_any('polite', 'en')})[\s,]{{1,9}}){{0,4}}", re.IGNORECASE)


@cache
def _telling() -> re.Pattern[str]:
    return re.compile(rf"(?:{_any('telling', 'en')})(?![A-Za-z])", re.IGNORECASE)


@cache
def _request() -> re.Pattern[str]:
    """The ending of a Japanese request: ～てください, ～をお願いします."""
    form, asked = _any("request_forms", "ja"), _any("asked_for", "ja")
    ending = r"[\u3041-\u309f]{0,8}$"
    return re.compile(rf"(?<=[\u3041-\u309f\u4e00-\u9fff])(?:{form}){ending}|(?:{asked}){ending}")


def _any(kind: str, language: str) -> str:
    """Any of these words, the longest first."""
    return "|".join(re.escape(one) for one in sorted(_WORDS[kind][language], key=len, reverse=True))


def _orders_in_japanese(words: str) -> int:
    """How many clauses in Japanese end as a request whose verb does not ask to be told."""
    clauses = [clause.strip() for clause in _JAPANESE_CLAUSE.split(words)]
    found = [(clause, _request().search(clause)) for clause in clauses]
    return sum(
        not any(word in clause[: ending.start() + 1][-_VERB:] for word in _WORDS["telling"]["ja"])
        for clause, ending in found
        if ending
    )


_VERB = 5
"""Characters before the ending of a Japanese request, where its verb stands."""
_JAPANESE_CLAUSE = re.compile(r"[。、！？!?\n]")
