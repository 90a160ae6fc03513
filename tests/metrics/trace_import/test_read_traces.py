"""Other agents' traces: each format gives the run it tells of, and what is broken is named by line."""

import gzip
import json
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.measures import measure
from metrics.trace_import import read_traces as read_traces_module
from metrics.trace_import.doubt import RULES
from metrics.trace_import.imported_events import ending_of, events_of
from metrics.trace_import.imported_run import BadTrace, ImportedCall, ImportedRun
from metrics.trace_import.message_logs import conversation_of, seconds_of
from metrics.trace_import.read_traces import read_traces
from metrics.trace_import.span_logs import SpanRuns
from tests.requirements import requirement

OPENAI = [
    {"role": "user", "content": "How warm is it in Osaka?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"location": "Osaka"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "18 °C"},
    {"role": "assistant", "content": "It is 18 °C."},
]
ANTHROPIC = [
    {"role": "user", "content": "How warm is it in Osaka?"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "get_weather", "input": {"location": "Osaka"}},
        ],
        "usage": {"input_tokens": 10, "output_tokens": 4, "cache_read_input_tokens": 3},
        "model": "claude-9",
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "no key"}], "is_error": True}
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "I could not look it up."}], "model": "claude-9"},
]
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": "How warm is it in Osaka?"}]},
    {"type": "function_call", "call_id": "f1", "name": "get_weather", "arguments": '{"location": "Osaka"}'},
    {"type": "function_call_output", "call_id": "f1", "output": "18 °C"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 18 °C."}]},
]


def read(*paths: Path) -> tuple[list[ImportedRun], list[BadTrace]]:
    bad = list[BadTrace]()
    return list(read_traces(paths, bad.append)), bad


def write(file: Path, data: Any) -> Path:
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return file


def write_lines(file: Path, *lines: Any) -> Path:
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return file


def told(run: ImportedRun) -> list[tuple[str, Any, str, bool]]:
    return [(call.tool, call.arguments, call.result, call.is_error) for call in run.calls]


@requirement("V7")
@pytest.mark.parametrize("messages", [OPENAI, RESPONSES], ids=["chat completions", "responses"])
@pytest.mark.parametrize("wrapped", [True, False])
def test_openai_messages_give_calls_results_and_the_last_words(tmp_path: Path, messages: list[Any], wrapped: bool) -> None:
    (run,), bad = read(write(tmp_path / "log.json", {"messages": messages, "model": "gpt-x"} if wrapped else messages))
    assert told(run) == [("get_weather", {"location": "Osaka"}, "18 °C", False)]
    assert (run.goal, run.final, run.model, bad) == ("How warm is it in Osaka?", "It is 18 °C.", "gpt-x" if wrapped else "", [])


@requirement("V7")
def test_anthropic_messages_keep_the_tools_own_error_flag_and_the_usage(tmp_path: Path) -> None:
    (run,), _ = read(write(tmp_path / "log.json", {"messages": ANTHROPIC}))
    assert told(run) == [("get_weather", {"location": "Osaka"}, "no key", True)]
    assert (run.replies[0].input_tokens, run.replies[0].output_tokens, run.replies[0].cached_tokens) == (10, 4, 3)


@requirement("V7")
def test_a_claude_code_transcript_is_one_run_a_session_and_its_side_chains_are_left_out(tmp_path: Path) -> None:
    lines = [
        {"type": "user", "sessionId": "s1", "timestamp": "2026-11-20T09:00:00Z", "message": ANTHROPIC[0]},
        {"type": "assistant", "sessionId": "s1", "timestamp": "2026-11-20T09:00:02Z", "message": ANTHROPIC[1]},
        {"type": "assistant", "sessionId": "s1", "isSidechain": True, "message": {"role": "assistant", "content": "elsewhere"}},
        {"type": "user", "sessionId": "s1", "timestamp": "2026-11-20T09:00:05Z", "message": ANTHROPIC[2]},
        {"type": "assistant", "sessionId": "s1", "timestamp": "2026-11-20T09:00:06Z", "message": ANTHROPIC[3]},
    ]
    notes = ({"type": "summary", "leafUuid": "l1", "summary": "weather"}, {"type": "file-history-snapshot", "snapshot": {}})
    (run,), bad = read(write_lines(tmp_path / "t.jsonl", *notes, *lines))
    assert not bad
    assert (run.source, run.run_id, len(run.replies), run.duration_s) == ("claude-code", "s1", 2, 6.0)
    assert run.calls[0].duration_s == 3.0


