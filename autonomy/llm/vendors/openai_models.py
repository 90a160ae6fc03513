"""OpenAI's models, over Chat Completions or the Responses API."""

from autonomy.llm.model import Model, ModelOptions
from autonomy.llm.vendors.chat_completions import ChatCompletionsModel, Dialect
from autonomy.llm.vendors.openai_responses import ResponsesModel
from autonomy.llm.vendors.openai_sdk import BASE_URL

OPENAI = Dialect("openai", BASE_URL, schemas="openai", length_field="max_completion_tokens")


def open_openai(model_id: str, options: ModelOptions) -> Model:
    """A model of OpenAI, or of a server that is like it in everything, under `options.base_url`."""
    if options.api == "responses":
        return ResponsesModel(model_id, options)
    return ChatCompletionsModel(model_id, options, OPENAI)
