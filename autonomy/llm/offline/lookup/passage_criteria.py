"""Decides whether a passage answers a question: by its kind of fact, its time and its people."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autonomy.llm.machine_orders import orders_a_machine
from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.lookup.documents import STEP
from autonomy.llm.offline.lookup.question_words import KANJI
from autonomy.llm.offline.lookup.word_matching import holds_word, tells
from autonomy.llm.offline.lookup_words import (
    ASKING,
    alternatives,
    base_of,
    counts,
    form_of,
    gives_a_reason,
    holds_duration,
    holds_number,
    is_general,
    is_irregular,
    is_recipient,
    is_thing,
    is_verb,
    relations_in,
    relations_of,
    says_where,
    without_requests,
)
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.result_items import authors, moment_of, names_of, text_of
from autonomy.llm.offline.time_expressions import begins_ahead, spans_in
from autonomy.llm.offline.vocabulary import FIELDS, LANGUAGES
from discovery.catalog import JsonObject
from discovery.text.search_terms import stem
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_SPEAKING = re.compile("|".join(words.speaking for words in LANGUAGES.values()), re.IGNORECASE)
"""What asks for somebody's own words: nobody else's tell them."""
QUESTION_ENDINGS = tuple({ending for words in LANGUAGES.values() for ending in words.question_endings})
"""How a sentence ends that tells nothing."""
SENTENCE = re.compile(r"(?:[^.?!。？！]|[.?!](?=\d))++(?:[.?!。？！]|$)\s*|[.?!。？！]")
"""A sentence with its end; the point of 2.5 ends none."""
_LISTED = re.compile(r"[^:：.。\n]{1,30}[:：]")
"""Begins a text that lists what its first words name."""
_PARTS = re.compile(r": | - ")
"""What stands behind a colon, or in a list below a heading, is told by itself."""
_BEGINNING = re.compile(r"(?:^|(?<=[.!?:,;]))\s*")
"""Where a clause begins, in English with a verb if it is an order."""
_IDS = re.compile(r"#\d+|\bv\d+(?:\.\d+)+\S*")
"""Numbers that name something, and count nothing."""
_BY_ITSELF = dict(zip("かがまらわ", "けげめれえ", strict=True))
"""The kana in which the stem ends of a verb for what happens, and that of the verb for what somebody does (見つか, 見つけ)."""
_NUMBERED = re.compile(r"(?:^|[\s。])\d[.)]\s", re.MULTILINE)
"""Begins a step, in a line of its own or not."""


@dataclass(frozen=True)
class PassageCriteria:
    """What the passages must be that answer one question."""

    question: Question
    filler: ArgumentFiller
    takes_plans: bool = False
    """Whether the time of day for which something was planned tells when it was."""

    @property
    def asks_own_words(self) -> bool:
        """Whether it asks for what somebody said himself."""
        return _SPEAKING.search(self.question.text) is not None

    def in_time(self, item: JsonObject) -> bool:
        """Whether an item is of a time that the question names, or it names none; of one to come, whether its text names it."""
        moment, times = moment_of(item, self.filler.zone), self.question.times
        if self.question.hours:
            begin, end = self.question.hours
            return bool(moment and begin <= moment.time() <= end and any(span.covers(moment) for span in times))
        if times and moment and all(span.first > self.question.today for span in times):
            told = spans_in(text_of(item), moment.date())
            return all(any(span.holds(one.first) and span.holds(one.last) for one in told) for span in times)
        ahead = moment is not None and begins_ahead(text_of(item), moment.date())
        if times and moment and ahead and _LISTED.match(text_of(item)) and not self.asks_own_words:  # 明日やること：
            return any(span.holds(spans_in(text_of(item), moment.date())[0].first) for span in times)
        return not times or bool(moment and any(span.covers(moment) for span in times))

    def answers(self, text: str, words: Sequence[str], said: str = "") -> bool:
        """Whether a text holds all words, and a number beside them where one is asked for; it neither asks nor orders.

        `said`: the part of it that has to hold the number, as a document's path is full of dates."""
        if orders_a_machine(text) or not self.lists_steps(said or text) or not self.question.has_its_form_in(said or text):
            return False
        asked = self.question.asks_who_asked and text.rstrip().endswith(QUESTION_ENDINGS)
        if text.rstrip().endswith(QUESTION_ENDINGS) and not asked:
            text = SENTENCE.sub(lambda one: "" if one.group().rstrip().endswith(QUESTION_ENDINGS) else one.group(), text)
        if ASKING not in self.question.relations:
            text = SENTENCE.sub(lambda one: "" if _PHRASES["asks_to_be_told"].search(one.group()) else one.group(), text)
        if self.question.asks_what_was and self._is_only_wished(said or text, words):
            return False
        if self._is_only_supposed(f"{text} {said}" if said and said not in text else text, words):
            return False
        if self._denies_it(said or text, words) or self._leaves_doer_open(said or text) or self._was_planned_for(text):
            return False
        if not self.question.asks_clock and self.question.unit_of_time not in (said or text):
            return False  # how many minutes it took is not told in seconds
        if self.question.asks_with_whom and not self._tells_with_whom(text):
            return False
        planned = self.takes_plans and _PHRASES["tells_clock"].search(said or text) is not None
        if self.question.asks_when_done and not planned and not _PHRASES["tells_what_was"].search(text):
            return False  # what is planned for an hour has not been done then
        if not all(tells(text, word) for word in self.question.written_to):
            return False  # it is not by its author's writing it that somebody was written to
        remainder, unit = said or text, self.question.unit_of_time
        for word in words:
            remainder = (
                re.sub(re.escape(word), " ", remainder, flags=re.IGNORECASE) if not unit or unit not in word else remainder
            )
        was = self.question.asks_when_bare and _PHRASES["tells_what_was"].search(text) is not None
        fits = not self.question.wants_number or self.question.asks_when or was or self._counts(remainder, said or text)
        when = not self.question.asks_when or self.question.asks_when_done or was or self._tells_time(said or text)
        fits = fits and when and self._is_numbered(said or text)
        names_doer = asked or not self.question.asks_who or self.question.has_its_deed_in(said or text)
        reason = not self.question.asks_why or gives_a_reason(said or text) or _explains(said or text, words)
        place = not self.question.asks_where or says_where(said or text)
        return (
            fits and names_doer and reason and place and all(tells(text, word) and self._is_told_of(text, word) for word in words)
        )

    def leaves_object_open(self, text: str, words: Sequence[str]) -> bool:
        """Whether it is asked to what somebody did something, and a text does not tell it (Approved. I am glad), or only by a
        word that points elsewhere (I am removing it)."""
        if len(words) != 1 or _PHRASES["asks_what_was_done"].search(self.question.text) is None:
            return False
        if not is_verb(words[0], self.question.text):
            return False
        told = [one for other in alternatives(words[0]) for one in _deeds_in(text, other)]
        return bool(told) and not any(told)

    def _is_told_of(self, text: str, word: str) -> bool:
        """Whether a text tells of a deed of the question: not as still to be done, where it asks who has done it, nor by a
        noun that holds its one character (変 in 変更)."""
        if not is_verb(word, self.question.text):
            return True
        if word.isascii():
            return not (self._asks_of_what_was(word) and _is_still_ahead(text, word))
        was_done = re.search(rf"{word}[\u3041-\u309f]{{0,4}}[ただ]", self.question.text) is not None
        if self.question.asks_who_did and was_done and _happens_by_itself(self.question.text, text, word):
            return False
        asked_for = was_done and self.question.asks_who_did and ASKING not in relations_in(" ".join(alternatives(word)))
        if asked_for and not any(one in without_requests(text) for one in alternatives(word)):
            return False  # who is asked to do it has not done it by that
        if relations_of(word):
            return True  # 承認します is the deed itself
        if self.question.asks_who_did and was_done and _is_to_be_done(text, word):
            return False
        if len(word) > 1:
            done = any(map(_PHRASES["makes_a_deed"].search, _behind(self.question.text, word)))
            told = [behind for one in alternatives(word) for behind in _behind(text, one)]
            return not (done and told) or not all(map(_PHRASES["leads_to_a_noun"].search, told))
        alone = rf"(?:(?<![{KANJI}])|(?<=\d[{KANJI}])){re.escape(word)}(?![{KANJI}])"
        return re.search(alone, text) is not None or any(one in text for one in alternatives(word) if one != word)

    def _asks_of_what_was(self, verb: str) -> bool:
        """Whether it asks who did what an English verb says, or when, where or why that was."""
        question = self.question
        did = _PHRASES["did"].search(question.text)
        past = verb.endswith("ed") or is_irregular(verb) or (did and verb in question.text[did.end() :])
        typed = question.asks_who_did or (question.asks_for_one and question.asks_what_was)
        return bool(past) and typed and not is_thing(verb, question.text)

    def lists_steps(self, text: str) -> bool:
        """Whether a text holds a list of steps, where one of them is asked for by its place."""
        return not self.question.asks_for_a_step or len(_NUMBERED.findall(text)) > 1

    def _is_only_wished(self, text: str, words: Sequence[str]) -> bool:
        """Whether the sentences that hold most of the words tell what somebody would like, where it is not that which is asked
        for."""
        if self.asks_own_words or self.question.asks_for_a_wish:
            return False
        telling = [word for word in words if not is_general(word)]
        counts = [(sum(tells(one.group(), word) for word in telling), one.group()) for one in SENTENCE.finditer(text)]
        most = max((count for count, _ in counts), default=0)
        return most > 0 and all(_PHRASES["tells_a_wish"].search(one.rstrip()) for count, one in counts if count == most)

    def _is_only_supposed(self, text: str, words: Sequence[str]) -> bool:
        """Whether the sentences that hold most of the words tell what is so under a condition, or as a rule, where it is asked
        what has happened."""
        of_a_rule = self.asks_own_words or self.question.asks_for_a_rule
        if of_a_rule or _PHRASES["asks_of_a_deed"].search(self.question.text) is None:
            return False
        telling = [word for word in words if not is_general(word)]
        sentences = [part for one in SENTENCE.finditer(text) for part in _PARTS.split(one.group())]
        counts = [(sum(tells(one, word) for word in telling), one) for one in sentences]
        most = max((count for count, _ in counts), default=0)
        verbs = [word for word in telling if is_verb(word, self.question.text)]
        deeds = verbs if self.question.asks_who_did else []
        of_it = [
            one for one in sentences if any(tells(one, word) for word in deeds)
        ]  # who ate the miso: where it tells of eating
        if of_it and all(self._is_supposed(one, telling) for one in of_it):
            return True
        counted = [one for one in sentences if self.question.wants_number and any(tells(one, word) for word in verbs)]
        if counted and all(map(_PHRASES["tells_what_may_be"].search, counted)):
            return True
        return most > 0 and all(self._is_supposed(one, telling) for count, one in counts if count == most)

    @property
    def _names(self) -> set[str]:
        return {name for one in self.filler.listed("user") for name in names_of(one)}

    def _was_planned_for(self, text: str) -> bool:
        """Whether it is asked at what hour something was done, and a text tells that it was planned, by a verb of its own."""
        if not (self.question.asks_clock and self.question.asks_when_done) or self.takes_plans:
            return False
        plan = _PHRASES["tells_a_plan"].search(text)
        return plan is not None and not tells(self.question.text, plan["deed"])

    def _leaves_doer_open(self, text: str) -> bool:
        """Whether it is asked who does something, and a text is a step, or several, that tells only what is to be done."""
        if not self.question.asks_who or self.question.asks_for_a_rule or not STEP.match(text):
            return False
        return not any(holds_word(text, part) for name in self._names for part in name.split())

    def _denies_it(self, text: str, words: Sequence[str]) -> bool:
        """Whether the sentences that hold most of the words deny a verb that the question does not: when it changes is not told
        by that it does not."""
        if not self.question.asks_openly or _PHRASES["denies"].search(self.question.text):
            return False
        sentences = SENTENCE.findall(text)
        most = max((sum(tells(one, word) for word in words) for one in sentences), default=0)
        nearest = " ".join(one for one in sentences if sum(tells(one, word) for word in words) == most)
        verbs = [word for word in words if is_verb(word, self.question.text) and not is_general(word)]
        return most > 1 and any(told and all(told) for told in ([*_denials(nearest, verb)] for verb in verbs))

    def _is_supposed(self, sentence: str, words: Sequence[str]) -> bool:
        """Whether a sentence tells of a condition, or holds a verb of the question as what happens whenever it does."""
        if _PHRASES["tells_a_condition"].search(sentence):
            return True
        verbs = [one for word in words if is_verb(word, self.question.text) for one in alternatives(word) if one.isascii()]
        verbs += ["go", "come", "get"] if _PHRASES["asks_whether_it_is_back"].search(self.question.text) else []
        always = [re.sub(r"^(\w+?)(?<!s)\b", r"\1(?:e?s)", re.escape(one), count=1) for one in verbs]
        ruled = any(re.search(rf"\b{one}\b", sentence, re.IGNORECASE) for one in always)
        return ruled and _PHRASES["tells_what_was"].search(sentence) is None

    def _tells_with_whom(self, text: str) -> bool:
        """Whether a text says that somebody who is known was there, too: with Priya, 結衣さんと."""
        names = {str(item[key]) for item in self.filler.listed("user") for key in FIELDS.person if item.get(key)}
        parts = "|".join(re.escape(part) for name in names for part in name.split())
        found = list(re.finditer(parts, text)) if parts else []
        behind, before = _PHRASES["behind_a_companion"], _PHRASES["before_a_companion"]
        return any(behind.match(text[one.end() :]) or before.search(text[: one.start()]) for one in found)

    def _counts(self, text: str, whole: str) -> bool:
        """Whether a text holds the kind of number that is asked for: a duration, one with its unit, or any but an id.

        `whole`: the text with the question's words, beside one of which an English number has to stand."""
        if _PHRASES["asks_for_money"].search(self.question.text):
            return True  # it holds a sum, as the form of the question wants
        plain = text if self.question.asks_for_id else _IDS.sub(" ", text)
        if self.question.asks_how_long:
            return holds_duration(plain)
        if self.question.counted:
            of_so_many = rf"\b{self.question.counted_of}\b" if self.question.counted_of else r"(?!)"
            return counts(re.sub(of_so_many, " ", whole, flags=re.IGNORECASE), self.question.counted)
        if self.question.unit:
            least = 2 if self.question.asks_for_each else 1
            return len(re.findall(rf"\d\s*{self.question.unit}", plain)) >= least
        return holds_number(plain)

    def _tells_time(self, text: str) -> bool:
        """Whether a text names a time of day; or, where none is asked for, a day or how long until then."""
        if _PHRASES["tells_clock"].search(text) is not None:
            return True
        return not self.question.asks_clock and (bool(spans_in(text, self.filler.today)) or holds_duration(text))

    def _is_numbered(self, text: str) -> bool:
        """Whether a text tells the number of the kind of thing whose number is asked for (which hold number)."""
        noun = self.question.numbered
        return not noun or re.search(rf"{re.escape(noun)}\W{{0,3}}\d", text, re.IGNORECASE) is not None

    def tells_which(self, text: str, words: Sequence[str], *, noun: bool = False) -> bool:
        """Whether a passage names one of several where the question asks which: by a number, or a name that it did not know.

        `noun`: an English one has to say of what, as a reply may name something else."""
        if (which := self.question.which) is None:
            return True
        remainder = text
        for word in words:
            remainder = remainder.replace(word, " ")
        if form := form_of(which[0]):
            began = not self.question.asks_since_which or _PHRASES["tells_since_which"].search(remainder) is not None
            return began and form.search(remainder) is not None
        if which[1].search(remainder) is None or not which[0].isascii():
            return which[1].search(remainder) is not None or _is_compound(text, which[0])
        alternative = next((one for one in alternatives(which[0]) if holds_word(text, one)), "")
        return not noun if not alternative else _is_named(text, alternative)

    def is_by(self, item: JsonObject, people: Mapping[str, set[str]], text: str, *, author: bool = False) -> bool:
        """Whether the people are the author or named in the passage itself; `author`: one of them must be the author.

        Whoever is asked about as the one that it was written to has to be addressed."""
        doers = {word: names for word, names in people.items() if not is_recipient(word, self.question.text)}
        by = [word for word, names in doers.items() if authors(item) & names]
        others = [word for word in people if word not in by]
        named = all(holds_word(text, word) if word in doers else is_addressed(text, word) for word in others)
        return named and bool(by or not doers or not author) and self.names_another(item, text, people)

    def names_another(self, item: JsonObject, text: str, people: Mapping[str, set[str]]) -> bool:
        """Whether it is by somebody, or names somebody, whom the question does not name, where it asks who (with Owen)."""
        known = {name for names in people.values() for name in names}
        if not (self.question.asks_who and known) or not authors(item) & known:
            return True
        if any(found.group() not in known for found in _PHRASES["somebody_honoured"].finditer(text)):
            return True
        others = [one for one in self.filler.listed("user") if not names_of(one) & known]
        return any(holds_word(text, part) for one in others for name in names_of(one) for part in name.split())


