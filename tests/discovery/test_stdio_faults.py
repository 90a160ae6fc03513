"""What a broken or hostile server process does, and what we make of it: an error in time that names it, and nothing else suffers."""

import os
import resource
import sys
from collections.abc import AsyncIterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import pytest
from mcp.client import session
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from discovery.catalog import ProviderState
from discovery.discovery_errors import CallFailed, CallTimedOut, ConnectionLost, DiscoveryError
from discovery.gateway import Gateway, open_gateway
from discovery.servers.server_config import Launch, ServerConfig
from discovery.timing.clock import SYSTEM_CLOCK, SystemClock
from discovery.transport.in_process import InProcess
from discovery.transport.local.child import Child
from discovery.transport.local.server_log import ServerLog, last_lines
from discovery.transport.local.stdio import guarded_stdio
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.sampling import rows_in_part
from tests.support.server_configs import PATIENT, stdio_server
from tests.support.watching import children_of, processes_with, watched_loop

SETTINGS = PATIENT.model_copy(update={"retry_base_s": 5, "health_timeout_s": 0.5})
HASTY = SETTINGS.model_copy(update={"connect_timeout_s": 2, "list_timeout_s": 1})
"""For servers that do not come up: what else a test needs must not be a process, which may be slow."""
NEAR = MCPServer("near")


@NEAR.tool()
async def tool_0() -> str:
    """Answers."""
    return "here"


class OneSecond(SystemClock):
    """In which all messages come that are read, however long that takes on a busy machine."""

    def monotonic(self) -> float:
        return 0.0


async def reason_of(gateway: Gateway, name: str) -> str:
    """Why a provider is not there, as soon as that is known."""
    with anyio.fail_after(240):
        while True:
            provider = next(provider for provider in gateway.status() if provider.name == name)
            if provider.reason and provider.state is not ProviderState.CONNECTING:
                return provider.reason
            await gateway.next_change()


async def nothing_left(sign: str) -> None:
    """A process that was killed takes a moment to disappear."""
    with anyio.fail_after(240):
        while await anyio.to_thread.run_sync(processes_with, sign):
            await anyio.sleep(0.01)


@pytest.mark.parametrize(
    ("command", "cwd", "words"),
    [
        ("no-such-command", "", "'no-such-command': no such file or directory"),
        ("/dev/null", "", "'/dev/null': permission denied"),
        (sys.executable, "/nowhere", "'/nowhere': no such file or directory; mend its `cwd`"),
        ("/no such/program", "", "'/no such/program': no such file or directory"),
        (
            f"{sys.executable} server.py",
            "",
            f"'{sys.executable} server.py': no such file or directory; put its arguments into `args`",
        ),
    ],
)
@requirement("D3")
async def test_a_command_that_cannot_be_started_is_named_in_plain_words(command: str, cwd: str, words: str) -> None:
    async with open_gateway([ServerConfig(name="bad", command=command, cwd=cwd)], settings=SETTINGS) as gateway:
        assert await reason_of(gateway, "bad") == words


@pytest.mark.parametrize(
    ("options", "words"),
    rows_in_part(
        [
            ({"fault": "exit"}, "exit code 3; the end of its stderr: the configuration is missing"),
            ({"fault": "silent"}, "did not answer within 2 s"),
            ({"fault": "hang_initialize"}, "did not answer within 2 s"),
            (
                {"fault": "usage"},
                "did not answer within 2 s of being started; it has printed what is no MCP message: 'usage: server [--stdio]'",
            ),
            ({"fault": "long_noise"}, "within 2 s of being started; it has printed what is no MCP message: 'key = value, key"),
            ({"fault": "no_greeting"}, "its answer is no InitializeResult: capabilities: Field required"),
            ({"fault": "locked"}, "its tools/list failed: the database is locked"),
            ({"fault": "hang_list"}, "did not list its tools within 1 s"),
            ({"fault": "exit_after_list"}, "exit code 0"),
            ({"fault": "endless_line"}, "message of more than 67108864 bytes"),
            ({"fault": "noise"}, "more than 200 lines that are not MCP messages"),
            (
                {"schema_bytes": 5_000_000},
                "message of more than 4194304 bytes",
            ),
        ],
        every=4,
        alike=lambda options, words: words.partition(" 2 s")[0],
    ),
)
@requirement("D3")
async def test_a_server_that_does_not_come_up_says_why_and_the_others_do_not_wait(options: dict[str, Any], words: str) -> None:
    settings, beside = HASTY if "within" in words else SETTINGS, {"near": InProcess(NEAR, in_backend="a test")}
    async with (
        watched_loop() as busy,
        open_gateway([stdio_server("bad", **options)], in_process=beside, settings=settings) as gateway,
    ):
        with anyio.fail_after(240):
            catalog = await gateway.catalog()
        assert "near_tool_0" in [spec.name for spec in catalog.callable_tools]
        assert words in await reason_of(gateway, "bad")
    assert busy.longest_s < 0.2


