"""The console over a workshop's stores, and a browser without a screen: cookies, forms, and what stands in the pages."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx2
import sqlalchemy as sa

from autonomy.app_services import _job_start, _NoReads
from autonomy.cli.words.terminal_words import in_japanese
from autonomy.durable.approval_store import Approvals
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.transcripts import Transcripts
from autonomy.durable.run_control import RunControl
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from autonomy.jobs.job import RunDefaults
from autonomy.web.access import Authenticator
from autonomy.web.console import console_app
from autonomy.web.console_services import ConsoleServices
from autonomy.web.visit import Console
from autonomy.web.web_settings import WebSettings
from metrics.journal import Journal

HOST = "127.0.0.1:8484"
PASSWORD, VIEWER = "an operator's password", "a viewer's password"


def console_over(
    engine: sa.Engine, *, folders: tuple[Path, ...] = (), clock: Callable[[], float] | None = None, **more: Any
) -> Console:
    """A console with passwords; `more` are settings."""
    store, records = Store(engine, patience_s=0), RunRecords(engine, patience_s=0)
    journal = Journal(engine, refusal=StoreError)  # as the app opens it
    ledger = SqlLedger(store)
    services = ConsoleServices(
        engine=engine, journal=journal, runs=records, transcripts=Transcripts(engine, journal), approvals=Approvals(store),
        ledger=ledger, schedules=Schedules(store), orders=cache(lambda: RunControl(engine, records, ledger, journal)), job_folders=folders,
        defaults=RunDefaults(language="en"), in_japanese=in_japanese, starting=_job_start(_NoReads(), records, "default"),
    )  # fmt: skip
    settings = WebSettings(**{"password": PASSWORD, "viewer_password": VIEWER, "attempts_per_minute": 3, **more})
    door = Authenticator(settings, "haruka", **({"clock": clock} if clock else {}))
    return Console(services, door, **({"clock": clock} if clock else {}))


@dataclass
class Browser:
    """Somebody at the console."""

    client: httpx2.AsyncClient

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        """Open a page, wherever it leads."""
        return await self.client.get(path, headers={"accept": "text/html", **headers}, follow_redirects=True)

    async def sign_in(self, password: str = PASSWORD) -> httpx2.Response:
        """Sign in by password."""
        return await self.client.post("/sign-in", data={"password": password})

    async def csrf(self) -> str:
        """The token in this reader's pages."""
        page = await self.get("/runs")
        found = re.search(r'name="csrf" value="([^"]+)"', page.text)
        assert found, page.text[:500]
        return unescape(found.group(1))

    async def post(self, path: str, **fields: str) -> httpx2.Response:
        """Press a button."""
        return await self.client.post(path, data={"csrf": await self.csrf(), **fields}, headers={"accept": "text/html"})


@asynccontextmanager
async def browsing(console: Console, *, base: str = f"http://{HOST}", password: str = PASSWORD) -> AsyncIterator[Browser]:
    """A browser at the console, signed in unless `password` is empty."""
    transport = httpx2.ASGITransport(app=await anyio.to_thread.run_sync(console_app, console))
    async with httpx2.AsyncClient(transport=transport, base_url=base) as client:
        browser = Browser(client)
        if password:
            assert (await browser.sign_in(password)).status_code == 200
        yield browser
