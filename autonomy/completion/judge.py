"""Judges an answer: checks the job's completion rules against the evidence.

Pure. A rule that does not hold goes back to the model in words; a claim of having posted or sent something needs a receipt even
where no rule asks for one.
"""

import re
from fnmatch import fnmatchcase
from typing import Literal, assert_never

from autonomy.completion.unsupported_claims import unproven_claims
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model_json import read_json
from autonomy.policy.need_binding import is_write
from autonomy.run_state.completion_rules import Evidence, Forbidden, Fresh, Language, Length, Matches, Rule, Sections, ToolUsed
from autonomy.run_state.context import HOST, ToolExecutionContext
from discovery.catalog import Frozen
from discovery.schemas.schema import validate


class Verdict(Frozen):
    """What the judge says."""

    verdict: Literal["complete", "continue", "blocked"]
    reason: str = ""
    rules: int = 0
    held: int = 0
    missing: tuple[str, ...] = ()
    """The names of the rules that do not hold."""
    findings: tuple[str, ...] = ()
    """What is missing, a sentence each, for the model and for people."""


def judge(reply: AssistantMessage, ctx: ToolExecutionContext) -> Verdict:
    """Hold a final answer against the run's rules."""
    rules, delivered = ctx.request.rules, _delivered(ctx)
    everything = f"{delivered}\n{reply.text}"
    texts = [everything if isinstance(rule, Forbidden) else delivered or reply.text for rule in rules]
    broken = ((rule, _broken(rule, text, ctx)) for rule, text in zip(rules, texts, strict=True))
    findings = {name_of(rule): finding for rule, finding in broken if finding}
    held = len(rules) - len(findings)
    findings |= {
        f"claim: {claim}": f"you say {claim!r}, and no tool has given a receipt for that" for claim in _unproven(reply.text, ctx)
    }
    if not reply.text.strip():
        findings["an answer"] = "there is no answer in words"
    elif reply.stop_reason == "length":
        findings["the whole answer"] = "your answer was cut off where the model's output ends: give it whole, in fewer words"
    told: dict[str, object] = {
        "rules": len(rules),
        "held": held,
        "missing": tuple(findings),
        "findings": tuple(findings.values()),
    }
    if reply.stop_reason == "refusal":
        return Verdict(verdict="blocked", reason="the model could not or would not do it", **told)
    if unknown := [receipt.tool for receipt in ctx.receipts if receipt.state == "unknown"]:
        return Verdict(verdict="blocked", reason=f"outcome unknown: {', '.join(dict.fromkeys(unknown))}", **told)
    if not findings:
        return _if_anything_worked(ctx, told)
    return Verdict(verdict="continue", reason="; ".join(findings.values()), **told)


def _delivered(ctx: ToolExecutionContext) -> str:
    """The text that went out, or would have, where the job has its result delivered: that is what its rules are about, not the
    words around it."""
    written = [need.id for need in ctx.request.task.needs if any("{{result}}" in str(value) for value in need.arguments.values())]
    sent = [record for record in ctx.records if (record.receipt or record.simulated) and set(record.needs) & set(written)]
    texts = [value for record in sent[-1:] for value in record.arguments.values() if isinstance(value, str)]
    return max(texts, key=len, default="")


def name_of(rule: Rule) -> str:
    """A rule in a word or two, for reports."""
    match rule:
        case Evidence(need=need):
            return f"evidence: {need}"
        case ToolUsed(tool=tool):
            return f"tool used: {tool}"
        case _:
            return rule.rule


def _if_anything_worked(ctx: ToolExecutionContext, told: dict[str, object]) -> Verdict:
    """No rule is broken; yet a run whose every call failed has shown nothing."""
    tried = [record for record in ctx.records if record.result.kind != "not_run" and record.provider != HOST]
    if tried and not any(record.ok for record in tried):
        return Verdict(verdict="blocked", reason=f"no tool worked: {tried[-1].tool}: {tried[-1].reason}", **told)
    return Verdict(verdict="complete", **told)


