"""The case that a rule judges: the run, its evidence, what was delivered and what was answered."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from weakref import proxy

from autonomy.completion.evidence import SHORTEST_TEXT, RunEvidence, SentText
from autonomy.llm.model import Task
from autonomy.policy.policy_words import policy_words
from autonomy.provenance.attribution import Encode
from autonomy.provenance.coverage import CallView, asks_for_a_page_alone, unread_calls
from autonomy.provenance.misstatements.alignment import RecordList, misplaced, record_lists
from autonomy.provenance.misstatements.contradictions import Contradiction, contradictions
from autonomy.provenance.quoted_lines import lines_of, quoted_from
from autonomy.provenance.reckoning.derivations import is_measure
from autonomy.provenance.records.told_rows import asks_for_the_outermost
from autonomy.provenance.sentence_vectors import encoder
from autonomy.provenance.sources.conversations import Conversation, conversations_in
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.support import Attribution, FactSupport, SentenceSupport
from autonomy.provenance.text.dates import local_moment
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import EXACT, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import data_of, words_beside
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of
from metrics.text.quotations import PAIRS

_T = TypeVar("_T")
_PHRASES = patterns_of("autonomy.completion")
FEW_SENTENCES, FEW_FACTS = 2, 2
"""Up to so many sentences, and figures, days, times and ids that the question does not name, an answer says one thing. Of such
answers 78 of 182 bad ones had a finding of any kind at first sight, and 11 of 70 good ones; of longer ones the same share of both
(docs/gaming.md)."""
MOST_STATES = 12
"""Different words of a column that files rows, as a state does; more are names."""
_LISTED_LINE = re.compile(r"^ {0,3}(?:[-*•・]|\d{1,2}[.)]) ", re.MULTILINE)
CLOCK_AS_WRITTEN = re.compile(r"\dT(\d\d:\d\d)")
"""The time of a moment on the clocks of its own offset."""
_TABLE_ROW = re.compile(r"^ {0,3}\|.*\w", re.MULTILINE)
_LISTS = re.compile(r"(?:^\s*(?:[-*•・]|\d{1,2}[.)]) .*\n?(?:[ \t]+\S.*\n?|\n(?=[-*•・\d]))*)+", re.MULTILINE)
"""Lines of a list, with what is indented below them and single blank lines between."""


def is_base_of_rate(fact: Fact, behind: str) -> bool:
    """Whether a figure is the one of something that is set equal to so much of another: 1ドル＝148.20円."""
    return fact.kind is FactKind.NUMBER and fact.keys[0] == "1" and bool(_EQUALS.match(behind))


def is_of_the_run(text: str) -> bool:
    """Whether a sentence tells how the run went, which rules of calls hold against them."""
    return bool(_PHRASES["of_the_run"].search(text))


_EQUALS = re.compile(r"\s?[=＝≒≈]")
MOST_OF_A_QUIET_DAY = 6
"""Lines of what somebody wrote on a day, with the fields beside them, of which it may be said that it was quiet."""


class FreeText(NamedTuple):
    """A text that a free goal gives out, held against what was read."""

    text: str
    sentences: tuple[tuple[SentenceSupport, int | None], ...]
    """Each sentence, and from which place on it only repeats a line of what was read with that line's own label."""

    @property
    def unrepeated(self) -> Attribution:
        """Without the sentences that repeat such a line: that says of it what it says itself."""
        return Attribution(tuple(sentence for sentence, repeats in self.sentences if repeats is None))

    def own_facts(self) -> Iterator[tuple[SentenceSupport, FactSupport]]:
        """The facts, with their sentences, that are no part of a repeated line."""
        for sentence, repeats in self.sentences:
            for support in sentence.facts:
                if repeats is None or support.fact.start < sentence.start + repeats:
                    yield sentence, support


