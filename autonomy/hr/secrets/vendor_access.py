"""Opens a tenant's vendor adapter for one execution.

Executions share nothing, so that no cookie, connection or cached answer can pass from one tenant to another.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Literal

import anyio
import anyio.to_thread
import httpx2

from autonomy.errors import ConfigError, VendorError
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import FreeeAuth, FreeeTokenManager
from autonomy.hr.tenants import Tenant
from autonomy.hr.timekeeping.employee import VendorName
from autonomy.hr.vendors import freee, king_of_time, smarthr
from autonomy.hr.vendors.demo import Demo
from autonomy.hr.vendors.vendor import Vendor
from autonomy.hr.vendors.vendor_api import TIMEOUT_S, VendorAPI
from discovery.servers.certificates import certificates


class Vendors:
    """Opens the vendors of all tenants."""

    def __init__(
        self,
        store: CredentialStore,
        freee_tokens: FreeeTokenManager,
        *,
        base_urls: Mapping[VendorName, str] | None = None,
        mock: bool = False,
        language: Literal["ja", "en"] = "ja",
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`base_urls`: replaces addresses of vendors. `mock`: answer everything from the demo company, in `language`."""
        self._store, self._freee_tokens = store, freee_tokens
        self._base_urls, self._mock, self._language = base_urls or {}, mock, language
        self._sleep, self._now = sleep, now
        self._certificates = certificates()  # read now, because reading them later would block the event loop

    @asynccontextmanager
    async def open(self, tenant: Tenant, company_id: str | None) -> AsyncIterator[Vendor]:
        """Yield the tenant's vendor. `company_id`: None for the tenant's first company. Raises VendorError for one that is not
        the tenant's, ConfigError if the tenant has none but needs one."""
        if company_id is not None and company_id not in tenant.company_ids:
            raise VendorError(
                tenant.vendor, f"company_id {company_id!r} is not one of this tenant's; leave it out", retryable=False
            )
        if company_id is None and tenant.vendor == "freee" and not tenant.company_ids and not self._mock:
            raise ConfigError("tenants", tenant.id, "has no company_ids, and freee wants to know the company")
        company = company_id or (tenant.company_ids[0] if tenant.company_ids else "")
        if self._mock or tenant.vendor == "demo":
            yield Demo(self._language)
        elif tenant.vendor == "freee":
            async with self._freee_http(tenant) as http:
                api = VendorAPI(http, explain=freee.explain, fail=freee.FreeeAPIError, sleep=self._sleep)
                yield freee.Freee(api, company, flex_employee_ids=tenant.flex_employee_ids)
        elif tenant.vendor == "king_of_time":
            async with self._http(tenant, king_of_time.BASE_URL, headers=await self._bearer(tenant)) as http:
                api = VendorAPI(http, explain=king_of_time.explain, fail=king_of_time.fail, sleep=self._sleep)
                yield king_of_time.KingOfTime(api, now=self._now)
        else:
            url = smarthr.BASE_URL.format(subdomain=tenant.subdomain)
            async with self._http(tenant, url, headers=await self._bearer(tenant)) as http:
                yield smarthr.SmartHR(VendorAPI(http, explain=smarthr.explain, fail=smarthr.fail, sleep=self._sleep))

    async def freee_companies(self, tenant: Tenant) -> list[freee.Company]:
        """Return the companies to which the tenant's sign-in at freee gives access."""
        async with self._freee_http(tenant) as http:
            return await freee.companies(VendorAPI(http, explain=freee.explain, fail=freee.FreeeAPIError, sleep=self._sleep))

    def _freee_http(self, tenant: Tenant) -> httpx2.AsyncClient:
        return self._http(tenant, freee.BASE_URL, auth=FreeeAuth(self._freee_tokens, tenant.id))

    def _http(self, tenant: Tenant, url: str, **signed_by: Any) -> httpx2.AsyncClient:
        url = self._base_urls.get(tenant.vendor, url)
        return httpx2.AsyncClient(base_url=url, timeout=TIMEOUT_S, verify=self._certificates, **signed_by)

    async def _bearer(self, tenant: Tenant) -> dict[str, str]:
        """Return the header with the tenant's static token. Raises VendorError if it is not connected."""
        credentials = await anyio.to_thread.run_sync(self._store.load, tenant.id, tenant.vendor)
        if credentials is None:
            how = f"`jiritsu connect {tenant.vendor.replace('_', '-')} --tenant {tenant.id}`"
            raise VendorError(tenant.vendor, f"tenant {tenant.id} is not connected; run {how}", retryable=False, status=401)
        return {"Authorization": f"Bearer {credentials.access_token.get_secret_value()}"}
