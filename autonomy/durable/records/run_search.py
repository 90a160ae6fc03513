"""Full-text search over runs, on SQLite and PostgreSQL, in Japanese and English.

Neither database splits Japanese into words: it has no spaces, and SQLite's trigrams miss words of two characters (天気), the
commonest. So text is split here for both: Latin words as they are, Japanese into overlapping pairs, which are searched as a
phrase.
"""

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from autonomy.durable.durable_tables import metadata, runs, search_keys
from autonomy.durable.storage.packed_text import unpacked
from metrics.text.phrases import lazy_pattern
from metrics.written_out import WrittenOut

INDEXED_CHARS = 12_000
"""Of one run: about as many tokens, and PostgreSQL knows no position after the 16,383rd."""

LONGEST_WORD = 500
"""Characters of a word, of which the rest is not searched: PostgreSQL takes no word of more than 2,046 bytes."""

RESULT_CHARS = 1_500
"""Characters of one call's result, so that the first does not push out the others."""

_TAG = "\ua66e"
"""Begins every word that we add to those of people: a letter of old manuscripts, with which nobody's words begin."""

CONVERSATION_TAG = f"{_TAG}talk"
"""The word that finds the runs people asked for in a conversation."""

_CONVERSATIONS = frozenset({"slack", "chat"})
"""The triggers of such runs."""

