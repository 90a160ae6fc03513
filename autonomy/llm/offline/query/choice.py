"""Reads a question that offers two things, of which one holds, as the open question or the two statements that it stands for."""

from dataclasses import dataclass

from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")


@dataclass(frozen=True)
class Choice:
    """Two things, and what is asked of them."""

    things: tuple[str, str]
    openly: str = ""
    """The question without the two, where it stands so (who is the designer, Ines or Leo)."""
    statements: tuple[str, ...] = ()
    """The question as it is of each of the two, where its word stands for them (どちら)."""


def choice_in(question: str) -> Choice | None:
    """The choice that a question offers; None for any other, and for one that compares."""
    behind = _PHRASES["choice_behind"].fullmatch(question.strip())
    found = behind or _PHRASES["choice_within"].fullmatch(question.strip())
    if found is None or _PHRASES["compares"].search(found["rest"]):
        return None
    things = found["one"].strip(" 、"), found["other"].strip(" 、")
    if behind:
        return Choice(things, openly=f"{behind['rest'].strip()}?")
    return Choice(things, statements=tuple(f"{found['topic']}{thing}{found['rest']}" for thing in things))
