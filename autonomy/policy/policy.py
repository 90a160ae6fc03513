"""Decides whether a call is allowed, needs approval, or is denied.

Operator's rules come first, a denial before anything else. Then the envelope: a job's declared needs, or the plan that the model
declared while only trusted words were in view. A write beside it is denied with the reason; inside of it, and for every read,
each value is judged by where it goes and where it came from (`decision_table`).
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import filter as fnmatch_filter
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field

from autonomy.llm.model import Need
from autonomy.policy.dataflow import UNTRUSTED, concern, foreign_data, may_only_read, strange_code
from autonomy.policy.decision_table import Decision, Reach, SourceClass, TracedValue, Verdict, cell
from autonomy.policy.need_binding import binding_violations, free_arguments, is_write, referred_needs
from autonomy.policy.policy_words import any_stands, in_words
from autonomy.policy.read_claims import change_by_read
from autonomy.policy.request_envelope import (
    as_worded,
    leaves_to_text,
    may_be_asked_about,
    page_may_be_asked_for,
    pages_called_for,
    unforeseen,
)
from autonomy.policy.request_mood import begins_no_order, is_put_into, orders_in, orders_no_addition
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, sink_of
from autonomy.policy.texts.addresses import readable
from autonomy.policy.texts.given_addresses import GivenAddresses
from autonomy.policy.write_plan import (
    PlannedArgument,
    PlannedWrite,
    WritePlan,
    delegates,
    planned_for,
    same_value,
    times_said,
)
from autonomy.provenance.action_claims import kinds_asked_for, kinds_of_tool, verbs_of_tool
from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec
from discovery.names import natural_name
from discovery.review.effect_proposals import effect_of_name


class PolicyRule(Frozen):
    """One of the operator's rules. Empty fields match everything; globs are case-sensitive."""

    name: str
    decision: Literal["allow", "ask", "deny"]
    tenant: str = "*"
    job: str = "*"
    provider: str = "*"
    tool: str = "*"
    effects: tuple[Effect, ...] = ()
    arguments: dict[str, str] = Field(default_factory=dict)
    """Argument name → glob for its value, as text. Of several values, or addresses in one text, an `allow` applies only where
    each of them matches, `ask` and `deny` where any does."""
    free: tuple[str, ...] | None = None
    """The other arguments that the call may have: texts, with no link that nobody gave. None leaves all others open."""
    reason: str = ""

    def applies(self, tenant: str, job: str, spec: ToolSpec, arguments: JsonObject) -> bool:
        """Whether the rule speaks of this call."""
        globs = ((self.tenant, tenant), (self.job, job), (self.provider, spec.provider))
        return (
            all(fnmatchcase(value, glob) for glob, value in globs)
            and any(fnmatchcase(name, self.tool) for name in self._names(spec))
            and (not self.effects or spec.effect in self.effects)
            and all(self._matches(arguments.get(name, ""), glob) for name, glob in self.arguments.items())
            and (self.free is None or self._leaves_free(arguments, self.free))
        )

    def _names(self, spec: ToolSpec) -> tuple[str, ...]:
        """The name of a tool. Where another tool claims its name too, both are called otherwise: a denial or question still holds
        for the name that its writer knew, and an `allow` for none that somebody else could claim."""
        return (spec.name,) if self.decision == "allow" else (spec.name, natural_name(spec.provider, spec.tool))

    def _matches(self, value: Any, glob: str) -> bool:
        if self.decision == "allow" and not _SIGNS.search(glob):
            return _fits(value, glob)  # one value and no other, whatever it holds
        members = _members(value)
        candidates = (*members, *_mailboxes(members))
        if self.decision == "allow":
            return all(_fits(one, glob) for one in candidates)
        alike = _alike(glob)
        return any(_fits(one, glob) or _fits(_alike(one), alike) for one in candidates)

    def _leaves_free(self, arguments: JsonObject, free: tuple[str, ...]) -> bool:
        beside = arguments.keys() - self.arguments.keys()
        return beside <= set(free) and all(isinstance(arguments[name], str) for name in beside)


def _members(value: Any) -> tuple[Any, ...]:
    """The values that one argument stands for: those of a list or object, and what is nested too deeply as one text."""
    try:
        return tuple(_leaf_values(value)) or ("",)
    except RecursionError:
        return ("(nested too deeply)",)


