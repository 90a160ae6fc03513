"""Finds statements that reverse their evidence by a word or an order."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from autonomy.provenance.records.directions import in_figures
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import last_key
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")

NEAR = 0.3
"""Share of a sentence's terms from which on the unit that holds most of them is what the sentence is about."""


def reversals(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The evidence where it says the opposite of the sentence."""
    units = {unit.text: unit for unit in near_units(sentence, sources)}.values()  # of lines that are alike, one
    text = normalize(sentence.text).lower()
    for unit in units:
        shown = normalize(unit.text).lower()
        if (
            _opposed(text, shown)
            or _other_way(text, shown)
            or _other_period(sentence, text, shown)
            or _as_another_amount(text, shown)
        ):
            yield unit.text
            return
    yield from _without_its_sign(sentence, [normalize(unit.text) for unit in units])
    yield from _other_weather(text, sources)
    yield from _other_advice(text, sources)
    yield from _other_column(sentence)


def near_units(sentence: SentenceSupport, sources: Sources) -> Sequence[EvidenceUnit]:
    """The units that a sentence rests on, or the nearest units if those are not enough to count."""
    if sentence.units:
        return sentence.units
    sentence_terms = terms(sentence.text)
    index = sources.index
    best = max(index.shortlist(sentence_terms, 8), key=lambda at: index.containment(sentence_terms, [at]), default=None)
    return () if best is None or index.containment(sentence_terms, [best]) < NEAR else (index.units[best],)


def _opposed(text: str, shown: str) -> bool:
    """Whether a clause says one of two opposite words of a figure, and the clause there with that figure only the other."""
    for clause in _clauses(text):
        pairs = [
            (pair, here)
            for pair in load_words("opposites")["opposites"].values()
            if (here := (_has(clause, pair["one"]), _has(clause, pair["other"]))).count(True) == 1
        ]
        figures = _figures(clause) if pairs else frozenset[str]()
        there = " ".join(part for part in _clauses(shown) if figures & _figures(part)) if figures else ""
        if any((_has(there, pair["one"]), _has(there, pair["other"])) == here[::-1] for pair, here in pairs):
            return True
    return False


def _clauses(text: str) -> list[str]:
    return [part for part in re.split(r"[、。;:\n]|, |\. ", text) if part]


def _has(text: str, words: Sequence[str]) -> bool:
    # most words stand nowhere in a text, which is seen a hundred times as fast as that they stand there by themselves
    there = [word for word in words if word in text]
    return bool(there) and any(not word.isascii() or re.search(rf"\b{word}\b", text) for word in there)


def _figures(text: str) -> frozenset[str]:
    return frozenset(fact.keys[0] for fact in facts_in(text[:2_000]) if fact.kind is FactKind.NUMBER)


_CHANGE = _PHRASES["change"]


def _other_way(text: str, shown: str) -> bool:
    """Whether a change from one figure to another is told as the change back."""
    return bool({(b, a) for a, b in _changes(text)} & set(_changes(shown)) - set(_changes(text)))


_DIGIT = re.compile(r"\d")


def _changes(text: str) -> list[tuple[str, str]]:
    if not _DIGIT.search(text):
        return []
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return [(match["a"].rstrip("."), match["b"].rstrip(".")) for match in _CHANGE.finditer(plain)]


def _other_period(sentence: SentenceSupport, text: str, shown: str) -> bool:
    """Whether a figure by the month is told as one by the year."""
    here = _periods(text)
    there = _periods(shown) if here else set[str]()
    if not there or here & there:
        return False
    figures = {found.fact.keys[0] for found in sentence.facts if found.fact.kind is FactKind.NUMBER and found.fact.unit}
    figures |= _figures(in_figures(text)) - _figures(text)  # eight an hour
    same = figures & _figures(shown)
    return bool(same) and not any(
        number_key(12 * Decimal(figure)) in figures for figure in same
    )  # the year's sum is told as such


def _periods(text: str) -> set[str]:
    return {period for period, words in load_words("opposites")["periods"].items() if _has(text, words)}


def _as_another_amount(text: str, shown: str) -> bool:
    """Whether a figure that something changed by is told as what it changed to or came to, or the other way round."""
    read = _amounts(shown)
    for amount in _amounts(text) - read if any(one.role for one in read) else ():
        roles = {one.role for one in read if (one.figure, one.unit) == (amount.figure, amount.unit)}
        differs = any(one.role == "by" and one.unit == amount.unit for one in read)
        if (amount.role == "by" and roles and (differs or "to" in roles)) or (amount.role == "to" and "by" in roles):
            return True
    return False


class _Amount(NamedTuple):
    figure: str
    unit: str
    role: str
    """What something is changed `to` or `by`, or neither."""


def _amounts(text: str) -> set[_Amount]:
    found = set()
    for fact in facts_in(text[:LONGEST_READ]):
        if fact.kind is FactKind.NUMBER:
            before, behind = text[: fact.start], text[fact.end :]
            role = next((role for role, (ahead, after) in _CHANGED.items() if ahead.search(before) or after.match(behind)), "")
            found.add(_Amount(fact.keys[0], fact.unit, role))
    return found


_CHANGED = {
    "to": (_PHRASES["changed_to_before"], _PHRASES["changed_to_behind"]),
    "by": (_PHRASES["changed_by_before"], _PHRASES["changed_by_behind"]),
}
LONGEST_READ = 500
"""Characters of a line that are read."""


def _without_its_sign(sentence: SentenceSupport, units: Sequence[str]) -> Iterator[str]:
    """What was read of a figure, where that is below zero and the sentence tells it as above.

    `units`: the lines that the sentence rests on. A figure that has no source of its own is looked for there.
    """
    if _PHRASES["below_zero"].search(sentence.text):
        return
    for found in sentence.facts:
        figure = found.fact.keys[0]
        texts = [normalize(source.text) for source in found.sources] if found.fact.kind is FactKind.NUMBER else []
        if not found.sources and found.fact.kind is FactKind.NUMBER:
            texts = [line for line in units if f"-{figure}" in line and _has_figure(line, f"-{figure}", found.fact.unit)]
        if not texts or not all(f"-{figure}" in text for text in texts):  # of most, so that few patterns are compiled
            continue
        key = re.escape(figure)
        below, above = re.compile(rf"(?<![\d.])-{key}(?![\d.])"), re.compile(rf"(?<![-\d.]){key}(?!\d)")
        if all(below.search(text) and not above.search(text) for text in texts):
            yield texts[0]
            return


def _has_figure(line: str, figure: str, unit: str) -> bool:
    return any(figure in fact.keys[:1] and fact.unit == unit for fact in facts_in(line[:LONGEST_READ]))


def _other_weather(text: str, sources: Sources) -> Iterator[str]:
    """Weather that no row of the forecasts which were read tells, in either language."""
    kinds = load_words("opposites")["weather"]
    stated_kinds = [kind for kind in ("sunny", "snow", "thunder") if _has(text, kinds[kind])]
    rows = [row for unit in sources.units if (row := _PHRASES["forecast_of_a_row"].search(unit.text))] if stated_kinds else []
    shown = " ".join(row["weather"].lower() for row in rows)
    if not any(_has(shown, words) for words in kinds.values()) or _PHRASES["weather_denied"].search(text):
        return  # codes, or another language
    in_a_row = load_words("opposites")["weather_of_a_row"]  # where `clear` is the sky, as it need not be in an answer
    if any(not _has(shown, [*kinds[kind], *in_a_row.get(kind, ())]) for kind in stated_kinds):
        yield rows[0].group().strip(" ,")


def _other_advice(text: str, sources: Sources) -> Iterator[str]:
    """An umbrella told as needed where every row says that it is not, or the other way round."""
    words = load_words("opposites")["umbrella"]
    not_needed = _has(text, words["tells_not"])
    if not not_needed and not _has(text, words["tells_needed"]):
        return
    values = [row["value"].strip().lower() for unit in sources.units for row in _PHRASES["umbrella_of_a_row"].finditer(unit.text)]
    if values and all(value in words["needed" if not_needed else "not"] for value in values):
        yield f"umbrella: {values[0]}"


def _other_column(sentence: SentenceSupport) -> Iterator[str]:
    """Figures told as one thing (a departure) that stand only as its counterpart (an arrival) in what was read."""
    columns = load_words("opposites")["columns"]
    for found in sentence.facts:
        fields = [source for source in found.sources if source.origin is Origin.FIELD] or found.sources  # not the text beside
        keys = {last_key(source.path).lower() for source in fields}
        kind = next((name for name, one in columns.items() if keys and keys <= set(one["keys"])), "")
        parts = _PHRASES["parts_a_sentence"].split(sentence.text) if kind else []  # a time of day is no two clauses
        clause = next((part for part in parts if found.fact.text in part), "")
        is_opposite = _has(normalize(clause).lower(), columns[columns[kind]["not"]]["words"]) if clause else False
        if is_opposite and not _has(normalize(clause).lower(), columns[kind]["words"]):
            yield found.sources[0].text


def unheard_outcomes(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """Outcomes (an approval, a refund, a contract) that are told as facts, and stand in what was read as a condition or nowhere.

    Each with the evidence that only supposes it.
    """
    text = _PHRASES["hands_over"].sub(" ", normalize(sentence.text).lower())
    if sentence.neutral or _SUPPOSED.search(text):
        return
    words = load_words("opposites")
    for name, group in words["outcomes"].items():
        word = next((word for word in group if word in text and _has(text, [word])), None)
        if (
            word is None
            or _is_label(text, word)
            or (name == "refusal" and (sources.failures or _PHRASES["no_connection"].search(text)))
            or _DENIED.search(text[text.find(word) :][:20])
            or _is_needed(text, word)
            or (word.isascii() and _NOT_BEFORE.search(text[: text.find(word)]))
            or any(_trusted(sources, one) for one in group)
            or _is_left_out(text, word)
        ):
            continue
        forms = [*group, *words["heard_as"].get(name, ())]
        outcome_texts = [unit.text for unit in sources.index.with_any(forms) if _begins(normalize(unit.text).lower(), forms)]
        outcome_texts += [one for one in sources.answered if _begins(normalize(one).lower(), forms)]
        if not outcome_texts and any(map(sources.states, forms)):
            continue  # the field beside a message says so
        if not outcome_texts and sources.units:
            yield word, ""
        elif outcome_texts and all(_is_unreal(normalize(one).lower(), forms) for one in outcome_texts):
            yield word, outcome_texts[0]


def _is_needed(text: str, word: str) -> bool:
    """Whether a text tells of an outcome as one that is needed or asked for: it needs a person's approval."""
    at = text.find(word)
    return bool(
        _PHRASES["needed_behind"].search(text[at + len(word) :][:20])
        or _PHRASES["needed_in_front"].search(text[:at][-LONGEST_NEED:])
    )


LONGEST_NEED = 60
"""Characters in front of an outcome in which the need for it stands."""


def _is_left_out(text: str, word: str) -> bool:
    """Whether what a word tells of is left out of what is told: 返金された注文を除いて, refunded orders excluded."""
    at = text.find(word)
    return bool(_PHRASES["left_out_in_front"].search(text[:at]) or _PHRASES["left_out_behind"].match(text[at + len(word) :]))


def _begins(text: str, words: Sequence[str]) -> bool:
    """Whether one of these words stands in a text, or a longer form of it: `cancel` in cancellation."""
    return any(word in text if len(word) >= LONG_ENOUGH or not word.isascii() else _has(text, [word]) for word in words)


LONG_ENOUGH = 6
"""Letters from which on a word is no part of another one by chance."""


def _is_label(text: str, word: str) -> bool:
    """Whether a word heads what follows: キャンセル：13日まで無料."""
    return bool(re.match(rf"\W{{0,4}}{re.escape(word)}[*_]{{0,2}}\s?:", text))


def _trusted(sources: Sources, word: str) -> bool:
    return any(word.lower() in term for term in sources.trusted_text())


def _is_unreal(text: str, group: Sequence[str]) -> bool:
    """Whether a text only supposes these words, or denies them."""
    return all(_SUPPOSED.search(part) or _denies(part, group) for part in re.split(r"[。\n.]", text) if _begins(part, group))


def _denies(text: str, group: Sequence[str]) -> bool:
    places = [(match.start(), match.end()) for word in group for match in re.finditer(re.escape(word), text)]
    return bool(places) and all(_NOT_BEFORE.search(text[:start]) or _DENIED.search(text[end : end + 12]) for start, end in places)


_NOT_BEFORE = _PHRASES["denied_in_front"]
_SUPPOSED = _PHRASES["supposed"]
_DENIED = _PHRASES["denied_outcome"]
