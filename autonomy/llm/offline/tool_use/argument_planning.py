"""Assigns every word of a question to an argument of one tool, or to its results."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import (
    CannotFillError,
    choose,
    noun_of,
    required,
    sayings,
    search_argument,
    subject_terms,
    time_words,
)
from autonomy.llm.offline.result_items import is_called, moment_of, names_called
from autonomy.llm.offline.time_expressions import takes_month
from autonomy.llm.offline.tool_use.argument_kinds import kind_of
from autonomy.llm.offline.tool_use.call_plan import MAX_SUBJECTS, AmbiguousName, AnswerContext, CallPlan, NotCarried
from autonomy.llm.offline.tool_use.content_words import content_words
from autonomy.llm.offline.tool_use.time_arguments import assign_times
from autonomy.llm.offline.vocabulary import ARGUMENT_ENDINGS, FIELDS, terms
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

_CHANGED = patterns_of("autonomy.llm.offline")["changed"]
_JOINS_PLACES = patterns_of("autonomy.llm.offline")["joins_places"]
_NOTHING = patterns_of("autonomy.llm.offline")["none_of_it"]
_NUMBERED = re.compile(r"[A-Za-z]{1,12}-\d{1,12}")
"""What an id looks like that people know by heart: `demo-003`."""
_LEFT_OF_VERBS = re.compile("[\u3041-\u309f]{1,3}")
"""What is left of a verb in kana, which is nothing to search for."""


def plan_calls(context: AnswerContext, tool: ToolDefinition) -> CallPlan:
    """The calls of this tool that the question comes to. Raises `NotCarried`, and `AnswerPending` for names to be looked up."""
    return _ArgumentPlanning(context, CallPlan(tool, [{}], excluding=bool(context.question.excluded))).run()


@dataclass(frozen=True)
class _ArgumentPlanning:
    context: AnswerContext
    plan: CallPlan

    def run(self) -> CallPlan:
        self.plan.give(self._chosen())
        assign_times(self.plan, self.context)
        self.plan.words = self._without_change(self._carry_words())
        self._check_words()
        self._place_words()
        self._fill()
        return self.plan

    def _chosen(self) -> JsonObject:
        """The value of each enum that the question speaks of, and the language of the answer."""
        text, language = self.context.question.text, self.context.task.language
        chosen: JsonObject = {}
        for name, schema in self.plan.form.items():
            if name in FIELDS.language_arguments:
                value = language if language in schema.get("enum", ()) else None
            else:
                value = choose(schema["enum"], text) if "enum" in schema and not time_words(schema) else None
            if value is not None:
                chosen[name] = value
        return chosen

    def _carry_words(self) -> list[str]:
        """Gives the calls the words that an argument is for; the other words are returned. Raises `NotCarried`."""
        plan = self.plan
        uncarried: list[str] = []
        content = content_words(self.context.question, plan.tool, channel="#channel" in terms(self.context.about))
        words = [part for word in map(self._without_choices, content) if word for part in self._parted(word)]
        while words:
            word = words.pop(0)
            if words and (name := self._argument_called(word)):
                plan.give({name: words.pop(0)})
            else:
                uncarried += self._carried_or_left(word)
        return uncarried

    def _without_choices(self, words: str) -> str:
        """English words without those that chose the value of an enum, which carries them."""
        chosen = {saying for value in self.plan.sets[0].values() for saying in sayings(value)}
        return " ".join(word for word in words.split() if word.lower() not in chosen)

    def _argument_called(self, word: str) -> str:
        """The argument that a word names, whose value is the next word; of a start or an end it is a time, which was read."""
        word_terms = terms(word) if word.isascii() else set()
        name = next((one for one in self.plan.form if word_terms and word_terms == terms(one)), "")
        free = name not in self.plan.sets[0] and self.plan.form.get(name, {}).get("type") == "string"
        return name if free and not word_terms & {"#start", "#end"} else ""

    def _carried_or_left(self, word: str) -> list[str]:
        """Gives the calls a word that an argument is for; else the word, as it is searched for. Raises `NotCarried`."""
        searches = search_argument(self.plan.form)
        numbered = f"#{word}" in self.context.question.text
        if self.context.question.is_spoken_of(word) and searches:
            return [word]
        if word.isdecimal() and not self._numbers_free():
            if numbered and searches:
                return [f"#{word}"]
            raise NotCarried("uncarried", word)
        name, value = (self._numbers_free()[0], int(word)) if word.isdecimal() else self._named(word)
        if name is not None:
            self.plan.carried.append(word)
            self.plan.give({name: value})
            return []
        if numbered or (searches and any(is_called(item, word) for item in self.context.filler.listed("channel"))):
            raise NotCarried("uncarried", f"#{word}")  # a channel, and no word to search for
        kind = _is_kind(word) and not self._is_change(word)
        if kind or any(word.endswith(one) for endings in ARGUMENT_ENDINGS.values() for one in endings):
            raise NotCarried("uncarried", word)
        return [word]

    def _numbers_free(self) -> list[str]:
        """The arguments that take the number of something, and have none yet."""
        arguments, form = self.plan.sets[0], self.plan.form
        return [one for one in form if one not in arguments and self._is_number(one) and noun_of(self.plan.tool, one)]

    def _is_number(self, name: str) -> bool:
        return self.plan.form[name].get("type") == "integer"

    def _named(self, word: str) -> tuple[str | None, Any]:
        """The argument that a name is for: by its ending (製造部), or as something that a tool lists."""
        tool, listed = self.plan.tool, self.context.filler.listed
        for name in self.plan.form:
            noun = "" if self._is_number(name) else noun_of(tool, name)
            if name in self.plan.sets[0]:
                if noun and any(is_called(item, word) for item in listed(noun, asking=tool)):
                    raise NotCarried("uncarried", word)  # a second person or channel is nothing to search for
                continue
            ends = (one for one in ARGUMENT_ENDINGS.get(name, ()) if word.casefold().endswith(one) and len(word) > len(one))
            if (ending := next(ends, None)) is not None:
                return name, word[: -len(ending)].strip() if terms(ending) == terms(name) else word
            if self._stands_before(word, ARGUMENT_ENDINGS.get(name, ())):
                return name, word
            if not noun:
                continue
            candidates = listed(noun, asking=tool)
            if not candidates and _NUMBERED.fullmatch(word) and name in required(tool):
                return name, word  # who may not list employees may know his own number
            matches = [item for item in candidates if is_called(item, word)]
            if len(matches) > 1:
                raise AmbiguousName(word, candidates=self.context.listed(map(_label, matches)))
            if matches:
                return name, next((matches[0][one] for one in (name, "id", "name") if matches[0].get(one)), word)
        return None, None

    def _stands_before(self, word: str, endings: Iterable[str]) -> bool:
        """Whether the question says one of these words behind it: the legal department."""
        spaced = "|".join(ending for ending in endings if ending.isascii())
        said = rf"\b{re.escape(word)}\s+(?:{spaced})\b"
        return bool(spaced) and re.search(said, self.context.question.text, re.IGNORECASE) is not None

    def _parted(self, words: str) -> list[str]:
        """Words that stand together, cut where one of them is the name of somebody or something that an argument is for."""
        if " " not in words:
            return [words]
        tool = self.plan.tool
        nouns = {noun for name in self.plan.form if (noun := noun_of(tool, name)) and not self._is_number(name)} | {"user"}
        known_items = [item for noun in sorted(nouns) for item in self.context.filler.listed(noun, asking=tool)]

        def named(words: str) -> bool:
            return any(is_called(item, words) for item in known_items)

        if named(words) or not any(map(named, words.split())):
            return [words]
        parts: list[str] = []
        for word in words.split():
            if named(word) or not parts or named(parts[-1]):
                parts.append(word)
            else:
                parts[-1] += f" {word}"
        return parts

    def _is_change(self, word: str) -> bool:
        """Whether a word of a question about a time says that things were changed then: 昨日更新された, updated yesterday."""
        question = self.context.question
        ends = (one.end() for one in re.finditer(re.escape(word), question.text))
        says_change = word.casefold().endswith("ed") or any(_CHANGED.match(question.text, end) for end in ends)
        return bool(question.times and says_change and "#update" in terms(word))

    def _without_change(self, words: list[str]) -> list[str]:
        """The words without what says which of a thing's times is meant, which is nothing to search for. Raises `NotCarried`."""
        change = [word for word in words if self._is_change(word)]
        if change and not self.plan.by_time:
            raise NotCarried("uncarried", *change)
        self.plan.changed = bool(change)
        return [word for word in words if word not in change]

    def _check_words(self) -> None:
        """Raises `NotCarried` for what is left of a verb, and for people where the tool tells the weather."""
        tool, words = self.plan.tool, self.plan.words
        if search_argument(self.plan.form) in required(tool) and words and all(map(_LEFT_OF_VERBS.fullmatch, words)):
            raise NotCarried("uncarried", *words)
        if not self.context.question.asks_what_was or "#weather" not in terms(tool.name):
            return  # a curry was hot that somebody had
        people = self.context.filler.listed("user")
        if any(is_called(item, part) for item in people for word in words for part in word.split()):
            raise NotCarried("uncarried", *words)

    def _place_words(self) -> None:
        """Gives the calls the words that no argument is for: as the text that the tool requires, or to its search."""
        plan = self.plan
        if not plan.words:
            return
        free = [one for one in required(plan.tool) if one not in plan.sets[0] and not noun_of(plan.tool, one)]
        schemas = {name: plan.form.get(name, {}) for name in free}
        texts = [
            name
            for name, schema in schemas.items()
            if schema.get("type") == "string" and "enum" not in schema and not (takes_month(schema) or kind_of(name, schema))
        ]
        if not texts:
            self._search_or_look()
            return
        plan.open_text = texts[0]
        if plan.open_text != search_argument(plan.form):
            plan.words = [self._without_what_is_told(word) for word in plan.words]
        if nothing := next(filter(_NOTHING.match, plan.words), ""):
            raise NotCarried("negation", nothing)
        if "#place" in terms(plan.open_text):
            question, subject = self.context.question, subject_terms(plan.tool)
            plan.words = [_JOINS_PLACES.sub("", word) for word in plan.words if not question.takes(word, subject)]
            if not plan.words or not question.names_places(plan.words, subject):
                raise NotCarried("uncarried", *plan.words or [self.context.goal])
        subjects = [" ".join(plan.words)] if plan.open_text == search_argument(plan.form) else plan.words
        plan.give(*({plan.open_text: subject} for subject in subjects[:MAX_SUBJECTS]))

    def _without_what_is_told(self, word: str) -> str:
        """A name without what is asked for of it, which is what the tool tells: 椅子の在庫数 of a tool that tells the stock."""
        name, _, attribute = word.rpartition("の")
        words, subject = terms(attribute.removesuffix("数")), subject_terms(self.plan.tool)
        translated = {term for term in words if term.isascii()}
        told = words and "#day" not in words and (words - translated <= subject or translated & subject)
        return name if name and told else word  # 札幌の前日 is asked of another day

    def _search_or_look(self) -> None:
        """People are looked for in the items, and so is the rest where the tool has no search."""
        plan, question, search = self.plan, self.context.question, search_argument(self.plan.form)
        if "#tag" in terms(question.text) and "#tag" not in terms(plan.tool.name):
            plan.tags = list(plan.words)
            return
        people = self.context.filler.listed("user", asking=plan.tool)
        for word in plan.words:
            names = names_called([] if question.is_spoken_of(word) else people, word)
            rest = len(word) == 1 or search  # ぶ of ぶどう stands in many a word
            if not names and rest and _LEFT_OF_VERBS.fullmatch(word) and f"「{word}」" not in question.text:
                raise NotCarried("uncarried", word)
            if names or not search:
                plan.looked_for[word] = names
            else:
                plan.searched.append(word)
        if plan.searched:
            plan.give({str(search): " ".join(plan.searched)})

    def _fill(self) -> None:
        """Fills the other arguments that the tool requires. Raises `NotCarried` where no value or too many are known."""
        plan, tool, filler = self.plan, self.plan.tool, self.context.filler
        carried = set(plan.sets[0])
        try:
            plan.sets = [filled for arguments in plan.sets for filled in filler.fill(tool, arguments)]
        except CannotFillError as gap:
            raise NotCarried(gap.phrase, **gap.values) from gap
        if counted_noun := self._counted_apart(carried):
            raise NotCarried("uncarried", counted_noun)
        if len(plan.sets) <= MAX_SUBJECTS:
            return
        lacking = next(iter(required(tool)), "")
        none = CannotFillError(tool, lacking)
        unfilled = NotCarried(none.phrase, **none.values)
        if not (plan.filters or plan.by_time or self.context.question.times or self.context.task.inputs):
            raise unfilled
        if any(moment_of(item, filler.zone) for item in filler.listed(noun_of(tool, lacking), asking=tool)):
            raise unfilled  # documents, which the tool that lists them tells apart

    def _counted_apart(self, carried: set[str]) -> str:
        """The kind of thing whose number is asked for, where this tool is asked once for each of them and tells something else.

        How many channels there are is not how many messages all of them hold.
        """
        question, tool = self.context.question, self.plan.tool
        if question.comparison is None or question.comparison.order != "count":
            return ""
        nouns = {noun for name in required(tool) if name not in carried and (noun := noun_of(tool, name))}
        question_terms = terms(question.text)
        if "#category" in terms(tool.name) - question_terms:
            return question.quantity or self.context.goal  # folders are not what lies in them
        tool_terms = terms(tool.name) - {term for noun in nouns for term in terms(noun)}
        return "" if tool_terms & question_terms else next((noun for noun in sorted(nouns) if terms(noun) & question_terms), "")


def _is_kind(word: str) -> bool:
    """Whether an English word names a kind of thing that the tool is not about: no name, and nothing to search for."""
    return word.isascii() and bool(terms(word)) and all(term.startswith("#") for term in terms(word))


def _label(item: JsonObject) -> str:
    names = [str(item[one]) for one in ("id", "full_name", "real_name", "name", "department") if item.get(one)]
    return " ".join(dict.fromkeys(names))
