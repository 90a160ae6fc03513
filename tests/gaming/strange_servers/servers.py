"""Five small MCP servers over stdio: `python servers.py tracker|calendar|shop|mail|files en|ja FAULTS`.

FAULTS is JSON, tool -> {"times": n, "text": "...", "soft": bool}: the first n calls of it fail, softly as a text that is no error by
MCP's flag, as many real servers do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

sys.path.insert(0, str(Path(__file__).parent))

import company

SERVER, LANGUAGE, GIVEN = sys.argv[1:4]
JA = LANGUAGE == "ja"
FAULTS: dict[str, dict[str, Any]] = json.loads(GIVEN)
READ = ToolAnnotations(read_only_hint=True)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False)
CHANGE = ToolAnnotations(read_only_hint=False, destructive_hint=True)


def pick(name: str) -> Any:
    return getattr(company, ("JA_" if JA else "EN_") + name)


def fault(tool: str) -> str | None:
    """Raises, or returns the text of a soft failure."""
    f = FAULTS.get(tool)
    if not f or f["times"] <= 0:
        return None
    f["times"] -= 1
    if f.get("soft"):
        return str(f["text"])
    raise ToolError(f["text"])


def tracker() -> MCPServer:
    s = MCPServer("issue-tracker", version="1.4.0")
    issues = [
        {"number": n, "title": t, "state": st, "labels": lb, "assignee": a, "created_at": c, "body": b, "comments": []}
        for n, t, st, lb, a, c, b in pick("ISSUES")
    ]

    def find(n: int) -> dict[str, Any]:
        for i in issues:
            if i["number"] == n:
                return i
        raise ToolError(f"failed to get issue: GET https://api.tracker.example/issues/{n}: 404 Not Found []")

    def brief(i: dict[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in i.items() if k not in ("body", "comments")} | {"comments": len(i["comments"])}

    def dump(x: Any) -> str:
        return json.dumps(x, ensure_ascii=False)

    @s.tool(annotations=READ, structured_output=False)
    def list_issues(
        state: str = "open", label: str | None = None, assignee: str | None = None, per_page: int = 5, after: str | None = None
    ) -> str:
        """List issues, the newest first. For more results pass the previous page's endCursor as `after`."""
        fault("list_issues")
        rows = [
            i
            for i in issues
            if (state == "all" or i["state"] == state)
            and (not label or label in i["labels"])
            and (not assignee or i["assignee"] == assignee)
        ]
        at = int(after.removeprefix("cur_")) if after else 0
        page = rows[at : at + per_page]
        more = at + per_page < len(rows)
        return dump(
            {
                "issues": [brief(i) for i in page],
                "pageInfo": {"hasNextPage": more, "endCursor": f"cur_{at + per_page}" if more else None},
            }
        )

    @s.tool(annotations=READ, structured_output=False)
    def get_issue(issue_number: int) -> str:
        """Get one issue with its body and comments."""
        fault("get_issue")
        return dump(find(issue_number))

    @s.tool(annotations=READ, structured_output=False)
    def search_issues(query: str) -> str:
        """Search issues by words in title and body."""
        words = query.lower().split()
        hits = [brief(i) for i in issues if all(w in (i["title"] + " " + i["body"]).lower() for w in words)]
        return dump({"total_count": len(hits), "incomplete_results": False, "items": hits})

    @s.tool(annotations=READ, structured_output=False)
    def list_members() -> str:
        """List the members of the project: login and name."""
        return dump([{"login": lo, "name": n} for lo, n in pick("MEMBERS")])

    @s.tool(annotations=WRITE, structured_output=False)
    def create_issue(title: str, body: str = "", labels: list[str] | None = None, assignee: str | None = None) -> str:
        """Create an issue."""
        fault("create_issue")
        n = max(i["number"] for i in issues) + 1
        new = {
            "number": n,
            "title": title,
            "state": "open",
            "labels": labels or [],
            "assignee": assignee,
            "created_at": company.iso(0),
            "body": body,
            "comments": [],
        }
        issues.insert(0, new)
        return dump({"number": n, "title": title, "url": f"https://tracker.example/issues/{n}"})

    @s.tool(annotations=CHANGE, structured_output=False)
    def update_issue(
        issue_number: int,
        state: str | None = None,
        labels: list[str] | None = None,
        assignee: str | None = None,
        title: str | None = None,
    ) -> str:
        """Update fields of an issue. Labels replace the present ones."""
        fault("update_issue")
        i = find(issue_number)
        for k, v in (("state", state), ("labels", labels), ("assignee", assignee), ("title", title)):
            if v is not None:
                i[k] = v
        return dump(brief(i))

    @s.tool(annotations=WRITE, structured_output=False)
    def add_issue_comment(issue_number: int, body: str) -> str:
        """Add a comment to an issue."""
        fault("add_issue_comment")
        i = find(issue_number)
        i["comments"].append({"id": 9000 + len(i["comments"]) + 1, "author": "bot", "body": body})
        return dump(
            {
                "id": i["comments"][-1]["id"],
                "url": f"https://tracker.example/issues/{issue_number}#comment-{i['comments'][-1]['id']}",
            }
        )

    return s


