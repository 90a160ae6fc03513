"""`python -m autonomy.bridge package.module:toolset`: serve Python tools to any MCP client, over stdio or HTTP."""

import anyio
import click
import uvicorn
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server

from autonomy.bridge.toolset_provider import AnyServer, load_toolset_server
from autonomy.errors import JiritsuError


@click.command()
@click.argument("reference", metavar="PACKAGE.MODULE:TOOLSET")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve Streamable HTTP at /mcp on this port, not stdio.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on with --http; nothing checks who calls."
)
def main(reference: str, port: int | None, host: str) -> None:
    """Serve the toolset, agent or list of tools that PACKAGE.MODULE:TOOLSET names."""
    try:
        server = load_toolset_server(reference)
    except JiritsuError as error:
        raise click.ClickException(str(error)) from error
    if port is None:
        anyio.run(_over_stdio, server)
    else:
        uvicorn.run(server.streamable_http_app(host=host), host=host, port=port)


async def _over_stdio(server: AnyServer) -> None:
    if isinstance(server, MCPServer):
        await server.run_stdio_async()
        return
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    main()
