"""Reads OpenTelemetry spans with GenAI or OpenInference attributes, as OTLP JSON or one span per line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from metrics.trace_import.imported_run import ImportedCall, ImportedReply, ImportedRun
from metrics.trace_import.message_logs import arguments_of, count_of, seconds_of

ERROR_STATUS = {2, "2", "STATUS_CODE_ERROR", "ERROR"}
ENDED_BY_ITSELF = {"stop", "end_turn", "stop_sequence", "end", "completed"}
"""Reasons for which a model stops when it has answered."""


def spans_in(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the spans of an OTLP JSON document, or the document itself if it is one span."""
    if "resourceSpans" not in document:
        yield document
        return
    for resource in document["resourceSpans"]:
        for scope in resource.get("scopeSpans", ()):
            yield from scope.get("spans", ())


def is_span(document: Mapping[str, Any]) -> bool:
    """Whether a JSON object is an OTLP document or one exported span."""
    return "resourceSpans" in document or ("attributes" in document and bool(_trace_id(document)))


class _Span(NamedTuple):
    """What is kept of a span until its file ends: as it stands in the file it takes twice the memory."""

    began: float
    """Seconds since the epoch, as `ended`."""
    ended: float
    name: str
    failed: bool
    attributes: dict[str, Any]


class SpanRuns:
    """Collects spans in any order, and builds a run from those of each trace."""

    def __init__(self) -> None:
        self._traces: dict[str, list[_Span]] = {}

    def take(self, span: Mapping[str, Any]) -> None:
        """Add one span. A span of neither a model nor a tool counts only for the times of the run."""
        began = seconds_of(_number(span.get("startTimeUnixNano", span.get("start_time"))))
        ended = seconds_of(_number(span.get("endTimeUnixNano", span.get("end_time"))))
        kept = _Span(began, ended, str(span.get("name") or ""), _failed(span), attributes_of(span))
        self._traces.setdefault(_trace_id(span), []).append(kept)

    def runs(self, source: str) -> Iterator[ImportedRun]:
        """Yield one run for each trace, with its spans in the order of their start."""
        for trace_id, spans in self._traces.items():
            run = ImportedRun(trace_id, source)
            in_order = sorted(spans, key=attrgetter("began"))
            for span in in_order:
                _add(run, span)
            # what the outermost agent gave out is the answer, whatever its models said last
            agents = (span.attributes for span in in_order if _is_agent(span.attributes))
            run.final = next(filter(None, map(_given_out, agents)), run.final)
            if run.replies and not run.final.strip():  # contents are left out unless somebody asks for them
                called = any(call.turn == len(run.replies) for call in run.calls)
                run.answered = run.replies[-1].stop_reason in ENDED_BY_ITSELF and not called
            run.started_at = min((span.began for span in spans if span.began), default=0.0)
            last = max((moment for span in spans for moment in (span.began, span.ended)), default=0.0)
            run.duration_s = last - run.started_at if run.started_at else 0.0
            if run.calls or run.replies:
                yield run


def _add(run: ImportedRun, span: _Span) -> None:
    """Add one span to its run."""
    began, ended, name, has_failed, attributes = span
    operation = attributes.get("gen_ai.operation.name")
    kind = str(attributes.get("openinference.span.kind", "")).upper()
    failed = has_failed or "error.type" in attributes
    if operation == "execute_tool" or kind == "TOOL":
        run.calls.append(_call(run, began, ended, name or "unknown", attributes, failed))
    elif operation in ("chat", "text_completion", "generate_content") or kind == "LLM":
        reply = _reply(run, began, ended, attributes)
        run.replies.append(reply)
        run.model = run.model or reply.model
        run.final = reply.text
        run.goal = run.goal or _asked(attributes)
    elif _is_agent(attributes):
        run.task = str(attributes.get("gen_ai.workflow.name") or run.task or attributes.get("gen_ai.agent.name") or "")
        run.goal = run.goal or _asked(attributes) or _text(attributes.get("input.value"))
        run.error = run.error or (str(attributes.get("error.type") or "the agent's span ended in an error") if failed else "")


