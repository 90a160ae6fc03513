"""Reads evaluation runs with a verdict: inspect logs, LiveMCPBench trajectories and MCPMark result folders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics.trace_import.imported_run import ImportedCall, ImportedRun, Verdict
from metrics.trace_import.message_logs import conversation_of, count_of, seconds_of, text_of

PASSED = {"C", "P", "CORRECT", "PASS", "PASSED", "SUCCESS", "TRUE"}
"""How inspect's scorers write a success, besides 1 and true (`C` and `P` are its constants CORRECT and PASS)."""


def inspect_runs(log: Mapping[str, Any], name: str) -> Iterator[ImportedRun]:
    """Yield one run for each sample of an inspect log. `name` identifies runs of a log without a run id."""
    evaluation = log.get("eval") if isinstance(log.get("eval"), Mapping) else {}
    for sample in log.get("samples") or ():
        if isinstance(sample, Mapping):
            yield inspect_run(sample, evaluation or {}, name)


def inspect_run(sample: Mapping[str, Any], evaluation: Mapping[str, Any], name: str) -> ImportedRun:
    """Read one sample of an inspect log. Its first score is the verdict."""
    run_id = f"{evaluation.get('run_id') or name}/{sample.get('id')}/{sample.get('epoch', 1)}"
    run = conversation_of(sample.get("messages") or (), run_id, "inspect")
    run.model = run.model or str(evaluation.get("model") or "")
    run.task = str(evaluation.get("task") or "")
    run.goal = run.goal or text_of(sample.get("input"))
    run.started_at = run.started_at or seconds_of(evaluation.get("created"))
    run.verdict = _inspect_verdict(sample.get("scores"))
    error = sample.get("error")
    run.error = str(error.get("message", error)) if isinstance(error, Mapping) else str(error or "")
    return run


def _inspect_verdict(scores: Any) -> Verdict:
    for score in scores.values() if isinstance(scores, Mapping) else ():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, int | float):
            return "success" if value >= 1 else "failure"
        if isinstance(value, str):
            return "success" if value.upper() in PASSED else "failure"
    return ""


def livemcpbench_run(record: Mapping[str, Any]) -> ImportedRun:
    """Read one trajectory. The router's own searches (`route`) are calls like any other."""
    run = ImportedRun(str(record["task_id"]), "livemcpbench", final=str(record.get("final") or ""))
    run.verdict = "success" if record.get("label") == "success" else "failure"
    for number, call in enumerate(record["calls"], 1):
        raw, function = call.get("args"), str(call["fn"])
        routed = raw if isinstance(raw, Mapping) else {}
        inner = function == "execute-tool"
        tool = f"{routed.get('server_name', '')}/{routed.get('tool_name', '')}" if inner else function
        arguments = routed.get("params") if inner else raw
        result = str(call.get("result") or "")
        run.calls.append(
            ImportedCall(f"call-{number}", tool, arguments, result, bool(call.get("is_error")), answered=True, turn=number)
        )
    return run


def mcpmark_run(meta: Mapping[str, Any], messages: Sequence[Any], name: str) -> ImportedRun:
    """Read one task of an MCPMark result folder: `meta.json` with the verdict, `messages.json` with the conversation."""
    run = conversation_of(messages, name, "mcpmark")
    outcome = meta.get("execution_result")
    passed = outcome.get("success") if isinstance(outcome, Mapping) else None
    run.verdict = "" if passed is None else "success" if passed else "failure"
    run.task = str(meta.get("task_name") or meta.get("task_id") or name)
    run.model = run.model or str(meta.get("model_name") or "")
    run.duration_s = seconds_of(meta.get("agent_execution_time"))
    usage = meta.get("token_usage")
    if run.replies and isinstance(usage, Mapping) and not any(reply.input_tokens for reply in run.replies):
        run.replies[-1].input_tokens = count_of(usage.get("input_tokens"))
        run.replies[-1].output_tokens = count_of(usage.get("output_tokens"))
    if isinstance(outcome, Mapping) and not run.final:
        run.error = str(outcome.get("error_message") or "")
    return run
