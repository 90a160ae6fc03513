"""`jiritsu servers trust|review|approve`: what a person has to agree to of a server, its tools and their effects."""

import json
import shlex
import time
from itertools import islice
from typing import TYPE_CHECKING

import click

from autonomy.cli.commands.server_entries import (
    FIRST_START_S,
    gateway_to,
    own_file,
    say_entry,
    server_called,
    servers_to_ask,
    summary_of,
    trust_store,
)
from autonomy.cli.completion_names import server_names
from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.terminal import agreed, print_json, say, say_table
from autonomy.cli.words.terminal_words import terminal_language, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from autonomy.settings import Config
    from discovery.catalog import ToolSpec
    from discovery.hints.shown_effects import ShownEffect
    from discovery.review.effect_proposals import EffectProposal
    from discovery.servers.server_config import ServerConfig
    from discovery.servers.trust import TrustStore


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=server_names)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Revoke the approval.")
@click.option(
    "--effects",
    type=click.Choice(["review", "proposed", "strict"]),
    help="What its tools without annotations do: ask about our proposals (default), take them, or count all as writes (default with --yes).",
)
@click.option("--all", "every", is_flag=True, help="A line for each tool, however many there are.")
@pass_config()
def trust(config: "Config", names: tuple[str, ...], yes: bool, revoke: bool, effects: str | None, every: bool) -> None:
    """Approve a server: shows what would run and what its tools seem to do, and asks. A change of it needs approval again."""
    from autonomy.cli.entry import EXIT_FAILED, run_async

    servers = [server_called(config, name) for name in dict.fromkeys(names)]
    store = trust_store(config)
    if revoke:
        for one in servers:
            say(f"{one.name} is no longer trusted" if store.revoke(one.name) else f"{one.name} was not trusted")
        return
    new = [one for one in servers if not one.trusted or effects]
    for one in servers:
        if one not in new:
            say(f"{one.name} is trusted already: nothing was changed")
            say(
                f"`jiritsu servers trust {shlex.quote(one.name)} --effects review` proposes what its tools without annotations do"
            )
    trusted = [one for one in new if _let_run(store, one, yes=yes)]
    code = 0 if len(trusted) == len(new) else EXIT_FAILED
    mode = effects or ("strict" if yes else "review")
    if mode == "strict":
        for one in trusted:
            _say_strict(config, one, asked=effects is not None)
        raise click.exceptions.Exit(code)

    async def settle() -> int:
        import anyio.to_thread

        for one in trusted:
            entry = await anyio.to_thread.run_sync(server_called, config, one.name)
            await _settle_effects(config, entry, ask=mode == "review" and not yes, every=every)
        return code

    run_async(settle)


def _let_run(store: "TrustStore", server: "ServerConfig", *, yes: bool) -> bool:
    """Whether a server may run, once a person has seen what would; one whose entry is wrong may not."""
    if server.problem:
        say(f"{server.name} is not trusted: {server.problem}", err=True)
        return False
    for key, value in server.to_approve.items():
        say_entry(key, value, 10)
    if server.trusted:
        say(f"{server.name} is trusted already")
    elif yes or agreed(f"Let {server.name} run?"):
        store.trust(server, at=time.time())
        say(f"{server.name} is trusted")
    else:
        say(f"{server.name} is not trusted: nothing was changed", err=True)
        return False
    return True


def _say_strict(config: "Config", server: "ServerConfig", *, asked: bool) -> None:
    """Say what counts of the tools of a trusted server, and what keeps it from starting all the same."""
    name = shlex.quote(server.name)
    if reason := summary_of(config, server.model_copy(update={"trusted": True}))["reason"]:
        say(f"{server.name} cannot start yet: {reason}")
    if asked and server.effects:
        say(f"what its entry declares stays: {_named(server.effects)}; its other tools without annotations count as writes")
    elif not server.effects:
        say(
            f"its tools without annotations count as writes: `jiritsu servers trust {name} --effects review` proposes what they do"
        )


MOST_NAMED = 20

MOST_ROWS = 50
"""How many tools have a line each; of more, those of which the same is said share one, unless a person wants all."""


