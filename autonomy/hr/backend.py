"""Builds the HR tools from the database engine, the secrets and the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import SecretStr
from sqlalchemy import Engine

from autonomy.hr.hr_audit import AuditSink
from autonomy.hr.router import CustomTools
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager, OAuthApp
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.secrets.vendor_access import Vendors
from autonomy.hr.tenants import SampleTenants, TenantStore
from autonomy.hr.timekeeping.employee import VendorName

BASE_URL_VARIABLES: Mapping[VendorName, str] = {
    "freee": "FREEE_API_BASE_URL",
    "king_of_time": "KING_OF_TIME_API_BASE_URL",
    "smarthr": "SMARTHR_API_BASE_URL",
}


@dataclass(frozen=True)
class Backend:
    """The HR tools and the parts that they are made of."""

    engine: Engine
    tenants: TenantStore
    credentials: CredentialStore
    freee_app: OAuthApp
    tools: CustomTools


def open_backend(
    engine: Engine,
    audit: AuditSink,
    *,
    home: Path,
    key: str,
    environ: Mapping[str, str],
    language: Literal["ja", "en"] = "ja",
    sample: bool = False,
) -> Backend:
    """Build the HR tools. Raises ConfigError or StoreError if the secrets cannot be used.

    `home`, `key` and `language` (of the made-up company) are the settings of the same names. `sample`: every tenant uses the
    made-up company.
    """
    tenants = (SampleTenants if sample else TenantStore)(engine)
    credentials = CredentialStore(engine, Vault.open(home, key))
    app = freee_app(environ)
    vendors = Vendors(
        credentials,
        FreeeTokenManager(credentials, app),
        base_urls={vendor: environ[name] for vendor, name in BASE_URL_VARIABLES.items() if environ.get(name)},
        mock=environ.get("MOCK_MODE", "").lower() in ("1", "true", "yes"),
        language=language,
    )
    return Backend(engine, tenants, credentials, app, CustomTools(tenants, credentials, vendors, audit))


def freee_app(environ: Mapping[str, str]) -> OAuthApp:
    """Return our registration with freee from the environment. Without it nothing can be connected or renewed."""
    addresses = {
        field: environ[name]
        for field, name in (("authorize_url", "FREEE_AUTHORIZE_URL"), ("token_url", "FREEE_TOKEN_URL"))
        if environ.get(name)
    }
    secret = SecretStr(environ.get("FREEE_CLIENT_SECRET", ""))
    return OAuthApp(client_id=environ.get("FREEE_CLIENT_ID", ""), client_secret=secret, **addresses)
