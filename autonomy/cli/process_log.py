"""Writes the log of a process to stderr, as text or JSON, with secrets and control characters hidden."""

import contextlib
import json
import logging
import os
import stat
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from autonomy.cli.terminal import harmless, in_a_line, say
from autonomy.cli.words.terminal_words import config_problem
from autonomy.errors import ConfigError
from autonomy.run_state.step import current_run
from discovery.text.redaction import PROCESS_SECRETS


def log_to_stderr(level: str, form: str) -> None:
    """Log from `level` on (`debug`, `info`, …) as `text` or `json`, warnings of Python and unexpected errors among it."""
    handler = StderrHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else PlainFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in ("autonomy", "discovery", "metrics"):
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("dbos").setLevel("ERROR")
    for name in ("mcp", "httpx2", "client"):
        logging.getLogger(name).setLevel("ERROR" if level != "debug" else "DEBUG")
    # they write a traceback for a sign-in that a person declines and an answer nobody can read; we say it in a line
    if level != "debug":
        for name in ("mcp.client.auth", "mcp.client.streamable_http"):
            logging.getLogger(name).setLevel("CRITICAL")
    logging.captureWarnings(True)
    if sys.excepthook is sys.__excepthook__:  # one that somebody else has set stays
        sys.excepthook = _log_crash
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _log_crash_of_thread


class StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to stderr. Where that is a file, it goes on at the file's path when a rotation has renamed or removed it: a process
    that keeps its old file would write to what is compressed and thrown away. In one that a rotation has emptied it goes on at the
    beginning, and not behind as many NULs as there were characters."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._path = _path_of_stderr()
        if self._path is not None:
            _append_to_stderr()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        self.follow_rotation()
        super().emit(record)

    def follow_rotation(self) -> None:
        """Open the file anew if another one, or none, stands at its path; where that fails the old one stays."""
        if self._path is None:
            return
        with contextlib.suppress(OSError):
            now = os.fstat(_STDERR)
            if self._path.exists() and os.path.samestat(now, self._path.stat()):
                return
            opened = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, stat.S_IMODE(now.st_mode))
            os.dup2(opened, _STDERR)
            os.close(opened)


_STDERR = 2


def _append_to_stderr() -> None:
    """Have each line written at the end of the file, wherever that is by then; a shell's `2>` writes at a place of its own."""
    with contextlib.suppress(ImportError, OSError):
        import fcntl  # no Windows has it

        fcntl.fcntl(_STDERR, fcntl.F_SETFL, fcntl.fcntl(_STDERR, fcntl.F_GETFL) | os.O_APPEND)


def _path_of_stderr() -> Path | None:
    """The path of the file that stderr is; None where it is none, or was removed before we began."""
    try:
        if sys.stderr.fileno() != _STDERR or not stat.S_ISREG(os.fstat(_STDERR).st_mode):
            return None
        if sys.platform == "darwin":
            import fcntl  # no Windows has it

            path = Path(os.fsdecode(fcntl.fcntl(_STDERR, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0")))
        else:
            path = Path(f"/proc/self/fd/{_STDERR}").readlink()
        return path if os.path.samestat(os.fstat(_STDERR), path.stat()) else None
    except (OSError, ValueError, AttributeError):  # no such file system, or a stderr of a test
        return None


def _log_crash(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Python itself would write its traceback as it is, a token in an error's text among it."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    logging.getLogger("autonomy").critical("an unexpected error", exc_info=(kind, error, traceback))


def _log_crash_of_thread(crash: threading.ExceptHookArgs) -> None:
    if crash.exc_value is not None and not isinstance(crash.exc_value, SystemExit):
        _log_crash(crash.exc_type, crash.exc_value, crash.exc_traceback)


def announce(line: str, lead: str = "", *, level: int = logging.INFO) -> None:
    """Write on stderr what a process is doing: `lead` and `line` for people, or the line in an object where the logs are JSON."""
    handler = next(iter(logging.getLogger().handlers), None)
    if handler is None or not isinstance(handler.formatter, JsonFormatter):
        if isinstance(handler, StderrHandler):
            handler.follow_rotation()
        say(lead + line, err=True)
        return
    handler.handle(logging.LogRecord("autonomy.cli", level, "", 0, line, None, None))


def announce_problems(*problems: object) -> None:
    """Announce what a service cannot use, a line each; an empty text is left out."""
    for problem in problems:
        if text := config_problem(problem) if isinstance(problem, ConfigError) else str(problem):
            announce(text, "! ", level=logging.WARNING)


class PlainFormatter(logging.Formatter):
    """A log formatter that writes one record as one line, in which nothing can control the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The line of a record, without secrets and control characters."""
        return in_a_line(PROCESS_SECRETS.redact(super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """The lines of a traceback, without secrets and control characters."""
        return harmless(PROCESS_SECRETS.redact(super().formatException(ei)))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - logging's name
        """The lines of a stack, without secrets and control characters."""
        return harmless(PROCESS_SECRETS.redact(stack_info))


class JsonFormatter(logging.Formatter):
    """A log formatter that writes one record as one JSON object in a line, as collectors of logs read them."""

    def format(self, record: logging.LogRecord) -> str:
        """The JSON object of a record, without secrets."""
        record_data: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": PROCESS_SECRETS.redact(record.getMessage()),
            "run_id": current_run.get(),
        }
        if record.exc_info:
            record_data["exception"] = PROCESS_SECRETS.redact(self.formatException(record.exc_info))
        return json.dumps({name: value for name, value in record_data.items() if value != ""})
