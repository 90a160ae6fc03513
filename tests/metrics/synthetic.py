"""Runs with known truth: clean ones with harmless noise, and ones with exactly one planted fault, told through `Story`.

Faults named `hidden_…` leave no trace in the events on purpose: a measure that saw them would be a wonder.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from metrics.events import RunEvent
from tests.metrics.story import MONDAY, Story

DAY_S = 86_400.0

Teller = Callable[[Story, random.Random], None]


@dataclass(frozen=True)
class Labelled:
    """A run and the fault planted in it; no fault = clean."""

    fault: str
    events: tuple[RunEvent, ...]


def collect(story: Story, rng: random.Random) -> None:
    """Read what the diary needs, with noise that is nobody's fault."""
    story.turn(seconds=rng.uniform(1, 4))
    if rng.random() < 0.5:
        story.call("slack_get_users", seconds=rng.uniform(0.1, 0.6))
    cured = {"errors": ("CallTimedOut",), "cured_by": "retry"} if rng.random() < 0.15 else {}
    story.call("slack_get_channel_history", needs=("activity",), seconds=rng.uniform(0.2, 2), **cured)
    other = {"alternatives": [("esa_search_posts", True)], "errors": ("tool_error",), "cured_by": "alternative"}
    story.call("esa_list_posts", needs=("style",), seconds=rng.uniform(0.2, 1.5), **(other if rng.random() < 0.1 else {}))


def publish(story: Story, rng: random.Random) -> None:
    """Post the diary, and be judged complete."""
    story.turn(seconds=rng.uniform(3, 9))
    asked = {"answer": "granted", "decision": "ask", "rule": "data flow"} if rng.random() < 0.25 else {}
    story.call(
        "esa_create_post",
        effect="outward",
        needs=("publish",),
        receipt="done",
        read_back="confirmed",
        seconds=rng.uniform(0.5, 2),
        **asked,
    )
    story.turn(seconds=rng.uniform(0.8, 2), stop_reason="stop").judge(needs_met=()).finish()


def clean(story: Story, rng: random.Random) -> None:
    collect(story, rng)
    publish(story, rng)


def _between(fault: Teller) -> Teller:
    """A run that goes well but for what `fault` adds in the middle."""

    def tell(story: Story, rng: random.Random) -> None:
        collect(story, rng)
        fault(story, rng)
        publish(story, rng)

    return tell


def _unknown_tool(story: Story, rng: random.Random) -> None:
    story.call("slack_read_everything", outcome="terminal", problem="unknown_tool")


def _wrong_arguments(story: Story, rng: random.Random) -> None:
    at_fault = (rng.choice(["oldest", "limit", "channel"]),)
    for _ in range(rng.randint(1, 2)):
        story.turn().call("slack_get_channel_history", outcome="terminal", problem="invalid_arguments", at_fault=at_fault)


def _repeated(story: Story, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 3)):
        story.turn().call("esa_list_posts", needs=("style",), repeated=True)


def _irrelevant(story: Story, rng: random.Random) -> None:
    for number in range(rng.randint(4, 9)):
        story.call(f"weather_tool_{number}")


def _refused(story: Story, rng: random.Random) -> None:
    story.call("slack_post_message", effect="outward", decision="deny", rule="not in the job", outcome="denied")


def _read_lost(story: Story, rng: random.Random) -> None:
    story.call("slack_get_thread_replies", outcome="terminal", problem="transport", errors=("ConnectionLost",))


def _model_down(story: Story, rng: random.Random) -> None:
    collect(story, rng)
    story.model_fails(then="retry").model_fails(then="give_up").finish("failed", "ModelUnavailable")


def _need_skipped(story: Story, rng: random.Random) -> None:
    story.turn().call("esa_list_posts", needs=("style",))
    publish(story, rng)


def _nothing_called(story: Story, rng: random.Random) -> None:
    story.turn(stop_reason="stop").judge("continue", missing=("publish",)).turn(stop_reason="stop").judge(
        "continue", missing=("publish",)
    )
    story.finish("exhausted", "the limit of 2 corrections")


def _exhausted(story: Story, rng: random.Random) -> None:
    collect(story, rng)
    for _ in range(rng.randint(2, 7)):
        story.turn().judge("continue", missing=("TIL",))
    story.finish("exhausted", "the limit of 10 steps")


def _effect_unknown(story: Story, rng: random.Random) -> None:
    collect(story, rng)
    story.turn().call(
        "esa_create_post", effect="outward", needs=("publish",), outcome="unknown_outcome", problem="transport", receipt="unknown"
    )
    story.turn(stop_reason="stop").judge("blocked", missing=("publish",)).finish("blocked", "outcome unknown: esa_create_post")


def _disliked(story: Story, rng: random.Random) -> None:
    clean(story, rng)
    story.vote(False)