def span(name: str, attributes: dict[str, Any], start_s: int, end_s: int, **more: Any) -> dict[str, Any]:
    typed = [
        {"key": key, "value": {"intValue" if isinstance(value, int) else "stringValue": str(value)}}
        for key, value in attributes.items()
    ]
    times = {"startTimeUnixNano": str(start_s * 10**9), "endTimeUnixNano": str(end_s * 10**9)}
    return {"traceId": "a1", "name": name, "attributes": typed, **times, **more}


GENAI = [
    span(
        "chat",
        {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 7},
        1_700_000_000,
        1_700_000_001,
    ),
    span(
        "execute_tool get_weather",
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_weather", "error.type": "timeout"},
        1_700_000_001,
        1_700_000_004,
        status={"code": 2},
    ),
]
OPENINFERENCE = [
    span(
        "llm",
        {"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.token_count.prompt": 7},
        1_700_000_000,
        1_700_000_001,
    ),
    span(
        "get_weather",
        {"openinference.span.kind": "TOOL", "tool.name": "get_weather"},
        1_700_000_001,
        1_700_000_004,
        status={"code": 2},
    ),
]


@requirement("V7")
@pytest.mark.parametrize("spans", [GENAI, OPENINFERENCE], ids=["gen_ai", "openinference"])
def test_spans_of_one_trace_are_one_run_in_whatever_order_they_come(tmp_path: Path, spans: list[Any]) -> None:
    document = write(tmp_path / "otlp.json", {"resourceSpans": [{"scopeSpans": [{"spans": spans[::-1]}]}]})
    scattered = write_lines(tmp_path / "spans.jsonl", *spans)
    for file in (document, scattered):
        (run,), bad = read(file)
        assert bad == []
        assert (run.run_id, run.model, run.replies[0].input_tokens) == ("a1", "m", 7)
        assert [(call.tool, call.is_error, call.duration_s) for call in run.calls] == [("get_weather", True, 3.0)]
        assert (run.started_at, run.duration_s) == (1_700_000_000, 4.0)


@requirement("V7")
def test_a_trace_that_leaves_contents_out_has_ended_as_its_model_says(tmp_path: Path) -> None:
    """By default spans hold no content: each such run counted as one without an answer."""

    def chat(second: int, **more: Any) -> dict[str, Any]:
        attributes = [{"key": f"gen_ai.{name}", "value": value} for name, value in more.items()]
        made = span("chat", {"gen_ai.operation.name": "chat"}, 1_700_000_000 + second, 1_700_000_001 + second)
        return {**made, "attributes": [*made["attributes"], *attributes]}

    def reasons(*names: str) -> dict[str, Any]:
        return {"response.finish_reasons": {"arrayValue": {"values": [{"stringValue": name} for name in names]}}}

    said = [{"role": "assistant", "parts": [{"type": "text", "content": "It rains."}], "finish_reason": "stop"}]
    asked = [{"role": role, "parts": [{"type": "text", "content": f"{role}'s words"}]} for role in ("system", "user", "user")]
    told = {"output.messages": {"stringValue": json.dumps(said)}, "input.messages": {"stringValue": json.dumps(asked)}}
    for last, ending, goal in (
        (reasons("stop"), "completed", ""),
        (reasons("tool_calls"), "exhausted", ""),
        (reasons("length"), "exhausted", ""),
        ({}, "exhausted", ""),
        (told, "completed", "user's words"),
    ):
        (run,), _ = read(write_lines(tmp_path / "spans.jsonl", chat(0, **reasons("tool_calls")), GENAI[1], chat(5, **last)))
        assert (ending_of(run)[0], run.goal) == (ending, goal), last
        assert ("no last words" in {rule.name for rule in RULES if rule.holds(run)}) == (ending == "exhausted")
    (run,), _ = read(write_lines(tmp_path / "spans.jsonl", chat(0, **reasons("stop")), GENAI[1]))
    assert ending_of(run)[0] == "exhausted", "a call was the last thing"


