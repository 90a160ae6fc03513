"""Holds a question and tells what it asks for, by its form."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, time

from autonomy.llm.offline.lookup_words import ASKING, is_verb, tells_of_relation, with_single_words
from autonomy.llm.offline.questions.word_cutting import (
    CLAUSE,
    FUNCTION_WORDS,
    KANA,
    KANJI,
    PARTICLES,
    VERB,
    stands_alone,
    without_words,
)
from autonomy.llm.offline.time_expressions import TimeSpan, without_spans
from autonomy.llm.offline.vocabulary import ARGUMENT_ENDINGS, CONCEPTS, LANGUAGES, LIGHT_WORDS, Comparison, either, terms
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_ACTIONS, _NEGATIONS, _UNSUPPORTED = either("actions"), either("negations"), either("unsupported")
_REFERENCES = either("references")
_UNREAD_TIMES, _POSITIONS = either("unread_times"), either("positions")
_READING = re.compile("|".join(words.reading for words in LANGUAGES.values()), re.IGNORECASE)
_QUANTITIES = re.compile("|".join(words.quantities for words in LANGUAGES.values()), re.IGNORECASE)
_PEOPLE = [re.compile(words.people, re.IGNORECASE) for words in LANGUAGES.values()]
_WHEN = either("asking_when")
_EVERYTHING = re.compile("|".join(words.everything for words in LANGUAGES.values()), re.IGNORECASE)
_FACT = re.compile("|".join(words.fact for words in LANGUAGES.values()), re.IGNORECASE)
_BELONGING = re.compile("|".join(words.belonging for words in LANGUAGES.values()), re.IGNORECASE)
_REPLYING = [re.compile(words.replying, re.IGNORECASE) for words in LANGUAGES.values()]
_PLANNING = re.compile("|".join(words.planning for words in LANGUAGES.values()), re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.?!…])\s+|(?<=[。？！〜])\s*(?=\S)|(?<=[ぁ-ヿ㐀-鿿]…)(?=[^\s…])|\n+")
_QUOTED = re.compile("「[^」]{1,20}(?<![たるいすん])」")
"""The name of something that has no number, as a shop: in quotes, and no sentence."""
_WHICH = [(re.compile(words.which, re.IGNORECASE), re.compile(words.naming)) for words in LANGUAGES.values()]
_HOLDING = [words.holding for words in LANGUAGES.values()]
_OF_A_PLACE = frozenset({"#weather", "#temperature"})
_UNITS = {
    **dict.fromkeys("人名", "人|名"),
    **dict.fromkeys("件個本つ", "件|個|本|つ|点"),
    **dict.fromkeys("時日月年番", ""),
    **{f"{unit}間": unit for unit in "秒分年"},
}
"""How a text may write the unit of a number that is asked for; times and #numbers have many forms, any other unit has one."""
_THINGS = "[つ個件点本枚軒人名台回匹種冊]"
"""The units of things that are counted, and not of time."""
_POLITE_VERB = re.compile("|".join(words.verb_ending for words in LANGUAGES.values()))
"""The ending of a verb, whole: without it, した would be cut out of 終わりました."""
_SPEECH = {word for group in CONCEPTS if group[0] == "message" for word in group if re.search("[\u3041-\u309f]$", word)}
_PHRASES = patterns_of("autonomy.llm.offline")
_FORMS = (
    (_PHRASES["asks_who_can"], _PHRASES["tells_who_can"]),
    (_PHRASES["asks_how_often"], _PHRASES["tells_how_often"]),
    (_PHRASES["asks_how_far"], _PHRASES["tells_how_far"]),
    (_PHRASES["asks_from_whom"], _PHRASES["tells_from_whom"]),
    (_PHRASES["asks_for_money"], _PHRASES["tells_money"]),
    (_PHRASES["asks_clock_of"], _PHRASES["tells_clock"]),
    (_PHRASES["asks_how_done"], _PHRASES["tells_how_done"]),
    (_PHRASES["asks_for_a_second"], _PHRASES["tells_a_second"]),
    (_PHRASES["asks_for_a_name_of"], _PHRASES["tells_a_name"]),
    (_PHRASES["asks_which_month"], _PHRASES["tells_a_month"]),
    (_PHRASES["asks_since_when"], _PHRASES["tells_since_when"]),
    (_PHRASES["asks_how_many_days"], _PHRASES["tells_days"]),
    (_PHRASES["asks_who_received"], _PHRASES["tells_who_received"]),
    (_PHRASES["asks_what_would_be"], _PHRASES["tells_what_is_to_be"]),
    (_PHRASES["asks_for_advice"], _PHRASES["gives_advice"]),
    (_PHRASES["asks_what_they_are"], _PHRASES["tells_several"]),
)
"""By which form a question asks for something that words alone do not tell, and by which a text tells it."""


