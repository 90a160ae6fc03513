"""Converts the tools, resources and prompts that a provider lists into values of the catalog."""

from collections.abc import Sequence
from inspect import cleandoc

from mcp.client.session import ClientSession
from mcp_types import ListPromptsResult, ListResourcesResult, ListResourceTemplatesResult, Tool, ToolAnnotations
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from discovery.catalog import Effect, JsonObject, Lookup, Prompt, Quarantined, Resource, ResourceTemplate, TaskSupport, ToolSpec
from discovery.names import full_names
from discovery.review.effect_proposals import contradiction
from discovery.servers.server_config import ServerConfig
from discovery.tool_calls.task_messages import makes_tasks, takes_tasks
from discovery.transport import firewall

MODEL_DESCRIPTION_CHARS = 2_000
"""The longest description for a model; clients of the gateway get all of it."""
ONLY_AS_TASK = "it can only be called as a task, and its server takes none (MCP 2025-11-25, tasks)"


def specs_of(
    listed: Sequence[Tool], config: ServerConfig, session: ClientSession
) -> tuple[tuple[ToolSpec, ...], list[Quarantined]]:
    """Return the tools that can be called, and what was left out. Takes a second for thousands of tools: call it in a thread."""
    left_out: list[Quarantined] = []
    for tool in listed:
        if (length := len(cleandoc(tool.description or ""))) > MODEL_DESCRIPTION_CHARS:
            why = f"of its description a model is shown {MODEL_DESCRIPTION_CHARS} of {length} characters"
            left_out.append(Quarantined(tool=tool.name, reason=why))
    support = {tool.name: _task_support(tool, session) for tool in listed}
    left_out += [Quarantined(tool=name, reason=ONLY_AS_TASK) for name, supported in support.items() if supported is None]
    offered = [tool for tool in listed if support[tool.name] is not None]
    names = full_names((config.name, tool.name) for tool in offered)
    specs = (_spec(tool, names[config.name, tool.name], config, support[tool.name] or "") for tool in offered)
    return tuple(sorted(specs, key=lambda spec: spec.name)), left_out


def resources_of(page: ListResourcesResult) -> list[Resource]:
    """Return the resources of a page."""
    return [
        Resource(
            uri=str(item.uri),
            name=item.title or item.name,
            description=item.description or "",
            mime_type=item.mime_type or "",
            definition=_definition(item),
        )
        for item in page.resources
    ]


def templates_of(page: ListResourceTemplatesResult) -> list[ResourceTemplate]:
    """Return the resource templates of a page."""
    return [
        ResourceTemplate(uri_template=item.uri_template, name=item.name, definition=_definition(item))
        for item in page.resource_templates
    ]


def prompts_of(page: ListPromptsResult) -> list[Prompt]:
    """Return the prompts of a page."""
    return [
        Prompt(
            name=item.name,
            description=item.description or "",
            arguments=tuple(one.model_dump(exclude_none=True) for one in item.arguments or ()),
            definition=_definition(item),
        )
        for item in page.prompts
    ]


def _definition(item: BaseModel) -> JsonObject:
    return item.model_dump(mode="json", by_alias=True, exclude_none=True)


def _task_support(tool: Tool, session: ClientSession) -> TaskSupport | None:
    """Whether a call of the tool may become a task; None if it must, and the server supports no tasks."""
    if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return "server" if makes_tasks(session.server_capabilities) else ""
    support = tool.execution.task_support if tool.execution else None
    if takes_tasks(session.server_capabilities):
        return "" if support is None or support == "forbidden" else support
    return None if support == "required" else ""


def _spec(tool: Tool, name: str, config: ServerConfig, task_support: TaskSupport) -> ToolSpec:
    effect, idempotent = config.effect_of(tool.name, *_declared(tool.annotations))
    settled = config.settles(tool.name)
    title = tool.title or (tool.annotations.title if tool.annotations else None)
    raw = tool.description or ""
    description = cleandoc(raw)[:MODEL_DESCRIPTION_CHARS]  # many servers send a docstring as it stands in their source
    spec = ToolSpec(
        name=name,
        provider=config.name,
        tool=tool.name,
        title=title or "",
        annotated_title=bool(title and not tool.title),
        description=description,
        whole_description="" if raw == description else raw,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema or (tool.meta or {}).get(firewall.OUTPUT_SCHEMA),
        annotations=tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {},
        beyond=(tool.meta or {}).get(firewall.BEYOND) or {},
        effect=effect,
        declared=settled or tool.annotations is not None,
        settled=settled,
        idempotent=idempotent,
        keyed=(tool.meta or {}).get(firewall.KEYED) is True,
        task_support=task_support,
        lookup=config.lookup_of(tool.name) or _lookup((tool.meta or {}).get(firewall.LOOKUP)),
        timeout_s=config.timeout_s,
    )
    if settled or (doubt := contradiction(spec)) is None:
        return spec
    return spec.model_copy(update={"effect": doubt.effect, "idempotent": False})


def _lookup(declared: object) -> Lookup | None:
    """Return the look-up that the server declares for the tool; None if there is none or it is malformed."""
    try:
        return Lookup.model_validate(declared) if declared is not None else None
    except ValidationError:
        return None


def _declared(annotations: ToolAnnotations | None) -> tuple[Effect, bool]:
    """Return effect and idempotence by the server's annotations; a tool without any counts as a write that is not idempotent."""
    if annotations is None:
        return Effect.WRITE, False
    if annotations.read_only_hint:
        return Effect.READ, True
    idempotent = bool(annotations.idempotent_hint)
    if annotations.destructive_hint:
        return Effect.DESTRUCTIVE, idempotent
    return (Effect.OUTWARD if annotations.open_world_hint else Effect.WRITE), idempotent
