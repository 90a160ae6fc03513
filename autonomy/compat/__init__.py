"""Public names of the source documents, as thin façades.

They are loaded when first used: who needs one does not pay for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autonomy.agent.loop import Executor
    from autonomy.calls.services import Services
    from autonomy.compat.ai_tool_executor import AIToolExecutor
    from autonomy.compat.llm_providers import AnthropicProvider, LLMProvider, LMStudioProvider, OpenAIProvider
    from autonomy.compat.managed_agents import ManagedAgentSession
    from autonomy.compat.run_history import ExecutionStats
    from autonomy.policy.operator_rules import PolicyRule
    from autonomy.policy.policy import Policy
    from autonomy.run_state.context import ToolExecutionContext
    from autonomy.run_state.limits import Limits
    from autonomy.run_state.run_values import RunRequest, RunResult

_HOMES = {
    "AIToolExecutor": "compat.ai_tool_executor",
    "AnthropicProvider": "compat.llm_providers",
    "ExecutionStats": "compat.run_history",
    "Executor": "agent.loop",
    "LLMProvider": "compat.llm_providers",
    "LMStudioProvider": "compat.llm_providers",
    "Limits": "run_state.limits",
    "ManagedAgentSession": "compat.managed_agents",
    "OpenAIProvider": "compat.llm_providers",
    "Policy": "policy.policy",
    "PolicyRule": "policy.operator_rules",
    "RunRequest": "run_state.run_values",
    "RunResult": "run_state.run_values",
    "Services": "calls.services",
    "ToolExecutionContext": "run_state.context",
}

__all__ = [
    "AIToolExecutor",
    "AnthropicProvider",
    "ExecutionStats",
    "Executor",
    "LLMProvider",
    "LMStudioProvider",
    "Limits",
    "ManagedAgentSession",
    "OpenAIProvider",
    "Policy",
    "PolicyRule",
    "RunRequest",
    "RunResult",
    "Services",
    "ToolExecutionContext",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'autonomy.compat' has no attribute {name!r}")
    return getattr(import_module(f"autonomy.{_HOMES[name]}"), name)
