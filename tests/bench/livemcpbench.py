"""The recorded runs of LiveMCPBench, unwrapped: what each tool itself answered.

The recordings were made behind a router. Each result is the Python repr of the router's own MCP result, whose text is the JSON of the
tool's MCP result, cut at 1,500 characters. Read by `outcome_bench`.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discovery.catalog import ToolOutput

LABELS = Path(__file__).parent / "data" / "livemcpbench_labels.jsonl"

_WRAPPED = re.compile(r"^meta=None content=\[TextContent\(type='text', text=(?P<quote>['\"])", re.DOTALL)
_CLOSED = re.compile(r"(?P<quote>['\"]), annotations=None\)\] isError=(True|False)$")
_TEXT = re.compile(r'"text": "((?:[^"\\]|\\.)*)("?)', re.DOTALL)


@dataclass(frozen=True)
class Recorded:
    """One tool call of a recorded run."""

    task_id: str
    index: int
    """Its place among all calls of the run, the router's own included."""
    tool: str
    arguments: Any
    output: ToolOutput
    flagged: bool
    """Whether the tool's own result, or the router's around it, says `isError`."""
    flagged_outside: bool
    """Whether the router's result says so: all that a host behind the router could see."""
    cut: bool


@dataclass(frozen=True)
class RecordedRun:
    """One run, and a person's label of the whole of it."""

    task_id: str
    good: bool
    calls: tuple[Recorded, ...]
    final: str

    @property
    def held_out(self) -> bool:
        """Whether it belongs to the half that no rule was written from."""
        return bool(int(hashlib.sha256(self.task_id.encode()).hexdigest(), 16) % 2)


def read_runs(folder: Path) -> Iterator[RecordedRun]:
    """All runs of `trajectories.jsonl.gz`."""
    with gzip.open(folder / "trajectories.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            calls = tuple(
                _recorded(run["task_id"], index, call) for index, call in enumerate(run["calls"]) if call["fn"] == "execute-tool"
            )
            yield RecordedRun(run["task_id"], run["label"] == "success", calls, run["final"])


def _recorded(task_id: str, index: int, call: dict[str, Any]) -> Recorded:
    output, cut = unwrap(call["result"])
    asked = call["args"] if isinstance(call["args"], dict) else {}
    tool = f"{asked.get('server_name', '')}/{asked.get('tool_name', '')}"
    return Recorded(task_id, index, tool, asked.get("params"), output, output.is_error, bool(call["is_error"]), cut)


def unwrap(result: str) -> tuple[ToolOutput, bool]:
    """What the tool itself answered, and whether the recording cuts it short."""
    wrapped = _WRAPPED.match(result)
    if wrapped is None:
        return ToolOutput(text=result), False
    closed = _CLOSED.search(result)
    body = result[wrapped.end() : closed.start()] if closed else result[wrapped.end() :]
    text = _unescaped(body, wrapped["quote"])
    outer_error = bool(closed) and result.endswith("isError=True")
    if not text.lstrip().startswith('{\n  "_meta"'):
        return ToolOutput(text=text, is_error=outer_error), closed is None
    try:
        inner = json.loads(text)
    except ValueError:
        return _of_the_rest(text), True
    parts = [part.get("text") or f"[{part.get('type')}]" for part in inner["content"]]
    return (
        ToolOutput(
            text="\n".join(parts),
            structured=inner.get("structuredContent"),
            is_error=bool(inner.get("isError")) or outer_error,
        ),
        False,
    )


def _of_the_rest(text: str) -> ToolOutput:
    """What can be read of a result that was cut in the middle."""
    parts = [_json_unescaped(found.group(1)) for found in _TEXT.finditer(text)]
    return ToolOutput(text="\n".join(parts), is_error=bool(re.search(r'^  "isError": true', text, re.MULTILINE)))


def _unescaped(body: str, quote: str) -> str:
    """A Python string literal's inside, which may end anywhere."""
    escapes = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", quote: quote, "'": "'", '"': '"'}
    found = re.sub(
        r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)",
        lambda match: chr(int(match[1][1:], 16)) if len(match[1]) > 1 else escapes.get(match[1], match[1]),
        body,
        flags=re.DOTALL,
    )
    return found.removesuffix("\\")


def _json_unescaped(body: str) -> str:
    while body:
        try:
            return str(json.loads(f'"{body}"', strict=False))
        except ValueError:
            body = body[:-1]
    return ""
