"""Judges an answer: checks every rule against the evidence, in order.

Pure. What does not hold goes back to the model in sentences that it can mend.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from autonomy.completion.delivery import DRAFT, HELD
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.inability import declines_the_deed, inability
from autonomy.completion.rules.registry import (
    DOUBTS,
    OF_SHORT_ANSWERS,
    REFUSING,
    REMARKS,
    REMARKS_OF,
    RULES,
    BuiltInCheck,
    rules_in_force,
)
from autonomy.completion.rules.text.content import FEWEST_OPEN, matters
from autonomy.completion.rules.written.told_refusals import refusals_told
from autonomy.llm.messages import AssistantMessage
from autonomy.policy.need_binding import is_write
from autonomy.run_state.completion_rules import name_of
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import HOST, CallRecord, Receipt
from discovery.catalog import Frozen
from metrics.events import Ending, QualityPart

CLAIM = "claim: "
"""How the name of a finding begins that is about what an answer says, not about what is left to be done."""


class Verdict(Frozen):
    """The judge's verdict on an answer."""

    verdict: Literal["complete", "continue", "blocked"]
    ending: Ending = "exhausted"
    """How the run ends if nothing more comes of it."""
    reason: str = ""
    rules: int = 0
    held: int = 0
    missing: tuple[str, ...] = ()
    """The names of the rules that do not hold."""
    findings: tuple[str, ...] = ()
    """What is missing, a sentence each, for the model and for people."""
    is_doubt: bool = False
    """Whether all that was found is what the built-in checks of texts doubt, and no declared rule, order or deed stands against
    the answer: that much a second reader may settle, where the operator lets it decide."""
    remarks: tuple[str, ...] = ()
    """What could not be traced though it may well be so, a sentence each: it goes back to the model once, and people see it."""
    needs_met: tuple[str, ...] = ()
    """The declared needs for which there is evidence."""
    parts: tuple[QualityPart, ...] = ()
    """What could be counted of the result's quality."""

    @property
    def claims(self) -> tuple[str, ...]:
        """The findings about what the answer says; none where it only says that there is no answer."""
        if self.ending in ("unanswered", "declined"):
            return ()
        named = zip(self.missing, self.findings, strict=True)
        return tuple(finding for name, finding in named if name.startswith(CLAIM))


def judge(reply: AssistantMessage, ctx: ToolExecutionContext) -> Verdict:
    """Hold a final answer against the run's rules and its records."""
    case = Case(ctx, reply.text, refuses=reply.stop_reason == "refusal")
    if case.evidence.reads:
        case.evidence.sources.open_clocks()
    rules = rules_in_force(ctx.request)
    findings = {name_of(rule): finding for rule in rules if (finding := RULES[type(rule)](rule, case))}
    held = len(rules) - len(findings)
    endings: list[Ending] = ["doubtful" if name in DOUBTS else "exhausted" for name in findings]
    is_doubt = DOUBTS.difference(rule.rule for rule in ctx.request.rules).issuperset(findings)
    remarks = list[tuple[BuiltInCheck, dict[str, str]]]()
    if not reply.text.strip():
        findings["an answer"] = "there is no answer in words"
        endings.append("exhausted")
        is_doubt = False
    elif reply.stop_reason == "length":
        findings["the whole answer"] = "your answer was cut off where the model's output ends: give it whole, in fewer words"
        endings.append("exhausted")
        is_doubt = False
    else:
        of_rules = (check for rule in rules for check in REMARKS_OF.get(type(rule), ()))
        remarks = _claims_found((*REMARKS, *of_rules), case)
        refusals = _claims_found(REFUSING, case)
        refused = {name for _, claims in refusals for name in claims}
        for check, claims in refusals:
            endings.append(check.ending)
            findings |= claims
            is_doubt &= check.is_doubt
        of_a_short_one = (*_claims_found(OF_SHORT_ANSWERS, case), *remarks) if case.stands_or_falls else ()
        for check, claims in of_a_short_one:
            endings.append(check.ending)
            findings |= {name: said for name, said in claims.items() if name not in refused}  # it says less than the refusal
            is_doubt &= check.is_doubt
    sentences = dict.fromkeys(sentence for _, claims in remarks for sentence in claims.values())
    found = Verdict(
        verdict="complete",
        ending="completed",
        rules=len(rules),
        held=held,
        missing=tuple(findings),
        findings=tuple(findings.values()),
        is_doubt=is_doubt and bool(findings),
        remarks=tuple(sentence for sentence in sentences if sentence not in findings.values()),
        needs_met=case.evidence.needs_met(),
        parts=(*_quality_parts(case), *_traced(case, sum(len(claims) for _, claims in remarks))),
    )
    return _concluded(found, endings, reply, case)


