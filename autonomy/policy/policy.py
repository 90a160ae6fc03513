"""Decides whether a call is allowed, needs approval, or is denied.

Operator's rules come first, a denial before anything else. Then the envelope: a job's declared needs, the plan that the model
declared while only trusted words were in view, or the request's words (`envelopes`). A write beside it is denied with the
reason; inside of it, and for every read (`reads`), each value is judged by where it goes and where it came from
(`decision_table`).
"""

from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from autonomy.policy.dataflow import UNTRUSTED, concern, is_foreseen_read, may_only_read
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, ask, cell, what_it_does
from autonomy.policy.envelopes.within_job import within_the_job
from autonomy.policy.envelopes.within_plan import within_the_plan
from autonomy.policy.envelopes.within_words import (
    beside_the_words,
    is_asked_for,
    is_spoken_of,
    may_be_called_for,
    within_the_words,
)
from autonomy.policy.need_binding import binding_violations
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.read_claims import only_queries
from autonomy.policy.reads import decide_read
from autonomy.policy.requests.forbidden_deeds import forbids
from autonomy.policy.sinks import Sink
from autonomy.policy.texts.file_names import stands_whole
from autonomy.policy.texts.guarded_files import guarded_files, is_guarded, normal_path
from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec


class Policy(Frozen):
    """The operator's rules, and what holds when none of them speaks."""

    rules: tuple[PolicyRule, ...] = ()
    free_writes: Literal["allow", "ask", "deny"] = "ask"
    """Writes of a goal that declares no needs and no plan."""
    own_files: tuple[str, ...] = ()
    """The absolute paths of our own settings, jobs and servers, and of the data directory."""

    def decide(self, spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> Decision:
        """Decide on one call. What the job calls a draft is shown to a person even where a rule would let it pass."""
        return self.decide_collecting(spec, arguments, facts.tenant, facts.job, facts.drafts, lambda: facts)

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
        guarded = () if spec.read_only else tuple(guarded_files(spec, arguments, self.own_files))
        if guarded:
            matching = [rule for rule in matching if rule.decision != "allow" or self._names(rule, guarded)]
        looks_at_links = any(rule.free is not None and rule.decision != "deny" for rule in matching)
        if matching and not looks_at_links and (spec.read_only or not drafts):
            return _strictest(matching)
        facts = collect()
        decided = self._decide(spec, arguments, facts, matching)
        unnamed = [path for path in guarded if not stands_whole(path, facts.known)]
        if decided.decision == "allow" and not matching and unnamed:
            decided = ask(f"{unnamed[0]} says what this machine runs, or keeps its secrets", "guarded file")
        if decided.decision == "deny" or spec.read_only or not (why := _why_a_draft(spec, arguments, facts, drafts)):
            return decided
        also = f"; {decided.reason}" if decided.decision == "ask" and decided.reason else ""
        return decided.model_copy(update={"decision": "ask", "rule": "draft", "reason": why + also})

    def _names(self, rule: PolicyRule, guarded: Sequence[str]) -> bool:
        """Whether a rule speaks of each of these files, and not of all files: `~/.ssh/*`, but not `*`."""
        globs = [glob for glob in rule.arguments.values() if is_guarded(glob, self.own_files)]
        return all(any(fnmatchcase(normal_path(path), normal_path(glob)) for glob in globs) for path in guarded)

    def _decide(self, spec: ToolSpec, arguments: JsonObject, facts: Circumstances, matching: Sequence[PolicyRule]) -> Decision:
        if rules := [rule for rule in matching if rule.free is None or rule.decision == "deny" or not _has_strange_link(facts)]:
            return _strictest(rules)
        if spec.name in facts.to_confirm:
            return ask(f"{spec.name} requires confirmation", "tenant's permission")
        if spec.name in facts.strangers:
            reason = f"other tools than {spec.name} met this need in earlier runs of the job, and they are gone"
            return ask(reason, "another tool than before")
        if spec.read_only:
            return decide_read(spec, arguments, facts)
        if only_queries(spec, arguments) or _is_foreseen_read(spec, facts):
            return decide_read(spec.model_copy(update={"effect": Effect.READ}), arguments, facts)
        inside = within_the_job if facts.writes or facts.closed else self._free_write
        decided = inside(spec, arguments, facts)
        if decided.decision == "allow" and (left_out := [value for value in facts.traced if value.left_out]):
            who = left_out[0]
            return ask(f"{who.argument} ({who.value}): the request leaves {who.left_out} out", "left out")
        return decided

    def _free_write(self, spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> Decision:
        worry = concern(spec, arguments, facts)
        if self.free_writes == "deny" or (self.free_writes == "allow" and not worry):
            return Decision(decision=self.free_writes, rule="free-form writes", reason=what_it_does(spec))
        if facts.plan is not None:
            return within_the_plan(spec, arguments, facts, facts.plan)
        if self.free_writes == "allow":
            return ask(worry)
        if (forbidden := forbids(facts.words, spec.tool, arguments)) == "deny":
            return beside_the_words(f"the request says not to do what {spec.name} does")
        decided = self._by_words(spec, arguments, facts, worry)
        if decided.decision == "allow" and forbidden:
            return ask(f"the request also says not to do what {spec.name} does", "free-form writes")
        return decided

    def _by_words(self, spec: ToolSpec, arguments: JsonObject, facts: Circumstances, worry: str) -> Decision:
        if facts.declined and UNTRUSTED in facts.labels:
            return within_the_words(spec, arguments, facts)
        if not worry and is_asked_for(spec, arguments, facts):
            return Decision(decision="allow", rule="as the request says")
        if UNTRUSTED in facts.labels and not (is_spoken_of(spec, facts.goal) or may_be_called_for(spec, facts, facts.goal)):
            return beside_the_words(f"the request does not call for {spec.name}, and text from tools was in view")
        return ask(worry or what_it_does(spec), "free-form writes")


def _why_a_draft(spec: ToolSpec, arguments: JsonObject, facts: Circumstances, drafts: Collection[str]) -> str:
    """Why a write is shown to a person first, in a job with these drafts; empty for one that serves another need of it.

    A rule that allows other writes as well is no way around what a person wanted to read.
    """
    kept_to = [need.id for need in facts.able if not binding_violations(need, spec, arguments)]
    if drafted := next((need_id for need_id in kept_to if need_id in drafts), ""):
        return f"{drafted} is a draft until a person has read it"
    return f"{spec.name} is no write of this job's needs" if drafts and not kept_to else ""


def _strictest(rules: Sequence[PolicyRule]) -> Decision:
    """What the first rule says, a denial before anything else."""
    rule = min(rules, key=lambda rule: rule.decision != "deny")
    return Decision(decision=rule.decision, rule=rule.name, reason=rule.reason)


def _has_strange_link(facts: Circumstances) -> bool:
    links = [value for value in facts.traced if value.sink is Sink.LINK]
    return UNTRUSTED in facts.labels and any(cell("write", Sink.LINK, value.source) != "allow" for value in links)


def _is_foreseen_read(spec: ToolSpec, facts: Circumstances) -> bool:
    """Whether the job or the plan reads with a tool that says nothing of its effect, and by name, words and schema only reads."""
    if facts.writes or facts.closed:
        return not spec.read_only and spec.provider in facts.sources and may_only_read(spec) and not spec.seen_to_change
    return facts.plan is not None and spec.name in (facts.plan.reads or ()) and is_foreseen_read(spec)
