"""The pages of servers and tools: state, hints, calls by hand, and the operator's switches."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote

import anyio.to_thread
from starlette.responses import Response

from autonomy.errors import RunConflict, UnknownRun
from autonomy.run_state.asking.argument_form import arguments_of, explained_in, fields_of
from autonomy.run_state.asking.question_view import as_text, seen
from autonomy.web.console_services import ConsoleTools
from autonomy.web.pages.inbox_page import by_provider
from autonomy.web.visit import Page, Visit, record_by_hand
from discovery.catalog import Effect, JsonObject, ToolSpec
from discovery.discovery_errors import DiscoveryError
from discovery.hints.hints import make_hint
from discovery.schemas.schema import validate
from discovery.servers.server_config import ServerConfig

POLL_S, TOOLS_A_SECOND = 5, 100
"""How often an open page asks again, and the tools for each second more: the page of 5,000 takes a second of CPU and 2.5 MB."""


async def tools_page(visit: Visit) -> Response:
    """The servers, with their state and why, and their tools: of this process, or as another one left them."""
    tools = visit.services.tools
    if tools is None:
        return visit.page("tools.html.j2", providers=None)
    catalog = await tools.catalog()
    providers = tuple(tools.status())
    by_name: dict[str, list[ToolSpec]] = {}
    for spec in catalog.tools:
        by_name.setdefault(spec.provider, []).append(spec)
    changes, may_switch = by_provider(tools.held()), visit.services.switches is not None
    entries = await anyio.to_thread.run_sync(visit.services.entries) if visit.services.entries else {}
    connected = visit.services.by_hand is not None
    return visit.page(
        "tools.html.j2",
        providers=providers,
        poll_s=max(POLL_S, len(catalog.tools) // TOOLS_A_SECOND),
        tools=by_name,
        told={spec.name: hint for spec in catalog.tools if (hint := _told_in(visit.language, spec))},
        held=changes,
        may_switch=may_switch,
        entries=entries,
        connected=connected,
        to_trust=await anyio.to_thread.run_sync(
            _to_trust, entries, [one.name for one in providers if one.missing == "needs_operator"]
        ),
    )


class _ToTrust(NamedTuple):
    """An entry of the servers file that waits for trust, as its page shows it."""

    shown: Mapping[str, str]
    approval: str
    """Which version of it that is."""


def _to_trust(entries: Mapping[str, ServerConfig], waiting: Collection[str]) -> Mapping[str, _ToTrust]:
    """The entries that nobody trusts, or that are `waiting` though somebody does by now; reads the disk."""
    asked = {name: entry for name, entry in entries.items() if not entry.trusted or name in waiting}
    return {
        name: _ToTrust({key: seen(as_text(value)) for key, value in entry.to_approve.items()}, entry.approval)
        for name, entry in asked.items()
    }


def _told_in(language: str, spec: ToolSpec) -> str:
    """What a tool that we know is for, where its own description is in another language than the reader's."""
    if language != "ja" or not spec.description.isascii():
        return ""
    hint = make_hint(spec, language="ja")
    return hint.when if hint.curated else ""


async def tool_page(visit: Visit) -> Response:
    """One tool: what its server says, what we know of it, and a form to call it."""
    tools, spec = await _tool(visit)
    return _page(visit, tools, spec)


async def call_tool(visit: Visit) -> Response:
    """Call a tool outside of any run, as `jiritsu tools call` does; a write takes one more tick, and the journal says who did."""
    tools, spec = await _tool(visit)
    by_hand = visit.services.by_hand
    if by_hand is None:
        raise RunConflict("this console is connected to no servers")
    arguments = arguments_of(visit.form, {}, spec.input_schema)
    if problems := validate(spec.input_schema, arguments):
        return _page(visit, tools, spec, arguments, problem="; ".join(problems))
    if not spec.read_only and visit.form.get("sure") != "yes":
        return _page(visit, tools, spec, arguments, problem=visit.t("not_sure"))
    await record_by_hand(visit, spec.name, "call_by_hand")
    try:
        output = await by_hand(spec.name, arguments)
    except DiscoveryError as error:
        return _page(visit, tools, spec, arguments, problem=await anyio.to_thread.run_sync(visit.describe, str(error)))
    return _page(visit, tools, spec, arguments, output=output)