def _named(tools: "Collection[str]") -> str:
    """The names of tools for one line; of hundreds the first, and how many they are."""
    return f"{', '.join(islice(tools, MOST_NAMED))}{f', … ({len(tools)})' if len(tools) > MOST_NAMED else ''}"


def _evidence(reason: str) -> str:
    """Where a reason for an effect stands, in the reader's language, and what it says."""
    where, colon, words = reason.partition(": ")
    place, *argument = where.split(" ", 1)
    if not colon:
        return translate(reason)
    if place == "calls" or words.startswith("computes "):
        words = translate(words)
    return " ".join([translate(place), *argument]) + colon + words


def _disbelieved(tools: "Iterable[ToolSpec]", shown: "Callable[[ToolSpec], ShownEffect]") -> list[str]:
    """A line for each tool that is said to read, by itself or by its operator, where its words or its calls say otherwise."""
    from discovery.catalog import Effect
    from discovery.review.effect_proposals import contradiction
    from metrics.reporting.report_words import effect_in

    lines = []
    for spec in tools:
        claims = spec.annotations.get("readOnlyHint") and not spec.read_only and not spec.settled
        if claims and (doubt := contradiction(spec.model_copy(update={"effect": Effect.READ}))):
            counts = f"{spec.tool} claims to read, and counts as {effect_in(spec.effect.value, terminal_language())}"
            lines.append(f"{counts}: {'; '.join(map(_evidence, doubt.evidence))}")
        elif spec.read_only and (seen := shown(spec)).is_change:
            lines.append(
                f"{spec.tool} is said to read, and its calls showed a change: {'; '.join(map(_evidence, seen.evidence))}"
            )
    return lines


def _say_proposals(table: "Mapping[str, EffectProposal]", *, every: bool) -> None:
    """A line for each tool, or, of very many, for all of which the same is said."""
    from metrics.reporting.report_words import effect_in

    alike: dict[tuple[str, str, str], list[str]] = {}
    for tool, one in sorted(table.items()):
        said = effect_in(one.effect.value, terminal_language()), f"{one.confidence:.0%}", "; ".join(map(_evidence, one.evidence))
        alike.setdefault(said, []).append(tool)
    if every or len(table) <= MOST_ROWS:
        say_table(sorted((tool, *said) for said, tools in alike.items() for tool in tools))
        return
    say_table((*said, _named(tools)) for said, tools in sorted(alike.items(), key=lambda row: (row[0][0], -len(row[1]))))
    say("tools of which the same is said share a line; `--all` gives each its own")


def _say_doubts(name: str, held: "Collection[str]", disbelieved: "Sequence[str]", *, every: bool) -> None:
    """Name the held tools, and those whose claim to read is not believed, of very many the first."""
    if held:
        say(f"held, as their words are not believed: {_named(sorted(held))}; see `jiritsu servers review {shlex.quote(name)}`")
    most = len(disbelieved) if every else MOST_ROWS
    for line in disbelieved[:most]:
        say(line)
    if (left := len(disbelieved) - most) > 0:
        say(f"and {left} more; `--all` shows them")


