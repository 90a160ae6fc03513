"""Tools written for pydantic-ai, as MCP tools for the Claude Agent SDK, for Jiritsu and for any MCP client."""
