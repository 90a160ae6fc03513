"""Reads from a conversation which calls were made and what they returned.

The offline planner is a program that is run from the top at every turn: a call whose answer is in the conversation returns it,
the others are noted and become the turn's calls. So the planner keeps no state, and a run that is resumed decides the same.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from autonomy.llm.offline.result_items import content, next_cursor, words_of
from discovery.catalog import JsonObject
from metrics.events import ANSWERED

T = TypeVar("T")

MAX_TRIES = 2
"""How often the same failing call is made, when the host says that something is missing."""
MAX_PAGES = 5
NOT_AGAIN = frozenset({"denied", "unknown_outcome"})
"""Answers that asking again can only make worse."""


class AnswerPending(Exception):
    """An answer is needed before this part of the plan can go on; the call for it has been noted."""


def collect_all(parts: Iterable[Callable[[], T]]) -> list[T]:
    """Collect the result of each part; if some wait, every part still plans its calls before `AnswerPending` is raised."""
    results: list[T] = []
    waiting = False
    for part in parts:
        try:
            results.append(part())
        except AnswerPending:
            waiting = True
    if waiting:
        raise AnswerPending
    return results


def first_told(parts: Iterable[Callable[[], str]]) -> str:
    """The first text that is not empty. Raises `AnswerPending` while one before it waits, once all parts have planned."""
    waiting = False
    for part in parts:
        try:
            text = part()
        except AnswerPending:
            waiting = True
            continue
        if text and not waiting:
            return text
    if waiting:
        raise AnswerPending
    return ""


@dataclass(frozen=True)
class PlannedCall:
    """A call the plan wants."""

    tool: str
    arguments: JsonObject

    @property
    def key(self) -> str:
        """Equal for equal calls."""
        return f"{self.tool} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)}"


@dataclass(frozen=True)
class PastCall:
    """A call that was made, and what came of it."""

    call: PlannedCall
    result: ToolResult
    at: int
    """Position in the conversation."""

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked, or would have in a rehearsal; what another tool answered in its place is
        something else."""
        by_itself = self.result.answered_by in ("", self.call.tool)
        return by_itself and not self.result.is_error and (self.rehearsed or self.result.kind in ANSWERED)

    @property
    def rehearsed(self) -> bool:
        """Whether the host only noted the call, and wants the run to go on as if it had been made."""
        return self.result.kind == "not_run" and not self.result.is_error


@dataclass
class ConversationState:
    """The answers of one conversation, and the planned of one turn."""

    messages: Sequence[Message]
    planned: dict[str, PlannedCall] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._answers: dict[str, list[PastCall]] = {}
        self.calls = 0
        """How many calls were made before."""
        self.turns = sum(isinstance(message, AssistantMessage) for message in self.messages)
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
        planned = PlannedCall(call.name, call.arguments)
        result = result.model_copy(update={"text": words_of(result)})
        self._answers.setdefault(planned.key, []).append(PastCall(planned, result, at))

    def ask(self, *planned: PlannedCall) -> list[PastCall]:
        """The answers to these calls, in order. Raises `AnswerPending` when one is not there yet; all that are missing are
        noted."""
        answers = [self._answer(call) for call in planned]
        for call, answer in zip(planned, answers, strict=True):
            if answer is None:
                self.planned.setdefault(call.key, call)
        if None in answers:
            raise AnswerPending
        return [answer for answer in answers if answer is not None]

    def ask_all_pages(self, call: PlannedCall, cursor_argument: str | None) -> list[PastCall]:
        """Ask, and go on asking while the answer names a next page and the tool takes a cursor."""
        answers = self.ask(call)
        while cursor_argument and answers[-1].ok and len(answers) < MAX_PAGES:
            cursor = next_cursor(content(answers[-1].result))
            if not cursor:
                break
            answers += self.ask(PlannedCall(call.tool, {**call.arguments, cursor_argument: cursor}))
        return answers

    @property
    def results(self) -> list[ToolResult]:
        """All results of the conversation."""
        return [message for message in self.messages if isinstance(message, ToolResult)]

    def made(self, tool: str) -> list[PastCall]:
        """All calls made of one tool, in order."""
        return sorted((one for tries in self._answers.values() for one in tries if one.call.tool == tool), key=lambda one: one.at)

    def _answer(self, call: PlannedCall) -> PastCall | None:
        tries = self._answers.get(call.key, [])
        if not tries:
            return None
        last = tries[-1]
        once_more = not last.ok and last.result.kind not in NOT_AGAIN and len(tries) < MAX_TRIES and last.at < self._remarked_at
        return None if once_more else last
