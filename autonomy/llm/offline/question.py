"""Parses a question into its request, exclusions, times and content words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from difflib import get_close_matches
from functools import partial

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import properties, subject_terms
from autonomy.llm.offline.lookup_words import ASKING, is_verb, relations_in, tells_of_relation, with_single_words
from autonomy.llm.offline.preface import without_preface
from autonomy.llm.offline.time_expressions import TimeSpan, spans_in, without_spans
from autonomy.llm.offline.vocabulary import (
    ARGUMENT_ENDINGS,
    ATTRIBUTES,
    CONCEPTS,
    LANGUAGES,
    LIGHT_WORDS,
    TIME_WORDS,
    VALUE_WORDS,
    Comparison,
    either,
    terms,
)
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_ACTIONS, _NEGATIONS, _UNSUPPORTED = either("actions"), either("negations"), either("unsupported")
_REFERENCES = either("references")
_UNREAD_TIMES, _POSITIONS = either("unread_times"), either("positions")
_SAID = [(re.compile(pattern, re.IGNORECASE), verb) for words in LANGUAGES.values() for pattern, verb in words.said]
_REPHRASED = [(re.compile(pattern, re.IGNORECASE), form) for words in LANGUAGES.values() for pattern, form in words.rephrased]
_READING = re.compile("|".join(words.reading for words in LANGUAGES.values()), re.IGNORECASE)
_QUANTITIES = re.compile("|".join(words.quantities for words in LANGUAGES.values()), re.IGNORECASE)
_PEOPLE = [re.compile(words.people, re.IGNORECASE) for words in LANGUAGES.values()]
_WHEN = either("asking_when")
_COMPARISONS = [(re.compile(one.pattern, re.IGNORECASE), one) for words in LANGUAGES.values() for one in words.comparisons]
_EVERYTHING = re.compile("|".join(words.everything for words in LANGUAGES.values()), re.IGNORECASE)
_FACT = re.compile("|".join(words.fact for words in LANGUAGES.values()), re.IGNORECASE)
_BELONGING = re.compile("|".join(words.belonging for words in LANGUAGES.values()), re.IGNORECASE)
_REPLYING = [re.compile(words.replying, re.IGNORECASE) for words in LANGUAGES.values()]
_PLANNING = re.compile("|".join(words.planning for words in LANGUAGES.values()), re.IGNORECASE)
_SHORT_FORMS = {short: full for words in LANGUAGES.values() for short, full in words.short_forms.items()}
_SHORT_FORM = re.compile(
    "|".join(rf"(?<![\w#@./'’:-]){re.escape(one)}(?![\w/'’-])" if one.isascii() else re.escape(one) for one in _SHORT_FORMS),
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.?!…])\s+|(?<=[。？！〜])\s*(?=\S)|(?<=[ぁ-ヿ㐀-鿿]…)(?=[^\s…])|\n+")
_PICTOGRAPHS = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+")
"""They ask for nothing: ☔ behind a question is no place."""
_EMOTICON = re.compile(r"(?<=[\w.!?])\s*[:;]-?[)(DPp](?=\s+\S)")
"""It ends a sentence, as a full stop does."""
_LAUGHTER = re.compile(r"(?<=[\u3041-\u30ff。、！!])\s?(?:[（(]?笑[)）]?|[wｗ]{1,9})\s+(?=\S)")
"""It ends a sentence as well."""
_QUOTED = re.compile("「[^」]{1,20}(?<![たるいすん])」")
"""The name of something that has no number, as a shop: in quotes, and no sentence."""
_WHICH = [(re.compile(words.which, re.IGNORECASE), re.compile(words.naming)) for words in LANGUAGES.values()]
_HOLDING = [words.holding for words in LANGUAGES.values()]
_FUNCTION_WORDS = frozenset(word for language in LANGUAGES.values() for word in language.function_words)
_DAY_BEHIND = "日"
"""Stands behind a weekday (金曜日) or not."""
_PARTICLES = "のはがをにでへともや"
_KANA = re.compile("[\u3041-\u309f]+")
_JOINING = re.compile(f"[{_PARTICLES}]{{1,2}}")
_KANA_ENDING = re.compile("(?<=.)(?:[でにとへ]は|[のはがをにでへともや])$")
"""The particle behind a name in kana: one alone, as the name may end in the same letter (なはは is なは)."""
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
_PARTS = {
    ("morning", "am"): (time(0), time(11, 59)),
    ("afternoon",): (time(12), time(17, 59)),
    ("pm",): (time(12), time(23, 59)),
}
"""Parts of a day, by the group that tells them: 午後 lasts until midnight, an afternoon until the evening."""
_KANJI = r"[\u3400-\u9fff々]"
_LETTER = r"[A-Za-z0-9_'’\-]"
_SPEECH = {word for group in CONCEPTS if group[0] == "message" for word in group if re.search("[\u3041-\u309f]$", word)}
_PHRASES = patterns_of("autonomy.llm.offline")
_VERB = re.compile(
    rf"(?:{_KANJI}|[\u30a0-\u30fb\u30fd-\u30ff]|(?<![\u3041-\u309f])ー)[\u3041-\u309f]*[たるていすうくつむぶぬぐかばなら]$|^[\u3041-\u309f]$"
)
"""A verb or adjective with its ending, or a lone kana: no name, as long as there is another piece. そーた is none."""
_LATIN = re.compile(r"\b[A-Za-z]+\b")
_TIMES = sorted(
    {part for words in LANGUAGES.values() for word in (*words.days, *words.weeks, *words.weekdays) for part in word.split()}
    | {"weekend"}
)
_TIMES = [word for word in _TIMES if word.isascii() and len(word) > 5]
_SHORTEST_MISSPELT, _NEAR_ENOUGH = 6, 0.85
_ASKED_AS = [
    (re.compile(rf"(?:{pattern})[\s.。?？!！]*", re.IGNORECASE), questions)
    for words in LANGUAGES.values()
    for pattern, questions in words.asked_as
]
NUMBERS = {word: number for words in LANGUAGES.values() for word, number in words.numbers.items()}
_KEPT = "\u2060"
"""Stands between the letters of a word that is to stay whole; it shows nowhere."""
_CLAUSE = re.compile(rf"(?:{_KANJI}|[\u30a0-\u30ff])[ま]?[のがをにはでとへ](?:{_KANJI}|[\u30a0-\u30ff])")
"""A particle between two words: no name, but a stretch of a sentence."""


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
            if endings and re.search(rf"{_KANJI}{{2,}}(?:{'|'.join(endings)})(?!{_KANJI})", self.text):
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
            "message" in concepts and _stands_alone(word, self.text) for word, concepts in LIGHT_WORDS.items()
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
        return not (word.startswith("#") or _VERB.search(word) or _CLAUSE.search(word))

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
                kana = _KANA.fullmatch(word) and not re.match(f"[{_PARTICLES}]", text[at + len(word) :])
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
        return _words_taken_out(_FUNCTION_WORDS | message_words, _PHRASES["within_a_word"].sub(_kept, text), " ").replace(
            _KEPT, ""
        )

    def owed_words(self, tool: ToolDefinition) -> list[str]:
        """The words that only the details of a tool's description account for, and verbs: it may not tell of them."""
        about = terms(tool.name) | terms(tool.description)
        tool_subjects = subject_terms(tool)
        plain = SPOKEN.sub("|", without_spans(self.text, self.times))
        plain = plain.replace(self.compared_by, "|", 1) if self.compared_by else plain
        light = _FUNCTION_WORDS | _light_words(about)
        latin = [word.removesuffix("'s").removesuffix("’s") for word in re.findall(rf"{_LETTER}{{2,}}", plain)]
        trade = {word for word in latin if word.lower() not in light and terms(word) and terms(word) <= about}
        kana = {word for group in CONCEPTS if f"#{group[0]}" in about for word in group if not word.isascii() and word in plain}
        trade |= {word for word in kana if not any(word in other for other in light)}
        loose = {word for word in trade if not terms(word) & tool_subjects}
        return sorted(
            loose
            | {word for word in ATTRIBUTES if word in trade or (word in plain and not word.isascii())}
            | set(self._verbs(tool))
        )

    def _verbs(self, tool: ToolDefinition) -> list[str]:
        """The verbs that `content_words` leaves aside beside names."""
        pieces = self._content_pieces(tool, channel=False)
        verbs = [piece for piece in pieces if _VERB.search(piece) and re.match(f"{_KANJI}|[\u30a0-\u30ff]", piece)]
        return verbs if len(verbs) < len(pieces) else []

    def content_words(self, tool: ToolDefinition, *, channel: bool = False) -> list[str]:
        """The words left without those of asking, time, comparison and the tool's own subject: each must be used.

        `channel`: a channel is spoken of, so that what is posted is a message.
        """
        pieces = self._content_pieces(tool, channel=channel)
        pieces = [piece for piece in pieces if re.search(r"\w", piece)]  # % is a sign, and nobody's name
        names = [
            piece for piece in pieces if not _VERB.search(piece) or _CLAUSE.search(piece)
        ]  # 味噌を食べた is more than a verb
        return list(dict.fromkeys(names or pieces))

    def _content_pieces(self, tool: ToolDefinition, *, channel: bool) -> list[str]:
        remainder = without_spans(self.text, self.times)
        if self.compared_by:
            remainder = remainder.replace(self.compared_by, "|", 1)
        quoted = [next(filter(None, groups)) for groups in SPOKEN.findall(remainder)]
        remainder = SPOKEN.sub("|", remainder).strip()
        if _PHRASES["spoken_to"].search(self.text):  # and not only since a time behind the name was taken out
            remainder = _PHRASES["spoken_to"].sub("", remainder)
        remainder = _PHRASES["polite_ending"].sub("|", remainder)
        about = terms(tool.name) | terms(tool.description)
        tool_terms = about | ({"#post"} if channel and "#message" in about else set()) | {"#tag"}
        remainder = _words_taken_out(_sayings(tool, tool_terms), remainder, "|")
        parts = re.split(r"[|、。，,?？!！・:：()（）]+|\.(?!\d)", remainder)
        light = frozenset(_light_words(about))
        return [*quoted, *(piece for part in parts for piece in _pieces(part, tool_terms, light))]


