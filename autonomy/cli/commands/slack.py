"""`jiritsu slack`: sets up the Slack app; also the Slack part of `jiritsu doctor`."""

import re
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import print_json, say
from autonomy.cli.words.terminal_words import translate

if TYPE_CHECKING:
    from autonomy.chat.slack.setup.setup_check import Check
    from autonomy.settings import Config


@click.group()
def slack() -> None:
    """Set up the Slack app: its manifest, and its tokens' scopes."""


@slack.command("manifest")
@click.option(
    "--url", default="", help="The address at which Slack reaches this machine (https://…/slack/events). Default: Socket Mode."
)
@click.option("--stop-button", is_flag=True, help="Subscribe to the Stop button too, where the workspace has agent sessions.")
@pass_config()
def manifest(config: "Config", url: str, stop_button: bool) -> None:
    """Print the app's manifest: paste it on api.slack.com/apps, Create New App, From a manifest."""
    from autonomy.chat.slack.setup.manifest import manifest as build

    if url and not re.fullmatch(r"https://[^\s/?#]+(/\S*)?", url):
        raise click.BadParameter(f"{url!r} is not https://…: Slack takes no other", param_hint="--url")

    print_json(build(request_url=url, stop_button=stop_button, language=config.settings.language))


@slack.command("scopes")
def scopes() -> None:
    """List the scopes, and why each is needed."""
    from autonomy.chat.slack.setup.manifest import BOT_SCOPES

    width = max(map(len, BOT_SCOPES))
    for scope, reason in sorted(BOT_SCOPES.items()):
        say(f"{scope:<{width}}  {translate(reason)}")


async def slack_checks(config: "Config") -> "list[Check]":
    """The lines of `jiritsu doctor --slack`."""
    from autonomy.chat.slack.setup.setup_check import check
    from autonomy.cli.settings_tables import read_slack_settings

    return [found async for found in check(read_slack_settings(config))]
