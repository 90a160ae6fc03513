"""The real `jiritsu` command, in a process of its own, with a home of its own and no other settings."""

import atexit
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from tests.support.warm_python import FORKS_WORKERS

HANG_S = 240.0
"""No command takes that long, however busy the machine is."""

FOLDER = "TESTS_WARM_FOLDER"
"""The variable that tells workers where the process that forks is found."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a fresh machine would give it."""
    return {"PATH": os.environ["PATH"], "JIRITSU_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8", **more}


def command_line(*arguments: str) -> list[str]:
    """How it is started: `-P` keeps the working directory from shadowing the packages."""
    return [sys.executable, "-P", "-m", "autonomy.cli", *arguments]


def forked_command_line(*arguments: str) -> list[str]:
    """The same for a process that stays (a worker, `serve`, the gateway): forked from one that has imported everything.

    The process one gets is its shadow: it passes SIGTERM, SIGINT and SIGHUP on and has its exit code; where it is killed, the command
    is killed a moment later. A test that looks at that moment starts it with `command_line`.
    """
    return [warm_interpreter(), "--forked", *arguments]


def warm_interpreter() -> str:
    """A program that is Python, but for scripts and the servers that ship with us, which it has forked: each imports for a second."""
    return str(_warm.open() / "python")


def jiritsu(*arguments: str, home: Path, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end; what it prints is read in the encoding it was told to print in.

    The process is a fork of one that has imported everything already (`tests.support.warm`), unless what its interpreter is told at
    its start matters.
    """
    told = any(name.startswith("PYTHON") for name in env.keys() - {"PYTHONIOENCODING"})
    if told or not env.get("LANG", "C.UTF-8").endswith(".UTF-8"):  # one in UTF-8 decides nothing but what the command makes of it
        return from_the_start(*arguments, home=home, cwd=cwd, **env)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, Path(os.devnull).open("rb") as nothing:
        request = {"cwd": str(cwd or home), "env": environment(home, **env), "arguments": ["autonomy.cli", *arguments]}
        code = _warm.run(request, (nothing.fileno(), out.fileno(), err.fileno()))
        out.seek(0)
        err.seek(0)
        encoding = _encoding(env)
        return subprocess.CompletedProcess(
            command_line(*arguments), code, _text(out.read(), encoding), _text(err.read(), encoding)
        )


def from_the_start(*arguments: str, home: Path, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """The same, started as a shell would."""
    return subprocess.run(
        command_line(*arguments),
        cwd=cwd or home,
        env=environment(home, **env),
        capture_output=True,
        encoding=_encoding(env),
        timeout=HANG_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _encoding(env: dict[str, str]) -> str:
    return env.get("PYTHONIOENCODING", "utf-8").partition(":")[0]


def _text(data: bytes, encoding: str) -> str:
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def open_warm() -> None:
    """Open the process that forks for this process and those it starts from now on."""
    _warm.open()


def fork_workers(arguments: Sequence[str]) -> str:
    """Have a process forked that imports and collects the tests which pytest finds with these arguments; gives a program that is Python,
    but for pytest's workers, which it has forked there."""
    return str(_ForkingWorkers(arguments).folder / "python")


def _warm_python(path: Path, door: Path) -> None:
    """Write a program that has our servers forked instead of started."""
    source = Path(__file__).with_name("warm_python.py").read_text(encoding="utf-8").replace('DOOR = ""', f"DOOR = {str(door)!r}")
    path.write_text(f"#!{sys.executable} -IS\n{source}", encoding="utf-8")
    path.chmod(0o700)


class _Forking:
    """A process that forks, and the `folder` where it is found: the door to knock at, and the interpreter that forks.

    It imports nothing before somebody knocks.
    """

    def __init__(self) -> None:
        self._alive, its = socket.socketpair()
        self._temporary = tempfile.TemporaryDirectory(prefix="jiritsu-")
        self.folder = Path(self._temporary.name)
        _warm_python(self.folder / "python", self.folder / "door")
        with its, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(str(self.folder / "door"))
            listening.listen(64)
            self._begin(its.fileno(), listening.fileno())
        atexit.register(self.close)

    def _begin(self, alive: int, door: int) -> None:
        """Start it, with the descriptor that is open as long as we are, and that of its door."""
        line = [sys.executable, "-P", str(Path(__file__).with_name("warm.py")), str(alive), str(door)]
        env = environment(Path(tempfile.gettempdir()))
        self._process = subprocess.Popen(line, pass_fds=[alive, door], env=env, stdin=subprocess.DEVNULL)

    def close(self) -> None:
        """Let it end."""
        self._alive.close()
        self._end()
        self._temporary.cleanup()

    def _end(self) -> None:
        self._process.kill()  # it may be importing still; what it forked goes by itself
        self._process.wait()


class _ForkingWorkers(_Forking):
    """One that forks pytest's workers, itself forked from the one that forks commands: what both need is imported once."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments
        super().__init__()

    def _begin(self, alive: int, door: int) -> None:
        arguments = [FORKS_WORKERS, *self._arguments]
        self._line = _warm.ask({"cwd": str(Path.cwd()), "env": dict(os.environ), "arguments": arguments}, (alive, door, 2))

    def _end(self) -> None:
        self._line.close()  # who forked it ends it then


class _Warm:
    """The process that forks commands; one for all workers, where whoever starts them has opened it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def run(self, request: dict[str, object], streams: tuple[int, int, int]) -> int:
        """Have a command run; its exit code, negative for a signal. Raises `TimeoutExpired` after having ended it."""
        with self.ask(request | {"python": str(self.open() / "python")}, streams) as line:
            line.settimeout(HANG_S)
            try:
                line.recv(4)
                return int(struct.unpack("i", line.recv(4))[0])
            except TimeoutError:
                raise subprocess.TimeoutExpired(str(request["arguments"]), HANG_S) from None

    def ask(self, request: dict[str, object], streams: tuple[int, int, int]) -> socket.socket:
        """Have a process forked; the line that tells its id and its exit code, and ends it when it is closed before."""
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line.connect(str(self.open() / "door"))
        socket.send_fds(line, [json.dumps(request).encode()], streams)
        return line

    def open(self) -> Path:
        """Its folder."""
        with self._lock:
            if FOLDER not in os.environ:
                os.environ[FOLDER] = str(_Forking().folder)
            return Path(os.environ[FOLDER])


_warm = _Warm()
