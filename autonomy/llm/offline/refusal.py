"""Words the texts of the offline planner that are no answer: refusals, and replies to words that ask nothing."""

from collections.abc import Iterable

from autonomy.llm.machine_orders import orders_a_machine
from autonomy.llm.offline.vocabulary import LANGUAGES


class SmallTalk(str):
    """A reply to words that set no task: nothing was looked up for it, and nothing achieved."""

    __slots__ = ()


class Refusal(str):
    """A text that says why there is no answer: to the host it is a refusal, not a result."""

    __slots__ = ()


def say(language: str, phrase: str, **values: object) -> str:
    """A phrase in that language, English when it is not spoken here."""
    return LANGUAGES.get(language, LANGUAGES["en"]).phrases[phrase].format(**values)


def listed(language: str, words: Iterable[object]) -> str:
    """Words one after the other, as that language lists them."""
    return LANGUAGES.get(language, LANGUAGES["en"]).between_words.join(map(str, words))


def without_orders(text: str, language: str) -> str:
    """An answer in whose lines no message gives orders to a machine that reads it: that there was one is told instead."""
    notice = LANGUAGES.get(language, LANGUAGES["en"]).left_out
    return "\n".join(_label(line) + notice if orders_a_machine(line) else line for line in text.split("\n"))


def _label(line: str) -> str:
    """When, where and by whom a line of an answer is."""
    label, colon, _ = line.partition(": ")
    return f"{label}: " if colon and not orders_a_machine(label) else "- "
