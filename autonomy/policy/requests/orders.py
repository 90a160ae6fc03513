"""Finds what a request orders: the verb of each order that does not ask to be told.

Which verbs ask for a deed nobody can list; those that ask to be told are few. So an order counts as one for a deed unless its
verb is among those (`telling` in `data/request_mood.json`). What is done, and to what, other rules decide.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from autonomy.policy.requests.japanese_orders import JAPANESE_CLAUSE, orders_in_japanese
from autonomy.policy.requests.request_words import MOST_CHARS, WORDS, any_of
from autonomy.provenance.action_claims import kinds_called
from metrics.text.quotations import unquoted
from metrics.text.verb_forms import base_of_gerund


def ordering_clauses(request: str) -> Iterator[str]:
    """The clauses in English that order a deed, from the verb on, in lower case."""
    for sentence in _SENTENCE.split(request):
        for clause, inside in clauses_of(sentence.strip()):
            if _ordered_verb(clause, inside=inside):
                yield clause.lower()


UNDERSTOOD = frozenset(WORDS["changing_what_is_there"]["en"]) | frozenset(
    form for deed in WORDS["called_otherwise"].values() for form in deed["en"]
)


@lru_cache(maxsize=64)
def ordered_deeds(words: str) -> tuple[str, ...]:
    """The verb of each order in English, and the characters that hold it in Japanese."""
    request = words[:MOST_CHARS]
    clauses = (one for sentence in _SENTENCE.split(request) for one in clauses_of(sentence.strip()))
    english = (_ordered_verb(clause, inside=inside) for clause, inside in clauses)
    return (*filter(None, english), *orders_in_japanese(request))


def order_ahead(text: str) -> str:
    """The clause that a text in English ends in, from the verb by which it orders something; empty where it orders nothing."""
    *_, (clause, is_joined) = clauses_of(_SENTENCE.split(text)[-1].lstrip())
    return clause.lower() if _ordered_verb(clause, inside=is_joined) else ""


def order_behind(text: str) -> str:
    """The order in Japanese that goes on behind those to whom or where something is to be done, from their particle on; empty
    where there is none, or it is about what is or was there (#general に投稿された話を送って)."""
    text = _behind_particle().sub(r"\1", unquoted(text))
    order = next(orders_in_japanese(JAPANESE_CLAUSE.split(text)[0], MOST_CHARS), "") if _JAPANESE_LETTER.search(text) else ""
    return order if _towards().fullmatch(order) else ""


_JAPANESE_LETTER = re.compile(r"[\u3041-\u309f]")


@cache
def _behind_particle() -> re.Pattern[str]:
    """The particle of those to whom something is done, with a comma behind it."""
    return re.compile(rf"^(\s*(?:{any_of('to_others', 'ja')}))、\s*")


@cache
def _towards() -> re.Pattern[str]:
    quoted = rf"「[^」]{{0,200}}」(?:{any_of('quoting', 'ja')})|[^、。をに]{{1,40}}(?:だ|です|ます)(?:と|って)"
    what = rf"{quoted}|[^、。にたるいう]{{1,15}}[をで]"
    particle = rf"\s*(?:{any_of('to_others', 'ja')})(?!{'|'.join(WORDS['at_rest']['ja'])})\s*"
    verb = "[^、。にをたるいう]"
    return re.compile(rf"{particle}(?:{what}){{0,2}}(?:{verb}{{1,8}}|{verb}{{0,5}}と?い[てで])")  # 書いて, 流しといて


def begins_no_order(word: str) -> bool:
    """Whether it is an article, a pronoun, a preposition or the like, in lower case."""
    return word in WORDS["no_order"]["en"]


def clauses_of(sentence: str) -> Iterator[tuple[str, bool]]:
    """The beginnings of a sentence and of what is joined to it, without the polite words before the verb."""
    for number, clause in enumerate(_joint().split(sentence)):
        beginning = _LIST_MARK.sub("", clause.strip())
        if gerund := _gerund().match(beginning):
            base = base_of_gerund(gerund["verb"], lambda verb: bool(kinds_called(verb)) or verb in UNDERSTOOD)
            yield f"{base}{beginning[gerund.end() :]}", number > 0
            continue
        polite = polite_pattern().match(beginning)
        yield beginning[polite.end() if polite else 0 :], number > 0


def _ordered_verb(clause: str, *, inside: bool) -> str:
    """The verb that a clause begins with and that orders a deed; empty if none. `inside`: behind another clause, where a noun may
    as well begin, so that an object has to follow."""
    found = _BEGINS.match(clause)
    if found is None or begins_no_order(found["verb"].lower()) or telling_pattern().match(clause):
        return ""
    verb, following = found["verb"].lower(), (found["next"] or "").lower()
    if _is_no_verb(verb) or following in WORDS["behind_a_noun"]["en"] or following.endswith("ed"):
        return ""
    has_object = following in WORDS["before_an_object"]["en"] or _OBJECT.match(clause[found.end("verb") :])
    return verb if not inside or has_object else ""


def _is_no_verb(word: str) -> bool:
    """Whether no order is spelled so: a plural, a gerund, a past."""
    return (word.endswith("s") and not word.endswith("ss")) or (len(word) > _SHORTEST_FORM and word.endswith(("ing", "ed")))


_LIST_MARK = re.compile(r"^[-*•+]\s{1,9}")
_SHORTEST_FORM = 5
"""Letters: `bring`, `feed` and `embed` are verbs as they stand."""
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|[\n。！？]")
_BEGINS = re.compile(r"(?P<verb>[A-Za-z]{1,40}(?:-[A-Za-z]{1,40})?)(?![^\s,:!?)\"'’])(?:\s{1,9}(?P<next>[A-Za-z]{0,40}))?")
_OBJECT = re.compile(r"\s{1,9}(?:[\"'“‘「`#@\d]|[A-Z])")
"""What is quoted, numbered, called by name."""


@cache
def _joint() -> re.Pattern[str]:
    """A comma or a word by which another clause is joined."""
    words = any_of("joints", "en")
    return re.compile(rf",\s{{1,9}}(?:(?:{words})\s{{1,9}})?|\s{{1,9}}(?:{words})\s{{1,9}}", re.IGNORECASE)


@cache
def polite_pattern() -> re.Pattern[str]:
    """The polite words that a clause begins with, if any."""
    return re.compile(rf"(?:(?:{any_of('polite', 'en')})[\s,]{{1,9}}){{0,4}}", re.IGNORECASE)


@cache
def _gerund() -> re.Pattern[str]:
    """A gerund behind the polite words that take one: would you mind posting."""
    introducing = rf"(?:{polite_pattern().pattern})(?:{any_of('before_a_gerund', 'en')})"
    return re.compile(rf"{introducing}\s{{1,9}}(?P<verb>[a-z]{{2,20}}ing)\b", re.IGNORECASE)


@cache
def telling_pattern() -> re.Pattern[str]:
    """A verb that asks to be told something."""
    return re.compile(rf"(?:{any_of('telling', 'en')})(?![A-Za-z])", re.IGNORECASE)
