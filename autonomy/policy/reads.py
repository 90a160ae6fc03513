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


def decide_read(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> Decision:
    """Allow what only looks, opens no address that nobody foresaw, and carries no other provider's data out."""
    pages = [value.value for value in facts.traced if value.sink is Sink.HOST and _is_page_to_open(value, facts)]
    facts = facts.model_copy(update={"known": " ".join([facts.known, *pages])})
    traced = [value for value in facts.traced if value.sink is not Sink.HOST or value.value not in pages]
    if pages and (payload := sorted({value.argument for value in traced if _says_something(value)})):
        return ask(f"{', '.join(payload)} would be told to {pages[0]}")
    if UNTRUSTED in facts.labels and (change := change_by_read(spec, facts.traced, arguments, facts.known)):
        return ask(f"{spec.name} would not only read, but {change}")
    if UNTRUSTED in facts.labels and (file := secret_file(arguments, facts.known)):
        return ask(f"programs keep their secrets in {file}")
    if UNTRUSTED in facts.labels and (strange := _strange_host(traced, facts)):
        envelope = "job" if facts.closed else "plan" if facts.plan is not None else "request"
        return Decision(decision="deny", rule=f"not in the {envelope}", reason=strange)
    if worry := concern(spec, arguments, facts):
        return ask(worry)
    private = foreign_data(spec, facts.labels, facts.sources)
    looked_at = [value for value in traced if value.sink is not Sink.LINK or private] if UNTRUSTED in facts.labels else []
    verdict, reason = worst_of(looked_at, "read")
    return Decision(decision=verdict, rule="data flow" if reason else "reads", reason=reason)


def _says_something(value: TracedValue) -> bool:
    """Whether a value could tell a page's owner of the run: not what words or schema give, nor a short number or a switch."""
    informs = value.source not in (SourceClass.WORDS, SourceClass.CHOICE) and value.sink is not Sink.FLAG
    return informs and not (value.sink is Sink.AMOUNT and len(value.value) <= _SHORT_NUMBER)


_SHORT_NUMBER = 6
"""Figures: how much of a page is read, and from where."""


def _is_page_to_open(value: TracedValue, facts: Circumstances) -> bool:
    """Whether the plan or the job foresees that this address is taken out of a result, and it is a plain one of it."""
    plan = None if facts.closed else facts.plan
    if plan is not None and (plan.links or plan.links_from):
        return facts.opened < plan.links and facts.read_addresses.has_page(value.value, plan.links_from)
    if plan is not None or facts.declined:  # a plan that says nothing of links leaves them to the words
        givers = plan.reads if plan is not None and plan.reads is not None else [*facts.read_addresses.by_tool]
        words = facts.words if plan is None else facts.goal
        return facts.opened < pages_called_for(words) and facts.read_addresses.has_page(value.value, givers)
    return any(
        facts.read_addresses.has_page(value.value, givers_of(need, value.argument, facts))
        for need in facts.able
        if not is_write(need.effect)
    )


def _strange_host(traced: Sequence[TracedValue], facts: Circumstances) -> str:
    """The address that nobody named and that neither job nor plan foresees to be opened; empty when there is none."""
    strange = [value for value in traced if value.sink is Sink.HOST and value.source is not SourceClass.WORDS]
    if not strange:
        return ""
    reason = f"{strange[0].value} was named by nobody who may decide"
    if facts.closed:
        reads = [need for need in facts.able if not is_write(need.effect)]
        left_open = {name for need in reads for name in free_arguments(need) if not givers_of(need, name, facts)}
        return "" if all(value.argument in left_open for value in strange) else reason
    if facts.declined and facts.plan is None:
        pages = page_may_be_asked_for(facts.words) and all(
            facts.read_addresses.has_page(value.value, [*facts.read_addresses.by_tool]) for value in strange
        )
        return "" if pages else f"{reason}; the request speaks of no such page"
    return reason if facts.plan is not None and (facts.plan.links_from or facts.opened >= facts.plan.links) else ""
