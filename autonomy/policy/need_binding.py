"""Binds tools and calls to the needs a job declares.

A job says what it needs in words and arguments, not by tool names, so that another server with the same kind of tools serves as
well. The fixed arguments of a write need are also its envelope: a call that departs from them does not serve the need (see
`policy`).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase

from autonomy.llm.model import Need
from autonomy.llm.templates import mentions
from autonomy.policy.write_plan import same_value
from discovery.catalog import Effect, JsonObject, ToolSpec
from discovery.search.search_index import Ranked

_TIME_NAME = re.compile(r"date|day|time|since|until|before|after|oldest|latest|start|end|from|to$", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

NEAR = 0.25
"""Of the best score: words alone tell little; whether a call meets the need is seen by what it carries (`binding_violations`)."""

LATE = "{{"
"""What marks an argument that is only known during the run, such as `{{result}}`."""

Search = Callable[[str], Sequence[Ranked]]
"""Ranks the tools of a catalog for a phrase, best first (`Gateway.search`)."""


def candidates(need: Need, offered: Sequence[ToolSpec], search: Search) -> tuple[str, ...]:
    """The names of the offered tools that could meet the need, best first."""
    fitting = {spec.name for spec in offered if fits(need, spec)}
    if need.tools:
        return tuple(sorted(name for name in fitting if any(fnmatchcase(name, glob) for glob in need.tools)))
    ranked = [(found.spec.name, found.score) for found in search(f"{need.id} {need.description}") if found.spec.name in fitting]
    best = ranked[0][1] if ranked else 0.0
    return tuple(name for name, score in ranked if score >= best * NEAR)


def fits(need: Need, spec: ToolSpec) -> bool:
    """Whether a tool has the kind of effect a need speaks of."""
    return spec.read_only is not is_write(need.effect)


def binding_violations(need: Need, spec: ToolSpec, arguments: JsonObject) -> tuple[str, ...]:
    """The fixed arguments of the need that a call does not keep to; none means that the call serves the need.

    A server may call an argument by another name than the job does; then the value has to stand somewhere in the call. A read
    need not keep every one: a name may have been looked up into an id on the way. But a day it takes must be the day, as far as
    figures tell it ("today" is held against what came back), and a call that carries nothing of what the need fixes is about
    something else.
    """
    fixed = fixed_arguments(need)
    values = list(arguments.values())
    if is_write(need.effect):
        return tuple(
            name
            for name, value in fixed.items()
            if (
                name not in arguments or not same_value(arguments[name], value)
                if name in spec.parameters
                else not any(same_value(value, one) for one in values)
            )
        )
    wrong = tuple(
        name
        for name, value in fixed.items()
        if name in arguments and _DAY.fullmatch(str(value)) and arguments[name] != value and not _is_worded(arguments[name])
    )
    return wrong or (tuple(fixed) if fixed and not _speaks_of(fixed, arguments) else ())


def _is_worded(day: object) -> bool:
    return isinstance(day, str) and bool(day) and not any(char.isdecimal() for char in day)


def _speaks_of(fixed: JsonObject, arguments: JsonObject) -> bool:
    """Whether a call carries any of these: by value, by name, or a time where one of them is a day."""
    dated = any(_DAY.fullmatch(str(value)) for value in fixed.values())
    return any(
        name in fixed or value in fixed.values() or (dated and _TIME_NAME.search(name) is not None)
        for name, value in arguments.items()
    )


def fixed_arguments(need: Need) -> JsonObject:
    """The arguments whose values the job itself decides."""
    return {name: value for name, value in need.arguments.items() if not (isinstance(value, str) and LATE in value)}


def free_arguments(need: Need) -> frozenset[str]:
    """The arguments that carry the run's own text."""
    return frozenset(need.arguments) - fixed_arguments(need).keys()


def referred_needs(need: Need, argument: str, among: Iterable[str]) -> tuple[str, ...]:
    """The needs from whose results the job fills an argument: `{{need_id}}`, `{{need_id.field}}`."""
    return tuple(other for other in among if mentions(need.arguments.get(argument), other))


def is_write(effect: str) -> bool:
    """Whether an effect changes anything."""
    return effect != Effect.READ
