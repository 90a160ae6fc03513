"""The words that tell what a tool does (`discovery/data/effect_words.json`), and what one word by itself means."""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Literal

from discovery.catalog import Effect, Frozen
from discovery.text.data_files import read_data


class JapaneseGrammar(Frozen):
    """Regular expressions for what a Japanese sentence says is done. Of the first four, `verb` is what is done and `form` begins
    its ending."""

    nouns_done: str
    """A noun with `する`, or with `を行う`."""
    states: str
    """`既読にします`: a thing is brought into a state."""
    mixed_nouns_done: str
    """A noun with kana: `仮押さえします`, `お送りします`."""
    verbs_done: str
    """Any other verb at the end or joined to the next one: `電源を入れて`, `鍵を閉めたうえで`."""
    form: str
    """The first letters of an ending, behind which these are looked for:"""
    not_done: str
    """The rest of an ending of denial, condition or request: `しません`, `しない場合`, `してください`."""
    describes: str
    """The rest of an ending before the thing that it describes: `された|記事`."""
    was_done: str
    """Behind a noun of change, in an answer: `しました`."""
    about_change: str
    """Nouns that only speak of a change: `更新履歴`."""


class ForeignVerbs(Frozen):
    """How sentences of a language say what is read. Words are in lower case."""

    reads: frozenset[str]
    """Verbs that begin a sentence and mean reading; in Korean the nouns and stems that end one."""
    particles: frozenset[str] = frozenset()
    """Verbs with the particle that ends their sentence, if they mean reading only with it: `gibt zurück`."""
    changes: str
    """A regular expression for the beginnings of words that mean a change."""
    goes_on: str
    """A regular expression for a second verb, of which nobody knows what it does."""


class JapaneseComputing(Frozen):
    """How a Japanese sentence says that something is computed from what a tool is given."""

    verbs: tuple[str, ...]
    """Nouns with `する`, and stems, that compute from values."""
    converting: tuple[str, ...]
    """Further ones, which do so only where all things that are named are …"""
    things: tuple[str, ...]
    """… these, as ends of nouns."""
    named: str
    """A regular expression for the nouns that a sentence is about, by what marks them; not for …"""
    each_other: str
    again: str
    """What a verb begins with if it computes what was kept: `再計算`."""


