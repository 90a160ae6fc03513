"""Runs the warm process, which listens at a socket, forks for each command, and hands out spare servers."""

import fcntl
import gc
import importlib
import inspect
import json
import os
import pkgutil
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import ModuleType

from pydantic import BaseModel

from autonomy.errors import ConfigError
from autonomy.warm import SOCKET
from autonomy.warm.attendant import OTHER_CODE, outdated, run_attendant
from autonomy.warm.leases import leases
from autonomy.warm.spare_pool import Spare, SparePool
from autonomy.warm.warm_settings import WarmSettings
from autonomy.warm.warm_socket import HERE, KNOCK, LARGEST, STATUS, STOP, address, peer
from discovery.catalog import Frozen
from discovery.discovery_errors import NetworkUnusable
from discovery.search import embeddings
from discovery.transport.local import processes
from metrics.text.phrases import LazyPattern

ROOMS = (
    "autonomy.app", "autonomy.agent", "autonomy.calls", "autonomy.cli", "autonomy.completion", "autonomy.durable",
    "autonomy.jobs", "autonomy.llm.offline", "autonomy.outcomes", "autonomy.policy", "autonomy.provenance", "autonomy.run_state",
    "autonomy.chat.chat_service", "autonomy.chat.local_runs", "discovery", "metrics.reporting", "metrics.autonomy",
)  # fmt: skip
"""The modules and packages of ours that commands import."""
LIBRARIES = ("dbos", "mcp.client.stdio", "openai", "rich.console", "sqlalchemy.dialects.sqlite", "sqlalchemy.orm")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LOCK = "warm.lock"
MOST_CONNECTIONS = 64
MOST_FDS = 4


def warm_up() -> None:
    """Import and build what commands need, and exempt it from garbage collection, so that forks share its memory.

    It reads nothing of the operator's, because every command gets this memory. Raises ConfigError if a thread was started.
    """
    for name in LIBRARIES:
        importlib.import_module(name)
    with _one_thread():
        for module in _modules():
            # call cached functions without arguments, which return tables and patterns
            for found in list(vars(module).values()):
                if (
                    hasattr(found, "cache_info")
                    and found.__module__ == module.__name__
                    and not inspect.signature(found).parameters
                ):
                    with suppress(ImportError, NetworkUnusable):  # a command that needs it reports the error
                        found()
        if embeddings.installed():
            embeddings.model().encode(["warm"])
    for one in gc.get_objects():
        if isinstance(one, LazyPattern):
            one.search  # noqa: B018 - compiles it
    # build the validators that pydantic would build on first use
    for model in _subclasses(Frozen):
        if not model.__pydantic_complete__:
            model.model_rebuild(raise_errors=False)
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        raise ConfigError("warm", "", "something that was imported has started a thread: forks would lack it")
    gc.collect()
    gc.freeze()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep numpy's libraries from starting threads, which forks would not have."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name in THREADS:
            del os.environ[name]


def _modules() -> Iterator[ModuleType]:
    """Import and yield the modules of `ROOMS`, including those of packages."""
    for name in ROOMS:
        room = importlib.import_module(name)
        yield room
        for found in pkgutil.walk_packages(getattr(room, "__path__", ()), f"{name}."):
            if not found.name.endswith("__main__"):
                with suppress(ImportError):  # it may need an extra that is not installed
                    yield importlib.import_module(found.name)


def _subclasses(of: type[BaseModel]) -> set[type[BaseModel]]:
    direct = set(of.__subclasses__())
    return direct.union(*map(_subclasses, direct))


def serve(home: Path, settings: WarmSettings, on_ready: Callable[[], object]) -> bool:
    """Run the warm process until it is told to end or was idle for long, and return False. In the fork of a command return True,
    upon which the caller has to run the command. Raises `ConfigError` if there is a warm process already, and OSError."""
    lock = _locked(home)
    warm_up()
    warm = WarmProcess(home, settings, lock)
    dismiss = processes.start_reaper()
    on_ready()
    if warm.work():
        return True
    dismiss()
    return False


