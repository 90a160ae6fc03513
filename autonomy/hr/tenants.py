"""Tenants of the HR tools: settings, permissions and callers.

A tool never takes the tenant from its arguments, which a model writes; it takes it from `current_caller`, which the host sets.
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
    """One customer: which vendor keeps its records, and what its runs may use."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    vendor: VendorName
    company_ids: tuple[str, ...] = ()
    """The companies (事業所) its runs may read; the first is the default. No other can be asked for."""
    tools: tuple[str, ...] | None = None
    """The tools offered to its runs; None: all."""
    subdomain: str = Field("", pattern=r"^[a-z0-9-]*$")
    """SmartHR only: the part of the address before `.smarthr.jp`."""
    flex_employee_ids: frozenset[str] = frozenset()
    """Who works flexible hours, for vendors whose API does not tell."""
    people: dict[str, str] = Field(default_factory=dict)
    """Who asks in a conversation (Slack's member id) → the employee that is: each may read about himself."""
    readers: frozenset[str] = frozenset()
    """Who asks in a conversation and may read about everybody; `*` is all who may ask at all."""

    def refuses(self, person: str, arguments: Mapping[str, object]) -> str:
        """Why a person is not told this, in words; empty when he is: about himself, or about everybody where he may read that."""
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
    """A person has confirmed this very call; set by the host's policy, for one call."""
    in_conversation: bool = False
    """Whether `actor` is a person who asks in a conversation: he is told about himself, unless the tenant says otherwise."""


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
    """Act for this tenant in this block."""
    caller = HRCaller(tenant_id, actor, run_id, confirmed, in_conversation)
    token = current_caller.set(caller)
    try:
        yield caller
    finally:
        current_caller.reset(token)


class TenantStore:
    """Tenants and their tool permissions. Its methods block: call them from a worker thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, tenant_id: str) -> Tenant:
        """The tenant; ConfigError when there is none. `demo` exists unless somebody made another of that name."""
        query = sa.select(hr_tables.tenants.c.settings).where(hr_tables.tenants.c.tenant_id == tenant_id)
        with self._engine.connect() as connection:
            settings = connection.execute(query).scalar()
        if settings is None and tenant_id == "demo":
            return Tenant(id="demo", vendor="demo")
        if settings is None:
            near = did_you_mean(tenant_id, (one.id for one in self.all()))
            raise ConfigError("tenants", tenant_id, f"there is no such tenant (add one with `jiritsu tenants add`){near}")
        return _read(settings, tenant_id)

    def all(self) -> list[Tenant]:
        """Every tenant, by id. For the operator only: nothing a run can reach calls this."""
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(hr_tables.tenants).order_by(hr_tables.tenants.c.tenant_id)).all()
        return [_read(row.settings, row.tenant_id) for row in rows]

    def save(self, tenant: Tenant) -> None:
        """Add or replace."""
        table = hr_tables.tenants
        with self._engine.begin() as connection:
            change = table.update().where(table.c.tenant_id == tenant.id).values(settings=tenant.model_dump_json())
            if not connection.execute(change).rowcount:
                connection.execute(table.insert().values(tenant_id=tenant.id, settings=tenant.model_dump_json()))

    def permission(self, tenant_id: str, tool: str) -> Permission:
        """The tenant's permission: the row of the tool, else the row `*`, else allow; tools not offered are denied."""
        offered = self.get(tenant_id).tools
        if offered is not None and tool not in offered:
            return "deny"
        rules = self.permissions(tenant_id)
        return rules.get(tool, rules.get("*", "allow"))

    def permissions(self, tenant_id: str) -> dict[str, Permission]:
        """The rows as they stand: tool or `*` → permission."""
        table = hr_tables.permissions
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(table.c.tool, table.c.permission).where(table.c.tenant_id == tenant_id)).all()
        return {row.tool: row.permission for row in rows}

    def permit(self, tenant_id: str, tool: str, permission: Permission) -> None:
        """Set the row of one tool, or of `*`."""
        self.get(tenant_id)
        table = hr_tables.permissions
        row_filter = sa.and_(table.c.tenant_id == tenant_id, table.c.tool == tool)
        with self._engine.begin() as connection:
            if not connection.execute(table.update().where(row_filter).values(permission=permission)).rowcount:
                connection.execute(table.insert().values(tenant_id=tenant_id, tool=tool, permission=permission))


class SampleTenants(TenantStore):
    """Every tenant is the made-up company, whatever the database holds."""

    def get(self, tenant_id: str) -> Tenant:
        """The made-up company."""
        return Tenant(id=tenant_id, vendor="demo")


def _read(settings: str, tenant_id: str) -> Tenant:
    try:
        return Tenant.model_validate_json(settings)
    except ValidationError as error:
        raise StoreError(f"the stored settings of tenant {tenant_id!r} cannot be read: {error.error_count()} faults") from None
