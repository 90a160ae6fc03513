"""The plan of writes that a model declares before it reads: checked against the request, then enforced."""

import re
from collections.abc import Collection, Mapping, Sequence
from fnmatch import filter as fnmatch_filter
from functools import lru_cache
from typing import Any

from pydantic import Field, model_validator

from autonomy.policy.policy_words import any_stands, in_words, policy_words, standing
from autonomy.policy.requests.said_names import is_said_itself, own_part, says_more
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, keys_that_say_who, sink_of
from autonomy.policy.texts.account_numbers import is_number_named
from autonomy.policy.texts.addresses import (
    addresses_in,
    addresses_named,
    is_id_in_link,
    is_mailbox_named,
    is_named,
    mailbox_of,
    mentions_in,
    split_list,
)
from autonomy.policy.texts.file_names import is_file_named
from autonomy.provenance import Fact, FactKind, Sources, facts_in
from autonomy.provenance.action_claims import verbs_of_tool
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import Frozen, JsonObject, ToolSpec
from metrics.text.phrases import lazy_pattern
from metrics.text.word_files import read_words

DECLARE_PLAN = "declare_plan"
"""The host tool by which a model declares its plan; its answer is the host's own word."""
LONGEST_SHOWN = 60
"""Characters of a planned value that are told to a model whose call departs from it."""
MOST_TIMES = 50
"""Writes of one kind in a run that no plan can go beyond."""
MOST_LISTED = 10_000
"""Values in one call, where the words say no number."""
MOST_COUNTED = 10_000
"""Characters of a request in which a number of writes is sought: a longer one was pasted, and is read at each decision."""
MOST_SHOWN = 20
"""Choices of an argument that are named."""
MOST_BY_PLURAL = 20
"""Where the words name several and no number."""


class PlannedArgument(Frozen):
    """The filling of one argument: exactly one of the three."""

    fixed: Any = None
    open: str | None = None
    """Filled from results; glob of the tool whose structured result gives it, `*` for any."""
    own: bool = False
    """The model's wording or reckoning."""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        """A bare value is a fixed one."""
        is_named = isinstance(value, dict) and bool(value) and value.keys() <= {"fixed", "open", "own"}
        return value if is_named or isinstance(value, cls) else {"fixed": value}

    @model_validator(mode="after")
    def _has_one_form(self) -> "PlannedArgument":
        if sum((self.fixed is not None, self.open is not None, self.own)) != 1:
            raise ValueError("each argument is one of fixed, open, own")
        return self


class PlannedWrite(Frozen):
    """One kind of write."""

    tool: str
    times: int = Field(1, ge=1, le=MOST_TIMES)
    args: dict[str, PlannedArgument] = Field(default_factory=dict)

    def holds(self, arguments: JsonObject) -> bool:
        """Whether a call keeps every value that the plan fixes."""
        return not self.departures(arguments)

    def departures(self, arguments: JsonObject) -> list[str]:
        """The arguments in which a call has another value than the plan fixes, or none."""
        return [
            name
            for name, planned in self.args.items()
            if planned.fixed is not None and not (name in arguments and _keeps(arguments[name], planned.fixed))
        ]

    def argument(self, name: str) -> PlannedArgument:
        """The planned filling of an argument; an argument that is not in the plan is open."""
        return self.args.get(name) or PlannedArgument(open="*")


class WritePlan(Frozen):
    """The declared reads and writes of a run."""

    reads: tuple[str, ...] | None = None
    """The tools it looks things up with; None when it does not say. What others bring does not flow into a write unasked."""
    links: int = Field(0, ge=0, le=MOST_TIMES)
    """How many addresses that stand in results it opens; more are refused."""
    links_from: tuple[str, ...] = ()
    """The tools whose results give these addresses: their plain pages are opened unasked, others are refused. Where it does not
    say, each is asked about."""
    writes: tuple[PlannedWrite, ...] = ()
    follows: str = ""
    """The words of the goal that leave the choice of writes to something that is read, such as `do what the TODO page says`."""


