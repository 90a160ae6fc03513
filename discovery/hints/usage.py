"""Keeps usage statistics of tools: bounded, decaying, and free of personal data.

The host adds a sample after each call (`Advisor.learn`); hints, ranking and fallback tools read the statistics, and proposals of
effects what calls showed. A sample holds names of arguments and classes of errors. Of values it holds only booleans, members of a
declared enum, and page sizes; of a call's arguments and answer, short hashes.
"""

import hashlib
import json
import logging
import math
import re
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Self

import anyio
import anyio.to_thread
from pydantic import Field
from sqlalchemy import Connection, Engine, Integer, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from discovery.catalog import Frozen, JsonObject, ToolSpec
from discovery.discovery_errors import words_of
from discovery.discovery_tables import usage as table
from discovery.hints.shown_effects import ShownEffect, Sign, without_values
from discovery.text.search_terms import terms
from discovery.timing.clock import SYSTEM_CLOCK, Clock

_log = logging.getLogger(__name__)

HALF_LIFE_S = 14 * 24 * 3600.0
"""The weight of a sample halves in this time."""
KEPT = 12
"""How many entries each list of names may hold; the lightest are dropped."""
KEPT_TERMS = 64
"""How many words of requests are kept for each tool that served them."""
ALIKE = 0.5
"""A request resembles those that a tool served if it shares at least this part of its words."""
MOST_UNREAD = 100
"""So many samples may wait before they are added to the statistics."""
KEPT_TOOLS = 20_000
"""How many definitions are kept; the longest unused are dropped."""
_BUCKET = 2.0
"""Durations are counted in classes of a factor of two, from 1 ms."""
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,63}")
_CURE = re.compile(r"(retry|[+~-][A-Za-z_][\w.-]{0,63}(,[+~-][A-Za-z_][\w.-]{0,63}){0,7})")
_SIZES = {"limit", "count", "per_page", "page_size", "pagesize", "max_results", "maxresults", "top_k", "num_results"}

Weights = dict[str, float]


class UsageSample(Frozen):
    """The sample that one call contributes to the statistics. Use `UsageSample.of`, which keeps values out."""

    tool: str
    """Full name."""
    fingerprint: str
    ok: bool
    duration_s: float = Field(ge=0.0)
    error_class: str = ""
    argument_names: tuple[str, ...] = ()
    choices: dict[str, str] = Field(default_factory=dict)
    """Arguments whose value is safe to keep, by name."""
    cured_by: str = ""
    """If it followed a failed call of the same tool: the difference (`recovery`)."""
    cured_error: str = ""
    """The class of that call's error."""
    alternative: str = ""
    """The full name of the fallback tool that succeeded instead."""
    followed: str = ""
    """The full name of the tool of the last successful call before this one in the same run."""
    served: tuple[str, ...] = ()
    """The words of the run's goal, as `hashed_terms`."""
    signs: tuple[Sign, ...] = ()
    """What was seen of the tool's effect."""
    answered: tuple[str, str] | None = None
    """The arguments and the answer, as `hashed_answer`, where the effect is to be learned."""
    is_call: bool = True
    """Whether it counts as a call; else it only adds the signs to those of an earlier one."""

    @classmethod
    def of(cls, spec: ToolSpec, arguments: JsonObject, *, ok: bool, duration_s: float, **more: Any) -> Self:
        """Make the sample of a call; `more` are the remaining fields by name."""
        declared = spec.parameters
        return cls(
            tool=spec.name,
            fingerprint=spec.fingerprint,
            ok=ok,
            duration_s=max(0.0, duration_s),
            argument_names=tuple(name for name in arguments if name in declared),
            choices=safe_choices(declared, arguments),
            **more,
        )

    @classmethod
    def of_signs(cls, spec: ToolSpec, *signs: Sign) -> Self:
        """Make a sample of what was seen of an earlier call's effect."""
        return cls(tool=spec.name, fingerprint=spec.fingerprint, ok=True, duration_s=0.0, signs=signs, is_call=False)


