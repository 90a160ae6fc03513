"""Tells whether a request asks for something to be done, or only to be told something.

Which verbs ask for a deed nobody can list; those that ask to be told are few. So an order counts as one for a deed unless its
verb is among those (`telling` in `data/request_mood.json`). What is done, and to what, other rules decide.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal

from autonomy.provenance.action_claims import kinds_called, kinds_of_tool
from discovery.catalog import JsonObject
from discovery.text.near_names import name_words
from metrics.text.phrases import lazy_pattern, patterns_of
from metrics.text.verb_forms import base_of_gerund, imperatives, joining
from metrics.text.word_files import read_words

MOST_CHARS = 10_000
"""Of a request: a longer one was pasted."""

# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = read_words("autonomy.policy", "request_mood")
_PHRASES = patterns_of("autonomy.policy")


def orders_in(words: str) -> int:
    """How many clauses of the request order something with a verb that does not ask to be told."""
    return len(_ordered_deeds(words))


def without_questions(words: str) -> str:
    """The request without the sentences that only ask to be told: "What do the notes say?", 「今日のタスクを教えて」."""
    pieces = _SENTENCE_END.split(words[:MOST_CHARS])
    sentences = (text + end for text, end in zip(pieces[::2], [*pieces[1::2], ""], strict=True))
    return "".join(one for one in sentences if not _only_asks(one.strip()))


_SENTENCE_END = re.compile(r"([.!?;](?=\s|$)|[!?](?=[「『])|[\n。！？])")


@lru_cache(maxsize=256)
def _only_asks(sentence: str) -> bool:
    """Whether a sentence orders nothing, and asks or has something told."""
    is_question, text, asking = sentence[-1:] in ("?", "？"), sentence.rstrip("?？.!。！ "), _WORDS["asking"]
    if text.endswith(tuple(asking["ja_plain"])):
        return not _has_form_of_request(text)
    if not sentence or orders_in(sentence) or _carrying_out().search(sentence):
        return False
    if not sentence.isascii():
        has_told = any(word in text[-_VERB - _DEED :] for word in _WORDS["telling"]["ja"])
        return has_told or text.endswith(tuple(asking["ja"] if is_question else asking["ja_endings"]))
    polite = _polite().match(text)
    beginning = text[polite.end() if polite else 0 :]
    first = (re.match(r"[A-Za-z’']{1,40}", beginning) or ("",))[0].lower().replace("’", "'")
    if is_question and not (polite and polite[0]) and first in _WORDS["asking_if"]:
        return True
    if any(_says_a_deed(clause) for clause, is_joined in _clauses(text) if is_joined):
        return False
    asks_or_has_told = first in asking["en"] or _telling().match(beginning) is not None
    return asks_or_has_told and first not in _WORDS["carrying_out"]


def _says_a_deed(clause: str) -> bool:
    """Whether a clause behind another one says what is to be done, or half says it: "find the channel and post there", "tell me
    the rooms, I will book later"."""
    words = re.findall(r"[a-z’']{1,40}", clause.lower())
    if not words or _telling().match(clause):
        return False
    return words[0] in _WORDS["speaking"]["en"] or any(map(kinds_called, words if words[0] == "to" else words[:1]))


@cache
def _carrying_out() -> re.Pattern[str]:
    """A clause behind another one by which what is read is done: "read the page, and do what it says"."""
    verbs = "|".join(map(re.escape, _WORDS["carrying_out"]))
    return re.compile(
        rf"(?:[,;:–—-]\s|\b(?:{_any('joints', 'en')})\s)\s{{0,9}}(?:{_any('polite', 'en')})?\s{{0,9}}(?:{verbs})\b", re.IGNORECASE
    )


def words_of_orders(words: str) -> frozenset[str]:
    """The words of a request by which something is ordered, in Japanese with what stands before them, and the polite ones."""
    polite = " ".join(_WORDS["polite"]["en"]).lower()
    return frozenset((*_ordered_deeds(words), *re.findall(r"[a-z]+", polite)))