def _leaf_values(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _leaf_values(one)
    elif isinstance(value, dict):
        yield from _leaf_values([*value, *value.values()])
    else:
        yield value


def _fits(value: Any, glob: str) -> bool:
    """Whether a value matches as Python or as JSON writes it: an operator writes `true`."""
    return fnmatchcase(str(value), glob) or (not isinstance(value, str) and fnmatchcase(json.dumps(value, default=str), glob))


_SIGNS = re.compile(r"(?<!\[)[*?]|\[(?![\[*?]\])")
"""Signs of a glob that are not escaped, as in `[*]`."""
_BETWEEN = re.compile(r"[^\w.+'%@-]+")
"""What stands in no mailbox: signs between two of them, brackets, quotation marks, in any width."""


def _mailboxes(members: Sequence[Any]) -> tuple[str, ...]:
    """The mailboxes inside of texts, as whoever sends reads them: `a@x.example、b@y.example` goes to both."""
    texts = [readable(one[:_LONGEST_LIST]) for one in members if isinstance(one, str) and "@" in one]
    parts = [part.split("@") for text in texts for part in _BETWEEN.split(text) if "@" in part]
    return tuple("@".join(pair).rstrip(".") for part in parts for pair in pairwise(part))


_LONGEST_LIST = 100_000
"""Characters of a text in which addresses are sought."""


def _alike(value: Any) -> str:
    """Normalize the spelling: full width, capitals and invisible characters make no other recipient."""
    return readable(str(value)[:_LONGEST_LIST]).strip().casefold()


class Circumstances(Frozen):
    """The circumstances of a decision beside the call itself."""

    tenant: str = "default"
    job: str = ""
    writes: tuple[Need, ...] = ()
    """The write needs the run declares."""
    able: tuple[Need, ...] = ()
    """Those of all declared needs that this tool could meet."""
    closed: bool = False
    """Whether the run declares what it needs: then a write that it does not declare is not its business."""
    done: Mapping[str, int] = Field(default_factory=dict)
    """How often each declared write need, and each planned write (`key_of`), was met already."""
    plan: WritePlan | None = None
    """What the model declared before it read anything; None when it declared nothing."""
    sources: frozenset[str] = frozenset()
    """The providers of the tools that could meet the declared reads."""
    labels: frozenset[str] = frozenset()
    """What the model has seen."""
    to_confirm: frozenset[str] = frozenset()
    """Tools that the tenant wants a person asked about."""
    strangers: frozenset[str] = frozenset()
    """Tools that would take over a need which others met in this job's runs before."""
    known: str = ""
    """The words of those who may decide: the goal, its inputs, the job."""
    words: str = ""
    """The goal of a run that declares no needs: of a write as long as the model has seen nothing else, and of every call where
    the model `declined`; else empty."""
    declined: bool = False
    """Whether the model declared no plan when it was asked for one beside what was read: the `words` are its plan then."""
    siblings: frozenset[str] = frozenset()
    """Where it `declined`: the tools of the same provider, the called one among them."""
    made: int = 0
    """Where it `declined`: how often this tool wrote."""
    written: int = 0
    """Where it `declined`: how often any tool wrote."""
    repeated: bool = False
    """Where there are `words`: whether the tool was called for the same recipient, place or thing before."""
    looked: frozenset[str] = frozenset()
    """The reads that were made."""
    opened: int = 0
    """How many addresses were opened that nobody named."""
    traced: tuple[TracedValue, ...] = ()
    """The call's values with their sinks and sources."""
    readers: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """The tools that could meet each declared read, by the need's id."""
    given: GivenAddresses = GivenAddresses()
    """The addresses that stand in what was read."""
    drafts: frozenset[str] = frozenset()
    """The write needs that a person reads before they are met."""


class Policy(Frozen):
    """The operator's rules, and what holds when none of them speaks."""

    rules: tuple[PolicyRule, ...] = ()
    free_writes: Literal["allow", "ask", "deny"] = "ask"
    """Writes of a goal that declares no needs and no plan."""

    def decide(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
        """Decide on one call. What the job calls a draft is shown to a person even where a rule would let it pass."""
        return self.decide_collecting(spec, arguments, given.tenant, given.job, given.drafts, lambda: given)

    def decide_collecting(
        self,
        spec: ToolSpec,
        arguments: JsonObject,
        tenant: str,
        job: str,
        drafts: Collection[str],
        collect: Callable[[], Circumstances],
    ) -> Decision:
        """The same. What else it hangs on is collected only where the operator's rules leave it open: it takes ten times as long
        as to read them."""
        matching = [rule for rule in self.rules if rule.applies(tenant, job, spec, arguments)]
        looks_at_links = any(rule.free is not None and rule.decision != "deny" for rule in matching)
        if matching and not looks_at_links and (spec.read_only or not drafts):
            return _strictest(matching)
        given = collect()
        decided = self._decide(spec, arguments, given, matching)
        drafted = [need for need in given.able if need.id in drafts and not binding_violations(need, spec, arguments)]
        if decided.decision != "deny" and drafted and not spec.read_only:
            why = f"{drafted[0].id} is a draft until a person has read it"
            also = f"; {decided.reason}" if decided.decision == "ask" and decided.reason else ""
            return decided.model_copy(update={"decision": "ask", "rule": "draft", "reason": why + also})
        return decided

    def _decide(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances, matching: Sequence[PolicyRule]) -> Decision:
        if rules := [rule for rule in matching if rule.free is None or rule.decision == "deny" or not _has_strange_link(given)]:
            return _strictest(rules)
        if spec.name in given.to_confirm:
            return Decision(decision="ask", rule="tenant's permission", reason=f"{spec.name} requires confirmation")
        if spec.name in given.strangers:
            reason = f"other tools than {spec.name} met this need in earlier runs of the job, and they are gone"
            return Decision(decision="ask", rule="another tool than before", reason=reason)
        if spec.read_only:
            return _read(spec, arguments, given)
        if (given.writes or given.closed) and _is_unannotated_read(spec, given):
            return _read(spec.model_copy(update={"effect": Effect.READ}), arguments, given)
        if given.writes or given.closed:
            return _within_the_job(spec, arguments, given)
        return self._free_write(spec, arguments, given)

    def _free_write(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
        worry = _worry(spec, arguments, given, ())
        if self.free_writes == "deny" or (self.free_writes == "allow" and not worry):
            return Decision(decision=self.free_writes, rule="free-form writes", reason=_what_it_does(spec))
        if given.plan is not None:
            return _within_the_plan(spec, arguments, given, given.plan)
        if self.free_writes == "allow":
            return Decision(decision="ask", rule="data flow", reason=worry)
        if given.declined and UNTRUSTED in given.labels:
            return _within_the_words(spec, arguments, given)
        if not worry and _is_asked_for(spec, arguments, given):
            return Decision(decision="allow", rule="as the request says")
        if UNTRUSTED in given.labels and not _is_spoken_of(spec, given.known):
            return _beside_the_words(f"the request does not call for {spec.name}, and text from tools was in view")
        return Decision(decision="ask", rule="free-form writes", reason=worry or _what_it_does(spec))


def _is_asked_for(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> bool:
    """Whether the request itself calls for this write and says who or where, when and how much, before anything else was seen.

    A model that declared as much in a plan would not be asked about it either; many just make the call.
    """
    if not given.words or spec.effect is Effect.DESTRUCTIVE or given.repeated:
        return False
    if not kinds_of_tool(spec.tool) or not called_for(spec, given.words):
        return False
    unsaid = {value.argument for value in given.traced if value.source is not SourceClass.WORDS}
    if not arguments.keys() - unsaid or any(value.sink not in _WORDING for value in given.traced if value.argument in unsaid):
        return False
    args = {
        name: PlannedArgument(own=True) if name in unsaid or value is None else PlannedArgument(fixed=value)
        for name, value in arguments.items()
    }
    plan = WritePlan(writes=(PlannedWrite(tool=spec.name, args=args),))
    return _within_the_plan(spec, arguments, given.model_copy(update={"done": {}}), plan).decision == "allow"


def _within_the_words(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    """A write after reading, of a model that declares no plan: what the request's words leave open may be found, and what only a
    text says is denied. A question would be answered with yes, whoever wrote the text."""
    words, called = given.words, _is_spoken_of(spec, given.words) or _is_ordered(spec, given)
    called = called and not orders_no_addition(words, spec.tool)
    if not called and not delegates(words):
        return _beside_the_words(f"the request does not call for {spec.name}, and text from tools was in view")
    who = [value for value in given.traced if value.sink in WHO_OR_WHERE]
    each_is_said = bool(who) and all(value.source is SourceClass.WORDS for value in who)
    if given.made >= times_said(words) and (given.repeated or not each_is_said):
        return _beside_the_words(f"{spec.name} was made as often as the request calls for")
    values = [as_worded(value, given.given, words) for value in given.traced]
    # then a field is never enough, and which of them it is can be seen by a person
    removes = spec.effect is Effect.DESTRUCTIVE and not (_only_makes(spec) and each_is_said)
    said_by_texts = [value for value in values if not (removes and value.source is SourceClass.FIELD)]
    _, beside = worst_of([value for value in said_by_texts if not may_be_asked_about(value, words)], _reach(spec))
    if beside and not leaves_to_text(words):
        return _beside_the_words(f"{beside}: the request does not say so; leave it out, or say in your answer what you would do")
    verdict, reason = worst_of(values, _reach(spec))
    worded = {name: value for name, value in arguments.items() if name not in {one.argument for one in who}}
    if verdict == "allow" and (found := unforeseen(values, words, given.siblings)):
        reason = found
    elif verdict == "allow" and _repeats_itself(arguments):
        reason = f"{spec.name} would do the same several times in one call"
    elif verdict == "allow" and given.repeated and "pay" in kinds_of_tool(spec.tool):
        reason = f"{spec.name} paid the same recipient already"  # "messages" in the request counts no payments
    elif verdict == "allow" and (code := strange_code(worded, given.known)):
        reason = f"a code or number ({code}) that nobody asked for stands in its wording"
    elif verdict == "allow" and called and not removes:
        return Decision(decision="allow", rule="as the request says")
    return Decision(decision="ask", rule="free-form writes", reason=reason or _what_it_does(spec))


def _what_it_does(spec: ToolSpec) -> str:
    """A call by its effect, as a sentence."""
    if spec.effect is Effect.DESTRUCTIVE:
        return f"{spec.name} takes something away"
    return f"{spec.name} sends something to others" if spec.effect is Effect.OUTWARD else f"{spec.name} changes something"


def _beside_the_words(reason: str) -> Decision:
    return Decision(decision="deny", rule="not in the request", reason=reason)


_WORDING = frozenset({Sink.TEXT, Sink.NAME, Sink.FLAG})
"""What a model may word or choose by itself where the request says all the rest."""


def _strictest(rules: Sequence[PolicyRule]) -> Decision:
    """What the first rule says, a denial before anything else."""
    rule = min(rules, key=lambda rule: rule.decision != "deny")
    return Decision(decision=rule.decision, rule=rule.name, reason=rule.reason)


def _has_strange_link(given: Circumstances) -> bool:
    links = [value for value in given.traced if value.sink is Sink.LINK]
    return UNTRUSTED in given.labels and any(cell("write", Sink.LINK, value.source) != "allow" for value in links)


def called_for(spec: ToolSpec, words: str) -> bool:
    """Whether the words ask for this kind of action; a tool whose name says no kind is left to the person.

    Names of tools are loose: what is sent may go out by `put`, and what is made by `post`. Only what takes away, pays or books
    has to be spoken of.
    """
    kinds, wanted_kinds = kinds_of_tool(spec.tool), kinds_asked_for(words)
    if not kinds or kinds & wanted_kinds or verbs_of_tool(spec.tool) & set(in_words(words).split()):
        return True
    if "book" in kinds and any_stands("booking", words):
        return True
    return bool(kinds & _MAKING) and (bool(wanted_kinds & _OUTWARD) or any_stands("making", words))


def _is_spoken_of(spec: ToolSpec, words: str) -> bool:
    """Whether the words ask for this call, where a stranger's text may ask for it as well.

    What takes away by a verb that no list knows (`purge_queue`) has to be called so; in another language nobody can tell.
    """
    if spec.effect is not Effect.DESTRUCTIVE or kinds_of_tool(spec.tool) or not words.isascii():
        return called_for(spec, words)
    named = in_words(spec.tool).split()
    verb = next((word for word in named if effect_of_name(word)), next(iter(named), ""))  # `browser_click`
    return f" {verb} " in in_words(words)


def _is_ordered(spec: ToolSpec, given: Circumstances) -> bool:
    """Whether the words order a deed in whatever words, and say whom or what it is done to: by name, or as the tool calls it.

    What takes away or pays has to be spoken of itself. Nobody knows which tool such a verb means, so that all tools together may
    write as often as something is ordered.
    """
    kinds, orders = kinds_of_tool(spec.tool), orders_in(given.words)
    if (
        given.written >= max(orders, times_said(given.words))
        or kinds & _SPOKEN_OF
        or (spec.effect is Effect.DESTRUCTIVE and not kinds & _MAKING)
    ):
        return False
    who = [one for one in given.traced if one.sink in WHO_OR_WHERE and one.source is not SourceClass.CHOICE]
    each_is_said = bool(who) and all(one.named or one.source is SourceClass.WORDS for one in who)
    if not orders:
        return each_is_said and any(is_put_into(value.value, given.words) for value in who)
    return each_is_said or bool(_things_of(spec) & set(in_words(given.words).split()))


def _things_of(spec: ToolSpec) -> frozenset[str]:
    """What a tool deals with, by the nouns of its name, in singular and plural: `issue` and `issues` of `create_issue`."""
    words = set(in_words(spec.tool.replace("_", " ")).split()) - verbs_of_tool(spec.tool) - set(in_words(spec.provider).split())
    nouns = [word for word in words if len(word) >= _SHORTEST_NOUN and not begins_no_order(word)]
    return frozenset(form for noun in nouns for form in (noun, f"{noun}s", noun.removesuffix("s")))


_SHORTEST_NOUN = 3
"""Letters: `id` is in each tool's name, and may be in a request."""
_SPOKEN_OF = frozenset({"delete", "pay"})


def _only_makes(spec: ToolSpec) -> bool:
    """Whether a tool that may overwrite something is called after what it makes, and not after what it takes away."""
    kinds = kinds_of_tool(spec.tool)
    return bool(kinds & _MAKING) and not kinds & _SPOKEN_OF


_MAKING = frozenset({"create", "update", "save"})
_OUTWARD = frozenset({"post", "mail", "send", "notify", "share"})


def _read(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    pages = [value.value for value in given.traced if value.sink is Sink.HOST and _is_page_to_open(value, given)]
    given = given.model_copy(update={"known": " ".join([given.known, *pages])})
    traced = [value for value in given.traced if value.sink is not Sink.HOST or value.value not in pages]
    if pages and (beside := sorted({value.argument for value in traced if _says_something(value)})):
        return Decision(decision="ask", rule="data flow", reason=f"{', '.join(beside)} would be told to {pages[0]}")
    if UNTRUSTED in given.labels and (change := change_by_read(spec, given.traced, arguments, given.known)):
        return Decision(decision="ask", rule="data flow", reason=f"{spec.name} would not only read, but {change}")
    if UNTRUSTED in given.labels and (strange := _strange_host(traced, given)):
        envelope = "job" if given.closed else "plan" if given.plan is not None else "request"
        return Decision(decision="deny", rule=f"not in the {envelope}", reason=strange)
    if worry := _worry(spec, arguments, given, ()):
        return Decision(decision="ask", rule="data flow", reason=worry)
    private = foreign_data(spec, given.labels, given.sources)
    looked_at = [value for value in traced if value.sink is not Sink.LINK or private] if UNTRUSTED in given.labels else []
    verdict, reason = worst_of(looked_at, "read")
    return Decision(decision=verdict, rule="data flow" if reason else "reads", reason=reason)


def _is_unannotated_read(spec: ToolSpec, given: Circumstances) -> bool:
    """Whether a tool of a provider that the job reads says nothing of its effect, and by name, words and schema only reads."""
    return not spec.read_only and spec.provider in given.sources and may_only_read(spec)


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
        given.given.has_page(value.value, _givers(need, value.argument, given))
        for need in given.able
        if not is_write(need.effect)
    )


def _givers(need: Need, argument: str, given: Circumstances) -> tuple[str, ...]:
    """The tools out of whose results a job fills an argument, where it says so (`{{need_id}}`)."""
    return tuple(tool for read in referred_needs(need, argument, given.readers) for tool in given.readers[read])


def _strange_host(traced: Sequence[TracedValue], given: Circumstances) -> str:
    """The address that nobody named and that neither job nor plan foresees to be opened; empty when there is none."""
    strange = [value for value in traced if value.sink is Sink.HOST and value.source is not SourceClass.WORDS]
    if not strange:
        return ""
    reason = f"{strange[0].value} was named by nobody who may decide"
    if given.closed:
        reads = [need for need in given.able if not is_write(need.effect)]
        left_open = {name for need in reads for name in free_arguments(need) if not _givers(need, name, given)}
        return "" if all(value.argument in left_open for value in strange) else reason
    if given.declined and given.plan is None:
        pages = page_may_be_asked_for(given.words) and all(
            given.given.has_page(value.value, [*given.given.by_tool]) for value in strange
        )
        return "" if pages else f"{reason}; the request speaks of no such page"
    return reason if given.plan is not None and (given.plan.links_from or given.opened >= given.plan.links) else ""


def _within_the_plan(spec: ToolSpec, arguments: JsonObject, given: Circumstances, plan: WritePlan) -> Decision:
    write, why = planned_for(plan, spec, arguments, given.done)
    if write is None and UNTRUSTED in given.labels:
        return Decision(decision="deny", rule="not in the plan", reason=why)
    if write is None:
        return Decision(decision="ask", rule="not in the plan", reason=why)
    if plan.reads is not None and (beside := sorted(given.looked - set(plan.reads))):
        return Decision(
            decision="ask", rule="data flow", reason=f"{', '.join(beside)} was read, and the plan does not speak of it"
        )
    values = [_as_planned(value, write, given.given, seen=UNTRUSTED in given.labels) for value in given.traced]
    verdict, reason = worst_of(values, _reach(spec))
    if verdict == "allow" and _repeats_itself(arguments) and not _is_fixed_whole(write, arguments):
        return Decision(decision="ask", rule="data flow", reason=f"{spec.name} would do the same several times in one call")
    if verdict == "allow" and spec.effect is Effect.DESTRUCTIVE and not any(v.source is SourceClass.WORDS for v in values):
        return Decision(decision="ask", rule="data flow", reason=f"{spec.name} takes away what nobody named")
    return Decision(decision=verdict, rule="data flow" if reason else "as planned", reason=reason)


def _repeats_itself(arguments: JsonObject) -> bool:
    """Whether one argument lists what is done, and the same twice but for its wording: two payments to one account.

    What says neither to whom nor how much is no deed: two paragraphs of one message.
    """
    for value in arguments.values():
        items = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
        sinks = [{name: sink_of(name, {}) for name in item} for item in items[:MOST_DEEDS]]
        deeds = [
            {name: item[name] for name, sink in of_item.items() if sink is not Sink.TEXT}
            for item, of_item in zip(items, sinks, strict=False)
            if not _SAYS_WHAT_IS_DONE.isdisjoint(of_item.values())
        ]
        if any(same_value(deed, earlier) for at, deed in enumerate(deeds) for earlier in deeds[:at]):
            return True
    return False


_SAYS_WHAT_IS_DONE = frozenset((*WHO_OR_WHERE, Sink.AMOUNT))
MOST_DEEDS = 200
"""Of one list that are compared with each other."""


def _is_fixed_whole(write: PlannedWrite, arguments: JsonObject) -> bool:
    """Whether the plan fixes every list of the call."""
    return all(write.argument(name).fixed is not None for name, value in arguments.items() if isinstance(value, list))


def _as_planned(value: TracedValue, write: PlannedWrite, given: GivenAddresses, *, seen: bool) -> TracedValue:
    """The value with the source that the plan gives it, or takes from it. `seen`: whether text from tools was in view."""
    planned, source = write.argument(value.argument), value.source
    named = value.argument in write.args
    if source is SourceClass.FIELD and value.sink in WHO_OR_WHERE and (planned.own or not named):
        source = SourceClass.TEXT  # a field says who or where only in what the plan left open: nobody foresaw another
    elif planned.fixed is not None:
        source = SourceClass.WORDS
    elif not seen and value.sink is Sink.COMMAND and planned.own:
        source = SourceClass.WORDS  # nothing that was read had a part in it
    elif seen and value.sink is Sink.FLAG and source is SourceClass.OWN and not named:
        source = SourceClass.NOWHERE  # whether all are told, or all may see it, was foreseen by nobody
    elif planned.open not in (None, "*") and _is_only_mailbox(value, fnmatch_filter(given.by_tool, planned.open), given):
        source = SourceClass.FIELD
    elif planned.open is not None and source is SourceClass.FIELD:
        source = source if any(fnmatchcase(tool, planned.open) for tool in value.tools) else SourceClass.TEXT
    elif planned.own and source is SourceClass.NOWHERE:
        source = SourceClass.OWN
    return value.model_copy(update={"source": source})


def _is_only_mailbox(value: TracedValue, givers: Sequence[str], given: GivenAddresses) -> bool:
    of_text = value.sink is Sink.RECIPIENT and value.source is SourceClass.TEXT
    return of_text and given.has_only_mailbox(value.value, givers)


def _reach(spec: ToolSpec) -> Reach:
    return "read" if spec.read_only else "destructive" if spec.effect is Effect.DESTRUCTIVE else "write"


def worst_of(values: Sequence[TracedValue], reach: Reach) -> tuple[Verdict, str]:
    """The worst cell of the table for these values, and what it says in one sentence; allow and nothing when all pass."""
    cells = [(cell(reach, value.sink, value.source), value) for value in values]
    verdict: Verdict = "deny" if any(c == "deny" for c, _ in cells) else "ask" if any(c == "ask" for c, _ in cells) else "allow"
    reasons = dict.fromkeys(f"{v.argument} ({v.sink}) {_FROM[v.source]}: {v.value}" for c, v in cells if c == verdict != "allow")
    return verdict, "; ".join(list(reasons)[:5])


_FROM = {
    SourceClass.WORDS: "from the request",
    SourceClass.CHOICE: "chosen",
    SourceClass.FIELD: "from a field that was read",
    SourceClass.PASTED: "from what was pasted",
    SourceClass.OWN: "in the run's own words",
    SourceClass.TEXT: "from text that was read",
    SourceClass.NOWHERE: "from nowhere",
}


def _within_the_job(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    able = [need for need in given.able if is_write(need.effect)]
    violations = {need.id: binding_violations(need, spec, arguments) for need in able}
    fitting = tuple(need for need in able if not violations[need.id])
    if not fitting:
        # of a need whose fixed arguments the tool does not even take, only the words are alike
        broken = next((names for names in violations.values() if spec.parameters.keys() & set(names)), ())
        if not broken:
            return Decision(decision="deny", rule="not in the job", reason=f"no declared need of this job is met by {spec.name}")
        return Decision(decision="deny", rule="outside its binding", reason=f"the job fixes {', '.join(broken)} to another value")
    left = tuple(need for need in fitting if given.done.get(need.id, 0) < need.times)
    if not left:
        reason = f"need {fitting[0].id} was met {given.done[fitting[0].id]} times, and the job allows no more"
        return Decision(decision="deny", rule="met already", reason=reason)
    agreed = _agreed(spec, arguments, given)
    rest = {name: value for name, value in arguments.items() if name not in agreed}
    if worry := _worry(spec, rest, given, left):
        return Decision(decision="ask", rule="data flow", reason=worry)
    if UNTRUSTED in given.labels:
        verdict, reason = worst_of([value for value in _left_open(left, given) if value.argument not in agreed], _reach(spec))
        if reason:
            return Decision(decision=verdict, rule="data flow", reason=reason)
    free = ", ".join(sorted(free_arguments(left[0]))) or "nothing"
    return Decision(
        decision="allow", rule=f"need {left[0].id}", reason=f"as the job declares, with {free} in the run's own words"
    )


def _agreed(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> frozenset[str]:
    """The arguments whose values stand in a list of writes that a person agreed to in this run of the job."""
    write = planned_for(given.plan, spec, arguments, given.done)[0] if given.plan is not None else None
    return frozenset() if write is None else frozenset(name for name, one in write.args.items() if one.fixed is not None)


def _left_open(serving: Sequence[Need], given: Circumstances) -> list[TracedValue]:
    """The values of the arguments that the job leaves to the run; a figure it reckoned itself is its own."""
    free = frozenset().union(*(free_arguments(need) for need in serving))
    return [_as_left_open(value, serving, given) for value in given.traced if value.argument in free]


def _as_left_open(value: TracedValue, serving: Sequence[Need], given: Circumstances) -> TracedValue:
    if value.source is SourceClass.NOWHERE:
        return value.model_copy(update={"source": SourceClass.OWN})
    givers = {need.id: _givers(need, value.argument, given) for need in serving}
    if any(_is_only_mailbox(value, tools, given.given) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.FIELD})
    is_field = value.source is SourceClass.FIELD and value.sink in WHO_OR_WHERE
    if is_field and all(tools and not set(tools) & set(value.tools) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.TEXT})  # the job says which read it is filled from
    return value


def _worry(spec: ToolSpec, arguments: JsonObject, given: Circumstances, serving: Sequence[Need]) -> str:
    return concern(spec, arguments, serving=serving, labels=given.labels, sources=given.sources, known=given.known)
