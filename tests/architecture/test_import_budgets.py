"""What each command imports: who only reads the database pays neither for the engine nor for the SDKs of models and servers."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import anyio
import pytest

import autonomy
from autonomy.durable.records.run_records import RunRecords
from autonomy.llm.model import Task
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.settings import load
from autonomy.stores import open_store
from autonomy.warm.fork_server import SERVERS
from tests.support.sampling import in_part, only

PRINT_MODULES = """
import os, sys
from autonomy.cli import main

folder, *commands = sys.argv[1:]
for command in commands:
    if command == "autonomy.stores":
        import autonomy.stores
    elif os.fork() == 0:
        sys.stdout = open(os.path.join(folder, command), "w")
        try:
            main(command.split())
        except SystemExit as ended:
            print(ended.code or 0, *sys.modules.keys() - {"sitecustomize", "_distutils_hack"}, sep="\\t")
        sys.stdout.flush()
        os._exit(0)
    else:
        os.wait()
"""
"""Each command in a fork of a process that has imported the command line alone, and at `autonomy.stores` also what all the later ones
import: a seventh of a second each. Debian's Python has a `sitecustomize`, and setuptools loads its own into every interpreter."""

HEAVY = {"mcp", "mcp_types", "dbos", "openai", "anthropic", "psycopg", "sqlalchemy.orm", "starlette", "uvicorn", "httpx2"}
"""Each costs between a twentieth of a second and more than one."""

WITHOUT_DATABASE = {
    "--help": 120,
    "completion bash": 131,
    "config show": 258,
    "servers list": 294,
    "approvals rules": 290,
}
WITH_DATABASE = {
    "runs list": 511,
    "runs show run-1": 618,
    "jobs list": 653,
    "jobs show diary": 629,
    "jobs next diary": 644,
    "jobs history diary": 634,
    "report": 607,
    "audit show": 508,
    "audit verify": 508,
    "approvals list": 516,
    "approvals suggest": 599,
    "effects list": 506,
}
"""Command → the most modules it may have loaded when it ends, those of the standard library included."""

READERS = WITHOUT_DATABASE | WITH_DATABASE

MAIN = ("--help", "config show", "servers list", "runs list", "jobs list", "jobs show diary", "report", "approvals list")
"""What is counted whenever the tests run; the others are like them, and swept."""

