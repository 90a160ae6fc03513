"""Sources of delivered sentences and of argument values, as shown on the pages."""

import difflib
import itertools
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from autonomy.durable.records.transcripts import CallTranscript, Transcript
from autonomy.policy.write_plan import same_value
from autonomy.provenance import About, Origin, Sources, Trace, ValueSource, attribute
from autonomy.provenance.sentence_vectors import encoder
from autonomy.provenance.sources.leaves import last_key
from autonomy.provenance.sources.origins import Part
from autonomy.provenance.support import SentenceSupport
from autonomy.run_state.earlier_texts import LONGEST_CHARS, earlier_text, is_text
from autonomy.run_state.run_provenance import add_record
from autonomy.run_state.run_values import HOST
from discovery.catalog import Effect, Frozen
from discovery.schemas.schema_walk import as_object, presets

QUOTED_CHARS = 240
"""Characters that are quoted of a source: enough to recognise it, and a page of a hundred notes stays light."""


class Note(Frozen):
    """One source, numbered as the text refers to it."""

    number: int
    origin: str
    """`field`, `text`, `asker`, …: `autonomy.provenance.Origin`."""
    call: str = ""
    """The key of the call it was taken from (`turn-2/call-1`); empty for the goal and the settings."""
    tool: str = ""
    quote: str = ""


class SentenceSource(Frozen):
    """One sentence of a delivered text, and what it rests on."""

    start: int
    """The first character in the text."""
    end: int
    notes: tuple[int, ...] = ()
    """Numbers of notes; none in a sentence that needs a source means that nothing in the run says so."""
    needs_source: bool = True
    """False for a heading, a greeting, or what repeats the request."""
    elsewhere: bool = False
    """Whether it is true only of other persons, days or places than asked for."""
    unsourced: tuple[tuple[int, int], ...] = ()
    """The facts in it that stand nowhere, as ranges of the text."""