async def _settle_effects(config: "Config", server: "ServerConfig", *, ask: bool, every: bool) -> None:
    """Show what the tools without annotations seem to do, and put it into our servers file once a person agrees."""
    import anyio.to_thread

    from autonomy.settings_files import trust_kept
    from discovery.review.effect_proposals import LIKELY
    from discovery.review.effects_shown import OPEN, propose_seen
    from discovery.servers.editing import put_key

    def put(effects: object) -> "Path":
        file = own_file(config)
        with trust_kept(config.settings, server.name):
            put_key(file, server.name, "effects", effects)
        return file

    async with gateway_to(config, [server]) as gateway:
        (provider,) = await gateway.settle(timeout_s=FIRST_START_S)
        held = {one.tool for one in gateway.held()}
        tools, shown = (await gateway.catalog()).tools, gateway.advisor.shown
        undeclared = [spec for spec in tools if not spec.declared and spec.tool not in held]
        table = {spec.tool: propose_seen(spec, shown(spec)) for spec in undeclared}
        disbelieved = _disbelieved(tools, shown)
    if not provider.available:
        later = f"`jiritsu servers trust {shlex.quote(server.name)} --effects review`"
        say(f"what its tools do is asked later, with {later}: {provider.reason or 'no answer'}")
        return
    confident = {tool: one for tool, one in table.items() if one.confidence >= LIKELY}
    by_calls = {tool: one for tool, one in table.items() if one.confidence == OPEN}
    _say_proposals(table, every=every)
    if not undeclared and not held:
        say(f"every tool of {server.name} says itself what it does: nothing to settle")
    _say_doubts(server.name, held, disbelieved, every=every)
    taken: dict[str, EffectProposal] = {}
    if confident and (not ask or await anyio.to_thread.run_sync(agreed, f"Take the proposals for {_named(confident)}?")):
        taken = confident
    if by_calls and not ask:
        say(f"counts as a write until a person is asked, as words and calls do not both say that it reads: {_named(by_calls)}")
    elif by_calls:
        question = f"Words and calls do not both say that these read. Take them as reads: {_named(by_calls)}?"
        taken = taken | by_calls if await anyio.to_thread.run_sync(agreed, question) else taken
    if taken:
        entries = {tool: rule.model_dump(mode="json", exclude_none=True) for tool, rule in server.effects.items()}
        settled = {tool: {"effect": one.effect.value} for tool, one in taken.items()}
        file = await anyio.to_thread.run_sync(put, {**entries, **settled})
        say(f"set in {file}: {_named(taken)}")
    if guessed := sorted(table.keys() - confident.keys() - by_calls.keys()):
        entry = json.dumps({"effects": {guessed[0]: {"effect": "read"}}})[1:-1]
        say(f"counts as a write, as nothing says what it does: {_named(guessed)}")
        say(f"of one that only reads, say so in its server's entry in {server.source}: {entry}")


@click.command()
@click.argument("name", required=False, shell_complete=server_names)
@AS_JSON
@pass_config()
async def review(config: "Config", name: str | None, as_json: bool) -> None:
    """Show which tools wait for a person, and the words and rules why; `approve` takes them."""
    entries = await servers_to_ask(config, name)

    async with gateway_to(config, entries) as gateway:
        await gateway.settle(timeout_s=20)
        held = gateway.held()
    if as_json:
        print_json([one.model_dump(mode="json") for one in held])
        return
    for one in held:
        say(f"{one.provider} {one.tool}  [{one.kind}]", bold=True)
        for line in (*one.change.lines, *(flag.in_words(terminal_language()) for flag in one.flags)):
            say(f"    {line}")
    say(f"waiting: {len(held)}; `jiritsu servers approve NAME [TOOL …]` takes them as they are" if held else "nothing waits")


@click.command()
@click.argument("name", shell_complete=server_names)
@click.argument("tools", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_config(calls_tools=True)
async def approve(config: "Config", name: str, tools: tuple[str, ...], yes: bool) -> None:
    """Show which tools of a server changed their definition and are held, and take them as they are now."""
    import anyio.to_thread

    from autonomy.app import open_app
    from autonomy.cli.entry import EXIT_FAILED, who

    await servers_to_ask(config, name)
    async with open_app(config, runs_goals=False) as app:
        await app.gateway.settle(timeout_s=20)
        held = [one for one in app.gateway.held() if one.provider == name and (not tools or one.tool in tools)]
        for one in held:
            say(f"{one.tool}: {one.summary}")
        if not held:
            say(f"no tool of {name} is held")
            return
        if yes or await anyio.to_thread.run_sync(agreed, f"Take {len(held)} as they are now?"):
            done = await app.gateway.approve(name, held, by=who())
            say(f"approved: {', '.join(done)}" if done else f"nothing of {name} was approved")
            if other := [one.tool for one in held if one.tool not in done]:
                say(f"changed since they were shown, and still held: {', '.join(other)}; look again", err=True)
                raise click.exceptions.Exit(EXIT_FAILED)
