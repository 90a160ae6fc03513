"""Compiled patterns are kept between commands: only our own, and they match as freshly compiled ones do."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

import autonomy
from autonomy.warm.pattern_cache import PatternCache

HOUSE = Path(autonomy.__file__).parent
COMPILER: Any = importlib.import_module("re._compiler")

MODULE = r"""
import re
from functools import cache

WORDS = [re.compile(rf"(?P<word>word{number})(?P<rest>\d+)?(?=[ぁ-ん]|$)", re.IGNORECASE) for number in range(30)]
RAW = re.compile(rb"(?s:a.b)\xff")

class Forms:
    form = re.compile("in a (class)")

@cache
def table():
    def one(word):
        return re.compile(f"table {word}")
    return {word: one(word) for word in ("first", "second")}

def of_a_person(text):
    return [re.compile(re.escape(word)) for word in text.split()]
"""


def executed(file: Path, name: str = "autonomy.example") -> dict[str, Any]:
    """The names of the module above, executed as if it stood in `file`, with all of its functions called."""
    re.purge()
    names: dict[str, Any] = {"__name__": name}
    exec(compile(MODULE, file, "exec"), names)
    names["table"]()
    names["of_a_person"]("a private text")
    return names


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(COMPILER, "compile", COMPILER.compile)  # puts back what a cache replaces
    return str(tmp_path / "folder" / "patterns.data")


def test_a_pattern_from_the_cache_is_the_one_that_was_compiled(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = executed(HOUSE / "example.py")
    PatternCache(file).save()
    assert not Path(file).exists(), "nothing to keep"
    first = PatternCache(file)
    executed(HOUSE / "example.py")
    first.save()

    later = PatternCache(file)
    monkeypatch.setattr(later, "_compiled", None)  # nothing that was kept is compiled again
    kept = executed(HOUSE / "example.py")
    for ours, one in zip(
        [*kept["WORDS"], kept["RAW"], kept["Forms"].form, *kept["table"]().values()],
        [*fresh["WORDS"], fresh["RAW"], fresh["Forms"].form, *fresh["table"]().values()],
        strict=True,
    ):
        assert ours == one, "equal patterns have the same code"
        assert (ours.pattern, ours.flags, ours.groups, ours.groupindex) == (one.pattern, one.flags, one.groups, one.groupindex)
    match = kept["WORDS"][7].search("WORD712あ")
    assert match is not None
    assert (match.lastgroup, match.groupdict()) == ("rest", {"word": "WORD7", "rest": "12"})


@pytest.mark.parametrize(
    ("place", "name"),
    [(HOUSE / "example.py", "autonomy.example"), (HOUSE / "example.py", "__main__"), (Path("/home/me/tools.py"), "tools")],
)
def test_no_pattern_of_a_persons_text_is_kept_and_none_of_a_persons_code(file: str, place: Path, name: str) -> None:
    cache = PatternCache(file)
    executed(place, name)
    cache.save()
    text = Path(file).read_bytes() if Path(file).exists() else b""
    assert b"private" not in text
    assert (b"in a (class)" in text) is (name == "autonomy.example")
    assert not list(Path(file).parent.glob("*.data.*")), "the file appears as a whole"


@pytest.mark.parametrize("content", [b"", b"not of marshal", b"cut", b"of another Python"])
def test_a_file_that_cannot_be_used_is_written_anew(file: str, content: bytes) -> None:
    cache = PatternCache(file)
    executed(HOUSE / "example.py")
    cache.save()
    whole = Path(file).read_bytes()
    Path(file).write_bytes(
        {b"cut": whole[:-100], b"of another Python": whole.replace(b"GCC", b"gcc").replace(b"Clang", b"clang")}.get(
            content, content
        )
    )
    again = PatternCache(file)
    assert executed(HOUSE / "example.py")["table"]()["first"].search("table first")
    again.save()
    assert PatternCache(file)._kept.keys() == cache._new.keys()


def test_a_pattern_that_is_none_raises_the_same_error(file: str) -> None:
    PatternCache(file)
    with pytest.raises(re.error, match="missing \\), unterminated subpattern at position 0"):
        re.compile("(")
    with pytest.raises(TypeError, match="first argument must be string or compiled pattern"):
        re.compile(3)  # type: ignore[call-overload]
