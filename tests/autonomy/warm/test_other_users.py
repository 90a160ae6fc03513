"""Attacks by another user of the machine on the warm process: he reaches it not, and gets nothing by standing in for it."""

import os
import pickle
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from autonomy.errors import ConfigError
from autonomy.warm import SOCKET
from autonomy.warm.warm_client import carried_out
from autonomy.warm.warm_process import LOCK, WarmProcess, _listen, _locked
from autonomy.warm.warm_settings import WarmSettings
from autonomy.warm.warm_socket import GO, HERE, KNOCK, READY
from tests.requirements import requirement
from tests.support import waiting as waits
from tests.support.command import HANG_S

NOBODY = 65534
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="warm starts need Linux"),
    pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root becomes another user"),
]


class AsNobody:
    """What another user does, in a process of his, from within a folder."""

    def __init__(self, folder: Path, act: Callable[[], Any]) -> None:
        self._reads, writes = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.chdir(folder)
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
                found = act()
            except BaseException as error:
                found = type(error).__name__
            with suppress(OSError):
                os.write(writes, pickle.dumps(found))
            os._exit(0)
        os.close(writes)

    def end(self) -> Any:
        """What he got; his error's name where he failed."""
        with os.fdopen(self._reads, "rb") as stream:
            found = stream.read()
        os.waitpid(self._pid, 0)
        return pickle.loads(found)


def knocked() -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        line.settimeout(5)
        line.connect(SOCKET)
        line.send(KNOCK)
        return line.recv(64).decode()


def orders_taken() -> list[bytes]:
    """Listen in place of the warm process, say what it would, and keep what comes."""
    taken = list[bytes]()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as place:
        place.settimeout(20)
        place.bind(SOCKET)
        Path(SOCKET).chmod(0o777)
        place.listen()
        Path("listens").touch()
        line, _ = place.accept()
        with line:
            line.settimeout(2)
            for answer in (HERE, READY, GO):
                with suppress(OSError):
                    message, fds, _, _ = socket.recv_fds(line, 1 << 20, 4)
                    taken += [message, *(b"fd" for _ in fds)]
                    line.send(answer)
    return [one for one in taken if one]


@requirement("Y7", "K9")
def test_another_user_does_not_reach_what_listens_there(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    warm = WarmProcess(tmp_path, WarmSettings(), _locked(tmp_path))
    try:
        assert AsNobody(tmp_path, knocked).end() == "PermissionError"
        (tmp_path / SOCKET).chmod(0o666)
        knocking, before = AsNobody(tmp_path, knocked), len(warm._selector.get_map())  # also where the file lets him
        warm._accept(warm._listening)
        assert len(warm._selector.get_map()) == before, "he is not even listened to"
        assert knocking.end() in ("", "ConnectionResetError", "BrokenPipeError")
    finally:
        warm._stop()
        for one in (warm._selector, warm._told, warm._tell):
            one.close()


@requirement("Y7", "K9")
@pytest.mark.parametrize("way", ["a socket of his", "a link to one", "a socket without a listener", "a file"])
def test_who_stands_in_for_the_warm_process_gets_no_order_and_no_descriptor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    home, his = tmp_path / "home", tmp_path / "his"
    for folder in (home, his):
        folder.mkdir()
        folder.chmod(0o777)  # as carelessly as can be
    tmp_path.chmod(0o755)
    impostor = AsNobody(his if way == "a link to one" else home, orders_taken) if "one" in way.split() or "his" in way else None
    match way:
        case "a link to one":
            AsNobody(home, lambda: Path(SOCKET).symlink_to(f"../his/{SOCKET}")).end()
        case "a socket without a listener":
            AsNobody(home, lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).bind(SOCKET)).end()
        case "a file":
            AsNobody(home, lambda: Path(SOCKET).write_text("no socket")).end()
    assert waits.until(lambda: impostor is None or any(tmp_path.glob("*/listens")), timeout_s=HANG_S)
    monkeypatch.setenv("JIRITSU_HOME", str(home))
    monkeypatch.delenv("JIRITSU_MCP_SERVER", raising=False)
    monkeypatch.setenv("JIRITSU_WARM", "1")
    assert carried_out(["runs", "list"]) is None, "it runs without a warm process"
    taken = impostor.end() if impostor is not None else []
    assert [one for one in taken if one != KNOCK] == []


@requirement("Y7", "K9")
def test_a_warm_process_takes_the_place_of_whatever_another_user_left_there(tmp_path: Path) -> None:
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    elsewhere.mkdir()
    for left in (lambda: Path(SOCKET).symlink_to(elsewhere / "made"), lambda: Path(SOCKET).write_text("mine")):
        AsNobody(home, left).end()
        with _listen(home):
            held = (home / SOCKET).lstat()
            assert stat.S_ISSOCK(held.st_mode)
            assert (held.st_uid, held.st_mode & 0o777) == (os.getuid(), 0o600)
        (home / SOCKET).unlink()
    AsNobody(home, lambda: Path(LOCK).symlink_to(elsewhere / "made")).end()
    with pytest.raises(ConfigError):
        os.close(_locked(home))
    assert not (elsewhere / "made").exists(), "no file is made where another user points"
