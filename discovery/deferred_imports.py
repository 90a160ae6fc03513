"""Defers a library's imports until something in the imported module is used."""

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands for a module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what importing asks for, which is no use of it
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name)


class _LaterClass(type):
    """Makes a class that stands for one of the same name in a module that may never be needed.

    It serves annotations and `isinstance`, and makes the real class's instances. It is no base for other classes.
    """

    def __call__(cls, *values: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(cls.__module__), cls.__name__)(*values, **named)

    def __getitem__(cls, _: Any) -> Any:
        return cls

    def __instancecheck__(cls, thing: Any) -> bool:
        module = sys.modules.get(cls.__module__)  # before it is loaded, nothing can be of its classes
        return module is not None and isinstance(thing, getattr(module, cls.__name__))


@contextmanager
def imported_later(*names: str, classes: Mapping[str, Sequence[str]] | None = None) -> Iterator[None]:
    """Imports of these modules within the block give proxies, which load them on first use.

    A package is named before what is in it. What is loaded already stays; after the block they are imported as ever. `classes`
    are those imported from further modules, by module: stand-ins that load a module when an instance is made.
    """
    put = [name for name in (*names, *(classes or {})) if name not in sys.modules]
    for name in put:
        sys.modules[name] = _Later(name)
        for one in (classes or {}).get(name, ()):
            setattr(sys.modules[name], one, _LaterClass(one, (), {"__module__": name}))
        package, _, part = name.rpartition(".")
        if package in put:
            setattr(sys.modules[package], part, sys.modules[name])
    try:
        yield
    finally:
        for name in put:
            del sys.modules[name]
