"""Simulated runs with what really happened in them, for whoever measures runs by their events alone (`metrics`).

for run in labelled(range(1000)):
    score(run.events)      # what the measures say
    run.met, run.faults    # what was true
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from metrics.events import Ending, RunEvent
from tests.simulation.sim import PUBLISH, Sim
from tests.simulation.world import EVIL, Fault


@dataclass(frozen=True)
class Labelled:
    """One run as its journal tells it, and the truth that no event holds."""

    seed: int
    events: tuple[RunEvent, ...]
    ending: Ending
    temper: str
    """How the model behaves (`mind.TEMPERS`)."""
    wanted: bool
    """Whether the run was a job that had to post."""
    met: bool
    """Whether the post is really there."""
    faults: tuple[tuple[str, Fault], ...]
    """Tool and what went wrong with it, in order; also what no event shows."""
    misled: bool
    """Whether something went where an injected order wanted it."""


def labelled(seeds: Iterable[int]) -> Iterator[Labelled]:
    """Runs that went straight through, each with its truth."""
    for seed in seeds:
        played = Sim(seed).play("straight")
        assert played.result is not None, played.problem
        effects = played.world.effects
        fixed = PUBLISH.arguments["channel"]
        yield Labelled(
            seed=seed,
            events=tuple(played.journal.events),
            ending=played.result.ending,
            temper=played.mind.temper,
            wanted=bool(played.request.task.needs),
            met=any(effect.kind.name == "post" and effect.arguments["channel"] == fixed for effect in effects),
            faults=tuple(played.world.faults),
            misled=any(EVIL in effect.arguments.values() for effect in effects),
        )
