"""Rules about the form of a text: headings, length, language, JSON, words it must not hold, the day it names."""

import re

from autonomy.completion.rules.case import Case
from autonomy.llm.model import Section
from autonomy.llm.model_json import read_json
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.completion_rules import HEADING, Forbidden, Fresh, Language, Length, Matches, Sections
from discovery.schemas.regexes import matches as stands_in
from discovery.schemas.schema import validate
from metrics.text.phrases import patterns_of
from metrics.text.written_language import written_language


def sections(rule: Sections, case: Case) -> str:
    """Each heading stands there with something under it."""
    absent = rule.absent_from(case.text)
    return f"these sections are missing or empty: {', '.join(absent)}" if absent else ""


def length(rule: Length, case: Case) -> str:
    """Neither too short nor too long; a section with the job's own words for "nothing" is not asked to be long,
    and neither is a text about a day of which everything was read and nothing was there."""
    size = len(case.text.strip())
    least = round(rule.min_chars * filled_share(case)) if case.ctx.request.job else rule.min_chars
    least = 1 if _denies(case.text) and case.evidence.found_nothing() else least
    if size < least:
        return f"the text has {size} characters and needs {least}"
    if rule.max_chars is not None and size > rule.max_chars:
        return f"the text has {size} characters and may have {rule.max_chars}"
    return ""


def _denies(text: str) -> bool:
    """Whether a text says that something was not there; a dash or a title does not."""
    absent = any(word in text.lower() for word in load_words("sentences")["absence"])
    return absent or any(_PHRASES[phrase].search(text) for phrase in ("says_nothing_was_found", "says_nothing_was_written"))


_PHRASES = patterns_of("autonomy.completion")
LIST_MARKS = " \n\t-*・"
"""What stands before the first word of a section: a past diary's style may make its only sentence an item of a list."""


def filled_share(case: Case) -> float:
    """The share of the job's sections that say more than that there was nothing, 0 to 1."""
    declared = [section for section in case.task.sections if section.empty]
    # quiet days are short as a whole: from half of the sections on, the rest cannot make up for them
    share = 1 - len(quiet_sections(case)) / len(declared) if declared else 1.0
    return share if share > 0.5 else share / 2


def quiet_sections(case: Case) -> list[Section]:
    """The job's sections that begin with its own words for one without material."""
    declared = [section for section in case.task.sections if section.empty]
    bodies = section_bodies(case.text) if declared else {}
    return [section for section in declared if bodies.get(section.title, "").strip(LIST_MARKS).startswith(section.empty.strip())]


def section_bodies(text: str) -> dict[str, str]:
    """The text under each heading."""
    parts = HEADING.split(text)
    return dict(zip(parts[2::3], parts[3::3], strict=True))


def language(rule: Language, case: Case) -> str:
    """The text is in the language that is asked for."""
    return "" if written_language(case.text) in (rule.language, "") else f"the text has to be in {_LANGUAGES[rule.language]}"


_LANGUAGES = {"ja": "Japanese", "en": "English"}


def matches(rule: Matches, case: Case) -> str:
    """The text is JSON of the schema."""
    try:
        data = read_json(case.text)
    except ValueError as error:
        return f"the answer is not JSON: {error}"
    return "; ".join(validate(rule.json_schema, data))


def forbidden(rule: Forbidden, case: Case) -> str:
    """None of the patterns stands in the delivered text or in the answer."""
    text = f"{case.delivered}\n{case.answer}"
    stands_by_pattern = {pattern: _stands(pattern, text) for pattern in rule.patterns}
    if found := [pattern for pattern, stands in stands_by_pattern.items() if stands]:
        return f"the text must not hold {', '.join(found)}"
    unknown = [pattern for pattern, stands in stands_by_pattern.items() if stands is None]
    return f"{', '.join(unknown)}: finding out whether the text holds it could take too long" if unknown else ""


def _stands(pattern: str, text: str) -> bool | None:
    """Whether a pattern of a job's file stands in a text, in bounded time; line by line where the whole could take too long."""
    if (whole := stands_in(pattern, text)) is not None:
        return whole
    lines = [stands_in(pattern, line) for line in text.splitlines()]
    return True if True in lines else None if None in lines else False


def fresh(rule: Fresh, case: Case) -> str:
    """The text names the day it is about."""
    day = str(case.task.inputs.get(rule.input, ""))
    return "" if any(form in case.text for form in written_forms(day)) else f"the text does not name the day {day}"


def written_forms(day: str) -> tuple[str, ...]:
    """The usual ways to write an ISO date: 2026-11-21, 2026/11/21, 2026年11月21日, 11/21, 11月21日."""
    match = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", day)
    if match is None:
        return (day,) if day else ()
    year, month, number = match.group(1), int(match.group(2)), int(match.group(3))
    return (day, day.replace("-", "/"), f"{year}年{month}月{number}日", f"{month}/{number}", f"{month}月{number}日")
