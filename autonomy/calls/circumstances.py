"""Collects the circumstances by which the policy decides on a call."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from autonomy.calls.run_handle import Run
from autonomy.completion.evidence import same_target
from autonomy.llm.messages import ToolCall
from autonomy.llm.model import Need
from autonomy.llm.templates import tables_in
from autonomy.policy.arguments.argument_sources import QUOTED, depends_on_sources, trace_arguments
from autonomy.policy.dataflow import UNTRUSTED, foreign_data, letters_of, pieces_of_sentence, strange_codes, strange_texts
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.need_binding import binding_violations, is_write
from autonomy.policy.read_claims import only_queries
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, sink_of
from autonomy.policy.texts.addresses import addresses_in, addresses_named, is_named
from autonomy.policy.texts.given_addresses import GivenAddresses, opens_named_page
from autonomy.policy.texts.page_snapshots import REFERENCES, PageElement, elements_of
from autonomy.policy.write_plan import key_of, made_for, same_value
from autonomy.provenance.sources.leaves import last_key
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.earlier_texts import earlier_versions
from autonomy.run_state.handed_on import Giver, handed_on
from autonomy.run_state.rows_read import rows_to_tell, times_written
from autonomy.run_state.run_provenance import addresses_given, labels_in_view, sources_of_run
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject, ToolSpec


def circumstances(
    ctx: ToolExecutionContext,
    spec: ToolSpec,
    arguments: JsonObject,
    ahead: Sequence[ToolCall] = (),
    *,
    to_decide: bool = False,
) -> Circumstances:
    """Collect the facts of the run by which the policy decides on a call.

    `ahead`: the other calls of the same reply that may happen. `to_decide`: the facts are shown to nobody, so the sources of
    values on which no decision depends are left out.
    """
    task = ctx.request.task
    reads = [need for need in task.needs if not is_write(need.effect)]
    reading = [name for need in reads for name in ctx.candidates.get(need.id, ())]
    known, addresses = _trusted_words_and_addresses(ctx)
    labels = labels_in_view(ctx)
    declined = ctx.plan_sought and ctx.write_plan is None
    unread = UNTRUSTED not in labels and not spec.read_only and not ctx.request.pasted
    goal = ctx.request.trusted_task.goal
    words = goal if declined or (unread and not task.needs) else ""
    about_to = [(call.name, call.arguments) for call in ahead]
    called = [*((record.tool, record.arguments) for record in ctx.records), *about_to]
    written = [] if spec.read_only else [*_writes_made(ctx, spec, arguments), *about_to]
    looked = [record for record in ctx.records if record.attempts and record.effect == "read"]
    content = [record for record in ctx.records if record.is_answered_read]
    traced = _trace_call(ctx, spec, arguments, addresses, to_decide=to_decide)
    # only a value that could be an address out of a result makes it worth reading results for addresses
    may_be_given = any(value.source is not SourceClass.WORDS and value.sink in (Sink.HOST, Sink.RECIPIENT) for value in traced)
    brings_out = spec.read_only and bool(foreign_data(spec, labels, ()))
    return Circumstances(
        tenant=ctx.request.tenant,
        job=ctx.request.job,
        writes=tuple(need for need in task.needs if is_write(need.effect)),
        able=_needs_tool_could_meet(spec.name, ctx),
        closed=bool(task.needs),
        done=_count_writes(ctx, written) | _begun_by_rows(ctx, spec, arguments, written),
        plan=ctx.write_plan,
        sources=frozenset(spec.provider for spec in ctx.offered if spec.name in reading) if reading else frozenset(),
        labels=labels,
        words=words,
        declined=declined,
        siblings=frozenset(one.name for one in ctx.catalog.of(spec.provider))
        if (declined or ctx.write_plan is not None) and not spec.read_only
        else frozenset(),
        made=sum(name == spec.name for name, _ in written) if declined else 0,
        written=sum(not (one := ctx.catalog.get(name)) or not one.read_only for name, _ in written) if declined else 0,
        repeated=bool(words or ctx.write_plan)
        and not spec.read_only
        and _is_repeated(spec, arguments, written if declined or ctx.write_plan else called),
        to_confirm=ctx.to_confirm,
        strangers=ctx.strangers,
        known=known,
        goal=goal,
        looked=frozenset(record.tool for record in (*looked, *content)),
        opened=_strange_addresses(ctx, addresses),
        traced=traced,
        readers={need.id: ctx.candidates.get(need.id, ()) for need in reads},
        read_addresses=_addresses_by_tool(ctx, addresses) if may_be_given else GivenAddresses(),
        returned=_returned_codes(ctx, spec, arguments, known) if brings_out else frozenset(),
        told=_told_before(ctx, spec, known, ahead) if brings_out else frozenset(),
        quoted=quoted_from(ctx, spec, arguments, known) if brings_out else "",
        drafts=frozenset(ctx.request.approval.drafts),
    )


def _returned_codes(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, known: str) -> frozenset[str]:
    """The codes in a read's arguments that stand as a whole in what its provider answered to reads of this run."""
    if not (codes := frozenset(strange_codes(arguments, known))):
        return codes
    answers = [record for record in ctx.records if record.provider == spec.provider and record.is_answered_read]
    known_texts: dict[str, str] = ctx.memo.setdefault("structured_texts", {})
    for record in answers:
        known_texts.setdefault(record.call_id, json.dumps(record.result.structured))
    texts = [part for record in answers for part in (record.whole or record.result.text, known_texts[record.call_id])]
    forms = {code: re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])") for code in codes}
    return frozenset(code for code, form in forms.items() if any(form.search(text) for text in texts))