class EffectWords(Frozen):
    """The contents of the data file. English verbs are in lower case and without endings; Japanese words match anywhere."""

    pure_read: frozenset[str]
    """Verbs that always mean reading."""
    read: frozenset[str]
    """Verbs that mostly mean reading, but may mean writing: `convert`, `open`, `access`."""
    write: frozenset[str]
    destructive: frozenset[str]
    outward: frozenset[str]
    ja: dict[Literal["read", "write", "destructive", "outward"], tuple[str, ...]]
    ja_done: dict[Literal["read", "write", "destructive", "outward", "neutral"], tuple[str, ...]]
    """Further Japanese words, which count where a sentence says that it is done; what is `neutral` changes nothing. A noun ends
    with one of them, a verb begins with it."""
    ja_grammar: JapaneseGrammar
    nouns: frozenset[str]
    """Verbs that are nouns if a reading verb ends the name: `issue_read`."""
    links: frozenset[str]
    """Words after which a second verb counts: `search_and_replace`."""
    lead_skip: frozenset[str]
    """Words that may precede the verb of a first sentence."""
    changes_in_words: tuple[str, ...]
    """Regular expressions for a description of a change."""
    reading_phrases: frozenset[str]
    """Verbs with a particle that mean reading: `break down`. All others mean a change."""
    including: frozenset[str]
    """Participles that only describe what is read: `showing the status`."""
    later_verbs: tuple[str, ...]
    """Regular expressions for actions in later sentences: `Also emails it`, `Missing ones are created`."""
    passives: tuple[str, ...]
    """The same in the passive voice: `The message is deleted afterwards`."""
    for_good: tuple[str, ...]
    """Regular expressions for a description which says that archiving cannot be undone."""
    of_others: tuple[str, ...]
    """Regular expressions for things that several people use: archiving one takes it away from them."""
    reads_only_in_words: tuple[str, ...]
    later_chinese: tuple[str, ...]
    """A regular expression for a Chinese change behind a read: `并删除`."""
    reading_statements: tuple[str, ...]
    """Regular expressions for a first sentence that runs what can only read, or names one thing by another."""
    running: frozenset[str]
    """Verbs beside such a sentence that are no change: `execute_query`."""
    statement_parameters: frozenset[str]
    """Arguments that hold what is run."""
    write_parameters: frozenset[str]
    journey_parameters: frozenset[str]
    """Arguments beside which `destination` is a place, and not a file."""
    choice_parameters: frozenset[str]
    """Arguments whose choices tell the action: `method: get | delete`."""
    http_changes: frozenset[str]
    """Choices of such an argument that are HTTP methods which may change anything."""
    addressee_parameters: frozenset[str]
    """Arguments that name an addressee. A tool with one of these and one of …"""
    wording_parameters: frozenset[str]
    """… these, which hold a text, sends messages."""
    statement_tools: frozenset[str]
    """Words in the names of tools that run statements of a language which also writes."""
    units: frozenset[str]
    """Words in the names of arguments that name a unit of measurement, or a coordinate."""
    answers: frozenset[str]
    """Nouns for what one is told: `history`, `metadata`. In the singular, or where there is none the plural."""
    answers_that_are_verbs: frozenset[str]
    """Those of them that could begin an order: `Price items of a catalog`."""
    describing: frozenset[str]
    """Participles that say nothing is done to what one is told: `, sorted by date`."""
    answers_ja: tuple[str, ...]
    """The same in Japanese, as ends of a sentence."""
    openers: frozenset[str]
    """Words before such a noun that are no verbs: `current`, `next`."""
    openers_end: tuple[str, ...]
    """A regular expression for further ones, adjectives by their ending; not those of …"""
    verbs_like_adjectives: frozenset[str]
    """… these: `archive`."""
    not_of: frozenset[str]
    """Verbs in the third person that `of` may follow: `notifies of`."""
    done_to: tuple[str, ...]
    """A regular expression for nouns that may mean what is done: `removal`, `payments`."""
    verbs_like_nouns: frozenset[str]
    """Verbs with the ending of a noun: `partition`."""
    phrase_ends: tuple[str, ...]
    """A regular expression for what ends a noun phrase: a preposition, a participle with its object, a comma."""
    done_to_it: tuple[str, ...]
    """A regular expression for what is done to what such a phrase names: `with their lifetime renewed`, `after sweeping it`."""
    before_the_verb: tuple[str, ...]
    """A regular expression for what stands before the verb: `TFT tool for retrieving`, `Simple ping command to check`."""
    denials: tuple[str, ...]
    """A regular expression for what stands before a change that is not made: `Do not store it in memory`."""
    computing: frozenset[str]
    """Verbs that change only what a tool is given, where it is given nothing but values: `add two numbers`."""
    making: frozenset[str]
    """Verbs that mean the same before …"""
    made_things: frozenset[str]
    """… these nouns: `generate a UUID`."""
    computed_things: frozenset[str]
    """Nouns for what is computed, in the singular."""
    added_things: frozenset[str]
    """Those of them which are added up; `add a date` puts it somewhere."""
    computing_parameters: frozenset[str]
    """Words in the names of arguments that hold a value as a text: `expression`, `from_unit`."""
    identifying: frozenset[str]
    """Words in the names of arguments that name something which exists elsewhere: `id`, `path`."""
    computing_glue: frozenset[str]
    """Words beside those of computing which name nothing that could be changed: `two`, `between`, `symbolic`."""
    converting: frozenset[str]
    """Those verbs of computing whose object may be described in any words, where an argument holds it as a text."""
    calendar_parameters: frozenset[str]
    """Words in the names of arguments that only say of when or how much: `計算` by a month computes what is stored."""
    ja_computing: JapaneseComputing
    by_library: tuple[str, ...]
    """A regular expression for the library that is computed with: `using NumPy`."""
    says_done: tuple[str, ...]
    """Regular expressions for a participle in an answer that tells of something done: `Note saved`."""
    participles: dict[str, str]
    """Participles that do not end in `ed`, with their verbs."""
    speaking_members: frozenset[str]
    """Members of an answer that hold a sentence."""
    content_parameters: frozenset[str]
    """Words in the names of arguments that hold what is written, or switch something."""
    foreign: dict[str, ForeignVerbs]

    @cached_property
    def reading(self) -> frozenset[str]:
        """All verbs that may mean reading."""
        return self.read | self.pure_read


@cache
def words() -> EffectWords:
    """The words of the data file. Raises pydantic's ValidationError when it is damaged."""
    return EffectWords.model_validate_json(read_data("effect_words.json"))


def found_words(kind: str, text: str) -> Iterator[str]:
    """Yield what the regular expressions of that name find in a text."""
    return (word for pattern in patterns(kind) for word in pattern.findall(text))


@cache
def patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    """Return the regular expressions of that name in the data file."""
    return tuple(re.compile(pattern) for pattern in getattr(words(), kind))


@cache
def grammar(kind: str) -> re.Pattern[str]:
    """Return the expression of that name of the Japanese grammar."""
    return re.compile(getattr(words().ja_grammar, kind))


def effect_of(word: str) -> Effect | None:
    """Return what a verb without an ending does; None if nobody knows it."""
    data = words()
    if word in data.destructive:
        return Effect.DESTRUCTIVE
    if word in data.outward:
        return Effect.OUTWARD
    if word in data.write:
        return Effect.WRITE
    return Effect.READ if word in data.reading else None


def is_change(word: str) -> bool:
    """Whether a verb without an ending is known to change something."""
    return effect_of(word) not in (None, Effect.READ)


_ENDINGS = (("", ""), ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e"))


def verb_of(word: str) -> str:
    """Remove the ending of a verb if that gives a known verb: `updates`, `marking`, `dropped`."""
    return next((stem for stem in stems(word) if effect_of(stem)), word)


def stems(word: str) -> Iterator[str]:
    """Return the possible forms of a word without its ending."""
    stems = (word.removesuffix(ending) + letter for ending, letter in _ENDINGS if word.endswith(ending))
    return (stem[:cut] for stem in stems for cut in ((None, -1) if stem[-1:] == stem[-2:-1] else (None,)))
