"""Checks that what a free goal orders was done: as often, in its words, to whom and when it says."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, TypeGuard

from autonomy.completion.rules.actions import given_up, is_batch
from autonomy.completion.rules.asked.asked_actions import asked_kinds, counts_asked_for
from autonomy.completion.rules.asked.conditions import condition_is_met
from autonomy.completion.rules.asked.ordered_acts import OrderedAct, ordered_acts
from autonomy.completion.rules.case import CLOCK_AS_WRITTEN, Case
from autonomy.completion.rules.inability import does_nothing_on_its_condition
from autonomy.policy.need_binding import is_write
from autonomy.policy.requests.listed_targets import targets_listed
from autonomy.policy.requests.request_mood import orders_by_name, orders_in, without_questions
from autonomy.provenance.action_claims import kinds_of_tool
from autonomy.provenance.reckoning.derivations import is_measure
from autonomy.provenance.sources.leaves import Leaf, leaves
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.durations import is_weekday, minutes_of
from autonomy.provenance.text.facts import Fact, FactKind, facts_in, unit_key
from autonomy.provenance.text.normalize import fold
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from discovery.text.near_names import name_words
from metrics.text.phrases import patterns_of
from metrics.text.quotations import INSIDE, unquoted

_PHRASES = patterns_of("autonomy.completion")


def asked(case: Case) -> Iterator[tuple[str, str]]:
    """Each action that a free goal asks for has a receipt of its kind: as many, with the words, and for whom the goal names, as a
    direct message where it says so."""
    goal = case.goal
    yield from _unreached_of_a_list(case)
    fitting = case.made_once(_asked_for)
    if fitting is None and not _orders_a_tool(case) and not _order_was_denied(case):
        if not case.declares_needs and case.evidence.writes:  # in whatever words it was told to: Tell #dev: "..."
            yield from _other_quotation(goal, _carried(case.evidence.writes))
        return
    if not fitting:
        if next(given_up(case), None):
            return  # that the write did not happen says as much
        if not does_nothing_on_its_condition(case) or condition_is_met(case):
            yield "the action", "the goal asks for something to be done, and no tool has given a receipt for it"
        return
    if _orders_a_direct_message(goal) and all(map(_went_to_a_channel, fitting)):
        yield "the direct message", "the goal asks for a direct message, and all that was sent went to channels"
    numbers = counts_asked_for(goal)
    if numbers and 1 < max(numbers) <= 100 and len(_different(fitting)) < max(numbers) and not is_batch(fitting):
        many = f"the goal speaks of {max(numbers)}, and there are receipts for {len(_different(fitting))}"
        yield "the action", f"{many}: if it orders so many, do the rest, else do no more"
    yield from _other_quotation(goal, _carried(fitting))


def each_act(case: Case) -> Iterator[tuple[str, str]]:
    """Where a free goal orders several acts and a write was made, each has a receipt of a tool that does it, or the answer says
    that something was not done."""
    writes = () if case.declares_needs else case.evidence.writes
    if not writes or _PHRASES["unable"].search(case.answer) or _PHRASES["admits_failure"].search(case.answer):
        return
    tried = [(_own_name(record), record.arguments) for record in case.ctx.records if is_write(record.effect)]
    offered = [spec.tool.removeprefix(f"{spec.provider}_") for spec in case.ctx.offered if is_write(spec.effect)]
    for act in ordered_acts(case.goal):
        if not act.on_condition and not act.is_receipted(tried, offered):
            yield (
                act.text,
                f"the goal orders {act.text!r} too, and no tool has given a receipt for it: do it, or say that it was not done",
            )


def _own_name(record: CallRecord) -> str:
    """What the provider itself calls the tool."""
    return record.tool.removeprefix(f"{record.provider}_")


def _acts_with_a_tool(case: Case) -> tuple[OrderedAct, ...]:
    """The acts that a free goal orders and a tool here could do."""
    writers = [spec.tool for spec in case.ctx.offered if is_write(spec.effect)]
    return tuple(act for act in ordered_acts(case.goal) if any(map(act.is_done_by, writers)))


def _went_to_a_channel(record: CallRecord) -> bool:
    """Whether a write names a channel and nobody as where it went; a person's id may stand in the place of a channel's."""
    if _is_direct(record):
        return False
    places = [leaf for leaf in leaves(record.arguments) if leaf.key.lower() in _CHANNELS | RECIPIENTS]
    return bool(places) and not any(leaf.key.lower() in RECIPIENTS or _OF_A_PERSON.match(str(leaf.value)) for leaf in places)


_DIRECT = frozenset({"dm", "direct", "im", "private"})
_CHANNELS = frozenset({"channel", "channel_id", "channel_name"})
_OF_A_PERSON = re.compile(r"@|[UDW][A-Z0-9]{2,}\b")
"""A handle, or the id that Slack gives to a person or to a conversation with one."""


def asked_otherwise(case: Case) -> Iterator[tuple[str, str]]:
    """Channels, persons, times and days that a goal names for an action are in a write."""
    goal = case.goal
    fitting = case.made_once(_asked_for)
    if fitting:
        yield from _unreached(goal, fitting, case)
        yield from _other_times(goal, case.evidence.writes, case)
        yield from _other_days(goal, case.evidence.writes, case)
    if not case.declares_needs:  # in whatever words it was told to
        yield from _other_figures(goal, fitting or case.evidence.writes, case)


def _asked_for(case: Case) -> list[CallRecord] | None:
    """The writes of the kinds that a free goal asks for; None where it asks for no action."""
    if case.declares_needs:
        return None
    kinds = asked_kinds(case.goal)
    if not kinds:
        acts = () if case.evidence.writes else case.made_once(_acts_with_a_tool)
        return [] if acts else None
    is_direct = bool(_orders_a_direct_message(case.goal))  # beside a post that is ordered as well: DM Priya, and post it in #dev
    return [
        record
        for record in case.evidence.writes
        if any(kinds_of_tool(record.tool) & set(group) for group in kinds) or (is_direct and _is_direct(record))
    ]


def _orders_a_direct_message(goal: str) -> re.Match[str] | None:
    return _PHRASES["orders_a_direct_message"].search(without_questions(unquoted(goal)))


def _is_direct(record: CallRecord) -> bool:
    return not _DIRECT.isdisjoint(name_words(record.tool))


def _orders_a_tool(case: Case) -> bool:
    """Whether a free goal that nothing was written for orders what a tool here is called by, with a verb that no list knows."""
    if case.evidence.writes or case.declares_needs:
        return False
    goal = unquoted(case.goal)
    return any(
        orders_by_name(goal, spec.tool.removeprefix(f"{spec.provider}_"))  # Slack is no verb of `slack_post_message`
        for spec in case.ctx.offered
        if spec.declared and is_write(spec.effect)
    )


def _order_was_denied(case: Case) -> bool:
    """Whether an English goal orders a deed in whatever words, and each write that was tried for it was denied."""
    goal = unquoted(case.goal)
    if case.evidence.writes or case.declares_needs or _JAPANESE.search(goal):  # まとめて orders as well, and asks to be told
        return False
    denied = any(record.is_write and record.result.kind == "denied" for record in case.ctx.records)
    return denied and orders_in(goal) > 0


_JAPANESE = re.compile("[\u3041-\u30ff\u3400-\u9fff]")


def _other_days(goal: str, writes: Sequence[CallRecord], case: Case) -> Iterator[tuple[str, str]]:
    """Days that the goal names where an argument that is a day itself names another, and nothing that was read has the goal's."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    goal_days = [fact for fact in facts_in(unquoted(goal), day, zone) if fact.kind is FactKind.DATE]
    written_days = {leaf.value[:10] for record in writes for leaf in leaves(record.arguments) if _is_day(leaf.value)}
    read_values = [value for record in case.evidence.reads for value in (_without_ends(record.arguments), data_of(record))]
    all_leaves = [leaf for value in (*read_values, *(record.arguments for record in writes)) for leaf in leaves(value)]
    known_days = set(
        widened_days(
            key for leaf in all_leaves for fact in facts_in(str(leaf.value)[:2_000], day, zone) if fact.kind is FactKind.DATE
            for key in fact.keys
        )
    )  # fmt: skip
    for fact in goal_days if written_days else ():
        if not known_days & set(fact.keys) and not _is_weekday_of(fact, goal_days):
            yield fact.text, f"the goal says {fact.text}, and what was written is for {', '.join(sorted(written_days)[:3])}"


