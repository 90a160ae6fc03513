"""OpenAI itself (L3)."""

from autonomy.llm.chat_completions import ChatCompletionsModel, Dialect
from autonomy.llm.model import Model, ModelOptions

OPENAI = Dialect("openai", "https://api.openai.com/v1", schemas="openai", length_field="max_completion_tokens")


def open_openai(model_id: str, options: ModelOptions) -> Model:
    """A model of OpenAI, or of a server that is like it in everything, under `options.base_url`."""
    return ChatCompletionsModel(model_id, OPENAI, options)