_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = lazy_pattern(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_ASCII_TOKEN = lazy_pattern("[a-z0-9]+")
"""The same in folded ASCII, at a fifth of the time."""
_IS_CJK = lazy_pattern(f"[{_CJK}]")

_CREATE = {
    "sqlite": (
        "CREATE VIRTUAL TABLE IF NOT EXISTS durable_search "
        "USING fts5(words, tokenize='unicode61 remove_diacritics 0', prefix='1')",
    ),
    "postgresql": (
        "CREATE TABLE IF NOT EXISTS durable_search (seq BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)",
        "CREATE INDEX IF NOT EXISTS durable_search_words ON durable_search USING gin (words)",
    ),
}
_FOUND = {
    # CROSS JOIN keeps SQLite from turning the order round: the index then gives the newest first, and reading stops at the limit.
    "sqlite": "SELECT k.seq, k.run_id FROM durable_search s CROSS JOIN durable_search_keys k ON k.seq = s.rowid"
    " CROSS JOIN durable_runs r ON r.run_id = k.run_id WHERE s.words MATCH :words",
    "postgresql": "SELECT k.seq, k.run_id FROM durable_search s JOIN durable_search_keys k ON k.seq = s.seq"
    " JOIN durable_runs r ON r.run_id = k.run_id WHERE s.words @@ CAST(:words AS tsquery)",
}
FEW = 1000
"""Up to so many runs with the words, or of a state and a job, are listed first; among more, the newest hits are found soon."""

_BY_WORDS_ALONE, _AS_IT_LIKES = (
    f"SELECT set_config('enable_seqscan', '{switch}', true), set_config('enable_indexscan', '{switch}', true)"
    for switch in ("off", "on")
)
"""PostgreSQL expects a rare word in every hundredth run, and would read all runs from the newest on. With these scans off, it
reads its index of words as a bitmap; at most until the transaction ends."""

_PLACE = {"sqlite": "s.rowid", "postgresql": "s.seq"}
_LISTED_PLACE = {"sqlite": "+s.rowid", "postgresql": "s.seq"}
"""The place where it is one of a list. Without the sign, SQLite searches for the words anew for each place of the list."""


@event.listens_for(metadata, "after_create")
def create_search(_target: sa.MetaData, connection: sa.Connection, **_more: Any) -> None:
    """Make the index; SQLAlchemy knows neither kind."""
    for statement in _CREATE[connection.dialect.name]:
        connection.exec_driver_sql(statement)


def tokens(text: str) -> list[str]:
    """The tokens of a text in their order: words in lower case, and each pair of neighbouring Japanese characters."""
    found: list[str] = []
    for line in unicodedata.normalize("NFKC", text).casefold().split("\n"):
        if line.isascii():
            words = _ASCII_TOKEN.findall(line)
            found += words if len(line) <= LONGEST_WORD else [word[:LONGEST_WORD] for word in words]
            continue
        for run in _TOKEN.findall(line):
            if run.isascii() or not _IS_CJK.match(run):
                found.append(run[:LONGEST_WORD])
            else:  # the last stands alone, so that each character begins a token
                found += [run[at : at + 2] for at in range(len(run))]
    return found


_PLACE_OF = WrittenOut(sa.select(search_keys.c.seq).where(search_keys.c.run_id == sa.bindparam("run_id")))
_NEW_PLACE = WrittenOut(search_keys.insert().returning(search_keys.c.seq), columns=("run_id", "tenant"))
_PUT = {
    "sqlite": WrittenOut(sa.text("INSERT OR REPLACE INTO durable_search (rowid, words) VALUES (:seq, :words)")),
    "postgresql": WrittenOut(
        sa.text(
            "INSERT INTO durable_search (seq, words) VALUES (:seq, CAST(:words AS tsvector))"
            " ON CONFLICT (seq) DO UPDATE SET words = excluded.words"
        )
    ),
}


def index_run(connection: sa.Connection, run_id: str, tenant: str, text: str) -> None:
    """Index a run by this text alone."""
    found = _PLACE_OF.execute(connection, {"run_id": run_id})
    _put_words(connection, found[0][0] if found else _new_place(connection, run_id, tenant), text)


def index_new_row(connection: sa.Connection, row: Mapping[str, Any]) -> None:
    """Index a run by the row that was just inserted."""
    _put_words(connection, _new_place(connection, row["run_id"], row["tenant"]), words_of(row))


def _new_place(connection: sa.Connection, run_id: str, tenant: str) -> int:
    ((seq,),) = _NEW_PLACE.execute(connection, {"run_id": run_id, "tenant": tenant})
    return int(seq)


def _put_words(connection: sa.Connection, seq: int, text: str) -> None:
    found = tokens(text[:INDEXED_CHARS])
    if connection.dialect.name == "sqlite":
        words = " ".join(found)
    else:
        words = " ".join(f"'{token}':{min(at, 16_383)}" for at, token in enumerate(found, 1))
    _PUT[connection.dialect.name].execute(connection, {"seq": seq, "words": words})


def forget_words(connection: sa.Connection, run_ids: Sequence[str]) -> None:
    """Remove runs from the index."""
    of_these_runs = search_keys.c.run_id.in_(run_ids)
    _forget(connection, connection.scalars(sa.select(search_keys.c.seq).where(of_these_runs)).all())
    connection.execute(search_keys.delete().where(of_these_runs))


def find_runs(
    connection: sa.Connection,
    tenant: str,
    words: str,
    *,
    states: Sequence[str] = (),
    job: str = "",
    before: int | None = None,
    limit: int,
) -> list[tuple[int, str]]:
    """The newest runs that contain all of the words: their places in the index (`before` for the next page) and ids."""
    dialect = connection.dialect.name
    search = _query(words, dialect)
    if not search:
        return []
    place = _PLACE[dialect]
    rare = _rare(connection, search) if dialect == "postgresql" else None
    few = _few(connection, tenant, states, job) if states else None
    filters: dict[str, tuple[str, Any]] = {
        "tenant": ("k.tenant = :tenant", tenant),
        "rare": (f"{place} IN :rare", rare),
        "states": ("r.state IN :states", list(states) or None),
        "job": ("r.job = :job", job or None),
        "few": (f"{_LISTED_PLACE[dialect]} IN :few", few),
        "before": (f"{place} < :before", before),
    }
    values = {name: value for name, (_, value) in filters.items() if value is not None}
    if [] in values.values():
        return []
    conditions = " AND ".join([_FOUND[dialect], *(filters[name][0] for name in values)])
    lists = [name for name, value in values.items() if isinstance(value, list)]
    statement = sa.text(f"{conditions} ORDER BY {place} DESC LIMIT :limit")
    statement = statement.bindparams(*(sa.bindparam(name, expanding=True) for name in lists))
    return [(row.seq, row.run_id) for row in connection.execute(statement, {**values, "words": search, "limit": limit})]


def _rare(connection: sa.Connection, query: str) -> list[int] | None:
    """The places of all runs that contain the words, of any tenant; None when they are many. PostgreSQL only."""
    connection.exec_driver_sql(_BY_WORDS_ALONE)
    found = sa.text("SELECT seq FROM durable_search WHERE words @@ CAST(:words AS tsquery) LIMIT :most")
    hits = connection.scalars(found, {"words": query, "most": FEW + 1}).all()
    connection.exec_driver_sql(_AS_IT_LIKES)
    return list(hits) if len(hits) <= FEW else None


def _few(connection: sa.Connection, tenant: str, states: Sequence[str], job: str) -> list[int] | None:
    """The places of all runs of these states and this job; None when they are many."""
    query = sa.select(runs.c.run_id, runs.c.asked_at).where(runs.c.tenant == tenant, *([runs.c.job == job] if job else []))
    found = [row["run_id"] for row in newest_runs(connection, query, states, FEW + 1)]
    if len(found) > FEW:
        return None
    return list(connection.scalars(sa.select(search_keys.c.seq).where(search_keys.c.run_id.in_(found))))


def newest_runs(connection: sa.Connection, query: sa.Select[Any], states: Sequence[str], limit: int) -> Sequence[sa.RowMapping]:
    """The newest rows of a query in one of these states, or in any; it selects at least `run_id` and `asked_at`.

    State by state, each in the order of an index: for several at once SQLite reads all runs there ever were.
    """
    query = query.order_by(runs.c.asked_at.desc(), runs.c.run_id.desc()).limit(limit)
    queries = [query.where(runs.c.state == state) for state in states] or [query]
    rows = [row for one in queries for row in connection.execute(one).mappings()]
    return sorted(rows, key=lambda row: (row["asked_at"], row["run_id"]), reverse=True)[:limit]


def goal_tag(goal: str) -> str:
    """The word that finds the runs of exactly this goal."""
    return f"{_TAG}goal{hashlib.sha256(goal.encode('utf-8', 'replace')).hexdigest()[:20]}"


def words_of(row: Mapping[str, Any]) -> str:
    """The search terms of a run, from its row of `durable_runs`: actor, goal, answer, tools and their results. The row's result
    may be JSON text or its value."""
    request = json.loads(row["request"])
    result = row.get("result") or {}
    result = json.loads(result) if isinstance(result, str) else result
    task = request.get("task", {})
    parts = [
        row["run_id"],
        row["job"],
        row["actor"],
        goal_tag(task.get("goal", "")),
        CONVERSATION_TAG if request.get("trigger") in _CONVERSATIONS else "",
        task.get("goal", ""),
        json.dumps(task.get("inputs", {}), ensure_ascii=False),
    ]
    parts += [result.get("reason", ""), result.get("text", "")]
    for call in result.get("calls", ()):
        parts += [call.get("asked", ""), json.dumps(call.get("arguments", {}), ensure_ascii=False)[:RESULT_CHARS]]
        parts.append(call.get("result", {}).get("text", "")[:RESULT_CHARS])
    return "\n".join(parts)


_ROW = WrittenOut(
    sa.select(runs.c.tenant, runs.c.job, runs.c.actor, runs.c.request, runs.c.result, search_keys.c.seq)
    .outerjoin_from(runs, search_keys, search_keys.c.run_id == runs.c.run_id)
    .where(runs.c.run_id == sa.bindparam("run_id"))
)


def index_row(connection: sa.Connection, run_id: str, result: Mapping[str, Any] | None = None) -> None:
    """Index a run by its row, with `result` in place of the row's, which may hold only a part of it."""
    for tenant, job, actor, request, stored, seq in _ROW.execute(connection, {"run_id": run_id}):
        shown = result or (unpacked(stored) if stored else None)
        row = {"run_id": run_id, "job": job, "actor": actor, "request": unpacked(request), "result": shown}
        _put_words(connection, seq or _new_place(connection, run_id, tenant), words_of(row))


def _query(words: str, dialect: str) -> str:
    """The query for all of the words: each as a prefix, Japanese as a phrase of pairs."""
    sought = []
    for found in _TOKEN.findall(unicodedata.normalize("NFKC", words).casefold()):
        prefix = found[:LONGEST_WORD]
        phrase = [found[at : at + 2] for at in range(len(found) - 1)] if _IS_CJK.match(found) else []
        if dialect == "sqlite":
            sought.append(f'"{" ".join(phrase)}"' if phrase else f'"{prefix}" *')
        else:
            sought.append(" <-> ".join(f"'{pair}'" for pair in phrase) if phrase else f"'{prefix}':*")
    return " ".join(sought) if dialect == "sqlite" else " & ".join(f"({one})" for one in sought)


def _forget(connection: sa.Connection, places: Sequence[int]) -> None:
    place = "rowid" if connection.dialect.name == "sqlite" else "seq"
    statement = sa.text(f"DELETE FROM durable_search WHERE {place} = :seq")  # noqa: S608 - one of two names
    if places:
        connection.execute(statement, [{"seq": seq} for seq in places])
