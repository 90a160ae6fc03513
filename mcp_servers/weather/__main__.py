"""`python -P -m mcp_servers.weather`: serve over stdio."""

# ruff: noqa: TID252 - a folder that may be moved cannot know the name of what is above it

from .tools import main

main()
