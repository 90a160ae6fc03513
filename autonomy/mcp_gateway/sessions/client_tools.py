"""The tools one client may use, from one snapshot of the catalog."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from autonomy.mcp_gateway import faces
from discovery.catalog import Catalog, ToolSpec


@dataclass(frozen=True)
class ClientTools:
    """Computed once for each snapshot rather than for each call, which would take milliseconds with a thousand tools."""

    whole: Catalog
    """All tools of all servers."""
    hidden: frozenset[str]
    """Full names of the tools that the client's tenant may not use."""
    catalog: Catalog
    """The tools that the client may use."""
    own_names: bool
    reserved: frozenset[str] = frozenset()
    """Names of our own tools, which the client sees as well."""

    @cached_property
    def named(self) -> dict[str, ToolSpec]:
        """The tools whose server is there or starting, by the names that this client knows."""
        callable_now = [spec for spec in self.catalog.tools if spec.available or spec.starting]
        return faces.names_of(callable_now, own=self.own_names, reserved=self.reserved)

    def missing(self, globs: Collection[str]) -> dict[str, str]:
        """Return the servers that are missing and may offer tools of such names, each with the reason."""
        return {one.name: one.cause for one in self.whole.missing(globs) if one.missing != "disabled"}

    @cached_property
    def _near(self) -> dict[str, tuple[Catalog, frozenset[str]]]:
        return {}

    def near(self, spec: ToolSpec | None) -> tuple[Catalog, frozenset[str]]:
        """Return the tools that matter for a call of this tool, and their names: those of its server, or all for None
        (unknown)."""
        provider = "" if spec is None else spec.provider
        if provider not in self._near:
            catalog = self.catalog if spec is None else self.catalog.only([one.name for one in self.catalog.of(provider)])
            self._near[provider] = catalog, frozenset(one.name for one in catalog.tools)
        return self._near[provider]
