"""The tools one client may use, from one snapshot of the catalog."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from autonomy.mcp_gateway import faces
from discovery.catalog import Catalog, ToolSpec


@dataclass(frozen=True)
class ClientTools:
    """Worked out once for a snapshot, not once for each call: with a thousand tools that alone took milliseconds."""

    whole: Catalog
    """All tools of all servers."""
    hidden: frozenset[str]
    """Those that the client's tenant may not use."""
    catalog: Catalog
    """Those that the client may use."""
    own_names: bool
    reserved: frozenset[str] = frozenset()
    """Names of our own tools that the client is shown beside them."""

    @cached_property
    def named(self) -> dict[str, ToolSpec]:
        """Each tool that can be called, or could be before its server was last closed and will be soon, by the name this client
        knows it by."""
        callable_now = [spec for spec in self.catalog.tools if spec.available or spec.starting]
        return faces.names_of(callable_now, own=self.own_names, reserved=self.reserved)

    def missing(self, globs: Collection[str]) -> dict[str, str]:
        """The servers that are not there and may offer tools of such names, each with why."""
        return {one.name: one.cause for one in self.whole.missing(globs) if one.missing != "disabled"}

    @cached_property
    def _near(self) -> dict[str, tuple[Catalog, frozenset[str]]]:
        return {}

    def near(self, spec: ToolSpec | None) -> tuple[Catalog, frozenset[str]]:
        """The tools related to a call of this tool: its server's, or all of them for an unknown tool."""
        provider = "" if spec is None else spec.provider
        if provider not in self._near:
            catalog = self.catalog if spec is None else self.catalog.only([one.name for one in self.catalog.of(provider)])
            self._near[provider] = catalog, frozenset(one.name for one in catalog.tools)
        return self._near[provider]