def _keeps(value: Any, fixed: Any) -> bool:
    """Whether an argument has the value that a plan fixes; the blanks and line breaks around a text are no part of it."""
    return same_value(*(one.strip() if isinstance(one, str) else one for one in (value, fixed)))


def same_value(one: Any, other: Any) -> bool:
    """Equality in which `1` is not `true`, inside of lists and objects too; what is nested too deeply to tell is not the same."""
    try:
        return _is_same(one, other)
    except RecursionError:
        return False


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)


def plan_problems(plan: WritePlan, tools: Sequence[ToolSpec], sources: Sources, words: str) -> tuple[str, ...]:
    """The parts of a plan that the user's words do not support, one sentence each. `sources` must hold nothing but trusted words
    and schemas."""
    by_name = {spec.name: spec for spec in tools}
    found: list[str] = []
    for write in plan.writes:
        spec = by_name.get(write.tool)
        if spec is None or spec.read_only:
            found.append(f"{write.tool} is no tool that writes here")
            continue
        if unknown := sorted(write.args.keys() - spec.parameters.keys()) if spec.parameters else []:
            found.append(f"{write.tool} has no argument {', '.join(unknown)}")
        for name, planned in write.args.items():
            if choices := _choices_missed(planned, spec.parameters.get(name, {})):
                found.append(f"{write.tool}.{name}: {str(planned.fixed)[:80]!r} is none of {', '.join(map(str, choices))}")
            found += [
                f"{write.tool}.{name}: {part[:80]!r} does not stand in the request"
                for part in _unsaid(name, planned, spec, sources, words)
            ]
        if write.times > most_times(write, words):
            found.append(f"{write.tool}: the request does not speak of {write.times} times")
    if plan.follows and not delegates(words):
        found.append("the request does not leave the choice of writes to something that is read")
    return tuple(found)


def most_times(write: PlannedWrite, words: str) -> int:
    """How often at most the words let a planned write happen."""
    return MOST_TIMES if _is_for_each(write, words) else times_called_for(words)


def without_takers(writes: Sequence[PlannedWrite], planned: Collection[str]) -> list[PlannedWrite]:
    """The writes without those, one after the other, that take a value from a planned tool of which no write stands."""
    stands = list(writes)
    while takers := [write for write in stands if _givers(write, set(planned) - {one.tool for one in stands})]:
        stands = [write for write in stands if write not in takers]
    return stands


def _givers(write: PlannedWrite, tools: Collection[str]) -> list[str]:
    """Those of the tools from whose results an argument is filled."""
    patterns = [planned.open for planned in write.args.values() if planned.open not in (None, "*")]
    return [tool for pattern in patterns for tool in fnmatch_filter(tools, str(pattern))]


def _choices_missed(planned: PlannedArgument, schema: JsonObject) -> list[Any]:
    """The values that an argument can have, where the plan fixes none of them: no call could keep to it (`緊急` for `urgent`)."""
    branches = [schema, *(one for one in schema.get("anyOf", ()) if isinstance(one, dict))]
    choices = [value for one in branches for value in one.get("enum", ())]
    is_free = any(one.get("type") == "string" and "enum" not in one for one in branches)
    is_text = isinstance(planned.fixed, str) and bool(choices) and not is_free
    return [] if not is_text or planned.fixed in choices else choices[:MOST_SHOWN]


def _unsaid(name: str, planned: PlannedArgument, spec: ToolSpec, sources: Sources, words: str) -> list[str]:
    """The part of a fixed argument that the request does not contain: a recipient, and in any other argument an address or a
    mention."""
    if planned.fixed is None:
        return []
    sink = sink_of(name, spec.parameters.get(name, {}))
    if sink not in WHO_OR_WHERE:
        return _strange_addresses(planned.fixed, words)
    if sink is Sink.ID and is_id_in_link(planned.fixed, addresses_named(words)):
        return []
    return [] if _is_said(planned.fixed, spec, sources, words) else [str(planned.fixed)]


