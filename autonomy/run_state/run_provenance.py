"""Maintains the one index of a run's sources, for policy, judge, approval cards and pages."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from itertools import groupby
from typing import Any

from autonomy.llm.messages import SystemMessage, UserMessage
from autonomy.llm.model import Need, Task
from autonomy.policy.dataflow import UNTRUSTED, is_foreseen_read
from autonomy.policy.need_binding import fixed_arguments, is_write
from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.addresses import addresses_in
from autonomy.policy.write_plan import DECLARE_PLAN, WritePlan
from autonomy.provenance import About, Origin, Sources
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.identities import telling_words
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.text.dates import is_iso_day
from autonomy.run_state.context import RunProvenance, ToolExecutionContext
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.catalog import Catalog, Effect, JsonObject, ToolSpec
from discovery.schemas.schema_walk import presets

_OFFSET = re.compile(r"T\d\d:\d\d(?::\d\d(?:\.\d+)?)?([+-])(\d\d):(\d\d)\b")
TELLING_RECORDS = 20
"""The results that are asked for their offset from UTC, and of each so many characters."""
TELLING_CHARS = 20_000


def sources_of_run(ctx: ToolExecutionContext) -> Sources:
    """The sources of everything the run has seen until now."""
    if ctx.provenance is None:
        fixed = bool(ctx.request.timezone or about_of(ctx.request.trusted_task).days)
        sources = trusted_sources(ctx)
        zone = sources.zone if ctx.request.timezone else None
        ctx.provenance = RunProvenance(sources, None if fixed else max(ctx.started_at, 0.0), zone=zone)
        for message in ctx.request.history:
            ctx.provenance.sources.add_text(Origin.HISTORY, message.text)
        for text in ctx.request.strange:
            ctx.provenance.sources.add_text(Origin.TEXT, text, "inputs")
        for text in ctx.request.pasted:
            ctx.provenance.sources.add_text(Origin.PASTED, text, "goal")
            ctx.provenance.heard = True  # what it has looked up is somebody's choice
    if ctx.provenance.taken < len(ctx.beforehand) + len(ctx.records):
        planned = (ctx.write_plan.reads if ctx.write_plan else None) or ()
        reads = {name for name in planned if (spec := ctx.catalog.get(name)) and is_foreseen_read(spec)}
        records = [_as_foreseen(record, reads) for record in (*ctx.beforehand, *ctx.records)]
        for _, group in groupby(records[ctx.provenance.taken :], key=lambda record: record.turn):
            _take_in(list(group), ctx.provenance, _fixed_by(None if ctx.plan_asked else ctx.write_plan), ctx.catalog)
    return ctx.provenance.sources


def trusted_sources(ctx: ToolExecutionContext) -> Sources:
    """The words of the operator, the job and the person who asked, and nothing else."""
    task = ctx.request.trusted_task
    now, days = ctx.began, about_of(task).days
    sources = Sources(date.fromisoformat(days[0]) if days else now.date(), now.tzinfo or UTC)
    sources.add_settings({"instructions": ctx.request.instructions, "today": now.date().isoformat()})
    # how often a need is met and how long a section may be are no figures that a text could rest on
    needs = [need.model_dump(mode="json", exclude={"times", "enough"}) for need in task.needs]
    if ctx.request.job:
        sections = [section.model_dump(exclude={"limit"}) for section in task.sections]
        sources.add_job({"goal": task.goal, "inputs": task.inputs, "needs": needs, "sections": sections, "job": ctx.request.job})
    else:
        sources.add_words(task.goal, answered_by=ctx.request.answers_as)
        sources.add_job({"inputs": task.inputs, "needs": needs})
    return sources


def about_of(task: Task) -> About:
    """The subject that all required reads of a task fix, and where its writes go."""
    reads = [about_of_need(need) for need in task.needs if not is_write(need.effect) and need.required]
    writes = [about_of_need(need) for need in task.needs if is_write(need.effect)]

    def fixed(kinds: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for values in kinds for value in values))

    persons, days, places = ([one.persons for one in reads], [one.days for one in reads], [one.places for one in reads])
    return About(fixed(persons), fixed(days), fixed(places), delivered_to=fixed(one.places for one in writes))


def about_of_need(need: Need) -> About:
    """The person, day and place that a need fixes."""
    kinds: dict[str, list[str]] = {"person": [], "time": [], "place": []}
    for name, value in fixed_arguments(need).items():
        kind = "time" if is_iso_day(str(value)) else attribute_kind(name)
        if kind in kinds and isinstance(value, str) and value and (kind != "time" or is_iso_day(value)):
            kinds[kind].append(value)
    return About(tuple(kinds["person"]), _days_from_to(kinds["time"]), tuple(kinds["place"]))


def _days_from_to(days: Sequence[str]) -> tuple[str, ...]:
    """The days of a read; of one from a day to another each that lies between."""
    if len(days) != 2 or not days[0] < days[1]:
        return tuple(days)
    first, last = (date.fromisoformat(day) for day in days)
    span = min((last - first).days, LONGEST_SPAN)
    return tuple((first + timedelta(days=at)).isoformat() for at in range(span + 1))


LONGEST_SPAN = 366


def labels_in_view(ctx: ToolExecutionContext) -> frozenset[str]:
    """The labels of what the model has seen; an earlier answer counts like a result because it repeats what was read for it, and
    so does a text from an outside request."""
    return ctx.labels | ({UNTRUSTED} if ctx.request.pasted or has_read(ctx) else frozenset())


def has_read(ctx: ToolExecutionContext) -> bool:
    """Whether anything came from others in this run or conversation, beside what the person pasted into the request."""
    earlier = any(not isinstance(message, UserMessage | SystemMessage) for message in ctx.request.history)
    return bool(UNTRUSTED in ctx.labels or earlier or ctx.request.strange)


def addresses_given(ctx: ToolExecutionContext) -> Iterator[tuple[CallRecord, frozenset[str]]]:
    """Each read that no text steered, with the addresses, in normal form, that its answer holds."""
    sources_of_run(ctx)
    steered = ctx.provenance.steered if ctx.provenance else set()
    read: dict[str, frozenset[str]] = ctx.memo.setdefault("addresses_given", {})
    for record in (*ctx.beforehand, *ctx.records):
        if record.attempts and record.ok and record.effect == Effect.READ and record.call_id not in steered:
            if record.call_id not in read:
                read[record.call_id] = frozenset(addresses_in([data_of(record), words_beside(record)]))
            yield record, read[record.call_id]


def _as_foreseen(record: CallRecord, reads: Collection[str]) -> CallRecord:
    return record.model_copy(update={"effect": Effect.READ}) if record.effect and record.tool in reads else record


def _fixed_by(plan: WritePlan | None) -> frozenset[str]:
    """The words that a plan fixes for any of its writes: chosen before there was a text to choose them."""
    fixed = (one.fixed for write in plan.writes for one in write.args.values() if one.fixed is not None) if plan else ()
    return frozenset(leaf.value for value in fixed for leaf in leaves([value]) if isinstance(leaf.value, str))


def _given_by_schema(spec: ToolSpec | None) -> frozenset[str]:
    """The words that a tool's own schema gives for its calls; asked of each call once something was read."""
    if spec is None:
        return frozenset()
    words = _WORDS_OF_SCHEMAS.get(spec.fingerprint)
    if words is None:
        if len(_WORDS_OF_SCHEMAS) >= MOST_SCHEMAS:
            _WORDS_OF_SCHEMAS.clear()
        given = leaves(presets(spec.input_schema, spec.input_schema))
        words = frozenset(leaf.value for leaf in given if isinstance(leaf.value, str))
        _WORDS_OF_SCHEMAS[spec.fingerprint] = words
    return words