def _claims_found(checks: Sequence[BuiltInCheck], case: Case) -> list[tuple[BuiltInCheck, dict[str, str]]]:
    """The checks that found something, each with its findings by claim."""
    results = [(check, found) for check in checks if (found := dict(check.ask(case)))]
    return [(check, {f"{CLAIM}{name}": sentence for name, sentence in found.items()}) for check, found in results]


def _concluded(found: Verdict, endings: Sequence[Ending], reply: AssistantMessage, case: Case) -> Verdict:
    """The verdict that follows from what was found, the worst first: uncorrectable, correctable, complete. `endings`: what each
    finding makes of the run."""
    ctx = case.ctx

    def blocked(reason: str, ending: Ending = "blocked") -> Verdict:
        remarks = found.remarks if ending == "blocked" else ()  # who says that there is no answer states nothing
        end = {"verdict": "blocked", "ending": ending, "reason": reason}
        return found.model_copy(update={**end, "remarks": remarks, "is_doubt": False})

    def to_go_on(reason: str, ending: Ending, **changed: Any) -> Verdict:
        return found.model_copy(update={"verdict": "continue", "ending": ending, "reason": reason, **changed})

    drafts = set(ctx.request.approval.drafts) - set(ctx.needs_met())  # unless a later text of the same need was let out
    if held_back := [record.reason for record in ctx.records if drafts and record.problem == DRAFT and record.reason]:
        return blocked(f"a draft did not go out: {held_back[-1]}")
    denied = [record for record in ctx.records if record.call_id in ctx.unapproved]
    said_no = blocked(f"{denied[-1].tool} was not called: {denied[-1].reason}") if denied else None  # the model is not to blame
    tried = [record for record in ctx.records if record.result.kind != "not_run" and record.provider != HOST]
    no_tool_worked = tried and not any(record.ok for record in tried)  # no rule is broken; yet such a run has shown nothing
    none_worked = blocked(f"no tool worked: {tried[-1].tool}: {tried[-1].reason}") if no_tool_worked else None
    if reply.stop_reason == "refusal":
        if said_no is None and (stopped := _stopped_by_a_rule(ctx)):
            return blocked(f"{stopped.tool} was not called: {stopped.reason}")
        is_away = all(record.result.kind == "retryable" for record in tried)  # then the model is not to blame
        why = none_worked.reason if none_worked and is_away else "the model could not or would not do it"
        return said_no or blocked(why, "declined")
    if unknown := outcome_unknown(ctx.receipts):
        return blocked(unknown)
    if ending := _as_no_answer(found, case):
        if ending == "unanswered":  # an honest "I cannot" ends the run; an announcement is reminded of what it announces
            return said_no or none_worked or blocked("the answer says that it could not be done", "unanswered")
        finding = "your answer only says what is missing or comes next: go on and do it, or say that it cannot be done"
        return to_go_on(finding, "unfinished", missing=("an answer",), findings=(finding,), is_doubt=False)
    if said_no and _is_left_undone(case, found.missing):
        return said_no  # "go on and do it" would be an order against the person
    if _only_the_action(found.missing, ctx) and (stopped := _stopped_by_a_rule(ctx)):  # which other arguments may get past
        return to_go_on(f"{stopped.tool} was not called: {stopped.reason}", "blocked")
    if endings:
        ending = max(set(endings), key=lambda ending: _WEIGHT.get(ending, 0))
        is_doubt = found.is_doubt and none_worked is None  # else there is no record that a reader could hold it against
        reason, is_over = "; ".join(found.findings), _only_refused(found.missing, refusals_told(case))
        return blocked(reason, "unfinished") if is_over else to_go_on(reason, ending, is_doubt=is_doubt)
    return none_worked or found


def _as_no_answer(found: Verdict, case: Case) -> str:
    """The ending of a free goal whose answer mostly says that it cannot be done or what comes next; empty where it is an answer,
    or denies what was done, which it can mend."""
    if case.declares_needs or case.ctx.request.rules or any(name.startswith(f"{CLAIM}denied") for name in found.missing):
        return ""
    says_why = "claim: the action" in found.missing and declines_the_deed(case)
    return "unanswered" if says_why else inability(case)


