"""Stores texts of results that are too long for a run's record, and reads them in pieces."""

from typing import Protocol

PIECE = 262_144
"""Characters that are kept, and read, in one go."""


class LongResults(Protocol):
    """The whole texts, by run and by the handle of the result. Both raise `StoreError`."""

    async def keep(self, run_id: str, handle: str, text: str) -> None:
        """Keep the text; an earlier one of the same handle goes, for its call is being made again."""
        ...

    async def piece(self, run_id: str, handle: str, number: int) -> str | None:
        """The characters from `number * PIECE` on, at most `PIECE` of them; None when nothing is kept there."""
        ...


async def read(results: LongResults, run_id: str, handle: str, start: int, count: int) -> str | None:
    """Read that many characters from `start` on; None when the text is no longer kept."""
    pieces = []
    for number in range(start // PIECE, (start + count - 1) // PIECE + 1):
        if (piece := await results.piece(run_id, handle, number)) is None:
            break
        pieces.append(piece)
    at = start % PIECE
    return "".join(pieces)[at : at + count] if pieces else None
