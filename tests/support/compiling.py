"""Compiles what a fresh clone has no byte code of."""

import compileall
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

PACKAGES = "autonomy", "discovery", "mcp_servers", "metrics"


def compile_tests(config: pytest.Config) -> None:
    """Begin to compile everything in a fork, the last first: a fresh clone has no byte code, and its second processor has nothing to do
    while the first imports. Who imports them, the first first, meets it half way."""
    if os.fork() == 0:
        with suppress(Exception):  # it fails again where it is imported, and is told there
            for folder in (*PACKAGES, *config.args):
                _compile(config, sorted((config.rootpath / folder).rglob("*.py"), reverse=True))
        os._exit(0)


def _compile(config: pytest.Config, files: Iterable[Path]) -> None:
    for file in files:
        if not file.name.startswith("test_"):
            compileall.compile_file(file, quiet=2)
        elif not (code := rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}").exists():
            digest, rewritten = rewrite._rewrite_test(file, config)
            rewrite.try_makedirs(code.parent)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], rewritten, digest, code)