_WORDS_OF_SCHEMAS: dict[str, frozenset[str]] = {}
MOST_SCHEMAS = 2_000


def _take_in(turn: Sequence[CallRecord], provenance: RunProvenance, fixed: frozenset[str], catalog: Catalog) -> None:
    """Add the answers of one turn; which of its reads were steered is seen by what was in view before."""
    own = [record for record in turn if not record.continues]
    provenance.steered |= {
        record.call_id
        for record in own
        if provenance.heard
        and _is_steered(record.arguments, provenance.sources, fixed | _given_by_schema(catalog.get(record.tool)))
    }
    provenance.steered |= {record.call_id for record in turn if record.continues in provenance.steered}
    provenance.heard = provenance.heard or any(record.tool != DECLARE_PLAN for record in turn)
    for record in turn:
        if provenance.taken < TELLING_RECORDS:
            provenance.offsets.update(_OFFSET.findall(record.result.text[:TELLING_CHARS]))
        add_record(provenance.sources, record, record.call_id, steered=record.call_id in provenance.steered)
        provenance.taken += 1
    if provenance.offsets:
        # the machine of a worker may live in another zone, in which it is still yesterday
        zone = _zone_of_results(provenance.offsets, provenance.zone, provenance.sources.day)
        provenance.sources.settle(zone, None if provenance.now is None else datetime.fromtimestamp(provenance.now, zone).date())


