"""Which spares are kept, given and ended; the clocks are the test's."""

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autonomy.warm.installation import confinement, installation
from autonomy.warm.leases import Leases
from autonomy.warm.spare_pool import QUARTER_S, QUIET_S, Spare, SparePool
from discovery.transport.local import processes
from tests.requirements import requirement
from tests.support.waiting import until

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="warm starts need Linux"),
    requirement("Y7"),
]
CAT = "import sys; sys.stdin.read()"


class Times:
    """Both clocks of a pool."""

    def __init__(self) -> None:
        self.at = 10_000_000 * QUARTER_S

    def now(self) -> float:
        return float(self.at)


def order(program: str = CAT, *arguments: str, cwd: str = "/", **env: str) -> dict[str, object]:
    return {"command": [sys.executable, "-I", "-S", "-c", program, *arguments], "env": env, "cwd": cwd}


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def pool(times: Times) -> Iterator[SparePool]:
    pool = SparePool(most=2, idle_s=1_800, monotonic=times.now, now=times.now)
    yield pool
    pool.close()
    times.at += 60

    def closed() -> bool:
        pool.look_after(busy=False)
        return pool.closed

    assert until(closed, timeout_s=240)


def settled(pool: SparePool, times: Times) -> None:
    """After a command has ended, and what ends has had its time."""
    pool.look_after(busy=False)
    times.at += 10
    pool.look_after(busy=False)


def given(pool: SparePool, wanted: dict[str, object]) -> Spare | None:
    spare = pool.take(wanted)
    if spare is not None:
        pool.end(spare)
    return spare


def test_the_first_who_asks_gets_none_and_the_next_one_gets_one_that_nobody_else_gets(pool: SparePool, times: Times) -> None:
    assert pool.take(order()) is None
    settled(pool, times)
    assert given(pool, order()) is not None
    assert pool.take(order()) is None


def test_a_late_answer_is_not_waited_for_again_and_does_not_end_the_servers_that_were_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autonomy.warm.leases.FIRST_ANSWER_WITHIN_S", 0.01)
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    leases = Leases(ours)
    del ours  # as in the fork of a command, where nothing else holds it
    with its:
        assert (leases.take(["late"], {}, "/"), leases.take(["next"], {}, "/")) == (None, None)
        assert json.loads(its.recv(1_000))["command"] == ["late"]
        its.setblocking(False)
        with pytest.raises(BlockingIOError):  # an end of the connection is for the warm process the end of the command
            its.recv(1_000)
        leases.close()
        assert its.recv(1_000) == b""


def test_the_first_answer_may_take_longer_since_the_fork_server_still_imports() -> None:
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        leases = Leases(ours)
        first = ours.gettimeout() or 0
        its.send(b"{}")
        assert leases.take(["first"], {}, "/") is None
        assert first > (ours.gettimeout() or 0) > 0
        leases.close()


def test_while_a_command_is_under_way_none_is_started_until_it_has_been_for_a_while(pool: SparePool, times: Times) -> None:
    pool.take(order())
    pool.look_after(busy=True)
    assert pool.counts()["spares"] == 0
    times.at += QUIET_S + 1
    pool.look_after(busy=True)
    assert pool.counts()["spares"] == 1


@pytest.mark.parametrize("other", [order(A="2"), order(CAT, "x", A="1"), order(A="1", cwd="/tmp"), order(A="1", B="")])
def test_what_differs_in_anything_is_another(pool: SparePool, times: Times, other: dict[str, object]) -> None:
    pool.take(order(A="1"))
    settled(pool, times)
    assert pool.take(other) is None
    assert given(pool, order(A="1")) is not None


def test_a_spare_has_the_environment_it_was_asked_for_with_and_nothing_of_ours(
    pool: SparePool, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_SECRET", "x")
    pool.take(order(A="1"))
    settled(pool, times)
    spare = pool.take(order(A="1"))
    assert spare is not None
    environment = Path(f"/proc/{spare.process.pid}/environ")
    # Popen returns when exec has closed its pipe; the kernel shows the new environment a moment later, and nothing until then.
    assert until(lambda: bool(environment.read_bytes()), timeout_s=240)
    names = {line.partition(b"=")[0] for line in environment.read_bytes().split(b"\0") if line}
    pool.end(spare)  # not before: of a process that has ended nothing is shown
    assert names == {b"A", processes.VARIABLE.encode()}


def test_none_is_given_across_a_quarter_of_an_hour(pool: SparePool, times: Times) -> None:
    pool.take(order())
    settled(pool, times)
    times.at += QUARTER_S
    assert pool.take(order()) is None


@pytest.mark.parametrize("named", ["{folder}/server.py", "server.py"])
def test_none_is_given_when_a_file_it_was_started_with_has_changed(
    pool: SparePool, times: Times, tmp_path: Path, named: str
) -> None:
    script = tmp_path / "server.py"
    script.write_text(CAT)
    os.utime(script, (1, 1))
    command = [sys.executable, named.format(folder=tmp_path)]
    wanted: dict[str, object] = {"command": command, "env": {}, "cwd": str(tmp_path)}
    pool.take(wanted)
    settled(pool, times)
    os.utime(script, (times.at + 5, times.at + 5))
    assert pool.take(wanted) is None


def test_one_that_does_not_stay_is_not_started_again_and_again(pool: SparePool, times: Times) -> None:
    pool.take(order("pass"))
    pool.look_after(busy=False)

    def gone() -> bool:
        pool.look_after(busy=False)
        return pool.counts() == {"spares": 0, "wanted": 0}

    assert until(gone, timeout_s=240)


def test_one_that_cannot_be_started_is_forgotten(pool: SparePool) -> None:
    pool.take({"command": ["/nowhere"], "env": {}, "cwd": "/"})
    pool.look_after(busy=False)
    assert pool.counts() == {"spares": 0, "wanted": 0}


def test_no_more_than_the_latest_are_kept(pool: SparePool, times: Times) -> None:
    for name in ("1", "2", "3"):
        pool.take(order(A=name))
    settled(pool, times)
    assert pool.counts() == {"spares": 2, "wanted": 2}
    assert pool.take(order(A="1")) is None


def test_one_that_nobody_asks_for_ends(pool: SparePool, times: Times) -> None:
    pool.take(order())
    settled(pool, times)
    times.at += 1_801
    pool.look_after(busy=False)
    assert pool.counts() == {"spares": 0, "wanted": 0}


def test_zero_keeps_none(times: Times) -> None:
    pool = SparePool(most=0, idle_s=1_800, monotonic=times.now, now=times.now)
    pool.take(order())
    pool.look_after(busy=False)
    assert pool.counts() == {"spares": 0, "wanted": 0}


def test_an_edit_a_new_variable_and_another_user_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    known, ours = installation(), confinement(os.getpid())
    assert (installation(), confinement(os.getpid())) == (known, ours)
    assert any(line.startswith("Uid:") for line in ours)
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    assert installation() != known
