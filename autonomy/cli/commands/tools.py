"""`jiritsu tools`: calls a tool by hand."""

from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.commands.server_entries import show_wait
from autonomy.cli.completion_names import tool_names
from autonomy.cli.decorators import pass_config
from autonomy.cli.parameter_types import JsonTable
from autonomy.cli.terminal import print_json, show
from discovery.text.near_names import near_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autonomy.app import App
    from autonomy.settings import Config
    from discovery.catalog import Catalog, ToolOutput

LONGEST_START_S = 120.0
"""How long a person who calls one tool waits for its server: a cold package cache, or twenty such calls at once."""


@click.group()
def tools() -> None:
    """Call a tool by hand."""


NO_SERVERS = "none are configured: `jiritsu servers add` adds one, `--sample en` or `--sample ja` uses the sample workspace"


def answer_lines(output: "ToolOutput") -> "Iterator[str]":
    """A tool's answer for a person: its text, data that the text does not hold as JSON, and a line for each other part."""
    from autonomy.calls.results.result_truncation import named_part, whole_text

    text = whole_text(output)
    if text or not output.parts:
        yield text
    for part in output.parts:
        yield f"[{named_part(part)}: --json]"


@tools.command()
@click.argument("name", shell_complete=tool_names)
@click.argument("arguments", type=JsonTable(), default="{}", metavar="[JSON]")
@click.option("--json", "as_json", is_flag=True, help="Print the structured answer as JSON.")
@pass_config(calls_tools=True)
async def call(config: "Config", name: str, arguments: dict[str, Any], as_json: bool) -> int:
    """Call the tool NAME with the JSON object of its arguments.

    It is your own act: no policy rule is asked.

    \b
    jiritsu tools call weather_get_weather '{"location": "東京"}'
    """
    from autonomy.app import open_app
    from autonomy.cli.entry import EXIT_FAILED
    from autonomy.errors import ConfigError
    from discovery.schemas.schema import validate

    async with open_app(config, tool=name, runs_goals=False) as app:
        catalog = await app.gateway.catalog(needed=[name], wait_s=LONGEST_START_S, on_wait=show_wait)
        spec = catalog.get(name)
        if spec is None:
            raise await _absent(app, catalog, name)
        if problems := validate(spec.input_schema, arguments):
            raise ConfigError(name, "arguments", "; ".join(problems))
        with app.acting_by_hand():
            output = await app.gateway.call(name, arguments)
    if as_json:
        print_json(output.model_dump(mode="json"))
    else:
        show("\n".join(answer_lines(output)))
    return EXIT_FAILED if output.is_error else 0


async def _absent(app: "App", catalog: "Catalog", name: str) -> Exception:
    """Why there is no such tool: its server is not connected, or nobody has it."""
    import anyio.to_thread

    from autonomy.errors import ConfigError
    from autonomy.settings_files import read_servers
    from discovery.discovery_errors import ProviderUnavailable, UnknownTool
    from discovery.review.last_known import LastKnown
    from discovery.timing.clock import SYSTEM_CLOCK

    servers = (await anyio.to_thread.run_sync(read_servers, app.settings)).servers
    if not servers:  # the catalog alone has none either where no server's name begins the tool's
        return ConfigError("servers", "", NO_SERVERS)
    if missing := catalog.missing([name]):
        return ProviderUnavailable(missing[0].name, missing[0].cause)
    listings = await anyio.to_thread.run_sync(LastKnown(app.engine, SYSTEM_CLOCK).load, servers)
    names = {spec.name for listing in listings.values() for spec in listing.tools} | {spec.name for spec in catalog.tools}
    return UnknownTool(name, near_names(name, sorted(names), most=3))