def _locked(home: Path) -> int:
    """Take the lock that only one warm process of a folder can have, and return its descriptor. Raises `ConfigError`."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:  # where others may write, a link would have a file made wherever it points
        lock = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigError("warm", str(home), f"{LOCK} cannot be opened: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise ConfigError("warm", str(home), "a warm process is there already") from None
    return lock


def _listen(home: Path) -> socket.socket:
    """Return a listening socket that only this user can connect to."""
    (home / SOCKET).unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    mask = os.umask(0o177)
    try:
        with address(str(home)) as path:
            listening.bind(path)
    finally:
        os.umask(mask)
    listening.listen(MOST_CONNECTIONS)
    return listening


class WarmProcess:
    """Handles connections: each is a command, or a question from `jiritsu warm`. Each command asks for spares over another
    connection."""

    def __init__(self, home: Path, settings: WarmSettings, lock: int) -> None:
        self._lock = lock
        self._place, self._idle_s = home / SOCKET, settings.idle_minutes * 60
        self._listening, self._pool = _listen(home), SparePool(settings.spares, self._idle_s, leases())
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ, self._accept)
        self._leases: dict[socket.socket, list[Spare]] = {}
        """The connection of each command for spares → the spares that it took."""
        self._used_at = time.monotonic()
        self._stopping = self._is_fork = False
        self._begun = 0
        self._told, self._tell = socket.socketpair()

    def work(self) -> bool:
        """Serve until told to end. Returns True in a fork that has a command to run."""
        self._selector.register(self._told, selectors.EVENT_READ, self._signalled)
        self._tell.setblocking(False)
        signal.set_wakeup_fd(self._tell.fileno())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        while True:
            pause_s = self._pool.look_after(busy=bool(self._leases))
            if self._stopping and not self._leases and self._pool.closed:
                return False
            for key, _ in self._selector.select(pause_s):
                key.data(key.fileobj)
                if self._is_fork:
                    return True
            if not self._leases and time.monotonic() - self._used_at > self._idle_s:
                self._stop()

    def _signalled(self, wakeup: socket.socket) -> None:
        wakeup.recv(64)
        self._stop()

    def _stop(self) -> None:
        """Accept no more commands and end all waiting spares. Those that commands have taken stay until the commands end."""
        if not self._stopping:
            self._stopping = True
            self._selector.unregister(self._listening)
            self._listening.close()
            self._place.unlink(missing_ok=True)
            os.close(self._lock)  # so that another warm process can start while commands of this one still run
            self._pool.close()

    def _accept(self, listening: socket.socket) -> None:
        line, _ = listening.accept()
        if peer(line)[1] != os.getuid():
            line.close()
            return
        self._selector.register(line, selectors.EVENT_READ, self._handle_message)

    def _handle_message(self, line: socket.socket) -> None:
        """Answer a knock, a question of `jiritsu warm`, or an order.

        A client sends its descriptors only after its knock was answered, because a socket that nobody reads would keep them open.
        """
        self._selector.unregister(line)
        fds: list[int] = []
        with ExitStack() as closing:
            closing.enter_context(line)
            with suppress(OSError):
                message, fds, _, _ = socket.recv_fds(line, LARGEST, MOST_FDS)
                if message == KNOCK and not self._stopping:
                    line.send(HERE)
                    self._selector.register(line, selectors.EVENT_READ, self._handle_message)
                    closing.pop_all()
                elif message in (STOP, STATUS):
                    line.send(json.dumps(self._counts()).encode())
                    if message == STOP:
                        self._stop()
                elif message and not self._stopping:
                    self._fork(line, message, fds)
            if not self._is_fork:
                for fd in fds:
                    os.close(fd)

    def _counts(self) -> dict[str, int]:
        return {"pid": os.getpid(), "commands": len(self._leases), "begun": self._begun, **self._pool.counts()}

    def _fork(self, line: socket.socket, order: bytes, fds: list[int]) -> None:
        """Fork an attendant for the command. When its connection for spares is closed, the command has ended."""
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            try:
                self._let_go()
                ours.close()
                run_attendant(line, its, order, fds)
            except BaseException:  # noqa: BLE001 - the fork must never continue as a second warm process
                os._exit(1)
            self._is_fork = True
            return
        its.close()
        self._used_at = time.monotonic()
        self._leases[ours] = []
        self._begun += 1
        self._selector.register(ours, selectors.EVENT_READ, self._handle_order)
        self._selector.register(os.pidfd_open(pid), selectors.EVENT_READ, self._attended)

    def _let_go(self) -> None:
        """Close, in a fork, what belongs to the warm process."""
        signal.set_wakeup_fd(-1)
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, int):
                os.close(key.fileobj)
            elif isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()
        self._tell.close()
        os.close(self._lock)
        self._pool.let_go()

    def _attended(self, pidfd: int) -> None:
        self._selector.unregister(pidfd)
        ended = os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
        os.close(pidfd)
        if ended is not None and ended.si_status == OTHER_CODE and outdated():
            self._stop()

    def _handle_order(self, line: socket.socket) -> None:
        """Answer a command that asks for a spare or an exit code. When the command has ended, end the spares that it took."""
        try:
            message = line.recv(LARGEST)
            if message:
                self._answer(line, json.loads(message))
                return
        except (OSError, ValueError):
            pass
        self._selector.unregister(line)
        self._used_at = time.monotonic()
        for spare in self._leases.pop(line):
            self._pool.end(spare)
        line.close()

    def _answer(self, line: socket.socket, question: dict[str, object]) -> None:
        if "ended" in question:
            codes = [spare.process.poll() for spare in self._leases[line] if spare.process.pid == question["ended"]]
            line.send(json.dumps({"code": codes[0]} if codes else {}).encode())
            return
        spare = None if self._stopping else self._pool.take(question)
        if spare is None:
            line.send(b"{}")
            return
        self._leases[line].append(spare)
        message = json.dumps({"pid": spare.process.pid, "mark": spare.mark}).encode()
        socket.send_fds(line, [message], [pipe.fileno() for pipe in spare.pipes])
        spare.let_go()