class AnnotatedText(Frozen):
    """A delivered text with the sources of its sentences."""

    text: str
    sentences: tuple[SentenceSource, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def wanting(self) -> int:
        """How many sentences need a source."""
        return sum(sentence.needs_source for sentence in self.sentences)

    @property
    def unsourced(self) -> int:
        """How many of them have none."""
        return sum(sentence.needs_source and not sentence.notes for sentence in self.sentences)

    @property
    def unsourced_facts(self) -> int:
        """How many facts of the others stand nowhere."""
        return sum(len(sentence.unsourced) for sentence in self.sentences if sentence.needs_source and sentence.notes)


class ValueOrigin(Frozen):
    """The source of one argument's value."""

    origin: str
    """Of its weakest part: `asker`, `field`, `text`, …; `own` for the model's own wording, `choice` for its own yes or no, `none`
    where a fact in it stands nowhere."""
    call: str = ""
    tool: str = ""
    quote: str = ""
    """What its source says; of `none`, the facts that stand nowhere."""


class DiffLine(Frozen):
    """One line of a text's two versions."""

    kind: Literal["same", "removed", "added"]
    text: str


def annotate(transcript: Transcript, timezone: str) -> dict[str, AnnotatedText]:
    """The run's last words and what it wrote elsewhere, with sources. Pure, and dear: a second for a long text."""
    texts = dict(_delivered(transcript))
    if not texts:
        return {}
    zone = ZoneInfo(timezone)
    found = {}
    for name, (text, before) in texts.items():
        sources = sources_of(transcript, zone, before=before)
        found[name] = _annotated(text, attribute(text, sources, About(), encoder()).sentences)
    return found


def compile_expressions() -> None:
    """Read a text of nothing, so that the first page with a text does not wait for the expressions. Blocks for 0.1 s."""
    sources = Sources()
    sources.add_words("1月 1日")
    attribute("1月 1日、1件です。", sources, About())


def sources_of(transcript: Transcript, zone: ZoneInfo, *, before: str = "") -> Sources:
    """The possible sources of a value in a run; `before`: only those that existed when this call was asked for."""
    record = transcript.record
    sources = Sources(day=datetime.fromtimestamp(record.asked_at, zone).date(), zone=zone)
    task = record.request.task
    if record.request.instructions:
        sources.add_settings({"instructions": record.request.instructions})
    if record.job:
        sources.add_job({"goal": task.goal, "inputs": task.inputs})
    else:
        sources.add_words(record.request.trusted_task.goal)
        for pasted in record.request.pasted:
            sources.add_text(Origin.PASTED, pasted, "goal")
        sources.add_job({"inputs": task.inputs})
    for message in record.request.history:
        sources.add_text(Origin.HISTORY, message.text, message.role)
    for call in _before(transcript, before):
        if call.record is not None and call.outcome not in ("denied", "not_run"):
            add_record(sources, call.record.model_copy(update={"whole": call.whole}), call.key)
    return sources


def origins_of(transcript: Transcript, call: CallTranscript, timezone: str) -> dict[str, ValueOrigin]:
    """The source of each argument of a call, by name."""
    sources = sources_of(transcript, ZoneInfo(timezone), before=call.key)
    offered = transcript.offer.definitions if transcript.offer else ()
    schema = next((tool.input_schema for tool in offered if tool.name == call.tool), {})
    arguments = as_object(schema.get("properties"))
    given = {name: presets(schema, as_object(arguments.get(name))) for name in call.arguments or {}}
    return {name: origin_of(sources, value, name, given[name]) for name, value in (call.arguments or {}).items()}


def texts_of(transcript: Transcript, call: CallTranscript, timezone: str) -> dict[str, AnnotatedText]:
    """The texts among the arguments of a call with the sources of their sentences, by argument; dear as `annotate` is."""
    sources = sources_of(transcript, ZoneInfo(timezone), before=call.key)
    texts = {name: value for name, value in (call.arguments or {}).items() if is_text(value)}
    return {name: _annotated(text, attribute(text, sources, About(), encoder()).sentences) for name, text in texts.items()}


def earlier_version(transcript: Transcript, call: CallTranscript, name: str) -> str | None:
    """The text that a write is about to replace, where the run has read it: under the same name, and alike."""
    before = (one for one in _before(transcript, call.key) if one.record is not None and _effect(one) is Effect.READ)
    records = [one.record.model_copy(update={"whole": one.whole}) for one in before if one.record is not None]
    return earlier_text(name, (call.arguments or {}).get(name), records)


def diff(before: str, after: str) -> tuple[DiffLine, ...]:
    """Two versions of a text, line by line."""
    old, new = before.splitlines(), after.splitlines()
    found = list[DiffLine]()
    # not `ndiff`, which compares each changed line with each other one: minutes for some hundreds of them
    for kind, begin, end, new_begin, new_end in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            found += [DiffLine(kind="same", text=text) for text in old[begin:end]]
            continue
        pairs = itertools.zip_longest(old[begin:end], new[new_begin:new_end])
        for removed, added in pairs:
            found += [DiffLine(kind="removed", text=removed)] if removed is not None else []
            found += [DiffLine(kind="added", text=added)] if added is not None else []
    return tuple(found)


def _delivered(transcript: Transcript) -> Iterator[tuple[str, tuple[str, str]]]:
    """The texts that left the run: name → text, and the call before which its sources must have been there.

    Why a run was not taken on is no statement about anything that was read.
    """
    result = transcript.record.result
    if result is not None and result.ending != "declined" and result.text.strip() and len(result.text) <= LONGEST_CHARS:
        yield "result", (result.text, "")
    for call in transcript.calls:
        if _effect(call) is Effect.READ or call.record is None or call.record.provider == HOST:
            continue
        for name, value in call.record.arguments.items():
            if is_text(value):
                yield f"{call.key} {name}", (value, call.key)


def _annotated(text: str, sentences: tuple[SentenceSupport, ...]) -> AnnotatedText:
    notes: dict[tuple[str, str], Note] = {}

    def note(origin: str, call: str, tool: str, quote: str) -> int:
        excerpt = quote[:QUOTED_CHARS]
        known = notes.get((call or origin, excerpt))
        if known is None:
            known = notes[call or origin, excerpt] = Note(
                number=len(notes) + 1, origin=origin, call=call, tool=tool, quote=excerpt
            )
        return known.number

    def rests_on(sentence: SentenceSupport) -> tuple[int, ...]:
        units = [note("read", unit.call_id, unit.tool, unit.text) for unit in sentence.units]
        facts = [source for fact in sentence.facts for source in fact.sources[:1]]
        stated = [note(source.origin.value, source.call_id, source.tool, source.text) for source in facts]
        return tuple(dict.fromkeys([*units, *stated]))

    found = tuple(
        SentenceSource(
            start=sentence.start,
            end=sentence.end,
            notes=rests_on(sentence) if sentence.supported and not sentence.neutral else (),
            needs_source=not sentence.neutral,
            elsewhere=sentence.elsewhere and not sentence.neutral,
            unsourced=tuple(
                (one.fact.start, one.fact.end) for one in sentence.facts if not one.supported and not sentence.neutral
            ),
        )
        for sentence in sentences
    )
    return AnnotatedText(text=text, sentences=found, notes=tuple(notes.values()))


def origin_of(sources: Sources, value: object, name: str = "", given: Sequence[object] = ()) -> ValueOrigin:
    """The source of one value as a card shows it: the weakest source of its parts, or the part without one.

    `name`: of the argument; yes and no stand everywhere, and only where they are called the same do they tell anything.
    `given`: what the tool's schema gives for it.
    """
    trace = sources.trace(value)
    is_said = trace.weakest is not None and trace.weakest.trusted
    if not isinstance(value, bool) and not is_said and any(same_value(value, one) for one in given):
        return ValueOrigin(origin="schema")
    if isinstance(value, bool):
        named = tuple(source for source in trace.sources if last_key(source.path) == name)
        if not named:
            return ValueOrigin(origin="choice")
        trace = Trace((Part(None, named),))
    if len(trace.parts) > 1:  # "next week" in a text is wording, and no value that somebody has to have given
        trace = Trace(tuple(part for part in trace.parts if part.sources or part.fact is None or not part.fact.relative))
    if not trace.parts:
        return ValueOrigin(origin="own")
    if (weakest := trace.weakest) is None:
        unknown = [part.fact.text for part in trace.parts if not part.sources and part.fact is not None]
        return ValueOrigin(origin="none", quote=", ".join(unknown)[:QUOTED_CHARS])
    source: ValueSource = next(part.sources[0] for part in trace.parts if part.sources[0].origin is weakest)
    return ValueOrigin(origin=weakest.value, call=source.call_id, tool=source.tool, quote=source.text[:QUOTED_CHARS])


def _before(transcript: Transcript, key: str) -> Iterator[CallTranscript]:
    """The calls of the turns before; those of the same reply were asked for without having seen each other's results."""
    turn = key.split("/")[0]
    for one in transcript.turns:
        if key and one.key == turn:
            return
        yield from one.calls


def _effect(call: CallTranscript) -> Effect:
    effects = {effect.value: effect for effect in Effect}
    return effects.get(call.record.effect if call.record else call.effect, Effect.READ)
