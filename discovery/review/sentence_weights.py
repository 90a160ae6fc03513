"""Weighs each sentence of a tool's definition: does it give orders to the model instead of describing the tool?

No single word decides. The cues of a sentence (`cues`), pairs of cues, and its words each have a weight, fitted by logistic
regression to honest and poisoned definitions (`discovery/data/descriptor_weights.json`, written by
tests/bench/descriptor_training.py).
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cache, cached_property, lru_cache
from itertools import combinations, pairwise
from math import fsum
from typing import Any, Literal, NamedTuple

from discovery.catalog import Frozen, ToolSpec
from discovery.review.cues import CHARACTERS, ORDERING, OTHER_ACTION, OTHER_TOOL, beginning, cues, words_of
from discovery.text.data_files import read_data
from discovery.text.search_terms import visible

MOST_CHARACTERS = 20_000
"""How much of one text is read: the beginning and end of a longer one, so that a schema of 64 kB does not take a second."""
_LONGEST_SENTENCE = 400
"""Text without full stops is split at this length, so that no sentence gets a large weight by its length alone."""
_MOST_REASONS = 3
FOR_THE_TOOL = frozenset({"describing", "guard", "withholding"})
"""Cues of honest definitions, which are not counted in the number of cues."""


class DescriptorWeights(Frozen):
    """The contents of the data file: the weight of each feature of a sentence (see `features`), and the thresholds."""

    bias: float
    plain: float
    """Texts of a doubted tool are shown if all their sentences have a smaller weight."""
    doubted: float
    """A sentence with a larger weight makes its tool doubted: nine of ten poisoned tools by authors left out of the fit."""
    sure: float
    """A sentence with a larger weight makes its tool held: at most three of a hundred honest tools of the author of whom most
    are held, each left out of the fit (docs/descriptors.md)."""
    name: float
    """The same of a tool's name: it is short, and cannot be hidden, so doubt is of no use."""
    weights: dict[str, float]


def spelt(name: str) -> str:
    """Return a name as separate words."""
    return name.replace("_", " ")


_LONG_NAME = 4
"""A name of so many words is a statement: `contents_of_etc_passwd`."""


def is_long_name(spelt: str) -> bool:
    """Whether a name has so many words that it is a statement."""
    return len(words_of(spelt)) >= _LONG_NAME


Unrelated = Literal["", "none", "some", "most", "all"]
"""How many of a sentence's content words occur nowhere else in the provider's definitions; empty if it has no content words."""


class ToolNames:
    """Recognises names of tools in a text: the provider's own, and those of others."""

    _NAME_LIKE = re.compile(r"(?<![A-Za-z0-9_./$-])[A-Za-z][A-Za-z0-9]*+(?:[_-][A-Za-z0-9]++)++(?![\w/])")

    def __init__(self, spec: ToolSpec, foreign: Collection[str], siblings: Collection[str]) -> None:
        self._own = {spec.tool, spec.name, *_names_in(spec.input_schema)}
        self._spec = spec
        self._siblings, self._foreign = frozenset(siblings), foreign  # neither is copied: there may be thousands
        self._family = re.split(r"[_-]", spec.tool)[0].lower()
        self.topic = frozenset(beginning(word) for word in words_of(spec.tool.replace("-", " ")))

    def kinds(self, text: str) -> set[str]:
        """Return `foreign_tool`, `other_tool` and `other_action`, if the text names such tools."""
        kinds = {name: self._kind(name) for name in self._NAME_LIKE.findall(text)}
        actions = (
            name for name, kind in kinds.items() if kind and re.split(r"[_-]", name)[0].lower() in cues().other_action.verbs
        )
        return {*filter(None, kinds.values()), *(OTHER_ACTION for _ in actions)}

    def without_own_comparisons(self, sentence: str) -> str:
        """Remove comparisons like `better than screenshot` with a tool of the same provider, because they divert no calls from
        other providers."""
        return cues().comparison.sub(lambda found: " " if self._is_siblings(found[1]) else found[0], sentence)

    def _is_siblings(self, name: str) -> bool:
        words = {stem(word) for word in words_of(name.replace("-", " "))}
        return name not in self._foreign and bool(words) and words <= _words_of_siblings(self._siblings)

    def unrelated(self, sentence: str, *, opening: bool) -> Unrelated:
        """Tell how much of a sentence is unrelated to name, title, arguments, siblings and the description's opening.

        An order must name what it wants, while an honest description explains what is named there already.
        """
        telling = _telling(sentence)
        strange = telling - self._own_words - (frozenset() if opening else self._words_of_opening)
        if not telling:
            return ""
        if not strange:
            return "none"
        if len(strange) == len(telling):
            return "all"
        return "some" if len(strange) * 2 < len(telling) else "most"

    @cached_property
    def _own_words(self) -> frozenset[str]:
        named = (self._spec.tool, self._spec.title, *_names_in(self._spec.input_schema))
        return _telling_of_siblings(self._siblings).union(*(_telling(name.replace("-", " ")) for name in named))

    @cached_property
    def _words_of_opening(self) -> frozenset[str]:
        description = self._spec.whole_description or self._spec.description
        return _telling(next(_sentences("description", description), ""))

    def _kind(self, name: str) -> str:
        if name in self._own or name in self._siblings:
            return ""
        if name in self._foreign:
            return "foreign_tool"
        snake = "_" in name and name.islower()
        return OTHER_TOOL if snake and name.split("_")[0] != self._family else ""


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
        for part in schema.values():
            yield from _names_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from [part] if isinstance(part, str) else _names_in(part)


