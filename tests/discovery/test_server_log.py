"""What servers say of themselves is kept, without secrets, and can be followed."""

import logging
import sys
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver import Context, MCPServer

from autonomy.cli.process_log import PlainFormatter
from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.text.redaction import Redaction
from discovery.transport.local import server_log
from discovery.transport.local.server_log import LARGEST_BYTES, LineSplitter, ServerLog, followed, last_lines, log_file
from tests.requirements import requirement
from tests.support.always import always
from tests.support.clock import SetClock
from tests.support.command import warm_interpreter
from tests.support.served import served
from tests.support.server_configs import PATIENT
from tests.support.waiting import until

TALKATIVE = """
import logging, os, sys
from mcp.server.mcpserver import Context, MCPServer
server = MCPServer("talkative")
sys.stderr.write("using " + os.environ["API_TOKEN"][:6])
sys.stderr.flush()
sys.stderr.write(os.environ["API_TOKEN"][6:] + "\\n")
sys.stderr.flush()

@server.tool()
async def work(ctx: Context) -> str:
    "Do some work"
    sys.stderr.write("working\\nwithout an end")
    sys.stderr.flush()
    return "done"

server.run()
"""


async def test_stderr_is_kept_line_by_line_without_the_server_s_secrets(tmp_path: Path) -> None:
    program = tmp_path / "talkative.py"
    await anyio.to_thread.run_sync(program.write_text, TALKATIVE)
    token = {"API_TOKEN": "abcdefgh-0123456789"}
    entry = ServerConfig(name="talkative", command=warm_interpreter(), args=(str(program),), env=token)
    async with open_gateway([entry], settings=GatewaySettings(log_folder=tmp_path / "logs")) as gateway:
        with anyio.fail_after(60):
            await gateway.settle(timeout_s=60)
            await gateway.call("talkative_work", {})
    file = log_file(tmp_path / "logs", "talkative")
    lines = await anyio.to_thread.run_sync(last_lines, file, 100)
    said = [line.split(" ", 2)[2] for line in lines]
    assert [line for line in said if line in ("using ***", "working", "without an end")] == [
        "using ***",
        "working",
        "without an end",
    ]
    assert "abcdef" not in "\n".join(lines)
    assert (await anyio.to_thread.run_sync(file.stat)).st_mode & 0o077 == 0


LEAKY = """
import sys
sys.exit(f"cannot log in with {sys.argv[2]} and {sys.argv[4]}, nor with https://me:other-password@e.example/")
"""


@requirement("K9")
async def test_secrets_of_a_command_line_stand_neither_in_the_log_nor_in_the_reason(tmp_path: Path) -> None:
    args = ("-c", LEAKY, "--dsn", "postgresql://app:Secret-Pass@db.example/x", "--token", "plain-looking-value")
    entry = ServerConfig(name="leaky", command=sys.executable, args=args)
    async with open_gateway([entry], settings=GatewaySettings(log_folder=tmp_path / "logs")) as gateway:
        with anyio.fail_after(60):
            await gateway.settle(timeout_s=60)
        (state,) = (await gateway.catalog()).providers
    lines = await anyio.to_thread.run_sync(last_lines, log_file(tmp_path / "logs", "leaky"), 100)
    for told in (state.cause, "\n".join(lines)):
        assert "cannot log in with *** and ***" in told
        assert not any(secret in told for secret in ("Secret-Pass", "plain-looking-value", "other-password"))


def talking(told: list[str]) -> MCPServer[Any]:
    """A server over HTTP that logs the header it was given, and what its tool is told."""
    server: MCPServer[Any] = MCPServer("web")

    @server.tool()
    async def work(text: str, ctx: Context[Any]) -> str:
        """Do some work."""
        header = ctx.request_context.request.headers["x-door"]  # type: ignore[union-attr]
        await ctx.session.send_log_message("info", f"{header} and {text}")
        told.append(header)
        return f"{header} and {text}"

    return server


