"""Tool usage statistics: bounded, decaying, and free of personal data.

Written by the host after each call (`Advisor.learn`), read for hints, ranking and fallback tools. A sample holds names of
arguments and classes of errors; of values only those that say nothing about anyone: yes or no, a member of a declared enum, a
page size.
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
from discovery.text.search_terms import terms
from discovery.timing.clock import SYSTEM_CLOCK, Clock

_log = logging.getLogger(__name__)

HALF_LIFE_S = 14 * 24 * 3600.0
"""After two weeks a sample weighs half."""
KEPT = 12
"""How many entries each list of names may hold; the lightest go first."""
KEPT_TERMS = 64
"""How many words of requests are kept with a tool that served them."""
ALIKE = 0.5
"""A request is like those that a tool served when it shares this much of its words: fewer are everybody's."""
MOST_UNREAD = 100
"""Samples that wait for somebody to ask for what was learned."""
KEPT_TOOLS = 20_000
"""How many definitions are remembered; the longest unused go first."""
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
    """When it followed a failed call of the same tool: what was different (`cure`)."""
    cured_error: str = ""
    """The class of the error that was cured."""
    alternative: str = ""
    """The full name of the tool that did the job in its place."""
    followed: str = ""
    """The full name of the tool that was called successfully just before, in the same run."""
    served: tuple[str, ...] = ()
    """The words of the goal it was called for, as `hashed_terms`."""

    @classmethod
    def of(
        cls, spec: ToolSpec, arguments: JsonObject, *, ok: bool, duration_s: float, served: tuple[str, ...] = (), **more: str
    ) -> Self:
        """The sample of a call; `more` are the remaining fields by name."""
        declared = spec.parameters
        return cls(
            tool=spec.name,
            fingerprint=spec.fingerprint,
            ok=ok,
            duration_s=max(0.0, duration_s),
            argument_names=tuple(name for name in arguments if name in declared),
            choices=safe_choices(declared, arguments),
            served=served,
            **more,
        )


def safe_choices(declared: Mapping[str, JsonObject], arguments: JsonObject) -> dict[str, str]:
    """The values that tell nothing about a person or a secret."""
    return {
        name: json.dumps(value, ensure_ascii=False)
        for name, value in arguments.items()
        if name in declared and _is_safe(name, declared[name], value)
    }


def _is_safe(name: str, schema: JsonObject, value: Any) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return name.lower() in _SIZES and 0 <= value <= 1000
    members = schema.get("enum")
    return isinstance(value, str) and isinstance(members, list) and value in members and len(value) <= 40


def recovery(failed: JsonObject, worked: JsonObject, declared: Collection[str]) -> str:
    """The difference between a failed and a successful call, in names only: `+limit,-user,~channel`, or `retry` for none.

    Only names that the tool declares are told: any other is what a model wrote, and who had it write so would speak to whoever is
    told the hint. Empty where nothing else differs.
    """
    is_told = worked == failed
    failed, worked = ({name: call[name] for name in call if name in declared} for call in (failed, worked))
    changes = [
        *(f"+{name}" for name in sorted(worked.keys() - failed.keys())),
        *(f"-{name}" for name in sorted(failed.keys() - worked.keys())),
        *(f"~{name}" for name in sorted(worked.keys() & failed.keys()) if worked[name] != failed[name]),
    ]
    return ",".join(changes[:8]) or ("retry" if is_told else "")


