"""Statements that were written out once do what SQLAlchemy would have done with them."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy import event, exc

from metrics.written_out import WrittenOut
from tests.support.statements import counted


class Doubled(sa.types.TypeDecorator[str]):
    """Stored twice over, so that it is seen whether it was packed."""

    impl, cache_ok = sa.Text, True

    def process_bind_param(self, value: str | None, _dialect: sa.Dialect) -> str | None:
        return None if value is None else value * 2


things = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("said", Doubled),
    sa.Column("seal", sa.LargeBinary),
    sa.Column("kind", sa.String(8), nullable=False, default="plain"),
)


@pytest.fixture
def connection() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
    things.metadata.create_all(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def rows(connection: sa.Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.exec_driver_sql("select id, said, seal, kind from things order by id")]


def test_values_are_packed_and_columns_that_are_not_given_have_their_defaults(connection: sa.Connection) -> None:
    WrittenOut(sa.insert(things), columns=("id", "said", "seal")).execute(connection, {"id": 1, "said": "ab", "seal": b"\0"})
    assert rows(connection) == [(1, "abab", b"\0", "plain")]


def test_a_result_has_its_columns_by_name(connection: sa.Connection) -> None:
    insert = sa.insert(things).returning(things.c.kind, things.c.id)
    row = WrittenOut(insert, columns=("id", "said")).result(connection, {"id": 7, "said": "ab"}).one()
    assert dict(row._mapping) == {"kind": "plain", "id": 7}
    assert rows(connection) == [(7, "abab", None, "plain")]


def test_many_rows_are_one_statement(connection: sa.Connection) -> None:
    insert = WrittenOut(sa.insert(things))
    given = [{"id": number, "said": None, "seal": None, "kind": "k"} for number in range(3)]
    with counted() as sent:
        insert.execute_all(connection, given)
    assert len(sent.statements) == 1
    assert rows(connection) == [(number, None, None, "k") for number in range(3)]


@pytest.mark.parametrize("listens", [False, True])
def test_rows_come_back_and_whoever_listens_hears_of_each_statement(connection: sa.Connection, listens: bool) -> None:
    heard = list[str]()
    if listens:
        event.listen(connection.engine, "before_cursor_execute", lambda *given: heard.append(given[2]))
    update = (
        sa.update(things).where(things.c.id == sa.bindparam("which")).values(kind="new").returning(things.c.id, things.c.kind)
    )
    insert, renamed = WrittenOut(sa.insert(things), columns=("id",)), WrittenOut(update)
    assert insert.execute(connection, {"id": 7}) == []
    assert [tuple(row) for row in renamed.execute(connection, {"which": 7})] == [(7, "new")]
    assert [sql.split()[0] for sql in heard] == (["INSERT", "UPDATE"] if listens else [])


def test_what_the_driver_refuses_is_raised_as_sqlalchemy_raises_it(connection: sa.Connection) -> None:
    insert = WrittenOut(sa.insert(things), columns=("id",))
    insert.execute(connection, {"id": 1})
    with pytest.raises(exc.IntegrityError, match="UNIQUE"):
        insert.execute(connection, {"id": 1})
    with pytest.raises(exc.IntegrityError, match="UNIQUE"):
        insert.execute_all(connection, [{"id": 2}, {"id": 1}])
    with pytest.raises(exc.OperationalError, match="no such table"):
        WrittenOut(sa.text("select 1 from nowhere")).execute(connection, {})


def test_it_is_undone_with_the_transaction_it_was_part_of(connection: sa.Connection) -> None:
    assert not connection.in_transaction()
    WrittenOut(sa.insert(things), columns=("id",)).execute(connection, {"id": 1})
    connection.rollback()
    assert rows(connection) == []


def test_an_error_hides_what_people_wrote_where_the_engine_hides_it() -> None:
    engine = sa.create_engine("sqlite://", hide_parameters=True)
    with engine.connect() as connection, pytest.raises(exc.OperationalError, match="no such table") as raised:
        WrittenOut(sa.insert(things)).execute(connection, {"id": 1, "said": "a salary", "seal": None, "kind": "k"})
    assert "salary" not in str(raised.value)
    engine.dispose()
