"""How well outcomes are read where no rule came from: recorded answers of other servers, and answers written to mislead.

    python -m tests.bench.outcome_elsewhere_bench [--mcpmark DIR] [--toolathlon DIR] [--wrong]

Each DIR is a checkout: eval-sys/mcpmark-community-experiments at 92db83e (GitHub, Notion and PostgreSQL servers), and
WaitHZ/toolathlon-traj-website at 3bf7d62 (some thirty servers). The labels are `data/recorded_labels.jsonl`: `sample` and `forms` were read and
measured before the rules were changed for them, the `later` ones after. `sample` is drawn by a hash, at most twelve of a server and four of a
tool; `forms` holds one of each short answer that reads differently. The recordings have lost `isError`: words alone are measured. The answers of
`data/handwritten_answers.jsonl` need no DIR.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from autonomy.outcomes.classifier import classify
from discovery.catalog import ToolOutput, ToolSpec
from metrics.events import ANSWERED
from tests.bench.livemcpbench import Recorded
from tests.bench.outcome_bench import by_words, count, list_misses, say, score

DATA = Path(__file__).parent / "data"
WRITTEN = DATA / "handwritten_answers.jsonl"

Labelled = tuple[Recorded, str]


def rows(path: Path) -> list[dict[str, Any]]:
    """The records of a file with one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_recorded(folders: dict[str, Path]) -> Iterator[tuple[str, Labelled]]:
    """Every labelled call of the recordings that are here, with the part it belongs to."""
    for row in rows(DATA / "recorded_labels.jsonl"):
        if (folder := folders.get(row["source"])) is not None:
            arguments, text = _messages(folder / row["file"])[row["message"]]
            output = ToolOutput(text=unwrap(text))
            call = Recorded(row["file"], row["message"], row["tool"].replace("-", "/", 1), arguments, output, False, False, False)
            yield row["part"], (call, row["label"])


@cache
def _messages(path: Path) -> dict[int, tuple[Any, str]]:
    """The answers in one recorded conversation by their place, with the arguments of the call, in either of the two forms."""
    data = json.loads(path.read_text(encoding="utf-8"))
    messages = data["messages"] if isinstance(data, dict) else data
    asked: dict[str, str] = {}
    found: dict[int, tuple[Any, str]] = {}
    for place, message in enumerate(messages):
        asked |= {call["id"]: call["function"]["arguments"] for call in message.get("tool_calls") or ()}
        if message.get("type") == "function_call":
            asked[message["call_id"]] = message["arguments"]
        if message.get("role") == "tool" or message.get("type") == "function_call_output":
            call_id, text = message.get("tool_call_id") or message["call_id"], message.get("content") or message.get("output")
            found[place] = (_arguments(asked.get(call_id, "")), text if isinstance(text, str) else json.dumps(text))
    return found


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def unwrap(text: str) -> str:
    """What the tool itself answered, without the parts of MCP around it, of which there may be several."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    match data:
        case {"type": "text", "text": str(inner)}:
            return unwrap(inner)
        case {"content": list(parts), "isError": _}:
            return unwrap("\n".join(part.get("text", "") for part in parts))
        case [{"type": "text", "text": _}, *_] if all(part.get("type") == "text" for part in data):
            return unwrap("\n".join(part["text"] for part in data))
        case _:
            return text


def read_written() -> Iterator[tuple[str, str, str]]:
    """The label of each answer written by hand, the kind it is read as, and its text."""
    for row in rows(WRITTEN):
        text = row["answer"] if isinstance(row["answer"], str) else json.dumps(row["answer"], ensure_ascii=False)
        schema = {"type": "object", "properties": {name: {} for name in row["arguments"]}}
        spec = ToolSpec.model_validate(
            {
                "name": "a_tool",
                "provider": "a",
                "tool": "tool",
                "description": "",
                "input_schema": schema,
                "effect": row["effect"],
            }
        )
        yield row["label"], classify(ToolOutput(text=text), spec).kind, text


def report(recorded: Iterable[tuple[str, Labelled]], *, wrong: bool) -> None:
    """The figures of each part, of the parts read first, and of those read later."""
    parts = {name: [call for _, call in found] for name, found in groupby(recorded, key=lambda pair: pair[0])}
    for name, calls in parts.items():
        say(f"{name}: {len(calls)} calls\n  words alone      {score(calls, by_words)}")
        if wrong:
            list_misses(calls)
    for name, later in (("read first", False), ("read later", True)):
        calls = [call for part, found in parts.items() if part.startswith("later") is later for call in found]
        say(f"{name}: {len(calls)} calls\n  words alone      {score(calls, by_words)}")


def main() -> None:
    """Measure what is here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mcpmark", type=Path)
    parser.add_argument("--toolathlon", type=Path)
    parser.add_argument("--wrong", action="store_true")
    asked = parser.parse_args()
    folders = {name: folder for name in ("mcpmark", "toolathlon") if (folder := getattr(asked, name)) is not None}
    if folders:
        report(read_recorded(folders), wrong=asked.wrong)
    written = list(read_written())
    say(f"written by hand: {len(written)} answers\n  words alone      {count((label, kind) for label, kind, _ in written)}")
    for label, kind, text in written if asked.wrong else ():
        if (label == "failed") is (kind in ANSWERED):
            say(f"    {label}, read as {kind}: {text[:160]!r}")


if __name__ == "__main__":
    main()
