"""Finds the parts of a document that answer a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from autonomy.llm.offline.lookup.documents import (
    HEADING,
    MOST_LINES,
    STEP,
    document_lines,
    header,
    lists_of_steps,
    quoted_whole,
    steps_around,
    title_of,
)
from autonomy.llm.offline.lookup.passage_criteria import PassageCriteria
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import holds_number
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.time_expressions import spans_in
from discovery.catalog import JsonObject

MOST_STEPS = 8
"""A longer list of steps is read as lines of its own."""


@dataclass(frozen=True)
class DocumentParts:
    """The search of one document after another for what a question says."""

    question: Question
    criteria: PassageCriteria
    today: date

    def find(self, item: JsonObject, text: str, words: Sequence[str], people: Mapping[str, set[str]]) -> list[tuple[str, ...]]:
        """The parts of a document that hold what its title leaves open: lines, or what stands under a heading; else all of it."""
        heading, title, lines = header(item), title_of(item), document_lines(text)
        open_words = [word for word in words if not tells(heading, word)]
        if not open_words:
            fits = self.criteria.tells_which(" ".join(line.text for line in lines), words) and self.criteria.lists_steps(text)
            fits = fits and not (self.question.asks_who and not self.question.has_its_deed_in(text))
            typed = self.question.wants_number or self.question.asks_where_done or self.question.asks_why
            whole = fits and not typed and self.criteria.is_by(item, people, heading)
            return [quoted_whole(item, text)] if whole else []
        found: list[tuple[str, ...]] = []
        for at, line in enumerate(lines):
            if self.question.asks_what_was and self._is_ahead(line.heading or line.text):
                continue
            if people and self.criteria.asks_own_words and STEP.match(line.text):
                continue  # a step tells what is to be done, and not what its author said of something
            context = f"{'' if line.is_heading else line.heading} {line.columns} {line.text}"
            if any(tells(line.text, word) for word in open_words) and all(tells(context, word) for word in open_words):
                under = next((n for n in range(at + 1, len(lines)) if lines[n].is_heading), len(lines))
                below = [one.text for one in lines[at + 1 : under]] if line.is_heading else []
                part = [*filter(None, [line.columns]), line.text, *below]
                part_text = " ".join(part)
                if (
                    self.criteria.answers(" ".join([heading, context, *part[1:]]), words, part_text)
                    and self.criteria.tells_which(part_text, words)
                    and self.criteria.is_by(item, people, part_text, author=self.criteria.asks_own_words)
                ):
                    follows = self.question.asks_what_follows and STEP.match(line.text) is not None
                    quoted = steps_around([one.text for one in lines], at) if follows else part[:MOST_LINES]
                    found.append((title, *(f"  {one}" for one in quoted)))
        return found or self._in_steps(item, title, [line.text for line in lines], words, people)

    def _in_steps(
        self, item: JsonObject, title: str, lines: Sequence[str], words: Sequence[str], people: Mapping[str, set[str]]
    ) -> list[tuple[str, ...]]:
        """A short list of steps that together hold what the title leaves open: one step tells what comes after another."""
        open_words = [word for word in words if not tells(header(item), word)]
        found = []
        for _, steps in lists_of_steps(lines):
            text = " ".join(steps)
            fits = 1 < len(steps) <= MOST_STEPS and len(open_words) > 1
            after_another = bool(self.question.comes_after) or self.question.asks_what_follows
            if self.question.wants_number and not after_another:
                fits = fits and not self._tells_number_of_another(steps, open_words)
            if fits and self.criteria.answers(f"{header(item)} {text}", words, text) and self.criteria.is_by(item, people, text):
                found.append((title, *(f"  {step}" for step in steps)))
        return found

    @staticmethod
    def _tells_number_of_another(steps: Sequence[str], words: Sequence[str]) -> bool:
        """Whether no step with a number holds more of the words than each without: setup's time is no test's."""
        counts = [(sum(tells(step, word) for word in words), holds_number(STEP.sub("", step))) for step in steps]
        of_others = max((count for count, numbered in counts if not numbered), default=0)
        return not any(numbered and count > of_others for count, numbered in counts)

    def _is_ahead(self, heading: str) -> bool:
        """Whether under this heading stands what is planned: tomorrow."""
        spans = spans_in(heading, self.today) if HEADING.match(heading) else []
        return bool(spans) and all(span.first > self.today for span in spans)
