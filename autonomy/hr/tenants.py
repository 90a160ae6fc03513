"""Stores tenants of the HR tools with their settings and permissions, and knows for which caller a tool is executed.

A tool takes the tenant from `current_caller`, which the host sets, and never from its arguments, which a model writes.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from pydantic import Field, ValidationError
from sqlalchemy import Engine

from autonomy.errors import ConfigError, StoreError
from autonomy.hr import hr_tables
from autonomy.hr.timekeeping.employee import VendorName
from discovery.catalog import Frozen
from discovery.text.near_names import did_you_mean

Permission = Literal["allow", "deny", "requires_confirmation"]


class Tenant(Frozen):
    """One customer: the vendor that has its records, and what its runs may use."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    vendor: VendorName
    company_ids: tuple[str, ...] = ()
    """The companies (事業所) that its runs may read. The first is the default."""
    tools: tuple[str, ...] | None = None
    """The tools offered to its runs; None for all."""
    subdomain: str = Field("", pattern=r"^[a-z0-9-]*$")
    """SmartHR only: the part of the address before `.smarthr.jp`."""
    flex_employee_ids: frozenset[str] = frozenset()
    """Employees with flexible hours, for vendors whose API does not tell."""
    people: dict[str, str] = Field(default_factory=dict)
    """A person in a conversation (Slack's member id) → the employee id. Each may read about themselves."""
    readers: frozenset[str] = frozenset()
    """The people in conversations who may read about everybody; `*` for all of them."""

    def refuses(self, person: str, arguments: Mapping[str, object]) -> str:
        """Return why a person in a conversation may not read this; empty if they may."""
        if person in self.readers or "*" in self.readers:
            return ""
        own = self.people.get(person)
        if own is None:
            return "nobody has said which employee you are; an operator can (`jiritsu tenants add --person`)"
        if arguments.get("employee_id") != own:
            return f"you may read about yourself only (employee_id {own}), and not about others"
        return ""


@dataclass(frozen=True)
class HRCaller:
    """The tenant, person and run for which a tool is executed."""

    tenant_id: str
    actor: str = "system"
    run_id: str | None = None
    confirmed: bool = False
    """Whether a person has confirmed this call. The host's policy sets it for one call."""
    in_conversation: bool = False
    """Whether `actor` is a person in a conversation, to whom `Tenant.refuses` applies."""


current_caller: ContextVar[HRCaller | None] = ContextVar("current_caller", default=None)


@contextmanager
def acting_for(
    tenant_id: str,
    *,
    actor: str = "system",
    run_id: str | None = None,
    confirmed: bool = False,
    in_conversation: bool = False,
) -> Iterator[HRCaller]:
    """Make calls in this block for this tenant."""
    caller = HRCaller(tenant_id, actor, run_id, confirmed, in_conversation)
    token = current_caller.set(caller)
    try:
        yield caller
    finally:
        current_caller.reset(token)


class TenantStore:
    """Tenants and their tool permissions. Its methods block, so call them from a worker thread. Each raises `StoreError`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, tenant_id: str) -> Tenant:
        """Return a tenant. Raises ConfigError if there is none. `demo` exists without being stored."""
        query = sa.select(hr_tables.tenants.c.settings).where(hr_tables.tenants.c.tenant_id == tenant_id)
        with hr_tables.connected(self._engine) as connection:
            settings = connection.execute(query).scalar()
        if settings is None and tenant_id == "demo":
            return Tenant(id="demo", vendor="demo")
        if settings is None:
            near = did_you_mean(tenant_id, (one.id for one in self.all()))
            raise ConfigError("tenants", tenant_id, f"there is no such tenant (add one with `jiritsu tenants add`){near}")
        return _read(settings, tenant_id)

    def all(self) -> list[Tenant]:
        """Return every tenant, by id. It is for the operator only; nothing that a run can reach calls it."""
        with hr_tables.connected(self._engine) as connection:
            rows = connection.execute(sa.select(hr_tables.tenants).order_by(hr_tables.tenants.c.tenant_id)).all()
        return [_read(row.settings, row.tenant_id) for row in rows]

    def save(self, tenant: Tenant) -> None:
        """Add or replace a tenant."""
        table = hr_tables.tenants
        with hr_tables.connected(self._engine, writes=True) as connection:
            change = table.update().where(table.c.tenant_id == tenant.id).values(settings=tenant.model_dump_json())
            if not connection.execute(change).rowcount:
                connection.execute(table.insert().values(tenant_id=tenant.id, settings=tenant.model_dump_json()))

    def permission(self, tenant_id: str, tool: str) -> Permission:
        """Return the tenant's permission for a tool: that of the tool, else that of `*`, else allow. Tools that are not offered
        are denied."""
        offered = self.get(tenant_id).tools
        if offered is not None and tool not in offered:
            return "deny"
        rules = self.permissions(tenant_id)
        return rules.get(tool, rules.get("*", "allow"))

    def permissions(self, tenant_id: str) -> dict[str, Permission]:
        """Return the stored permissions: tool or `*` → permission."""
        table = hr_tables.permissions
        with hr_tables.connected(self._engine) as connection:
            rows = connection.execute(sa.select(table.c.tool, table.c.permission).where(table.c.tenant_id == tenant_id)).all()
        return {row.tool: row.permission for row in rows}

    def permit(self, tenant_id: str, tool: str, permission: Permission) -> None:
        """Store the permission for one tool, or for `*`. Raises ConfigError for an unknown tenant."""
        self.get(tenant_id)
        table = hr_tables.permissions
        row_filter = sa.and_(table.c.tenant_id == tenant_id, table.c.tool == tool)
        with hr_tables.connected(self._engine, writes=True) as connection:
            if not connection.execute(table.update().where(row_filter).values(permission=permission)).rowcount:
                connection.execute(table.insert().values(tenant_id=tenant_id, tool=tool, permission=permission))


class SampleTenants(TenantStore):
    """Every tenant uses the made-up company, whatever the database contains."""

    def get(self, tenant_id: str) -> Tenant:
        """Return a tenant that uses the made-up company."""
        return Tenant(id=tenant_id, vendor="demo")


def _read(settings: str, tenant_id: str) -> Tenant:
    try:
        return Tenant.model_validate_json(settings)
    except ValidationError as error:
        raise StoreError(f"the stored settings of tenant {tenant_id!r} cannot be read: {error.error_count()} faults") from None
