"""What may flow where: labels on what the model has seen, and the worry they raise about a call (S3).

Every result adds its labels to the run, and nothing takes one away. Text from a tool is `untrusted`: it may fill the arguments a job
left to the run's own words, and it may not choose where a write goes. A read can be a sink too: a query sent to an open-world tool
carries out what is in it.
"""

from collections.abc import Sequence

from autonomy.execution.needs import loose_arguments
from autonomy.llm.model import Need
from discovery.catalog import JsonObject, ToolSpec

UNTRUSTED = "untrusted"
PRIVATE = "private:"
SINK_ARGUMENTS = frozenset({"url", "uri", "webhook", "endpoint"})
"""Arguments of a read that decide where a request goes."""


def labels_of(spec: ToolSpec) -> frozenset[str]:
    """What a result of this tool adds to the run."""
    return frozenset({UNTRUSTED, PRIVATE + spec.provider})


def concern(spec: ToolSpec, arguments: JsonObject, serving: Sequence[Need], labels: frozenset[str]) -> str:
    """Why this call could be somebody else's wish or carry something out, in one sentence; empty when it could not."""
    foreign = sorted(
        label.removeprefix(PRIVATE) for label in labels if label.startswith(PRIVATE) and label != PRIVATE + spec.provider
    )
    if spec.read_only:
        sinks = sorted(SINK_ARGUMENTS & arguments.keys())
        return f"{', '.join(sinks)} could carry data of {', '.join(foreign)} out" if sinks and foreign else ""
    if UNTRUSTED not in labels:
        return ""
    loose = min((loose_arguments(need, arguments) for need in serving), key=len, default=tuple(arguments))
    return f"{', '.join(loose)} chosen while text from tools was in view" if loose else ""
