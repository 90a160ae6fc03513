"""Derives from a request's words what a model without a plan may do.

The words say less than a plan: which kinds of action, how often, whom by name, and whether something is to be looked for. What
they leave open to be found may come from a field; what stands only in a text may say neither who nor where.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.policy_words import any_stands, in_words, policy_words, standing
from autonomy.policy.requests.forbidden_deeds import forbidden_in, keeps_a_draft
from autonomy.policy.requests.request_drafts import asks_for_draft
from autonomy.policy.requests.request_mood import means_choice
from autonomy.policy.requests.said_names import own_part
from autonomy.policy.sinks import WHO_OR_WHERE, Sink
from autonomy.policy.texts.addresses import addresses_named
from autonomy.policy.write_plan import delegates, most_listed, says_how_much, times_said

_WORDED = frozenset({Sink.TIME, Sink.PLACE, Sink.NAME})
"""What a model may reckon or call by itself; how much has to be said, and so has who and where."""
_SOFT = _WORDED | {Sink.AMOUNT}


def pages_called_for(words: str) -> int:
    """How many pages the words leave to be found in what is read ("the article that Bob posted"); most requests none, nor one
    that says not to open pages."""
    if any(any_stands("pages", clause) for clause in forbidden_in(words)):
        return 0
    return times_said(words) if any_stands("posted", words) and any_stands("pages", words) else 0


def page_may_be_asked_for(words: str) -> bool:
    """Whether a person is asked about a page that he did not name: where the words speak of one that has no address in them, want
    to know more of what somebody wrote, or leave it to a text what is done."""
    kinds = {word.removesuffix("s") for word in standing("pages", words)}
    pages = [address for address in addresses_named(words) if "@" not in address]
    return len(kinds) > len(pages) or (any_stands("posted", words) and any_stands("wondering", words)) or leaves_to_text(words)


def may_be_asked_about(value: TracedValue, words: str, required: Collection[str] = ()) -> bool:
    """Whether a person is asked about a value that the request does not give.

    "Add the meeting that Mari mentioned" leaves its hour to a message, but not whom it goes to; whom the run's own wording
    calls (`<!channel>`) no text has chosen. A switch that it speaks of ("a private channel", `is_private`) may be meant, one
    that is left off (`wip: false`) tells nobody more than was asked, and one that the tool requires cannot be left out. How a
    repetition is called ("daily") is the tool's word, where the request speaks of one. Which record is meant beside the one that
    is named can be seen by a person, where the request speaks of others ("everyone except Kenta").
    """
    of_others = value.beside and any_stands("of_others", words)
    own_mention = value.sink is Sink.LINK and value.source is SourceClass.OWN
    spoken_of = value.value == "True" and value.sink is Sink.FLAG and _is_spoken_of(value.argument, words)
    left_off = value.sink is Sink.FLAG and value.value == "False"
    needed = value.sink is Sink.FLAG and value.source is not SourceClass.TEXT and value.argument in required
    repeated = value.sink is Sink.FLAG and value.source is not SourceClass.TEXT and any_stands("recurring", words)
    return (
        of_others
        or own_mention
        or spoken_of
        or left_off
        or needed
        or repeated
        or (value.sink in _SOFT and any_stands("posted", words))
    )


def _is_spoken_of(switch: str, words: str) -> bool:
    """Whether the words hold what a switch is called by, and do not forbid it."""
    names = {word for word in in_words(switch).split() if len(word) >= _SHORTEST_CHOICE}
    forbidden = in_words(" ".join(forbidden_in(words)))
    return bool(names & (set(in_words(words).split()) - set(forbidden.split())))


def leaves_to_text(words: str) -> bool:
    """Whether the words leave it to a text who gets something or what is done: then a person is asked."""
    return delegates(words) or any_stands("pointing", words) or _names_who_is_read_of(words)


def _names_who_is_read_of(words: str) -> bool:
    """Whether the words speak of whoever a text names: "the person named there", 「書かれている人」."""
    lists, apart = policy_words("named_there"), in_words(words)
    english = (*(f"{said} {at}" for said in lists["said"] for at in lists["at"]), *lists["people"])
    japanese = (f"{said}{people}" for said in lists["ja_said"] for people in lists["ja_people"])
    return any(f" {phrase} " in apart for phrase in english) or any(phrase in words for phrase in japanese)


def unforeseen(values: Sequence[TracedValue], words: str, siblings: Collection[str]) -> str:
    """The fields that would decide although the request neither names their bearer nor asks to find anything; empty if none.

    `siblings`: the tools of the same provider as the call's. Who bears an id, only its own provider can say.
    """
    of_fields = [value for value in values if value.source is SourceClass.FIELD and value.sink in _DECIDES]
    strange = [value for value in of_fields if value.sink in WHO_OR_WHERE and is_of_another(value, siblings)]
    if strange:
        value, told_by = strange[0], strange[0].tools[0]
        return f"{value.argument} ({value.value}) stands only in what {told_by} brought, a tool of another provider"
    amounts = [value for value in values if value.source is SourceClass.FIELD and value.sink is Sink.AMOUNT]
    if amounts and says_how_much(words):
        return f"{amounts[0].argument} ({amounts[0].value}) stands in a field, and the request says how much"
    of_fields = [value for value in of_fields if not value.named]
    listed = Counter(
        argument for argument, _ in {(value.argument, value.value) for value in of_fields if value.sink in WHO_OR_WHERE}
    )
    if too_long := next((argument for argument, number in listed.items() if number > most_listed(words)), ""):
        return f"{too_long} lists more than the request speaks of"
    looked_for = any_stands("choosing", words) or any_stands("several", words)
    if of_fields and not looked_for:
        return f"{of_fields[0].argument} ({of_fields[0].value}) stands in a field, and the request does not say whose"
    is_stated = bool(of_fields) or any(
        value.named or value.source is SourceClass.WORDS or (value.sink is Sink.TIME and value.source is SourceClass.OWN)
        for value in values
    )
    return "" if is_stated else "nothing of it stands in the request"


def is_of_another(value: TracedValue, siblings: Collection[str]) -> bool:
    """Whether it is an id that no tool of the call's own provider brought; a mailbox is the same one everywhere."""
    return bool(value.tools) and "@" not in value.value and not set(value.tools) & set(siblings)


