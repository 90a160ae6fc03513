"""What a conversation already holds, asked as if the tools were called for the first time.

The offline planner is a program that is run from the top at every turn: a call whose answer is in the conversation returns it, the
others are noted and become the turn's calls. So the planner keeps no state, and a run that is resumed decides the same.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from autonomy.llm.offline.findings import content, next_cursor
from discovery.catalog import JsonObject

T = TypeVar("T")

MAX_TRIES = 2
"""How often the same failing call is made, when the host says that something is missing."""
MAX_PAGES = 5
NOT_AGAIN = frozenset({"denied", "unknown_outcome"})
"""Answers that asking again can only make worse."""


class Waiting(Exception):
    """An answer is needed before this part of the plan can go on; the call for it has been noted."""


def together(parts: Iterable[Callable[[], T]]) -> list[T]:
    """What each part gives; when some wait, every part still notes its wishes before `Waiting` is raised."""
    results: list[T] = []
    waiting = False
    for part in parts:
        try:
            results.append(part())
        except Waiting:
            waiting = True
    if waiting:
        raise Waiting
    return results


@dataclass(frozen=True)
class Wish:
    """A call the plan wants."""

    tool: str
    arguments: JsonObject

    @property
    def key(self) -> str:
        """Equal for equal calls."""
        return f"{self.tool} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)}"


@dataclass(frozen=True)
class Answer:
    """A call that was made, and what came of it."""

    wish: Wish
    result: ToolResult
    at: int
    """Position in the conversation."""

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked, or would have in a rehearsal; what another tool answered in its place is something else."""
        by_itself = self.result.answered_by in ("", self.wish.tool)
        return by_itself and not self.result.is_error and (self.rehearsed or self.result.kind in ("ok", "suspicious"))

    @property
    def rehearsed(self) -> bool:
        """Whether the host only noted the call, and wants the run to go on as if it had been made."""
        return self.result.kind == "not_run" and not self.result.is_error


@dataclass
class Evidence:
    """The answers of one conversation, and the wishes of one turn."""

    messages: Sequence[Message]
    wishes: dict[str, Wish] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._answers: dict[str, list[Answer]] = {}
        self.calls = 0
        """How many calls were made before."""
        results = {message.call_id: (at, message) for at, message in enumerate(self.messages) if isinstance(message, ToolResult)}
        for message in self.messages:
            for call in message.calls if isinstance(message, AssistantMessage) else ():
                self.calls += 1
                if call.id in results:
                    self._remember(call, *results[call.id])
        self._remarked_at = max(
            (at for at, one in enumerate(self.messages) if isinstance(one, UserMessage) and one.host), default=-1
        )

    def _remember(self, call: ToolCall, at: int, result: ToolResult) -> None:
        wish = Wish(call.name, call.arguments)
        self._answers.setdefault(wish.key, []).append(Answer(wish, result, at))

    def ask(self, *wishes: Wish) -> list[Answer]:
        """The answers to these calls, in order. Raises `Waiting` when one is not there yet; all that are missing are noted."""
        answers = [self._answer(wish) for wish in wishes]
        for wish, answer in zip(wishes, answers, strict=True):
            if answer is None:
                self.wishes.setdefault(wish.key, wish)
        if None in answers:
            raise Waiting
        return [answer for answer in answers if answer is not None]

    def ask_all_pages(self, wish: Wish, cursor_argument: str | None) -> list[Answer]:
        """Ask, and go on asking while the answer names a next page and the tool takes a cursor."""
        answers = self.ask(wish)
        while cursor_argument and answers[-1].ok and len(answers) < MAX_PAGES:
            cursor = next_cursor(content(answers[-1].result))
            if not cursor:
                break
            answers += self.ask(Wish(wish.tool, {**wish.arguments, cursor_argument: cursor}))
        return answers

    def made(self, tool: str) -> list[Answer]:
        """All calls made of one tool, in order."""
        return sorted((one for tries in self._answers.values() for one in tries if one.wish.tool == tool), key=lambda one: one.at)

    def _answer(self, wish: Wish) -> Answer | None:
        tries = self._answers.get(wish.key, [])
        if not tries:
            return None
        last = tries[-1]
        once_more = not last.ok and last.result.kind not in NOT_AGAIN and len(tries) < MAX_TRIES and last.at < self._remarked_at
        return None if once_more else last
