"""A real PostgreSQL 15 on loopback, of the test session's own; tests that need it are skipped where the server binaries are missing."""

import fcntl
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.ports import free_port

BINARIES = Path("/usr/lib/postgresql/15/bin")
NEEDED = pytest.mark.skipif(not (BINARIES / "postgres").exists(), reason="PostgreSQL's server binaries are not here")


@dataclass
class Server:
    """One server; `url` names a database on it."""

    folder: Path
    port: int
    user: str | None
    """PostgreSQL does not run as root: then it runs as this user."""

    def url(self, database: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql://jiritsu@127.0.0.1:{self.port}/{database}"

    def create(self, database: str, template: str = "template1") -> str:
        """A new database, called so and by a word of its own, since several workers make theirs at once; its URL.

        Empty, or with what is in `template`, a database that nobody is connected to.
        """
        database = f"{database}_{uuid.uuid4().hex[:8]}"
        import psycopg  # only who makes one has the driver

        made = psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")  # half of what it takes to log each page
        with psycopg.connect(self.url(), autocommit=True) as connection:  # a third of what `createdb` takes
            connection.execute(made.format(*map(psycopg.sql.Identifier, (database, template))))
        return self.url(database)

    def start(self) -> None:
        """Start it, and wait until it answers. Settings that cost nothing here keep a machine full of tests responsive."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c fsync=off -c jit=off"
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-t", "110", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is a crash."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", mode, "stop")

    def run(self, program: str, *arguments: str) -> None:
        """Run one of its programs."""
        subprocess.run(
            [str(BINARIES / program), *arguments], check=True, user=self.user, cwd="/", stdout=subprocess.DEVNULL, timeout=120,
            env={"LANG": "C.UTF-8", "PATH": os.environ["PATH"]},
        )  # fmt: skip


@contextmanager
def shared_postgres(folder: Path) -> Iterator[Server]:
    """The one server of all processes that name the same folder: the first starts it, the last stops it.

    Who uses it holds a shared lock, which a process that is killed lets go of. Whoever crashes the server needs one of its own.
    """
    place = folder / "postgres.json"
    with (folder / "postgres.lock").open("a") as turn, (folder / "postgres.users").open("a") as users:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not place.exists():
            started = _made()
            place.write_text(json.dumps([str(started.folder), started.port, started.user]), encoding="utf-8")
        where, port, user = json.loads(place.read_text(encoding="utf-8"))
        server = Server(Path(where), port, user)
        fcntl.flock(users, fcntl.LOCK_SH)
        fcntl.flock(turn, fcntl.LOCK_UN)
        try:
            yield server
        finally:
            fcntl.flock(turn, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_UN)
            with suppress(BlockingIOError):  # somebody else uses it still
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                place.unlink()
                _gone(server)


@contextmanager
def postgres() -> Iterator[Server]:
    """A server of one's own that is gone afterwards."""
    server = _made()
    try:
        yield server
    finally:
        _gone(server)


def _made() -> Server:
    """A new server that runs."""
    user = "nobody" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="jiritsu-pg-"))
    if user is not None:
        account = pwd.getpwnam(user)
        os.chown(folder, account.pw_uid, account.pw_gid)
    server = Server(folder / "data", free_port(), user)
    try:
        server.run(
            "initdb", "-D", str(server.folder), "-U", "jiritsu", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"
        )
        server.start()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return server


def _gone(server: Server) -> None:
    try:
        server.stop("immediate")
    finally:
        shutil.rmtree(server.folder.parent, ignore_errors=True)
