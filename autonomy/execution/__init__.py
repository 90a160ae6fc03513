"""One run: the loop, its tool calls, and the pure deciders it asks (policy, retry, alternatives, judge).

The names below are the public ones. They are loaded when first used, so that the nouns cost no more than themselves.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autonomy.execution.ai_tool_executor import AIToolExecutor
    from autonomy.execution.context import RunRequest, RunResult, ToolExecutionContext
    from autonomy.execution.executor import Executor
    from autonomy.execution.history import ExecutionStats
    from autonomy.execution.limits import Limits
    from autonomy.execution.means import Means
    from autonomy.execution.policy import Policy, PolicyRule

_HOMES = {
    "AIToolExecutor": "ai_tool_executor",
    "ExecutionStats": "history",
    "Executor": "executor",
    "Limits": "limits",
    "Means": "means",
    "Policy": "policy",
    "PolicyRule": "policy",
    "RunRequest": "context",
    "RunResult": "context",
    "ToolExecutionContext": "context",
}

__all__ = [
    "AIToolExecutor",
    "ExecutionStats",
    "Executor",
    "Limits",
    "Means",
    "Policy",
    "PolicyRule",
    "RunRequest",
    "RunResult",
    "ToolExecutionContext",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'autonomy.execution' has no attribute {name!r}")
    return getattr(import_module(f"autonomy.execution.{_HOMES[name]}"), name)
