"""Report wording in Japanese and English, and number formats."""

from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from typing import Literal

from metrics.intervals import Estimate
from metrics.reporting.reason_words import ENDINGS, reason_in, rule_in
from metrics.text.word_files import Words, read_words

Language = Literal["ja", "en"]

_CATALOG = read_words("metrics.reporting", "report")

WORDS: Words = {**_CATALOG["words"], **ENDINGS}

CAUSES: Words = _CATALOG["causes"]
"""Sentences for the kinds of causes and signs, with places for `{subject}` and `{detail}`."""

PROBLEMS: Words = _CATALOG["problems"]
"""What was wrong with a call, by its code (`events.CallFinished.problem`)."""

FAILURES: Words = _CATALOG["failures"]
"""Why an attempt of a call or a model failed, by the class of the error."""

OUTCOMES: Words = _CATALOG["outcomes"]
"""How a call ended, by its code (`events.Outcome`)."""


def word(key: str, language: Language, **filled: object) -> str:
    """Return the word of that key, in the singular for `n=1`; an unknown key is returned as it is."""
    one = f"{key}.one" if filled.get("n") == 1 else key
    found = WORDS.get(one) or WORDS.get(key)
    text = found[language] if found else key
    return text.format(**filled) if filled else text


def ending_in(ending: str, language: Language, remarks: int = 0) -> str:
    """Return an ending in words, with the number of the judge's remarks. An empty ending means that the run is under way."""
    stands = word(ending or "under_way", language)
    return word("with_remarks", language, n=remarks, ending=stands) if remarks else stands


def effect_in(effect: str, language: str) -> str:
    """Return the effect of a call in words; an unknown effect is returned as it is."""
    return word(f"effect_{effect}", "ja" if language == "ja" else "en") if f"effect_{effect}" in WORDS else effect


def level_in(level: str | None, overall: float | None, language: Language) -> str:
    """Return a level in words, with a note where the score (0 to 1) is high but nothing proves it."""
    return word(level or "na", language) + (word("unproven", language) if is_unproven(level, overall) else "")


def is_unproven(level: str | None, overall: float | None) -> bool:
    """Whether a level is medium only because nothing was declared that could prove the score (0 to 1)."""
    from metrics.autonomy import level_of  # not at the top: lists of runs need the words alone

    return level == "medium" and level_of(overall, proven=True) == "high"


UNPROVEN_MARK = "†"
"""Stands beside an unproven level in a table, and refers to the sentence below the table."""


def why_unproven(language: Language) -> str:
    """Return the sentence that explains `UNPROVEN_MARK`."""
    return UNPROVEN_MARK + word("unproven", language).strip(" ()（）")


def why_level(level: str | None, overall: float | None, measures: Mapping[str, float | None], language: Language) -> str:
    """Return why a level is not high: because nothing proves it, or because of the lowest measure (0 to 1). Empty if it is
    high."""
    values = {name: value for name, value in measures.items() if value is not None}
    if level in (None, "high") or not values:
        return ""
    if is_unproven(level, overall):
        return word("not_high", language)
    weakest = min(values, key=lambda name: values[name])
    return word("weakest", language, name=word(weakest, language), share=in_percent(values[weakest]))


def cause(kind: str, subject: str, detail: str, language: Language) -> str:
    """Return a cause as a sentence."""
    cause_name = word(subject, language) if kind == "not_completed" else subject
    translated = rule_in(language, detail) if kind == "denied" else failure_in(detail, language)
    problem = PROBLEMS[detail][language] if detail in PROBLEMS else translated
    text = CAUSES[kind][language].format(subject=cause_name or "?", detail=problem)
    return text.replace("（）", "").replace(" ()", "").replace("「」", "")


def in_a_line(words: str) -> str:
    """Put foreign text on one line, so that it cannot imitate a line of the report."""
    return " ".join(words.split())


def reasons(found: Iterable[tuple[str, str, str]], language: Language) -> str:
    """Return several reasons in one line."""
    return ("；" if language == "ja" else "; ").join(cause(*reason, language) for reason in found)


def problem_in(text: str, language: Language) -> str:
    """Translate the code of an outcome, problem or failure, the name of a rule, or a reason."""
    codes = {**OUTCOMES, **PROBLEMS, **FAILURES}
    return codes[text][language] if text in codes else reason_in(language, rule_in(language, text))


def failure_in(error: str, language: Language) -> str:
    """Translate the class of an error, or a reason."""
    return FAILURES[error][language] if error in FAILURES else reason_in(language, error)


def habit(tool: str, times: int, answer: str, at_least: float, language: Language) -> str:
    """Return a sentence on how people always answered the questions about a tool. `at_least`: the lower end of the interval of
    the share (0 to 1) answered so."""
    return word("habit", language, tool=tool, times=times, answer=word(answer, language), low=number(at_least, "share", language))


def number(value: float | None, unit: str, language: Language) -> str:
    """Return a value with its unit: `share` (0 to 1), `usd`, `s`, `tokens`, or a plain count."""
    if value is None:
        return word("na", language)
    match unit:
        case "share":
            return in_percent(value)
        case "usd":
            return f"${value:,.2f}" if abs(value) >= 0.1 else f"${value:.4f}"
        case "s":
            return seconds(value)
        case "tokens":
            return f"{value:,.0f}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def in_percent(value: float) -> str:
    """Return a share (0 to 1) in per cent."""
    return f"{value:.1%}"


def seconds(value: float | None) -> str:
    """Return a duration with at least two digits, or a dash for None."""
    if value is None:
        return "—"
    if round(value) < 60:
        return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def interval(estimate: Estimate, unit: str, language: Language) -> str:
    """Return the interval of an estimate, or a dash if it has none."""
    if estimate.low is None or estimate.high is None:
        return "—"
    return f"{number(estimate.low, unit, language)} – {number(estimate.high, unit, language)}"


def signed(value: float | None, unit: str, language: Language) -> str:
    """Return a change with its sign. Changes of shares are in percentage points."""
    if value is None:
        return "—"
    size = f"{abs(100 * value):.1f} pt" if unit == "share" else number(abs(value), unit, language)
    if not any(digit in size for digit in "123456789"):
        return f"±{size}"
    return f"{'+' if value > 0 else '−'}{size}"


def signed_interval(change: Estimate, unit: str, language: Language) -> str:
    """Return the interval of a change, in the unit of the change, or a dash if it has none."""
    if change.low is None or change.high is None:
        return "—"
    return f"{signed(change.low, unit, language)} – {signed(change.high, unit, language)}"


def moment(at: float, tz: tzinfo) -> str:
    """Return a time (seconds since the epoch) to the minute."""
    return datetime.fromtimestamp(at, tz).strftime("%Y-%m-%d %H:%M")
