"""Each public name used as a program would use it; `mypy` fails where a type is another than the one that stands here."""

from typing import assert_type

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.llm.model import Task
from autonomy.llm.scripted import ScriptedModel
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import CallRecord, Receipt, RunRequest, RunResult
from discovery.catalog import Catalog, Provider, ToolOutput, ToolSpec
from discovery.gateway import Gateway, open_gateway
from metrics.autonomy import AutonomyMetrics, Level
from metrics.events import RunEvent
from metrics.intervals import Estimate
from metrics.measures import Measures, measure


async def tools_of_servers() -> None:
    async with open_gateway([]) as gateway:
        assert_type(gateway, Gateway)
        catalog = await gateway.catalog()
        assert_type(catalog, Catalog)
        assert_type(catalog.tools, tuple[ToolSpec, ...])
        assert_type(catalog.provider("esa"), Provider | None)
        assert_type(await gateway.call("esa_list_posts", {"q": "x"}), ToolOutput)


async def a_run(executor: Executor, gateway: Gateway) -> None:
    rule = PolicyRule(name="no posts", decision="deny", tool="esa_*")
    means = Services(gateway, policy=Policy(rules=(rule,), free_writes="ask"))
    assert_type(means.policy, Policy)
    request = RunRequest(run_id="run-1", task=Task(goal="say hello"), limits=Limits(turns=3))
    result = await executor.execute(request)
    assert_type(result, RunResult)
    assert_type(result.calls, tuple[CallRecord, ...])
    assert_type(result.receipts, tuple[Receipt, ...])
    assert_type(result.text, str)


def measured(events: list[RunEvent]) -> None:
    autonomy = AutonomyMetrics.measure_autonomy_level(events)
    assert_type(autonomy, AutonomyMetrics)
    assert_type(autonomy.overall, float | None)
    assert_type(autonomy.level, Level | None)
    assert_type(measure(events), Measures)
    assert_type(measure(events).estimate("overall"), Estimate)


def doubled() -> ScriptedModel:
    return ScriptedModel(["hello"])
