"""Detects tool descriptors that address the reader instead of describing the tool.

No word decides. What a sentence speaks of (`cues`), two such things together, and the words themselves each have a weight, found
by logistic regression on honest and poisoned definitions (`discovery/data/descriptor_weights.json`, written by
tests/bench/descriptor_training.py); a sentence whose weights add up to more than the threshold is a finding.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple

from discovery.catalog import Frozen, ToolSpec
from discovery.review.cues import CHARACTERS, ORDERING, OTHER_ACTION, OTHER_TOOL, beginning, cues, words_of
from discovery.review.encoded_text import decoded_texts
from discovery.text.search_terms import visible

MOST_CHARACTERS = 20_000
"""Of one text: a longer one is judged by its first and last half, so that a schema of 64 kB costs no second."""
_LONGEST_SENTENCE = 400
"""Text without full stops is cut here, so that no sentence gathers weights by its length alone."""
_MOST_REASONS = 3
FOR_THE_TOOL = frozenset({"describing", "guard", "withholding"})
"""Cues that speak for a definition: they do not count among those that gather in a sentence."""


class DescriptorWeights(Frozen):
    """The data file: what each feature of a sentence adds. See `features` for their names."""

    bias: float
    plain: float
    """A text whose sentences all weigh less is shown of a doubted tool."""
    doubted: float
    """A sentence above it makes its tool doubted: of a hand left out of the fit, nine of ten poisoned tools."""
    sure: float
    """And above this one held: of such a hand, three of a hundred honest tools, see docs/descriptors.md."""
    weights: dict[str, float]


class Flag(Frozen):
    """Something in a definition that has no business in one."""

    kind: Literal["hidden_characters", "order", "foreign_tool", "look_alike"]
    where: str
    detail: str
    rule: str = ""
    """The cues that weighed most, joined by commas."""
    sure: bool = True
    """Whether it is certain enough to hold the tool; if not, the tool is doubted."""

    @property
    def sentence(self) -> str:
        """This in the stable English of logs and records."""
        return self.in_words("en")

    def in_words(self, language: Literal["en", "ja"]) -> str:
        """This in words for a person."""
        reasons = [cues().said[cue][language] for cue in self.rule.split(",") if cue in cues().said]
        text = (_TOLD if self.sure else _DOUBTED)[self.kind][language].format(detail=self.detail)
        if language == "ja":
            kind, _, name = self.where.partition(" ")
            return f"{_WHERE.get(kind, kind)}{f' {name} ' if name else ''}{text}" + (
                f"（{'、'.join(reasons)}）" if reasons else ""
            )
        return f"{self.where} {text}" + (f" ({'; '.join(reasons)})" if reasons else "")


_TOLD: dict[str, dict[Literal["en", "ja"], str]] = {
    "hidden_characters": {
        "en": "holds characters that nobody sees ({detail})",
        "ja": "に、目に見えない文字があります（{detail}）",
    },
    "order": {
        "en": "speaks to the model rather than of the tool: {detail}",
        "ja": "が、ツールのことではなくモデルへの指示を述べています: {detail}",
    },
    "foreign_tool": {
        "en": "speaks of another provider's tool: {detail}",
        "ja": "が、別の提供元のツールに触れています: {detail}",
    },
    "look_alike": {
        "en": "is written almost like another provider's tool: {detail}",
        "ja": "が、別の提供元のツールとほとんど同じ書き方です: {detail}",
    },
}
_DOUBTED: dict[str, dict[Literal["en", "ja"], str]] = _TOLD | {
    "order": {
        "en": "may speak to the model rather than of the tool: {detail}",
        "ja": "が、ツールのことではなくモデルへの指示を述べているおそれがあります: {detail}",
    },
    "foreign_tool": {
        "en": "may give orders about another provider's tool: {detail}",
        "ja": "が、別の提供元のツールについて指示しているおそれがあります: {detail}",
    },
}
_WHERE = {"name": "名前", "title": "題名", "description": "説明", "parameter": "引数", "arguments": "引数", "output": "出力"}


def flags(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> tuple[Flag, ...]:
    """The findings that a person should look at before the tool is used; empty for an honest definition.

    `foreign_tools` are full and own names of other providers' tools, `siblings` the own names of this provider's: with them,
    every other name in the text counts as somebody else's.
    """
    names = _Names(spec, foreign_tools, siblings)
    found: list[Flag] = []
    for where, text in texts_of(spec):
        if hidden := hidden_characters(text):
            found.append(Flag(kind="hidden_characters", where=where, detail=hidden))
        if order := _encoded(where, text) or _order(where, text, names):
            found.append(order)
    if twin := _look_alike(spec, foreign_tools):
        found.append(Flag(kind="look_alike", where="name", detail=twin))
    return tuple(found)


def texts_of(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    """Every text of a definition that a model reads, and where it stands."""
    yield "name", spec.tool
    yield "title", spec.title
    yield "description", spec.whole_description or spec.description
    if (title := str(spec.annotations.get("title") or "")) != spec.title:
        yield "title", title
    yield from ((f"parameter {name}", text) for name, text in _parameter_texts(spec))
    rest = {key: value for key, value in spec.input_schema.items() if key != "properties"}
    yield "arguments", ". ".join(_strings(rest))
    if spec.output_schema:
        yield "output", ". ".join(_strings(spec.output_schema))


def _parameter_texts(spec: ToolSpec) -> Iterator[tuple[str, str]]:
    for name, schema in spec.parameters.items():
        between = "." if _is_long_name(_spelt(name)) else ":"
        yield name, f"{_spelt(name)}{between} {'. '.join(_strings(schema, name))}"


def hidden_characters(text: str) -> str:
    """The invisible characters that can carry a message or turn text around, by code point; empty for none."""
    hidden = {
        character for character in text if unicodedata.category(character) in {"Cf", "Co", "Cc"} and character not in "\n\t\r"
    }
    hidden |= set(_SELECTORS.findall(text))
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(hidden - _JOINERS - _MISREAD)[:5])


_SELECTORS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef](?=[\ufe00-\ufe0f\U000e0100-\U000e01ef])")
"""Variation selectors, of which only one stands behind a sign: in a row they carry bytes."""


_JOINERS = {"\u200d", "\u200c", "\ufe0f", "\u00ad", "\ufeff"}
"""Parts of emoji and of some scripts, a hyphen and a byte order mark: invisible, and in honest use."""
_MISREAD = {chr(code) for code in range(0x80, 0xA0)}
"""What is left of quotation marks that were read in the wrong encoding; they stand in real documentation."""


_NO_WORDS = {"type", "$ref", "format", "pattern", "required", "$schema", "additionalProperties", "$id"}
"""Keywords of a schema whose values are no wording."""


def _strings(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        listed = key in ("enum", "examples") and all(isinstance(part, str) for part in value)
        yield from [" ; ".join(value)] if listed else (text for part in value for text in _strings(part, key))
    elif isinstance(value, dict) and key == "properties":
        for name, part in value.items():
            yield f"{_spelt(name)}: {' ; '.join(_strings(part, name))}"
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _strings(part, name) if name not in _NO_WORDS else ()


def _spelt(name: str) -> str:
    return name.replace("_", " ")


_LONG_NAME = 4
"""Words of an argument's name that say more than what it is called: `contents_of_etc_passwd`."""


