"""Starts a stdio server inside bubblewrap, without network and files except those that are granted."""

import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from discovery.catalog import Frozen

BUBBLEWRAP = "bwrap"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store")
"""The folders that programs need to run. No other part of the file system is visible, because personal files may lie anywhere."""
SETTINGS = "/etc"
"""The folder in which the system keeps secrets beside files that programs need; the secrets are hidden."""
SCRATCH = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - private to the server
"""Folders that are empty at first and deleted when the server ends, like the home directory."""


class Isolation(Frozen):
    """The permissions of an isolated server."""

    network: bool = False
    read: tuple[str, ...] = ()
    """Folders that it may read, relative to the workspace."""
    write: tuple[str, ...] = ()
    """Folders that it may change."""


def isolated(
    granted: Isolation, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str]
) -> tuple[str, tuple[str, ...], str]:
    """Return the command and arguments that start a server in isolation, and what is missing for that.

    A server must not be started if anything is missing. It can read its own program and the folder in which that is installed.
    Reads the file system: call it in a thread.
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
    for path in _not_for_everybody(Path(SETTINGS)):  # if we run as root, the server could read password hashes and keys
        inside += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    for place in sorted(dict.fromkeys((*SCRATCH, home))):
        inside += ["--tmpfs", place] if place != "/" else []
    if granted.network:  # the target of resolv.conf often lies in /run
        inside += ["--ro-bind-try", *2 * (os.path.realpath("/etc/resolv.conf"),)]
    for folder in sorted(dict.fromkeys(readable)):
        inside += ["--ro-bind-try", folder, folder]
    for folder in granted.write:
        inside += ["--bind", folder, folder]
    inside += ["--unshare-all", *(["--share-net"] if granted.network else []), "--die-with-parent", "--new-session"]
    inside += ["--chdir", cwd or (granted.write[0] if granted.write else "/"), "--"]
    return bubblewrap, (*inside, program, *args), ""


def _not_for_everybody(folder: Path) -> Iterator[Path]:
    """Yield the files and folders below a folder that are not world-readable."""
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
    """Return the folders in which a program and its interpreter are installed, without system folders: e.g. a virtual
    environment."""
    programs = [program, *([interpreter] if (interpreter := _interpreter(program)) else [])]
    places = {place for one in programs for place in (Path(one).parent.parent, Path(one).resolve().parent.parent)}
    system = {Path("/"), Path("/usr"), Path("/usr/local")}
    roots = {Path(os.path.expanduser("~")), Path("/home"), Path("/root"), Path("/tmp")}  # noqa: PTH111, S108
    return sorted(str(place) for place in places - system if place not in roots)


def _interpreter(program: str) -> str:
    """Return the interpreter in the first line of a script; empty for other programs."""
    try:
        with Path(program).open("rb") as file:
            begin = file.read(2) == b"#!" and file.readline(1_000)
    except OSError:
        return ""
    shebang = os.fsdecode(begin).split() if begin else []
    return shebang[0] if shebang and os.path.isabs(shebang[0]) else ""  # noqa: PTH117 - not normalized


def _script(arg: str) -> str:
    """Return the file that an argument names, so that `python server.py` finds its program; empty if it names none.

    For a file in `node_modules`, return that folder, because the file needs other packages in it.
    """
    if not os.path.isabs(arg) or not Path(arg).is_file():  # noqa: PTH117 - may be no path at all
        return ""
    installed = [folder for folder in Path(arg).parents if folder.name == "node_modules"]
    return str(installed[-1]) if installed else arg
