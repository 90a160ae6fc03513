"""Plans calls for a job's declared needs: read, compose, write.

Written as if every tool answered at once; `state.AnswerPending` ends it where an answer is still to come, and the next turn
starts again from the top with that answer at hand.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, tzinfo
from fnmatch import fnmatchcase
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import ModelRequest, Need, Task
from autonomy.llm.offline.argument_correction import corrected, pointed_to
from autonomy.llm.offline.argument_filler import ArgumentFiller, CannotFillError, page_argument, places, properties
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState, PastCall, PlannedCall, collect_all
from autonomy.llm.offline.refusal import Refusal, say
from autonomy.llm.offline.result_items import authors, content, first_value, items, moment_of, strings, where
from autonomy.llm.offline.text_composition import by_author, compose, listing
from autonomy.llm.offline.tool_use.tool_ranking import is_about, ranked_tools
from autonomy.llm.offline.vocabulary import FIELDS, terms
from autonomy.llm.templates import TableTemplate, formatted, mentions, render, table_of, tables_in
from discovery.catalog import JsonObject
from discovery.text.near_names import name_words
from discovery.text.stack_traces import error_words
from metrics.reporting.reason_words import reason_in

MAX_CANDIDATES = 3
"""How many tools are tried for one need that only reads."""
WRITES = ("write", "outward")


@dataclass(frozen=True)
class NeedOutcome:
    """The outcome of one need: the answers that meet it, or why it is not met."""

    need: Need
    tool: str = ""
    answers: tuple[PastCall, ...] = ()
    problem: str = ""
    awaits: str = ""
    """What a write takes that only a real write returns, in a rehearsal."""

    @property
    def met(self) -> bool:
        """Whether it is."""
        return not self.problem

    @property
    def found(self) -> list[Any]:
        """All items its answers hold."""
        return [item for answer in self.answers for item in items(content(answer.result))]


def solve_needs(task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> str:
    """The text that ends the run. Raises `AnswerPending` with the calls that come first noted, unless it must talk now."""
    return NeedSolver(task, request, state, day, talking=talking).run()


def zone_of(task: Task, request: ModelRequest) -> tzinfo:
    """The time zone days are meant in: the input `timezone`, else, or when there is no such zone, the run's, else Japan's."""
    if zone_name := str(task.inputs.get("timezone", "")):
        with suppress(ZoneInfoNotFoundError, ValueError):
            return ZoneInfo(zone_name)
    return (request.now and request.now.tzinfo) or _JAPAN


_JAPAN = ZoneInfo("Asia/Tokyo")


def _deed(tool: str) -> str:
    """The phrase for what a write did, by the first word of the tool's name that tells it: the judge proves no other claim."""
    words = name_words(tool)
    verb = next((phrase for word in words for phrase, deeds in FIELDS.deeds.items() if word in deeds), "written")
    deed = "posted" if verb in ("created", "added", "saved") and not FIELDS.deeds["posted"].isdisjoint(words) else verb
    return "written" if deed == "removed" else deed


def _is_named(value: Any, answers: Sequence[PastCall]) -> bool:
    """Whether errors name a value that was given: then the tool took no offence at anything else."""
    told = re.compile(rf"(?<!\w){re.escape(str(value))}(?!\w)")
    return any(told.search(answer.result.text) for answer in answers if not answer.ok)