LISTS = ("runs list", "approvals list", "effects list")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with one run that has ended and one whose process is gone."""
    home = tmp_path_factory.mktemp("home")
    engine = open_store(load({"home": str(home)}))

    async def note() -> None:
        records = RunRecords(engine)
        for run_id in ("run-1", "run-2"):
            await records.begin(RunRequest(run_id=run_id, task=Task(goal="何か"), job="diary"), 1_763_000_000.0)
        await records.end(RunResult(run_id="run-1", ending="completed", text="done"))

    anyio.run(note)
    engine.dispose()
    return home


def chosen_of(commands: Iterable[str], request: pytest.FixtureRequest) -> list[str]:
    """Those for which a test is to run."""
    asked = [item.callspec.params.get("command") for item in request.session.items if hasattr(item, "callspec")]
    return [command for command in commands if command in asked]


@pytest.fixture(scope="module")
def outputs(home: Path, request: pytest.FixtureRequest) -> dict[str, tuple[str, set[str]]]:
    """Command → what it printed, and the modules that were loaded when it had ended well."""
    chosen = chosen_of(READERS, request)
    without, others = WITHOUT_DATABASE.keys() & chosen, WITH_DATABASE.keys() & {*chosen, "runs list"}
    subprocess.run(
        [sys.executable, "-c", PRINT_MODULES, str(home), *without, "autonomy.stores", *others],
        env={**os.environ, "JIRITSU_HOME": str(home), "JIRITSU_DATABASE_URL": ""},
        check=True,
        timeout=120,
    )
    found = {}
    for command in (*without, *others):
        printed, _, last = (home / command).read_text().rstrip("\n").rpartition("\n")
        code, *modules = last.split("\t")
        assert code == "0", printed
        found[command] = printed, set(modules)
    return found


@pytest.mark.requirement("K7")
@pytest.mark.parametrize("command", only(MAIN, READERS))
def test_a_command_that_reads_loads_nothing_that_runs_them(command: str, outputs: dict[str, tuple[str, set[str]]]) -> None:
    _, loaded = outputs[command]
    assert not HEAVY & loaded
    assert len(loaded) <= READERS[command], "something heavy came along"
    assert command not in LISTS or "metrics.events" not in loaded, "its forty models take a tenth of such a command"


def test_no_command_imports_the_app_on_the_event_loop() -> None:
    """It reads some hundred files, and what a person waits for stands still meanwhile; `pass_config` imports it before."""
    late = [
        f"{path.name}:{function.name}"
        for path in sorted((Path(autonomy.__file__).parent / "cli").rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.AsyncFunctionDef)
        if "pass_config(calls_tools=True)" not in map(ast.unparse, function.decorator_list)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.module == "autonomy.app"
    ]
    assert late == []


def test_names_of_jobs_are_completed_without_reading_a_job(home: Path, tmp_path: Path) -> None:
    """Whoever presses Tab on a busy machine waits for as many modules as are loaded."""
    program = (
        "import atexit, sys\n"
        "sys.argv = ['jiritsu']\n"
        "atexit.register(lambda: print(*sys.modules, file=open(sys.orig_argv[-1], 'w')))\n"
        "from autonomy.__main__ import main\n"
        "main()\n"
    )
    asked = {"COMP_WORDS": "jiritsu run di", "COMP_CWORD": "2", "_JIRITSU_COMPLETE": "bash_complete", "JIRITSU_WARM": "0"}
    out = tmp_path / "modules"
    told = subprocess.run(
        [sys.executable, "-c", program, str(out)],
        env={**os.environ, "JIRITSU_HOME": str(home), **asked},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.stdout.split() == ["plain,diary"]
    loaded = set(out.read_text().split())
    assert not {"sqlalchemy", "autonomy.jobs.job", "autonomy.settings_files", *HEAVY} & loaded
    assert len(loaded) <= 330


@pytest.mark.requirement("K7")
def test_a_list_of_runs_names_the_one_whose_process_is_gone_without_the_engine(outputs: dict[str, tuple[str, set[str]]]) -> None:
    """The budget is not kept by doing less."""
    printed, _ = outputs["runs list"]
    assert "interrupted" in printed
    assert "completed" in printed


RUN, DURABLE_RUNS = "autonomy.app_services, autonomy.agent.loop", "dbos"


@pytest.fixture(scope="module")
def loaded_with(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What one process has loaded after each of these, one after the other."""
    program = (
        "import sys, anyio\n"
        "from autonomy.warm.sdk_halves import import_client\n"
        "import_client()\n"
        f"import {RUN}\n"
        "print(*sys.modules)\n"
        "from autonomy.database import migrate, open_engine\n"
        "from autonomy.durable.durable_runs import open_runs\n"
        "from autonomy.durable.durable_upgrades import DURABLE\n"
        "from autonomy.durable.records.run_records import RunRecords\n"
        "engine = open_engine(sys.argv[1])\n"
        "migrate(engine, [DURABLE])\n"
        "async def main():\n"
        "    async with open_runs(engine, None, RunRecords(engine)):\n"
        "        print(*sys.modules)\n"
        "anyio.run(main)\n"
    )
    folder = tmp_path_factory.mktemp("runs")
    told = subprocess.run(
        [sys.executable, "-c", program, f"sqlite:///{folder / 'jiritsu.db'}"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return dict(zip((RUN, DURABLE_RUNS), (set(line.split()) for line in told.stdout.splitlines()), strict=True))


def test_what_a_run_is_made_of_brings_neither_console_nor_conversations_nor_vendors(loaded_with: dict[str, set[str]]) -> None:
    """What `jiritsu run` imports before it knows which models and providers there are."""
    loaded = loaded_with[RUN]
    unwanted = ("autonomy.web", "autonomy.chat.chat_service", "autonomy.hr.vendors", "autonomy.notifications", "autonomy.bridge")
    assert not [name for name in loaded if name.startswith(unwanted)]
    heavy = {"sqlalchemy.orm", "sqlalchemy.dialects.postgresql", "dbos", "psycopg", "openai", "jinja2", "jwt", "numpy"}
    assert not (heavy | {"rich", "genai_prices", "mcp.server", "starlette", "uvicorn"}) & loaded
    assert len(loaded) <= 1002


GREETING = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    '"clientInfo":{"name":"desktop","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)


@pytest.mark.requirement("K7")
def test_a_gateway_of_local_servers_without_jobs_brings_no_http_no_engine_no_model_and_no_judge(tmp_path: Path) -> None:
    """It stays beside a desktop client all day: each module is memory."""
    program = (
        "import atexit, sys\n"
        "sys.argv = ['jiritsu', 'gateway']\n"
        "atexit.register(lambda: print(*sys.modules, file=open(sys.orig_argv[-1], 'w')))\n"
        "from autonomy.__main__ import main\n"
        "main()\n"
    )
    out = tmp_path / "modules"
    told = subprocess.run(
        [sys.executable, "-c", program, str(out)],
        env={**os.environ, "JIRITSU_HOME": str(tmp_path / "home"), "JIRITSU_DATABASE_URL": "", "JIRITSU_WARM": "0"},
        cwd=tmp_path,
        input=GREETING,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert '"serverInfo"' in told.stdout, told.stderr
    loaded = set(out.read_text().split())
    assert {"autonomy.mcp_gateway.clients.profiles", "autonomy.mcp_gateway.past_writes", "autonomy.calls.pipeline"} <= loaded
    http = {"httpx2", "uvicorn", "starlette.applications", "sse_starlette", "mcp.client.auth"}
    runs = {"autonomy.agent.loop", "autonomy.completion.judge", "autonomy.completion.rules.needs", "autonomy.jobs.job", "yaml"}
    others = {"dbos", "sqlalchemy.orm", "psycopg", "autonomy.llm.offline", "jwt", "cryptography", "rich", "numpy"}
    assert not (http | runs | others) & loaded
    assert len(loaded) <= 1012


def test_whether_a_job_of_the_sample_asks_hr_tools_is_known_without_them() -> None:
    """What serves them, with its vendors, is a twentieth of a run's imports, and few jobs need it."""
    program = (
        "import sys\n"
        "from autonomy.cli.sample import sample_flags, with_company\n"
        "from autonomy.jobs.job_folders import BUILT_IN\n"
        "from autonomy.settings import load\n"
        "config = load(sample_flags('en', None))\n"
        "assert not with_company(config, 'diary').settings.sample_company\n"
        "overtime = BUILT_IN / 'templates' / 'en' / 'overtime-alarm.md'\n"
        "assert with_company(config, str(overtime)).settings.sample_company\n"
        "print(*sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(told.stdout.split())
    assert "autonomy.jobs.job" in loaded
    assert not [name for name in loaded if name.startswith("autonomy.hr.")]


def test_a_job_is_planned_offline_without_what_answers_goals_in_words() -> None:
    """That brings a quarter of a second of vocabulary and patterns."""
    program = "import sys, autonomy.llm.offline.planner; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(told.stdout.split())
    assert "autonomy.llm.offline.need_solver" in loaded
    assert not {"autonomy.llm.offline.goal_answering", "autonomy.llm.offline.query.query_words"} & loaded


PRINT_MODULES_AT_FORK = """
import os, sys
from autonomy.warm import fork_server

def begin(*, serves):
    print(command, *sys.modules, sep="\\t")
    sys.stdout.flush()
    os._exit(0)

fork_server.begin = begin
from autonomy.cli import main
for command in sys.argv[1:]:
    if os.fork() == 0:
        main(command.split())
        os._exit(0)
    os.wait()
"""

CALLERS = (
    "run diary",
    "runs resume run-1",
    "chat",
    "discover",
    "tools call weather_forecast",
    "jobs check diary --live",
    "doctor",
    "demo injection",
    "web",
    "worker",
    "serve",
    "gateway",
)


@pytest.fixture(scope="module")
def loaded_at_fork(home: Path, request: pytest.FixtureRequest) -> dict[str, set[str]]:
    """Command → what it has loaded when the fork server begins; each in a fork of a process that has imported the command line alone."""
    told = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES_AT_FORK, *chosen_of(CALLERS, request)],
        env={**os.environ, "JIRITSU_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return {command: set(modules) for command, *modules in (line.split("\t") for line in told.stdout.splitlines())}


@pytest.mark.requirement("K7")
@pytest.mark.parametrize("command", in_part(CALLERS, every=6))
def test_a_command_that_calls_tools_has_the_fork_server_begin_before_it_loads_what_only_it_needs(
    command: str, loaded_at_fork: dict[str, set[str]]
) -> None:
    """What is loaded by then is in each server of ours; where the SDK is, there is no fork server, and they cost twice as much."""
    loaded = loaded_at_fork[command]
    assert "autonomy.cli.entry" in loaded
    assert not {"mcp", "mcp_types", "sqlalchemy", "dbos", "httpx2"} & loaded


@pytest.mark.requirement("K7")
def test_durable_runs_over_sqlite_do_not_load_the_driver_of_postgresql(loaded_with: dict[str, set[str]]) -> None:
    """DBOS names the errors of the driver, whatever the database. SQLAlchemy's forms for it, which DBOS uses itself, stay."""
    loaded = loaded_with[DURABLE_RUNS]
    assert {"dbos", "sqlite3"} <= loaded
    assert not [name for name in loaded if name.startswith(("psycopg", "sqlalchemy.orm", "sqlalchemy.ext"))]


PRINT_MODULES_OF_SERVERS = """
import os, runpy, sys
from autonomy.warm.sdk_halves import import_client, import_server_half

import_client()
import_server_half()
shared = {*sys.modules}
for name in sys.argv[1:]:
    if os.fork() == 0:
        runpy.run_module(name, run_name="__main__")
        print(name, *sys.modules.keys() - shared, sep="\\t")
        sys.stdout.flush()
        os._exit(0)
    os.wait()
print("shared", *shared, sep="\\t")
"""


@pytest.mark.requirement("K7")
def test_no_server_of_ours_brings_an_http_client_a_cipher_or_a_log_handler_of_the_sdks(tmp_path: Path) -> None:
    """Three or four of them stay beside each gateway and worker; a client is made at the first request to a service."""
    told = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES_OF_SERVERS, *sorted(SERVERS)],
        env={**os.environ, "JIRITSU_COMMON_DIR": str(tmp_path), "JIRITSU_HOME": str(tmp_path), "SLACK_BOT_TOKEN": "xoxb-1"}
        | {"ESA_ACCESS_TOKEN": "secret", "ESA_TEAM": "team"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = {name: set(modules) for name, *modules in (line.split("\t") for line in told.stdout.splitlines())}
    assert loaded.keys() == {*SERVERS, "shared"}, told.stderr
    for name, modules in loaded.items():
        unwanted = {
            "httpx2",
            "httpcore2",
            "starlette.applications",
            "uvicorn",
            "cryptography",
            "trio",
            "rich.text",
            "rich.logging",
        }
        assert not unwanted & modules, name
