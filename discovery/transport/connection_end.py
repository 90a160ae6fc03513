"""Describes how a connection ended and whether to reconnect."""

import re
from dataclasses import dataclass

from mcp import MCPError
from pydantic import ValidationError

from discovery.discovery_errors import LONGEST_CAUSE, first_of, said_by
from discovery.transport import answers


@dataclass(frozen=True)
class ConnectionEnd:
    """Why a connection has ended."""

    why: str
    wait_s: float = 0.0
    """The wait that the server asked for (Retry-After), in seconds."""
    needs_operator: bool = False
    """Whether connecting again is of no use until the operator has acted."""
    wants_sign_in: bool = False


def end_of(error: BaseException, fault: str) -> ConnectionEnd:
    """Describe the end of a connection that raised `error`; `fault` is the transport's reason, or empty."""
    first = first_of(error)
    http = answers.http_detail(first) if isinstance(first, MCPError) else None
    if http is None:
        return ConnectionEnd(fault or cause_of(first))
    return ConnectionEnd(
        cause_of(first),
        wait_s=http.retry_after_s or 0.0,
        needs_operator=http.status in (401, 403),
        wants_sign_in=http.status == 401,
    )


_DETAILS = re.compile(r": \d{1,9} validation errors? for .*", re.DOTALL)
"""The part of a pydantic error that names an internal type."""


def cause_of(error: BaseException) -> str:
    """Return the message of an exception on one line."""
    first = first_of(error)
    if isinstance(first, OSError) and first.filename:
        return f"{first.filename!r}: {str(first.strerror).lower()}"[:LONGEST_CAUSE]
    if isinstance(first, ValidationError):
        flaw = first.errors(include_url=False)[0]
        return f"its answer is no {first.title}: {'.'.join(map(str, flaw['loc']))}: {flaw['msg']}"[:LONGEST_CAUSE]
    words = _DETAILS.sub("", " ".join(str(first).split()))[:LONGEST_CAUSE]
    return words if isinstance(first, MCPError) and words else said_by(first)
