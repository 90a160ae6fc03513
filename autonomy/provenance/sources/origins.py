"""Defines the origins of a value, strongest first, and the places where it occurs."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from autonomy.provenance.text.facts import Fact


class Origin(StrEnum):
    """Where a value came from; the order of the members is their strength, strongest first."""

    OPERATOR = "operator"
    """The operator's settings."""
    JOB = "job"
    """The job file: goal, inputs, needs."""
    ASKER = "asker"
    """The words of the person who asked."""
    FIELD = "field"
    """A structured field of a result: one line of at most 120 characters, not under a key like `text` or `note`."""
    PASTED = "pasted"
    """What the person who asked pasted into the request: a quoted mail, a log, a page."""
    TEXT = "text"
    """Free text of a result, an error, a plain string, or anything of a read that untrusted text steered."""
    HISTORY = "history"
    """Earlier conversation."""
    DESCRIPTION = "description"
    """A tool's or a provider's own description."""

    @property
    def strength(self) -> int:
        """0 for the strongest."""
        return _STRENGTHS[self]

    @property
    def trusted(self) -> bool:
        """Whether the operator, the job or the person who asked said it."""
        return self is Origin.OPERATOR or self is Origin.JOB or self is Origin.ASKER


_STRENGTHS = {origin: at for at, origin in enumerate(Origin)}
SHOWN_CHARS = 300
"""How much of a leaf a source quotes."""
MOST_SOURCES = 8
"""Of one value: enough to show, and the strongest are among them."""


class ValueSource(NamedTuple):
    """One place where a value stands."""

    origin: Origin
    path: str
    """JSON path in what it was taken from, `$` for a whole text."""
    text: str
    """The leaf as it stands there, at most 300 characters around the value."""
    start: int
    end: int
    """Half-open range of the value in the whole leaf."""
    call_id: str = ""
    tool: str = ""
    """The call whose result it is, empty for others."""
    label: str = ""
    """What it was given as: `goal`, `inputs`, a setting's or argument's name."""
    alias: str = ""
    """The name or id through which it matched, when the value itself does not stand there (`U123` for 佐藤 遥)."""


class Part(NamedTuple):
    """One fact of a composed value, or a whole value, with its sources (strongest first)."""

    fact: Fact | None
    """None when the value was found as a whole."""
    sources: tuple[ValueSource, ...]


class Trace(NamedTuple):
    """The known origins of an argument's value."""

    parts: tuple[Part, ...]
    """Empty for wording that states no fact."""

    @property
    def sources(self) -> tuple[ValueSource, ...]:
        """Strongest first; empty when any part has none."""
        if not all(part.sources for part in self.parts):
            return ()
        return tuple(
            sorted({source for part in self.parts for source in part.sources}, key=lambda source: source.origin.strength)
        )

    @property
    def weakest(self) -> Origin | None:
        """The origin of the weakest part, each taken at its strongest source; None when any part has none."""
        if not self.parts or not all(part.sources for part in self.parts):
            return None
        return max((part.sources[0].origin for part in self.parts), key=lambda origin: origin.strength)


def strongest(found: Iterable[ValueSource]) -> tuple[ValueSource, ...]:
    """The strongest distinct sources, as many as are shown, then in the order of calls and paths."""
    order = sorted(
        set(found), key=lambda source: (source.origin.strength, source.call_id, source.path, source.start, source.alias)
    )
    return tuple(order[:MOST_SOURCES])
