"""A public class and a module are called by a name that nothing else has, and no room grows beyond what one sees at a glance."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
MOST_FILES = 14
"""About a dozen: as many as a listing shows without being read."""

SAME_MODULE = {
    "server": "each MCP server is a program that stands alone and starts as `python server.py`",
}
COMMANDS = Path("autonomy/cli/commands")
"""A file for each command, called as the command is; so a command may be called like the room it is about."""
LARGE_ROOMS = {COMMANDS: "a file for each command"}

METAPHORS = frozenset(
    [
        "told",
        "spoken",
        "outset",
        "lesson",
        "lessons",
        "wish",
        "wishes",
        "means",
        "backstage",
        "desk",
        "tape",
        "books",
        "courtesy",
        "make_room",
        "look_back",
        "persist",
    ]
)
"""Words that were names of functions, classes and modules here, and told nobody what these do; the field has a term for each."""


def _files() -> list[Path]:
    return [file.relative_to(ROOT) for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def _public_classes(file: Path) -> list[str]:
    return re.findall(r"^class ([A-Za-z]\w*)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


def _repeated(named: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    places = defaultdict(list)
    for name, file in named:
        places[name].append(str(file))
    return {name: files for name, files in places.items() if len(files) > 1}


def test_a_repeated_name_is_seen() -> None:
    assert _repeated([("Plan", Path("a.py")), ("Plan", Path("b.py")), ("Goal", Path("a.py"))]) == {"Plan": ["a.py", "b.py"]}


def test_a_public_class_name_stands_once() -> None:
    assert _repeated((name, file) for file in _files() for name in _public_classes(file)) == {}


def test_a_module_name_stands_once() -> None:
    found = _repeated((file.stem, file) for file in _files() if not file.stem.startswith("__") and file.parent != COMMANDS)
    assert {name: files for name, files in found.items() if name not in SAME_MODULE} == {}
    assert SAME_MODULE.keys() <= found.keys(), "an exception that nobody needs goes"


DEFINED = re.compile(r"^\s*(?:async )?(?:def|class) (\w+)", re.MULTILINE)


def _called_by_a_metaphor(files: Iterable[Path]) -> set[tuple[str, str]]:
    named = ((name, file) for file in files for name in (file.stem, *DEFINED.findall((ROOT / file).read_text(encoding="utf-8"))))
    return {(name, str(file)) for name, file in named if name.lower() in METAPHORS}


def test_nothing_public_is_called_by_a_metaphor() -> None:
    assert _called_by_a_metaphor(_files()) == set()


NO_VERBS = frozenset(
    ["at", "beside", "by", "here", "into", "mine", "off", "once", "one", "others", "own", "soon", "that", "there", "this", "with"]
)
ADVERB = re.compile(r"(?!family$|only$|reply$)[a-z]{3,}ly")
GROUPED_BY = "by"
"""A method of measures: `measures.by(model)` reads as it does."""


def _says_no_more_than_how(name: str) -> bool:
    bare = name.strip("_")
    return bare in NO_VERBS or ADVERB.fullmatch(bare) is not None


def test_a_name_that_says_no_more_than_how_is_seen() -> None:
    names = ("_patiently", "_once", "request_once", "limit_retry_waits", "reply")
    assert [name for name in names if _says_no_more_than_how(name)] == ["_patiently", "_once"]


def test_a_function_is_called_by_what_it_does() -> None:
    named = ((name, file) for file in _files() for name in DEFINED.findall((ROOT / file).read_text(encoding="utf-8")))
    assert {(name, str(file)) for name, file in named if name != GROUPED_BY and _says_no_more_than_how(name)} == set()


def test_no_room_has_more_files_than_one_sees_at_a_glance() -> None:
    rooms = defaultdict(int)
    for file in _files():
        rooms[file.parent] += not file.stem.startswith("__")
    assert {str(room): count for room, count in rooms.items() if count > MOST_FILES and room not in LARGE_ROOMS} == {}


def test_a_folder_of_tests_is_called_as_the_package_that_it_is_about() -> None:
    folders = {file.parent.relative_to(ROOT / "tests") for file in (ROOT / "tests").rglob("test_*.py")}
    assert [str(folder) for folder in folders if folder.parts[0] in PACKAGES and not (ROOT / folder).is_dir()] == []