def _is_named_before(pronoun: str, text: str) -> bool:
    """Whether a text names those to whom a pronoun behind it points."""
    several = _PHRASES["of_several_people"].fullmatch(pronoun.strip()) is not None
    return _PHRASES["named_before"].search(text) is not None or (several and _PHRASES["bound_before"].search(text) is not None)


def normalize_chat(goal: str) -> str:
    """A question without pictographs and words of courtesy, greeting and chat around it, and with what chat shortens in full."""
    # a dotless ı is an i where case makes no difference, and stays itself when folded
    plain_goal = _LAUGHTER.sub("。", _EMOTICON.sub(". ", _PICTOGRAPHS.sub(" ", goal))).strip()
    text, before = _SHORT_FORM.sub(lambda short: _SHORT_FORMS.get(short.group().casefold(), short.group()), plain_goal), ""
    text = re.sub(r"(?<=\w) +(?=[.,?!](?:\s|$))", "", text)  # where an interjection was taken out
    while text != before:
        before, text = text, _PHRASES["courtesy"].sub("", without_preface(text)).strip()
    for pattern, plain_form in _REPHRASED:
        text = pattern.sub(plain_form, text)
    return text or goal


def with_this_weekday(goal: str, today: date) -> tuple[str, list[tuple[str, str]]]:
    """A question about a weekday that today is, too, put about today, and how that was read: on Friday may be either."""
    text = unicodedata.normalize("NFKC", goal)
    week_ago = today - timedelta(days=7)
    bare = {name: code for code, words in LANGUAGES.items() for name in words.weekdays}
    weekday_spans = [
        (span, language)
        for span in spans_in(text, today)
        if span.first == span.last == week_ago
        and (language := bare.get(span.words.casefold().removeprefix("on ").removesuffix(_DAY_BEHIND)))
    ]
    if len(weekday_spans) != 1:
        return goal, []
    span, language = weekday_spans[0]
    now = next(word for word, offset in LANGUAGES[language].days.items() if not offset)
    return f"{text[: span.at]}{now}{text[span.end :]}", [(span.words, now)]


