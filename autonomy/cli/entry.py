"""Runs a command in the event loop, with settings, logging, signals and exit codes."""

import gc
import getpass
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import anyio.abc
import anyio.lowlevel
import click

from autonomy.cli.process_log import announce, log_to_stderr
from autonomy.cli.terminal import say
from autonomy.cli.words.terminal_words import config_problem, set_terminal_language, translate
from autonomy.errors import ConfigError, JiritsuError, StoreError, UnknownRun
from autonomy.locale_language import writes_japanese
from autonomy.settings import Config, load
from discovery.discovery_errors import DiscoveryError, NetworkUnusable, ServersFileError, first_of, words_of
from discovery.text.redaction import redact

if TYPE_CHECKING:
    from autonomy.app import App
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.warm.fork_server import Transport

log = logging.getLogger(__name__)

EXIT_FAILED, EXIT_SETUP, EXIT_BLOCKED, EXIT_LIMIT, EXIT_INTERRUPTED = 1, 3, 4, 5, 130
EXIT_OF = {
    "completed": 0,
    "simulated": 0,
    "failed": EXIT_FAILED,
    "blocked": EXIT_BLOCKED,
    "exhausted": EXIT_LIMIT,
    "declined": EXIT_BLOCKED,
    "unanswered": EXIT_BLOCKED,
    "unfinished": EXIT_LIMIT,
    "doubtful": EXIT_LIMIT,
    "cancelled": EXIT_INTERRUPTED,
}
"""How each ending of a run is told to the shell."""

GRACE_S = 0.5
"""How long calls under way may go on when the person at the terminal stops a run."""

M_ARENA_MAX, HEAPS = -8, 2
"""glibc's name for how many heaps there may be at most, and how many a process that stays has (docs/durability.md, the soak)."""


def settings_of(ctx: click.Context, *, calls_tools: bool = False, serves: "Transport | None" = None) -> Config:
    """The settings in force for a command. Raises `ConfigError`.

    `calls_tools`: whether servers will be started; those of ours are then forked from what this process has imported by now, before
    it knows any secret. `serves`: over what this process is an MCP server.
    """
    if os.path.expanduser("~") == "~":  # noqa: PTH111 - pathlib's raises
        os.environ["HOME"] = os.sep  # as container runtimes do for a user whom no list names, so that servers have one too
    if calls_tools:
        from autonomy.warm import fork_server, leases

        if line := fork_server.begin(serves=serves):
            leases.lease_from(line)
    root = ctx.find_root()
    config = load(root.obj)
    # else a locale that says nothing is that of a service, whose terminal is a log
    if config.names_language or sys.stderr.isatty():
        set_terminal_language(config.settings.language)
    log_to_stderr(config.settings.log_level, config.settings.log_format)
    if config.settings.language == "ja" and not writes_japanese() and "warned" not in root.meta:
        announce("the encoding of this output has no Japanese: try PYTHONIOENCODING=utf-8", "warning: ", level=logging.WARNING)
    held = (f"{config.held.summary}; look at it with `{config.held.fix}`",) if config.held else ()
    for warning in () if "warned" in root.meta else (*config.ignored, *held):
        announce(warning, "warning: ", level=logging.WARNING)
    root.meta["warned"] = True
    return config


SWITCH_S = 0.0005
"""How long a thread that computes may keep the others waiting. Python's own 5 ms, met at each step of a page that asks the database ten
times, made pages take 0.2 s while a report was counted behind them."""


def share_heaps() -> None:
    """Let all threads share a few heaps (glibc's `mallopt(3)`; elsewhere nothing happens, and `MALLOC_ARENA_MAX` comes first).

    Of its own it makes eight a processor, and what an answer of megabytes took stays in the heap of the thread that read it.
    """
    import ctypes

    if "MALLOC_ARENA_MAX" not in os.environ:
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS)


def settle_in() -> None:
    """Set this process up to serve until it is told to stop: what it holds must not grow, and no thread keeps the others waiting."""
    share_heaps()
    gc.set_threshold(10_000, 10, 10)
    sys.setswitchinterval(SWITCH_S)


def run_async(command: Callable[[], Awaitable[int | None]], *, stays: bool = False) -> NoReturn:
    """Run a command on the event loop until it is done or the process is told to stop, then exit with its code; None is 0.

    `stays`: it serves until it is told to stop.
    """
    if stays:
        settle_in()
    try:
        sys.exit(anyio.run(_until_sigterm, command))
    except BaseExceptionGroup as group:
        if isinstance(error := first_of(group), click.ClickException):
            raise error from None
        raise


