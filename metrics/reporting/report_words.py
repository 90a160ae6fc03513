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
"""Why a run deserves a look, or was not what was asked for; `{subject}` and `{detail}` say of what."""

PROBLEMS: Words = _CATALOG["problems"]
"""What was wrong with a call, by its code (`events.CallFinished.problem`)."""

FAILURES: Words = _CATALOG["failures"]
"""Why a try of a call or a model failed, by the class of the error."""

OUTCOMES: Words = _CATALOG["outcomes"]
"""How a call ended, by its code (`events.Outcome`)."""


def word(key: str, language: Language, **filled: object) -> str:
    """The word in that language, of one thing (`n=1`) in the singular; a key that is no word of ours is shown as it is."""
    one = f"{key}.one" if filled.get("n") == 1 else key
    found = WORDS.get(one) or WORDS.get(key)
    text = found[language] if found else key
    return text.format(**filled) if filled else text


def ending_in(ending: str, language: Language, remarks: int = 0) -> str:
    """An ending, or where a run stands, with the number of the judge's remarks; an empty one is under way."""
    stands = word(ending or "under_way", language)
    return word("with_remarks", language, n=remarks, ending=stands) if remarks else stands


def effect_in(effect: str, language: str) -> str:
    """The effect of a call in words; an unknown effect is shown as it is."""
    return word(f"effect_{effect}", "ja" if language == "ja" else "en") if f"effect_{effect}" in WORDS else effect


def level_in(level: str | None, overall: float | None, language: Language) -> str:
    """A level with what keeps it from being high, where the score (0 to 1) alone would make it so."""
    return word(level or "na", language) + (word("unproven", language) if is_unproven(level, overall) else "")


def is_unproven(level: str | None, overall: float | None) -> bool:
    """Whether a level is medium only because nothing was declared that could prove the score (0 to 1)."""
    from metrics.autonomy import level_of  # not at the top: lists of runs need the words alone

    return level == "medium" and level_of(overall, proven=True) == "high"


UNPROVEN_MARK = "†"
"""Beside a level in a table, for the sentence below it."""


def why_unproven(language: Language) -> str:
    """What the mark stands for."""
    return UNPROVEN_MARK + word("unproven", language).strip(" ()（）")


def why_level(level: str | None, overall: float | None, measures: Mapping[str, float | None], language: Language) -> str:
    """Why a level is not high, in a sentence: nothing proves it, or the measure (0 to 1) that weighs most; empty where it is."""
    from metrics.autonomy import level_of

    values = {name: value for name, value in measures.items() if value is not None}
    if level in (None, "high") or not values:
        return ""
    if level == "medium" and level_of(overall, proven=True) == "high":
        return word("not_high", language)
    weakest = min(values, key=lambda name: values[name])
    return word("weakest", language, name=word(weakest, language), share=in_percent(values[weakest]))


def cause(kind: str, subject: str, detail: str, language: Language) -> str:
    """A cause as a sentence."""
    cause_name = word(subject, language) if kind == "not_completed" else subject
    translated = rule_in(language, detail) if kind == "denied" else failure_in(detail, language)
    problem = PROBLEMS[detail][language] if detail in PROBLEMS else translated
    text = CAUSES[kind][language].format(subject=cause_name or "?", detail=problem)
    return text.replace("（）", "").replace(" ()", "").replace("「」", "")


def reasons(found: Iterable[tuple[str, str, str]], language: Language) -> str:
    """Several reasons in one line."""
    return ("；" if language == "ja" else "; ").join(cause(*reason, language) for reason in found)


def problem_in(text: str, language: Language) -> str:
    """An outcome or problem by its code, a rule by its name, or a sentence of ours, as this reader reads it."""
    codes = {**OUTCOMES, **PROBLEMS, **FAILURES}
    return codes[text][language] if text in codes else reason_in(language, rule_in(language, text))


def failure_in(error: str, language: Language) -> str:
    """Why a try failed: the class of an error, or a sentence of ours, as this reader reads it."""
    return FAILURES[error][language] if error in FAILURES else reason_in(language, error)


def habit(tool: str, times: int, answer: str, at_least: float, language: Language) -> str:
    """How a person has always answered the questions about a tool."""
    return word("habit", language, tool=tool, times=times, answer=word(answer, language), low=number(at_least, "share", language))


def number(value: float | None, unit: str, language: Language) -> str:
    """A value with its unit, as people write it."""
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
    """A share (0 to 1) in per cent, the same wherever it stands."""
    return f"{value:.1%}"


def seconds(value: float | None) -> str:
    """A duration, two figures at least."""
    if value is None:
        return "—"
    if value < 60:
        return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def interval(estimate: Estimate, unit: str, language: Language) -> str:
    """An estimate's interval; a dash where there is none."""
    if estimate.low is None or estimate.high is None:
        return "—"
    return f"{number(estimate.low, unit, language)} – {number(estimate.high, unit, language)}"


def signed(value: float | None, unit: str, language: Language) -> str:
    """A change, with its sign; changes of shares in percentage points."""
    if value is None:
        return "—"
    size = f"{abs(100 * value):.1f} pt" if unit == "share" else number(abs(value), unit, language)
    if not any(digit in size for digit in "123456789"):
        return f"±{size}"
    return f"{'+' if value > 0 else '−'}{size}"


def moment(at: float, tz: tzinfo) -> str:
    """A time for people, to the minute."""
    return datetime.fromtimestamp(at, tz).strftime("%Y-%m-%d %H:%M")
