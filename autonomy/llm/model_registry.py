"""Resolves model ids to models, importing a vendor's file when it is first used.

planner:offline · openai:gpt-6.1-sol · anthropic:claude-sonnet-5-5 · scripted:any-name · and the vendors of OpenAI's dialect in
`data/vendors.json`: lmstudio:qwen3-8b, compatible:any-id, …
"""

from collections.abc import Callable

from autonomy.errors import ConfigError
from autonomy.llm.model import Model, ModelOptions
from autonomy.llm.vendor_list import chat_vendors
from discovery.text.near_names import did_you_mean, near_names

Opener = Callable[[str, ModelOptions], Model]
"""Makes a model of its id at the vendor, and its options."""


def known_vendors() -> tuple[str, ...]:
    """The vendors that an id may begin with."""
    return (*_OWN, *chat_vendors())


def open_model(name: str, options: ModelOptions) -> Model:
    """The model of an id `vendor:model-id`. Connects to nothing yet. Raises `ConfigError` for an id or options that cannot
    work."""
    vendor, _, model_id = name.partition(":")
    known = {**_OWN, **{one: _chat(one) for one in chat_vendors()}}
    if vendor not in known and ":" not in name and not near_names(name, (*known, "offline")):
        raise ConfigError("settings", "model", f"{name!r} names no vendor; write VENDOR:{name}, with one of {', '.join(known)}")
    if vendor not in known:
        near = did_you_mean(vendor, (*known, "planner:offline"))  # who writes `offline` means the offline planner
        raise ConfigError("settings", "model", f"{name!r} names no known vendor; known are {', '.join(known)}{near}")
    if not model_id and vendor not in ("planner", "local"):
        raise ConfigError("settings", "model", f"{name!r} names no model; write {vendor}:MODEL-ID")
    return known[vendor](model_id, options)


def _planner(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.offline.planner import OfflinePlanner

    return OfflinePlanner()


def _scripted(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.scripted import ScriptedModel

    return ScriptedModel(["This is a scripted model: it says what a test tells it to."], name=model_id)


def _openai(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.vendors.openai_models import open_openai

    return open_openai(model_id, options)


def _anthropic(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.vendors.anthropic_messages import open_anthropic

    return open_anthropic(model_id, options)


def _chat(vendor: str) -> Opener:
    def opened(model_id: str, options: ModelOptions) -> Model:
        from autonomy.llm.vendors.lmstudio import open_chat_model

        return open_chat_model(vendor, model_id, options)

    return opened


_OWN: dict[str, Opener] = {
    "planner": _planner,
    "openai": _openai,
    "anthropic": _anthropic,
    "scripted": _scripted,
}
