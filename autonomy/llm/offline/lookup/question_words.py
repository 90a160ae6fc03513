"""Cuts a question into the words that a passage must hold, and the names of people among them."""

import re
from dataclasses import dataclass

from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.lookup_words import says_nothing, with_single_words
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.result_items import names_called, readings_of
from autonomy.llm.offline.time_expressions import without_spans
from autonomy.llm.offline.vocabulary import FIELDS, LANGUAGES
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

KANJI = "\u3400-\u9fff々"
_WORDS = re.compile(
    rf"#?[A-Za-z0-9][A-Za-z0-9_.'’\-]*|[{KANJI}]+|[\u30a0-\u30ff]{{2,}}|(?<![{KANJI}\u30a0-\u30ff\u3041-\u309f])[\u3041-\u309f]{{2,}}"
)
_KANA = re.compile(r"[\u3041-\u309f]+")
_JOINING = re.compile(r"(?:から|まで|など|では|とき|です|ます|[のはがをにでとへもやかねよ])*")
"""Particles and their like in a row: no word of content."""
_GRAMMAR = sorted({word for words in LANGUAGES.values() for word in words.grammar}, key=len, reverse=True)
_OWNING = "s"
"""What is left of a day that owns something (today's complaint) without the day."""
_POLITE = re.compile("ま(?:す|し|せ)|た$")
_PHRASES = patterns_of("autonomy.llm.offline")
_BEHIND_A_NAME, _OF_SEVERAL = _PHRASES["behind_a_name"], _PHRASES["of_several"]


@dataclass(frozen=True)
class QuestionWords:
    """The words of one question."""

    question: Question
    filler: ArgumentFiller

    def content_words(self, text: str = "") -> list[str]:
        """The words that a passage must hold: of the question, or of that part of it."""
        remainder = with_single_words(text or self.question.without_place(without_spans(self.question.text, self.question.times)))
        names = sorted({name for name in [*self._called(), *_quoted_kana(remainder)] if name in remainder}, key=len, reverse=True)
        for name in names:
            remainder = remainder.replace(name, "、")
        remainder = _OF_SEVERAL.sub(r" \g<0> ", self.question.without_asking(remainder))
        words = [word.strip(".'’-").removesuffix("'s").removesuffix("’s") for word in _WORDS.findall(remainder)]
        bare = [
            word.strip("のはがをにでとへも") if _KANA.fullmatch(word) else word for word in words if not _JOINING.fullmatch(word)
        ]
        kana = [
            word for run in _KANA.finditer(remainder) for word in kana_words(run.group(), after=remainder[: run.start()][-1:])
        ]
        words = [word for word in bare if not _KANA.fullmatch(word)] + kana
        words = [word for word in words if len(word) > 1 or not _KANA.fullmatch(word)]
        reached = {found["verb"] for found in _PHRASES["reaches_somebody"].finditer(self.question.text)}
        words = [word for word in words if not (self._is_service(word) or word == _OWNING or word in reached)]
        telling = [word for word in words if not says_nothing(word)]
        return list(dict.fromkeys([*names, *(telling or words)]))

    def divided(self, text: str = "") -> tuple[list[str], dict[str, set[str]]]:
        """The same words but for those that name somebody, and these, each with every name of the people who are called so."""
        words = self.content_words(text)
        people = {word: names for word in words if (names := self.names_of(word))}
        return [word for word in words if word not in people], people

    def _is_service(self, word: str) -> bool:
        """Whether a word only says on which of the services a thing stands (esaの記事), which is no part of what it says."""
        of_tools = any(tool.name.startswith(f"{word.casefold()}_") for tool in self.filler.readers)
        return of_tools and _PHRASES["stands_there"].search(self.question.text.partition(word)[2]) is not None

    def _called(self) -> list[str]:
        """Names of people that are not cut as one word, as デプロイ通知 and りょー, and those that stand in kana."""
        names = {str(item[key]) for item in self.filler.listed("user") for key in FIELDS.person if item.get(key)}
        uncut = [name for name in names if _WORDS.findall(name) != [name] and not name.isascii()]
        text = self.question.text
        readings = {one for item in self.filler.listed("user") for one in readings_of(item) if one in text}
        return uncut + [one for one in readings if _stands_as_a_name(one, text)]

    def names_of(self, word: str) -> set[str]:
        """Every name of the people who are called so, in the question's own words and not in those that stand for them."""
        if word.casefold() not in self.question.text.casefold():
            return set()
        return names_called(self.filler.listed("user"), word)


_LONGEST_KANA = 24
"""Characters of a word in kana: without a bound, a run of kana would take the cube of its length."""


def _quoted_kana(text: str) -> list[str]:
    """What a text quotes in kana alone, which would be cut in the wrong places."""
    return [next(filter(None, groups)) for groups in SPOKEN.findall(text) if _KANA.fullmatch(next(filter(None, groups), ""))]


def _stands_as_a_name(word: str, text: str) -> bool:
    """Whether a word in kana stands by itself in a text, with what follows a name."""
    found = re.search(rf"(?<![\u3041-\u309f]){re.escape(word)}", text)
    return found is not None and (found.end() == len(text) or _BEHIND_A_NAME.match(text, found.end()) is not None)


def kana_words(run: str, *, after: str = "") -> list[str]:
    """The words of content in a run of kana: what endings and particles leave. `after` is the character before it.

    The first kana behind a Chinese character may belong to it (読む), a lone one elsewhere is a particle or nothing.
    """
    follows_kanji = 1 if re.match(f"[{KANJI}]", after) else 0
    best: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
    for at in range(len(run)):
        if at not in best:
            continue
        cost, words = best[at]
        steps = [(at + len(one), cost + 0.1, words) for one in _GRAMMAR if run.startswith(one, at)]
        if run[at:] == "お":
            steps.append((at + 1, cost + 0.1, words))  # it honours the noun behind it
        if at == 0 and follows_kanji:
            steps.append((1, cost + 0.2, words))
            steps += [(2, cost + 0.3, words)] if _POLITE.match(run, 2) else []
        steps += [
            (end, cost + 1 + 0.3 * (end - at), (*words, run[at:end]))
            for end in range(at + 1, min(len(run), at + _LONGEST_KANA) + 1)
        ]
        for end, price, longer in steps:
            if end not in best or price < best[end][0]:
                best[end] = (price, longer)
    return list(best[len(run)][1])
