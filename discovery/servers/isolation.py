"""Starts a stdio server inside bubblewrap: no network, nothing of the person's files, nothing written, but what is granted."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from discovery.catalog import Frozen

BUBBLEWRAP = "bwrap"
HIDDEN = ("/tmp", "/var/tmp", "/run", "/root", "/home", "/mnt", "/media", "/srv", "/var/lib", "/var/spool")  # noqa: S108 - what is hidden
"""Where people and programs keep what is theirs; a server inside sees them empty, and what it writes there is gone when it
ends."""


class Isolation(Frozen):
    """What a server inside is granted."""

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
    hidden = [place for place in dict.fromkeys((*HIDDEN, home)) if Path(place).is_dir() and place != "/"]
    readable = [*_installed(program), *(one for arg in args if (one := _script(arg))), *([cwd] if cwd else []), *granted.read]
    inside = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for place in sorted(hidden):
        inside += ["--tmpfs", place]
    for folder in sorted(dict.fromkeys(readable)):
        inside += ["--ro-bind-try", folder, folder]
    for folder in granted.write:
        inside += ["--bind", folder, folder]
    inside += ["--unshare-all", *(["--share-net"] if granted.network else []), "--die-with-parent", "--new-session"]
    inside += ["--chdir", cwd or (granted.write[0] if granted.write else "/"), "--"]
    return bubblewrap, (*inside, program, *args), ""


def _installed(program: str) -> list[str]:
    """Where a program and what it consists of was installed, when that is no system folder: a virtual environment, a version
    manager."""
    places = {Path(program).parent.parent, Path(program).resolve().parent.parent}
    system = {Path("/"), Path("/usr"), Path("/usr/local")}
    roots = {Path(os.path.expanduser("~")), Path("/home"), Path("/root"), Path("/tmp")}  # noqa: PTH111, S108
    return sorted(str(place) for place in places - system if place not in roots)


def _script(arg: str) -> str:
    """The file that an argument names, so that `python server.py` finds its program; folders are granted by `read` alone."""
    return arg if os.path.isabs(arg) and Path(arg).is_file() else ""  # noqa: PTH117 - it is text that may be no path at all