def _told_before(ctx: ToolExecutionContext, spec: ToolSpec, known: str, ahead: Sequence[ToolCall]) -> frozenset[str]:
    """The texts without a trusted source in the calls of this run to the tool's provider, those `ahead` included."""
    made = [one.arguments for one in ctx.records if one.provider == spec.provider and (one.attempts or one.ok)]
    made += [call.arguments for call in ahead if (one := ctx.catalog.get(call.name)) and one.provider == spec.provider]
    return frozenset(text for arguments in made for text in strange_texts(arguments, known))


def quoted_from(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, known: str) -> str:
    """Another provider of whose answers a read's arguments repeat a sentence, however it is set; empty if there is none.

    A text in one piece that stands there as it is (a path, a title in an address) is the name of a thing.
    """
    texts = list(strange_texts(arguments, known))
    pieces = {text: found for text in texts if (found := pieces_of_sentence(text))}
    if len(texts) > 1:  # a sentence in several values of one call
        in_order, alone = " ".join(reversed(texts)), list(map(letters_of, texts))
        if found := [one for one in pieces_of_sentence(in_order) if not any(one in text for text in alone)]:
            pieces[in_order] = found  # else no answer need be gone through
    if not pieces:
        return ""
    folded: dict[str, str] = ctx.memo.setdefault("folded_answers", {})
    for record in ctx.records:
        if record.provider != spec.provider and record.is_answered_read:
            answer = record.whole or record.result.text
            if record.call_id not in folded:
                folded[record.call_id] = letters_of(answer)
            for text, found in pieces.items():
                if any(piece in folded[record.call_id] for piece in found) and not (_is_name(text) and text in answer):
                    return record.provider
    return ""


def _is_name(text: str) -> bool:
    return text.isascii() and " " not in text.strip()


def _needs_tool_could_meet(tool: str, ctx: ToolExecutionContext) -> tuple[Need, ...]:
    return tuple(need for need in ctx.request.task.needs if tool in ctx.candidates.get(need.id, ()))


def served_needs(spec: ToolSpec, arguments: JsonObject, ctx: ToolExecutionContext) -> tuple[Need, ...]:
    """The declared needs that a call meets if it goes well."""
    return tuple(need for need in _needs_tool_could_meet(spec.name, ctx) if not binding_violations(need, spec, arguments))


