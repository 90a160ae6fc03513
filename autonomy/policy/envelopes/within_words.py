"""Decides on a write, where there is no job and no plan, by the request's words."""

from collections.abc import Sequence

from autonomy.policy.dataflow import stands_by_default, strange_code
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, SourceClass, TracedValue, ask, what_it_does, worst_of
from autonomy.policy.envelopes.reach import MAKING, SPOKEN_OF, only_makes, reach_of
from autonomy.policy.envelopes.request_envelope import as_worded, leaves_to_text, may_be_asked_about, unforeseen
from autonomy.policy.envelopes.within_plan import repeats_itself, within_the_plan
from autonomy.policy.policy_words import any_stands, in_words, policy_words
from autonomy.policy.requests.listed_targets import targets_listed
from autonomy.policy.requests.orders import begins_no_order
from autonomy.policy.requests.request_drafts import orders_only_a_draft
from autonomy.policy.requests.request_mood import (
    is_put_into,
    knows_no_order,
    orders_in,
    orders_no_addition,
    orders_otherwise,
    without_questions,
    wondered_in,
)
from autonomy.policy.requests.said_names import own_part
from autonomy.policy.sinks import WHO_OR_WHERE, Sink
from autonomy.policy.write_plan import PlannedArgument, PlannedWrite, WritePlan, delegates, times_said
from autonomy.provenance.action_claims import OUTWARD, kinds_asked_for, kinds_of_tool, verbs_of_tool
from autonomy.provenance.text.normalize import fold
from discovery.catalog import Effect, JsonObject, ToolSpec
from discovery.review.effect_proposals import effect_of_name


