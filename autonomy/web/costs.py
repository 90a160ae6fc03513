"""What models cost, as the costs page shows it: the running sums laid out by day, job and model."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from autonomy.web.formatting import zone
from metrics.running_totals import Cells


@dataclass
class CostSum:
    """What one day, job or model cost."""

    runs: int = 0
    """Of a model: nothing."""
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    """Runs (of a model: replies) whose price is not known, and not in `usd`."""


@dataclass
class Costs:
    """A period's costs, three ways."""

    days: Mapping[str, CostSum] = field(default_factory=lambda: defaultdict(CostSum))
    jobs: Mapping[str, CostSum] = field(default_factory=lambda: defaultdict(CostSum))
    models: Mapping[str, CostSum] = field(default_factory=lambda: defaultdict(CostSum))

    @property
    def all(self) -> CostSum:
        """The whole period."""
        days = self.days.values()
        return CostSum(sum(one.runs for one in days), 0, sum(one.usd for one in days), sum(one.unpriced for one in days))

    @property
    def most(self) -> float:
        """Of one day, for drawing."""
        return max((one.usd for one in self.days.values()), default=0.0)


def costs_of(cells: Cells, tenant: str, timezone: str) -> Costs:
    """The sums of a tenant by name, day and dearest first."""
    mine = {(name, *rest): value for (name, whose, *rest), value in cells.items() if whose == tenant}
    days: defaultdict[str, CostSum] = defaultdict(CostSum)
    jobs: defaultdict[str, CostSum] = defaultdict(CostSum)
    models: defaultdict[str, CostSum] = defaultdict(CostSum)
    place = zone(timezone)
    day_of = {quarter: f"{datetime.fromtimestamp(int(quarter), place):%Y-%m-%d}" for quarter in {cell[-1] for cell in mine}}
    for (name, label, quarter), value in mine.items():
        day = days[day_of[quarter]]
        match name:
            case "job_runs":
                for spent in (day, jobs[label]):
                    spent.runs += round(value)
                    spent.unpriced += round(value)
            case "job_priced":
                for spent in (day, jobs[label]):
                    spent.unpriced -= round(value)
            case "job_usd":
                for spent in (day, jobs[label]):
                    spent.usd += value
            case "model_tokens":
                models[label].tokens += round(value)
            case "model_usd":
                models[label].usd += value
            case "model_unpriced":
                models[label].unpriced += round(value)

    def dearest(parts: Mapping[str, CostSum]) -> dict[str, CostSum]:
        return dict(sorted(parts.items(), key=lambda part: (-part[1].usd, -part[1].runs, part[0])))

    return Costs(dict(sorted(days.items(), reverse=True)), dearest(jobs), dearest(models))
