"""Tells whether a request asks for something to be done, or only to be told something, and with which tool."""

import re
from functools import cache, lru_cache

from autonomy.policy.requests.japanese_orders import (
    DEED,
    JAPANESE_SENTENCE,
    VERB,
    has_form_of_request,
    orders_in_japanese,
    request_pattern,
)
from autonomy.policy.requests.orders import (
    UNDERSTOOD,
    clauses_of,
    ordered_deeds,
    ordering_clauses,
    polite_pattern,
    telling_pattern,
)
from autonomy.policy.requests.request_words import MOST_CHARS, WORDS, any_of
from autonomy.provenance.action_claims import kinds_called
from discovery.text.near_names import name_words
from metrics.text.phrases import lazy_pattern


def orders_in(words: str) -> int:
    """How many clauses of the request order something with a verb that does not ask to be told."""
    return len(ordered_deeds(words))


def without_questions(words: str) -> str:
    """The request without the sentences that only ask to be told: "What do the notes say?", 「今日のタスクを教えて」."""
    pieces = _SENTENCE_END.split(words[:MOST_CHARS])
    sentences = (text + end for text, end in zip(pieces[::2], [*pieces[1::2], ""], strict=True))
    return "".join(one for one in sentences if not _only_asks(one.strip()))


_SENTENCE_END = re.compile(r"([.!?;](?=\s|$)|[!?](?=[「『])|[\n。！？])")


@lru_cache(maxsize=256)
def _only_asks(sentence: str) -> bool:
    """Whether a sentence orders nothing, and asks or has something told."""
    is_question, text, asking = sentence[-1:] in ("?", "？"), sentence.rstrip("?？.!。！ "), WORDS["asking"]
    if text.endswith(tuple(asking["ja_plain"])):
        return not has_form_of_request(text)
    if not sentence or orders_in(sentence) or _carrying_out().search(sentence):
        return False
    if not sentence.isascii():
        has_told = any(word in text[-VERB - DEED :] for word in WORDS["telling"]["ja"])
        return has_told or text.endswith(tuple(asking["ja"] if is_question else asking["ja_endings"]))
    polite = polite_pattern().match(text)
    beginning = text[polite.end() if polite else 0 :]
    first = (re.match(r"[A-Za-z’']{1,40}", beginning) or ("",))[0].lower().replace("’", "'")
    if is_question and not (polite and polite[0]) and first in WORDS["asking_if"]:
        return True
    if any(_says_a_deed(clause) for clause, is_joined in clauses_of(text) if is_joined):
        return False
    asks_or_has_told = first in asking["en"] or telling_pattern().match(beginning) is not None
    return asks_or_has_told and first not in WORDS["carrying_out"]


def _says_a_deed(clause: str) -> bool:
    """Whether a clause behind another one says what is to be done, or half says it: "find the channel and post there", "tell me
    the rooms, I will book later"."""
    words = re.findall(r"[a-z’']{1,40}", clause.lower())
    if not words or telling_pattern().match(clause):
        return False
    return words[0] in WORDS["speaking"]["en"] or any(map(kinds_called, words if words[0] == "to" else words[:1]))


@cache
def _carrying_out() -> re.Pattern[str]:
    """A clause behind another one by which what is read is done: "read the page, and do what it says"."""
    verbs = "|".join(map(re.escape, WORDS["carrying_out"]))
    joint, polite = rf"[,;:–—-]\s|\b(?:{any_of('joints', 'en')})\s", any_of("polite", "en")
    return re.compile(rf"(?:{joint})\s{{0,9}}(?:{polite})?\s{{0,9}}(?:{verbs})\b", re.IGNORECASE)


def words_of_orders(words: str) -> frozenset[str]:
    """The words of a request by which something is ordered, in Japanese with what stands before them, and the polite ones."""
    polite = " ".join(WORDS["polite"]["en"]).lower()
    return frozenset((*ordered_deeds(words), *re.findall(r"[a-z]+", polite)))


def orders_no_addition(words: str, tool: str) -> bool:
    """Whether each order of the request changes something that is there (`close`, `pin`, `rename`), and a tool of this name would
    add something instead: open an issue, post a message.

    A tool named by a form of the order's verb, or in the words for what else does it, is meant by it; what the request wants
    said or made beside it is not told apart from that.
    """
    named = set(name_words(tool))
    if not named & _ADDING or not (deeds := ordered_deeds(words)) or _wants_more(words):
        return False
    serving = [_words_of_tools_for(deed) for deed in deeds]
    return all(forms and not any(word.startswith(form) for form in forms for word in named) for forms in serving)


def orders_by_name(words: str, tool: str) -> bool:
    """Whether the request orders a deed with the verb that a tool's name begins with: "Lend book B3 to Ann", `lend_book`."""
    verb = _VERB_OF_NAME.match(tool)
    return verb is not None and verb[0] in ordered_deeds(words)


_VERB_OF_NAME = re.compile(r"[a-z]+")


