"""Measures the effects that are proposed for tools without annotations, on files of tools with labels.

    python -m tests.bench.effects_bench [FILE …] [--show wrong|missed]

A file holds one tool a line: `{"tool": …, "description": …, "input_schema": {…}, "label": "read"}`, and `source` and `server` if
there are several; it may be compressed (`.gz`). A label is `read`, `write`, `destructive`, `outward` or `unclear`. Without files it
measures the labelled tools in `tests/discovery/data`.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discovery.catalog import Effect, ToolSpec
from discovery.review.effect_proposals import propose

DATA = Path(__file__).parents[1] / "discovery" / "data"


def rows_of(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the tools of a file that have a label and words."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for line in filter(str.strip, lines):
            row = json.loads(line)
            if "label" in row and "description" in row:
                yield row


def spec_of(row: dict[str, Any], **more: Any) -> ToolSpec:
    """Return a labelled tool without its annotations."""
    fields = {key: row[key] for key in ("description", "input_schema") if key in row}
    return ToolSpec(name=row["tool"], tool=row["tool"], provider="p", **fields, **more)


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{part / whole:6.1%}" if whole else "     –"


def main() -> None:
    """Print a line for each set, and the last for all together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--show", choices=["wrong", "missed"], action="append", default=[])
    given = parser.parse_args()
    sets = defaultdict[str, list[tuple[dict[str, Any], bool]]](list)
    for file in given.files or sorted(DATA.glob("*.jsonl.gz")):
        for row in rows_of(file):
            sets[row.get("source", file.name.split(".")[0])].append((row, propose(spec_of(row)).effect is Effect.READ))
    say(f"{'set':<14} tools  reads  proposed  wrong  unclear   right  recall")
    for name, rows in [*sets.items(), ("all", [one for some in sets.values() for one in some])]:
        proposed = [row["label"] for row, is_read in rows if is_read]
        reads = sum(row["label"] == "read" for row, _ in rows)
        right, unclear = proposed.count("read"), proposed.count("unclear")
        wrong = len(proposed) - right - unclear
        shares = f"{share(right, right + wrong)}  {share(right, reads)}"
        say(f"{name:<14} {len(rows):5}  {reads:5}  {len(proposed):8}  {wrong:5}  {unclear:7}  {shares}")
    for row, is_read in (one for some in sets.values() for one in some):
        kind = "missed" if row["label"] == "read" and not is_read else "wrong" if is_read and row["label"] != "read" else ""
        if kind in given.show:
            text, why = " ".join(row["description"].split())[:150], "; ".join(propose(spec_of(row)).evidence)
            say(f"{kind:<7} {row.get('server', '')} {row['tool']} [{row['label']}]: {text} ({why})")


if __name__ == "__main__":
    main()
