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

    def add(self, name: str, value: float) -> None:
        """Add a running sum to what it is a sum of."""
        match name:
            case "job_runs":
                self.runs += round(value)
                self.unpriced += round(value)
            case "job_priced":
                self.unpriced -= round(value)
            case "job_usd" | "model_usd":
                self.usd += value
            case "model_tokens":
                self.tokens += round(value)
            case "model_unpriced":
                self.unpriced += round(value)


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
    by_quarter, by_label = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], float](float)
    for (name, whose, label, quarter), value in cells.items():  # of a month of many jobs some 20,000
        if whose == tenant:
            by_label[name, label] += value
            if not name.startswith("model_"):  # a run's cost is the sum of its replies'
                by_quarter[name, quarter] += value
    days: defaultdict[str, CostSum] = defaultdict(CostSum)
    jobs: defaultdict[str, CostSum] = defaultdict(CostSum)
    models: defaultdict[str, CostSum] = defaultdict(CostSum)
    place = zone(timezone)
    day_of = {quarter: f"{datetime.fromtimestamp(int(quarter), place):%Y-%m-%d}" for _, quarter in by_quarter}
    for (name, quarter), value in by_quarter.items():
        days[day_of[quarter]].add(name, value)
    for (name, label), value in by_label.items():
        (models if name.startswith("model_") else jobs)[label].add(name, value)

    def dearest(parts: Mapping[str, CostSum]) -> dict[str, CostSum]:
        return dict(sorted(parts.items(), key=lambda part: (-part[1].usd, -part[1].runs, part[0])))

    return Costs(dict(sorted(days.items(), reverse=True)), dearest(jobs), dearest(models))
