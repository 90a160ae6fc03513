"""Finds the channel whose topic or purpose says what a question asks for."""

from autonomy.llm.offline.argument_filler import listers
from autonomy.llm.offline.conversation_state import PlannedCall
from autonomy.llm.offline.lookup.passage_search import PassageSearch
from autonomy.llm.offline.lookup.passages import Passage
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import is_general
from autonomy.llm.offline.result_items import content, items
from autonomy.llm.offline.vocabulary import ATTRIBUTES, terms
from discovery.catalog import JsonObject

_DESCRIBED = ("topic", "purpose")


def described_channels(search: PassageSearch) -> list[Passage]:
    """The one channel that is described in all words of the question; empty where none or several are. Raises `AnswerPending`."""
    if not search.question.asks_which_channel or search.question.times:
        return []
    trade = {"#channel", "#message"}
    content_words = search.words.content_words(search.question.without_purpose())
    words = [word for word in content_words if word not in ATTRIBUTES and not (terms(word) <= trade or is_general(word))]
    if not words or min(map(len, words)) == 1:
        return []  # one letter stands in words of any meaning
    for tool in listers(search.filler.readers, None, "channel"):
        answer = search.state.ask(PlannedCall(tool.name, {}))[0]
        listed = [item for item in items(content(answer.result)) if isinstance(item, dict)] if answer.ok else []
        matches = [item for item in listed if all(tells(_description(item), word) for word in words)]
        if len(matches) == 1:
            return [Passage(tool.name, (f"- #{matches[0].get('name')}: {_description(matches[0])}",))]
    return []


def _description(item: JsonObject) -> str:
    return " / ".join(str(item[one]) for one in _DESCRIBED if item.get(one))