def orders_the_deed(words: str, deed: str) -> bool:
    """Whether the request orders in Japanese what a clause without the ending of its verb tells: 貸し出してください, B3の貸出."""
    told = _VERB_STEM.search(deed)
    sentences = (one.strip() for one in JAPANESE_SENTENCE.split(words[:MOST_CHARS]))
    orders = (order for sentence in sentences if request_pattern().search(sentence) for order in orders_in_japanese(sentence))
    stems = (_VERB_STEM.search(order.rstrip("てでを")) for order in orders)
    return told is not None and any(stem and (stem[1].startswith(told[1]) or told[1].startswith(stem[1])) for stem in stems)


_VERB_STEM = lazy_pattern(
    r"([\u30a1-\u30fc]{2,20}|[\u3400-\u9fff々]{1,12})(?:[いきぎしじちびみりえけげせぜねべめれ]{1,2}[\u3400-\u9fff])?[\u3041-\u3096]{0,2}$"
)
"""The characters with which the verb at the end of a clause begins: 貸 of 貸し出し."""


def orders_otherwise(words: str, tool: str) -> bool:
    """Whether the request orders in everyday words what a tool of this name does: "call off", 「ずらして」 for `update-event`."""
    named, request = set(name_words(tool)), words[:MOST_CHARS]
    serving = [deed for deed in WORDS["called_otherwise"].values() if not named.isdisjoint(deed["tools"])]
    if not serving:
        return False
    english = {form for deed in serving for form in deed["en"]}
    japanese = {form for deed in serving for form in deed["ja"]}
    return any(_is_said(form, clause) for clause in ordering_clauses(request) for form in english) or any(
        form in order for order in orders_in_japanese(request) for form in japanese
    )


def _is_said(form: str, clause: str) -> bool:
    """Whether a clause begins with a verb, and holds its particle there or further on: "push the meeting back"."""
    verb, *particles = form.split()
    first, *others = re.findall(r"[a-z]+", clause) or [""]
    return first == verb and set(particles) <= set(others)


def means_choice(choice: str, words: str) -> bool:
    """Whether the request says a choice of a schema in other words: `closed` for "shut", `declined` for 「断って」."""
    said = f" {' '.join(re.findall('[a-z]+', words[:MOST_CHARS].lower()))} "
    meant = [deed for deed in WORDS["called_otherwise"].values() if choice.lower() in deed["tools"]]
    return any(f" {form} " in said for deed in meant for form in deed["en"]) or any(
        form in words for deed in meant for form in deed["ja"]
    )


def knows_no_order(words: str) -> bool:
    """Whether the request orders something, and by no verb of which it is known what it does."""
    deeds = [deed for deed in ordered_deeds(words) if deed.isascii()]
    return bool(deeds) and not any(kinds_called(deed) or deed in UNDERSTOOD for deed in deeds)


def wondered_in(words: str) -> tuple[str, ...]:
    """What the request asks the possibility of, which may be an order or a question: "Is it possible to message Kenta?"."""
    pieces = _QUESTION.findall(words[:MOST_CHARS])
    english = (_whether_it_can().match(piece.strip()) for piece in pieces)
    japanese = (piece for piece in pieces if piece.rstrip("?？。 ").endswith(tuple(WORDS["whether_it_can"]["ja"])))
    return (*(found["deed"] for found in english if found), *japanese)


_QUESTION = re.compile(r"[^.!?\n。！？]{1,400}[.!?。！？]?")


@cache
def _whether_it_can() -> re.Pattern[str]:
    polite = rf"(?:(?:{any_of('polite', 'en')})[\s,]{{1,9}}){{0,4}}"
    return re.compile(rf"{polite}(?:{any_of('whether_it_can', 'en')})\s{{1,9}}(?P<deed>.{{1,400}})", re.IGNORECASE)


def _words_of_tools_for(deed: str) -> tuple[str, ...]:
    """How the words begin by which tools are called that do what is ordered; empty where the verb is not one of those that only
    change what is there."""
    verbs: dict[str, dict[str, list[str]]] = WORDS["changing_what_is_there"]
    if deed in verbs["en"]:
        return (deed.removesuffix("e"), *verbs["en"][deed])
    return next((tuple(tools) for verb, tools in verbs["ja"].items() if verb in deed), ())


def _wants_more(words: str) -> bool:
    request = f" {' '.join(re.findall(r'[a-z]+', words[:MOST_CHARS].lower()))} "
    phrases = WORDS["new_beside_it"]
    return any(f" {word} " in request for word in phrases["en"]) or any(word in words for word in phrases["ja"])


_ADDING = frozenset(WORDS["adding_tools"])


def is_put_into(value: str, words: str) -> bool:
    """Whether the request says that something goes into what it calls so: "into report.md", 「report.mdに」."""
    name, request = re.escape(value.lower()[:_LONGEST_NAME]), words[:MOST_CHARS].lower()
    before = rf"\b(?:{any_of('put_into', 'en')})\s{{1,9}}[\"'`「]?{name}(?![A-Za-z0-9_/-])"
    behind = rf"(?<![A-Za-z0-9_/.-]){name}[」`]?(?:{any_of('put_into', 'ja')})(?!{any_of('at_rest', 'ja')})"
    return re.search(f"{before}|{behind}", request) is not None


_LONGEST_NAME = 200