def safe_choices(declared: Mapping[str, JsonObject], arguments: JsonObject) -> dict[str, str]:
    """Return the values that tell nothing about a person or a secret, as JSON, by argument."""

    def is_safe(name: str, value: Any) -> bool:
        if isinstance(value, bool):
            return True
        if isinstance(value, int):
            return name.lower() in _SIZES and 0 <= value <= 1000
        members = declared[name].get("enum")
        return isinstance(value, str) and isinstance(members, list) and value in members and len(value) <= 40

    safe = {name: value for name, value in arguments.items() if name in declared and is_safe(name, value)}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in safe.items()}


def recovery(failed: JsonObject, worked: JsonObject, declared: Collection[str]) -> str:
    """Describe the difference between a failed and a successful call by names: `+limit,-user,~channel`, or `retry` for none.

    It names only arguments that the tool declares. Others are a model's words, and through a hint they could instruct another
    model; the result is empty if only they differ.
    """
    is_same = worked == failed
    failed, worked = ({name: call[name] for name in call if name in declared} for call in (failed, worked))
    changes = [
        *(f"+{name}" for name in sorted(worked.keys() - failed.keys())),
        *(f"-{name}" for name in sorted(failed.keys() - worked.keys())),
        *(f"~{name}" for name in sorted(worked.keys() & failed.keys()) if worked[name] != failed[name]),
    ]
    return ",".join(changes[:8]) or ("retry" if is_same else "")


class ToolUsage(Frozen):
    """The statistics of one tool definition. All counts are weights that halve every two weeks."""

    tool: str
    at: float
    """The moment that the weights refer to, in seconds since the epoch."""
    ok: float = 0.0
    failed: float = 0.0
    durations: Weights = Field(default_factory=dict)
    """Duration class (`_bucket`) → weight, of successful calls."""
    arguments: Weights = Field(default_factory=dict)
    choices: Weights = Field(default_factory=dict)
    """`name=value` → weight."""
    errors: Weights = Field(default_factory=dict)
    cures: Weights = Field(default_factory=dict)
    """`error class → cure` → weight."""
    alternatives: Weights = Field(default_factory=dict)
    followed: Weights = Field(default_factory=dict)
    """Tools called just before this one → weight."""
    served: Weights = Field(default_factory=dict)
    """Words of the goals it was called for with success, as `hashed_terms` → weight."""
    shown: ShownEffect = Field(default_factory=ShownEffect, exclude=True)
    """What its calls showed of its effect; it does not fade, and has a column of its own."""

    @property
    def calls(self) -> float:
        """The number of calls, weighted by age."""
        return self.ok + self.failed

    @property
    def reliability(self) -> float:
        """The rate of success with Laplace's prior: 0.5 for a tool without calls."""
        return (self.ok + 1.0) / (self.calls + 2.0)

    def duration_s(self, quantile: float) -> float | None:
        """Return a quantile of the duration of successful calls, to a factor of two; None without any."""
        left = quantile * sum(self.durations.values())
        for bucket in sorted(self.durations, key=int):
            left -= self.durations[bucket]
            if left <= 0:
                return 0.001 * _BUCKET ** int(bucket)
        return None

    def after(self, taught: Sequence[tuple[UsageSample, float]]) -> Self:
        """Return the statistics with more samples, each with its time, all decayed to the last of these times."""
        now = max(at for _, at in taught)
        faded = self._faded(now)
        added = set[str]()
        shown = self.shown
        for sample, at in taught:
            shown = shown.after(sample.signs, sample.answered, is_call=sample.is_call and sample.ok)
            if not sample.is_call:
                continue
            share = 0.5 ** (max(0.0, faded["at"] - at) / HALF_LIFE_S)
            faded["ok" if sample.ok else "failed"] += share
            for field, keys in _taught(sample).items():
                if keys:
                    added.add(field)
                    weights = faded.setdefault(field, {})
                    for key in keys:
                        weights[key] = weights.get(key, 0.0) + share
        for field in added:  # only the heaviest entries stay, so that a stray name disappears
            heaviest = sorted(faded[field].items(), key=lambda item: (-item[1], item[0]))
            faded[field] = dict(heaviest[: KEPT_TERMS if field == "served" else KEPT])
        return self.model_copy(update={**faded, "shown": shown})

    def _faded(self, now: float) -> dict[str, Any]:
        """Return the fields that decay, at a later moment."""
        share = 0.5 ** (max(0.0, now - self.at) / HALF_LIFE_S)
        weights_of = {name: weights for name in _WEIGHED if (weights := getattr(self, name))}
        return {
            "at": max(now, self.at),
            "ok": self.ok * share,
            "failed": self.failed * share,
            **{name: {key: weight * share for key, weight in weights.items()} for name, weights in weights_of.items()},
        }