@dataclass(frozen=True)
class Case:
    """One final answer and the run behind it."""

    ctx: ToolExecutionContext
    answer: str
    refuses: bool = False
    """Whether the answer is a refusal."""
    _made: dict[Callable[["Case"], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    _contradicted: dict[int, tuple[Attribution, tuple[Contradiction, ...]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """By the identity of the attributed text, which is kept so that no other one gets it."""

    @property
    def task(self) -> Task:
        """What was asked for."""
        return self.ctx.request.task

    @property
    def goal(self) -> str:
        """The goal in the words of who asked."""
        return self.task.goal

    @property
    def declares_needs(self) -> bool:
        """Whether it is of a job that says what it needs; without, the goal is all that an answer can be held against."""
        return bool(self.task.needs)

    @cached_property
    def is_own_knowledge(self) -> bool:
        """Whether the answer says that it was not collected."""
        return bool(_PHRASES["own_knowledge"].search(self.answer))

    def made_once(self, make: Callable[["Case"], _T]) -> _T:
        """What several checks make of this case, made once."""
        if make not in self._made:
            self._made[make] = make(proxy(self))  # it may keep what it is made of, which would keep it in turn for ever
        made: _T = self._made[make]
        return made

    @cached_property
    def evidence(self) -> RunEvidence:
        """The run's sources, reads and writes."""
        return RunEvidence.of(self.ctx)

    @cached_property
    def informative_reads(self) -> list[CallRecord]:
        """The reads that asked for something or brought a text; a bare listing was about nothing, unless it was read on in."""
        content, reads = self.evidence.content, self.evidence.reads
        read_on = {record.tool for record in reads if asks_for_a_page_alone(record.arguments)}
        return [
            record for record in reads if record.arguments or record.tool in read_on or isinstance(content(record).result, str)
        ]

    @cached_property
    def looked_up(self) -> Sources:
        """What such reads asked for and brought, and where writes went, without the words of the question; made once for all
        checks, because it reads all results again."""
        found = Sources(self.evidence.day, self.evidence.sources.zone)
        found.add_settings({})
        for record in self.informative_reads:
            found.add_result(record.call_id, record.tool, self.evidence.content(record).data, arguments=record.arguments)
            found.add_result(record.call_id + "?", record.tool, record.arguments)
        for record in self.evidence.writes:  # where something is to go is named by the write itself
            found.add_result(record.call_id + "?", record.tool, record.arguments)
        return found

    @cached_property
    def conversations(self) -> list[Conversation]:
        """The messages that were read, by conversation."""
        results = (self.evidence.content(record).data for record in self.evidence.reads)
        return conversations_in(results, self.evidence.sources.identities)

    @cached_property
    def list_lengths(self) -> frozenset[int]:
        """How many lines the answer and the delivered text list: in each list, and in all."""
        texts = dict.fromkeys((self.answer, self.delivered))
        lists = [len(_LISTED_LINE.findall(block)) for text in texts for block in _LISTS.findall(text)]
        return frozenset({*lists, sum(lists)}) - {0}

    @cached_property
    def rows_told(self) -> int:
        """The lines of the longest list, or of all tables, of the answer."""
        return max((len(_TABLE_ROW.findall(self.answer)), *self.list_lengths))

    def counts_own_lines(self, fact: Fact) -> bool:
        """Whether a number of things is that of the lines which the answer itself lists."""
        return fact.kind is FactKind.NUMBER and not is_measure(fact.unit) and fact.keys[0] in map(str, self.list_lengths)

    def counts_rows(self, fact: Fact, sentence: str) -> bool:
        """Whether a number of things is that of the rows with a word that the sentence names: 12 of 交通費."""
        if fact.kind is not FactKind.NUMBER or is_measure(fact.unit) or not fact.keys[0].isdecimal():
            return False
        text, count = fold(sentence), int(fact.keys[0])
        return any(
            table.words(column).count(word) == count and stands(text, word)
            for table in self.evidence.sources.tables()
            for column in table[0].cells
            if len(table.distinct(column)) <= MOST_STATES
            for word in table.distinct(column)
        )

    def derives_otherwise(self, fact: Fact) -> bool:
        """Whether a number of the answer is written in what was read or follows from it, and not by counting alone."""
        return fact.keys in self._derived_otherwise

    @cached_property
    def _derived_otherwise(self) -> frozenset[tuple[str, ...]]:
        facts = self.attribution(self.answer).facts
        return frozenset(one.fact.keys for one in facts if one.sources or one.derived not in ("", "count"))

    @cached_property
    def delivered(self) -> str:
        """The text that went out, or would have, where the job has its result delivered; else empty."""
        return self.evidence.delivered()

    @property
    def text(self) -> str:
        """The text that the rules judge: the delivered text without the words around it, or the answer if nothing is
        delivered."""
        return self.delivered or self.answer

    @cached_property
    def unquoted_answer(self) -> str:
        """The answer with its quotations of a whole text that was sent emptied: that says it to whom it was sent, and is judged
        as sent."""
        text = self.answer
        for sent in {one.text.strip() for one in self.evidence.sent() if len(one.text) > SHORTEST_TEXT}:
            for opening, closing in PAIRS.items():
                text = text.replace(f"{opening}{sent}{closing}", f"{opening}{closing}")
        return text

    @cached_property
    def own_words(self) -> str:
        """The lines of the answer that do not stand in what went out: what the run says of itself.

        A rehearsal has to show what would go out, so a line of that counts as quoted however short it is.
        """
        sent = "\n".join(text.text for text in self.evidence.sent() if len(text.text) > SHORTEST_TEXT)
        rehearsed = {line.strip() for text in self.evidence.sent() if text.record.simulated for line in text.text.splitlines()}
        return "\n".join(
            line
            for line in self.unquoted_answer.splitlines()
            if (line.strip() not in sent and line.strip() not in rehearsed) or not line.strip()
        )

    def tells_of_the_run(self, text: str) -> bool:
        """Whether a sentence tells how the run went: also, where nothing was written, that something could not be done."""
        unmade = (
            ()
            if self.evidence.writes
            else (_PHRASES["says_it_cannot"], _PHRASES["could_not_look"], _PHRASES["tells_of_no_action"])
        )
        return is_of_the_run(text) or any(one.search(text) for one in unmade)

    def calls_it_quiet(self, text: str) -> bool:
        """Whether a sentence says that a day was a quiet one, and the job's person wrote little on it."""
        return self._was_quiet and bool(_PHRASES["calls_it_quiet"].search(text))

    @cached_property
    def _was_quiet(self) -> bool:
        names, days = self.evidence.subject_names, set(self.evidence.about.days)
        own = {unit.text for unit in self.evidence.units if unit.persons & names and not days.isdisjoint(unit.days)}
        return bool(names and days) and len(own) <= MOST_OF_A_QUIET_DAY

    @cached_property
    def fixed_and_rehearsed(self) -> str:
        """The texts of rehearsed writes that the job's file fixes: what would go out where its condition holds, which a rehearsal
        shows whether it holds or not."""
        needs = {need.id: need for need in self.task.needs}
        rehearsed = [text for text in self.evidence.sent() if text.record.simulated]
        return "\n".join(
            text.text
            for text in rehearsed
            if any(text.text in needs[need].arguments.values() for need in text.record.needs if need in needs)
        )

    @cached_property
    def said_before(self) -> set[tuple[FactKind, str]]:
        """The facts that the goal names, or the conversation before: an earlier answer was checked against its own reads."""
        request = self.ctx.request
        conversation = "\n".join([self.goal, *(message.text for message in request.history)])
        return {(fact.kind, key) for fact in facts_in(conversation, self.evidence.day) for key in fact.keys}

    def was_said(self, fact: Fact) -> bool:
        """Whether the goal or the conversation before states a fact; `ticket 102` is #102."""
        said = self.said_before
        numbers = (key.removeprefix("#") for key in fact.keys if fact.kind is FactKind.ID and key[1:].isdecimal())
        return any((fact.kind, key) in said for key in fact.keys) or any((FactKind.NUMBER, number) in said for number in numbers)

    @cached_property
    def asked(self) -> tuple[Fact, ...]:
        """The facts of the question, read on the day and in the zone of the run."""
        return facts_in(self.goal, self.evidence.day, self.evidence.sources.zone)

    @cached_property
    def asks_for_the_outermost(self) -> bool:
        """Whether the question asks for the most, the least, the first or the last of all."""
        return asks_for_the_outermost(self.goal)

    @cached_property
    def visible_text(self) -> str:
        """All text that people see: texts that went out, and the answer."""
        return "\n".join(dict.fromkeys([*(text.text for text in self.last_sent), self.answer]))

    @cached_property
    def last_sent(self) -> list[SentText]:
        """The final text in each place."""
        found: dict[tuple[str, tuple[tuple[str, str], ...]], SentText] = {}
        for sent in self.evidence.sent():
            key = (
                sent.record.tool,
                tuple((name, str(value)) for name, value in sorted(sent.record.arguments.items()) if len(str(value)) < 60),
            )
            found[key] = sent
        return list(found.values())

    def is_of_a_person(self, text: str) -> bool:
        """Whether a person wrote it, who changed what was to be sent before granting it."""
        changed = [record for record in self.ctx.records if record.proposed]
        return any(
            text in str(value) and text not in str(record.proposed.get(name))
            for record in changed
            for name, value in record.arguments.items()
        )

    @cached_property
    def free_texts(self) -> tuple[FreeText, ...]:
        """The texts of a free goal: the answer, and what was written and is not in it; none if the answer rests on no read."""
        if not self.evidence.reads or self.declares_needs or self.is_own_knowledge:
            return ()
        sent = [sent.text for sent in self.last_sent if len(sent.text) >= SHORTEST_TEXT and not local_moment(sent.text, None)]
        lines = {line for record in self.evidence.reads for line in lines_of(words_beside(record))}
        return tuple(
            FreeText(text, tuple((one, quoted_from(one.text, self.evidence.sources, lines)) for one in found.sentences))
            for text in (self.unquoted_answer, *(text for text in sent if text not in self.unquoted_answer))
            for found in [self.attribution(text)]
        )

    def contradictions_of_job(self, found: Attribution) -> tuple[Contradiction, ...]:
        """The contradictions between a job's text and its evidence, computed once because two checks need them."""
        if id(found) not in self._contradicted:
            self._contradicted[id(found)] = found, tuple(contradictions(found, self.evidence.sources))
        return self._contradicted[id(found)][1]

    @cached_property
    def contradictions(self) -> tuple[tuple[FreeText, tuple[Contradiction, ...]], ...]:
        """The contradictions between each free text and its evidence, computed once because two checks need them."""
        sources, goal = self.evidence.sources, self.goal
        return tuple((text, tuple(contradictions(text.unrepeated, sources, goal))) for text in self.free_texts)

    @cached_property
    def views(self) -> tuple[CallView, ...]:
        """The reads as coverage sees them."""
        return tuple(map(self.evidence.view, self.evidence.reads))

    @cached_property
    def unread(self) -> tuple[int, ...]:
        """The reads among `views` that have more unread, computed once because several checks need them."""
        return unread_calls(self.views)

    @cached_property
    def stands_or_falls(self) -> bool:
        """Whether a remark alone makes the run doubtful: of a free goal with a short answer. The answer of a job is often short,
        since its text says the rest."""
        return not self.declares_needs and self.is_short

    @cached_property
    def is_short(self) -> bool:
        """Whether the answer says one thing: what is found in it is then about that, and not about a detail of many."""
        if sum(not one.heading for one in sentences_in(self.answer)) > FEW_SENTENCES:
            return False
        facts = facts_in(self.answer, self.evidence.day, self.evidence.sources.zone)
        news = (fact for fact in facts if self.is_news(fact) and not is_base_of_rate(fact, self.answer[fact.end :]))
        own = {(fact.kind, fact.keys[0]) for fact in news}
        return len(own) <= FEW_FACTS

    def is_news(self, fact: Fact) -> bool:
        """Whether a fact is right or wrong to the letter, and was not said by who asked."""
        known_to_asker = any((fact.kind, key) in self.said_before for key in fact.keys)
        return fact.kind in EXACT and not fact.relative and not known_to_asker

    @cached_property
    def record_lists(self) -> tuple[RecordList, ...]:
        """The lists of all reads, whose records are told apart."""
        day, zone = self.evidence.day, self.evidence.sources.zone
        found = ((record.call_id, self.evidence.content(record).data) for record in self.evidence.reads)
        return tuple(one for call_id, data in found for one in record_lists(call_id, data, day, zone))

    def misplaced(self, text: str) -> Iterator[tuple[str, str]]:
        """The facts stated about one record of a list that only other records support, each with its finding; what was written
        may differ from that."""
        sentences = self.attribution(text).sentences
        if not any(fact.sources for one in sentences for fact in one.facts):
            return  # and no result is taken apart into its records
        for one in misplaced(text, sentences, self.record_lists, self.written_keys):
            stated = one.fact.text
            yield stated, f"『{stated}』 stands in another record than this is about: {excerpt(one.record.text, 160)!r}"

    def is_called_tool(self, fact: Fact) -> bool:
        """Whether it is the name of a tool that this run called: one with a figure (`k8s_list_pods`) looks like an id."""
        return any(fact.text == record.tool for record in self.ctx.records)

    def may_be_called(self, name: Fact) -> bool:
        """Whether a name may be how somebody is called of whom all that was read has in Latin letters alone: 遥 for `haruka`.

        It is one, where each sentence with the name rests on one such author's lines, and no other name on the same one's.
        """
        authors = self._called_in_another_script.get(name.keys[0], frozenset())
        return len(authors) == 1 and not any(
            authors & other for key, other in self._called_in_another_script.items() if key != name.keys[0]
        )

    @cached_property
    def _called_in_another_script(self) -> dict[str, frozenset[str]]:
        """Of each name without a source that is not in Latin letters, the authors in such letters on whose lines all rests that
        it is told of."""
        sources = self.evidence.sources
        latin = {person for person in sources.persons if all(name.isascii() for name in sources.identities.names_of(person))}
        found: dict[str, frozenset[str]] = {}
        for sentence in self.attribution(self.text).sentences if latin else ():
            authors = frozenset(person for unit in sentence.units[:1] for person in unit.persons & latin)
            for one in sentence.facts:
                key = one.fact.keys[0]
                is_open = not one.supported or (len(key) == 1 and not _writes(key, sources))  # 遥 of 佐藤 遥の日記 by `haruka`
                if one.fact.kind is FactKind.NAME and is_open and not key.isascii() and sentence.units:
                    found[key] = found.get(key, authors) & authors
        return found

    @cached_property
    def written_keys(self) -> frozenset[str]:
        """The keys of facts in short arguments of writes and in what they answered; every text is held against them."""
        day, zone = self.evidence.day, self.evidence.sources.zone
        both = [part for record in self.evidence.writes for part in (record.arguments, data_of(record))]
        written = (leaf.value for part in both for leaf in leaves(part))
        short = [value for value in written if isinstance(value, str) and len(value) <= SHORTEST_TEXT * 2]
        keys = {key for value in short for fact in facts_in(value, day, zone) for key in fact.keys}
        return frozenset({*keys, *(clock for value in short for clock in CLOCK_AS_WRITTEN.findall(value))})

    @cached_property
    def written_titles(self) -> frozenset[str]:
        """What the run called what it wrote: the titles of its writes that have a text beside, with a word in them."""
        one_line = policy_words("one_line")
        given = (record.arguments for record in self.evidence.writes)
        titles = {
            title.strip()
            for arguments in given
            for name, title in arguments.items()
            if isinstance(title, str) and name.lower() in one_line and _has_text_beside(title, arguments)
        }
        return frozenset(title for title in titles if any(map(str.isalpha, title)))

    @cached_property
    def encode(self) -> Encode | None:
        """What compares by meaning, if it is installed. Not for a run that wrote nothing and refuses: its answer retells no line,
        and the encoder takes a second to load."""
        return None if self.refuses and not self.evidence.writes else encoder()

    def attribution(self, text: str) -> Attribution:
        """The sources of a text."""
        return self.evidence.attribution(text, by_meaning=self.encode is not None)


def not_as_read(said: str, shown: str, longest: int = 160) -> str:
    """The finding that what is said is not what was read, with so many characters at most of that."""
    return f"{excerpt(said, 80)!r} does not agree with what was read: {excerpt(shown, longest)!r}"


def _writes(name: str, sources: Sources) -> bool:
    """Whether somebody is known by this name who wrote what was read."""
    return not sources.persons.isdisjoint(sources.identities.names_of_all((name,)))


def _has_text_beside(title: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a call takes a text of some words besides a title of one line."""
    texts = (value for value in arguments.values() if isinstance(value, str) and value != title)
    return "\n" not in title and any(len(value.split()) > 1 or not value.isascii() for value in texts)
