"""`python -P -m mcp_servers.weather`: serve over stdio."""

from mcp_servers.weather.server import main

main()
