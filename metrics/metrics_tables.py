"""Defines the tables of the journal and their migrations."""

import json
from collections import defaultdict
from collections.abc import Mapping

import sqlalchemy as sa

metadata = sa.MetaData()

events = sa.Table(
    "metrics_events",
    metadata,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("job", sa.Text, nullable=False),
    sa.Column("body", sa.Text, comment="the event as JSON; NULL once erased"),
    sa.Column("digest", sa.LargeBinary(32), nullable=False, comment="of the body; stays when the body is erased"),
    sa.Column("mac", sa.LargeBinary(32), nullable=False, comment="over the predecessor's mac and this row (metrics.hash_chain)"),
    sa.UniqueConstraint("run_id", "key"),
    sa.Index("metrics_events_type_at", "type", "at", "run_id"),
    sa.Index("metrics_events_at", "at"),
)


def besides(left_out: Mapping[str, str]) -> sa.ColumnElement[bool]:
    """Return the condition that excludes events of these types whose JSON contains the given text."""
    columns = events.c
    return sa.and_(
        *(sa.or_(columns.type != name, ~columns.body.contains(text, autoescape=True)) for name, text in left_out.items())
    )


head = sa.Table(
    "metrics_head",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("mac", sa.LargeBinary(32), nullable=False),
    comment="one row: where the chain ends; locked by whoever appends",
)

sums = sa.Table(
    "metrics_sums",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("labels", sa.Text, primary_key=True, comment="JSON"),
    sa.Column("value", sa.Float(53), nullable=False),
    comment="sums over all runs (metrics.running_totals); the row `checkpoint` says up to which event",
)

costs = sa.Table(
    "metrics_costs",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("kind", sa.String(8), primary_key=True, comment="job or model"),
    sa.Column("quarter", sa.BigInteger, primary_key=True, comment="when the quarter of an hour began, epoch seconds"),
    sa.Column("name", sa.Text, primary_key=True, comment="the job, empty for free goals, or the model"),
    sa.Column("runs", sa.Float(53), nullable=False, comment="of a model nothing"),
    sa.Column("tokens", sa.Float(53), nullable=False, comment="of a job nothing"),
    sa.Column("usd", sa.Float(53), nullable=False),
    sa.Column("unpriced", sa.Float(53), nullable=False, comment="runs, or a model's replies, that have no price"),
    sqlite_with_rowid=False,  # a month is read from one end to the other
    comment="what runs and replies cost, up to the same checkpoint",
)

cuts = sa.Table(
    "metrics_cuts",
    metadata,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False, comment="the last row that was removed"),
    sa.Column("mac", sa.LargeBinary(32), nullable=False, comment="that row's mac: where the remaining chain begins"),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("seal", sa.LargeBinary(32), nullable=False, comment="keyed, so that only a holder of the key can cut"),
)

key_changes = sa.Table(
    "metrics_key_changes",
    metadata,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False, comment="the last row under the key of before"),
    sa.Column("mac", sa.LargeBinary(32), nullable=False, comment="that row's mac"),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("before", sa.LargeBinary(16), nullable=False, comment="the id of the key of before (metrics.hash_chain)"),
    sa.Column("after", sa.LargeBinary(16), nullable=False, comment="the id of the key from there on"),
    sa.Column("seal", sa.LargeBinary(32), nullable=False, comment="under the key from there on"),
)