def asked_of_a_newcomer(goal: str) -> list[str]:
    """The questions that together answer one about a workspace as a whole; empty for any other question."""
    found = ((match, questions) for pattern, questions in _ASKED_AS if (match := pattern.fullmatch(goal.strip())))
    return next(
        ([one.format(time=next(filter(None, match.groups()), "")) for one in questions] for match, questions in found), []
    )


def read_question(goal: str, today: date) -> Question:
    """The question, with its times and its comparison."""
    text = unicodedata.normalize("NFKC", goal)
    text = _PHRASES["forbidden"].sub("", text)
    for pattern, verb in _SAID:
        text = pattern.sub(partial(_with_verb, verb), text)
    misspelt = [(word, correction) for word in _LATIN.findall(text) if (correction := _time_meant(word))]
    for word, correction in misspelt:
        text = re.sub(rf"\b{word}\b", correction, text)
    text, excluded = _taken_out(text)
    text, hours, hours_said = _hours_taken_out(text, today)
    times = spans_in(text, today)
    question = Question(text, today, goal, times, excluded=excluded, hours=hours, hours_said=hours_said, misspelt=tuple(misspelt))
    question = replace(question, relations=relations_in(with_single_words(goal)))  # a pull request asks for nothing
    remainder = without_spans(text, times)
    for pattern, comparison in _COMPARISONS:
        if comparison.order == "count" and question.unit_of_time:
            continue  # a time is told, and no items are counted
        if found := pattern.search(remainder):
            groups = found.groupdict()
            count = groups.get("count")
            number = NUMBERS.get(count.lower()) or int(count) if count else None
            return replace(question, comparison=comparison, count=number, compared_by=found.group())
    return question