class WeighedSentence(NamedTuple):
    """A sentence of a definition, prepared for weighing."""

    sentence: str
    asserted: str
    """The sentence without what it forbids or denies, e.g. `never put a password here`."""
    cues: frozenset[str]
    denied: frozenset[str]
    """The cues that occur only in what is denied."""
    place: Literal["opening", "text", "argument", "argument_name"]
    off_topic: bool
    """Whether it shares no word with the tool's name and title."""
    unrelated: Unrelated


def weighed_sentences(where: str, text: str, names: ToolNames) -> Iterator[tuple[WeighedSentence, bool]]:
    """Yield the sentences of one text, and whether each names another provider's tool."""
    argument = where.startswith("parameter ") or where == "arguments"
    for number, sentence in enumerate(_sentences(where, text)):
        kinds = names.kinds(sentence)
        asserted, here, denied = _cues(names.without_own_comparisons(sentence), names.topic)
        here |= ({OTHER_TOOL} if kinds else frozenset()) | (kinds & {OTHER_ACTION})
        place: Literal["opening", "text", "argument", "argument_name"]
        place = "text" if number else "opening"
        if argument:
            place = "argument_name" if where.startswith("parameter ") and number == 0 and is_long_name(sentence) else "argument"
        here -= {ORDERING} if place == "opening" else frozenset()
        off_topic = names.topic.isdisjoint(map(beginning, words_of(sentence)))
        unrelated = names.unrelated(sentence, opening=place == "opening")
        yield WeighedSentence(sentence, asserted, here, denied, place, off_topic, unrelated), "foreign_tool" in kinds


@lru_cache(maxsize=20_000)
def _cues(sentence: str, topic: frozenset[str]) -> tuple[str, frozenset[str], frozenset[str]]:
    """Return what a sentence asserts, its cues, and those that it only denies. Cached, because tools of a server share
    sentences."""
    here = cues().in_sentence(sentence, topic)
    asserted = cues().denial.asserted(sentence)
    deniable = here & cues().denial.cues
    denied = deniable - cues().in_sentence(asserted, topic) if deniable and asserted != sentence else frozenset()
    return asserted, cues().telling(here, denied), denied


_SHORTEST = 3
_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？])|\n")
_WRAPPED = re.compile(r"(?<=[\w,'\"`)(-])[ \t]*\n[ \t]*(?=[a-z][\w'-]*+(?:[ ,.;)]|$))(?![a-z]\w*+ *[:(=])")
"""A line break inside a sentence: the next line begins in lower case, and not with the name of an argument."""
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_] {1,4}){8,}[^\W\d_](?![^\W_])")
"""Words with a space after each letter, and more spaces after each word."""
_LISTED = re.compile(r"(?<![\w.-])(?:[\w.-]{1,60}, ?){8,}(?=[\w.-])")
"""A list of values, whose words would add up to a large weight."""
_WIDE_GAP = re.compile(r"(?<=\S)[ \t]{60,}(?=\S)|\n{12,}")
"""A gap that moves the rest of a text out of sight; it counts like a hidden comment."""


def both_ends(text: str) -> str:
    """Return a text; of one longer than `MOST_CHARACTERS`, its beginning and end."""
    half = MOST_CHARACTERS // 2
    return text if len(text) <= MOST_CHARACTERS else f"{text[:half]}\n\n{text[-half:]}"


def _sentences(where: str, text: str) -> Iterator[str]:
    text = both_ends(text)
    text = _SPACED.sub(lambda spaced: re.sub(r"(?<! ) (?! )", "", spaced[0]), text)
    text = _WIDE_GAP.sub("\n<!-- -->", _LISTED.sub("… ", text))
    text = _WRAPPED.sub(" ", text)
    for sentence in _END.split(visible(unicodedata.normalize("NFKC", text))):
        plain = " ".join(sentence.split())
        plain = spelt(plain) if where == "name" else plain
        for at in range(0, len(plain), _LONGEST_SENTENCE):
            if len(plain) - at >= _SHORTEST:
                yield plain[at : at + _LONGEST_SENTENCE]