async def set_effect(visit: Visit) -> Response:
    """Say what a tool does, in the servers file; calling a write a read takes one more tick, for nobody is asked about reads."""
    tools, spec = await _tool(visit)
    write, effect = visit.services.set_effect, str(visit.form.get("effect", ""))
    if write is None or effect not in {one.value for one in Effect}:
        raise RunConflict("this console cannot change what a tool does")
    if effect == Effect.READ.value and not spec.read_only and visit.form.get("sure") != "yes":
        return _page(visit, tools, spec, problem=visit.t("not_sure_read"))
    await record_by_hand(visit, f"effect-{spec.name}-{effect}")
    await anyio.to_thread.run_sync(write, spec.provider, spec.tool, effect)
    return visit.back(f"/tools/{quote(spec.name)}", "did_switch")


async def switch_tool(visit: Visit) -> Response:
    """Keep one tool out of the catalog, or let it in again: into the servers file, from the next start on."""
    write, provider = visit.services.switch_tool, visit.request.path_params["provider"]
    tool, turn = str(visit.form.get("tool", "")), visit.form.get("turn")
    if write is None or not tool or turn not in ("enable", "disable"):
        raise RunConflict("this console cannot switch tools")
    await record_by_hand(visit, f"tool-{provider}-{tool}-{turn}")
    await anyio.to_thread.run_sync(write, provider, tool, turn == "enable")
    return visit.back(f"/tools#{quote(provider)}", "did_switch")


async def switch(visit: Visit) -> Response:
    """Trust a server or not, switch it off or on: writes what `jiritsu servers` writes.

    A server that waited for this is started now; one that runs goes on until the next start.
    """
    switches, name, turn = visit.services.switches, visit.request.path_params["provider"], visit.form.get("turn")
    if switches is None or turn not in ("trust", "revoke", "enable", "disable"):
        raise RunConflict("this console cannot change servers")
    await record_by_hand(visit, f"server-{name}-{turn}")
    await anyio.to_thread.run_sync(switches, name, str(turn), str(visit.form.get("shown", "")))
    if turn in ("trust", "enable") and visit.services.tools is not None:
        with suppress(DiscoveryError):  # it came into the file after this process began
            visit.services.tools.wake(name)
            return visit.back("/tools", "did_wake")
    return visit.back("/tools", "did_switch")


PAGES: Mapping[str, Page] = {"/tools": tools_page, "/tools/{tool}": tool_page}
CHANGES: Mapping[str, Page] = {
    "/tools/{tool}": call_tool,
    "/tools/{tool}/effect": set_effect,
    "/servers/{provider}": switch,
    "/servers/{provider}/tools": switch_tool,
}


def _page(visit: Visit, tools: ConsoleTools, spec: ToolSpec, arguments: JsonObject | None = None, **more: Any) -> Response:
    context: dict[str, Any] = {"problem": "", "output": None, **more}
    fields = explained_in(fields_of(arguments or {}, spec.input_schema), visit.language)
    effects = [one.value for one in Effect] if visit.services.set_effect is not None else []
    context["may_call"] = visit.services.by_hand is not None
    context["may_switch"] = visit.services.switch_tool is not None
    return visit.page("tool.html.j2", spec=spec, hint=tools.hint(spec), fields=fields, effects=effects, **context)


async def _tool(visit: Visit) -> tuple[ConsoleTools, ToolSpec]:
    name, tools = visit.request.path_params["tool"], visit.services.tools
    spec = (await tools.catalog()).get(name) if tools is not None else None
    if tools is None or spec is None:
        raise UnknownRun(name, "tool")
    return tools, spec
