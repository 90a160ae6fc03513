"""Measures what hints and brief definitions do for a model's calls: right tool chosen, arguments valid at the first try.

    python -m tests.bench.hints_bench DIR                                     # with the offline planner
    python -m tests.bench.hints_bench DIR --model compatible:NAME --url http://127.0.0.1:PORT/v1

DIR holds `tools.json`, `annotations.json` and `trajectories.jsonl.gz` of LiveMCPBench (icip-cas/LiveMCPBench, Apache-2.0). Eight tools
are offered, alike as a search brings them. Asked are steps that a person wrote down one to a tool, searches of a model that led to calls
of one tool, and requests of our own for our own servers in two languages (`data/hint_requests.json`). Every form of the tools is asked
the same requests, so that forms are compared in pairs. `--keep FILE` stores each answer, and goes on where it stopped.
"""

import argparse
import json
import math
import operator
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import anyio

from autonomy.agent.prompt import CONDUCT
from autonomy.errors import ModelError
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolCall, ToolDefinition, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest, OnText
from autonomy.llm.model_registry import open_model
from autonomy.llm.offline.planner import MODEL_ID
from autonomy.llm.offline.tool_use.tool_ranking import ranked_tools
from discovery.catalog import Effect, ToolSpec
from discovery.hints.hints import Language, make_hint
from discovery.schemas.schema import validate
from discovery.search.brief_tools import brief_form
from discovery.search.search_index import SearchIndex
from tests.bench.sample_workspace import open_sample_workspace
from tests.bench.search_bench import numbered, read_tools, say, searches

OWN = Path(__file__).parent / "data" / "hint_requests.json"
OFFERED = 8
KINDS = ("own en", "step", "own ja", "search")
REPLY_TOKENS = 120
"""A call of ordinary arguments; a small model that goes on for longer repeats itself."""
CALL_NOW = "\n\nCall the one tool that fits best, now."
"""Else a small model talks in every second reply, and nothing is known of its choice."""


