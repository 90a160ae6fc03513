"""Answers whether work can be taken, for whoever sends requests only to what is ready."""

import logging
import threading
from functools import partial

import anyio
import anyio.to_thread
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from autonomy.database import check_room
from autonomy.errors import StoreError

log = logging.getLogger(__name__)

READY_S = 3.0
"""A database that has not answered for so long does not: what asks (Kubernetes, a health check) waits four or five seconds."""


def readiness_route(engine: sa.Engine) -> Route:
    """`/readyz` over this database."""
    return Route("/readyz", partial(_ready, engine, threading.Lock()))


async def _ready(engine: sa.Engine, turn: threading.Lock, request: Request) -> Response:
    """Whether work can be taken: the database answers, may be written to, and has room.

    `turn`: a question that a suspended database never answers keeps its thread and its turn; those after it keep none.
    """

    def ask() -> None:
        if not turn.acquire(timeout=READY_S):
            raise TimeoutError
        try:
            check_room(engine)
        finally:
            turn.release()

    try:
        with anyio.fail_after(READY_S):
            await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
    except TimeoutError:
        log.warning("not ready: the database has not answered for %.0f s", READY_S)
        return PlainTextResponse("the database does not answer\n", 503)
    except StoreError as error:
        log.warning("not ready: %s", error)
        return PlainTextResponse("the database cannot be written to\n", 503)
    except sa.exc.SQLAlchemyError as error:
        log.warning("not ready: %s", type(error).__name__)
        return PlainTextResponse("the database does not answer\n", 503)
    return PlainTextResponse("ready\n")
