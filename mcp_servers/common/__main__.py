"""`python -P -m mcp_servers.common`: serve over stdio."""

from mcp_servers.common.server import main

main()
