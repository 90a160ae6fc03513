"""Asks the offline planner plain questions over public MCP servers, each started as its README says.

`python -m tests.bench.public_questions SERVERS.json [FILE.jsonl ...] [--show]`: SERVERS.json is a servers file with the servers `time`,
`git`, `filesystem` and so on, installed beside it; a server that does not say which of its tools read has their names as `reads`. In a
question, `{root}` is the folder of SERVERS.json, where the files, the repository and the database are made, and `{url}` a page on
loopback. `tool` and `args` are the call that answers it; without a tool a refusal is due (that names `names`).
"""

import http.server
import json
import re
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from tests.autonomy.llm.offline.conversation import Tool, converse
from tests.bench.sample_workspace import NOW, caller

QUESTIONS = Path(__file__).parent / "data" / "public_server_questions.jsonl"
PAGE = b"<html><title>Tea</title><body><h1>Tea shop</h1><p>Green tea is 4 euros.</p></body></html>"


class _Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """One small page for every path, and no robots.txt."""
        self.send_response(404 if "robots" in self.path else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        """Keep nothing."""


def make_workspace(root: Path) -> None:
    """Some files, a repository with two commits, and a database with two tables."""
    (root / "files" / "sub").mkdir(parents=True, exist_ok=True)
    (root / "files" / "notes.txt").write_text("hello notes\nbuy milk\n", encoding="utf-8")
    (root / "files" / "report.md").write_text("# Report\nAll fine.\n", encoding="utf-8")
    (root / "files" / "sub" / "config.json").write_text('{"a": 1}', encoding="utf-8")
    if not (root / "repo").exists():
        git = ["git", "-C", str(root / "repo"), "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        subprocess.run(["git", "init", "-q", str(root / "repo")], check=True)
        for number, subject in enumerate(("First commit", "Add a line")):
            (root / "repo" / "a.txt").write_text("line\n" * (number + 1), encoding="utf-8")
            subprocess.run([*git, "add", "."], check=True)
            subprocess.run([*git, "commit", "-qm", subject], check=True)
    with sqlite3.connect(root / "shop.db") as database:
        database.execute("CREATE TABLE IF NOT EXISTS books (id INTEGER, title TEXT, price REAL)")
        database.execute("CREATE TABLE IF NOT EXISTS customers (id INTEGER, name TEXT)")


@contextmanager
def served_page() -> Iterator[str]:
    """The address of a page on loopback."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


async def ask_all(questions: Sequence[dict[str, Any]], servers: Path) -> list[tuple[dict[str, Any], str, str, list[Any]]]:
    """Each question with its grade, the text that came of it, and the calls."""
    asked = []
    configured = json.loads(servers.read_text(encoding="utf-8"))["mcpServers"]
    with served_page() as url:
        for name in dict.fromkeys(one["server"] for one in questions):
            async with AsyncExitStack() as stack:
                entry = configured[name]
                started = StdioServerParameters(command=entry["command"], args=entry["args"], cwd=servers.parent)
                client = await stack.enter_async_context(Client(stdio_client(started)))
                tools = [_tool(client, one, entry.get("reads", ())) for one in (await client.list_tools()).tools]
                for one in questions:
                    if one["server"] == name:
                        filled = json.loads(json.dumps(one).replace("{root}", str(servers.parent)).replace("{url}", url))
                        asked.append(await _ask(filled, tools))
    return asked


def _tool(client: Client, listed: Any, reads: Sequence[str]) -> Tool:
    marked = listed.annotations and listed.annotations.read_only_hint
    effect = "read" if marked or listed.name in reads else "outward"
    schema = listed.input_schema
    required = tuple(schema.get("required", ()))
    run = caller(client, listed.name)
    return Tool(listed.name, listed.description or "", schema.get("properties", {}), run, required, effect)


async def _ask(question: dict[str, Any], tools: Sequence[Tool]) -> tuple[dict[str, Any], str, str, list[Any]]:
    language = "en" if question["q"].isascii() else "ja"
    said = await converse(
        OfflinePlanner(today=NOW.date), Task(goal=question["q"], language=language), tools, max_turns=11, talk_after=10
    )
    last = said.messages[-1]
    assert isinstance(last, AssistantMessage)
    wanted = question["tool"]
    if last.stop_reason == "refusal":
        named = all(one in said.text for one in question.get("names", ()))
        return question, "refused" if wanted or not named else "refused rightly", said.text, said.calls
    wants = wanted if isinstance(wanted, list) else [wanted]
    right = any((name, question["args"]) in said.calls and re.search(rf"(?<![\w-]){name} ", said.text) for name in wants if name)
    return question, "right" if right else "wrong", said.text, said.calls


def main(arguments: Sequence[str]) -> None:
    """Print the counts of each file and language, and with `--show` every question and answer."""
    servers, *files = [Path(one).resolve() for one in arguments if not one.startswith("--")]
    make_workspace(servers.parent)
    for file in files or [QUESTIONS]:
        questions = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        asked = anyio.run(partial(ask_all, questions, servers))
        for language in (True, False):
            counts = Counter(grade for one, grade, _, _ in asked if one["q"].isascii() == language)
            sys.stdout.write(f"{file.name} {'en' if language else 'ja'}: {dict(counts)}\n")
        for one, grade, text, calls in asked if "--show" in arguments else ():
            sys.stdout.write(f"\n[{grade}] {one['server']}: {one['q']}\n  {calls}\n  {text[:600]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