def orders_no_addition(words: str, tool: str) -> bool:
    """Whether each order of the request changes something that is there (`close`, `pin`, `rename`), and a tool of this name would
    add something instead: open an issue, post a message.

    A tool named by a form of the order's verb, or in the words for what else does it, is meant by it; what the request wants
    said or made beside it is not told apart from that.
    """
    named = set(name_words(tool))
    if not named & _ADDING or not (deeds := _ordered_deeds(words)) or _wants_more(words):
        return False
    serving = [_words_of_tools_for(deed) for deed in deeds]
    return all(forms and not any(word.startswith(form) for form in forms for word in named) for forms in serving)


def orders_only_a_draft(words: str, tool: str) -> bool:
    """Whether all that the request orders is a draft, and a tool of this name would send something."""
    if "draft" in name_words(tool) or kinds_of_tool(tool).isdisjoint(_SENDING):
        return False
    orders = [*_ordering_clauses(words[:MOST_CHARS]), *_orders_in_japanese(words[:MOST_CHARS], _LONG_DEED)]
    return bool(orders) and all(_drafting().search(order) for order in orders)


_SENDING = frozenset({"mail", "send", "notify", "share"})


@cache
def _drafting() -> re.Pattern[str]:
    """An order that makes a draft; to send one, or to write that one is ready, is another."""
    between = r"(?:(?:me|us|up|out|just|only|it|this|a|an|one|two|three|some|the|my|as)\s{1,9}){0,3}(?:[a-z-]{1,20}\s{1,9}){0,2}"
    english = rf"^draft\s|^(?:{_any('drafting', 'en')})\s{{1,9}}{between}drafts?\b"
    return re.compile(rf"{english}|(?:{_any('drafting', 'ja')})[^送投共渡伝知連見]{{0,12}}$")


def asks_for_draft(words: str) -> bool:
    """Whether the request has something made or left as a draft, and has nothing published: "leave it as a draft",
    「公開しないで」."""
    request = words[:MOST_CHARS].lower()
    forbidden = {_verb_of(one) for one in _forbidding().finditer(request)}
    remainder = _forbidding().sub(" ", request)
    if any(verb in remainder for verb in _PUBLISHING):
        return False
    orders = [*_ordering_clauses(remainder), *_orders_in_japanese(remainder, _LONG_DEED)]
    kept = any(_drafting().search(order) or _PHRASES["as_a_draft"].search(order) for order in orders)
    return kept or not forbidden.isdisjoint(_PUBLISHING)


def orders_publishing(words: str) -> bool:
    """Whether the request orders something to be published: "publish it", 「記事で公開し、…に知らせて」."""
    request = words[:MOST_CHARS]
    orders = [*_ordering_clauses(request), *_orders_in_japanese(request, _LONG_DEED)]
    return any(verb in order for order in orders for verb in _PUBLISHING)


def orders_by_name(words: str, tool: str) -> bool:
    """Whether the request orders a deed with the verb that a tool's name begins with: "Lend book B3 to Ann", `lend_book`."""
    verb = _VERB_OF_NAME.match(tool)
    return verb is not None and verb[0] in _ordered_deeds(words)


_VERB_OF_NAME = re.compile(r"[a-z]+")


def orders_the_deed(words: str, deed: str) -> bool:
    """Whether the request orders in Japanese what a clause without the ending of its verb tells: 貸し出してください, B3の貸出."""
    told = _VERB_STEM.search(deed)
    sentences = (one.strip() for one in _JAPANESE_SENTENCE.split(words[:MOST_CHARS]))
    orders = (order for sentence in sentences if _request().search(sentence) for order in _orders_in_japanese(sentence))
    stems = (_VERB_STEM.search(order.rstrip("てでを")) for order in orders)
    return told is not None and any(stem and (stem[1].startswith(told[1]) or told[1].startswith(stem[1])) for stem in stems)


