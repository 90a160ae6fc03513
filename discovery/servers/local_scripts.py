"""Computes digests of the project files that a server's entry runs: `python server.py`, `node dist/index.js`."""

import hashlib
import json
import os
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

MOST_FILES = 200
"""The most files of one entry."""
MOST_PATHS = 50_000
"""The most paths that are tried; most names that a file imports lie outside the project."""
MOST_NAMES = 200
"""The most names that are taken from one file."""
LONGEST_FILE = 1_000_000
"""Characters of a file in which names are searched."""
_BETWEEN = re.compile(r"[\s='\";&|()]+")
_DATABASES = (b"SQLite format 3\0", b"DUCK")
"""The beginnings of databases, which change with each write and are never run; DuckDB has a checksum before it."""
_TOLD_BY = {
    "package.json": {"node", "npm", "npx", "yarn", "pnpm", "bun", "bunx"},
    ".npmrc": {"npm", "npx", "pnpm"},
    ".yarnrc.yml": {"yarn"},
    "bunfig.toml": {"bun", "bunx"},
    "pyproject.toml": {"uv", "uvx", "poetry", "pdm", "hatch", "pipx"},
    "uv.toml": {"uv", "uvx"},
    "deno.json": {"deno"},
    "GNUmakefile": {"make"},
    "Makefile": {"make"},
    "justfile": {"just"},
}
"""The files by which these programs decide what to run."""


