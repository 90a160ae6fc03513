"""Renders every completion rule and check with its settings as Markdown."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from autonomy.completion.rules.registry import OF_SHORT_ANSWERS, REFUSING, REMARKS, REMARKS_OF, RULES, BuiltInCheck
from autonomy.run_state.completion_rules import DEFAULT_RULES, Postcondition


def rules_table() -> str:
    """Tables of what a job declares under `complete:` or has by default, of what every run is asked besides, and of remarks."""
    defaults = {type(rule) for rule in DEFAULT_RULES}
    lines = ["| rule | what it asks | in force | settings |", "|---|---|---|---|"]
    for form in RULES:
        where = "under `check:`" if form is Postcondition else "it"
        force = "jobs with needs" if form in defaults else f"where a job declares {where}"
        lines.append(f"| `{name_of(form)}` | {_said(form)} | {force} | {'<br>'.join(_settings(form)) or '–'} |")
    lines += ["", "| asked of every run | what it asks | at first sight: bad, good | a run that does not mend it ends |"]
    lines += ["|---|---|---|---|", *(f"{_row(check)} `{check.ending}` |" for check in REFUSING)]
    of_rules = [check for checks in REMARKS_OF.values() for check in checks]
    for whose, checks in (
        ("refusals of short answers alone", OF_SHORT_ANSWERS),
        ("remarks", REMARKS),
        ("remarks on jobs alone", of_rules),
    ):
        lines += ["", f"| {whose} | what it asks | at first sight: bad, good |", "|---|---|---|", *map(_row, checks)]
    return "\n".join(lines)


def _row(check: BuiltInCheck) -> str:
    return f"| `{check.ask.__name__}` | {_said(check.ask)} | {check.caught}, {check.refused} |"


def name_of(form: type) -> str:
    """The name of a rule in a job file."""
    return str(form.model_fields["rule"].default) if issubclass(form, BaseModel) else form.__name__


def _said(thing: Any) -> str:
    """The first paragraph of its docstring, fit for a cell."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split()).replace("|", "\\|")


def _settings(form: type[BaseModel]) -> Iterator[str]:
    field_docs = _field_docs(form)
    for name, field in form.model_fields.items():
        if name == "rule":
            continue
        preset = field.get_default(call_default_factory=True, validated_data={})
        setting = f"`{name}: {json.dumps(preset)}`" if preset not in (None, "", {}, PydanticUndefined) else f"`{name}`"
        yield setting + (" (required)" if field.is_required() else "") + (f": {field_docs[name]}" if name in field_docs else "")


def _field_docs(form: type[BaseModel]) -> dict[str, str]:
    """The sentence below each field, which a class does not keep."""
    lines = next(node.body for node in ast.parse(textwrap.dedent(inspect.getsource(form))).body if isinstance(node, ast.ClassDef))
    found = {}
    for field, below in pairwise(lines):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            found[field.target.id] = " ".join(ast.literal_eval(below.value).split()).replace("|", "\\|")
    return found