_VERB_STEM = lazy_pattern(
    r"([\u30a1-\u30fc]{2,20}|[\u3400-\u9fff々]{1,12})(?:[いきぎしじちびみりえけげせぜねべめれ]{1,2}[\u3400-\u9fff])?[\u3041-\u3096]{0,2}$"
)
"""The characters with which the verb at the end of a clause begins: 貸 of 貸し出し."""


def orders_otherwise(words: str, tool: str) -> bool:
    """Whether the request orders in everyday words what a tool of this name does: "call off", 「ずらして」 for `update-event`."""
    named, request = set(name_words(tool)), words[:MOST_CHARS]
    serving = [deed for deed in _WORDS["called_otherwise"].values() if not named.isdisjoint(deed["tools"])]
    if not serving:
        return False
    english = {form for deed in serving for form in deed["en"]}
    japanese = {form for deed in serving for form in deed["ja"]}
    return any(_is_said(form, clause) for clause in _ordering_clauses(request) for form in english) or any(
        form in order for order in _orders_in_japanese(request) for form in japanese
    )


def _ordering_clauses(request: str) -> Iterator[str]:
    """The clauses in English that order a deed, from the verb on, in lower case."""
    for sentence in _SENTENCE.split(request):
        for clause, inside in _clauses(sentence.strip()):
            if _ordered_verb(clause, inside=inside):
                yield clause.lower()


def _is_said(form: str, clause: str) -> bool:
    """Whether a clause begins with a verb, and holds its particle there or further on: "push the meeting back"."""
    verb, *particles = form.split()
    first, *others = re.findall(r"[a-z]+", clause) or [""]
    return first == verb and set(particles) <= set(others)


def means_choice(choice: str, words: str) -> bool:
    """Whether the request says a choice of a schema in other words: `closed` for "shut", `declined` for 「断って」."""
    said = f" {' '.join(re.findall('[a-z]+', words[:MOST_CHARS].lower()))} "
    meant = [deed for deed in _WORDS["called_otherwise"].values() if choice.lower() in deed["tools"]]
    return any(f" {form} " in said for deed in meant for form in deed["en"]) or any(
        form in words for deed in meant for form in deed["ja"]
    )


def knows_no_order(words: str) -> bool:
    """Whether the request orders something, and by no verb of which it is known what it does."""
    deeds = [deed for deed in _ordered_deeds(words) if deed.isascii()]
    return bool(deeds) and not any(kinds_called(deed) or deed in _UNDERSTOOD for deed in deeds)


_UNDERSTOOD = frozenset(_WORDS["changing_what_is_there"]["en"]) | frozenset(
    form for deed in _WORDS["called_otherwise"].values() for form in deed["en"]
)


def wondered_in(words: str) -> tuple[str, ...]:
    """What the request asks the possibility of, which may be an order or a question: "Is it possible to message Kenta?"."""
    pieces = _QUESTION.findall(words[:MOST_CHARS])
    english = (_whether_it_can().match(piece.strip()) for piece in pieces)
    japanese = (piece for piece in pieces if piece.rstrip("?？。 ").endswith(tuple(_WORDS["whether_it_can"]["ja"])))
    return (*(found["deed"] for found in english if found), *japanese)


_QUESTION = re.compile(r"[^.!?\n。！？]{1,400}[.!?。！？]?")


@cache
def _whether_it_can() -> re.Pattern[str]:
    polite = rf"(?:(?:{_any('polite', 'en')})[\s,]{{1,9}}){{0,4}}"
    return re.compile(rf"{polite}(?:{_any('whether_it_can', 'en')})\s{{1,9}}(?P<deed>.{{1,400}})", re.IGNORECASE)


