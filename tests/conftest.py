"""What every test gets: one asyncio backend, a failure when the event loop is blocked, no network but loopback, a home of its own."""

import functools
import gc
import ipaddress
import itertools
import os
import shutil
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any

import httpcore2
import hypothesis
import pytest
from _pytest import python
from blockbuster import BlockBuster
from hypothesis import HealthCheck
from pytest_timeout import Settings

from discovery.servers.certificates import certificates
from discovery.transport.local import processes
from tests.support import command
from tests.support.compiling import compile_tests
from tests.support.postgres import Server, shared_postgres
from tests.support.tls_loopback import Authority
from tests.support.wall_limit import WallLimit
from tests.support.watching import children_of, now_in_ticks, started_in_ticks

# Hundreds of programs are started here: none of them shall compile all modules anew, whatever the machine says of its own programs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A database waits for the disk some fifty times a test: what nobody keeps lies in memory, where there is room for it and programs
# may be started from it. `PYTEST_DEBUG_TEMPROOT` names another folder.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC and shutil.disk_usage(MEMORY).free > 2 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# Every client reads the machine's certificates, for 27 ms of processor time; a thousand are made here, most for plain HTTP on loopback.
httpcore2.default_ssl_context = functools.cache(httpcore2.default_ssl_context)

PROXIES = [name for kind in ("HTTP", "HTTPS", "ALL", "NO") for name in (f"{kind}_PROXY", f"{kind}_PROXY".lower())]

# The profiles of all laws. No deadline: a busy machine is no counterexample. The suite draws few examples, and the same each time: a
# change must not fail by chance. `pytest --hypothesis-profile=many` draws as many as a sweep shall, each time others unless `CI` is set.
for name, examples in (("house", 12), ("many", 300)):
    hypothesis.settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        derandomize=name == "house" or "CI" in os.environ,
        print_blob=True,
    )
hypothesis.settings.load_profile("house")

FAILED = pytest.StashKey[bool]()

HOMES = itertools.count()

SLOW = tuple(
    f"tests/{place}"
    for place in (
        "autonomy/agent/test_second_opinion_over_http", "autonomy/chat", "autonomy/cli", "autonomy/durable", "autonomy/hr",
        "autonomy/mcp_gateway", "autonomy/warm", "autonomy/web", "discovery/test_http_faults", "discovery/test_processes",
        "discovery/test_stdio_faults", "interaction", "mcp_servers", "metrics/test_report_html", "metrics/test_running_totals",
        "simulation",
    )
)  # fmt: skip
"""Where tests wait for other processes, or one takes seconds. The others are a few milliseconds each."""

WALL_LIMIT = WallLimit()

gc.disable()  # what importing and collecting make stays to the end: see `pytest_collection_finish`


def pytest_configure(config: pytest.Config) -> None:
    """One process that forks commands for all workers: they find it in their environment."""
    os.environ.pop("COLUMNS", None)  # GNU readline tells every worker of a terminal of 80 columns, and none has one
    if "PYTEST_XDIST_WORKER" not in os.environ:
        command.open_warm()


@pytest.hookimpl
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[Any]) -> None:
    """Workers are forks of one process that has imported all tests, where they are many and start here."""
    if len(specs) > 1 and all(spec.popen and spec.python is None for spec in specs):
        compile_tests(config)
        program = command.fork_workers([str(argument) for argument in config.invocation_params.args])
        for spec in specs:
            spec.python = program


@pytest.hookimpl
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers more than processors where the whole suite runs, for nearly half of its time is waiting for other processes; none for
    a few files, which would be done before the workers stood."""
    whole = all(Path(argument).is_dir() for argument in config.args)
    return len(os.sched_getaffinity(0)) + 3 if whole and not config.option.usepdb else 0


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Where sweeps do not run, their parameters become no tests, unless somebody names one: they are a third of all, and each worker
    would build them and throw them away."""
    yield
    if "not sweep" in metafunc.config.option.markexpr.split(" and ") and not any("::" in name for name in metafunc.config.args):
        calls = metafunc._calls
        usual = [call for call in calls if all(mark.name != "sweep" for mark in call.marks)]
        calls[:] = usual or calls[:1]  # without any it would be a test without parameters