def _is_said(value: Any, spec: ToolSpec, sources: Sources, words: str) -> bool:
    """Whether each part of a value stands in trusted words; a word without any source stands nowhere."""
    parts = [leaf.value for leaf in leaves([value] if isinstance(value, str) else value)]
    parts += [key for _, key in keys_that_say_who(value, spec.input_schema)]
    return all(_stands_in_words(part, sources, words) for part in parts)


def _stands_in_words(part: str | float, sources: Sources, words: str) -> bool:
    part = mailbox_of(part) if isinstance(part, str) else part
    own = own_part(words, str(part))
    if is_mailbox_named(part, addresses_named(own)) or is_number_named(part, [own]) or is_file_named(part, [own]):
        return True
    trace, text = sources.trace(part), str(part)
    is_whole = bool(trace.parts) and all(one.fact is None for one in trace.parts)
    if not is_whole and (pieces := split_list(text)):
        return all(_stands_in_words(piece, sources, words) for piece in pieces)
    is_trusted = trace.weakest is not None and trace.weakest.trusted and not says_more(text, trace.parts)
    return is_trusted and is_said_itself(text, sources.trusted_values()) and not only_measures(part, words)


def _is_for_each(write: PlannedWrite, words: str) -> bool:
    """Whether the words speak of several, and one tool's result says which: twenty may be too few then."""
    givers = [planned.open for planned in write.args.values() if planned.open not in (None, "*")]
    request_words, tools = set(in_words(words).split()), [str(tool) for tool in (write.tool, *givers)]
    tool_words = {word for tool in tools for word in re.findall("[a-z]+", tool)}.difference(*map(verbs_of_tool, tools))
    several = any(word.endswith("s") and {word, word[:-1]} & tool_words for word in request_words if len(word) > _SHORTEST_PLURAL)
    return bool(givers) and (several or times_called_for(words) >= MOST_BY_PLURAL)


def _strange_addresses(fixed: Any, words: str) -> list[str]:
    """The addresses and mentions in a value that the words do not hold: a description that is in view may have chosen them."""
    addresses, texts = addresses_named(words), [leaf.value for leaf in leaves([fixed] if isinstance(fixed, str) else fixed)]
    mentions = [mention for text in texts if isinstance(text, str) for mention in mentions_in(text) if mention not in words]
    return [*mentions, *(address for address in addresses_in(texts) if not is_named(address, addresses))]


def times_called_for(words: str) -> int:
    """How often the words let a plan have one kind of write happen: the largest number in them that may count it, twenty for a
    plural or where things are joined, else once."""
    count = max((number for fact, number in _numbers_in(words) if _may_count(fact, words)), default=1)
    remainder = words
    for word in policy_words("no_plural"):
        remainder = remainder.replace(word, " ")  # と stands between two names, and in many words
    return max(count, times_said(words), MOST_BY_PLURAL if any_stands("joined", remainder) else 1)


def times_said(words: str) -> int:
    """The same where nothing but the words says what is written: "and" mostly joins two other things then, and a number counts
    only what stands behind it ("3 messages", 「3通」)."""
    return max(times_counted(words), MOST_BY_PLURAL if any_stands("several", words) else 1)


def most_listed(words: str) -> int:
    """How many the words let one call list: two of "both", as many as they count, without end where they say no number."""
    several = [word for word in standing("several", words) if word not in policy_words("two")]
    if not several and any_stands("two", words):
        return max(times_counted(words), 2)
    return times_counted(words) if not several and times_counted(words) > 1 else MOST_LISTED


def times_counted(words: str) -> int:
    """The largest number in the words that counts what stands behind it ("3 messages", 「3通」), else once."""
    return max((number for fact, number in _numbers_in(words) if _counts_things(fact, words)), default=1)


