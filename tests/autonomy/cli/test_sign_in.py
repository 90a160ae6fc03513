"""`jiritsu servers sign-in`: the real command, a browser that follows the address, and an authorization server beside the MCP server."""

import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from tests.requirements import requirement
from tests.support import command
from tests.support.servers.http_server import http_server, listening
from tests.support.servers.oauth_server import OAuthServer

BROWSER = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=120).read()"
"""What a person's browser does with the address: it follows where that leads."""


class Terminal:
    """A person's shell, with a data directory, a servers file and a browser."""

    def __init__(self, home: Path, *, browser: str = BROWSER) -> None:
        self._home = home
        script = home / "browser.py"
        script.write_text(browser)
        self._env = {"JIRITSU_KEY": "a secret of the operator", "BROWSER": f"{sys.executable} {script} %s"}

    async def jiritsu(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        run = partial(command.jiritsu, *arguments, home=self._home, cwd=self._home, **self._env)
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)

    def knows(self, url: str, **auth: str) -> None:
        """The servers file names this server; it lies in the data directory, so it is the person's own."""
        entry = {"url": url} | ({"auth": auth} if auth else {})
        (self._home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"remote": entry}}))


@asynccontextmanager
async def protected(home: Path, *, browser: str = BROWSER, **options: object) -> AsyncIterator[tuple[OAuthServer, Terminal]]:
    async with listening(OAuthServer({}, **options)) as server:  # type: ignore[arg-type] # whatever its fields take
        terminal = Terminal(home, browser=browser)
        terminal.knows(server.url)
        yield server, terminal


@requirement("D4", "S7")
async def test_one_sign_in_serves_every_later_start_by_its_refresh_token_and_is_kept_encrypted(home: Path) -> None:
    async with protected(home) as (server, person):
        before = await person.jiritsu("servers", "probe", "remote")
        assert (before.returncode, "HTTP 401 Test; `jiritsu servers sign-in remote`" in before.stdout) == (1, True)
        done = await person.jiritsu("servers", "sign-in", "remote")
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "remote: signed in, 1 tool")
        assert f"{server.origin}/authorize?" in done.stdout
        server.revoked.add("access-1")
        after = await person.jiritsu("servers", "probe", "remote")
        assert (after.returncode, server.refreshed, server.registered) == (0, 1, 1)
        called = await person.jiritsu("tools", "call", "remote_echo", '{"a": 1}')
        assert (called.returncode, called.stdout) == (0, '{"a": 1}\n')
        assert server.refused == []
    stored = b"".join(file.read_bytes() for file in home.glob("jiritsu.db*"))
    assert b"discovery_sign_ins" in stored
    assert b"access-" not in stored
    assert b"refresh-" not in stored


async def test_several_starts_at_once_use_each_refresh_token_once(home: Path) -> None:
    async with protected(home) as (server, person):
        await person.jiritsu("servers", "sign-in", "remote")
        server.revoked.add("access-1")
        codes = []

        async def probe() -> None:
            codes.append((await person.jiritsu("servers", "probe", "remote")).returncode)

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(probe)
    assert (codes, server.refreshed, server.refused) == ([0, 0, 0], 1, [])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"code": "", "error": "access_denied"}, "access_denied"),
        ({"code": "", "error": "access_denied", "error_description": "The owner said no"}, "The owner said no"),
        ({"iss": "https://evil.example"}, "iss"),
        ({"code": ""}, "the answer holds no code"),
    ],
)
@requirement("S7")
async def test_an_answer_that_grants_nothing_is_refused_in_one_line(home: Path, answer: dict[str, str], words: str) -> None:
    async with protected(home, person=answer) as (server, person):
        done = await person.jiritsu("servers", "sign-in", "remote")
    assert (done.returncode, done.stderr) == (1, "")
    assert words in done.stdout.splitlines()[-1]
    assert done.stdout.splitlines()[-1].startswith("remote: ")
    assert done.stdout.count("Open this address") == 1
    assert server.issued == 0