def _is_long_name(spelt: str) -> bool:
    return len(words_of(spelt)) >= _LONG_NAME


Unrelated = Literal["", "none", "some", "most", "all"]
"""How many of a sentence's telling words stand in nothing else that the provider says of his tools; empty where it has none."""


class _Names:
    """The tool names in a text: the provider's own, and those of others."""

    _NAME_LIKE = re.compile(r"(?<![A-Za-z0-9_./$-])[A-Za-z][A-Za-z0-9]*+(?:[_-][A-Za-z0-9]++)++(?![\w/])")

    def __init__(self, spec: ToolSpec, foreign: Collection[str], siblings: Collection[str]) -> None:
        self._own = {spec.tool, spec.name, *_names_in(spec.input_schema)}
        self._spec = spec
        self._siblings, self._foreign = siblings, foreign  # not copied: there may be thousands
        self._family = re.split(r"[_-]", spec.tool)[0].lower()
        self.topic = frozenset(beginning(word) for word in words_of(spec.tool.replace("-", " ")))

    def kinds(self, text: str) -> set[str]:
        """`foreign_tool`, `other_tool` and `other_action`, where a text names such tools."""
        kinds = {name: self._kind(name) for name in self._NAME_LIKE.findall(text)}
        actions = (
            name for name, kind in kinds.items() if kind and re.split(r"[_-]", name)[0].lower() in cues().other_action.verbs
        )
        return {*filter(None, kinds.values()), *(OTHER_ACTION for _ in actions)}

    def without_own_comparisons(self, sentence: str) -> str:
        """The sentence without `better than screenshot`, where the provider has a tool of that name itself: which of its own
        tools to take is what a description is for, and takes calls from nobody."""
        return cues().comparison.sub(lambda found: " " if self._is_siblings(found[1]) else found[0], sentence)

    def _is_siblings(self, name: str) -> bool:
        words = {_stem(word) for word in words_of(name.replace("-", " "))}
        return name not in self._foreign and bool(words) and words <= self._words_of_siblings

    @cached_property
    def _words_of_siblings(self) -> frozenset[str]:
        return frozenset(_stem(word) for sibling in self._siblings for word in words_of(sibling.replace("-", " ")))

    def unrelated(self, sentence: str, *, opening: bool) -> Unrelated:
        """How much of a sentence speaks of something else than name, title, arguments, siblings and the description's opening:
        poison has to name what it is after, and a description explains what stands there already."""
        telling = _telling(sentence)
        strange = telling - self._own_words - (frozenset() if opening else self._words_of_opening)
        if not telling:
            return ""
        return (
            "none"
            if not strange
            else "all"
            if len(strange) == len(telling)
            else "some"
            if len(strange) * 2 < len(telling)
            else "most"
        )

    @cached_property
    def _own_words(self) -> frozenset[str]:
        named = (self._spec.tool, self._spec.title, *_names_in(self._spec.input_schema), *self._siblings)
        return frozenset().union(*(_telling(name.replace("-", " ")) for name in named))

    @cached_property
    def _words_of_opening(self) -> frozenset[str]:
        said = self._spec.whole_description or self._spec.description
        return _telling(next(_sentences("description", said), ""))

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
    """A sentence of a definition, as it is weighed."""

    sentence: str
    asserted: str
    """The sentence without what it forbids or denies: `never put a password here` asks for none."""
    cues: frozenset[str]
    denied: frozenset[str]
    """Of the cues, those that stand only in what is denied."""
    place: Literal["opening", "text", "argument", "argument_name"]
    off_topic: bool
    """Whether it shares no word with the tool's name and title."""
    unrelated: Unrelated


