"""Asks a model once, with one tool, and says what to do if it does not answer."""

import re
import time
from typing import Literal

import anyio
import anyio.to_thread

from autonomy.errors import ModelError, ModelUnavailable
from autonomy.llm.messages import ToolDefinition, UserMessage
from autonomy.llm.model import Bounded, Model, ModelRequest
from autonomy.llm.vendor_list import address_variable, chat_vendors, key_variable
from discovery.catalog import Frozen
from discovery.servers import network
from metrics.text.phrases import patterns_of

TIMEOUT_S = 30.0
"""A model on this machine may have to be read from disk first."""

_TOOL = ToolDefinition(
    name="report_ready",
    description="Report that you are ready. Call it once.",
    input_schema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)

Cause = Literal["", "network", "silent", "late", "key", "model", "address", "bill"]
"""What is to be mended; empty where only the server's words say it."""

_PHRASES = patterns_of("autonomy.llm")
_NO_MODEL = _PHRASES["no_such_model"]
_BILL = _PHRASES["not_paid"]
_ADDRESS = _PHRASES["address_to_be_mended"]


class LiveCheck(Frozen):
    """The result of one test request."""

    ok: bool
    problem: str = ""
    """Why it did not answer, in the vendor's words."""
    cause: Cause = ""
    seconds: float = 0.0
    called_the_tool: bool = False
    tools_refused: str = ""
    """The words in which its server refused tools, which were then written into the prompt."""
    context_tokens: int | None = None
    """How much it can read at once, as configured or as the price list has it; None is unknown."""


async def check_model(model: Model) -> LiveCheck:
    """Ask once. Raises nothing: what went wrong is in the answer."""
    request = ModelRequest(
        messages=(UserMessage(text="Call the tool report_ready with the word ready."),),
        tools=(_TOOL,),
        max_output_tokens=256,
        timeout_s=TIMEOUT_S,
    )
    began = time.monotonic()
    try:
        with anyio.fail_after(TIMEOUT_S + 1):  # what the model says of its own timeout names the way to it
            reply = await model.complete(request)
    except TimeoutError:
        return LiveCheck(ok=False, problem=f"no answer within {TIMEOUT_S:g} s", cause="late")
    except ModelError as error:
        return LiveCheck(ok=False, problem=error.problem, cause=cause_of(error))
    size = await anyio.to_thread.run_sync(lambda: model.context_tokens) if isinstance(model, Bounded) else None
    return LiveCheck(
        ok=True,
        seconds=time.monotonic() - began,
        called_the_tool=any(call.name == _TOOL.name for call in reply.calls),
        tools_refused=getattr(model, "tools_refused", ""),
        context_tokens=size,
    )


def cause_of(error: ModelError) -> Cause:
    """Classify the problem, by the status and the words of the answer."""
    status: int | None = getattr(error, "status", None)
    if status is None and network.remedy(error.problem):
        return "network"
    if status is None and isinstance(error, ModelUnavailable):
        return "late" if error.problem.startswith(("no answer within", "its reply stopped half-way")) else "silent"
    if status in (401, 403):
        return "key"
    if status == 402 or (status == 429 and _BILL.search(error.problem)):
        return "bill"
    names_model = re.search(rf"(?<![\w-]){re.escape(error.model.partition(':')[2])}(?![\w-])", error.problem)
    if _NO_MODEL.search(error.problem) or (status in (404, 410) and names_model):  # one that was withdrawn is told in many ways
        return "model"
    return "address" if status in (404, 405) or _ADDRESS.search(error.problem) else ""


def in_a_sentence(name: str, found: LiveCheck) -> str:
    """Describe a model's problem in one sentence of ours, followed by the vendor's words."""
    return {
        "silent": f"nothing answers there ({found.problem})",
        "key": f"it rejects the key ({found.problem})",
        "model": f"it has no model {name.partition(':')[2]} ({found.problem})",
        "address": f"it serves no model at this address ({found.problem})",
        "bill": f"the account has no credit left ({found.problem})",
    }.get(found.cause, found.problem)


def remedy(name: str, found: LiveCheck) -> str:
    """The action for the operator."""
    vendor, _, model_id = name.partition(":")
    known = chat_vendors().get(vendor)
    where = address_variable(vendor)
    match found.cause:
        case "network":
            return network.remedy(found.problem)
        case "silent" if known and known.start:
            return f"start it (`{known.start.replace('MODEL', model_id)}`), or set its address with {where}"
        case "silent":
            return f"check the network and its proxy, or set its address with {where}"
        case "late":
            return "its model may still be loading: try again in a minute; on a slow machine runs need a longer `timeout_s`"
        case "key":
            return f"set {key_variable(vendor)} to a key of this server"
        case "model" if known and known.fetch:
            return f"get it (`{known.fetch.format(model=model_id)}`), or name one that it serves"
        case "model":
            return "name one that it serves: the vendor lists their ids"
        case "address":
            return f"correct {where} or base_url: it must {'not end' if vendor == 'anthropic' else 'end'} in /v1"
        case "bill":
            return "check the vendor's billing page, or name another model"
    return "is the server up, the key right, and the model's id one it knows?"
