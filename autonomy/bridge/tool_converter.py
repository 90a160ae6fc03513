"""Converts one pydantic-ai tool into one MCP tool.

If the tool raises, that is logged and becomes a response with `isError`. Only cancellation passes through.
"""

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import anyio
import jsonschema
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from autonomy.bridge.bridge_errors import ToolValidationError
from autonomy.bridge.bridged_tool import BridgedTool, Handler, JsonObject, mcp_server
from autonomy.bridge.deps_support import DepsContext
from autonomy.bridge.extras import load_optional
from autonomy.bridge.mcp_responses import McpResponse, _format_return_value_as_mcp, both_flags, error_response
from autonomy.bridge.protocols import PydanticAITool
from autonomy.bridge.tool_threads import run_in_tool_thread

if TYPE_CHECKING:
    from claude_agent_sdk import McpSdkServerConfig, SdkMcpTool

logger = logging.getLogger(__name__)

Validate = Callable[[JsonObject], Mapping[str, Any]]
"""Converts JSON arguments to those of the function, or raises a `ValidationError` of pydantic or jsonschema."""


def convert_tool(tool: PydanticAITool) -> "SdkMcpTool[JsonObject]":
    """Convert a tool that needs no dependencies for the Claude Agent SDK (extra `claude`).

    Raises `ToolValidationError` for a tool without name, function or schema, and `NotImplementedError` for one that takes a
    `RunContext`: that needs `convert_tool_with_deps`.
    """
    return sdk_tool(bridge_tool(tool))


def convert_tool_with_deps(tool: PydanticAITool, deps: Any) -> "SdkMcpTool[JsonObject]":
    """Experimental: convert a tool that takes a `RunContext`. `deps`: what it gets as `ctx.deps`.

    This API may change. Raises `UnsupportedDepsTypeError` if the dependencies cannot be written as JSON.
    """
    return sdk_tool(bridge_tool(tool, DepsContext(deps)))


def convert_tools_to_mcp_server(
    tools: Iterable[PydanticAITool], *, server_name: str = "pydantic_tools", server_version: str = "1.0.0"
) -> "McpSdkServerConfig":
    """Convert tools that need no dependencies into a server for `ClaudeAgentOptions.mcp_servers`."""
    return sdk_server(server_name, [bridge_tool(tool) for tool in tools], server_version)


def bridge_tool(
    tool: PydanticAITool, deps_context: DepsContext[Any] | None = None, timeout_s: float | None = None
) -> BridgedTool:
    """Convert a tool independently of SDKs. Raises as `convert_tool`.

    `timeout_s`: for each call of a tool that has no timeout of its own; None for no limit.
    """
    name = getattr(tool, "name", None)
    if not isinstance(name, str) or not name.strip():
        raise ToolValidationError(f"a {type(tool).__name__} is given as a tool, and has no name: {name!r}")
    function = getattr(tool, "function", None)
    if not callable(function):
        raise ToolValidationError(f"tool {name!r} has no function to call: {function!r}")
    schema = _get_parameters_json_schema(tool)
    if getattr(tool, "requires_approval", False):
        raise ToolValidationError(f"tool {name!r} needs a person's approval for each call, which cannot be asked for over MCP")
    handler = _create_async_handler(
        function,
        bool(getattr(tool, "takes_ctx", False)),
        deps_context,
        name=name,
        validate=_validator(tool, schema),
        approve=getattr(tool, "args_validator", None),
        timeout_s=getattr(tool, "timeout", None) or timeout_s,
    )
    return BridgedTool(name, tool.description or "", schema, handler, annotations(getattr(tool, "metadata", None)))


def sdk_tool(tool: BridgedTool) -> "SdkMcpTool[JsonObject]":
    """Convert a tool to the Claude Agent SDK's class. Raises `MissingExtraError` without the extra `claude`."""
    sdk = load_optional("claude_agent_sdk")
    converted = sdk.SdkMcpTool(tool.name, tool.description, tool.input_schema, tool.handler, tool.annotations)
    return cast("SdkMcpTool[JsonObject]", converted)


def sdk_server(name: str, tools: Iterable[BridgedTool], version: str = "1.0.0") -> "McpSdkServerConfig":
    """Return the tools as an entry of `ClaudeAgentOptions.mcp_servers`. Claude sees them as `mcp__<name>__<tool>`."""
    return {"type": "sdk", "name": name, "instance": mcp_server(name, tools, version)}


def annotations(metadata: Mapping[str, Any] | None) -> ToolAnnotations | None:
    """Return the hints of MCP (`readOnlyHint`, `destructiveHint`, …) in `metadata["annotations"]`; None if there are none."""
    hints = (metadata or {}).get("annotations")
    return ToolAnnotations.model_validate(hints) if hints else None


_SCHEMA_PATHS = ("parameters_json_schema", "function_schema.json_schema", "tool_def.parameters_json_schema")


