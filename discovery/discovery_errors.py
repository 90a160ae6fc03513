"""The error tree of discovery; each class says who reacts.

    DiscoveryError
    ├─ ServersFileError        the operator: a servers file has an invalid entry; carries file, key and problem
    ├─ NetworkUnusable         the operator: the environment names a proxy or authorities that cannot be used
    ├─ UnknownTool             the model: the catalog has no such tool; carries similar names
    ├─ ProviderUnavailable     the executor: nothing was sent, the provider is not connected; an alternative may serve
    │  └─ ToolHeld             the operator: the tool's definition waits for a person's approval
    ├─ ProviderBusy            the executor: nothing was done, the provider asks to come back; carries retry_after_s
    └─ CallFailed              the executor: the call returned no answer
       ├─ CallTimedOut         … within its deadline; the effect may have happened
       ├─ ConnectionLost       … because the connection broke meanwhile; the effect may have happened
       └─ TaskLost             … because the server no longer knows the task it made of the call; the effect may have happened

A tool that reports a failure (`isError`) raises nothing: that is an answer (see `discovery.catalog.ToolOutput`).
"""

from pathlib import Path
from typing import Any


class DiscoveryError(Exception):
    """The root of everything `discovery` raises on purpose."""


class ServersFileError(DiscoveryError):
    """A servers file has an error that the operator must correct."""

    def __init__(self, file: Path | str, key: str, problem: str) -> None:
        self.file, self.key, self.problem = str(file), key, problem
        super().__init__(f"{file}: {key}: {problem}" if key else f"{file}: {problem}")


class NetworkUnusable(DiscoveryError):
    """A variable of the environment names a proxy or certificate authorities that cannot be used."""

    def __init__(self, variable: str, problem: str) -> None:
        super().__init__(f"{variable} {problem}")


class UnknownTool(DiscoveryError):
    """The catalog has no tool of that name."""

    def __init__(self, name: str, near: tuple[str, ...] = ()) -> None:
        self.name, self.near = name, near
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        super().__init__(f"there is no tool named {name!r}{hint}")


class ProviderUnavailable(DiscoveryError):
    """The provider is not connected, so nothing was sent to it."""

    def __init__(self, provider: str, cause: str) -> None:
        self.provider, self.cause = provider, cause
        super().__init__(f"server {provider} is not connected: {cause}")


class ToolHeld(ProviderUnavailable):
    """A tool cannot be called because its definition waits for a person's approval."""

    def __init__(self, provider: str, cause: str) -> None:
        super().__init__(provider, cause)
        self.args = (f"{provider}: {cause}",)


class ProviderBusy(DiscoveryError):
    """The provider refused the call for now (HTTP 429 or 503); nothing was done."""

    def __init__(self, provider: str, cause: str, retry_after_s: float | None = None) -> None:
        self.provider, self.cause, self.retry_after_s = provider, cause, retry_after_s
        later = f"; try again in {retry_after_s:g} s" if retry_after_s is not None else ""
        super().__init__(f"provider {provider!r} is busy: {cause}{later}")


class CallFailed(DiscoveryError):
    """The call returned no answer; `outcome_unknown` tells whether its effect may have happened."""

    def __init__(
        self,
        provider: str,
        tool: str,
        cause: str,
        *,
        outcome_unknown: bool = False,
        status: int | None = None,
        retry_after_s: float | None = None,
        error: dict[str, Any] | None = None,
    ) -> None:
        """`error`: code and data of the server's JSON-RPC error, if it answered with one."""
        self.provider, self.tool, self.cause = provider, tool, cause
        self.error = error
        self.outcome_unknown, self.status, self.retry_after_s = outcome_unknown, status, retry_after_s
        super().__init__(f"{provider}: {tool}: {cause}")


class _CallInDoubt(CallFailed):
    """The call may have been carried out."""

    def __init__(self, provider: str, tool: str, cause: str) -> None:
        super().__init__(provider, tool, cause, outcome_unknown=True)


class CallTimedOut(_CallInDoubt):
    """No answer within the deadline."""


class ConnectionLost(_CallInDoubt):
    """The connection broke while the call was under way."""


class TaskLost(_CallInDoubt):
    """The server made a task of the call and no longer knows it."""


def first_of(error: BaseException) -> BaseException:
    """Return the first error inside nested exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


LONGEST_CAUSE = 300
"""Characters of a foreign error's message."""


def said_by(error: BaseException) -> str:
    """Return an error's message on one line; with the name of its class if the message is a single word, as `KeyError: 'id'`."""
    words = " ".join(str(error).split())[:LONGEST_CAUSE]
    return words if " " in words else f"{type(error).__name__}: {words}".removesuffix(": ")


def words_of(error: BaseException) -> str:
    """Return the message of a library's error, or of the database error inside it, on one line of at most 200 characters."""
    return " ".join(str(getattr(error, "orig", None) or error).split())[:200]
