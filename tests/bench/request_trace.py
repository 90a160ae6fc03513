"""Follows one request through the host: the functions it visits, in which files, and how often it returns to one it had left.

`python tests/bench/request_trace.py run diary`, with `--root FOLDER` for another checkout. A stop is the first visit to an asynchronous
function of `autonomy`, `discovery` or `metrics`: those are the request's own way; what they ask for an answer on the spot are helpers.
A return is a stop in a file that was left before.
"""

import argparse
import inspect
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

HOST = ("autonomy", "discovery", "metrics")
ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Stop(NamedTuple):
    """A function, and the file in which it stands."""

    file: str
    function: str


def returns(stops: Sequence[Stop]) -> int:
    """How many stops lie in a file that had been left before."""
    left, count, last = set[str](), 0, ""
    for file, _ in stops:
        if file != last:
            count += file in left
            left.add(last)
        last = file
    return count


def followed(root: Path, command: Sequence[str]) -> list[Stop]:
    """The stops of one command, which runs to its end in this process."""
    stops: list[Stop] = []
    visited = set[CodeType]()

    def visit(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_flags & ASYNCHRONOUS or code in visited:
            return
        visited.add(code)
        file = Path(code.co_filename)
        if file.is_relative_to(root) and file.relative_to(root).parts[0] in HOST:
            stops.append(Stop(str(file.relative_to(root)), code.co_qualname))

    sys.argv = ["jiritsu", *command]
    sys.setprofile(visit)
    try:
        import_module("autonomy.cli").main()
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    return stops


def main() -> None:
    """Print the stops, then their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    root = asked.root.resolve()
    sys.path.insert(0, str(root))
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"JIRITSU_HOME": home, "JIRITSU_WARM": "0"}
        stops = followed(root, asked.command)
    figures = (
        f"{len(stops)} stops in {len({stop.file for stop in stops})} files, {returns(stops)} returns to a file that was left"
    )
    sys.stdout.writelines(f"{line}\n" for line in (*map(" ".join, stops), figures))


if __name__ == "__main__":
    main()