def _explains(text: str, words: Sequence[str]) -> bool:
    """Whether a colon stands behind what is asked about: the slow search: it reads all of them."""
    before = text.rpartition(": ")[0]
    return any(tells(before, word) for word in words if not is_general(word))


def _deeds_in(text: str, verb: str) -> Iterator[bool]:
    """For each time that a text tells of a deed, whether it names to what it was done."""
    if not verb.isascii():
        for found in re.finditer(re.escape(verb), text):
            before = re.split(r"[。！!？?\n]", text[: found.start()])[-1]
            yield _PHRASES["names_an_object"].search(before) is not None
        return
    for found in re.finditer(rf"\b{re.escape(stem(verb))}\w*", text, re.IGNORECASE):
        behind = text[found.end() :].strip()
        passive = _PHRASES["leads_to_a_passive"].search(text[: found.start()]) is not None
        yield passive or (bool(behind) and _PHRASES["names_no_object"].match(behind) is None)


def _happens_by_itself(question: str, text: str, verb: str) -> bool:
    """Whether it is asked who did something, and a text tells with the other verb of the pair that it happened (見つかる)."""
    did, happened = _PHRASES["tells_a_deed_with_a_doer"], _PHRASES["behind_a_deed_without"]
    roots = [found["root"] for behind in _behind(question, verb) if (found := did.match(verb[-1] + behind))]
    told = [behind for behind in _behind(text, verb) if roots and behind.startswith(roots[0])]  # 見せる is no 見つける
    same = alternatives(verb)
    by_others = [one[-1] in _BY_ITSELF and f"{one[:-1]}{_BY_ITSELF[one[-1]]}" in same for one in same if one in text]
    return (bool(told) and all(map(happened.match, told))) or (bool(by_others) and all(by_others))