def _stopped_by_a_rule(ctx: ToolExecutionContext) -> CallRecord | None:
    """The call that the policy denied and without which the run could not go on: it could have met a declared write that is still
    to be made, or nothing came after it. A text's order that was denied on the way stopped nothing."""
    undone = {need.id for need in ctx.request.task.needs if is_write(need.effect)}.difference(ctx.needs_met())
    writers = {tool for need in undone for tool in ctx.candidates.get(need, ())}
    calls = [record for record in ctx.records if record.provider != HOST]
    denied = [record for record in calls if record.result.kind == "denied" and record.problem != HELD]
    return next((record for record in reversed(denied) if record is calls[-1] or record.tool in writers), None)


def _is_left_undone(case: Case, missing: tuple[str, ...]) -> bool:
    """Whether nothing but what no person approved is left to be done, and the answer claims no more than was done."""
    ctx = case.ctx
    writes = {need.id for need in case.task.needs if need.required and is_write(need.effect)}
    if not (undone := writes.difference(ctx.needs_met())):
        return _only_the_action(missing, ctx)
    claims = any(name.startswith(CLAIM) for name in missing)
    return not claims and undone.issubset(need for needs in ctx.unapproved.values() for need in needs)


def _only_the_action(missing: tuple[str, ...], ctx: ToolExecutionContext) -> bool:
    """Whether nothing is missing but a deed that the goal asks for, and none was done."""
    return missing == (f"{CLAIM}the action",) and not ctx.receipts


def _only_refused(missing: Sequence[str], refused: Sequence[CallRecord]) -> bool:
    """Whether nothing is missing but writes that were refused for good, and told so."""
    needs = {f"evidence: {need}" for record in refused for need in record.needs}
    return bool(refused) and all(name.startswith(f"{CLAIM}given up") or name in needs for name in missing)


def outcome_unknown(receipts: Iterable[Receipt]) -> str:
    """The writes of which nobody knows whether they happened, in words; empty where there are none."""
    tools = dict.fromkeys(receipt.tool for receipt in receipts if receipt.state == "unknown")
    return f"outcome unknown: {', '.join(tools)}" if tools else ""


_WEIGHT = {"exhausted": 3, "unfinished": 2, "doubtful": 1}
"""Which of several endings says most."""


def _quality_parts(case: Case) -> Iterator[QualityPart]:
    """The parts that can be counted; a run that read nothing, and a text that states nothing, have none."""
    if case.evidence.reads:
        yield from (part for part in (_grounding(case), _coverage(case), _subject(case)) if part)


def _traced(case: Case, remarks: int) -> Iterator[QualityPart]:
    """The sentences without a remark: of a free goal's answer that rests on reads, and of a job's text with remarks."""
    if case.free_texts or remarks:
        sentences = max(1, remarks, sum(not one.neutral for one in case.attribution(case.text).sentences))
        yield QualityPart(name="traced", held=sentences - remarks, of=sentences)


def _grounding(case: Case) -> QualityPart | None:
    """Facts and sentences with a source. The few sentences that may be a feeling or a courtesy cost nothing, and where meaning
    cannot be compared, a paraphrase looks like an invention, so facts alone count."""
    found = case.attribution(case.text)
    facts = [fact.supported for one in found.sentences for fact in one.facts if fact.supported or matters(fact.fact, one, case)]
    wanting = [one for one in found.sentences if not one.neutral and not case.tells_of_the_run(one.text)] if case.encode else []
    free = min(FEWEST_OPEN - 1, sum(not one.units for one in wanting))
    proven = sum(facts) + sum(bool(one.units) for one in wanting) + free
    total = len(facts) + len(wanting)
    return QualityPart(name="grounding", held=proven, of=total) if total else None


def _coverage(case: Case) -> QualityPart | None:
    """Reads of the needs, and what another call could still have read; what was tried and failed is for the text to tell."""
    states = [case.evidence.need(need) for need in case.evidence.read_needs() if need.required]
    read_count = sum(len(state.reads) for state in states)
    total = read_count + sum(len(state.mendable) for state in states)
    return QualityPart(name="coverage", held=read_count, of=total) if total else None


def _subject(case: Case) -> QualityPart | None:
    """Sentences whose evidence is about the declared person, day and place."""
    sentences = [one for one in case.attribution(case.text).sentences if one.units and not one.neutral]
    if not sentences or not any(case.evidence.about):
        return None
    return QualityPart(name="subject", held=sum(not one.elsewhere for one in sentences), of=len(sentences))