def weighed(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> Iterator[WeighedSentence]:
    """Every sentence of a definition, as it is weighed: what weights are fitted to."""
    names = _Names(spec, foreign_tools, siblings)
    for where, text in texts_of(spec):
        yield from (one for one, _ in _weighed(where, text, names))


def _weighed(where: str, text: str, names: _Names) -> Iterator[tuple[WeighedSentence, bool]]:
    """The sentences of one text, and whether each names another provider's tool."""
    argument = where.startswith("parameter ") or where == "arguments"
    for number, sentence in enumerate(_sentences(where, text)):
        kinds = names.kinds(sentence)
        asserted, here, denied = _cues(names.without_own_comparisons(sentence), names.topic)
        here |= ({OTHER_TOOL} if kinds else frozenset()) | (kinds & {OTHER_ACTION})
        place: Literal["opening", "text", "argument", "argument_name"]
        place = "text" if number else "opening"
        if argument:
            place = "argument_name" if where.startswith("parameter ") and number == 0 and _is_long_name(sentence) else "argument"
        here -= {ORDERING} if place == "opening" else frozenset()
        off_topic = names.topic.isdisjoint(map(beginning, words_of(sentence)))
        unrelated = names.unrelated(sentence, opening=place == "opening")
        yield WeighedSentence(sentence, asserted, here, denied, place, off_topic, unrelated), "foreign_tool" in kinds


def _encoded(where: str, text: str) -> Flag | None:
    """Words that only a machine reads at a glance: they have no business in a description, whatever they say."""
    decoded = next(decoded_texts(_ends(text)), "")
    return Flag(kind="order", where=where, detail=repr(_shortened(decoded)), rule="encoded") if decoded else None


def _order(where: str, text: str, names: _Names) -> Flag | None:
    """The sentence of a text that weighs most, where it weighs enough."""
    found: Flag | None = None
    heaviest = weights().sure if where == "name" else weights().doubted  # a doubted tool keeps its name
    for one, foreign in _weighed(where, text, names):
        if (weight := _weight(one)) > heaviest:
            heaviest = weight
            detail, rule = repr(_shortened(one.sentence)), ",".join(_reasons(one.cues))
            found = Flag(
                kind="foreign_tool" if foreign else "order", where=where, detail=detail, rule=rule, sure=weight > weights().sure
            )
    return found


class PlainTexts(NamedTuple):
    """What of a definition plainly describes the tool."""

    description: str
    """The paragraphs in which every sentence is plain, and of the first one at least its first sentence."""
    parameters: frozenset[str]
    """The arguments whose texts are plain."""


def plain_texts(spec: ToolSpec, foreign_tools: Collection[str] = (), siblings: Collection[str] = ()) -> PlainTexts:
    """The texts of a definition in which no sentence weighs anything. Whole paragraphs only: what a doubted tool asks for may be
    spread over sentences of which one alone is heavy."""
    names = _Names(spec, foreign_tools, siblings)
    parameters = (
        name
        for name, text in _parameter_texts(spec)
        if all(_is_plain(one) for one, _ in _weighed(f"parameter {name}", text, names))
    )
    return PlainTexts("\n\n".join(_plain_paragraphs(spec, names)), frozenset(parameters))


def _plain_paragraphs(spec: ToolSpec, names: _Names) -> Iterator[str]:
    first, *others = _PARAGRAPH.split(_ends(spec.whole_description or spec.description).strip())
    sentences = [one for one, _ in _weighed("description", first, names)]
    if sentences and _is_plain(sentences[0]):
        yield first if all(map(_is_plain, sentences)) else sentences[0].sentence
    for paragraph in others:  # not as the opening of a text, which may begin with an order
        if all(_is_plain(one) for one, _ in _weighed("description", f"...\n{paragraph}", names)):
            yield paragraph


_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


def _is_plain(one: WeighedSentence) -> bool:
    return _weight(one) < weights().plain


@lru_cache(maxsize=20_000)
def _cues(sentence: str, topic: frozenset[str]) -> tuple[str, frozenset[str], frozenset[str]]:
    """What a sentence asserts, its cues, and those of them that it only denies. Tools of one server share many sentences."""
    here = cues().in_sentence(sentence, topic)
    asserted = cues().denial.asserted(sentence)
    deniable = here & cues().denial.cues
    denied = deniable - cues().in_sentence(asserted, topic) if deniable and asserted != sentence else frozenset()
    return asserted, here, denied


_SHORTEST = 3
_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？])|\n")
_WRAPPED = re.compile(r"(?<=[\w,'\"`)(-])[ \t]*\n[ \t]*(?=[a-z][\w'-]*+(?:[ ,.;)]|$))(?![a-z]\w*+ *[:(=])")
"""A line end within a sentence: the next line goes on in lower case, and does not begin with the name of an argument."""
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_] {1,4}){8,}[^\W\d_](?![^\W_])")
"""Words with a blank behind each letter, and more behind each word."""
_LISTED = re.compile(r"(?<![\w.-])(?:[\w.-]{1,60}, ?){8,}(?=[\w.-])")
"""Single words in a row are values to choose from: by their number alone they would gather weights."""
_WIDE_GAP = re.compile(r"(?<=\S)[ \t]{60,}(?=\S)|\n{12,}")
"""What pushes the rest of a text out of sight; it is read like a hidden comment."""