def may_read(run: Run, tool: str, arguments: JsonObject) -> bool:
    """Whether the host may read by itself: the run may use the tool, and no person would have to be asked."""
    spec = run.ctx.catalog.get(tool)
    if spec is None or tool not in run.ctx.allowed:
        return False
    decision = run.services.policy.decide(spec, arguments, circumstances(run.ctx, spec, arguments))
    return decision.decision == "allow"


def is_traced(ctx: ToolExecutionContext, spec: ToolSpec) -> bool:
    """Whether the sources of a call's values matter: a read before anything was seen needs none."""
    return not spec.read_only or bool(labels_in_view(ctx))


def _trusted_words_and_addresses(ctx: ToolExecutionContext) -> tuple[str, frozenset[str]]:
    """The trusted words of the run, and the addresses in them; computed once."""
    if "known" not in ctx.memo:
        words = ctx.request.trusted_words
        ctx.memo["known"] = words, addresses_named(words)
    found: tuple[str, frozenset[str]] = ctx.memo["known"]
    return found


def _writes_made(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject) -> list[tuple[str, JsonObject]]:
    """The writes of this run, without those that this call replaces: for an idempotent tool, calls that differ from it in long
    texts alone."""

    def is_replaced(record: CallRecord) -> bool:
        new_record = record.model_copy(update={"tool": spec.name, "arguments": arguments})
        return spec.idempotent and same_target(record, new_record, None)

    return [
        (record.tool, record.arguments)
        for record in ctx.records
        if (record.receipt is not None or record.simulated) and not is_replaced(record) and not _only_queried(record, ctx)
    ]


def _only_queried(record: CallRecord, ctx: ToolExecutionContext) -> bool:
    """Whether a call of a tool that may write was let through as a read."""
    spec = ctx.catalog.get(record.tool)
    return spec is not None and only_queries(spec, record.arguments)


def _trace_call(
    ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, addresses: frozenset[str], *, to_decide: bool
) -> tuple[TracedValue, ...]:
    if not is_traced(ctx, spec):
        return ()
    if to_decide and spec.read_only and not depends_on_sources(spec, arguments):
        return ()
    siblings = frozenset(one.name for one in ctx.catalog.of(spec.provider))
    traced = trace_arguments(spec, arguments, sources_of_run(ctx), addresses, _kept_addresses(ctx, spec, arguments), siblings)
    if spec.read_only:
        return traced
    given = handed_on(ctx, spec, arguments, served_needs(spec, arguments, ctx))
    return tuple(_as_handed_on(_as_element(value, ctx, spec), given) for value in traced)


def _as_handed_on(value: TracedValue, given: Mapping[str, Giver]) -> TracedValue:
    """An id that a write of this run returned, as the job's word, where the job says that it goes there."""
    giver = given.get(value.argument)
    if giver is None:
        return value
    if value.sink is not Sink.ID and not (giver.is_version and value.sink in (Sink.AMOUNT, Sink.NAME)):
        return value
    told = {"returned_for": giver.need, "tools": (giver.tool,), "told_by": f"{giver.tool}: {value.value}"}
    return value.model_copy(update={**told, "source": SourceClass.WORDS, "beside": False, "shared": False})


def _as_element(value: TracedValue, ctx: ToolExecutionContext, spec: ToolSpec) -> TracedValue:
    """A reference to an element of a page as the element that the newest snapshot shows: its name may stand in the request, and a
    person is shown it."""
    if REFERENCES.isdisjoint((value.argument, last_key(value.path))) or value.source is SourceClass.WORDS:
        return value
    tool, elements = _page_in_view(ctx, spec.provider)
    if (element := elements.get(value.value)) is None:
        return value
    source = SourceClass.WORDS if element.is_said(ctx.request.trusted_task.goal) else SourceClass.FIELD
    shown = f'{value.value} ({element.role} "{element.label}")'[:QUOTED]
    return value.model_copy(update={"value": shown, "source": source, "tools": (tool,), "told_by": shown})


