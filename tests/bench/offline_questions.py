"""Asks the offline planner a file of questions over the sample workspace and counts right, honest, doubted and wrong answers.

`python -m tests.bench.offline_questions [FILE.jsonl ...] [--show]`: `says` must all stand in a completed answer and `omits` must not;
`refuse` wants a refusal (that names `names`); `honest_ok` marks questions that a refusal answers well enough to be no miss.
`refuse_or_empty` (also as the value of `refuse`) takes a refusal, or that nothing was found. `at` is when it is asked, where not on
the sample's last day, and `recording` the forecast of that day.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

import anyio
import anyio.to_thread

from autonomy.completion.judge import judge
from autonomy.hr.vendors.demo import IN_ENGLISH
from autonomy.llm.messages import AssistantMessage, ToolResult
from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from mcp_servers.weather import agency
from tests.autonomy.llm.offline.conversation import Conversation, Tool, converse
from tests.bench.sample_workspace import NOW, open_sample_workspace
from tests.gaming.told import Told, record

DATA = Path(__file__).parent / "data"
QUESTIONS = DATA / "offline_questions.jsonl"
RECORDINGS = Path("tests/mcp_servers/weather/recorded")

MOST_TURNS = 10
"""After so many replies the planner is given no more calls, as a run's budget of steps does."""

Grade = Literal["right", "refused rightly", "refused", "doubted", "wrong"]


@dataclass(frozen=True)
class Asked:
    """A question, what came of it, and how good that was."""

    question: dict[str, Any]
    text: str
    calls: list[tuple[str, dict[str, Any]]]
    completed: bool
    doubts: str = ""
    """Why the judge does not take a right answer as done."""

    @property
    def grade(self) -> Grade:
        """Whether a completed answer holds the facts, and whether a refusal was due."""
        said = re.sub(r"file://\S*/esa/", "", self.text)  # where the sample lies on this machine is no answer
        said += " ".join(
            english for name, english in IN_ENGLISH.items() if name and name in said
        )  # this one HR server speaks Japanese
        held = all(fact.casefold() in said.casefold() for fact in self.question.get("says", ()))
        spilled = any(fact in said for fact in self.question.get("omits", ()))
        if not self.completed:
            due = self.question.get("refuse") or self.question.get("refuse_or_empty")
            named = all(one in self.text for one in self.question.get("names", ()))
            return "refused rightly" if due and named else "refused"
        if self.question.get("refuse") or spilled or not held:
            return "wrong"
        return "doubted" if self.doubts else "right"


def read_questions(file: Path) -> list[dict[str, Any]]:
    """The questions of a file, one JSON object a line."""
    read = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [one | {"refuse": False, "refuse_or_empty": True} if one.get("refuse") == "refuse_or_empty" else one for one in read]


async def ask(question: dict[str, Any], tools: Sequence[Tool]) -> Asked:
    """Put one question to the planner, with its calls carried out."""
    planner = OfflinePlanner(today=_asked_at(question).date)
    task = Task(goal=question["q"], language=question["lang"])
    said = await converse(planner, task, tools, max_turns=MOST_TURNS + 1, talk_after=MOST_TURNS)
    last = said.messages[-1]
    assert isinstance(last, AssistantMessage)
    completed = last.stop_reason != "refusal"
    doubts = await anyio.to_thread.run_sync(doubts_about, said, question, tools) if completed else ""
    return Asked(question, said.text, said.calls, completed, doubts)


def _asked_at(question: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(question["at"]) if "at" in question else NOW


def doubts_about(said: Conversation, question: dict[str, Any], tools: Sequence[Tool]) -> str:
    """Why the judge would not take the last words of a conversation as done; empty where it would."""
    effects = {tool.name: tool.effect for tool in tools}
    results = [one for one in said.messages if isinstance(one, ToolResult)]
    calls = tuple(
        record(name, effects[name], arguments, (), result) for (name, arguments), result in zip(said.calls, results, strict=True)
    )
    told = Told(
        question["q"],
        "good",
        Task(goal=question["q"], language=question["lang"]),
        calls,
        said.text,
        now=_asked_at(question).timestamp(),
    )
    verdict = judge(AssistantMessage(text=said.text), told.context())
    return "" if verdict.verdict == "complete" else verdict.reason


async def ask_all(questions: Sequence[dict[str, Any]], home: Path) -> list[Asked]:
    """Put each question to the workspace that it names as `sample` (`ja` where it names none); `home` is an empty directory."""
    groups: dict[tuple[str, datetime, str], list[dict[str, Any]]] = {}
    for question in questions:
        key = (question.get("sample", "ja"), _asked_at(question), question.get("recording", ""))
        groups.setdefault(key, []).append(question)
    asked = []
    for number, ((sample, at, recording), some) in enumerate(sorted(groups.items())):
        forecasts = _only(recording, home / f"forecasts{number}") if recording else agency.DATA
        async with open_sample_workspace(home / str(number), sample, at=at, forecasts=forecasts) as tools:
            asked += [await ask(question, tools) for question in some]
    return asked


def _only(recording: str, directory: Path) -> Path:
    """A directory of forecasts that holds this one alone."""
    (directory / "forecast").mkdir(parents=True)
    shutil.copy(RECORDINGS / recording, directory / "forecast" / f"{recording[:6]}.json")
    return directory


def main(arguments: Sequence[str]) -> None:
    """Print a table a file; with `--show`, every question that was not answered rightly."""
    for file in [Path(one) for one in arguments if not one.startswith("--")] or [QUESTIONS]:
        with tempfile.TemporaryDirectory() as home:
            asked = anyio.run(partial(ask_all, read_questions(file), Path(home)))
        for lang in ("ja", "en"):
            counts = Counter(one.grade for one in asked if one.question["lang"] == lang)
            sys.stdout.write(f"{file.name} {lang}: {dict(counts)}\n")
        for one in asked if "--show" in arguments else ():
            if one.grade in ("wrong", "doubted", "refused") or "--all" in arguments:
                sys.stdout.write(f"\n[{one.grade}] {one.question['q']}\n  {one.calls}\n  {one.text[:300]}\n  {one.doubts}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
