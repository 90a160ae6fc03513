"""Loads the words for factual questions.

They say which words are general, which tell the same, and what somebody may have done.

Whoever adds a language adds `data/lookup_<code>.json` of the same form.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from discovery.catalog import Frozen
from discovery.text.search_terms import stem
from discovery.text.search_terms import terms as cut

DATA = Path(__file__).parent / "data"


class LookupWords(Frozen):
    """The words of one language; patterns are regular expressions, matched without regard to case."""

    general: tuple[str, ...]
    """What a question may say that a text which answers it need not hold (result, happen)."""
    irregular: tuple[str, ...] = ()
    """Verbs with the forms that no rule gives, with strokes between."""
    turning: tuple[str, ...]
    """Words without which a sentence says something else: orders, amounts, colours, and verbs that undo something or begin it."""
    verbs: tuple[str, ...]
    """Verbs of which the same holds, unless somebody is asked for by them (who went there)."""
    same: tuple[tuple[str, ...], ...]
    """Words that tell the same thing (twice, double); one of several words is read as the first of its group."""
    common_verbs: tuple[str, ...]
    """Verbs by which anything may be asked, in their plain form: a text that answers may say the same with another one."""
    everyday: tuple[str, ...]
    """Common words, in their plain form, that might be taken for misspellings of words of these lists (spell, sell)."""
    verb_forms: str
    """A word that is a verb by its own form."""
    verb_stands: str
    """Stands around a word, `{}`, that is a verb in its sentence."""
    thing_stands: str
    """Stands around a word, `{}`, that names a thing in its sentence, though it may be a verb; empty where no article tells."""
    subject: str
    """Stands around a name, `{}`, of whom is asked what he did."""
    beside: str
    """Stands around the second, `{}`, of two things that are asked for in one question."""
    recipient: str
    """Stands around a name, `{}`, of whom is asked what was written to him."""
    opposites: tuple[tuple[str, str], ...]
    """Words of which one denies the other (before, after): a text with the other one is no answer."""
    relations: dict[str, tuple[str, ...]]
    """What somebody did, by its kind: who reported a thing is not who fixed it."""
    person: str
    """Stands around a word, `{}`, where somebody's name stands."""
    requests: str
    """Tells a clause that asks for a deed, and does not tell of it."""
    not_done: str
    """Something that was not done, in the words of a question (決めていない), which a text may hold as they are."""
    undone: str = ""
    """How a text says in one word that the group `done` of `not_done` was not done (undecided)."""
    lacking: str
    """Something that there is not, in the words of a question: its group `what` is that."""
    lacks: tuple[str, ...]
    """How a text says that there is no `{}`."""
    forms: dict[str, str]
    """Words for what a text tells by its form alone: a version by its number."""
    superlatives: str
    """Words that pick one of many, which a text may hold as they are."""
    empty: tuple[str, ...]
    """Words that say nothing by themselves (it), or only that something is there (contains): no text need hold them."""
    causes: str
    """Tells in a text that it gives a reason."""
    places: str
    """Tells in a text that it says where."""
    numbers: str
    """Tells a number that is written as a word."""
    durations: str
    """Tells how long something takes."""


_LANGUAGES = [LookupWords.model_validate_json(file.read_text(encoding="utf-8")) for file in sorted(DATA.glob("lookup_*.json"))]


def _key(word: str) -> str:
    return stem(word.casefold()) if word.isascii() else word


