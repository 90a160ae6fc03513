"""From a model's id to the model: the one place that imports a vendor's file, and only when it is asked for."""

import importlib

from autonomy.errors import ConfigError
from autonomy.llm.model import Model, ModelOptions

VENDORS = {
    "openai": "autonomy.llm.openai:OpenAIModel",
    "anthropic": "autonomy.llm.anthropic:AnthropicModel",
    "lmstudio": "autonomy.llm.lmstudio:LMStudioModel",
    "compatible": "autonomy.llm.lmstudio:CompatibleModel",
}


def open_model(model_id: str, options: ModelOptions) -> Model:
    """The model of `vendor:model-id`, or the offline planner for `planner`. Raises `ConfigError` for a vendor nobody knows."""
    vendor, _, name = model_id.partition(":")
    if vendor == "planner":
        from autonomy.llm.planner import OfflinePlanner

        return OfflinePlanner()
    if vendor not in VENDORS or not name:
        raise ConfigError("settings", "model", f"{model_id!r} is not vendor:model-id; vendors are planner, {', '.join(VENDORS)}")
    module, _, attribute = VENDORS[vendor].partition(":")
    model: Model = getattr(importlib.import_module(module), attribute)(name, options)
    return model
