"""A real PostgreSQL 15 on loopback, of the test session's own; tests that need it are skipped where the server binaries are missing."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

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

    def create(self, database: str) -> str:
        """A new, empty database; its URL."""
        self.run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "jiritsu", database)
        return self.url(database)

    def start(self) -> None:
        """Start it, and wait until it answers. Settings that cost nothing here keep a machine full of tests responsive."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-t", "30", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is a crash."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", mode, "stop")

    def run(self, program: str, *arguments: str) -> None:
        """Run one of its programs."""
        subprocess.run(
            [str(BINARIES / program), *arguments], check=True, user=self.user, cwd="/", stdout=subprocess.DEVNULL, timeout=60,
            env={"LANG": "C.UTF-8", "PATH": os.environ["PATH"]},
        )  # fmt: skip


@contextmanager
def postgres() -> Iterator[Server]:
    """A server that is gone afterwards."""
    user = "nobody" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="jiritsu-pg-"))
    try:
        if user is not None:
            account = pwd.getpwnam(user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = Server(folder / "data", port, user)
        server.run("initdb", "-D", str(server.folder), "-U", "jiritsu", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
