"""Derives whether a tool runs in the backend from the data it handles."""

from typing import Literal

from discovery.catalog import Frozen


class Handles(Frozen):
    """The kinds of data that a tool handles, as far as they decide its placement."""

    credentials: bool = False
    personal_data: bool = False
    needs_audit: bool = False
    writes_output: bool = False


class Placement(Frozen):
    """The place where a tool runs, and the reason."""

    where: Literal["backend", "mcp", "either"]
    reason: str

    def __str__(self) -> str:
        place = {"backend": "runs in the backend", "mcp": "runs on an MCP server", "either": "may run in either place"}[
            self.where
        ]
        return f"{place}: {self.reason}"


def place(handles: Handles) -> Placement:
    """Place a tool: data that must not leave the backend decides first; output then goes over MCP; a plain reader may live in
    either place."""
    kept_back = [
        words
        for holds, words in (
            (handles.credentials, "handles credentials"),
            (handles.personal_data, "processes personal data"),
            (handles.needs_audit, "is subject to the audit"),
        )
        if holds
    ]
    if kept_back:
        return Placement(where="backend", reason=", ".join(kept_back))
    if handles.writes_output:
        return Placement(where="mcp", reason="writes output and needs nothing of the backend's")
    return Placement(where="either", reason="only reads, and handles nothing that must stay")
