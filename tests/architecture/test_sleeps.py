"""Nothing waits for a time where it could wait for an event: each sleep in the tests is named here, and there may not be more."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
SLEEPS = {"anyio.sleep", "asyncio.sleep", "time.sleep"}

POLLS = "looks again and again at what another process or task writes into a database or a file, inside of `fail_after`"
SLOW = "is itself the slow thing: a tool, server or model that takes its time"
VIRTUAL = "sleeps by the clock of the simulation"

ALLOWED: dict[str, tuple[int, str]] = {
    "autonomy/chat/test_burst.py": (2, POLLS),
    "autonomy/calls/test_server_questions.py": (1, POLLS),
    "autonomy/mcp_gateway/test_bad_clients.py": (1, POLLS),
    "autonomy/mcp_gateway/test_gateway_http.py": (3, POLLS),
    "autonomy/mcp_gateway/test_job_tasks.py": (4, POLLS),
    "autonomy/mcp_gateway/test_paused_tasks.py": (1, POLLS),
    "autonomy/mcp_gateway/test_server_tasks.py": (3, POLLS),
    "autonomy/mcp_gateway/test_two_users.py": (1, POLLS),
    "autonomy/web/test_operator_pages.py": (1, POLLS),
    "autonomy/durable/test_checkpoints.py": (1, POLLS),
    "support/console_browser.py": (1, "looks again at a page in a browser, until its own deadline"),
    "support/furnished_home.py": (1, POLLS),
    "support/servers/shop_server.py": (2, SLOW),
    "autonomy/chat/test_serve.py": (2, POLLS),
    "autonomy/durable/test_attempts.py": (1, POLLS),
    "autonomy/durable/test_command_line.py": (1, POLLS),
    "autonomy/durable/test_postgres.py": (3, POLLS),
    "autonomy/web/test_server_sign_in.py": (3, POLLS),
    "autonomy/web/test_workers.py": (4, POLLS),
    "autonomy/durable/test_queues.py": (2, POLLS),
    "autonomy/durable/test_runs.py": (11, POLLS),
    "autonomy/durable/test_sleeper.py": (2, POLLS),
    "autonomy/durable/test_task_survival.py": (1, POLLS),
    "autonomy/durable/test_transcripts.py": (1, POLLS),
    "autonomy/web/test_console.py": (1, POLLS),
    "conformance/ports.py": (1, POLLS),
    "conformance/fixture_server.py": (2, SLOW),
    "discovery/test_asking_servers.py": (1, POLLS),
    "discovery/test_remote_tasks.py": (1, POLLS),
    "discovery/test_http_faults.py": (2, POLLS),
    "discovery/test_processes.py": (3, POLLS),
    "discovery/test_real_servers.py": (1, POLLS),
    "discovery/test_stdio_faults.py": (1, POLLS),
    "mutation/__main__.py": (1, POLLS),
    "simulation/mind.py": (1, VIRTUAL),
    "simulation/sim.py": (1, VIRTUAL),
    "simulation/virtual_time.py": (1, VIRTUAL),
    "simulation/world.py": (3, VIRTUAL),
    "support/durable.py": (3, SLOW),
    "support/restarting.py": (3, POLLS),
    "support/soaking.py": (1, "looks at the process every ten seconds, for minutes"),
    "support/servers/gossip_server.py": (1, SLOW),
    "support/servers/http_server.py": (2, SLOW),
    "support/servers/oauth_server.py": (2, SLOW),
    "support/servers/stdio_server.py": (4, SLOW),
    "support/slack_house.py": (1, SLOW),
    "support/watching.py": (1, POLLS),
    "sweeps/test_chaos.py": (2, POLLS),
}
"""File → how many sleeps it has, and why. Benches measure time and are not looked at."""


def sleeps(text: str) -> int:
    """How many calls in a file wait for a time; `sleep(0)` only lets others go first."""
    if "sleep(" not in text:
        return 0
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and ast.unparse(node.func) in SLEEPS]
    return sum(not (call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0) for call in calls)


def test_a_sleep_is_seen_and_giving_way_is_none() -> None:
    assert sleeps("import anyio\nasync def f():\n    await anyio.sleep(0.1)\n    await anyio.sleep(0)\n") == 1


def test_every_sleep_of_the_tests_is_a_named_exception() -> None:
    found = {}
    for file in sorted(TESTS.rglob("*.py")):
        name = str(file.relative_to(TESTS))
        if not name.startswith("bench/") and (count := sleeps(file.read_text(encoding="utf-8"))):
            found[name] = count
    more = {name: count for name, count in found.items() if count > ALLOWED.get(name, (0, ""))[0]}
    assert more == {}, "wait for an event, or use `tests.support.waiting.until`"
    assert ALLOWED.keys() <= found.keys(), "an exception that nobody needs goes"