def says_how_much(words: str) -> bool:
    """Whether the words hold a number that neither counts writes nor names anything: how much of something."""
    return any(not _counts_things(fact, words) and not _is_named_by(fact, words) for fact in _number_facts(words))


def only_measures(value: str | float, words: str) -> bool:
    """Whether a number stands in the words only as how much or how many of something: 4711 yen are no account."""
    digits = str(value)
    facts = [fact for fact in _number_facts(words) if digits in fact.keys] if digits.isdecimal() else []
    measures = {*policy_words("measures")} - {*policy_words("says_which")}  # 398番
    return bool(facts) and all(_counts_things(fact, words) or _unit_of(fact, words) in measures for fact in facts)


@lru_cache(maxsize=64)
def _numbers_in(words: str) -> list[tuple[Fact, int]]:
    return [(fact, int(key)) for fact in _number_facts(words) for key in fact.keys if key.isdecimal() and int(key) <= MOST_TIMES]


def _number_facts(words: str) -> list[Fact]:
    return [fact for fact in facts_in(words[:MOST_COUNTED]) if fact.kind is FactKind.NUMBER]


def _may_count(fact: Fact, words: str) -> bool:
    """Whether a number may count something: what it counts stands behind it, in whatever words, and no hour ends a clause so."""
    if _counts_things(fact, words):
        return True
    unit, before = _unit_of(fact, words), _word_before(fact, words)
    is_followed = unit != "" and unit not in _NO_THING
    return is_followed and before not in policy_words("before_an_hour") and not _measures_or_names(fact, words)


def _counts_things(fact: Fact, words: str) -> bool:
    """Whether a number stands before things that are counted, in the plural or by a Japanese counter."""
    unit = _unit_of(fact, words)
    is_counted = unit in policy_words("counters") or (unit.endswith("s") and len(unit) > _SHORTEST_PLURAL)
    return is_counted and not _measures_or_names(fact, words)


# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_NO_THING = frozenset(read_words("autonomy.policy", "request_mood")["no_order"]["en"])
"""Articles, pronouns, prepositions and the like."""
_SHORTEST_PLURAL = 3
"""Letters: shorter ones are units and words like "is"."""


def _unit_of(fact: Fact, words: str) -> str:
    return fact.text.lstrip("0123456789.,-+ ").casefold() or (_NEXT.match(words, fact.end) or ("",))[0].strip(" -").casefold()


def _measures_or_names(fact: Fact, words: str) -> bool:
    """Whether a number counts days or money, or says which room: then it says of no write how often it happens."""
    unit, measures = _unit_of(fact, words), policy_words("measures")
    begins = any(unit.startswith(measure) for measure in measures if not measure.isascii())  # 3営業日前
    return unit in measures or begins or _is_named_by(fact, words)


def _is_named_by(fact: Fact, words: str) -> bool:
    """Whether a number says which one: "room 12"."""
    return _word_before(fact, words) in policy_words("numbered")


def _word_before(fact: Fact, words: str) -> str:
    return (_BEFORE.search(words[max(0, fact.start - _NEAR) : fact.start]) or ("", ""))[1].casefold()


_NEAR = 16
"""Characters before a number in which the word is sought that it belongs to."""
_NEXT = lazy_pattern(r"[ -]?(?:o['’]clock|[a-z]{1,20}|[回件通個つ人名本枚部]|[\u30a1-\u30fc\u3400-\u9fff]{1,4})", re.IGNORECASE)
_BEFORE = re.compile(r"([a-z.]{1,12}|[#第])[ .]?$", re.IGNORECASE)