def _zone_of_results(offsets: Counter[tuple[str, str, str]], named: tzinfo | None, day: date | None) -> tzinfo:
    """The zone whose times most results bear; that which the request names where any bears it: of what a team in Los Angeles
    reads, much may be kept by servers in Tokyo."""
    noon = datetime.combine(day or date(2000, 1, 1), time(12), named)
    if named and not offsets.keys().isdisjoint(_OFFSET.findall(f"{noon.isoformat()} {(noon + HALF_A_YEAR).isoformat()}")):
        return named
    (sign, hours, minutes), _ = offsets.most_common(1)[0]
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-offset if sign == "-" else offset)


HALF_A_YEAR = timedelta(days=182)
"""From winter time to summer time."""


def add_record(sources: Sources, record: CallRecord, call_id: str, *, steered: bool = False) -> None:
    """Add a call's result, under the id by which its sources are shown.

    A call that was not made brought nothing: what the host says of it may repeat the model's own values; but the last words of a
    server that is not there are its own. The host's own tools show what is known already, unless they read on in a text that is
    kept beside the run, or in what is attached to an answer.
    """
    own = record.provider == HOST and not record.continues
    if not record.ok:
        sources.add_failure(call_id, record.tool, f"{record.text_answered}\n{record.reason}", record.arguments)
    if own or not (record.attempts or record.ok or record.problem == "transport"):
        return
    data = data_of(record)
    sources.add_result(
        call_id,
        record.tool,
        data,
        arguments=record.arguments,
        effect=Effect(record.effect) if record.effect in set(Effect) else Effect.READ,
        steered=steered or (isinstance(data, str) and _opens_document(record.arguments)),
        is_error=not record.ok,
        text=words_beside(record),
    )


def _opens_document(arguments: JsonObject) -> bool:
    """Whether a read opens a file or a page: its text is its writer's, also where it looks like a record."""
    names = [name.lower() for name in arguments]
    return any(sink_of(name, {}) is Sink.HOST or name.endswith(("path", "file", "filename", "uri")) for name in names)


def data_of(record: CallRecord) -> Any:
    """A call's result: its structured form, else the whole text as the model could see it.

    A form that only wraps a plain string, as SDKs make it of tools that return one, is that text.
    """
    structured = record.result.structured
    wrapped = isinstance(structured, dict) and len(structured) == 1 and isinstance(structured.get("result"), str)
    return record.text_answered if structured is None or wrapped else structured


def words_beside(record: CallRecord) -> str:
    """The words that came beside structured data, without the data that the host wrote behind them for the model."""
    if record.result.structured is None or not (text := record.text_answered):
        return ""
    return text.replace(json.dumps(record.result.structured, ensure_ascii=False), "")


def _is_steered(arguments: JsonObject, sources: Sources, fixed: Collection[str]) -> bool:
    """Whether anything but trusted words, what the plan fixes, fields, short numbers and days chose what is read. A field's
    address is whoever posted it."""
    words = set[str]()
    for value in arguments.values():
        for told in (value,) if isinstance(value, str) else [leaf.value for leaf in leaves(value)]:
            if not isinstance(told, str):
                words |= {str(told).removesuffix(".0")} if abs(told) > LARGEST_MEASURE else set()
                continue
            if not told or told in fixed or _MEASURE.fullmatch(told):
                continue
            trace = sources.trace(told)
            is_firm = trace.weakest in _FIRM if trace.parts else not isinstance(value, str)
            if not is_firm or (trace.weakest is Origin.FIELD and "://" in told):
                return True
            if not trace.parts or any(part.fact is not None for part in trace.parts):
                words |= telling_words(told)
    return len(words) > MOST_WORDS or any(sources.trace(word).weakest is Origin.TEXT for word in words)


MOST_WORDS = 100
"""Of one call that are looked up, each in all that was read; more are a text and no search."""
LARGEST_MEASURE = 9_999
"""A larger number may say which one: an id, an account. Years and most counts are smaller."""
_MEASURE = re.compile(r"[0-9]{1,3}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
"""A short number or a moment, written as text."""
_FIRM = (Origin.OPERATOR, Origin.JOB, Origin.ASKER, Origin.FIELD)
