"""What Prometheus reads, over a real connection, read back by its own library."""

import json
import socket
from pathlib import Path

import anyio
import anyio.to_thread
import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from autonomy.cli.entry import EXIT_INTERRUPTED, run_async
from autonomy.cli.listen import address, scrape_page, serve_asgi
from autonomy.database import migrate, open_engine
from autonomy.errors import ConfigError
from autonomy.stores import METRICS
from metrics.journal import Journal
from tests.metrics.story import Story
from tests.requirements import requirement
from tests.support.ports import free_port


async def test_an_address_that_is_taken_is_told_with_the_option_that_takes_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ConfigError, match=rf"--http: 127\.0\.0\.1:{port}: cannot be used: another program listens there already$"
        ):
            await serve_asgi(None, "127.0.0.1", port, "--http")


@requirement("M5")
async def test_prometheus_reads_the_measures_of_every_run_in_the_journal(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    await anyio.to_thread.run_sync(migrate, engine, [METRICS])
    journal = Journal(engine)
    await journal.write(Story().start(needs=("a",)).turn().call(needs=("a",)).finish().events)
    port = free_port()
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group, httpx2.AsyncClient() as client:
            group.start_soon(serve_asgi, scrape_page(journal), "127.0.0.1", port)
            answer = None
            while answer is None:
                try:
                    answer = await client.get(f"http://127.0.0.1:{port}/metrics")
                except httpx2.ConnectError:
                    await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    engine.dispose()
    assert answer.status_code == 200
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    assert [sample.value for sample in families["jiritsu_runs"].samples] == [1.0]
    assert json.dumps(sorted(families))


@pytest.mark.parametrize("text", ["3000", "localhost", ":3000", "host:port"])
def test_an_address_that_is_none_is_named_with_its_option(text: str) -> None:
    with pytest.raises(ConfigError, match=f"--metrics: {text}: is not HOST:PORT"):
        address("--metrics", text)


def test_a_second_interrupt_while_things_are_closed_ends_a_command_without_a_traceback() -> None:
    async def command() -> int:
        raise BaseExceptionGroup("while closing", [KeyboardInterrupt()])

    with pytest.raises(SystemExit) as stopped:
        run_async(command)
    assert stopped.value.code == EXIT_INTERRUPTED
