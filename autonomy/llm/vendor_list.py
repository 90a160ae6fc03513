"""Lists the vendors of the Chat Completions dialect, from `data/vendors.json`.

A vendor is named as genai-prices names it, so that its replies have a price.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from discovery.catalog import Frozen
from metrics.text.word_files import data_file


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
    host: str = ""
    """The server's own environment variable of its address, `HOST:PORT` perhaps without a scheme."""
    start: str = ""
    """The command that starts it."""
    fetch: str = ""
    """The command that makes `{model}` one it serves."""


NEED_KEYS = frozenset({"openai", "anthropic"})
"""Those with a dialect of their own that refuse a request without a key."""


@cache
def chat_vendors() -> dict[str, ChatVendor]:
    """The vendors of the data file by name. Raises pydantic's ValidationError when it is damaged."""
    text = data_file("autonomy.llm", "vendors.json").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, ChatVendor]).validate_json(text)


def key_variable(vendor: str) -> str:
    """The environment variable of a vendor's API key."""
    known = chat_vendors().get(vendor)
    return known.key if known else f"{vendor.upper()}_API_KEY"


def address_variable(vendor: str) -> str:
    """The environment variable of a vendor's address."""
    return f"{key_variable(vendor).removesuffix('_API_KEY')}_BASE_URL"


def address_in(vendor: str, environment: Mapping[str, str]) -> str:
    """The base URL that the environment names for a vendor, its own variable last; empty where none does."""
    if address := environment.get(address_variable(vendor), "").strip():
        return address
    known = chat_vendors().get(vendor)
    host = environment.get(known.host, "").strip() if known and known.host else ""
    return _base_url(host, urlsplit(known.base_url).port) if known and host else ""


def _base_url(host: str, port: int | None) -> str:
    """The base URL behind what a server is told to listen at, read as Ollama reads it (its envconfig.Host).

    Scheme, port and path may be missing. A server that listens everywhere (0.0.0.0, ::) is asked on this machine.
    """
    scheme, _, rest = host.strip("\"'").rpartition("://")
    where = urlsplit(f"//{rest}")
    usual = {"http": 80, "https": 443}.get(scheme, port)
    try:
        found = where.port or usual
    except ValueError:
        found = usual
    name = where.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(name, f"[{name}]" if ":" in name else name)  # noqa: S104 - never bound
    return f"{scheme or 'http'}://{name}:{found}{where.path.rstrip('/')}/v1"


def needs_key(vendor: str) -> bool:
    """Whether requests without a key are refused at the vendor's own address."""
    known = chat_vendors().get(vendor)
    return known.needs_key if known else vendor in NEED_KEYS


chat_vendors()  # read while the module is loaded: models are opened on the event loop, where no file may be read
