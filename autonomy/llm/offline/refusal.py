"""Texts by which the offline planner explains why it cannot answer."""

from autonomy.llm.offline.vocabulary import LANGUAGES


class Refusal(str):
    """A text that says why there is no answer: to the host it is a refusal, not a result."""

    __slots__ = ()


def say(language: str, phrase: str, **values: object) -> str:
    """A phrase in that language, English when it is not spoken here."""
    return LANGUAGES.get(language, LANGUAGES["en"]).phrases[phrase].format(**values)
