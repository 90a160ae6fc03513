"""`jiritsu init`, `jiritsu config show` and `jiritsu doctor`: getting it to run, and knowing why it does not."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.terminal import AS_JSON, print_json, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autonomy.settings import Config

SETTINGS = """\
# Settings of Jiritsu. Every key may also be given as JIRITSU_<KEY> in the environment, which stands above this file.

# The language model, and those to fall back to. Without one the built-in offline planner works: no key, no network.
# model = ["openai:gpt-6.1-sol", "anthropic:claude-sonnet-5-5"]      # keys: OPENAI_API_KEY, ANTHROPIC_API_KEY
# model = ["lmstudio:qwen3-8b"]                                       # a server on this machine

# [models.lmstudio]
# base_url = "http://127.0.0.1:1234/v1"

# timezone = "Asia/Tokyo"
# language = "ja"
# location = "東京"

# Writes that no job declares: allow, ask or deny.
# writes = "ask"

# [limits]                  # of every run; a job's own stand above them
# turns = 10
# wall_s = 300
# usd = 0.5

# [alerts]                  # where people are told that a schedule paused itself after repeated failures
# channel = "#ops"

# [keep]                    # days until what a run did is deleted; 0 keeps it for ever
# runs_days = 90
# log_days = 0

# [[policy]]                # a rule of your own; the first that fits decides, a denial before anything else
# name = "nothing is deleted"
# effects = ["destructive"]
# decision = "deny"
"""

SERVERS = """\
{
  // MCP servers, in the form that Claude Desktop, Claude Code and Cursor use. A new entry is a new source of tools.
  "mcpServers": {
    "weather": {
      "command": "%(python)s",
      "args": ["-P", "-m", "mcp_servers.weather"]
    }
    // "slack": { "command": "%(python)s", "args": ["-P", "-m", "mcp_servers.slack"], "env": { "SLACK_BOT_TOKEN": "${SLACK_BOT_TOKEN}" } },
    // "esa": { "command": "%(python)s", "args": ["-P", "-m", "mcp_servers.esa"],
    //          "env": { "ESA_ACCESS_TOKEN": "${ESA_ACCESS_TOKEN}", "ESA_TEAM": "my-team" } },
    // "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/some/folder"] },
    // "remote": { "type": "http", "url": "https://mcp.example.com/mcp", "headers": { "Authorization": "Bearer ${TOKEN}" } }
  }
}
"""


@click.command()
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=".", help="Where to write.")
@click.pass_context
def init(ctx: click.Context, folder: Path) -> None:
    """Write a commented settings file and a servers file, without touching any that exist; trusts the servers it writes."""
    from autonomy.cli.entry import settings_of, stop
    from autonomy.settings import FILE
    from autonomy.settings_files import OWN_SERVERS, trust_all

    files = {FILE: SETTINGS, OWN_SERVERS: SERVERS % {"python": "${JIRITSU_PYTHON}"}}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            if (folder / name).exists():
                say(f"{folder / name} is there already: left as it is")
                continue
            (folder / name).write_text(text, encoding="utf-8")
            say(f"wrote {folder / name}")
            if name == OWN_SERVERS:
                say(
                    "From now on its servers are used here instead of the sample workspace; the diary needs a chat and a wiki there."
                )
                trust_all(settings_of(ctx).settings, folder / name)
    except OSError as error:
        stop(error)


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


@click.command()
@AS_JSON
@click.option("--slack", is_flag=True, help="Check the Slack app's tokens and scopes, too.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool, slack: bool) -> None:
    """Check that everything is in place: each line says what is wrong and how to mend it."""
    from autonomy.cli.entry import EXIT_SETUP, run_async, settings_of

    found = settings_of(ctx)

    async def command() -> int:
        from autonomy.cli.commands.slack import slack_checks

        checks = [*_local_checks(found), *await _server_checks(found), *(await slack_checks(found) if slack else ())]
        if as_json:
            print_json([dict(zip(("check", "status", "detail", "fix"), check, strict=True)) for check in checks])
        else:
            for name, status, detail, fix in checks:
                mark = {"ok": "✓", "warn": "!", "fail": "✗"}[status]
                say(f"{mark} {name}: {detail}")
                if fix:
                    say(f"    → {fix}")
        return EXIT_SETUP if any(status == "fail" for _, status, _, _ in checks) else 0

    run_async(command)


Check = tuple[str, str, str, str]
"""What was checked, `ok`, `warn` or `fail`, what was found, and how to mend it."""


def _local_checks(config: "Config") -> "Iterator[Check]":
    from autonomy.errors import ConfigError, StoreError
    from autonomy.jobs.job import job_files, load
    from autonomy.settings_files import job_folders
    from autonomy.stores import open_store

    version = ".".join(map(str, sys.version_info[:3]))
    yield "python", "ok" if sys.version_info >= (3, 11) else "fail", version, "" if sys.version_info >= (3, 11) else "needs 3.11"
    try:
        open_store(config).dispose()
        yield "database", "ok", config.database_url.split("@")[-1], ""
    except StoreError as error:
        yield "database", "fail", str(error), "choose another directory with JIRITSU_HOME, or mend its permissions"
    yield from _settings_checks(config)
    for file in job_files(job_folders(config.settings)):
        try:
            yield f"job {load(file).name}", "ok", str(file), ""
        except ConfigError as error:
            yield f"job file {file.name}", "fail", str(error), "mend the file"
    for model in config.settings.model:
        yield _model_check(config, model)
    if not config.settings.key.get_secret_value():
        yield "key", "warn", "no key is set: the log is chained but not sealed, credentials cannot be stored", "set JIRITSU_KEY"


def _settings_checks(config: "Config") -> "Iterator[Check]":
    """Each file in force, what is ignored, and the tables that only some commands read."""
    from pydantic import ValidationError

    from autonomy.cli.commands.serve import read_slack_settings
    from autonomy.durable.engine import ConcurrencyLimits
    from autonomy.durable.retention import KeepSettings
    from autonomy.errors import ConfigError
    from autonomy.notifications.report_settings import ReportSettings
    from autonomy.notifications.schedule_alerts import AlertSettings
    from autonomy.settings_files import check_limits, read_policy

    for file in config.files:
        if file.is_file():
            yield "settings file", "ok", str(file), ""
    for told in config.ignored:
        yield "settings", "warn", told, ""
    for key, form in (
        ("alerts", AlertSettings),
        ("report", ReportSettings),
        ("workers", ConcurrencyLimits),
        ("keep", KeepSettings),
    ):
        try:
            form.model_validate(getattr(config.settings, key))
        except ValidationError as error:
            yield "settings", "fail", str(ConfigError.of(config.origins[key], error, key)), "mend the file"
    try:
        check_limits(config)
        read_policy(config.settings, origin=config.origins["policy"])
        read_slack_settings(config.settings)
    except ConfigError as error:
        yield "settings", "fail", str(error), "mend the file"


def _model_check(config: "Config", model: str) -> Check:
    from autonomy.llm.vendor_list import key_variable, needs_key
    from autonomy.settings_files import model_options

    vendor = model.partition(":")[0]
    if vendor == "planner":
        return f"model {model}", "ok", "the built-in offline planner: no language model", ""
    if needs_key(vendor) and not model_options(config.settings, model).api_key:
        return f"model {model}", "fail", "no API key", f"set {key_variable(vendor)}"
    return f"model {model}", "ok", "configured", ""


async def _server_checks(config: "Config") -> list[Check]:
    from autonomy.app import open_app
    from autonomy.settings_files import servers_file
    from discovery.catalog import ProviderState

    async with open_app(config) as app:
        await app.gateway.settle(timeout_s=20)
        catalog = await app.gateway.catalog()
        checks: list[Check] = [("servers file", "ok", str(servers_file(config.settings)), "")]
        checks += [("servers file", "warn", warning, "") for warning in app.servers.warnings]
        for one in app.gateway.held():
            checks.append(
                (f"tool {one.provider} {one.tool}", "warn", one.summary, f"jiritsu servers review {one.provider}, then approve")
            )
        for provider in catalog.providers:
            tools = len(catalog.of(provider.name))
            if provider.state is ProviderState.READY:
                checks.append((f"server {provider.name}", "ok", f"{tools} tools, protocol {provider.protocol_version}", ""))
                checks += [
                    (f"server {provider.name}", "warn", f"{one.tool}: {one.reason}", "") for one in provider.quarantined[:5]
                ]
            else:
                checks.append(
                    (
                        f"server {provider.name}",
                        "fail",
                        f"{provider.state}: {provider.reason}",
                        "mend its entry in the servers file",
                    )
                )
        return checks