def calendar() -> MCPServer:
    s = MCPServer("calendar", instructions="Times are ISO 8601 with offset. The calendar's time zone is Asia/Tokyo.")
    events: list[dict[str, Any]] = [
        {
            "id": i,
            "summary": t,
            "start": f"{company.iso(d)}T{a}:00+09:00",
            "end": f"{company.iso(d)}T{b}:00+09:00",
            "location": loc,
            "attendees": [{"email": e, "response_status": "accepted"} for e in att],
        }
        for i, d, a, b, t, att, loc in pick("EVENTS")
    ]

    def find(i: str) -> dict[str, Any]:
        for e in events:
            if e["id"] == i:
                return e
        raise ToolError(f"Event not found: {i}")

    @s.tool(annotations=READ)
    def list_events(time_min: str, time_max: str) -> dict[str, Any]:
        """List events that start between two dates or times (time_max exclusive for times, inclusive for dates)."""
        fault("list_events")
        hi = time_max if "T" in time_max else time_max + "T99"
        rows = [e for e in events if time_min <= e["start"] < hi]
        return {"events": sorted(rows, key=lambda e: e["start"]), "time_zone": "Asia/Tokyo", "count": len(rows)}

    @s.tool(annotations=READ)
    def get_event(event_id: str) -> dict[str, Any]:
        """Get one event."""
        return find(event_id)

    @s.tool(annotations=WRITE)
    def create_event(
        summary: str, start: str, end: str, attendees: list[str] | None = None, location: str = "", time_zone: str = "Asia/Tokyo"
    ) -> dict[str, Any]:
        """Create an event and send invitations to the attendees (mail addresses)."""
        fault("create_event")
        e = {
            "id": f"ev_{201 + sum(x['id'].startswith('ev_2') for x in events)}",
            "summary": summary,
            "start": start,
            "end": end,
            "location": location,
            "time_zone": time_zone,
            "attendees": [{"email": a, "response_status": "needsAction"} for a in attendees or []],
        }
        events.append(e)
        return {"status": "confirmed", "event": e, "invitations_sent": len(attendees or [])}

    @s.tool(annotations=CHANGE)
    def update_event(
        event_id: str,
        summary: str | None = None,
        start: str | None = None,
        end: str | None = None,
        location: str | None = None,
        attendees: list[str] | None = None,
    ) -> dict[str, Any]:
        """Change an event; the attendees are told."""
        fault("update_event")
        e = find(event_id)
        for k, v in (("summary", summary), ("start", start), ("end", end), ("location", location)):
            if v is not None:
                e[k] = v
        if attendees is not None:
            e["attendees"] = [{"email": a, "response_status": "needsAction"} for a in attendees]
        return {"status": "updated", "event": e}

    @s.tool(annotations=CHANGE)
    def delete_event(event_id: str) -> dict[str, Any]:
        """Delete an event; the attendees are told."""
        fault("delete_event")
        events.remove(find(event_id))
        return {"status": "deleted", "id": event_id}

    return s


