"""Writes docs/reference.md from the code: `python -m tests.reference_page`."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import click
from pydantic import BaseModel, SecretStr

from autonomy.chat.slack.authorization import SlackSettings
from autonomy.cli import main
from autonomy.cli.settings_tables import SLACK_VARIABLES
from autonomy.durable.engine import ConcurrencyLimits
from autonomy.durable.retention import KeepSettings
from autonomy.mcp_gateway.clients.profiles import GatewayClients
from autonomy.notifications.report_settings import ReportSettings
from autonomy.notifications.schedule_alerts import AlertSettings
from autonomy.run_state.limits import Limits
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.settings import OTHER_VARIABLES, Settings, plain_variables
from autonomy.stores import ROOMS
from autonomy.warm.warm_settings import WarmSettings
from autonomy.web.web_settings import WebSettings
from discovery.search.offering import OfferLimits
from metrics.events import Event
from metrics.running_totals import MEANS
from metrics.telemetry.prometheus import READ, render_prometheus

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference.md"
TABLES: dict[str, type[BaseModel]] = {
    "alerts": AlertSettings,
    "gateway": GatewayClients,
    "keep": KeepSettings,
    "limits": Limits,
    "quiet_hours": QuietHours,
    "report": ReportSettings,
    "slack": SlackSettings,
    "tools": OfferLimits,
    "warm": WarmSettings,
    "web": WebSettings,
    "workers": ConcurrencyLimits,
}
"""The tables of the settings file whose keys are a model's."""
BEGINS = """# Reference

Every command, setting, environment variable, metric, event and table, as the code names them. The other pages say what each is
for and how it is used. This page is written by `python -m tests.reference_page`: change the code, not the page.
"""


def page() -> str:
    """The whole page."""
    sections = {
        "Commands": _commands(),
        "Settings": _settings(),
        "Environment variables": _environment(),
        "Metrics": _metrics(),
        "Events": _events(),
        "Tables": _tables(),
    }
    return BEGINS + "".join(f"\n## {name}\n\n" + "\n".join(lines) + "\n" for name, lines in sections.items())


def _commands() -> Iterator[str]:
    for path, command in _walk(main, ()):
        arguments = " ".join(
            one.make_metavar(click.Context(command)) for one in command.params if isinstance(one, click.Argument)
        )
        options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
        said = _sentence(command.help or "")
        yield f"- `{' '.join(filter(None, ('jiritsu', *path, arguments)))}`: {said}"
        yield from (f"  - `{', '.join((*one.opts, *one.secondary_opts))}`: {_sentence(one.help or '')}" for one in options)


def _walk(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _walk(inner, (*path, name))


def _settings() -> Iterator[str]:
    yield "Keys of `jiritsu.toml`. A plain one can also stand in the environment, as `JIRITSU_` and its name in capitals."
    yield from _table("", Settings)
    for name, model in TABLES.items():
        yield from _table(name, model)


def _table(name: str, model: type[BaseModel]) -> Iterator[str]:
    yield from ("", *([f"### `[{name}]`", ""] if name else []), "| key | default | |", "|---|---|---|")
    yield from _rows("", model)


def _rows(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    """A row for each key, and for the keys of a table in it."""
    said = dict(_docstrings(model))
    for name, field in model.model_fields.items():
        key = field.alias or name
        inner = [
            one for one in (field.annotation, *get_args(field.annotation)) if inspect.isclass(one) and issubclass(one, BaseModel)
        ]
        default = "" if field.is_required() else _default(field.get_default(call_default_factory=True))
        yield f"| `{prefix}{key}` | {default} | {_cell(said.get(name, ''))} |"
        between = ".NAME." if "dict" in str(field.annotation) else "."
        for one in inner:
            yield from _rows(f"{prefix}{key}{between}", one)


def _docstrings(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """The text below each field of a model."""
    body = ast.parse(inspect.getsource(model)).body[0]
    assert isinstance(body, ast.ClassDef)
    for field, below in zip(body.body, body.body[1:], strict=False):
        told = below.value if isinstance(below, ast.Expr) else None
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(told, ast.Constant):
            yield field.target.id, str(told.value)


def _default(value: Any) -> str:
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if isinstance(value, BaseModel) or value in (None, "", (), {}, [], Path(), frozenset()):
        return ""
    listed = ", ".join(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else value
    return f"`{str(listed).lower() if isinstance(listed, bool) else f'{listed:g}' if isinstance(listed, float) else listed}`"


def _environment() -> Iterator[str]:
    yield from ("| variable | |", "|---|---|")
    yield from (f"| `{variable}` | the setting `{key}` |" for variable, key in sorted(plain_variables().items()))
    yield from (f"| `{variable}` | {told} |" for variable, told in sorted(OTHER_VARIABLES.items()))
    yield from (f"| `{variable}` | `{key}` of `[slack]` |" for key, variable in SLACK_VARIABLES.items())
    vendors = json.loads((ROOT / "autonomy/llm/data/vendors.json").read_bytes())
    yield from (
        f"| `{vendor['key']}` | the key of the models of `{name}` |" for name, vendor in vendors.items() if vendor.get("key")
    )


def _metrics() -> Iterator[str]:
    yield "What `/metrics` serves in the text format of Prometheus (`jiritsu worker --listen`, `jiritsu serve --metrics`). OpenTelemetry's names are in [report.md](report.md#telemetry)."
    yield from ("", "| metric | type | |", "|---|---|---|")
    cells = {(name, "", ""): 1.0 for name in READ} | {("seconds_of",): 1.0, ("cost_of",): 1.0}
    cells |= {(name, "x"): 1.0 for name in READ} | {("runs", "x", "completed"): 1.0}
    cells |= {(name, "x", mean): 1.0 for mean in MEANS for name in ("mean_sum", "mean_of")}
    cells = {cell: value for cell, value in cells.items() if _has_labels_of(cell)}
    lines = render_prometheus(cells).splitlines()
    for about, kind in pairwise(lines):
        if about.startswith("# HELP "):
            name, _, told = about.removeprefix("# HELP ").partition(" ")
            yield f"| `{name}` | {kind.rpartition(' ')[2]} | {told} |"


def _has_labels_of(cell: tuple[str, ...]) -> bool:
    """Whether a cell has as many labels as its sum: a run's job and ending, a mean's job and name, else one or none."""
    return len(cell) == {
        "runs": 3,
        "mean_sum": 3,
        "mean_of": 3,
        "seconds_of": 1,
        "seconds_sum": 1,
        "cost_of": 1,
        "cost_sum": 1,
    }.get(cell[0], 2)


def _events() -> Iterator[str]:
    yield "What the log holds of each run ([report.md](report.md#the-log)); `jiritsu audit show` lists them."
    yield from ("", "| event | |", "|---|---|")
    for kind in _kinds(Event):
        if "type" in kind.model_fields and kind.__module__ == Event.__module__:  # and not one of a test
            yield f"| `{kind.model_fields['type'].default}` | {_cell(_sentence(inspect.getdoc(kind) or ''))} |"


def _kinds(of: type[Event]) -> Iterator[type[Event]]:
    for kind in of.__subclasses__():
        yield from (kind, *_kinds(kind))


def _tables() -> Iterator[str]:
    yield "Tables of the database beside those of DBOS. Each package migrates its own; other programs should read `jiritsu … --json` instead."
    yield from ("", "| package | tables |", "|---|---|")
    for room in ROOMS:
        yield f"| {room.name} | {', '.join(f'`{table}`' for table in sorted(room.metadata.tables))} |"


def _sentence(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(re.split(r"\n\s*\n|\f", text.strip())[0].replace("\b", "").split())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
