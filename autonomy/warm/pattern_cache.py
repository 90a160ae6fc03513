"""Keeps compiled regular expressions beside the bytecode of modules, as Python keeps bytecode.

A command compiles a thousand patterns, which takes a seventh of the CPU of `jiritsu run`. It imports nothing slow.
"""

import atexit
import importlib
import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from importlib.util import cache_from_source
from types import FrameType
from typing import Any

_OPTIMIZED = 1
"""The flag of a function's code; modules and bodies of classes lack it (`inspect.CO_OPTIMIZED`)."""
_FEWEST = 20
"""How many new patterns are worth writing the file."""

_Compiled = tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]
"""The code, flags, number of groups, and names of groups, as `_sre.compile` takes them."""
_Key = tuple[str | bytes, int]


def begin() -> None:
    """Take the patterns of this process from those kept, and keep further ones when it ends.

    They are kept in the `__pycache__` of this package: whoever can change them there can change our code as well.
    """
    with suppress(ImportError, AttributeError):  # private modules; without them every pattern is compiled
        cache = PatternCache(cache_from_source(__file__).removesuffix(".pyc") + ".data")
        if not sys.dont_write_bytecode:
            atexit.register(cache.save)


class PatternCache:
    """The compiled patterns of one file: those that stand in code; none made of a function's arguments, which may be private."""

    def __init__(self, file: str) -> None:
        """Take the place of `re`'s compiler. Raises ImportError or AttributeError if this Python's is another."""
        self._file, self._pid = file, os.getpid()
        self._compiler: Any = importlib.import_module("re._compiler")
        self._sre: Any = importlib.import_module("_sre")
        self._version = (sys.version, self._sre.MAGIC, self._sre.CODESIZE)
        self._plainly: Callable[[Any, int], re.Pattern[Any]] = self._compiler.compile
        self._code, self._parse = self._compiler._code, self._compiler._parser.parse
        self._kept = self._read()
        self._new: dict[_Key, _Compiled] = {}
        vars(self._compiler)["compile"] = self.compile

    def compile(self, pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        """Compile like `re._compiler.compile`."""
        if type(pattern) not in (str, bytes) or flags & (re.DEBUG | re.LOCALE):
            return self._plainly(pattern, flags)
        key = (pattern, flags)
        found = self._kept.get(key)
        if found is None:
            if not _stands_in_code(sys._getframe(1)):
                return self._plainly(pattern, flags)
            found = self._new[key] = self._compiled(pattern, flags)
        code, all_flags, groups, names, by_number = found
        return self._sre.compile(pattern, all_flags, array("I", code).tolist(), groups, names, by_number)  # type: ignore[no-any-return]

    def _compiled(self, pattern: str | bytes, flags: int) -> _Compiled:
        parsed = self._parse(pattern, flags)
        code = array("I", map(int, self._code(parsed, flags)))
        by_number: list[str | None] = [None] * parsed.state.groups
        for name, number in parsed.state.groupdict.items():
            by_number[number] = name
        return code.tobytes(), flags | parsed.state.flags, parsed.state.groups - 1, parsed.state.groupdict, tuple(by_number)

    def _read(self) -> dict[_Key, _Compiled]:
        with suppress(OSError, EOFError, ValueError, TypeError), open(self._file, "rb") as file:  # noqa: PTH123 - no pathlib yet
            version, kept = marshal.load(file)  # noqa: S302 - as trusted as the bytecode beside it
            if version == self._version:
                return kept  # type: ignore[no-any-return]
        return {}

    def save(self) -> None:
        """Write the file anew with what this process had to compile, if that is much. Errors are ignored."""
        if len(self._new) < _FEWEST or os.getpid() != self._pid:
            return
        name = f"{self._file}.{os.getpid()}"
        with suppress(OSError):
            os.makedirs(os.path.dirname(name), exist_ok=True)  # noqa: PTH103, PTH120
            with open(name, "wb") as file:  # noqa: PTH123
                marshal.dump((self._version, {**self._read(), **self._new}), file)
            os.replace(name, self._file)  # noqa: PTH105


def _stands_in_code(frame: FrameType | None) -> bool:
    """Whether a pattern is the same in every process: compiled by the body of a module or class, by a function without arguments,
    or late by a `LazyPattern`, which is made of such."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename == re.__file__ or "<locals>" in code.co_qualname or code.co_name in _COMPREHENSIONS:
            frame = frame.f_back
            continue
        if not code.co_flags & _OPTIMIZED:
            return frame.f_globals.get("__name__") != "__main__" and code.co_filename.startswith(_INSTALLED)
        if code.co_qualname == "LazyPattern.__getattr__":
            return True
        takes = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & _TAKES_MORE)
        return not takes and code.co_filename.startswith(_HOUSE)
    return False


_TAKES_MORE = 4 | 8
"""`inspect.CO_VARARGS` and `CO_VARKEYWORDS`."""
_COMPREHENSIONS = frozenset(("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>", "<lambda>"))
_HOUSE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep  # noqa: PTH100, PTH120
_INSTALLED = (_HOUSE, sys.prefix + os.sep, sys.base_prefix + os.sep)
