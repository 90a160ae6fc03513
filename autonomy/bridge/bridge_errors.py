"""The error tree of the bridge; each class says who reacts.

    JiritsuError
    ├─ ToolValidationError             who wrote the tool: its name, function or schema cannot become an MCP tool (a ValueError)
    ├─ MissingExtraError               the operator: an optional dependency is not installed; names the extra (an ImportError)
    └─ ClaudeCodeError                 who wires an agent to the Claude Agent SDK
       ├─ UnsupportedDepsTypeError     … the dependencies hold something that JSON cannot carry; names its path
       ├─ TypeHintResolutionError      … a dataclass names a type that cannot be found, so it cannot be rebuilt
       ├─ ToolsetNotRegisteredError    … tools are asked for before `set_agent_toolsets()`
       ├─ ToolNotFoundError            … a tool is asked for that no registered toolset has
       └─ ClaudeCodeStopped            … Claude Code ended without an answer: its turn or budget limit, or a crash

A tool that raises is no exception here: the model reads about it as a result with `isError` (see `tool_converter`). A vendor's
HTTP error leaves `ClaudeCodeModel` as pydantic-ai's own `ModelHTTPError`, so that its fallbacks and retries know it.
"""

from collections.abc import Iterable

from autonomy.errors import JiritsuError


class ToolValidationError(JiritsuError, ValueError):
    """A tool cannot be converted as it stands."""


class MissingExtraError(JiritsuError, ImportError):
    """An optional dependency is needed and not installed."""

    def __init__(self, extra: str, module: str) -> None:
        self.extra = extra
        super().__init__(f"{module} is not installed: install the extra {extra!r} (pip install 'jiritsu[{extra}]')")


class ClaudeCodeError(JiritsuError):
    """The root of what goes wrong between pydantic-ai and the Claude Agent SDK."""


class UnsupportedDepsTypeError(ClaudeCodeError):
    """Dependencies hold something that cannot be written as JSON and read back the same."""

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path}: {problem}")


class TypeHintResolutionError(ClaudeCodeError):
    """A type named in a dataclass cannot be found, so its instances cannot be rebuilt."""

    def __init__(self, owner: str, problem: str) -> None:
        self.owner = owner
        super().__init__(f"{owner}: {problem}")


class ToolsetNotRegisteredError(ClaudeCodeError):
    """Tools are asked for, and no toolset was registered."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self.wanted = tuple(wanted)
        super().__init__(f"no toolset is registered for {', '.join(self.wanted)}: call set_agent_toolsets() first")


class ToolNotFoundError(ClaudeCodeError):
    """Tools are asked for that the registered toolsets do not have."""

    def __init__(self, missing: Iterable[str], known: Iterable[str]) -> None:
        self.missing, self.known = tuple(missing), tuple(known)
        super().__init__(f"no tool named {', '.join(self.missing)} is registered; known: {', '.join(self.known) or 'none'}")


class ClaudeCodeStopped(ClaudeCodeError):
    """Claude Code ended before it had an answer."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        super().__init__(f"Claude Code stopped: {reason}{f': {detail}' if detail else ''}")
