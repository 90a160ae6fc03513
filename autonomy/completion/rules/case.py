"""What a rule is asked about: the run, its evidence, what went out and what was answered."""

import re
from dataclasses import dataclass
from functools import cached_property

from autonomy.completion.evidence import SHORTEST_TEXT, RunEvidence
from autonomy.provenance.support import Attribution
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.run_state.context import ToolExecutionContext

_LISTED_LINE = re.compile(r"^ {0,3}(?:[-*•・]|\d{1,2}[.)]) ", re.MULTILINE)
_LISTS = re.compile(r"(?:^\s*(?:[-*•・]|\d{1,2}[.)]) .*\n?(?:[ \t]+\S.*\n?|\n(?=[-*•・\d]))*)+", re.MULTILINE)
"""Lines of a list, with what is indented below them and single blank lines between."""


@dataclass(frozen=True)
class Judgement:
    """One final answer and the run behind it."""

    ctx: ToolExecutionContext
    answer: str

    @cached_property
    def evidence(self) -> RunEvidence:
        """The run's sources, reads and writes."""
        return RunEvidence.of(self.ctx)

    @cached_property
    def list_lengths(self) -> frozenset[int]:
        """How many lines the answer lists: in each list, and in all."""
        lists = [len(_LISTED_LINE.findall(block)) for block in _LISTS.findall(self.answer)]
        return frozenset({*lists, sum(lists)}) - {0}

    @cached_property
    def delivered(self) -> str:
        """The text that went out, or would have, where the job has its result delivered; else empty."""
        return self.evidence.delivered()

    @property
    def text(self) -> str:
        """What the rules are about: the delivered text, not the words around it; the answer where nothing is delivered."""
        return self.delivered or self.answer

    @cached_property
    def own_words(self) -> str:
        """The lines of the answer that do not stand in what went out: what the run says of itself.

        A rehearsal has to show what would go out, so a line of that counts as quoted however short it is.
        """
        sent = "\n".join(text.text for text in self.evidence.sent() if len(text.text) > SHORTEST_TEXT)
        rehearsed = {line.strip() for text in self.evidence.sent() if text.record.simulated for line in text.text.splitlines()}
        return "\n".join(
            line
            for line in self.answer.splitlines()
            if (line.strip() not in sent and line.strip() not in rehearsed) or not line.strip()
        )

    @cached_property
    def said_before(self) -> set[tuple[FactKind, str]]:
        """What the goal names, or the conversation before: an earlier answer was held against its own reads."""
        request = self.ctx.request
        said = "\n".join([request.task.goal, *(message.text for message in request.history)])
        return {(fact.kind, key) for fact in facts_in(said, self.evidence.day) for key in fact.keys}

    @cached_property
    def asked(self) -> tuple[Fact, ...]:
        """The facts of the question, read on the day and in the zone of the run."""
        return facts_in(self.ctx.request.task.goal, self.evidence.day, self.evidence.sources.zone)

    @cached_property
    def told(self) -> str:
        """Everything people get to read: texts that went out and the answer."""
        return "\n".join(dict.fromkeys([*(text.text for text in self.last_sent), self.answer]))

    @cached_property
    def last_sent(self) -> list:  # type: ignore[type-arg]
        """Of each place the text that stands there in the end."""
        found = {}
        for sent in self.evidence.sent():
            key = (
                sent.record.tool,
                tuple((name, str(value)) for name, value in sorted(sent.record.arguments.items()) if len(str(value)) < 60),
            )
            found[key] = sent
        return list(found.values())

    def attribution(self, text: str) -> Attribution:
        """Where a text comes from."""
        return self.evidence.attribution(text)