_IRREGULAR = {_key(form): one.split("/") for words in _LANGUAGES for one in words.irregular for form in one.split("/")}
_GENERAL = frozenset(_key(word) for one in _LANGUAGES for word in one.general)
_TURNING = frozenset(_key(word) for one in _LANGUAGES for word in one.turning)
_VERBS = frozenset(_key(word) for one in _LANGUAGES for word in one.verbs)
_SAME: Mapping[str, tuple[str, ...]] = {
    _key(word): group for one in _LANGUAGES for group in one.same for word in group if " " not in word
}
_PHRASES = [
    (re.compile(rf"\b{re.escape(words)}\b", re.IGNORECASE), group[0])
    for one in _LANGUAGES
    for group in one.same
    for words in sorted(group, key=len, reverse=True)
    if " " in words
]
_CAUSES, _PLACES, _NUMBERS, _DURATIONS, _REQUESTS, _SUPERLATIVES = (
    re.compile("|".join(getattr(one, kind) for one in _LANGUAGES), re.IGNORECASE)
    for kind in ("causes", "places", "numbers", "durations", "requests", "superlatives")
)
_NOT_DONE = [(re.compile(one.not_done, re.IGNORECASE), one.undone) for one in _LANGUAGES]
_LACKING = [(re.compile(one.lacking, re.IGNORECASE), one.lacks) for one in _LANGUAGES]
_FORMS = {_key(word): re.compile(form) for one in _LANGUAGES for word, form in one.forms.items()}
_COMMON_VERBS = frozenset(_key(word) for one in _LANGUAGES for word in one.common_verbs)
_VERB_FORMS = re.compile("|".join(one.verb_forms for one in _LANGUAGES))
_EMPTY = frozenset(_key(word) for one in _LANGUAGES for word in one.empty)
_RELATIONS = {
    kind: tuple(word for one in _LANGUAGES for word in one.relations.get(kind, ()))
    for kind in dict.fromkeys(kind for one in _LANGUAGES for kind in one.relations)
}
_OPPOSITES = [(_key(one), other) for words in _LANGUAGES for pair in words.opposites for one, other in (pair, pair[::-1])]
_DOER = "者"
"""Makes of a deed the one who does it (承認者), of whom a text tells by the deed."""
ASKING = "ask"
TELLING = "tell"
"""The relation that every message has to what it says, unless it tells of another one."""


def is_general(word: str, *, verbs: bool = False) -> bool:
    """Whether a text need not hold this word of a question to answer it; `verbs`: nor a verb that says little."""
    return _key(word) in _GENERAL or (verbs and is_light(word))


def base_of(word: str) -> str:
    """The verb of an irregular form; any other word as it is, in small letters."""
    return _IRREGULAR.get(_key(word), [word.lower()])[0]


def is_irregular(word: str) -> bool:
    """Whether a word is a form of a verb that no rule gives."""
    return word.lower() in _IRREGULAR.get(_key(word), ())[1:]


def turns(word: str) -> bool:
    """Whether a sentence says something else without this word."""
    return _key(base_of(word)) in _TURNING


def is_light(word: str) -> bool:
    """Whether a word is a verb that says little."""
    return _key(word) in _VERBS


def is_verb(word: str, question: str) -> bool:
    """Whether a word of a question is a verb: a common one, or by its form or where it stands; no name."""
    if is_common_verb(word):
        return True
    return _VERB_FORMS.fullmatch(word) is not None or _stands(word, question, [one.verb_stands for one in _LANGUAGES])


def is_common_verb(word: str) -> bool:
    """Whether a word is a verb by which anything may be asked."""
    return any(_key(one) in _COMMON_VERBS for one in alternatives(word)) and not word[:1].isupper()


def is_thing(word: str, question: str) -> bool:
    """Whether a word of a question names a thing, though it may be a verb elsewhere (that load test)."""
    return _stands(word, question, [one.thing_stands for one in _LANGUAGES if one.thing_stands])


def is_subject(name: str, question: str) -> bool:
    """Whether it is asked what the person of this name did."""
    return _stands(name, question, [one.subject for one in _LANGUAGES])


def is_recipient(name: str, question: str) -> bool:
    """Whether it is asked what was written to the person of this name."""
    return _stands(name, question, [one.recipient for one in _LANGUAGES])


def stands_beside_another(word: str, question: str) -> bool:
    """Whether a word names the second of two things that a question asks for."""
    return _stands(word, question, [one.beside for one in _LANGUAGES])


def says_nothing(word: str) -> bool:
    """Whether a word says nothing by itself (it), or only that something is there (contain)."""
    return _key(word) in _EMPTY


def form_of(word: str) -> re.Pattern[str] | None:
    """The pattern of the things that a word names (version: v3.4.0); None for a word without a form of its own."""
    return _FORMS.get(_key(word))


def superlative_in(words: str) -> str:
    """The word that picks one of many; empty where there is none."""
    found = _SUPERLATIVES.search(words)
    return found.group() if found else ""


def spoken_words() -> list[str]:
    """Every word of these lists in the forms in which a question may hold it."""
    words = [
        word for one in _LANGUAGES for group in (*one.same, *one.relations.values(), one.general, one.verbs) for word in group
    ]
    return [
        f"{word.removesuffix('e') if ending[:1] in ('e', 'i') else word}{ending}"
        for word in words
        for ending in ("", "s", "ed", "ing")
    ]


@lru_cache(maxsize=1)
def everyday_words() -> frozenset[str]:
    """Words that are no misspelling of another one: common ones, and the verbs by which anything may be asked."""
    return frozenset(word.casefold() for one in _LANGUAGES for word in (*one.everyday, *one.common_verbs))


