"""Asks the offline planner a file of questions over the sample workspace and counts right, honest and wrong answers.

`python -m tests.bench.offline_questions [FILE.jsonl ...] [--show]`: `says` must all stand in a completed answer and `omits` must not;
`refuse` wants a refusal (that names `names`); `honest_ok` marks questions that a refusal answers well enough to be no miss.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import anyio

from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from tests.autonomy.llm.offline.conversation import Tool, converse
from tests.bench.sample_workspace import NOW, open_sample_workspace

DATA = Path(__file__).parent / "data"
QUESTIONS = DATA / "offline_questions.jsonl"
BLIND = DATA / "offline_questions_blind.jsonl"

Grade = Literal["right", "refused rightly", "refused", "wrong"]


@dataclass(frozen=True)
class Asked:
    """A question, what came of it, and how good that was."""

    question: dict[str, Any]
    text: str
    calls: list[tuple[str, dict[str, Any]]]
    completed: bool

    @property
    def grade(self) -> Grade:
        """Whether a completed answer holds the facts, and whether a refusal was due."""
        said = re.sub(r"file://\S*/esa/", "", self.text)  # where the sample lies on this machine is no answer
        held = all(fact in said for fact in self.question.get("says", ()))
        spilled = any(fact in said for fact in self.question.get("omits", ()))
        if not self.completed:
            due = self.question.get("refuse") or self.question.get("refuse_or_empty")
            named = all(one in self.text for one in self.question.get("names", ()))
            return "refused rightly" if due and named else "refused"
        return "wrong" if self.question.get("refuse") or spilled or not held else "right"


def read_questions(file: Path) -> list[dict[str, Any]]:
    """The questions of a file, one JSON object a line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


async def ask(question: dict[str, Any], tools: Sequence[Tool]) -> Asked:
    """Put one question to the planner, with its calls carried out."""
    planner = OfflinePlanner(today=lambda: NOW.date())
    said = await converse(planner, Task(goal=question["q"], language=question["lang"]), tools)
    last = said.messages[-1]
    assert isinstance(last, AssistantMessage)
    return Asked(question, said.text, said.calls, last.stop_reason != "refusal")


async def ask_all(questions: Sequence[dict[str, Any]], home: Path) -> list[Asked]:
    """Put each question to the workspace that it names as `sample` (`ja` where it names none); `home` is an empty directory."""
    asked = []
    for sample in sorted({question.get("sample", "ja") for question in questions}):
        async with open_sample_workspace(home / sample, sample) as tools:
            asked += [await ask(question, tools) for question in questions if question.get("sample", "ja") == sample]
    return asked


def main(arguments: Sequence[str]) -> None:
    """Print a table a file; with `--show`, every question that was not answered rightly."""
    for file in [Path(one) for one in arguments if not one.startswith("--")] or [QUESTIONS]:
        with tempfile.TemporaryDirectory() as home:
            asked = anyio.run(partial(ask_all, read_questions(file), Path(home)))
        for lang in ("ja", "en"):
            counts = Counter(one.grade for one in asked if one.question["lang"] == lang)
            sys.stdout.write(f"{file.name} {lang}: {dict(counts)}\n")
        for one in asked if "--show" in arguments else ():
            if one.grade in ("wrong", "refused") or "--all" in arguments:
                sys.stdout.write(f"\n[{one.grade}] {one.question['q']}\n  {one.calls}\n  {one.text[:300]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
