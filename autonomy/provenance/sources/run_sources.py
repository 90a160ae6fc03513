"""Stores the sources of a run and finds those of a value."""

import re
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from autonomy.provenance.sources.echoes import Echoes, made_known, new_in_the_answer, why_it_failed
from autonomy.provenance.sources.evidence_units import LONGEST_FIELD, EvidenceUnit, is_line, with_speech
from autonomy.provenance.sources.identities import Identities, asked_and_shown
from autonomy.provenance.sources.leaf_intake import LeafIntake
from autonomy.provenance.sources.leaf_text import BETWEEN, LeafText
from autonomy.provenance.sources.leaves import Entry, Leaf, leaves, parsed, walk_in_columns
from autonomy.provenance.sources.origins import MOST_SOURCES, SHOWN_CHARS, Origin, Part, Trace, ValueSource, strongest
from autonomy.provenance.sources.read_evidence import ReadEvidence
from autonomy.provenance.sources.stated_facts import (
    NAMED_BESIDE,
    counts_others,
    is_small,
    measured_otherwise,
    states,
)
from autonomy.provenance.sources.tabular.captions import new_lines
from autonomy.provenance.sources.tabular.mailbox_lists import with_mailboxes
from autonomy.provenance.sources.tabular.text_tables import with_named_cells, with_rows
from autonomy.provenance.text.dates import is_iso_day, local_moment, with_slashes, zone_called, zones_named
from autonomy.provenance.text.facts import (
    Fact,
    FactKind,
    exact_facts_in,
    facts_in,
    number_key,
)
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.units import units_like
from autonomy.provenance.text.word_data import load_words
from discovery.catalog import Effect, JsonObject
from metrics.text.phrases import lazy_pattern, patterns_of

SHORTEST_REQUEST = 8
"""Characters of a request that is known again among messages: a shorter one may be anybody's word."""
SHORTEST_INITIALS = 3
"""Two words side by side have any two initials."""
_INITIALS = re.compile(r"([A-Z])(\d?)")
_ABBREVIATION = re.compile(r"(?:[A-Z]\d?){1,6}")
_WITH_OFFSET = re.compile(r"(?:Z|[-+]\d\d:?\d\d)$")
MOST_MOMENTS = 20_000
_PHRASES = patterns_of("autonomy.provenance")
_SCALED, _COUNTED_PLAINLY = _PHRASES["counts_in_thousands"], _PHRASES["counts_plainly"]
MOST_ZONES = 4
"""Of more, any time of day is the time somewhere."""
MOST_EXAMINED = 400
"""Leaves that are read for one fact; those that hold its figures come first."""
LONGEST_COMPOSED = 200_000
"""Characters of an argument in which facts are sought; the rest counts as without source."""
SHORTEST_CONTAINED = 2
_LAST_PART, _KANJI = re.compile("[\u3400-\u9fff々] "), re.compile("[\u3400-\u9fff々]")
"""What stands before the last part of a full name in Japanese, and what goes on with another word behind it."""
LONGEST_PERSON = 8
"""Characters of a full name in kanji."""
LONGEST_FAILURE, MOST_TRIED = 2_000, 20
"""Characters of an error, and values of its call, that what is told of it may rest on."""