def forbids(words: str, tool: str, arguments: JsonObject | None = None) -> Literal["", "ask", "deny"]:
    """What is to be decided where the request says not to do what a tool of this name does ("don't send it yet").
    `arguments`: of the call; one that saves a draft does not publish it.

    A person is asked where it says to whom not to do it, or also to do it ("send it to Kenta, but don't send it to Mari"): of
    whom that holds is not told apart.
    """
    request, named = words[:MOST_CHARS].lower(), set(name_words(tool))
    matches = [one for one in _forbidding().finditer(request) if not named.isdisjoint(_tools_for(_verb_of(one)))]
    if keeps_a_draft(arguments or {}):
        matches = [one for one in matches if _verb_of(one) not in _PUBLISHING]
    if not matches:
        return ""
    remainder = _forbidding().sub(" ", request)
    bare = [one for one in matches if _verb_of(one) not in remainder and not any(to in one[0] for to in _TO_WHOM)]
    return "deny" if bare else "ask"


def keeps_a_draft(arguments: JsonObject) -> bool:
    """Whether arguments say that what a call makes or changes is a draft."""
    flags = {name.lower(): value for name, value in arguments.items()}
    return any(flags.get(name) is True for name in _WORDS["draft_flags"]) or flags.get("status") == "draft"


_PUBLISHING = frozenset({*_WORDS["publishing"]["en"], *_WORDS["publishing"]["ja"]})


def forbidden_in(words: str) -> list[str]:
    """The clauses that say what not to do."""
    return [found[0] for found in _forbidding().finditer(words[:MOST_CHARS].lower())]


_TO_WHOM = (*_WORDS["to_whom"]["en"], *_WORDS["to_whom"]["ja"])


def _verb_of(forbidding: re.Match[str]) -> str:
    """A verb without the ending that it has behind "without", or behind a Japanese one's characters."""
    return forbidding["ja"] or forbidding["en"].removesuffix("ing")


def _tools_for(verb: str) -> frozenset[str]:
    """The words by which tools are called that do it."""
    return frozenset({verb, f"{verb}e", *kinds_called(verb)})


@cache
def _forbidding() -> re.Pattern[str]:
    """The clauses that order not to do something, with the verb; "if they don't reply" orders nothing."""
    begins = rf"(?:^|[.,;:!?(\n–—-]|\b(?:{_any('joints', 'en')}|{_any('polite', 'en')}))\s{{0,9}}"
    order = rf"(?:{begins}(?:{_any('forbidding', 'en')})|\bwithout)\s{{1,9}}(?:(?:yet|ever|[a-z]{{2,20}}ly)\s{{1,9}})?"
    behind = rf"{order}(?P<en>[a-z]{{2,20}})[^,;!?\n]{{0,80}}"
    clause = r"[^。、！？!?\nてが\s]{0,40}"
    before = rf"{clause}?(?P<ja>[\u30a1-\u30fc\u3400-\u9fff]{{1,12}})[\u3041-\u309f]{{0,3}}(?:{_any('forbidding', 'ja')})"
    return re.compile(f"{behind}|{before}")


def _words_of_tools_for(deed: str) -> tuple[str, ...]:
    """How the words begin by which tools are called that do what is ordered; empty where the verb is not one of those that only
    change what is there."""
    verbs: dict[str, dict[str, list[str]]] = _WORDS["changing_what_is_there"]
    if deed in verbs["en"]:
        return (deed.removesuffix("e"), *verbs["en"][deed])
    return next((tuple(tools) for verb, tools in verbs["ja"].items() if verb in deed), ())


def _wants_more(words: str) -> bool:
    request = f" {' '.join(re.findall(r'[a-z]+', words[:MOST_CHARS].lower()))} "
    phrases = _WORDS["new_beside_it"]
    return any(f" {word} " in request for word in phrases["en"]) or any(word in words for word in phrases["ja"])


_ADDING = frozenset(_WORDS["adding_tools"])


