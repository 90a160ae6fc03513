"""Counts what is sent to databases."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Engine, event


@dataclass
class Sent:
    """What was sent."""

    statements: list[str] = field(default_factory=list)
    commits: int = 0

    @property
    def writes(self) -> list[str]:
        """The statements that change something."""
        return [text for text in self.statements if not text.lstrip().upper().startswith("SELECT")]


@contextmanager
def counted() -> Iterator[Sent]:
    """Count until the end of the block, whatever engine it goes through; one statement with many rows is one."""
    sent = Sent()

    def execute(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        sent.statements.append(statement)

    def commit(_connection: object) -> None:
        sent.commits += 1

    event.listen(Engine, "before_cursor_execute", execute)
    event.listen(Engine, "commit", commit)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", execute)
        event.remove(Engine, "commit", commit)