class Sources(ReadEvidence):
    """The sources of one run: append-only, rebuilt from the run's records. What is looked up does not depend on the order of
    adding.

    Adding is cheap; indexes are made when something is looked up first, and only of what came since.
    """

    def __init__(self, day: date | None = None, zone: tzinfo | None = None) -> None:
        """`day`: the run's day, from which relative words are resolved; `zone`: where its people live (UTC when None)."""
        super().__init__(day, zone)
        self._texts: list[LeafText] = []
        """Strongest origin first, and of one origin in the order of arrival."""
        self._echoes = Echoes()
        self._answered: tuple[str, ...] = ()
        self.failures: list[EvidenceUnit] = []
        """What was said of each call that was refused or failed, and the short values that it was made with."""
        self._spaced: set[str] = set()
        """Whole addresses with blanks or quotation marks inside, decoded."""
        self._offsets: set[int] = set()
        """Hours ahead of UTC in which moments of results are written."""
        self._zones: set[str] = set()
        """The zones that results and the request name, by their IANA names."""
        self._clocks: tuple[ZoneInfo, ...] = ()
        self._elsewhere: dict[str, list[tuple[LeafText, int]]] | None = None
        """The moments of results by the times of day that clocks in those zones show."""
        self.identities = Identities()
        """Which ids and names results show for the same person, channel or place."""
        self._given_terms: set[str] = set()
        self._found: dict[tuple[FactKind, str, tuple[str, ...], str], tuple[ValueSource, ...]] = {}
        """The sources of facts that were asked for since the last addition."""
        self._scales: tuple[int, Mapping[str, str]] | None = None
        self._read_facts: dict[str, tuple[Fact, ...]] = {}
        """The facts of short texts that were read."""

    def add_settings(self, values: Mapping[str, Any]) -> None:
        """The operator's settings that values may be taken from, by name."""
        self._add(Origin.OPERATOR, leaves(dict(values)), "settings")

    def add_job(self, values: Mapping[str, Any]) -> None:
        """Add the values that the job file fixes: `{"goal": …, "inputs": {…}, "needs": […]}`."""
        self._add(Origin.JOB, leaves(dict(values)), "job")

    def add_words(self, text: str, *, answered_by: str = "") -> None:
        """The words of the person who asked; `answered_by`: the id of whoever answers, whose earlier words show nothing."""
        self._own = fold(answered_by)
        self._request = fold(text).strip() if len(text) >= SHORTEST_REQUEST else ""
        self.add_text(Origin.ASKER, text, "goal")

    def add_text(self, origin: Origin, text: str, label: str = "") -> None:
        """Any other text in view: `HISTORY`, `DESCRIPTION`. Structure inside of it changes nothing."""
        self._add(origin, (Leaf("$", "", text),), label)

    def add_result(
        self,
        call_id: str,
        tool: str,
        result: Any,
        *,
        arguments: JsonObject | None = None,
        effect: Effect = Effect.READ,
        steered: bool = False,
        is_error: bool = False,
        text: str = "",
    ) -> None:
        """One result: its structured form or its text. `steered`: whether untrusted text chose the call or its arguments.

        `text`: the words that came beside structured data; what they only repeat of it counts once.
        A write's answer repeats what the run sent, so it is no evidence: only ids and addresses that are new count. The same
        goes for what is read back of it later.
        """
        result = with_named_cells(parsed(result))
        lines = new_lines(text, result) if text and not isinstance(result, str) else ()
        if effect is not Effect.READ:
            self._echoes.wrote(arguments)
            forced = Origin.TEXT if steered or is_error else None
            self._add(forced, made_known(result, "\n".join(lines), arguments), "", call_id, tool)
            if is_error:
                self._add(Origin.TEXT, why_it_failed(result, arguments), "", call_id, tool)
            else:
                self._add_answer(result, arguments)
                new = tuple(new_in_the_answer(result, arguments))
                self._add(Origin.TEXT, new, "", call_id, tool)
                self._answered += tuple(f"{leaf.key}: {leaf.value}" for leaf in new)
            return
        if isinstance(result, str) and (people := with_mailboxes(tool, result)):
            result = people
        result = self._echoes.without(result, arguments)
        lines = tuple(line for line in lines if self._echoes.without(line, arguments))
        forced = Origin.TEXT if steered or is_error or isinstance(result, str) else None
        self._add(forced, with_speech(result), "", call_id, tool)
        if isinstance(result, str) and (rows := with_rows(result)):
            self._add(forced, walk_in_columns(rows), "", call_id, tool)
            result = rows
        if lines:
            self._add(Origin.TEXT, (Leaf("$", "", line) for line in lines), "", call_id, tool)
        if not is_error:
            by = tool if forced is None else ""
            self.identities.learn(result, by)
            for name, identifier in asked_and_shown(result, arguments):
                self.identities.same(name, identifier, by)
            self._add_read(call_id, tool, result, arguments, tuple(lines))

    def add_failure(self, call_id: str, tool: str, words: str, arguments: JsonObject) -> None:
        """A call that was refused or failed: what is told of the failure may rest on it, and nothing else."""
        tried = [str(leaf.value) for leaf in leaves(arguments) if is_line(str(leaf.value)) and " " not in str(leaf.value)]
        text = "\n".join((words[:LONGEST_FAILURE], *tried[:MOST_TRIED]))
        nobody: frozenset[str] = frozenset()
        self.failures.append(EvidenceUnit(call_id, tool, "$", text, nobody, nobody, nobody))

    @property
    def _hours_ahead(self) -> int:
        """How far the clocks of the run's people are ahead of UTC, in which logs are written."""
        offset = self.zone.utcoffset(datetime.combine(self.day or date(2000, 1, 1), time(12)))
        return round((offset or timedelta()).total_seconds() / 3600)

    def settle(self, zone: tzinfo, day: date | None = None) -> None:
        """Times are told in this zone from now on, and relative words are of this day, where one is given; what was
        read otherwise is read again."""
        day = day or self.day
        if (zone, day) != (self.zone, self.day):
            self.zone, self.day = zone, day
            self._found.clear()
            self._forget_units()
            self._read_facts.clear()
            for text in self._texts:
                text.facts.clear()

    def sources_of(self, value: Any) -> tuple[ValueSource, ...]:
        """The sources of an argument's value, strongest first; empty when it, or any fact in it, has none.

        A policy that needs every part of a composed value to be trusted asks `trace(value).weakest`.
        """
        return self.trace(value).sources

    def trace(self, value: Any) -> Trace:
        """The sources of a value, part by part: a scalar as a whole, else each fact in it; a list or object leaf by leaf."""
        if isinstance(value, dict | list | tuple):
            return Trace(tuple(part for leaf in leaves(value) for part in self.trace(leaf.value).parts))
        if value is None or value == "":
            return Trace(())
        if not isinstance(value, str):
            return Trace((Part(None, self._of_scalar(value)),))
        if whole := self._of_whole(value):
            return Trace((Part(None, whole),))
        parts = [Part(fact, self.of_fact(fact)) for fact in facts_in(value[:LONGEST_COMPOSED], self.day, self.zone)]
        return Trace((*parts, Part(None, ())) if len(value) > LONGEST_COMPOSED else tuple(parts))

    def of_fact(self, fact: Fact) -> tuple[ValueSource, ...]:
        """The sources of one fact, strongest first."""
        cache_key = fact.kind, fact.text, fact.keys, fact.unit
        if cache_key not in self._found:
            self._found[cache_key] = self._search(fact)
        return self._found[cache_key]

    def _search(self, fact: Fact) -> tuple[ValueSource, ...]:
        if fact.kind in (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL):
            found = [source for key in fact.keys for source in self._containing(fold(key), exact=fact.kind is FactKind.URL)]
            if fact.kind is FactKind.URL:  # where a form ends at a blank, the address itself goes on
                found = [source for source in found if source.text not in self._spaced or source.text == fact.text]
            aliases = self._by_alias(fact.keys[0]) if fact.kind is FactKind.NAME else ()
            if fact.kind is FactKind.NAME and len(fact.keys[0]) < SHORTEST_CONTAINED:
                found += [*self._equal(fact.keys[0], fact.keys[0]), *self._in_full_names(fact.keys[0])]
                found += self._containing(f"@{fact.keys[0]}")
                found += self._containing(fold(fact.text))  # with the title: 涼さん
            return strongest([*found, *aliases])
        if fact.kind is FactKind.ID and _SHORT_HASH.fullmatch(fact.keys[0]):
            return strongest([*self._stating(fact), *self._beginning(fact.keys[0])])
        found = list(self._stating(fact))
        if fact.kind is FactKind.TIME and not found:
            shown = (self._by_clocks_elsewhere().get(key, ()) for key in fact.keys)
            found = [_source(*place, 0, len(str(place[0].values[place[1]]))) for places in shown for place in places]
        return strongest(found)

    def open_clocks(self) -> None:
        """From now on a time of day counts as read as well where clocks show it in a zone that results or the request name.
        It reads the zones' files: not for an event loop."""
        called = (zone_called(name) for name in sorted(self._zones)[:MOST_ZONES])
        self._clocks, self._elsewhere = tuple(zone for zone in called if zone), None
        self._found.clear()

    def _by_clocks_elsewhere(self) -> dict[str, list[tuple[LeafText, int]]]:
        if self._elsewhere is None:
            self._elsewhere = defaultdict(list)
            places = ((text, leaf) for text in self._texts if text.moments for leaf in range(len(text.values)))
            for text, leaf in islice(places, MOST_MOMENTS) if self._clocks else ():
                for zone in self._clocks:
                    at = local_moment(text.values[leaf], zone) if _WITH_OFFSET.search(str(text.values[leaf])) else None
                    if at:
                        self._elsewhere[f"{at:%H:%M}"].append((text, leaf))
        return self._elsewhere

    def asked_values(self) -> tuple[str, ...]:
        """What the person who asked wrote, and the job."""
        return tuple(str(value) for text in self._texts if text.origin in (Origin.ASKER, Origin.JOB) for value in text.values)

    def address_at(self, text: str, start: int) -> str:
        """The address with blanks that begins there, as a result gives it; empty where none does. No form tells its end."""
        spaced = (written for written in self._spaced if text.startswith(written, start))
        return max(spaced, key=len, default="")

    def trusted_text(self) -> tuple[str, ...]:
        """The folded values that the operator, the job and the person who asked gave."""
        return tuple(leaf for text in self._texts if text.origin.trusted for leaf in text.folded)

    def trusted_values(self) -> tuple[str, ...]:
        """The same as they were written: folding takes ドル for どる, which is no unit."""
        return tuple(str(value) for text in self._texts if text.origin.trusted for value in text.values)

    def given_terms(self) -> frozenset[str]:
        """The terms of what the operator, the job and the person who asked said or pasted: no sentence of them is invented."""
        return frozenset(self._given_terms)

    def scales(self) -> Mapping[str, str]:
        """How results say that their money is counted in thousands or millions, by call; none that counts some of it plainly."""
        if self._scales is None or self._scales[0] != len(self._read):
            texts = [(text.call_id, text.text) for text in self._texts if text.call_id]
            texts += [(read.call_id, BETWEEN + fold("\n".join(read.lines))) for read in self._read if read.lines]
            plain = {call for call, text in texts if _COUNTED_PLAINLY.search(text)}
            found = ((call, match.group()) for call, text in texts if call not in plain and (match := _SCALED.search(text)))
            self._scales = len(self._read), dict(found)
        return self._scales[1]

    def contains(self, text: str) -> bool:
        """Whether a folded text stands anywhere in what the run has seen."""
        key = fold(text).strip()
        return bool(key) and any(one in text.text for one in _spellings(key) for text in self._texts)

    @property
    def answered(self) -> tuple[str, ...]:
        """The data in answers to writes beyond what was sent, each with the name of its field."""
        return self._answered

    def abbreviates(self, short: str) -> bool:
        """Whether the initials of words that stand side by side in what was read are this: RDS, and EC2 for two Cs."""
        initials = "".join(letter * int(times or 1) for letter, times in _INITIALS.findall(short.upper()))
        if len(initials) < SHORTEST_INITIALS or not _ABBREVIATION.fullmatch(short):
            return False
        words = r"[\w]*\W{1,3}(?:of |and |the |for )?".join(map(re.escape, initials.lower()))
        spelt = re.compile(rf"(?<![^\W_]){words}")
        return any(spelt.search(text.text) for text in self._texts)

    def _add(self, origin: Origin | None, entries: Iterable[Entry], label: str, call_id: str = "", tool: str = "") -> None:
        """Take in leaves of one thing, as path, key and value. `origin`: None where each leaf tells its own."""
        self._found.clear()
        self._elsewhere = None
        intake = LeafIntake(origin, call_id, tool, label, self.zone)
        intake.take(entries)
        self._offsets |= intake.offsets
        self._zones |= intake.zones
        self._spaced |= intake.spaced
        self._cells += intake.cells
        for text in intake.texts():
            insort(self._texts, text, key=lambda text: text.strength)
            if text.origin.trusted or text.origin is Origin.PASTED:
                self._hear(text)

    def _hear(self, text: LeafText) -> None:
        """Take in the terms of what somebody gave, and the zones that it names."""
        for named, zones in map(_said_by_settings if text.origin is Origin.OPERATOR else _said, map(str, text.values)):
            self._given_terms |= named
            self._zones |= zones

    def _of_scalar(self, value: float | bool) -> tuple[ValueSource, ...]:
        equal = ((text, leaf) for text in self._texts for leaf in text.same(value))
        same = [_source(text, leaf, 0, len(str(value))) for text, leaf in islice(equal, MOST_EXAMINED)]
        if isinstance(value, bool):
            return strongest(same)
        key = number_key(value)
        number = Fact(FactKind.NUMBER, key, 0, 0, (key,))
        reference = Fact(FactKind.ID, f"#{key}", 0, 0, (f"#{key}",))
        return strongest([*same, *self._stating(number), *self._stating(reference)])

    def _of_whole(self, value: str) -> tuple[ValueSource, ...]:
        """The sources of a text as it is: a leaf of its own, a word of a leaf, or the other name of one."""
        key = fold(value).strip()
        if not key:
            return ()
        facts = facts_in(value.strip(), self.day, self.zone) if len(key) <= SHOWN_CHARS else ()
        single = next((fact for fact in facts if fact.text == value.strip() and fact.kind not in _FOUND_BY_TEXT), None)
        if single:
            return strongest([*self._equal(key, value), *self._stating(single), *self._by_alias(key)])
        return strongest([*self._equal(key, value), *self._containing(key), *self._by_alias(key)])

    def _equal(self, key: str, value: str) -> Iterator[ValueSource]:
        exact = normalize(value).strip()
        for text in self._texts:
            for leaf in text.equal(key, MOST_EXAMINED) if len(key) <= SHOWN_CHARS and key in text.text else ():
                written = str(text.values[leaf])
                if normalize(written).strip() == exact or not _CASE_MATTERS.fullmatch(exact):
                    yield _source(text, leaf, 0, len(written))

    def _by_alias(self, key: str) -> list[ValueSource]:
        """Sources of the other names of a person. They are worth no more than the result that showed the pair: a structured
        field, or a text."""
        found = []
        for other in self.identities.names_of(key) - {key}:
            pair = Origin.FIELD if self.identities.shows(key, other) else Origin.TEXT
            for source in (*self._equal(other, other.upper()), *self._containing(other)):
                weaker = max(source.origin, pair, key=lambda origin: origin.strength)
                found.append(source._replace(origin=weaker, alias=other))
        return found

    def _containing(self, key: str, *, exact: bool = False) -> Iterator[ValueSource]:
        """Leaves in which a folded text stands as words of its own. `exact`: as a whole address."""
        for spelt in _spellings(key) if len(key) >= SHORTEST_CONTAINED else ():
            for text in self._texts:
                found = 0
                for at in text.places_of(spelt, MOST_EXAMINED) if spelt in text.text else ():
                    if _is_bounded(text.text, at, at + len(spelt), exact=exact):
                        yield _located(text, at, spelt)
                        found += 1
                        if found == MOST_SOURCES:
                            break

    def _in_full_names(self, key: str) -> Iterator[ValueSource]:
        """Full names of which a name of one character is the first or the last part: 林 in 林 直樹 and 林 <hayashi@…>, 遥 in
        佐藤 遥の日記."""
        for text in self._texts:
            for at in text.places_of(key, MOST_EXAMINED):
                leaf = text.leaf_at(at)
                begins, end = at == text.start_of(leaf), at + len(key)
                is_first = begins and (len(str(text.values[leaf])) <= LONGEST_PERSON or text.text.startswith(" <", end))
                is_last = not begins and _LAST_PART.match(text.text, at - 2) and not _KANJI.match(text.text, end)
                if is_first or is_last:
                    yield _located(text, at, key)

    def _beginning(self, key: str) -> Iterator[ValueSource]:
        """Leaves with a commit's hash that begins like this: people write seven of its forty figures."""
        for text in self._texts:
            for at in islice(text.places_of(key, MOST_EXAMINED), MOST_SOURCES):
                if not _is_wordy(text.text[at - 1 : at]) and _HASH_GOES_ON.match(text.text, at + len(key)):
                    yield _located(text, at, key)

    def _stating(self, fact: Fact) -> Iterator[ValueSource]:
        """Leaves that state a number, id, date or time, whatever its notation; as many as are shown, the strongest first."""
        found, otherwise = 0, self._given_otherwise(fact.unit)
        silent: set[tuple[bool, str]] = set()  # the objects of a list repeat the same few texts
        days = _days_beside(fact)
        for text, leaf in self._candidates(fact):
            value = text.values[leaf]
            if otherwise and text.call_id and isinstance(value, int | float):
                continue
            if isinstance(value, str) and (
                (text.origin.trusted, value) in silent or (days and text.moments and _is_of_other_days(value, days))
            ):
                continue
            if fact.unit and counts_others(text.keys[leaf], text.paths[leaf]):
                continue
            if fact.unit and measured_otherwise(text.keys[leaf], fact.unit):
                continue
            for stated in self._facts_of(text, leaf):
                if states(stated, fact) and not (is_small(fact) and not stated.unit and isinstance(value, str)):
                    yield _source(text, leaf, stated.start, stated.end)
                    found += 1
                    break
            else:
                if isinstance(value, str):
                    silent.add((text.origin.trusted, value))
            if found == MOST_SOURCES:
                return

    def _given_otherwise(self, unit: str) -> bool:
        """Whether results give what this unit measures in another one, which they name, and never in this one."""
        return unit in NAMED_BESIDE and not self._is_named(unit) and any(map(self._is_named, units_like(unit)))

    def _is_named(self, unit: str) -> bool:
        return any(f"{BETWEEN}{unit}{BETWEEN}" in text.text for text in self._texts if text.call_id)

    def _candidates(self, fact: Fact) -> list[tuple[LeafText, int]]:
        """Leaves that hold the figures any notation of a fact has, and those that write numbers in words, in the order of
        sources."""
        search_terms: set[str] = set()
        forms = [fold(fact.text)]
        for key in fact.keys:
            runs = [run.lstrip("0") or "0" for run in _FIGURES.findall(key)]
            if fact.kind is FactKind.DATE:
                search_terms.update(runs[-1:])
                if is_iso_day(key):  # 22:40 in UTC is the next day in Tokyo
                    search_terms.update(str(other.day) for other in _around(key, 1))
                    forms.append(key)
                elif _MONTH.fullmatch(key):  # which an English text writes without figures
                    forms += _names_of_month(int(key[-2:]))
            elif fact.kind is FactKind.TIME:
                hour = int(runs[0])
                in_utc = hour - self._hours_ahead
                shifted = {other % 24 for other in (hour, in_utc, *(in_utc + offset for offset in self._offsets))}
                search_terms.update(map(str, {*shifted, (hour - 12) % 24}))
                forms += [f"{other:02}{key[2:]}" for other in shifted]
            elif fact.kind is FactKind.ID and key[:1] != "#":  # whoever writes it writes this, and no other notation
                forms.append(fold(key))
            else:
                search_terms.add(max(runs, key=len, default=""))
                if fact.unit in ("分", "秒") and key.isdecimal() and int(key) >= 60:
                    search_terms.update(map(str, divmod(int(key), 60)))  # 101 minutes are written "1 hour 41 mins"
        in_words = fact.kind is not FactKind.ID
        timed = fact.kind in (FactKind.DATE, FactKind.TIME) or fact.unit == "日"
        texts = [text for text in self._texts if timed or not text.moments]
        found = ((text, leaf) for text in texts for leaf in text.stating(search_terms, in_words=in_words, most=MOST_EXAMINED))
        # days and times hold the same figures a thousand times over: what is written like the fact, or as in ISO, is read too
        alike = (
            ((text, leaf) for text in texts if form in text.text for leaf in text.holding(form, MOST_EXAMINED))
            for form in dict.fromkeys(forms)
        )
        first = dict.fromkeys(place for places in alike for place in islice(places, MOST_EXAMINED))
        rest = (place for place in islice(found, MOST_EXAMINED) if place not in first)
        placed = [
            (text.strength, at, text.call_id, text.paths[leaf], text, leaf)
            for at, some in enumerate((first, rest))
            for text, leaf in some
        ]
        return [place[-2:] for place in sorted(placed, key=itemgetter(0, 1, 2, 3))]

    def _facts_of(self, text: LeafText, leaf: int) -> tuple[Fact, ...]:
        facts = text.facts.get(leaf)
        if facts is None:
            written = normalize(str(text.values[leaf]))
            facts = self._read_facts.get(written)
            if facts is None:
                facts = tuple(exact_facts_in(with_slashes(written[:LONGEST_COMPOSED]), self.day, self.zone))
                if len(written) <= LONGEST_FIELD:  # the objects of a list repeat the same few
                    self._read_facts[written] = facts
            if not text.origin.trusted:  # 今日 in a message of another day is another day
                facts = tuple(fact for fact in facts if not fact.relative)
            if isinstance(text.values[leaf], int) and _numbers_things(text.keys[leaf]):
                facts = (*facts, Fact(FactKind.ID, written, 0, len(written), (f"#{written}",)))
            text.facts[leaf] = facts
        return facts