@lru_cache(maxsize=64)
def _ordered_deeds(words: str) -> tuple[str, ...]:
    """The verb of each order in English, and the characters that hold it in Japanese."""
    request = words[:MOST_CHARS]
    clauses = (one for sentence in _SENTENCE.split(request) for one in _clauses(sentence.strip()))
    english = (_ordered_verb(clause, inside=inside) for clause, inside in clauses)
    return (*filter(None, english), *_orders_in_japanese(request))


def is_put_into(value: str, words: str) -> bool:
    """Whether the request says that something goes into what it calls so: "into report.md", 「report.mdに」."""
    name, request = re.escape(value.lower()[:_LONGEST_NAME]), words[:MOST_CHARS].lower()
    before = rf"\b(?:{_any('put_into', 'en')})\s{{1,9}}[\"'`「]?{name}(?![A-Za-z0-9_/-])"
    behind = rf"(?<![A-Za-z0-9_/.-]){name}[」`]?(?:{_any('put_into', 'ja')})(?!{_any('at_rest', 'ja')})"
    return re.search(f"{before}|{behind}", request) is not None


_LONGEST_NAME = 200


def order_ahead(text: str) -> str:
    """The clause that a text in English ends in, from the verb by which it orders something; empty where it orders nothing."""
    *_, (clause, is_joined) = _clauses(_SENTENCE.split(text)[-1].lstrip())
    return clause.lower() if _ordered_verb(clause, inside=is_joined) else ""


def order_behind(text: str) -> str:
    """The order in Japanese that goes on behind those to whom or where something is to be done, from their particle on; empty
    where there is none, or it is about what is or was there (#general に投稿された話を送って)."""
    text = _behind_particle().sub(r"\1", text)
    order = next(_orders_in_japanese(_JAPANESE_CLAUSE.split(text)[0], MOST_CHARS), "") if _JAPANESE_LETTER.search(text) else ""
    return order if _towards().fullmatch(order) else ""


_JAPANESE_LETTER = re.compile(r"[\u3041-\u309f]")


@cache
def _behind_particle() -> re.Pattern[str]:
    """The particle of those to whom something is done, with a comma behind it."""
    return re.compile(rf"^(\s*(?:{_any('to_others', 'ja')}))、\s*")


@cache
def _towards() -> re.Pattern[str]:
    quoted = rf"「[^」]{{0,200}}」(?:{_any('quoting', 'ja')})|[^、。をに]{{1,40}}(?:だ|です|ます)(?:と|って)"
    what = rf"{quoted}|[^、。にたるいう]{{1,15}}[をで]"
    particle = rf"\s*(?:{_any('to_others', 'ja')})(?!{'|'.join(_WORDS['at_rest']['ja'])})\s*"
    return re.compile(rf"{particle}(?:{what}){{0,2}}[^、。にをたるいう]{{1,8}}")


def begins_no_order(word: str) -> bool:
    """Whether it is an article, a pronoun, a preposition or the like, in lower case."""
    return word in _WORDS["no_order"]["en"]


def _clauses(sentence: str) -> Iterator[tuple[str, bool]]:
    """The beginnings of a sentence and of what is joined to it, without the polite words before the verb."""
    for number, clause in enumerate(_joint().split(sentence)):
        beginning = _LIST_MARK.sub("", clause.strip())
        if gerund := _gerund().match(beginning):
            base = base_of_gerund(gerund["verb"], lambda verb: bool(kinds_called(verb)) or verb in _UNDERSTOOD)
            yield f"{base}{beginning[gerund.end() :]}", number > 0
            continue
        polite = _polite().match(beginning)
        yield beginning[polite.end() if polite else 0 :], number > 0


