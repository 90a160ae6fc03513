"""Reads resources and prompts of servers, for the host tools `read_resource` and `get_prompt`.

Each is a read of its server: the policy is asked, and the result labels the run like any tool's. A URI that the server lists or
that its results link to is its own; any other that leads to a host is an address like any other.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from mcp_types import BlobResourceContents, ContentBlock, EmbeddedResource, TextContent, TextResourceContents

from autonomy.calls.circumstances import circumstances, quoted_from
from autonomy.calls.results.result_truncation import handle_of, parts_kept, truncate_result
from autonomy.calls.run_handle import Run
from autonomy.llm.messages import ToolCall, ToolResult
from autonomy.outcomes.classifier import OK
from autonomy.policy.dataflow import LOAD, LOAD_OF_RUN, labels_of
from autonomy.policy.texts.addresses import addresses_in
from autonomy.policy.texts.codes import holds_code
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import ContentPart, Effect, JsonObject, Provider, ToolOutput, ToolSpec
from discovery.discovery_errors import DiscoveryError
from discovery.text.near_names import did_you_mean
from discovery.transport.answers import visible

METHODS = {"read_resource": "resources/read", "get_prompt": "prompts/get"}


async def fetch(call: ToolCall, key: str, run: Run, providers: Mapping[str, Provider]) -> CallRecord:
    """Read one resource or prompt; whatever stands in the way is a result for the model."""
    ctx, server = run.ctx, str(call.arguments["server"])
    if server not in providers:
        return _record(
            call,
            run,
            server,
            f"there is no server {server!r}; there are {', '.join(sorted(providers)) or 'none'}{did_you_mean(server, providers)}",
        )
    spec = ToolSpec(
        name=f"{server}/{call.name}",
        provider=server,
        tool=METHODS[call.name],
        effect=Effect.READ,
        idempotent=True,
        input_schema={"properties": {"uri": {"type": "string"}}},
    )
    uri = str(call.arguments.get("uri", ""))
    is_its_own = uri in _uris_of(providers[server], ctx)
    goes_out = not is_its_own and _leads_to_host(uri)
    facts = circumstances(ctx, spec, {"uri": uri} if goes_out else {})
    told = sum(map(len, facts.told | {uri}))
    if is_its_own or not (goes_out or holds_code(uri) or len(uri) > LOAD or told > LOAD_OF_RUN):
        facts = facts.model_copy(update={"known": f"{facts.known} {uri}"})
    if not is_its_own:  # what a prompt is filled with, and what stands in a URI, is told to the server as a search is
        told_there = {"uri": unquote(uri), **call.arguments.get("arguments", {})}
        facts = facts.model_copy(update={"quoted": quoted_from(ctx, spec, told_there, facts.known)})
    decision = run.services.policy.decide(spec, call.arguments, facts)
    if decision.decision != "allow":
        return _record(call, run, server, decision.refusal)
    record = await run.step(f"{key}/fetch", lambda: _fetched(call, key, run, server), CallRecord)
    ctx.labels |= labels_of(spec)  # what a server says of its failure is a stranger's word too
    return record


def _uris_of(provider: Provider, ctx: ToolExecutionContext) -> frozenset[str]:
    """The URIs that a server lists, and those that its results in this run link to, word for word."""
    linked = (part.uri for one in ctx.records if one.provider == provider.name for part in one.artefacts)
    return frozenset([*(resource.uri for resource in provider.resources), *linked])


def _leads_to_host(uri: str) -> bool:
    """Whether a URI holds an address of the network: `https:`, or one behind a scheme of the server's own."""
    scheme, _, path = uri.partition(":")
    return scheme.lower() in ("http", "https") or next(addresses_in(path.lstrip("/")), None) is not None


async def _fetched(call: ToolCall, key: str, run: Run, server: str) -> CallRecord:
    gateway, timeout_s = run.services.gateway, run.ctx.request.limits.call_timeout_s
    try:
        if call.name == "read_resource":
            read = await gateway.read_resource(server, call.arguments["uri"], timeout_s=timeout_s)
            blocks: list[ContentBlock] = [EmbeddedResource(resource=one) for one in read.contents]
        else:
            filled = await gateway.get_prompt(
                server, call.arguments["name"], call.arguments.get("arguments", {}), timeout_s=timeout_s
            )
            blocks = [message.content for message in filled.messages]
    except DiscoveryError as error:
        return _record(call, run, server, str(error))
    # the texts one after the other; anything else is kept with the run
    texts, parts = [], []
    for block in blocks:
        match block:
            case TextContent():
                texts.append(block.text)
            case EmbeddedResource(resource=TextResourceContents() as resource):
                texts.append(resource.text)
            case EmbeddedResource(resource=BlobResourceContents() as blob):
                parts.append(ContentPart(kind="resource", mime_type=blob.mime_type or "", uri=str(blob.uri), data=blob.blob))
            case _:
                texts.append(f"[{block.type}: not shown here]")
    output = ToolOutput(text=visible("\n".join(texts)), parts=tuple(parts))
    result = truncate_result(call, key, output, OK, answered_by="", is_write=False)
    whole = {"whole": output.text if result.handle == handle_of(key) else "", "artefacts": parts_kept(output)}
    return _record(call, run, server, "").model_copy(update={"result": result, "finished_at": run.services.clock(), **whole})


def _record(call: ToolCall, run: Run, server: str, problem: str) -> CallRecord:
    facts: JsonObject = {"call_id": call.id, "name": call.name}
    failure: dict[str, Any] = {"is_error": True, "kind": "terminal"} if problem else {}
    result = ToolResult(**facts, text=f"{call.name}: {problem}" if problem else "", **failure)
    kind = "transport" if problem else ""
    return run.ctx.record_of(call, result, provider=server, effect=Effect.READ, problem=kind, reason=problem)