def _other_figures(goal: str, writes: Sequence[CallRecord], case: Case) -> Iterator[tuple[str, str]]:
    """Measures that the goal names where what went out has another one of the unit, and nothing has the goal's: 15 minutes late,
    sent as 50, or as `minutes: 50`."""
    day, zone = case.evidence.day, case.evidence.sources.zone

    def measures(values: Iterable[Any]) -> list[Fact]:
        found = (fact for value in values for leaf in leaves(value) for fact in facts_in(_with_unit(leaf), day, zone))
        return [fact for fact in found if fact.kind is FactKind.NUMBER and is_measure(fact.unit)]

    if not (wanted := measures([unquoted(goal)])):
        return
    written = measures(record.arguments for record in writes)
    read = measures(value for record in case.evidence.reads for value in (record.arguments, data_of(record)))
    known = {(fact.keys[0], fact.unit) for fact in (*wanted, *read)}
    others = [fact for fact in written if (fact.keys[0], fact.unit) not in known]
    for fact in wanted:
        instead = [other.text for other in others if other.unit == fact.unit]
        if instead and not any(other.keys[0] == fact.keys[0] for other in (*written, *read)):
            yield fact.text, f"the goal says {fact.text}, and what was written says {', '.join(instead[:3])}"


def _with_unit(leaf: Leaf) -> str:
    """The text of a leaf; a bare figure with the measure that its field's name tells."""
    text = str(leaf.value)[:2_000]
    words = re.findall(r"[a-z]+", leaf.key) if type(leaf.value) in (int, float) else []
    units = [word for word in words if is_measure(unit_key(word))]
    return f"{text} {units[0]}" if len(units) == 1 else text