def _ordered_verb(clause: str, *, inside: bool) -> str:
    """The verb that a clause begins with and that orders a deed; empty if none. `inside`: behind another clause, where a noun may
    as well begin, so that an object has to follow."""
    found = _BEGINS.match(clause)
    if found is None or begins_no_order(found["verb"].lower()) or _telling().match(clause):
        return ""
    verb, following = found["verb"].lower(), (found["next"] or "").lower()
    if _is_no_verb(verb) or following in _WORDS["behind_a_noun"]["en"] or following.endswith("ed"):
        return ""
    has_object = following in _WORDS["before_an_object"]["en"] or _OBJECT.match(clause[found.end("verb") :])
    return verb if not inside or has_object else ""


def _is_no_verb(word: str) -> bool:
    """Whether no order is spelled so: a plural, a gerund, a past."""
    return (word.endswith("s") and not word.endswith("ss")) or (len(word) > _SHORTEST_FORM and word.endswith(("ing", "ed")))


_LIST_MARK = re.compile(r"^[-*•+]\s{1,9}")
_SHORTEST_FORM = 5
"""Letters: `bring`, `feed` and `embed` are verbs as they stand."""
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|[\n。！？]")
_BEGINS = re.compile(r"(?P<verb>[A-Za-z]{1,40}(?:-[A-Za-z]{1,40})?)(?![^\s,:!?)\"'’])(?:\s{1,9}(?P<next>[A-Za-z]{0,40}))?")
_OBJECT = re.compile(r"\s{1,9}(?:[\"'“‘「`#@\d]|[A-Z])")
"""What is quoted, numbered, called by name."""


@cache
def _joint() -> re.Pattern[str]:
    """A comma or a word by which another clause is joined."""
    words = _any("joints", "en")
    return re.compile(rf",\s{{1,9}}(?:(?:{words})\s{{1,9}})?|\s{{1,9}}(?:{words})\s{{1,9}}", re.IGNORECASE)


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_any('polite', 'en')})[\s,]{{1,9}}){{0,4}}", re.IGNORECASE)


@cache
def _gerund() -> re.Pattern[str]:
    """A gerund behind the polite words that take one: would you mind posting."""
    introducing = rf"(?:{_polite().pattern})(?:{_any('before_a_gerund', 'en')})"
    return re.compile(rf"{introducing}\s{{1,9}}(?P<verb>[a-z]{{2,20}}ing)\b", re.IGNORECASE)


@cache
def _telling() -> re.Pattern[str]:
    return re.compile(rf"(?:{_any('telling', 'en')})(?![A-Za-z])", re.IGNORECASE)


@cache
def _request() -> re.Pattern[str]:
    """The ending of a Japanese request: ～てください, ～ていただけると助かります, ～をお願いいたします, お～ください."""
    form, nouns, humble = _any("request_forms", "ja"), _any("asked_for", "ja"), _any("humble_endings", "ja")
    ending = r"[\u3041-\u309f]{0,8}$"
    thanks = rf"[\u3041-\u309f]{{0,6}}(?:{_any('conditions', 'ja')})(?:{_any('thankful_endings', 'ja')}){ending}"
    te_form = rf"(?<=[\u3041-\u309f\u4e00-\u9fff])[てで](?:{form})(?:{ending}|{thanks})"
    named = r"(?<=[おご御])[\u3041-\u309f\u30a1-\u30fc\u3400-\u9fff]{1,6}"
    honorific = rf"{named}(?=(?:{_any('honorific_requests', 'ja')}){ending})"
    return re.compile(rf"{te_form}|(?:{nouns})(?:{humble})?{ending}|{honorific}")


def _any(kind: str, language: str) -> str:
    """Any of these words, the longest first."""
    return "|".join(re.escape(one) for one in sorted(_WORDS[kind][language], key=len, reverse=True))


_VERB, _DEED, _LONG_DEED = 5, 9, 20
"""Characters before the ending of a Japanese request, where its verb stands; with those of a loanword before it; with its
object."""


