"""Finds what a Japanese request orders: the clauses that end in a request, and their verbs."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from autonomy.policy.requests.request_words import WORDS, any_of
from metrics.text.phrases import patterns_of
from metrics.text.verb_forms import imperatives, joining

_PHRASES = patterns_of("autonomy.policy")


@cache
def request_pattern() -> re.Pattern[str]:
    """The ending of a Japanese request: ～てください, ～ていただけると助かります, ～をお願いいたします, お～ください."""
    form, nouns, humble = any_of("request_forms", "ja"), any_of("asked_for", "ja"), any_of("humble_endings", "ja")
    ending = r"[\u3041-\u309f]{0,8}$"
    thanks = rf"[\u3041-\u309f]{{0,6}}(?:{any_of('conditions', 'ja')})(?:{any_of('thankful_endings', 'ja')}){ending}"
    te_form = rf"(?<=[\u3041-\u309f\u4e00-\u9fff])[てで](?:{form})(?:{ending}|{thanks})"
    named = r"(?<=[おご御])[\u3041-\u309f\u30a1-\u30fc\u3400-\u9fff]{1,6}"
    honorific = rf"{named}(?=(?:{any_of('honorific_requests', 'ja')}){ending})"
    return re.compile(rf"{te_form}|(?:{nouns})(?:{humble})?{ending}|{honorific}")


VERB, DEED, LONG_DEED = 5, 9, 20
"""Characters before the ending of a Japanese request, where its verb stands; with those of a loanword before it; with its
object."""


def orders_in_japanese(words: str, length: int = DEED) -> Iterator[str]:
    """The end of each clause in Japanese that is a request whose verb does not ask to be told; `length`: of how many
    characters."""
    for sentence in JAPANESE_SENTENCE.split(words):
        clauses = [clause.strip() for clause in sentence.split("、")]
        orders = [_order_ending(clause) for clause in clauses]
        for at, (clause, order) in enumerate(zip(clauses, orders, strict=True)):
            is_joined = not order and any(orders[at + 1 :]) and _joins_the_next(clause, clauses[at + 1 :])
            order = clause if is_joined else order
            asks_to_be_told = any(word in order[-VERB:] for word in WORDS["telling"]["ja"])
            if order and (_tells_others().search(order) or not asks_to_be_told):
                yield order[-length:]


def _order_ending(clause: str) -> str:
    """A clause up to the verb by which it requests something; empty where it requests nothing."""
    if clause.endswith(tuple(WORDS["asking"]["ja_plain"])) and not has_form_of_request(clause):
        return ""  # its で would pass for that of an order
    if ending := request_pattern().search(clause):
        return clause[: ending.start() + 1] if ending[0][0] in "てで" else clause[: ending.end()]
    imperative = _imperative().search(clause)
    return f"{clause[: imperative.start()]}{_joining_forms().get(imperative[0], imperative[0])}" if imperative else ""


def _joins_the_next(clause: str, following: Sequence[str]) -> bool:
    """Whether a clause ends in a verb of a deed that is requested together with what follows: 記事を公開し、…に知らせて.

    Of 健太さんが公開し、承認された記事 it is told, and not requested."""
    doer = any(f"{one}{particle}" in clause for one in WORDS["doers"]["ja"] for particle in "がはも")
    return not doer and _joining().search(clause) is not None and not any(_SPEAKS_OF.search(one) for one in following)


_SPEAKS_OF = _PHRASES["speaks_of_a_deed"]


@cache
def _joining() -> re.Pattern[str]:
    verbs = "|".join(map(joining, WORDS["deeds"]["ja"]))
    return re.compile(rf"(?:{verbs}|(?:[\u3400-\u9fff々]{{2}}|[\u30a1-\u30fc]{{2}})し)$")


@cache
def _joining_forms() -> dict[str, str]:
    """Each plain imperative of a verb that is known, with the form in which it is looked for."""
    return {form: joining(verb) for verb in WORDS["deeds"]["ja"] for form in imperatives(verb)}


@cache
def _imperative() -> re.Pattern[str]:
    forms = "|".join(sorted(_joining_forms(), key=len, reverse=True))
    return re.compile(rf"(?:{forms}|(?:[\u3400-\u9fff々]{{2}}|[\u30a1-\u30fc]{{2}})(?:{any_of('plain_orders', 'ja')}))$")


@cache
def _tells_others() -> re.Pattern[str]:
    """What asks to tell somebody else, by name or by a means: 真理さんにDMで知らせて, 真理さんに休みだと知らせて.

    To 教えて there belongs whoever asks.
    """
    means = r"(?<![A-Za-zァ-ヶー])(?=[A-Za-zァ-ヶ])[A-Za-zァ-ヶー]{2,20} ?で"
    others = "".join(f"(?<!{one})" for one in WORDS["oneself"]["ja"])
    adverb = r"\s*[^、。にをたるいうながはか]{1,4}(?=知|お知)"
    between = rf"「[^」]{{0,200}}」(?:{any_of('quoting', 'ja')})?|{means}|[^、。にたるいう]{{1,15}}を|{adverb}"
    to_others, informing = f"{others}(?:{any_of('to_others', 'ja')})", any_of("informing", "ja")
    behind_title = "|".join(f"(?<={title})" for title in WORDS["titles"]["ja"])
    to_somebody = rf"(?:{behind_title}){to_others}(?:{means})?|{means}"
    reported = rf"(?![^、。]{{0,60}}(?:{any_of('interrogatives', 'ja')}))[^、。「」]{{1,60}}(?:と|って|旨を?)"
    return re.compile(rf"(?:(?:{to_others}|{means})(?:{between}){{0,3}}|(?:{to_somebody}){reported})(?:{informing})$")


def has_form_of_request(clause: str) -> bool:
    """Whether a clause holds what requests end in."""
    return any(form and form in clause for kind in ("request_forms", "asked_for") for form in WORDS[kind]["ja"])


JAPANESE_SENTENCE = re.compile(r"[。！？!?\n]")
JAPANESE_CLAUSE = re.compile(r"[。、！？!?\n]")
