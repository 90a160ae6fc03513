"""An operator's rules: which calls each of them speaks of.

An `allow` speaks only of what its globs say in full; a question or a denial also of any other spelling of it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field

from autonomy.policy.texts.addresses import readable, split_list
from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec
from discovery.names import natural_name


class PolicyRule(Frozen):
    """One of the operator's rules. Empty fields match everything; globs are case-sensitive."""

    name: str
    decision: Literal["allow", "ask", "deny"]
    tenant: str = "*"
    job: str = "*"
    provider: str = "*"
    tool: str = "*"
    effects: tuple[Effect, ...] = ()
    arguments: dict[str, str] = Field(default_factory=dict)
    """Argument name → glob for its value, as text. Of several values, or addresses in one text, an `allow` applies only where
    each of them matches, `ask` and `deny` where any does."""
    free: tuple[str, ...] | None = None
    """The other arguments that the call may have: texts, with no link that nobody gave. None leaves all others open."""
    reason: str = ""

    def applies(self, tenant: str, job: str, spec: ToolSpec, arguments: JsonObject) -> bool:
        """Whether the rule speaks of this call."""
        return (
            all(fnmatchcase(value, glob) for glob, value in ((self.tenant, tenant), (self.job, job)))
            and self.is_about(spec)
            and (not self.effects or spec.effect in self.effects)
            and all(self._matches(arguments.get(name, ""), glob, _says_who(name, spec)) for name, glob in self.arguments.items())
            and (self.free is None or self._leaves_free(arguments, self.free))
        )

    def is_about(self, spec: ToolSpec) -> bool:
        """Whether the rule speaks of this tool, whoever calls it with what."""
        return fnmatchcase(spec.provider, self.provider) and any(fnmatchcase(name, self.tool) for name in self._names(spec))

    def _names(self, spec: ToolSpec) -> tuple[str, ...]:
        """The name of a tool. Where another tool claims its name too, both are called otherwise: a denial or question still holds
        for the name that its writer knew, and an `allow` for none that somebody else could claim."""
        return (spec.name,) if self.decision == "allow" else (spec.name, natural_name(spec.provider, spec.tool))

    def _matches(self, value: Any, glob: str, says_who: bool) -> bool:
        if self.decision == "allow" and not _SIGNS.search(glob):
            return _fits(value, glob)  # one value and no other, whatever it holds
        members = _members(value)
        candidates = (*members, *_mailboxes(members), *(_receivers(members) if says_who else ()))
        if self.decision == "allow":
            return all(_fits(one, glob) for one in candidates)
        alike = _alike(glob)
        return any(_fits(one, glob) or _fits(_alike(one), alike) for one in candidates)

    def _leaves_free(self, arguments: JsonObject, free: tuple[str, ...]) -> bool:
        others = arguments.keys() - self.arguments.keys()
        return others <= set(free) and all(isinstance(arguments[name], str) for name in others)


def _members(value: Any) -> tuple[Any, ...]:
    """The values that one argument stands for: those of a list or object, and what is nested too deeply as one text."""
    try:
        return tuple(_leaf_values(value)) or ("",)
    except RecursionError:
        return ("(nested too deeply)",)


def _leaf_values(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _leaf_values(one)
    elif isinstance(value, dict):
        yield from _leaf_values([*value, *value.values()])
    else:
        yield value


def _fits(value: Any, glob: str) -> bool:
    """Whether a value matches as Python or as JSON writes it: an operator writes `true`."""
    return fnmatchcase(str(value), glob) or (not isinstance(value, str) and fnmatchcase(json.dumps(value, default=str), glob))


_SIGNS = re.compile(r"(?<!\[)[*?]|\[(?![\[*?]\])")
"""Signs of a glob that are not escaped, as in `[*]`."""
_BETWEEN = re.compile(r"[^\w.+'%@-]+")
"""What stands in no mailbox: signs between two of them, brackets, quotation marks, in any width."""


def _mailboxes(members: Sequence[Any]) -> tuple[str, ...]:
    """The mailboxes inside of texts, as whoever sends reads them: `a@x.example、b@y.example` goes to both."""
    texts = [readable(one[:_LONGEST_LIST]) for one in members if isinstance(one, str) and "@" in one]
    parts = [part.split("@") for text in texts for part in _BETWEEN.split(text) if "@" in part]
    return tuple("@".join(pair).rstrip(".") for part in parts for pair in pairwise(part))


def _says_who(name: str, spec: ToolSpec) -> bool:
    from autonomy.policy.sinks import WHO_OR_WHERE, sink_of  # whoever lists rules decides on no call

    return sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE


def _receivers(members: Sequence[Any]) -> tuple[str, ...]:
    """What a text lists that says who or where, and what stands beside a mailbox in it: `mallory, a@x.example` goes to both."""
    texts = [one[:_LONGEST_LIST] for one in members if isinstance(one, str)]
    return tuple(part for text in texts for part in (*split_list(text), *(_APART.split(text) if "@" in text else ())) if part)


_APART = re.compile(r"[\s,;、；，]+")


_LONGEST_LIST = 100_000
"""Characters of a text in which addresses are sought."""


def _alike(value: Any) -> str:
    """Normalize the spelling: full width, capitals and invisible characters make no other recipient."""
    return readable(str(value)[:_LONGEST_LIST]).strip().casefold()
