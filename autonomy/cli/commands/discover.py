"""`jiritsu discover`: lists the tools there are, and finds those for a request."""

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from autonomy.cli.commands.server_entries import (
    ARRIVAL_S,
    FIRST_START_S,
    settle_effects,
    show_wait,
    stray_effects,
    tell_as_they_come,
    undeclared_effects,
)
from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.terminal import print_json, say, show
from discovery.text.near_names import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from autonomy.app import App
    from autonomy.durable.records.run_records import RunRecord
    from autonomy.settings import Config
    from discovery.catalog import Catalog, Provider
    from discovery.gateway import Gateway
    from discovery.search.evaluation import LabelledRequest
    from discovery.search.search_index import RankingReason

T = TypeVar("T")

RUNS = "runs"
"""What `--eval` takes in place of a file."""
MOST_RUNS = 500
"""So many of the newest runs are looked at: search is measured on what is asked today."""

MOST_NAMED = 10
"""So many unknown tools of a file are named."""

MOST_QUOTED = 80
"""So many characters of a request are repeated to the person who typed it."""

MOST_SERVERS, MOST_OTHERS = 3, 20
"""Of so many servers whose tools fit best, so many others are named: words that miss a tool mostly find another of its server."""

QUIET_S = 5.0
"""After so long without a newcomer a person is shown what there is: nothing needs the others."""
MEANING_WAIT_S = 60.0
"""So long a person waits for the meanings of many tools, where a run goes on by words: an answer by half of the ranking would mislead."""


@click.command()
@click.argument("query", required=False, default="")
@click.option("--refresh", is_flag=True, help="Ask every server again.")
@click.option("--describe", is_flag=True, help="Print what a model is told about the tools.")
@click.option("--explain", is_flag=True, help="With QUERY: explain the rank of each tool.")
@click.option(
    "--eval",
    "labelled",
    metavar="FILE",
    help='Measure search on the requests of FILE, lines of {"request", "tools"}, or on your completed runs (`runs`).',
)
@AS_JSON
@pass_config(calls_tools=True)
async def discover(
    config: "Config", query: str, refresh: bool, describe: bool, explain: bool, labelled: str | None, as_json: bool
) -> None:
    """Show providers, tools and hints; with QUERY, only the tools that fit it, best first (in Japanese or English).

    \b
    jiritsu discover
    jiritsu discover 天気予報
    jiritsu discover 天気予報 --explain
    jiritsu discover --eval runs
    """
    query = query.strip()
    if explain and not query:
        raise click.UsageError("--explain says why tools stand where they do for a QUERY: give one")
    if query and labelled is not None:
        raise click.UsageError("--eval measures the requests of its file: leave QUERY out")
    from autonomy.app import open_app
    from discovery import MCPCapabilityDiscovery

    requests = None if labelled in (None, RUNS) else _requests_of(Path(labelled))  # before any server is started
    async with open_app(config, only_looks=True) as app:
        gateway = app.gateway
        if refresh:
            await gateway.settle(FIRST_START_S)
        else:
            await gateway.settle_soon(QUIET_S)
        is_list = not query and not as_json and not describe and labelled is None
        if not is_list and (not query or not gateway.slowest_start_s()):  # else it would not be complete, or empty
            await show_wait([one for one in gateway.status() if one.state == "connecting"])
            await _settle_late(gateway)
        catalog = await gateway.catalog(refresh=refresh)
        if labelled is not None:
            await _measure(app, catalog, requests, as_json=as_json)
        elif query and explain:
            await _explain(app, catalog, query, as_json=as_json)
        elif query:
            await _show_found(app, catalog, query, as_json=as_json)
        elif as_json:
            print_json(await MCPCapabilityDiscovery(gateway).discover_all_capabilities())
        elif describe:
            show(gateway.advisor.describe(catalog, budget_tokens=8000).text)
        else:
            await _show(app, catalog)


async def _settle_late(gateway: "Gateway") -> None:
    """Wait for the servers that are still starting, longest for those that start for the first time."""
    await gateway.settle(ARRIVAL_S, first_s=FIRST_START_S)


async def _explain(app: "App", catalog: "Catalog", query: str, *, as_json: bool) -> None:
    gateway = app.gateway
    found = await _searching(gateway, catalog, lambda: gateway.advisor.explain(catalog, query))
    if as_json:
        print_json([one.model_dump(mode="json", exclude={"spec"}) | {"tool": one.spec.name} for one in found])
        return
    for one in found:
        say(f"{one.score:6.2f}  {one.spec.name}")
        for line in _reasons(one):
            say(f"        {line}", dim=True)
    if not found:
        say(f"no tool fits {_quoted(query)}", err=True)


