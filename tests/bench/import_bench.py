"""How fast other agents' runs are imported and scored: 500 runs of 20 calls in each format, in CPU time, and the memory it takes.

    python -m tests.bench.import_bench [FORMAT…]

The goal is 5,000 calls a second on one core. The floor is the same files parsed as JSON: nobody can import them in less, and the ratio to it
holds on a busy machine too. Memory is what Python holds at most for a fifth of them, and for all.
"""

import json
import os
import random
import statistics
import sys
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from autonomy.cli.reports.imported_report import imported_report

RUNS, CALLS, ANSWER_CHARS, ROUNDS = 500, 20, 260, 5
WORDS = "alpha beta gamma delta report issue order status amount total user page file done open closed 2026-11-20 3,412 42 https://example.com/x"
TOOLS = ("search", "read_file", "list_issues")
BEGAN = 1_795_000_000


class Call(NamedTuple):
    """One call: its id, tool, arguments and answer."""

    id: str
    tool: str
    arguments: dict[str, Any]
    answer: str


class Run(NamedTuple):
    """One made-up run."""

    id: str
    goal: str
    calls: list[Call]
    final: str


def runs(many: int) -> Iterator[Run]:
    """The same made-up runs each time; every answer has words of its own."""
    dice = random.Random(3)

    def words(count: int) -> str:
        return " ".join(dice.choices(WORDS.split(), k=count))

    for number in range(many):
        goal = f"Find out what is open in {words(25)}"
        calls = [
            Call(f"c{number}-{at}", dice.choice(TOOLS), {"query": words(3), "page": at}, words(60)[:ANSWER_CHARS])
            for at in range(CALLS)
        ]
        yield Run(f"run-{number}", goal, calls, f"The report is done: {words(40)}")


def _chat(run: Run) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": run.goal}]
    for call in run.calls:
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [{"id": call.id, "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": call.id, "content": call.answer},
        ]
    return [*messages, {"role": "assistant", "content": run.final}]


def _anthropic(run: Run) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": run.goal}]
    for call in run.calls:
        asked = {"type": "tool_use", "id": call.id, "name": call.tool, "input": call.arguments}
        told = {"type": "tool_result", "tool_use_id": call.id, "content": [{"type": "text", "text": call.answer}]}
        messages += [{"role": "assistant", "content": [asked]}, {"role": "user", "content": [told]}]
    return [*messages, {"role": "assistant", "content": [{"type": "text", "text": run.final}]}]


def _responses(run: Run) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [{"role": "user", "content": run.goal}]
    for call in run.calls:
        asked = {"call_id": call.id, "name": call.tool, "arguments": json.dumps(call.arguments)}
        items += [
            {"type": "function_call", **asked},
            {"type": "function_call_output", "call_id": call.id, "output": call.answer},
        ]
    return [*items, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": run.final}]}]


def _transcript(run: Run) -> Iterator[dict[str, Any]]:
    for at, message in enumerate(_anthropic(run)):
        moment = f"2026-11-20T{at // 60:02}:{at % 60:02}:00.000Z"
        yield {"type": message["role"], "sessionId": run.id, "uuid": f"{run.id}-{at}", "timestamp": moment, "message": message}


def _spans(run: Run, named: Callable[[Call], dict[str, Any]], model: dict[str, Any]) -> Iterator[dict[str, Any]]:
    trace = f"{abs(hash(run.id)):032x}"[:32]
    for at, call in enumerate(run.calls):
        for offset, name, attributes in ((0, "chat", model), (1, f"execute_tool {call.tool}", named(call))):
            begin = (BEGAN + 2 * at + offset) * 1_000_000_000
            yield {
                "traceId": trace, "spanId": f"{2 * at + offset:016x}", "name": name, "kind": 1,
                "startTimeUnixNano": str(begin), "endTimeUnixNano": str(begin + 5_000_000),
                "attributes": [{"key": key, "value": value} for key, value in attributes.items()], "status": {},
            }  # fmt: skip


def _genai(run: Run) -> Iterator[dict[str, Any]]:
    def named(call: Call) -> dict[str, Any]:
        told = {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.tool, "gen_ai.tool.call.id": call.id,
            "gen_ai.tool.call.arguments": json.dumps(call.arguments), "gen_ai.tool.call.result": call.answer,
        }  # fmt: skip
        return {key: {"stringValue": value} for key, value in told.items()}

    model = {
        "gen_ai.operation.name": {"stringValue": "chat"},
        "gen_ai.request.model": {"stringValue": "m"},
        "gen_ai.usage.input_tokens": {"intValue": "1200"},
        "gen_ai.response.finish_reasons": {"arrayValue": {"values": [{"stringValue": "tool_calls"}]}},
    }
    yield {"resourceSpans": [{"scopeSpans": [{"spans": [*_spans(run, named, model)]}]}]}


def _openinference(run: Run) -> Iterator[dict[str, Any]]:
    def named(call: Call) -> dict[str, Any]:
        return {
            "openinference.span.kind": "TOOL", "tool.name": call.tool, "tool_call.id": call.id,
            "input.value": json.dumps(call.arguments), "output.value": call.answer,
        }  # fmt: skip

    for span in _spans(run, named, {"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.token_count.prompt": 1200}):
        attributes = {one["key"]: one["value"] for one in span["attributes"]}
        yield {
            "name": span["name"], "context": {"trace_id": span["traceId"], "span_id": span["spanId"]},
            "start_time": "2026-11-20T09:00:00.000000Z", "end_time": "2026-11-20T09:00:00.005000Z",
            "status": {"status_code": "OK"}, "attributes": attributes,
        }  # fmt: skip


def _sample(run: Run) -> dict[str, Any]:
    return {"id": run.id, "epoch": 1, "input": run.goal, "messages": _chat(run), "scores": {"match": {"value": "C"}}}


def _trajectory(run: Run) -> dict[str, Any]:
    calls = [
        {
            "fn": "execute-tool", "is_error": False, "result": call.answer,
            "args": {"server_name": "s", "tool_name": call.tool, "params": call.arguments},
        }
        for call in run.calls
    ]  # fmt: skip
    return {"task_id": run.id, "label": "success", "final": run.final, "calls": calls}


def _as_lines(records: Callable[[Run], Iterator[Any]]) -> Callable[[Path, Iterator[Run]], None]:
    def write(folder: Path, found: Iterator[Run]) -> None:
        with Path(folder, "runs.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for run in found for record in records(run))

    return write


def _inspect_log(folder: Path, found: Iterator[Run]) -> None:
    log = {"eval": {"run_id": "r", "task": "t", "model": "m"}, "samples": [*map(_sample, found)]}
    Path(folder, "log.json").write_text(json.dumps(log), encoding="utf-8")


def _inspect_eval(folder: Path, found: Iterator[Run]) -> None:
    with zipfile.ZipFile(Path(folder, "log.eval"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"run_id": "r", "task": "t", "model": "m"}}))
        for run in found:
            archive.writestr(f"samples/{run.id}_epoch_1.json", json.dumps(_sample(run)))


