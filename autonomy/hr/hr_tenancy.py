"""Tells the executor which HR tools a tenant may use and for whom a call is made.

Handed to the executor by `app`; it fits `calls.tenancy.Tenancy`, which this room does not know.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from autonomy.hr import PROVIDER
from autonomy.hr.hr_tools import TOOLS
from autonomy.hr.router import CustomTools
from autonomy.hr.tenants import HRCaller, Permission, acting_for

AT_THE_TERMINAL = "terminal"
"""Who asks in `jiritsu chat`."""


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
        """The trigger of the run. In Slack anybody of the team may ask; who sits at the operator's own terminal is the
        operator."""
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
        """Every HR tool by its full name; what the tenant is not offered is denied."""
        offered = await self._tools.offered(tenant)
        return {f"{PROVIDER}_{name}": offered.get(name, "deny") for name in TOOLS}

    def acting(self, run: HRRun, *, confirmed: bool) -> AbstractContextManager[HRCaller]:
        """Calls inside the block are the tenant's."""
        return acting_for(
            run.tenant,
            actor=run.actor or "system",
            run_id=run.run_id,
            confirmed=confirmed,
            in_conversation=_asked_by_a_person(run),
        )


def _asked_by_a_person(run: HRRun) -> bool:
    """Whether somebody of the team asks: in a conversation, or by a message that starts a job.

    A conversation that another program leads (`ChatService.respond`) is somebody's, unless it is the operator's at his terminal.
    """
    return run.trigger in ("slack", "message") or (run.trigger == "chat" and run.actor != AT_THE_TERMINAL)
