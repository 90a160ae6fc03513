"""Starts the configured servers, to check them and to see their tools."""

import re
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

import anyio.to_thread
from pydantic import SecretStr

from autonomy.app import open_app
from autonomy.cli.commands.server_entries import (
    ARRIVAL_S,
    settle_effects,
    stray_effects,
    tell_as_they_come,
    undeclared_effects,
)
from autonomy.errors import ConfigError
from autonomy.policy.rule_conflicts import rules_without_tool, shadowed_rules
from autonomy.settings import Config
from autonomy.settings_files import read_servers, servers_file
from discovery.catalog import Catalog, Provider, ProviderState, ToolSpec
from discovery.discovery_errors import ServersFileError
from discovery.servers import network

Check = tuple[str, str, str | ConfigError, str]
"""What was checked; `ok`, `warn` or `fail`; what was found; and how to mend it."""


async def live_tools(config: Config) -> tuple[list[ToolSpec], list[str]]:
    """The tools that the servers list now, and the servers that did not answer."""
    async with open_app(config, only_looks=True) as app:
        await app.gateway.settle(ARRIVAL_S)
        catalog = await app.gateway.catalog()
        return list(catalog.callable_tools), [one.name for one in catalog.missing(["*"])]


async def server_checks(config: Config, tell: Callable[[Check], None], *, is_away: bool) -> None:
    """Tell of each server whether it can be started, as they come; with its database away, on an empty one."""
    with tempfile.TemporaryDirectory() if is_away else nullcontext() as folder:
        empty = {"database_url": SecretStr(f"sqlite:///{folder}/jiritsu.db")} if is_away else {}
        await _check_servers(replace(config, settings=config.settings.model_copy(update=empty)), tell)


async def _check_servers(config: Config, tell: Callable[[Check], None]) -> None:
    try:
        await anyio.to_thread.run_sync(read_servers, config.settings)
        file = await anyio.to_thread.run_sync(servers_file, config.settings)
    except ServersFileError as error:
        return tell(("servers file", "fail", str(error), "fix the file"))

    def tell_of(catalog: Catalog, provider: Provider) -> None:
        server = app.servers.get(provider.name)
        declared = (server.effects, server.target) if server else ((), "")
        for check in _checks_of(provider, catalog.of(provider.name), *declared):
            tell(check)

    async with open_app(config, only_looks=True) as app:
        tell(("servers file", "ok", str(file), ""))
        for warning in app.servers.warnings:
            tell(("servers file", "warn", warning, ""))
        await tell_as_they_come(app.gateway, tell_of, set(), app.gateway.settle(ARRIVAL_S))
        for one in app.gateway.held():
            review = f"jiritsu servers review {shlex.quote(one.provider)}, then approve"
            tell((f"tool {one.provider} {one.tool}", "warn", one.summary, review))
        catalog = await app.gateway.catalog()
        rules = () if catalog.missing(["*"]) else app.services.policy.rules
        found = (*rules_without_tool(rules, catalog.callable_tools), *shadowed_rules(rules, catalog.callable_tools))
        for conflict in found:
            tell(("policy", "warn", conflict.to_config_error(config.origins["policy"]), "mend the rule, or take it out"))
    return None


def _checks_of(provider: Provider, tools: Sequence[ToolSpec], effects: Iterable[str], address: str) -> Iterator[Check]:
    name = f"server {provider.name}"
    if provider.state is not ProviderState.READY:
        may = "a first start may install it" if provider.transport == "stdio" else "check the network and its proxy"
        probe = f"{may}: `jiritsu servers probe {shlex.quote(provider.name)}` waits longer"
        late = provider.state is ProviderState.CONNECTING and not provider.reason
        yield name, "fail", f"{provider.state}: {provider.cause}", probe if late else _mend(provider, address)
        return
    yield name, "ok", f"{len(tools)} tools, protocol {provider.protocol_version}", ""
    if unsaid := undeclared_effects(tools):
        yield name, "warn", unsaid, settle_effects(provider.name)
    for stray in stray_effects(effects, tools):
        yield name, "warn", stray, ""
    for one in provider.quarantined[:5]:
        yield name, "warn", one.line, ""


def _mend(provider: Provider, address: str = "") -> str:
    """How to make a server start, whose `address` shows no secret: a reason that names a command says so itself."""
    reason, called = provider.reason, shlex.quote(provider.name)
    if "`" in reason:
        return "or write its key into `headers` of its entry in the servers file" if reason.startswith("HTTP 401") else ""
    if mended := network.remedy(reason):
        return mended
    if _NAMES_VARIABLES.fullmatch(reason):
        return reason.replace("needs ", "set ", 1)
    probe = f"`jiritsu servers probe {called}`"
    if provider.transport == "http":
        return f"{_mend_remote(reason, address)}, and try it with {probe}"
    if provider.state is ProviderState.PARKED:
        return f"mend its entry in the servers file and try it with {probe}"
    return f"mend its entry in the servers file and try it with {probe}; `jiritsu servers log {called}` has all that it said"


def _mend_remote(reason: str, address: str) -> str:
    """What to do about what a remote server answered."""
    status = int(found[1]) if (found := _STATUS.match(reason)) else 0
    if status in (401, 403):
        return "see whether the key in `headers` of its entry in the servers file is right and may do this"
    if status == 429:
        return "wait: it takes no more requests for now"
    if status >= 500:
        return f"ask whoever runs {address or 'it'}: the fault is there"
    return f"see whether it runs and whether `url` in the servers file is right{address and f' ({address})'}"


_STATUS = re.compile(r"HTTP (\d{3})\b")
_NAMES_VARIABLES = re.compile(r"needs [A-Z_][A-Z0-9_]*(?:, [A-Z_][A-Z0-9_]*)*")