def delegates(words: str) -> bool:
    """Whether the words leave it to something that is read what shall be done, and do not list it themselves. What they only ask
    to be told ("What do the notes say?", "List my tasks") leaves nothing to anybody."""
    from autonomy.policy.requests.request_mood import without_questions  # whoever lists jobs decides on no call

    words = without_questions(words)
    for listed in policy_words("no_delegation"):
        words = re.sub(re.escape(listed), " ", words, flags=re.IGNORECASE)
    return any_stands("delegation", words)


def planned_for(
    plan: WritePlan, spec: ToolSpec, arguments: JsonObject, used: Mapping[str, int], meant: Mapping[str, str] | None = None
) -> tuple[PlannedWrite | None, str]:
    """The planned write that a call is, or why it is none. `used`: how often each write of the plan was made, by `key_of`.
    `meant`: argument → the name by which the request calls whose id it holds; a plan that fixes that name means that id."""
    same_tool = [write for write in plan.writes if write.tool == spec.name]
    if not same_tool:
        return None, f"the request does not call for {spec.name}"
    names = meant or {}
    matching = [write for write in same_tool if write.holds(arguments)] or [
        write
        for write in same_tool
        if all(
            (name in names and is_called(write.args[name].fixed, names[name]))
            or _is_written_alike(write.args[name].fixed, arguments.get(name), sink_of(name, spec.parameters.get(name, {})))
            for name in write.departures(arguments)
        )
    ]
    if not matching:
        nearest = min(same_tool, key=lambda write: len(write.departures(arguments)))
        planned = ", ".join(f"{name} {str(nearest.args[name].fixed)[:LONGEST_SHOWN]!r}" for name in nearest.departures(arguments))
        return None, f"the plan fixes other arguments of {spec.name}: {planned}"
    unused = [write for write in matching if used.get(key_of(write), 0) < write.times]
    if not unused:
        return None, f"{spec.name} was made as often as the request calls for"
    return unused[0], ""


def made_for(plan: WritePlan, spec: ToolSpec, arguments: JsonObject, used: Mapping[str, int]) -> PlannedWrite | None:
    """The planned write that a call counts for once it was made: also one that found out whom or where the plan only names."""
    write, _ = planned_for(plan, spec, arguments, used)
    left = [one for one in plan.writes if one.tool == spec.name and used.get(key_of(one), 0) < one.times]
    return write or next((one for one in left if _departs_in_whom_alone(one, spec, arguments)), None)


def _departs_in_whom_alone(write: PlannedWrite, spec: ToolSpec, arguments: JsonObject) -> bool:
    return all(
        isinstance(write.args[name].fixed, str) and sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE
        for name in write.departures(arguments)
    )


def is_called(fixed: Any, name: str) -> bool:
    """Whether a fixed value is this name, or it with a title of courtesy (`田中さん`)."""
    said, known = (fixed.strip().casefold(), name.strip().casefold()) if isinstance(fixed, str) else ("", name)
    titles = ("", *policy_words("courtesy"))
    return said != "" and any(said == known + title or said + title == known for title in titles)


def _is_written_alike(fixed: Any, value: Any, sink: Sink) -> bool:
    """Whether whom or where a message goes is called so but for the sign in front, or the case of a name that is no code:
    `#dev` and `dev`, `Owen` and `owen`."""
    if sink not in (Sink.RECIPIENT, Sink.IDENTITY) or not isinstance(fixed, str) or not isinstance(value, str):
        return False
    said, given = _HANDLE.fullmatch(fixed), _HANDLE.fullmatch(value)
    if said is None or given is None or {said["sign"], given["sign"]} == {"#", "@"}:
        return False
    one, other = said["name"], given["name"]
    return one == other or (one.casefold() == other.casefold() and not _CODED.search(one))


_HANDLE = re.compile(r"(?P<sign>[#@]?)(?P<name>[\w-]{1,80})")
_CODED = re.compile(r"[\d_]")


def key_of(write: PlannedWrite) -> str:
    """A name for one planned write, the same whenever the run is played again."""
    return write.model_dump_json()