def _orders_in_japanese(words: str, length: int = _DEED) -> Iterator[str]:
    """The end of each clause in Japanese that is a request whose verb does not ask to be told; `length`: of how many
    characters."""
    for sentence in _JAPANESE_SENTENCE.split(words):
        clauses = [clause.strip() for clause in sentence.split("、")]
        orders = [_order_ending(clause) for clause in clauses]
        for at, (clause, order) in enumerate(zip(clauses, orders, strict=True)):
            is_joined = not order and any(orders[at + 1 :]) and _joins_the_next(clause, clauses[at + 1 :])
            order = clause if is_joined else order
            asks_to_be_told = any(word in order[-_VERB:] for word in _WORDS["telling"]["ja"])
            if order and (_tells_others().search(order) or not asks_to_be_told):
                yield order[-length:]


def _order_ending(clause: str) -> str:
    """A clause up to the verb by which it requests something; empty where it requests nothing."""
    if clause.endswith(tuple(_WORDS["asking"]["ja_plain"])) and not _has_form_of_request(clause):
        return ""  # its で would pass for that of an order
    if ending := _request().search(clause):
        return clause[: ending.start() + 1] if ending[0][0] in "てで" else clause[: ending.end()]
    imperative = _imperative().search(clause)
    return f"{clause[: imperative.start()]}{_joining_forms().get(imperative[0], imperative[0])}" if imperative else ""


def _joins_the_next(clause: str, following: Sequence[str]) -> bool:
    """Whether a clause ends in a verb of a deed that is requested together with what follows: 記事を公開し、…に知らせて.

    Of 健太さんが公開し、承認された記事 it is told, and not requested."""
    doer = any(f"{one}{particle}" in clause for one in _WORDS["doers"]["ja"] for particle in "がはも")
    return not doer and _joining().search(clause) is not None and not any(_SPEAKS_OF.search(one) for one in following)


_SPEAKS_OF = _PHRASES["speaks_of_a_deed"]


@cache
def _joining() -> re.Pattern[str]:
    verbs = "|".join(map(joining, _WORDS["deeds"]["ja"]))
    return re.compile(rf"(?:{verbs}|(?:[\u3400-\u9fff々]{{2}}|[\u30a1-\u30fc]{{2}})し)$")


@cache
def _joining_forms() -> dict[str, str]:
    """Each plain imperative of a verb that is known, with the form in which it is looked for."""
    return {form: joining(verb) for verb in _WORDS["deeds"]["ja"] for form in imperatives(verb)}


@cache
def _imperative() -> re.Pattern[str]:
    forms = "|".join(sorted(_joining_forms(), key=len, reverse=True))
    return re.compile(rf"(?:{forms}|(?:[\u3400-\u9fff々]{{2}}|[\u30a1-\u30fc]{{2}})(?:{_any('plain_orders', 'ja')}))$")


@cache
def _tells_others() -> re.Pattern[str]:
    """What asks to tell somebody else, by name or by a means: 真理さんにDMで知らせて. To 教えて there belongs whoever asks."""
    means = r"(?<![A-Za-zァ-ヶー])(?=[A-Za-zァ-ヶ])[A-Za-zァ-ヶー]{2,20}で"
    others = "".join(f"(?<!{one})" for one in _WORDS["oneself"]["ja"])
    adverb = r"\s*[^、。にをたるいうながはか]{1,4}(?=知|お知)"
    between = rf"「[^」]{{0,200}}」(?:{_any('quoting', 'ja')})?|{means}|[^、。にたるいう]{{1,15}}を|{adverb}"
    return re.compile(rf"(?:{others}(?:{_any('to_others', 'ja')})|{means})(?:{between}){{0,3}}(?:{_any('informing', 'ja')})$")


def _has_form_of_request(clause: str) -> bool:
    return any(form and form in clause for kind in ("request_forms", "asked_for") for form in _WORDS[kind]["ja"])


_JAPANESE_SENTENCE = re.compile(r"[。！？!?\n]")
_JAPANESE_CLAUSE = re.compile(r"[。、！？!?\n]")