def test_a_time_without_a_zone_is_the_same_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert seconds_of("2026-11-20T00:00:00") == seconds_of("2026-11-20T09:00:00+09:00")
    finally:
        monkeypatch.undo()
        time.tzset()


@requirement("V7")
@pytest.mark.parametrize(
    ("value", "verdict"), [("C", "success"), ("I", "failure"), (1.0, "success"), (0.4, "failure"), (True, "success")]
)
def test_an_inspect_log_carries_its_verdict_zipped_or_not(tmp_path: Path, value: Any, verdict: str) -> None:
    head = {"eval": {"run_id": "e", "task": "weather", "model": "m"}}
    sample = {"id": 1, "epoch": 1, "messages": OPENAI, "scores": {"match": {"value": value}}}
    plain = write(tmp_path / "log.json", {**head, "samples": [sample]})
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(head))
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample))
    for file in (plain, tmp_path / "log.eval"):
        (run,), _ = read(file)
        assert (run.verdict, run.task, run.run_id) == (verdict, "weather", "e/1/1")


@requirement("V7")
def test_a_packed_document_is_read_as_one_and_no_line_of_it_by_itself(tmp_path: Path) -> None:
    for name, document in (("one.json.gz", {"messages": OPENAI}), ("list.json.gz", OPENAI)):
        with gzip.open(tmp_path / name, "wt") as file:
            json.dump(document, file, indent=2)
        (run,), bad = read(tmp_path / name)
        assert (run.final, bad) == ("It is 18 °C.", [])


@requirement("V7")
def test_livemcpbench_and_mcpmark_results_carry_the_verdict_of_their_own_check(tmp_path: Path) -> None:
    call = {
        "fn": "execute-tool",
        "args": {"server_name": "maps", "tool_name": "find", "params": {"q": 1}},
        "is_error": False,
        "result": "ok",
    }
    with gzip.open(tmp_path / "runs.jsonl.gz", "wt") as file:
        file.write(json.dumps({"task_id": "t", "label": "failure", "calls": [call], "final": "done"}))
    folder = tmp_path / "task_one"
    folder.mkdir()
    write(folder / "meta.json", {"task_name": "one", "execution_result": {"success": True}, "agent_execution_time": 4.5})
    write(folder / "messages.json", OPENAI)
    runs, bad = read(tmp_path)
    assert bad == []
    assert [(run.source, run.verdict) for run in runs] == [("livemcpbench", "failure"), ("mcpmark", "success")]
    assert told(runs[0]) == [("maps/find", {"q": 1}, "ok", False)]
    assert (runs[1].task, runs[1].duration_s) == ("one", 4.5)


SAID = (
    json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Weather in Oslo?"}]}]),
    json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "It is 3 °C."}], "finish_reason": "stop"}]),
)


