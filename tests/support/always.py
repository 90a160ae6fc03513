"""Examples that a law is tried with each time, beside those that are drawn."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hypothesis import example

LawT = TypeVar("LawT", bound=Callable[..., Any])


def always(values: Iterable[object], *arguments: str, **fixed: object) -> Callable[[LawT], LawT]:
    """Add each value as an example, for every argument named, or for the only one; `fixed` are the others. A table that is only drawn
    from is drawn from twelve times, always the same, and some of it never."""

    def add(law: LawT) -> LawT:
        for value in values:
            law = (example(**dict.fromkeys(arguments, value), **fixed) if arguments else example(value))(law)  # type: ignore[arg-type]
        return law

    return add
