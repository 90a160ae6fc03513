"""A stand-in for Python's interpreter that has the servers that ship with us, and scripts, forked by `tests.support.warm`.

It is Python otherwise. Another copy, whose door is that of `tests.support.warm_workers`, has the workers of pytest forked.

`tests.support.command` writes a copy of it that begins with the interpreter's name, and names the door to knock at. It imports what the
standard modules are made of, not these: they would be more than half of its start, and each server needs one.
"""

import _json
import _signal
import _socket
import os
import sys

DOOR = ""
OURS = ("mcp_servers.", *os.environ.get("TESTS_FORKED_TOO", "").split())
"""What begins the names of modules that are forked; a test may name more for the command that it starts."""
COMMAND = "autonomy.cli"
FORKS_WORKERS = "tests.support.warm_workers"
"""What is forked once for all workers, and forks them."""
WORKER = ["-u", "-c", "import sys;exec(eval(sys.stdin.readline()))"]
"""How execnet starts a worker of pytest; what it says more is read from the standard input."""


def asked(module: str, arguments: list[str]) -> int:
    """Have it forked, and be its shadow: what signals us signals it, and it ends when we do. Its exit code."""
    door = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    door.connect(DOOR)
    streams = b"".join(fd.to_bytes(4, sys.byteorder) for fd in (0, 1, 2))
    door.sendmsg([request(module, arguments)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    door.recv(4)
    for number in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP):
        _signal.signal(number, lambda received, _: door.send(bytes([received])))
    for fd in (0, 1, 2):
        os.close(fd)
    told = door.recv(4)
    return int.from_bytes(told, sys.byteorder, signed=True) if told else 1


def request(module: str, arguments: list[str]) -> bytes:
    """What is asked for, as JSON."""
    text = _json.encode_basestring_ascii
    env = ",".join(f"{text(name)}:{text(value)}" for name, value in os.environ.items())
    told = ",".join(map(text, [module, *arguments]))
    here = os.getcwd()  # noqa: PTH109 - importing pathlib takes longer than all the rest
    return f'{{"cwd":{text(here)},"env":{{{env}}},"arguments":[{told}],"python":{text(sys.argv[0])}}}'.encode()


if __name__ == "__main__":
    given = sys.argv[1:]
    forked = given[:1] == ["--forked"]  # so a test asks for a command
    if given == WORKER:
        os._exit(asked(given[2], []))
    script = given[0].endswith(".py") if given else False
    if forked or script or (given[:2] == ["-P", "-m"] and given[2].startswith(OURS)):
        code = asked(COMMAND, given[1:]) if forked else asked(given[0], given[1:]) if script else asked(given[2], given[3:])
        if code < 0:
            _signal.signal(-code, _signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code)
    os.execv(sys.executable, [sys.executable, *given])