@requirement("V7")
@pytest.mark.parametrize(
    ("model", "agent"),
    [
        ({"gen_ai.operation.name": "chat", "gen_ai.input.messages": SAID[0], "gen_ai.output.messages": SAID[1]}, {}),
        (
            {"gen_ai.operation.name": "chat"},
            {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": SAID[0], "gen_ai.output.messages": SAID[1]},
        ),
        (
            {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "It is 3 °C."},
            {"openinference.span.kind": "AGENT", "input.value": "Weather in Oslo?"},
        ),
        (
            {"openinference.span.kind": "LLM", "output.value": '{"choices": []}'},
            {"openinference.span.kind": "AGENT", "input.value": "Weather in Oslo?", "output.value": "It is 3 °C."},
        ),
    ],
)
def test_spans_tell_what_was_asked_and_answered_wherever_their_convention_keeps_it(
    tmp_path: Path, model: dict[str, Any], agent: dict[str, Any]
) -> None:
    spans = [span("agent", agent, 1_700_000_000, 1_700_000_003)] if agent else []
    file = write_lines(tmp_path / "spans.jsonl", *spans, span("llm", model, 1_700_000_001, 1_700_000_002))
    (run,), bad = read(file)
    assert (bad, run.goal, run.final) == ([], "Weather in Oslo?", "It is 3 °C.")


@requirement("V7")
def test_a_call_as_a_proxy_logs_it_is_a_run(tmp_path: Path) -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": "Fine."}}]}
    (run,), bad = read(write(tmp_path / "call.json", {"request": {"model": "m", "messages": OPENAI[:-1]}, "response": reply}))
    assert (bad, run.model, run.final) == ([], "m", "Fine.")


def logged(turns: int, *, usage: int = 7) -> list[Any]:
    """The requests of one run as a proxy logs them, each with the whole conversation before it."""
    replies = [message for message in OPENAI if message["role"] == "assistant"][:turns]
    places = [OPENAI.index(reply) for reply in replies]
    return [
        {
            "request": {"model": "m", "messages": OPENAI[:at]},
            "response": {
                "choices": [{"message": reply, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": usage, "completion_tokens": 2},
            },
        }
        for at, reply in zip(places, replies, strict=True)
    ]


@requirement("V7")
def test_the_requests_of_one_run_in_a_proxys_log_are_one_run(tmp_path: Path) -> None:
    of_other = {
        "request": {"messages": [{"role": "user", "content": "Another goal"}]},
        "response": {"role": "assistant", "content": [{"type": "text", "text": "Other."}], "stop_reason": "end_turn"},
    }
    lines = logged(9)
    assert len(lines) > 1
    runs, bad = read(write_lines(tmp_path / "log.jsonl", lines[0], of_other, *lines[1:], lines[0]))
    (alone,), _ = read(write(tmp_path / "whole.json", {"messages": OPENAI}))
    assert bad == []
    assert sorted(run.final for run in runs) == sorted([alone.final, "Other.", ""]), (
        "the first request, sent anew, is another run"
    )
    (whole,) = [run for run in runs if run.final == alone.final]
    assert [(call.tool, call.answered) for call in whole.calls] == [(call.tool, call.answered) for call in alone.calls]
    assert [reply.input_tokens for reply in whole.replies] == [7] * len(lines)


@requirement("V7")
def test_what_responses_asked_and_answered_is_one_run_beside_its_request_or_not(tmp_path: Path) -> None:
    call = {"type": "function_call", "call_id": "a", "name": "get_weather", "arguments": '{"city": "Oslo"}'}
    came = [{"type": "function_call_output", "call_id": "a", "output": "3 °C"}]
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 3 °C."}]}
    asked = [{"role": "user", "content": "Weather in Oslo?"}, call, *came]
    usage = {"input_tokens": 5, "output_tokens": 6}
    shapes = (
        {"model": "m", "input": asked, "output": [said], "usage": usage},
        {"request": {"model": "m", "input": asked}, "response": {"output": [said], "usage": usage}},
    )
    for number, shape in enumerate(shapes):
        (run,), bad = read(write(tmp_path / f"{number}.json", shape))
        assert (bad, run.goal, run.final, run.model) == ([], "Weather in Oslo?", "It is 3 °C.", "m")
        assert [(one.tool, one.result) for one in run.calls] == [("get_weather", "3 °C")]


@requirement("V7")
def test_a_function_call_without_an_id_keeps_its_name(tmp_path: Path) -> None:
    old = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "function_call": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}},
        {"role": "function", "name": "get_weather", "content": "3 °C"},
        {"role": "assistant", "content": "3 °C."},
    ]
    (run,), bad = read(write(tmp_path / "old.json", {"messages": old}))
    assert (bad, [(call.tool, call.result, call.answered) for call in run.calls]) == ([], [("get_weather", "3 °C", True)])


@requirement("V7")
def test_an_error_of_the_models_service_is_no_answer_of_a_transcript(tmp_path: Path) -> None:
    def line(kind: str, text: str, **more: Any) -> dict[str, Any]:
        return {"sessionId": "s", "type": kind, "message": {"role": kind, "content": [{"type": "text", "text": text}]}, **more}

    failed = line("assistant", "API Error: 529 overloaded", isApiErrorMessage=True)
    (broken,), _ = read(write_lines(tmp_path / "broken.jsonl", line("user", "go"), failed))
    (mended,), _ = read(write_lines(tmp_path / "mended.jsonl", line("user", "go"), failed, line("assistant", "Done.")))
    assert ending_of(broken) == ("failed", "API Error: 529 overloaded")
    assert ending_of(mended) == ("completed", "")