async def test_a_server_that_prints_what_is_no_message_tells_so_while_it_is_waited_for() -> None:
    async with open_gateway([stdio_server("bad", fault="usage")], settings=SETTINGS) as gateway:
        with anyio.fail_after(240):
            while not (reason := gateway.status()[0].cause).endswith("'usage: server [--stdio]'"):
                await gateway.next_change()
        assert gateway.status()[0].missing == "starting"
    assert reason == "it has printed what is no MCP message: 'usage: server [--stdio]'"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    rows_in_part(
        [
            ({"fault": "hang"}, CallTimedOut, "no answer within 1 s"),
            ({"fault": "wrong_id"}, CallTimedOut, "no answer within 1 s"),
            ({"fault": "slow_drip"}, CallTimedOut, "no answer within 1 s"),
            ({"fault": "crash"}, ConnectionLost, "exit code -11; the end of its stderr: about to crash"),
            ({"fault": "closes_stdout"}, ConnectionLost, "it closed its stdout"),
            ({"fault": "big_answer", "bytes": 100_000_000}, ConnectionLost, "message of more than 67108864 bytes"),
            ({"fault": "deeply_nested"}, CallFailed, "cannot be read"),
            ({"fault": "null_result"}, CallFailed, "cannot be read"),
            ({"fault": "not_a_result"}, CallFailed, "its answer is not a tool result"),
            (
                {"fault": "storm", "method": "notifications/tools/list_changed"},
                ConnectionLost,
                "unasked messages within a second",
            ),
            (
                {"fault": "storm", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
                ConnectionLost,
                "unasked messages within a second",
            ),
            ({"fault": "pings"}, ConnectionLost, "unasked messages within a second"),
        ],
        every=6,
        alike=lambda options, error, words: (error, words),
    ),
)
async def test_a_fault_in_a_call_is_an_error_in_time_and_costs_no_other_server_anything(
    options: dict[str, Any], error: type[DiscoveryError], words: str
) -> None:
    beside = {"near": InProcess(NEAR, in_backend="a test")}
    clock = OneSecond() if "second" in words else SYSTEM_CLOCK
    async with (
        watched_loop() as busy,
        open_gateway([stdio_server("bad", **options)], in_process=beside, settings=SETTINGS, clock=clock) as gateway,
    ):
        await gateway.settle(60)
        deadline_s = 1.0 if error is CallTimedOut else 60.0
        with anyio.fail_after(240), pytest.raises(error, match=words) as caught:
            await gateway.call("bad_tool_0", {}, timeout_s=deadline_s)
        assert "bad" in str(caught.value)
        assert not (await gateway.call("near_tool_0", {})).is_error
        if error is not CallTimedOut:
            assert isinstance(caught.value, CallFailed)
            assert caught.value.outcome_unknown
    assert busy.longest_s < 0.2


