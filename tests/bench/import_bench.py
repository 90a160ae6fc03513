"""How fast other agents' runs are imported and scored: 500 runs of 20 calls as OpenAI-style messages, in CPU time.

    python -m tests.bench.import_bench

The goal is 5,000 calls a second on a quiet core. The floor is the same file parsed as JSON, line by line: nobody can import it in less, and the
ratio to it holds on a busy machine too.
"""

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from autonomy.cli.reports.imported_report import imported_report

RUNS, CALLS, ANSWER_CHARS, ROUNDS = 500, 20, 260, 5
WORDS = "alpha beta gamma delta report issue order status amount total user page file done open closed 2026-11-20 3,412 42 https://example.com/x"
TOOLS = ("search", "read_file", "list_issues")


def runs() -> Iterator[dict[str, Any]]:
    """The same made-up runs each time; every answer has words of its own."""
    dice = random.Random(3)

    def words(count: int) -> str:
        return " ".join(dice.choices(WORDS.split(), k=count))

    for _ in range(RUNS):
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"Find out what is open in {words(25)}"}]
        for call in range(CALLS):
            function = {"name": dice.choice(TOOLS), "arguments": json.dumps({"query": words(3), "page": call})}
            messages += [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": f"c{call}", "type": "function", "function": function}],
                },
                {"role": "tool", "tool_call_id": f"c{call}", "content": words(60)[:ANSWER_CHARS]},
            ]
        yield {"messages": [*messages, {"role": "assistant", "content": f"The report is done: {words(40)}"}]}


def cpu_s(work: Callable[[], object]) -> float:
    """What one round of work takes of the processor, in seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Measure both in turns, and print."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "runs.jsonl")
        file.write_text("".join(json.dumps(run) + "\n" for run in runs()), encoding="utf-8")

        def read() -> None:
            now = time.time()
            report = imported_report((str(file),), now=now, tz=ZoneInfo("UTC"), job=None, since=None, until=None)
            assert report.runs == RUNS

        def parse() -> None:
            with file.open(encoding="utf-8") as lines:
                for line in lines:
                    json.loads(line)

        read()
        pairs = [(cpu_s(read), cpu_s(parse)) for _ in range(ROUNDS)]
    taken = [pair[0] for pair in pairs]
    ratios = [imported / floor for imported, floor in pairs]
    sys.stdout.write(
        f"{RUNS * CALLS} calls, load {os.getloadavg()[0]:.1f}: {RUNS * CALLS / max(taken):,.0f} to {RUNS * CALLS / min(taken):,.0f} calls a second, "
        f"{min(ratios):.0f} to {max(ratios):.0f} times the floor (median {statistics.median(ratios):.0f})\n"
    )


if __name__ == "__main__":
    main()