def _person_mended(story: Story, rng: random.Random) -> None:
    story.call("slack_get_thread_replies", outcome="terminal", problem="transport").intervene("retry").turn().call(
        "slack_get_thread_replies"
    )


FAULTS: dict[str, Teller] = {
    "unknown_tool": _between(_unknown_tool),
    "wrong_arguments": _between(_wrong_arguments),
    "repeated_calls": _between(_repeated),
    "irrelevant_calls": _between(_irrelevant),
    "refused_call": _between(_refused),
    "nothing_called": _nothing_called,
    "read_lost": _between(_read_lost),
    "person_mended": _between(_person_mended),
    "model_down": _model_down,
    "need_skipped": _need_skipped,
    "exhausted": _exhausted,
    "effect_unknown": _effect_unknown,
    "disliked": _disliked,
    "hidden_wrong_tool": clean,
    "hidden_hollow_answer": clean,
    "hidden_weak_rules": clean,
}
"""What can be planted. The hidden ones tell the very same story as a clean run: only the truth differs."""

CLEAN = ""


def labelled(seed: int, *, clean_runs: int, per_fault: int) -> Iterator[Labelled]:
    """Clean runs and runs with one fault each, all drawn from one seed."""
    rng = random.Random(seed)
    kinds = [CLEAN] * clean_runs + [fault for fault in FAULTS for _ in range(per_fault)]
    for number, kind in enumerate(kinds):
        yield Labelled(kind, tell(kind, f"run-{number}", rng, at=MONDAY + number * 60))


MIDDLES = (_unknown_tool, _wrong_arguments, _repeated, _irrelevant, _refused, _read_lost)
"""Faults that a run can have several of."""


def faulty(seed: int, *, runs: int) -> Iterator[tuple[int, tuple[RunEvent, ...]]]:
    """Runs with no to five faults of different kinds: how many, and the events."""
    rng = random.Random(seed)
    for number in range(runs):
        faults = rng.sample(MIDDLES, number % 6)
        story = Story(f"run-{number}", at=MONDAY + number * 60).start(needs=("activity", "style", "publish"))
        collect(story, rng)
        for fault in faults:
            fault(story, rng)
        publish(story, rng)
        yield len(faults), tuple(story.events)


DAMAGING = ("nothing_called", "model_down", "need_skipped", "exhausted", "effect_unknown")
HIDDEN = ("hidden_wrong_tool", "hidden_hollow_answer", "hidden_weak_rules")


def mixed(
    seed: int, *, runs: int, damaged: float = 0.15, hidden: float = 0.08, blemished: float = 0.4
) -> Iterator[tuple[bool, tuple[RunEvent, ...]]]:
    """Runs as they come: whether the result was truly good, and the events.

    A blemish (a wrong argument mended, a refusal, a repeated call …) spoils nothing. Of the runs spoiled without a trace, and of the
    good ones, one in ten is voted on, truly.
    """
    rng = random.Random(seed)
    for number in range(runs):
        story = Story(f"run-{number}", at=MONDAY + number * 60).start(needs=("activity", "style", "publish"))
        lot = rng.random()
        if lot < damaged:
            FAULTS[rng.choice(DAMAGING)](story, rng)
            yield False, tuple(story.events)
            continue
        collect(story, rng)
        if rng.random() < blemished:
            rng.choice(MIDDLES)(story, rng)
        publish(story, rng)
        good = lot >= damaged + hidden
        if rng.random() < 0.1:
            story.vote(good)
        yield good, tuple(story.events)


def tell(fault: str, run_id: str, rng: random.Random, **facts: object) -> tuple[RunEvent, ...]:
    """One run with that fault."""
    story = Story(run_id, **facts).start(needs=("activity", "style", "publish"))  # type: ignore[arg-type]  # the keywords are Story's
    FAULTS.get(fault, clean)(story, rng)
    return tuple(story.events)


def period(seed: int, *, days: int, runs_per_day: int, since: float = MONDAY) -> Iterator[RunEvent]:
    """Weeks of several jobs, tenants and models that get better with time, as a report would meet them."""
    rng = random.Random(seed)
    visible = [fault for fault in FAULTS if not fault.startswith("hidden")]
    jobs = [("diary", "default"), ("weekly-digest", "default"), ("overtime", "acme"), ("", "default")]
    models = ["openai:gpt-5", "openai:gpt-5", "anthropic:claude-opus-4-6", "planner"]
    for day in range(days):
        for number in range(runs_per_day):
            job, tenant = rng.choice(jobs)
            fault = rng.choice(visible) if rng.random() < 0.55 - 0.4 * day / days else CLEAN
            at = since + day * DAY_S + number * DAY_S / runs_per_day
            yield from tell(
                fault, f"{job or 'goal'}-{day:02d}-{number:02d}", rng, at=at, job=job, tenant=tenant, model=rng.choice(models)
            )
