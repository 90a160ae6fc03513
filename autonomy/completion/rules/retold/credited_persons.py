"""Checks whom a text tells a deed of, whether as done, and in which order."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from autonomy.completion.rules.case import Case, not_as_read
from autonomy.provenance.deeds import SPEECH_ACTS, Deed, deeds_in
from autonomy.provenance.sources.conversations import ids_of
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")
_LATIN_NAME = re.compile(r"[A-Z][a-z]+")


def deeds_as_read(case: Case) -> Iterator[tuple[str, str]]:
    """A deed is told of who did it, and as done only where a message tells it as done."""
    if not case.evidence.reads:
        return
    read, ordered = case.made_once(DeedsRead), _kinds_ordered_and_written(case)
    for sentence in case.attribution(case.text).sentences:
        if sentence.neutral or case.is_of_a_person(sentence.text) or case.evidence.rests_on_own_posts(sentence):
            continue
        deeds = [deed for deed in deeds_in(sentence.text) if deed.told != "denied" and not _quotes(deed)]
        deeds = [deed for deed in deeds if deed.kind not in ordered or _doer_in(deed) is not None]
        found = next(
            (
                unit
                for check in (_only_planned, _of_another, _only_one_of_all)
                for deed in deeds
                for unit in check(deed, sentence, read)
            ),
            None,
        ) or next((unit for check in (_not_the_speaker, _done_since, _done_after_all) for unit in check(sentence, read)), None)
        if found:
            yield sentence.text[:80], not_as_read(sentence.text, found.text)


def _quotes(deed: Deed) -> bool:
    """Whether it is words that somebody wrote, as they stand behind it: Tom wrote "Freeze is tomorrow"."""
    return deed.kind == "write" and _QUOTATION.match(deed.behind) is not None


_QUOTATION = re.compile(r"[a-z]{0,6}(?: in #[\w-]{1,80})?\s?[:,]?\s?[\"“]")


def _kinds_ordered_and_written(case: Case) -> frozenset[str]:
    """The kinds of deeds that a free goal orders, where the run has written something: those it tells as its own."""
    own = case.evidence.writes and not case.declares_needs
    return frozenset(deed.kind for deed in deeds_in(unquoted(case.goal))) if own else frozenset()


class DeedsRead:
    """The messages of a run and the deeds that they tell."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._names: dict[str, frozenset[str]] = {}
        self._of_kinds: dict[str, list[tuple[EvidenceUnit, Deed]]] = {}

    @cached_property
    def units(self) -> list[EvidenceUnit]:
        """The lines whose author or day is known."""
        return [unit for unit in self.case.evidence.units if unit.persons or unit.days]

    @cached_property
    def authors(self) -> frozenset[str]:
        """The names of all who wrote something that was read."""
        return frozenset().union(*(unit.persons for unit in self.units))

    @cached_property
    def _ids_of_talks(self) -> dict[str, frozenset[str]]:
        """The ids of the conversation in which a message stands, by its first line."""
        talks = self.case.conversations
        return {
            message.text.split("\n")[0]: frozenset().union(*(other.ids for other in talk)) for talk in talks for message in talk
        }

    def ids(self, unit: EvidenceUnit, in_its_talk: bool = False) -> frozenset[str]:
        """The ids that a line names; of one that names none, those of its conversation."""
        own = ids_of(facts_in(unit.text[:500]))
        return own or (self._ids_of_talks.get(unit.text, frozenset()) if in_its_talk else own)

    def answers(self, sentence: SentenceSupport, units: Iterable[EvidenceUnit], names: frozenset[str]) -> bool:
        """Whether one of these people tells a deed of a sentence as done, and of nothing else, in a conversation in which
        some lines stand: they mended what a colleague remarked. A sentence that names another doer tells of that one; one that
        says that it takes up another's words needs no such conversation."""
        if self._takes_up(sentence.text, names):
            return True
        deeds = [deed for deed in deeds_in(sentence.text) if deed.told == "done"]
        kinds = {deed.kind for deed in deeds if _doer_in(deed) is None}
        lines = {unit.text for unit in units} if kinds else set[str]()
        talks = (talk for talk in self.case.conversations if any(message.text.partition("\n")[0] in lines for message in talk))
        own = (message.text for talk in talks for message in talk if message.authors & names)
        retold = (deed for text in own for kind in kinds for deed in deeds_in(text, kind))
        told = (deed for deed in retold if deed.told == "done" or (deed.kind in SPEECH_ACTS and deed.told != "denied"))
        return any(terms(deed.before) <= terms(sentence.text) for deed in told)

    def _takes_up(self, text: str, names: frozenset[str]) -> bool:
        """Whether a text tells what somebody did about what another one said, and a line of theirs has that deed: 指摘を受けて
        直しました, of 「たしかに！直しました」."""
        if not _PHRASES["takes_up_anothers_word"].search(text) or not (
            deeds := _PHRASES["verb_that_ends_a_clause"].findall(text)
        ):
            return False
        days = self.case.evidence.about.days
        own = (unit for unit in self.units if unit.persons & names and (not days or not unit.days or unit.days & set(days)))
        return any(deeds[-1] in unit.text for unit in own)

    def of_kind(self, kind: str) -> list[tuple[EvidenceUnit, Deed]]:
        """The lines that tell such a deed, other than as denied."""
        if kind not in self._of_kinds:
            told = ((unit, deed) for unit in self.units for deed in deeds_in(unit.text, kind))
            self._of_kinds[kind] = [(unit, deed) for unit, deed in told if deed.told != "denied"]
        return self._of_kinds[kind]

    def names(self, called: str) -> frozenset[str]:
        """All names of whom a text calls so."""
        if called not in self._names:
            identities = self.case.evidence.sources.identities
            bare = {fold(called), fold(_PHRASES["ends_as_a_person"].sub("", called))}
            named = identities.names_of_all(bare)
            self._names[called] = frozenset(filter(None, bare | named | identities.names_of_all(named)))
        return self._names[called]

    def people_in(self, text: str) -> list[frozenset[str]]:
        """The names of each author whom a text names."""
        called = [*_LATIN_NAME.findall(text), *(fact.text for fact in persons_in(text))]
        return [names for one in called if (names := self.names(one)) & self.authors]

    def is_by_or_about(self, unit: EvidenceUnit, names: frozenset[str]) -> bool:
        """Whether a line is by somebody or names them."""
        return bool(unit.persons & names) or any(name in fold(unit.text) for name in names if len(name) > 1)

    def doers(self, unit: EvidenceUnit, deed: Deed) -> frozenset[str]:
        """The names of who may have done, or is to do, what a line tells: whom it names as such, or else its author."""
        if name := _PHRASES["does_in_english_right_before"].search(deed.before):
            return self.names(name.group())  # Maya tells that Priya wrote to them
        for_others = _PHRASES["does_for_others"].search(deed.behind)
        before = persons_in(deed.before)
        doing = [fact for fact in before if _PHRASES["does_something"].match(deed.before, fact.end)]
        doing += [fact for fact in before if for_others and deed.before[fact.end : fact.end + 1] == "に"]
        if _PHRASES["is_asked_to"].search(deed.clause):
            doing += [fact for fact in persons_in(deed.clause) if deed.clause[fact.end : fact.end + 1] == "に"]
        if doing:
            return frozenset().union(*(self.names(fact.text) for fact in doing))
        others = persons_in(unit.text[:500]) if for_others and not before else ()
        return unit.persons.union(*(self.names(fact.text) for fact in others))


