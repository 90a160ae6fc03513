"""Indexes what a run has seen and sent: sources, reads behind each need, what was not visited."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from autonomy.completion.own_posts import own_posts
from autonomy.llm.model import Need, Task
from autonomy.policy.need_binding import fixed_arguments, free_arguments, is_write
from autonomy.provenance.attribution import attribute
from autonomy.provenance.coverage import CallView, coverage_of, unread_calls
from autonomy.provenance.sentence_vectors import encoder
from autonomy.provenance.sources.evidence_units import EvidenceUnit, attribute_kind, epoch
from autonomy.provenance.sources.leaves import ResultContent
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.support import About, Attribution, SentenceSupport
from autonomy.provenance.text.dates import in_zone
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import about_of, about_of_need, data_of, sources_of_run
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.catalog import Effect
from metrics.text.phrases import patterns_of

_SHAPE = re.compile(r"[\W_]*\d[\d\W_]*")
_EVERY = patterns_of("autonomy.completion")["asks_for_every"]
_WORDS_SOUGHT = frozenset(load_words("result_keys")["sought_words"])
"""Arguments that narrow a read to what holds some words: such a read has not seen everything."""
RESULT = "{{result}}"
"""Where a job puts the text that the run answers."""
SHORTEST_TEXT = 20
"""Characters from which an argument is a text that somebody reads, not an address or a title."""


class Gap(NamedTuple):
    """Something that a need asks for and nobody has read."""

    kind: str
    """`unvisited`, `unread`, `failed`, `unlisted` or `narrow`."""
    member: str
    name: str = ""

    @property
    def label(self) -> str:
        """Its name for people."""
        return self.name or self.member


class NeedEvidence(NamedTuple):
    """The state of one read need."""

    need: Need
    met: bool
    """Whether what was read is about the right thing, or nothing was there to be read and everything was looked at."""
    finding: str
    """Why it is not met; empty when it is."""
    reads: tuple[CallRecord, ...]
    """The answered reads that are about it."""
    gaps: tuple[Gap, ...]

    @property
    def mendable(self) -> tuple[Gap, ...]:
        """The gaps that another call could close; what was tried and failed is for the text to tell."""
        return tuple(gap for gap in self.gaps if gap.kind != "failed")


class SentText(NamedTuple):
    """One text that went out."""

    record: CallRecord
    text: str


@dataclass
class RunEvidence:
    """The evidence of one run; extended by what came since, whenever it is asked for."""

    ctx: ToolExecutionContext
    sources: Sources
    reads: list[CallRecord] = field(default_factory=list)
    """Every answered read of a server's tool."""
    writes: list[CallRecord] = field(default_factory=list)
    """Every write with a receipt, or rehearsed."""
    _taken: int = 0
    _attributed: dict[tuple[str, bool], Attribution] = field(default_factory=dict)
    """By text, and whether meaning was compared."""
    _about: tuple[tuple[tuple[EvidenceUnit, ...], int], About] | None = None
    """With the units and the number of writes that it was seen by."""
    _contents: dict[int, tuple[CallRecord, ResultContent]] = field(default_factory=dict)
    """By the identity of its record, which is kept so that no other one gets it."""
    _states: tuple[tuple[EvidenceUnit, ...], int, dict[tuple[str, int | None], NeedEvidence]] | None = None
    """The states of needs, with the units and the number of records that they were seen by."""

    @classmethod
    def of(cls, ctx: ToolExecutionContext) -> "RunEvidence":
        """The evidence kept with a run, brought up to date; built anew when the run is played again."""
        evidence = ctx.memo.get("evidence")
        if not isinstance(evidence, RunEvidence) or evidence.ctx is not ctx:
            evidence = ctx.memo["evidence"] = cls(ctx, sources_of_run(ctx))
        if (taken := len(ctx.beforehand) + len(ctx.records)) != evidence._taken:
            sources_of_run(ctx)
            evidence._taken = taken
            evidence._attributed.clear()
            evidence.reads = [one for one in ctx.records if one.is_answered_read]
            evidence.writes = [one for one in ctx.records if one.simulated or one.acknowledged]
        return evidence

    @property
    def day(self) -> date:
        """The day the run is about."""
        return self.sources.day or date.min

    @property
    def task(self) -> Task:
        """The task that was asked for."""
        return self.ctx.request.task

    @property
    def about(self) -> About:
        """The person, day and place that the declared reads fix; if none fixes a person, the one author of what was read whom
        their descriptions name."""
        known = self.units, len(self.writes)
        if self._about is None or self._about[0][0] is not known[0] or self._about[0][1] != known[1]:
            about = about_of(self.task)
            about = about if about.persons else about._replace(persons=self._described())
            self._about = (
                known,
                about._replace(
                    own_posts=frozenset(own_posts(self.ctx.request, self.reads, self.writes, self.content, self.sources, about))
                ),
            )
        return self._about[1]

    def rests_on_own_posts(self, sentence: SentenceSupport) -> bool:
        """Whether all that a sentence rests on is what the job's own account wrote before."""
        return bool(sentence.units) and self.about.own_posts.issuperset((unit.call_id, unit.path) for unit in sentence.units)

    @property
    def subject_names(self) -> frozenset[str]:
        """All names of the persons that the run is about."""
        return frozenset(name for person in self.about.persons for name in self.sources.identities.names_of(person))

    def _described(self) -> tuple[str, ...]:
        descriptions = fold(" ".join(need.description for need in self.read_needs() if need.required))
        authors = {unit.persons for unit in self.units if unit.persons} if descriptions else set()
        named = {name for persons in authors for name in persons if len(name) > 1 and stands(descriptions, name)}
        return (min(named),) if named and sum(bool(persons & named) for persons in authors) == 1 else ()

    def content(self, record: CallRecord) -> ResultContent:
        """What came back of a call, taken apart once for all checks."""
        if id(record) not in self._contents:
            self._contents[id(record)] = record, ResultContent(data_of(record))
        return self._contents[id(record)][1]

    def view(self, record: CallRecord) -> CallView:
        """A call as coverage sees it; a result that was cut counts as read where the run read on in it."""
        handle = record.result.handle
        truncated = bool(handle) and not any(
            other.provider == HOST and handle in map(str, other.arguments.values()) for other in self.ctx.records
        )
        return CallView(record.tool, record.arguments, self.content(record), Effect.READ, not record.ok, truncated)

    @property
    def units(self) -> tuple[EvidenceUnit, ...]:
        """The evidence units of all reads."""
        return self.sources.units

    def attribution(self, text: str, *, by_meaning: bool = True) -> Attribution:
        """The sources of a text, by words first, and by meaning if words fail, it is asked for and the encoder is installed."""
        encode = encoder() if by_meaning else None
        key = text, encode is not None
        if key not in self._attributed:
            self._attributed[key] = attribute(text, self.sources, self.about, encode)
        return self._attributed[key]

    def delivered(self) -> str:
        """The text that went out last, or would have, where the job has its result delivered."""
        sent = [text for text in self.sent() if set(text.record.needs) & set(self._result_needs())]
        return sent[-1].text if sent else ""

    def sent(self, upto: int | None = None) -> list[SentText]:
        """The texts of all writes that went out, in order; of one write its longest."""
        found = []
        for record in self.ctx.records[:upto]:
            if record.simulated or record.acknowledged:
                texts = [value for value in record.arguments.values() if isinstance(value, str)]
                found.append(SentText(record, max(texts, key=len, default="")))
        return found

    def _result_needs(self) -> list[str]:
        return [need.id for need in self.task.needs if any(RESULT in str(value) for value in need.arguments.values())]

    def need(self, need: Need, upto: int | None = None) -> NeedEvidence:
        """The state of a read need, as of the record at `upto`."""
        units, records = self.units, len(self.ctx.records)
        if self._states is None or self._states[0] is not units or self._states[1] != records:
            self._states = units, records, {}
        states, key = self._states[2], (need.id, upto)
        if key not in states:  # a judgement of a diary asks eight times
            states[key] = self._state(need, upto)
        return states[key]

    def _state(self, need: Need, upto: int | None) -> NeedEvidence:
        serving = [record for record in self.ctx.records[:upto] if need.id in record.needs and record.effect == "read"]
        answered = [record for record in serving if record.ok]
        misled = [(record, wrong) for record in answered if (wrong := self._is_about_other(need, record))]
        others = {id(record) for record, _ in misled}
        reads = [record for record in answered if id(record) not in others]
        if not reads:
            if misled:
                return NeedEvidence(need, False, misled[-1][1], (), ())
            if serving:
                return NeedEvidence(need, False, f"{need.id}: no read of it worked: {serving[-1].reason[:200]}", (), ())
            return NeedEvidence(need, False, f"nothing shows that this was done: {need.shown}", (), ())
        gaps = tuple(self._gaps(need, reads, upto))
        if gaps and not any(self._holds_something(record) for record in reads):
            missing = ", ".join(gap.label for gap in gaps)
            return NeedEvidence(
                need, False, f"{need.id}: nothing was found, and not everything was looked at: {missing}", tuple(reads), gaps
            )
        return NeedEvidence(need, True, "", tuple(reads), gaps)

    def read_needs(self) -> list[Need]:
        """The declared needs that are reads."""
        return [need for need in self.task.needs if not is_write(need.effect)]

    def found_nothing(self) -> bool:
        """Whether there are declared reads, each of them read everything, and nothing was there."""
        states = [self.need(need) for need in self.read_needs() if need.required]
        empty = (state.met and not any(map(self._holds_something, state.reads)) for state in states)
        return bool(states) and all(empty)

    def needs_met(self) -> tuple[str, ...]:
        """The declared needs for which there is evidence: reads about the right thing, or a receipt."""
        proven = {name for record in self.writes if record.receipt for name in record.needs}
        return tuple(
            need.id for need in self.task.needs if need.id in proven or (not is_write(need.effect) and self.need(need).met)
        )

    def _is_about_other(self, need: Need, record: CallRecord) -> str:
        """Why a read is about something else than its need fixes, by what it asked for or what came back."""
        for name, value in fixed_arguments(need).items():
            argument = record.arguments.get(name)
            if argument is None or not isinstance(value, str) or not isinstance(argument, str) or argument == value:
                continue
            if any(fact.kind is FactKind.DATE and value in fact.keys for fact in facts_in(argument, self.ctx.began.date())):
                continue  # said in words
            if not self._same(str(value), argument) and (_alike(value, argument) or not _is_text_with(value, argument)):
                return f"{need.id}: {record.tool} was asked for {name} {argument!r}, and the job is about {value!r}"
        subject = about_of_need(need)
        for name, argument in record.arguments.items():
            of_a_person = attribute_kind(name) == "person" and isinstance(argument, str) and argument and subject.persons
            if of_a_person and not any(self._same(person, argument) for person in subject.persons):
                return f"{need.id}: {record.tool} was asked for {name} {argument!r}, and the job is about {subject.persons[0]!r}"
        units = [unit for unit in self.units if unit.call_id == record.call_id]
        for expected, names_by_unit, what in (
            (frozenset(subject.days), [unit.days for unit in units], "day"),
            (
                frozenset(name for person in subject.persons for name in self.sources.identities.names_of(person)),
                [u.persons for u in units],
                "person",
            ),
        ):
            known = [names for names in names_by_unit if names]
            if expected and known and not any(names & expected for names in known) and (what == "day" or self._knows(expected)):
                shown = ", ".join(sorted({name for names in known for name in names})[:3])
                return f"{need.id}: what {record.tool} brought back is about {shown}, and the job about another {what}"
        if units or not subject.days:
            return ""
        return self._other_range(need, record, subject.days)

    def _other_range(self, need: Need, record: CallRecord, days: Sequence[str]) -> str:
        """Whether an empty answer is about a range of times that leaves the day out."""
        begin, end = (_moment(record.arguments.get(name), self.sources) for name in ("oldest", "latest"))
        outside = [day for day in days if (begin and begin.date().isoformat() > day) or (end and end.date().isoformat() < day)]
        return f"{need.id}: {record.tool} looked at other days than {', '.join(outside)}" if outside else ""

    def _knows(self, names: frozenset[str]) -> bool:
        """Whether any result shows who these names are, so that others can be told from them."""
        return any(unit.persons & names for unit in self.units) or len(names) > 1

    def _same(self, one: str, other: str) -> bool:
        return fold(other).lstrip("#@") in self.sources.identities.names_of(one) or fold(one) in self.sources.identities.names_of(
            other.lstrip("#@")
        )

    def _gaps(self, need: Need, reads: Sequence[CallRecord], upto: int | None) -> Iterator[Gap]:
        """The parts of a need that were not read, as far as the calls themselves show."""
        coverage = required_coverage(need)
        records = [record for record in self.ctx.records[:upto] if record.effect == "read" and record.result.kind != "not_run"]
        views = [*map(self.view, records)]
        own = {at for at, record in enumerate(records) if need.id in record.needs}
        opened = [at for at in unread_calls(views) if at in own]
        whole = any(
            at in own and record in reads and at not in opened and not self._member_of(record, need) and not is_narrow(record)
            for at, record in enumerate(records)
        )
        if whole or coverage is None:
            return
        keys = {key for at in own if (key := self._member_of(records[at], need))}
        listings = [cover for cover in coverage_of(views) if cover.kind in keys]
        tried = {str(records[at].arguments[key]) for at in own for key in keys if key in records[at].arguments}
        if isinstance(coverage, int):
            if len(tried) < coverage and keys:
                yield Gap("unvisited", f"{coverage - len(tried)} more")
            return
        for cover in listings:
            names = dict(cover.names)
            for member in cover.missing:
                kind = "failed" if member in cover.failed else "unread" if member in cover.unread else "unvisited"
                yield Gap(kind, member, names.get(member, ""))
            if cover.open_listing:
                yield Gap("unread", "the rest of the listing")
        if not listings:
            for at in opened:
                yield Gap(
                    "unread",
                    next((str(records[at].arguments[key]) for key in keys if key in records[at].arguments), records[at].tool),
                )
            lost = {
                str(record.arguments.get(key)) for record in records if not record.ok for key in keys if need.id in record.needs
            }
            done = {str(record.arguments.get(key)) for record in reads for key in keys}
            for member in sorted(lost - done - {"None"}):
                yield Gap("failed", member)
            if keys and len(tried) < 2:  # who reads one and has listed none cannot know how many there are
                yield Gap("unlisted", "what there is was never listed")
        if not keys and any(is_narrow(record) for record in reads):
            yield Gap("narrow", "a search for some words does not find everything")

    def _holds_something(self, record: CallRecord) -> bool:
        """Whether anything came back but empty lists and what was asked for."""
        content, argument_values = self.content(record), {str(value) for value in record.arguments.values()}
        if isinstance(content.result, str):
            return bool(content.result.strip())
        return any(str(leaf.value) not in argument_values and leaf.value not in ("", False, 0) for leaf in content.leaves)

    def _member_of(self, record: CallRecord, need: Need) -> str:
        """The argument by which a read visits one of several members (a channel, a page of a category), if it has one."""
        fixed = fixed_arguments(need)
        return next((name for name in record.arguments if name not in fixed and attribute_kind(name) == "place"), "")


