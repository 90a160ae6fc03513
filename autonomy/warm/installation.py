"""Identifies the code that a process runs, and how the kernel confines the process.

It imports nothing slow, because every command imports it.
"""

import os
import sys
from collections.abc import Iterator
from typing import Any

PACKAGES = ("autonomy", "discovery", "mcp_servers", "metrics")
READ_AT_IMPORT = (
    "AIOHTTP_", "DBOS_", "FROZENLIST_", "GLIBC_", "LD_", "MALLOC_", "MULTIDICT_", "OPENAI_LOG", "OTEL_", "PROPCACHE_", "PSYCOPG_",
    "PYDANTIC_", "DEFER_PYDANTIC_BUILD", "PYTHON", "SSLKEYLOGFILE", "YARL_", "_JIRITSU_COMPLETE",
)  # fmt: skip
"""Prefixes of variables that the interpreter, the loader or a library reads once, when it is started or imported."""
_READ_ONCE = ("SSL_CERT_",)
"""Prefixes of variables for what the warm process has read already (`certificates`)."""
_CONFINED_BY = ("Uid:", "Gid:", "Groups:", "NoNewPrivs:", "Seccomp:", "Cap")


def installation() -> list[object]:
    """Return what determines which code runs and how it is imported. It reads a thousand directory entries in a few
    milliseconds."""
    house = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120 - pathlib costs more than all the rest
    path = sys.path if sys.flags.safe_path else sys.path[1:]  # without the folder of the script
    return [
        sys.version,
        sys.executable,
        sys.prefix,
        house,
        [list(_sum_of(f"{house}/{package}")) for package in PACKAGES],
        [[folder, *_distributions(folder)] for folder in path],
        {name: value for name, value in sys._xoptions.items() if name != "importtime"},
        [*sys.warnoptions],
        [value for name, value in zip(_FLAGS, sys.flags, strict=False) if name != "safe_path"],
        sys.getfilesystemencoding(),
        {name: value for name, value in sorted(os.environ.items()) if name.startswith((*READ_AT_IMPORT, *_READ_ONCE))},
    ]


_FLAGS = tuple(name for name in type(sys.flags).__match_args__)


def _sum_of(folder: str) -> tuple[int, int, int]:
    """Return the number of files, their total size, and the sum of their modification times, so that any edit shows."""
    count = size = changed = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                inner = _sum_of(entry.path)
                count, size, changed = count + inner[0], size + inner[1], changed + inner[2]
            else:
                found = entry.stat()
                count, size, changed = count + 1, size + found.st_size, changed + found.st_mtime_ns
    return count, size, changed


def _distributions(folder: str) -> Iterator[int]:
    """Yield numbers that change when a package is installed into or removed from a folder."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.stat().st_mtime_ns for entry in entries if entry.name.endswith((".dist-info", ".pth", ".egg-link"))]
    except OSError:
        found = []
    yield len(found)
    yield sum(found)


def confinement(pid: int) -> list[str]:
    """Return users, groups, capabilities, namespaces, root and security label of a process. Raises OSError.

    They are compared so that a process in a container or a sandbox cannot have a command run outside.
    """
    proc = f"/proc/{pid}"
    with open(f"{proc}/status", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - a thin client imports no pathlib
        marks = [line for line in file if line.startswith(_CONFINED_BY)]
    names = sorted(os.listdir(f"{proc}/ns"))  # noqa: PTH208
    marks += [os.readlink(f"{proc}/ns/{name}") for name in names]  # noqa: PTH115
    marks.append(os.readlink(f"{proc}/root"))  # noqa: PTH115
    try:
        with open(f"{proc}/attr/current", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            marks.append(file.read())
    except OSError:  # no AppArmor and no SELinux here
        marks.append("")
    return marks


def inherited() -> dict[str, Any]:
    """Return the settings that a process inherits, as JSON: umask, niceness, processors, limits."""
    import resource

    mask = os.umask(0o077)
    os.umask(mask)
    limits = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})
    return {
        "umask": mask,
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "cpus": sorted(os.sched_getaffinity(0)),
        "limits": [[number, *resource.getrlimit(number)] for number in limits],
    }
