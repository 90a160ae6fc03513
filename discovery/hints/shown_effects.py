"""Counts what the calls of a tool showed of its effect: `discovery.review.effects_shown` weighs it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field

from discovery.catalog import Frozen, JsonObject, ToolSpec

ENOUGH_CALLS, ENOUGH_REPEATED, ENOUGH_ANSWERS = 10, 5, 3
"""Calls, equal calls with equal answers, and different answers that together speak for a read."""
KEPT_ANSWERS = 8
"""Of so many different calls the last answer is compared with that of the next equal call."""

COMPARED_CHARS, MOST_REPEATED = 10_000, 20
"""How much of an answer is compared, and how many arguments, the longest, are looked for in it: it happens beside the calls."""

Sign = Literal["changed", "otherwise", "unchanged", "told", "read_back"]


class ShownEffect(Frozen):
    """What the calls of one definition showed, as counts that do not fade."""

    model_config = ConfigDict(frozen=True, extra="ignore")  # another version may have stored other fields

    calls: int = 0
    """Calls that were answered; at most a few of each run."""
    changed: int = 0
    """A read after it showed what the call had been given, and had not shown it before."""
    otherwise: int = 0
    """A read after it answered otherwise than before, for whatever reason."""
    unchanged: int = 0
    """A read after it answered as before."""
    told: int = 0
    """Its answer told of a change: `Note saved`."""
    read_back: int = 0
    """What it had been given was found by a read of what its answer named."""
    alike: int = 0
    """An equal call had the same answer."""
    unlike: int = 0
    """An equal call had another answer."""
    answers: dict[str, str] = Field(default_factory=dict)
    """Hash of the arguments → hash of the answer, of the last different calls."""

    def after(self, signs: tuple[Sign, ...], answered: tuple[str, str] | None, *, is_call: bool) -> "ShownEffect":
        """Return the counts with one more call, or with more signs alone. `answered`: the hashes of its arguments and answer."""
        counts: dict[str, Any] = {sign: getattr(self, sign) + signs.count(sign) for sign in signs}
        counts["calls"] = self.calls + is_call
        if answered is None:
            return self.model_copy(update=counts)
        arguments, answer = answered
        if (before := self.answers.get(arguments)) is not None:
            seen = "alike" if before == answer else "unlike"
            counts[seen] = getattr(self, seen) + 1
        kept = {key: value for key, value in self.answers.items() if key != arguments} | {arguments: answer}
        latest = dict(list(kept.items())[-KEPT_ANSWERS:])
        return self.model_copy(update={**counts, "answers": latest})

    @property
    def is_change(self) -> bool:
        """Whether a call surely changed something. One answer that sounds like it may be a coincidence."""
        return self.changed > 0 or (self.told > 1 and 2 * self.told >= self.calls)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing that was seen speaks against a read."""
        return not (self.changed or self.otherwise or self.told or self.read_back or self.unlike)

    def speaks_for_read(self, spec: ToolSpec) -> bool:
        """Whether much speaks for a read and nothing against it.

        Equal calls with equal answers are also what a write does that sets something. So a read must have shown that nothing
        changed, unless the arguments have no room for anything that could be stored.
        """
        return (
            self.is_quiet
            and self.calls >= ENOUGH_CALLS
            and self.alike >= ENOUGH_REPEATED
            and len(set(self.answers.values())) >= ENOUGH_ANSWERS
            and (self.unchanged > 0 or takes_values_alone(spec))
        )

    @property
    def evidence(self) -> tuple[str, ...]:
        """The counts as sentences, those against a read first."""
        counts = {
            "calls: {n} changed what a read showed": self.changed,
            "calls: {n} answered with a change": self.told,
            "calls: {n} found by a read of what they made": self.read_back,
            "calls: {n} after which a read answered otherwise": self.otherwise,
            "calls: {n} equal ones answered otherwise": self.unlike,
            "calls: {n} equal ones answered alike": self.alike,
            "calls: {n} after which a read answered as before": self.unchanged,
            "calls: {n} in all": self.calls,
        }
        return tuple(text.format(n=count) for text, count in counts.items() if count)


def takes_values_alone(spec: ToolSpec) -> bool:
    """Whether a tool takes arguments, and each is a number, a switch or one of several choices."""
    plain = ("number", "integer", "boolean")
    return bool(spec.parameters) and all(
        schema.get("type") in plain or isinstance(schema.get("enum"), list) for schema in spec.parameters.values()
    )


def without_values(answer: str, arguments: JsonObject) -> str:
    """Return the beginning of an answer without what it repeats of the arguments: an acknowledgement is then always the same."""
    beginning = answer[:COMPARED_CHARS]
    said = {text for value in _values(arguments) if 1 < len(text := str(value)) <= len(beginning)}
    repeated = sorted(said, key=lambda one: (-len(one), one))[:MOST_REPEATED]
    return re.sub("|".join(map(re.escape, repeated)), "", beginning) if repeated else beginning


def _values(data: object) -> Iterator[object]:
    """Yield the texts and numbers in arguments."""
    if isinstance(data, Mapping):
        yield from (one for value in data.values() for one in _values(value))
    elif isinstance(data, list):
        yield from (one for value in data for one in _values(value))
    elif data is not None and not isinstance(data, bool):
        yield data