def _is_said_otherwise(value: TracedValue, words: str) -> bool:
    """Whether a choice or a name is a word of the request in another form, or a choice what the request says in other words: also
    that something stays a draft (`wip`)."""
    if _is_form_of_a_word(value.value, words):
        return True
    keeps = value.value == "True" and keeps_a_draft({value.argument: True})
    return value.sink is Sink.FLAG and (means_choice(value.value, words) or (keeps and asks_for_draft(words)))


def _is_form_of_a_word(choice: str, words: str) -> bool:
    """Whether a choice is a word of the request in another form (`closed` where it says "close"), or several
    (`contract_sent`)."""
    choice = _RECURRENCE.sub(r"\1", choice)
    request, letters = in_words(words), "".join(filter(str.isalnum, choice.lower()))
    others = [word for word in request.split() if len(word) >= _SHORTEST_CHOICE]
    is_form = any(letters.removeprefix(word) in _ENDINGS or word.removeprefix(letters) in _ENDINGS for word in others)
    is_joined = re.search(rf"\b{'[ -]?'.join(letters)}\b", request) is not None
    return len(letters) >= _SHORTEST_CHOICE and (is_form or is_joined)


_RECURRENCE = re.compile(r"(?:RRULE:)?FREQ=([A-Z]{5,7})(?:;BYDAY=[A-Z]{2})?")
"""How a calendar says "weekly" (RFC 5545), without an interval, a count or an end."""
_SHORTEST_CHOICE = 4
_ENDINGS = ("", "d", "ed", "s", "ing")
"""`public` is no form of "publish", nor `all` one of "allow"."""


_DECIDES = WHO_OR_WHERE | {Sink.NAME}
"""What is booked or bought is called by a name."""


_CHOSEN = frozenset({Sink.FLAG, Sink.NAME})


def as_worded(value: TracedValue, facts: Circumstances) -> TracedValue:
    """The value with the source that the words give it, where no plan foresaw one."""
    source = value.source
    if facts.is_only_mailbox(value, [*facts.read_addresses.by_tool]):
        return value.model_copy(update={"source": SourceClass.FIELD, "named": True})
    if value.sink in _WORDED and source is SourceClass.NOWHERE:
        source = SourceClass.OWN
    elif value.sink in _CHOSEN and _is_said_otherwise(value, own_part(facts.words, value.value)):
        source = SourceClass.WORDS
    elif value.sink is Sink.FLAG and source is SourceClass.OWN:
        source = SourceClass.NOWHERE  # whether all are told, or all may see it, was foreseen by nobody
    elif value.sink is Sink.LINK and source is SourceClass.FIELD:
        source = SourceClass.TEXT  # whoever can post an address can fill a field
    return value if source is value.source else value.model_copy(update={"source": source})
