"""How well a second opinion tells bad answers from good ones, among those that the rules let pass.

    python -m tests.bench.second_opinion_bench --write ASKED.jsonl [--most N] [--recorded DIR] [--executed WORDS] [--told WORDS]
    python -m tests.bench.second_opinion_bench --read ASKED.jsonl OPINIONS.jsonl
    python -m tests.bench.second_opinion_bench --read ASKED.jsonl OPINIONS.jsonl --model openai:NAME [--url URL]

`--write` collects what a model would be asked, word for word, about cases of the gaming suite that end `completed` today, bad ones and
good ones alike, in an order that tells nothing; with `--doubted` about those that only checks of texts stand against; `--recorded` adds the runs of LiveMCPBench that people labelled, whatever rules say of
them. Each line has an id, `system` and `user`; the kind is kept in a file beside it (`.key.jsonl`), which who answers must not see.
`--read` counts the opinions, one a line: `{"id": "…", "meets_the_goal": true, "missing": []}`. With `--model` those that are missing are
asked for first, and written there. One reading is counted; a run that is rejected may mend its answer and is read again.
"""

import argparse
import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import anyio
from pydantic import ValidationError

from autonomy.agent.second_opinion import Opinion, opinion_in, opinion_request
from autonomy.completion.judge import judge
from autonomy.errors import ModelError
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolResult, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest, Task
from autonomy.llm.model_registry import open_model
from autonomy.llm.scripted import ScriptedModel
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Frozen
from tests.bench.livemcpbench import Recorded, read_runs
from tests.bench.outcome_bench import as_flagged, share, spec_of
from tests.gaming.case import GamingCase
from tests.gaming.cases import CASES
from tests.gaming.test_told import BAD, GOOD
from tests.gaming.told import Told, record
from tests.gaming.world import CaseRunner, Ran

SEED = 40


class Asked(Frozen):
    """One case, and what a model is asked about it."""

    group: str
    """Whence it is: `told`, `executed` or `recorded`."""
    name: str
    kind: str
    remarks: bool
    """Whether the rules had something to say about it, though they let it pass."""
    system: str
    user: str

    @property
    def id(self) -> str:
        """What stands for it where the kind must not be seen."""
        return hashlib.sha256(f"{self.group} {self.name}".encode()).hexdigest()[:12]


class Answered(Opinion):
    """An opinion about one of them."""

    id: str


def about(group: str, name: str, kind: str, request: ModelRequest, *, remarks: bool) -> Asked:
    """The case with the words of its request."""
    system, user = request.messages
    assert isinstance(system, SystemMessage)
    assert isinstance(user, UserMessage)
    return Asked(group=group, name=name, kind=kind, remarks=remarks, system=system.text, user=user.text)


def told(cases: Sequence[Told], *, doubted: bool) -> Iterator[Asked]:
    """Those that the rules let pass, or merely doubt, with what they are told of."""
    for case in cases:
        reply, ctx = AssistantMessage(text=case.answer), case.context()
        verdict = judge(reply, ctx)
        if verdict.is_doubt if doubted else verdict.verdict == "complete":
            shown = replace(case, calls=tuple(map(_with_text, case.calls))).context()
            request = opinion_request(reply, shown, (*verdict.findings, *verdict.remarks))
            yield about("told", case.name, case.kind, request, remarks=bool(verdict.remarks))


def _with_text(call: CallRecord) -> CallRecord:
    """The call with its data in its text too, as a run stores it."""
    result = call.result
    text = result.text or json.dumps(result.structured, ensure_ascii=False)
    return call.model_copy(update={"result": result.model_copy(update={"text": text})})


async def executed(cases: Sequence[GamingCase], most: int, *, doubted: bool) -> list[Asked]:
    """Those that end `completed`, or that the rules merely doubt, run by run, drawn until there are so many of each kind, with what
    is asked in the end."""
    found: list[Asked] = []
    asked: list[ModelRequest] = []

    def reads(request: ModelRequest) -> AssistantMessage:
        asked.append(request)
        return AssistantMessage(text=Opinion(meets_the_goal=True).model_dump_json())

    with tempfile.TemporaryDirectory() as folder:
        runner = CaseRunner(Path(folder), reader=ScriptedModel(reads), decides=doubted)
        try:
            for case in random.Random(SEED).sample(cases, len(cases)):
                if sum(one.kind == case.kind for one in found) == most:
                    continue
                asked.clear()
                ran: Ran = await runner.run(case)
                if ran.completed and asked and bool(ran.findings) is doubted:
                    found.append(about("executed", case.name, case.kind, asked[-1], remarks=bool(ran.result.remarks)))
        finally:
            await runner.close()
    return found


def recorded(folder: Path) -> Iterator[Asked]:
    """The runs that people labelled."""
    questions = {row["task_id"]: row["Question"] for row in json.loads((folder / "annotations.json").read_text(encoding="utf-8"))}
    for run in read_runs(folder):
        calls = tuple(map(_call, run.calls))
        case = Told(run.task_id, "good" if run.good else "bad", Task(goal=questions[run.task_id]), calls, run.final)
        request = opinion_request(AssistantMessage(text=run.final), case.context())
        yield about("recorded", run.task_id, case.kind, request, remarks=False)