def _reasons(one: "RankingReason") -> "Iterator[str]":
    if one.words:
        yield "words: " + ", ".join(f"{word} {worth:.1f}" for word, worth in list(one.words.items())[:8])
    if one.meaning is not None:
        yield f"meaning: {one.meaning:.2f}" + (
            f"; its step {one.step!r}: {one.step_meaning:.2f} above the mean" if one.step else ""
        )
    if one.english is not None:
        yield f"meaning, English encoder: {one.english:+.2f}"
    if one.reliability is not None:
        yield f"history: {one.reliability:.0%} of its calls went well"
    if one.served:
        yield f"history: it served requests with {one.served:.0%} of these words"


async def _measure(app: "App", catalog: "Catalog", labelled: "tuple[LabelledRequest, ...] | None", *, as_json: bool) -> None:
    """Measure search on the `labelled` requests, or on what past runs were asked for, and print how good it is."""
    from discovery.search.evaluation import measure_search

    gateway, limits = app.gateway, app.services.offer_limits
    requests = (
        _past_requests(await app.runs.newest(tenant=app.settings.tenant, limit=MOST_RUNS)) if labelled is None else labelled
    )
    quality = await _searching(
        gateway,
        catalog,
        lambda: measure_search(
            requests,
            frozenset(spec.name for spec in catalog.callable_tools),
            lambda query, limit: [one.spec.name for one in gateway.advisor.search(catalog, query, limit=limit)],
            lambda query: frozenset(spec.name for spec in gateway.advisor.offer(catalog, query, limits).specs),
        ),
    )
    if as_json:
        print_json(quality.model_dump(mode="json"))
        return
    say(f"{quality.requests} requests" + (f"; {quality.gone} left out, their tools are gone" if quality.gone else ""))
    if not requests:
        problem = "nothing to measure on: no completed run called a tool" if labelled is None else "the file holds no request"
        say(problem, err=True)
    if quality.requests:
        say(
            "".join(f"recall@{depth} {share:.1%}   " for depth, share in quality.recall.items())
            + f"offered {quality.offered:.1%}"
        )
    if quality.unknown:
        more = ", …" if len(quality.unknown) > MOST_NAMED else ""
        say(f"not among the tools, and left out: {', '.join(quality.unknown[:MOST_NAMED])}{more}", err=True)
        near = [near for name in quality.unknown[:MOST_NAMED] for near in near_names(name, (spec.name for spec in catalog.tools))]
        if near:
            say(f"near names: {', '.join(dict.fromkeys(near))}", err=True)
    for name, times in list(quality.missed.items())[:10]:
        say(f"  not offered: {name}, {times} times")


