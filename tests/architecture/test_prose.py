"""Docstrings say what a thing is for: one plain sentence first, no list of callers, no numbers of requirements."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    file for package in ("autonomy", "discovery", "metrics", "mcp_servers") for file in sorted((ROOT / package).rglob("*.py"))
]
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.md"))]
MOST_WORDS = 20
REQUIREMENT = re.compile(r"\((?:P7(?: §\d)?|[DXCJSHLMVKRUNZYQ]\d{1,2})(?:[,;:–-][^)]*)?\)")
"""Ids of promises belong to the tests' marks, where they are checked."""


PLACE = re.compile(
    r"(?<![\w/.:~$*-])(?:(?:autonomy|discovery|metrics|mcp_servers|tests|docs)(?:/[\w-]+)*/(?![\w*<{.])|(?:[\w-]+/)*[\w-]+\.py\b)"
)
"""A file of Python, with as much of its path as is told, or a folder of ours."""
EXAMPLES = {"mytools.py"}
"""Files that a reader writes."""


def _docstrings(file: Path) -> list[str]:
    strings = (node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Expr))
    return [
        str(node.value.value) for node in strings if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def _too_long(docstring: str) -> bool:
    sentence = re.split(r"(?<=[.!?])\s|\n\n", docstring.strip())[0]
    return len(sentence.split()) > MOST_WORDS


def test_a_requirement_number_and_a_long_sentence_are_seen() -> None:
    assert REQUIREMENT.search("kept for five minutes (D9).")
    assert not REQUIREMENT.search("a range in A1 notation (A1:B2)")
    assert _too_long("word " * 21)
    assert not _too_long("Renders a report as Markdown. " + "word " * 21)


@pytest.mark.parametrize("package", ["autonomy", "discovery", "metrics", "mcp_servers"])
def test_a_module_says_in_one_short_sentence_what_it_is_for(package: str) -> None:
    modules = [file for file in FILES if file.relative_to(ROOT).parts[0] == package]
    told = {file: ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "" for file in modules}
    assert [str(file.relative_to(ROOT)) for file, docstring in told.items() if not docstring or _too_long(docstring)] == []


def test_no_docstring_lists_its_callers_or_numbers_a_requirement() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in FILES}
    suspect = [file for file, text in texts.items() if "Called by" in text or REQUIREMENT.search(text)]
    found = [(file, docstring) for file in suspect for docstring in _docstrings(file)]
    assert [pair for pair in found if "Called by" in pair[1] or REQUIREMENT.search(pair[1])] == []


def test_no_page_numbers_a_requirement() -> None:
    assert [page.name for page in PAGES if REQUIREMENT.search(page.read_text(encoding="utf-8"))] == []


def _places() -> set[str]:
    """Every file and folder of ours, by each ending of its path; a folder with a stroke behind it."""
    roots = [ROOT / name for name in ("autonomy", "discovery", "metrics", "mcp_servers", "tests", "docs")]
    paths = [path.relative_to(ROOT) for root in roots for path in (root, *root.rglob("*")) if "__pycache__" not in path.parts]
    told = [(*path.parts[:-1], path.name + "/" * (ROOT / path).is_dir()) for path in paths]
    return {"/".join(parts[start:]) for parts in told for start in range(len(parts))}


def _unknown(text: str, known: set[str]) -> Iterator[str]:
    return (found for found in PLACE.findall(text) if found not in known and found not in EXAMPLES)


def test_a_place_that_is_not_there_is_seen() -> None:
    text = "`agent/loop.py` stands in `autonomy/agent/`; `agent/lost.py` in `autonomy/lost/`, and `autonomy/agent/*` is a glob"
    assert list(_unknown(text, _places())) == ["agent/lost.py", "autonomy/lost/"]


def test_every_file_and_folder_that_a_page_names_is_there() -> None:
    known = _places()
    pages = [*PAGES, ROOT / "CONTRIBUTING.md"]
    assert {page.name: lost for page in pages if (lost := list(_unknown(page.read_text(encoding="utf-8"), known)))} == {}


NAMED = re.compile(r"`(?:([A-Z]\w*)\.)?(_?[a-z]+(?:_\w+)*|[A-Z][a-z]\w*[A-Z]\w*)(\(\))?`")
"""A function, a method with its class, or a class, as a page names it."""
DEFINED = re.compile(r"^\s*(?:async )?(?:def|class) (\w+)|^\s+(\w+)(?:: |, \w+ = | = )", re.MULTILINE)
WALKS = ["walk.md", "architecture.md", "decisions/one-of-each.md"]


def _lost(text: str, known: set[str]) -> list[str]:
    """The names that nothing defines: of the plain words only those with a class before them, a stroke in front or a call behind."""
    found = NAMED.findall(text)
    meant = [(owner, name) for owner, name, call in found if owner or call or name.startswith("_") or name[0].isupper()]
    return [f"{owner}.{name}" for owner, name in meant if name not in known or (owner and owner not in known)]


def test_a_function_that_is_not_there_is_seen() -> None:
    assert _lost("`Run.go` calls `_step`, `do()` and `ToolCall`; `plain` is no name", {"Run", "go", "do"}) == [
        "._step",
        ".ToolCall",
    ]


@pytest.mark.parametrize("page", WALKS)
def test_every_function_and_class_that_a_walk_names_is_there(page: str) -> None:
    known = {name for file in FILES for names in DEFINED.findall(file.read_text(encoding="utf-8")) for name in names}
    assert _lost((ROOT / "docs" / page).read_text(encoding="utf-8"), known) == []


@pytest.mark.parametrize("page", sorted(file.name for file in (ROOT / "docs" / "ja").glob("*.md")))
def test_a_japanese_page_has_the_sections_and_the_tables_of_the_english_one(page: str) -> None:
    def shape(file: Path) -> tuple[list[str], int]:
        lines = file.read_text(encoding="utf-8").splitlines()
        outside = [line for number, line in enumerate(lines) if sum(one.startswith("```") for one in lines[:number]) % 2 == 0]
        headings = [line.partition(" ")[0] for line in outside if line.startswith("#")]
        return headings, sum(line.startswith("|") for line in outside)

    assert shape(ROOT / "docs" / "ja" / page) == shape(ROOT / "docs" / page)
