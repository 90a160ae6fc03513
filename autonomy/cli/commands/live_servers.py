"""Starts the configured servers, to check them and to see their tools."""

import re
import shlex
import tempfile
from dataclasses import replace

import anyio.to_thread
from pydantic import SecretStr

from autonomy.app import open_app
from autonomy.cli.health import settle_effects, undeclared_effects
from autonomy.errors import ConfigError
from autonomy.settings import Config
from autonomy.settings_files import read_servers, servers_file
from discovery.catalog import ProviderState, ToolSpec
from discovery.discovery_errors import ServersFileError

Check = tuple[str, str, str | ConfigError, str]
"""What was checked, `ok`, `warn` or `fail`, what was found, and how to mend it."""


async def live_tools(config: Config) -> tuple[list[ToolSpec], list[str]]:
    """The tools that the servers list now, and the servers that did not answer."""
    async with open_app(config) as app:
        await app.gateway.settle(timeout_s=20)
        catalog = await app.gateway.catalog()
        return list(catalog.callable_tools), [one.name for one in catalog.missing(["*"])]


async def server_checks(config: Config, *, is_away: bool) -> list[Check]:
    """Whether each server can be started; with its database away, on an empty one."""
    with tempfile.TemporaryDirectory() as folder:
        empty = {"database_url": SecretStr(f"sqlite:///{folder}/jiritsu.db")} if is_away else {}
        return await _checks_of_servers(replace(config, settings=config.settings.model_copy(update=empty)))


async def _checks_of_servers(config: Config) -> list[Check]:
    try:
        await anyio.to_thread.run_sync(read_servers, config.settings)
    except ServersFileError as error:
        return [("servers file", "fail", str(error), "fix the file")]

    without_model = replace(config, settings=config.settings.model_copy(update={"model": ("planner:offline",)}))
    async with open_app(without_model) as app:  # a key that is missing was told of above, and hides nothing else
        await app.gateway.settle(timeout_s=20)
        catalog = await app.gateway.catalog()
        checks: list[Check] = [("servers file", "ok", str(servers_file(config.settings)), "")]
        checks += [("servers file", "warn", warning, "") for warning in app.servers.warnings]
        for one in app.gateway.held():
            checks.append(
                (
                    f"tool {one.provider} {one.tool}",
                    "warn",
                    one.summary,
                    f"jiritsu servers review {shlex.quote(one.provider)}, then approve",
                )
            )
        for provider in catalog.providers:
            tools = catalog.of(provider.name)
            if provider.state is ProviderState.READY:
                checks.append((f"server {provider.name}", "ok", f"{len(tools)} tools, protocol {provider.protocol_version}", ""))
                if unsaid := undeclared_effects(tools):
                    checks.append((f"server {provider.name}", "warn", unsaid, settle_effects(provider.name)))
                checks += [(f"server {provider.name}", "warn", one.line, "") for one in provider.quarantined[:5]]
            else:
                checks.append(
                    (
                        f"server {provider.name}",
                        "fail",
                        f"{provider.state}: {provider.cause}",
                        _mend(provider.name, provider.reason),
                    )
                )
        return checks


def _mend(name: str, reason: str) -> str:
    """How to make a server start: a reason that names a command says so itself."""
    if "`" in reason:
        return ""
    if _NAMES_VARIABLES.fullmatch(reason):
        return reason.replace("needs ", "set ", 1)
    called = shlex.quote(name)
    return (
        f"mend its entry in the servers file and try it with `jiritsu servers probe {called}`; "
        f"`jiritsu servers log {called}` has all that it said"
    )


_NAMES_VARIABLES = re.compile(r"needs [A-Z_][A-Z0-9_]*(?:, [A-Z_][A-Z0-9_]*)*")
