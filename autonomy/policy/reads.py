"""Decides on a read: which page it opens, whom it tells something, and whether it only reads."""

from collections.abc import Sequence

from autonomy.policy.dataflow import UNTRUSTED, concern, foreign_data, secret_file
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, SourceClass, TracedValue, ask, worst_of
from autonomy.policy.envelopes.request_envelope import page_may_be_asked_for, pages_called_for
from autonomy.policy.envelopes.within_job import givers_of
from autonomy.policy.need_binding import free_arguments, is_write
from autonomy.policy.read_claims import change_by_read
from autonomy.policy.sinks import Sink
from discovery.catalog import JsonObject, ToolSpec


def decide_read(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    """Allow what only looks, opens no address that nobody foresaw, and carries no other provider's data out."""
    pages = [value.value for value in given.traced if value.sink is Sink.HOST and _is_page_to_open(value, given)]
    given = given.model_copy(update={"known": " ".join([given.known, *pages])})
    traced = [value for value in given.traced if value.sink is not Sink.HOST or value.value not in pages]
    if pages and (beside := sorted({value.argument for value in traced if _says_something(value)})):
        return ask(f"{', '.join(beside)} would be told to {pages[0]}")
    if UNTRUSTED in given.labels and (change := change_by_read(spec, given.traced, arguments, given.known)):
        return ask(f"{spec.name} would not only read, but {change}")
    if UNTRUSTED in given.labels and (file := secret_file(arguments, given.known)):
        return ask(f"programs keep their secrets in {file}")
    if UNTRUSTED in given.labels and (strange := _strange_host(traced, given)):
        envelope = "job" if given.closed else "plan" if given.plan is not None else "request"
        return Decision(decision="deny", rule=f"not in the {envelope}", reason=strange)
    if worry := concern(spec, arguments, given):
        return ask(worry)
    private = foreign_data(spec, given.labels, given.sources)
    looked_at = [value for value in traced if value.sink is not Sink.LINK or private] if UNTRUSTED in given.labels else []
    verdict, reason = worst_of(looked_at, "read")
    return Decision(decision=verdict, rule="data flow" if reason else "reads", reason=reason)


def _says_something(value: TracedValue) -> bool:
    """Whether a value could tell a page's owner of the run: not what words or schema give, nor a short number or a switch."""
    informs = value.source not in (SourceClass.WORDS, SourceClass.CHOICE) and value.sink is not Sink.FLAG
    return informs and not (value.sink is Sink.AMOUNT and len(value.value) <= _SHORT_NUMBER)


_SHORT_NUMBER = 6
"""Figures: how much of a page is read, and from where."""


def _is_page_to_open(value: TracedValue, given: Circumstances) -> bool:
    """Whether the plan or the job foresees that this address is taken out of a result, and it is a plain one of it."""
    if given.declined and given.plan is None:
        return given.opened < pages_called_for(given.words) and given.given.has_page(value.value, [*given.given.by_tool])
    if given.plan is not None and not given.closed:
        return given.opened < given.plan.links and given.given.has_page(value.value, given.plan.links_from)
    return any(
        given.given.has_page(value.value, givers_of(need, value.argument, given))
        for need in given.able
        if not is_write(need.effect)
    )


def _strange_host(traced: Sequence[TracedValue], given: Circumstances) -> str:
    """The address that nobody named and that neither job nor plan foresees to be opened; empty when there is none."""
    strange = [value for value in traced if value.sink is Sink.HOST and value.source is not SourceClass.WORDS]
    if not strange:
        return ""
    reason = f"{strange[0].value} was named by nobody who may decide"
    if given.closed:
        reads = [need for need in given.able if not is_write(need.effect)]
        left_open = {name for need in reads for name in free_arguments(need) if not givers_of(need, name, given)}
        return "" if all(value.argument in left_open for value in strange) else reason
    if given.declined and given.plan is None:
        pages = page_may_be_asked_for(given.words) and all(
            given.given.has_page(value.value, [*given.given.by_tool]) for value in strange
        )
        return "" if pages else f"{reason}; the request speaks of no such page"
    return reason if given.plan is not None and (given.plan.links_from or given.opened >= given.plan.links) else ""
