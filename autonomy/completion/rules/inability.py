"""Tells whether an answer says that it could not be done, or only announces that it will be."""

from autonomy.completion.rules.case import Case
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import EXACT, FactKind
from autonomy.provenance.text.sentences import Sentence, sentences_in
from autonomy.run_state.run_values import HOST
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")
_UNABLE = _PHRASES["unable"]
_ADMITTED = _PHRASES["admits_failure"]
_LOST = _PHRASES["tells_of_a_failed_read"]
_NO_LOOK = _PHRASES["could_not_look"]
_ANNOUNCED = _PHRASES["announces_work"]
LONGEST_APOLOGY = 400


def inability(case: Case) -> str:
    """Whether the answer mostly says that it could not be done; the ending it makes: `unanswered`, `unfinished`, or none."""
    sentences = [sentence for sentence in sentences_in(case.answer) if not sentence.heading]
    if not sentences or len(case.answer) > LONGEST_APOLOGY:
        return ""
    if (
        _ANNOUNCED.search(sentences[-1].text)
        and not _PHRASES["offers_more"].search(sentences[-1].text)
        and not any(support.units for support in case.attribution(case.answer).sentences[:-1] if _holds_figures(support))
    ):
        return "unfinished"
    words = [_UNABLE]
    if not (case.evidence.reads or case.evidence.writes):
        words.append(_NO_LOOK)
        sentences = [one for one in sentences if not _PHRASES["advises"].search(one.text)] or sentences
    unable = [sentence for sentence in sentences if any(one.search(sentence.text) for one in words)]
    unable = [sentence for sentence in unable if not _goes_on_to_tell(sentence, case)]
    if unable and 2 * len(unable) >= len(sentences):
        return "" if _tells_the_rest(case, of_half=2 * len(unable) == len(sentences)) else "unanswered"
    if _only_gives_up(case) and _brought_something(case):
        return "unanswered"
    admitted = [sentence for sentence in sentences if _ADMITTED.search(sentence.text)]
    return "unfinished" if len(admitted) > 1 and 2 * len(admitted) >= len(sentences) and not _tells_the_rest(case) else ""


def declines_the_deed(case: Case) -> bool:
    """Whether the answer to a goal that asks for a deed begins with saying that it cannot be done, and no write was tried; what
    was found on the way may follow."""
    if any(record.is_write and record.provider != HOST for record in case.ctx.records):
        return False  # a tool that failed may work the next time, and the policy allow other arguments
    first = next((sentence.text for sentence in sentences_in(case.answer) if not sentence.heading), "")
    return bool(_UNABLE.search(first) or _PHRASES["says_it_cannot"].search(first))


def does_nothing_on_its_condition(case: Case) -> bool:
    """Whether a goal asks for a deed only where something is so, and an answer behind a read says that nothing was done."""
    asks = _PHRASES["acts_on_a_condition"].search(unquoted(case.goal)) and case.evidence.reads
    return bool(asks and not case.evidence.writes and _PHRASES["tells_of_no_action"].search(case.answer))


def _goes_on_to_tell(sentence: Sentence, case: Case) -> bool:
    """Whether a sentence that says what is not known goes on, behind a `but`, to what was read: 分かりませんが、…とあります."""
    turns = _PHRASES["turns_to_what_is_known"].search(sentence.text)
    support = next((one for one in case.attribution(case.answer).sentences if one.start == sentence.start), None)
    if turns is None or support is None:
        return False
    behind = (one for one in support.facts if one.fact.start - support.start >= turns.end())
    return any(bool(one.sources) and not case.was_said(one.fact) for one in behind if one.fact.kind in (*EXACT, FactKind.QUOTE))


def _only_gives_up(case: Case) -> bool:
    """Whether the answer says that there is none, and nothing else; a failure that a line read tells of is an answer."""
    told = [support for support in case.attribution(case.answer).sentences if not _PHRASES["pleads"].search(support.text)]
    return bool(told) and all(
        _PHRASES["gives_up"].search(support.text) and not any(_LOST.search(unit.text) for unit in support.units)
        for support in told
    )


def _brought_something(case: Case) -> bool:
    """Whether what was read holds something: that nothing could be found in it may then be no answer."""
    return any(len(table) > 0 for table in case.evidence.sources.tables()) or bool(case.evidence.units)


def _tells_the_rest(case: Case, *, of_half: bool = False) -> bool:
    """Whether one half was read and is told beside the other, which could not be: who asks has an answer to that half.

    `of_half`: no more than half of the answer says what could not be, so that several facts of the rest answer it."""
    failed = any(record.effect == "read" and not record.ok for record in case.ctx.records)
    fewest = 1 if failed else 2 if of_half else len(case.answer)
    return any(
        not _UNABLE.search(sentence.text)
        and not _ADMITTED.search(sentence.text)
        and sum(bool(found.sources) and not case.was_said(found.fact) for found in sentence.facts if found.fact.kind in EXACT)
        >= fewest
        for sentence in case.attribution(case.answer).sentences
    )


def _holds_figures(support: SentenceSupport) -> bool:
    return any(found.fact.kind in (FactKind.NUMBER, FactKind.ID, FactKind.QUOTE) for found in support.facts)
