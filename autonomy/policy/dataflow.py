"""Tracks taint labels and decides which data may flow into which write.

Every result adds its labels to the run, and nothing takes one away. Text from a tool is `untrusted`: it may fill the arguments a
job left to the run's own words, and it may not choose where a write goes. Data of a provider is `private` to it: it may flow
into a write only if the job declares that it reads there. A read is a way out too, when it carries an address that nobody asked
for.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from autonomy.llm.model import Need
from autonomy.policy.need_binding import unbound_arguments
from discovery.catalog import JsonObject, ToolSpec

UNTRUSTED = "untrusted"
PRIVATE = "private:"

_ADDRESS = re.compile(r"\b(?:https?|ftp|wss?)://[^\s\"'<>]+|\b[\w.+-]+@[\w-]+\.[\w.]+\b", re.IGNORECASE)


def labels_of(spec: ToolSpec) -> frozenset[str]:
    """What a result of this tool adds to the run: nobody's words are trusted, and what is read is private to where it was read.

    The answer to a write only says what the run itself put there.
    """
    return frozenset({UNTRUSTED, PRIVATE + spec.provider} if spec.read_only else {UNTRUSTED})


def concern(
    spec: ToolSpec,
    arguments: JsonObject,
    *,
    serving: Sequence[Need],
    labels: frozenset[str],
    sources: Collection[str],
    known: str,
) -> str:
    """Why this call could be somebody else's wish, or carry something out; one sentence, empty when it could not.

    `serving`: the declared needs the call keeps to. `sources`: the providers the job declares it reads. `known`: the words of
    those who may decide (the goal, its inputs, the job), in which an address is no surprise.
    """
    private = {label.removeprefix(PRIVATE) for label in labels if label.startswith(PRIVATE)}
    if spec.read_only:
        foreign = () if spec.provider in sources else sorted(private - {spec.provider})
        surprising = any(not _is_known(address, known) for address in _addresses(arguments))
        return f"an address nobody asked for could carry data of {', '.join(foreign)} out" if surprising and foreign else ""
    if sources and (undeclared := sorted(private - set(sources))):
        return f"data of {', '.join(undeclared)} is in view, and the job does not declare that it reads there"
    if UNTRUSTED not in labels:
        return ""
    loose = min((unbound_arguments(need, spec, arguments) for need in serving), key=len, default=tuple(arguments))
    return f"{', '.join(loose)} chosen while text from tools was in view" if loose else ""


def _is_known(address: str, known: str) -> bool:
    """Whether the very address stands in those words, and not merely the beginning of another."""
    return address in _ADDRESS.findall(known)


def _addresses(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield from _ADDRESS.findall(data)
        case dict():
            for value in data.values():
                yield from _addresses(value)
        case list():
            for value in data:
                yield from _addresses(value)