def persons_in(text: str) -> list[Fact]:
    """The persons whom a text names with an honorific or the like."""
    return [fact for fact in facts_in(text) if fact.kind is FactKind.NAME and fact.text[:1] not in "#@"]


def _only_planned(deed: Deed, sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """A line that tells a deed as planned, where all do and the sentence tells it as done."""
    if deed.told != "done" or deed.kind in SPEECH_ACTS:
        return
    ids, told = ids_of(one.fact for one in sentence.facts), read.of_kind(deed.kind)
    of_the_ids = [(unit, other) for unit, other in told if ids & read.ids(unit)]
    own = ids_of(facts_in(deed.clause))  # what else is planned says nothing of what the clause itself names by its id
    told = of_the_ids or ([] if any(own & read.ids(unit) for unit in read.units) else told)
    if told and all(other.told == "ahead" for _, other in told):
        yield told[0][0]


def _of_another(deed: Deed, sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """A line that tells a deed of others, where no line that the sentence may rest on tells it of whom the sentence does."""
    if deed.is_in_brackets:
        return  # who stands before the bracket did something else
    called = _doer_in(deed)
    if called is None and not _is_of_the_subject(deed, sentence, read):
        return
    names = read.case.evidence.subject_names if called is None else read.names(called)
    if not names & read.authors:
        return  # of whom nothing was read, it is not known what they did
    told = [(unit, other) for unit, other in read.of_kind(deed.kind) if unit.persons and not other.is_in_brackets]
    if ids := ids_of(one.fact for one in sentence.facts):
        told = [(unit, other) for unit, other in told if ids & read.ids(unit, in_its_talk=True)]
        if deed.told == "done" and any(other.told == "done" and read.doers(unit, other) & names for unit, other in told):
            return  # beside whoever announced it, or the service that did it for them
    places = {(unit.path, unit.text) for unit in sentence.units}
    nearest = [(unit, other) for unit, other in told if (unit.path, unit.text) in places]
    told = nearest or (told if not places or len(told) == 1 else [])
    if all(_shares_a_script(unit.persons, names) and not read.doers(unit, other) & names for unit, other in told):
        yield from (unit for unit, _ in told[:1])


def _shares_a_script(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two people have names in one script, so that it shows whether they are the same: 遥 may be haruka."""
    scripts, others = ({name.isascii() for name in names if not any(map(str.isdigit, name))} for names in (one, other))
    return not scripts.isdisjoint(others)


def _doer_in(deed: Deed) -> str | None:
    """Whom a sentence names as who did, or is to do, the deed."""
    if name := _PHRASES["does_in_english_right_before"].search(deed.before):
        return name.group()
    if name := _PHRASES["done_by_in_english"].match(deed.behind):
        return name["who"]
    doing = [
        fact
        for fact in persons_in(deed.before)
        if _PHRASES["does_something"].match(deed.before, fact.end)
        or (deed.before[fact.end : fact.end + 1] == "に" and _PHRASES["done_for_somebody"].match(deed.behind))
    ]
    if doing:
        return doing[-1].text
    ahead = deed.sentence[: deed.sentence.find(deed.clause)]
    subjects = [fact for fact in persons_in(ahead) if _SUBJECT_ALONE.fullmatch(ahead, fact.end)]
    if subjects:
        return subjects[-1].text
    label = _PHRASES["begins_with_a_person"].match(ahead + deed.before)
    if label is None:
        return None
    is_told = (ahead + deed.before)[label.end() :] in ("", "to ") if label["en"] else deed.told != "open"
    return (label["en"] or label["ja"]) if is_told else None


_SUBJECT_ALONE = re.compile("[がは]、")


def _only_one_of_all(deed: Deed, _sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """The one line that tells a deed as done, and not of all, where the sentence tells it of two or more: both were approved."""
    clause = deed.clause if deed.is_in_brackets else _BY_THE_WAY.sub("", deed.clause)
    if deed.told == "done" and _PHRASES["every_one_of_several"].search(clause):
        done = [(unit, other) for unit, other in read.of_kind(deed.kind) if other.told == "done"]
        if len(done) == 1 and not _PHRASES["every_one_of_several"].search(done[0][0].text):
            yield done[0][0]


_BY_THE_WAY = re.compile(r"\([^()]{1,200}\)")
"""What a bracket says of all is no part of the deed in front of it."""


def _is_of_the_subject(deed: Deed, sentence: SentenceSupport, read: DeedsRead) -> bool:
    """Whether a sentence that names nobody tells a deed as that of the job's person."""
    case = read.case
    if deed.told != "done" or deed.kind in _OF_THEIR_OWN or not case.declares_needs or len(case.evidence.subject_names) < 2:
        return False
    if _PHRASES["is_passive_before"].search(deed.before) or _PHRASES["is_passive_inside"].search(deed.behind):
        return False
    return not (persons_in(sentence.text) or read.people_in(sentence.text))


_OF_THEIR_OWN = frozenset({"read", "write"})
"""Deeds that anybody does who writes in a channel."""


def _not_the_speaker(sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """The line that the sentence rests on, where others wrote it than whose words the sentence says they are."""
    reports = _PHRASES["according_to"].search(sentence.text)
    called = [name for name in reports.groups() if name] if reports else []
    facts = persons_in(sentence.text)
    called += [fact.text for fact in facts if _PHRASES["according_to_behind"].match(sentence.text, fact.end)]
    label = _PHRASES["begins_with_a_person"].match(sentence.text)
    if label and not _COUNTED.fullmatch(sentence.text, label.end()):
        called.append(label["en"] or label["ja"])
    lines: Sequence[EvidenceUnit] = [unit for unit in sentence.units if unit.persons]
    for name in called:
        names = read.names(name)
        if names & read.authors and lines and not any(_may_be_of(unit, names, read) for unit in lines):
            yield lines[0]


_COUNTED = re.compile(r"[*_\s]*\d{1,5}\s?[^\d\s(（]{0,12}(?:\s?[(（][^()（）]{0,300}[)）]?)?[*_\s。.]*")
"""What counts something of somebody is none of their words: 健太さん: 3件（#418、#425、#438）."""


def _done_since(sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """A line that tells a deed of an id as done, where the sentence tells that it is still waited for: PR #436 は承認待ちです."""
    ids = ids_of(one.fact for one in sentence.facts)
    waited_for = [deed for deed in deeds_in(sentence.text) if ids and deed.kind in _DONE_TO_AN_ID and _is_waited_for(deed)]
    by = read.people_in(sentence.text) if waited_for else []
    for kind in dict.fromkeys(deed.kind for deed in waited_for):
        for unit, deed in read.of_kind(kind):
            by_them = not by or any(read.doers(unit, deed) & names for names in by)
            if deed.told == "done" and not _is_waited_for(deed) and by_them and ids & read.ids(unit, in_its_talk=True):
                yield unit


def _done_after_all(sentence: SentenceSupport, read: DeedsRead) -> Iterator[EvidenceUnit]:
    """A line that tells a deed of an id as done, where the sentence denies that it was, by whomever: merged without a review."""
    ids = ids_of(one.fact for one in sentence.facts)
    denied = [deed for deed in deeds_in(sentence.text) if deed.told == "denied"] if ids else []
    # what comes behind the first was not denied: before it was merged
    first = min(denied, key=lambda deed: len(deed.before), default=None)
    if first is None or first.kind not in _DONE_TO_AN_ID or _doer_in(first) is not None:
        return
    told = [(unit, deed) for unit, deed in read.of_kind(first.kind) if ids & read.ids(unit, in_its_talk=True)]
    if told and all(deed.told == "done" and not _is_waited_for(deed) for _, deed in told):
        yield told[0][0]


_DONE_TO_AN_ID = frozenset({"approve", "check", "merge", "release", "review"})
"""Deeds that are done to a pull request or a version as a whole: one that was mended may wait for another thing to be mended."""


def _is_waited_for(deed: Deed) -> bool:
    """Whether a deed is told as still to come: 承認待ち, waiting for the review."""
    behind = deed.behind[:LONGEST_WAIT]
    waits = _PHRASES["waits_for_a_deed"].search(deed.before if behind.isascii() else behind)
    return bool(waits) and not _PHRASES["waits_no_more"].search(deed.before if behind.isascii() else deed.behind)


LONGEST_WAIT = 8
"""Characters of a deed and of what is right behind it in Japanese."""


def _may_be_of(unit: EvidenceUnit, names: frozenset[str], read: DeedsRead) -> bool:
    """Whether a line is by somebody, names them, or names one who wrote nothing that was read and may be them."""
    strangers = (fact for fact in persons_in(unit.text[:500]) if not read.names(fact.text) & read.authors)
    return read.is_by_or_about(unit, names) or any(True for _ in strangers)
