"""The exceptions of the bridge.

    JiritsuError
    ├─ ToolValidationError             for the author of a tool: its name, function or schema cannot be converted (a ValueError)
    ├─ MissingExtraError               for the operator: an optional dependency is not installed; names the extra (an ImportError)
    └─ ClaudeCodeError                 for whoever connects an agent to the Claude Agent SDK:
       ├─ UnsupportedDepsTypeError     the dependencies contain something that JSON cannot represent; names its path
       ├─ TypeHintResolutionError      a dataclass names a type that cannot be found, so it cannot be rebuilt
       ├─ ToolsetNotRegisteredError    tools are requested before `set_agent_toolsets()`
       ├─ ToolNotFoundError            a tool is requested that no registered toolset has
       └─ ClaudeCodeStopped            Claude Code ended without an answer: its turn or budget limit, or a crash

If a tool raises, the model gets a result with `isError` (see `tool_converter`). A vendor's HTTP error leaves `ClaudeCodeModel` as
pydantic-ai's own `ModelHTTPError`, so that pydantic-ai's fallbacks and retries apply.
"""

from collections.abc import Iterable

from autonomy.errors import JiritsuError


class ToolValidationError(JiritsuError, ValueError):
    """A tool cannot be converted."""


class MissingExtraError(JiritsuError, ImportError):
    """An optional dependency is needed but not installed."""

    def __init__(self, extra: str, module: str) -> None:
        self.extra = extra
        super().__init__(f"{module} is not installed: install the extra {extra!r} (pip install 'jiritsu[{extra}]')")


class ClaudeCodeError(JiritsuError):
    """The base of errors between pydantic-ai and the Claude Agent SDK."""


class UnsupportedDepsTypeError(ClaudeCodeError):
    """Dependencies contain something that cannot be written as JSON and read back equal."""

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path}: {problem}")


class TypeHintResolutionError(ClaudeCodeError):
    """A type named in a dataclass cannot be found, so its instances cannot be rebuilt."""

    def __init__(self, owner: str, problem: str) -> None:
        self.owner = owner
        super().__init__(f"{owner}: {problem}")


class ToolsetNotRegisteredError(ClaudeCodeError):
    """Tools are requested, but no toolset is registered."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self.wanted = tuple(wanted)
        super().__init__(f"no toolset is registered for {', '.join(self.wanted)}: call set_agent_toolsets() first")


class ToolNotFoundError(ClaudeCodeError):
    """Tools are requested that the registered toolsets do not have."""

    def __init__(self, missing: Iterable[str], known: Iterable[str]) -> None:
        self.missing, self.known = tuple(missing), tuple(known)
        super().__init__(f"no tool named {', '.join(self.missing)} is registered; known: {', '.join(self.known) or 'none'}")


class ClaudeCodeStopped(ClaudeCodeError):
    """Claude Code ended before it had an answer."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        super().__init__(f"Claude Code stopped: {reason}{f': {detail}' if detail else ''}")
