"""Cuts a question into the words that a call of a tool has to account for."""

import re
from collections.abc import Iterator

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import properties, subject_terms
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.questions.word_cutting import (
    CLAUSE,
    FUNCTION_WORDS,
    KANA,
    KANJI,
    LETTER,
    PARTICLES,
    VERB,
    light_words,
    words_taken_out,
)
from autonomy.llm.offline.time_expressions import without_spans
from autonomy.llm.offline.vocabulary import ATTRIBUTES, CONCEPTS, TIME_WORDS, VALUE_WORDS, terms
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_JOINING = re.compile(f"[{PARTICLES}]{{1,2}}")
_KANA_ENDING = re.compile("(?<=.)(?:[でにとへ]は|[のはがをにでへともや])$")
"""The particle behind a name in kana: one alone, as the name may end in the same letter (なはは is なは)."""
_PHRASES = patterns_of("autonomy.llm.offline")


def content_words(question: Question, tool: ToolDefinition, *, channel: bool = False) -> list[str]:
    """The words left without those of asking, time, comparison and the tool's own subject: each must be used.

    `channel`: a channel is spoken of, so that what is posted is a message.
    """
    pieces = _content_pieces(question, tool, channel=channel)
    pieces = [piece for piece in pieces if re.search(r"\w", piece)]  # % is a sign, and nobody's name
    names = [piece for piece in pieces if not VERB.search(piece) or CLAUSE.search(piece)]  # 味噌を食べた is more than a verb
    return list(dict.fromkeys(names or pieces))


def owed_words(question: Question, tool: ToolDefinition) -> list[str]:
    """The words that only the details of a tool's description account for, and verbs: it may not tell of them."""
    about = terms(tool.name) | terms(tool.description)
    tool_subjects = subject_terms(tool)
    plain = SPOKEN.sub("|", without_spans(question.text, question.times))
    plain = plain.replace(question.compared_by, "|", 1) if question.compared_by else plain
    light = FUNCTION_WORDS | light_words(about)
    latin = [word.removesuffix("'s").removesuffix("’s") for word in re.findall(rf"{LETTER}{{2,}}", plain)]
    trade = {word for word in latin if word.lower() not in light and terms(word) and terms(word) <= about}
    kana = {word for group in CONCEPTS if f"#{group[0]}" in about for word in group if not word.isascii() and word in plain}
    trade |= {word for word in kana if not any(word in other for other in light)}
    loose = {word for word in trade if not terms(word) & tool_subjects}
    return sorted(
        loose
        | {word for word in ATTRIBUTES if word in trade or (word in plain and not word.isascii())}
        | set(_verbs(question, tool))
    )


def _verbs(question: Question, tool: ToolDefinition) -> list[str]:
    """The verbs that `content_words` leaves aside beside names."""
    pieces = _content_pieces(question, tool, channel=False)
    verbs = [piece for piece in pieces if VERB.search(piece) and re.match(f"{KANJI}|[\u30a0-\u30ff]", piece)]
    return verbs if len(verbs) < len(pieces) else []


def _content_pieces(question: Question, tool: ToolDefinition, *, channel: bool) -> list[str]:
    remainder = without_spans(question.text, question.times)
    if question.compared_by:
        remainder = remainder.replace(question.compared_by, "|", 1)
    quoted = [next(filter(None, groups)) for groups in SPOKEN.findall(remainder)]
    remainder = SPOKEN.sub("|", remainder).strip()
    if _PHRASES["spoken_to"].search(question.text):  # and not only since a time behind the name was taken out
        remainder = _PHRASES["spoken_to"].sub("", remainder)
    remainder = _PHRASES["polite_ending"].sub("|", remainder)
    about = terms(tool.name) | terms(tool.description)
    tool_terms = about | ({"#post"} if channel and "#message" in about else set()) | {"#tag"}
    remainder = words_taken_out(_sayings(tool, tool_terms), remainder, "|")
    parts = re.split(r"[|、。，,?？!！・:：()（）]+|\.(?!\d)", remainder)
    light = frozenset(light_words(about))
    return [*quoted, *(piece for part in parts for piece in _pieces(part, tool_terms, light))]


def _sayings(tool: ToolDefinition, about: frozenset[str]) -> set[str]:
    """The words that a question to this tool may hold beside its content: none of English, which is cut by words."""
    trade = {word for group in CONCEPTS if f"#{group[0]}" in about for word in group if not word.isascii()}
    enums = {str(value).lower() for schema in properties(tool).values() for value in schema.get("enum", ())}
    values = {word for value in enums for word in VALUE_WORDS.get(value, ())}
    timed = {word for words in TIME_WORDS.values() for word in words if not word.isascii()}
    asking = FUNCTION_WORDS | light_words(about)
    return trade | values | timed | {word for word in asking if not word.isascii()}


def _pieces(part: str, tool_terms: frozenset[str], light: frozenset[str]) -> Iterator[str]:
    """The content words of a stretch: Latin words that stand together as one, Japanese ones without the particles around them."""
    for stretch in re.split(rf"(?<={LETTER})\s*(?=[^\sA-Za-z0-9_'’\-#@])|(?<=[^\sA-Za-z0-9_'’\-#@])\s*(?={LETTER}|#|@)", part):
        latin = re.fullmatch(rf"[\s#@]*(?:{LETTER}|[\s#@./])+", stretch)
        yield from _latin_pieces(stretch, tool_terms, light) if latin else _japanese_pieces(stretch)


def _latin_pieces(stretch: str, tool_terms: frozenset[str], light: frozenset[str]) -> Iterator[str]:
    together: list[str] = []
    for word in [*stretch.split(), ""]:
        plain = word.strip(".'’").lstrip("#@").removesuffix("'s").removesuffix("’s")
        if (
            not plain
            or plain.lower() in FUNCTION_WORDS | light
            or word.lower() in FUNCTION_WORDS
            or (terms(plain) and terms(plain) <= tool_terms)
        ):
            if together:
                yield " ".join(together)
            together = []
        elif plain.isdigit():
            yield plain
        else:
            together.append(plain)


def _japanese_pieces(stretch: str) -> Iterator[str]:
    for word in stretch.split():
        bare = word.rstrip(PARTICLES)
        if KANA.fullmatch(word) and not _JOINING.fullmatch(word):
            bare = _KANA_ENDING.sub("", word)
        if (
            bare
            and bare[0] in PARTICLES
            and len(bare) > 1
            and re.match(rf"{KANJI}|[\u30a0-\u30ff]|[\u3041-\u309f]{{1,3}}ー", bare[1:])
        ):
            bare = bare[1:]
        if _PHRASES["honorific"].sub("", f"x{bare}") == "x":
            continue  # it stands behind a name in Latin letters, which was cut off
        for piece in re.split(rf"(?<={KANJI})[とや](?={KANJI})|(?<=さん)[のはがとも]", bare):
            if plain := _PHRASES["honorific"].sub("", piece):
                yield plain