@lru_cache(maxsize=20_000)
def weight_of(one: WeighedSentence) -> float:
    """Return the sum of the weights of a sentence's features; exact, since a set gives them in another order in each process."""
    known = weights()
    return fsum((known.bias, *(known.weights.get(feature, 0.0) for feature in features(one))))


def features(one: WeighedSentence) -> set[str]:
    """Return the features of a sentence.

    `c:` a cue, `d:` a denied cue, `p:` a pair of cues, `n:` the number of cues, `l:` the sentence's place, `o:` off topic there,
    `u:` how unrelated it is there, `f:` its first word, `w:` a word, `x:` a word that is only denied, `b:` two consecutive words,
    `j:` two or three consecutive characters of Japanese or Chinese.
    """
    here = sorted(one.cues - one.denied)
    several = range(2, min(len(set(here) - FOR_THE_TOOL), 8) + 1)
    return {
        f"l:{one.place}",
        *(f"o:{one.place}" for _ in range(one.off_topic)),
        *(f"u:{one.unrelated}-{one.place}" for _ in range(bool(one.unrelated))),
        *(f"f:{stem(word)}" for word in words_of(one.sentence)[:1] if one.place == "text"),
        *(f"c:{cue}" for cue in here),
        *(f"d:{cue}" for cue in one.denied),
        *(f"p:{first}+{second}" for first, second in combinations(here, 2)),
        *(f"n:{number}" for number in several),
        *_word_features(one.sentence, one.asserted),
    }


def _word_features(sentence: str, asserted: str) -> Iterator[str]:
    words = [stem(word) for word in words_of(sentence) if not word.isdigit()]
    asserted_words = set(words) if asserted == sentence else {stem(word) for word in words_of(asserted)}
    yield from (f"w:{word}" if word in asserted_words else f"x:{word}" for word in words if len(word) < 20)
    yield from (f"b:{first} {second}" for first, second in pairwise(words))
    if CHARACTERS.search(sentence):
        for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+", sentence):
            yield from (f"j:{run[at : at + size]}" for size in (2, 3) for at in range(len(run) - size + 1))


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""The end of a word in a name: `promptText`. The weights are fitted to names that are split so, and not as elsewhere."""
_SHORTEST_TELLING = 4


@lru_cache(maxsize=2_000)
def _telling(text: str) -> frozenset[str]:
    """Return the stems of a text's content words, for languages with spaces and Latin letters."""
    words = (
        word for word in words_of(_HUMP.sub(" ", text)) if len(word) >= _SHORTEST_TELLING and word.isascii() and word.isalpha()
    )
    return frozenset(map(stem, words)) - common_words()


@lru_cache(maxsize=64)
def _telling_of_siblings(names: frozenset[str]) -> frozenset[str]:
    """Return the content words of a server's tool names. Cached, because it would be most of the work for a thousand tools."""
    return frozenset().union(*(_telling(name.replace("-", " ")) for name in names))


@lru_cache(maxsize=64)
def _words_of_siblings(names: frozenset[str]) -> frozenset[str]:
    return frozenset(stem(word) for name in names for word in words_of(name.replace("-", " ")))


@cache
def common_words() -> frozenset[str]:
    """Return the stems of words that a fifth of honest providers use, whatever their tools do; these are no content words."""
    return frozenset(json.loads(read_data("common_words.json")))


_ENDING = re.compile(r"(?:ing|ed|es|s|ly)$")


@lru_cache(maxsize=5_000)
def stem(word: str) -> str:
    """Return the first nine letters of an English word without its ending."""
    return _ENDING.sub("", word)[:9] if len(word) > 4 else word


def heaviest_cues(here: frozenset[str]) -> list[str]:
    """Return the cues with the largest weights in a sentence; a cue's weight includes half of that of its pairs."""
    known = weights().weights

    def share(cue: str) -> float:
        pairs = fsum(known.get("p:" + "+".join(sorted((cue, other))), 0.0) for other in here if other != cue)
        return known.get(f"c:{cue}", 0.0) + pairs / 2

    return sorted((cue for cue in here if share(cue) > 0), key=lambda cue: (-share(cue), cue))[:_MOST_REASONS]


@cache
def weights() -> DescriptorWeights:
    """Read the weights of the data file. Raises pydantic's ValidationError if it is damaged."""
    return DescriptorWeights.model_validate_json(read_data("descriptor_weights.json"))