_MONTH = re.compile(r"(?:-|\d{4})-\d\d")


@cache
def _names_of_month(month: int) -> tuple[str, ...]:
    return tuple(name for name, number in load_words("dates")["months"].items() if number == month)


def _numbers_things(key: str) -> bool:
    """Whether what stands under a key is a number by which a thing is called: `number`, `run_number`."""
    return key.lower() in load_words("result_keys")["id"] or key.lower().endswith(("number", "#"))


def _around(day: str, many: int) -> Iterator[date]:
    """An ISO day with so many before and after it."""
    at = date.fromisoformat(day).toordinal()
    return map(date.fromordinal, range(max(1, at - many), min(date.max.toordinal(), at + many) + 1))


def _days_beside(fact: Fact) -> frozenset[str]:
    """The ISO days on one of which a moment of a fact's day is written; empty where it names other than such days."""
    days = fact.keys if fact.kind is FactKind.DATE and all(map(is_iso_day, fact.keys)) else ()
    return frozenset(other.isoformat() for day in days for other in _around(day, FARTHEST))


FARTHEST = 2
"""Days between the day of one moment as it is written and as it is told: clocks differ by up to 26 hours."""


def _is_of_other_days(moment: str, days: frozenset[str]) -> bool:
    return is_iso_day(moment[:10]) and moment[:10] not in days