def _is_agent(attributes: Mapping[str, Any]) -> bool:
    kind = str(attributes.get("openinference.span.kind", "")).upper()
    return attributes.get("gen_ai.operation.name") in ("invoke_agent", "invoke_workflow") or kind == "AGENT"


def _asked(attributes: Mapping[str, Any]) -> str:
    return _words_of([one for one in _messages(attributes.get("gen_ai.input.messages")) if one.get("role") == "user"][:1])


def _given_out(attributes: Mapping[str, Any]) -> str:
    """What a model or an agent answered, by either convention; `output.value` of a model may be its whole reply as JSON."""
    said = attributes.get("llm.output_messages.0.message.content") or attributes.get("output.value")
    return _text(said) or _words_of(_messages(attributes.get("gen_ai.output.messages")))


def _call(run: ImportedRun, began: float, ended: float, name: str, attributes: dict[str, Any], failed: bool) -> ImportedCall:
    call_id = attributes.get("gen_ai.tool.call.id") or attributes.get("tool_call.id") or f"call-{len(run.calls) + 1}"
    return ImportedCall(
        call_id=str(call_id),
        tool=str(attributes.get("gen_ai.tool.name") or attributes.get("tool.name") or name),
        arguments=arguments_of(attributes.get("gen_ai.tool.call.arguments", attributes.get("input.value"))),
        result=_text(attributes.get("gen_ai.tool.call.result", attributes.get("output.value"))),
        is_error=failed,
        answered=True,
        turn=max(1, len(run.replies)),
        started_at=began,
        duration_s=max(0.0, ended - began),
    )


def _reply(run: ImportedRun, began: float, ended: float, attributes: dict[str, Any]) -> ImportedReply:
    models = map(attributes.get, ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"))
    said = _messages(attributes.get("gen_ai.output.messages"))
    reasons = attributes.get("gen_ai.response.finish_reasons") or [one.get("finish_reason") for one in said]
    return ImportedReply(
        turn=len(run.replies) + 1,
        model=str(next(filter(None, models), "")),
        text=_given_out(attributes),
        input_tokens=count_of(attributes.get("gen_ai.usage.input_tokens", attributes.get("llm.token_count.prompt"))),
        output_tokens=count_of(attributes.get("gen_ai.usage.output_tokens", attributes.get("llm.token_count.completion"))),
        at=ended,
        duration_s=max(0.0, ended - began),
        stop_reason=str(reasons[0] or "") if isinstance(reasons, list) and reasons else "",
    )


def _messages(value: Any) -> list[Mapping[str, Any]]:
    """The messages of an attribute of the GenAI conventions: JSON, as text or as it is."""
    found = arguments_of(value)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _words_of(messages: Sequence[Mapping[str, Any]]) -> str:
    parts = [part for one in messages for part in one.get("parts") or () if isinstance(part, Mapping)]
    return "\n".join(str(part.get("content") or "") for part in parts if part.get("type") == "text")


def attributes_of(span: Mapping[str, Any]) -> dict[str, Any]:
    """Return a span's attributes as a plain mapping, from OTLP's list of typed values or from a mapping."""
    attributes = span.get("attributes") or {}
    if isinstance(attributes, Mapping):
        return dict(attributes)
    return {one["key"]: _otlp_value(one.get("value")) for one in attributes if isinstance(one, Mapping) and "key" in one}


def _otlp_value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    for kind, content in value.items():
        match kind:
            case "intValue":
                return _number(content)
            case "arrayValue":
                return [_otlp_value(one) for one in content.get("values", ())]
            case "kvlistValue":
                return {one.get("key"): _otlp_value(one.get("value")) for one in content.get("values", ())}
            case _:
                return content
    return None


def _trace_id(span: Mapping[str, Any]) -> str:
    context = span.get("context") if isinstance(span.get("context"), Mapping) else {}
    return str(span.get("traceId") or span.get("trace_id") or (context or {}).get("trace_id") or "")


def _failed(span: Mapping[str, Any]) -> bool:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else status
    return code in ERROR_STATUS


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 25 else value


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
