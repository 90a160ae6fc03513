"""A pydantic-ai model that runs the Claude Agent SDK.

One `request()` is one run of the Claude Agent SDK, however many turns Claude takes with tools. Each call of a tool and its result
appear in the response as native tool parts. It needs the extras `pydantic-ai` and `claude`. Dependencies are experimental.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeGuard, cast

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ClaudeSDKError, McpSdkServerConfig
from pydantic_ai import RunContext
from pydantic_ai import messages as pm
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from autonomy.bridge.bridge_errors import ToolNotFoundError, ToolsetNotRegisteredError
from autonomy.bridge.bridged_tool import BridgedTool
from autonomy.bridge.claude.claude_messages import PROVIDER_NAME, Block, error_of, output_schema, prompt_blocks, system_prompt
from autonomy.bridge.claude.claude_stream import ClaudeStream
from autonomy.bridge.deps_support import DepsContext
from autonomy.bridge.mcp_integration import MCP_SERVER_NAME, NO_DEPS, TOOL_PREFIX, Tools, bridge_tools
from autonomy.bridge.protocols import AgentToolset
from autonomy.bridge.tool_converter import sdk_server
from autonomy.bridge.toolsets import AnyToolset, open_toolset, toolset_server

logger = logging.getLogger(__name__)

_ENVIRONMENT = {
    "CLAUDE_CODE_MAX_RETRIES": "0",  # the caller retries, and the two numbers of attempts would multiply
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
}


def isolated_options(**changes: Any) -> ClaudeAgentOptions:
    """Return options for Claude Code with only registered tools, without settings files, and without sessions on disk.

    `changes`: other values of `ClaudeAgentOptions`.
    """
    options = ClaudeAgentOptions(
        tools=[],
        skills=[],
        setting_sources=[],
        strict_mcp_config=True,
        verbatim_prompts=True,
        permission_mode="dontAsk",
        extra_args={"no-session-persistence": None},
        env=dict(_ENVIRONMENT),
    )
    return replace(options, **changes)


class ClaudeCodeModel(Model[Any]):
    """Claude Code as a model for `pydantic_ai.Agent`.

    `options` replaces `isolated_options()`. It determines all that a request does not: API key and address (`env`), working
    directory, limits (`max_turns`, `max_budget_usd`), and further MCP servers.
    """

    unsupported_settings = frozenset(
        {
            "frequency_penalty",
            "logit_bias",
            "parallel_tool_calls",
            "presence_penalty",
            "seed",
            "stop_sequences",
            "temperature",
            "timeout",
            "tool_choice",
            "top_p",
        }
    )

    def __init__(
        self,
        model_name: str | None = None,
        *,
        options: ClaudeAgentOptions | None = None,
        settings: ModelSettings | None = None,
    ) -> None:
        profile = ModelProfile(supports_json_schema_output=True, default_structured_output_mode="native")
        super().__init__(settings=settings, profile=profile)
        self._model_name = model_name
        self._options = options or isolated_options()
        self._tools: Mapping[str, BridgedTool] | None = None
        self._toolset: AnyToolset | None = None
        self._deps: Any = None

    @property
    def model_name(self) -> str:
        """The name of the Claude model, or `default` if Claude Code chooses it."""
        return self._model_name or "default"

    @property
    def system(self) -> str:
        """The name of the provider."""
        return PROVIDER_NAME

    def set_agent_toolsets(self, toolset: Tools | AnyToolset, *, deps: Any = NO_DEPS) -> McpSdkServerConfig:
        """Register the tools that requests may name, and return them as a server configuration.

        `toolset`: `agent._function_toolset`, `agent.toolsets`, any toolset of pydantic-ai, or tools. `deps`: what tools with a
        `RunContext` get as `ctx.deps` (experimental). A second call replaces the first, with a warning. Raises
        `ToolValidationError`, `UnsupportedDepsTypeError`, or `NotImplementedError` if a tool takes a context but there are no
        deps.
        """
        if self._tools is not None or self._toolset is not None:
            logger.warning("set_agent_toolsets() was called again: the toolsets registered before are replaced")
        if _must_be_asked(toolset):
            context = DepsContext(None if deps is NO_DEPS else deps)
            self._tools, self._toolset, self._deps = None, toolset, context.deps
            return {"type": "sdk", "name": MCP_SERVER_NAME, "instance": toolset_server(toolset, deps=self._deps)}
        self._tools, self._toolset = {tool.name: tool for tool in bridge_tools(cast("Tools", toolset), deps)}, None
        return sdk_server(MCP_SERVER_NAME, self._tools.values())

    def _process_function_tools(
        self, function_tools: Iterable[ToolDefinition | str], registered: Mapping[str, BridgedTool] | None = None
    ) -> McpSdkServerConfig | None:
        """Return a server of exactly the tools that a request names; None if it names none.

        Raises `ToolsetNotRegisteredError` before `set_agent_toolsets()`, and `ToolNotFoundError` for an unknown name.
        """
        names = _names(function_tools)
        if not names:
            return None
        tools = self._tools if registered is None else registered
        if tools is None:
            raise ToolsetNotRegisteredError(names)
        if missing := [name for name in names if name not in tools]:
            raise ToolNotFoundError(missing, tools)
        return sdk_server(MCP_SERVER_NAME, [tools[name] for name in names])

    async def request(
        self,
        messages: list[pm.ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> pm.ModelResponse:
        """Let Claude Code work until it answers.

        Raises pydantic-ai's `ModelHTTPError` and `ModelConnectionError`, to which `FallbackModel` reacts, and `ClaudeCodeStopped`
        if it reached a limit without an answer.
        """
        async with self.request_stream(messages, model_settings, model_request_parameters) as response:
            async for _event in response:
                pass
            return response.get()

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[pm.ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Let Claude Code work, and yield text, thinking, tool calls and their results as they come."""
        settings, parameters = self.prepare_request(model_settings, model_request_parameters)
        async with AsyncExitStack() as stack:
            registered = await stack.enter_async_context(self._registered_tools())
            server = self._process_function_tools(parameters.function_tools, registered)
            options = self._request_options(messages, settings, parameters, server)
            client = await stack.enter_async_context(self._claude_code(options, prompt_blocks(messages)))
            source = client.receive_response()
            yield ClaudeStream(
                model_request_parameters=parameters, source=source, end=client.disconnect, asked_model=self.model_name
            )

    @asynccontextmanager
    async def _claude_code(self, options: ClaudeAgentOptions, content: list[Block]) -> AsyncIterator[ClaudeSDKClient]:
        """Run Claude Code with one message. Its process has ended when the block is left."""

        async def messages() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": None, "session_id": ""}

        try:
            async with ClaudeSDKClient(options) as client:
                await client.query(messages())
                yield client
        except ClaudeSDKError as error:
            raise error_of(error, self.model_name) from error

    @asynccontextmanager
    async def _registered_tools(self) -> AsyncIterator[Mapping[str, BridgedTool] | None]:
        """Yield the registered tools for one request. A dynamic toolset is entered for its duration."""
        if self._toolset is None:
            yield self._tools
            return
        async with open_toolset(self._toolset, self._deps) as opened:
            yield {tool.name: tool for tool in await opened.tools()}

    def _request_options(
        self,
        messages: list[pm.ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        server: McpSdkServerConfig | None,
    ) -> ClaudeAgentOptions:
        base = self._options
        if not isinstance(base.mcp_servers, dict):
            raise UserError("options.mcp_servers must be a dict, so that the agent's tools can be added to it")
        allowed = [TOOL_PREFIX + name for name in _names(parameters.function_tools)]
        schema = output_schema(parameters)
        limit = (settings or {}).get("max_tokens")
        return replace(
            base,
            model=self._model_name or base.model,
            system_prompt=system_prompt(messages, parameters) or base.system_prompt,
            mcp_servers={**base.mcp_servers, **({MCP_SERVER_NAME: server} if server else {})},
            allowed_tools=[*base.allowed_tools, *allowed],
            output_format={"type": "json_schema", "schema": schema} if schema else base.output_format,
            env=base.env if limit is None else {**base.env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(limit)},
            include_partial_messages=True,
        )


def _must_be_asked(toolset: Tools | AnyToolset) -> TypeGuard[AnyToolset]:
    """Whether a toolset of pydantic-ai is dynamic, so that its tools must be requested each time."""
    if isinstance(toolset, AgentToolset):
        return False
    several = toolset if isinstance(toolset, Sequence) else [toolset]
    return any(isinstance(one, AbstractToolset) for one in several)


def _names(function_tools: Iterable[ToolDefinition | str]) -> list[str]:
    return [tool if isinstance(tool, str) else tool.name for tool in function_tools]
