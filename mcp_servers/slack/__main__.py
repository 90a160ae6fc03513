"""`python -m mcp_servers.slack` starts the server on stdio."""

from mcp_servers.slack.server import main

main()
