"""Loads `"python": "pkg.module:toolset"` entries of a servers file as in-process MCP servers.

Importing a module runs its code, so modules of entries that are not trusted are never imported.
"""

import inspect
import logging
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer, Server

from autonomy.bridge.bridge_errors import ToolValidationError
from autonomy.bridge.bridged_tool import mcp_server
from autonomy.bridge.extras import load_optional
from autonomy.bridge.mcp_integration import bridge_tools
from autonomy.bridge.protocols import PydanticAITool
from autonomy.errors import ConfigError, JiritsuError
from discovery.servers.server_config import ServerConfig
from discovery.servers.variables import Expander
from discovery.transport.in_process import InProcess

if TYPE_CHECKING:
    from autonomy.bridge.toolsets import AnyToolset

logger = logging.getLogger(__name__)

AnyServer = Server[Any] | MCPServer
"""What `mcp.Client(…)` accepts as an in-process server."""


def python_providers(servers: Sequence[ServerConfig]) -> tuple[list[ServerConfig], dict[str, InProcess]]:
    """Load the entries with `python`. Returns the other servers and the in-process ones, which are arguments of `open_gateway`.

    An entry that cannot be loaded stays among the other servers, with the reason as its `problem`. An entry with an obstacle
    (disabled, not trusted) stays as it is and is not imported. Blocks during imports.
    """
    others: list[ServerConfig] = []
    in_process: dict[str, InProcess] = {}
    for config in servers:
        if not config.python or config.obstacle:
            others.append(config)
            continue
        _make_importable(config)
        try:
            server = load_toolset_server(config.python, name=config.name)
        except JiritsuError as error:
            logger.warning("provider %s is left out: %s", config.name, error)
            others.append(config.model_copy(update={"problem": str(error)}))
        else:
            in_process[config.name] = InProcess(
                server, in_backend="Python that the operator's servers file names", settings=config
            )
    return others, in_process


def _make_importable(config: ServerConfig) -> None:
    """Make modules beside the servers file, or in the entry's `cwd`, importable, but not before installed ones."""
    folder = str(config.source.absolute().parent) if config.source else ""
    if config.cwd:
        folder = str(Expander(os.environ, source=config.source).path(config.cwd).absolute())
    if folder and folder not in sys.path:
        sys.path.append(folder)


def load_toolset_server(reference: str, *, name: str = "") -> AnyServer:
    """Import what `package.module:attribute` names and make it an MCP server for `mcp.Client`.

    The attribute may be a toolset or an agent of pydantic-ai, a list of their tools or toolsets, an MCP server, or a function
    without arguments that returns one of these. Such a function can build dependencies: `return toolset_server(toolset, deps=…)`.
    Blocks during imports, so call it before the event loop starts or in a thread. Raises `ConfigError`, or `MissingExtraError` if
    the module needs an extra that is not installed.
    """
    found = _attribute(reference)
    is_tools = isinstance(found, (Server, MCPServer)) or hasattr(found, "toolsets") or hasattr(found, "tools")
    if not is_tools and callable(found):
        found = _call_factory(found, reference)
    try:
        server = _server_of_found(found, name or reference.rpartition(":")[2])
    except (ToolValidationError, NotImplementedError) as error:
        raise ConfigError(reference, "python", str(error)) from error
    if server is None:
        raise ConfigError(reference, "python", f"{type(found).__qualname__} is no toolset, agent, list of tools or MCP server")
    return server


def _attribute(reference: str) -> Any:
    module_name, colon, attribute = reference.partition(":")
    if not (module_name and colon and attribute):
        raise ConfigError(reference, "python", "must have the form package.module:toolset")
    module = _run_operators_code(partial(load_optional, module_name), reference)
    try:
        return getattr(module, attribute)
    except AttributeError as error:
        raise ConfigError(reference, "python", f"module {module_name!r} has no {attribute!r}") from error


def _call_factory(factory: Any, reference: str) -> Any:
    try:
        inspect.signature(factory).bind()
    except TypeError as error:
        raise ConfigError(reference, "python", f"cannot be called without arguments: {error}") from error
    return _run_operators_code(factory, reference)


def _run_operators_code(code: Callable[[], Any], reference: str) -> Any:
    try:
        return code()
    except JiritsuError:
        raise
    except (Exception, SystemExit) as error:  # a module that lacks a setting of its own may end the program
        raise ConfigError(reference, "python", f"it raised {type(error).__name__}: {error}") from error


def _server_of_found(found: Any, name: str) -> AnyServer | None:
    if isinstance(found, (Server, MCPServer)):
        return found
    toolset = _pydantic_toolset(found)
    if toolset is not None:
        from autonomy.bridge.toolsets import toolset_server

        return toolset_server(toolset, name=name)
    if hasattr(found, "tools") or (isinstance(found, Iterable) and all(isinstance(tool, PydanticAITool) for tool in found)):
        return mcp_server(name, bridge_tools(found))
    return None


def _pydantic_toolset(found: Any) -> "AnyToolset | None":
    """Return the toolsets in what was found: itself, those of an agent, or a list; None if it has none."""
    if "pydantic_ai" not in sys.modules:  # then it cannot be one of its classes
        return None
    from pydantic_ai.toolsets import AbstractToolset

    candidates = getattr(found, "toolsets", found)
    several = list(candidates) if isinstance(candidates, (list, tuple)) else [candidates]
    return several if several and all(isinstance(one, AbstractToolset) for one in several) else None
