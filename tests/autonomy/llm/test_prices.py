"""What a reply costs: the price list's own sums, whichever way they are made."""

from decimal import Decimal

from genai_prices import Usage as Counted
from genai_prices import calc_price
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.messages import Usage
from autonomy.llm.prices import priced
from tests.requirements import requirement
from tests.support.always import always

LISTED = [
    (provider.id, model.id)
    for provider in get_snapshot().providers
    if provider.id in {"openai", "anthropic", "google", "deepseek"}
    for model in provider.models
    if model.is_match(model.id)  # some stand for a family, such as `ft:gpt-4o`, and are no name of a model
]
TOKENS = st.integers(0, 2_000_000)


@requirement("M4")
@always(LISTED, "model", fresh=1_000, cached=200, written=30, output=4)
@given(model=st.sampled_from(LISTED), fresh=TOKENS, cached=TOKENS, written=TOKENS, output=TOKENS)
def test_a_reply_costs_what_the_list_says(model: tuple[str, str], fresh: int, cached: int, written: int, output: int) -> None:
    written = written if model[0] == "anthropic" else 0
    used = fresh + cached + written
    usage = Usage(input_tokens=used, cached_tokens=cached, output_tokens=output)
    found = priced(usage, model[0], model[1], cache_write_tokens=written)
    counted = Counted(input_tokens=used, cache_read_tokens=cached, cache_write_tokens=written, output_tokens=output)
    expected = calc_price(counted, model[1], provider_id=model[0]).total_price if used or output else None
    assert found.cost_usd == expected


@requirement("M4")
def test_what_is_not_on_the_list_has_no_price_and_what_runs_at_home_is_free() -> None:
    usage = Usage(input_tokens=1000, output_tokens=10)
    assert priced(usage, "openai", "no-such-model").cost_usd is None
    assert priced(usage, "lmstudio", "any").cost_usd == Decimal(0)


@requirement("M4")
def test_a_fine_tuned_model_costs_what_its_family_does_and_the_familys_name_alone_is_no_model() -> None:
    usage = Usage(input_tokens=1_000_000)
    assert priced(usage, "openai", "ft:gpt-4o-2024-08-06:acme::abc123").cost_usd == Decimal("3.75")
    assert priced(usage, "openai", "ft:gpt-4o").cost_usd is None


@requirement("M4", "Y3")
def test_a_vendor_that_counts_less_than_nothing_gives_no_budget_anything_back() -> None:
    usage = Usage(input_tokens=-5_000_000, output_tokens=10, cached_tokens=-1)
    assert (usage.input_tokens, usage.cached_tokens) == (0, 0)
    cost = priced(usage, "openai", "gpt-4o").cost_usd
    assert cost is not None
    assert cost > 0