def pytest_sessionstart(session: pytest.Session) -> None:
    """A worker does not tell the controller that a setup or teardown passed, as xdist tells of no collection that did: these are two
    thirds of the reports, and only the times of tests and a report in XML use them. Nor that a test begins or is through, which
    nobody shows without `-v`."""
    config = session.config
    silent = config.option.durations is None and config.option.xmlpath is None and config.option.verbose < 1
    if silent and hasattr(config, "workerinput"):
        hooks = config.hook
        for told, instead in (
            (hooks.pytest_runtest_logreport, _tell_what_matters),
            (hooks.pytest_runtest_logstart, _tell_nothing),
            (hooks.pytest_runtest_logfinish, _tell_nothing),
        ):
            # by its name: execnet runs the source of xdist.remote, so that the class is not the one to be imported from there
            (hook,) = (hook for hook in told.get_hookimpls() if type(hook.plugin).__name__ == "WorkerInteractor")
            hook.function = partial(instead, hook.function)


def _tell_what_matters(tell: Callable[[pytest.TestReport], None], report: pytest.TestReport) -> None:
    if report.when == "call" or not report.passed:
        tell(report)


def _tell_nothing(*_: object) -> None: ...


SWEEP_LIMIT_S = 3_600
"""A sweep may ask hundreds of questions in one test: five minutes were passed beside eight others."""


def pytest_timeout_set_timer(item: pytest.Item, settings: Settings) -> bool:
    """In place of pytest-timeout's own timer."""
    WALL_LIMIT.watch(item, settings)
    return True


def pytest_timeout_cancel_timer(item: pytest.Item) -> bool:
    """In place of pytest-timeout's own timer."""
    WALL_LIMIT.forget()
    return True


def pytest_collection(session: pytest.Session) -> bool | None:
    """A worker has its tests from the process that forked it, which collected them once for all."""
    config = session.config
    if (collected := sys.modules.get("tests.support.collected")) is None or not hasattr(config, "workerinput"):
        return None  # pytest collects
    if not any(collection.give_to(session) for collection in collected.COLLECTIONS):
        return None
    pytest_collection_modifyitems(config, session.items)
    config.hook.pytest_collection_finish(session=session)
    return True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs a browser comes first, to one worker: stolen from it at the end, each part would need a browser of its own. Each
    worker gets a share of what waits or takes long, file by file, and computes between them; what is left for the end, and stolen
    then, are short tests. Else a worker goes on alone with a long one when the others are through.

    Of the list each worker gets as many tests as the others, in their order (xdist, `worksteal`).
    """
    for item in items:
        if item.get_closest_marker("sweep") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SWEEP_LIMIT_S))
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    workers = config.workerinput["workercount"] if hasattr(config, "workerinput") else 1
    if workers == 1:
        return
    seen = {item.path for item in items if item.get_closest_marker("browser")}
    slow: list[list[list[pytest.Item]]] = [[] for _ in range(workers)]
    quick: list[pytest.Item] = []
    turn = itertools.cycle(reversed(slow))
    for file, tests in _by_file(sorted(items, key=lambda item: item.path not in seen)):
        if file in seen or tests[0].nodeid.startswith(SLOW):
            (slow[0] if file in seen else next(turn)).append(tests)
        else:
            quick += tests
    ordered: list[pytest.Item] = []
    for number, files in enumerate(slow, 1):
        room = max(0, len(items) * number // workers - len(ordered) - sum(map(len, files)))
        ordered += _mixed(files, quick[:room])
        del quick[:room]
    items[:] = ordered + quick


def _by_file(items: list[pytest.Item]) -> Iterator[tuple[Path, list[pytest.Item]]]:
    return ((file, list(tests)) for file, tests in itertools.groupby(items, key=lambda item: item.path))


def _mixed(slow: list[list[pytest.Item]], quick: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Slow files with two thirds of the quick tests between them, whole files too, and at the end the others."""
    left, others = len(quick), _by_file(quick)
    for number, tests in enumerate(slow, 1):
        yield from tests
        while left > len(quick) * (1 - 2 / 3 * number / len(slow)):
            _, between = next(others)
            left -= len(between)
            yield from between
    yield from itertools.chain.from_iterable(tests for _, tests in others)