def _page_in_view(ctx: ToolExecutionContext, provider: str) -> tuple[str, dict[str, PageElement]]:
    """The tool that brought the newest snapshot of a browser's page, and its elements; none where a later step may have left the
    page."""
    for record in reversed(ctx.records):
        if record.provider != provider or not record.attempts:
            continue
        if elements := elements_of(record.result.text):
            return record.tool, elements
        if record.effect != "read":
            break
    return "", {}


def _kept_addresses(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject) -> frozenset[str]:
    """The addresses that stand already in the text that a write changes, as far as the run has read it."""
    if spec.read_only:
        return frozenset()
    reads = [
        record
        for record in ctx.records
        if record.is_answered_read and record.provider == spec.provider and _is_of_the_same(record.arguments, spec, arguments)
    ]
    versions = earlier_versions(arguments, reads)
    return frozenset(addresses_in(list(versions))) if versions else frozenset()


def _is_of_the_same(read: JsonObject, spec: ToolSpec, arguments: JsonObject) -> bool:
    """Whether a read was of what a write changes: its arguments that say who or where are the write's, and there is at least
    one."""
    who = [name for name in read if sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE]
    return bool(who) and all(name in arguments and same_value(read[name], arguments[name]) for name in who)


def _count_writes(ctx: ToolExecutionContext, written: Sequence[tuple[str, JsonObject]]) -> dict[str, int]:
    """How often each write need and each planned write was met by these calls."""
    done: Counter[str] = Counter()
    for name, made in written:
        made_by = ctx.catalog.get(name)
        if made_by is None or made_by.read_only:
            continue
        done.update(need.id for need in served_needs(made_by, made, ctx))
        if ctx.write_plan is not None and (write := made_for(ctx.write_plan, made_by, made, done)) is not None:
            done[key_of(write)] += 1
    return dict(done)


def _begun_by_rows(
    ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, written: Sequence[tuple[str, JsonObject]]
) -> dict[str, int]:
    """How often each need of this call that is filled with rows of a read was met with these rows."""
    if spec.read_only:
        return {}
    met = {}
    for need in served_needs(spec, arguments, ctx):
        for table in tables_in(need.arguments):
            reads = [record for record in ctx.records if table.need in record.needs and record.is_answered_read]
            told = rows_to_tell(reads, table, ctx.request.task.language)
            if (times := times_written(need, arguments, [made for _, made in written], told)) is not None:
                met[need.id] = times
    return met


def _is_repeated(spec: ToolSpec, arguments: JsonObject, made: Sequence[tuple[str, JsonObject]]) -> bool:
    """Whether the same tool was called with the same arguments that say who or where."""
    who = [name for name in arguments if sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE]
    return any(tool == spec.name and all(earlier.get(name) == arguments[name] for name in who) for tool, earlier in made)


def _strange_addresses(ctx: ToolExecutionContext, addresses: frozenset[str]) -> int:
    """The number of addresses in the arguments of reads that no trusted words name; counted on from the last call."""
    taken, count = ctx.memo.get("strange_addresses", (0, 0))
    for record in ctx.records[taken:]:
        if record.attempts and (record.effect == "read" or (ctx.write_plan and record.tool in (ctx.write_plan.reads or ()))):
            count += sum(not is_named(address, addresses) for address in addresses_in(record.arguments))
    ctx.memo["strange_addresses"] = len(ctx.records), count
    return int(count)


def _addresses_by_tool(ctx: ToolExecutionContext, named: frozenset[str]) -> GivenAddresses:
    """The addresses that results of this run gave, by the tool that brought them."""
    by_tool: dict[str, frozenset[str]] = {}
    on_named_pages: frozenset[str] = frozenset()
    for record, addresses in addresses_given(ctx):
        by_tool[record.tool] = by_tool.get(record.tool, frozenset()) | addresses
        if (spec := ctx.catalog.get(record.tool)) and opens_named_page(spec, record.arguments, named):
            on_named_pages |= addresses
    return GivenAddresses(by_tool=by_tool, on_named_pages=on_named_pages)
