"""Docstrings say what a thing is for: one plain sentence first, no list of callers, no numbers of requirements."""

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

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


MODULE_DOCSTRING = re.compile(r'"""(.+?)"""', re.DOTALL)
"""Where a file begins with it: to parse all of the code for it takes a second."""


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
    told = {file: MODULE_DOCSTRING.match(file.read_text(encoding="utf-8")) for file in modules}
    assert [str(file.relative_to(ROOT)) for file, found in told.items() if not found or _too_long(found[1])] == []


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
CLASS = re.compile(r"^class (\w+)(.*(?:\n(?:[ \t)].*)?)*)", re.MULTILINE)
"""A class at the top of a module, with its body."""
WALKS = ["walk.md", "architecture.md"]
DECISIONS = sorted(f"decisions/{page.name}" for page in (ROOT / "docs" / "decisions").glob("*.md"))


class _Names(NamedTuple):
    """What the code names, and each class of it."""

    words: set[str]
    of_classes: dict[str, set[str]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Names":
        """Every word of these sources and of Python, and those that stand in each class."""
        words, of_classes = set(dir(builtins)), defaultdict[str, set[str]](set)
        for text in texts:
            words.update(re.findall(r"\w+", text))
            for name, body in CLASS.findall(text):
                of_classes[name].update(re.findall(r"\w+", body))
        return cls(words, of_classes)


def _lost(text: str, known: _Names, *, plain: bool = True) -> list[str]:
    """The names that the code has not: a member of a class it defines, a call, a class, and, where `plain`, a name with strokes."""
    lost = []
    for owner, name, call in NAMED.findall(text):
        meant = call or name.startswith("_") or name[0].isupper() or (plain and "_" in name)
        if (name not in known.of_classes.get(owner, ())) if owner else (meant and name not in known.words):
            lost.append(f"{owner}.{name}")
    return lost


def test_a_function_that_is_not_there_is_seen() -> None:
    known = _Names.of(["class Run:\n    def go(self): do()", "class Other:\n    def stop(self): ..."])
    text = "`Run.go` and `Run.stop` call `_step`, `do()`, `hash()`, `may_go` and `ToolCall`; `plain` is no name"
    assert _lost(text, known) == ["Run.stop", "._step", ".may_go", ".ToolCall"]
    assert _lost(text, known, plain=False) == ["Run.stop", "._step", ".ToolCall"]


@pytest.fixture(scope="module")
def names_of_the_code() -> _Names:
    return _Names.of(file.read_text(encoding="utf-8") for file in FILES)


@pytest.mark.parametrize("page", [*WALKS, *DECISIONS])
def test_every_function_and_class_that_a_page_names_is_there(page: str, names_of_the_code: _Names) -> None:
    assert _lost((ROOT / "docs" / page).read_text(encoding="utf-8"), names_of_the_code, plain=page in WALKS) == []


EXAMPLE = re.compile(r"^```py(?:thon)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
OF_A_LIBRARY = {"tool_plain"}
"""A decorator of pydantic-ai."""


def _lost_in_code(text: str, words: Iterable[str]) -> list[str]:
    """The attributes and keyword arguments of a page's Python that no code has."""
    nodes = [node for block in EXAMPLE.findall(text) for node in ast.walk(ast.parse(block))]
    used = [
        one.attr if isinstance(one, ast.Attribute) else one.arg for one in nodes if isinstance(one, ast.Attribute | ast.keyword)
    ]
    return sorted({name for name in used if name} - set(words))


def test_an_attribute_that_is_not_there_is_seen() -> None:
    assert _lost_in_code("`a.b`\n```python\nrun(there=1, gone=2).known.lost\n```\n", {"there", "known"}) == ["gone", "lost"]


def test_every_attribute_that_the_code_of_a_page_uses_is_there(names_of_the_code: _Names) -> None:
    words = names_of_the_code.words | OF_A_LIBRARY
    assert {page.name: lost for page in PAGES if (lost := _lost_in_code(page.read_text(encoding="utf-8"), words))} == {}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_a_page_opens_with_one_plain_sentence_of_what_it_is_for(page: Path) -> None:
    title, opening = page.read_text(encoding="utf-8").split("\n\n")[:2]
    assert title.startswith("# ")
    assert not re.match(r"[#|>!-]|```|\*\*| {4}", opening), opening
    assert len(re.split(r"(?<=[.!?:])\s", opening)[0].split()) <= 2 * MOST_WORDS, opening


LINK = re.compile(r"\]\(([^)\s]+)\)")


def _headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    lines = (line.lstrip("#").strip().lower() for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", line).replace(" ", "-") for line in lines}


def _broken(page: Path) -> Iterator[str]:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not link.startswith("http") and not (
            target.exists() and (not anchor or target.suffix != ".md" or anchor in _headings(target))
        ):
            yield link


def test_a_link_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("## May this `call` be made?\n[a](#may-this-call-be-made) [b](#else) [c](lost.md) [d](https://x.example)")
    assert list(_broken(page)) == ["#else", "lost.md"]


def test_every_link_of_a_page_leads_to_a_file_and_a_heading() -> None:
    pages = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    assert {page.name: links for page in pages if (links := list(_broken(page)))} == {}


DOTTED = re.compile(r"`((?:[a-z]\w*\.)+\w+)(?:\(\))?`")
"""A module, or a name in it, as a docstring refers to it: `calls.retry.may_repeat`."""
NAMES_OF_OTHERS = re.compile(r"chat\.(?:postMessage|update)|agent\.(?:toolsets|_function_toolset)")
"""Methods of Slack, attributes of pydantic-ai's agent."""


def _dangling(text: str, modules: dict[str, str]) -> list[str]:
    """The references to modules of ours that are not there, or to names that such a module has not."""
    rooms = {part for name in modules for part in name.split(".")[:2]}
    told = [name for name in DOTTED.findall(text) if name.split(".")[0] in rooms and not NAMES_OF_OTHERS.fullmatch(name)]
    return [
        name
        for name in told
        if not any(_resolves(f"{place}{name}", modules) for place in ("", "autonomy.", "discovery.", "metrics."))
    ]


def _resolves(name: str, modules: dict[str, str]) -> bool:
    parts = name.split(".")
    home = next((at for at in range(len(parts), 0, -1) if ".".join(parts[:at]) in modules), 0)
    return home > 0 and all(re.search(rf"\b{one}\b", modules[".".join(parts[:home])]) for one in parts[home:])


def test_a_reference_to_a_module_that_is_not_there_is_seen() -> None:
    modules = {"autonomy": "", "autonomy.calls": "", "autonomy.calls.retry": "def may_repeat(): ..."}
    text = "`calls.retry`, `calls.retry.may_repeat()`, `calls.retry.may_stop`, `calls.lost`, `chat.update`, `other.thing`"
    assert _dangling(text, modules) == ["calls.retry.may_stop", "calls.lost"]


def test_every_module_that_a_docstring_refers_to_is_there() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in FILES}
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): re.sub(r'"""(?:.|\n)*?"""', "", text)
        for file, text in texts.items()
    }
    found = {str(file.relative_to(ROOT)): lost for file, text in texts.items() if (lost := _dangling(text, modules))}
    assert found == {}


@pytest.mark.parametrize("page", sorted(file.name for file in (ROOT / "docs" / "ja").glob("*.md")))
def test_a_japanese_page_has_the_sections_and_the_tables_of_the_english_one(page: str) -> None:
    def shape(file: Path) -> tuple[list[str], int]:
        lines = file.read_text(encoding="utf-8").splitlines()
        outside = [line for number, line in enumerate(lines) if sum(one.startswith("```") for one in lines[:number]) % 2 == 0]
        headings = [line.partition(" ")[0] for line in outside if line.startswith("#")]
        return headings, sum(line.startswith("|") for line in outside)

    assert shape(ROOT / "docs" / "ja" / page) == shape(ROOT / "docs" / page)
