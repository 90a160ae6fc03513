"""Two runs' steps side by side."""

import difflib
from collections.abc import Sequence


def align(one: Sequence[str], other: Sequence[str]) -> tuple[tuple[int | None, int | None], ...]:
    """Pairs of positions whose steps correspond; None where a run has no such step."""
    pairs: list[tuple[int | None, int | None]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs += zip(range(a, b), range(c, d), strict=True)
        else:
            pairs += [(at, None) for at in range(a, b)] + [(None, at) for at in range(c, d)]
    return tuple(pairs)