@requirement("V7")
def test_a_line_that_is_no_utf8_costs_itself_alone(tmp_path: Path) -> None:
    good = json.dumps({"id": "r", "messages": OPENAI}, ensure_ascii=False).encode()
    (tmp_path / "x.jsonl").write_bytes(good + b"\n" + good.replace(b"messages", b"mess\xffages") + b"\n" + good + b"\n")
    runs, (bad,) = read(tmp_path / "x.jsonl")
    assert len(runs) == 2
    assert str(bad).endswith("x.jsonl:2: is no UTF-8")


@requirement("V7")
def test_what_holds_no_run_says_why(tmp_path: Path) -> None:
    chunk = {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "a"}}]}
    asked = {"messages": [{"role": "user", "content": "go"}]}
    (tmp_path / "empty").mkdir()
    found = {
        "empty": "holds no file of traces",
        "pieces.jsonl": "is a piece of a streamed reply",
        "list.json": "is a piece of a streamed reply",
        "live.jsonl": "is not of the form that its keys say: 'fn'",
    }
    write_lines(tmp_path / "pieces.jsonl", {"request": asked, "response": chunk})
    write(tmp_path / "list.json", {"request": asked, "response": [chunk]})
    write_lines(tmp_path / "live.jsonl", {"task_id": "1", "calls": [{"tool": "x"}], "label": "success"})
    for name, why in found.items():
        runs, bad = read(tmp_path / name)
        assert runs == []
        assert why in str(bad[0])


@requirement("V7")
@pytest.mark.parametrize("broken", ["{broken", '{"messages": [{"role": "user",'])
def test_a_broken_line_is_named_and_the_others_are_read(tmp_path: Path, broken: str) -> None:
    good = {"id": "r", "messages": OPENAI}
    runs, (bad,) = read(write_lines(tmp_path / "x.jsonl", good, broken, {**good, "id": "s"}))
    assert [run.run_id for run in runs] == ["r", "s"]
    assert str(bad).startswith(f"{tmp_path / 'x.jsonl'}:2: is no JSON")


@requirement("V7")
@pytest.mark.parametrize("name", ["runs.jsonl", "runs.jsonl.gz"])
def test_a_line_of_any_length_is_not_held_whole(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_traces_module, "LONGEST_LINE", 1_000)
    line = json.dumps({"id": "r", "messages": OPENAI}).encode()
    data = line + b"\n" + b"a" * 5_000
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    runs, (bad,) = read(tmp_path / name)
    assert [run.run_id for run in runs] == ["r"]
    assert str(bad) == f"{tmp_path / name}:2: has more than 1000 characters in one line"


@requirement("V7")
@pytest.mark.parametrize("name", ["run.json", "run.json.gz"])
def test_a_short_document_asks_for_little_memory_and_one_beyond_the_bound_is_not_held(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_traces_module, "LONGEST_DOCUMENT", 60_000_000)
    short, pack = json.dumps({"id": "r", "messages": OPENAI}).encode(), gzip.compress if name.endswith(".gz") else bytes
    (tmp_path / name).write_bytes(pack(short))
    tracemalloc.start()
    try:
        runs, bad = read(tmp_path / name)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000, "bytes; not as many as a document may have"
    finally:
        tracemalloc.stop()
    assert ([run.run_id for run in runs], bad) == (["r"], [])
    monkeypatch.setattr(read_traces_module, "LONGEST_DOCUMENT", 1_000)
    monkeypatch.setattr(read_traces_module, "PIECE", 64)
    (tmp_path / name).write_bytes(pack(b'"' + b"a" * 2_000 + b'"'))
    assert "is larger than 1000 bytes" in str(read(tmp_path / name)[1][0])


