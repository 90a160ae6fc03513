"""A vendor of OpenAI's dialect is a few lines of data: its address, its key, its price."""

from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from genai_prices.data_snapshot import get_snapshot

import autonomy.llm.vendors.lmstudio  # noqa: F401 - the registry would import it inside the event loop
from autonomy.errors import ConfigError
from autonomy.llm.messages import Usage, UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from autonomy.llm.prices import priced
from autonomy.llm.vendor_list import chat_vendors, key_variable, needs_key
from autonomy.settings import Settings
from autonomy.settings_files import model_options
from tests.support.openai_chat import OpenAIChat, reply

VENDORS = sorted(chat_vendors())


@pytest.mark.parametrize("vendor", VENDORS)
def test_each_entry_says_where_and_by_which_key(vendor: str) -> None:
    entry = chat_vendors()[vendor]
    address = urlsplit(entry.base_url)
    here = entry.local or vendor == "litellm"  # a proxy on this machine, whose bills come from those behind it
    assert address.scheme == ("http" if here else "https") or vendor == "compatible"
    assert (address.hostname == "127.0.0.1") is here
    assert entry.key.endswith("_API_KEY")
    assert entry.key.isupper()


@pytest.mark.parametrize("vendor", [name for name in VENDORS if chat_vendors()[name].needs_key])
def test_a_vendor_that_is_paid_is_one_the_price_list_knows_and_refuses_to_start_without_its_key(
    vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert vendor in {provider.id for provider in get_snapshot().providers}
    monkeypatch.delenv(key_variable(vendor), raising=False)
    with pytest.raises(ConfigError, match=key_variable(vendor)):
        model_options(Settings(), f"{vendor}:any")
    monkeypatch.setenv(key_variable(vendor), "sk-1")
    assert model_options(Settings(), f"{vendor}:any").api_key == "sk-1"


@pytest.mark.parametrize("vendor", [name for name in VENDORS if chat_vendors()[name].local])
def test_a_vendor_on_this_machine_is_free_and_needs_no_key(vendor: str) -> None:
    assert not needs_key(vendor)
    assert priced(Usage(input_tokens=1000, output_tokens=10), vendor, "any").cost_usd == Decimal(0)


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_request_to_any_of_them_is_spoken_in_the_dialect(vendor: str) -> None:
    with OpenAIChat() as fake:
        fake.script(reply("hello"))
        model = open_model(f"{vendor}:some-model", ModelOptions(base_url=fake.url, api_key="sk-1", stream=False))
        answer = await model.complete(ModelRequest(messages=(UserMessage(text="hi"),)))
        await model.aclose()
    assert (answer.text, answer.model) == ("hello", f"{vendor}:some-model")
    assert fake.requests[-1].body["model"] == "some-model"


def test_an_unknown_vendor_is_named_with_those_that_are_known() -> None:
    with pytest.raises(ConfigError, match=r"known are .*groq"):
        open_model("nowhere:x", ModelOptions())
