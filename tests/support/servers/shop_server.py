"""A server that offers everything the protocol has, over stdio: `python shop_server.py LEDGER`; each sale is a line in the file."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.session import ServerSession
from mcp_types import ToolAnnotations
from pydantic import BaseModel

READ = ToolAnnotations(read_only_hint=True, open_world_hint=False, title="A look")
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)


class Price(BaseModel):
    item: str
    yen: int


class Size(BaseModel):
    size: str


def shop(sold: Callable[[str], object]) -> MCPServer[Any]:
    """The server; `sold` hears of each sale."""
    server: MCPServer[Any] = MCPServer("shop")

    @server.tool(annotations=READ)
    def price(item: str) -> Price:
        """Look the price of an item up."""
        return Price(item=item, yen=120)

    @server.tool(annotations=READ, structured_output=False)
    def long_list() -> str:
        """List every item."""
        return "\n".join(f"item {number}" for number in range(30_000))

    @server.tool(annotations=READ, structured_output=False)
    def open_page(url: str) -> str:
        """Open a page."""
        return f"opened {url}"

    @server.tool(annotations=WRITE, structured_output=False)
    async def sell(item: str, slow: bool = False) -> str:
        """Create a sale."""
        sold(item)
        if slow:
            await anyio.sleep(30)
        return f"sold {item}"

    @server.tool(annotations=READ, structured_output=False)
    async def fitting(ctx: Context[ServerSession, None]) -> str:
        """Show what fits."""
        answer = await ctx.elicit("Which size?", schema=Size)
        return f"size {answer.data.size}" if answer.action == "accept" else f"no size: {answer.action}"

    @server.tool(annotations=READ, structured_output=False)
    async def count_stock(ctx: Context[ServerSession, None]) -> str:
        """Count the stock, shelf by shelf."""
        for shelf in range(3):
            await ctx.report_progress(shelf, 3, f"shelf {shelf}")
        return "counted"

    @server.tool(annotations=READ, structured_output=False)
    async def stuck() -> str:
        """Get stuck."""
        await anyio.sleep_forever()
        return ""

    @server.tool(annotations=READ, structured_output=False)
    def die() -> str:
        """Show how a server dies."""
        os._exit(3)

    @server.resource("shop://opening-hours", mime_type="text/plain")
    def hours() -> str:
        """When the shop is open."""
        return "9 to 5"

    @server.prompt()
    def haggle(item: str) -> str:
        """How to haggle."""
        return f"Offer half for {item}."

    return server


def main(ledger: Path) -> None:
    """Serve over stdio."""

    def sold(item: str) -> None:
        with ledger.open("a") as file:
            file.write(f"{item}\n")

    time.sleep(float(os.environ.get("SHOP_STARTS_IN_S", "0")))
    shop(sold).run("stdio")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