def _denials(text: str, verb: str) -> Iterator[bool]:
    """For each time that a text holds a verb, whether it denies it: 変わらない, does not change."""
    for one in alternatives(verb):
        pattern = rf"\b{re.escape(stem(one))}\w*" if one.isascii() else re.escape(one)
        for found in re.finditer(pattern, text, re.IGNORECASE):
            before, behind = _PHRASES["before_what_is_denied"], _PHRASES["behind_what_is_denied"]
            yield bool(before.search(text[: found.start()]) if one.isascii() else behind.match(text[found.end() :]))


def _is_still_ahead(text: str, verb: str) -> bool:
    """Whether a text tells of an English deed only as of one to come, or orders it (I will show them around, ship it)."""
    root = re.escape(stem(base_of(verb)))
    base = rf"(?:{root}e?|{root[:-1]})" if root[-1:] == root[-2:-1] else rf"{root}e?"  # ship of shipped
    deeds = re.findall(rf"\b(?:{root}\w*|{base}\b)", text, re.IGNORECASE)
    leads = {one.end() for kind in (_PHRASES["before_a_deed_to_come"], _BEGINNING) for one in kind.finditer(text)}
    found = [verb_there for at in leads if (verb_there := re.match(rf"{base}\b", text[at:], re.IGNORECASE))]
    ahead = [one for one in found if not _PHRASES["is_a_subject"].search(one.string[one.end() :])]
    return 0 < len(deeds) <= len(ahead)


