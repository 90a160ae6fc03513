"""Answers clients' requests for resources, prompts and completions of the servers behind the gateway."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import mcp_types as types
from mcp import MCPError

from autonomy.mcp_gateway.client_listener import ClientListener, Context
from autonomy.mcp_gateway.content_reads import read_content, refuse_exit
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.mcp_gateway.uris import is_template, offering_servers, owner_of, prompt_names
from discovery.catalog import JsonObject, Provider
from discovery.discovery_errors import DiscoveryError
from discovery.gateway import Gateway
from discovery.transport.asked_back import call_listener

ResultT = TypeVar("ResultT")
Interactive = types.CallToolRequestParams | types.GetPromptRequestParams | types.ReadResourceRequestParams
"""The requests during which a client may be asked questions (SEP-2322)."""


class ClientRequests(Protocol):
    """Finds the session of a request, and lets its client be asked during the request."""

    async def session(self, context: Context) -> ClientSession:
        """Return the session of a request. Raises `MCPError`."""
        ...

    async def listing(self, context: Context) -> ClientSession:
        """Return the session of a request for a list. Raises `MCPError` if there were too many of these."""
        ...

    async def asking(
        self, context: Context, params: Interactive, work: Callable[[ClientListener], Awaitable[ResultT]]
    ) -> ResultT | types.InputRequiredResult:
        """Answer a request during which the client may be asked questions."""
        ...


@dataclass(frozen=True)
class ContentServer:
    """Handlers of the SDK's server for resources, prompts and completions."""

    requests: ClientRequests
    gateway: Gateway

    async def providers(self, session: ClientSession) -> list[Provider]:
        """Return the providers whose resources and prompts a client may see.

        The client may use at least one of their tools, or they have none and the client may use all tools.
        """
        tools = await session.tools()
        whole, allowed = tools.whole, tools.catalog
        named = {spec.provider for spec in allowed.tools}
        free = "*" in session.profile.tools
        return [one for one in whole.providers if one.name in named or (free and not whole.of(one.name))]

    async def list_resources(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Answer `resources/list`."""
        providers = await self.providers(await self.requests.listing(context))
        listed = [types.Resource.model_validate(one.definition) for provider in providers for one in provider.resources]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        providers = await self.providers(await self.requests.listing(context))
        listed = [types.ResourceTemplate.model_validate(one.definition) for provider in providers for one in provider.templates]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def owner(self, session: ClientSession, uri: str) -> str:
        """Return the provider of a resource or template. Raises `MCPError` if none or several offer it."""
        providers = await self.providers(session)
        owner = owner_of(uri, providers)
        if owner is None and (several := offering_servers(uri, providers)):
            raise MCPError(
                types.INVALID_PARAMS, f"{' and '.join(several)} offer {uri}: nobody knows whose is meant", {"uri": uri}
            )
        if owner is None:
            raise MCPError(types.INVALID_PARAMS, f"no server behind this gateway lists {uri}", {"uri": uri})
        return owner

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        """Answer `resources/read`. Raises `MCPError`."""
        uri, session = str(params.uri), await self.requests.session(context)
        owner = await self.owner(session, uri)

        async def read(listener: ClientListener) -> types.ReadResourceResult:
            reading = partial(forwarded, listener, lambda: self.gateway.read_resource(owner, uri))
            return await read_content(session, owner, context.method, {"uri": uri}, reading, listener.ask)

        return await self.requests.asking(context, params, read)

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Answer `completion/complete`. Raises `MCPError`."""
        session = await self.requests.session(context)
        providers, ref = await self.providers(session), params.ref
        if isinstance(ref, types.PromptReference):
            found = self._prompt_names(session, providers).get(ref.name)
            if found is None:
                raise MCPError(types.INVALID_PARAMS, f"there is no prompt {ref.name!r}")
            owner, ref = found[0], ref.model_copy(update={"name": found[1]})
        else:
            owner = await self.owner(session, ref.uri)
        session.memory.count_call()
        # check the names as well, because the client chooses them freely and the server gets them
        told: JsonObject = {"argument": [params.argument.name, params.argument.value]}
        if params.context is not None:
            told["context"] = [text for pair in (params.context.arguments or {}).items() for text in pair]
        if isinstance(ref, types.ResourceTemplateReference) and not is_template(ref.uri, providers):
            told["uri"] = ref.uri
        refuse_exit(session, owner, context.method, told)
        result = await forwarded(None, lambda: self.gateway.complete(owner, ref, params.argument, params.context))
        session.memory.remember(owner, lambda: "\n".join(result.completion.values))
        return result

    def _prompt_names(self, session: ClientSession, providers: list[Provider]) -> dict[str, tuple[str, str]]:
        return prompt_names(providers, own=session.profile.names == "own")

    async def list_prompts(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Answer `prompts/list`."""
        session = await self.requests.listing(context)
        providers = await self.providers(session)
        described = {(one.name, prompt.name): prompt.definition for one in providers for prompt in one.prompts}
        named = self._prompt_names(session, providers).items()
        return types.ListPromptsResult(
            prompts=[types.Prompt.model_validate({**described[own], "name": name}) for name, own in named]
        )

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        """Answer `prompts/get`. Raises `MCPError`."""
        session = await self.requests.session(context)
        found = self._prompt_names(session, await self.providers(session)).get(params.name)
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name!r}")
        (owner, name), arguments = found, dict(params.arguments or {})

        async def fill_in(listener: ClientListener) -> types.GetPromptResult:
            reading = partial(forwarded, listener, lambda: self.gateway.get_prompt(owner, name, arguments))
            return await read_content(
                session, owner, context.method, {"name": name, "arguments": arguments}, reading, listener.ask
            )

        return await self.requests.asking(context, params, fill_in)


async def forwarded(listener: ClientListener | None, asking: Callable[[], Awaitable[ResultT]]) -> ResultT:
    """Forward a request to its server. `listener` answers the server's questions. Raises the server's error as `MCPError`."""
    listening = call_listener.set(listener)
    try:
        return await asking()
    except DiscoveryError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error
    finally:
        call_listener.reset(listening)