class NeedSolver:
    """One turn's pass over a task's needs."""

    def __init__(self, task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> None:
        self._task, self._state, self._day, self._talking = task, state, day, talking
        self._tools, self._effects, self._undeclared = request.tools, request.effects, request.undeclared
        self._readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
        self._outcomes: dict[str, NeedOutcome] = {}
        self._under_way: set[str] = set()
        self._text: str | None = None
        self._zone = zone_of(task, request)

    def run(self) -> str:
        """Settle every need, then say what came of them."""
        outcomes = collect_all(partial(self._settled, need) for need in self._task.needs)
        unmet = next((outcome for outcome in outcomes if outcome.need.required and not outcome.met), None)
        if unmet is None:
            return self._report(outcomes)
        refusal = self._say("unmet", need=unmet.need.shown, problem=unmet.problem)
        return Refusal(
            "\n".join(filter(None, [self._result(), refusal]))
            if self._talking and any(outcome.met for outcome in outcomes)
            else refusal
        )

    def _report(self, outcomes: Sequence[NeedOutcome]) -> str:
        """The composed text as it was posted, where it went, and which optional need was not met."""
        writes = [outcome for outcome in outcomes if outcome.met and outcome.need.effect != "read"]
        notes = [self._receipt(write) for write in writes]
        notes += [self._say("skipped", need=one.need.shown, problem=one.problem) for one in outcomes if not one.met]
        return "\n".join([self._result(), *notes]).strip()

    def _receipt(self, outcome: NeedOutcome) -> str:
        if outcome.awaits:
            return self._say("awaits", need=outcome.need.shown, before=outcome.awaits)
        if outcome.answers[-1].rehearsed:
            texts = [value for value in outcome.answers[-1].call.arguments.values() if isinstance(value, str)]
            text = max(texts, key=len, default="")
            above = not text or self._result() in text or text in self._result()
            return self._say("rehearsed", tool=outcome.tool) if above else self._say("rehearsed_as", tool=outcome.tool, text=text)
        value = content(outcome.answers[-1].result)
        if outcome.need.effect == "write" and "://" not in (place := where(value)):
            return self._say("written", tool=outcome.tool, what=place or "ok")  # nothing was posted anywhere
        existing = (
            first_value(value, "created") is False or first_value(value, "updated") is True or "#update" in terms(outcome.tool)
        )
        phrase = "unchanged" if first_value(value, "changed") is False else "updated" if existing else _deed(outcome.tool)
        return self._say(phrase, where=where(value) or outcome.tool, tool=outcome.tool, what=where(value) or "ok")

    def _settled(self, need: Need) -> NeedOutcome:
        """What came of a need, worked out once a turn."""
        if need.id not in self._outcomes:
            self._under_way.add(need.id)
            try:
                self._outcomes[need.id] = self._settle(need)
            except AnswerPending:
                if not self._talking:
                    raise
                self._outcomes[need.id] = NeedOutcome(need, problem=self._say("out_of_steps"))
            finally:
                self._under_way.discard(need.id)
        return self._outcomes[need.id]

    def _settle(self, need: Need) -> NeedOutcome:
        before = [self._settled(one) for one in self._task.needs if one.id in need.after and one.id not in self._under_way]
        if need.effect != "read":
            before += collect_all(partial(self._settled, one) for one in self._sources())
        lacking = next((one.need for one in before if one.need.required and not one.met), None)
        if lacking is not None:
            return NeedOutcome(need, problem=self._say("depends", need=lacking.shown))
        if need.effect != "read" and (awaited := self._rehearsed_before(need)):
            return NeedOutcome(need, awaits=awaited.shown)
        arguments = render(need.arguments, self._lookup)
        return self._read(need, arguments) if need.effect == "read" else self._write(need, arguments)

    def _rehearsed_before(self, need: Need) -> Need | None:
        """The rehearsed write whose answer this need's arguments take: there is none in a rehearsal."""
        others = [one for one in self._task.needs if one.id not in self._under_way and mentions(need.arguments, one.id)]
        outcomes = [self._settled(one) for one in others if one.effect != "read"]
        return next((one.need for one in outcomes if one.awaits or (one.answers and one.answers[-1].rehearsed)), None)

    def _read(self, need: Need, values: JsonObject) -> NeedOutcome:
        """Ask the best tool that can be asked; if it only fails, the next. What a tool said is told before what one lacked."""
        problems, gaps, refused = list[str](), list[str](), dict[str, Any]()
        for tool in self._candidates(need, values)[:MAX_CANDIDATES]:
            if refused and not places(tool, refused):  # it would tell of everybody where nobody is in that department
                continue
            try:
                answers = self._asked(tool, need, values)
            except CannotFillError as gap:
                gaps.append(self._say(gap.phrase, **gap.values))
                continue
            good = tuple(answer for answer in answers if answer.ok)
            if good:
                return NeedOutcome(need, tool.name, good)
            problems.append(self._failure(answers))
            refused |= {name: value for name, value in values.items() if value and _is_named(value, answers)}
        return NeedOutcome(need, problem=next(iter([*problems, *gaps]), self._no_reader(need, values)))

    def _no_reader(self, need: Need, values: JsonObject) -> str:
        """Why nothing could be asked: there is no tool, or nobody said that the one which suits only reads."""
        unsaid = self._fitting(need, values, [tool for tool in self._tools if tool.name in self._undeclared])
        if not unsaid:
            return self._say("no_tool")
        return self._say("undeclared_tool", tool=unsaid[0].name, server=self._undeclared[unsaid[0].name])

    def _asked(self, tool: ToolDefinition, need: Need, values: JsonObject) -> list[PastCall]:
        """All answers to a read: narrowed by the inputs first, and without them when that finds nothing at all.

        Where the tool refuses what narrows it (nobody is in that department), everything else is no answer."""
        filler = self._filler(need)
        sets = filler.fill(tool, values)
        answers = self._ask_each(tool, sets)
        wider = filler.fill(tool, values, narrow=False)
        found_nothing = all(answer.ok and not items(content(answer.result)) for answer in answers)
        if wider != sets and found_nothing:
            answers = self._ask_each(tool, wider)
        return answers

    def _ask_each(self, tool: ToolDefinition, sets: Sequence[JsonObject]) -> list[PastCall]:
        return [answer for answers in collect_all(partial(self._ask, tool, one) for one in sets) for answer in answers]

    def _ask(self, tool: ToolDefinition, arguments: JsonObject) -> list[PastCall]:
        """One call with all its pages, corrected once by what its error says."""
        answers = self._state.ask_all_pages(PlannedCall(tool.name, arguments), page_argument(tool))
        mended = None if answers[0].ok else corrected(tool, arguments, answers[0].result.text)
        if mended is None or mended.keys() < arguments.keys():
            return answers  # without what narrows it, it tells of more than was asked for
        return self._state.ask_all_pages(PlannedCall(tool.name, mended), page_argument(tool))

    def _write(self, need: Need, values: JsonObject) -> NeedOutcome:
        """Write once. What was written, denied or is unknown to have happened is never sent again."""
        problems = []
        for tool in self._candidates(need, values):
            try:
                (arguments,) = self._filler(need).fill(tool, values, strict=True, narrow=False)
            except CannotFillError as gap:
                problems.append(self._say(gap.phrase, **gap.values))
                continue
            answer = self._written_before(tool, arguments) or self._written(tool, arguments)
            if answer.ok:
                return NeedOutcome(need, answer.call.tool, (answer,))
            return NeedOutcome(need, problem=self._failure([answer]))
        return NeedOutcome(need, problem=next(iter(problems), self._say("no_tool")))

    def _written(self, tool: ToolDefinition, arguments: JsonObject) -> PastCall:
        (answer,) = self._state.ask(PlannedCall(tool.name, arguments))
        if answer.ok or answer.result.kind in ("denied", "unknown_outcome"):
            return answer
        writers = [one for one in self._tools if self._effects.get(one.name, "write") in WRITES]
        other = pointed_to(writers, tool, arguments, answer.result.text)
        correction = (tool, corrected(tool, arguments, answer.result.text)) if other is None else other
        if correction[1] is not None:
            (answer,) = self._state.ask(PlannedCall(correction[0].name, correction[1]))
        return answer

    def _written_before(self, tool: ToolDefinition, arguments: JsonObject) -> PastCall | None:
        """The same write with another text, made before something more was found; its text then is the result."""
        text = self._result()
        late = {name for name, value in arguments.items() if isinstance(value, str) and text and text in value}
        for answer in self._state.made(tool.name):
            is_same_write = answer.call.arguments.keys() == arguments.keys() and all(
                answer.call.arguments[name] == value for name, value in arguments.items() if name not in late
            )
            if is_same_write and (answer.ok or answer.result.kind in ("denied", "unknown_outcome")):
                self._text = next((answer.call.arguments[name] for name in late if arguments[name] == text), text)
                return answer
        return None

    def _candidates(self, need: Need, values: JsonObject) -> list[ToolDefinition]:
        """The tools of the right effect, best first: those that speak of the need and have places for its arguments."""
        return self._fitting(need, values, [tool for tool in self._tools if self._able(need, tool)])

    def _fitting(self, need: Need, values: JsonObject, able: list[ToolDefinition]) -> list[ToolDefinition]:
        able = [tool for tool in able if not need.tools or any(fnmatchcase(tool.name, glob) for glob in need.tools)]
        query = f"{need.id} {need.description} {' '.join(need.arguments)}"
        scores = {tool.name: score * self._fit(need, values, tool) for tool, score in ranked_tools(query, able)}
        if not need.tools:
            able = [tool for tool in able if scores.get(tool.name) and is_about(query, tool)]
        return sorted(able, key=lambda tool: -scores.get(tool.name, 0.0))

    def _fit(self, need: Need, values: JsonObject, tool: ToolDefinition) -> float:
        """How much a tool's form suits: places for what is given and for the inputs, and the very effect that is declared."""
        share = places(tool, values)
        names = [terms(name) for name in properties(tool)]
        bounds = {"#start", "#end"}
        welcome = sum(
            terms(name) in names or (name == "date" and any(one & bounds for one in names)) for name in self._task.inputs
        )
        exact = self._effects.get(tool.name, "write") == need.effect
        return (share and 0.5 + 0.5 * share) * (1 + 0.25 * welcome) * (1.1 if exact else 1.0)

    def _able(self, need: Need, tool: ToolDefinition) -> bool:
        effect = self._effects.get(tool.name, "write")
        return effect == need.effect or (effect in WRITES and need.effect in WRITES)

    def _filler(self, need: Need) -> ArgumentFiller:
        return ArgumentFiller(
            readers=self._readers,
            state=self._state,
            inputs=self._task.inputs,
            words=f"{need.description} {self._task.goal}",
            today=self._day,
            zone=self._zone,
            language=self._task.language,
        )

    def _lookup(self, expression: str) -> Any:
        """The value of what stands in `{{…}}`."""
        if (table := table_of(expression)) is not None:
            return self._table(table)
        path, _, form = expression.partition(":")
        name, _, field = path.partition(".")
        if name == "result":
            return self._result()
        if path in ("date", "inputs.date"):
            return formatted(self._day, form)
        if name == "inputs" and field:
            return self._task.inputs.get(field)
        need = next((one for one in self._task.needs if one.id == name), None)
        if need is None or need.id in self._under_way:
            return self._task.inputs.get(path)
        outcome = self._settled(need)
        if field:
            return next((value for value in (first_value(item, field) for item in outcome.found) if value is not None), None)
        return "\n".join(answer.result.text for answer in outcome.answers) if outcome.met else None

    def _table(self, table: TableTemplate) -> list[list[Any]] | None:
        """What a need found, a row for each thing that counts; None while there is nothing."""
        need = next((one for one in self._task.needs if one.id == table.need), None)
        if need is None or need.id in self._under_way:
            return None
        found = [item for item in self._settled(need).found if table.counts({table.counted: first_value(item, table.counted)})]
        return [
            [table.cell(field, first_value(item, field), self._task.language) for field in table.fields] for item in found
        ] or None

    def _counts(self, need: Need, item: Any) -> bool:
        """Whether it is told: where the job passes on only rows above a figure, the others are nobody's news."""
        passed_on = [table for one in self._task.needs for table in tables_in(one.arguments) if table.need == need.id]
        return all(table.counts(item) for table in passed_on if isinstance(item, dict))

    def _sources(self) -> list[Need]:
        """The needs the text is drawn from: those that read, and do not build on something written."""
        late = {need.id for need in self._task.needs if need.effect != "read"}
        for need in self._task.needs:
            if late & {*need.after} or any(mentions(need.arguments, one) for one in late | {"result"}):
                late.add(need.id)
        return [need for need in self._task.needs if need.id not in late]

    def _result(self) -> str:
        """The composed text. Of what could not be read it says nothing: that nothing was found would be a claim."""
        if self._text is None:
            outcomes = collect_all(partial(self._settled, need) for need in self._sources())
            found = {outcome.need.id: self._relevant(outcome) for outcome in outcomes if outcome.met}
            unread = {outcome.need.id for outcome in outcomes if outcome.need.required and not outcome.met}
            if self._task.sections:
                sections = [section for section in self._task.sections if section.source not in unread]
                self._text = compose(sections, found, language=self._task.language)
            else:
                items_of = {outcome.need.shown: found[outcome.need.id] for outcome in outcomes if outcome.met}
                self._text = listing(items_of, language=self._task.language)
        return self._text

    def _relevant(self, outcome: NeedOutcome) -> list[Any]:
        """Its items of the person and the day the job is about, when they say whose and of when they are; the oldest first."""
        dated = [(moment_of(item, self._zone), item) for item in outcome.found]
        ranged = any(terms(name) & {"#start", "#end"} for name in outcome.need.arguments)
        if "date" in self._task.inputs and not ranged:
            dated = [(moment, item) for moment, item in dated if moment is None or moment.date() == self._day]
        if all(moment is not None for moment, _ in dated):
            dated.sort(key=lambda pair: pair[0].timestamp() if pair[0] else 0.0)
        found = [item for _, item in dated if self._counts(outcome.need, item)]
        people = {name: value for name, value in self._task.inputs.items() if terms(name) == terms("user") and value}
        names = {one for value in people.values() for one in strings(value)}
        if names and any(authors(item) for item in found) and not any(authors(item) & names for item in found):
            names |= self._also_known_as(names)
        return by_author(found, names)

    def _also_known_as(self, names: set[str]) -> set[str]:
        """The other names and ids of a person, from a tool that lists people."""
        filler = self._filler(Need(id="user", description=""))
        people = [{field: one[field] for field in FIELDS.person if field in one} for one in filler.listed("user")]
        return {name for person in people if strings(person) & names for name in strings(person)}

    def _failure(self, answers: Sequence[PastCall]) -> str:
        failed = next(answer for answer in answers if not answer.ok)
        lines = error_words(failed.result.text.strip()).splitlines()
        error = reason_in(self._task.language, lines[0] if lines else failed.result.kind)
        return self._say("tool_failed", tool=failed.call.tool, error=error)

    def _say(self, phrase: str, **values: object) -> str:
        return say(self._task.language, phrase, **values)
