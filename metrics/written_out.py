"""Executes SQL statements from text that was compiled once.

SQLAlchemy spends five times as long on what a statement says, takes and gives as SQLite on doing it. So the statements of every
step and event go to the driver as they are: through SQLAlchemy they take 95 µs of a client of PostgreSQL, and 30 so.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc


class _Text(NamedTuple):
    """A statement as a driver takes it."""

    sql: str
    values: Mapping[str, Any]
    """Its parameters, with those values that are its own."""
    packed: Mapping[str, Any]
    """How the values of some of them are made into what the driver takes."""
    places: Sequence[str] | None
    """The order in which the driver wants them; None where it takes them by name."""
    in_order: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    """Takes all of them in that order; raises KeyError where one is not given."""

    def with_values(self, parameters: Mapping[str, Any]) -> Any:
        """Its parameters as the driver wants them."""
        if self.places is None:
            values = {name: parameters.get(name, value) for name, value in self.values.items()}
            return values | {name: pack(values[name]) for name, pack in self.packed.items()}
        try:
            row = self.in_order(parameters)
        except KeyError:
            row = tuple([parameters.get(name, self.values[name]) for name in self.places])
        if not self.packed:
            return row
        return tuple(
            [self.packed[name](value) if name in self.packed else value for name, value in zip(self.places, row, strict=True)]
        )


def _in_order(places: Sequence[str]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda parameters: tuple([parameters[name] for name in places])


class WrittenOut:
    """One statement, written out for a kind of database when it is first executed there. It gives rows as the driver does: their
    columns hold text, numbers and bytes. A list (`IN`) has no place in it: how long it is, only SQLAlchemy knows."""

    def __init__(self, statement: sa.Executable, *, columns: Collection[str] | None = None) -> None:
        """`columns`: those that are given where it inserts or updates; None where the statement says."""
        self._statement: Any = statement
        self._columns = None if columns is None else list(columns)
        self._texts = dict[str, _Text]()

    def execute(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> list[Any]:
        """Execute it with these values in place of its own; its rows. Raises what SQLAlchemy raises."""
        return executed(connection, *self.written(connection, parameters))

    def result(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> sa.CursorResult[Any]:
        """The same, for whoever asks for columns by their names. Raises what SQLAlchemy raises."""
        return connection.exec_driver_sql(*self.written(connection, parameters))

    def execute_all(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it once for each of these, in one go. Raises what SQLAlchemy raises."""
        text = self._written(connection)
        executed(connection, text.sql, [text.with_values(row) for row in rows])

    def written(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> tuple[str, Any]:
        """Its text in the words of this kind of database, and its parameters with these values, as the driver takes them."""
        text = self._written(connection)
        return text.sql, text.with_values(parameters)

    def _written(self, connection: sa.Connection) -> _Text:
        dialect = connection.dialect
        if dialect.name not in self._texts:  # only now: what schema is meant is known of a database that was connected to
            schemas = connection.get_execution_options().get("schema_translate_map")
            options = {"schema_translate_map": schemas, "render_schema_translate": True} if schemas else {}
            compiled = self._statement.compile(dialect=dialect, column_keys=self._columns, **options)
            defaults = {column.key: column.default.arg for column in getattr(compiled, "insert_prefetch", ())}
            packs = {name: _pack(parameter, dialect) for parameter, name in compiled.bind_names.items()}
            packed = {name: pack for name, pack in packs.items() if pack is not None}
            values = {**compiled.params, **defaults}
            places = compiled.positiontup
            self._texts[dialect.name] = _Text(str(compiled), values, packed, places, _in_order(places or ()))
        return self._texts[dialect.name]


def _pack(parameter: sa.BindParameter[Any], dialect: sa.Dialect) -> Any:
    """How a parameter's values are made into what the driver takes; None where they stay as they are."""
    kind = parameter.type
    if isinstance(kind, sa.LargeBinary | sa.Float):
        return None  # bytes and floats go to a driver as they are, and with nothing else a row of an event goes as it is
    return (kind if isinstance(kind, sa.types.TypeDecorator) else kind.dialect_impl(dialect)).bind_processor(dialect)


def executed(connection: sa.Connection, sql: str, parameters: Any) -> list[Any]:
    """The rows of a statement; whoever listens to statements, as tracers do, hears of each."""
    # SQLAlchemy's own short form of whether anybody listens: to look through a connection's listeners is twenty calls
    if connection.dialect.driver not in ("pysqlite", "psycopg") or connection._has_events or connection.engine._has_events:
        done = connection.exec_driver_sql(sql, parameters)
        return list(done) if done.returns_rows else []
    if not connection.in_transaction():
        connection.begin()  # as SQLAlchemy does of itself: without it nothing would be committed
    driver: Any = connection.connection.driver_connection
    try:
        if isinstance(parameters, list):
            driver.cursor().executemany(sql, parameters)
            return []
        found = driver.execute(sql, parameters)
        return found.fetchall() if found.description else []
    except driver.Error as error:
        if is_lost := connection.dialect.is_disconnect(error, driver, None):
            connection.invalidate(error)  # as SQLAlchemy does: the pool gives it to nobody else
        raise exc.DBAPIError.instance(
            sql,
            parameters,
            error,
            driver.Error,
            hide_parameters=connection.engine.hide_parameters,
            connection_invalidated=is_lost,
            dialect=connection.dialect,
        ) from error