@pytest.mark.parametrize(
    ("options", "text"),
    rows_in_part(
        [
            ({"fault": "banner"}, '{"tool"'),
            ({"fault": "full_stderr"}, '{"tool"'),
            ({"fault": "lone_surrogate"}, "\ufffd"),
            ({"fault": "not_utf8"}, "caf\ufffd"),
            (
                {
                    "fault": "mismatched_output",
                    "list": [{"name": "tool_0", "outputSchema": {"type": "object", "required": ["a"]}}],
                },
                "the ef",
            ),
            (
                {"fault": "mismatched_output", "list": [{"name": "tool_0", "outputSchema": {"$ref": "http://127.0.0.1:9/"}}]},
                "the effect",
            ),
            (
                {
                    "fault": "mismatched_output",
                    "structured": {"a": "a" * 40 + "!"},
                    "list": [{"name": "tool_0", "outputSchema": {"properties": {"a": {"pattern": "^(a+)+$"}}}}],
                },
                "the effect has happened",
            ),
            ({"fault": "odd_numbers"}, ""),
            ({"fault": "image"}, ""),
            ({"fault": "image", "data": "!!! not base64"}, ""),
            ({"fault": "invisible"}, "abcd"),
        ],
        every=4,
        alike=lambda options, _: options["fault"],
    ),
)
async def test_what_a_call_survives(options: dict[str, Any], text: str) -> None:
    for tool in options.get("list", ()):
        tool["inputSchema"] = {"type": "object"}
    async with watched_loop() as busy, open_gateway([stdio_server("odd", **options)], settings=SETTINGS) as gateway:
        await gateway.catalog()
        with anyio.fail_after(240):
            first, second = await gateway.call("odd_tool_0", {}), await gateway.call("odd_tool_0", {})
    assert first.text.startswith(text)
    assert not second.is_error
    assert busy.longest_s < 0.2


async def test_a_long_text_is_cut_and_says_so() -> None:
    async with open_gateway([stdio_server("long", fault="big_answer", bytes=1_000_000)], settings=SETTINGS) as gateway:
        output = await gateway.call("long_tool_0", {})
    assert output.text.endswith("… 737856 more characters were left out")
    assert len(output.text) < 263_000


async def test_a_server_that_reads_nothing_holds_no_caller_past_its_deadline() -> None:
    beside = {"near": InProcess(NEAR, in_backend="a test")}
    async with open_gateway([stdio_server("deaf", fault="deaf")], in_process=beside, settings=SETTINGS) as gateway:
        await gateway.catalog()
        for _ in range(2):
            with anyio.fail_after(240), pytest.raises(DiscoveryError):
                await gateway.call("deaf_tool_0", {"text": "x" * 3_000_000}, timeout_s=0.3)
        assert not (await gateway.call("near_tool_0", {})).is_error


