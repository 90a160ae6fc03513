"""Limits of a run, and of all runs of a job in a day."""

import operator
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from pydantic import Field

from discovery.catalog import Frozen

NEAR = 0.8
"""The share of a limit from which on the model is told that the end is near."""


HELD_BY_BUDGET = "budget: "
"""What the reason of a start begins with that may be made another day; without its condition a job has nothing to do."""


class Spent(NamedTuple):
    """The amounts that a run has used."""

    turns: int
    work_s: float
    tokens: int
    usd: Decimal | None
    """None when the price of some reply is unknown, which is not the same as free: then no limit in USD can be held."""


class _Share(NamedTuple):
    share: float
    used: float
    most: float
    unit: str
    form: str = ""
    """How what is used is written."""

    @property
    def limit(self) -> str:
        return f"{self.most:g} USD" if self.unit == "USD" else _with_unit(self.most, self.unit)


class Limits(Frozen):
    """The limits of a run. None means no limit of that kind. Where two contradict each other, the nearer one holds."""

    turns: int = Field(10, ge=1)
    """The most replies of the model that may ask for tools."""
    wall_s: float | None = Field(300.0, gt=0, allow_inf_nan=False)
    """Seconds of work; time spent waiting for a person, or for a machine to come back, does not count."""
    call_timeout_s: float = Field(30.0, gt=0)
    """Seconds of one call of a tool."""
    tokens: int | None = Field(None, ge=1)
    """Tokens of all requests to models together."""
    usd: float | None = Field(None, ge=0)
    """0 allows only what is free."""
    calls_per_tool: int | None = Field(60, ge=1)
    """Calls of any one tool."""
    retries: int = Field(20, ge=0)
    """Retries of all calls together."""
    failures: int = Field(3, ge=1)
    """Turns in a row in which every call failed, or repeated an earlier one with the same result."""
    corrections: int = Field(2, ge=0)
    """How often the judge's findings go back to the model; the same ones only behind another call."""

    def reached(self, spent: Spent) -> str:
        """The limit that is used up, in words, or nothing."""
        return next((f"the limit of {one.limit}" for one in self._shares(spent) if one.share >= 1), "")

    def near(self, spent: Spent) -> str:
        """The limit that is nearly used up, in words, or nothing."""
        return next((f"{one.used:{one.form}} of {one.limit}" for one in self._shares(spent) if NEAR <= one.share < 1), "")

    def _shares(self, spent: Spent) -> Iterator[_Share]:
        yield _Share(spent.turns / self.turns, spent.turns, self.turns, "step")
        if self.wall_s is not None:
            yield _Share(spent.work_s / self.wall_s, spent.work_s, self.wall_s, "second", ".0f")
        if self.tokens is not None:
            yield _Share(spent.tokens / self.tokens, spent.tokens, self.tokens, "token")
        if self.usd is not None and (used := float(spent.usd or 0)):
            yield _Share(used / self.usd if self.usd else 1.0, used, self.usd, "USD", ".4f")


class Use(NamedTuple):
    """What runs have used."""

    calls: int
    """Those that were sent; what was refused reached no tool."""
    usd: Decimal | None
    """None when a price is unknown."""
    refused: int = 0
    """The calls of a run that were not sent because none was left."""


class Budget(Frozen):
    """The limits for all runs of a job in a day of its time zone."""

    usd_per_day: float | None = Field(None, ge=0)
    calls_per_day: int | None = Field(None, ge=1)
    runs_per_day: int | None = Field(None, ge=1)

    @property
    def is_set(self) -> bool:
        """Whether it limits anything."""
        return self != Budget()

    @property
    def counts_use(self) -> bool:
        """Whether it limits what the runs use, and not their number alone."""
        return self.calls_per_day is not None or self.usd_per_day is not None

    def used_up(self, runs: int, calls: int, usd: Decimal | None) -> str:
        """The exhausted part of the budget, in words, or nothing. An unknown price (None) uses the USD up: it cannot be held."""
        if self.runs_per_day is not None and runs >= self.runs_per_day:
            return f"{min(runs, self.runs_per_day)} of {self.runs_per_day} runs of the day are used up"
        if self.usd_per_day is not None and usd is None and not self._beyond(operator.ge, calls, None):
            return "the price of a run of the day is unknown, so its budget in USD cannot be held"
        return self._beyond(operator.ge, calls, usd if runs else None)

    def exceeded(self, use: Use) -> str:
        """The part of the budget of which more is used, or wanted, than there is, in words, or nothing: a run that has begun goes
        on with the last of it."""
        if use.refused and (used_up := self._beyond(operator.ge, use.calls, None)):
            return f"{used_up}; {use.refused} more {'was' if use.refused == 1 else 'were'} not made"
        return self._beyond(operator.gt, use.calls, use.usd)

    def _beyond(self, is_beyond: Callable[[float, float], bool], calls: int, usd: Decimal | None) -> str:
        if self.calls_per_day is not None and is_beyond(calls, self.calls_per_day):
            return f"{calls} of {self.calls_per_day} calls of the day are used up"
        if self.usd_per_day is not None and usd is not None and is_beyond(float(usd), self.usd_per_day):
            return f"{usd:.4f} of {self.usd_per_day:g} USD of the day are used up"
        return ""


def midnight(moment: datetime) -> float:
    """The beginning of a moment's day where it is told, in seconds since the epoch."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0).timestamp()  # the first, where it comes twice


def _with_unit(number: float, unit: str) -> str:
    return f"{number if isinstance(number, int) else format(number, 'g')} {unit}{'' if number == 1 else 's'}"
