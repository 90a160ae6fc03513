"""Starts a stdio server inside bubblewrap, without network and files except those granted."""

import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from discovery.catalog import Frozen

BUBBLEWRAP = "bwrap"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store")
"""What programs need to run at all. Nothing else of the file system is there: people keep what is theirs in many places."""
SETTINGS = "/etc"
"""Where the system keeps secrets beside what programs need; they are empty inside."""
SCRATCH = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - its own ones
"""Empty at the beginning, and gone when the server ends; so is the home directory."""


class Isolation(Frozen):
    """The permissions of an isolated server."""

    network: bool = False
    read: tuple[str, ...] = ()
    """Folders it may read; relative ones count from the workspace, as everywhere in a servers file."""
    write: tuple[str, ...] = ()
    """Folders it may change."""


def isolated(
    granted: Isolation, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str]
) -> tuple[str, tuple[str, ...], str]:
    """The command and arguments that start it inside, and what is lacking for that: it is never started outside instead.

    The program itself, with the folder it was installed in, is readable. It looks at the file system: not for the event
    loop's thread.
    """
    bubblewrap, program = shutil.which(BUBBLEWRAP), shutil.which(command, path=env.get("PATH"))
    if bubblewrap is None:
        return command, tuple(args), f"{BUBBLEWRAP} (bubblewrap), which `isolate` needs"
    if program is None:
        return command, tuple(args), f"the program {command!r}"
    home = env.get("HOME") or str(Path.home())
    readable = [*_installed(program), *(one for arg in args if (one := _script(arg))), *([cwd] if cwd else []), *granted.read]
    inside = ["--dev", "/dev", "--proc", "/proc"]
    for folder in SYSTEM:
        inside += ["--ro-bind-try", folder, folder]
    for path in _not_for_everybody(Path(SETTINGS)):  # who runs us as root would let the server read password hashes and keys
        inside += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    for place in sorted(dict.fromkeys((*SCRATCH, home))):
        inside += ["--tmpfs", place] if place != "/" else []
    if granted.network:  # where names are looked up often stands in /run
        inside += ["--ro-bind-try", *2 * (os.path.realpath("/etc/resolv.conf"),)]
    for folder in sorted(dict.fromkeys(readable)):
        inside += ["--ro-bind-try", folder, folder]
    for folder in granted.write:
        inside += ["--bind", folder, folder]
    inside += ["--unshare-all", *(["--share-net"] if granted.network else []), "--die-with-parent", "--new-session"]
    inside += ["--chdir", cwd or (granted.write[0] if granted.write else "/"), "--"]
    return bubblewrap, (*inside, program, *args), ""


def _not_for_everybody(folder: Path) -> Iterator[Path]:
    """The parts of a folder that not everybody on the machine may read."""
    try:
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
        found = [(Path(one.path), one.stat(follow_symlinks=False).st_mode) for one in entries]
    except OSError:
        return
    for path, mode in found:
        if stat.S_ISLNK(mode):
            continue
        if not mode & stat.S_IROTH:
            yield path
        elif stat.S_ISDIR(mode):
            yield from _not_for_everybody(path)


def _installed(program: str) -> list[str]:
    """The installation folder of a program, if it is no system folder: a virtual environment, a version manager."""
    programs = [program, *([interpreter] if (interpreter := _interpreter(program)) else [])]
    places = {place for one in programs for place in (Path(one).parent.parent, Path(one).resolve().parent.parent)}
    system = {Path("/"), Path("/usr"), Path("/usr/local")}
    roots = {Path(os.path.expanduser("~")), Path("/home"), Path("/root"), Path("/tmp")}  # noqa: PTH111, S108
    return sorted(str(place) for place in places - system if place not in roots)


def _interpreter(program: str) -> str:
    """The interpreter in the first line of a script; empty for a program of another kind."""
    try:
        with Path(program).open("rb") as file:
            begin = file.read(2) == b"#!" and file.readline(1_000)
    except OSError:
        return ""
    shebang = os.fsdecode(begin).split() if begin else []
    return shebang[0] if shebang and os.path.isabs(shebang[0]) else ""  # noqa: PTH117 - as it stands there


def _script(arg: str) -> str:
    """The file that an argument names, so that `python server.py` finds its program; folders are granted by `read` alone.

    Of a file that npm installed, what was installed with it: `node …/node_modules/PACKAGE/dist/index.js`.
    """
    if not os.path.isabs(arg) or not Path(arg).is_file():  # noqa: PTH117 - it is text that may be no path at all
        return ""
    installed = [folder for folder in Path(arg).parents if folder.name == "node_modules"]
    return str(installed[-1]) if installed else arg
