"""Offers jobs and goals as tools: another agent hands over work, and gets the ending, text and receipts."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent, Tool

from autonomy.errors import ConfigError
from autonomy.jobs.inputs import Input
from autonomy.mcp_gateway.clients.profiles import ClientProfile
from autonomy.mcp_gateway.faces import READ_RESULT, own_tool
from autonomy.run_state.digests import digest
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.catalog import JsonObject
from discovery.schemas.schema import validate

if TYPE_CHECKING:  # most gateways offer no jobs
    from autonomy.jobs.job import Job

_log = logging.getLogger(__name__)
RUN_JOB = "run_job_"
LONGEST_JOB = 50
"""Characters of a job's name in the name of its tool."""
ASK = own_tool(
    "ask",
    "Hand a goal to Jiritsu, which sees it through with the tools of its own and says honestly how it ended.",
    {"goal": {"type": "string", "minLength": 1, "maxLength": 20_000, "description": "What is to be done"}},
    ["goal"],
)


@dataclass(frozen=True)
class JobTools:
    """The tools that run jobs and goals."""

    find: "Callable[[str], Job]"
    """Returns the job of a name. Raises `ConfigError`."""
    order: "Callable[[Job | str, Mapping[str, str], str], RunRequest]"
    """Makes a run of a job with inputs, or of a goal, for a client. Raises `ConfigError`."""
    carry_out: Callable[[RunRequest], Awaitable[RunResult]]

    def offered(self, profile: ClientProfile) -> Iterator[Tool]:
        """Yield the tools that this client has besides those of servers. A job that cannot be read is logged and left out."""
        for name in profile.jobs:
            try:
                job = self.find(name)
            except ConfigError as error:
                _log.warning("a client's job is left out: %s", error)
                continue
            yield Tool(
                name=tool_name(name), description=f"Run the job {name}: {job.goal[:400]}", input_schema=schema_of(job.inputs)
            )
        if profile.ask:
            yield ASK

    async def call(self, name: str, arguments: JsonObject, profile: ClientProfile, client: str) -> CallToolResult | None:
        """Call one of these tools; None if there is none of that name."""
        ordered = self.ordered(name, arguments, profile, client)
        return answer_of_run(await self.carry_out(ordered)) if isinstance(ordered, RunRequest) else ordered

    def ordered(
        self, name: str, arguments: JsonObject, profile: ClientProfile, client: str
    ) -> RunRequest | CallToolResult | None:
        """Return the run that a call of one of these tools asks for, or an answer that says why there is none; None if there is
        no tool of that name."""
        job = next((job for job in profile.jobs if tool_name(job) == name), None)
        if job is None and not (profile.ask and name == ASK.name):
            return None
        try:
            order = self.find(job) if job is not None else str(arguments.get("goal", ""))
            schema = ASK.input_schema if isinstance(order, str) else schema_of(order.inputs)
            if problems := validate(schema, arguments):
                return _failed(f"{name} was not called: {'; '.join(problems)}")
            inputs = {} if job is None else {key: str(value) for key, value in arguments.items()}
            return self.order(order, inputs, client)
        except ConfigError as error:
            return _failed(str(error))


def own_names(profile: ClientProfile) -> frozenset[str]:
    """Return the names of our own tools for this client, which no server's tool may have."""
    return frozenset([READ_RESULT.name, *map(tool_name, profile.jobs), *([ASK.name] if profile.ask else [])])


def tool_name(job: str) -> str:
    """Return the name of the tool that runs a job."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in job)
    is_unique = job.isascii() and len(job) <= LONGEST_JOB  # 日記 and 週報 both become __ and need a digest
    return RUN_JOB + (plain if is_unique else f"{plain[: LONGEST_JOB - 9]}_{digest(job)[:8]}")


def schema_of(inputs: Mapping[str, Input]) -> JsonObject:
    """Return a job's declared inputs as a JSON Schema."""
    properties = {
        name: {"type": "string", "description": one.description or name} | ({"default": one.default} if one.default else {})
        for name, one in inputs.items()
    }
    required = [name for name, one in inputs.items() if one.required and not one.default]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def answer_of_run(result: RunResult) -> CallToolResult:
    """Return a run's result for a client, the ending first. It is an error unless the run completed or was simulated."""
    receipts = [receipt.model_dump(mode="json", exclude={"call_id"}) for receipt in result.receipts]
    data: dict[str, Any] = {
        "ending": result.ending,
        "reason": result.reason,
        "text": result.text,
        "remarks": list(result.remarks),
        "unread": result.unread,
        "receipts": receipts,
        "run": result.run_id,
    }
    ending = f"{result.ending}: {result.reason}" if result.reason else result.ending
    words = "\n".join([ending, result.text, *(f"? {remark}" for remark in (*result.remarks, result.unread) if remark)]).strip()
    return CallToolResult(
        content=[TextContent(text=words)], structured_content=data, is_error=result.ending not in ("completed", "simulated")
    )


def _failed(why: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=why)], is_error=True)