def _is_weekday_of(fact: Fact, beside: Sequence[Fact]) -> bool:
    """Whether a day of the week only says which one the date right beside it is: Saturday 13 March."""
    number = {date.fromisoformat(key).weekday() for key in fact.keys if fact.relative and is_iso_day(key)}
    near = (other for other in beside if other is not fact and not other.relative and -2 <= other.start - fact.end <= 4)
    return any(date.fromisoformat(key).weekday() in number for other in near for key in other.keys if is_iso_day(key))


def _without_ends(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a read but for the end of a range: that days up to Friday were read makes nothing be for Friday."""
    return {name: value for name, value in arguments.items() if not _ENDS_RANGE.search(name)}


_ENDS_RANGE = re.compile(r"(?:^|_)(?:to|until|end|max|before)(?:_|$)|(?:End|Max|Until|Before)", re.ASCII)


def _is_day(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d(?:T[\d:.+Z-]{5,25})?", value))


def _other_times(goal: str, writes: Sequence[CallRecord], case: Case) -> Iterator[tuple[str, str]]:
    """Times of day that the goal names, and neither a write nor a read has; or no write, where one is for another time."""
    day, zone = case.evidence.day, case.evidence.sources.zone

    def times(leaves_of: Iterable[Leaf]) -> set[str]:
        facts = (fact for leaf in leaves_of for fact in facts_in(str(leaf.value)[:2_000], day, zone))
        return {key for fact in facts if fact.kind is FactKind.TIME for key in fact.keys}

    goal_text = unquoted(goal)
    goal_times = [
        fact for fact in facts_in(goal_text, day, zone) if fact.kind is FactKind.TIME and not _only_bounds(goal_text, fact)
    ]
    if not goal_times or not writes:
        return
    written_leaves = [leaf for record in writes for leaf in leaves(record.arguments)]
    records = [*writes, *case.evidence.reads]
    known_times = times(leaf for record in records for value in (record.arguments, data_of(record)) for leaf in leaves(value))
    fixed = {f"{at:%H:%M}" for leaf in written_leaves if (at := local_moment(leaf.value, zone))}
    chosen = minutes_of([fact for leaf in written_leaves for fact in facts_in(str(leaf.value)[:60], day, zone)])
    goal_times = [fact for fact in goal_times if not (_NEAR_BEFORE.search(goal_text[: fact.start]) and _is_nearby(fact, chosen))]
    others = fixed - {key for fact in goal_times for key in fact.keys}
    # 15:00Z is midnight in Tokyo
    written_times = fixed | times(leaf for leaf in written_leaves if not local_moment(leaf.value, zone))
    there = {clock for leaf in written_leaves for clock in CLOCK_AS_WRITTEN.findall(str(leaf.value)[:60])}
    goal_times = [fact for fact in goal_times if not (there & set(fact.keys) and _is_on_other_clocks(goal_text, fact))]
    moves = bool(_PHRASES["moves_a_time"].search(goal))
    if moves and any(known_times & set(fact.keys) for fact in goal_times):  # the other one is where it was
        return
    for fact in goal_times:
        if known_times and not known_times & set(fact.keys):
            yield fact.text, f"the goal says {fact.text}, and what was written says {', '.join(sorted(known_times)[:3])}"
        elif others and not written_times & set(fact.keys) and not moves:
            yield fact.text, f"the goal says {fact.text}, and what was written is for {', '.join(sorted(others)[:3])}"


def _only_bounds(goal: str, fact: Fact) -> bool:
    """Whether a time is the bound of what may be chosen: after 13:00, 13時以降."""
    return bool(_BOUND_BEFORE.search(goal[: fact.start]) or _BOUND_BEHIND.match(goal, fact.end))


def _is_on_other_clocks(goal: str, fact: Fact) -> bool:
    """Whether a time is told as that of clocks elsewhere: 10:00 London time, 現地時間10時."""
    behind, before = _PHRASES["clocks_elsewhere_behind"], _PHRASES["clocks_elsewhere_in_front"]
    return bool(behind.match(goal, fact.end) or before.search(goal[: fact.start]))


def _is_nearby(fact: Fact, chosen: frozenset[int]) -> bool:
    return any(abs(one - other) <= NEARBY for one in minutes_of([fact]) for other in chosen)


NEARBY = 120
"""Minutes from a time that is only wished for; what lies further off is another part of the day."""
_NEAR_BEFORE = re.compile(r"\b(?:close(?:st)? to|near(?:est)?(?: to)?|around|about)\s{0,3}$", re.IGNORECASE)
_BOUND_BEFORE = re.compile(r"\b(?:after|before|until|between)\s{0,3}$", re.IGNORECASE)
_BOUND_BEHIND = re.compile(r"以降|以前|より(?:前|後)|までの間")


def _different(records: Sequence[CallRecord]) -> set[str]:
    return {f"{record.tool} {sorted(map(str, record.arguments.items()))}" for record in records}


def _carried(writes: Sequence[CallRecord]) -> list[str]:
    """The folded texts that writes took, and those of their answers."""
    values = (value for record in writes for value in (record.arguments, record.result.structured))
    return [fold(str(leaf.value)) for value in values for leaf in leaves(value)]


def _channels_in(goal: str) -> list[str]:
    return [fact.text[1:] for fact in facts_in(goal) if fact.kind is FactKind.NAME and fact.text[:1] == "#"]


def _unreached_of_a_list(case: Case) -> Iterator[tuple[str, str]]:
    """Channels that a free goal lists for one deed (to both #general and #dev), where a write reached one of them and none did
    this one."""
    channels, writes = case.made_once(_listed_channels), case.evidence.writes
    reached = _named_in(channels, _carried(writes), case)
    for channel in channels if reached else ():
        if channel not in reached:
            yield f"#{channel}", f"the goal names #{channel}, and nothing shows that it went there"


def _listed_channels(case: Case) -> tuple[str, ...]:
    """The channels of a free goal to all of which one of the writes that were made is to be made."""
    goal = "" if case.declares_needs else case.goal
    tools = {record.tool.removeprefix(f"{record.provider}_") for record in case.evidence.writes} if "#" in goal else set[str]()
    listed = frozenset[str]().union(*(targets_listed(goal, tool) for tool in tools))
    return tuple(channel for channel in _channels_in(goal) if fold(channel) in listed)


def _named_in(channels: Iterable[str], texts: Sequence[str], case: Case) -> set[str]:
    """Those channels of which an id or name is one of these texts, or ends it."""
    names = {channel: case.evidence.sources.identities.names_of(channel) for channel in channels}
    return {channel for channel, own in names.items() if any(_is_or_ends_with(text, name) for name in own for text in texts)}


def _unreached(goal: str, writes: Sequence[CallRecord], case: Case) -> Iterator[tuple[str, str]]:
    """Channels and persons of the goal that stand in no write."""
    sources, carried = case.evidence.sources, _carried(writes)
    read = [fold(str(leaf.value)) for record in case.ctx.records if record.effect == "read" for leaf in leaves(record.arguments)]
    channels = [channel for channel in _channels_in(goal) if channel not in case.made_once(_listed_channels)]
    reached, looked_at = (_named_in(channels, texts, case) for texts in (carried, read))
    said = {channel for channel in looked_at if _PHRASES["told_of_a_place"].search(goal[: goal.find(f"#{channel}")])}
    for channel in channels:  # one that was read, beside one that was written to, is where it comes from
        if channel not in reached and not (channel in said or (reached and channel in looked_at)):
            yield f"#{channel}", f"the goal names #{channel}, and nothing shows that it went there"
    lists = (_PHRASES["between_names"].split(names) for names in _PHRASES["told_by_name"].findall(goal))
    english = (name for names in lists for name in names if not is_weekday(name))
    addressed = _addressed(writes)
    japanese = (_PHRASES["in_front_of_a_name"].sub("", name) for name in _PHRASES["sent_to_a_person"].findall(goal))
    for person in (*japanese, *english):
        names = sources.identities.names_of(person) | sources.mailboxes_of(person)
        if writes and not any(name in text for name in names for text in addressed or carried):
            yield person, f"the goal names {person}, and nothing shows that it went there"


def _addressed(writes: Sequence[CallRecord]) -> list[str]:
    """To whom the writes went, folded, with the short texts of their answers; none where one of them names no recipient.

    What a message says is no address: one that begins with `Hi Ryo` may go to somebody else."""
    found: list[str] = []
    for record in writes:
        recipients = [fold(str(leaf.value)) for leaf in leaves(record.arguments) if leaf.key.lower() in RECIPIENTS]
        if not recipients:
            return []
        texts = (fold(str(leaf.value)) for leaf in leaves(record.result.structured) if leaf.key.lower() in RECIPIENTS)
        found += [*recipients, *texts]
    return found


RECIPIENTS = frozenset({"user", "user_id", "to", "recipient", "recipients", "email", "sent_to", "member_id", "person"})


def _other_quotation(goal: str, carried: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words that the goal gives for a write, where no write has them."""
    for quoted in INSIDE.findall(goal):
        if _is_content(quoted, goal) and not any(fold(quoted) in text for text in carried):
            yield quoted, f"the goal asks for 「{quoted}」, and no write carries these words"


def _is_or_ends_with(text: str, name: str) -> bool:
    return text.lstrip("#") == name or (
        len(name) > 2 and len(text) <= 40 and text.endswith(name) and not text[-len(name) - 1 : -len(name)].isalpha()
    )


def _is_content(quoted: str, goal: str) -> bool:
    """Whether quoted words are what is to be sent or to be made, not what is to be replaced or looked for."""
    at = goal.find(quoted)
    if not goal[at + len(quoted) + 1 :].strip(" .。") and goal[: max(0, at - 1)].rstrip().endswith((":", "：")):
        return True  # Tell #dev: "…"
    return bool(_PHRASES["to_be_written"].match(goal[at + len(quoted) + 1 :][:12]))
