"""Routes HR tool calls: checks permissions, audits, executes and answers.

A call passes these steps: the tool is known, the tenant permits it, the arguments fit the schema, audit `before`, execution,
audit `after`. A call that cannot be audited is not executed. Every fault becomes an answer, which says whether to try again.
"""

import json
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import anyio.to_thread
from jsonschema import Draft202012Validator
from sqlalchemy.exc import SQLAlchemyError

from autonomy.errors import ConfigError, JiritsuError, VendorError
from autonomy.hr.hr_audit import AuditEntry, AuditSink, count, digest
from autonomy.hr.hr_tools import TOOLS, HRTool
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.vendor_access import Vendors
from autonomy.hr.tenants import HRCaller, Permission, Tenant, TenantStore
from autonomy.hr.timekeeping.month import JST
from discovery.catalog import JsonObject

log = logging.getLogger(__name__)

Reason = Literal["", "unknown_tool", "denied", "needs_confirmation", "invalid_arguments", "vendor", "backend", "defect"]


@dataclass(frozen=True)
class HRAnswer:
    """The result of an execution."""

    payload: JsonObject
    reason: Reason = ""
    """Why it is an error; empty if it is none."""

    @property
    def is_error(self) -> bool:
        """Whether the tool was not executed successfully."""
        return self.reason != ""

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return bool(self.payload.get("retryable"))

    @property
    def text(self) -> str:
        """The answer as JSON, for the model."""
        return json.dumps(self.payload, ensure_ascii=False)

    @classmethod
    def refuse(cls, reason: Reason, error: str, *, retryable: bool = False) -> "HRAnswer":
        """Return an error."""
        return cls({"error": error, "retryable": retryable}, reason)


@dataclass
class CustomTools:
    """Executes the HR tools. One instance serves all tenants and stores nothing of any of them."""

    tenants: TenantStore
    credentials: CredentialStore
    vendors: Vendors
    audit: AuditSink
    now: Callable[[], float] = time.time

    async def execute(self, tool_name: str, arguments: dict[str, Any], caller: HRCaller) -> HRAnswer:
        """Execute a tool for the caller's tenant. Faults of a vendor, a model, the database or settings become an answer."""
        tool = TOOLS.get(tool_name)
        entry = AuditEntry(
            execution_id=uuid.uuid4().hex,
            phase="before",
            at=self.now(),
            tenant_id=caller.tenant_id,
            actor=caller.actor,
            run_id=caller.run_id,
            tool=tool_name if tool else "unknown",
            arguments={},
        )
        try:
            tenant = await anyio.to_thread.run_sync(self.tenants.get, caller.tenant_id)
            entry = entry.model_copy(update=await self._described(tool, arguments, tenant))
            if tool is None:
                unknown = f"Unknown tool: {tool_name}; there are {', '.join(TOOLS)}"
                return await self._refuse(entry, HRAnswer.refuse("unknown_tool", unknown))
            if (refusal := await self._refusal(tool, arguments, tenant, caller)) is not None:
                return await self._refuse(entry, refusal)
            await self.audit.record(entry)
            answer = await self._run(tool, arguments, tenant)
            await self.audit.record(self._outcome(entry, answer))
        except (JiritsuError, SQLAlchemyError) as error:
            # only the type of a database error, because its text quotes values of the statement
            cause = error if isinstance(error, JiritsuError) else type(error).__qualname__
            log.error("%s for tenant %s could not be carried out: %s", entry.tool, entry.tenant_id, cause)  # noqa: TRY400
            problem = "the backend cannot carry this out at the moment; an operator has to look"
            return HRAnswer.refuse("backend", problem, retryable=not isinstance(error, ConfigError))
        return answer

    async def offered(self, tenant_id: str) -> dict[str, Permission]:
        """Return the tools that a tenant's runs may see, with the permission for each. Denied tools are left out. A tenant
        without an HR vendor is offered none."""
        try:
            verdicts = {name: await anyio.to_thread.run_sync(self.tenants.permission, tenant_id, name) for name in TOOLS}
        except ConfigError:
            return {}
        return {name: verdict for name, verdict in verdicts.items() if verdict != "deny"}

    async def _described(self, tool: HRTool | None, arguments: dict[str, Any], tenant: Tenant) -> dict[str, Any]:
        """Return the vendor, and the arguments as the audit may store them: only declared ones, with digests of the values."""
        key = await anyio.to_thread.run_sync(self.credentials.audit_key, tenant.id)
        declared = tool.parameters["properties"] if tool else {}
        return {
            "vendor": tenant.vendor,
            "arguments": digest(key, {name: value for name, value in arguments.items() if name in declared}),
        }

    async def _refusal(self, tool: HRTool, arguments: dict[str, Any], tenant: Tenant, caller: HRCaller) -> HRAnswer | None:
        permission = await anyio.to_thread.run_sync(self.tenants.permission, caller.tenant_id, tool.name)
        if permission == "deny":
            return HRAnswer.refuse("denied", f"{tool.name} is not permitted")
        if permission == "requires_confirmation" and not caller.confirmed:
            return HRAnswer.refuse(
                "needs_confirmation", f"{tool.name} needs a person's confirmation, which this call does not have"
            )
        faults = []
        for error in Draft202012Validator(tool.parameters).iter_errors(arguments):
            where = ".".join(map(str, error.path))
            faults.append(f"{where}: {error.message}" if where else str(error.message))
        if faults:
            return HRAnswer.refuse("invalid_arguments", "; ".join(faults))
        why = tenant.refuses(caller.actor, arguments) if caller.in_conversation else ""
        return HRAnswer.refuse("denied", why) if why else None

    async def _run(self, tool: HRTool, arguments: dict[str, Any], tenant: Tenant) -> HRAnswer:
        today = datetime.fromtimestamp(self.now(), JST).date()
        try:
            async with self.vendors.open(tenant, arguments.get("company_id")) as vendor:
                return HRAnswer(await tool.run(vendor, arguments, today))
        except VendorError as error:
            return HRAnswer.refuse("vendor", str(error), retryable=error.retryable)
        except (JiritsuError, SQLAlchemyError):
            raise
        except Exception as defect:  # noqa: BLE001 - a defect of ours must neither end the model's turn nor show a traceback
            # only the type, because the text of a parser's exception may quote personal data
            log.error("%s for tenant %s: %s", tool.name, tenant.id, type(defect).__qualname__)  # noqa: TRY400
            return HRAnswer.refuse("defect", f"{tool.name} failed in the backend ({type(defect).__name__})")

    async def _refuse(self, entry: AuditEntry, answer: HRAnswer) -> HRAnswer:
        await self.audit.record(entry.model_copy(update={"phase": "refused", "outcome": "refused", "reason": answer.reason}))
        return answer

    def _outcome(self, entry: AuditEntry, answer: HRAnswer) -> AuditEntry:
        now = self.now()
        outcome = {
            "phase": "after",
            "at": now,
            "outcome": "error" if answer.is_error else "ok",
            "reason": answer.reason,
            "counts": count(answer.payload),
            "duration_ms": round((now - entry.at) * 1000),
        }
        return entry.model_copy(update=outcome)


async def handle_custom_tool(tool_name: str, tool_input: dict[str, Any], tenant_id: str, tools: CustomTools) -> str:
    """Execute a tool and return the answer as JSON. The design document (CT §3.2) gives it this name, but `conn` for `tools`."""
    return (await tools.execute(tool_name, tool_input, HRCaller(tenant_id))).text
