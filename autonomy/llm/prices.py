"""Prices replies with genai-prices; an unknown price is None."""

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from genai_prices import Usage as Counted
from genai_prices import calc_price
from genai_prices.types import ModelPrice, PriceCalculation, TieredPrices

from autonomy.llm.messages import Usage
from autonomy.llm.vendor_list import chat_vendors

FREE_VENDORS = frozenset({"local", "planner", "scripted"})
"""Programs of our own, beside the vendors that are `local` in `data/vendors.json`: no bill comes."""

_M = 1_000_000


class _Counts(NamedTuple):
    """Tokens of one request; `cached` and `written` are part of `input`."""

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0


class _Rates(NamedTuple):
    """USD a token, of a model for which every token of a kind costs the same."""

    input: Decimal
    cached: Decimal
    written: Decimal
    output: Decimal


def priced(usage: Usage, vendor: str, model_id: str, *, cache_write_tokens: int = 0) -> Usage:
    """The usage with its cost in USD, each request priced by itself because prices are tiered.

    `cache_write_tokens` are part of `input_tokens`, as `cached_tokens` are.
    """
    if vendor in FREE_VENDORS or ((known := chat_vendors().get(vendor)) and known.local):
        return usage.costing(Decimal(0))
    if not usage.input_tokens and not usage.output_tokens:
        return usage
    return usage.costing(_price(usage, vendor, model_id, cache_write_tokens))


def _price(usage: Usage, vendor: str, model_id: str, cache_write_tokens: int) -> Decimal | None:
    counts = _Counts(usage.input_tokens, usage.cached_tokens, cache_write_tokens, usage.output_tokens)
    if not _is_listed(vendor, model_id):
        return None
    rates = _rates(vendor, model_id)
    if rates is None or counts.cached + counts.written > counts.input:
        found = _listed(counts, vendor, model_id)
        return found.total_price if found else None
    fresh = counts.input - counts.cached - counts.written
    return fresh * rates.input + counts.cached * rates.cached + counts.written * rates.written + counts.output * rates.output


@lru_cache(maxsize=256)
def _is_listed(vendor: str, model_id: str) -> bool:
    """Looking for a model that the list does not have goes through all of it: once is enough."""
    return _listed(_Counts(), vendor, model_id) is not None


@lru_cache(maxsize=256)
def _rates(vendor: str, model_id: str) -> _Rates | None:
    """None where the list must be asked for each request: the price has tiers, hours or a fee for the request, or is not
    known."""
    found = _listed(_Counts(), vendor, model_id)
    if found is None or not isinstance(found.model.prices, ModelPrice):
        return None
    fees = found.model_price
    if fees.requests_kcount is not None or any(isinstance(price, TieredPrices) for price in vars(fees).values()):
        return None
    each = (_Counts(_M), _Counts(_M, cached=_M), _Counts(_M, written=_M), _Counts(output=_M))
    prices = [price.total_price / _M for counts in each if (price := _listed(counts, vendor, model_id))]
    return _Rates(*prices) if len(prices) == len(each) else None


@lru_cache(maxsize=256)
def context_window(vendor: str, model_id: str) -> int | None:
    """How many tokens a model can read at once; None when the list does not know it."""
    found = _listed(_Counts(), vendor, model_id)
    return found.model.context_window if found else None


def _listed(counts: _Counts, vendor: str, model_id: str) -> PriceCalculation | None:
    counted = Counted(
        input_tokens=counts.input,
        output_tokens=counts.output,
        cache_read_tokens=counts.cached,
        cache_write_tokens=counts.written,
    )
    try:
        return calc_price(counted, model_id, provider_id=vendor)
    except (LookupError, ValueError):
        return None