def is_asked_for(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> bool:
    """Whether the request itself calls for this write and says who or where, when and how much, before anything else was seen.

    A model that declared as much in a plan would not be asked about it either; many just make the call.
    """
    if not facts.words or spec.effect is Effect.DESTRUCTIVE or facts.repeated or orders_only_a_draft(facts.words, spec.tool):
        return False
    kinds = kinds_of_tool(spec.tool)
    is_named = called_for(spec, facts.words) if kinds else orders_otherwise(facts.words, spec.tool)
    if not is_named and not (kinds and _serves(spec, facts)):
        return False
    unsaid = {value.argument for value in facts.traced if value.source is not SourceClass.WORDS}
    left_open = [value for value in facts.traced if value.argument in unsaid]
    if not arguments.keys() - unsaid or any(value.sink not in _WORDING for value in left_open) or _unsaid_goods(spec, left_open):
        return False
    # what a verb means that no list knows, a switch could turn
    if not is_named and any(value.sink is Sink.FLAG and value.argument not in spec.required for value in left_open):
        return False
    args = {
        name: PlannedArgument(own=True) if name in unsaid or value is None else PlannedArgument(fixed=value)
        for name, value in arguments.items()
    }
    plan = WritePlan(writes=(PlannedWrite(tool=spec.name, args=args),))
    return within_the_plan(spec, arguments, facts.model_copy(update={"done": {}}), plan).decision == "allow"


def _serves(spec: ToolSpec, facts: Circumstances) -> bool:
    """Whether an order that is to be met by some tool may be met by this one: one for what the call is done to, or in words of
    which nothing tells another deed."""
    return _is_ordered(spec, facts) or (not kinds_asked_for(facts.words) and _may_be_ordered(spec, facts))


def _may_be_ordered(spec: ToolSpec, facts: Circumstances) -> bool:
    return orders_in(facts.words) > 0 and not orders_no_addition(facts.words, spec.tool) and _may_serve_an_order(spec, facts)


def within_the_words(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> Decision:
    """A write after reading, of a model that declares no plan: what the request's words leave open may be found, and what only a
    text says is denied. A question would be answered with yes, whoever wrote the text."""
    words = own_part(facts.words)
    is_called_for = (is_spoken_of(spec, facts.words) or _is_ordered(spec, facts)) and not orders_no_addition(words, spec.tool)
    recipients = [value for value in facts.traced if value.sink in WHO_OR_WHERE]
    each_is_said = bool(recipients) and all(value.source is SourceClass.WORDS for value in recipients)
    removes = spec.effect is Effect.DESTRUCTIVE and not (only_makes(spec) and each_is_said)
    values = [as_worded(value, facts) for value in facts.traced]
    if why := (
        _another_deed(spec, facts, words, is_called_for=is_called_for)
        or _once_too_often(spec, facts, words, recipients, each_is_said=each_is_said)
        or _said_by_texts_alone(spec, arguments, values, words, removes=removes)
    ):
        return beside_the_words(why)
    verdict, reason = worst_of(values, reach_of(spec))
    if verdict == "allow":
        reason = _surprise(spec, arguments, values, facts)
        if not reason and is_called_for and not removes:
            return Decision(decision="allow", rule="as the request says")
    return ask(reason or what_it_does(spec), "free-form writes")


def _another_deed(spec: ToolSpec, facts: Circumstances, words: str, *, is_called_for: bool) -> str:
    """Why the request has something else done; empty where it may have this done."""
    unclear = may_be_called_for(spec, facts, words)
    if not is_called_for and not delegates(words) and (not unclear or orders_no_addition(words, spec.tool)):
        return f"the request does not call for {spec.name}, and text from tools was in view"
    return f"the request has a draft made, and {spec.name} would send it" if orders_only_a_draft(words, spec.tool) else ""


def _once_too_often(
    spec: ToolSpec, facts: Circumstances, words: str, recipients: Sequence[TracedValue], *, each_is_said: bool
) -> str:
    """Why this was done as often as it may be; empty where it may be done again."""
    is_left = each_is_said or facts.made < _listed_among(recipients, facts.words, spec)
    if facts.made >= times_said(words) and (facts.repeated or not is_left):
        return f"{spec.name} was made as often as the request calls for"
    return ""


def _said_by_texts_alone(
    spec: ToolSpec, arguments: JsonObject, values: Sequence[TracedValue], words: str, *, removes: bool
) -> str:
    """Which values only texts say; empty where there is none, or where the request leaves it to them."""
    # what the server sends it to by itself cannot be left out
    by_default = {name for name, value in arguments.items() if stands_by_default(spec, name, value)}
    unsaid = [
        value
        for value in values
        if value.argument not in by_default
        # of what takes something away a field is never enough, and which of them it is can be seen by a person
        and not (removes and value.source is SourceClass.FIELD)
        and not may_be_asked_about(value, words, spec.required)
    ]
    _, told = worst_of(unsaid, reach_of(spec))
    if not told or leaves_to_text(words):
        return ""
    return f"{told}: the request does not say so; leave it out, or say in your answer what you would do"


def _surprise(spec: ToolSpec, arguments: JsonObject, values: Sequence[TracedValue], facts: Circumstances) -> str:
    """What a person should look at in a call whose values may all stand; empty where it is nothing."""
    if surprise := unforeseen(values, facts.words, facts.siblings):
        return surprise
    if repeats_itself(arguments):
        return f"{spec.name} would do the same several times in one call"
    if facts.repeated and "pay" in kinds_of_tool(spec.tool):
        return f"{spec.name} paid the same recipient already"  # "messages" in the request counts no payments
    if goods := _unsaid_goods(spec, values):
        return f"{goods.argument} ({goods.value}) stands in neither the request nor a field, and {spec.name} pays or books"
    addressed = {value.argument for value in facts.traced if value.sink in WHO_OR_WHERE}
    wording = {name: value for name, value in arguments.items() if name not in addressed}
    if code := strange_code(wording, facts.known):
        return f"a code or number ({code}) that nobody asked for stands in its wording"
    return ""


def _listed_among(recipients: Sequence[TracedValue], words: str, spec: ToolSpec) -> int:
    """How many the request lists to whom this is to be done ("in #general and #dev"), where these are some of them; else none."""
    listed = targets_listed(words, spec.tool)
    names = {fold(one.called or one.value).lstrip("#@") for one in recipients if one.source is not SourceClass.CHOICE}
    return len(listed) if names and names <= listed else 0


def _unsaid_goods(spec: ToolSpec, values: Sequence[TracedValue]) -> TracedValue | None:
    """What a call pays for or books under a name that stands nowhere: how it is called decides who gets the money."""
    if not kinds_of_tool(spec.tool) & _BINDING:
        return None
    named = (one for one in values if one.sink is Sink.NAME and one.argument.lower() not in policy_words("one_line"))
    return next((one for one in named if one.source in (SourceClass.OWN, SourceClass.NOWHERE)), None)


_BINDING = frozenset({"pay", "book"})


def may_be_called_for(spec: ToolSpec, facts: Circumstances, words: str) -> bool:
    """Whether nobody can tell that the words speak of something else, so that a person is asked: in another language, by verbs
    that nobody knows, where they leave it to a text who gets something ("write to the person named there") and the tool sends,
    or where they only ask whether it could be done. What they order in everyday words ("call off") may take something away.
    """
    if orders_otherwise(words, spec.tool):
        return facts.written < max(orders_in(words), times_said(words))
    kinds = kinds_of_tool(spec.tool)
    if spec.effect is not Effect.DESTRUCTIVE and _are_said(facts):
        wondered = frozenset[str]().union(*map(kinds_asked_for, wondered_in(words))) - SPOKEN_OF
        if kinds & wondered:
            return True
    sends = leaves_to_text(words) and bool(kinds & OUTWARD)
    may_mean_it = not words.isascii() or sends or knows_no_order(words)
    return may_mean_it and orders_in(words) > 0 and _may_serve_an_order(spec, facts)


def beside_the_words(reason: str) -> Decision:
    """A denial of what the request does not say."""
    return Decision(decision="deny", rule="not in the request", reason=reason)


_WORDING = frozenset({Sink.TEXT, Sink.NAME, Sink.FLAG})
"""What a model may word or choose by itself where the request says all the rest."""


def called_for(spec: ToolSpec, words: str) -> bool:
    """Whether the words ask for this kind of action; a tool whose name says no kind is left to the person. What they only ask to
    be told asks for none: "Who sent the last message?", "Find the newest invoice and tell me its amount".

    Names of tools are loose: what is sent may go out by `put`, and what is made by `post`. Only what takes away, pays or books
    has to be spoken of.
    """
    words = without_questions(own_part(words))
    kinds, wanted_kinds = kinds_of_tool(spec.tool), kinds_asked_for(words)
    if not kinds or kinds & wanted_kinds or verbs_of_tool(spec.tool) & set(in_words(words).split()):
        return True
    if "book" in kinds and any_stands("booking", words):
        return True
    return bool(kinds & MAKING) and (bool(wanted_kinds & OUTWARD) or any_stands("making", words))


def is_spoken_of(spec: ToolSpec, words: str) -> bool:
    """Whether the words ask for this call, where a stranger's text may ask for it as well.

    What takes away by a verb that no list knows (`purge_queue`) has to be called so; in another language nobody can tell.
    """
    if spec.effect is not Effect.DESTRUCTIVE or kinds_of_tool(spec.tool) or not words.isascii():
        return called_for(spec, words)
    name_words = in_words(spec.tool).split()
    verb = next((word for word in name_words if effect_of_name(word)), next(iter(name_words), ""))  # `browser_click`
    return f" {verb} " in in_words(without_questions(own_part(words)))


def _is_ordered(spec: ToolSpec, facts: Circumstances) -> bool:
    """Whether the words order a deed in whatever words, and say whom or what it is done to: by name, or as the tool calls it.

    What takes away or pays has to be spoken of itself. Nobody knows which tool such a verb means, so that all tools together may
    write as often as something is ordered.
    """
    if not _may_serve_an_order(spec, facts):
        return False
    recipients = _recipients(facts)
    if not orders_in(facts.words):
        return _are_said(facts) and any(is_put_into(value.value, facts.words) for value in recipients)
    return _are_said(facts) or bool(_things_of(spec) & set(in_words(own_part(facts.words)).split()))


def _recipients(facts: Circumstances) -> list[TracedValue]:
    return [one for one in facts.traced if one.sink in WHO_OR_WHERE and one.source is not SourceClass.CHOICE]


def _are_said(facts: Circumstances) -> bool:
    """Whether the request names everybody and everything that the call is done to."""
    recipients = _recipients(facts)
    return bool(recipients) and all(one.named or one.source is SourceClass.WORDS for one in recipients)


def _may_serve_an_order(spec: ToolSpec, facts: Circumstances) -> bool:
    """Whether orders are left, and the tool is none that takes away or pays."""
    kinds = kinds_of_tool(spec.tool)
    is_left = facts.written < max(orders_in(facts.words), times_said(facts.words))
    return is_left and not kinds & SPOKEN_OF and (spec.effect is not Effect.DESTRUCTIVE or bool(kinds & MAKING))


def _things_of(spec: ToolSpec) -> frozenset[str]:
    """What a tool deals with, by the nouns of its name, in singular and plural: `issue` and `issues` of `create_issue`."""
    words = set(in_words(spec.tool.replace("_", " ")).split()) - verbs_of_tool(spec.tool) - set(in_words(spec.provider).split())
    nouns = [word for word in words if len(word) >= _SHORTEST_NOUN and not begins_no_order(word)]
    return frozenset(form for noun in nouns for form in (noun, f"{noun}s", noun.removesuffix("s")))


_SHORTEST_NOUN = 3
"""Letters: `id` is in each tool's name, and may be in a request."""
