"""Checks whether the data directory outlives a container, and whether others can look into it."""

import errno
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autonomy.settings import Config

CONTAINER_SIGNS = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman put into a container."""

_ANONYMOUS = re.compile(r"/volumes/[0-9a-f]{64}/_data|kubernetes\.io~empty-dir")
"""Where a volume lies that nobody named: the next container gets another one."""


def ends_with_container(config: "Config") -> str:
    """Why what is remembered ends with this container; empty outside of one, and where it is kept."""
    inside = "KUBERNETES_SERVICE_HOST" in os.environ or any(sign.exists() for sign in CONTAINER_SIGNS)
    if not inside or not config.database_url.startswith("sqlite"):
        return ""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    home = config.settings.home
    return f"{home} is on no volume: its runs and receipts end with this container" if passes(home, mounts) else ""


def open_to_others(home: Path) -> str:
    """Why others on this machine can look into the data directory; empty where they cannot. One that is shared or lived
    in keeps its own permissions (`close_to_others`)."""
    try:
        return f"others on this machine can look into {home}" if home.stat().st_mode & 0o077 and os.name == "posix" else ""
    except OSError:
        return ""


def why_not_writable(file: Path) -> str:
    """Why a file cannot be written, whose folder is made if it is missing; empty where it can."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return error.strerror or str(error)
    return "" if os.access(file if file.exists() else file.parent, os.W_OK) else os.strerror(errno.EACCES)


def passes(folder: Path, mounts: str) -> bool:
    """Whether a folder ends with its container: `mounts` is `/proc/self/mountinfo` (proc(5))."""
    found = [(fields[4], fields[3], rest.split()[0]) for line in mounts.splitlines() for fields, rest in [_halves(line)] if rest]
    above = [(len(point), root, kind) for point, root, kind in found if folder.absolute().is_relative_to(point)]
    _, root, kind = max(above, default=(0, "/", ""))
    return kind in {"overlay", "aufs", "tmpfs"} or bool(_ANONYMOUS.search(root))


def _halves(line: str) -> tuple[list[str], str]:
    before, _, after = line.partition(" - ")
    return before.split(), after if len(before.split()) > 4 else ""
