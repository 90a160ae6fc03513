"""Checks that what a free goal's write made stands in the folder and under the title that the goal gives."""

import re
from collections.abc import Iterator

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.leaves import Leaf, leaves
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_TITLED = patterns_of("autonomy.completion")["gives_a_title"]
_LETTER = r"A-Za-z0-9_\u30a1-\u30fc\u3400-\u9fff"
_NAME = rf"[{_LETTER}](?:[{_LETTER}.-]{{0,40}}[{_LETTER}])?"
_PATH = re.compile(rf"(?<![\w/.:@-])(?![\d/.-]+(?![\w/])){_NAME}(?:/{_NAME}){{1,6}}(?!/)")
"""A folder or category, of words and numbers: TODO/2026/11. A date has figures alone, and an address begins otherwise."""
_UNDER_A_TITLE = frozenset({"name", "title", "subject", "summary", "filename", "file_name", "heading"})


def where_named(case: Case) -> Iterator[tuple[str, str]]:
    """Where the goal says in which folder, or under which title, and a write was made in another one, none was made there."""
    if case.declares_needs or not case.evidence.writes:
        return
    goal = case.goal
    written = [leaf for record in case.evidence.writes for leaf in leaves(record.arguments)]
    places = [leaf for leaf in written if attribute_kind(leaf.key) == "place" and "/" in str(leaf.value)]
    places = [] if any(fold(str(leaf.value)) in fold(goal) for leaf in places) else places
    titles = [leaf for leaf in written if leaf.key.lower() in _UNDER_A_TITLE and isinstance(leaf.value, str)]
    for path in dict.fromkeys(_PATH.findall(unquoted(goal))) if places else ():
        if not _stands(path, written) and not _was_read(path, case):
            yield path, f"the goal names {path}, and what was written is in {places[0].value}"
    for title in (title for match in _TITLED.finditer(goal) for title in match.groups() if title) if titles else ():
        if not _stands(title, written) and not _was_read(title, case):
            yield title, f"the goal calls it {title!r}, and what was written is called {str(titles[0].value)[:80]!r}"


def _stands(named: str, found: list[Leaf]) -> bool:
    return any(fold(named) in fold(str(leaf.value)) for leaf in found)


def _was_read(named: str, case: Case) -> bool:
    """Whether it names what is there: what a read asked for or brought."""
    asked = [leaf for record in case.ctx.records if record.effect == "read" for leaf in leaves(record.arguments)]
    brought = (leaf for record in case.evidence.reads for leaf in case.evidence.content(record).leaves)
    return _stands(named, [*asked, *brought])
