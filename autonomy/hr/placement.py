"""Decides whether a tool must run in the backend, by the data that it handles."""

from typing import Literal

from discovery.catalog import Frozen


class Handles(Frozen):
    """What a tool handles, as far as that decides where it runs."""

    credentials: bool = False
    personal_data: bool = False
    needs_audit: bool = False
    writes_output: bool = False


class Placement(Frozen):
    """Where a tool runs, and why."""

    where: Literal["backend", "mcp", "either"]
    reason: str

    def __str__(self) -> str:
        places = {"backend": "runs in the backend", "mcp": "runs on an MCP server", "either": "may run in either place"}
        return f"{places[self.where]}: {self.reason}"


def place(handles: Handles) -> Placement:
    """Place a tool: in the backend if it handles data that must not leave it, else on an MCP server if it writes output, else in
    either place."""
    sensitive = {
        "handles credentials": handles.credentials,
        "processes personal data": handles.personal_data,
        "is subject to the audit": handles.needs_audit,
    }
    if reasons := [reason for reason, holds in sensitive.items() if holds]:
        return Placement(where="backend", reason=", ".join(reasons))
    if handles.writes_output:
        return Placement(where="mcp", reason="writes output and needs nothing of the backend's")
    return Placement(where="either", reason="only reads, and handles nothing that must stay")