class _Holds:
    """Whether the text of a question holds what a pattern finds."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __get__(self, question: "Question", _: type) -> bool:
        return self._pattern.search(question.text) is not None


@dataclass(frozen=True)
class Question:
    """A goal in words, and what was recognised in it."""

    text: str
    today: date
    asked: str = ""
    """The same as it was asked, before words were put in place of others."""
    times: list[TimeSpan] = field(default_factory=list)
    comparison: Comparison | None = None
    count: int | None = None
    """How many items are asked for (top 3)."""
    compared_by: str = ""
    """The words of the comparison."""
    excluded: tuple[str, ...] = ()
    """Whose things, or which, are to be left out."""
    hours: tuple[time, time] | None = None
    """Between which times of the day something was."""
    hours_said: str = ""
    """The same in the question's words."""
    relations: frozenset[str] = frozenset()
    """The kinds of deeds by which somebody is asked for: who reported it, who fixed it."""
    misspelt: tuple[tuple[str, str], ...] = ()
    """Words as they were written, each with the word for a time as which it is read."""

    wants_text = _Holds(_READING)
    """Whether a document is to be read, not listed."""
    wants_number = _Holds(_QUANTITIES)
    """Whether a number or a time of day is asked for."""
    wants_fact = _Holds(_FACT)
    """Whether it asks what something is, and not which things there are."""
    asks_for_plans = _Holds(_PLANNING)
    """Whether it asks what somebody means to do."""
    wants_everything = _Holds(_EVERYTHING)
    """Whether nothing may be left out, which a search for words cannot promise."""
    asks_for_each = _Holds(_PHRASES["asks_for_each"])
    """Whether a figure of each of two is asked for, so that a text has to tell two."""
    asks_who = _Holds(_PHRASES["asks_who"])
    """Whether somebody is asked for."""
    asks_who_did = _Holds(_PHRASES["asks_who_did"])
    """Whether those are asked for who have done something."""
    asks_with_whom = _Holds(_PHRASES["asks_with_whom"])
    """Whether somebody is asked for in whose company something was done."""
    asks_openly = _Holds(_PHRASES["asks_openly"])
    """Whether something is asked for that a text can tell, and not yes or no."""
    asks_which_channel = _Holds(_PHRASES["asks_which_channel"])
    """Whether a channel is asked for."""
    asks_which_document = _Holds(_PHRASES["asks_which_document"])
    """Whether a document is asked for."""
    asks_manner = _Holds(_PHRASES["asks_manner"])
    """Whether it asks in which way something was done, which a text that only says that it was done does not tell."""
    asks_what_follows = _Holds(_PHRASES["asks_what_follows"])
    """Whether it names a step and asks for the one after it."""
    asks_for_a_step = _Holds(_PHRASES["asks_for_a_step"])
    """Whether it asks for the first or the last of the steps of something."""
    asks_for_a_wish = _Holds(_PHRASES["asks_for_a_wish"])
    """Whether it asks what somebody would like."""
    asks_what_was = _Holds(_PHRASES["past"])
    """Whether it asks for what has happened."""
    asks_for_a_state = _Holds(_PHRASES["asks_for_a_state"])
    """Whether it asks how something stands now, which what was done to it once does not tell."""
    asks_why = _Holds(_PHRASES["asks_why"])
    """Whether a reason is asked for."""
    asks_where = _Holds(_PHRASES["asks_where"])
    """Whether a place is asked for."""
    asks_where_done = _Holds(_PHRASES["asks_where_done"])
    """Whether it asks where something was done, which is not told by where it stands."""
    asks_how_long = _Holds(_PHRASES["asks_how_long"])
    """Whether a duration is asked for."""
    asks_when = _Holds(_WHEN)
    """Whether a time is asked for."""
    asks_how_to = _Holds(_PHRASES["asks_how_to"])
    """Whether it asks what is to be done."""
    asks_for_a_rule = _Holds(_PHRASES["asks_for_a_rule"])
    """Whether it asks what whoever asks has to do, or may."""
    asks_when_bare = _Holds(_PHRASES["asks_when_bare"])
    """Whether it names something and asks for its time without a verb."""
    asks_since_which = _Holds(_PHRASES["asks_since_which"])
    """Whether it asks with which one of several, as versions, something began."""
    asks_clock = _Holds(_PHRASES["asks_clock"])
    """Whether a time of day is asked for."""
    asks_clock_of = _Holds(_PHRASES["asks_clock_of"])
    """Whether it asks for the time of day by which something is known, and not at which it was told."""

    @property
    def asks_for_action(self) -> bool:
        """Whether something is to be written or done, and not told."""
        plain = SPOKEN.sub(" … ", self.text)  # a quotation is what is posted, and no pause
        return any(not self._asks_until(plain, found) for found in _ACTIONS.finditer(plain))

    @staticmethod
    def _asks_until(text: str, deed: re.Match[str]) -> bool:
        """Whether the clause of a deed asks by whom it was done, and goes on (誰が承認して、)."""
        clause = text[max(text.rfind(end, 0, deed.end()) for end in "。！!?？") + 1 : deed.end()].rpartition("、")[2]
        return not deed.group().isascii() and text[deed.end() :].strip() != "" and _PHRASES["asks_who"].search(clause) is not None

    def implied_words(self) -> Iterator[str]:
        """The words that the form of a name implies: #dev is a channel with messages, 総務部 a department."""
        if re.search(r"(?<!\w)#(?!\d)\w", self.text):
            yield "channel messages"
        for argument, endings in ARGUMENT_ENDINGS.items():
            if endings and re.search(rf"{KANJI}{{2,}}(?:{'|'.join(endings)})(?!{KANJI})", self.text):
                yield argument

    def obstacle(self) -> tuple[str, str] | None:
        """The phrase and the words of what cannot be carried whatever the tool: a negation, a condition, a judgement."""
        plain = SPOKEN.sub(" ", self.text)
        if self.comparison is not None and self.comparison.order in ("latest", "earliest"):
            plain = plain.replace(self.compared_by, " ", 1)
        plain = self.without_place(plain)
        for phrase, pattern in (
            ("negation", _NEGATIONS),
            ("unsupported", _UNSUPPORTED),
            ("reference", _REFERENCES),
            ("reference", _PHRASES["elided_noun"]),
        ):
            found = pattern.search(plain)
            if found and not (phrase == "reference" and _is_named_before(found.group(), plain[: found.start()])):
                return phrase, found.group().strip()
        if not self.excluded and (other := _PHRASES["asks_who_else"].search(plain)):
            return "unsupported", other.group()
        timeless = self.without_place(SPOKEN.sub(" ", without_spans(self.text, self.times)))
        if found := _UNREAD_TIMES.search(timeless):
            return "unread_time", self._as_said(found.group())
        if found := _POSITIONS.search(timeless.replace(self.compared_by, " ", 1) if self.compared_by else timeless):
            return "unsupported", found.group()
        return None

    @property
    def names_hours(self) -> bool:
        """Whether a part of a day is meant, by the time of day at which a message was written, and no document."""
        return self.hours is not None or any(span.hours for span in self.times)

    @property
    def has_sentences(self) -> bool:
        """Whether it is a message of more than one sentence, which as a whole has the form of no question."""
        return len([one for one in SENTENCE_END.split(self.text.strip()) if re.search(r"\w", one)]) > 1

    @property
    def quantity(self) -> str:
        """The words that ask for a number or a time."""
        found = _QUANTITIES.search(self.text)
        return found.group() if found else ""

    @property
    def unit(self) -> str:
        """A pattern for the unit of the number that is asked for (何秒); empty where any number may be meant."""
        if self.quantity == "いくつ" and _PHRASES["asks_how_many_things"].search(self.text):
            return _THINGS
        quantity_unit = self.quantity.removeprefix("何")
        return f"(?:{_UNITS.get(quantity_unit, re.escape(quantity_unit))})" if quantity_unit != self.quantity else ""

    @property
    def counted(self) -> str:
        """The English noun of which it asks how many there are; empty where it asks for none."""
        found = _PHRASES["asks_how_many_of"].search(self.text)
        return found["noun"] if found else ""

    @property
    def counted_of(self) -> str:
        """The number of those of which it asks how many (how many of the five libraries); empty where it names none."""
        found = _PHRASES["asks_how_many_of"].search(self.text)
        return (found["of"] or "") if found else ""

    @property
    def of_a_place(self) -> bool:
        """Whether it asks what depends on the place, as the weather."""
        return bool(terms(self.text) & _OF_A_PLACE)

    @property
    def order_of_events(self) -> tuple[str, ...]:
        """The word by which it asks for whatever was before or after something else, which an answer has to hold.

        After needs not be held where a number, a time or a reason is asked for: the text that tells it names it beside."""
        found = (
            None
            if self.asks_for_a_rule and not self.wants_number
            else _PHRASES["orders_events"].search(without_spans(self.text, self.times))
        )
        typed = self.wants_number or self.asks_when or self.asks_why or self.asks_where or self.which
        of_now = (not self.asks_what_was and not self.asks_for_plans) or _PHRASES["asks_what_is"].search(self.text)
        if found is None:
            return ()
        ahead, behind = found["ahead"] or found["ahead2"], found["behind"] or found["behind2"]
        return (ahead,) if ahead else () if typed or of_now else (behind,)

    @property
    def comes_after(self) -> str:
        """The word by which it asks for what was after something else; empty where it does not."""
        found = _PHRASES["orders_events"].search(without_spans(self.text, self.times))
        return (found["behind"] or found["behind2"] or "") if found else ""

    @property
    def asks_who_asked(self) -> bool:
        """Whether it asks who asked something, whose question then tells it."""
        return self.asks_who and self.relations == {ASKING}

    @property
    def replied_to(self) -> tuple[str, str] | None:
        """To what a reply is asked for, and the word for the person by whom (anybody, 誰か; empty for whoever it was)."""
        found = next((match for one in _REPLYING if (match := one.search(self.text))), None)
        if found is None:
            return None
        groups = found.groupdict()
        what = next(groups[name] for name in ("what", "what2", "what3") if groups.get(name))
        return what, next((groups[name] for name in ("who", "any") if groups.get(name)), "")

    def without_planning(self, text: str) -> str:
        """A text without the words that ask for plans."""
        return _PLANNING.sub(" ", text)

    @property
    def which(self) -> tuple[str, re.Pattern[str]] | None:
        """The noun of which one is asked for by name or number, and what such a name looks like in a text.

        Channels, posts, people and their like are told by where a thing stands, and not by what it says."""
        for pattern, naming in _WHICH:
            found = pattern.search(with_single_words(self.text))
            noun = next((group for group in found.groupdict().values() if group), "") if found else ""
            if noun and not any(term.startswith("#") for term in terms(noun)):
                return noun, naming if re.search("[A-Za-z\u30a1-\u30f6]", noun) else _QUOTED
        return None

    @property
    def written_to(self) -> tuple[str, ...]:
        """The verb and the recipient where it asks who wrote to somebody: a text has to tell both. Else empty."""
        found = _PHRASES["asks_who_wrote_to"].search(self.asked or self.text)
        return (found["en"].split()[-1], found["to"]) if found else ()

    @property
    def written_in(self) -> str:
        """The thing of which it asks what stands in it, which only the thing itself tells; empty for none."""
        found = _PHRASES["asks_what_is_written"].search(self.text)
        return next(filter(None, found.groupdict().values()), "") if found else ""

    def has_its_deed_in(self, text: str) -> bool:
        """Whether a text tells of the deed by which somebody is asked for: who speaks of the tests need not have written them."""
        wrote = _PHRASES["asks_who_wrote_a_thing"].search(self.asked) is not None
        return tells_of_relation(self.relations, text) and not (wrote and _PHRASES["tells_of_writing"].search(text) is None)

    def has_its_form_in(self, text: str) -> bool:
        """Whether a text tells what the question asks for by its form: who can do a thing is not who did it."""
        return all(tells.search(text) for asks, tells in _FORMS if asks.search(self.text))

    def quotes(self, word: str) -> bool:
        """Whether a word stands in what the question quotes, of which nothing may be left out."""
        return any(word in found.group() for found in SPOKEN.finditer(self.text))

    def without_purpose(self) -> str:
        """The text without the words that only say that what stands before them is a purpose."""
        return _PHRASES["for_a_purpose"].sub(" ", self.text)

    def without_place(self, text: str) -> str:
        """A text without the words for the place of a step: the list of the steps tells which it is."""
        return _PHRASES["asks_for_a_step"].sub(" ", text) if self.asks_for_a_step else text

    @property
    def asks_who_said_so(self) -> bool:
        """Whether it quotes somebody and asks who that was."""
        return self.asks_who and _PHRASES["asks_who_said_so"].search(self.text) is not None

    @property
    def unit_of_time(self) -> str:
        """The unit of the time that is asked for (how many minutes); empty where it names none."""
        found = _PHRASES["asks_in_unit"].search(self.text)
        return next(filter(None, found.groupdict().values()), "") if found else ""

    @property
    def numbered(self) -> str:
        """The kind of thing whose number is asked for (which hold number); empty where none is."""
        found = _PHRASES["asks_which_number"].search(self.text)
        return next(filter(None, found.groupdict().values()), "") if found else ""

    @property
    def asks_when_done(self) -> bool:
        """Whether it asks at what time something was done."""
        return self.asks_when and not self.asks_clock_of and _PHRASES["was_done"].search(self.text) is not None

    @property
    def asks_for_one(self) -> bool:
        """Whether somebody, a place, a time, a reason or one of several is asked for, which a text can be seen to tell."""
        return bool(self.asks_who or self.asks_where or self.asks_when or self.asks_why or self.which or self.numbered)

    @property
    def asks_for_id(self) -> bool:
        """Whether the number that is asked for names something, and counts nothing."""
        return bool(self.numbered) or self.quantity == "何番"

    @property
    def asks_who_belongs(self) -> bool:
        """Whether it asks who belongs to something or is somebody, or whether he does and is; and not who wrote something."""
        wrote = "#message" in terms(self.text) or any(
            "message" in concepts and stands_alone(word, self.text) for word, concepts in LIGHT_WORDS.items()
        )
        return _BELONGING.search(self.text) is not None or bool(self.person_sought and not wrote)

    @property
    def person_sought(self) -> str:
        """The description of the person who is asked for (who is the designer); empty if there is none."""
        found = next((match for one in _PEOPLE if (match := one.search(self.text))), None)
        return found["what"].strip() if found else ""

    def is_topic(self, word: str) -> bool:
        """Whether a word was given as what to search for: quoted, a proper name or number, or beside `about` and its like."""
        if any(word in groups for groups in SPOKEN.findall(self.text)) or re.search(r"\d", word):
            return True
        topic_patterns = (words.topics.replace("{}", re.escape(word)) for words in LANGUAGES.values())
        is_name = word.isascii() and not any(map(str.islower, word.split())) and not self.text.startswith(word)
        return is_name or any(re.search(pattern, self.text, re.IGNORECASE) for pattern in topic_patterns)

    def is_spoken_of(self, word: str) -> bool:
        """Whether what is looked for is to hold the word, and not be by the person of that name."""
        return any(re.search(one.replace("{}", re.escape(word)), self.text, re.IGNORECASE) for one in _HOLDING)

    def is_name(self, word: str) -> bool:
        """Whether a word can be searched for as it stands: in quotes, or a name; no verb, clause or unknown #channel."""
        if any(word in groups for groups in SPOKEN.findall(self.text)):
            return True
        return not (word.startswith("#") or VERB.search(word) or CLAUSE.search(word))

    def names_places(self, words: Sequence[str], subject: Set[str]) -> bool:
        """Whether each of these words stands where the name of a place does, which a tool is asked for by it.

        In English it has a capital letter or a preposition, is joined to such a word, or ends what stands before a time or a
        word of the tool's `subject` (osaka weather); in Japanese it is no verb, and kana need a particle."""
        text = without_spans(self.text, self.times)
        behind_prepositions = {one["place"].casefold() for one in _PHRASES["may_be_a_place"].finditer(text)}
        named: list[str] = []
        for word in words:
            first, at = word.split()[0], text.find(word)
            if not word.isascii():
                kana = KANA.fullmatch(word) and not re.match(f"[{PARTICLES}]", text[at + len(word) :])
                fits = self.is_name(word) and not kana and not re.search(r"[〜~]", word)
            elif (first[0].isupper() and at > 0 and first.partition("'")[0] != "I") or first.casefold() in behind_prepositions:
                fits = True
            else:
                joined = any(_PHRASES["joins_names"].fullmatch(text[text.find(one) + len(one) : at]) for one in named)
                led = _PHRASES["joins_names"].match(text, at + len(word)) if first[0].isupper() else None
                joined = joined or (led is not None and text[led.end() : led.end() + 1].isupper())  # Osaka or Tokyo: where
                behind = re.match(r"[\s?.!]*(?:、|$|(\w+))", text[at + len(word) :])
                ends = behind is not None and (not behind[1] or bool(terms(behind[1]) & subject))
                common = is_verb(word, text) or _PHRASES["article"].fullmatch((text[:at].split() or [""])[-1])
                fits = joined or (ends and not common)
            if not fits:
                return False
            named.append(word)
        return True

    def takes(self, word: str, subject: Set[str]) -> bool:
        """Whether an English word has as its object what a tool is about, so that it names nothing (pack an umbrella)."""
        found = re.search(rf"\b{re.escape(word)} (\w+) (\w+)", without_spans(self.text, self.times))
        return found is not None and bool(_PHRASES["article"].fullmatch(found[1]) and terms(found[2]) & subject)

    def _as_said(self, words: str) -> str:
        """The words of a text from which the times were taken, with the time they belong to."""
        bare = words.strip("、 ")
        around = next((span.words for span in self.times if "、" in words and bare), "")
        return f"{around} … {bare}" if around and bare.isascii() else f"{around}{bare}"

    def without_asking(self, text: str) -> str:
        """A text without the words that ask, join and honour, in quotes or not; what is left is what it speaks of."""
        text = _QUANTITIES.sub(" ", SPOKEN.sub(lambda match: f" {next(filter(None, match.groups()))} ", text))
        text = _POLITE_VERB.sub(" ", _PHRASES["polite_ending"].sub(" ", text))
        text = re.sub(r"(?<=[^\s、。「」])(?:さん|くん|ちゃん|様)(?=\W|[のはがをにとも]|$)", " ", text)
        message_words = {word for word, concepts in LIGHT_WORDS.items() if "message" in concepts} | _SPEECH
        return without_words(FUNCTION_WORDS | message_words, text)


def _is_named_before(pronoun: str, text: str) -> bool:
    """Whether a text names those to whom a pronoun behind it points."""
    several = _PHRASES["of_several_people"].fullmatch(pronoun.strip()) is not None
    return _PHRASES["named_before"].search(text) is not None or (several and _PHRASES["bound_before"].search(text) is not None)
