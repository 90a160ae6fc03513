"""The real `jiritsu` command, in a process of its own, with a home of its own and no other settings."""

import os
import subprocess
import sys
from pathlib import Path


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a fresh machine would give it."""
    return {"PATH": os.environ["PATH"], "JIRITSU_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8", **more}


def command_line(*arguments: str) -> list[str]:
    """How it is started: `-P` keeps the working directory from shadowing the packages."""
    return [sys.executable, "-P", "-m", "autonomy.cli", *arguments]


def jiritsu(*arguments: str, home: Path, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end; what it prints is read in the encoding it was told to print in."""
    return subprocess.run(
        command_line(*arguments),
        cwd=cwd or home,
        env=environment(home, **env),
        capture_output=True,
        encoding=env.get("PYTHONIOENCODING", "utf-8").partition(":")[0],
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
