"""`jiritsu config show`: the settings in force, and where each came from."""

import click

from autonomy.cli.terminal import AS_JSON, print_json, say


@click.group()
def config() -> None:
    """Show the settings in force and where each came from."""


@config.command("show")
@AS_JSON
@click.pass_context
def show_config(ctx: click.Context, as_json: bool) -> None:
    """Show every setting, its value and its origin. Secrets are not shown."""
    from autonomy.cli.entry import settings_of

    found = settings_of(ctx)
    values = found.settings.model_dump(mode="json")
    for file in found.files:
        say(f"settings file: {file}{'' if file.is_file() else ' (not there)'}", err=True)
    if as_json:
        print_json({name: {"value": value, "origin": found.origins[name]} for name, value in values.items()})
        return
    width = max(map(len, values))
    for name, value in values.items():
        say(f"{name:<{width}}  {value!s:<40}  {found.origins[name]}")