def look_names_up_apart() -> None:
    """Have the running loop look names up in threads that nobody waits for at the end: a resolver that does not answer would keep a
    process whose work is done for half a minute."""
    import asyncio  # these two are loaded with the loop, which not every command has
    import socket

    async def look_up(*name: Any, **options: Any) -> Any:
        from autonomy.daemon_threads import run_in_daemon_thread  # here: many commands ask for no name

        return await run_in_daemon_thread(partial(socket.getaddrinfo, *name, **options))

    asyncio.get_running_loop().getaddrinfo = look_up  # type: ignore[method-assign]


def end_if_expected(error: BaseException) -> None:
    """End the process as a person would have it: in one line by an error that is told, without any at Ctrl-C and for a closed pipe.

    An error of the program itself is left to the caller, with its traceback.
    """
    expected = first_of(error)
    if isinstance(expected, KeyboardInterrupt):  # a second one may come while things are closed
        sys.exit(EXIT_INTERRUPTED)
    if isinstance(expected, BrokenPipeError):  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    if isinstance(expected, JiritsuError | DiscoveryError | OSError) and expected.args:  # a bare TimeoutError says nothing
        log.debug("the command ends by this error", exc_info=error)  # an OSError may be a mistake of ours
        stop(expected)
    from metrics.written_out import is_of_database  # only an error of no tree pays for loading it

    if is_of_database(expected):
        log.debug("the command ends by this error", exc_info=error)
        stop(StoreError(f"the database cannot be used: {words_of(expected)}"))


async def _until_sigterm(command: Callable[[], Awaitable[int | None]]) -> int:
    """SIGTERM ends a command as Ctrl-C does: everything is closed, no child stays behind."""
    look_names_up_apart()
    code = EXIT_INTERRUPTED
    scopes: list[anyio.CancelScope] = []
    _SCOPES.set(scopes)

    async def watch(*, task_status: anyio.abc.TaskStatus[None]) -> None:
        with anyio.open_signal_receiver(signal.SIGTERM) as signals:
            task_status.started()
            async for _ in signals:
                scopes[-1].cancel()

    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as scope:
            scopes.append(scope)
            await group.start(watch)
            code = await command() or 0
        group.cancel_scope.cancel()
    return EXIT_INTERRUPTED if scope.cancel_called else code


_SCOPES: ContextVar[list[anyio.CancelScope]] = ContextVar("scopes")
"""What a command is inside of, the innermost last: that is what is told to stop first."""


@asynccontextmanager
async def closed_first() -> AsyncIterator[None]:
    """Close what is opened in here before anything that was opened outside, when the process is told to stop.

    Cancelling the whole command at once would end the connections to servers while runs still call them.
    """
    scopes = _SCOPES.get()
    with anyio.CancelScope() as scope:
        scopes.append(scope)
        try:
            yield
        finally:
            scopes.remove(scope)
    if scope.cancel_called:
        scopes[-1].cancel()
        await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def attended_engine(app: "App", run_id: str = "") -> AsyncIterator["DurableRuns"]:
    """The engine for runs that a person at the terminal waits for, who is told how `run_id` goes on."""
    async with told_how_it_goes_on(app, run_id), closed_first(), app.durable(grace_s=GRACE_S) as engine:
        yield engine


@asynccontextmanager
async def told_how_it_goes_on(app: "App", run_id: str) -> AsyncIterator[None]:
    """Tell whoever interrupts a run that has begun and not ended how to continue it: a worker may take it up."""
    try:
        yield
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True), anyio.move_on_after(1), suppress(UnknownRun):
            if run_id and (await app.runs.get(run_id)).ended_at is None:
                say(
                    f"jiritsu: interrupted; `jiritsu runs resume {run_id}` goes on, `jiritsu runs cancel {run_id}` ends it",
                    err=True,
                )
        raise


def stop(error: BaseException, code: int | None = None) -> NoReturn:
    """Say what is wrong in one line, and end with its exit code, or with `code`."""
    if isinstance(error, ConfigError):
        problem = config_problem(error)
    else:
        problem = (
            f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else translate(str(error))
        )
    others = map(config_problem, error.others) if isinstance(error, ConfigError) else ()
    for line in (problem, *others):
        say(f"jiritsu: {redact(' '.join(line.split()))}", err=True)
    setup = isinstance(error, ConfigError | StoreError | ServersFileError | NetworkUnusable)
    sys.exit(code or (EXIT_SETUP if setup else EXIT_FAILED))


def who() -> str:
    """The person at this terminal, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as somebody whom no list of users names
        return f"uid {os.getuid()}" if hasattr(os, "getuid") else "somebody"
