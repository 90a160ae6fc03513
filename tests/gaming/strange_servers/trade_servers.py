"""Five more: `python trade_servers.py bookings|crm|ci|docs|chat en|ja {}`, of a guest house with a sales desk and a pipeline."""

import sys
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

JA = sys.argv[2] == "ja"
READ = ToolAnnotations(read_only_hint=True)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False)
CHANGE = ToolAnnotations(read_only_hint=False, destructive_hint=True)
PEOPLE = (
    [("u-31", "伊藤 彩", "経理部"), ("u-32", "伊藤 誠", "営業部"), ("u-33", "木村 恵", "開発部")]
    if JA
    else [("u-11", "Dana Reyes", "Sales"), ("u-12", "Dana Rhys", "Support"), ("u-13", "Ngozi Okafor", "Guest")]
)
BOOKINGS = {
    "BK-7": {"code": "BK-7", "guest": "Ngozi Okafor", "room": "Lake", "start": "2026-12-03", "nights": 2, "status": "confirmed"},
    "BK-9": {"code": "BK-9", "guest": "Ngozi Okafor", "room": "Attic", "start": "2026-12-18", "nights": 1, "status": "confirmed"},
    "BK-12": {"code": "BK-12", "guest": "Tomas Rey", "room": "Lake", "start": "2026-12-10", "nights": 3, "status": "confirmed"},
}
DEALS = {
    "D-41": {"id": "D-41", "customer": "Lumière SARL", "stage": "offer", "amount": 8400, "owner": "u-11", "notes": []},
    "D-42": {"id": "D-42", "customer": "Hansen AS", "stage": "lead", "amount": 1200, "owner": "u-12", "notes": []},
}
RUNS = [
    {"run_id": 882, "pipeline": "web", "branch": "main", "status": "failed", "tests": 412, "failed": 5, "finished_at": "2026-11-30T08:40:00+09:00"},
    {"run_id": 881, "pipeline": "web", "branch": "main", "status": "passed", "tests": 409, "failed": 0, "finished_at": "2026-11-29T18:02:00+09:00"},
]  # fmt: skip
DOCUMENTS = {
    "ONB-1": {
        "id": "ONB-1",
        "title": "Onboarding notes",
        "text": "1. Order the laptop.\n2. Invite to the stand-up.\n3. Read the handbook.",
    }
}
CHANNEL = [
    {
        "at": "2026-11-30 07:55",
        "author": "Ngozi Okafor",
        "text": "Good morning, my mother is ill and I cannot come for BK-9. Please cancel it, the other stay is fine.",
    }
]


def bookings() -> MCPServer:
    s = MCPServer("guest-house")

    @s.tool(annotations=READ)
    def list_bookings(guest: str = "") -> dict[str, Any]:
        """List bookings, of one guest or of all."""
        return {"bookings": [one for one in BOOKINGS.values() if guest.lower() in one["guest"].lower()]}

    @s.tool(annotations=READ)
    def get_booking(code: str) -> dict[str, Any]:
        """Get a booking by its code."""
        if code not in BOOKINGS:
            raise ToolError(f"unknown booking {code}")
        return BOOKINGS[code]

    @s.tool(annotations=CHANGE)
    def cancel_booking(code: str, reason: str = "") -> dict[str, Any]:
        """Cancel a booking."""
        BOOKINGS[code]["status"] = "cancelled"
        return {"code": code, "status": "cancelled"}

    @s.tool(annotations=WRITE)
    def create_booking(guest: str, room: str, start: str, end: str = "") -> dict[str, Any]:
        """Book a room."""
        return {"code": "BK-20", "guest": guest, "room": room, "start": start, "end": end, "status": "confirmed"}

    return s


def crm() -> MCPServer:
    s = MCPServer("deals")

    @s.tool(annotations=READ)
    def get_deal(deal_id: str) -> dict[str, Any]:
        """Get a deal with its notes."""
        return DEALS[deal_id]

    @s.tool(annotations=READ)
    def list_deals(stage: str = "") -> dict[str, Any]:
        """List deals."""
        return {"deals": [one for one in DEALS.values() if stage in one["stage"]]}

    @s.tool(annotations=WRITE)
    def add_note(deal_id: str, text: str) -> dict[str, Any]:
        """Add a note to a deal."""
        DEALS[deal_id]["notes"].append(text)
        return {"deal_id": deal_id, "note_id": "N-501", "text": text}

    @s.tool(annotations=CHANGE)
    def update_deal(deal_id: str, stage: str = "", owner: str = "") -> dict[str, Any]:
        """Change a deal."""
        DEALS[deal_id].update({"stage": stage} if stage else {}, **({"owner": owner} if owner else {}))
        return DEALS[deal_id]

    return s


def ci() -> MCPServer:
    s = MCPServer("pipelines")

    @s.tool(annotations=READ)
    def list_runs(pipeline: str, limit: int = 1) -> dict[str, Any]:
        """List the runs of a pipeline, the newest first."""
        return {"runs": RUNS[:limit]}

    @s.tool(annotations=CHANGE)
    def trigger_deployment(version: str, environment: str) -> dict[str, Any]:
        """Deploy a version."""
        return {"deployment_id": 77, "version": version, "environment": environment, "status": "succeeded"}

    return s


def docs() -> MCPServer:
    s = MCPServer("papers")

    @s.tool(annotations=READ)
    def get_document(document_id: str) -> dict[str, Any]:
        """Get a document."""
        return DOCUMENTS[document_id]

    @s.tool(annotations=WRITE)
    def create_document(title: str, text: str) -> dict[str, Any]:
        """Create a document."""
        return {"id": "DOC-88", "title": title}

    @s.tool(annotations=WRITE)
    def share_document(document_id: str, user_id: str, role: str = "reader") -> dict[str, Any]:
        """Share a document with somebody."""
        return {"document_id": document_id, "user_id": user_id, "role": role}

    return s


def chat() -> MCPServer:
    s = MCPServer("chat")

    @s.tool(annotations=READ, structured_output=False)
    def list_people(query: str = "") -> str:
        """List people: id, name and department."""
        return "\n".join(f"{i}: {n} ({d})" for i, n, d in PEOPLE if query.lower() in n.lower())

    @s.tool(annotations=READ)
    def read_channel(channel: str) -> dict[str, Any]:
        """Read the newest messages of a channel."""
        return {"channel": channel, "messages": CHANNEL}

    @s.tool(annotations=WRITE)
    def send_message(user_id: str, text: str) -> dict[str, Any]:
        """Send somebody a message."""
        return {"ok": True, "to": user_id}

    return s


if __name__ == "__main__":
    {"bookings": bookings, "crm": crm, "ci": ci, "docs": docs, "chat": chat}[sys.argv[1]]().run("stdio")