def _ends(text: str) -> str:
    half = MOST_CHARACTERS // 2
    return text if len(text) <= MOST_CHARACTERS else f"{text[:half]}\n\n{text[-half:]}"


def _sentences(where: str, text: str) -> Iterator[str]:
    """The sentences of a text."""
    text = _ends(text)
    text = _SPACED.sub(lambda spaced: re.sub(r"(?<! ) (?! )", "", spaced[0]), text)
    text = _WIDE_GAP.sub("\n<!-- -->", _LISTED.sub("… ", text))
    text = _WRAPPED.sub(" ", text)
    for sentence in _END.split(visible(unicodedata.normalize("NFKC", text))):
        plain = " ".join(sentence.split())
        plain = _spelt(plain) if where == "name" else plain
        for at in range(0, len(plain), _LONGEST_SENTENCE):
            if len(plain) - at >= _SHORTEST:
                yield plain[at : at + _LONGEST_SENTENCE]


@lru_cache(maxsize=20_000)
def _weight(one: WeighedSentence) -> float:
    """The weighted sum of a sentence's features."""
    known = weights()
    return known.bias + sum(known.weights.get(feature, 0.0) for feature in features(one))


def features(one: WeighedSentence) -> set[str]:
    """`c:` a cue, `d:` one that is denied, `p:` two cues, `n:` how many there are, `l:` where they stand, `u:` how unrelated the
    sentence is there, `w:` a word, `x:` one that stands only in what is denied, `b:` two words in a row, `j:` two or three
    characters of a script without spaces.
    """
    here = sorted(one.cues - one.denied)
    several = range(2, min(len(set(here) - FOR_THE_TOOL), 8) + 1)
    return {
        f"l:{one.place}",
        *(f"o:{one.place}" for _ in range(one.off_topic)),
        *(f"u:{one.unrelated}-{one.place}" for _ in range(bool(one.unrelated))),
        *(f"f:{_stem(word)}" for word in words_of(one.sentence)[:1] if one.place == "text"),
        *(f"c:{cue}" for cue in here),
        *(f"d:{cue}" for cue in one.denied),
        *(f"p:{first}+{second}" for first, second in combinations(here, 2)),
        *(f"n:{number}" for number in several),
        *_word_features(one.sentence, one.asserted),
    }


