"""Telemetry: a run's events as spans and metrics, received by a real OTLP receiver on loopback."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.server import MCPServer
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio

from discovery.text.redaction import redact
from metrics.events import AttemptFailed
from metrics.telemetry import telemetry_names as names
from metrics.telemetry.spans import LIVE, Telemetry
from metrics.telemetry.telemetry_export import RedactingExporter, RunIds, open_telemetry
from metrics.telemetry.trace_ids import span_of, within_call
from tests.metrics.story import MONDAY, Story, diary
from tests.requirements import requirement
from tests.support.otlp import Receiver, attributes, otlp_receiver

SECRET = "a-canary-that-must-not-travel"


def troubled() -> Story:
    story = Story("run-9").start(needs=("a",)).model_fails().turn(fallback=True)
    story.call(needs=("a",), errors=("CallTimedOut",), cured_by="alternative", alternatives=[("slack_search", True)])
    story.call(
        "esa_create_post",
        effect="outward",
        decision="ask",
        rule="data flow",
        answer="granted",
        outcome="unknown_outcome",
        problem="transport",
    )
    return story.judge("blocked", missing=("publish",)).finish("blocked", "outcome unknown")


@pytest.fixture(scope="module")
def received() -> Iterator[Receiver]:
    """Both runs, exported over HTTP by the real exporters."""
    with otlp_receiver() as receiver, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{receiver.port}")
        with open_telemetry(latest=True, as_global=False) as telemetry:
            anyio.run(telemetry.write, [*diary().events, *troubled().events])
        yield receiver


def named(received: Receiver, name: str, run_id: str = "run-1") -> list[Any]:
    return [span for span in received.spans if span.name == name and attributes(span)[names.CONVERSATION] == run_id]


@requirement("M5")
def test_a_run_arrives_as_one_tree_of_workflow_agent_chat_and_tools(received: Receiver) -> None:
    (job,) = named(received, "invoke_workflow diary")
    (agent,) = named(received, "invoke_agent jiritsu")
    chats, tools = (
        named(received, "chat gpt-5"),
        [s for s in received.spans if s.name.startswith("execute_tool") and s.trace_id == job.trace_id],
    )
    assert (len(chats), len(tools)) == (3, 3)
    assert job.parent_span_id == b""
    assert agent.parent_span_id == job.span_id
    assert {span.parent_span_id for span in [*chats, *tools]} == {agent.span_id}
    assert {span.trace_id for span in [agent, *chats, *tools]} == {job.trace_id}
    assert all(
        job.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano <= job.end_time_unix_nano
        for span in [*chats, *tools]
    )
    assert received.resource["service.name"] == "jiritsu"


def test_the_environment_names_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "diary-host")
    with otlp_receiver() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{receiver.port}")
        with open_telemetry(as_global=False) as telemetry:
            anyio.run(telemetry.write, diary().events)
        assert receiver.resource["service.name"] == "diary-host"


@requirement("K9", "M5")
def test_a_librarys_span_tells_no_secret_of_an_errors_text(monkeypatch: pytest.MonkeyPatch) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    with otlp_receiver() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{receiver.port}")
        tracers = TracerProvider()
        tracers.add_span_processor(SimpleSpanProcessor(RedactingExporter(redact)))
        tracer = tracers.get_tracer("mcp-python-sdk")
        told: dict[str, Any] = {"told": f"--token {token}", "count": 2, "given": ["--token", token]}
        with pytest.raises(ValueError, match="refused"), tracer.start_as_current_span("tools/call echo", attributes=told):
            raise ValueError(f"{token} was refused")
        tracers.shutdown()
        (span,) = receiver.spans
    assert token not in str(span)
    assert attributes(span) == {"told": "--token ***", "count": 2, "given": ["--token", "***"]}
    assert span.status.message == "ValueError: *** was refused"
    assert "*** was refused" in attributes(span.events[0])["exception.stacktrace"]


@requirement("M5")
def test_a_chat_span_speaks_the_conventions_words(received: Receiver) -> None:
    span = named(received, "chat gpt-5")[0]
    found = attributes(span)
    assert found[names.OPERATION] == "chat"
    assert (found[names.PROVIDER], found[names.REQUEST_MODEL], found[names.RESPONSE_MODEL]) == ("openai", "gpt-5", "gpt-5")
    assert (found[names.INPUT_TOKENS], found[names.OUTPUT_TOKENS], found[names.CACHED_TOKENS]) == (1800, 240, 900)
    assert found[names.FINISH_REASONS] == ["tool_calls"]
    assert span.kind == 3  # CLIENT
    assert span.end_time_unix_nano - span.start_time_unix_nano == pytest.approx(2e9, rel=1e-6)


@requirement("M5")
def test_a_tool_span_carries_decision_approval_attempts_and_alternatives(received: Receiver) -> None:
    (read,) = named(received, "execute_tool slack_get_channel_history", "run-9")
    assert [(event.name, attributes(event).get(names.ERROR_TYPE)) for event in read.events] == [
        ("attempt_failed", "CallTimedOut"),
        ("alternative_tried", None),
    ]
    assert attributes(read)[names.CURED_BY] == "alternative"
    (post,) = named(received, "execute_tool esa_create_post", "run-9")
    found = attributes(post)
    assert (found[names.DECISION], found[names.RULE], found[names.APPROVAL], found[names.APPROVAL_LATENCY]) == (
        "ask",
        "data flow",
        "granted",
        30.0,
    )
    assert (found[names.ERROR_TYPE], post.status.code) == ("transport", 2)


@requirement("M5")
def test_the_agents_span_says_how_it_ended_and_how_autonomous_it_was(received: Receiver) -> None:
    (good,), (bad,) = named(received, "invoke_agent jiritsu"), named(received, "invoke_agent jiritsu", "run-9")
    assert (attributes(good)[names.ENDING], attributes(good)[names.LEVEL], attributes(good)[names.OVERALL]) == (
        "completed",
        "high",
        1.0,
    )
    assert names.MEASURE.format("error_recovery_rate") not in attributes(good)
    assert (attributes(bad)[names.ENDING], attributes(bad)[names.ERROR_TYPE]) == ("blocked", "blocked")
    assert [event.name for event in bad.events] == ["judged"]


@requirement("M5")
def test_durations_tokens_and_runs_are_metrics(received: Receiver) -> None:
    data = received.data
    tokens = {attributes(point)[names.TOKEN_TYPE]: point.sum for point in data[names.TOKEN_USAGE].histogram.data_points}
    assert tokens == {"input": 4 * 1800, "output": 4 * 240}
    assert sum(point.count for point in data[names.TOOL_DURATION].histogram.data_points) == 5
    assert {names.OPERATION_DURATION, names.AGENT_DURATION, names.WORKFLOW_DURATION} <= set(data)
    assert {attributes(point)[names.ENDING]: point.as_int for point in data[names.RUNS].sum.data_points} == {
        "completed": 1,
        "blocked": 1,
    }
    assert sum(point.as_int for point in data["gen_ai.client.inference.usage.input_tokens"].sum.data_points) == 7200
    assert data[names.APPROVAL_LATENCY].histogram.data_points[0].sum == 30.0
    bounds = {name: tuple(data[name].histogram.data_points[0].explicit_bounds) for name in names.BUCKETS}
    assert bounds == names.BUCKETS, "an SDK's own bounds put every answer within 5 s, and every share, into one bucket"
    endings = [attributes(point).get(names.ERROR_TYPE) for point in data[names.AGENT_DURATION].histogram.data_points]
    assert sorted(endings, key=str) == [None, "blocked"]


@requirement("M5", "S7")
def test_no_content_travels(received: Receiver) -> None:
    told = b"".join(request.SerializeToString() for request in [*received.traces, *received.metrics])
    for event in [*diary().events, *troubled().events]:
        for digest in ("arguments_sha256", "result_sha256", "goal_sha256"):
            assert not (value := getattr(event, digest, "")) or value.encode() not in told


def in_memory(**how: Any) -> tuple[Telemetry, InMemorySpanExporter, TracerProvider]:
    exporter, tracers = InMemorySpanExporter(), TracerProvider(id_generator=RunIds(), shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    return Telemetry(tracers, **how), exporter, tracers


@requirement("K9", "S7")
async def test_a_secret_in_the_words_of_a_failure_does_not_travel() -> None:
    telemetry, exporter, _ = in_memory(redact=lambda text: text.replace(SECRET, "***"))
    events = [
        event.model_copy(update={"error": f"the key {SECRET} is wrong"}) if isinstance(event, AttemptFailed) else event
        for event in troubled().events
    ]
    assert any(isinstance(event, AttemptFailed) for event in events)
    await telemetry.write(events)
    told = "".join(span.to_json() for span in exporter.get_finished_spans())
    assert "the key *** is wrong" in told
    assert SECRET not in told


@requirement("M5")
async def test_vendors_are_called_as_the_conventions_call_them_and_no_reason_to_stop_is_no_reason() -> None:
    telemetry, exporter, _ = in_memory()
    models = {"google:gemini-4": "gcp.gemini", "mistral:large": "mistral_ai", "x-ai:grok-5": "x_ai", "groq:llama": "groq"}
    for model in models:
        await telemetry.write(Story(f"run-{model}", model=model).start().turn(stop_reason="").finish().events)
    chats = [span.attributes or {} for span in exporter.get_finished_spans() if span.name.startswith("chat")]
    assert [found[names.PROVIDER] for found in chats] == list(models.values())
    assert not any(names.FINISH_REASONS in found for found in chats)


async def test_an_event_told_twice_is_one_span() -> None:
    telemetry, exporter, _ = in_memory()
    events = diary().events
    await telemetry.write([*events[:-1], *events[:-1], events[-1]])
    assert len(exporter.get_finished_spans()) == 8


@requirement("M5")
async def test_a_trace_is_sampled_whole_or_not_at_all() -> None:
    """Of a trace that was left out, all spans but its root were exported; within a span of the embedding program, still."""
    exporter = InMemorySpanExporter()
    tracers = TracerProvider(id_generator=RunIds(), sampler=ParentBasedTraceIdRatio(0.5), shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry = Telemetry(tracers)
    with TracerProvider(shutdown_on_exit=False).get_tracer("host").start_as_current_span("request"):
        for number in range(20):
            await telemetry.write(diary(f"run-{number}").events)
    traces = Counter(span.context.trace_id for span in exporter.get_finished_spans())
    assert set(traces.values()) == {8}
    assert 0 < len(traces) < 20


async def test_the_run_of_a_plain_goal_has_no_workflow_around_it() -> None:
    telemetry, exporter, _ = in_memory()
    await telemetry.write(diary(job="").events)
    roots = [span for span in exporter.get_finished_spans() if span.parent is None]
    assert [span.name for span in roots] == ["invoke_agent jiritsu"]


async def test_a_run_that_goes_on_in_another_process_continues_its_trace() -> None:
    events, spans = diary().events, []
    for part in (events[:9], events[9:]):
        telemetry, exporter, _ = in_memory()
        await telemetry.write(part)
        spans += exporter.get_finished_spans()
    assert len(spans) == 8
    assert {span.context.trace_id for span in spans} == {span_of("run-1").trace_id}
    assert {span.parent.span_id for span in spans if span.name.startswith(("chat", "execute"))} == {span_of("run-1").span_id}


async def test_runs_that_never_end_are_forgotten() -> None:
    telemetry, exporter, _ = in_memory()
    for number in range(LIVE + 5):
        await telemetry.write(Story(f"run-{number}", at=MONDAY).start().events)
    assert len(telemetry._live) == LIVE
    assert exporter.get_finished_spans() == ()


@requirement("M5")
async def test_an_mcp_server_learns_which_call_it_works_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trace context that the MCP client sends is that of the call's span, which is written only afterwards."""
    telemetry, exporter, tracers = in_memory()
    monkeypatch.setattr("mcp.shared._otel._tracer", tracers.get_tracer("mcp"))
    server = MCPServer("echo")

    @server.tool()
    def echo(text: str) -> str:
        return text

    story = Story().start().turn().call("echo", seconds=0.5).finish()
    with anyio.fail_after(240):
        async with Client(server) as client:
            with within_call("run-1", 1, "c1"):
                await client.call_tool("echo", {"text": SECRET})
    await telemetry.write(story.events)
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert spans["tools/call echo"].context.trace_id == spans["execute_tool echo"].context.trace_id
    assert spans["tools/call echo"].parent.span_id == spans["execute_tool echo"].context.span_id


def test_without_an_sdk_nothing_happens_and_nothing_fails() -> None:
    anyio.run(Telemetry().write, diary().events)
