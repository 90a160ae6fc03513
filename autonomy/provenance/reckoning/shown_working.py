"""Checks calculations that a text shows: an equation, or two times and the span between them."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import pairwise

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.columns import is_told_as
from autonomy.provenance.text.durations import minutes_of, spans_of
from autonomy.provenance.text.facts import Fact, FactKind, exact_facts_in
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")

MOST_BETWEEN = 16
"""Characters between two figures of one reckoning: `円 ＋ 高校生 `."""
MOST_TERMS = 24
NEARLY = Decimal("0.0005")
"""Share by which a result behind ≒ may miss: 72,160 for 72,158.4."""
_OPERATORS = {
    "of": "/",
    **dict.fromkeys("×✕*x", "*"),
    **dict.fromkeys("÷/", "/"),
    **dict.fromkeys("+＋", "+"),
    **dict.fromkeys("-−－", "-"),
}
_NEARLY_EQUALS = re.compile(r"[≒≈]")
EQUALS = re.compile(r"[=＝≒≈]")
_IS = re.compile(r"[=＝≒≈|]")
"""The border of a table's cell, too: 27.5円 × 210kWh | 5,775円."""
_SIGN = re.compile(r"[×✕*÷/+＋=＝≒≈|]|(?<!\d)\s?[−－]\s?|(?<=\s)(?:[-x]|of)(?=\s)")


def worked_out(text: str, facts: Sequence[Fact]) -> Iterator[tuple[Fact, tuple[Fact, ...]]]:
    """The results of the equations that stand in a text and are right, each with the figures it is reckoned from.

    A result may stand in front of what it is reckoned from, too: 466 (120 + 346).
    """
    figures = sorted((fact for fact in facts if fact.kind is FactKind.NUMBER), key=lambda fact: fact.start)
    terms: list[Fact] = []
    signs: list[str] = []
    for one, other in pairwise(figures):
        sign = _sign_between(text[one.end : other.start])
        if not sign or len(terms) > MOST_TERMS:
            terms, signs = [], []
            continue
        terms = terms or [one]
        if sign.strip("()") == "=":
            if signs and _results_in(terms, signs, other, nearly=bool(_NEARLY_EQUALS.search(text[one.end : other.start]))):
                yield other, tuple(terms)
            terms, signs = [], []
        else:
            terms.append(other)
            signs.append(sign)

    for at, result in enumerate(figures):
        if match := _IN_BRACKETS.match(text, result.end):
            inside = [fact for fact in figures[at + 1 :] if fact.end <= match.end()]
            between = [_sign_between(text[one.end : other.start]) for one, other in pairwise(inside)]
            whole = 1 < len(inside) <= MOST_TERMS and all(sign.strip("()") in _TERM_SIGNS for sign in between)
            if whole and _results_in(inside, between, result, nearly=False):
                yield result, tuple(inside)


_IN_BRACKETS = re.compile(r"(?:/[A-Za-z\d³²]{1,6})?[*_]{0,2}\s?[(（](?:[^()（）\n]|[(（][^()（）\n]{3,160}[)）]){3,200}[)）]")
"""Also behind what a unit is by (mg/l), and with a part in brackets of its own."""
_TERM_SIGNS = frozenset("+-*/")


def _results_in(terms: Sequence[Fact], signs: Sequence[str], result: Fact, *, nearly: bool) -> bool:
    """Whether an expression has this result: in full, to the places that it shows, or, as a share, in per cent."""
    exact, result_value = _reckoned(terms, signs), Decimal(result.keys[0])
    if exact is None:
        return False
    if result.unit == "%" and all(term.unit != "%" for term in terms):
        exact *= 100
    shown = len(result_value.as_tuple().digits) >= FEWEST_SHOWN and is_told_as(exact, result_value)
    return exact == result_value or shown or (nearly and _is_nearly(exact, result_value))


FEWEST_SHOWN = 2
"""Figures that a rounded result shows at least."""


def _is_nearly(exact: Decimal, stated: Decimal) -> bool:
    """Whether a result behind ≒ is the exact one to the four figures or more that it shows, or to its own places."""
    return is_told_as(exact, stated) or abs(exact - stated) <= abs(exact) * NEARLY


def _sign_between(between: str) -> str:
    """The sign between two figures, behind the brackets that close there and in front of those that open; empty without one."""
    between = _ASIDE.sub(" ", between.replace("**", ""))  # a result in bold; what is said by the way
    found = _SIGN.findall(between) if len(between) <= MOST_BETWEEN and "\n" not in between else []
    if len(found) != 1:
        return ""
    before, _, behind = between.partition(found[0])
    sign = "=" if _IS.fullmatch(found[0].strip()) else _OPERATORS.get(found[0].strip(), "")
    return ")" * len(_CLOSES.findall(before)) + sign + "(" * len(_OPENS.findall(behind)) if sign else ""


_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_OPENS, _CLOSES = re.compile(r"[(（]"), re.compile(r"[)）]")


def _reckoned(terms: Sequence[Fact], signs: Sequence[str]) -> Decimal | None:
    """The value of an expression, brackets and products before sums; a bracket whose other half is not told begins or ends it."""
    parts: list[str | Decimal] = [Decimal(terms[0].keys[0])]
    for term, sign in zip(terms[1:], signs, strict=True):
        parts += [*sign, Decimal(term.keys[0])]
    depth = lowest = 0
    for part in parts:
        depth += (part == "(") - (part == ")")
        lowest = min(lowest, depth)
    parts = ["("] * -lowest + parts + [")"] * (depth - lowest)
    try:
        return _sum_of(parts[::-1])
    except (InvalidOperation, DivisionByZero, IndexError):
        return None


def _sum_of(rest: list[str | Decimal]) -> Decimal:
    """The value of the parts up to the end or a bracket that closes; they stand in reverse, and are used up."""
    total = _product_of(rest)
    while rest and rest[-1] in ("+", "-"):
        total += _product_of(rest) if rest.pop() == "+" else -_product_of(rest)
    return total


def _product_of(rest: list[str | Decimal]) -> Decimal:
    total = _one_of(rest)
    while rest and rest[-1] in ("*", "/"):
        total = total * _one_of(rest) if rest.pop() == "*" else total / _one_of(rest)
    return total


def _one_of(rest: list[str | Decimal]) -> Decimal:
    part = rest.pop()
    if isinstance(part, Decimal):
        return part
    total = _sum_of(rest)
    rest.pop()
    return total


def is_reckoned_time(fact: Fact, sentence: str, beside: Sequence[Fact], near: Sequence[EvidenceUnit], sources: Sources) -> bool:
    """Whether a time of day is so long before or after one that was given, as a span beside it says: 14:25 for 5 minutes after
    14:20. What leaves does so before."""
    if len(fact.keys[0]) > len("14:25"):
        return False  # to the second it is read, not reckoned
    spans = spans_of([*beside, *(other for unit in near[:3] for other in exact_facts_in(normalize(unit.text[:500])))])
    request_facts = [other for text in sources.trusted_text() for other in exact_facts_in(text[:2_000])]
    spans |= {one + other for one in spans for other in spans_of(request_facts)}  # the drive and the stop
    known_minutes = minutes_of([*beside, *request_facts]) | {60 * int(key[:2]) + int(key[3:5]) for key in sources.times_asked()}
    leaves = bool(_PHRASES["tells_of_leaving"].search(sentence))
    at = minutes_of([fact])
    return any(
        (one - other) % 1440 == span or (not leaves and (other - one) % 1440 == span)
        for one in known_minutes
        for other in at
        for span in spans
    )
