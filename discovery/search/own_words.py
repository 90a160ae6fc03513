"""Takes the names of other providers' tools out of a description, so that naming them wins nothing."""

import re
from collections import defaultdict
from collections.abc import Iterable

from discovery.catalog import ToolSpec

_IDENTIFIER = re.compile(r"[A-Za-z][\w-]*[A-Za-z0-9]")


class OwnWords:
    """The descriptions of one catalog's tools, each without names that only other providers have."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self._owners: defaultdict[str, set[str]] = defaultdict(set)
        for spec in specs:
            self._owners[spec.tool].add(spec.provider)
            self._owners[spec.name].add(spec.provider)

    def of(self, spec: ToolSpec, chars: int) -> str:
        """The first characters of a description, in its own words. A name that is a plain word (`search`) is everybody's."""
        said = spec.description[:chars]
        return _IDENTIFIER.sub(lambda found: " " if self._is_foreign(found[0], spec.provider) else found[0], said)

    def _is_foreign(self, word: str, provider: str) -> bool:
        owners = self._owners.get(word)
        return owners is not None and provider not in owners and not (word.isalpha() and word.islower())
