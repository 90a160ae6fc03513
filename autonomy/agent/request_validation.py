"""Rejects a request that no run could meet, before anything is spent."""

from fnmatch import fnmatchcase

from autonomy.run_state.completion_rules import Evidence, Length, Postcondition, ToolUsed
from autonomy.run_state.run_values import RunRequest
from discovery.catalog import Catalog


def validate_request(request: RunRequest, allowed: frozenset[str], catalog: Catalog) -> str:
    """Find the reason why no run could meet a request: one sentence, or nothing. `allowed` are the names of the tools this run
    may use."""
    if not request.task.goal.strip():
        return "the goal is empty"
    needs = {need.id for need in request.task.needs}
    for rule in request.rules:
        match rule:
            case Length(min_chars=least, max_chars=int(most)) if least > most:
                return f"the rules contradict each other: a text of at least {least} and at most {most} characters"
            case Evidence(need=need) if need not in needs:
                return f"the rules ask for evidence of {need!r}, and the goal declares no such need"
            case ToolUsed(tool=tool) if not any(fnmatchcase(name, tool) for name in allowed):
                return f"the rules ask for a call of {tool}, and {_whose(tool, catalog)}"
            case Postcondition(tool=tool) if why := _why_no_check(tool, allowed, catalog):
                return f"the check {rule.name!r} asks {tool}, and {why}"
            case _:
                pass
    return ""


def _why_no_check(tool: str, allowed: frozenset[str], catalog: Catalog) -> str:
    spec = catalog.get(tool)
    if spec is None or tool not in allowed:
        return _whose(tool, catalog)
    return "" if spec.read_only else f"its effect is {spec.effect}, and a check only reads"


def _whose(tool: str, catalog: Catalog) -> str:
    there = any(fnmatchcase(spec.name, tool) for spec in catalog.tools)
    return "this run may not use it" if there else "there is no such tool"
