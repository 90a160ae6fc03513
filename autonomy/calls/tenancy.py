"""The seam through which backend tools learn the tenant of a call.

`run_setup` asks which tools a tenant may use, and `execute` sets the tenant of each call and whether a person has confirmed it. A
tool never learns its tenant from arguments, which a model writes.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

from autonomy.run_state.run_values import RunRequest

Permission = Literal["allow", "deny", "requires_confirmation"]


class Tenancy(Protocol):
    """The tenants' permissions and scopes, as the backend knows them."""

    async def permissions(self, tenant: str) -> Mapping[str, Permission]:
        """Full name of each tool of the backend → what this tenant's runs may do with it; tools of other providers are not
        named."""
        ...

    def acting(self, run: RunRequest, *, confirmed: bool) -> AbstractContextManager[object]:
        """Act for the run's tenant in this block; `confirmed`: a person has granted this very call."""
        ...


class NoTenancy:
    """There are no tools of our own."""

    async def permissions(self, tenant: str) -> Mapping[str, Permission]:
        """None."""
        return {}

    def acting(self, run: RunRequest, *, confirmed: bool) -> AbstractContextManager[object]:
        """Set nothing."""
        return nullcontext()