def _get_parameters_json_schema(tool: PydanticAITool) -> JsonObject:
    """Return the schema of a tool's arguments from the first of three places that has one. Raises `ToolValidationError`."""
    for path in _SCHEMA_PATHS:
        schema = _follow(tool, path)
        if isinstance(schema, dict):
            return schema
        if schema is not None:
            raise ToolValidationError(f"tool {tool.name!r}: {path} is no JSON Schema object but {type(schema).__name__}")
    raise ToolValidationError(f"tool {tool.name!r} has no JSON Schema: looked for {', '.join(_SCHEMA_PATHS)}")


def _follow(tool: object, path: str) -> object:
    value: object = tool
    for attribute in path.split("."):
        value = getattr(value, attribute, None)
    return value


def _validator(tool: PydanticAITool, schema: JsonObject) -> Validate:
    """Return the tool's own validator, which also builds dates and models, else one by JSON Schema, which only checks."""
    own = _follow(tool, "function_schema.validator.validate_python")
    if callable(own):
        return cast("Validate", own)
    validator = jsonschema.validators.validator_for(schema)
    try:
        validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ToolValidationError(f"tool {tool.name!r}: its JSON Schema is not valid: {error.message}") from error
    checker = validator(schema)

    def check(arguments: JsonObject) -> JsonObject:
        checker.validate(arguments)
        return arguments

    return check


def _create_async_handler(
    function: Callable[..., Any],
    takes_ctx: bool,
    deps_context: DepsContext[Any] | None = None,
    *,
    name: str = "",
    validate: Validate = dict,
    approve: Callable[..., Any] | None = None,
    timeout_s: float | None = None,
) -> Handler:
    """Wrap a sync or async function as a handler. A sync one runs in a thread, so that it never blocks the event loop.

    `approve`: pydantic-ai's `args_validator`, which gets the context and the validated arguments, and raises to refuse them.
    Raises `NotImplementedError` if the function takes a context but there is none.
    """
    if takes_ctx and deps_context is None:
        raise NotImplementedError(f"tool {name!r} takes a RunContext: convert it with convert_tool_with_deps(tool, deps)")
    name = name or getattr(function, "__name__", "tool")
    context = [deps_context or DepsContext(None)]

    async def call(arguments: JsonObject) -> object:
        checked = validated(validate, arguments)
        if approve is not None:
            await _run(_bound(approve, context, checked))
        return await _run(_bound(function, context if takes_ctx else [], checked))

    return guarded(name, call, timeout_s)


def guarded(name: str, call: Callable[[JsonObject], Awaitable[object]], timeout_s: float | None = None) -> Handler:
    """Return a handler that limits a call's time and converts what it returns or raises to a response. Cancellation passes
    through."""

    async def handler(arguments: JsonObject) -> McpResponse:
        try:
            with anyio.move_on_after(timeout_s):
                return both_flags(_format_return_value_as_mcp(await call(arguments)))
        except InvalidArguments as error:
            return error_response(f"invalid arguments for {name}: {error}")
        except (Exception, SystemExit) as error:  # a tool that ends the program ends its call alone
            logger.warning("tool %s failed", name, exc_info=error)
            return error_response(f"{type(error).__name__}: {error}")
        logger.warning("tool %s did not answer within %s s", name, timeout_s)
        return error_response(f"{name} did not answer within {timeout_s} s; what it does may still take effect")

    return handler


class InvalidArguments(ValueError):
    """The model's arguments do not fit the tool. The tool itself never raises this."""


def validated(validate: Validate, arguments: JsonObject) -> Mapping[str, Any]:
    """Convert arguments with `validate`. Raises `InvalidArguments`, which names the problem of each argument."""
    try:
        return validate(arguments)
    except jsonschema.ValidationError as error:
        raise InvalidArguments(f"{'.'.join(map(str, error.absolute_path)) or 'arguments'}: {error.message}") from error
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        each = (f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}" for problem in problems)
        raise InvalidArguments("; ".join(each)) from error


def _bound(function: Callable[..., Any], context: list[Any], arguments: Mapping[str, Any]) -> Callable[[], Any]:
    """Bind a function's arguments: first the context, then positional-only arguments, and the others by name."""
    positional: list[Any] = []
    keywords = dict(arguments)
    for parameter in list(inspect.signature(function).parameters.values())[len(context) :]:
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.name in keywords:
            positional.append(keywords.pop(parameter.name))
        elif parameter.kind is parameter.VAR_POSITIONAL:
            positional.extend(keywords.pop(parameter.name, ()))
    return partial(function, *context, *positional, **keywords)


async def _run(call: Callable[[], Any]) -> object:
    """Await an async function, or run a sync one in a thread, which is abandoned when the call is cancelled."""
    if inspect.iscoroutinefunction(_innermost(call)):
        result = call()
    else:
        result = await run_in_tool_thread(call)
    return await result if inspect.isawaitable(result) else result


def _innermost(call: Any) -> object:
    """Return the function within partials, or the `__call__` of a callable object."""
    while isinstance(call, partial):
        call = call.func
    return call if inspect.isroutine(call) else call.__call__