class ToolUsage(Frozen):
    """The statistics of one tool definition. All counts are weights that halve every fortnight."""

    tool: str
    at: float
    """Seconds since the epoch to which the weights are reckoned."""
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

    @property
    def calls(self) -> float:
        """How many calls, weighted by age."""
        return self.ok + self.failed

    @property
    def reliability(self) -> float:
        """The rate of success with Laplace's prior: 0.5 for a tool nobody has used."""
        return (self.ok + 1.0) / (self.calls + 2.0)

    def duration_s(self, quantile: float) -> float | None:
        """The duration that this share of successful calls stays under, to a factor of two; None without any."""
        left = quantile * sum(self.durations.values())
        for bucket in sorted(self.durations, key=int):
            left -= self.durations[bucket]
            if left <= 0:
                return 0.001 * _BUCKET ** int(bucket)
        return None

    def after(self, taught: Sequence[tuple[UsageSample, float]]) -> Self:
        """This and more samples, each with when it was learned, all faded to the last of these moments."""
        now = max(at for _, at in taught)
        faded = self._faded(now)
        added = set[str]()
        for sample, at in taught:
            share = 0.5 ** (max(0.0, faded["at"] - at) / HALF_LIFE_S)
            faded["ok" if sample.ok else "failed"] += share
            for field, keys in _taught(sample).items():
                if keys:
                    added.add(field)
                    weights = faded.setdefault(field, {})
                    for key in keys:
                        weights[key] = weights.get(key, 0.0) + share
        for field in added:
            faded[field] = _heaviest(faded[field], kept=KEPT_TERMS if field == "served" else KEPT)
        return self.model_copy(update=faded)

    def faded(self, now: float) -> Self:
        """The same, reckoned to a later moment."""
        return self.model_copy(update=self._faded(now))

    def _faded(self, now: float) -> dict[str, Any]:
        """The fields that differ later."""
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
    """The amounts that a sample adds to the weights of a tool, by their field."""
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
    """The learned statistics, in memory for reading and in the database for the next process."""

    def __init__(self, engine: Engine | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._engine, self._clock = engine, clock
        self._waiting: list[tuple[UsageSample, float]] = []
        """Samples that are not stored yet, each with when it was learned."""
        self._unread: list[tuple[UsageSample, float]] = []
        """Samples that nobody has asked for yet: taking one in costs more than a fast call has to spare."""
        self._reading = threading.Lock()
        self.has_news = anyio.Event()
        """Set when there is something to store."""
        self._known: dict[str, ToolUsage] = {}
        self._revisions: defaultdict[str, int] = defaultdict(int)
        """How often what is known of a tool, or of those called after it, has changed; by full name."""
        self._followers: defaultdict[str, Weights] = defaultdict(dict)
        self._served: defaultdict[str, Weights] = defaultdict(dict)
        """Hashed word → fingerprint of a tool that served requests with it → weight, at most 1."""

    async def load(self) -> None:
        """Read what earlier processes learned. Raises whatever the database raises."""
        if self._engine:
            for fingerprint, known in (await anyio.to_thread.run_sync(_read_all, self._engine)).items():
                self._remember(fingerprint, known)

    def of(self, spec: ToolSpec) -> ToolUsage | None:
        """The statistics of exactly this definition, or None."""
        self._take_in()
        return self._known.get(spec.fingerprint)

    def revision(self, tool: str) -> int:
        """A number that is another one when more is known of this tool, or of those that are called after it; by full name."""
        self._take_in()
        return self._revisions.get(tool, 0)

    def followers(self, tool: str) -> tuple[str, ...]:
        """The tools that were called just after this one, most usual first, by full name."""
        self._take_in()
        after = self._followers.get(tool, {})
        return tuple(sorted(after, key=lambda name: (-after[name], name))[:KEPT])

    def served(self, request: str) -> dict[str, float]:
        """The fingerprints of tools that served requests like this one, each with the share of its words that they share."""
        self._take_in()
        request_terms = hashed_terms(request)
        shares: defaultdict[str, float] = defaultdict(float)
        for term in request_terms:
            for fingerprint, weight in self._served.get(term, {}).items():
                shares[fingerprint] += weight / len(request_terms)
        return {fingerprint: share for fingerprint, share in shares.items() if share >= ALIKE}

    def most_used(self, among: Sequence[ToolSpec]) -> Iterator[str]:
        """The full names of those of these tools that were called with success, most used first; counted when asked for."""
        calls = {spec.name: known.ok for spec in among if (known := self.of(spec)) and known.ok >= 1}
        yield from sorted(calls, key=lambda name: (-calls[name], name))

    def learn(self, sample: UsageSample) -> None:
        """Take a sample in; it is stored with others that come soon after."""
        taught = sample, self._clock.now()
        self._unread.append(taught)
        if len(self._unread) >= MOST_UNREAD:
            self._take_in()
        if self._engine is not None:
            self._waiting.append(taught)
            self.has_news.set()

    async def store(self) -> None:
        """Store what waits. Samples that cannot be stored are lost, and nothing else."""
        waiting, self._waiting, self.has_news = self._waiting, [], anyio.Event()
        if self._engine is None or not waiting:
            return
        try:
            stored = await anyio.to_thread.run_sync(_write_all, self._engine, waiting)
        except SQLAlchemyError as error:
            _log.warning("what calls taught could not be stored: %s", words_of(error))
            return
        for fingerprint, learned in stored.items():
            self._remember(fingerprint, learned)
        self._unread = list(self._waiting)  # learned meanwhile: what was read in is no part of what is stored

    def _take_in(self) -> None:
        if not self._unread:
            return
        with self._reading:  # a search of a large catalog asks from a thread of its own
            unread, self._unread = self._unread, []
        for fingerprint, taught in _by_definition(unread).items():
            self._remember(fingerprint, _after(self._known.get(fingerprint), taught))

    def _remember(self, fingerprint: str, known: ToolUsage) -> None:
        if known == self._known.get(fingerprint):
            return  # as what is stored mostly is
        self._known[fingerprint] = known
        for tool in (known.tool, *known.followed):
            self._revisions[tool] += 1
        for before, weight in known.followed.items():
            self._followers[before][known.tool] = weight
        for term, weight in known.served.items():
            self._served[term][fingerprint] = min(1.0, weight)
        if len(self._known) > KEPT_TOOLS:
            forgotten = self._known.pop(min(self._known, key=lambda other: self._known[other].at))
            self._revisions[forgotten.tool] += 1


def _read_all(engine: Engine) -> dict[str, ToolUsage]:
    query = select(table.c.fingerprint, table.c.learned).order_by(table.c.updated_at.desc()).limit(KEPT_TOOLS)
    with engine.connect() as connection:
        return {row.fingerprint: ToolUsage.model_validate(row.learned) for row in connection.execute(query)}


def _write_all(engine: Engine, taught: Sequence[tuple[UsageSample, float]]) -> dict[str, ToolUsage]:
    """Adds samples to what is stored; gives all that is known now of the definitions they are about."""
    by_definition = _by_definition(taught)
    while True:  # start over when another process wrote one of them in between
        with suppress(IntegrityError), engine.begin() as connection:
            stored = {row.fingerprint: row for row in connection.execute(_STORED, {"those": list(by_definition)})}
            versions = {fingerprint: row.version for fingerprint, row in stored.items()}
            known = {fingerprint: ToolUsage.model_validate(row.learned) for fingerprint, row in stored.items()}
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
    """Whether all could be written on top of these versions; one statement for those that are new, one for the others."""
    rows = [
        {
            "fingerprint": fingerprint,
            "tool": usage.tool,
            "updated_at": usage.at,
            "learned": usage.model_dump(mode="json"),
            "version": versions.get(fingerprint, 0) + 1,
        }
        for fingerprint, usage in sorted(
            learned.items()
        )  # always in the same order, so that two processes never wait for each other
    ]
    if new := [row for row in rows if row["version"] == 1]:
        connection.execute(insert(table), new)
        connection.execute(_FORGET)
    if not (old := [{f"new_{name}": value for name, value in row.items()} for row in rows if row["version"] != 1]):
        return True
    return connection.execute(_REPLACE, old).rowcount == len(old)


# Built once: to build a statement costs more than to execute it.
_STORED = select(table.c.fingerprint, table.c.version, table.c.learned).where(
    table.c.fingerprint.in_(bindparam("those", expanding=True))
)
_OLDEST_KEPT = select(table.c.updated_at).order_by(table.c.updated_at.desc()).offset(KEPT_TOOLS - 1).limit(1)
_FORGET = delete(table).where(table.c.updated_at < _OLDEST_KEPT.scalar_subquery())
_REPLACE = (
    update(table)
    .where(
        table.c.fingerprint == bindparam("new_fingerprint"),
        table.c.version == bindparam("new_version", type_=Integer) - 1,
    )
    .values({name: bindparam(f"new_{name}", type_=table.c[name].type) for name in ("tool", "updated_at", "learned", "version")})
)
"""On top of the version that was read, or not at all."""


@lru_cache(maxsize=256)  # asked of the goal at every call of its run
def hashed_terms(request: str) -> tuple[str, ...]:
    """The words of a request, each once, as short hashes: enough to know them again, too little to read.

    Who has the database and a dictionary can try words; the goals of runs stand beside it in clear as long as runs are kept.
    """
    words = list(dict.fromkeys(terms(request)))[:KEPT_TERMS]
    return tuple(hashlib.sha256(word.encode()).hexdigest()[:10] for word in words)


def _heaviest(weights: Weights, *, kept: int) -> Weights:
    """Only the heaviest stay, so that a stray name fades out."""
    return {key: -weight for weight, key in sorted([(-weight, key) for key, weight in weights.items()])[:kept]}


def _names(names: Iterable[str]) -> list[str]:
    return [name for name in names if _is_name(name)]


def _error(error_class: str) -> str:
    """The class alone: a message may quote what a person wrote."""
    return error_class if _is_name(error_class) else "Error"


@lru_cache(maxsize=5_000)  # the same few come with each call
def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _bucket(duration_s: float) -> str:
    return str(max(0, math.ceil(math.log(max(duration_s, 0.001) / 0.001, _BUCKET))))
