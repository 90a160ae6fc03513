"""Defers a library's imports until something in the imported module is used."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands for a module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what importing asks for, which is no use of it
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name)


@contextmanager
def imported_later(*names: str) -> Iterator[None]:
    """Imports of these modules within the block give proxies, which load them on first use.

    A package is named before what is in it. What is loaded already stays; after the block they are imported as ever.
    """
    put = [name for name in names if name not in sys.modules]
    for name in put:
        sys.modules[name] = _Later(name)
        package, _, part = name.rpartition(".")
        if package in put:
            setattr(sys.modules[package], part, sys.modules[name])
    try:
        yield
    finally:
        for name in put:
            del sys.modules[name]
