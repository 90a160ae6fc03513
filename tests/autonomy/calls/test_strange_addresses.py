"""The addresses that a run's reads went to are counted for each call, whatever ids the model gave them."""

from types import SimpleNamespace
from typing import Any

from autonomy.calls.circumstances import _strange_addresses
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord
from tests.requirements import requirement


def read(url: str) -> CallRecord:
    result = ToolResult(call_id="call-1", name="web_fetch", text="")
    asked = {"call_id": "call-1", "turn": 1, "tool": "web_fetch", "asked": "web_fetch", "arguments": {"url": url}}
    return CallRecord(**asked, result=result, effect="read", attempts=1)


@requirement("K4")
def test_two_calls_of_one_id_are_two() -> None:
    ctx: Any = SimpleNamespace(memo={}, records=[])
    counted = []
    for url in ("no address", "https://evil.example/x", "https://evil.example/x"):
        ctx.records.append(read(url))
        counted.append(_strange_addresses(ctx, frozenset()))
    assert counted == [0, 1, 2]
    assert _strange_addresses(ctx, frozenset()) == 2