@pytest.mark.parametrize("answers", [{"browser": ""}, {"person": {"state": "somebody-elses"}}], ids=["nobody", "somebody else"])
async def test_nobody_signing_in_ends_with_the_time_and_not_before(home: Path, answers: dict[str, Any]) -> None:
    async with protected(home, **answers) as (server, person):
        done = await person.jiritsu("servers", "sign-in", "remote", "--timeout", "1")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "remote: nobody signed in within 1 s")
    assert server.issued == 0


async def test_a_browser_that_stays_open_keeps_nobody_waiting(home: Path) -> None:
    """As one in the terminal does, or one that a script starts."""
    stays = "import sys, time, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=120).read(); time.sleep(600)"
    async with protected(home, browser=stays) as (_, person):
        with anyio.fail_after(120):
            done = await person.jiritsu("servers", "sign-in", "remote")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "remote: signed in, 1 tool")


async def test_a_client_of_a_fixed_address_is_told_where_that_cannot_be_used(home: Path) -> None:
    async with protected(home) as (server, person):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            back = f"http://127.0.0.1:{taken.getsockname()[1]}/back"
            person.knows(server.url, redirect_uri=back)
            done = await person.jiritsu("servers", "sign-in", "remote")
        place = f"{home / 'jiritsu.mcp.json'}: mcpServers.remote.auth.redirect_uri"
        said = f"{place}: {back.split('/')[2]}: cannot be used: another program listens there already"
        assert (done.returncode, said in done.stderr) == (3, True), done.stderr
        again = await person.jiritsu("servers", "sign-in", "remote")
        assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "remote: signed in, 1 tool")
        person.knows(server.url, redirect_uri="https://example.org/back")
        elsewhere = await person.jiritsu("servers", "sign-in", "remote")
    assert (elsewhere.returncode, f"{place}: https://example.org/back leads to no address of this" in elsewhere.stderr) == (
        3,
        True,
    )


async def test_a_server_that_asks_for_no_sign_in_is_not_said_to_be_signed_in_to(home: Path) -> None:
    async with http_server() as server:
        person = Terminal(home)
        person.knows(server.url)
        done = await person.jiritsu("servers", "sign-in", "remote")
    assert (done.returncode, done.stdout) == (0, "remote: asked for no sign-in, 1 tool\n")


async def test_only_a_remote_server_can_be_signed_in_to(home: Path) -> None:
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"near": {"command": "x"}}}))
    done = await Terminal(home).jiritsu("servers", "sign-in", "near")
    assert done.returncode == 2
    assert "near runs here; only a remote server has a sign-in" in done.stderr


@pytest.mark.parametrize(
    ("status", "kind", "told", "mend"),
    [
        (401, "", "HTTP 401 Test: sorry; `jiritsu servers sign-in remote`", "or write its key into `headers`"),
        (403, "", "HTTP 403 Test: sorry", "see whether the key in `headers`"),
        (
            404,
            "",
            "HTTP 404 Test: sorry; is the path of its address right?",
            "whether `url` in the servers file is right (ADDRESS)",
        ),
        (429, "", "HTTP 429 Test: sorry", "wait: it takes no more requests for now"),
        (500, "", "HTTP 500 Test: sorry", "ask whoever runs ADDRESS: the fault is there"),
        (200, "text/html", "HTTP 200 with a web page (sorry)", "whether `url` in the servers file is right (ADDRESS)"),
        (307, "", "Redirect to https://login.example/ not followed", "whether `url` in the servers file is right (ADDRESS)"),
    ],
)
@requirement("D4", "S7")
async def test_doctor_says_what_a_server_answered_in_place_of_mcp_and_what_to_do(
    home: Path, status: int, kind: str, told: str, mend: str
) -> None:
    headers = {"content-type": kind, "location": "https://login.example/?back=secret"}
    async with http_server(fault="status", status=status, headers=headers) as server:
        person = Terminal(home)
        person.knows(f"{server.url}?key=secret")
        found = await person.jiritsu("doctor", "--no-call")
    lines = found.stdout.splitlines()
    (at,) = (at for at, line in enumerate(lines) if line.startswith("✗ server remote"))
    assert told in lines[at]
    assert mend.replace("ADDRESS", f"{server.url}?key=(hidden)") in lines[at + 1]
    assert "secret" not in found.stdout.replace("a secret of", "")