def shop() -> MCPServer:
    s = MCPServer("shop-admin")
    cur = "JPY" if JA else "EUR"
    products = [{"sku": k, "name": n, "stock": st, "price": p} for k, n, st, p in pick("PRODUCTS")]
    orders: list[dict[str, Any]] = [
        {
            "id": i,
            "customer_id": c,
            "customer_name": n,
            "created_at": d,
            "status": st,
            "total": t,
            "currency": cur,
            "refunded": 0,
            "items": [{"sku": k, "quantity": q} for k, q in items],
        }
        for i, c, n, d, st, items, t in pick("ORDERS")
    ]

    def paged(rows: list[Any], key: str, cursor: str | None, limit: int) -> dict[str, Any]:
        at = int(cursor.removeprefix("p")) if cursor else 0
        nxt = f"p{at + limit}" if at + limit < len(rows) else None
        return {key: rows[at : at + limit], "next_cursor": nxt, "has_more": nxt is not None}

    @s.tool(annotations=READ)
    def list_products(cursor: str | None = None, limit: int = 4) -> dict[str, Any]:
        """List products with stock and price. Pages: pass next_cursor as cursor."""
        fault("list_products")
        return paged(products, "products", cursor, limit)

    @s.tool(annotations=READ)
    def get_product(sku: str) -> dict[str, Any]:
        """Get one product by SKU."""
        fault("get_product")
        for p in products:
            if p["sku"] == sku:
                return p
        raise ToolError(f"No product with SKU {sku}")

    @s.tool(annotations=READ)
    def list_orders(
        status: str | None = None, customer_id: str | None = None, cursor: str | None = None, limit: int = 5
    ) -> dict[str, Any]:
        """List orders, oldest first. Pages: pass next_cursor as cursor."""
        fault("list_orders")
        return paged(
            [o for o in orders if (not status or o["status"] == status) and (not customer_id or o["customer_id"] == customer_id)],
            "orders",
            cursor,
            limit,
        )

    @s.tool(annotations=READ)
    def get_order(order_id: str) -> dict[str, Any]:
        """Get one order."""
        fault("get_order")
        for o in orders:
            if o["id"] == order_id:
                return o
        raise ToolError(f"Order {order_id} does not exist")

    @s.tool(annotations=READ)
    def search_customers(name: str) -> dict[str, Any]:
        """Find customers by a part of their name."""
        seen = {o["customer_id"]: o["customer_name"] for o in orders}
        return {
            "customers": [
                {"id": i, "name": n} for i, n in seen.items() if name.lower().replace(" ", "") in n.lower().replace(" ", "")
            ]
        }

    @s.tool(annotations=CHANGE)
    def refund_order(order_id: str, amount: float, reason: str = "") -> dict[str, Any]:
        """Refund an amount of an order to the customer. Cannot be undone."""
        fault("refund_order")
        o = get_order(order_id)
        if amount > o["total"] - o["refunded"]:
            raise ToolError(f"Refund of {amount} exceeds the remaining {o['total'] - o['refunded']} of {order_id}")
        o["refunded"] += amount
        return {
            "refund_id": "RF-" + order_id[3:],
            "order_id": order_id,
            "customer_name": o["customer_name"],
            "amount": amount,
            "currency": cur,
            "status": "succeeded",
        }

    @s.tool(annotations=CHANGE)
    def set_stock(sku: str, stock: int) -> dict[str, Any]:
        """Set the stock of a product."""
        fault("set_stock")
        p = get_product(sku)
        old, p["stock"] = p["stock"], stock
        return {"sku": sku, "previous_stock": old, "stock": stock}

    return s


