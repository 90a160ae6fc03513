"""Lists the vendors of the Chat Completions dialect, from `data/vendors.json`.

A vendor is named as genai-prices names it, so that its replies have a price.
"""

from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import TypeAdapter

from discovery.catalog import Frozen


class ChatVendor(Frozen):
    """Where the servers of one vendor are, and in what they differ from the others."""

    base_url: str
    """With its version, usually `/v1`; empty where the operator has to say."""
    key: str
    """The environment variable of the API key."""
    needs_key: bool = False
    """Whether no request without a key can succeed."""
    local: bool = False
    """Whether it runs on the operator's own machine: no bill comes."""
    length_field: Literal["max_completion_tokens", "max_tokens"] = "max_tokens"
    lenient: bool = True
    """Whether thoughts and calls may stand in the text, as small models write them."""


NEED_KEYS = frozenset({"openai", "anthropic"})
"""Of the vendors whose dialect is a file of its own."""


@cache
def chat_vendors() -> dict[str, ChatVendor]:
    """The vendors of the data file by name. Raises pydantic's ValidationError when it is damaged."""
    text = files("autonomy.llm").joinpath("data/vendors.json").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, ChatVendor]).validate_json(text)


def key_variable(vendor: str) -> str:
    """The environment variable of a vendor's API key."""
    known = chat_vendors().get(vendor)
    return known.key if known else f"{vendor.upper()}_API_KEY"


def needs_key(vendor: str) -> bool:
    """Whether requests without a key are refused at the vendor's own address."""
    known = chat_vendors().get(vendor)
    return known.needs_key if known else vendor in NEED_KEYS


chat_vendors()  # read while the module is loaded: models are opened on the event loop, where no file may be read