def _behind(text: str, word: str) -> list[str]:
    """What stands behind a word, each time that a text holds it."""
    return [text[found.end() :] for found in re.finditer(re.escape(word), text)]


def _is_to_be_done(text: str, verb: str) -> bool:
    """Whether a text tells of a deed only as of one to come (入れるのは気づいた人で)."""
    deeds = _behind(text, verb)
    return bool(deeds) and all(_PHRASES["behind_what_is_to_be_done"].match(behind) for behind in deeds)


def is_addressed(text: str, name: str) -> bool:
    """Whether a message speaks to somebody: @Leo, or his name at its beginning."""
    begun = text.lstrip("- ").casefold().partition(name.casefold())
    return f"@{name}".casefold() in text.casefold() or (
        not begun[0] and _PHRASES["behind_an_address"].match(begun[2]) is not None
    )


def _is_named(text: str, noun: str) -> bool:
    """Whether a text has a name or number right beside a noun: Hold 88213, Alder Lane library."""
    # each word in one way (`?>`), and few of them: a text is somebody else's, and a row of numbers would take for ever
    kind, name = re.escape(stem(noun)), r"(?>(?-i:[A-Z])\w+|#?\w*\d\w*)"
    behind, before = rf"\b{kind}\w*[ :#-]{{1,2}}{name}", rf"(?:^|(?<=[\w,;] )){name}(?: {name}){{0,5}}\s{{1,9}}{kind}"
    return re.search(f"{behind}|{before}", text, re.IGNORECASE) is not None


def _is_compound(text: str, noun: str) -> bool:
    """Whether a text holds a Japanese noun as the last part of a longer word, which tells which one it is (検証環境)."""
    return not noun.isascii() and re.search(rf"[{KANJI}\u30a1-\u30ff]{{2}}{re.escape(noun)}", text) is not None