def _requests_of(file: Path) -> "tuple[LabelledRequest, ...]":
    from autonomy.errors import ConfigError
    from discovery.search.evaluation import labelled_requests

    try:
        return labelled_requests(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(str(file), "", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(str(file), "", "is not text in UTF-8") from error
    except ValueError as error:
        raise ConfigError(str(file), "", str(error)) from error


def _past_requests(records: "Sequence[RunRecord]") -> "tuple[LabelledRequest, ...]":
    """The goals of completed runs, and the tools whose calls succeeded in them."""
    from discovery.search.evaluation import LabelledRequest

    found = []
    for record in records:
        calls = record.result.calls if record.result and record.result.ending == "completed" else ()
        tools = frozenset(call.tool for call in calls if call.ok)
        if tools and record.request.task.goal.strip():
            found.append(LabelledRequest(request=record.request.task.goal, tools=tools))
    return tuple(found)


async def _searching(gateway: "Gateway", catalog: "Catalog", work: "Callable[[], T]") -> "T":
    """What `work` finds, once the meanings of the tools are ready; where they are not in time, that is printed."""
    found = await gateway.with_meaning(catalog, work, wait_s=MEANING_WAIT_S)
    if gateway.advisor.lacks_meanings(catalog):
        say(f"by words alone: the meanings of {len(catalog.tools)} tools are not ready; ask again later", err=True)
    return found


async def _show_found(app: "App", catalog: "Catalog", query: str, *, as_json: bool) -> None:
    gateway = app.gateway
    found = await _searching(gateway, catalog, lambda: gateway.advisor.search(catalog, query, limit=10))
    if as_json:
        print_json([{"score": one.score, **one.spec.model_dump(mode="json")} for one in found])
        return
    for one in found:
        say(f"{one.score:6.2f}  {one.spec.name}  {_first_line(one.spec.description)}")
    for name in list(dict.fromkeys(one.spec.provider for one in found))[:MOST_SERVERS]:
        if others := [spec.name for spec in catalog.of(name) if all(spec.name != one.spec.name for one in found)]:
            more = ", …" if len(others) > MOST_OTHERS else ""
            say(f"others of {name}: {', '.join(others[:MOST_OTHERS])}{more}", dim=True)
    if not catalog.tools:
        say("no server has listed a tool yet", err=True)
    elif not found:
        say(
            f"no tool fits {_quoted(query)}; try other words, in Japanese or English, or `jiritsu discover` for all {len(catalog.tools)}",
            err=True,
        )
        near = near_names(query, [name for spec in catalog.tools for name in (spec.name, spec.tool)], most=3)
        if near:
            say(f"near names: {', '.join(near)}", err=True)
    for provider in catalog.providers:
        if not provider.available:
            say(f"not there: {provider.name}, {_standing(provider)}", err=True)


def _standing(provider: "Provider") -> str:
    """The state of a provider, its cause, and what to do where it is still starting."""
    late = "; `jiritsu discover --refresh` waits longer" if provider.state == "connecting" else ""
    return provider.state + (f": {provider.cause}{late}" if provider.cause else "")


async def _show(app: "App", catalog: "Catalog") -> None:
    """Print the providers that are ready at once, and each of the others when it comes."""
    gateway, shown = app.gateway, {one.name for one in catalog.providers if one.state != "connecting"}
    for warning in app.servers.warnings:
        say(f"warning: {warning}", err=True)
    if catalog.message and not catalog.providers:  # else each says for itself why it is not there
        say(catalog.message, err=True)
    for provider in catalog.providers:
        if provider.name in shown:
            _show_provider(app, catalog, provider)
    if late := [one.name for one in catalog.providers if one.name not in shown]:
        say(f"still starting: {', '.join(late)}", err=True)
        catalog = await tell_as_they_come(gateway, partial(_show_provider, app), shown, _settle_late(gateway))
    for one in gateway.held():
        say(
            f" ⊘ {one.provider} {one.tool} waits for `jiritsu servers review {shlex.quote(one.provider)}`: {_first_line(one.summary)}"
        )
    say()
    if catalog.tools:
        say(f"{len(catalog.tools)} tools of {len(catalog.providers)} providers, {catalog.freshness.replace('_', ' ')}")
    else:
        say(f"{len(catalog.tools)} tools of {len(catalog.providers)} providers")
    if away := [provider.name for provider in catalog.providers if provider.missing not in ("", "disabled")]:
        say(f"{len(away)} not there: {', '.join(away)}")


def _show_provider(app: "App", catalog: "Catalog", provider: "Provider") -> None:
    from autonomy.cli.words.terminal_words import terminal_language, translate

    tools = catalog.of(provider.name)
    inside = f", runs in the backend: {provider.in_backend}" if provider.in_backend else ""
    say()
    server = app.servers.get(provider.name)
    if provider.available:
        say(f"{provider.name}  ready, {len(tools)} tools{inside}", bold=True)
    else:
        say(f"{provider.name}  {translate(_standing(provider))}", bold=True, verbatim=True)
    if server is not None and server.description:
        say(f"  {' '.join(server.description.split())}", verbatim=True)
    for spec in tools:
        mark = " " if spec.available else "✗"
        say(f" {mark} {spec.name}  [{spec.effect}{', idempotent' if spec.idempotent and not spec.read_only else ''}]")
        if line := _first_line(spec.description):
            say(f"     {line}", verbatim=True)
        if line := _first_line(spec.unavailable_because):
            say(f"     {line}")
        hint = app.gateway.hint(spec, terminal_language())
        say(f"     {_first_line(hint.below_description if spec.description else hint.text)}", dim=True, verbatim=True)
    if unsaid := undeclared_effects(tools):
        say(f" ! {unsaid}: {settle_effects(provider.name)}")
    for stray in stray_effects(server.effects if server else (), tools):
        say(f" ! {stray}")
    for held in provider.quarantined:
        say(f" ⊘ {held.line}")
    knows_why = server is None or server.obstacle or provider.reason.startswith("needs ") or "`jiritsu" in provider.reason
    if provider.state in ("degraded", "parked") and not knows_why:
        say(f" ! `jiritsu servers probe {shlex.quote(provider.name)}` tries it again")


def _quoted(query: str) -> str:
    return repr(query if len(query) <= MOST_QUOTED else query[: MOST_QUOTED - 1] + "…")


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""