@requirement("V7")
def test_no_part_of_a_packed_log_is_unpacked_beyond_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_traces_module, "LONGEST_DOCUMENT", 1_000)
    with zipfile.ZipFile(tmp_path / "x.eval", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("header.json", "a" * 5_000)
    runs, (bad,) = read(tmp_path / "x.eval")
    assert (runs, "header.json is larger than 1000 bytes" in str(bad)) == ([], True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"\xff\xfe\x00"),
        ("b.json", b"[" * 100_000),
        ("c.json", b'{"colour": "blue"}'),
        ("d.eval", b"no zip"),
        ("e.jsonl", b""),
        ("f.jsonl.gz", b"no gzip"),
        ("g.json", b'{"messages": [{"role": "user", "content": "hi"}]}'),
        ("h.json", b"12"),
    ],
)
def test_what_is_no_trace_is_one_line_that_names_the_file(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    runs, bad = read(file)
    assert runs == []
    assert [problem.file for problem in bad] == [str(file)]


@given(st.lists(st.dictionaries(st.sampled_from(["role", "type", "content", "tool_calls", "call_id", "name", "usage"]), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["assistant", "tool", "user", "function_call"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id", "name", "function"]), inner, max_size=3),
    max_leaves=6))))  # fmt: skip
def test_no_list_of_messages_raises(messages: list[Any]) -> None:
    run = conversation_of(messages, "r", "messages")
    assert len(list(events_of(run, lambda _: ("ok", ""), "imported"))) >= 2


@pytest.mark.parametrize(
    "moment", [1_700_000_000, 1_700_000_000_000, 1_700_000_000_000_000, 1_700_000_000_000_000_000, "2023-11-14T22:13:20Z"]
)
def test_times_are_seconds_whatever_their_unit(moment: Any) -> None:
    assert seconds_of(moment) == 1_700_000_000


@requirement("V7", "M2")
def test_what_needs_declarations_is_not_measured_and_a_failed_call_is() -> None:
    run = conversation_of(ANTHROPIC, "r", "messages")
    measures = measure(events_of(run, lambda call: ("terminal", "tool_error") if call.is_error else ("ok", ""), "imported"))
    autonomy = measures.autonomy
    assert autonomy.data_collection_completeness is None
    assert autonomy.tool_selection_accuracy is not None
    assert autonomy.error_recovery_rate == 0.0


def test_a_call_without_a_result_is_not_counted_as_answered() -> None:
    run = ImportedRun("r", "messages", calls=[ImportedCall("c", "search")])
    finished = [event for event in events_of(run, lambda _: ("ok", ""), "imported") if event.type == "call_finished"]
    assert [event.outcome for event in finished] == ["unknown_outcome"]


MISSHAPEN = [
    {"messages": OPENAI, "response": {"choices": 5}},
    {"task_id": "t", "calls": [5]},
    {"task_id": "t", "calls": [None]},
    {"resourceSpans": None},
    {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "status": {"code": {}}, "attributes": {"gen_ai.operation.name": "chat"}}]}]}]},
    {"samples": [{"messages": 5}]},
]  # fmt: skip


def test_a_value_of_another_kind_than_its_format_says_costs_its_own_record_alone(tmp_path: Path) -> None:
    (tmp_path / "mixed.jsonl").write_text("\n".join(json.dumps(one) for one in (*MISSHAPEN, {"id": "good", "messages": OPENAI})))
    for number, one in enumerate(MISSHAPEN):
        (tmp_path / f"alone-{number}.json").write_text(json.dumps(one))
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:20] + b"\x07" * 20)
    bad = list[BadTrace]()
    runs = list(read_traces([tmp_path], bad.append))
    assert [run.run_id for run in runs] == ["good"]
    assert {Path(one.file).name for one in bad} == {file.name for file in tmp_path.iterdir()}


@pytest.mark.parametrize("at", [float("nan"), float("inf"), 10**400, 1e30, -1e18, "9999-12-31T23:59:59", "0001-01-01T00:00:00"])
def test_a_time_that_no_calendar_has_is_unknown(at: Any) -> None:
    assert seconds_of(at) == 0.0


def test_a_span_that_never_ended_and_messages_out_of_order_take_no_time_less_than_none() -> None:
    spans = SpanRuns()
    spans.take({"traceId": "a", "startTimeUnixNano": str(1_764_000_000 * 10**9), "attributes": {"gen_ai.operation.name": "chat"}})
    (run,) = spans.runs("spans")
    assert (run.started_at, run.duration_s) == (1_764_000_000, 0.0)
    said = [{"role": "assistant", "content": "x", "timestamp": 1_764_000_000 + later} for later in (50, 60, 0)]
    run = conversation_of(said, "a", "messages")
    assert (run.started_at, run.duration_s) == (1_764_000_000, 60.0)