def _time_meant(word: str) -> str:
    """The word for a time of which this is a misspelling; empty for any other word."""
    lower = word.lower()
    if len(word) < _SHORTEST_MISSPELT or lower in _TIMES or lower.removesuffix("s") in _TIMES:
        return ""
    near = get_close_matches(lower, _TIMES, n=1, cutoff=_NEAR_ENOUGH)
    return near[0] if near and near[0][0] == lower[0] else ""


def _taken_out(text: str) -> tuple[str, tuple[str, ...]]:
    """A question without what it leaves out, and whose things or which those are."""
    plain = SPOKEN.sub(lambda quoted: "x" * len(quoted.group()), text)
    found = list(_PHRASES["excluded"].finditer(plain))
    if len(found) != 1:
        return text, ()
    words = _PHRASES["joins_names"].split(found[0]["en"] or found[0]["ja"])
    bare = [_PHRASES["honorific"].sub("", word.strip().lstrip("#@")) for word in words]
    text = f"{text[: found[0].start()]} {text[found[0].end() :]}".strip()
    return text, tuple(word.removesuffix("'s").removesuffix("’s") for word in bare)


def _hours_taken_out(text: str, today: date) -> tuple[str, tuple[time, time] | None, str]:
    """A question about a day without its hours, those hours, and its words for them."""
    found = _PHRASES["clock"].search(text)
    if found is None or not spans_in(text, today):
        return text, None, ""
    if (hours := hours_of(found)) is None:
        return text, None, ""
    gap = " " if text.isascii() else "、"  # 16日 is read as a day before a comma
    return f"{text[: found.start()]}{gap}{text[found.end() :]}", hours, found.group().strip().strip("のにはを")


def hours_of(found: re.Match[str]) -> tuple[time, time] | None:
    """Between which times something was, by what the phrase `clock` found; None for times that no day has."""
    groups = found.groupdict()
    begin = next((groups[name] for name in "aceg" if groups[name]), "0:00")
    end = next((groups[name] for name in "bdfh" if groups[name]), "23:59")
    try:
        return next((span for parts, span in _PARTS.items() if any(groups[part] for part in parts)), (_clock(begin), _clock(end)))
    except ValueError:
        return None


def _clock(text: str) -> time:
    hour, *minute = re.findall(r"\d+", text)
    return time(int(hour), int(minute[0]) if minute else 0)


def _with_verb(verb: str, match: re.Match[str]) -> str:
    begin, end = match.start("verb") - match.start(), match.end("verb") - match.start()
    return f"{match.group()[:begin]}{verb}{match.group()[end:]}"


