"""The seam through which the console shows the sources of a delivered text."""

from collections.abc import Callable

from autonomy.durable.transcripts import Transcript
from discovery.catalog import Frozen


class SentenceSource(Frozen):
    """One sentence of a delivered text, and the calls it was taken from."""

    start: int
    """The first character in the run's text."""
    end: int
    calls: tuple[str, ...] = ()
    """Keys of calls (`turn-2/call-1`); none means that nothing in the run says so."""


Annotate = Callable[[Transcript], tuple[SentenceSource, ...]]


def unannotated(_transcript: Transcript) -> tuple[SentenceSource, ...]:
    """Nothing is known of any sentence, and nothing is marked."""
    return ()
