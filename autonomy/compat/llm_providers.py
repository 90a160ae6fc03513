"""`LLMProvider` and its three vendors: façades over the models of `autonomy.llm`.

provider = OpenAIProvider("gpt-6.1-sol", api_key=…)
reply = await provider.complete_with_tools(messages, tools)
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from autonomy.llm.messages import LLMResponse, Message, ToolDefinition
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.vendors.anthropic_messages import open_anthropic
from autonomy.llm.vendors.lmstudio import open_lmstudio
from autonomy.llm.vendors.openai_models import open_openai


class LLMProvider(ABC):
    """Something that answers a conversation."""

    @abstractmethod
    async def complete(self, messages: Sequence[Message]) -> LLMResponse:
        """Answer in words. Raises `ModelError`."""

    async def complete_with_tools(self, messages: Sequence[Message], tools: Sequence[ToolDefinition]) -> LLMResponse:
        """Answer in words or with tool calls; a provider that knows no tools ignores them."""
        return await self.complete(messages)


class ModelProvider(LLMProvider):
    """Any model as a provider."""

    def __init__(self, model: Model) -> None:
        self.model = model

    async def complete(self, messages: Sequence[Message]) -> LLMResponse:
        """Answer in words. Raises `ModelError`."""
        return await self.model.complete(ModelRequest(messages=tuple(messages)))

    async def complete_with_tools(self, messages: Sequence[Message], tools: Sequence[ToolDefinition]) -> LLMResponse:
        """Answer in words or with tool calls. Raises `ModelError`."""
        return await self.model.complete(ModelRequest(messages=tuple(messages), tools=tuple(tools)))

    async def aclose(self) -> None:
        """Close the model."""
        await self.model.aclose()


class OpenAIProvider(ModelProvider):
    """Function calling of OpenAI, or of a server that is like it under `base_url`. Options are those of `ModelOptions`."""

    def __init__(self, model: str, **options: Any) -> None:
        super().__init__(open_openai(model, ModelOptions(**options)))


class AnthropicProvider(ModelProvider):
    """Tool use of Anthropic. Options are those of `ModelOptions`."""

    def __init__(self, model: str, **options: Any) -> None:
        super().__init__(open_anthropic(model, ModelOptions(**options)))


class LMStudioProvider(ModelProvider):
    """A model that LM Studio serves on this machine. Options are those of `ModelOptions`."""

    def __init__(self, model: str, **options: Any) -> None:
        super().__init__(open_lmstudio(model, ModelOptions(**options)))
