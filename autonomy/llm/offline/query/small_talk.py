"""Answers greetings, thanks and the question what can be asked, without a call of any tool.

Example questions are kept with the words of a language; those are told that the offered tools can really answer.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.offline.refusal import SmallTalk, listed, say, without_orders
from autonomy.llm.offline.vocabulary import LANGUAGES, terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_FIRST_SENTENCE = re.compile(r"\s*([^\n]{1,120}?)(?:[.](?=\s|$)|(?<=。)|(?=\n|$))")
_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
MOST_TOOLS, MOST_JOBS, MOST_EXAMPLES = 12, 12, 5
"""What a newcomer reads at one look; more are counted."""

Kind = Literal["greets", "thanks", "asks_what_is_possible"]
_KINDS: Mapping[Kind, re.Pattern[str]] = {
    "asks_what_is_possible": _PHRASES["asks_what_is_possible"],
    "greets": _PHRASES["greets"],
    "thanks": _PHRASES["thanks"],
}


def small_talk_in(goal: str) -> Kind | None:
    """The kind of small talk that a message is, if it holds nothing else."""
    text = unicodedata.normalize("NFKC", goal)
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(text)), None)


def answer_small_talk(kind: Kind, task: Task, request: ModelRequest, is_answered: Callable[[str], bool]) -> SmallTalk:
    """The reply, in the language of the words. `is_answered` tells whether the planner can answer a question with these tools."""
    language = "ja" if _JAPANESE.search(task.goal) else "en"
    if kind == "thanks":
        return SmallTalk(say(language, "welcome"))
    readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
    examples = [one for one in _examples(language, readers) if is_answered(one)][:MOST_EXAMPLES]
    if kind == "greets":
        return SmallTalk(say(language, "greeting_with_example", example=examples[0]) if examples else say(language, "greeting"))
    lines = [say(language, "possible" if readers else "possible_without_tools")]
    if examples:
        lines += ["", say(language, "possible_examples"), *(f"- {one}" for one in examples)]
    if task.jobs:
        lines += ["", say(language, "possible_jobs", jobs=_some(language, task.jobs), job=task.jobs[0])]
    if readers:
        more = [say(language, "and_more", n=len(readers) - MOST_TOOLS)] if len(readers) > MOST_TOOLS else []
        lines += ["", say(language, "possible_tools"), *(_in_its_words(one, language) for one in readers[:MOST_TOOLS]), *more]
    return SmallTalk(without_orders("\n".join([*lines, "", say(language, "not_looked_up")]), language))


def _examples(language: str, readers: list[ToolDefinition]) -> Iterator[str]:
    """The example questions of a language for which one of the tools is made."""
    about = [terms(f"{tool.name} {tool.description}") for tool in readers]
    for concepts, question in LANGUAGES[language].examples:
        if any(words >= {f"#{concept}" for concept in concepts} for words in about):
            yield question


def _some(language: str, names: tuple[str, ...]) -> str:
    more = len(names) - MOST_JOBS
    return listed(language, [*names[:MOST_JOBS], *([say(language, "and_more", n=more)] if more > 0 else [])])


def _in_its_words(tool: ToolDefinition, language: str) -> str:
    """A tool with the first sentence that it says of itself, if that is in the reader's script."""
    first = _FIRST_SENTENCE.match(tool.description)
    readable = first is not None and first[1].isascii() is (language == "en")
    return f"- {tool.name}: {first[1].strip()}" if first and readable else f"- {tool.name}"