def _sayings(tool: ToolDefinition, about: frozenset[str]) -> set[str]:
    """The words that a question to this tool may hold beside its content: none of English, which is cut by words."""
    trade = {word for group in CONCEPTS if f"#{group[0]}" in about for word in group if not word.isascii()}
    enums = {str(value).lower() for schema in properties(tool).values() for value in schema.get("enum", ())}
    values = {word for value in enums for word in VALUE_WORDS.get(value, ())}
    timed = {word for words in TIME_WORDS.values() for word in words if not word.isascii()}
    asking = _FUNCTION_WORDS | _light_words(about)
    return trade | values | timed | {word for word in asking if not word.isascii()}


def _light_words(about: frozenset[str]) -> set[str]:
    """The words that say little beside a tool that is about this."""
    return {word for word, concepts in LIGHT_WORDS.items() if any(f"#{concept}" in about for concept in concepts)}


def _words_taken_out(words: Set[str], text: str, instead: str) -> str:
    """A text without these words where they stand alone, the longest first."""
    for word in sorted(words, key=lambda word: (-len(word), word)):
        if _stands_alone(word, text):
            text = re.sub(_alone(word), instead, text)
    return text


def _kept(word: re.Match[str]) -> str:
    """A word in kana that no shorter one is taken out of: ぶどう holds no どう."""
    return _KEPT.join(word.group())


def _stands_alone(word: str, text: str) -> bool:
    """Whether a word stands alone in a text; most are not there at all, and their patterns need not be compiled to know it."""
    return word.casefold() in text.casefold() and re.search(_alone(word), text) is not None


def _alone(word: str) -> str:
    """A pattern for a word: one of a single character, or of Latin letters, only where it stands by itself."""
    if word.isascii():
        return rf"(?i:(?<!{_LETTER}){re.escape(word)}(?!{_LETTER}))"
    if len(word) == 1:
        return rf"(?<!{_KANJI}){re.escape(word)}(?!{_KANJI})"
    return re.escape(word)


def _pieces(part: str, tool_terms: frozenset[str], light: frozenset[str]) -> Iterator[str]:
    """The content words of a stretch: Latin words that stand together as one, Japanese ones without the particles around them."""
    for stretch in re.split(rf"(?<={_LETTER})\s*(?=[^\sA-Za-z0-9_'’\-#@])|(?<=[^\sA-Za-z0-9_'’\-#@])\s*(?={_LETTER}|#|@)", part):
        latin = re.fullmatch(rf"[\s#@]*(?:{_LETTER}|[\s#@./])+", stretch)
        yield from _latin_pieces(stretch, tool_terms, light) if latin else _japanese_pieces(stretch)


def _latin_pieces(stretch: str, tool_terms: frozenset[str], light: frozenset[str]) -> Iterator[str]:
    together: list[str] = []
    for word in [*stretch.split(), ""]:
        plain = word.strip(".'’").lstrip("#@").removesuffix("'s").removesuffix("’s")
        if (
            not plain
            or plain.lower() in _FUNCTION_WORDS | light
            or word.lower() in _FUNCTION_WORDS
            or (terms(plain) and terms(plain) <= tool_terms)
        ):
            if together:
                yield " ".join(together)
            together = []
        elif plain.isdigit():
            yield plain
        else:
            together.append(plain)


def _japanese_pieces(stretch: str) -> Iterator[str]:
    for word in stretch.split():
        bare = word.rstrip(_PARTICLES)
        if _KANA.fullmatch(word) and not _JOINING.fullmatch(word):
            bare = _KANA_ENDING.sub("", word)
        if (
            bare
            and bare[0] in _PARTICLES
            and len(bare) > 1
            and re.match(rf"{_KANJI}|[\u30a0-\u30ff]|[\u3041-\u309f]{{1,3}}ー", bare[1:])
        ):
            bare = bare[1:]
        if _PHRASES["honorific"].sub("", f"x{bare}") == "x":
            continue  # it stands behind a name in Latin letters, which was cut off
        for piece in re.split(rf"(?<={_KANJI})[とや](?={_KANJI})|(?<=さん)[のはがとも]", bare):
            if plain := _PHRASES["honorific"].sub("", piece):
                yield plain
