"""The commands of the HR tools: `connect`, `mcp hr`, `keys rotate`, `tenants`."""

import os
import re
import secrets
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import say, show
from autonomy.errors import ConfigError
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from autonomy.hr.backend import Backend
    from autonomy.settings import Config

TENANT = click.option("--tenant", required=True, help="The tenant it is for.")
PORT = click.IntRange(0, 65_535)
TOKEN_VARIABLE = "JIRITSU_HR_TOKEN"  # noqa: S105 - the name of a variable


@click.group()
def connect() -> None:
    """Connect a tenant to its HR vendor."""


@connect.command("freee")
@TENANT
@click.option("--port", type=PORT, default=0, help="Port of the redirect on 127.0.0.1, as registered with freee; 0 takes any.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=0), default=300.0, help="Seconds to wait for the sign-in.")
@pass_config()
def connect_to_freee(config: "Config", tenant: str, port: int, timeout_s: float) -> None:
    """Sign in at freee in a browser. FREEE_CLIENT_ID and FREEE_CLIENT_SECRET name the app registered there."""
    from autonomy.hr.secrets.connect import RedirectListener, connect_freee

    backend = _backend(config)
    _require_vendor(backend, tenant, "freee")
    if not backend.freee_app.client_id:
        raise ConfigError("environment", "FREEE_CLIENT_ID, FREEE_CLIENT_SECRET", "are not set; freee gives them to an app")
    listener = RedirectListener(port)
    connect_freee(
        backend.freee_app,
        backend.credentials,
        tenant,
        show=lambda url: show(f"Open this address and sign in:\n{url}"),
        listener=listener,
        timeout_s=timeout_s,
    )
    say(f"Connected tenant {tenant}.")
    _settle_companies(backend, tenant)


@connect.command("king-of-time")
@TENANT
@pass_config()
def connect_to_king_of_time(config: "Config", tenant: str) -> None:
    """Store an access token of KING OF TIME, asked for without showing it."""
    _store_token(config, tenant, "king_of_time")


@connect.command("smarthr")
@TENANT
@pass_config()
def connect_to_smarthr(config: "Config", tenant: str) -> None:
    """Store an access token of SmartHR, asked for without showing it."""
    _store_token(config, tenant, "smarthr")


@click.group()
def mcp() -> None:
    """Serve tools of the backend as an MCP server."""


@mcp.command("hr")
@TENANT
@click.option("--http", "port", type=PORT, help="Serve over HTTP on this port of 127.0.0.1, instead of over stdio; 0 takes any.")
@pass_config()
def mcp_hr(config: "Config", tenant: str, port: int | None) -> None:
    """Serve a tenant's HR tools as an MCP server, for development."""
    from autonomy.hr.hr_server import hr_server, serve_stdio

    backend = _backend(config)
    backend.tenants.get(tenant)
    server = hr_server(backend.tools, tenant)
    if port is None:
        anyio.run(serve_stdio, server)
    else:
        _serve_http(server, port)


@click.group()
def keys() -> None:
    """Manage the secrets that encrypt what is stored."""


@keys.command("rotate")
@click.option(
    "--lost-key", "lost", is_flag=True, help="Seal the log though its key is lost; its rows cannot be checked any more."
)
@pass_config()
def rotate_keys(config: "Config", lost: bool) -> None:
    """Encrypt every stored credential under the newest secret, and seal the log with it.

    Stop every worker, put the new secret before the old one in the setting `key` first, and leave the old one there: earlier runs
    need it. Without the setting, a new secret for the credentials is made here, and old ones can be removed afterwards.
    """
    from autonomy.hr.secrets.vault import add_key

    settings = config.settings
    if lost and not settings.keys:
        raise ConfigError("environment", "JIRITSU_KEY", "must be set to the new secret: it seals the log")
    if settings.keys and _seal_log(config, lost=lost):
        say("Sealed the log: from here on it is chained under the newest secret.")
    if not settings.key.get_secret_value():
        say(f"Added a new secret to {add_key(settings.home)}.")
    say(f"Encrypted {_backend(config).credentials.rotate()} credentials under the newest secret.")


def _seal_log(config: "Config", *, lost: bool) -> bool:
    """Chain the log under the newest secret; whether it was not already. Raises `ConfigError` while a worker runs.

    `lost`: even where the log's own key is lost.
    """
    from autonomy.durable.liveness.process_locks import held
    from autonomy.durable.records.worker_heartbeats import read_heartbeats
    from autonomy.stores import open_journal, open_store

    engine = open_store(config)
    try:
        if alive := held(engine, [one.name for one in read_heartbeats(engine)]):
            raise ConfigError(
                "keys rotate", ", ".join(sorted(alive)), "must be stopped first: it chains the log under the old key"
            )
        change = partial(open_journal(config.settings, engine).change_key, lost=lost)
        return anyio.run(change, config.settings.keys[0].encode())
    except ValueError as error:
        raise ConfigError("keys rotate", "the log", str(error)) from error
    finally:
        engine.dispose()


@click.group()
def tenants() -> None:
    """Manage tenants: their HR vendor, and what their runs may do.

    \b
    jiritsu tenants add acme --vendor freee
    jiritsu tenants permit acme list_attendance requires_confirmation
    """


@tenants.command("add")
@click.argument("tenant")
@click.option(
    "--vendor",
    type=click.Choice(["freee", "king_of_time", "smarthr", "demo"]),
    required=True,
    help="The vendor whose API is used.",
)
@click.option("--company", "companies", multiple=True, help="A company id its runs may read; the first is the default.")
@click.option("--tool", "tools", multiple=True, help="A tool to offer; none given offers all.")
@click.option("--subdomain", default="", help="SmartHR: the part of the address before .smarthr.jp.")
@click.option("--flex", "flex_ids", multiple=True, help="The id of an employee with flexible hours.")
@click.option("--person", "people", multiple=True, metavar="SLACK=EMPLOYEE", help="Who a Slack member is, to read about himself.")
@click.option(
    "--reader", "readers", multiple=True, metavar="SLACK", help="A Slack member who may read about everybody; * is all."
)
@pass_config()
def add_tenant(
    config: "Config",
    tenant: str,
    vendor: Any,
    companies: tuple[str, ...],
    tools: tuple[str, ...],
    subdomain: str,
    flex_ids: tuple[str, ...],
    people: tuple[str, ...],
    readers: tuple[str, ...],
) -> None:
    """Add a tenant, or replace its settings."""
    from pydantic import ValidationError

    from autonomy.hr.tenants import Tenant

    if wrong := next((one for one in people if not re.fullmatch(r"[^=\s]+=\S+", one)), ""):
        raise click.UsageError(f"--person {wrong!r}: give SLACK=EMPLOYEE, such as U07HARUKA=demo-001")
    try:
        settings = Tenant(
            id=tenant,
            vendor=vendor,
            company_ids=companies,
            tools=tools or None,
            subdomain=subdomain,
            flex_employee_ids=frozenset(flex_ids),
            people=dict(one.split("=", 1) for one in people),
            readers=frozenset(readers),
        )
    except ValidationError as error:
        raise ConfigError.of("tenants", error, tenant, model=Tenant) from error
    _backend(config).tenants.save(settings)
    say(f"Tenant {tenant} uses {vendor}.")


@tenants.command("list")
@pass_config()
def list_tenants(config: "Config") -> None:
    """Show the tenants, their vendors and their permissions."""
    store = _backend(config).tenants
    for tenant in store.all():
        rules = ", ".join(f"{tool}: {permission}" for tool, permission in sorted(store.permissions(tenant.id).items()))
        say(f"{tenant.id}\t{tenant.vendor}\t{rules or 'everything allowed'}")


@tenants.command("permit")
@click.argument("tenant")
@click.argument("tool")
@click.argument("permission", type=click.Choice(["allow", "deny", "requires_confirmation"]))
@pass_config()
def permit_tool(config: "Config", tenant: str, tool: str, permission: Any) -> None:
    """Decide about one tool of a tenant, or about `*`, all that have no rule of their own."""
    from autonomy.hr.hr_tools import TOOLS

    if tool != "*" and tool not in TOOLS:
        why = f"there is no tool {tool!r}; there are {', '.join(TOOLS)} and *{did_you_mean(tool, TOOLS)}"
        raise ConfigError("tenants", tenant, why)
    _backend(config).tenants.permit(tenant, tool, permission)
    say(f"{tenant}: {tool} is now {permission}.")


def _backend(config: "Config") -> "Backend":
    from autonomy.database import SchemaModule, migrate, open_engine
    from autonomy.hr import hr_tables
    from autonomy.hr.backend import open_backend
    from autonomy.hr.hr_audit import LogAudit

    engine = open_engine(config.database_url)
    migrate(engine, [SchemaModule("hr", hr_tables.metadata)])
    settings = config.settings
    return open_backend(engine, LogAudit(), home=settings.home, key=settings.key.get_secret_value(), environ=os.environ)


def _settle_companies(backend: "Backend", tenant_id: str) -> None:
    """Show what the sign-in opens, and take its companies over where the tenant names none of its own."""
    tenant = backend.tenants.get(tenant_id)
    companies = anyio.run(backend.tools.vendors.freee_companies, tenant)
    for company in companies:
        say(f"Company {company.id} {company.name}: {company.role}")
        if company.role != "company_admin":
            say("  This person cannot read everybody there; connect as an administrator.", err=True)
    if not tenant.company_ids:
        backend.tenants.save(tenant.model_copy(update={"company_ids": tuple(str(company.id) for company in companies)}))


def _require_vendor(backend: "Backend", tenant: str, vendor: str) -> None:
    used = backend.tenants.get(tenant).vendor
    if used != vendor:
        raise ConfigError("tenants", "", f"tenant {tenant} uses {used}, not {vendor}")


def _store_token(config: "Config", tenant: str, vendor: str) -> None:
    from pydantic import SecretStr

    from autonomy.hr.secrets.credential_store import Credentials

    backend = _backend(config)
    _require_vendor(backend, tenant, vendor)
    token = click.prompt("Access token", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().strip()
    if not token:
        raise ConfigError("tenants", tenant, "no token was given; type it, or pipe it in")
    backend.credentials.save(tenant, vendor, Credentials(access_token=SecretStr(token)))
    say(f"Connected tenant {tenant}.")


def _serve_http(server: Any, port: int) -> None:
    """Serve over HTTP; the address is printed once something listens there."""
    import socket

    import uvicorn

    from autonomy.hr.hr_server import http_app

    token = os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    listening = socket.create_server(("127.0.0.1", port))
    say(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", err=True)
    if not os.environ.get(TOKEN_VARIABLE):
        say(f"Authorization: Bearer {token}", err=True)
    uvicorn.Server(uvicorn.Config(http_app(server, token), log_level="warning")).run(sockets=[listening])