_SQLITE_RULES = (
    "INSERT OR IGNORE INTO metrics_head (id, seq, mac) VALUES (1, 0, zeroblob(32))",
    """CREATE TRIGGER IF NOT EXISTS metrics_events_keep BEFORE DELETE ON metrics_events
       WHEN OLD.seq > coalesce((SELECT max(seq) FROM metrics_cuts), 0)
       BEGIN SELECT raise(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER IF NOT EXISTS metrics_events_fixed BEFORE UPDATE ON metrics_events
       WHEN NEW.body IS NOT NULL OR NEW.seq IS NOT OLD.seq OR NEW.run_id IS NOT OLD.run_id OR NEW.key IS NOT OLD.key
         OR NEW.type IS NOT OLD.type OR NEW.at IS NOT OLD.at OR NEW.tenant IS NOT OLD.tenant OR NEW.job IS NOT OLD.job
         OR NEW.digest IS NOT OLD.digest OR NEW.mac IS NOT OLD.mac
       BEGIN SELECT raise(ABORT, 'the journal is append-only'); END""",
)
_POSTGRESQL_RULES = (
    "INSERT INTO metrics_head (id, seq, mac) VALUES (1, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING",
    """CREATE OR REPLACE FUNCTION metrics_events_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF TG_OP = 'DELETE' AND OLD.seq <= coalesce((SELECT max(seq) FROM metrics_cuts), 0) THEN RETURN OLD; END IF;
         IF TG_OP = 'UPDATE' AND NEW.body IS NULL
            AND (NEW.seq, NEW.run_id, NEW.key, NEW.type, NEW.at, NEW.tenant, NEW.job, NEW.digest, NEW.mac)
              = (OLD.seq, OLD.run_id, OLD.key, OLD.type, OLD.at, OLD.tenant, OLD.job, OLD.digest, OLD.mac) THEN RETURN NEW; END IF;
         RAISE EXCEPTION 'the journal is append-only'; END $$""",
    """CREATE OR REPLACE TRIGGER metrics_events_guard BEFORE UPDATE OR DELETE ON metrics_events
       FOR EACH ROW EXECUTE FUNCTION metrics_events_guard()""",
)

for dialect, rules in (("sqlite", _SQLITE_RULES), ("postgresql", _POSTGRESQL_RULES)):
    for rule in rules:
        sa.event.listen(metadata, "after_create", sa.DDL(rule).execute_if(dialect=dialect))  # type: ignore[no-untyped-call]  # SQLAlchemy's DDL is untyped


_OLD_TOTALS = sa.table("metrics_totals", *(sa.column(name) for name in ("name", "labels", "quarter", "value")))
"""The table of versions before 3: the sums, and the costs as cells whose labels are a tenant, a job or model, and a quarter."""

_OLD_COSTS = ("job_runs", "job_priced", "job_usd", "model_unpriced", "model_tokens", "model_usd")


def name_tenants_of_costs(connection: sa.Connection) -> None:
    """Upgrade to version 2: add the tenant to the costs. If the journal has several tenants, all sums are computed anew."""
    if not sa.inspect(connection).has_table("metrics_totals"):  # the first release stored no sums
        return
    tenants = connection.scalars(sa.select(events.c.tenant).distinct().limit(2)).all()
    if len(tenants) > 1:
        connection.execute(sa.delete(_OLD_TOTALS))
        return
    old = _OLD_TOTALS.c
    for name, labels in connection.execute(sa.select(old.name, old.labels).where(old.name.in_(_OLD_COSTS))).all():
        labels_with_tenants = json.dumps([*tenants, *json.loads(labels)], ensure_ascii=False)
        connection.execute(
            sa.update(_OLD_TOTALS).where(old.name == name, old.labels == labels).values(labels=labels_with_tenants)
        )


def keep_costs_apart(connection: sa.Connection) -> None:
    """Upgrade to version 3: move the costs to a table of their own, which the database can sum.

    Processes of older versions fail from then on, so that their counts cannot be lost.
    """
    if not sa.inspect(connection).has_table("metrics_totals"):
        return
    costly = defaultdict[tuple[str, str, int, str], defaultdict[str, float]](lambda: defaultdict(float))
    for name, labels, _, value in connection.execute(sa.select(_OLD_TOTALS)).all():
        if name in _OLD_COSTS:
            kind, column = name.split("_")
            tenant, whose, quarter = json.loads(labels)
            costly[tenant, kind, int(quarter), whose][column] += value
        else:
            connection.execute(sums.insert().values(name=name, labels=labels, value=value))
    if costly:
        rows = [
            {"tenant": tenant, "kind": kind, "quarter": quarter, "name": whose, "runs": found["runs"], "tokens": found["tokens"],
             "usd": found["usd"], "unpriced": found["unpriced"] + found["runs"] - found["priced"]}
            for (tenant, kind, quarter, whose), found in costly.items()
        ]  # fmt: skip
        connection.execute(costs.insert(), rows)
    connection.execute(sa.DDL("DROP TABLE metrics_totals"))  # type: ignore[no-untyped-call]  # SQLAlchemy's DDL is untyped