def _source(text: LeafText, leaf: int, start: int, end: int) -> ValueSource:
    written = str(text.values[leaf])
    shown = written if len(written) <= SHOWN_CHARS else written[max(0, start - SHOWN_CHARS // 2) :][:SHOWN_CHARS]
    return ValueSource(text.origin, text.paths[leaf], shown, start, end, text.call_id, text.tool, text.label)


def _located(text: LeafText, at: int, key: str) -> ValueSource:
    """A source whose span is looked for again in the original, where folding may have changed lengths."""
    leaf = text.leaf_at(at)
    raw = str(text.values[leaf])
    start = raw.lower().find(key)
    start = start if start >= 0 else min(at - text.start_of(leaf), max(0, len(raw) - 1))
    return _source(text, leaf, start, min(len(raw), start + len(key)))


def _spellings(name: str) -> tuple[str, ...]:
    """A folded text; what may be a full name in Japanese also with a blank between its parts: 野口 智子."""
    parted = (f"{name[:at]} {name[at:]}" for at in range(1, len(name)))
    return (name, *parted) if _FULL_NAME_JA.fullmatch(name) else (name,)


_FULL_NAME_JA = lazy_pattern(r"[\u3400-\u9fff々]{1,4}[\u3040-\u30ff\u3400-\u9fff々]{2,4}")
_FOUND_BY_TEXT = (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL)
_FIGURES = re.compile(r"\d+")
_SHORT_HASH = re.compile(r"(?=.*\d)[0-9a-f]{7,12}", re.IGNORECASE)
_HASH_GOES_ON = re.compile(r"[0-9a-f]{4,}")
_CASE_MATTERS = re.compile(r"(?=.*[A-Z])(?=.*\d)[\w.-]{6,}")
"""An id of letters and figures: another case is another thing."""


def _said(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terms of a text, and the zones that it names."""
    return terms(text[:LONGEST_COMPOSED]), zones_named(text[:LONGEST_FIELD])


_said_by_settings = lru_cache(maxsize=16)(_said)
"""The operator's words are the same in each run."""


def _is_bounded(text: str, start: int, end: int, *, exact: bool) -> bool:
    """Whether a text stands there as words of its own: `ann` does not stand in `annual`, nor `a.example` in `a.example.evil`."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if _is_wordy(text[start]) and _is_wordy(before):
        return False
    if exact and (_GOES_ON_AFTER.match(after) or before in ("@", ".", "-")):
        return False
    return not (_is_wordy(text[end - 1]) and _is_wordy(after[:1]))


_GOES_ON_AFTER = re.compile(r"[/?#&=%@:-][\w/]|\.\w")


def _is_wordy(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")