def _call(call: Recorded) -> CallRecord:
    spec, read = spec_of(call), as_flagged(call)
    result = ToolResult(
        call_id="1",
        name=call.tool,
        text=call.output.text,
        structured=call.output.structured,
        kind=read.kind,
        is_error=call.flagged,
    )
    return record(call.tool, spec.effect, call.arguments if isinstance(call.arguments, dict) else {}, (), result)


def at_most(asked: Sequence[Asked], most: int) -> list[Asked]:
    """So many of each group and kind, drawn; in an order that tells nothing."""
    drawn, by_kind = random.Random(SEED), lambda one: (one.group, one.kind)
    groups = [list(members) for _, members in groupby(sorted(asked, key=by_kind), key=by_kind)]
    chosen = [one for members in groups for one in drawn.sample(members, min(most, len(members)))]
    drawn.shuffle(chosen)
    return chosen


def counted(asked: Sequence[Asked], opinions: Sequence[Answered]) -> Iterator[str]:
    """The table: of bad and of good ones, how many an opinion rejects."""
    by_id = {one.id: one for one in opinions}
    yield "| | bad ones rejected | good ones rejected | no opinion |"
    yield "|---|---|---|---|"
    rows = {"all": list(asked)}
    for one in asked:
        rows.setdefault(one.group, []).append(one)
        rows.setdefault(f"{one.group}, {'with' if one.remarks else 'without'} a remark", []).append(one)
    for label, members in rows.items():
        heard = [(one, by_id[one.id]) for one in members if one.id in by_id]
        cells = [
            share(
                sum(not said.meets_the_goal for one, said in heard if one.kind == kind), sum(one.kind == kind for one, _ in heard)
            )
            for kind in ("bad", "good")
        ]
        yield f"| {label} | {cells[0]} | {cells[1]} | {len(members) - len(heard)} |"
    yield ""
    for one in asked:
        said = by_id.get(one.id)
        if said is not None and said.meets_the_goal is (one.kind == "bad"):
            yield f"{one.kind} {'accepted' if said.meets_the_goal else 'rejected'}: {one.group} {one.name}: {'; '.join(said.missing)}"


async def ask(model: Model, asked: Sequence[Asked], file: Path) -> None:
    """Ask a model for the opinions that the file lacks, one after the other; one that is not had or read is left out."""
    known = {one.id for one in read(file)}
    for one in asked:
        if one.id in known:
            continue
        request = ModelRequest(
            messages=(SystemMessage(text=one.system), UserMessage(text=one.user)), tool_choice="none", temperature=0.0
        )
        try:
            said = opinion_in((await model.complete(request)).text)
        except (ModelError, ValidationError) as error:
            sys.stderr.write(f"{one.id}: {type(error).__name__}\n")
            continue
        with file.open("a", encoding="utf-8") as out:
            out.write(Answered(id=one.id, **said.model_dump()).model_dump_json() + "\n")


def read(file: Path) -> list[Answered]:
    """The opinions of a file; none where it is not there."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [Answered.model_validate_json(line) for line in lines if line.strip()]


def _key_of(file: Path) -> Path:
    return file.with_suffix(".key.jsonl")


async def _collected(given: argparse.Namespace) -> list[Asked]:
    found: list[Asked] = []
    if given.told is not None:
        found += told([case for case in (*BAD, *GOOD) if given.told in case.name], doubted=given.doubted)
    if given.executed is not None:
        found += await executed([case for case in CASES if given.executed in case.name], given.most, doubted=given.doubted)
    if given.recorded is not None:
        found += recorded(given.recorded)
    return at_most(found, given.most)


def main() -> None:
    """Write what is asked, or count what was answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="of each group and kind")
    parser.add_argument("--told", nargs="?", const="", help="with these words in their names")
    parser.add_argument("--executed", nargs="?", const="", help="with these words in their names")
    parser.add_argument("--doubted", action="store_true", help="what the rules merely doubt, in place of what they let pass")
    parser.add_argument("--recorded", type=Path)
    parser.add_argument("--read", type=Path, nargs=2)
    parser.add_argument("--model")
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    if given.write:
        asked = anyio.run(_collected, given)
        shown = [{"id": one.id, "system": one.system, "user": one.user} for one in asked]
        given.write.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in shown), encoding="utf-8")
        _key_of(given.write).write_text("".join(one.model_dump_json() + "\n" for one in asked), encoding="utf-8")
    if given.read:
        file, opinions = given.read
        asked = [Asked.model_validate_json(line) for line in _key_of(file).read_text(encoding="utf-8").splitlines()]
        if given.model:
            anyio.run(ask, open_model(given.model, ModelOptions(base_url=given.url)), asked, opinions)
        sys.stdout.write("\n".join(counted(asked, read(opinions))) + "\n")


if __name__ == "__main__":
    main()