def _unproven(text: str, ctx: ToolExecutionContext) -> tuple[str, ...]:
    if any(receipt.state != "unknown" for receipt in ctx.receipts):
        return ()
    tried = any(is_write(record.effect) for record in ctx.records if record.effect)
    sent = "\n".join(
        value for record in ctx.records if record.simulated for value in record.arguments.values() if isinstance(value, str)
    )
    if sent:  # a rehearsal shows what would be sent; only the words around it are the run's own
        text = "\n".join(line for line in text.splitlines() if line not in sent)
    return unproven_claims(text, ctx.request.task.goal, tried_to_write=tried)


def _broken(rule: Rule, text: str, ctx: ToolExecutionContext) -> str:
    """Why a rule does not hold, as a sentence for the model; empty when it does."""
    match rule:
        case Sections():
            return _sections(rule, text)
        case Length():
            return _length(rule, text)
        case Language():
            return "" if _language(text) == rule.language else f"the text has to be in {rule.language}"
        case Evidence():
            return _evidence(rule, ctx)
        case ToolUsed():
            used = any(record.good and fnmatchcase(record.tool, rule.tool) for record in ctx.records)
            return "" if used else f"no tool like {rule.tool} has answered well"
        case Matches():
            return _json(rule, text)
        case Forbidden():
            found = [pattern for pattern in rule.patterns if re.search(pattern, text)]
            return f"the text must not hold {', '.join(found)}" if found else ""
        case Fresh():
            day = str(ctx.request.task.inputs.get(rule.input, ""))
            return "" if any(form in text for form in written_forms(day)) else f"the text does not name the day {day}"
        case _:
            assert_never(rule)


def _sections(rule: Sections, text: str) -> str:
    parts = re.split(r"^#{1,6}\s*(.+?)\s*$", text, flags=re.MULTILINE)
    filled = {title for title, body in zip(parts[1::2], parts[2::2], strict=True) if body.strip()}
    absent = [title for title in rule.titles if not any(title in heading for heading in filled)]
    return f"these sections are missing or empty: {', '.join(absent)}" if absent else ""


def _length(rule: Length, text: str) -> str:
    size = len(text.strip())
    if size < rule.min_chars:
        return f"the text has {size} characters and needs {rule.min_chars}"
    if rule.max_chars is not None and size > rule.max_chars:
        return f"the text has {size} characters and may have {rule.max_chars}"
    return ""


def _language(text: str) -> str:
    """Kana decide: a Japanese text has them throughout, an English one hardly any."""
    letters = [char for char in text if char.isalpha()]
    kana = sum("ぁ" <= char <= "ヿ" for char in letters)
    return "ja" if letters and kana / len(letters) > 0.1 else "en"


def _evidence(rule: Evidence, ctx: ToolExecutionContext) -> str:
    if any(record.simulated and rule.need in record.needs for record in ctx.records):
        return ""  # a rehearsal shows that it would be done; it never completes
    if rule.need not in ctx.needs_met():
        description = next((need.description for need in ctx.request.task.needs if need.id == rule.need), rule.need)
        return f"nothing shows that this was done: {description}"
    seen = {receipt.read_back for receipt in ctx.receipts if rule.need in receipt.needs}
    shown = "confirmed" in seen or (rule.read_back == "if_possible" and "not_declared" in seen)
    return "" if shown or rule.read_back == "no" else f"{rule.need} was acknowledged, but reading it back does not show it"


def _json(rule: Matches, text: str) -> str:
    try:
        data = read_json(text)
    except ValueError as error:
        return f"the answer is not JSON: {error}"
    return "; ".join(validate(rule.json_schema, data))


def written_forms(day: str) -> tuple[str, ...]:
    """The usual ways to write an ISO date: 2026-11-21, 2026/11/21, 2026年11月21日, 11/21, 11月21日."""
    match = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", day)
    if match is None:
        return (day,) if day else ()
    year, month, number = match.group(1), int(match.group(2)), int(match.group(3))
    return (day, day.replace("-", "/"), f"{year}年{month}月{number}日", f"{month}/{number}", f"{month}月{number}日")