def with_single_words(text: str) -> str:
    """A question in which what is said in several words stands as one (pull request: PR)."""
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    return text


def alternatives(word: str) -> tuple[str, ...]:
    """The word and those that tell the same."""
    bare = word.removesuffix(_DOER) if len(word) > 2 else word
    return (word, *([bare] if bare != word else []), *_IRREGULAR.get(_key(word), ()), *_SAME.get(_key(word), ()))


def opposites_of(words: Iterable[str]) -> list[str]:
    """The words that deny one of these, by any word that tells the same."""
    keys = {_key(one) for word in words for one in alternatives(word)}
    return [other for one, other in _OPPOSITES if one in keys]


def what_was_not_done(question: str) -> tuple[str, str]:
    """The words of a question for something that was not done, and the word by which a text says so; both empty for none."""
    for pattern, undone in _NOT_DONE:
        if found := pattern.search(question):
            return found.group(), undone.replace("{}", found["done"]) if undone else found.group()
    return "", ""


def words_of_absence(question: str) -> tuple[str, tuple[str, ...]]:
    """The words of a question for something that there is not, and in which words a text says so; empty where it has none."""
    for pattern, lacks in _LACKING:
        if found := pattern.search(question):
            return found.group(), tuple(one.replace("{}", found["what"]) for one in lacks)
    return "", ()


def gives_a_reason(text: str) -> bool:
    """Whether a text says why."""
    return _CAUSES.search(text) is not None


def says_where(text: str) -> bool:
    """Whether a text says where something is."""
    return _PLACES.search(text) is not None


def holds_number(text: str) -> bool:
    """Whether a text holds a number, in digits or as a word."""
    return re.search(r"\d", text) is not None or _NUMBERS.search(text) is not None


def counts(text: str, noun: str) -> bool:
    """Whether a text holds a number of English things, with at most two words between (six small fixes), or of none; or how many
    of so many (4 in 100), beside the thing."""
    numbers = re.finditer(
        rf"(?:\b\d[\d,.]*|\b(?:no|zero)\b|{_NUMBERS.pattern})(?P<behind>(?:\s+[\w-]+){{1,3}})", text, re.IGNORECASE
    )
    keys = {_key(one) for one in alternatives(noun)}
    ratio = re.search(r"\b\d+ (?:in|of|out of) (?:a hundred|\d+)\b", text)
    if ratio and keys & set(map(_key, re.findall(r"[\w-]+", text))):
        return True
    return any(keys & set(map(_key, found["behind"].split())) for found in numbers)


def holds_request(text: str) -> bool:
    """Whether a text asks somebody for a deed."""
    return _REQUESTS.search(text) is not None


def without_requests(text: str) -> str:
    """A text without what asks somebody for a deed."""
    return _REQUESTS.sub(" ", text)


def without_durations(text: str) -> str:
    """A text without how long something takes."""
    return _DURATIONS.sub(" ", text)


def holds_duration(text: str) -> bool:
    """Whether a text says how long something takes."""
    return _DURATIONS.search(text) is not None


@lru_cache(maxsize=1024)
def relations_in(text: str) -> frozenset[str]:
    """The kinds of deeds that a text tells of."""
    stems = set(cut(text))
    return frozenset(
        kind
        for kind, words in _RELATIONS.items()
        if any(set(cut(word)) <= stems if word.isascii() else word in text for word in words)
    )


def relations_of(word: str) -> frozenset[str]:
    """The kinds of deeds that a verb of a question names; a Japanese one has lost its ending (直 of 直した)."""
    begun = (kind for kind, words in _RELATIONS.items() if not word.isascii() and any(one.startswith(word) for one in words))
    return relations_in(word).union(begun)


def stands_for_somebody(word: str, question: str) -> bool:
    """Whether a word of a question stands where the name of a person does."""
    return _stands(word, question, [one.person for one in _LANGUAGES])


def _stands(word: str, question: str, patterns: Sequence[str]) -> bool:
    return any(re.search(one.replace("{}", re.escape(word)), question, re.IGNORECASE) for one in patterns)


def tells_of_relation(relations: frozenset[str], text: str) -> bool:
    """Whether a text tells of the deeds by which a question asks for somebody; false where it tells only of others."""
    found = relations_in(text if ASKING in relations else _REQUESTS.sub(" ", text))
    missing = relations - found
    return not missing or (missing == {TELLING} and not found - relations)