def _mcpmark(folder: Path, found: Iterator[Run]) -> None:
    for run in found:
        place = Path(folder, run.id)
        place.mkdir()
        meta = {"task_name": run.id, "model_name": "m", "execution_result": {"success": True}}
        Path(place, "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        Path(place, "messages.json").write_text(json.dumps(_chat(run)), encoding="utf-8")


FORMATS: dict[str, Callable[[Path, Iterator[Run]], None]] = {
    "OpenAI messages": _as_lines(lambda run: iter([{"messages": _chat(run)}])),
    "Responses items": _as_lines(lambda run: iter([{"input": _responses(run)}])),
    "Anthropic messages": _as_lines(lambda run: iter([{"messages": _anthropic(run)}])),
    "Claude Code": _as_lines(_transcript),
    "OpenTelemetry GenAI": _as_lines(_genai),
    "OpenInference": _as_lines(_openinference),
    "inspect .json": _inspect_log,
    "inspect .eval": _inspect_eval,
    "LiveMCPBench": _as_lines(lambda run: iter([_trajectory(run)])),
    "MCPMark": _mcpmark,
}


def cpu_s(work: Callable[[], object]) -> float:
    """What one round of work takes of the processor, in seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began


def read(folder: Path, many: int) -> None:
    """Import and score them."""
    report = imported_report((str(folder),), now=time.time(), tz=ZoneInfo("UTC"), job=None, since=None, until=None)
    assert report.runs == many, report.runs


def parse(folder: Path) -> None:
    """Parse every text in them as JSON."""
    for file in folder.rglob("*.json*"):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)
    for file in folder.rglob("*.eval"):
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                json.loads(archive.read(name))


def peak_mb(folder: Path, many: int) -> float:
    """What Python holds at most meanwhile, in MB."""
    tracemalloc.start()
    read(folder, many)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return peak


def measured(name: str) -> str:
    """The figures of one format."""
    with tempfile.TemporaryDirectory() as place:
        few, folder = Path(place, "few"), Path(place, "runs")
        for where, many in ((few, RUNS // 5), (folder, RUNS)):
            where.mkdir()
            FORMATS[name](where, runs(many))
        read(folder, RUNS)
        pairs = [(cpu_s(lambda: read(folder, RUNS)), cpu_s(lambda: parse(folder))) for _ in range(ROUNDS)]
        memory = [peak_mb(few, RUNS // 5), peak_mb(folder, RUNS)]
    taken, ratios = [pair[0] for pair in pairs], [imported / floor for imported, floor in pairs]
    rates = f"{RUNS * CALLS / max(taken):7,.0f} to {RUNS * CALLS / min(taken):7,.0f} calls a second"
    return f"{name:20} {rates}, {statistics.median(ratios):3.0f} times the floor, {memory[0]:5.1f} and {memory[1]:5.1f} MB\n"


def main() -> None:
    """Measure each format, and print."""
    sys.stdout.write(f"{RUNS * CALLS} calls, load {os.getloadavg()[0]:.1f}\n")
    for name in sys.argv[1:] or FORMATS:
        sys.stdout.write(measured(name))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
