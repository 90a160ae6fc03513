"""Passages that answer a question, and the answer that quotes them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autonomy.llm.offline.refusal import listed, say
from autonomy.llm.offline.result_items import answer_lines
from discovery.catalog import JsonObject

_ID = re.compile(r"(?<!\w)#(\d+)")


@dataclass(frozen=True)
class Passage:
    """A message, or the lines of a document, that hold all words."""

    tool: str
    lines: tuple[str, ...]
    without: tuple[str, ...] = ()
    """General words of the question that it need not hold."""


def quoted_thread(tool: str, root: JsonObject, replies: Sequence[JsonObject]) -> Passage:
    """A thread's first message and replies of it, indented below."""
    first = next(iter(answer_lines(root)), "")
    return Passage(tool, (f"- {first}", *(f"  - {line}" for reply in replies for line in answer_lines(reply))))


def tell_one_id(passages: Sequence[Passage]) -> bool:
    """Whether there is a number of a thing that all passages tell, where they tell any: of several one may be meant, or all."""
    told = [ids for one in passages if (ids := set(_ID.findall(" ".join(one.lines))))]
    return not told or bool(set.intersection(*told))


def author_of(passage: Passage) -> str:
    """By whom the last line of a passage is, where it is a message."""
    return passage.lines[-1].partition(": ")[0].rpartition("#")[2].partition(" ")[2]


def quote_passages(passages: Sequence[Passage], language: str, *, lead: str = "passages") -> str:
    """The passages as an answer that says how they were found."""
    lines = [line for passage in passages for line in passage.lines]
    if without := listed(language, dict.fromkeys(word for passage in passages for word in passage.without)):
        lead_in = say(language, "passages_without", words=without)
    else:
        lead_in = say(language, lead)
    tools = ", ".join(dict.fromkeys(passage.tool for passage in passages))
    return "\n".join([lead_in, *lines, "", say(language, "source", tool=tools)])