def required_coverage(need: Need) -> int | str | None:
    """How much of what there is a need wants read: `all`, a number, or None for anything; unsaid, its description tells."""
    if need.enough is not None:
        return need.enough
    return "all" if _EVERY.search(need.description) else None


def same_target(one: CallRecord, other: CallRecord, need: Need | None) -> bool:
    """Whether two writes go to the same place: equal in everything but the run's own text."""
    free = (
        free_arguments(need)
        if need
        else frozenset(name for name, value in one.arguments.items() if len(str(value)) >= SHORTEST_TEXT)
    )
    return one.tool == other.tool and all(
        one.arguments.get(name) == other.arguments.get(name)
        for name in one.arguments.keys() | other.arguments.keys()
        if name not in free
    )


def _moment(value: Any, sources: Sources) -> datetime | None:
    if (at := epoch(value, sources.zone)) is not None:
        return at
    try:
        return in_zone(datetime.fromisoformat(value), sources.zone) if isinstance(value, str) else None
    except ValueError:
        return None


def _alike(one: str, other: str) -> bool:
    """Whether two values are of one shape (two days, two months), so that one cannot stand for the other."""
    return re.sub(r"\d", "0", one) == re.sub(r"\d", "0", other) and bool(_SHAPE.fullmatch(one))


def _is_text_with(value: str, argument: str) -> bool:
    """Whether one value only says more than the other: a category and one below it."""
    return fold(value) in fold(argument) or fold(argument) in fold(value)


def is_narrow(record: CallRecord) -> bool:
    """Whether a read only looked for some words."""
    return any(name.lower() in _WORDS_SOUGHT and str(value).strip() for name, value in record.arguments.items())
