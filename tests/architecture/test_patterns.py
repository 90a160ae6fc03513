"""Patterns in code are of pure form: one that holds words of a language is data, or a named exception (docs/decisions/phrases.md)."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("autonomy", "discovery", "metrics", "mcp_servers")
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "patterns_with_words.toml").read_text(encoding="utf-8"))
"""File → how many of its patterns hold words, and why they stay in code."""

FUNCTIONS = {"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
USED = re.compile(rf"\b(?:re\.(?:{'|'.join(FUNCTIONS)})|lazy_pattern)\(")
NOT_WORDS = re.compile(r"\\[pP]\{\w+\}|\\.|\(\?P?[<=!]\w*>?|\(\?[aiLmsux-]+\)?|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[^{}]*\}")
"""Of an expression: escapes, names of groups, flags, classes of characters, numbers of times."""
JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ一-鿿]{2,}")
ENGLISH = re.compile(
    r"(?<![A-Za-z])(?:the|this|that|there|these|those|and|but|not|never|cannot|could|should|would|you|your|they|was|were|been|has|have|did|does"
    r"|with|without|into|about|around|until|till|since|because|also|then|only|just|please|than|our|yet|still|again)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Words that stand in sentences, and hardly in a name, a key or the syntax of something."""


@cache
def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _text(node: ast.expr, tree: ast.Module) -> str:
    """What of a pattern is written in its file, constants of the module included."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.Name):
        held = _constants(tree).get(node.id)
        return _text(held, tree) if isinstance(held, ast.Constant | ast.JoinedStr | ast.BinOp) else ""
    return " ".join(_text(child, tree) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _patterns(source: str) -> Iterator[str]:
    if not USED.search(source):
        return
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and node.args
            and ast.unparse(node.func) in {"lazy_pattern", *(f"re.{name}" for name in FUNCTIONS)}
        ):
            yield _text(node.args[0], tree)


def _with_words(source: str) -> int:
    bare = (NOT_WORDS.sub(" ", pattern) for pattern in _patterns(source))
    return sum(bool(JAPANESE.search(pattern) or ENGLISH.search(pattern)) for pattern in bare)


def test_a_word_of_a_language_is_told_from_form() -> None:
    assert _with_words('re.compile(r"\\bcould not (?:open|read)")') == 1
    assert _with_words('lazy_pattern(r"\\bcould not (?:open|read)")') == 1
    assert _with_words('WORDS = "まとめ|書い"\nre.search(rf"(?:{WORDS})て", text)') == 1
    assert _with_words('re.compile(r"[ぁ-ん一-鿿]+(?P<that>\\d{2,4})年|https?://[\\w.-]+|(?i)none|null")') == 0


def test_a_pattern_with_words_of_a_language_is_data() -> None:
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    held = Counter({str(file.relative_to(ROOT)): _with_words(file.read_text(encoding="utf-8")) for file in files})
    named = Counter({file: exception["patterns"] for file, exception in EXCEPTIONS.items()})
    assert dict(held - named) == {}, "words in code: make them a phrase (docs/decisions/phrases.md)"
    assert dict(named - held) == {}, "fewer than are named: lower the number"
    assert all(exception["why"] for exception in EXCEPTIONS.values())