def mail() -> MCPServer:
    s = MCPServer("mail")
    box = [dict(zip(("id", "from", "subject", "date", "body"), m, strict=True)) for m in pick("MAIL")]
    drafts: dict[str, tuple[str, str, str]] = {}
    sent: list[tuple[str, str, str]] = []

    def line(m: dict[str, str]) -> str:
        return f"ID: {m['id']}\nFrom: {m['from']}\nSubject: {m['subject']}\nDate: {m['date']}\n"

    @s.tool(structured_output=False)
    def search_mail(query: str, max_results: int = 10) -> str:
        """Search the mailbox for words in sender, subject and text."""
        fault("search_mail")
        words = query.lower().split()
        hits = [m for m in box if all(w in " ".join(m.values()).lower() for w in words)][:max_results]
        return "\n".join(line(m) for m in hits) if hits else "No messages found."

    @s.tool(structured_output=False)
    def list_mail(page_token: str | None = None) -> str:
        """List the inbox, newest first, four a page."""
        fault("list_mail")
        at = int(page_token or 0)
        text = "\n".join(line(m) for m in box[at : at + 4])
        return text + (f"\nNext page token: {at + 4}" if at + 4 < len(box) else "\nEnd of list.")

    @s.tool(structured_output=False)
    def read_mail(message_id: str) -> str:
        """Read a message by its ID."""
        if soft := fault("read_mail:" + message_id):
            return soft
        for m in box:
            if m["id"] == message_id:
                return line(m) + "\n" + m["body"]
        raise ToolError(f"Requested entity was not found: {message_id}")

    @s.tool(structured_output=False)
    def list_contacts(query: str = "") -> str:
        """List contacts whose name, address or department contains the query."""
        rows = [c for c in pick("CONTACTS") if query.lower().replace(" ", "") in " ".join(c).lower().replace(" ", "")]
        return "\n".join(f"- {n} <{e}> ({d})" for n, e, d in rows) or "No contacts found."

    @s.tool(structured_output=False)
    def send_mail(to: list[str], subject: str, body: str) -> str:
        """Send a mail at once."""
        if soft := fault("send_mail"):
            return soft
        sent.append((", ".join(to), subject, body))
        return f"Email sent successfully with ID: s-{900 + len(sent)}"

    @s.tool(structured_output=False)
    def draft_mail(to: list[str], subject: str, body: str) -> str:
        """Save a draft without sending it."""
        i = f"d-{700 + len(drafts) + 1}"
        drafts[i] = (", ".join(to), subject, body)
        return f"Email draft created successfully with ID: {i}"

    @s.tool(structured_output=False)
    def send_draft(draft_id: str) -> str:
        """Send a saved draft."""
        if draft_id not in drafts:
            raise ToolError(f"No draft {draft_id}")
        sent.append(drafts.pop(draft_id))
        return f"Draft {draft_id} sent with ID: s-{900 + len(sent)}"

    @s.tool(structured_output=False)
    def list_sent() -> str:
        """List the messages sent in this session."""
        return (
            "\n\n".join(f"ID: s-{901 + k}\nTo: {t}\nSubject: {sub}\n\n{b}" for k, (t, sub, b) in enumerate(sent))
            or "No messages."
        )

    @s.tool(structured_output=False)
    def list_drafts() -> str:
        """List the drafts."""
        return "\n\n".join(f"ID: {i}\nTo: {t}\nSubject: {sub}\n\n{b}" for i, (t, sub, b) in drafts.items()) or "No drafts."

    return s


def files() -> MCPServer:
    s = MCPServer("secure-filesystem-server")
    tree = dict(pick("FILES"))

    @s.tool(annotations=READ)
    def list_directory(path: str = "") -> str:
        """List the files and folders below a path of the shared drive, as [FILE] or [DIR] lines."""
        p = path.strip("/.")
        p = p + "/" if p else ""
        names = sorted(
            {("[DIR] " if "/" in k[len(p) :] else "[FILE] ") + k[len(p) :].split("/")[0] for k in tree if k.startswith(p)}
        )
        if not names:
            raise ToolError(f"ENOENT: no such file or directory, scandir '{path}'")
        return "\n".join(names)

    @s.tool(annotations=READ)
    def read_text_file(path: str) -> str:
        """Read a text file."""
        fault("read_text_file:" + path)
        if path.strip("/") not in tree:
            raise ToolError(f"ENOENT: no such file or directory, open '{path}'")
        return tree[path.strip("/")]

    @s.tool(annotations=READ)
    def search_files(pattern: str) -> str:
        """Find files whose path contains the pattern."""
        return "\n".join(k for k in tree if pattern.lower() in k.lower()) or "No matches found"

    @s.tool(annotations=CHANGE)
    def write_file(path: str, content: str) -> str:
        """Create a file or overwrite it."""
        fault("write_file")
        tree[path.strip("/")] = content
        return f"Successfully wrote to {path}"

    return s


if __name__ == "__main__":
    {"tracker": tracker, "calendar": calendar, "shop": shop, "mail": mail, "files": files}[SERVER]().run("stdio")
