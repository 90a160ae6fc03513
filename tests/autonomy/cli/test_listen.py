"""What Prometheus reads, over a real connection, read back by its own library."""

import logging
import re
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import httpx2
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.routing import Route

from autonomy.cli import endpoints, health, main
from autonomy.cli.commands import serve as commands_of_serve
from autonomy.cli.endpoints import scrape_page
from autonomy.cli.entry import EXIT_INTERRUPTED, EXIT_SETUP, end_if_expected
from autonomy.cli.listen import host_and_port, serve_asgi, split_address
from autonomy.database import CONNECT_S, connect_timeout, migrate, open_engine
from autonomy.errors import ConfigError
from autonomy.stores import METRICS
from autonomy.web import readiness
from autonomy.web.web_settings import web_settings
from metrics.journal import Journal
from tests.metrics.story import Story
from tests.requirements import requirement
from tests.support.command import HANG_S
from tests.support.ports import free_port
from tests.support.waiting import until


async def test_an_address_that_is_taken_is_told_with_the_option_that_takes_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ConfigError, match=rf"--http: 127\.0\.0\.1:{port}: cannot be used: another program listens there already$"
        ):
            await serve_asgi(None, "127.0.0.1", port, "--http")


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url).status_code == 204
    except httpx2.ConnectError:
        return False


@pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")
async def test_an_ipv6_address_is_given_in_brackets_and_listened_at() -> None:
    async def app(_scope: object, _receive: object, send: Callable[[dict[str, object]], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    host, port = split_address("--http", f"[::1]:{free_port()}")
    assert (host, host_and_port(host, port)) == ("::1", f"[::1]:{port}")
    async with anyio.create_task_group() as group:
        group.start_soon(serve_asgi, app, host, port, "--http")
        assert await anyio.to_thread.run_sync(partial(until, lambda: _answers(f"http://[::1]:{port}/"), timeout_s=HANG_S))
        group.cancel_scope.cancel()


@pytest.mark.parametrize("option", ["--http", "--metrics"])
def test_serve_names_the_option_of_an_address_that_is_taken_before_it_starts_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.setenv(name, "made-up")
    monkeypatch.setenv("JIRITSU_HOME", str(tmp_path))
    monkeypatch.setattr(commands_of_serve, "answer_in_slack", None)  # nothing is reached
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = CliRunner().invoke(main, ["serve", option, where])
    assert ended.exit_code == EXIT_SETUP
    assert ended.stderr == f"jiritsu: {option}: {where}: cannot be used: another program listens there already\n"


@pytest.mark.parametrize(
    ("bot", "app", "named"),
    [
        ("xapp-1-a", "xoxb-1", "SLACK_BOT_TOKEN: is another token of Slack (xapp-…), not xoxb-…"),
        ("xoxb-1", "xoxb-1", "SLACK_APP_TOKEN: is another token of Slack (xoxb-…), not xapp-…"),
    ],
)
def test_serve_names_tokens_that_were_mixed_up_before_it_starts_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str, app: str, named: str
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", bot)
    monkeypatch.setenv("SLACK_APP_TOKEN", app)
    monkeypatch.setenv("JIRITSU_HOME", str(tmp_path))
    monkeypatch.setattr(commands_of_serve, "answer_in_slack", None)  # nothing is reached
    ended = CliRunner().invoke(main, ["serve"])
    assert ended.exit_code == EXIT_SETUP
    assert ended.stderr == f"jiritsu: environment: {named}; docs/slack.md tells where to find it\n"


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """A journal of one run."""
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    await anyio.to_thread.run_sync(migrate, engine, [METRICS])
    journal = Journal(engine)
    await journal.write(Story().start(needs=("a",)).turn().call(needs=("a",)).finish().events)
    yield journal
    engine.dispose()


async def scraped(client: httpx2.AsyncClient, port: int) -> dict[str, list[float]]:
    while True:
        try:
            answer = await client.get(f"http://127.0.0.1:{port}/metrics")
        except httpx2.ConnectError:
            await anyio.lowlevel.checkpoint()
            continue
        assert answer.status_code == 200
        families = text_string_to_metric_families(answer.text)
        return {family.name: [sample.value for sample in family.samples] for family in families}


@requirement("M5")
async def test_prometheus_reads_the_measures_of_every_run_in_the_journal(journal: Journal) -> None:
    port = free_port()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group, httpx2.AsyncClient() as client:
            group.start_soon(serve_asgi, scrape_page(journal), "127.0.0.1", port, "--metrics")
            families = await scraped(client, port)
            group.cancel_scope.cancel()
    assert families["jiritsu_runs"] == [1.0]
    assert families["jiritsu_uncounted_events"] == [0.0]


@requirement("M5", "U6")
async def test_no_page_that_has_its_own_name_lead_to_this_machine_reads_the_measures(journal: Journal) -> None:
    async def status(server: str, host: str) -> int:
        transport = httpx2.ASGITransport(app=scrape_page(journal))
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{server}:9464") as client:
            return (await client.get("/metrics", headers={"host": host})).status_code

    assert [await status("127.0.0.1", host) for host in ("evil.example", "evil.example:9464", "", "[::1")] == [403] * 4
    assert [await status("127.0.0.1", host) for host in ("localhost:9464", "127.0.0.1", "[::1]:9464")] == [200] * 3
    assert await status("10.1.2.3", "jiritsu.example:9464") == 200, "beyond loopback nobody can tell"


@requirement("M5")
async def test_a_journal_that_takes_longer_than_a_scraper_waits_is_summed_behind_the_page_which_says_so(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics.running_totals.FEW_EVENTS", 3)
    written, port = (await journal.anchor()).seq, free_port()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group, httpx2.AsyncClient() as client:
            group.start_soon(serve_asgi, scrape_page(journal), "127.0.0.1", port, "--metrics")
            assert await scraped(client, port) == {"jiritsu_uncounted_events": [written]}, "no counter grows by what is long past"
            while (families := await scraped(client, port))["jiritsu_uncounted_events"] != [0.0]:
                pass
            group.cancel_scope.cancel()
    assert families["jiritsu_runs"] == [1.0]


@pytest.mark.parametrize(
    "text", ["3000", "localhost", ":3000", "host:port", "[]:3000", "host:" + "9" * 5_000, "host:²", "host:0"]
)
def test_an_address_that_is_none_is_named_with_its_option(text: str) -> None:
    with pytest.raises(ConfigError, match=f"--metrics: {re.escape(text)}: is not HOST:PORT"):
        split_address("--metrics", text)
    with pytest.raises(ConfigError, match=r"web\.listen: "):
        web_settings({}, "jiritsu.toml", text)


async def test_a_worker_answers_its_own_health_check_whatever_proxy_it_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    app, port = Starlette(routes=[Route("/readyz", endpoints.alive)]), free_port()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(serve_asgi, app, "127.0.0.1", port, "--listen")
            while await anyio.to_thread.run_sync(health.main, f"http://127.0.0.1:{port}/readyz"):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    assert health.main("http://[") == 1


async def test_a_database_that_is_away_is_no_error_of_the_page_of_measures(tmp_path: Path) -> None:
    away = Journal(sa.create_engine(f"sqlite:///{tmp_path}/nowhere/x.db"))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=scrape_page(away)), base_url="http://worker") as client:
        page = await client.get("/metrics")
    assert (page.status_code, page.text) == (503, "the database does not answer\n")


def test_a_second_interrupt_while_things_are_closed_ends_a_command_without_a_traceback() -> None:
    with pytest.raises(SystemExit) as stopped:
        end_if_expected(BaseExceptionGroup("while closing", [KeyboardInterrupt()]))
    assert stopped.value.code == EXIT_INTERRUPTED


def test_a_deadline_of_ours_that_nobody_handled_is_an_error_of_the_program() -> None:
    end_if_expected(TimeoutError())  # would else be an empty line


def test_an_expected_error_is_told_in_one_line_and_its_traceback_to_whoever_debugs(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("DEBUG", "autonomy")
    monkeypatch.setattr(logging.getLogger(), "handlers", [caplog.handler])  # a server in this process may have added its own
    with pytest.raises(SystemExit):
        end_if_expected(FileNotFoundError(2, "No such file or directory", "/nowhere"))
    assert capsys.readouterr().err == "jiritsu: /nowhere: No such file or directory\n"
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_each_mistake_of_a_file_is_told_in_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        end_if_expected(ConfigError.first_of([ConfigError("x.md", key, "is empty") for key in ("goal", "needs")]))
    assert stopped.value.code == EXIT_SETUP
    assert capsys.readouterr().err == "jiritsu: x.md: goal: is empty\njiritsu: x.md: needs: is empty\n"


def test_a_database_that_is_damaged_or_goes_away_under_a_command_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (damaged := tmp_path / "damaged.db").write_bytes(b"no database" * 1000)
    for file, problem in ((damaged, "file is not a database"), (tmp_path / "gone" / "x.db", "unable to open database file")):
        with pytest.raises(sa.exc.DatabaseError) as raised, sa.create_engine(f"sqlite:///{file}").connect() as connection:
            connection.exec_driver_sql("SELECT * FROM durable_runs")
        with pytest.raises(SystemExit) as stopped:
            end_if_expected(raised.value)
        assert stopped.value.code == EXIT_SETUP
        assert capsys.readouterr().err == f"jiritsu: the database cannot be used: {problem}\n"


@requirement("R1")
async def test_a_suspended_postgresql_is_not_ready_at_once_and_keeps_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes the connection and says nothing, as one does that was stopped (SIGSTOP)."""
    monkeypatch.setattr(readiness, "READY_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://jiritsu@127.0.0.1:{silent.getsockname()[1]}/jiritsu?sslmode=disable&gssencmode=disable"
        engine, turn = await anyio.to_thread.run_sync(open_engine, url), threading.Lock()
        ready = partial(readiness._ready, engine, turn)
        transport = httpx2.ASGITransport(Starlette(routes=[Route("/readyz", ready)]))
        with anyio.fail_after(240):
            async with httpx2.AsyncClient(transport=transport, base_url="http://worker") as client:
                answers = [await client.get("/readyz") for _ in range(4)]
            assert {(answer.status_code, answer.text) for answer in answers} == {(503, "the database does not answer\n")}
            silent.setblocking(False)
            with silent.accept()[0], pytest.raises(BlockingIOError):
                silent.accept()
            await anyio.to_thread.run_sync(turn.acquire)  # until the first question has ended: its server is gone
        engine.dispose()


def test_a_connection_to_postgresql_is_given_up_after_seconds_unless_its_address_says_how_long() -> None:
    base = "postgresql+psycopg://jiritsu@db.example/jiritsu"
    assert connect_timeout(sa.make_url(base)) == CONNECT_S
    assert connect_timeout(sa.make_url(f"{base}?connect_timeout=60")) == 60
