"""Describes how a connection ended and whether to reconnect."""

import re
from dataclasses import dataclass

from mcp import MCPError
from pydantic import ValidationError

from discovery.discovery_errors import LONGEST_CAUSE, first_of, said_by
from discovery.transport import answers


@dataclass(frozen=True)
class ConnectionEnd:
    """Why a connection is no more."""

    why: str
    wait_s: float = 0.0
    """What the server asked us to wait (Retry-After)."""
    needs_operator: bool = False
    """Trying again by ourselves would be of no use."""
    wants_sign_in: bool = False


def end_of(error: BaseException, fault: str) -> ConnectionEnd:
    """The end that an exception made; `fault` is what the transport said, if it said anything."""
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
"""What pydantic adds of a type that no reader knows."""


def cause_of(error: BaseException) -> str:
    """The cause of the end, on one line."""
    first = first_of(error)
    if isinstance(first, OSError) and first.filename:
        return f"{first.filename!r}: {str(first.strerror).lower()}"[:LONGEST_CAUSE]
    if isinstance(first, ValidationError):
        flaw = first.errors(include_url=False)[0]
        return f"its answer is no {first.title}: {'.'.join(map(str, flaw['loc']))}: {flaw['msg']}"[:LONGEST_CAUSE]
    words = _DETAILS.sub("", " ".join(str(first).split()))[:LONGEST_CAUSE]
    return words if isinstance(first, MCPError) and words else said_by(first)
