"""Executes SQL statements directly by the driver, with text that SQLAlchemy compiled once.

For each statement SQLAlchemy takes five times as long as SQLite itself. Therefore the statements of every step and event bypass
it: a client of PostgreSQL takes 30 µs instead of 95.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc

AWAY = (exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError)
"""Errors of a database that is restarting, full, read-only, locked or out of connections."""


def is_of_database(error: BaseException) -> bool:
    """Whether the database cannot be used: it is away, or its file is damaged, which is an error of no narrower class."""
    return isinstance(error, AWAY) or type(error) is exc.DatabaseError


class _Text(NamedTuple):
    """A statement in the form of one driver."""

    sql: str
    values: Mapping[str, Any]
    """Its parameters, with the values that the statement itself defines."""
    packed: Mapping[str, Any]
    """By parameter: the function that converts values for the driver, if they need a conversion."""
    places: Sequence[str] | None
    """The order of the parameters; None if the driver takes them by name."""
    in_order: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    """Returns all parameters in that order. Raises KeyError if one is missing."""

    def with_values(self, parameters: Mapping[str, Any]) -> Any:
        """Return the parameters in the form of the driver."""
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
    """One statement, compiled for each kind of database at its first execution there.

    Rows are returned as the driver makes them, with text, numbers and bytes. Lists (`IN`) are not supported, because their length
    is part of the text.
    """

    def __init__(self, statement: sa.Executable, *, columns: Collection[str] | None = None) -> None:
        """`columns` are those that an insert or update sets; None if the statement itself tells."""
        self._statement: Any = statement
        self._columns = None if columns is None else list(columns)
        self._texts = dict[str, _Text]()

    def execute(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> list[Any]:
        """Execute it with these parameters; return its rows. Raises SQLAlchemy's errors."""
        return executed(connection, *self.written(connection, parameters))

    def result(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> sa.CursorResult[Any]:
        """Execute it as `execute` does; return a result with named columns."""
        return connection.exec_driver_sql(*self.written(connection, parameters))

    def execute_all(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it once for each of these parameters. Raises SQLAlchemy's errors."""
        text = self._written(connection)
        executed(connection, text.sql, [text.with_values(row) for row in rows])

    def written(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> tuple[str, Any]:
        """Return its text for this kind of database, and its parameters with these values in the form of the driver."""
        text = self._written(connection)
        return text.sql, text.with_values(parameters)

    def _written(self, connection: sa.Connection) -> _Text:
        dialect = connection.dialect
        if dialect.name not in self._texts:  # compiled only now, because the connection determines the schema
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
    """Return the function that converts a parameter's values for the driver; None if they need no conversion."""
    kind = parameter.type
    if isinstance(kind, sa.LargeBinary | sa.Float):
        return None  # drivers take bytes and floats unchanged; so a whole row of an event needs no conversion
    return (kind if isinstance(kind, sa.types.TypeDecorator) else kind.dialect_impl(dialect)).bind_processor(dialect)


def executed(connection: sa.Connection, sql: str, parameters: Any) -> list[Any]:
    """Execute a statement and return its rows. If there are event listeners, e.g. of a tracer, SQLAlchemy executes it."""
    # `_has_events` is SQLAlchemy's own flag; asking for listeners takes twenty calls
    if connection.dialect.driver not in ("pysqlite", "psycopg") or connection._has_events or connection.engine._has_events:
        done = connection.exec_driver_sql(sql, parameters)
        return list(done) if done.returns_rows else []
    if not connection.in_transaction():
        connection.begin()  # SQLAlchemy does this itself; without it, nothing would be committed
    driver: Any = connection.connection.driver_connection
    try:
        if isinstance(parameters, list):
            driver.cursor().executemany(sql, parameters)
            return []
        found = driver.execute(sql, parameters)
        return found.fetchall() if found.description else []
    except driver.Error as error:
        if is_lost := connection.dialect.is_disconnect(error, driver, None):
            connection.invalidate(error)  # as SQLAlchemy does, so that the pool drops the connection
        raise exc.DBAPIError.instance(
            sql,
            parameters,
            error,
            driver.Error,
            hide_parameters=connection.engine.hide_parameters,
            connection_invalidated=is_lost,
            dialect=connection.dialect,
        ) from error
