"""`python -m mcp_servers.esa` starts the server on stdio."""

from mcp_servers.esa.server import main

main()
