"""Words from outside, on every command's way to the terminal: they neither steer it nor forge a line."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from autonomy import __main__ as command
from autonomy.cli import main
from autonomy.cli.entry import EXIT_INTERRUPTED
from autonomy.cli.rich_console import SafeConsole
from autonomy.cli.terminal import harmless, in_a_line, print_json, say, say_value, show
from autonomy.durable.approval_store import Approvals
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Task
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.run_values import CallRecord, Receipt, RunRequest, RunResult
from autonomy.settings import load
from autonomy.stores import open_journal, open_store
from tests.metrics.story import Story
from tests.requirements import requirement
from tests.support.sampling import in_part
from tests.support.server_configs import SERVERS

pytestmark = pytest.mark.usefixtures("logging_as_before")

TRICKS = ["\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[8m", "\x9b31m", "\r", "\r\n", "\x08", "\x7f", "\x00", "\u202e", "\u2066"]
FORGED = "run-forged  2026-11-22 09:00  completed  diary"
WORDS = st.lists(st.sampled_from([*TRICKS, f"\n{FORGED}\n", "日記", "a b", "[red]"]), min_size=1, max_size=8).map("".join)
EVIL = f"日記\n{FORGED}\n" + "".join(TRICKS).replace("\x00", "")
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile(r"\x1b\[[012]m")
"""The two styles that `say` is given, and their end."""


def acting(printed: str) -> list[str]:
    """What in it would act on a terminal and is not ours."""
    return ACTING.findall(OURS.sub("", printed))


@pytest.fixture(autouse=True)
def blocked_loop(unguarded_loop: None) -> None:
    """Commands that end at once read their files where they are; nothing else waits for their loop."""


@given(text=st.text() | WORDS | st.just("half \ud800"))
def test_what_is_harmless_acts_on_nothing_and_keeps_every_word(text: str) -> None:
    for made in (harmless(text), in_a_line(text)):
        assert acting(made) == []
        made.encode()
        assert harmless(made) == made
        assert [sign for sign in made if sign.isalnum()] == [sign for sign in text if sign.isalnum()]
    assert len(in_a_line(text).splitlines()) <= 1
    if text.isprintable():
        assert harmless(text) == in_a_line(text) == text


@given(data=st.dictionaries(st.text() | WORDS, st.text() | WORDS))
def test_json_stays_the_same_data(data: dict[str, str]) -> None:
    printed = written(lambda: print_json(data))
    assert acting(printed) == []
    assert json.loads(printed) == data


@given(text=st.text() | WORDS)
def test_what_rich_draws_is_harmless_wherever_it_stands(text: str) -> None:
    def draw() -> None:
        table = Table(title=text)
        table.add_column(text)
        table.add_row(Text(text))
        console = SafeConsole()
        console.print(text, Text(text), table)

    assert acting(written(draw)) == []


def test_an_argument_stands_in_with_all_its_lines_and_to_its_end() -> None:
    printed = written(lambda: say_value("body", "first\n  channel: #general\x1b[8m" + "x" * 6_000 + " end"))
    first, second = printed.splitlines()
    assert first == "  body: first"
    assert second.startswith("    |   channel: #general␛[8mxxx")
    assert second.endswith("xxx end")
    assert written(lambda: say("one\ntwo")) == "one two\n"
    assert written(lambda: show("one\r\ntwo\r")) == "one\ntwo␍\n"


def written(draw: object) -> str:
    """What it prints, colours and all."""
    command = click.Command("draw", callback=draw)  # type: ignore[arg-type] - a function of no arguments
    done = CliRunner().invoke(command, [], color=True, catch_exceptions=False)
    return done.output


@contextmanager
def house(home: Path, words: str) -> Iterator[None]:
    """A data directory in which everything that others write says `words`."""
    config = load({"home": home}, env={})
    engine = open_store(config)
    store, runs = Store(engine), RunRecords(engine)
    request = RunRequest(run_id="run-1", task=Task(goal=words), actor=words)
    answer = ToolResult(call_id="c", name=words, text=words)
    call = CallRecord(call_id="c", turn=1, tool=words, asked=words, result=answer)
    receipt = Receipt(call_id="c", tool=words, state="done", target=words)
    result = RunResult(
        run_id="run-1", ending="blocked", text=words, reason=words, remarks=(words,), calls=(call,), receipts=(receipt,)
    )
    question = ApprovalQuestion(
        run_id="run-2", key="k", tenant="default", job=words, tool=words, effect="write", arguments={words: words},
        arguments_sha256="0" * 64, reason=words,
    )  # fmt: skip

    async def nobody(_: ApprovalQuestion) -> ApprovalAnswer:
        return ApprovalAnswer(answer="denied", by=words, reason=words)

    async def fill() -> None:
        await runs.begin(request, time.time())
        await runs.end(result)
        await runs.begin(request.model_copy(update={"run_id": "run-2"}), time.time())
        await Approvals(store, ask_here=nobody)._ask(question)
        await SqlLedger(store, clock=lambda: 1.0).claim("run-1/effect", run_id="run-1", tool=words, arguments_sha256="0" * 64)
        name = words.replace(
            "\n", " "
        )  # names of jobs and needs are an operator's, those of tools are checked: they have one line
        story = Story("run-1", job=name, at=time.time() - 60).start(needs=(name,)).turn().call(name, needs=(name,))
        await open_journal(config.settings, engine).write(story.finish("blocked", words).events)

    anyio.run(fill)
    engine.dispose()
    (home / "jobs").mkdir()
    title = json.dumps(words)
    (home / "jobs" / "evil.md").write_text(f"---\ntitle: {title}\nschedule: {{cron: 0 9 * * *}}\n---\ngoal", encoding="utf-8")
    (home / "jobs" / "broken.md").write_text(f"---\nlanguage: {title}\n---\ngoal", encoding="utf-8")
    options = {"list": [{"name": "tool", "description": words, "inputSchema": {"type": "object"}}], "words": words}
    script = [sys.executable, "-I", "-S", str(SERVERS / "stdio_server.py")]
    servers = {
        "evil": {"command": script[0], "args": [*script[1:], json.dumps(options)]},
        "fails": {"command": script[0], "args": [*script[1:], json.dumps({**options, "fault": "exit"})]},
        "odd": {"command": words.replace("\x00", ""), "args": [words.replace("\x00", "")], "env": {"A": words}, words: 1},
    }
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    yield


def jiritsu(home: Path, *arguments: str) -> str:
    """All that a command prints, colours kept."""
    done = CliRunner().invoke(main, ["--home", str(home), *arguments], input="n\n", color=True)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


NOT_SWEPT = {"worker": "works until it is told to stop; prints one line of its own"}
SERVES = {"web"}
"""Without an argument they serve until they are told to stop; with words they cannot take, they end."""
MORE = {
    "run": ["--simulate"],
    "tools call": ["{}"],
    "effects resolve": ["--happened"],
    "audit erase": ["--reason", EVIL, "--yes"],
    "audit prune": ["--before", "1d", "--yes"],
    "audit verify": ["--anchor"],
    "servers trust": ["--yes"],
    "tenants add": ["--vendor", "demo"],
    "tenants permit": [EVIL, "deny"],
    "connect freee": ["--tenant"],
    "connect king-of-time": ["--tenant"],
    "connect smarthr": ["--tenant"],
    "mcp hr": ["--tenant"],
    "slack manifest": ["--url"],
    "serve": ["--http"],
    "init": ["--dir"],
    "report": ["--job"],
}
"""What a command needs beside the words themselves; an option at the end takes them."""
PLAIN = {
    "discover": [[], ["tool"], ["--describe"], ["--json"]],
    "tools call": [["evil_tool", "{}"]],
    "runs list": [[], ["--json"]],
    "runs show": [["run-1"], ["run-1", "--json"]],
    "replay": [["run-1"]],
    "jobs list": [[], ["--json"]],
    "jobs show": [["evil"]],
    "jobs pause": [["evil", "--reason", EVIL]],
    "jobs history": [["evil"]],
    "approvals list": [["--all"], ["--all", "--json"]],
    "effects list": [[]],
    "effects resolve": [["run-1/effect", "--happened", "--note", EVIL]],
    "report": [["--lang", "en"], ["--explain", "run-1"], ["--format", "markdown"], ["--format", "csv"], ["--format", "html"]],
    "audit show": [[]],
    "servers list": [[], ["--json"]],
    "servers show": [["evil"], ["odd"]],
    "servers trust": [["odd"]],
    "servers probe": [[]],
    "doctor": [[]],
}
"""Calls that succeed and show what others wrote."""
ANSWERS = ("run", "chat", "tools call", "runs show")
"""They print an answer as it is, with its lines."""


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command there is."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name) or command, (*path, name))


@pytest.fixture(scope="module")
def evil_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("evil")
    with house(home, EVIL):
        yield home


@requirement("S3")
@pytest.mark.parametrize(
    "name",
    in_part(
        [name for name in leaves(main) if name not in NOT_SWEPT],
        every=6,
        alike=lambda name: (name.partition(" ")[0], name in PLAIN),
    ),
)
def test_no_command_lets_words_act_on_the_terminal(
    evil_house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    bare: list[list[str]] = [] if name in SERVES else [[]]
    for arguments in [*bare, *([] if name in PLAIN else [[*MORE.get(name, []), EVIL]]), *PLAIN.get(name, [])]:
        printed = jiritsu(evil_house, *name.split(), *arguments)
        assert acting(printed) == [], arguments
        if name not in ANSWERS and not {"--describe", "--format"} & set(arguments):
            assert FORGED not in printed.splitlines(), arguments


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS)
def test_whatever_the_words_what_was_can_be_looked_up(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    home = tmp_path_factory.mktemp("house")
    with house(home, words):
        for command in (
            "runs list",
            "runs show run-1",
            "approvals list --all",
            "effects list",
            "jobs list",
            "servers list",
            "audit show",
        ):
            assert acting(jiritsu(home, *command.split())) == [], command


def test_a_list_of_runs_that_is_cut_says_so(tmp_path: Path) -> None:
    engine = open_store(load({"home": str(tmp_path)}))

    async def note() -> None:
        for run_id in ("run-1", "run-2", "run-3"):
            await RunRecords(engine).begin(
                RunRequest(run_id=run_id, task=Task(goal="tidy up with password=hunter2-of-7")), 1_763_000_000.0
            )

    anyio.run(note)
    engine.dispose()
    cut, whole = (jiritsu(tmp_path, "runs", "list", "--limit", limit) for limit in ("2", "3"))
    assert cut.count("tidy up") == 2
    assert "these are the newest 2; `--limit` shows more" in cut
    assert whole.count("tidy up") == 3
    assert "newest" not in whole
    assert whole.count("password=***") == 3, "lists are shared"


@requirement("Y2")
def test_a_dumb_terminal_is_as_wide_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # what is no terminal is not taken for a dumb one
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "40")
    assert SafeConsole().width == 40


def test_ctrl_c_while_modules_are_imported_ends_the_command_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(_arguments: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("autonomy.warm.warm_client.carried_out", pressed)
    assert command.main() == EXIT_INTERRUPTED
