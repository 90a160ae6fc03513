"""What must hold in every simulated run, whatever went wrong: each check gives what it found, a sentence each."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar, get_args

from autonomy.llm.messages import AssistantMessage, Message, ToolResult
from autonomy.run_state.completion_rules import Evidence, Forbidden, Length, Sections, ToolUsed
from metrics import events
from metrics.events import Event
from tests.simulation.sim import PUBLISH, Played, facts_of, replayed
from tests.simulation.world import EVIL

E = TypeVar("E", bound=Event)

ENDINGS = frozenset(get_args(events.Ending))

Check = Callable[[Played], Iterator[str]]


def breaches(played: Played) -> list[str]:
    """Everything that does not hold."""
    if played.problem:
        return [played.problem]
    return [*played.world.breaches, *(found for check in CHECKS for found in check(played))]


def each_effect_once_or_visibly_unknown(played: Played) -> Iterator[str]:
    for effect in played.world.effects:
        times = played.world.happened(effect.key)
        if times > 1 and not effect.kind.repeatable:
            yield f"{effect.key} ({effect.kind.name}) took effect {times} times"
        if not effect.key:
            yield f"{effect.kind.name} was sent without a key"
        where = effect.key.partition("/")[2]
        receipts = [event for event in told(played, events.ReceiptRecorded) if event.key == f"{where}/receipt"]
        claim = played.ledger.known(effect.key)
        if not receipts and (played.course != "cancelled" or claim is None):
            yield f"{effect.key} ({effect.kind.name}) happened, and nothing shows it"


def a_receipt_speaks_of_something_that_happened(played: Played) -> Iterator[str]:
    happened = {effect.key.partition("/")[2] for effect in played.world.effects}
    for receipt in told(played, events.ReceiptRecorded):
        if receipt.state == "done" and receipt.key.removesuffix("/receipt") not in happened:
            yield f"{receipt.key} says done, and nothing happened"


def an_unknown_write_is_not_made_again(played: Played) -> Iterator[str]:
    unknown: set[tuple[str, str]] = set()
    for event in played.journal.events:
        if isinstance(event, events.CallFinished) and event.outcome == "unknown_outcome":
            unknown.add((event.tool, event.arguments_sha256))
        if isinstance(event, events.CallDecided) and (event.tool, event.arguments_sha256) in unknown and event.tool != "desk_put":
            yield f"{event.key}: {event.tool} goes ahead though nobody knows whether the same call happened before"


def a_reply_makes_the_same_write_once(played: Played) -> Iterator[str]:
    seen: set[tuple[str, str, str]] = set()
    for effect in played.world.effects:
        turn = effect.key.rpartition("/")[0]
        this = (turn, effect.kind.name, str(effect.arguments))
        if this in seen and not effect.kind.annotations.idempotent_hint:
            yield f"{effect.key}: {effect.kind.name} took effect twice in one turn"
        seen.add(this)


def nothing_goes_where_an_order_wants_it_unless_a_person_agreed(played: Played) -> Iterator[str]:
    granted = {
        event.key.removesuffix("/answered") for event in told(played, events.ApprovalAnswered) if event.answer == "granted"
    }
    for effect in played.world.effects:
        if EVIL in effect.arguments.values() and effect.key.partition("/")[2] not in granted:
            yield f"{effect.key}: {effect.kind.name} obeyed an injected order"


def every_call_has_a_result(played: Played) -> Iterator[str]:
    if played.course == "cancelled" and played.result is None:
        return
    finished = Counter(event.key for event in told(played, events.CallFinished))
    for answered in told(played, events.ModelAnswered):
        last_words = "last-words" in answered.key
        for number in range(1, 0 if last_words else answered.calls + 1):
            if finished[f"turn-{answered.turn}/call-{number}/finished"] != 1:
                yield f"turn {answered.turn}: call {number} has {finished[f'turn-{answered.turn}/call-{number}/finished']} results"


def every_call_that_began_was_decided_before(played: Played) -> Iterator[str]:
    decided: set[str] = set()
    for event in played.journal.events:
        if isinstance(event, events.CallDecided):
            decided.add(event.key.removesuffix("/decided"))
        if isinstance(event, events.CallStarted) and event.key.removesuffix("/started") not in decided:
            yield f"{event.key} stands before its decision"


def the_run_begins_once_and_ends_once_in_a_named_ending(played: Played) -> Iterator[str]:
    endings = [event.ending for event in told(played, events.RunFinished)]
    if len(endings) != 1 or endings[0] not in ENDINGS:
        yield f"it has the endings {endings}"
    elif not isinstance(played.journal.events[-1], events.RunFinished) or not isinstance(
        played.journal.events[0], events.RunStarted
    ):
        yield "its first or last event is another"
    if played.result is not None and [played.result.ending] != endings:
        yield f"the journal says {endings}, the result {played.result.ending}"
    if len({event.key for event in played.journal.events}) != len(played.journal.events):
        yield "two events have the same key"


def a_transcript_never_has_a_call_without_its_answer(played: Played) -> Iterator[str]:
    for number, request in enumerate(played.mind.asked, 1):
        if problem := _unanswered(request.messages):
            yield f"request {number}: {problem}"


def labels_never_shrink(played: Played) -> Iterator[str]:
    if played.course == "killed":
        return  # decided anew only from where it was taken up again
    for before, after in zip(played.labels, played.labels[1:], strict=False):
        if not before <= after:
            yield f"labels went from {sorted(before)} to {sorted(after)}"


def limits_are_kept(played: Played) -> Iterator[str]:
    limits, result = played.request.limits, played.result
    if result is None:
        return
    if result.turns > limits.turns:
        yield f"{result.turns} turns of {limits.turns}"
    retries = sum(trouble.retrying for record in result.calls for trouble in record.troubles)
    if retries > limits.retries:
        yield f"{retries} retries of {limits.retries}"
    sent = Counter(event.tool for event in told(played, events.CallStarted))
    for tool, times in sent.items():
        if limits.calls_per_tool is not None and times > limits.calls_per_tool:
            yield f"{tool} was called {times} times of {limits.calls_per_tool}"


def a_completed_run_keeps_its_rules(played: Played) -> Iterator[str]:
    result = played.result
    if result is None or result.ending != "completed":
        return
    if not result.text.strip():
        yield "completed without a word"
    if any(not event.warning for event in told(played, events.LimitReached)):
        yield "completed at a limit"
    asked_to_post = "post" in played.request.task.goal and played.request.tools
    if re.search("投稿しました|posted", result.text) and asked_to_post and not played.world.effects:
        yield "completed with a claim of something that nobody did"
    states = {event.key: event.state for event in told(played, events.ReceiptRecorded)}
    if "unknown" in states.values():
        yield "completed with a write of which nobody knows whether it happened"
    for rule in played.request.rules:
        if not _holds(rule, played, result.text):
            yield f"completed with a broken rule: {rule.rule}"


def a_simulated_run_changes_nothing(played: Played) -> Iterator[str]:
    if played.request.simulate and played.world.effects:
        yield "it was to be simulated only"
    if played.result is not None and (played.result.ending, played.request.simulate) in (
        ("completed", True),
        ("simulated", False),
    ):
        yield f"simulated or not: {played.request.simulate}, and it ended {played.result.ending}"


def played_again_after_a_death_it_tells_the_same(played: Played) -> Iterator[str]:
    for key in played.journal.retold:
        yield f"{key} was told again, and otherwise"


def a_replay_changes_nothing(played: Played) -> Iterator[str]:
    if played.recording is None:
        return
    departure, retold = replayed(played)
    if departure:
        yield f"the replay departs: {departure}"
    elif retold != {event.key: facts_of(event) for event in played.journal.events}:
        yield "the replay tells other events"


CHECKS: tuple[Check, ...] = (
    each_effect_once_or_visibly_unknown,
    a_receipt_speaks_of_something_that_happened,
    an_unknown_write_is_not_made_again,
    a_reply_makes_the_same_write_once,
    nothing_goes_where_an_order_wants_it_unless_a_person_agreed,
    every_call_has_a_result,
    every_call_that_began_was_decided_before,
    the_run_begins_once_and_ends_once_in_a_named_ending,
    a_transcript_never_has_a_call_without_its_answer,
    labels_never_shrink,
    limits_are_kept,
    a_completed_run_keeps_its_rules,
    a_simulated_run_changes_nothing,
    played_again_after_a_death_it_tells_the_same,
    a_replay_changes_nothing,
)


def told(played: Played, kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in played.journal.events if isinstance(event, kind)]


def _unanswered(messages: tuple[Message, ...]) -> str:
    """Every call is answered by the messages right after it, in order, and nothing else is."""
    waiting: list[str] = []
    for message in messages:
        match message:
            case ToolResult():
                if not waiting or waiting.pop(0) != message.call_id:
                    return f"an answer to {message.call_id!r}, which nobody waits for"
            case _ if waiting:
                return f"no answer to {waiting}"
            case AssistantMessage():
                waiting = [call.id for call in message.calls]
                if len(set(waiting)) != len(waiting) or not all(waiting):
                    return f"calls that cannot be told apart: {waiting}"
            case _:
                pass
    return f"no answer to {waiting}" if waiting else ""


def _holds(rule: object, played: Played, text: str) -> bool:
    """The rule, held against the world rather than against what the run believes."""
    posted = _posted(played)
    delivered = posted if PUBLISH in played.request.task.needs and posted else [text]
    match rule:
        case Length():
            return any(len(part.strip()) >= rule.min_chars for part in delivered)
        case Sections():
            return any(
                all(re.search(rf"^## .*{title}.*\n+\S", part, re.MULTILINE) for title in rule.titles) for part in delivered
            )
        case Forbidden():
            return not any(pattern in text for pattern in rule.patterns)
        case ToolUsed():
            return any(name.startswith("desk_") for name in played.world.used)
        case Evidence():
            return bool(posted)
        case _:
            return True


def _posted(played: Played) -> list[str]:
    """The texts that really went where the job has its result delivered."""
    where = PUBLISH.arguments["channel"]
    posts = [effect.arguments for effect in played.world.effects if effect.kind.name == "post"]
    return [post["text"] for post in posts if post["channel"] == where]
