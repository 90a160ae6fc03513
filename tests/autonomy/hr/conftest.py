"""A backend on a real SQLite file, with fakes of the vendors on loopback."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from autonomy.database import open_engine
from autonomy.hr import hr_tables
from autonomy.hr.hr_audit import AuditEntry
from autonomy.hr.router import CustomTools, HRAnswer
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore
from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager, OAuthApp
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.secrets.vendor_access import Vendors
from autonomy.hr.tenants import HRCaller, Permission, Tenant, TenantStore
from autonomy.hr.timekeeping.month import JST
from tests.support.freee import FakeFreee
from tests.support.king_of_time import FakeKingOfTime
from tests.support.smarthr import FakeSmartHR

NOON = datetime(2026, 11, 20, 12, tzinfo=JST)
KEY = "a secret of the tests, long enough"


class Notebook:
    """An audit sink that remembers; `broken` makes it refuse."""

    def __init__(self) -> None:
        self.entries: list[AuditEntry] = []
        self.broken: Exception | None = None

    async def record(self, entry: AuditEntry) -> None:
        if self.broken is not None:
            raise self.broken
        self.entries.append(entry)


@dataclass
class House:
    """Everything a test of the tools may want to hold in its hand."""

    engine: sa.Engine
    vault: Vault
    tenants: TenantStore
    credentials: CredentialStore
    tokens: FreeeTokenManager
    audit: Notebook
    tools: CustomTools
    freee: FakeFreee
    king_of_time: FakeKingOfTime
    smarthr: FakeSmartHR
    waits: list[float] = field(default_factory=list)
    clock: list[datetime] = field(default_factory=lambda: [NOON])

    async def connect(self, tenant: Tenant) -> None:
        """Add a tenant with working credentials of its vendor."""
        await anyio.to_thread.run_sync(self._connect, tenant)

    async def connect_freee(self, tenant_id: str, expires_in_s: float = 21600) -> Credentials:
        return await anyio.to_thread.run_sync(self.connect_freee_now, tenant_id, expires_in_s)

    async def stored(self, tenant_id: str) -> Credentials:
        return await anyio.to_thread.run_sync(self.credentials.load, tenant_id, "freee")

    async def permit(self, tenant_id: str, tool: str, permission: Permission) -> None:
        await anyio.to_thread.run_sync(self.tenants.permit, tenant_id, tool, permission)

    async def call(self, tool: str, tenant_id: str, **arguments: Any) -> HRAnswer:
        return await self.tools.execute(tool, arguments, HRCaller(tenant_id))

    def _connect(self, tenant: Tenant) -> None:
        self.tenants.save(tenant)
        if tenant.vendor == "freee":
            self.connect_freee_now(tenant.id)
        elif tenant.vendor != "demo":
            token = self.king_of_time.token if tenant.vendor == "king_of_time" else self.smarthr.token
            self.credentials.save(tenant.id, tenant.vendor, Credentials(access_token=SecretStr(token)))

    def connect_freee_now(self, tenant_id: str, expires_in_s: float = 21600) -> Credentials:
        pair = self.freee.sign_in.new_pair()
        fresh = Credentials(
            access_token=SecretStr(pair["access_token"]),
            refresh_token=SecretStr(pair["refresh_token"]),
            expires_at=NOON.timestamp() + expires_in_s,
        )
        self.credentials.save(tenant_id, "freee", fresh)
        return fresh


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    # Nothing here is about losing power, and waiting for the disk would be most of the time.
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    hr_tables.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def house(engine: sa.Engine) -> Iterator[House]:
    vault = Vault([KEY])
    credentials = CredentialStore(engine, vault)
    with FakeFreee() as freee, FakeKingOfTime() as king_of_time, FakeSmartHR() as smarthr:
        app = OAuthApp(client_id="client-id", client_secret=SecretStr("client-secret"), token_url=f"{freee.url}/public_api/token")
        waits: list[float] = []
        clock = [NOON]

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        tokens = FreeeTokenManager(credentials, app, now=lambda: clock[0].timestamp())
        vendors = Vendors(
            credentials,
            tokens,
            base_urls={"freee": freee.base_url, "king_of_time": king_of_time.base_url, "smarthr": smarthr.base_url},
            sleep=sleep,
            now=lambda: clock[0],
        )
        tenants, audit = TenantStore(engine), Notebook()
        tools = CustomTools(tenants, credentials, vendors, audit, now=lambda: clock[0].timestamp())
        yield House(engine, vault, tenants, credentials, tokens, audit, tools, freee, king_of_time, smarthr, waits, clock)
        assert freee.violations == [], "freee's schema does not have what was asked for"
