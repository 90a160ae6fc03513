"""Every use of a DBOS name that is not public API.

`dbos_engine` is about an engine, from its launch to its end; `dbos_steps`, with the others, about each step and run.
`tests/autonomy/durable/test_dbos_internals.py` asserts each name. DBOS is pinned to the version they were read in.
"""

from discovery.deferred_imports import imported_later

MAPPING = {
    "sqlalchemy.orm": ("Session", "sessionmaker"),
    "sqlalchemy.ext.asyncio": ("AsyncConnection", "AsyncEngine", "AsyncSession", "async_sessionmaker", "create_async_engine"),
}
"""What DBOS names of SQLAlchemy's mapping of classes, for those who hand it a session; we do not."""

with imported_later("psycopg", "psycopg.errors", classes=MAPPING):  # DBOS names psycopg's errors, whatever the database
    from dbos import DBOS as DBOS
    from dbos import DBOSClient as DBOSClient
    from dbos import DBOSConfig as DBOSConfig
    from dbos import EnqueueOptions as EnqueueOptions
    from dbos import Serializer as Serializer
    from dbos import SetWorkflowID as SetWorkflowID
    from dbos import _serialization
    from dbos._error import DBOSException as DBOSException

vars(_serialization)["DBOSDefaultSerializer"] = _serialization.DBOSPortableJSON
"""DBOS reads a row as the row says, also by pickle: whoever wrote one into the database, or into a copy that is restored, would
run code here. Our own rows are JSON."""