async def test_a_call_that_times_out_costs_a_healthy_server_nothing_and_a_stuck_one_its_connection() -> None:
    async with open_gateway([stdio_server("stuck", fault="hang")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        with pytest.raises(CallTimedOut):
            await gateway.call("stuck_tool_0", {}, timeout_s=0.2)
        assert "gave no sign of life within 0.5 s" in await reason_of(gateway, "stuck")


@pytest.mark.parametrize("fault", ["", "ignores_eof", "ignores_everything", "leaves_child", "leaves_detached_child"])
@requirement("D5")
async def test_on_the_way_out_no_process_is_left(fault: str) -> None:
    sign = f"sign-{uuid4().hex}"
    async with open_gateway([stdio_server("p", fault=fault, entry={"env": {"SIGN": sign}})], settings=SETTINGS) as gateway:
        await gateway.catalog()
        assert await anyio.to_thread.run_sync(processes_with, sign)
    await nothing_left(sign)


@requirement("D5")
async def test_a_cancelled_connect_leaves_no_process() -> None:
    sign = f"sign-{uuid4().hex}"
    with anyio.move_on_after(0.3):
        async with open_gateway([stdio_server("p", fault="silent", entry={"env": {"SIGN": sign}})], settings=SETTINGS) as gateway:
            await gateway.catalog()
    await nothing_left(sign)


@requirement("S7")
async def test_a_server_gets_no_variable_of_ours_and_its_own_secrets_stay_out_of_messages() -> None:
    servers = [
        stdio_server("leaky", fault="exit", words="cannot sign in with hunter2-secret", entry={"env": {"TOKEN": "${TOKEN}"}}),
        ServerConfig(name="env", command=sys.executable, args=("-c", "import os,sys; sys.exit(str(sorted(os.environ)))")),
    ]
    env = {
        "TOKEN": "hunter2-secret",
        "SLACK_BOT_TOKEN": "xoxb",
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "SSL_CERT_FILE": "/ca.pem",
        "ALL_PROXY": "http://p:1",
        "HTTPS_PROXY": "http://me:word@p:1",
    }
    async with open_gateway(servers, settings=SETTINGS, env=env) as gateway:
        leaky, names = await reason_of(gateway, "leaky"), await reason_of(gateway, "env")
    assert "cannot sign in with ***" in leaky
    assert "SLACK_BOT_TOKEN" not in names
    assert "'ALL_PROXY'" in names
    assert "HTTPS_PROXY" not in names  # it holds a password
    assert "SSL_CERT_FILE" in names  # a path, and what its downloads need behind a company's proxy
    assert "'HOME', 'JIRITSU_MCP_SERVER'" in names


async def test_why_a_server_ended_is_known_when_a_message_to_it_fails() -> None:
    others, told = children_of(os.getpid()), list[str]()
    launch = Launch(command=sys.executable, args=("-c", "raise SystemExit('no configuration')"))
    async with guarded_stdio(launch, env={}, on_fault=told.append) as (read, write):
        (pid,) = children_of(os.getpid()) - others
        # Nobody has read the end of its stdout then. What the kernel shows of its command line says less: there is none while the
        # process starts, nor while it ends and still holds its pipes.
        await anyio.to_thread.run_sync(os.waitid, os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read_all, read)
            with anyio.fail_after(240), pytest.raises(anyio.BrokenResourceError):
                await write.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")))
            assert told == ["its process ended with exit code 1; the end of its stderr: no configuration"]


@pytest.mark.parametrize(
    ("program", "end"),
    [
        (
            "print('usage: notes --file FILE'); print('error: --file is missing'); raise SystemExit(2)",
            "stdout: error: --file is missing",
        ),
        ("print('Loading …'); raise SystemExit('no configuration')", "stderr: no configuration"),
    ],
)
async def test_a_program_that_says_on_stdout_why_it_ends_is_quoted(program: str, end: str) -> None:
    told = list[str]()
    launch = Launch(command=sys.executable, args=("-c", program))
    async with guarded_stdio(launch, env={}, on_fault=told.append) as (read, _write):
        with anyio.fail_after(240):
            await read_all(read)
    assert [one.partition("; ")[2] for one in told] == [f"the end of its {end}"]


CHATTY = """
import sys
for line in sys.stdin:
    print("debug: asked\\n" * 150 + '{"jsonrpc": "2.0", "id": 1, "result": {}}', flush=True)
"""


@pytest.mark.parametrize(("pause_s", "faults"), [(1.0, 0), (0.1, 1)])
async def test_a_server_that_prints_debug_lines_to_stdout_works_and_has_them_in_its_log(
    tmp_path: Path, pause_s: float, faults: int
) -> None:
    clock, told, heard = SetClock(), list[str](), list[str]()
    launch, log = Launch(command=sys.executable, args=("-c", CHATTY)), ServerLog(tmp_path / "chatty.log", clock)
    async with guarded_stdio(launch, env={}, on_fault=told.append, clock=clock, log=log, on_noise=heard.append) as (read, write):
        with anyio.fail_after(240), suppress(anyio.EndOfStream):
            for _ in range(3):
                await write.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")))
                await read.receive()
                clock.advance(pause_s)
    assert ["lines that are not MCP messages on its stdout within a second" in words for words in told] == [True] * faults
    assert heard == ["debug: asked"]
    lines = await anyio.to_thread.run_sync(last_lines, tmp_path / "chatty.log", 1000)
    assert {line.split(" ", 2)[2] for line in lines} == {"stdout: debug: asked"}
    assert len(lines) >= 200


async def test_a_write_to_a_process_of_whose_end_the_loop_has_not_heard_fails() -> None:
    child = await Child.start([sys.executable, "-c", "pass"], env={}, cwd=None)
    while child.returncode is None:
        pass  # without a turn of the loop
    with pytest.raises(BrokenPipeError):
        child.write(b"{}\n")
    await child.end(0.0)


async def read_all(read: AsyncIterable[object]) -> None:
    async for _ in read:
        pass


async def test_a_command_that_is_not_there_is_named() -> None:
    async with open_gateway([ServerConfig(name="gone", command="no-such-command-here")], settings=SETTINGS) as gateway:
        assert "no-such-command-here" in await reason_of(gateway, "gone")


async def test_memory_stays_bounded_while_a_server_sends_without_end() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with open_gateway([stdio_server("bad", fault="endless_line")], settings=SETTINGS) as gateway:
        await reason_of(gateway, "bad")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB


async def test_a_provider_that_keeps_failing_is_parked_and_tried_again_when_asked_for() -> None:
    settings = SETTINGS.model_copy(update={"retry_base_s": 0.001, "retry_cap_s": 0.001, "park_after": 3})
    async with open_gateway([stdio_server("bad", fault="exit")], settings=settings) as gateway:
        with anyio.fail_after(240):
            while gateway.status()[0].state is not ProviderState.PARKED:
                await gateway.next_change()
            assert "the last of 3 faults" in gateway.status()[0].reason
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: gateway.catalog(refresh=True))
                while gateway.status()[0].state is ProviderState.PARKED:
                    await gateway.next_change()
                while gateway.status()[0].state is not ProviderState.PARKED:
                    await gateway.next_change()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere it takes the ten seconds that the SDK waits")
async def test_a_server_that_is_silent_to_discover_is_greeted_in_the_old_way_without_a_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "DISCOVER_TIMEOUT_SECONDS", 300.0)
    async with open_gateway([stdio_server("old", fault="silent_discover")], settings=PATIENT) as gateway:
        assert (await gateway.catalog()).callable_tools
        (old,) = gateway.status()
    assert not old.overdue
    assert old.protocol_version < "2026"


