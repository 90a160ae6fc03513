"""A process that has all tests imported and forks the workers of pytest: each would import them for six seconds of processor time."""

import gc
import importlib
import random
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.config import _prepareconfig

from autonomy.warm.fresh_process import open_streams
from tests.support.warm import asked_for, move

UTF_8 = ("utf-8", "strict"), ("utf-8", "strict"), ("utf-8", "backslashreplace")


def import_tests() -> None:
    """Import what a worker would with the same arguments, its asserts rewritten; what fails, fails there again and is told there."""
    config = _prepareconfig(sys.argv[3:])
    import hypothesis  # plugins are imported by pytest, which rewrites their asserts

    if profile := config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile(profile)  # what is decorated at import keeps the settings of that moment
    for argument in config.args:
        for file in sorted(Path(argument).rglob("test_*.py")):
            with suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(file.resolve().relative_to(config.rootpath).with_suffix("").parts))
    config._ensure_unconfigure()
    gc.collect()
    gc.freeze()


def be_worker(cwd: str, env: dict[str, str], arguments: list[str], python: str) -> None:
    """Be a process that was started as `python -u -c LINE`, which is what execnet does."""
    move(cwd, env)
    random.seed()  # workers shall not draw the same
    open_streams(UTF_8)
    sys.argv = ["-c"]
    sys.modules["__main__"] = ModuleType("__main__")  # nor shall what multiprocessing starts run this file
    exec(arguments[0], vars(sys.modules["__main__"]))


if __name__ == "__main__":
    request = asked_for(import_tests)
    if request is not None:
        be_worker(
            **request
        )  # nothing of our packages may call it: a test that blocks the event loop is judged by who stands below