def _word_features(sentence: str, asserted: str) -> Iterator[str]:
    words = [_stem(word) for word in words_of(sentence) if not word.isdigit()]
    meant = set(words) if asserted == sentence else {_stem(word) for word in words_of(asserted)}
    yield from (f"w:{word}" if word in meant else f"x:{word}" for word in words if len(word) < 20)
    yield from (f"b:{first} {second}" for first, second in pairwise(words))
    if CHARACTERS.search(sentence):
        for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+", sentence):
            yield from (f"j:{run[at : at + size]}" for size in (2, 3) for at in range(len(run) - size + 1))


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a word of a name ends: `promptText`."""
_SHORTEST_TELLING = 4


def _telling(text: str) -> frozenset[str]:
    """The words of a text that say what it is about; of languages that are written with blanks and Latin letters."""
    words = (
        word for word in words_of(_HUMP.sub(" ", text)) if len(word) >= _SHORTEST_TELLING and word.isascii() and word.isalpha()
    )
    return frozenset(map(_stem, words)) - common_words()


@cache
def common_words() -> frozenset[str]:
    """The beginnings of words that a fifth of honest providers use, whatever their tools do: they tell nothing."""
    return frozenset(json.loads(files("discovery").joinpath("data/common_words.json").read_text(encoding="utf-8")))


_ENDING = re.compile(r"(?:ing|ed|es|s|ly)$")


def _stem(word: str) -> str:
    return _ENDING.sub("", word)[:9] if len(word) > 4 else word


def _reasons(here: frozenset[str]) -> list[str]:
    """The cues that weigh most in a sentence, each with half of what it weighs together with others."""
    known = weights().weights

    def share(cue: str) -> float:
        pairs = sum(known.get("p:" + "+".join(sorted((cue, other))), 0.0) for other in here if other != cue)
        return known.get(f"c:{cue}", 0.0) + pairs / 2

    return sorted((cue for cue in here if share(cue) > 0), key=lambda cue: (-share(cue), cue))[:_MOST_REASONS]


def _look_alike(spec: ToolSpec, foreign_tools: Collection[str]) -> str:
    """The other provider's tool whose name looks the same and is not; empty for none."""
    alike = _by_skeleton(frozenset(foreign_tools)).get(_skeleton(spec.tool), ())
    return next((name for name in alike if name not in (spec.tool, spec.name)), "")


@lru_cache(maxsize=4)
def _by_skeleton(names: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """The names by their skeleton, in order, computed once for all tools of a listing."""
    alike: dict[str, list[str]] = {}
    for name in sorted(names):
        alike.setdefault(_skeleton(name), []).append(name)
    return alike


_CONFUSED: Mapping[int, str] = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "3": "e", "і": "i", "о": "o", "а": "a", "е": "e", "с": "c", "р": "p", "ѕ": "s", "-": "_"}
)


def _skeleton(name: str) -> str:
    """The skeleton of a name: confusable characters are one, and so are doubled ones."""
    plain = unicodedata.normalize("NFKC", name).lower().translate(_CONFUSED).replace("rn", "m").replace("vv", "w")
    return re.sub(r"(.)\1+", r"\1", plain)


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


@cache
def weights() -> DescriptorWeights:
    """The weights of the data file. Raises pydantic's ValidationError when it is damaged."""
    return DescriptorWeights.model_validate_json(
        files("discovery").joinpath("data/descriptor_weights.json").read_text(encoding="utf-8")
    )