@requirement("K9")
@pytest.mark.filterwarnings("ignore:The logging capability")
async def test_neither_a_header_nor_what_a_server_is_told_stands_in_its_log_or_in_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def passed_on(*_: object) -> None:
        pass

    told = list[str]()
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    async with served(talking(told).streamable_http_app()) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        entry = ServerConfig(name="web", transport="http", url=url, headers={"X-Door": "nebulous-walrus-carpet"})
        settings, file = PATIENT.model_copy(update={"log_folder": tmp_path / "logs"}), log_file(tmp_path / "logs", "web")
        caplog.set_level(logging.DEBUG, "mcp")
        caplog.set_level(logging.DEBUG, "mcp.client.streamable_http")  # a command that ran in this process may have quieted it
        with anyio.fail_after(60):
            async with open_gateway([entry], settings=settings, on_log=passed_on) as gateway:
                await gateway.call("web_work", {"text": token})
                said = partial(until, lambda: any(" info: " in line for line in last_lines(file, 100)), timeout_s=60)
                assert await anyio.to_thread.run_sync(said), "written beside the call, not before its answer"
    assert told == ["nebulous-walrus-carpet"], "it was used where it belongs"
    lines = "\n".join(await anyio.to_thread.run_sync(last_lines, file, 100))
    assert "info: *** and ***" in lines
    written = "\n".join(map(PlainFormatter("%(message)s").format, caplog.records))
    assert "notifications/message" in written
    assert not any(secret in text for secret in (told[0], token) for text in (lines, written))


@requirement("K9")
async def test_a_secret_variable_is_hidden_whatever_the_entry_calls_what_it_fills() -> None:
    env = {"DESK_TOKEN": "nebulous-walrus-carpet", "DESK_CITY": "Kanazawa-shi", "HOME": "/"}
    entry = ServerConfig(name="desk", command="x", env={"DOOR": "${DESK_TOKEN}", "CITY": "${DESK_CITY}"}, url="${DESK_TOKEN:-a}")
    launch = await anyio.to_thread.run_sync(entry.launch, env)
    assert launch.secrets == ("nebulous-walrus-carpet",)
    redaction = Redaction.of_secrets({**launch.env, **launch.headers}, launch.args, launch.secrets)
    assert redaction.text("nebulous-walrus-carpet in Kanazawa-shi") == "*** in Kanazawa-shi"


async def test_a_log_that_is_full_is_set_aside_and_a_follower_misses_nothing(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, heard = tmp_path / "a.log", []
    skip, follows = server_log._Reader.to_the_end, anyio.Event()

    def to_the_end(reader: server_log._Reader) -> None:
        skip(reader)
        anyio.from_thread.run_sync(follows.set)

    monkeypatch.setattr(server_log._Reader, "to_the_end", to_the_end)
    log = ServerLog(file, clock)
    await log.write("before")

    async def listen() -> None:
        async with aclosing(followed(file)) as lines:
            async for line in lines:
                heard.append(line.split(" ", 2)[2])
                if heard[-1] == "last":
                    return

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen)
            await follows.wait()
            await log.write("first")
            await log.write("x" * LARGEST_BYTES)
            await log.write("last")
    assert [line[:5] for line in heard] == ["first", "xxxxx", "last"]
    assert (await anyio.to_thread.run_sync(file.stat)).st_size < 100
    kept = await anyio.to_thread.run_sync(last_lines, file, 10)
    assert [line.split(" ", 2)[2][:6] for line in kept] == ["before", "first", "xxxxxx", "last"]
    assert len(await anyio.to_thread.run_sync(last_lines, file, 2)) == 2


def test_where_nothing_can_be_written_the_server_goes_on(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file stands where the folder would be")
    anyio.run(ServerLog(log_file(tmp_path / "logs", "a")).write, "nobody hears this")
    assert last_lines(log_file(tmp_path, "nothing"), 10) == []


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_no_byte_is_lost_or_torn_from_its_line(chunks: list[bytes]) -> None:
    lines = LineSplitter()
    whole = [line for chunk in chunks for line in lines.feed(chunk).split("\n") if line] + [lines.end()]
    assert [line for line in whole if line] == [line.decode("utf-8", "replace") for line in b"".join(chunks).split(b"\n") if line]


@requirement("K8")
@always(["../../x", "/etc/x", "..", ".", ".x", "a/b", "a\\b", "", "a\0b"])
@given(st.text(max_size=200))
def test_no_name_of_a_server_leads_out_of_the_folder_of_the_logs(server: str) -> None:
    file = log_file(Path("/logs"), server)
    assert file.parent == Path("/logs")
    assert (file.suffix, len(file.name.encode()) < 255, "\0" in file.name) == (".log", True, False)


def test_a_plain_name_is_that_of_its_log_and_others_are_told_apart() -> None:
    folder = Path("/logs")
    assert (log_file(folder, "slack"), log_file(folder, "日報.v2")) == (folder / "slack.log", folder / "日報.v2.log")
    assert log_file(folder, "a/b") != log_file(folder, "a_b") != log_file(folder, "a b")
