"""Resolves model ids to models, importing a vendor's file when it is first used.

planner:offline · openai:gpt-6.1-sol · anthropic:claude-sonnet-5-5 · lmstudio:qwen3-8b · compatible:any-id · scripted:any-name
"""

from collections.abc import Callable

from autonomy.errors import ConfigError
from autonomy.llm.model import Model, ModelOptions


def open_model(name: str, options: ModelOptions) -> Model:
    """The model of an id `vendor:model-id`. Connects to nothing yet. Raises `ConfigError` for an id or options that cannot work."""
    vendor, _, model_id = name.partition(":")
    opener = _VENDORS.get(vendor)
    if opener is None:
        raise ConfigError("settings", "model", f"{name!r} names no known vendor; known are {', '.join(_VENDORS)}")
    if not model_id and vendor not in ("planner", "local"):
        raise ConfigError("settings", "model", f"{name!r} names no model; write {vendor}:MODEL-ID")
    return opener(model_id, options)


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


def _lmstudio(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.vendors.lmstudio import open_lmstudio

    return open_lmstudio(model_id, options)


def _compatible(model_id: str, options: ModelOptions) -> Model:
    from autonomy.llm.vendors.lmstudio import open_compatible

    return open_compatible(model_id, options)


_VENDORS: dict[str, Callable[[str, ModelOptions], Model]] = {
    "planner": _planner,
    "openai": _openai,
    "anthropic": _anthropic,
    "lmstudio": _lmstudio,
    "compatible": _compatible,
    "scripted": _scripted,
}
