"""What models cost, as the costs page shows it: the running sums laid out by day, job and model."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from autonomy.web.formatting import zone
from metrics.running_totals import Cells


@dataclass
class Spent:
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

    days: Mapping[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    jobs: Mapping[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    models: Mapping[str, Spent] = field(default_factory=lambda: defaultdict(Spent))

    @property
    def all(self) -> Spent:
        """The whole period."""
        days = self.days.values()
        return Spent(sum(one.runs for one in days), 0, sum(one.usd for one in days), sum(one.unpriced for one in days))

    @property
    def most(self) -> float:
        """Of one day, for drawing."""
        return max((one.usd for one in self.days.values()), default=0.0)


def costs_of(cells: Cells, timezone: str) -> Costs:
    """The sums by name, day and dearest first."""
    days: defaultdict[str, Spent] = defaultdict(Spent)
    jobs: defaultdict[str, Spent] = defaultdict(Spent)
    models: defaultdict[str, Spent] = defaultdict(Spent)
    for (name, label, quarter), value in cells.items():
        day = days[f"{datetime.fromtimestamp(int(quarter), zone(timezone)):%Y-%m-%d}"]
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

    def dearest(parts: Mapping[str, Spent]) -> dict[str, Spent]:
        return dict(sorted(parts.items(), key=lambda part: (-part[1].usd, -part[1].runs, part[0])))

    return Costs(dict(sorted(days.items(), reverse=True)), dearest(jobs), dearest(models))
