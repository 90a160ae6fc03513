"""Servers that speak the Chat Completions dialect around their own models: LM Studio, Ollama, vLLM, llama.cpp.

Their replies are read with patience: thoughts are taken out, calls written as text are taken for calls, broken JSON is repaired once.
"""

from autonomy.errors import ConfigError
from autonomy.llm.model import Model, ModelOptions
from autonomy.llm.vendors.chat_completions import ChatCompletionsModel, Dialect

LMSTUDIO = Dialect("lmstudio", "http://127.0.0.1:1234/v1", schemas="compatible", length_field="max_tokens", lenient=True)
COMPATIBLE = Dialect("compatible", "", schemas="compatible", length_field="max_tokens", lenient=True)


def open_lmstudio(model_id: str, options: ModelOptions) -> Model:
    """A model that LM Studio serves on this machine, or under `options.base_url`."""
    return ChatCompletionsModel(model_id, options, LMSTUDIO)


def open_compatible(model_id: str, options: ModelOptions) -> Model:
    """A model of the server at `options.base_url`. Raises `ConfigError` when there is none."""
    if not options.base_url:
        raise ConfigError(
            "settings", f"models.compatible:{model_id}.base_url", "is missing: write the server's address, with /v1"
        )
    return ChatCompletionsModel(model_id, options, COMPATIBLE)
