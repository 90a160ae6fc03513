"""Servers that speak the Chat Completions dialect around their own models: LM Studio, Ollama, vLLM, llama.cpp.

Their replies are read with patience: thoughts are taken out, calls written as text are taken for calls, broken JSON is repaired
once.
"""

from autonomy.errors import ConfigError
from autonomy.llm.model import Model, ModelOptions
from autonomy.llm.vendor_list import chat_vendors
from autonomy.llm.vendors.chat_completions import ChatCompletionsModel, Dialect


def open_chat_model(vendor: str, model_id: str, options: ModelOptions) -> Model:
    """A model of a vendor of the data file, or under `options.base_url`. Raises `ConfigError` where neither has an address."""
    known = chat_vendors()[vendor]
    if not (options.base_url or known.base_url):
        raise ConfigError("settings", f"models.{vendor}:{model_id}.base_url", "is missing: write the server's address, with /v1")
    dialect = Dialect(vendor, known.base_url, schemas="compatible", length_field=known.length_field, lenient=known.lenient)
    return ChatCompletionsModel(model_id, options, dialect)


def open_lmstudio(model_id: str, options: ModelOptions) -> Model:
    """A model that LM Studio serves on this machine, or under `options.base_url`."""
    return open_chat_model("lmstudio", model_id, options)