async def test_an_answer_that_is_too_large_fails_its_own_call_and_the_connection_lives() -> None:
    async with open_gateway([stdio_server("big", fault="big_answer", bytes=34_000_000)], settings=SETTINGS) as gateway:
        for _ in range(2):
            with pytest.raises(CallFailed, match="more than 33554432 bytes; ask for less of it") as failed:
                await gateway.call("big_tool_0", {}, timeout_s=240)
            assert not isinstance(failed.value, ConnectionLost)
            assert failed.value.outcome_unknown
        assert gateway.status()[0].available


async def test_an_answer_of_megabytes_is_read_whole() -> None:
    async with open_gateway([stdio_server("big", fault="big_answer", bytes=5_000_000)], settings=SETTINGS) as gateway:
        output = await gateway.call("big_tool_0", {}, timeout_s=240)
    assert output.whole == "x" * 5_000_000


async def test_a_description_that_is_cut_is_told_of() -> None:
    wordy = {"name": "wordy", "description": "w" * 2_500, "inputSchema": {"type": "object"}}
    endless = {"name": "endless", "description": "w" * 30_000, "inputSchema": {"type": "object"}, "_meta": {"x": "y" * 17_000}}
    async with open_gateway([stdio_server("s", list=[wordy, endless])], settings=SETTINGS) as gateway:
        catalog = await gateway.catalog()
    shown = {spec.tool: (len(spec.description), len(spec.whole_description), spec.beyond) for spec in catalog.tools}
    assert shown == {"wordy": (2_000, 2_500, {}), "endless": (2_000, 20_000, {})}
    assert [(told.tool, told.reason) for told in catalog.providers[0].quarantined] == [
        ("endless", "its description is cut at 20000 of 30000 characters"),
        ("endless", "its icons and its _meta are left out: they are larger than 16000 bytes, or nested too deep"),
        ("wordy", "of its description a model is shown 2000 of 2500 characters"),
        ("endless", "of its description a model is shown 2000 of 20000 characters"),
    ]


async def test_a_schema_nested_beyond_any_parser_costs_its_own_tool_alone() -> None:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(400):
        schema = {"type": "object", "properties": {"a": schema}}
    offered = [{"name": "fine", "inputSchema": {"type": "object"}}, {"name": "deep", "inputSchema": schema}]
    async with open_gateway([stdio_server("s", list=offered)], settings=SETTINGS) as gateway:
        catalog = await gateway.catalog()
    assert [spec.tool for spec in catalog.tools] == ["fine"]
    assert [told.tool for told in catalog.providers[0].quarantined] == ["deep"]
    assert "nested deeper" in catalog.providers[0].quarantined[0].reason