def pytest_collection_finish() -> None:
    """A million objects of modules and tests are no garbage: none of the collections to come looks at them, and these come rarely."""
    if "mcp.server.mcpserver" in sys.modules:  # imported by tests: the controller of the workers needs it not
        from tests.support.known_tools import keep_known_tools

        keep_known_tools()
    if "sqlalchemy" in sys.modules:
        from tests.support.known_sql import keep_compiled_sql

        keep_compiled_sql()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # at 700 objects they take twice as long, and find no more
    gc.enable()


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """What a test sets in its context ends with it, as in a program of its own: the language that a command chose for the terminal
    decided the tests after it on the same worker."""
    return copy_context().run(python.pytest_pyfunc_call, pyfuncitem)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether a phase of the test failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What a failed test left unclosed is collected here, not in the middle of an innocent test, where a warning is an error."""
    result = yield
    if item.stash.get(FAILED, False) and not item.config.option.usepdb:
        for name in ("last_exc", "last_type", "last_value", "last_traceback"):  # they hold the frames of the failure
            sys.__dict__.pop(name, None)
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        with warnings.catch_warnings(action="ignore"):
            gc.collect()
        sys.unraisablehook = hook
    return result


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """PostgreSQL for the whole suite, whichever worker comes first; tests make databases of their own on it and never stop it."""
    base = tmp_path_factory.getbasetemp()
    with shared_postgres(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) as server:
        yield server


@pytest.fixture(autouse=True)
def left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """A failed test leaves no process behind: those it started are killed. What wider fixtures started stays, and what
    multiprocessing keeps for the tests to come: without it the next one that forks would fail."""
    begun = now_in_ticks()
    yield
    if request.node.stash.get(FAILED, False):
        kept = {resource_tracker._resource_tracker._pid, forkserver._forkserver._forkserver_pid}
        for pid in children_of(os.getpid()) - kept:
            with suppress(ProcessLookupError, FileNotFoundError):
                if started_in_ticks(pid) > begun:
                    os.kill(pid, signal.SIGKILL)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT and SIGHUP are heard by the programs started here, also where the suite itself was started by a shell that ignores them
    (a background job, nohup)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler), signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGHUP, before[1])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def guard_of_the_loop(only_loopback: None) -> Iterator[BlockBuster]:
    """Built once: it finds some sixty functions by name, that which connects as `only_loopback` has it. Whose statement it is tells the
    frame below that of our cursor."""
    guard = BlockBuster(["autonomy", "discovery", "metrics"], excluded_modules=["autonomy.database"])
    for name, call in guard.functions.items():
        if name.startswith("sqlite3."):  # there SQLite waits for nothing
            call.can_block_in("autonomy/durable/dbos_internals/group_commit.py", {"_store", "end"})
            call.can_block_in("autonomy/durable/dbos_internals/step_lookup.py", {"_ask"})
    yield guard
    guard.deactivate()


@pytest.fixture(autouse=True)
def blocked_loop(guard_of_the_loop: BlockBuster) -> None:
    """A blocking call on the event loop inside our own packages fails the test. What guards stays for the tests to come: to put it there
    and away would be a fifth of what a short one takes."""
    guard_of_the_loop.activate()


@pytest.fixture
def unguarded_loop(guard_of_the_loop: BlockBuster) -> None:
    """For who may block: a file that has a `blocked_loop` of its own, which says why."""
    guard_of_the_loop.deactivate()


@pytest.fixture(autouse=True, scope="session")
def only_loopback() -> Iterator[None]:
    """Connecting to anything but this machine raises, so that no test can depend on the world outside."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise RuntimeError(f"a test tried to reach {host}; only loopback is allowed")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(autouse=True, scope="session")
def orphans_left_alone() -> Iterator[None]:
    """A gateway that opens here does not look through all processes of the machine for what a killed host left, some milliseconds each
    time, but in the tests of that (`discovery/test_processes.py`) and in programs that tests start."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "kill_orphans", lambda: 0)
        yield


@pytest.fixture(autouse=True)
def settings_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own, and none of the developer's settings; few tests need it to be there, so `home` makes it."""
    directory = tmp_path_factory.getbasetemp() / f"home{next(HOMES)}"
    monkeypatch.setenv("JIRITSU_HOME", str(directory))
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "ESA_ACCESS_TOKEN",
        "MCP_ENABLED",
        "LC_ALL",
        *PROXIES,
        "LC_MESSAGES",
        "LANG",
    ):
        monkeypatch.delenv(name, raising=False)
    return directory


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """A certificate authority that this process trusts, and no other."""
    made = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.file))
    monkeypatch.setattr(httpcore2, "default_ssl_context", httpcore2.default_ssl_context.__wrapped__)
    certificates.cache_clear()
    yield made
    certificates.cache_clear()


@pytest.fixture
def empty_home(settings_of_its_own: Path) -> Path:
    """The test's own data directory, made."""
    settings_of_its_own.mkdir()
    return settings_of_its_own


@pytest.fixture
def home(empty_home: Path) -> Path:
    """The same with a database that has its tables: to make them takes the first command an eighth of its time."""
    from tests.support.durable import new_sqlite_file  # a half of the program, which the controller of the workers needs not

    (empty_home / "jiritsu.db").write_bytes(new_sqlite_file())
    return empty_home
