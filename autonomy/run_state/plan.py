"""A plan as data, and its validation against a catalog.

An argument may refer to what an earlier step found: `{{find}}` is its whole answer,
`{{find.posts.0.number}}` a value in it.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import Field

from autonomy.llm.messages import ToolResult
from autonomy.llm.model_json import read_json
from autonomy.llm.templates import render
from discovery.catalog import Frozen, JsonObject, ToolSpec

MOST_STEPS = 20

_LATE = "{{"


class PlannedStep(Frozen):
    """One call that is to be made."""

    id: str = Field(pattern=r"^[A-Za-z]\w{0,30}$")
    tool: str
    arguments: JsonObject = Field(default_factory=dict)
    after: tuple[str, ...] = ()
    """Steps that must be done before, beside those it refers to."""
    why: str = ""


class Plan(Frozen):
    """Steps that reach a goal; the order follows from what they depend on."""

    steps: tuple[PlannedStep, ...] = Field(min_length=1, max_length=MOST_STEPS)

    def ready(self, done: Collection[str]) -> tuple[PlannedStep, ...]:
        """The steps that can be made now: not done, and all they depend on is."""
        return tuple(step for step in self.steps if step.id not in done and depends_on(step) <= set(done))


SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_STEPS,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "tool": {"type": "string"},
                    "arguments": {"type": "object"},
                    "after": {"type": "array", "items": {"type": "string"}},
                    "why": {"type": "string"},
                },
                "required": ["id", "tool", "arguments"],
            },
        }
    },
    "required": ["steps"],
}
"""What a model is asked for."""


def depends_on(step: PlannedStep) -> frozenset[str]:
    """The ids of the steps that come before this one."""
    return frozenset(step.after) | {expression.partition(".")[0] for expression in _references(step.arguments)}


def problems(plan: Plan, tools: Mapping[str, ToolSpec], done: Collection[str] = ()) -> tuple[str, ...]:
    """Why the plan cannot be carried out with these tools, a sentence each; `done` are steps of earlier plans, which it may
    refer to."""
    ids = [step.id for step in plan.steps]
    found = [f"two steps are called {name!r}" for name in dict.fromkeys(ids) if ids.count(name) > 1]
    found += [f"step {name}: a step of that name is done already" for name in ids if name in done]
    for step in plan.steps:
        unknown = sorted(depends_on(step) - {*ids, *done})
        found += [f"step {step.id}: it builds on {name!r}, and there is no such step" for name in unknown]
        found += [f"step {step.id}: {problem}" for problem in _misuse(step, tools.get(step.tool))]
    return tuple(found) or _circles(plan, done)


def filled(step: PlannedStep, results: Mapping[str, ToolResult]) -> JsonObject:
    """The step's arguments with what earlier steps found. Raises `LookupError` with a sentence for a reference to nothing."""
    missing = []

    def value_of(expression: str) -> Any:
        value = _value(expression, results)
        if value is None:
            missing.append(expression)
        return value

    arguments: JsonObject = render(step.arguments, value_of)
    if missing:
        raise LookupError(f"step {step.id}: there is nothing at {', '.join(missing)}")
    return arguments


def _misuse(step: PlannedStep, spec: ToolSpec | None) -> tuple[str, ...]:
    """How a call departs from the tool's schema; values that are only known later are not looked at."""
    from discovery.schemas.schema import validate  # whoever reads results of runs needs no validator

    if spec is None:
        return (f"there is no tool {step.tool}",)
    if not spec.available:
        return (f"{step.tool} cannot be called now",)
    late = {name for name, value in step.arguments.items() if _LATE in json.dumps(value, ensure_ascii=False)}
    strange = [f"{spec.name} has no argument {name!r}" for name in sorted(late - spec.parameters.keys()) if spec.parameters]
    settled = {name: value for name, value in step.arguments.items() if name not in late}
    schema = {**spec.input_schema, "required": [name for name in spec.required if name not in late]}
    return (*strange, *validate(schema, settled))


def _circles(plan: Plan, done: Collection[str]) -> tuple[str, ...]:
    reached = set(done)
    while ready := plan.ready(reached):
        reached |= {step.id for step in ready}
    stuck = [step.id for step in plan.steps if step.id not in reached]
    return (f"the steps {', '.join(stuck)} wait for each other",) if stuck else ()


def _references(arguments: JsonObject) -> list[str]:
    found: list[str] = []

    def note(expression: str) -> str:
        found.append(expression)
        return expression

    render(arguments, note)
    return found


def _value(expression: str, results: Mapping[str, ToolResult]) -> Any:
    """The whole answer of a step, or the value at a path in it."""
    name, _, path = expression.partition(".")
    if name not in results:
        return None
    if not path:
        return results[name].text
    data = _data(results[name])
    if isinstance(data, dict) and data.keys() == {"result"} and path.split(".")[0] != "result":
        data = data["result"]
    for key in path.split("."):
        data = _inside(data, key)
    return data


def _inside(data: Any, key: str) -> Any:
    if isinstance(data, dict):
        return data.get(key)
    if isinstance(data, list) and key.isdecimal() and int(key) < len(data):
        return data[int(key)]
    return None


def _data(result: ToolResult) -> Any:
    if result.structured is not None:
        return result.structured
    try:
        return read_json(result.text)
    except ValueError:
        return None
