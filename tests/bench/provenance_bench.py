"""How fast sources are found: a day's diary, one megabyte of results, and 40,000 characters of each hostile pattern, in CPU time.

    python -m tests.bench.provenance_bench [TRAJECTORIES]

TRAJECTORIES is a `trajectories.jsonl.gz` of LiveMCPBench runs (icip-cas/LiveMCPBench, Apache-2.0): every result is read, and every argument of
every call is led back to the results before it. Targets on a quiet core: a diary 20 ms, one megabyte 200 ms. The floor is what nobody
can go below: the same megabyte parsed as JSON and gone through by one regular expression; the ratio to it holds on a busy machine too.
"""

import gc
import gzip
import json
import re
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from autonomy.provenance import Sources, attribute, facts_in
from tests.autonomy.provenance.test_attribution import DIARY, HARUKA, SOURCES, workspace
from tests.autonomy.provenance.test_facts import BOMBS

MEGABYTE = 1_000_000


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """The median CPU time of a piece of work."""
    taken = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def large_result() -> dict[str, Any]:
    """Different messages, one megabyte of them as UTF-8."""
    found: list[dict[str, Any]] = []
    size = 0
    while size < MEGABYTE:
        at = len(found)
        text = f"{chr(0x4E00 + at % 3000)}{chr(0x5E00 + at % 2999)}の件、PR #{at} を確認して{at % 97}件を修正しました。通知メールの再送も{at % 13}通あります"
        found.append(
            {"ts": f"{1795000000 + at}.000100", "user_id": f"U07{at % 40:05}", "channel_name": f"c{at % 9}", "text": text}
        )
        size += len(json.dumps(found[-1], ensure_ascii=False).encode())
    return {"messages": found}


def uneven_result() -> dict[str, Any]:
    """A megabyte of issues that differ in their keys and hold objects and lists, so that each is taken by itself."""
    found: list[dict[str, Any]] = []
    size = 0
    while size < MEGABYTE:
        at = len(found)
        user = {"login": f"user{at % 40}", "id": at % 40, "site_admin": False}
        title = f"{chr(0x4E00 + at % 3000)}の件 {at} を直す"
        issue = {"number": at, "title": title, "user": user, "labels": [{"name": f"l{at % 7}"}], "comments": at % 13}
        issue |= {"state": "open", "created_at": f"2026-11-{1 + at % 28:02}T{at % 24:02}:15:00Z", "milestone": None}
        issue |= {"body": f"通知メールが{at % 97}回届きます。\n再送は{at % 5}回で止めます"} if at % 3 else {}
        found.append(issue)
        size += len(json.dumps(issue, ensure_ascii=False).encode())
    return {"issues": found}


def read_large(result: dict[str, Any]) -> None:
    """Add the result, and hold a short text against it."""
    sources = Sources(date(2026, 11, 22), ZoneInfo("Asia/Tokyo"))
    sources.add_result("c", "history", result)
    attribute(DIARY, sources)


def trace_calls(path: Path) -> None:
    """Lead every argument of recorded runs back."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        runs = [json.loads(line) for line in lines]
    values = found = 0
    begin = time.process_time()
    for run in runs:
        sources = Sources()
        for at, call in enumerate(run["calls"]):
            for value in call["args"].values() if isinstance(call["args"], dict) else ():
                values += 1
                found += bool(sources.sources_of(value))
            sources.add_result(str(at), call["fn"], call["result"], is_error=bool(call["is_error"]))
    print(  # noqa: T201 - a bench prints
        f"{len(runs)} recorded runs: {values} arguments, {found} with a source in earlier results, {time.process_time() - begin:.2f} s"
    )


def main() -> None:
    """Print the table."""
    facts_in("1件")
    attribute(DIARY, SOURCES, HARUKA)
    print(f"diary, sources known      {1000 * seconds(lambda: attribute(DIARY, SOURCES, HARUKA)):8.1f} ms")  # noqa: T201 - a bench prints
    print(f"diary, from the results   {1000 * seconds(lambda: attribute(DIARY, workspace(), HARUKA)):8.1f} ms")  # noqa: T201 - a bench prints
    gc.set_threshold(10_000, 10, 10)  # both as every command does that serves
    gc.collect()
    gc.freeze()
    for what, result in (("alike", large_result()), ("uneven", uneven_result())):
        written = json.dumps(result, ensure_ascii=False)
        floor = seconds(lambda written=written: (json.loads(written), re.findall(r"\w+", written)))  # type: ignore[misc]
        took = seconds(lambda result=result: read_large(result))  # type: ignore[misc]
        print(f"a megabyte, {what}, a diary {1000 * took:6.1f} ms, {took / floor:.1f} times the floor of {1000 * floor:.1f} ms")  # noqa: T201 - a bench prints
    for bomb in BOMBS:
        text = bomb * (40_000 // len(bomb))
        print(f"40,000 characters of {bomb!r:10} {1000 * seconds(lambda text=text: facts_in(text), 1):8.1f} ms")  # type: ignore[misc]  # noqa: T201 - a bench prints
    for path in sys.argv[1:]:
        trace_calls(Path(path))


if __name__ == "__main__":
    main()