_WEIGHED = ("durations", "arguments", "choices", "errors", "cures", "alternatives", "followed", "served")


def _taught(sample: UsageSample) -> dict[str, Sequence[str]]:
    """Return the keys to which a sample adds weight, by field of `ToolUsage`."""
    if not sample.ok:
        return {"errors": [_error(sample.error_class)], "alternatives": _names([sample.alternative])}
    cured = sample.cured_error and _CURE.fullmatch(sample.cured_by)
    return {
        "durations": [_bucket(sample.duration_s)],
        "arguments": _names(sample.argument_names),
        "choices": [f"{name}={value}" for name, value in sample.choices.items()],
        "followed": _names([sample.followed]),
        "served": sample.served,
        "cures": [f"{_error(sample.cured_error)} → {sample.cured_by}"] if cured else (),
    }


class UsageBook:
    """The statistics of all tools, in memory for reading and in the database for the next process."""

    def __init__(self, engine: Engine | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._engine, self._clock = engine, clock
        self._waiting: list[tuple[UsageSample, float]] = []
        """Samples that are not stored yet, each with its time."""
        self._unread: list[tuple[UsageSample, float]] = []
        """Samples that are not yet added to the statistics. That is done when these are read, because it takes longer than a fast
        call may be delayed."""
        self._lock = threading.RLock()
        """Held to read or change the statistics, because a large catalog is searched in a thread."""
        self.has_news = anyio.Event()
        """Set when there are samples to store."""
        self._known: dict[str, ToolUsage] = {}
        self._revisions: defaultdict[str, int] = defaultdict(int)
        """How often the statistics of a tool, or of those called after it, have changed; by full name."""
        self._followers: defaultdict[str, Weights] = defaultdict(dict)
        self._served: defaultdict[str, Weights] = defaultdict(dict)
        """Hashed word → fingerprint of a tool that served requests with it → weight, at most 1."""
        self._changing: dict[str, str] = {}
        """Fingerprint → full name, of those whose calls surely changed something."""

    async def load(self) -> None:
        """Read the statistics of earlier processes. Raises the database's errors."""
        if self._engine:
            self._remember_all(await anyio.to_thread.run_sync(_read_all, self._engine))

    def of(self, spec: ToolSpec) -> ToolUsage | None:
        """Return the statistics of exactly this definition, or None."""
        self._take_in()
        return self._known.get(spec.fingerprint)

    def shown(self, spec: ToolSpec) -> ShownEffect:
        """Return what the calls of exactly this definition showed of its effect."""
        known = self.of(spec)
        return known.shown if known is not None else ShownEffect()

    def changes(self, spec: ToolSpec) -> bool:
        """Whether calls of exactly this definition surely changed something."""
        self._take_in()
        return spec.name in self._changing.values() and spec.fingerprint in self._changing

    def revision(self, tool: str) -> int:
        """Return a number that changes when the statistics of this tool change, or of those that are called after it."""
        self._take_in()
        return self._revisions.get(tool, 0)

    def followers(self, tool: str) -> tuple[str, ...]:
        """Return the full names of tools that were called just after this one, most frequent first."""
        self._take_in()
        with self._lock:
            after = self._followers.get(tool, {})
            return tuple(sorted(after, key=lambda name: (-after[name], name))[:KEPT])

    def served(self, request: str) -> dict[str, float]:
        """Return the fingerprints of tools that served similar requests, each with the share of the request's words in these."""
        self._take_in()
        request_terms = hashed_terms(request)
        shares: defaultdict[str, float] = defaultdict(float)
        with self._lock:
            for term in request_terms:
                for fingerprint, weight in self._served.get(term, {}).items():
                    shares[fingerprint] += weight / len(request_terms)
        return {fingerprint: share for fingerprint, share in shares.items() if share >= ALIKE}

    def most_used(self, among: Sequence[ToolSpec]) -> Iterator[str]:
        """Yield the full names of those of these tools that were called successfully, most used first."""
        calls = {spec.name: known.ok for spec in among if (known := self.of(spec)) and known.ok >= 1}
        yield from sorted(calls, key=lambda name: (-calls[name], name))

    def learn(self, sample: UsageSample) -> bool:
        """Add a sample; it is stored later, together with others. Returns whether it is the first to show that calls of its
        tool change something."""
        known, taught = sample.fingerprint in self._changing, (sample, self._clock.now())
        self._unread.append(taught)
        if len(self._unread) >= MOST_UNREAD:
            self._take_in()
        if self._engine is not None:
            self._waiting.append(taught)
            self.has_news.set()
        if known or not sample.signs:
            return False
        self._take_in()
        return sample.fingerprint in self._changing

    async def store(self) -> None:
        """Store the waiting samples. If the database fails, they are lost, with a warning in the log."""
        waiting, self._waiting, self.has_news = self._waiting, [], anyio.Event()
        if self._engine is None or not waiting:
            return
        try:
            stored = await anyio.to_thread.run_sync(_write_all, self._engine, waiting)
        except SQLAlchemyError as error:
            _log.warning("what calls taught could not be stored: %s", words_of(error))
            return
        with self._lock:
            self._remember_all(stored)
            self._unread = list(self._waiting)  # those that came meanwhile are not part of what was stored

    def _take_in(self) -> None:
        if not self._unread:
            return
        with self._lock:
            unread, self._unread = self._unread, []
            definitions = _by_definition(unread).items()
            self._remember_all({one: _after(self._known.get(one), taught) for one, taught in definitions})

    def _remember_all(self, usages: Mapping[str, ToolUsage]) -> None:
        with self._lock:
            for fingerprint, known in usages.items():
                if known == self._known.get(fingerprint):
                    continue  # the usual case after storing
                self._forget(fingerprint)
                self._known[fingerprint] = known
                if known.shown.is_change:
                    self._changing[fingerprint] = known.tool
                for tool in (known.tool, *known.followed):
                    self._revisions[tool] += 1
                for before, weight in known.followed.items():
                    self._followers[before][known.tool] = weight
                for term, weight in known.served.items():
                    self._served[term][fingerprint] = min(1.0, weight)
                if len(self._known) > KEPT_TOOLS:
                    oldest = min(self._known, key=lambda other: self._known[other].at)
                    self._revisions[self._known[oldest].tool] += 1
                    self._forget(oldest)

    def _forget(self, fingerprint: str) -> None:
        """Drop what is known of a definition; also before it is known anew, since its lightest entries may be gone then."""
        self._changing.pop(fingerprint, None)
        known = self._known.pop(fingerprint, None)
        if known is None:
            return
        for index, keys, value in ((self._followers, known.followed, known.tool), (self._served, known.served, fingerprint)):
            for key in keys:
                index[key].pop(value, None)
                if not index[key]:
                    del index[key]


def _read_all(engine: Engine) -> dict[str, ToolUsage]:
    query = select(table.c.fingerprint, table.c.learned, table.c.shown).order_by(table.c.updated_at.desc()).limit(KEPT_TOOLS)
    with engine.connect() as connection:
        return {row.fingerprint: _of_row(row) for row in connection.execute(query)}


def _of_row(row: Any) -> ToolUsage:
    return ToolUsage.model_validate({**row.learned, "shown": row.shown or {}})


def _write_all(engine: Engine, taught: Sequence[tuple[UsageSample, float]]) -> dict[str, ToolUsage]:
    """Add samples to the stored statistics; return the new statistics of their definitions, by fingerprint."""
    by_definition = _by_definition(taught)
    while True:  # start over if another process wrote one of them meanwhile
        with suppress(IntegrityError), engine.begin() as connection:
            stored = {row.fingerprint: row for row in connection.execute(_STORED, {"those": list(by_definition)})}
            versions = {fingerprint: row.version for fingerprint, row in stored.items()}
            known = {fingerprint: _of_row(row) for fingerprint, row in stored.items()}
            learned = {fingerprint: _after(known.get(fingerprint), samples) for fingerprint, samples in by_definition.items()}
            if _store_rows(connection, learned, versions):
                return learned
            connection.rollback()


def _by_definition(taught: Sequence[tuple[UsageSample, float]]) -> dict[str, list[tuple[UsageSample, float]]]:
    found: defaultdict[str, list[tuple[UsageSample, float]]] = defaultdict(list)
    for sample, at in taught:
        found[sample.fingerprint].append((sample, at))
    return found


def _after(known: ToolUsage | None, taught: Sequence[tuple[UsageSample, float]]) -> ToolUsage:
    return (known or ToolUsage(tool=taught[0][0].tool, at=taught[0][1])).after(taught)


def _store_rows(connection: Connection, learned: Mapping[str, ToolUsage], versions: Mapping[str, int]) -> bool:
    """Write the statistics if the stored versions are still these; return whether they were."""
    rows = [
        {
            "fingerprint": fingerprint,
            "tool": usage.tool,
            "updated_at": usage.at,
            "learned": usage.model_dump(mode="json"),
            "shown": usage.shown.model_dump(mode="json", exclude_defaults=True),
            "version": versions.get(fingerprint, 0) + 1,
        }
        for fingerprint, usage in sorted(learned.items())  # sorted, so that two processes cannot deadlock
    ]
    if new := [row for row in rows if row["version"] == 1]:
        connection.execute(insert(table), new)
        connection.execute(_FORGET)
    if not (old := [{f"new_{name}": value for name, value in row.items()} for row in rows if row["version"] != 1]):
        return True
    return connection.execute(_REPLACE, old).rowcount == len(old)


# Built once, because building a statement takes longer than executing it.
_STORED = select(table.c.fingerprint, table.c.version, table.c.learned, table.c.shown).where(
    table.c.fingerprint.in_(bindparam("those", expanding=True))
)
_OLDEST_KEPT = select(table.c.updated_at).order_by(table.c.updated_at.desc()).offset(KEPT_TOOLS - 1).limit(1)
_FORGET = delete(table).where(table.c.updated_at < _OLDEST_KEPT.scalar_subquery())
_VALUES = ("tool", "updated_at", "learned", "shown", "version")
_REPLACE = (
    update(table)
    .where(
        table.c.fingerprint == bindparam("new_fingerprint"),
        table.c.version == bindparam("new_version", type_=Integer) - 1,
    )
    .values({name: bindparam(f"new_{name}", type_=table.c[name].type) for name in _VALUES})
)
"""Replaces a row only if it still has the version that was read."""


@lru_cache(maxsize=256)  # called with the goal for every call of a run
def hashed_terms(request: str) -> tuple[str, ...]:
    """Return the distinct words of a request as short hashes, which can be recognized but not read.

    Somebody with the database could guess words with a dictionary; but it also holds the goals of runs in clear, while these are
    kept.
    """
    words = list(dict.fromkeys(terms(request)))[:KEPT_TERMS]
    return tuple(hashlib.sha256(word.encode()).hexdigest()[:10] for word in words)


def hashed_answer(arguments: JsonObject, answer: str) -> tuple[str, str]:
    """Return short hashes of a call's arguments, and of its answer without what it repeats of them."""
    given = json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)
    hashed = (
        hashlib.sha256(text.encode(errors="replace")).hexdigest()[:8] for text in (given, without_values(answer, arguments))
    )
    return next(hashed), next(hashed)


def _names(names: Iterable[str]) -> list[str]:
    return [name for name in names if _is_name(name)]


def _error(error_class: str) -> str:
    """Return the class of an error, and nothing that could be a message, which may quote a person."""
    return error_class if _is_name(error_class) else "Error"


@lru_cache(maxsize=5_000)  # each call has the same few names
def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _bucket(duration_s: float) -> str:
    return str(max(0, math.ceil(math.log(max(duration_s, 0.001) / 0.001, _BUCKET))))
