"""Whether a model answers now: one small request that offers one tool, and what came of it."""

import time

import anyio
import anyio.to_thread

from autonomy.errors import ModelError
from autonomy.llm.messages import ToolDefinition, UserMessage
from autonomy.llm.model import Model, ModelRequest
from discovery.catalog import Frozen

TIMEOUT_S = 30.0
"""A model on this machine may have to be read from disk first."""

_TOOL = ToolDefinition(
    name="report_ready",
    description="Report that you are ready. Call it once.",
    input_schema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)


class LiveCheck(Frozen):
    """What one request showed."""

    ok: bool
    problem: str = ""
    """Why it did not answer, in the vendor's words."""
    seconds: float = 0.0
    called_the_tool: bool = False
    context_tokens: int | None = None
    """How much it can read at once, where the price list knows; None is unknown."""


async def check_model(model: Model, *, timeout_s: float = TIMEOUT_S) -> LiveCheck:
    """Ask once. Raises nothing: what went wrong is in the answer."""
    request = ModelRequest(
        messages=(UserMessage(text="Call the tool report_ready with the word ready."),),
        tools=(_TOOL,),
        max_output_tokens=256,
        timeout_s=timeout_s,
    )
    began = time.monotonic()
    try:
        with anyio.fail_after(timeout_s):
            reply = await model.complete(request)
    except TimeoutError:
        return LiveCheck(ok=False, problem=f"no answer within {timeout_s:g} s")
    except ModelError as error:
        return LiveCheck(ok=False, problem=error.problem)
    size = await anyio.to_thread.run_sync(_context_of, model.id)
    called = any(call.name == _TOOL.name for call in reply.calls)
    return LiveCheck(ok=True, seconds=time.monotonic() - began, called_the_tool=called, context_tokens=size)


def _context_of(name: str) -> int | None:
    from genai_prices import Usage, calc_price

    vendor, _, model_id = name.partition(":")
    try:
        size = calc_price(Usage(input_tokens=1), model_id, provider_id=vendor).model.context_window
    except LookupError:
        return None
    return int(size) if size else None