def local_scripts(words: Sequence[str], folders: Sequence[Path], project: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of the project that a command runs, by its path in the project.

    These are the files that the command names, and those that they name in turn, e.g. by an import or in `npm start`. A module
    whose name is computed at run time is not found. `folders` are those that relative paths may refer to. Reads the disk.
    """
    inside, found, roots, seen = Path(os.path.abspath(project)), dict[str, str](), list(folders), set[str]()  # noqa: PTH100 - keeps links
    waiting = deque((folder, name) for name in _names(words) for folder in folders)
    for _ in range(MOST_PATHS):
        if not waiting or len(found) >= MOST_FILES:
            break
        folder, name = waiting.popleft()
        path = os.path.abspath(os.path.join(folder, name))  # noqa: PTH100, PTH118 - faster, for tens of thousands
        if path in seen:
            continue
        seen.add(path)
        file = Path(path)
        if path.startswith(str(inside)) and file.is_relative_to(inside) and (digest := _digest(file)):
            found[file.relative_to(inside).as_posix()] = digest
            names = [*_named_in(file)]
            if file.parent not in roots[len(folders) :] and len(roots) < _MOST_ROOTS:
                roots.append(file.parent)
                names += _hiding_modules(file)
            places = [*dict.fromkeys((*roots, file.parent))]
            waiting += [(place, one) for one in names for place in places]
    return found


_MOST_ROOTS = 5
"""How many folders modules may be imported from: those of the first files."""


def _names(words: Sequence[str]) -> Iterator[str]:
    """Yield what may be a file in a command: each word, each part of one (`sh -c "node a.js"`, `--require=./b.js`), each module,
    and the files by which the program decides what to run."""
    for before, word in zip(("", *words), words, strict=False):
        if before == "-m":
            yield from _of_module(word)
        for piece in dict.fromkeys((word, *_BETWEEN.split(word))):
            yield piece
            yield from (f"{piece}/package.json", f"{piece}/index.js") if piece and not Path(piece).suffix else ()
            yield from (file for file, programs in _TOLD_BY.items() if Path(piece).name.removesuffix(".exe") in programs)


def _of_module(name: str) -> Iterator[str]:
    """Yield the files of a module, and of the packages that contain it, which are run before it."""
    path = name.replace(".", "/")
    ends = [found.start() for found in islice(re.finditer("/", path), _DEEPEST)]
    yield from (f"{path}.py", f"{path}/__main__.py", *(f"{path[:end]}/__init__.py" for end in (*ends, len(path))))


def _hiding_modules(file: Path) -> Sequence[str]:
    """Return the files in a Python script's folder that hide a module of the standard library from its imports."""
    if file.suffix != ".py":
        return ()
    try:
        with os.scandir(file.parent) as entries:
            names = [entry.name for entry in islice(entries, MOST_PATHS)]
    except OSError:
        return ()
    return [
        one for name in sorted({name.removesuffix(".py") for name in names} & sys.stdlib_module_names) for one in _of_module(name)
    ]


def _named_in(file: Path) -> Sequence[str]:
    """Return what a file imports or starts, as paths relative to its folder or to that of the first file."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(LONGEST_FILE)
    except OSError:
        return ()
    read = _BY_NAME.get(file.name) or _BY_ENDING.get(file.suffix)
    return list(dict.fromkeys(read(text)))[: MOST_NAMES * len(_ENDINGS)] if read else ()


def _of_python(text: str) -> Iterator[str]:
    text = _NOT_SAID.sub(" ", text)
    yield from _FILE.findall(text)
    for found in _BY_TEXT.finditer(text):
        yield from _of_module(found[1])
    for found in _PYTHON.finditer(text):
        dots, module = len(found["of"] or "") - len((found["of"] or "").lstrip(".")), (found["of"] or "").lstrip(".")
        up = "../" * max(0, dots - 1)
        listed = [name.split()[0] for name in re.split(r"[,()\s]\s{0,99}", found["names"]) if name.strip()]
        for name in listed if not found["of"] else [module, *(f"{module}.{one}".strip(".") for one in listed)]:
            yield from (up + path for path in _of_module(name)) if name else ()


def _of_javascript(text: str) -> Iterator[str]:
    for name in _RELATIVE.findall(text):
        yield from (name + ending for ending in _ENDINGS)


def _of_shell(text: str) -> Iterator[str]:
    words = text.split()[:MOST_NAMES]
    yield from _names(words)
    yield from (found[1] for word in words for found in _BESIDE.finditer(word))


def _of_project(text: str) -> Iterator[str]:
    """Yield the modules of the commands in `pyproject.toml`: `serve = "tools.server:main"`."""
    for found in _COMMAND.finditer(text):
        yield from (folder + file for file in _of_module(found[1]) for folder in ("", "src/"))


def _of_package(text: str) -> Iterator[str]:
    """Yield what `package.json` runs: its scripts, its programs and its main file."""
    try:
        package: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    held = [package.get(key) for key in ("main", "bin", "scripts", "exports")] if isinstance(package, dict) else []
    for value in held:
        for command in _texts(value):
            yield from _names(command.split()[:MOST_NAMES])
            yield from (command + ending for ending in _ENDINGS)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for held in value.values() if isinstance(value, Mapping) else ():
        yield from _texts(held)


_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.ts")
_DEEPEST = 20
"""The most packages inside each other."""
_NOT_SAID = re.compile(r"#[^\n]*|\\\n")
_FILE = re.compile(r"""["']([\w./-]{1,200}\.(?:py|sh|js|mjs|cjs))["']""")
_BY_TEXT = re.compile(r"""\b(?:__import__|import_module|run_module)\(\s{0,9}["']([\w.]{1,200})["']""")
_BESIDE = re.compile(r"[$)}\w\"']/([\w./-]{1,300})")
"""`$(dirname "$0")/server.py`: the path after a folder that is known only at run time."""
_COMMAND = re.compile(r"""=\s{0,9}["']([A-Za-z_][\w.]{0,200}):""")
_PYTHON = re.compile(
    r"(?:^|[:;])[ \t]{0,40}(?:from[ \t]{1,9}(?P<of>[.\w]{1,200})[ \t]{1,9})?"
    r"import[ \t]{0,9}(?P<names>\([^)]{1,2000}\)|[^\n#;]{1,500})",
    re.MULTILINE,
)
_RELATIVE = re.compile(r"""(?:\bfrom|\bimport|\brequire)\s{0,9}\(?\s{0,9}["'`](\.{1,2}/[^"'`\n]{1,300})["'`]""")
_BY_NAME = {
    "package.json": _of_package,
    "pyproject.toml": _of_project,
    **dict.fromkeys(("GNUmakefile", "Makefile", "justfile"), _of_shell),
}
_BY_ENDING = {
    ".py": _of_python,
    ".sh": _of_shell,
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts", ".jsx", ".tsx"), _of_javascript),
}


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file; empty if it is no file, or a database."""
    if not os.path.isfile(file):  # noqa: PTH113 - faster; most of the paths do not exist
        return ""
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
            if head.startswith(_DATABASES) or head[8:].startswith(_DATABASES):
                return ""
            opened.seek(0)
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""
