"""The planned calls for a question, or the reason why there is no answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import Task
from autonomy.llm.offline.argument_filler import ArgumentFiller, properties
from autonomy.llm.offline.conversation_state import ConversationState
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.refusal import listed, say
from autonomy.llm.offline.result_items import moment_of, text_of
from autonomy.llm.offline.time_expressions import begins_ahead, spans_in
from discovery.catalog import JsonObject

MAX_SUBJECTS = 5
"""How many calls of one tool are made for one question."""


class NotCarried(Exception):
    """Something in the question that a tool cannot carry; the phrase, its `words` and `values` say what."""

    def __init__(self, phrase: str, *words: str, **values: str) -> None:
        self.phrase, self.words, self.values = phrase, words, values
        super().__init__(phrase)


class AmbiguousName(NotCarried):
    """A name that several things or people have; which of them is meant is for the person to say."""

    def __init__(self, name: str, *, candidates: str) -> None:
        super().__init__("several", name, candidates=candidates)


class NothingFound(Exception):
    """The results hold nothing of what was asked for; `words` say what was sought."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        super().__init__(*self.words)


@dataclass(frozen=True)
class AnswerContext:
    """The question that is answered, and what is known for it."""

    task: Task
    question: Question
    filler: ArgumentFiller
    state: ConversationState
    implied: str = ""
    """What is asked for where somebody or something is named that a tool lists."""

    @property
    def goal(self) -> str:
        """The question as it was put."""
        return self.task.goal.strip()

    @property
    def about(self) -> str:
        """The question, with what names in it imply."""
        return " ".join([self.question.text, *self.question.implied_words(), self.implied])

    def say(self, phrase: str, **values: object) -> str:
        """A phrase in the language of the answer."""
        return say(self.task.language, phrase, **values)

    def is_planned(self, item: Any) -> bool:
        """Whether an item tells what was still to come when it was written."""
        moment = moment_of(item, self.filler.zone)
        return moment is not None and begins_ahead(text_of(item), moment.date())

    def is_of_another_day(self, item: Any, word: str) -> bool:
        """Whether another day than those asked for stands right before a word in an item (明日やること)."""
        moment, text = moment_of(item, self.filler.zone), text_of(item)
        before = spans_in(text, moment.date()) if moment and word in text else []
        days = [span for span in before if text.startswith(word, span.end)]
        return bool(days) and not any(time.holds(span.first) for time in self.question.times for span in days)

    def explain(self, gap: NotCarried) -> str:
        """Explain what cannot be used, in the language of the answer."""
        return self.say(gap.phrase, words=self.listed(gap.words), **gap.values)

    def listed(self, words: Iterable[object]) -> str:
        """Words one after the other, in the language of the answer."""
        return listed(self.task.language, words)


@dataclass
class CallPlan:
    """The calls of one tool that a question comes to, and what is looked for in their results."""

    tool: ToolDefinition
    sets: list[JsonObject]
    """The arguments of each call."""
    by_time: bool = False
    """Whether the items must be picked by their day, as the calls bring more."""
    changed: bool = False
    """Whether that is the day on which they were last changed."""
    words: list[str] = field(default_factory=list)
    """Words of the question that no other argument is for."""
    searched: list[str] = field(default_factory=list)
    """Those of them that an optional search argument carries."""
    looked_for: dict[str, set[str]] = field(default_factory=dict)
    """Words that items must hold, each with the names its person also has."""
    carried: list[str] = field(default_factory=list)
    """Words that an argument carries: a person, a channel, a place."""
    tags: list[str] = field(default_factory=list)
    """Words that items must have as a tag."""
    open_text: str = ""
    """The required argument that takes words of the question as they are."""
    excluding: bool = False
    """Whether some of the items are to be left out."""

    @cached_property
    def form(self) -> Mapping[str, JsonObject]:
        """The declared arguments of the tool, each with its schema."""
        return properties(self.tool)

    @property
    def filters(self) -> bool:
        """Whether part of the question is left to the results."""
        return bool(self.looked_for or self.tags or self.excluding)

    def give(self, *choices: JsonObject) -> None:
        """Makes each call once with each of these choices of arguments."""
        self.sets = [{**arguments, **choice} for choice in choices for arguments in self.sets]