class Asked(NamedTuple):
    """A request, the tool it should lead to, and what stands beside it."""

    kind: str
    text: str
    wanted: str
    offered: tuple[ToolSpec, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(spec.name for spec in self.offered)


class Answer(NamedTuple):
    """What the model did first."""

    called: str
    """Empty where it called nothing that was offered."""
    valid: bool
    """Whether the arguments fit the schema in full of the tool that was called."""

    def is_right(self, asked: Asked) -> bool:
        return self.called == asked.wanted


Form = Callable[[ToolSpec, Language], ToolDefinition]


def bare(spec: ToolSpec, language: Language) -> ToolDefinition:
    return ToolDefinition(name=spec.name, description=spec.description, input_schema=spec.input_schema)


def whole(spec: ToolSpec, language: Language) -> ToolDefinition:
    """With the whole hint, as people see it."""
    return _with(make_hint(spec, language=language).text, spec)


def hinted(spec: ToolSpec, language: Language) -> ToolDefinition:
    """As a run offers it in full."""
    return _with(make_hint(spec, language=language).beside_definition, spec)


def _with(hint: str, spec: ToolSpec) -> ToolDefinition:
    return ToolDefinition(name=spec.name, description=f"{spec.description}\n{hint}".strip(), input_schema=spec.input_schema)


def brief(spec: ToolSpec, language: Language) -> ToolDefinition:
    return bare(brief_form(spec), language)


FORMS: Mapping[str, Form] = {"bare": bare, "hinted": hinted, "whole": whole, "brief": brief}


def together(specs: Sequence[ToolSpec], among: Sequence[ToolSpec]) -> Iterator[tuple[ToolSpec, ...]]:
    """These tools in groups of eight, each with those that a search for it finds next; filled up from `among`.

    Tools that are offered together stay together for all requests: the beginning of a prompt is read once by the model's server.
    """
    index, left = SearchIndex(among), dict.fromkeys(sorted(spec.name for spec in specs))
    while left:
        first = next(spec for spec in among if spec.name == next(iter(left)))
        near = [found.spec for found in index.search(f"{first.tool} {first.description}"[:600], limit=len(among))]
        wanted = [spec for spec in near if spec.name in left and spec.name != first.name]
        others = [spec for spec in near if spec.name not in left and spec.name != first.name]
        group = [first, *wanted, *others][:OFFERED]
        for spec in group:
            left.pop(spec.name, None)
        yield tuple(sorted(group, key=lambda spec: spec.name))


def recorded(folder: Path) -> list[Asked]:
    """Steps of one tool each, and searches that led to one tool."""
    specs = tuple(spec for spec in read_tools(folder) if _tokens(spec) < LARGEST)
    named: dict[str, list[ToolSpec]] = {}
    for spec in specs:
        named.setdefault(spec.tool, []).append(spec)
    requests = [("step", text, tool) for text, tool in _steps(folder)]
    requests += [("search", text, next(iter(called))) for text, called in searches(folder, specs) if len(called) == 1]
    known = [(kind, text, named[tool][0]) for kind, text, tool in requests if len(named.get(tool, ())) == 1]
    groups = list(together(list({spec.name: spec for _, _, spec in known}.values()), specs))
    return [Asked(kind, text, spec.name, next(group for group in groups if spec in group)) for kind, text, spec in known]


LARGEST = 1_200
"""Estimated tokens of the largest tools that are asked for: eight must fit into the context of a small model."""


def _tokens(spec: ToolSpec) -> int:
    return len(json.dumps(spec.input_schema)) // 4 + len(spec.description) // 4


def _steps(folder: Path) -> Iterator[tuple[str, str]]:
    for task in json.loads((folder / "annotations.json").read_text(encoding="utf-8")):
        told = task["Annotator Metadata"]
        steps, tools = numbered(told["Steps"]), numbered(told["Tools"])
        if len(steps) == len(tools):
            for step, tool in zip(steps, tools, strict=True):
                yield f"{task['Question']}\n\nThe step to do now: {step}", tool


async def own(language: Language) -> list[Asked]:
    """Our requests for our own servers' tools, which have curated hints."""
    with tempfile.TemporaryDirectory() as home:
        async with open_sample_workspace(Path(home), language) as tools:
            specs = [
                ToolSpec(
                    name=tool.name,
                    provider=tool.name.split("_")[0],
                    tool=tool.name if tool.name.startswith(("slack_", "esa_")) else tool.name.split("_", 1)[1],
                    description=tool.definition.description,
                    input_schema=tool.definition.input_schema,
                    effect=Effect(tool.effect),
                    declared=True,
                )
                for tool in tools
            ]
    groups = [tuple(sorted(specs[at : at + OFFERED], key=lambda spec: spec.name)) for at in range(0, len(specs), OFFERED)]
    group_of = {spec.name: group for group in groups for spec in group}
    requests = json.loads(OWN.read_text(encoding="utf-8"))
    return [Asked(f"own {language}", one[language], one["tool"], group_of[one["tool"]]) for one in requests]


async def answer(model: Model, asked: Asked, form: Form, language: Language) -> Answer:
    request = ModelRequest(
        messages=(
            SystemMessage(text=CONDUCT),
            UserMessage(text=asked.text if model.id in (MODEL_ID, "ranking") else asked.text + CALL_NOW),
        ),
        tools=tuple(form(spec, language) for spec in asked.offered),
        effects={spec.name: spec.effect for spec in asked.offered},
        max_output_tokens=REPLY_TOKENS,
        temperature=0.0,
    )
    try:
        reply = await model.complete(request)
    except ModelError as error:
        if "connect" in str(error).lower():
            raise
        return Answer("", valid=False)
    for call in reply.calls:
        spec = next((spec for spec in asked.offered if spec.name == call.name), None)
        if spec is not None:
            return Answer(spec.name, valid=not validate(spec.input_schema, call.arguments))
    return Answer("", valid=False)


async def measure(
    folder: Path, model: Model, forms: Sequence[str], kinds: Sequence[str], most_sets: int, keep: Path | None
) -> None:
    rows = [*recorded(folder), *await own("en"), *await own("ja")]
    for kind in kinds:
        of_kind = sorted((row for row in rows if row.kind == kind), key=lambda row: row.names)
        sets = [list(members) for _, members in groupby(of_kind, key=lambda row: row.names)]
        chosen = sorted(sets, key=len, reverse=True)[:most_sets]
        await measure_kind([row for members in chosen for row in members], model, forms, keep)


async def measure_kind(rows: Sequence[Asked], model: Model, forms: Sequence[str], keep: Path | None) -> None:
    answers = _kept(keep)
    language: Language = "ja" if rows[0].kind.endswith("ja") else "en"
    for _, group in groupby(rows, key=lambda row: row.names):
        asked_together = list(group)
        for form in forms:
            for asked in asked_together:
                key = _key(form, asked)
                if key not in answers:
                    answers[key] = await answer(model, asked, FORMS[form], language)
                    _keep(keep, key, answers[key])
    report(rows, forms, answers)


@dataclass(frozen=True)
class FirstRanked:
    """The tool that the offline planner ranks first for a request, as a model: it meets a job's needs so."""

    id: str = "ranking"

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        best = ranked_tools(request.messages[-1].text, request.tools)[:1]
        return AssistantMessage(calls=tuple(ToolCall(id="1", name=tool.name, arguments={}) for tool, _ in best), model=self.id)

    async def aclose(self) -> None:
        pass


def _key(form: str, asked: Asked) -> str:
    return f"{form}|{asked.kind}|{asked.wanted}|{asked.text}"


def report(rows: Sequence[Asked], forms: Sequence[str], answers: Mapping[str, Answer]) -> None:
    """A line for each form, and how each differs from the first in pairs; where a run broke off, of what was answered in all."""
    rows = [row for row in rows if all(_key(form, row) in answers for form in forms)]
    say(f"\n{rows[0].kind}: n = {len(rows)}, {len({row.names for row in rows})} sets of {OFFERED} tools")
    base: list[bool] = []
    for form in forms:
        told = [(row, answers[_key(form, row)]) for row in rows]
        right = [one.is_right(row) for row, one in told]
        both = [one.is_right(row) and one.valid for row, one in told]
        valid = [one.valid for _, one in told if one.called]
        say(
            f"  {form:<8} right tool {_share(right)}, right and valid {_share(both)}, valid {_share(valid)} of {len(valid)} calls"
        )
        if base:
            gained, lost = sum(new > old for old, new in zip(base, right, strict=True)), sum(map(operator.gt, base, right))
            low, high = _spread(base, right)
            chance = f"p {sign_test(gained, lost):.2f}; 95 % {low:+.1f} to {high:+.1f} points"
            say(f"           against {forms[0]}: {gained} gained, {lost} lost ({chance})")
        base = base or right


def _share(values: Sequence[bool]) -> str:
    return f"{100 * sum(values) / max(1, len(values)):.1f} %"


def sign_test(gained: int, lost: int) -> float:
    """How likely a difference as large as this is by chance alone, two-sided (McNemar's exact test)."""
    n = gained + lost
    return min(1.0, 2.0 * sum(math.comb(n, k) for k in range(min(gained, lost) + 1)) / 2.0**n)


def _spread(before: Sequence[bool], after: Sequence[bool]) -> tuple[float, float]:
    """Where 95 % of resamplings of the difference lie, in points."""
    draw, pairs = random.Random(0), list(zip(before, after, strict=True))
    samples = (draw.choices(pairs, k=len(pairs)) for _ in range(2000))
    means = sorted(100 * sum(new - old for old, new in sample) / len(pairs) for sample in samples)
    return means[50], means[1949]


def _kept(file: Path | None) -> dict[str, Answer]:
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {one["key"]: Answer(one["called"], one["valid"]) for one in lines}


def _keep(file: Path | None, key: str, told: Answer) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": key, **told._asdict(), "at": time.time()}, ensure_ascii=False) + "\n")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--model", default="planner:offline")
    parser.add_argument("--url", default="", help="where an OpenAI-compatible server listens")
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--most-sets", type=int, default=99, help="of each kind, those with most requests")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    model = (
        FirstRanked()
        if given.model == "ranking"
        else open_model(given.model, ModelOptions(base_url=given.url, timeout_s=900, stream=False))
    )
    try:
        await measure(given.folder, model, given.forms, given.kinds, given.most_sets, given.keep)
    finally:
        await model.aclose()


if __name__ == "__main__":
    anyio.run(main)
