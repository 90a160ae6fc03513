"""What a reply cost, from the price list of genai-prices. A price that is not known is None, never zero."""

from decimal import Decimal

from genai_prices import Usage as Counted
from genai_prices import calc_price

from autonomy.llm.messages import Usage

FREE_VENDORS = frozenset({"lmstudio", "local", "planner", "scripted"})
"""They run on the operator's own machine: no bill comes."""


def priced(usage: Usage, vendor: str, model_id: str, *, cache_write_tokens: int = 0) -> Usage:
    """The usage with its cost in USD, each request priced by itself because prices are tiered.

    `cache_write_tokens` are part of `input_tokens`, as `cached_tokens` are.
    """
    if vendor in FREE_VENDORS:
        return usage.model_copy(update={"cost_usd": Decimal(0)})
    if not usage.input_tokens and not usage.output_tokens:
        return usage
    return usage.model_copy(update={"cost_usd": _price(usage, vendor, model_id, cache_write_tokens)})


def _price(usage: Usage, vendor: str, model_id: str, cache_write_tokens: int) -> Decimal | None:
    counted = Counted(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=cache_write_tokens,
    )
    try:
        return calc_price(counted, model_id, provider_id=vendor).total_price
    except (LookupError, ValueError):
        return None
