"""Names the origins that a value can have, strongest first."""

from enum import StrEnum


class Origin(StrEnum):
    """Where a value came from; the order of the members is their strength, strongest first."""

    OPERATOR = "operator"
    """The operator's settings."""
    JOB = "job"
    """The job file: goal, inputs, needs."""
    ASKER = "asker"
    """The words of the person who asked."""
    SCHEMA = "schema"
    """A default or choice of the tool's own schema."""
    FIELD = "field"
    """A structured field of a result: one line of at most 120 characters, not under a key like `text` or `note`."""
    PASTED = "pasted"
    """What the person who asked pasted into the request: a quoted mail, a log, a page."""
    TEXT = "text"
    """Free text of a result, an error, a plain string, or anything of a read that untrusted text steered."""
    HISTORY = "history"
    """Earlier conversation."""
    CONTEXT = "context"
    """Context that was looked up before the first turn."""
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
