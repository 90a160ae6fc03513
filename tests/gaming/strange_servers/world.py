"""Runs a case through the real loop: a scripted model here, the servers in processes of their own, over stdio."""

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autonomy.llm.messages import AssistantMessage, ToolCall
from autonomy.llm.model import Task
from autonomy.locale_language import language_of_words
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.servers.server_config import EffectOverride, ServerConfig
from tests.gaming.strange_servers.case import StrangeCase
from tests.gaming.strange_servers.company import TODAY
from tests.support.command import warm_interpreter
from tests.support.house import house

NOW = datetime(TODAY.year, TODAY.month, TODAY.day, 9, 5, tzinfo=ZoneInfo("Asia/Tokyo"))
READS, OUTWARD, WRITES = EffectOverride(effect="read"), EffectOverride(effect="outward"), EffectOverride(effect="write")
EFFECTS = {"mail": {"search_*": READS, "list_*": READS, "read_*": READS, "send_*": OUTWARD, "draft_mail": WRITES}}
"""Of the server without annotations: as an operator declares them."""
SERVERS = {
    **dict.fromkeys(("tracker", "calendar", "shop", "mail", "files"), "servers.py"),
    **dict.fromkeys(("bookings", "crm", "ci", "docs", "chat"), "trade_servers.py"),
}
"""Each with its program."""


async def run(case: StrangeCase) -> RunResult:
    """Run a case from beginning to end; the operator allows every call, and the model repeats its answer when it is sent back."""
    called = {tool.partition("_")[0] for turn in case.turns for tool, _ in turn}
    servers = [_entry(name, case) for name in SERVERS if name in (called or {"tracker", "mail", "files"})]
    rules = [PolicyRule(name=name, provider=name, decision="allow") for name in SERVERS]
    turns = [
        AssistantMessage(
            calls=tuple(ToolCall(id=f"turn{at}x{n}", name=tool, arguments=given) for n, (tool, given) in enumerate(turn))
        )
        for at, turn in enumerate(case.turns)
    ]
    said = iter(turns)
    means = {"policy": Policy(rules=rules), "clock": Ticking()}
    async with house(*servers, script=lambda _: next(said, AssistantMessage(text=case.answer)), **means) as home:
        task = Task(goal=case.goal, inputs={"location": "Tokyo"}, language=language_of_words(case.goal, case.language))
        result = await home.executor.execute(RunRequest(run_id="run-1", task=task, trigger="cli", timezone="Asia/Tokyo"))
    if result.ending == "failed":
        raise RuntimeError(f"{case.name}: the run broke, which tells nothing about the verdict: {result.reason}")
    return result


class Ticking:
    """A clock that stands at five past nine and goes on by a thousandth of a second whenever it is read."""

    def __init__(self) -> None:
        self._now = NOW.timestamp()

    def __call__(self) -> float:
        self._now += 0.001
        return self._now


def _entry(name: str, case: StrangeCase) -> ServerConfig:
    script = str(Path(__file__).parent / SERVERS[name])
    arguments = (script, name, case.language, json.dumps(case.faults))
    return ServerConfig(name=name, command=warm_interpreter(), args=arguments, effects=EFFECTS.get(name, {}))
