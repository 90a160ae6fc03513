"""Tells the executor which HR tools a tenant may use and for whom a call is made.

`app` passes it to the executor. It implements `calls.tenancy.Tenancy` without importing that.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from autonomy.hr import PROVIDER
from autonomy.hr.hr_tools import TOOLS
from autonomy.hr.router import CustomTools
from autonomy.hr.tenants import HRCaller, Permission, acting_for

AT_THE_TERMINAL = "terminal"
"""The actor in `jiritsu chat`."""


class HRRun(Protocol):
    """The part of a run's request that tenancy reads."""

    @property
    def tenant(self) -> str:
        """The tenant of the run."""
        ...

    @property
    def actor(self) -> str:
        """The person who asked."""
        ...

    @property
    def trigger(self) -> str:
        """What started the run. It tells whether a person of the team asks, or the operator at the terminal."""
        ...

    @property
    def run_id(self) -> str:
        """The id of the run."""
        ...


class HRTenancy:
    """Tenants and permissions from the backend's store."""

    def __init__(self, tools: CustomTools) -> None:
        self._tools = tools

    async def permissions(self, tenant: str) -> Mapping[str, Permission]:
        """Return the permission for every HR tool by its full name. A tool that the tenant is not offered is denied."""
        offered = await self._tools.offered(tenant)
        return {f"{PROVIDER}_{name}": offered.get(name, "deny") for name in TOOLS}

    def acting(self, run: HRRun, *, confirmed: bool) -> AbstractContextManager[HRCaller]:
        """Make calls inside the block for the tenant of the run."""
        return acting_for(
            run.tenant,
            actor=run.actor or "system",
            run_id=run.run_id,
            confirmed=confirmed,
            # a person of the team asks: in Slack, by a message that starts a job, or through another program
            # (`ChatService.respond`), unless it is the operator at the terminal
            in_conversation=run.trigger in ("slack", "message") or (run.trigger == "chat" and run.actor != AT_THE_TERMINAL),
        )
