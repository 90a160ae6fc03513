"""`jiritsu config`: the settings in force, where each came from, and which settings files are trusted."""

import difflib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.terminal import agreed, print_json, say

if TYPE_CHECKING:
    from autonomy.settings import Config


@click.group()
def config() -> None:
    """Show the settings in force and where each came from; trust a settings file that was found in a folder."""


@config.command("show")
@AS_JSON
@pass_config()
def show_config(found: "Config", as_json: bool) -> None:
    """Show every setting, its value and its origin. Secrets are not shown."""
    from discovery.text.redaction import redact_data

    values = redact_data(found.settings.model_dump(mode="json"))
    for file in found.files:
        waits = " (some keys wait for trust)" if found.held and found.held.file == file else ""
        say(f"settings file: {file}{waits if file.is_file() else ' (not there)'}", err=True)
    waiting = {key.partition(".")[0]: str(found.held.file) for key in found.held.keys} if found.held else {}
    if as_json:
        rows = {name: {"value": value, "origin": found.origins[name]} for name, value in values.items()}
        print_json({name: row | ({"waits": waiting[name]} if name in waiting else {}) for name, row in rows.items()})
        return
    width = max(map(len, values))
    for name, value in values.items():
        say(
            f"{name:<{width}}  {value!s:<40}  {found.origins[name]}"
            + (" (another value waits for trust)" if name in waiting else "")
        )


@config.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Revoke the trust.")
@click.pass_context
def trust(ctx: click.Context, file: Path | None, yes: bool, revoke: bool) -> None:
    """Trust a settings file of a folder (the one found here): shows what it sets, or what changed, and asks.

    The servers of the file that it names are shown and trusted with it, each as it stands. Another content waits again. Your own file in the data directory, and one named with --config, need no trust.
    """
    from autonomy.cli.entry import EXIT_FAILED, settings_of
    from autonomy.settings import parse_settings, read_small_file
    from autonomy.settings_files import trust_all
    from autonomy.settings_trust import SettingsTrust, shown_lines

    ctx.find_root().meta["warned"] = True  # that it waits is what this command is for
    found = settings_of(ctx)
    chosen = file or found.files[-1]
    store = SettingsTrust(found.trust_file)
    if revoke:
        say(f"{chosen} is no longer trusted" if store.revoke(chosen) else f"{chosen} was not trusted")
        return
    data = read_small_file(chosen)
    document = parse_settings(chosen, data)
    lines, approved = [*shown_lines(document), *_server_lines(found, document)], store.known(chosen)
    if chosen.resolve() == found.files[0].resolve() or store.holds(chosen, data):
        say(f"{chosen} needs no approval")
        return
    _show(chosen, lines, approved)
    _require_usable(chosen, ctx.find_root().obj)
    if yes or agreed(f"Obey {chosen}?"):
        store.trust(chosen, data, lines, at=time.time())
        if isinstance(servers := document.get("servers"), str):
            trust_all(found.settings, Path(servers))
        say(f"{chosen} is trusted")
    else:
        say(f"{chosen} is not trusted: nothing was changed", err=True)
        ctx.exit(EXIT_FAILED)


def _require_usable(file: Path, flags: Mapping[str, Any]) -> None:
    """Check the file as if it were trusted: each fault would stop every command from then on. Raises `ConfigError` of them all."""
    from autonomy.cli.settings_tables import table_problems
    from autonomy.errors import ConfigError
    from autonomy.settings import load

    trusted = load({**flags, "config": str(file)})
    if faults := [problem for problem in table_problems(trusted) if problem.where == str(file.absolute())]:
        raise ConfigError.first_of(faults)


def _server_lines(config: "Config", document: Mapping[str, Any]) -> list[str]:
    """The servers that the named servers file would run or connect to, a line for each."""
    from autonomy.settings_files import servers_of

    path = document.get("servers")
    file = Path(path) if isinstance(path, str) else None
    if file is None or not file.is_file():
        return []
    return [f"{file}: {server.name} = {server.target}" for server in servers_of(config.settings, file.resolve()).servers]


def _show(file: Path, lines: list[str], approved: tuple[str, ...] | None) -> None:
    """Print each value of a settings file, or what changed since it was trusted."""
    if approved is None:
        say(f"{file} sets:")
        for line in lines:
            say(f"  {line}")
        return
    say(f"{file} has changed since it was trusted:")
    changes = [
        line for line in difflib.unified_diff(approved, lines, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))
    ]
    for line in changes or ["only hidden values, comments or the order of lines"]:
        say(f"  {line}")
